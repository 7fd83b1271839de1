//! Physics that will not do what its author hopes. Only for scenes without errors.

mod amounts;
mod balls;
mod fills;
mod liquids;
mod loads;
mod nozzles;
mod objects;
mod schedule;
mod sph;
mod stiffness;
mod thesis;
mod walls;

pub use loads::{Estimate, estimate};
pub use stiffness::least_viscosities;

use super::checks::Addresses;
use super::{Fault, Fill, Object, Scene};
use crate::liquid::sources;
use crate::objects::{Collider, Sdf};
use glam::Vec3;
use std::sync::Arc;

/// Every warning about a scene without errors.
pub fn warnings(scene: &Scene, addresses: &Addresses) -> Vec<Fault> {
    let parts = Part::all(scene, addresses);
    let mut found = Vec::new();
    amounts::check(scene, addresses, &mut found);
    balls::check(scene, addresses, &mut found);
    fills::check(scene, addresses, &parts, &mut found);
    liquids::check(scene, addresses, &mut found);
    nozzles::check(scene, addresses, &parts, &mut found);
    objects::check(scene, addresses, &mut found);
    walls::check(scene, addresses, &mut found);
    schedule::check(scene, addresses, &mut found);
    sph::check(scene, addresses, &parts, &mut found);
    stiffness::check(scene, addresses, &parts, &mut found);
    thesis::check(scene, addresses, &mut found);
    found
}

/// Points looked at in all fills together.
const MOST_POINTS: usize = 60_000;
/// Distances from points to objects and to other fills, at most: some hundredths of a second.
const MOST_DISTANCES: usize = 3_000_000;
/// Objects beyond this many are not compared with fills and nozzles.
const MOST_OBJECTS: usize = 500;
/// Fills beyond this many are not looked at: each is compared with each.
const MOST_FILLS: usize = 300;
/// Share of a fill's points that may be in the wrong place without a word: corners that touch do no harm.
const SMALL_PART: f32 = 0.002;

/// A fill and a sample of its points.
struct Part {
    path: String,
    /// Number of its liquid.
    liquid: usize,
    spacing: f32,
    room: Collider,
    points: Vec<Vec3>,
    /// Particles that it has, about.
    count: f64,
}

impl Part {
    fn all(scene: &Scene, addresses: &Addresses) -> Vec<Part> {
        let fills = scene.liquid.iter().enumerate().flat_map(|(n, liquid)| {
            liquid.fill.iter().enumerate().map(move |(i, fill)| (n, liquid.spacing, i, fill))
        });
        let fills: Vec<_> = fills.take(MOST_FILLS).collect();
        let compared = fills.len() + scene.object.len().min(MOST_OBJECTS);
        let most = MOST_POINTS.min(MOST_DISTANCES / compared.max(1)) / fills.len().max(1);
        let part = |((n, spacing, i, fill), sdf): ((usize, f32, usize, &Fill), Arc<Sdf>)| {
            let points = sources::sample(&sdf, fill.placement(), spacing, scene.planar(), most);
            let all = sources::lattice_size(&sdf, spacing, scene.planar());
            Part {
                path: format!("{}.fill.{i}", addresses.liquid[n]),
                liquid: n,
                spacing,
                count: points.len() as f64 * (all / most as f64).max(1.0),
                points,
                room: Collider::new(sdf, fill.placement()),
            }
        };
        let room = |fill: &Fill| Sdf::new(&fill.shape, &scene.meshes, scene.planar()).room();
        fills.into_iter().map(|f| (f, Arc::new(room(f.3)))).map(part).collect()
    }

    /// Share of the points for which something holds.
    fn share(&self, holds: impl Fn(Vec3) -> bool) -> f32 {
        let count = self.points.iter().filter(|p| holds(**p)).count();
        count as f32 / self.points.len().max(1) as f32
    }
}

/// The objects that are there at the start, with their addresses.
fn colliders<'a>(scene: &Scene, addresses: &'a Addresses) -> Vec<(&'a str, Collider)> {
    let objects = scene.object.iter().zip(&addresses.object).take(MOST_OBJECTS).filter(|(o, _)| o.enabled);
    let collider = |object: &Object| Collider::of(&object.shape, object.placement(), scene);
    objects.map(|(object, address)| (address.as_str(), collider(object))).collect()
}

/// Whether two boxes have a point in common, given their corners.
fn meet((a, b): (Vec3, Vec3), (c, d): (Vec3, Vec3)) -> bool {
    a.cmple(d).all() && c.cmple(b).all()
}

/// A number of which no more than so much may be written, to three digits, as people write it.
fn digits(most: f32) -> String {
    let unit = libm::exp10f(libm::log10f(most.abs().max(f32::MIN_POSITIVE)).floor() - 2.0);
    // By way of its text: 0.3 is not 3 times 0.1.
    let down = format!("{:.2e}", (most / unit).floor() * unit);
    down.parse::<f32>().unwrap_or(most).to_string()
}

/// A share in per cent, as people read it.
fn percent(share: f32) -> String {
    if share < 0.1 { format!("{:.1} %", 100.0 * share) } else { format!("{:.0} %", 100.0 * share) }
}
