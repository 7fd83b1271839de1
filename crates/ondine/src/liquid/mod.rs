//! Viscoelastic liquid (thesis 000): the state of one liquid and its step.

pub mod coefficients;
pub mod density;
mod drops;
mod edits;
mod exchange;
pub mod images;
pub mod impulses;
pub mod kernel;
mod liquids;
pub mod load;
pub mod lubrication;
pub mod material;
pub mod mirrors;
pub mod mixture;
pub mod pairing;
pub mod parting;
pub mod plan;
pub mod pressure;
pub mod sources;
pub mod sph;
pub mod springs;
pub mod tension;
#[cfg(test)]
mod tests;
pub mod viscosity;
mod watch;

use crate::frame::{self, SystemLedger};
use crate::health::Kinetics;
use crate::neighbours::Grid;
use crate::objects::{Collider, Sdf};
use crate::parallel;
use crate::particles::{Carry, ParticleArrays};
use crate::scene::{self, LiquidModel, Scene};
use crate::step::{Phase, Step};
use crate::system::SystemKind;
pub use liquids::Liquids;

use coefficients::Coefficients;
use glam::{DVec3, Vec3};
use material::Packing;
use serde::{Deserialize, Serialize};
use springs::{Pulling, Springs, Unbonded};
use std::sync::Arc;
use viscosity::WallDrag;

/// The state of one liquid.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Liquid {
    /// What the scene says of it, with the values that it has by now.
    pub description: scene::Liquid,
    /// Its particles.
    pub particles: ParticleArrays,
    /// Its springs.
    pub springs: Springs,
    /// How far each emitter's stream has come out [m].
    travelled: Vec<f64>,
    /// Drops that each source of them has let go, those that had no room included.
    let_go: Vec<f64>,
    next_id: u32,
    /// Particles added since the start.
    emitted: u64,
    /// Particles removed since the start.
    removed: u64,
    /// Where springs were on in the last step, the first id that had not been born.
    bonded_before: Option<u32>,
    #[serde(skip)]
    grid: Grid,
    /// Sums of the packing at rest.
    packing: Packing,
    /// How walls drag on it.
    wall_drag: WallDrag,
    /// Share of its volume by which it is wider where nothing presses on it, so that it has the right volume as a whole.
    swell: f32,
    /// Whether it has been squeezed before.
    has_begun: bool,
}

/// Room that a liquid takes, over what its weight squeezes it by on the average.
const SWELLING: f32 = 7.0 / 6.0;
/// Most that a liquid swells: what is squeezed more than this is squeezed.
const MOST_SWELL: f32 = 0.1;
/// Time in which a liquid takes the room that it needs [s].
const SWELLING_TIME: f32 = 0.5;
/// Farthest from the origin that a particle may be, in spacings.
const FARTHEST: f32 = 1e7;

impl Liquid {
    /// A liquid with its fills in place, around the objects that are there.
    pub fn new(liquid: &scene::Liquid, scene: &Scene, colliders: &[Collider]) -> Self {
        let packing = Packing::of(liquid.support_in(scene.planar()), scene.planar());
        let mut this = Self {
            description: liquid.clone(),
            particles: ParticleArrays::default(),
            springs: Springs::default(),
            travelled: vec![0.0; liquid.emitter.len()],
            let_go: vec![0.0; liquid.drops.len()],
            next_id: 0,
            emitted: 0,
            removed: 0,
            bonded_before: None,
            grid: Grid::default(),
            packing,
            swell: 0.0,
            has_begun: false,
            wall_drag: WallDrag::new(packing.shear, scene.planar()),
        };
        for (i, fill) in liquid.fill.iter().enumerate() {
            this.pour(fill, scene.seed.wrapping_add(i as u32), scene, colliders, 0.0, |_| true);
        }
        this
    }

    /// Fills a shape around colliders, wherever there is room, at a time [s].
    fn pour(
        &mut self,
        fill: &scene::Fill,
        seed: u32,
        scene: &Scene,
        colliders: &[Collider],
        time: f32,
        has_room: impl Fn(Vec3) -> bool,
    ) {
        let (spacing, uneven) = (self.description.spacing, self.description.thesis.is_none());
        let room = Sdf::new(&fill.shape, &scene.meshes, scene.planar()).room();
        let points = sources::fill(fill, &room, spacing, scene.planar(), seed);
        let filled = Collider::new(Arc::new(room), fill.placement());
        let cut = |p: &Vec3| colliders.iter().any(|s| sources::is_cut(*p, &filled, s, spacing));
        for p in points.into_iter().filter(|p| !cut(p) && has_room(*p)) {
            let reach = sources::UNEVEN * if uneven { spacing } else { 0.0 };
            let stirred = sources::stir(p, reach, self.next_id, scene.planar());
            // In its mould, beside the wall.
            let is_in = colliders.iter().any(|s| s.distance(stirred) < 0.0);
            self.add(if is_in { p } else { stirred }, fill.velocity.into(), time);
        }
    }

    /// What is wrong with the state of a liquid that was read.
    pub fn unfit(&self, scene: &Scene) -> Option<&'static str> {
        let liquid = &self.description;
        let packing = Packing::of(liquid.support_in(scene.planar()), scene.planar());
        let made_of =
            self.packing == packing && self.wall_drag == WallDrag::new(packing.shear, scene.planar());
        let count = self.particles.len();
        let far = FARTHEST * liquid.spacing;
        let near = |p: Vec3| p.abs().max_element() <= far;
        let mut ids = self.particles.id.clone();
        ids.sort_unstable();
        let travelled = |t: &f64| t.is_finite() && *t >= 0.0;
        if !made_of {
            Some("its packing is not that of its spacing")
        } else if !self.particles.is_sound() || !(0.0..=1.0).contains(&self.swell.abs()) {
            Some("not all of its particles are numbers")
        } else if !self.particles.position.iter().all(near) {
            Some("a particle is farther away than any can be told from another")
        } else if ids.windows(2).any(|pair| pair[0] == pair[1]) || self.emitted < count as u64 {
            Some("two particles have one id")
        } else if !self.springs.is_sound(count) {
            Some("a spring holds what is not there")
        } else if self.travelled.len() != liquid.emitter.len() || !self.travelled.iter().all(travelled) {
            Some("its emitters are not those of its scene")
        } else if self.let_go.len() != liquid.drops.len() || !self.let_go.iter().all(travelled) {
            Some("its drops are not those of its scene")
        } else {
            None
        }
    }

    fn add(&mut self, position: Vec3, velocity: Vec3, birth: f32) {
        self.particles.push(position, velocity, self.next_id, birth);
        // Ids wrap after four thousand million births; no run comes near.
        self.next_id = self.next_id.wrapping_add(1);
        self.emitted += 1;
    }

    /// Lines 1 to 16 of Algorithm 1, as the source has them: from the start of the step to relaxed predicted positions.
    pub fn predict(&mut self, c: &Coefficients, step: &Step) {
        if self.particles.is_empty() {
            return;
        }
        let (dt, watch) = (step.dt, step.watch);
        self.accelerate(dt * step.gravity);
        watch(Phase::Sort);
        self.sort(c.h, step.planar, Carry::Velocity);
        watch(Phase::Viscosity);
        impulses::apply(&self.grid, &mut self.particles, c, dt);
        watch(Phase::Other);
        self.advance(dt);
        self.stretch(c, Pulling::InTurn, step);
        watch(Phase::Density);
        density::relax(&self.grid, &mut self.particles, c, dt);
        watch(Phase::Other);
    }

    /// From velocities that all forces have changed to predicted positions, and what springs do to them.
    pub fn go_on(&mut self, c: &Coefficients, step: &Step) {
        self.advance(step.dt);
        if c.k_spring > 0.0 || self.bonded_before.is_some() {
            self.stretch(c, Pulling::AtOnce, step);
            (step.watch)(Phase::Other);
        }
    }

    /// Whether it moves its particles to other places in a step.
    pub fn is_bonded(&self) -> bool {
        self.bonded_before.is_some()
    }

    /// Adds to all velocities.
    pub fn accelerate(&mut self, change: Vec3) {
        self.particles.velocity.each(|v, c| {
            if change[c] != 0.0 {
                parallel::parts(v, |_, part| part.iter_mut().for_each(|v| *v += change[c]));
            }
        });
    }

    /// Lines 7 to 10: keeps the positions and moves on to the predicted ones.
    fn advance(&mut self, dt: f32) {
        let ParticleArrays { position, previous, velocity, .. } = &mut self.particles;
        std::mem::swap(position, previous);
        let (previous, velocity) = (&*previous, &*velocity);
        position.parts(|c, first, part| {
            let (from, v) = (&previous.axis(c)[first..], &velocity.axis(c)[first..]);
            for (x, (from, v)) in part.iter_mut().zip(from.iter().zip(v)) {
                *x = from + dt * v;
            }
        });
    }

    /// Sorts the particles by cells of side `h`.
    pub fn sort(&mut self, h: f32, planar: bool, carry: Carry) {
        self.grid.set(h, planar);
        let before = self.particles.len();
        let order = self.grid.sort(&mut self.particles, carry);
        self.springs.reorder(order, before);
    }

    /// Lines 11 to 15: springs appear, change and pull. Sorts the particles first.
    fn stretch(&mut self, c: &Coefficients, pulling: Pulling, step: &Step) {
        (step.watch)(Phase::Sort);
        self.sort(c.h, step.planar, Carry::Previous);
        (step.watch)(Phase::Springs);
        let on = c.k_spring > 0.0;
        if on {
            let unbonded = match self.bonded_before {
                None => Unbonded::Bond(0),
                // Plasticity bonds what comes near; without it, what is new bonds as it comes.
                Some(id) if c.alpha == 0.0 => Unbonded::Bond(id),
                Some(_) => Unbonded::Approach,
            };
            self.springs.adjust(&self.grid, &self.particles, c, unbonded, step.dt);
            // SAFETY: the particles are where the grid has just found them, in cells of h.
            unsafe { self.springs.displace(&self.grid, &mut self.particles, c, pulling, step.dt) };
        } else if self.bonded_before.is_some() {
            self.springs.clear();
        }
        self.bonded_before = on.then_some(self.next_id);
    }

    /// Lines 18 to 20 of Algorithm 1: velocities from positions.
    pub fn finish(&mut self, dt: f32) {
        let ParticleArrays { position, previous, velocity, .. } = &mut self.particles;
        let (position, previous) = (&*position, &*previous);
        let per_dt = 1.0 / dt;
        velocity.parts(|c, first, part| {
            let (x, from) = (&position.axis(c)[first..], &previous.axis(c)[first..]);
            for (v, (x, from)) in part.iter_mut().zip(x.iter().zip(from)) {
                *v = (x - from) * per_dt;
            }
        });
    }

    /// How it moves as a whole.
    pub fn kinetics(&self, planar: bool) -> Kinetics {
        let mass = self.particle_mass(planar);
        let velocity = &self.particles.velocity;
        let parts = parallel::gather(velocity.len(), |range| {
            range.fold((0.0, DVec3::ZERO, 0.0), |(fastest, sum, squares), i| {
                let (v, square) = (velocity.get(i), velocity.get(i).length_squared());
                (or_not_a_number(fastest, square), sum + v.as_dvec3(), squares + square as f64)
            })
        });
        let all = parts.into_iter().fold((0.0, DVec3::ZERO, 0.0), |all, part| {
            (or_not_a_number(all.0, part.0), all.1 + part.1, all.2 + part.2)
        });
        Kinetics {
            mass: mass * velocity.len() as f64,
            fastest: all.0.sqrt(),
            momentum: mass * all.1,
            energy: 0.5 * mass * all.2,
        }
    }

    /// Corners of the box around its particles [m], if it has any.
    pub fn bounds(&self) -> Option<(Vec3, Vec3)> {
        let position = &self.particles.position;
        let parts = parallel::gather(position.len(), |range| {
            range.map(|i| position.get(i)).fold((Vec3::MAX, Vec3::MIN), |(l, h), p| (l.min(p), h.max(p)))
        });
        parts.into_iter().reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    }

    /// The mean square of its speeds, and the largest [m²/s²].
    pub fn squared_speeds(&self) -> (f64, f64) {
        let velocity = &self.particles.velocity;
        let parts = parallel::gather(velocity.len(), |range| {
            let squares = range.map(|i| velocity.get(i).length_squared() as f64);
            squares.fold((0.0, 0.0), |(sum, most): (f64, f64), square| (sum + square, most.max(square)))
        });
        let (sum, most) = parts.iter().fold((0.0, 0.0f64), |(sum, most), p| (sum + p.0, most.max(p.1)));
        (sum / velocity.len().max(1) as f64, most)
    }

    /// How far the surface of a collider is behind the deepest particle in it, and a little more, so that none begins in touch [m]; 0 if none is
    /// in it.
    pub fn depth_in(&self, collider: &Collider) -> f32 {
        let depth = |p: Vec3| if collider.at_least(p) <= 0.0 { -collider.distance(p) } else { 0.0 };
        let deepest = self.particles.position.iter().map(depth).fold(0.0, f32::max);
        if deepest > 0.0 { deepest + 0.5 * self.description.spacing } else { 0.0 }
    }

    /// Its centre of mass [m].
    pub fn centre(&self) -> DVec3 {
        let position = &self.particles.position;
        let parts = parallel::gather(position.len(), |range| {
            range.map(|i| position.get(i).as_dvec3()).sum::<DVec3>()
        });
        parts.into_iter().sum::<DVec3>() / position.len().max(1) as f64
    }

    /// Takes all motion away.
    pub fn halt(&mut self) {
        self.particles.velocity.each(|v, _| v.fill(0.0));
    }

    /// Sums of the packing at rest.
    pub fn packing(&self) -> &Packing {
        &self.packing
    }

    /// Share of its volume by which it is wider where nothing presses on it.
    pub fn swell(&self) -> f32 {
        self.swell
    }

    /// Under its own weight a liquid that can be squeezed is too low. It takes as much more room everywhere as the weight squeezes
    /// it on the average (`mean`), and a sixth more: with none its level would be right and its centre low by a third of the mean, with a
    /// third the other way round. Follows slowly, for splashes come and go.
    pub fn swell_to(&mut self, mean: f32, dt: f32) {
        let share = if self.has_begun { (dt / SWELLING_TIME).min(1.0) } else { 1.0 };
        self.swell += share * (SWELLING * mean - self.swell);
        self.has_begun |= !self.particles.is_empty();
    }

    /// How walls drag on it.
    pub fn wall_drag(&self) -> &WallDrag {
        &self.wall_drag
    }

    /// Mass of one particle [kg]; in the plane, of a slice one metre thick.
    pub fn particle_mass(&self, planar: bool) -> f64 {
        self.description.particle_mass(planar)
    }

    /// Its density sum at rest.
    pub fn rest_sum(&self) -> f32 {
        let liquid = &self.description;
        match liquid.thesis {
            // A source's liquid without a rest density is measured by the packing's.
            Some(t) if t.rho0 > 1e-6 => t.rho0,
            _ if liquid.model == LiquidModel::Sph => {
                liquid.rest_density() / sph::density_unit(liquid, self.packing.planar)
            }
            _ => self.packing.rest,
        }
    }

    /// Density [kg/m³] of a density sum of 1.
    pub fn density_unit(&self) -> f32 {
        self.description.rest_density() / self.rest_sum()
    }

    /// What can be seen of it.
    pub fn frame(&self) -> frame::Particles {
        let (given, unit, p) = (&self.description, self.density_unit(), &self.particles);
        frame::Particles {
            kind: SystemKind::Liquid,
            name: given.name.clone(),
            radius: 0.5 * given.spacing,
            color: given.color,
            position: p.position.iter().map(Into::into).collect(),
            velocity: p.velocity.iter().map(Into::into).collect(),
            density: p.density.iter().map(|d| unit * d).collect(),
            id: p.id.clone(),
            ..frame::Particles::default()
        }
    }

    /// The measure of the liquid.
    pub fn ledger(&self, gravity: Vec3, planar: bool, colliders: &[Collider]) -> SystemLedger {
        let (liquid, mass) = (&self.description, self.particle_mass(planar));
        let unit = 1.0 / self.rest_sum() as f64;
        let (mut p, mut l, mut centre) = (DVec3::ZERO, DVec3::ZERO, DVec3::ZERO);
        let (mut energy, mut fastest, mut volume, mut squeezed) = (0.0, 0f64, 0.0, 0.0);
        for i in 0..self.particles.len() {
            let x = self.particles.position.get(i).as_dvec3();
            let v = self.particles.velocity.get(i).as_dvec3();
            centre += x;
            p += mass * v;
            l += mass * x.cross(v);
            energy += 0.5 * mass * v.length_squared();
            fastest = fastest.max(v.length());
            // At a surface the density sum misses neighbours, not liquid: such particles count as at rest.
            let density = (unit * self.particles.density[i] as f64).max(1.0);
            volume += mass / (liquid.rest_density() as f64 * density);
            squeezed += density - 1.0;
        }
        let n = self.particles.len().max(1) as f64;
        SystemLedger {
            kind: SystemKind::Liquid,
            name: liquid.name.clone(),
            particles: self.particles.len() as u64,
            mass: mass * self.particles.len() as f64,
            volume,
            momentum: p.into(),
            angular_momentum: l.into(),
            kinetic_energy: energy,
            potential_energy: -mass * gravity.as_dvec3().dot(centre),
            max_speed: fastest,
            leaks: crate::contact::objects::leaks(&self.particles.position, colliders),
            center: (centre / n).into(),
            compression: squeezed / n,
            springs: self.springs.len() as u64,
            emitted: self.emitted,
            removed: self.removed,
            overlap: 0.0,
        }
    }
}

/// The larger of two numbers, not a number if either is not: `max` would pass over it.
fn or_not_a_number(a: f32, b: f32) -> f32 {
    if a.is_nan() || a > b { a } else { b }
}
