//! Viscosity impulses.
//!
//! Source: thesis 000 §5.1, Algorithm 4: between approaching neighbours, I = dt (1−q)(σu + βu²) along the pair, taken
//! from the one and given to the other, where u is the speed of approach. Receding pairs feel nothing.
//!
//! Where it differs: for stability at any σ and dt. Write I = w u. One pair must not bounce, so w ≤ ½. A particle exchanges its
//! impulses with all its later neighbours at once; with W = Σw over them, kinetic energy changes by at most
//! −Σ w u² (1 − W/2 − w/2), so that W ≤ 1 means that energy never grows, whatever σ: larger sums are scaled down.
//! What a pass cannot carry is spread over several ([`passes`]), so that thick liquids keep their viscosity.
//! Linear and angular momentum are exact.

use super::coefficients::Coefficients;
use crate::lanes::{Lanes, widest};
use crate::neighbourhood::{Around, Local, Neighbourhood};
use crate::neighbours::Grid;
use crate::particles::ParticleArrays;

/// dt σ that one pass carries without being scaled down in the bulk (some 30 neighbours, half of them approaching).
pub const ONE_PASS: f32 = 0.25;
/// More passes than this would cost more than the rest of the step.
pub const MOST_PASSES: f32 = 16.0;

/// Number of passes for a step.
pub fn passes(sigma: f32, dt: f32) -> u32 {
    (sigma * dt / ONE_PASS).ceil().clamp(1.0, MOST_PASSES) as u32
}

/// Changes velocities by the impulses of one step.
pub fn apply(grid: &Grid, particles: &mut ParticleArrays, c: &Coefficients, dt: f32) {
    if c.sigma == 0.0 && c.beta == 0.0 {
        return;
    }
    let passes = passes(c.sigma, dt);
    for _ in 0..passes {
        let ParticleArrays { position, velocity, .. } = particles;
        grid.each_block([position, velocity], |local, _| sweep(local, c, dt / passes as f32));
    }
}

widest! {
    fn sweep(local: &mut Local<2>, c: &Coefficients, dt: f32) = sweep_with
}

#[inline(always)]
fn sweep_with<V: Lanes>(local: &mut Local<2>, c: &Coefficients, dt: f32) {
    for cell in local.own_cells() {
        for i in local.enter(cell, Around::Later) {
            local.neighbourhood.find_later::<V>(i, c.h);
            let total = weigh::<V>(&mut local.neighbourhood, i, c, dt);
            exchange::<V>(&mut local.neighbourhood, i, if total > 1.0 { 1.0 / total } else { 1.0 });
        }
        local.leave();
    }
}

/// Finds I/r for each neighbour and keeps it. Returns W.
#[inline(always)]
fn weigh<V: Lanes>(neighbourhood: &mut Neighbourhood<2>, i: usize, c: &Coefficients, dt: f32) -> f32 {
    let Neighbourhood { near, axes: [_, [vx, vy, vz]], .. } = neighbourhood;
    let (own_x, own_y, own_z) = (V::splat(vx[i]), V::splat(vy[i]), V::splat(vz[i]));
    let (zero, one, per_h) = (V::splat(0.0), V::splat(1.0), V::splat(1.0 / c.h));
    let mut total = zero;
    let mut k = 0;
    while k < near.len() {
        let ([dx, dy, dz], square) = near.offsets::<V>(k);
        let per_r = square.inverse_sqrt();
        let a = one.sub(square.mul(per_r).mul(per_h)).max(zero);
        // Speed of approach, negative where the pair recedes.
        let along = (own_x.sub(near.gather(k, vx)).mul(dx))
            .add(own_y.sub(near.gather(k, vy)).mul(dy))
            .add(own_z.sub(near.gather(k, vz)).mul(dz));
        let u = along.mul(per_r);
        let approach = u.max(zero);
        let w = V::splat(dt).mul(a).mul(V::splat(c.sigma).add(V::splat(c.beta).mul(approach)));
        // 1 where the pair approaches, 0 elsewhere.
        let counts = approach.mul(V::splat(f32::MAX)).min(one);
        let w = w.min(V::splat(0.5)).mul(counts);
        total = total.add(w);
        near.keep(k, 0, w.mul(u).mul(per_r));
        k += 8;
    }
    total.sum()
}

/// Takes the impulses, scaled, from particle i and gives them to its neighbours.
#[inline(always)]
fn exchange<V: Lanes>(neighbourhood: &mut Neighbourhood<2>, i: usize, scale: f32) {
    let Neighbourhood { near, axes: [_, [vx, vy, vz]], .. } = neighbourhood;
    let (mut x, mut y, mut z) = (V::splat(0.0), V::splat(0.0), V::splat(0.0));
    let mut k = 0;
    while k < near.len() {
        let ([dx, dy, dz], _) = near.offsets::<V>(k);
        let impulse = near.kept::<V>(k, 0).mul(V::splat(scale));
        let (dx, dy, dz) = (impulse.mul(dx), impulse.mul(dy), impulse.mul(dz));
        (x, y, z) = (x.add(dx), y.add(dy), z.add(dz));
        near.scatter(k, [dx, dy, dz], [vx, vy, vz]);
        k += 8;
    }
    (vx[i], vy[i], vz[i]) = (vx[i] - x.sum(), vy[i] - y.sum(), vz[i] - z.sum());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::particles::{Carry, strewn};
    use glam::{DVec3, Vec3};

    const DT: f32 = 1.0 / 30.0;

    fn apply_to(particles: &mut ParticleArrays, c: &Coefficients, planar: bool) {
        let mut grid = Grid::new(c.h, planar);
        grid.sort(particles, Carry::All);
        apply(&grid, particles, c, DT);
    }

    fn pair(distance: f32, speed: f32) -> ParticleArrays {
        ParticleArrays::of([
            (Vec3::ZERO, 0.5 * speed * Vec3::X),
            (distance * Vec3::X, -0.5 * speed * Vec3::X),
        ])
    }

    fn approach(p: &ParticleArrays) -> f32 {
        let v = p.by_name(&p.velocity);
        v[0].x - v[1].x
    }

    /// Thesis 000 Algorithm 4: q = 1/2, σ = 2, β = 1, u = 3 give I = dt/2 (2·3 + 1·9) = 1/4, taken from each of the two.
    #[test]
    fn an_approaching_pair_exchanges_the_impulse_of_algorithm_4() {
        let c = Coefficients { sigma: 2.0, beta: 1.0, ..Coefficients::inert(1.0) };
        for planar in [false, true] {
            let mut p = pair(0.5, 3.0);
            apply_to(&mut p, &c, planar);
            assert!((approach(&p) - 2.5).abs() < 1e-6, "{}", approach(&p));
            assert_eq!(
                p.by_name(&p.position),
                [Vec3::ZERO, 0.5 * Vec3::X],
                "positions are not viscosity's to change"
            );
        }
    }

    /// Algorithm 4, lines 3 and 6: only neighbours, and only those that approach.
    #[test]
    fn receding_and_distant_pairs_feel_exactly_nothing() {
        let c = Coefficients { sigma: 20.0, beta: 10.0, ..Coefficients::inert(1.0) };
        for (distance, speed) in [(0.5, -3.0), (0.5, -1e-6), (1.0, 3.0), (1.5, 3.0)] {
            let mut p = pair(distance, speed);
            apply_to(&mut p, &c, false);
            assert_eq!(approach(&p), speed);
        }
    }

    fn sums(p: &ParticleArrays) -> (DVec3, DVec3, f64) {
        let (mut linear, mut angular, mut energy) = (DVec3::ZERO, DVec3::ZERO, 0.0);
        for (x, v) in p.position.iter().zip(p.velocity.iter()) {
            let (x, v) = (x.as_dvec3(), v.as_dvec3());
            linear += v;
            angular += x.cross(v);
            energy += 0.5 * v.length_squared();
        }
        (linear, angular, energy)
    }

    /// Impulses along the pair, equal and opposite (thesis 000 §5.1): momentum and angular momentum to round-off, and
    /// never more energy than before, whatever σ and β. 400 particles, some 30 impulses each of 10⁻⁷ rounding.
    #[test]
    fn a_crowd_keeps_its_momenta_and_gains_no_energy_however_viscous() {
        for planar in [false, true] {
            for (sigma, beta) in [(1.0, 0.0), (30.0, 0.0), (0.0, 50.0), (1e4, 1e3)] {
                let h = if planar { 0.3 } else { 0.6 };
                let c = Coefficients { sigma, beta, ..Coefficients::inert(h) };
                let (x, v) = (strewn(400, planar, 3), strewn(400, planar, 4));
                let mut p = ParticleArrays::of(x.into_iter().zip(v));
                let (linear, angular, energy) = sums(&p);
                apply_to(&mut p, &c, planar);
                let now = sums(&p);
                assert!((now.0 - linear).length() < 2e-5, "{} → {}", linear, now.0);
                assert!((now.1 - angular).length() < 2e-5, "{} → {}", angular, now.1);
                assert!(now.2 < energy, "σ = {sigma}, β = {beta}: {energy} → {}", now.2);
            }
        }
    }
}
