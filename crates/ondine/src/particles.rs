//! The arrays that everything made of particles keeps.

use crate::parallel;
use glam::Vec3;
use serde::{Deserialize, Serialize};

/// One vector a particle, stored as one array an axis.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Axes {
    /// First components.
    pub x: Vec<f32>,
    /// Second components.
    pub y: Vec<f32>,
    /// Third components.
    pub z: Vec<f32>,
}

impl Axes {
    /// Number of vectors.
    pub fn len(&self) -> usize {
        self.x.len()
    }
    /// One vector.
    pub fn get(&self, i: usize) -> Vec3 {
        Vec3::new(self.x[i], self.y[i], self.z[i])
    }

    /// Replaces one vector.
    pub fn set(&mut self, i: usize, v: Vec3) {
        (self.x[i], self.y[i], self.z[i]) = (v.x, v.y, v.z);
    }

    /// Adds a vector at the end.
    pub fn push(&mut self, v: Vec3) {
        self.each(|axis, c| axis.push(v[c]));
    }

    /// Does the same to each axis.
    pub fn each(&mut self, mut work: impl FnMut(&mut Vec<f32>, usize)) {
        work(&mut self.x, 0);
        work(&mut self.y, 1);
        work(&mut self.z, 2);
    }

    /// Runs `work(c, first, part)` for each part of each axis c, where `first` is the number of the part's first vector.
    pub fn parts(&mut self, work: impl Fn(usize, usize, &mut [f32]) + Sync) {
        parallel::three([&mut self.x, &mut self.y, &mut self.z], |first, parts| {
            parts.into_iter().enumerate().for_each(|(c, part)| work(c, first, part));
        });
    }

    /// The vectors in order.
    pub fn iter(&self) -> impl Iterator<Item = Vec3> + '_ {
        (0..self.len()).map(|i| self.get(i))
    }

    /// The axes by number.
    pub fn axis(&self, c: usize) -> &[f32] {
        [&self.x, &self.y, &self.z][c]
    }
}

/// Positions, velocities and names of a system's particles. All arrays have the same length.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ParticleArrays {
    /// Positions [m]; during a step, the predicted ones.
    pub position: Axes,
    /// Positions at the start of the step [m].
    pub previous: Axes,
    /// Velocities [m/s].
    pub velocity: Axes,
    /// Density sums, as last relaxed.
    pub density: Vec<f32>,
    /// Density error that a particle is used to (see `liquid/pressure.rs`).
    pub used_to: Vec<f32>,
    /// Names: a particle keeps its id for life.
    pub id: Vec<u32>,
    /// Times of birth [s].
    pub birth: Vec<f32>,
    /// Space for reordering.
    #[serde(skip)]
    spare: Vec<f32>,
    #[serde(skip)]
    spare_id: Vec<u32>,
}

impl ParticleArrays {
    /// Number of particles.
    pub fn len(&self) -> usize {
        self.id.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.id.is_empty()
    }

    /// Whether all arrays have the same length, and all numbers are finite.
    pub fn is_sound(&self) -> bool {
        let axes = [&self.position, &self.previous, &self.velocity];
        let axes = axes.into_iter().flat_map(|a| [&a.x, &a.y, &a.z]);
        let mut arrays = axes.chain([&self.density, &self.used_to, &self.birth]);
        arrays.all(|a| a.len() == self.len() && a.iter().all(|x| x.is_finite()))
    }

    /// Adds a particle.
    pub fn push(&mut self, position: Vec3, velocity: Vec3, id: u32, birth: f32) {
        self.position.push(position);
        self.previous.push(position);
        self.velocity.push(velocity);
        self.density.push(0.0);
        self.used_to.push(NEWBORN);
        self.id.push(id);
        self.birth.push(birth);
    }

    /// Puts particle `order[i]` at place i. Of what is not carried, only the length is right afterwards.
    pub fn reorder(&mut self, order: &[u32], carry: Carry) {
        let Self { position, previous, velocity, density, used_to, id, birth, spare, spare_id } = self;
        spare_id.resize(order.len(), 0);
        parallel::parts(spare_id, |first, part| gather(id, &order[first..], part));
        std::mem::swap(id, spare_id);
        let mut arrays = vec![&mut position.x, &mut position.y, &mut position.z, birth, used_to];
        for (axes, carried) in [(previous, carry != Carry::Velocity), (velocity, carry != Carry::Previous)] {
            axes.each(|axis, _| {
                if !carried {
                    axis.resize(order.len(), 0.0)
                }
            });
            if carried {
                arrays.extend([&mut axes.x, &mut axes.y, &mut axes.z]);
            }
        }
        match carry {
            Carry::All => arrays.push(density),
            _ => density.resize(order.len(), 0.0),
        }
        for array in arrays {
            spare.resize(order.len(), 0.0);
            parallel::parts(spare, |first, part| gather(array, &order[first..], part));
            std::mem::swap(array, spare);
        }
    }
}

/// [`ParticleArrays::used_to`] of a particle that has not felt any density yet: below any strain.
pub const NEWBORN: f32 = -4.0;

/// What a reordering takes along besides positions and names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carry {
    /// Everything.
    All,
    /// Velocities: at the start of a step, when the rest is still to be found.
    Velocity,
    /// Previous positions: once the velocities have been used, to be found anew at the end of the step.
    Previous,
}

fn gather<T: Copy>(from: &[T], order: &[u32], to: &mut [T]) {
    for (to, &i) in to.iter_mut().zip(order) {
        *to = from[i as usize];
    }
}

#[cfg(test)]
impl ParticleArrays {
    /// Particles at given places with given velocities, named in order.
    pub fn of(all: impl IntoIterator<Item = (Vec3, Vec3)>) -> Self {
        let mut particles = Self::default();
        for (id, (position, velocity)) in all.into_iter().enumerate() {
            particles.push(position, velocity, id as u32, 0.0);
        }
        particles
    }

    /// The vectors of `axes` (of these particles) in order of names.
    pub fn by_name(&self, axes: &Axes) -> Vec<Vec3> {
        let mut all: Vec<_> = self.id.iter().zip(axes.iter()).collect();
        all.sort_by_key(|(id, _)| **id);
        all.into_iter().map(|(_, v)| v).collect()
    }
}

/// Points strewn at random in a cube (square) of side 2 around the origin, the same each time.
#[cfg(test)]
pub fn strewn(count: usize, planar: bool, seed: u64) -> Vec<Vec3> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    };
    (0..count).map(|_| Vec3::new(next(), next(), if planar { 0.0 } else { next() })).collect()
}
