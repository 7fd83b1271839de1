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
//! Where it differs: the order is that of blocks and colours (see `neighbours.rs`), and crowds are restrained. This is the
//! source's own method, `[liquid.thesis]`; the default one is in `pressure.rs`.
//! Limits: momentum is exact, angular momentum only to the first order in dt.

use super::coefficients::Coefficients;
use crate::lanes::{Lanes, widest};
use crate::neighbourhood::{Around, Local, NeighbourList, Neighbourhood};
use crate::neighbours::Grid;
use crate::parallel::Shared;
use crate::particles::ParticleArrays;
use glam::Vec3;

/// One sweep of double density relaxation over sorted particles.
pub fn relax(grid: &Grid, particles: &mut ParticleArrays, c: &Coefficients, dt: f32) {
    let density = Shared::new(&mut particles.density);
    grid.each_block([&mut particles.position], |local, block| {
        let own = grid.particles_of(block);
        // SAFETY: each block writes the densities of its own particles only.
        let density = unsafe { density.slice(own.start, own.len()) };
        sweep(local, density, c, dt * dt);
    });
}

widest! {
    fn sweep(local: &mut Local<1>, density: &mut [f32], c: &Coefficients, dt2: f32) = sweep_with
}

#[inline(always)]
fn sweep_with<V: Lanes>(local: &mut Local<1>, density: &mut [f32], c: &Coefficients, dt2: f32) {
    let mut written = density.iter_mut();
    for cell in local.own_cells() {
        for i in local.enter(cell, Around::All) {
            let neighbourhood = &mut local.neighbourhood;
            neighbourhood.find_near::<V>(i, c.h);
            let (rho, rho_near, same) = densities::<V>(&mut neighbourhood.near, c.h);
            if let Some(d) = written.next() {
                *d = rho;
            }
            let scale = dt2 * restraint(rho, rho_near, c, dt2);
            // Equation 4.2.
            let (p, p_near) = (scale * c.k * (rho - c.rho0), scale * c.k_near * rho_near);
            let mut own = displace::<V>(neighbourhood, p, p_near);
            if same {
                own += nudge(i, c.h);
            }
            let [x, y, z] = &mut neighbourhood.axes[0];
            (x[i], y[i], z[i]) = (x[i] + own.x, y[i] + own.y, z[i] + own.z);
        }
        local.leave();
    }
}

/// Lines 4 to 9 of Algorithm 3, and whether a neighbour is at the very same point. Keeps 1/r and
/// 1−q for the second pass.
#[inline(always)]
fn densities<V: Lanes>(near: &mut NeighbourList, h: f32) -> (f32, f32, bool) {
    let (one, per_h) = (V::splat(1.0), V::splat(1.0 / h));
    let (mut rho, mut rho_near, mut same) = (V::splat(0.0), V::splat(0.0), 0);
    let mut k = 0;
    while k < near.len() {
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
fn displace<V: Lanes>(neighbourhood: &mut Neighbourhood<1>, p: f32, p_near: f32) -> Vec3 {
    let Neighbourhood { near, axes: [[x, y, z]], .. } = neighbourhood;
    let (p, p_near) = (V::splat(p), V::splat(p_near));
    let mut own = [V::splat(0.0); 3];
    let mut k = 0;
    while k < near.len() {
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

/// Overshoot of its goal that a particle's displacements may have, in the linear estimate of [`restraint`].
const OVERSHOOT: f32 = 1.5;

/// What keeps any crowd stable. Moving each neighbour and the particle by A(1−q) changes the density by −(4/h) A Σ(1−q)² =
/// −4Aρ/h, and likewise the near density's part: with A = dt² k(ρ−ρ0) the goal is overshot when 4 dt² kρ/h > 1.
#[inline(always)]
fn restraint(rho: f32, rho_near: f32, c: &Coefficients, dt2: f32) -> f32 {
    let gain = 4.0 * dt2 * (c.k * rho + 1.5 * c.k_near * rho_near) / (OVERSHOOT * c.h);
    1.0 / gain.max(1.0)
}

/// Two particles at one point push each other nowhere: a nudge by a thousandth of h, by place, parts them.
fn nudge(i: usize, h: f32) -> Vec3 {
    let angle = i as f32 * 2.399_963; // the golden angle spreads successive directions evenly
    1e-3 * h * Vec3::new(libm::cosf(angle), libm::sinf(angle), 0.0)
}
