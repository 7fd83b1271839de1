//! What comes into a liquid during a step, and what leaves it.

use super::{Liquid, sources};
use crate::exits::Exits;
use crate::particles::{Carry, ParticleArrays};
use crate::step::Step;
use glam::Vec3;

impl Liquid {
    /// Adds what leaves the emitters during the step. Returns its kinetic energy [J].
    pub fn emit(&mut self, step: &Step) -> f64 {
        let (mass, mut energy) = (self.particle_mass(step.planar), 0.0);
        let (from, to, spacing) = (step.time, step.end(), self.description.spacing);
        for n in 0..self.description.emitter.len() {
            let emitter = self.description.emitter[n].clone();
            let open = from.max(emitter.start as f64);
            let close = emitter.stop.map_or(to, |s| to.min(s as f64));
            if close <= open {
                continue;
            }
            let velocity = Vec3::from(emitter.velocity);
            let distance = velocity.length() as f64 * (close - open);
            let points = sources::nozzle(&emitter, spacing, step.planar);
            let ahead = velocity.normalize_or_zero();
            // A layer has gone on since it left, if the nozzle closed before the end of the step.
            let since = velocity.length() as f64 * (to - close);
            let (is_even, before) = (self.description.thesis.is_some(), self.emitted);
            for (k, p) in points.iter().enumerate() {
                let ahead_of = if is_even { 0.0 } else { sources::stagger(k) * spacing as f64 };
                for gone in sources::layers(self.travelled[n] + ahead_of, distance, spacing as f64) {
                    // The step itself carries it on by dt·velocity: it starts as far behind.
                    let offset = (gone + since) as f32 * ahead - step.dt * velocity;
                    self.add(Vec3::from(emitter.at) + *p + offset, velocity, step.time as f32);
                }
            }
            self.travelled[n] += distance;
            energy += 0.5 * mass * (self.emitted - before) as f64 * velocity.as_dvec3().length_squared();
        }
        energy
    }

    /// Liquid that has just left a nozzle goes on as it came: what is still in there, and not simulated, pushes and holds it.
    pub fn guide(&mut self, step: &Step) {
        let liquid = &self.description;
        let reach = liquid.reach(step.planar);
        for emitter in &liquid.emitter {
            let velocity = Vec3::from(emitter.velocity);
            let (speed, ahead) = (velocity.length(), velocity.normalize_or_zero());
            if speed == 0.0 {
                continue;
            }
            let (oldest, at) = (step.time as f32 - reach / speed, Vec3::from(emitter.at));
            let wide = sources::radius(emitter) + liquid.spacing;
            let ParticleArrays { position, velocity: velocities, birth, .. } = &mut self.particles;
            for i in (0..birth.len()).filter(|&i| birth[i] > oldest) {
                let away = position.get(i) - at;
                let along = away.dot(ahead);
                if along < reach && (away - along * ahead).length_squared() < wide * wide {
                    velocities.set(i, velocity);
                }
            }
        }
    }

    /// Removes what drains, the kill box and age take.
    pub fn drain(&mut self, step: &Step) {
        let Some(exits) = Exits::open(step, self.description.lifetime) else { return };
        let stays =
            |i: usize, particles: &ParticleArrays| !exits.take(particles.position.get(i), particles.birth[i]);
        let keep: Vec<u32> =
            (0..self.particles.len()).filter(|&i| stays(i, &self.particles)).map(|i| i as u32).collect();
        self.keep(&keep);
    }

    /// Keeps only these particles, by their places.
    pub(super) fn keep(&mut self, keep: &[u32]) {
        let before = self.particles.len();
        if keep.len() < before {
            self.springs.reorder(keep, before);
            self.particles.reorder(keep, Carry::All);
            self.removed += (before - keep.len()) as u64;
        }
    }
}
