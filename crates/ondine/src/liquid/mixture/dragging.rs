//! Viscosity of a mixture: its velocities laid out by slot, and the walls that grip.

use super::{Mixture, Part};
use crate::clusters::EIGHT;
use crate::contact::impulse::Impulse;
use crate::liquid::material::Material;
use crate::liquid::pressure::Field;
use crate::liquid::viscosity::{EXPLICIT, Grip, Pairs, Viscosity, WallDrag};
use crate::parallel::{self, Shared};
use crate::particles::Axes;
use crate::step::{Phase, Step};
use glam::Vec3;

impl Mixture {
    /// Changes velocities by viscosity for a time `dt` [s], if there is any. Returns what free objects get for gripping.
    pub(super) fn drag(&mut self, parts: &mut [Part], dt: f32, step: &Step) -> Vec<Impulse> {
        if dt == 0.0 {
            return Vec::new();
        }
        (step.watch)(Phase::Viscosity);
        self.lay_out_velocities(parts, dt);
        self.find_grips(parts, dt, step);
        let thickest = parts.iter().map(|p| p.material.sigma).fold(0.0, f32::max);
        let lightest = parts.iter().map(|p| p.material.density).fold(f32::INFINITY, f32::min);
        let beta = parts.iter().map(|p| p.material.beta).fold(0.0, f32::max);
        let gentle = parts.iter().map(|p| p.material.gentle).fold(f32::INFINITY, f32::min);
        let is_thick = thickest * dt > EXPLICIT;
        let h = parts.iter().map(|p| p.material.h).fold(0.0, f32::max);
        let field = Field { at: &self.at, is_tense: false, kinds: &self.kinds };
        let pairs = Pairs {
            clusters: &self.clusters,
            near: &self.near,
            field: &field,
            // What is solved for must be linear.
            beta: if is_thick { 0.0 } else { lightest * beta * dt / (h * h) },
            gentle,
            most: (EXPLICIT - thickest * dt).max(0.0) * lightest / (h * h),
        };
        let taken = self.viscosity.apply(&pairs, is_thick);
        self.take_back(parts, taken, step)
    }

    /// Changes velocities by walls that grip alone, for a time `dt` [s]. Returns what free objects get for it.
    pub(super) fn grip(&mut self, parts: &mut [Part], dt: f32, step: &Step) -> Vec<Impulse> {
        self.find_grips(parts, dt, step);
        if self.viscosity.grips.is_empty() {
            return vec![Impulse::default(); step.free];
        }
        self.lay_out_velocities(parts, dt);
        let taken = self.viscosity.hold();
        self.take_back(parts, taken, step)
    }

    /// Gives particles the velocities that were found. Returns what free objects get of what grips took.
    fn take_back(&mut self, parts: &mut [Part], taken: Vec<Vec3>, step: &Step) -> Vec<Impulse> {
        let mut first = 0;
        for part in parts.iter_mut() {
            let p = &mut part.liquid.particles;
            let (slots, rows) = (&self.clusters.slot_of()[first..first + p.len()], &self.viscosity.rows);
            let Axes { x, y, z } = &mut p.velocity;
            parallel::three([x, y, z], |first, [x, y, z]| {
                for (k, &slot) in slots[first..first + x.len()].iter().enumerate() {
                    [x[k], y[k], z[k], _] = rows[slot as usize];
                }
            });
            first += p.len();
        }
        let mut impulses = vec![Impulse::default(); step.free];
        for (grip, taken) in self.viscosity.grips.iter().zip(taken) {
            self.give(&mut impulses, grip.slot, grip.collider, -taken, parts, step);
        }
        impulses
    }

    fn lay_out_velocities(&mut self, parts: &[Part], dt: f32) {
        let Self { viscosity: Viscosity { rows, density, volume, .. }, clusters, .. } = self;
        let slot_of = clusters.slot_of();
        rows.resize(slot_of.len() + EIGHT, [0.0; 4]);
        rows[slot_of.len()..].fill([0.0; 4]);
        density.resize(slot_of.len(), 0.0);
        volume.resize(slot_of.len(), 0.0);
        let (rows, density, volume) = (Shared::new(rows), Shared::new(density), Shared::new(volume));
        let mut first = 0;
        for part in parts {
            let p = &part.liquid.particles;
            let (slots, v) = (&slot_of[first..first + part.len()], &p.velocity);
            let Material { density: rho, sigma, h, .. } = part.material;
            let eta = rho * sigma * dt / (h * h);
            let size = part.material.volume / parts[0].material.volume;
            parallel::gather(part.len(), |range| {
                for i in range {
                    let slot = slots[i] as usize;
                    // SAFETY: every particle has one slot.
                    let (row, density, volume) =
                        unsafe { (rows.slice(slot, 1), density.slice(slot, 1), volume.slice(slot, 1)) };
                    row[0] = [v.x[i], v.y[i], v.z[i], eta * part.material.thinned(p.density[i])];
                    (density[0], volume[0]) = (rho, size);
                }
            });
            first += part.len();
        }
    }

    fn find_grips(&mut self, parts: &[Part], dt: f32, step: &Step) {
        self.viscosity.grips.clear();
        if step.colliders.iter().all(|s| s.friction == 0.0) {
            return;
        }
        for slot in 0..self.ahead.len() {
            for mirror in self.seen.of(slot) {
                let collider = &step.colliders[mirror.collider()];
                if collider.friction > 0.0 {
                    let [x, y, z, _] = self.at[slot];
                    let surface = Vec3::new(x, y, z) - mirror.distance * mirror.normal;
                    let wall = collider.velocity_at(surface, step.gravity, step.dt);
                    let part = &parts[self.kinds.kind(slot)];
                    let (rho, h) = (part.material.density, part.material.h);
                    let thinned = part.material.thinned(self.sums[slot][3]);
                    let eta = rho * part.material.own_sigma * dt * thinned;
                    let drag: &WallDrag = part.liquid.wall_drag();
                    let grip = Grip::new(slot, mirror, wall, eta, collider.friction, drag, h);
                    self.viscosity.grips.push(grip);
                }
            }
        }
    }
}
