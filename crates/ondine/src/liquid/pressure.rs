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

use super::images::{Choice, SeenWall};
use super::mirrors::MOST;
use super::tension::UNLIKE;
use crate::clusters::{Cluster, EIGHT};
use crate::lanes::{Lanes, widest};
use glam::Vec3;

/// What passes read.
pub struct Field<'a> {
    /// For each slot, where it is; eight more for the lanes of the last cluster.
    pub at: &'a [[f32; 4]],
    /// Interaction radius [m].
    pub h: f32,
    /// Distance over h below which neighbours push each other apart, whatever the density.
    pub close: f32,
    /// How hard they do, over (close − q) [Pa/m²].
    pub crowded: f32,
    /// Whether any liquid has surface tension.
    pub is_tense: bool,
    /// For each slot, π_c and the number of its liquid, where there are several; eight more.
    pub kinds: &'a [[f32; 4]],
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
    /// For the particles of one cluster, ρ, and where there is tension Σ (1−q)³ (x_i − x_j) over neighbours [m]. Those that are within h
    /// now go to `near`, which has room for all. Returns their number.
    pub fn densities(field: &Field, cluster: &Cluster, sums: &mut [[f32; 4]], near: &mut [u32]) -> usize = densities_with
}

#[inline(always)]
fn densities_with<V: Lanes>(
    field: &Field,
    cluster: &Cluster,
    sums: &mut [[f32; 4]],
    near: &mut [u32],
) -> usize {
    let (limit, mut len) = (V::splat(field.h * field.h), 0);
    let (zero, one, per_h) = (V::splat(0.0), V::splat(1.0), V::splat(1.0 / field.h));
    let [x, y, z, _] = lanes_of::<V>(field.at, cluster);
    let [mut sum, mut nx, mut ny, mut nz] = [zero; 4];
    for &j in cluster.near {
        let [ox, oy, oz, _] = splat::<V>(row(field.at, j));
        let (dx, dy, dz) = (x.sub(ox), y.sub(oy), z.sub(oz));
        let square = dx.mul(dx).add(dy.mul(dy)).add(dz.mul(dz));
        near[len] = j;
        len += usize::from(square.less(limit) != 0);
        let a = one.sub(square.sqrt().mul(per_h)).max(zero);
        let a2 = a.mul(a);
        sum = sum.add(kernel(a, a2));
        if field.is_tense {
            let cube = a2.mul(a);
            (nx, ny, nz) = (nx.add(cube.mul(dx)), ny.add(cube.mul(dy)), nz.add(cube.mul(dz)));
        }
    }
    // A particle stands in its own list.
    store([nx, ny, nz, sum.sub(one)], sums);
    len
}

widest! {
    /// Adds what the particles of one cluster see in a choice of walls to their sums.
    pub fn image_densities(field: &Field, cluster: &Cluster, choice: &Choice, sums: &mut [[f32; 4]]) = image_densities_with
}

#[inline(always)]
fn image_densities_with<V: Lanes>(field: &Field, cluster: &Cluster, choice: &Choice, sums: &mut [[f32; 4]]) {
    let (zero, one, per_h) = (V::splat(0.0), V::splat(1.0), V::splat(1.0 / field.h));
    let own: V = choice.weight();
    let [x, y, z, _] = lanes_of::<V>(field.at, cluster);
    let [mut sum, mut nx, mut ny, mut nz] = [zero; 4];
    let mut normal = [zero; MOST];
    for image in choice.images {
        let [ox, oy, oz, _] = splat::<V>(row(field.at, image.slot));
        let (dx, dy, dz) = (x.sub(ox), y.sub(oy), z.sub(oz));
        let square = choice.square(image, dx.mul(dx).add(dy.mul(dy)).add(dz.mul(dz)));
        let a = one.sub(square.sqrt().mul(per_h)).max(zero);
        let (a2, weight) = (a.mul(a), own.mul(V::splat(image.weight)));
        sum = sum.add(kernel(a, a2).mul(weight));
        if field.is_tense {
            let cube = a2.mul(a).mul(weight);
            (nx, ny, nz) = (nx.add(cube.mul(dx)), ny.add(cube.mul(dy)), nz.add(cube.mul(dz)));
            for (normal, twice) in normal.iter_mut().zip(image.twice) {
                *normal = normal.add(cube.mul(V::splat(twice)));
            }
        }
    }
    for (wall, normal) in choice.walls.iter().zip(normal) {
        let [ux, uy, uz] = wall.normal::<V>();
        (nx, ny, nz) = (nx.add(normal.mul(ux)), ny.add(normal.mul(uy)), nz.add(normal.mul(uz)));
    }
    add([nx, ny, nz, sum], sums);
}

widest! {
    /// Accelerations of the particles of one cluster, times their mass density [N/m³]. `pressures` has for each slot π [Pa/m²],
    /// and eight more.
    pub fn forces(field: &Field, pressures: &[f32], cluster: &Cluster, force: &mut [[f32; 4]]) = forces_with
}

#[inline(always)]
fn forces_with<V: Lanes>(field: &Field, pressures: &[f32], cluster: &Cluster, force: &mut [[f32; 4]]) {
    let (zero, one, per_h) = (V::splat(0.0), V::splat(1.0), V::splat(1.0 / field.h));
    let (close, crowded) = (V::splat(1.0 - field.close), V::splat(field.crowded));
    let [x, y, z, _] = lanes_of::<V>(field.at, cluster);
    let of_own = Own::<V>::of(field, pressures, cluster);
    let [mut fx, mut fy, mut fz] = [zero; 3];
    for &j in cluster.near {
        let [ox, oy, oz, _] = splat::<V>(row(field.at, j));
        let (dx, dy, dz) = (x.sub(ox), y.sub(oy), z.sub(oz));
        let square = dx.mul(dx).add(dy.mul(dy)).add(dz.mul(dz));
        let both = of_own.and(field, pressures, j);
        let a = one.sub(square.sqrt().mul(per_h)).max(zero);
        let along = both.mul(a.mul(a).mul(a)).add(a.sub(close).max(zero).mul(crowded));
        (fx, fy, fz) = (fx.add(along.mul(dx)), fy.add(along.mul(dy)), fz.add(along.mul(dz)));
    }
    store([fx, fy, fz, zero], force);
}

widest! {
    /// Adds what the particles of one cluster get from a choice of walls; that of each wall is added to `walls`, too.
    pub fn image_forces(
        field: &Field, pressures: &[f32], cluster: &Cluster, choice: &Choice, force: &mut [[f32; 4]], walls: &mut Vec<WallPush>,
    ) = image_forces_with
}

#[inline(always)]
fn image_forces_with<V: Lanes>(
    field: &Field,
    pressures: &[f32],
    cluster: &Cluster,
    choice: &Choice,
    force: &mut [[f32; 4]],
    walls: &mut Vec<WallPush>,
) {
    let (zero, one, per_h) = (V::splat(0.0), V::splat(1.0), V::splat(1.0 / field.h));
    let own_weight: V = choice.weight();
    let [x, y, z, _] = lanes_of::<V>(field.at, cluster);
    let of_own = Own::<V>::of(field, pressures, cluster);
    let [mut fx, mut fy, mut fz, mut bulge] = [zero; 4];
    let mut normal = [zero; MOST];
    for image in choice.images {
        let [ox, oy, oz, _] = splat::<V>(row(field.at, image.slot));
        let (dx, dy, dz) = (x.sub(ox), y.sub(oy), z.sub(oz));
        let square = choice.square(image, dx.mul(dx).add(dy.mul(dy)).add(dz.mul(dz)));
        let both = of_own.and(field, pressures, image.slot).mul(own_weight).mul(V::splat(image.weight));
        let a = one.sub(square.sqrt().mul(per_h)).max(zero);
        let a2 = a.mul(a);
        let along = both.mul(a2.mul(a));
        (fx, fy, fz) = (fx.add(along.mul(dx)), fy.add(along.mul(dy)), fz.add(along.mul(dz)));
        bulge = bulge.add(both.mul(kernel(a, a2)));
        for (normal, twice) in normal.iter_mut().zip(image.twice) {
            *normal = normal.add(along.mul(V::splat(twice)));
        }
    }
    bulge = bulge.mul(V::splat(field.h * field.h / 20.0));
    for (wall, normal) in choice.walls.iter().zip(normal) {
        let ([ux, uy, uz], [sx, sy, sz]) = (wall.normal::<V>(), wall.slope::<V>());
        let push = [
            normal.mul(ux).sub(bulge.mul(sx)),
            normal.mul(uy).sub(bulge.mul(sy)),
            normal.mul(uz).sub(bulge.mul(sz)),
        ];
        (fx, fy, fz) = (fx.add(push[0]), fy.add(push[1]), fz.add(push[2]));
        tell(push, cluster, wall, walls);
    }
    add([fx, fy, fz, zero], force);
}

/// π of the particles of a cluster, and of which liquid they are.
struct Own<V> {
    pressure: V,
    cohesion: V,
    kind: V,
}

impl<V: Lanes> Own<V> {
    #[inline(always)]
    fn of(field: &Field, pressures: &[f32], cluster: &Cluster) -> Self {
        // SAFETY: eight more than slots.
        let pressure = unsafe { V::load(pressures[cluster.first..cluster.first + EIGHT].as_ptr()) };
        let [cohesion, kind, _, _] = match field.kinds.is_empty() {
            true => [V::splat(0.0); 4],
            false => lanes_of::<V>(field.kinds, cluster),
        };
        Self { pressure, cohesion, kind }
    }

    /// The sum of π with that of a neighbour. Unlike ones feel only a part of the cohesion in it.
    #[inline(always)]
    fn and(&self, field: &Field, pressures: &[f32], slot: u32) -> V {
        debug_assert!((slot as usize) < pressures.len());
        // SAFETY: lists hold slots.
        let both = self.pressure.add(V::splat(unsafe { *pressures.get_unchecked(slot as usize) }));
        if field.kinds.is_empty() {
            return both;
        }
        let [cohesion, kind, _, _] = row(field.kinds, slot);
        let apart = self.kind.sub(V::splat(kind));
        let is_unlike = apart.mul(apart).min(V::splat(1.0));
        both.add(self.cohesion.add(V::splat(cohesion)).mul(is_unlike).mul(V::splat(1.0 - UNLIKE)))
    }
}

/// Tells what a wall of a free solid did to the particles of a cluster.
#[inline(always)]
pub(super) fn tell<V: Lanes>(push: [V; 3], cluster: &Cluster, wall: &SeenWall, walls: &mut Vec<WallPush>) {
    let Some(solid) = wall.free_solid() else { return };
    let [x, y, z] = [array(push[0]), array(push[1]), array(push[2])];
    for lane in 0..cluster.len {
        let push = Vec3::new(x[lane], y[lane], z[lane]);
        if push != Vec3::ZERO {
            walls.push(WallPush { slot: (cluster.first + lane) as u32, solid, push });
        }
    }
}

/// The kernel (1−q)⁴(1+4q), of a = 1−q and its square.
#[inline(always)]
fn kernel<V: Lanes>(a: V, a2: V) -> V {
    a2.mul(a2).mul(V::splat(5.0).sub(V::splat(4.0).mul(a)))
}

/// The row of a slot from a list.
#[inline(always)]
pub(super) fn row(rows: &[[f32; 4]], slot: u32) -> [f32; 4] {
    debug_assert!((slot as usize) < rows.len());
    // SAFETY: lists hold slots, and there is a row for each.
    unsafe { *rows.get_unchecked(slot as usize) }
}

/// The rows of a cluster's particles, one a lane.
#[inline(always)]
pub(super) fn lanes_of<V: Lanes>(rows: &[[f32; 4]], cluster: &Cluster) -> [V; 4] {
    let rows = &rows[cluster.first..cluster.first + EIGHT];
    // SAFETY: eight rows.
    unsafe { V::load_rows(rows.as_ptr()) }
}

#[inline(always)]
pub(super) fn splat<V: Lanes>([x, y, z, w]: [f32; 4]) -> [V; 4] {
    [V::splat(x), V::splat(y), V::splat(z), V::splat(w)]
}

#[inline(always)]
fn array<V: Lanes>(lanes: V) -> [f32; EIGHT] {
    let mut values = [0.0; EIGHT];
    // SAFETY: room for eight.
    unsafe { lanes.store(values.as_mut_ptr()) };
    values
}

/// Writes the first lanes to rows, as many as there are.
#[inline(always)]
pub(super) fn store<V: Lanes>(values: [V; 4], rows: &mut [[f32; 4]]) {
    let [x, y, z, w] = [array(values[0]), array(values[1]), array(values[2]), array(values[3])];
    for (lane, row) in rows.iter_mut().enumerate().take(EIGHT) {
        *row = [x[lane], y[lane], z[lane], w[lane]];
    }
}

/// Adds the first lanes to rows, as many as there are.
#[inline(always)]
pub(super) fn add<V: Lanes>(values: [V; 4], rows: &mut [[f32; 4]]) {
    let mut more = [[0.0; 4]; EIGHT];
    store(values, &mut more);
    for (row, more) in rows.iter_mut().zip(more) {
        (0..4).for_each(|c| row[c] += more[c]);
    }
}
