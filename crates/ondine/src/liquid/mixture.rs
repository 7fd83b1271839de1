//! All liquids of the default method together: who is near whom, and what they do to each other.
//!
//! Liquids share one set of neighbour lists, so that unlike particles count in each other's densities and push each other like
//! any neighbours: they keep apart by weight and tension alone. Lists reach a little farther than h and are kept until some
//! particle may have come from outside that reach.
//!
//! A particle has a **slot**: its place in the order of cells when the lists were made. Everything that passes over
//! neighbours read is laid out by slot, four numbers a row.

use super::material::{CLOSE, CROWDED, LOOK_AHEAD, Material};
use super::mirrors::Seen;
use super::pressure::{self, Field, Tension, WallPush};
use super::viscosity::{EXPLICIT, Grip, Pairs, Viscosity, WallDrag};
use super::{Liquid, Phase, Surroundings, tension};
use crate::contact::pushes::Push;
use crate::lanes::{Lanes, widest};
use crate::neighbourhood::{Local, NeighbourLists};
use crate::neighbours::Grid;
use crate::parallel::{self, Shared};
use crate::particles::{Axes, NEWBORN};
use glam::Vec3;

/// Buffers of a step. Never part of the state: lists are made anew with every frame.
#[derive(Clone, Debug, Default)]
pub struct Mixture {
    grid: Grid,
    /// The particles of all liquids, one liquid after the other, where pressure looks at them.
    ahead: Axes,
    /// The same by slot, when the lists were made.
    listed: Axes,
    /// By slot: where pressure looks at a particle, and its π; one more for padding.
    at: Vec<[f32; 4]>,
    /// By slot: sums of the pressure pass, the last of them ρ.
    sums: Vec<[f32; 4]>,
    /// By slot: n and the strength of tension; one more for padding.
    normals: Vec<[f32; 4]>,
    /// By slot: acceleration times mass density [N/m³].
    force: Vec<[f32; 4]>,
    /// The slot of each particle.
    slot_of: Vec<u32>,
    lists: Vec<NeighbourLists>,
    seen: Seen,
    viscosity: Viscosity,
    /// By slot: π_c and the number of the liquid, where there are several; one more for padding.
    kinds: Vec<[f32; 4]>,
    /// How far the lists reach beyond h [m].
    skin: f32,
    /// Whether the lists are of the particles that are there now.
    is_listed: bool,
}

/// One liquid in a step.
pub struct Part<'a> {
    /// Its state.
    pub liquid: &'a mut Liquid,
    /// Its numbers in this step.
    pub material: Material,
    /// Distance between its particles at rest [m].
    pub spacing: f32,
    /// Fastest motion expected [m/s].
    pub speed: f32,
}

/// What holds for all liquids of a mixture in a step.
struct Laws<'a> {
    h: f32,
    close: f32,
    crowded: f32,
    firm: &'a [f32],
    tension: Tension<'a>,
}

impl<'a> Laws<'a> {
    fn field(&self, at: &'a [[f32; 4]], seen: &'a Seen) -> Field<'a> {
        let Self { h, close, crowded, firm, tension } = *self;
        Field { at, h, seen, firm, close, crowded, tension }
    }
}

impl Part<'_> {
    fn len(&self) -> usize {
        self.liquid.particles.len()
    }
}

/// Longest reach of lists beyond h, in h: more neighbours cost more than fresh lists.
const MOST_SKIN: f32 = 0.16;
/// Steps for which lists should last; fewer are not worth a skin.
const LAST: f32 = 3.0;

impl Mixture {
    /// Forgets the lists: particles have come, gone or changed places.
    pub fn forget(&mut self) {
        self.is_listed = false;
    }

    /// Changes velocities by pressure and viscosity for a step. Returns what free objects get as walls.
    pub fn act(&mut self, parts: &mut [Part], around: &Surroundings) -> Vec<Push> {
        if parts.iter().all(|p| p.len() == 0) {
            return vec![Push::default(); around.free];
        }
        let mut pushes = self.press(parts, around);
        if around.viscous_dt > 0.0 {
            (around.watch)(Phase::Viscosity);
            let dragged = self.drag(parts, around);
            pushes.iter_mut().zip(dragged).for_each(|(push, dragged)| *push += dragged);
        }
        (around.watch)(Phase::Other);
        pushes
    }

    /// Changes velocities by pressure for a step. Returns what free objects get as walls.
    fn press(&mut self, parts: &mut [Part], around: &Surroundings) -> Vec<Push> {
        let h = parts.iter().map(|p| p.material.h).fold(0.0, f32::max);
        (around.watch)(Phase::Sort);
        self.look_ahead(parts, around.dt);
        if !self.is_listed || self.strayed() {
            let speed = parts.iter().map(|p| p.speed).fold(0.0, f32::max);
            self.list(h, 2.0 * LAST * speed * around.dt, around.planar);
        }
        self.place();
        (around.watch)(Phase::Density);
        self.seen.look(&self.grid, &self.at[..self.sums.len()], around.solids, h, self.skin);
        let firm = self.firmness(parts, around);
        self.mark(parts);
        let rows = std::mem::take(&mut self.kinds);
        let tension = Tension { rows: &rows };
        let stiffness = parts.iter().map(|p| p.material.push).fold(f32::INFINITY, f32::min);
        let spacing = parts.iter().map(|p| p.spacing).fold(0.0, f32::max);
        let laws = Laws { h, close: CLOSE * spacing / h, crowded: CROWDED * stiffness, firm: &firm, tension };
        self.weigh(&laws);
        self.react(parts);
        let mut walls = self.push(&laws);
        walls.extend(self.pull(parts, &laws));
        self.kinds = rows;
        self.accelerate(parts, around.dt);
        self.collect(&walls, parts, around)
    }

    /// Where particles will be a part of the step later.
    fn look_ahead(&mut self, parts: &[Part], dt: f32) {
        let ahead_dt = LOOK_AHEAD * dt;
        let Self { ahead, .. } = self;
        let total: usize = parts.iter().map(|p| p.len()).sum();
        self.is_listed &= ahead.len() == total;
        ahead.each(|axis, c| {
            axis.clear();
            for part in parts {
                let p = &part.liquid.particles;
                let (x, v) = (p.position.axis(c), p.velocity.axis(c));
                axis.extend(x.iter().zip(v).map(|(x, v)| x + ahead_dt * v));
            }
        });
    }

    /// Whether any particle is so far from where it was listed that somebody unlisted may be within h.
    fn strayed(&self) -> bool {
        let limit = (0.5 * self.skin).powi(2);
        let far = parallel::gather(self.ahead.len(), |range| {
            range.into_iter().any(|i| {
                let moved = self.ahead.get(i) - self.listed.get(self.slot_of[i] as usize);
                moved.length_squared().partial_cmp(&limit).is_none_or(std::cmp::Ordering::is_gt)
            })
        });
        far.into_iter().any(|far| far)
    }

    /// Makes the lists anew.
    fn list(&mut self, h: f32, wanted: f32, planar: bool) {
        let Self { grid, ahead, listed, slot_of, lists, .. } = self;
        self.skin = if wanted <= MOST_SKIN * h { wanted.max(0.25 * MOST_SKIN * h) } else { 0.0 };
        let reach = h + self.skin;
        grid.set(reach, planar);
        grid.index(ahead);
        let order = grid.order();
        listed.each(|axis, c| {
            axis.resize(order.len(), 0.0);
            let from = ahead.axis(c);
            parallel::parts(axis, |first, part| {
                part.iter_mut().zip(&order[first..]).for_each(|(to, &i)| *to = from[i as usize]);
            });
        });
        slot_of.resize(order.len(), 0);
        let places = Shared::new(slot_of);
        parallel::gather(order.len(), |range| {
            // SAFETY: every particle has one slot.
            range.for_each(|slot| unsafe { places.slice(order[slot] as usize, 1)[0] = slot as u32 });
        });
        lists.resize_with(grid.blocks().max(lists.len()), NeighbourLists::default);
        let shared = Shared::new(lists);
        let nobody = order.len() as u32;
        grid.view_blocks([&*listed], |local, block| {
            // SAFETY: each block writes its own lists only.
            let lists = unsafe { &mut shared.slice(block, 1)[0] };
            list_block(local, reach, nobody, lists);
        });
        self.is_listed = true;
    }

    /// Lays out the particles by slot.
    fn place(&mut self) {
        let Self { ahead, at, sums, force, grid, .. } = self;
        let order = grid.order();
        sums.resize(order.len(), [0.0; 4]);
        force.resize(order.len(), [0.0; 4]);
        at.resize(order.len() + 1, [0.0; 4]);
        at[order.len()] = [NOWHERE, NOWHERE, NOWHERE, 0.0];
        parallel::parts(&mut at[..order.len()], |first, part| {
            for (at, &i) in part.iter_mut().zip(&order[first..]) {
                let i = i as usize;
                *at = [ahead.x[i], ahead.y[i], ahead.z[i], 0.0];
            }
        });
    }

    /// Which liquid each slot belongs to, where there are several.
    fn mark(&mut self, parts: &[Part]) {
        self.kinds.clear();
        if parts.len() < 2 {
            return;
        }
        self.kinds.resize(self.slot_of.len() + 1, [0.0; 4]);
        let mut slots = self.slot_of.iter();
        for (kind, part) in parts.iter().enumerate() {
            let row = [part.material.cohesion, kind as f32, 0.0, 0.0];
            slots.by_ref().take(part.len()).for_each(|&slot| self.kinds[slot as usize] = row);
        }
    }

    /// ρ of every slot.
    fn weigh(&mut self, laws: &Laws) {
        let field = laws.field(&self.at, &self.seen);
        let (grid, lists, sums) = (&self.grid, &self.lists, Shared::new(&mut self.sums));
        parallel::for_each(grid.block_numbers(), field.at.len(), |&block| {
            let own = grid.particles_of(block as usize);
            // SAFETY: each block writes its own slots only.
            let sums = unsafe { sums.slice(own.start, own.len()) };
            pressure::densities(&field, &lists[block as usize], own, sums);
        });
    }

    /// From densities to pressures, and what particles are used to.
    fn react(&mut self, parts: &mut [Part]) {
        let (slot_of, sums) = (&self.slot_of, &self.sums);
        let mut first = 0;
        // Pressures by particle take the place of what was ahead on one axis, which has been read.
        let pressures = &mut self.ahead.x;
        for Part { liquid, material, .. } in parts {
            let p = &mut liquid.particles;
            let slots = &slot_of[first..first + p.len()];
            parallel::parts(&mut p.density, |first, part| {
                part.iter_mut().zip(&slots[first..]).for_each(|(d, &slot)| *d = sums[slot as usize][3]);
            });
            let density = &p.density;
            parallel::parts(&mut p.used_to, |first, part| {
                for (used_to, density) in part.iter_mut().zip(&density[first..]) {
                    let strain = material.strain(*density);
                    let share = if *used_to == NEWBORN { 1.0 } else { material.forgets };
                    *used_to += share * (strain - *used_to);
                }
            });
            let used_to = &p.used_to;
            parallel::parts(&mut pressures[first..first + p.len()], |first, part| {
                for (k, pressure) in part.iter_mut().enumerate() {
                    *pressure = material.pressure(density[first + k], used_to[first + k]);
                }
            });
            first += p.len();
        }
        let (pressures, order) = (&self.ahead.x, self.grid.order());
        parallel::parts(&mut self.at[..order.len()], |first, part| {
            part.iter_mut().zip(&order[first..]).for_each(|(at, &i)| at[3] = pressures[i as usize]);
        });
    }

    /// Forces on every slot. Returns what walls did.
    fn push(&mut self, laws: &Laws) -> Vec<Vec<WallPush>> {
        let field = laws.field(&self.at, &self.seen);
        let (grid, lists, force) = (&self.grid, &self.lists, Shared::new(&mut self.force));
        parallel::map(grid.block_numbers(), field.at.len(), |&block| {
            let own = grid.particles_of(block as usize);
            // SAFETY: each block writes its own slots only.
            let force = unsafe { force.slice(own.start, own.len()) };
            let mut walls = Vec::new();
            pressure::forces(&field, &lists[block as usize], own, force, &mut walls);
            walls
        })
    }

    /// Surface tension, where there is a surface. Returns what walls did.
    fn pull(&mut self, parts: &[Part], laws: &Laws) -> Vec<Vec<WallPush>> {
        if parts.iter().all(|p| p.material.tension == 0.0) {
            return Vec::new();
        }
        self.find_normals(parts);
        let Self { grid, lists, normals, .. } = self;
        let (grid, lists, normals) = (&*grid, &*lists, &*normals);
        let has_surface = |block: usize| grid.particles_of(block).any(|slot| normals[slot][..3] != [0.0; 3]);
        let surface =
            parallel::map(grid.block_numbers(), normals.len(), |&block| has_surface(block as usize));
        let field = laws.field(&self.at, &self.seen);
        let force = Shared::new(&mut self.force);
        parallel::map(grid.block_numbers(), normals.len(), |&block| {
            let mut walls = Vec::new();
            if grid.blocks_around(block as usize).any(|b| surface[b]) {
                let own = grid.particles_of(block as usize);
                // SAFETY: each block writes its own slots only.
                let force = unsafe { force.slice(own.start, own.len()) };
                tension::pull(&field, normals, &lists[block as usize], own, force, &mut walls);
            }
            walls
        })
    }

    /// n of every slot, and the strength of its liquid's tension.
    fn find_normals(&mut self, parts: &[Part]) {
        let Self { sums, normals, kinds, .. } = self;
        normals.resize(sums.len() + 1, [0.0; 4]);
        normals[sums.len()] = [0.0; 4];
        let is_mixed = !kinds.is_empty();
        parallel::parts(&mut normals[..sums.len()], |first, part| {
            for (k, normal) in part.iter_mut().enumerate() {
                let kind = if is_mixed { kinds[first + k][1] as usize } else { 0 };
                let material = &parts[kind].material;
                let [x, y, z, _] = sums[first + k];
                let n = -material.gradient * Vec3::new(x, y, z);
                let inside = n.length_squared() < (tension::INSIDE / material.h).powi(2);
                *normal = if inside { Vec3::ZERO } else { n }.extend(material.tension).to_array();
            }
        });
    }

    fn accelerate(&mut self, parts: &mut [Part], dt: f32) {
        let mut first = 0;
        for Part { liquid, material, .. } in parts {
            let p = &mut liquid.particles;
            let (slots, force) = (&self.slot_of[first..first + p.len()], &self.force);
            let share = dt / material.density;
            p.velocity.each(|v, c| {
                parallel::parts(v, |first, part| {
                    for (v, &slot) in part.iter_mut().zip(&slots[first..]) {
                        *v += share * force[slot as usize][c];
                    }
                });
            });
            first += p.len();
        }
    }

    /// Square root of the share of its push that each solid withstands. A free one pushes particles, and they push
    /// back as much. Where they outweigh it, it would go farther in a step than they were pushed, and bounce on them.
    fn firmness(&self, parts: &[Part], around: &Surroundings) -> Vec<f32> {
        let mut crowd = vec![0f64; around.solids.len()];
        if around.free > 0 {
            let mut first = 0;
            for Part { liquid, material, .. } in parts {
                let n = liquid.particles.len();
                let mass = (material.volume * material.density) as f64;
                for &slot in &self.slot_of[first..first + n] {
                    for mirror in self.seen.of(slot as usize) {
                        let near = 1.0 - 2.0 * mirror.distance / material.h;
                        crowd[mirror.solid()] += mass * near.max(0.0) as f64;
                    }
                }
                first += n;
            }
        }
        let share = |(solid, crowd): (&crate::objects::Solid, &f64)| match solid.free {
            Some(_) => (solid.mass / crowd.max(solid.mass)).sqrt() as f32,
            None => 1.0,
        };
        around.solids.iter().zip(&crowd).map(share).collect()
    }

    /// What free objects get for pushing particles.
    fn collect(&self, walls: &[Vec<WallPush>], parts: &[Part], around: &Surroundings) -> Vec<Push> {
        let mut pushes = vec![Push::default(); around.free];
        for wall in walls.iter().flatten() {
            self.give(&mut pushes, wall.slot, wall.solid, around.dt * wall.push, parts, around);
        }
        pushes
    }

    /// Gives a solid, if it is free, the opposite of the impulse that it gave a particle, over the particle's volume.
    fn give(
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
        let part = &parts[self.part_of(slot, parts)];
        let impulse = -(part.material.volume as f64) * impulse.as_dvec3();
        to[free as usize] += Push::at(impulse, (Vec3::new(x, y, z) - solid.centre).as_dvec3());
    }

    /// Which liquid a slot belongs to.
    fn part_of(&self, slot: u32, parts: &[Part]) -> usize {
        let mut left = self.grid.order()[slot as usize] as usize;
        let is_here = |part: &Part| {
            let here = left < part.len();
            left -= if here { 0 } else { part.len() };
            here
        };
        parts.iter().position(is_here).unwrap_or(0)
    }

    /// Changes velocities by viscosity for a step. Returns what free objects get for gripping.
    fn drag(&mut self, parts: &mut [Part], around: &Surroundings) -> Vec<Push> {
        let dt = around.viscous_dt;
        self.lay_out_velocities(parts, dt);
        self.find_grips(parts, around);
        let thickest = parts.iter().map(|p| p.material.sigma).fold(0.0, f32::max);
        let lightest = parts.iter().map(|p| p.material.density).fold(f32::INFINITY, f32::min);
        let beta = parts.iter().map(|p| p.material.beta).fold(0.0, f32::max);
        let is_thick = thickest * dt > EXPLICIT;
        let pairs = Pairs {
            grid: &self.grid,
            lists: &self.lists,
            at: &self.at,
            h: parts.iter().map(|p| p.material.h).fold(0.0, f32::max),
            // What is solved for must be linear.
            beta: if is_thick { 0.0 } else { lightest * beta * dt },
            most: (EXPLICIT - thickest * dt).max(0.0) * lightest,
        };
        let taken = self.viscosity.apply(&pairs, is_thick);
        let mut first = 0;
        for part in parts.iter_mut() {
            let p = &mut part.liquid.particles;
            let (slots, rows) = (&self.slot_of[first..first + p.len()], &self.viscosity.rows);
            p.velocity.each(|v, c| {
                parallel::parts(v, |first, part| {
                    part.iter_mut().zip(&slots[first..]).for_each(|(v, &slot)| *v = rows[slot as usize][c]);
                });
            });
            first += p.len();
        }
        let mut pushes = vec![Push::default(); around.free];
        for (grip, taken) in self.viscosity.grips.iter().zip(taken) {
            self.give(&mut pushes, grip.slot, grip.solid, -taken, parts, around);
        }
        pushes
    }

    fn lay_out_velocities(&mut self, parts: &[Part], dt: f32) {
        let Self { viscosity: Viscosity { rows, density, .. }, slot_of, .. } = self;
        rows.resize(slot_of.len() + 1, [0.0; 4]);
        rows[slot_of.len()] = [0.0; 4];
        density.resize(slot_of.len(), 0.0);
        let (rows, density, mut first) = (Shared::new(rows), Shared::new(density), 0);
        for part in parts {
            let (slots, v) = (&slot_of[first..first + part.len()], &part.liquid.particles.velocity);
            let (rho, eta) = (part.material.density, part.material.density * part.material.sigma * dt);
            parallel::gather(part.len(), |range| {
                for i in range {
                    let slot = slots[i] as usize;
                    // SAFETY: every particle has one slot.
                    let (row, density) = unsafe { (rows.slice(slot, 1), density.slice(slot, 1)) };
                    row[0] = [v.x[i], v.y[i], v.z[i], eta];
                    density[0] = rho;
                }
            });
            first += part.len();
        }
    }

    fn find_grips(&mut self, parts: &[Part], around: &Surroundings) {
        self.viscosity.grips.clear();
        if around.solids.iter().all(|s| s.friction == 0.0) {
            return;
        }
        for slot in 0..self.slot_of.len() {
            for mirror in self.seen.of(slot) {
                let solid = &around.solids[mirror.solid()];
                if solid.friction > 0.0 {
                    let [x, y, z, _] = self.at[slot];
                    let surface = Vec3::new(x, y, z) - mirror.distance * mirror.normal;
                    let wall = solid.velocity_at(surface, around.dt);
                    let part = &parts[self.part_of(slot as u32, parts)];
                    let (eta, h) = (self.viscosity.rows[slot][3], part.material.h);
                    let drag: &WallDrag = part.liquid.wall_drag();
                    let grip = Grip::new(slot, mirror, wall, eta, solid.friction, drag, h);
                    self.viscosity.grips.push(grip);
                }
            }
        }
    }
}

/// Where the row for padding stands [m]: far from everything, and its square still a number.
const NOWHERE: f32 = 1e15;

widest! {
    fn list_block(local: &mut Local<1>, reach: f32, nobody: u32, lists: &mut NeighbourLists) = list_block_with
}

#[inline(always)]
fn list_block_with<V: Lanes>(local: &mut Local<1>, reach: f32, nobody: u32, lists: &mut NeighbourLists) {
    local.list::<V>(reach, nobody, lists);
}
