//! The step of the incompressible model: everything but pressure, then the pressures that keep the volume (`../sph/incompressible.rs`).

use super::pressing::FITTED;
use super::{Laws, Mixture, Part};
use crate::clusters::EIGHT;
use crate::contact::impulse::Impulse;
use crate::liquid::pressure::{self, WallPush};
use crate::liquid::sph::incompressible::{Aim, Volume, tolerance};
use crate::liquid::sph::rates;
use crate::parallel::{self, Shared};
use crate::step::{Phase, Step};

impl Mixture {
    /// Changes velocities for a step, so that no particle will be denser than at rest. Returns what free objects get as walls.
    pub(super) fn project(&mut self, parts: &mut [Part], laws: &Laws, step: &Step) -> Vec<Impulse> {
        self.weigh(parts, laws, &FITTED);
        // The first guess waits while other forces act.
        std::mem::swap(&mut self.pressures, &mut self.volume.pressures);
        let mut walls = self.pull_together(parts, laws, step);
        self.accelerate(parts, step.dt);
        let dragged = self.drag(parts, step.dt, step);
        (step.watch)(Phase::Density);
        std::mem::swap(&mut self.pressures, &mut self.volume.pressures);
        self.keep_volume(parts, laws, step);
        walls.extend(self.push_back(laws));
        self.accelerate(parts, step.dt);
        self.remember(parts);
        let mut impulses = self.collect(&walls, parts, step);
        impulses.iter_mut().zip(dragged).for_each(|(push, dragged)| *push += dragged);
        self.lift(&mut impulses, parts, step);
        impulses
    }

    /// Forces that are not pressure: crowds, cohesion, tension. Returns what walls did.
    fn pull_together(&mut self, parts: &[Part], laws: &Laws, step: &Step) -> Vec<Vec<WallPush>> {
        let n = self.ahead.len();
        self.pressures.clear();
        self.pressures.extend((0..n).map(|slot| -parts[self.kinds.kind(slot)].material.cohesion));
        self.pressures.resize(n + EIGHT, 0.0);
        let mut walls = self.push(laws);
        if laws.is_tense {
            walls.extend(self.pull(parts, laws));
            walls.extend(self.wet(parts, step));
        }
        walls
    }

    /// Finds the pressures, from those that there are.
    fn keep_volume(&mut self, parts: &[Part], laws: &Laws, step: &Step) {
        let mut volume = std::mem::take(&mut self.volume);
        let mut rows = std::mem::take(&mut self.rows.moving);
        self.lay_out_moving(parts, step.dt, &mut rows);
        self.find_wanted(parts, laws, &rows, step.dt, &mut volume.wanted);
        volume.begin(&self.pressures);
        let lightest = parts.iter().map(|p| p.material.density).fold(f32::INFINITY, f32::min);
        let coupling = parts.iter().map(|p| p.material.coupling).fold(0.0, f32::max);
        // What is left of the density that is too much, over all liquids.
        let left = |p: &Part| {
            let error = p.liquid.description.sph.density_error * p.material.rest;
            (0.5 * p.material.h * p.material.h * error) as f64
        };
        let moves = parts.iter().map(|p| moves(p, step)).fold(0.0, f64::max);
        let aim = Aim {
            diagonal: step.dt * step.dt * coupling / lightest,
            error: tolerance(moves) * parts.iter().map(left).fold(f64::INFINITY, f64::min),
        };
        volume.solve(aim, |volume| self.multiply(parts, laws, step.dt, volume, &mut rows));
        std::mem::swap(&mut self.pressures, &mut volume.pressures);
        (self.volume, self.rows.moving) = (volume, rows);
    }

    /// By slot, the velocities that take particles on from where pressure looks at them.
    fn lay_out_moving(&self, parts: &[Part], dt: f32, rows: &mut Vec<[f32; 4]>) {
        let slot_of = self.clusters.slot_of();
        rows.resize(slot_of.len() + EIGHT, [0.0; 4]);
        rows[slot_of.len()..].fill([0.0; 4]);
        let rows = Shared::new(rows);
        let mut first = 0;
        for part in parts {
            let (slots, p) = (&slot_of[first..first + part.len()], &part.liquid.particles);
            let left = |c: usize, i: usize| {
                let gone = self.ahead.axis(c)[first + i] - p.position.axis(c)[i];
                p.velocity.axis(c)[i] - gone / dt
            };
            parallel::gather(part.len(), |range| {
                for i in range {
                    // SAFETY: every particle has one slot.
                    unsafe {
                        rows.slice(slots[i] as usize, 1)[0] = [left(0, i), left(1, i), left(2, i), 0.0]
                    };
                }
            });
            first += part.len();
        }
    }

    /// b of every slot.
    fn find_wanted(&self, parts: &[Part], laws: &Laws, rows: &[[f32; 4]], dt: f32, wanted: &mut Vec<f32>) {
        wanted.resize(self.ahead.len(), 0.0);
        self.find_rates(laws, rows, wanted);
        let (sums, kinds) = (&self.sums, &self.kinds);
        parallel::parts(wanted, |first, part| {
            for (k, wanted) in part.iter_mut().enumerate() {
                let material = &parts[kinds.kind(first + k)].material;
                let too_much = sums[first + k][3] - material.rest;
                *wanted = 0.5 * material.h * material.h * too_much - dt * *wanted;
            }
        });
    }

    /// −(h²/2) dρ/dt of every slot [m²/s], by velocities.
    fn find_rates(&self, laws: &Laws, rows: &[[f32; 4]], out: &mut [f32]) {
        let (field, out) = (self.field(laws), Shared::new(out));
        parallel::for_each(self.clusters.grid().block_numbers(), rows.len(), |&block| {
            let block = block as usize;
            for (number, cluster) in self.clusters.with(block, &self.near[block]).enumerate() {
                // SAFETY: each cluster writes its own slots only.
                let out = unsafe { out.slice(cluster.first, cluster.len) };
                rates::rates(&field, rows, &cluster, out);
                for choice in self.images[block].of(number) {
                    rates::image_rates(&field, rows, &cluster, &choice, &self.seen, out);
                }
            }
        });
    }

    /// A π.
    fn multiply(&mut self, parts: &[Part], laws: &Laws, dt: f32, volume: &mut Volume, rows: &mut [[f32; 4]]) {
        std::mem::swap(&mut self.pressures, &mut volume.pressures);
        self.push_back(laws);
        std::mem::swap(&mut self.pressures, &mut volume.pressures);
        let (force, kinds) = (&self.force, &self.kinds);
        parallel::parts(&mut rows[..force.len()], |first, part| {
            for (k, row) in part.iter_mut().enumerate() {
                let share = dt * dt / parts[kinds.kind(first + k)].material.density;
                *row = force[first + k].map(|f| share * f);
            }
        });
        self.find_rates(laws, rows, &mut volume.found);
    }

    /// Forces of the pressures alone. Returns what walls did.
    fn push_back(&mut self, laws: &Laws) -> Vec<Vec<WallPush>> {
        self.exert(laws, |this, site, force, walls| {
            pressure::pressure_forces(site.field, &this.pressures, &site.cluster, force);
            for choice in site.choices() {
                let (field, cluster) = (site.field, &site.cluster);
                pressure::image_pressure_forces(field, &this.pressures, cluster, &choice, force, walls);
            }
        })
    }

    /// Particles keep their pressures, over their mass density [m²/s²], to begin the next step with.
    fn remember(&self, parts: &mut [Part]) {
        let mut first = 0;
        for part in parts {
            let slots = &self.clusters.slot_of()[first..first + part.len()];
            let head = part.material.head;
            first += part.len();
            parallel::parts(&mut part.liquid.particles.used_to, |first, part| {
                for (kept, &slot) in part.iter_mut().zip(&slots[first..]) {
                    *kept = head * self.pressures[slot as usize];
                }
            });
        }
    }
}

/// How far the particles of a liquid go in a step, over their spacing, as a root mean square, but for what gravity has just given them.
fn moves(part: &Part, step: &Step) -> f64 {
    let velocity = &part.liquid.particles.velocity;
    let given = step.dt * step.gravity;
    let sums = parallel::gather(velocity.len(), |range| {
        range.map(|i| (velocity.get(i) - given).length_squared() as f64).sum::<f64>()
    });
    let mean = sums.iter().sum::<f64>() / velocity.len().max(1) as f64;
    mean.sqrt() * (step.dt / part.spacing) as f64
}
