//! What the liquids of a mixture and the free objects in them do to each other.

use super::{Mixture, Part};
use crate::contact::pushes::Push;
use crate::liquid::film::{self, Film, Gap, Head};
use crate::liquid::pressure::WallPush;
use crate::step::Step;
use glam::{DVec3, Vec3};

/// Liquid that leans on a body, over its mass, from which on the film under it does no more than lift it.
const LIGHT: f64 = 18.0;

/// A particle that leans on a free object.
#[derive(Clone, Copy, Debug)]
pub struct Leaner {
    /// Its liquid.
    part: usize,
    /// Its number in that.
    i: usize,
    /// How much it leans, from 0 to 1.
    near: f32,
}

impl Mixture {
    /// Mass [kg] and momentum [kg·m/s] of the liquid that leans on each free object.
    pub(super) fn crowds(&self, parts: &[Part], step: &Step) -> Vec<(f64, DVec3)> {
        let heavy = |(mass, momentum): (f64, DVec3), leaner: &Leaner| {
            let Part { material, liquid, .. } = &parts[leaner.part];
            let own = (material.volume * material.density * leaner.near) as f64;
            (mass + own, momentum + own * liquid.particles.velocity.get(leaner.i).as_dvec3())
        };
        (0..step.free).map(|free| self.leaners[free].iter().fold(Default::default(), heavy)).collect()
    }

    /// Liquid that leans on free objects changes its velocity with them, by so much each.
    pub fn carry(&self, parts: &mut [Part], changes: &[DVec3]) {
        for (leaners, change) in self.leaners.iter().zip(changes).filter(|(_, c)| **c != DVec3::ZERO) {
            for leaner in leaners {
                let velocity = &mut parts[leaner.part].liquid.particles.velocity;
                velocity.set(leaner.i, velocity.get(leaner.i) + leaner.near * change.as_vec3());
            }
        }
    }

    /// Finds the particles that lean on each free object.
    pub(super) fn find_leaners(&mut self, parts: &[Part], step: &Step) {
        self.leaners.resize(step.free, Vec::new());
        self.leaners.iter_mut().for_each(Vec::clear);
        if step.free == 0 {
            return;
        }
        let mut first = 0;
        for (number, part) in parts.iter().enumerate() {
            for (i, &slot) in self.clusters.slot_of()[first..first + part.len()].iter().enumerate() {
                for mirror in self.seen.of(slot as usize).iter().filter(|m| m.is_free) {
                    let near = 1.0 - 2.0 * mirror.distance / part.material.h;
                    if let Some(free) = step.solids[mirror.solid()].free.filter(|_| near > 0.0) {
                        self.leaners[free as usize].push(Leaner { part: number, i, near });
                    }
                }
            }
            first += part.len();
        }
    }

    /// What free objects get for pushing particles.
    pub(super) fn collect(&self, walls: &[Vec<WallPush>], parts: &[Part], step: &Step) -> Vec<Push> {
        let mut pushes = vec![Push::default(); step.free];
        for wall in walls.iter().flatten() {
            self.give(&mut pushes, wall.slot, wall.solid, step.dt * wall.push, parts, step);
        }
        pushes
    }

    /// Adds what the liquid does to free objects where they all but touch other solids (`film.rs`).
    pub(super) fn lift(&mut self, pushes: &mut [Push], parts: &[Part], step: &Step) {
        let spacing = parts.iter().map(|p| p.spacing).fold(0.0, f32::max);
        self.films.resize(step.free, None);
        let crowds = self.crowds(parts, step);
        self.held.clear();
        self.held.resize(step.free, DVec3::ZERO);
        for (number, solid) in step.solids.iter().enumerate() {
            let Some(free) = solid.free else { continue };
            let film = self.films[free as usize]
                .get_or_insert_with(|| Film::new(solid.form(), spacing, step.planar));
            let light = film.is_small(spacing) || crowds[free as usize].0 > LIGHT * solid.mass;
            let gaps = film.gaps(number, step.solids, spacing);
            let given = pushes[free as usize].impulse;
            if !light {
                self.held[free as usize] = film::held(&gaps, given, spacing);
            }
            if gaps.is_empty() {
                continue;
            }
            let Some(head) = self.head(free as usize, &gaps, parts, step) else { continue };
            let share = match &self.films[free as usize] {
                Some(film) if light => film.buoyant(&gaps, head, step.dt, given),
                _ => 1.0,
            };
            film::press(&gaps, number, head, share as f32 * step.dt, step.solids, pushes);
        }
    }

    /// The pressure of the liquid that leans on a free object, as high as its gaps are on the average.
    fn head(&self, free: usize, gaps: &[Gap], parts: &[Part], step: &Step) -> Option<Head> {
        let down = step.gravity.normalize_or_zero();
        let deep = gaps.iter().map(|gap| gap.at.dot(down)).sum::<f32>() / gaps.len() as f32;
        let (mut sum, mut weight, mut count) = (0.0, 0.0, 0.0);
        for &Leaner { part, i, near } in &self.leaners[free] {
            let (material, p) = (&parts[part].material, &parts[part].liquid.particles);
            let depth = p.position.get(i).dot(down);
            if (depth - deep).abs() < material.h {
                let heavy = material.density * step.gravity.length();
                sum += (near * (material.bulk * material.strain(p.density[i]) - heavy * depth)) as f64;
                (weight, count) = (weight + near * heavy, count + near);
            }
        }
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
        step: &Step,
    ) {
        let solid = &step.solids[solid as usize];
        let Some(free) = solid.free else { return };
        let [x, y, z, _] = self.at[slot as usize];
        let part = &parts[self.kinds.kind(slot as usize)];
        let impulse = -(part.material.volume as f64) * impulse.as_dvec3();
        to[free as usize] += Push::at(impulse, (Vec3::new(x, y, z) - solid.centre).as_dvec3());
    }
}
