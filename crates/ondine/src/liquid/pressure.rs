//! Pressure from density, as the gradient of an energy.
//!
//! Source: thesis 000 chapter 4: a particle and its neighbours are pushed apart by the pressure of each, which follows from a
//! density measured over the neighbours. Where it differs: the thesis displaces particles one after the other, each seeing what
//! those before it moved. That is stable at any step and never quite at rest: what a particle gives its neighbours on the way is
//! not what it gets back, and walls feed currents. Here the forces on all particles are found at one instant, as the exact
//! gradient of
//!
//! E = Σ_i V K/2 (C_i/ε)²,   C = max(0, 2(ρ−ρ0)/(ρ+ρ0)),   ρ_i = Σ_j W
//!
//! over neighbours and their images in walls (`mirrors.rs`), W being a polynomial of u = q² whose sums hardly depend on how
//! particles happen to be packed (`kernel.rs`). The force between i and j, over the volume of a particle, is
//! (π_i + π_j)(−dW/du)(x_i − x_j), with π = 2K C C'/(ε² h²) less a cohesion (`tension.rs`). Momentum is kept to round-off, and a closed pool can only lose energy: forces
//! look ahead by a part of the step ([`LOOK_AHEAD`](super::material::LOOK_AHEAD)), and stiffness has a part that forgets
//! ([`MEMORY`](super::material::MEMORY)).
//! Where attraction outweighs pressure, two particles could fall into one: those closer than three quarters of a spacing are pushed
//! apart by a force of their own, as by the thesis's near pressure. Images in walls do so from a whole spacing on: the first layer
//! stands half a spacing from a wall.
//! Liquids of one mixture press on each other as one does (`pairing.rs`).

use super::images::{Choice, SeenWall};
use super::kernel::{self, Fitted, Weight};
use super::mirrors::MOST;
use super::pairing::{Kinds, Pair, Sight, by_sight, unpressed};
use super::sph::kernel::Poly6;
use crate::clusters::{Cluster, EIGHT, Sieve};
use crate::lanes::Lanes;
use glam::Vec3;

/// What passes read.
pub struct Field<'a> {
    /// For each slot, where it is; eight more for the lanes of the last cluster.
    pub at: &'a [[f32; 4]],
    /// Whether any liquid has surface tension.
    pub is_tense: bool,
    /// Which liquid each slot belongs to.
    pub kinds: &'a Kinds,
}

/// The force of one wall on one particle.
#[derive(Clone, Copy, Debug)]
pub struct WallPush {
    /// The particle's slot.
    pub slot: u32,
    /// The collider's number.
    pub collider: u32,
    /// Push on the particle, times its mass density [N/m³].
    pub push: Vec3,
}

by_sight! {
    /// For the particles of one cluster, ρ, and where there is tension Σ (−dW/du)(x_i − x_j) over neighbours [m]. Those are kept that are
    /// within h now. Returns their number.
    pub fn densities(field: &Field, cluster: &Cluster, sums: &mut [[f32; 4]], near: Sieve) -> usize = fitted_in in field
}

by_sight! {
    /// The same with the weight of text 002 (`sph/kernel.rs`).
    pub fn poly6_densities(field: &Field, cluster: &Cluster, sums: &mut [[f32; 4]], near: Sieve) -> usize = poly6_in in field
}

#[inline(always)]
fn fitted_in<V: Lanes, S: Sight<V>>(
    f: &Field,
    cluster: &Cluster,
    sums: &mut [[f32; 4]],
    near: Sieve,
) -> usize {
    densities_in::<V, S, Fitted>(f, cluster, sums, near)
}

#[inline(always)]
fn poly6_in<V: Lanes, S: Sight<V>>(
    f: &Field,
    cluster: &Cluster,
    sums: &mut [[f32; 4]],
    near: Sieve,
) -> usize {
    densities_in::<V, S, Poly6>(f, cluster, sums, near)
}

#[inline(always)]
fn densities_in<V: Lanes, S: Sight<V>, W: Weight>(
    field: &Field,
    cluster: &Cluster,
    sums: &mut [[f32; 4]],
    mut near: Sieve,
) -> usize {
    let (zero, one, sight) = (V::splat(0.0), V::splat(1.0), unpressed::<V, S>(field, cluster));
    let at = lanes_of::<V>(field.at, cluster);
    let [mut nx, mut ny, mut nz, mut sum] = [zero; 4];
    while let Some((j, row)) = near.next() {
        let pair = sight.pair(field.kinds, j);
        let ([dx, dy, dz], square) = apart(at, row);
        let inside = square.mul_add(pair.per_square, one);
        near.keep(zero.less(inside) != 0);
        let v = inside.max(zero);
        sum = W::add(v, pair.share, sum);
        if field.is_tense {
            let push = kernel::push(v).mul(pair.own);
            (nx, ny, nz) = (push.mul_add(dx, nx), push.mul_add(dy, ny), push.mul_add(dz, nz));
        }
    }
    let [nx, ny, nz] = [nx, ny, nz].map(|n| n.mul(V::splat(kernel::LAST_PUSH)));
    store([nx, ny, nz, sum.mul_add(V::splat(W::SCALE), V::splat(W::OWN))], sums);
    near.kept()
}

by_sight! {
    /// Adds what the particles of one cluster see in a choice of walls to their sums.
    pub fn image_densities(field: &Field, cluster: &Cluster, choice: &Choice, sums: &mut [[f32; 4]]) = image_densities_in in field
}

by_sight! {
    /// The same with the weight of text 002.
    pub fn poly6_image_densities(field: &Field, cluster: &Cluster, choice: &Choice, sums: &mut [[f32; 4]]) = poly6_images_in in field
}

#[inline(always)]
fn poly6_images_in<V: Lanes, S: Sight<V>>(
    field: &Field,
    cluster: &Cluster,
    choice: &Choice,
    sums: &mut [[f32; 4]],
) {
    let (zero, sight) = (V::splat(0.0), unpressed::<V, S>(field, cluster));
    let (at, own) = (lanes_of::<V>(field.at, cluster), choice.weight::<V>());
    let mut sum = zero;
    for image in choice.images {
        let pair = sight.pair(field.kinds, image.slot);
        let (_, square) = apart(at, field.at[image.slot as usize]);
        let share = own.mul(V::splat(image.weight)).mul(pair.share);
        sum = Poly6::add(inside(choice.square(image, square), pair.per_square), share, sum);
    }
    add([zero, zero, zero, sum], sums);
}

#[inline(always)]
fn image_densities_in<V: Lanes, S: Sight<V>>(
    field: &Field,
    cluster: &Cluster,
    choice: &Choice,
    sums: &mut [[f32; 4]],
) {
    let (zero, sight) = (V::splat(0.0), unpressed::<V, S>(field, cluster));
    let own: V = choice.weight();
    let at = lanes_of::<V>(field.at, cluster);
    let [mut sum, mut nx, mut ny, mut nz] = [zero; 4];
    let mut normal = [zero; MOST];
    for image in choice.images {
        let pair = sight.pair(field.kinds, image.slot);
        let ([dx, dy, dz], square) = apart(at, field.at[image.slot as usize]);
        let [weight, push] = kernel::weight_and_push(inside(choice.square(image, square), pair.per_square));
        let both = own.mul(V::splat(image.weight));
        sum = weight.mul_add(both.mul(pair.share), sum);
        if field.is_tense {
            let push = push.mul(both).mul(pair.own);
            (nx, ny, nz) = (push.mul_add(dx, nx), push.mul_add(dy, ny), push.mul_add(dz, nz));
            for (normal, twice) in normal.iter_mut().zip(image.twice) {
                *normal = push.mul_add(V::splat(twice), *normal);
            }
        }
    }
    for (wall, normal) in choice.walls.iter().zip(normal) {
        let [ux, uy, uz] = wall.normal::<V>();
        (nx, ny, nz) = (normal.mul_add(ux, nx), normal.mul_add(uy, ny), normal.mul_add(uz, nz));
    }
    add([nx, ny, nz, sum], sums);
}

by_sight! {
    /// Accelerations of the particles of one cluster, times their mass density [N/m³]. `pressures` has for each slot π [Pa/m²],
    /// and eight more.
    pub fn forces(field: &Field, pressures: &[f32], cluster: &Cluster, force: &mut [[f32; 4]]) = all_forces_in in field
}

by_sight! {
    /// The same of pressures alone: neither cohesion nor crowds.
    pub fn pressure_forces(field: &Field, pressures: &[f32], cluster: &Cluster, force: &mut [[f32; 4]]) = pressures_in in field
}

#[inline(always)]
fn all_forces_in<V: Lanes, S: Sight<V>>(
    f: &Field,
    pressures: &[f32],
    cluster: &Cluster,
    force: &mut [[f32; 4]],
) {
    forces_in::<V, S, true>(f, pressures, cluster, force);
}

#[inline(always)]
fn pressures_in<V: Lanes, S: Sight<V>>(
    f: &Field,
    pressures: &[f32],
    cluster: &Cluster,
    force: &mut [[f32; 4]],
) {
    forces_in::<V, S, false>(f, pressures, cluster, force);
}

#[inline(always)]
fn forces_in<V: Lanes, S: Sight<V>, const ALL: bool>(
    field: &Field,
    pressures: &[f32],
    cluster: &Cluster,
    force: &mut [[f32; 4]],
) {
    let (zero, sight) = (V::splat(0.0), pressed::<V, S>(field, pressures, cluster));
    let own = V::from_array(*of_lanes(pressures, cluster));
    let per_last = V::splat(1.0 / kernel::LAST_PUSH);
    let at = lanes_of::<V>(field.at, cluster);
    let [mut fx, mut fy, mut fz] = [zero; 3];
    for (j, row, pressure) in cluster.near.with_both(field.at, pressures) {
        let pair = sight.pair(field.kinds, j);
        let ([dx, dy, dz], square) = apart(at, row);
        let v = inside(square, pair.per_square);
        let along = match ALL {
            true => {
                let near = v.sub(pair.close).max(zero).mul(pair.crowded.mul(per_last));
                both(&pair, pressure).mul_add(kernel::push(v), near)
            }
            false => of_both(&pair, own, pressure).mul(kernel::push(v)),
        };
        (fx, fy, fz) = (along.mul_add(dx, fx), along.mul_add(dy, fy), along.mul_add(dz, fz));
    }
    let [fx, fy, fz] = [fx, fy, fz].map(|f| f.mul(V::splat(kernel::LAST_PUSH)));
    store([fx, fy, fz, zero], force);
}

by_sight! {
    /// Adds what the particles of one cluster get from a choice of walls; that of each wall is added to `walls`, too.
    pub fn image_forces(
        field: &Field, pressures: &[f32], cluster: &Cluster, choice: &Choice, force: &mut [[f32; 4]], walls: &mut Vec<WallPush>,
    ) = all_image_forces_in in field
}

by_sight! {
    /// The same of pressures alone.
    pub fn image_pressure_forces(
        field: &Field, pressures: &[f32], cluster: &Cluster, choice: &Choice, force: &mut [[f32; 4]], walls: &mut Vec<WallPush>,
    ) = image_pressures_in in field
}

#[inline(always)]
fn all_image_forces_in<V: Lanes, S: Sight<V>>(
    field: &Field,
    pressures: &[f32],
    cluster: &Cluster,
    choice: &Choice,
    force: &mut [[f32; 4]],
    walls: &mut Vec<WallPush>,
) {
    image_forces_in::<V, S, true>(field, pressures, cluster, choice, force, walls);
}

#[inline(always)]
fn image_pressures_in<V: Lanes, S: Sight<V>>(
    field: &Field,
    pressures: &[f32],
    cluster: &Cluster,
    choice: &Choice,
    force: &mut [[f32; 4]],
    walls: &mut Vec<WallPush>,
) {
    image_forces_in::<V, S, false>(field, pressures, cluster, choice, force, walls);
}

#[inline(always)]
fn image_forces_in<V: Lanes, S: Sight<V>, const ALL: bool>(
    field: &Field,
    pressures: &[f32],
    cluster: &Cluster,
    choice: &Choice,
    force: &mut [[f32; 4]],
    walls: &mut Vec<WallPush>,
) {
    let (zero, sight) = (V::splat(0.0), pressed::<V, S>(field, pressures, cluster));
    let own = V::from_array(*of_lanes(pressures, cluster));
    let own_weight: V = choice.weight();
    let at = lanes_of::<V>(field.at, cluster);
    let [mut fx, mut fy, mut fz, mut bulge] = [zero; 4];
    let mut normal = [zero; MOST];
    for image in choice.images {
        let pair = sight.pair(field.kinds, image.slot);
        let ([dx, dy, dz], square) = apart(at, field.at[image.slot as usize]);
        let share = own_weight.mul(V::splat(image.weight));
        let pressure = pressures[image.slot as usize];
        let both = if ALL { both(&pair, pressure) } else { of_both(&pair, own, pressure) }.mul(share);
        let v = inside(choice.square(image, square), pair.per_square);
        let [weight, push] = kernel::weight_and_push(v);
        let deep = if ALL { v.sub(pair.close_image).max(zero) } else { zero };
        let near = deep.mul(pair.crowded_image).mul(share);
        let along = both.mul_add(push, near);
        (fx, fy, fz) = (along.mul_add(dx, fx), along.mul_add(dy, fy), along.mul_add(dz, fz));
        let energy = both.mul_add(weight, near.mul(deep).mul(V::splat(0.5)));
        bulge = energy.mul_add(pair.half_square, bulge);
        for (normal, twice) in normal.iter_mut().zip(image.twice) {
            *normal = along.mul_add(V::splat(twice), *normal);
        }
    }
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

/// The sight of a cluster with its pressures.
#[inline(always)]
fn pressed<V: Lanes, S: Sight<V>>(field: &Field, pressures: &[f32], cluster: &Cluster) -> S {
    S::of(field.kinds, cluster, V::from_array(*of_lanes(pressures, cluster)))
}

/// A π_i + B π_j.
#[inline(always)]
fn both<V: Lanes>(pair: &Pair<V>, pressure: f32) -> V {
    V::splat(pressure).mul_add(pair.other, pair.pressure)
}

/// The same without cohesion.
#[inline(always)]
fn of_both<V: Lanes>(pair: &Pair<V>, own: V, pressure: f32) -> V {
    V::splat(pressure).mul_add(pair.other, own.mul(pair.own))
}

/// Tells what a wall of a free collider did to the particles of a cluster.
#[inline(always)]
pub(super) fn tell<V: Lanes>(push: [V; 3], cluster: &Cluster, wall: &SeenWall, walls: &mut Vec<WallPush>) {
    let Some(collider) = wall.free_solid() else { return };
    let [x, y, z] = push.map(V::to_array);
    for lane in 0..cluster.len {
        let push = Vec3::new(x[lane], y[lane], z[lane]);
        if push != Vec3::ZERO {
            walls.push(WallPush { slot: (cluster.first + lane) as u32, collider, push });
        }
    }
}

/// The way from a row to the particles of a cluster, and its square.
#[inline(always)]
pub(super) fn apart<V: Lanes>([x, y, z, _]: [V; 4], row: [f32; 4]) -> ([V; 3], V) {
    let [ox, oy, oz, _] = splat::<V>(row);
    let (dx, dy, dz) = (x.sub(ox), y.sub(oy), z.sub(oz));
    ([dx, dy, dz], dx.mul_add(dx, dy.mul_add(dy, dz.mul(dz))))
}

/// v = 1 − q² of a square of a distance, 0 where that is beyond h.
#[inline(always)]
pub(super) fn inside<V: Lanes>(square: V, per_square: V) -> V {
    square.mul_add(per_square, V::splat(1.0)).max(V::splat(0.0))
}

/// What there is of each of a cluster's particles; of the lanes after them, what there is of others.
#[inline(always)]
fn of_lanes<'a, T>(all: &'a [T], cluster: &Cluster) -> &'a [T; EIGHT] {
    all[cluster.first..].first_chunk().expect("eight more than slots")
}

/// The rows of a cluster's particles, one a lane.
#[inline(always)]
pub(super) fn lanes_of<V: Lanes>(rows: &[[f32; 4]], cluster: &Cluster) -> [V; 4] {
    V::from_rows(of_lanes(rows, cluster))
}

#[inline(always)]
pub(super) fn splat<V: Lanes>([x, y, z, w]: [f32; 4]) -> [V; 4] {
    [V::splat(x), V::splat(y), V::splat(z), V::splat(w)]
}

/// Writes the first lanes to rows, as many as there are.
#[inline(always)]
pub(super) fn store<V: Lanes>(values: [V; 4], rows: &mut [[f32; 4]]) {
    let [x, y, z, w] = values.map(V::to_array);
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
