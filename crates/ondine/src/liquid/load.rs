//! What a liquid must withstand: its depth, its speed, its own cohesion.

use super::{Liquid, material};
use crate::particles::{NEWBORN, ParticleArrays};
use crate::power::Power;
use glam::Vec3;

/// One particle in so many may be squeezed more than the liquid is as a whole, where it hits something.
const FEW: usize = 500;
/// Density, over that at rest, below which a particle is alone in the air.
const ALONE: f32 = 0.5;

/// What a liquid must withstand: the engine's choice of stiffness follows from it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Load {
    /// Mean over the depth of gravity × depth, half of what it is at the bottom [m²/s²].
    pub head: f32,
    /// Gravity [m/s²].
    pub gravity: f32,
    /// Pressure of its own cohesion over its density [m²/s²].
    pub cohesion: f32,
    /// How much liquid is above and below a particle, on the average [m].
    pub depth: f32,
    /// Fastest motion [m/s].
    pub speed: f32,
    /// Fastest motion of liquid that has neighbours, but for a few particles: what is alone in the air squeezes nothing [m/s].
    pub impact: f32,
    /// Pressure of its own weight at its bottom [Pa].
    pub weight: f32,
    /// How far down its centre is, along gravity [m].
    pub centre: f32,
}

/// Adds to the load of each liquid, of these densities [kg/m³], the weight of the liquids above it.
pub fn stack(loads: &mut [Load], densities: &[f32]) {
    let alone = loads.to_vec();
    for (load, density) in loads.iter_mut().zip(densities) {
        let above = alone.iter().filter(|other| other.centre < load.centre).map(|other| other.weight);
        load.head += above.sum::<f32>() / density;
    }
}

impl Liquid {
    /// What the liquid must withstand during the next frame of `frame_dt`.
    pub fn load(&self, gravity: Vec3, frame_dt: f32) -> Load {
        let liquid = &self.description;
        let (g, down) = (gravity.length(), gravity.normalize_or(Vec3::NEG_Y));
        let at_rest = self.rest_sum();
        let (mut fastest, mut together, mut fallen) = (0f32, Vec::new(), 0.0);
        let ParticleArrays { position, velocity, density, used_to, .. } = &self.particles;
        for (i, (p, v)) in position.iter().zip(velocity.iter()).enumerate() {
            let square = v.length_squared();
            fastest = fastest.max(square);
            if density[i] >= ALONE * at_rest || used_to[i] == NEWBORN {
                together.push(square);
            }
            fallen += p.dot(down) as f64;
        }
        let few = together.len() / FEW;
        let together = match together.len() {
            0 => 0.0,
            len => *together.select_nth_unstable_by(len - 1 - few, f32::total_cmp).1,
        };
        let emitted = liquid.emitter.iter().map(|e| Vec3::from(e.velocity).length_squared());
        let dropped = liquid.drops.iter().map(|d| d.fastest().power(2));
        let emitted = emitted.chain(dropped).fold(0.0, f32::max);
        let speed = |square: f32| square.max(emitted).sqrt() + g * frame_dt;
        let depth = self.depth(down, liquid.spacing);
        Load {
            head: 0.5 * g * depth,
            cohesion: material::cohesion(liquid, &self.packing) / liquid.rest_density(),
            gravity: g,
            depth,
            speed: speed(fastest),
            impact: speed(together),
            weight: liquid.rest_density() * g * depth,
            centre: (fallen / self.particles.len().max(1) as f64) as f32,
        }
    }

    /// How much liquid is above and below a particle, on the average [m]: of a pool, its depth; of drops in the air, their
    /// size.
    fn depth(&self, down: Vec3, spacing: f32) -> f32 {
        Columns::along(down, spacing).mean(self.particles.position.iter()) * spacing
    }
}

/// Columns along gravity, one spacing wide, so that as many particles as are in one are so many spacings.
#[derive(Clone, Copy, Debug)]
pub struct Columns {
    across: [Vec3; 2],
    spacing: f32,
}

impl Columns {
    /// The columns of particles at a spacing.
    pub fn along(down: Vec3, spacing: f32) -> Self {
        Self { across: down.any_orthonormal_pair().into(), spacing }
    }

    /// How many of some points are in the column of each, on the average.
    pub fn mean(&self, points: impl Iterator<Item = Vec3>) -> f32 {
        // Off the lattices that begin at the origin or half a spacing from it: their rows must not fall between columns.
        let column = |p: Vec3| self.across.map(|axis| (p.dot(axis) / self.spacing + 0.25).round() as i32);
        let mut columns: Vec<[i32; 2]> = points.map(column).collect();
        columns.sort_unstable();
        let squares: usize = columns.chunk_by(|a, b| a == b).map(|c| c.len() * c.len()).sum();
        squares as f32 / columns.len().max(1) as f32
    }
}
