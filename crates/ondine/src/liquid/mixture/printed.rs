//! The step of text 002: densities, then pressure and viscosity together.

use super::pressing::POLY6;
use super::{Laws, Mixture, Part};
use crate::clusters::EIGHT;
use crate::contact::impulse::Impulse;
use crate::liquid::sph::forces::{self, Rows};
use crate::parallel::{self, Shared};
use crate::step::Step;

impl Mixture {
    /// Changes velocities by the forces of text 002 for a step. Returns what free objects get as walls.
    pub(super) fn press_as_printed(&mut self, parts: &mut [Part], laws: &Laws, step: &Step) -> Vec<Impulse> {
        self.weigh(parts, laws, &POLY6);
        self.lay_out_rows(parts);
        let rows = std::mem::take(&mut self.rows);
        let walls = self.exert(laws, |_, site, force, walls| {
            forces::forces(site.field, &rows, &site.cluster, force);
            for choice in site.choices() {
                forces::image_forces(site.field, &rows, &site.cluster, &choice, force, walls);
            }
        });
        self.rows = rows;
        self.accelerate(parts, step.dt);
        let mut impulses = self.collect(&walls, parts, step);
        self.lift(&mut impulses, parts, step);
        impulses
    }

    /// Places, pressures, velocities and volumes by slot.
    fn lay_out_rows(&mut self, parts: &[Part]) {
        let Self { rows: Rows { pressed, moving, thin }, at, sums, pressures, clusters, .. } = self;
        let (slot_of, n) = (clusters.slot_of(), sums.len());
        for rows in [&mut *pressed, &mut *moving] {
            rows.resize(n + EIGHT, [0.0; 4]);
            rows[n..].fill([0.0; 4]);
        }
        // Nobody is near them.
        pressed[n..].copy_from_slice(&at[n..]);
        thin.resize(n + EIGHT, 0.0);
        let (pressed, moving, thin) = (Shared::new(pressed), Shared::new(moving), Shared::new(thin));
        let mut first = 0;
        for part in parts {
            let Some(fluid) = part.fluid else { continue };
            let (slots, v) = (&slot_of[first..first + part.len()], &part.liquid.particles.velocity);
            parallel::gather(part.len(), |range| {
                for i in range {
                    let slot = slots[i] as usize;
                    // SAFETY: every particle has one slot.
                    let (pressed, moving, thin) =
                        unsafe { (pressed.slice(slot, 1), moving.slice(slot, 1), thin.slice(slot, 1)) };
                    let [x, y, z, _] = at[slot];
                    // A particle counts in its own density, which is never 0.
                    let per_density = 1.0 / (fluid.unit * sums[slot][3]);
                    pressed[0] = [x, y, z, pressures[slot]];
                    moving[0] = [v.x[i], v.y[i], v.z[i], fluid.m * per_density];
                    thin[0] = fluid.rho0 * per_density;
                }
            });
            first += part.len();
        }
    }
}
