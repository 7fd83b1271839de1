//! What edits do to liquids: they add where there is room, and take particles out by their ids.

use super::{Liquid, Liquids};
use crate::objects::Sdf;
use crate::step::Step;
use crate::system::{Addition, SystemKind};
use crate::world::SystemView;
use glam::Vec3;
use std::collections::BTreeMap;

/// How near an added particle may be to one that is there, in spacings: nearer, it would be thrown out.
const ROOM: f32 = 0.7;
/// The same for objects.
const WALL: f32 = 0.25;

/// Places that are taken, by cells as wide as the room that each needs.
struct Taken {
    room: f32,
    places: BTreeMap<[i32; 3], Vec<Vec3>>,
}

impl Taken {
    /// Of all places those that are near a box, given by its corners.
    fn new(places: impl Iterator<Item = Vec3>, (low, high): (Vec3, Vec3), room: f32) -> Self {
        let (low, high) = (low - 2.0 * room, high + 2.0 * room);
        let mut taken = Self { room, places: BTreeMap::new() };
        places.filter(|p| p.cmpge(low).all() && p.cmple(high).all()).for_each(|p| taken.take(p));
        taken
    }

    fn take(&mut self, p: Vec3) {
        self.places.entry(cell(p, self.room)).or_default().push(p);
    }

    /// Whether there is room at a place.
    fn has_room(&self, p: Vec3) -> bool {
        let [x, y, z] = cell(p, self.room);
        let near = |q: &Vec3| q.distance_squared(p) < self.room * self.room;
        let around = |n: i32| [n / 9 - 1, n / 3 % 3 - 1, n % 3 - 1];
        !(0..27).map(around).any(|[i, j, k]| {
            let cell = [x.saturating_add(i), y.saturating_add(j), z.saturating_add(k)];
            self.places.get(&cell).is_some_and(|places| places.iter().any(near))
        })
    }
}

/// Corners of a box around all that is added [m].
fn bounds(addition: Addition, step: &Step) -> (Vec3, Vec3) {
    match addition {
        Addition::Fill(fill) => {
            let room = Sdf::new(&fill.shape, &step.scene.meshes, step.planar).room();
            room.bounds().map(|(low, high)| fill.placement().box_around(low, high)).unwrap_or_default()
        }
        Addition::BallFill(_) => (Vec3::MAX, Vec3::MIN),
        Addition::Points { at, .. } => {
            let all = at.iter().map(|p| Vec3::from(*p));
            all.fold((Vec3::MAX, Vec3::MIN), |(low, high), p| (low.min(p), high.max(p)))
        }
    }
}

fn cell(p: Vec3, room: f32) -> [i32; 3] {
    (p / room).floor().as_ivec3().to_array()
}

impl Liquids {
    /// Adds to the liquid of this name, where neither liquid nor an object is. Returns the kinetic energy that came in [J].
    pub(super) fn put_in(&mut self, name: &str, addition: Addition, step: &Step) -> f64 {
        let Some(n) = self.all.iter().position(|l| l.description.name == name) else { return 0.0 };
        let spacing = self.all[n].description.spacing;
        let all = self.all.iter().flat_map(|liquid| liquid.particles.position.iter());
        let mut taken = Taken::new(all, bounds(addition, step), ROOM * spacing);
        let liquid = &mut self.all[n];
        let (before, time) = (liquid.emitted, step.time as f32);
        let velocity = match addition {
            Addition::Fill(fill) => {
                let seed = step.scene.seed.wrapping_add(liquid.next_id);
                liquid.pour(fill, seed, step.scene, step.colliders, time, |p| taken.has_room(p));
                fill.velocity.into()
            }
            Addition::BallFill(_) => Vec3::ZERO,
            Addition::Points { at, velocity } => {
                let is_out = |p: Vec3| step.colliders.iter().all(|c| c.distance(p) >= WALL * spacing);
                for p in at.iter().map(|p| Vec3::from(*p)) {
                    if taken.has_room(p) && is_out(p) {
                        liquid.add(p, velocity, time);
                        taken.take(p);
                    }
                }
                velocity
            }
        };
        let mass = liquid.particle_mass(step.planar);
        0.5 * mass * (liquid.emitted - before) as f64 * velocity.as_dvec3().length_squared()
    }

    /// Takes particles out of the liquid of this name, by their ids in order.
    pub(super) fn take_out(&mut self, name: &str, ids: &[u32]) {
        let Some(liquid) = self.all.iter_mut().find(|l| l.description.name == name) else { return };
        let all = liquid.particles.id.iter().enumerate();
        let stays = all.filter(|(_, id)| ids.binary_search(id).is_err()).map(|(i, _)| i as u32);
        liquid.keep(&stays.collect::<Vec<_>>());
    }
}

impl Liquids {
    /// Adds to the velocity of particles of the liquid of this name [m/s], by their ids in order. Returns the energy that came in [J].
    pub(super) fn strike(&mut self, name: &str, ids: &[u32], velocity: Vec3, planar: bool) -> f64 {
        let Some(liquid) = self.all.iter_mut().find(|l| l.description.name == name) else { return 0.0 };
        let mass = liquid.particle_mass(planar);
        let mut energy = 0.0;
        for i in
            (0..liquid.particles.id.len()).filter(|&i| ids.binary_search(&liquid.particles.id[i]).is_ok())
        {
            let before = liquid.particles.velocity.get(i);
            let after = before + velocity;
            liquid.particles.velocity.set(i, after);
            energy += 0.5 * mass * (after.as_dvec3().length_squared() - before.as_dvec3().length_squared());
        }
        energy
    }
}

impl Liquid {
    /// What can be borrowed of it.
    pub(super) fn view(&self) -> SystemView<'_> {
        SystemView {
            kind: SystemKind::Liquid,
            name: &self.description.name,
            radius: 0.5 * self.description.spacing,
            position: (&self.particles.position).into(),
            velocity: (&self.particles.velocity).into(),
            id: &self.particles.id,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_room_where_nothing_is_near() {
        let (places, all) = ([Vec3::ZERO, Vec3::new(-1.0, 0.05, 3.0)], (Vec3::NEG_ONE, Vec3::splat(9.0)));
        let taken = Taken::new(places.into_iter(), all, 0.1);
        assert!(!taken.has_room(Vec3::new(-0.05, 0.02, 0.05)));
        assert!(!taken.has_room(Vec3::new(-1.05, -0.01, 3.0)));
        assert!(taken.has_room(Vec3::new(0.11, 0.0, 0.0)) && taken.has_room(Vec3::splat(9.0)));
    }
}
