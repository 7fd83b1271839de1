//! Double density relaxation.
//!
//! Source: thesis 000 chapter 4, equations 4.1 to 4.6, Algorithms 2 and 3.
//!
//! | symbol | meaning |
//! |---|---|
//! | q | distance over h |
//! | ρ, ρ_near | density Σ (1−q)² and near density Σ (1−q)³ over the neighbours |
//! | P, P_near | pressures k(ρ−ρ0) and k_near ρ_near |
//! | D | displacement dt² (P (1−q) + P_near (1−q)²) along the pair |
//!
//! Particles are taken one after the other; each sees what those before it moved. The displacements of a particle's
//! neighbours apply at once, its own when all are known (Figure 4.5). With k_near = 0 this is Algorithm 2.
//!
//! Where it differs: the order is that of blocks and colours (see `neighbours.rs`); walls complete the density (see
//! `walls.rs`); pressures of particles below the bulk density are multiplied by `cohesion` (see `coefficients.rs`).
//! Limits: momentum is exact, angular momentum only to the first order in dt.

use super::coefficients::Coefficients;
use super::walls::WallTable;
use crate::contact::pushes::{self, Push};
use crate::lanes::{Lanes, widest};
use crate::neighbourhood::{Around, Hood, Local, Near};
use crate::neighbours::Grid;
use crate::objects::Solid;
use crate::parallel::{self, Shared};
use crate::particles::Particles;
use glam::Vec3;

/// Between this share of the bulk density and the whole, `cohesion` fades in.
const SURFACE_BEGINS: f32 = 0.9;

/// Walls and what they add to densities.
pub struct Walls<'a> {
    /// The objects.
    pub solids: &'a [Solid],
    /// What they add, or None where they only push.
    pub table: Option<&'a WallTable>,
    /// Number of free objects.
    pub free: usize,
    /// Mass of a particle [kg].
    pub mass: f64,
}

/// One sweep of double density relaxation over sorted particles. Returns what free objects get for pushing as walls.
pub fn relax(grid: &Grid, particles: &mut Particles, walls: &Walls, c: &Coefficients, dt: f32) -> Vec<Push> {
    let mut pushes = vec![Push::default(); grid.blocks() * walls.free];
    let shared_pushes = Shared::new(&mut pushes);
    let firmness = walls.firmness(grid, particles);
    let density = Shared::new(&mut particles.density);
    grid.each_block([&mut particles.position], |local, block| {
        let own = grid.particles_of(block);
        // SAFETY: each block writes the densities of its own particles, and its own pushes, only.
        let density = unsafe { density.slice(own.start, own.len()) };
        // SAFETY: as above.
        let pushes = unsafe { shared_pushes.slice(block * walls.free, walls.free) };
        let (centre, radius) = grid.sphere_of(block);
        let firm = |s: &Solid| s.free.map_or(1.0, |free| firmness[free as usize]);
        let near: Vec<(&Solid, f32)> = match walls.table {
            Some(_) => walls.near(centre, radius + c.h).map(|s| (s, firm(s))).collect(),
            None => Vec::new(),
        };
        let mut near =
            NearWalls { solids: &near, table: walls.table, mass_per_dt: walls.mass / dt as f64, pushes };
        sweep(local, density, &mut near, c, dt * dt);
    });
    pushes::sum(pushes.chunks(walls.free.max(1)).map(<[Push]>::to_vec), walls.free)
}

impl Walls<'_> {
    fn near(&self, centre: Vec3, reach: f32) -> impl Iterator<Item = &Solid> {
        self.solids.iter().filter(move |s| s.distance(centre) < reach)
    }

    /// Share of a wall's push that each free object withstands. It pushes particles, and they push back as much. Where they
    /// outweigh it, it would go farther in a step than they were pushed, and bounce on them: it may go as far and no farther.
    fn firmness(&self, grid: &Grid, particles: &Particles) -> Vec<f32> {
        let mut firmness = vec![1.0; self.free];
        let Some(table) = self.table.filter(|_| self.free > 0) else { return firmness };
        let free: Vec<&Solid> = self.solids.iter().filter(|s| s.free.is_some()).collect();
        let parts = parallel::collect(grid.blocks(), |block| {
            let (centre, radius) = grid.sphere_of(block);
            let near = |s: &Solid| s.distance(centre) < radius + table.reach();
            let sum = |s: &Solid| {
                grid.particles_of(block).map(|i| table.weight(s, particles.position.get(i))).sum()
            };
            free.iter().map(|s| if near(s) { sum(s) } else { 0.0 }).collect::<Vec<f32>>()
        });
        for (n, solid) in free.iter().enumerate() {
            let crowd = self.mass * parts.iter().map(|part| part[n] as f64).sum::<f64>();
            firmness[solid.free.unwrap_or(0) as usize] = (solid.mass / crowd.max(solid.mass)) as f32;
        }
        firmness
    }
}

/// The walls near a block.
struct NearWalls<'a> {
    /// Each with the share of its push that it withstands.
    solids: &'a [(&'a Solid, f32)],
    table: Option<&'a WallTable>,
    mass_per_dt: f64,
    /// What each free object gets.
    pushes: &'a mut [Push],
}

widest! {
    fn sweep(
        local: &mut Local<1>, density: &mut [f32], near: &mut NearWalls, c: &Coefficients, dt2: f32,
    ) = sweep_with
}

#[inline(always)]
fn sweep_with<V: Lanes>(
    local: &mut Local<1>,
    density: &mut [f32],
    near: &mut NearWalls,
    c: &Coefficients,
    dt2: f32,
) {
    let mut written = density.iter_mut();
    for cell in local.own_cells() {
        for i in local.enter(cell, Around::All) {
            let hood = &mut local.hood;
            hood.find_near::<V>(i, c.h);
            let (mut rho, mut rho_near, same) = densities::<V>(&mut hood.near, c.h);
            let behind = near.behind(hood.point(i), c.h);
            rho += behind.rho;
            rho_near += behind.rho_near;
            if let Some(d) = written.next() {
                *d = rho;
            }
            let scale = dt2 * cohesion(rho, c).min(restraint(rho, rho_near, c, dt2));
            let (p, p_near) = (scale * pressure(rho, rho_near, c), scale * c.k_near * rho_near);
            let mut own = displace::<V>(hood, p, p_near);
            own += near.displacement(&behind, hood.point(i), p, p_near);
            if same {
                own += nudge(i, c.h);
            }
            let [x, y, z] = &mut hood.axes[0];
            (x[i], y[i], z[i]) = (x[i] + own.x, y[i] + own.y, z[i] + own.z);
        }
        local.leave();
    }
}

/// Lines 4 to 9 of Algorithm 3, and whether a neighbour is at the very same point. Keeps 1/r and
/// 1−q for the second pass.
#[inline(always)]
fn densities<V: Lanes>(near: &mut Near, h: f32) -> (f32, f32, bool) {
    let (one, per_h) = (V::splat(1.0), V::splat(1.0 / h));
    let (mut rho, mut rho_near, mut same) = (V::splat(0.0), V::splat(0.0), 0);
    let mut k = 0;
    while k < near.len {
        let (_, square) = near.offsets::<V>(k);
        let per_r = square.inverse_sqrt();
        let a = one.sub(square.mul(per_r).mul(per_h)).max(V::splat(0.0));
        same |= square.less(V::splat(f32::MIN_POSITIVE));
        near.keep(k, 0, per_r);
        near.keep(k, 1, a);
        let a2 = a.mul(a);
        rho = rho.add(a2);
        rho_near = rho_near.add(a2.mul(a));
        k += 8;
    }
    (rho.sum(), rho_near.sum(), same != 0)
}

/// Lines 13 to 20 of Algorithm 3, with dt² in the pressures: moves the neighbours, returns the particle's own move.
#[inline(always)]
fn displace<V: Lanes>(hood: &mut Hood<1>, p: f32, p_near: f32) -> Vec3 {
    let Hood { near, axes: [[x, y, z]], .. } = hood;
    let (p, p_near) = (V::splat(p), V::splat(p_near));
    let mut own = [V::splat(0.0); 3];
    let mut k = 0;
    while k < near.len {
        let ([dx, dy, dz], _) = near.offsets::<V>(k);
        let (per_r, a) = (near.kept::<V>(k, 0), near.kept::<V>(k, 1));
        let along = p.add(p_near.mul(a)).mul(a).mul(per_r);
        let (dx, dy, dz) = (along.mul(dx), along.mul(dy), along.mul(dz));
        own = [own[0].sub(dx), own[1].sub(dy), own[2].sub(dz)];
        near.scatter(k, [dx, dy, dz], [x, y, z]);
        k += 8;
    }
    Vec3::new(own[0].sum(), own[1].sum(), own[2].sum())
}

/// What a particle multiplies its pressures with, by its density.
#[inline(always)]
fn cohesion(rho: f32, c: &Coefficients) -> f32 {
    let depth = (rho - SURFACE_BEGINS * c.rho_bulk) / ((1.0 - SURFACE_BEGINS) * c.rho_bulk);
    if c.cohesion < 1.0 { c.cohesion + (1.0 - c.cohesion) * depth.clamp(0.0, 1.0) } else { 1.0 }
}

/// Between these shares of the bulk density, from spray to liquid, attraction grows from what near repulsion can hold to
/// the source's own.
const SPRAY: [f32; 2] = [0.2, 0.4];

/// Equation 4.2. Two or three particles alone would be drawn to one point by P = k(ρ−ρ0): in spray, attraction is no more
/// than what balances near repulsion at the distance of one spacing, where 1−q is `c.rest_kernel`.
#[inline(always)]
fn pressure(rho: f32, rho_near: f32, c: &Coefficients) -> f32 {
    let full = c.k * (rho - c.rho0);
    let held = full.max(-c.k_near * rho_near * c.rest_kernel);
    let liquid = (rho - SPRAY[0] * c.rho_bulk) / ((SPRAY[1] - SPRAY[0]) * c.rho_bulk);
    if c.rest_kernel > 0.0 { held + (full - held) * liquid.clamp(0.0, 1.0) } else { full }
}

/// Overshoot of its goal that a particle's displacements may have, in the linear estimate of [`restraint`].
const OVERSHOOT: f32 = 1.5;

/// What keeps any crowd stable. Moving each neighbour and the particle by A(1−q) changes the density by −(4/h) A Σ(1−q)² =
/// −4Aρ/h, and likewise the near density's part: with A = dt² k(ρ−ρ0) the goal is overshot when 4 dt² kρ/h > 1. At the
/// stiffness that the engine chooses, the limit is not met but in crowds.
#[inline(always)]
fn restraint(rho: f32, rho_near: f32, c: &Coefficients, dt2: f32) -> f32 {
    let gain = 4.0 * dt2 * (c.k * rho + 1.5 * c.k_near * rho_near) / (OVERSHOOT * c.h);
    1.0 / gain.max(1.0)
}

/// What the walls near a particle add up to.
struct Behind {
    rho: f32,
    rho_near: f32,
    push: Vec3,
    push_near: Vec3,
}

impl NearWalls<'_> {
    #[inline(always)]
    fn behind(&self, p: Vec3, h: f32) -> Behind {
        let mut behind = Behind { rho: 0.0, rho_near: 0.0, push: Vec3::ZERO, push_near: Vec3::ZERO };
        if let Some(table) = self.table {
            for (solid, firm) in self.solids {
                solid.walls(p, h, |wall| {
                    let sums = table.at(&wall);
                    behind.rho += sums.rho;
                    behind.rho_near += sums.rho_near;
                    behind.push += firm * sums.push * wall.normal;
                    behind.push_near += firm * sums.push_near * wall.normal;
                });
            }
        }
        behind
    }

    /// The displacement away from the walls.
    #[inline(always)]
    fn displacement(&mut self, behind: &Behind, at: Vec3, p: f32, p_near: f32) -> Vec3 {
        let push = p * behind.push + p_near * behind.push_near;
        // Never towards the walls.
        if push.dot(behind.push) <= 0.0 {
            return Vec3::ZERO;
        }
        if !self.pushes.is_empty() {
            self.react(at, p, p_near);
        }
        push
    }

    /// Free objects get what they give as walls.
    fn react(&mut self, at: Vec3, p: f32, p_near: f32) {
        let (Some(table), pushes) = (self.table, &mut *self.pushes) else { return };
        for (solid, firm) in self.solids {
            let Some(free) = solid.free else { continue };
            solid.walls(at, table.reach(), |wall| {
                let sums = table.at(&wall);
                let given = firm * (p * sums.push + p_near * sums.push_near) * wall.normal;
                let arm = (at - solid.centre).as_dvec3();
                pushes[free as usize] += Push::at(-self.mass_per_dt * given.as_dvec3(), arm);
            });
        }
    }
}

/// Two particles at one point push each other nowhere: a nudge by a thousandth of h, by place, parts them.
fn nudge(i: usize, h: f32) -> Vec3 {
    let angle = i as f32 * 2.399_963; // the golden angle spreads successive directions evenly
    1e-3 * h * Vec3::new(angle.cos(), angle.sin(), 0.0)
}
