//! Pressure from density, as the gradient of an energy.
//!
//! Source: thesis 000 chapter 4: a particle and its neighbours are pushed apart by the pressure of each, which follows from a
//! density measured over the neighbours. Where it differs: the thesis displaces particles one after the other, each seeing what
//! those before it moved. That is stable at any step and never quite at rest: what a particle gives its neighbours on the way is
//! not what it gets back, and walls feed currents. Here the forces on all particles are found at one instant, as the exact
//! gradient of
//!
//! E = Σ_i V K/2 (C_i/ε)²,   C = max(0, 2(ρ−ρ0)/(ρ+ρ0)),   ρ_i = Σ_j (1−q)⁴(1+4q)
//!
//! over neighbours and their images in walls (`mirrors.rs`). The kernel is Wendland's C², whose sums depend least on how
//! particles happen to be packed. The force between i and j, over the volume of a particle, is (π_i + π_j)(1−q)³ (x_i − x_j), with
//! π = 20K C C'/(ε² h²) less a cohesion (`tension.rs`). Momentum is kept to round-off, and a closed pool can only lose energy: forces
//! look ahead by a part of the step ([`LOOK_AHEAD`](super::material::LOOK_AHEAD)), and stiffness has a part that forgets
//! ([`MEMORY`](super::material::MEMORY)).
//! Where attraction outweighs pressure, two particles could fall into one: those closer than three quarters of a spacing are pushed
//! apart by a force of their own, as by the thesis's near pressure.
//! Limits: liquids that touch must have one interaction radius; the widest is taken for all.

use super::mirrors::{MOST, Mirror, Seen};
use super::tension::UNLIKE;
use crate::lanes::{Lanes, widest};
use crate::neighbourhood::NeighbourLists;
use glam::Vec3;
use std::ops::Range;

/// What both passes read.
pub struct Field<'a> {
    /// For each slot, where it is and π [Pa/m²]; one more far away, for padding.
    pub at: &'a [[f32; 4]],
    /// Interaction radius [m].
    pub h: f32,
    /// What particles see of walls.
    pub seen: &'a Seen,
    /// For each solid, the square root of the share of its push that it withstands.
    pub firm: &'a [f32],
    /// Distance over h below which neighbours push each other apart, whatever the density.
    pub close: f32,
    /// How hard they do, over (close − q) [Pa/m²].
    pub crowded: f32,
    /// Surface tension.
    pub tension: Tension<'a>,
}

/// What passes know of surface tension (see `tension.rs`).
#[derive(Clone, Copy)]
pub struct Tension<'a> {
    /// For each slot, π_c and the number of its liquid, where there are several; one more for padding.
    pub rows: &'a [[f32; 4]],
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
    /// For the particles of one block, Σ (1−q)³ (x_i − x_j) over neighbours and images [m], and ρ.
    pub fn densities(field: &Field, lists: &NeighbourLists, own: Range<usize>, sums: &mut [[f32; 4]]) = densities_with
}

#[inline(always)]
fn densities_with<V: Lanes>(field: &Field, lists: &NeighbourLists, own: Range<usize>, sums: &mut [[f32; 4]]) {
    let (zero, one, per_h) = (V::splat(0.0), V::splat(1.0), V::splat(1.0 / field.h));
    let limit = V::splat(field.h * field.h);
    let mut mirrored = Mirrored::default();
    for (n, (slot, sums)) in own.zip(sums).enumerate() {
        let (others, [x, y, z, _]) = (lists.of(n), splat::<V>(field.at[slot]));
        let mirrors = mirrored.look(field, slot, others);
        let [mut sum, mut nx, mut ny, mut nz] = [zero; 4];
        let mut normal = [zero; MOST];
        for (k, eight) in others.chunks_exact(8).enumerate() {
            // SAFETY: eight places, all of slots.
            let [ox, oy, oz, _] = unsafe { V::gather_rows(field.at.as_ptr(), eight.as_ptr()) };
            let (dx, dy, dz) = (x.sub(ox), y.sub(oy), z.sub(oz));
            let square = dx.mul(dx).add(dy.mul(dy)).add(dz.mul(dz));
            let a = one.sub(square.mul(square.inverse_sqrt_quick()).mul(per_h)).max(zero);
            sum = sum.add(kernel(a));
            let mut cube = a.mul(a).mul(a);
            if mirrors > 0 {
                let walls = mirrored.walls::<V>(k, [ox, oy, oz]);
                for which in 1..1 << mirrors {
                    let (square, weight) = mirrored.image(which, square, &walls);
                    if square.less(limit) != 0 {
                        let a = one.sub(square.mul(square.inverse_sqrt_quick()).mul(per_h)).max(zero);
                        sum = sum.add(kernel(a).mul(weight));
                        let image = a.mul(a).mul(a).mul(weight);
                        cube = cube.add(image);
                        for w in chosen(which) {
                            normal[w] = normal[w].add(image.mul(walls[w].twice));
                        }
                    }
                }
            }
            (nx, ny, nz) = (nx.add(cube.mul(dx)), ny.add(cube.mul(dy)), nz.add(cube.mul(dz)));
        }
        // A particle stands in its own list: it counts its image, not itself.
        let mut way = Vec3::new(nx.sum(), ny.sum(), nz.sum());
        for (w, normal) in normal.iter().enumerate().take(mirrors) {
            way += normal.sum() * mirrored.mirrors[w].normal;
        }
        *sums = way.extend(sum.sum() - 1.0).to_array();
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
    let is_mixed = !field.tension.rows.is_empty();
    let (close, crowded) = (V::splat(1.0 - field.close), V::splat(field.crowded));
    let (share, limit) = (V::splat(field.h * field.h / 20.0), V::splat(field.h * field.h));
    let mut mirrored = Mirrored::default();
    for (n, (slot, force)) in own.zip(force).enumerate() {
        let (others, [x, y, z, pressure]) = (lists.of(n), splat::<V>(field.at[slot]));
        let mirrors = mirrored.look(field, slot, others);
        let [mut fx, mut fy, mut fz] = [zero; 3];
        let mut normal = [zero; MOST];
        let [cohesion, kind, _, _] = if is_mixed { field.tension.rows[slot] } else { [0.0; 4] };
        for (k, eight) in others.chunks_exact(8).enumerate() {
            // SAFETY: eight places, all of slots.
            let [ox, oy, oz, other] = unsafe { V::gather_rows(field.at.as_ptr(), eight.as_ptr()) };
            let (dx, dy, dz) = (x.sub(ox), y.sub(oy), z.sub(oz));
            let square = dx.mul(dx).add(dy.mul(dy)).add(dz.mul(dz));
            let both = pressure.add(other);
            let per_r = square.inverse_sqrt_quick();
            let a = one.sub(square.mul(per_r).mul(per_h)).max(zero);
            let both = match is_mixed {
                true => both.add(unlike(eight, &field.tension, kind, cohesion)),
                false => both,
            };
            let mut along = both.mul(a.mul(a).mul(a)).add(a.sub(close).max(zero).mul(crowded));
            if mirrors > 0 {
                let walls = mirrored.walls::<V>(k, [ox, oy, oz]);
                for which in 1..1 << mirrors {
                    let (square, weight) = mirrored.image(which, square, &walls);
                    if square.less(limit) == 0 {
                        continue;
                    }
                    let per_r = square.inverse_sqrt_quick();
                    let a = one.sub(square.mul(per_r).mul(per_h)).max(zero);
                    let both = both.mul(weight);
                    let push = both.mul(a.mul(a).mul(a));
                    along = along.add(push);
                    for w in chosen(which) {
                        let bulge = both.mul(kernel(a)).mul(share).mul(V::splat(mirrored.mirrors[w].slope));
                        normal[w] = normal[w].add(push.mul(walls[w].twice).sub(bulge));
                    }
                }
            }
            (fx, fy, fz) = (fx.add(along.mul(dx)), fy.add(along.mul(dy)), fz.add(along.mul(dz)));
        }
        let mut total = Vec3::new(fx.sum(), fy.sum(), fz.sum());
        if mirrors > 0 {
            let pushes = [normal[0].sum(), normal[1].sum(), normal[2].sum()];
            for (mirror, push) in mirrored.mirrors[..mirrors].iter().zip(pushes) {
                let push = push * mirror.normal;
                total += push;
                walls.push(WallPush { slot: slot as u32, solid: mirror.solid() as u32, push });
            }
        }
        *force = total.extend(0.0).to_array();
    }
}

/// What of the π_c of a particle and each of eight neighbours unlike ones do not feel.
#[inline(always)]
fn unlike<V: Lanes>(eight: &[u32], tension: &Tension, kind: f32, cohesion: f32) -> V {
    // SAFETY: eight places, all of slots.
    let [others, kinds, _, _] = unsafe { V::gather_rows(tension.rows.as_ptr(), eight.as_ptr()) };
    let apart = kinds.sub(V::splat(kind));
    let is_unlike = apart.mul(apart).min(V::splat(1.0));
    others.add(V::splat(cohesion)).mul(is_unlike).mul(V::splat(1.0 - UNLIKE))
}

/// The kernel (1−q)⁴(1+4q), of a = 1−q.
#[inline(always)]
fn kernel<V: Lanes>(a: V) -> V {
    let a2 = a.mul(a);
    a2.mul(a2).mul(V::splat(5.0).sub(V::splat(4.0).mul(a)))
}

#[inline(always)]
pub(super) fn splat<V: Lanes>([x, y, z, w]: [f32; 4]) -> [V; 4] {
    [V::splat(x), V::splat(y), V::splat(z), V::splat(w)]
}

/// The mirrors in a choice of them, one bit each.
#[inline(always)]
pub(super) fn chosen(which: usize) -> impl Iterator<Item = usize> {
    (0..MOST).filter(move |w| which >> w & 1 == 1)
}

/// The walls that one particle and its neighbours see.
#[derive(Default)]
pub(super) struct Mirrored {
    pub(super) mirrors: [Mirror; MOST],
    len: usize,
    /// For each mirror that is a plane, its offset [m].
    offset: [f32; MOST],
    /// The product of the firmness of both ends and of the particle's weight.
    weight: [f32; MOST],
    /// For each mirror that is no plane and each neighbour, its distance from the wall [m] and its weight.
    distances: [Vec<f32>; MOST],
    weights: [Vec<f32>; MOST],
}

/// One wall as eight neighbours see it.
#[derive(Clone, Copy)]
pub(super) struct SeenWall<V> {
    /// 2 d_j [m].
    pub(super) twice: V,
    /// w_i w_j.
    pub(super) weight: V,
}

/// A distance from which no image is seen [m].
const FAR: f32 = 1e12;

impl Mirrored {
    /// Makes ready for one particle. Returns the number of walls that it sees.
    #[inline(always)]
    pub(super) fn look(&mut self, field: &Field, slot: usize, others: &[u32]) -> usize {
        let mirrors = field.seen.of(slot);
        self.len = mirrors.len();
        if !mirrors.is_empty() {
            self.look_at(field, slot, mirrors, others);
        }
        self.len
    }

    fn look_at(&mut self, field: &Field, slot: usize, mirrors: &[Mirror], others: &[u32]) {
        let [x, y, z, _] = field.at[slot];
        for (w, mirror) in mirrors.iter().enumerate() {
            let firm = field.firm[mirror.solid()];
            self.mirrors[w] = *mirror;
            self.weight[w] = firm * firm * mirror.weight;
            self.offset[w] = mirror.offset(Vec3::new(x, y, z));
            if mirror.is_plane {
                continue;
            }
            let same = |&j: &u32| match (j as usize) < field.at.len() - 1 {
                true => field.seen.same(j as usize, mirror.wall),
                false => None,
            };
            self.distances[w].clear();
            self.distances[w].extend(others.iter().map(|j| same(j).map_or(FAR, |m| m.distance)));
            self.weights[w].clear();
            self.weights[w].extend(others.iter().map(|j| same(j).map_or(0.0, |m| self.weight[w] * m.weight)));
        }
    }

    /// The walls as neighbours 8k to 8k+7 see them.
    #[inline(always)]
    pub(super) fn walls<V: Lanes>(&self, k: usize, [x, y, z]: [V; 3]) -> [SeenWall<V>; MOST] {
        let mut walls = [SeenWall { twice: V::splat(0.0), weight: V::splat(0.0) }; MOST];
        for (w, wall) in walls.iter_mut().enumerate().take(self.len) {
            let (mirror, two) = (&self.mirrors[w], V::splat(2.0));
            if mirror.is_plane {
                let n = mirror.normal;
                let across = V::splat(n.x).mul(x).add(V::splat(n.y).mul(y)).add(V::splat(n.z).mul(z));
                let distance = across.add(V::splat(self.offset[w]));
                // A neighbour in the wall is on it.
                wall.twice = distance.max(V::splat(0.0)).mul(two);
                wall.weight = V::splat(self.weight[w]);
                continue;
            }
            let (distances, weights) =
                (&self.distances[w][8 * k..8 * k + 8], &self.weights[w][8 * k..8 * k + 8]);
            // SAFETY: both hold eight values.
            unsafe {
                wall.twice = V::load(distances.as_ptr()).mul(two);
                wall.weight = V::load(weights.as_ptr());
            }
        }
        walls
    }

    /// r'² and the weight of eight images in a choice of walls.
    #[inline(always)]
    pub(super) fn image<V: Lanes>(&self, which: usize, square: V, walls: &[SeenWall<V>; MOST]) -> (V, V) {
        let (mut square, mut weight) = (square, V::splat(1.0));
        for w in chosen(which) {
            square = square.add(walls[w].twice.mul(V::splat(2.0 * self.mirrors[w].distance)));
            weight = weight.mul(walls[w].weight);
        }
        (square, weight)
    }
}
