//! Drops that are let go at random places of a shape: rain from a cloud, sweat from a skin.
//!
//! Which drop goes where and when is decided by hashes of the scene's seed and the drop's number: the same for any steps and threads, and
//! after any resume.

use super::{Liquid, sources};
use crate::hash;
use crate::objects::Form;
use crate::scene::{Arrangement, Drops, DropsFrom, Fill, Shape};
use crate::step::Step;
use glam::Vec3;

/// Places that are tried for a drop before it is left out.
const PLACES: u32 = 16;
/// Points that are tried for a place in a shape, or on it.
const POINTS: u32 = 400;
/// How near to a surface a point must be to be moved onto it, over the size of the shape.
const SKIN: f32 = 0.03;
/// Free room around a drop, in spacings.
const ROOM: f32 = 0.8;

/// What chance decides for a drop.
#[derive(Clone, Copy)]
struct Chance {
    words: [u32; 4],
    next: u32,
}

impl Chance {
    /// Between 0 and 1.
    fn next(&mut self) -> f32 {
        self.next += 1;
        let [a, b, c, d] = self.words;
        hash::chance([a, b, c, d, self.next])
    }

    /// A point of a box.
    fn within(&mut self, low: Vec3, high: Vec3) -> Vec3 {
        low + (high - low) * Vec3::new(self.next(), self.next(), self.next())
    }

    /// A point of a ball of radius 1.
    fn in_ball(&mut self, planar: bool) -> Vec3 {
        let all = (0..POINTS).map(|_| self.within(Vec3::NEG_ONE, Vec3::ONE));
        let flat = all.map(|p| if planar { p.with_z(0.0) } else { p });
        flat.take(POINTS as usize).find(|p| p.length_squared() <= 1.0).unwrap_or_default()
    }
}

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
            // Drop number k goes at some instant between k and k + 1.
            let due = |k: &u64| {
                let at = *k as f64 + hash::chance([seed, number as u32, n as u32, *k as u32, 0]) as f64;
                at >= before && at < after
            };
            for k in (before as u64..=after as u64).filter(due) {
                let words = [seed, number as u32, n as u32, k as u32];
                self.let_one_go(drops, step, Chance { words, next: 0 });
            }
        }
        let fastest = all.iter().map(|d| d.fastest() as f64).fold(0.0, f64::max);
        self.description.drops = all;
        0.5 * mass * (self.emitted - before_all) as f64 * fastest * fastest
    }

    fn let_one_go(&mut self, drops: &Drops, step: &Step, mut chance: Chance) {
        let (form, spacing) =
            (Form::new(&drops.shape, &step.scene.meshes, step.planar).room(), self.description.spacing);
        let radius = drops.radius.unwrap_or(0.0).max(0.5 * spacing);
        for _ in 0..PLACES {
            let Some((at, normal)) = place(drops, &form, radius, step.planar, &mut chance) else {
                continue;
            };
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
        let near = (radius + ROOM * spacing).powi(2);
        step.solids.iter().all(|solid| solid.distance(at) >= radius)
            && self.particles.position.iter().all(|p| p.distance_squared(at) >= near)
    }
}

/// A place for the centre of a drop, and the outward normal there if it is on a surface.
fn place(drops: &Drops, form: &Form, radius: f32, planar: bool, chance: &mut Chance) -> Option<(Vec3, Vec3)> {
    let (low, high) = form.bounds()?;
    let placement = drops.placement();
    let skin = SKIN * (high - low).max_element();
    let on_plane = |p: Vec3| if planar { placement.to_local(placement.to_world(p).with_z(0.0)) } else { p };
    for _ in 0..POINTS {
        match drops.from {
            DropsFrom::Volume => {
                let p = on_plane(chance.within(low, high));
                if form.distance(p) <= 0.0 {
                    return Some((placement.to_world(p), Vec3::ZERO));
                }
            }
            DropsFrom::Surface => {
                let p = on_plane(chance.within(low - skin, high + skin));
                let near = form.nearest(p);
                if near.distance.abs() <= skin {
                    let normal = placement.to_world_direction(near.normal);
                    let on = placement.to_world(p - near.distance * near.normal);
                    return Some((on + 1.1 * radius * normal, normal));
                }
            }
        }
    }
    None
}

/// The particles of a drop about its centre; of one smaller than a particle, that.
fn ball(radius: f32, spacing: f32, planar: bool) -> Vec<Vec3> {
    let (at, rotate, velocity) = ([0.0; 3], [0.0; 3], [0.0; 3]);
    let shape = Shape::Sphere { radius };
    let form = Form::new(&shape, &Default::default(), planar);
    if radius < 0.5 * spacing || sources::count(&form, spacing, planar) < 1.5 {
        return vec![Vec3::ZERO];
    }
    let fill = Fill { shape, at, rotate, velocity, arrangement: Arrangement::Lattice };
    sources::fill(&fill, &form, spacing, planar, 0)
}
