//! Drops that are let go at random places of a shape: rain from a cloud, sweat from a skin.
//!
//! Which drop goes where and when is decided by hashes of the scene's seed and the drop's number: the same for any steps and threads, and
//! after any resume.

use super::{Liquid, sources};
use crate::chance::{self, Chance, Places};
use crate::objects::Sdf;
use crate::power::Power;
use crate::scene::{Arrangement, Drops, Fill, Shape};
use crate::step::Step;
use glam::Vec3;

/// Places that are tried for a drop before it is left out.
const PLACES: u32 = 16;
/// Free room around a drop, in spacings.
const ROOM: f32 = 0.8;

impl Liquid {
    /// Adds the drops that are let go during the step. `number` is that of the liquid. Returns the energy that they bring [J].
    pub fn drip(&mut self, number: usize, step: &Step) -> f64 {
        let (mass, before_all) = (self.particle_mass(step.planar), self.emitted);
        let (from, to, seed) = (step.time, step.end(), step.scene.seed);
        // Out of the way while drops are added.
        let all = std::mem::take(&mut self.description.drops);
        for (n, drops) in all.iter().enumerate() {
            let open = from.max(drops.start as f64);
            let close = drops.stop.map_or(to, |s| to.min(s as f64));
            let before = self.let_go[n];
            let after = before + drops.rate as f64 * (close - open).max(0.0);
            self.let_go[n] = after;
            let words = [seed, number as u32, n as u32];
            for k in chance::due(before, after, words) {
                self.let_one_go(drops, step, Chance::new([words[0], words[1], words[2], k]));
            }
        }
        let fastest = all.iter().map(|d| d.fastest() as f64).fold(0.0, f64::max);
        self.description.drops = all;
        0.5 * mass * (self.emitted - before_all) as f64 * fastest * fastest
    }

    fn let_one_go(&mut self, drops: &Drops, step: &Step, mut chance: Chance) {
        let (sdf, spacing) =
            (Sdf::new(&drops.shape, &step.scene.meshes, step.planar).room(), self.description.spacing);
        let radius = drops.radius.unwrap_or(0.0).max(0.5 * spacing);
        let (placement, from, planar) = (drops.placement(), drops.from, step.planar);
        let places = Places { sdf: &sdf, placement, from, planar };
        for _ in 0..PLACES {
            let Some((at, normal)) = places.one(radius, &mut chance) else { continue };
            if !self.has_room(at, radius, spacing, step) {
                continue;
            }
            let random = drops.scatter * chance.in_ball(step.planar);
            let velocity = Vec3::from(drops.velocity) + drops.outward * normal + random;
            for p in ball(drops.radius.unwrap_or(0.0), spacing, step.planar) {
                // The step itself carries it on by dt·velocity: it starts as far behind.
                self.add(at + p - step.dt * velocity, velocity, step.time as f32);
            }
            return;
        }
    }

    /// Whether a drop can be where neither liquid nor an object is.
    fn has_room(&self, at: Vec3, radius: f32, spacing: f32, step: &Step) -> bool {
        let near = (radius + ROOM * spacing).power(2);
        step.colliders.iter().all(|collider| collider.distance(at) >= radius)
            && self.particles.position.iter().all(|p| p.distance_squared(at) >= near)
    }
}

/// The particles of a drop about its centre; of one smaller than a particle, that.
fn ball(radius: f32, spacing: f32, planar: bool) -> Vec<Vec3> {
    let (at, rotate, velocity) = ([0.0; 3], [0.0; 3], [0.0; 3]);
    let shape = Shape::Sphere { radius };
    let sdf = Sdf::new(&shape, &Default::default(), planar);
    if radius < 0.5 * spacing || sources::count(&sdf, spacing, planar) < 1.5 {
        return vec![Vec3::ZERO];
    }
    let fill = Fill { shape, at, rotate, velocity, arrangement: Arrangement::Lattice };
    sources::fill(&fill, &sdf, spacing, planar, 0)
}
