//! Pressure from density, as the gradient of an energy.
//!
//! Source: thesis 000 chapter 4 gives the density measure, Σ (1−q)³ (its near density), and the picture of a particle and its
//! neighbours pushed apart by the pressure of each. Where it differs: the thesis displaces particles one after the other, each
//! seeing what those before it moved. That is stable at any step and never quite at rest: what a particle gives its neighbours
//! on the way is not what it gets back, and walls feed currents. Here the forces on all particles are found at one instant, as
//! the exact gradient of
//!
//! E = Σ_i V_i K/2 (C_i/ε)²,   C_i = max(0, ρ_i/ρ0 − 1),   ρ_i = Σ_j (V_j/V_i) (1−q_ij)³
//!
//! over neighbours and their images in walls (`mirrors.rs`). The acceleration of particle i by j is
//! (π_i (V_j/V_i) (1−q_i)² + π_j (1−q_j)²)/ρ_m,i along the pair, with π = 3K C/(ε² ρ0 h). Each liquid has its own h and q = r/h.
//! Momentum is kept to round-off, and a closed pool can only lose energy: forces look ahead by a part of the step
//! ([`LOOK_AHEAD`](super::material::LOOK_AHEAD)), and stiffness has a part that forgets ([`MEMORY`](super::material::MEMORY)).
//! Limits: below rest density there is no pressure but what memory leaves.

use super::mirrors::{MOST, Mirror, Seen};
use crate::lanes::{Lanes, widest};
use crate::neighbourhood::NeighbourLists;
use glam::Vec3;
use std::ops::Range;

/// What both passes read.
pub struct Field<'a> {
    /// For each slot, where it is and π [Pa/m]; one more far away, for padding.
    pub at: &'a [[f32; 4]],
    /// Interaction radius [m].
    pub h: f32,
    /// What particles see of walls.
    pub seen: &'a Seen,
    /// For each solid, the square root of the share of its push that it withstands.
    pub firm: &'a [f32],
}

/// The force of one wall on one particle.
#[derive(Clone, Copy, Debug)]
pub struct WallPush {
    /// The particle's slot.
    pub slot: u32,
    /// The solid's number.
    pub solid: u32,
    /// Push on the particle, times its mass density [N/m³].
    pub push: Vec3,
}

widest! {
    /// ρ of the particles of one block.
    pub fn densities(field: &Field, lists: &NeighbourLists, own: Range<usize>, rho: &mut [f32]) = densities_with
}

#[inline(always)]
fn densities_with<V: Lanes>(field: &Field, lists: &NeighbourLists, own: Range<usize>, rho: &mut [f32]) {
    let (zero, one, per_h) = (V::splat(0.0), V::splat(1.0), V::splat(1.0 / field.h));
    let mut images = Images::default();
    for (n, (slot, rho)) in own.zip(rho).enumerate() {
        let (others, [x, y, z]) = (lists.of(n), splat::<V>(field.at[slot]));
        let mut sum = zero;
        for eight in others.chunks_exact(8) {
            // SAFETY: eight places, all of slots.
            let [ox, oy, oz, _] = unsafe { V::gather_rows(field.at.as_ptr(), eight.as_ptr()) };
            let (dx, dy, dz) = (ox.sub(x), oy.sub(y), oz.sub(z));
            let square = dx.mul(dx).add(dy.mul(dy)).add(dz.mul(dz));
            let a = one.sub(square.mul(square.inverse_sqrt_quick()).mul(per_h)).max(zero);
            sum = sum.add(a.mul(a).mul(a));
        }
        if images.look(field, slot, others) {
            images.each::<V>(field, slot, |image| {
                let a = one.sub(image.square.mul(image.per_r).mul(per_h)).max(zero);
                sum = sum.add(a.mul(a).mul(a).mul(image.weight));
            });
        }
        *rho = sum.sum();
    }
}

widest! {
    /// Accelerations of the particles of one block, times their mass density [N/m³]; what walls do is added to `walls`.
    pub fn forces(
        field: &Field, lists: &NeighbourLists, own: Range<usize>, force: &mut [[f32; 4]], walls: &mut Vec<WallPush>,
    ) = forces_with
}

#[inline(always)]
fn forces_with<V: Lanes>(
    field: &Field,
    lists: &NeighbourLists,
    own: Range<usize>,
    force: &mut [[f32; 4]],
    walls: &mut Vec<WallPush>,
) {
    let (zero, one, per_h) = (V::splat(0.0), V::splat(1.0), V::splat(1.0 / field.h));
    let mut images = Images::default();
    for (n, (slot, force)) in own.zip(force).enumerate() {
        let (others, [x, y, z]) = (lists.of(n), splat::<V>(field.at[slot]));
        let pressure = V::splat(field.at[slot][3]);
        let [mut fx, mut fy, mut fz] = [zero; 3];
        for eight in others.chunks_exact(8) {
            // SAFETY: eight places, all of slots.
            let [ox, oy, oz, other] = unsafe { V::gather_rows(field.at.as_ptr(), eight.as_ptr()) };
            let (dx, dy, dz) = (x.sub(ox), y.sub(oy), z.sub(oz));
            let square = dx.mul(dx).add(dy.mul(dy)).add(dz.mul(dz));
            let per_r = square.inverse_sqrt_quick();
            let a = one.sub(square.mul(per_r).mul(per_h)).max(zero);
            let along = pressure.add(other).mul(a.mul(a)).mul(per_r);
            (fx, fy, fz) = (fx.add(along.mul(dx)), fy.add(along.mul(dy)), fz.add(along.mul(dz)));
        }
        let mut normal = [zero; MOST];
        if images.look(field, slot, others) {
            let third = V::splat(field.h / 3.0);
            images.each::<V>(field, slot, |image| {
                let a = one.sub(image.square.mul(image.per_r).mul(per_h)).max(zero);
                let both = pressure.add(image.pressure).mul(image.weight).mul(a).mul(a);
                let along = both.mul(image.per_r);
                let [dx, dy, dz] = image.offset;
                (fx, fy, fz) = (fx.add(along.mul(dx)), fy.add(along.mul(dy)), fz.add(along.mul(dz)));
                for w in image.walls() {
                    let bulge = both.mul(a).mul(third).mul(V::splat(image.mirrors[w].slope));
                    normal[w] = normal[w].add(along.mul(image.twice[w]).sub(bulge));
                }
            });
        }
        let mut total = Vec3::new(fx.sum(), fy.sum(), fz.sum());
        for (mirror, normal) in field.seen.of(slot).iter().zip(normal) {
            let push = normal.sum() * mirror.normal;
            total += push;
            walls.push(WallPush { slot: slot as u32, solid: mirror.solid() as u32, push });
        }
        *force = total.extend(0.0).to_array();
    }
}

#[inline(always)]
fn splat<V: Lanes>([x, y, z, _]: [f32; 4]) -> [V; 3] {
    [V::splat(x), V::splat(y), V::splat(z)]
}

/// The images that one particle sees. Filled anew for each.
#[derive(Default)]
struct Images {
    /// The neighbours and the particle itself, padded.
    others: Vec<u32>,
    /// For each mirror and neighbour, its distance from the wall [m], far where it does not see it.
    distance: [Vec<f32>; MOST],
    /// The product of the two weights.
    weight: [Vec<f32>; MOST],
    len: usize,
}

/// Eight images.
struct Image<'a, V> {
    /// Which of the mirrors they are in, one bit each.
    which: usize,
    mirrors: &'a [Mirror],
    /// The particle's place less that of the neighbours themselves [m].
    offset: [V; 3],
    /// r'² and 1/r'.
    square: V,
    per_r: V,
    /// π of the neighbours.
    pressure: V,
    /// 2 d_j for each mirror.
    twice: [V; MOST],
    weight: V,
}

impl<V> Image<'_, V> {
    #[inline(always)]
    fn walls(&self) -> impl Iterator<Item = usize> + use<V> {
        let which = self.which;
        (0..MOST).filter(move |w| which >> w & 1 == 1)
    }
}

/// A distance from which no image is seen [m].
const FAR: f32 = 1e12;

impl Images {
    /// Finds how far a particle's neighbours are from the walls that it sees. Whether it sees any.
    #[inline(always)]
    fn look(&mut self, field: &Field, slot: usize, others: &[u32]) -> bool {
        let mirrors = field.seen.of(slot);
        if mirrors.is_empty() {
            return false;
        }
        self.others.clear();
        self.others.extend_from_slice(others);
        let nobody = field.at.len() as u32 - 1;
        self.others.extend([slot as u32, nobody, nobody, nobody, nobody, nobody, nobody, nobody]);
        let at = |slot: u32| {
            let [x, y, z, _] = field.at[slot as usize];
            Vec3::new(x, y, z)
        };
        for (w, mirror) in mirrors.iter().enumerate() {
            let firm = field.firm[mirror.solid()] * mirror.weight;
            let (distance, weight) = (&mut self.distance[w], &mut self.weight[w]);
            distance.clear();
            weight.clear();
            if mirror.is_plane {
                let offset = mirror.offset(at(slot as u32));
                let closest = mirror.distance.min(0.01 * field.h);
                distance.extend(self.others.iter().map(|&j| (mirror.normal.dot(at(j)) + offset).max(closest)));
                weight.resize(self.others.len(), firm * firm);
                continue;
            }
            for &j in &self.others {
                let same = (j != nobody).then(|| field.seen.same(j as usize, mirror.wall)).flatten();
                distance.push(same.map_or(FAR, |m| m.distance));
                weight.push(same.map_or(0.0, |m| firm * field.firm[m.solid()] * m.weight));
            }
        }
        self.len = mirrors.len();
        true
    }

    /// Calls `see` with the images in every choice of mirrors, eight at a time.
    #[inline(always)]
    fn each<V: Lanes>(&self, field: &Field, slot: usize, mut see: impl FnMut(Image<V>)) {
        let mirrors = field.seen.of(slot);
        let [x, y, z] = splat::<V>(field.at[slot]);
        let limit = V::splat(field.h * field.h);
        for (n, eight) in self.others.chunks_exact(8).enumerate() {
            // SAFETY: eight places, all of slots; as many distances and weights as neighbours.
            let (rows, twice, weights) = unsafe {
                let load = |all: &[Vec<f32>; MOST], w: usize| match w < self.len {
                    true => V::load(all[w].as_ptr().add(8 * n)),
                    false => V::splat(0.0),
                };
                (
                    V::gather_rows(field.at.as_ptr(), eight.as_ptr()),
                    std::array::from_fn(|w| load(&self.distance, w).mul(V::splat(2.0))),
                    std::array::from_fn::<V, MOST, _>(|w| load(&self.weight, w)),
                )
            };
            let [ox, oy, oz, pressure] = rows;
            let offset = [x.sub(ox), y.sub(oy), z.sub(oz)];
            let straight = offset.iter().fold(V::splat(0.0), |sum, d| sum.add(d.mul(*d)));
            for which in 1..1usize << self.len {
                let (mut square, mut weight) = (straight, V::splat(1.0));
                for w in (0..self.len).filter(|w| which >> w & 1 == 1) {
                    square = square.add(twice[w].mul(V::splat(2.0 * mirrors[w].distance)));
                    weight = weight.mul(weights[w]);
                }
                if square.less(limit) != 0 {
                    let per_r = square.inverse_sqrt_quick();
                    see(Image { which, mirrors, offset, square, per_r, pressure, twice, weight });
                }
            }
        }
    }
}
