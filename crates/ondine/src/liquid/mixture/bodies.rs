//! What the liquids of a mixture and the free objects in them do to each other.

use super::{Mixture, Part};
use crate::contact::impulse::Impulse;
use crate::liquid::lubrication::{self, Gap, Head, Lubrication};
use crate::liquid::pressure::WallPush;
use crate::objects::Collider;
use crate::step::Step;
use glam::{DVec3, Vec3};

/// Liquid that leans on a body, over its mass, from which on the liquid under it does no more than lift it.
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

/// Samples of so many shapes are kept.
const MOST_KEPT: usize = 4096;

/// What tells the shape of a free collider: its number among objects, or a ball's radius.
fn shape_of(collider: &Collider) -> (Option<u32>, u32) {
    let radius = || collider.sdf().bounds().map_or(0.0, |(_, high)| high.x);
    (collider.object, if collider.object.is_none() { radius().to_bits() } else { 0 })
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
                    if let Some(free) = step.colliders[mirror.collider()].free.filter(|_| near > 0.0) {
                        self.leaners[free as usize].push(Leaner { part: number, i, near });
                    }
                }
            }
            first += part.len();
        }
    }

    /// What free objects get for pushing particles.
    pub(super) fn collect(&self, walls: &[Vec<WallPush>], parts: &[Part], step: &Step) -> Vec<Impulse> {
        let mut impulses = vec![Impulse::default(); step.free];
        for wall in walls.iter().flatten() {
            self.give(&mut impulses, wall.slot, wall.collider, step.dt * wall.push, parts, step);
        }
        impulses
    }

    /// Adds what the liquid does to free objects where they all but touch other colliders (`lubrication.rs`).
    pub(super) fn lift(&mut self, impulses: &mut [Impulse], parts: &[Part], step: &Step) {
        let spacing = parts.iter().map(|p| p.spacing).fold(0.0, f32::max);
        if self.lubrications.len() > MOST_KEPT {
            self.lubrications.clear();
        }
        let crowds = self.crowds(parts, step);
        self.held.clear();
        self.held.resize(step.free, DVec3::ZERO);
        for (number, collider) in step.colliders.iter().enumerate() {
            let Some(free) = collider.free else { continue };
            let sampled = || Lubrication::new(collider.sdf().with_skin(), spacing, step.planar);
            let lubrication = self.lubrications.entry(shape_of(collider)).or_insert_with(sampled);
            let light = lubrication.is_small(spacing) || crowds[free as usize].0 > LIGHT * collider.mass;
            let gaps = lubrication.gaps(number, step.colliders, spacing);
            let given = impulses[free as usize].linear;
            if !light {
                self.held[free as usize] = lubrication::held(&gaps, given, spacing);
            }
            if gaps.is_empty() {
                continue;
            }
            let Some(head) = self.head(free as usize, &gaps, parts, step) else { continue };
            let share = match self.lubrications.get(&shape_of(collider)) {
                Some(lubrication) if light => lubrication.buoyant(&gaps, head, step.dt, given),
                _ => 1.0,
            };
            lubrication::press(&gaps, number, head, share as f32 * step.dt, step.colliders, impulses);
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
                sum += (near * (parts[part].pressure(i) - heavy * depth)) as f64;
                (weight, count) = (weight + near * heavy, count + near);
            }
        }
        (count > 0.0).then(|| Head { level: sum / count as f64, weight: weight / count * down })
    }

    /// Gives a collider, if it is free, the opposite of the impulse that it gave a particle, over the particle's volume.
    pub(super) fn give(
        &self,
        to: &mut [Impulse],
        slot: u32,
        collider: u32,
        impulse: Vec3,
        parts: &[Part],
        step: &Step,
    ) {
        let collider = &step.colliders[collider as usize];
        let Some(free) = collider.free else { return };
        let [x, y, z, _] = self.at[slot as usize];
        let part = &parts[self.kinds.kind(slot as usize)];
        let impulse = -(part.material.volume as f64) * impulse.as_dvec3();
        to[free as usize] += Impulse::at(impulse, (Vec3::new(x, y, z) - collider.centre).as_dvec3());
    }
}
