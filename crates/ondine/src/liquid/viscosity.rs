//! Viscosity in Pa·s.
//!
//! Source: thesis 000 §5.1, Algorithm 4: neighbours exchange impulses dt (1−q) σu along the pair, where u is the speed of
//! approach; approaching pairs also βu², which stops jets from passing through each other. Where it differs: 1−q is g q²,
//! a polynomial close to it (`kernel.rs`); receding pairs
//! exchange the linear part too, so that it is a viscosity: in a shear flow these impulses carry the momentum of
//! ν = σ h² V2 ⟨x²y²⟩/2, V2 = Σ g q⁴. The quadratic part is βu(u − u₀), u₀ a share of the speed of sound: streams that narrow are no collisions. And thick liquids are solved for the velocities at the end of the step,
//!
//! (M + dt S) v = M v₀,
//!
//! by conjugate gradients, so that any viscosity is carried as it is given. Whether converged or not, what is returned is
//! v₀ − dt M⁻¹S v: impulses between pairs, of which momentum knows nothing.
//!
//! Between unlike neighbours the thinner of the two rules. A wall that grips counts as liquid that goes on behind it as a
//! shear flow would, at rest on its surface: a drag σ k(d) on the particle's velocity along the wall, the integral of the above
//! over what is behind a flat wall.

use super::kernel;
use super::mirrors::Mirror;
use super::pairing::{Sight, by_sight, unpressed};
use super::pressure::{Field, apart, inside, lanes_of, splat, store};
use crate::clusters::{BlockLists, Cluster, Clusters, EIGHT};
use crate::lanes::Lanes;
use crate::parallel::{self, Shared};
use crate::power::Power;
use glam::Vec3;
use serde::{Deserialize, Serialize};

/// dt σ up to which impulses are exchanged once, from the velocities that are there. The stiffest motion of a lattice
/// loses some 7 dt σ of its velocity, in a crowd twice as much: all of it at 0.08.
pub const EXPLICIT: f32 = 0.08;

/// Residual at which a solution is good, over the change that viscosity makes.
const GOOD: f64 = 0.01;
/// Rounds after which it is good enough.
const ROUNDS: usize = 60;
/// Σ g q²/3 over the neighbours in a lattice, roughly: how much of η resists a particle's motion along an axis.
const LATTICE: f32 = 2.4;

/// A velocity [m/s] and, in the fourth place, η/h² = ρ_m σ dt/h² [kg/m⁵].
pub type Row = [f32; 4];

/// Who is near whom, for a pass over pairs.
pub struct Pairs<'a> {
    /// The particles.
    pub clusters: &'a Clusters,
    /// Their neighbours, block by block.
    pub near: &'a [BlockLists],
    /// Where they are, and of which liquid.
    pub field: &'a Field<'a>,
    /// Quadratic viscosity, ρ_m β dt/h² [kg s/m⁶].
    pub beta: f32,
    /// Speed of approach up to which there is no quadratic part [m/s].
    pub gentle: f32,
    /// Most that the quadratic part may be [kg/m⁵].
    pub most: f32,
}

impl Pairs<'_> {
    /// What each slot loses to its neighbours, over its volume [kg/(m² s)]: Σ η g q² u r̂.
    fn exchange(&self, rows: &[Row], lost: &mut [Row]) {
        let lost = Shared::new(lost);
        parallel::for_each(self.clusters.grid().block_numbers(), rows.len(), |&block| {
            for cluster in self.clusters.with(block as usize, &self.near[block as usize]) {
                // SAFETY: each cluster writes its own slots only.
                exchange(self, rows, &cluster, unsafe { lost.slice(cluster.first, cluster.len) });
            }
        });
    }
}

by_sight! {
    fn exchange(pairs: &Pairs, rows: &[Row], cluster: &Cluster, lost: &mut [Row]) = exchange_in in pairs.field
}

#[inline(always)]
fn exchange_in<V: Lanes, S: Sight<V>>(pairs: &Pairs, rows: &[Row], cluster: &Cluster, lost: &mut [Row]) {
    match pairs.beta > 0.0 {
        true => exchange_with::<V, S, true>(pairs, rows, cluster, lost),
        false => exchange_with::<V, S, false>(pairs, rows, cluster, lost),
    }
}

#[inline(always)]
fn exchange_with<V: Lanes, S: Sight<V>, const QUADRATIC: bool>(
    pairs: &Pairs,
    rows: &[Row],
    cluster: &Cluster,
    lost: &mut [Row],
) {
    let (beta, most, gentle) = (
        V::splat(pairs.beta * kernel::LAST_PER_Q),
        V::splat(pairs.most),
        V::splat(-pairs.beta * pairs.gentle),
    );
    let field = pairs.field;
    let (zero, sight) = (V::splat(0.0), unpressed::<V, S>(field, cluster));
    let at = lanes_of::<V>(field.at, cluster);
    let [vx, vy, vz, eta] = lanes_of::<V>(rows, cluster);
    let [mut sx, mut sy, mut sz] = [zero; 3];
    for (j, place, row) in cluster.near.with_both(field.at, rows) {
        let pair = sight.pair(field.kinds, j);
        let ([dx, dy, dz], square) = apart(at, place);
        let [wx, wy, wz, other] = splat::<V>(row);
        let v = inside(square, pair.per_square);
        // Speed at which they part, times distance.
        let along = vx.sub(wx).mul_add(dx, vy.sub(wy).mul_add(dy, vz.sub(wz).mul(dz)));
        let mut share = other.mul(pair.other).min(eta.mul(pair.own));
        if QUADRATIC {
            let quadratic = along.mul(kernel::per_q(v)).mul_add(beta.mul(pair.per_h), gentle);
            share = share.add(quadratic.max(zero).min(most).mul(pair.part));
        }
        let impulse = share.mul(along).mul(kernel::drag(v));
        (sx, sy, sz) = (impulse.mul_add(dx, sx), impulse.mul_add(dy, sy), impulse.mul_add(dz, sz));
    }
    let [sx, sy, sz] = [sx, sy, sz].map(|s| s.mul(V::splat(kernel::LAST_DRAG)));
    store([sx, sy, sz, zero], lost);
}

/// A wall that grips a particle.
#[derive(Clone, Copy, Debug)]
pub struct Grip {
    /// The particle's slot.
    pub slot: u32,
    /// The collider's number.
    pub collider: u32,
    normal: Vec3,
    /// Velocity of the wall [m/s].
    wall: Vec3,
    /// η k(d) [kg/m³].
    drag: f32,
}

impl Grip {
    /// The grip of a wall that moves with a velocity on a particle with η there.
    pub fn new(
        slot: usize,
        mirror: &Mirror,
        wall: Vec3,
        eta: f32,
        grip: f32,
        drag: &WallDrag,
        h: f32,
    ) -> Self {
        Self {
            slot: slot as u32,
            collider: mirror.collider() as u32,
            normal: mirror.normal,
            wall,
            drag: grip * eta * drag.at(mirror.distance / h, mirror.bend * h),
        }
    }

    /// What a particle of velocity `v` loses to the wall, over its volume [kg/(m² s)].
    fn lost(&self, v: Vec3) -> Vec3 {
        let slip = v - self.wall;
        self.drag * (slip - slip.dot(self.normal) * self.normal)
    }
}

/// The drag of a flat wall by distance, k(d) over σ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WallDrag(Vec<f32>);

impl WallDrag {
    /// Steps of the table.
    const STEPS: usize = 64;

    /// The drag on a liquid. `shear` is the sum V2 ⟨x²y²⟩ of its packing: what is behind the wall carries as much momentum as the
    /// liquid before it.
    pub fn new(shear: f32, planar: bool) -> Self {
        // Σ g q⁴ ⟨x²y²⟩ of an even distribution.
        let shells =
            |q: f64| kernel::at(q)[2] * q.power(4) * if planar { q / 8.0 } else { 2.0 * q * q / 15.0 };
        let even = 2.0 * std::f64::consts::PI * integral(0.0, shells);
        let scale = shear as f64 / even;
        let entry = |step: usize| {
            let u = (step as f64 / Self::STEPS as f64).max(0.02);
            (scale * behind(u, planar) / u) as f32
        };
        Self((0..=Self::STEPS + 1).map(entry).collect())
    }

    /// k at a distance of `u` h from a wall whose two bends have the sum `bend`, over 1/h. There is less behind one that bulges, and its
    /// surface is smaller than the layer of liquid on it: k falls with exp(−bend (0.33 + 0.49 u)), a fit to that integral
    /// over balls and hollows, here by the first terms of its series.
    fn at(&self, u: f32, bend: f32) -> f32 {
        let place = u.clamp(0.0, 1.0) * Self::STEPS as f32;
        let (step, part) = (place as usize, place.fract());
        let flat = self.0[step] + part * (self.0[step + 1] - self.0[step]);
        let less = bend * (0.33 + 0.49 * u);
        flat / (1.0 + less + 0.5 * less * less)
    }
}

/// ∫ g q³ c (1−c²)/2 over the part of the unit ball (in the plane ∫ g q³ c s² over that of the disc) behind a wall at
/// distance u, where c and s are cosine and sine of the angle to the wall's normal.
fn behind(u: f64, planar: bool) -> f64 {
    let shell = |q: f64| {
        let across = 1.0 - (u / q).power(2);
        let (area, part) = match planar {
            true => (q, 2.0 / 3.0 * across * across.sqrt()),
            false => (2.0 * std::f64::consts::PI * q * q, across * across / 8.0),
        };
        kernel::at(q)[2] * q.power(3) * area * part
    };
    if u < 1.0 { integral(u, shell) } else { 0.0 }
}

/// The integral of a function of q from `u` to 1.
fn integral(u: f64, f: impl Fn(f64) -> f64) -> f64 {
    const N: usize = 400;
    let dq = (1.0 - u) / N as f64;
    (0..N).map(|i| f(u + (i as f64 + 0.5) * dq) * dq).sum()
}

/// Buffers of a solution.
#[derive(Clone, Debug, Default)]
pub struct Viscosity {
    /// By slot: the velocity looked for and η; eight more.
    pub rows: Vec<Row>,
    /// By slot: ρ_m [kg/m³].
    pub density: Vec<f32>,
    /// By slot: the volume of a particle, over that of the first liquid's.
    pub volume: Vec<f32>,
    /// Walls that grip, in order of slots.
    pub grips: Vec<Grip>,
    before: Vec<Row>,
    residual: Vec<Row>,
    direction: Vec<Row>,
    product: Vec<Row>,
    diagonal: Vec<f32>,
}

impl Viscosity {
    /// Changes the velocities in `rows`. Returns what each grip took, over the particle's volume [kg/(m² s)].
    pub fn apply(&mut self, pairs: &Pairs, is_thick: bool) -> Vec<Vec3> {
        if is_thick { self.solve(pairs) } else { self.exchange_once(pairs) }
    }

    /// Thin liquids: once, from the velocities that are there; with walls at those of the end, however near.
    fn exchange_once(&mut self, pairs: &Pairs) -> Vec<Vec3> {
        let Self { rows, density, product: lost, .. } = self;
        lost.resize(density.len(), [0.0; 4]);
        pairs.exchange(rows, lost);
        let lost = &*lost;
        parallel::parts(&mut rows[..density.len()], |first, part| {
            for (k, row) in part.iter_mut().enumerate() {
                (0..3).for_each(|c| row[c] -= lost[first + k][c] / density[first + k]);
            }
        });
        self.hold()
    }

    /// Walls grip, each at the velocity of the end. Returns what each took.
    pub fn hold(&mut self) -> Vec<Vec3> {
        let Self { rows, density, grips, .. } = self;
        let hold = |grip: &Grip| {
            let (row, rho) = (&mut rows[grip.slot as usize], density[grip.slot as usize]);
            let lost = grip.lost(velocity(row)) * (rho / (rho + grip.drag));
            (0..3).for_each(|c| row[c] -= lost[c] / rho);
            lost
        };
        grips.iter().map(hold).collect()
    }

    /// Thick liquids: conjugate gradients, from the velocities that are there.
    fn solve(&mut self, pairs: &Pairs) -> Vec<Vec3> {
        self.begin(pairs);
        // Per volume S is symmetric only with volumes as weights.
        let mut measure = dot(&self.residual, &self.residual, |i| self.volume[i] / self.diagonal[i]);
        for _ in 0..ROUNDS {
            self.multiply(pairs);
            let along = dot(&self.direction, &self.product, |i| self.volume[i]);
            // Nothing to find, or nothing that is a number.
            if !(along > 0.0 && measure > 0.0) {
                break;
            }
            self.advance((measure / along) as f32);
            let next = dot(&self.residual, &self.residual, |i| self.volume[i] / self.diagonal[i]);
            self.turn((next / measure) as f32);
            measure = next;
            if self.is_good() {
                break;
            }
        }
        let taken = self.grips.iter().map(|g| g.lost(velocity(&self.rows[g.slot as usize]))).collect();
        // To v₀ − dt M⁻¹S v, which the residual is short of.
        let Self { rows, residual, density, .. } = self;
        parallel::parts(&mut rows[..density.len()], |first, part| {
            for (k, row) in part.iter_mut().enumerate() {
                (0..3).for_each(|c| row[c] += residual[first + k][c] / density[first + k]);
            }
        });
        taken
    }

    /// First residual, what viscosity would take at once, and first direction.
    fn begin(&mut self, pairs: &Pairs) {
        let n = self.density.len();
        self.before.clone_from(&self.rows);
        self.product.resize(n, [0.0; 4]);
        pairs.exchange(&self.rows, &mut self.product);
        for grip in &self.grips {
            let lost = grip.lost(velocity(&self.rows[grip.slot as usize]));
            (0..3).for_each(|c| self.product[grip.slot as usize][c] += lost[c]);
        }
        self.residual.clear();
        self.residual.extend(self.product.iter().map(|lost| lost.map(|x| -x)));
        // Each neighbour resists along one of three axes, on the average.
        self.diagonal.clear();
        let eta = |i: usize| self.rows[i][3] * pairs.field.at[i][3].power(2);
        self.diagonal.extend((0..n).map(|i| self.density[i] + LATTICE * eta(i)));
        for grip in &self.grips {
            self.diagonal[grip.slot as usize] += grip.drag;
        }
        self.direction.clear();
        self.direction.extend((0..n).map(|i| {
            let [x, y, z, _] = self.residual[i].map(|r| r / self.diagonal[i]);
            [x, y, z, self.rows[i][3]]
        }));
        self.direction.resize(n + EIGHT, [0.0; 4]);
    }

    /// (M + dt S) times the direction.
    fn multiply(&mut self, pairs: &Pairs) {
        let Self { direction, product, density, grips, .. } = self;
        pairs.exchange(direction, product);
        parallel::parts(product, |first, part| {
            for (k, q) in part.iter_mut().enumerate() {
                (0..3).for_each(|c| q[c] += density[first + k] * direction[first + k][c]);
            }
        });
        for grip in grips.iter() {
            let lost = grip.lost(grip.wall + velocity(&direction[grip.slot as usize]));
            (0..3).for_each(|c| product[grip.slot as usize][c] += lost[c]);
        }
    }

    fn advance(&mut self, step: f32) {
        let Self { rows, residual, direction, product, density, .. } = self;
        let go = |rows: &mut [Row], step: f32, along: &[Row]| {
            parallel::parts(rows, |first, part| {
                for (row, d) in part.iter_mut().zip(&along[first..]) {
                    (0..3).for_each(|c| row[c] += step * d[c]);
                }
            });
        };
        go(&mut rows[..density.len()], step, direction);
        go(residual, -step, product);
    }

    fn turn(&mut self, share: f32) {
        let Self { residual, direction, diagonal, .. } = self;
        parallel::parts(&mut direction[..diagonal.len()], |first, part| {
            for (k, d) in part.iter_mut().enumerate() {
                let (r, per) = (residual[first + k], 1.0 / diagonal[first + k]);
                (0..3).for_each(|c| d[c] = per * r[c] + share * d[c]);
            }
        });
    }

    /// Whether what is missing is little, beside what has changed.
    fn is_good(&self) -> bool {
        let missing = dot(&self.residual, &self.residual, |i| 1.0 / self.density[i].power(2));
        let sums = parallel::gather(self.density.len(), |range| {
            range
                .map(|i| (velocity(&self.rows[i]) - velocity(&self.before[i])).length_squared() as f64)
                .sum::<f64>()
        });
        missing <= GOOD * GOOD * sums.iter().sum::<f64>()
    }
}

fn velocity(row: &Row) -> Vec3 {
    Vec3::new(row[0], row[1], row[2])
}

/// The weighted product of two sets of vectors, summed in one order.
fn dot(a: &[Row], b: &[Row], weight: impl Fn(usize) -> f32 + Sync) -> f64 {
    let parts = parallel::gather(b.len().min(a.len()), |range| {
        range.map(|i| (weight(i) * velocity(&a[i]).dot(velocity(&b[i]))) as f64).sum::<f64>()
    });
    parts.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is behind a ball of radius `1/bend` (hollow: negative), all in h, as [`behind`] is: at rest on its surface, a shear flow
    /// beyond it. By sums over points of a fine lattice.
    fn behind_round(u: f64, bend: f64) -> f64 {
        const N: i32 = 40;
        let row = || (-N..N).map(|i| (i as f64 + 0.5) / N as f64);
        let (mut sum, size) = (0.0, 1.0 / (N as f64).powi(3));
        for (x, y, z) in row().flat_map(|x| row().flat_map(move |y| row().map(move |z| (x, y, z)))) {
            let q = (x * x + y * y + z * z).sqrt();
            let away = x.hypot(y).hypot(z + u + 1.0 / bend);
            let depth = bend.signum() * (1.0 / bend.abs() - away);
            if q < 1.0 && depth > 0.0 {
                sum += kernel::at(q)[2] * (1.0 + depth / u) * x * x * size;
            }
        }
        sum
    }

    #[test]
    fn round_walls_drag_by_what_is_behind_them() {
        let drag = WallDrag::new(1.0, false);
        for bend in [-0.2f64, -0.1, 0.2, 0.4, 0.6] {
            for u in [0.2, 0.4, 0.6] {
                let law = behind_round(u, bend) / behind_round(u, 1e-6);
                // A ball bends in two ways.
                let found = (drag.at(u as f32, 2.0 * bend as f32) / drag.at(u as f32, 0.0)) as f64;
                assert!((found / law - 1.0).abs() < 0.06, "bend {bend}, distance {u}: {found} for {law}");
            }
        }
    }
}
