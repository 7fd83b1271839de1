//! What the liquids of a mixture and the free objects in them do to each other.

use super::{Mixture, Part};
use crate::contact::pushes::Push;
use crate::liquid::Surroundings;
use crate::liquid::film::{self, Film, Gap, Head};
use crate::liquid::pressure::WallPush;
use glam::{DVec3, Vec3};

impl Mixture {
    /// Mass of the liquid that leans on each free object [kg].
    pub(super) fn crowds(&self, parts: &[Part], around: &Surroundings) -> Vec<f64> {
        let mut crowds = vec![0.0; around.free];
        self.leaning(parts, around, |part, _, free, near| {
            let material = &parts[part].material;
            crowds[free] += (material.volume * material.density * near) as f64;
        });
        crowds
    }

    /// Liquid that leans on free objects changes its velocity with them, by so much each.
    pub fn carry(&self, parts: &mut [Part], around: &Surroundings, changes: &[DVec3]) {
        if changes.iter().all(|change| *change == DVec3::ZERO) {
            return;
        }
        let mut carried = Vec::new();
        self.leaning(parts, around, |part, i, free, near| {
            carried.push((part, i, near * changes[free].as_vec3()));
        });
        for (part, i, change) in carried {
            let velocity = &mut parts[part].liquid.particles.velocity;
            velocity.set(i, velocity.get(i) + change);
        }
    }

    /// Goes through the particles that lean on free objects, with their liquid, their number, the object's, and how much they do,
    /// from 0 to 1.
    fn leaning(&self, parts: &[Part], around: &Surroundings, mut each: impl FnMut(usize, usize, usize, f32)) {
        if around.free == 0 || !self.is_listed {
            return;
        }
        let mut first = 0;
        for (number, part) in parts.iter().enumerate() {
            for (i, &slot) in self.clusters.slot_of()[first..first + part.len()].iter().enumerate() {
                for mirror in self.seen.of(slot as usize).iter().filter(|m| m.is_free) {
                    let near = 1.0 - 2.0 * mirror.distance / part.material.h;
                    if let Some(free) = around.solids[mirror.solid()].free.filter(|_| near > 0.0) {
                        each(number, i, free as usize, near);
                    }
                }
            }
            first += part.len();
        }
    }

    /// What free objects get for pushing particles.
    pub(super) fn collect(
        &self,
        walls: &[Vec<WallPush>],
        parts: &[Part],
        around: &Surroundings,
    ) -> Vec<Push> {
        let mut pushes = vec![Push::default(); around.free];
        for wall in walls.iter().flatten() {
            self.give(&mut pushes, wall.slot, wall.solid, around.dt * wall.push, parts, around);
        }
        pushes
    }

    /// Adds what the liquid does to free objects where they all but touch other solids (`film.rs`).
    pub(super) fn lift(&mut self, pushes: &mut [Push], parts: &[Part], around: &Surroundings) {
        let spacing = parts.iter().map(|p| p.spacing).fold(0.0, f32::max);
        self.films.resize(around.free, None);
        self.held.clear();
        self.held.resize(around.free, false);
        for (number, solid) in around.solids.iter().enumerate() {
            let Some(free) = solid.free else { continue };
            let film = self.films[free as usize]
                .get_or_insert_with(|| Film::new(solid.form(), spacing, around.planar));
            let gaps = film.gaps(number, around.solids, spacing);
            self.held[free as usize] = film::is_held(&gaps, pushes[free as usize].impulse);
            if !gaps.is_empty()
                && let Some(head) = self.head(free as usize, &gaps, parts, around)
            {
                film::press(&gaps, number, head, around.dt, around.solids, pushes);
            }
        }
    }

    /// The pressure of the liquid that leans on a free object, as high as its gaps are on the average.
    fn head(&self, free: usize, gaps: &[Gap], parts: &[Part], around: &Surroundings) -> Option<Head> {
        let down = around.gravity.normalize_or_zero();
        let deep = gaps.iter().map(|gap| gap.at.dot(down)).sum::<f32>() / gaps.len() as f32;
        let (mut sum, mut weight, mut count) = (0.0, 0.0, 0.0);
        self.leaning(parts, around, |part, i, on, near| {
            let (material, p) = (&parts[part].material, &parts[part].liquid.particles);
            let depth = p.position.get(i).dot(down);
            if on == free && (depth - deep).abs() < material.h {
                let heavy = material.density * around.gravity.length();
                sum += (near * (material.bulk * material.strain(p.density[i]) - heavy * depth)) as f64;
                (weight, count) = (weight + near * heavy, count + near);
            }
        });
        (count > 0.0).then(|| Head { level: sum / count as f64, weight: weight / count * down })
    }

    /// Gives a solid, if it is free, the opposite of the impulse that it gave a particle, over the particle's volume.
    pub(super) fn give(
        &self,
        to: &mut [Push],
        slot: u32,
        solid: u32,
        impulse: Vec3,
        parts: &[Part],
        around: &Surroundings,
    ) {
        let solid = &around.solids[solid as usize];
        let Some(free) = solid.free else { return };
        let [x, y, z, _] = self.at[slot as usize];
        let part = &parts[self.kinds.kind(slot as usize)];
        let impulse = -(part.material.volume as f64) * impulse.as_dvec3();
        to[free as usize] += Push::at(impulse, (Vec3::new(x, y, z) - solid.centre).as_dvec3());
    }
}
