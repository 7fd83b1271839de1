//! Forces of text 002: pressure and viscosity of neighbours, and of their images in walls.

use crate::clusters::Cluster;
use crate::lanes::Lanes;
use crate::liquid::images::Choice;
use crate::liquid::mirrors::MOST;
use crate::liquid::pairing::{Sight, by_sight, unpressed};
use crate::liquid::pressure::{Field, WallPush, add, apart, lanes_of, splat, store, tell};

/// What the forces read, by slot; eight more each.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// Where a particle is, and its p [Pa].
    pub pressed: Vec<[f32; 4]>,
    /// Its velocity [m/s], and m/ρ [m³].
    pub moving: Vec<[f32; 4]>,
    /// ρ0/ρ: from accelerations times ρ to what `accelerate` divides by ρ0.
    pub thin: Vec<f32>,
}

by_sight! {
    /// Forces on the particles of one cluster, over their volume [N/m³], times ρ0/ρ.
    pub fn forces(field: &Field, rows: &Rows, cluster: &Cluster, force: &mut [[f32; 4]]) = forces_in in field
}

#[inline(always)]
fn forces_in<V: Lanes, S: Sight<V>>(field: &Field, rows: &Rows, cluster: &Cluster, force: &mut [[f32; 4]]) {
    let (zero, one, sight) = (V::splat(0.0), V::splat(1.0), unpressed::<V, S>(field, cluster));
    let at = lanes_of::<V>(&rows.pressed, cluster);
    let [vx, vy, vz, _] = lanes_of::<V>(&rows.moving, cluster);
    let [mut fx, mut fy, mut fz] = [zero; 3];
    for (j, row, moving) in cluster.near.with_both(&rows.pressed, &rows.moving) {
        let pair = sight.pair(field.kinds, j);
        let ([dx, dy, dz], square) = apart(at, row);
        let [wx, wy, wz, volume] = splat::<V>(moving);
        let per_r = square.inverse_sqrt();
        // 1 − q, none beyond h.
        let a = square.mul(per_r).mul_add(pair.per_h, one).max(zero);
        let share = a.mul(volume);
        let along = at[3].add(V::splat(row[3])).mul(pair.spiky).mul(a.mul(share)).mul(per_r);
        let slowed = pair.drag.mul(share);
        fx = along.mul(dx).sub(slowed.mul(vx.sub(wx))).add(fx);
        fy = along.mul(dy).sub(slowed.mul(vy.sub(wy))).add(fy);
        fz = along.mul(dz).sub(slowed.mul(vz.sub(wz))).add(fz);
    }
    let thin = thin::<V>(rows, cluster);
    store([fx.mul(thin), fy.mul(thin), fz.mul(thin), zero], force);
}

by_sight! {
    /// Adds what the particles of one cluster get from a choice of walls; that of each wall is added to `walls`, too. Images press, they
    /// do not pull, and walls slip.
    pub fn image_forces(
        field: &Field, rows: &Rows, cluster: &Cluster, choice: &Choice, force: &mut [[f32; 4]], walls: &mut Vec<WallPush>,
    ) = image_forces_in in field
}

#[inline(always)]
fn image_forces_in<V: Lanes, S: Sight<V>>(
    field: &Field,
    rows: &Rows,
    cluster: &Cluster,
    choice: &Choice,
    force: &mut [[f32; 4]],
    walls: &mut Vec<WallPush>,
) {
    let (zero, one, sight) = (V::splat(0.0), V::splat(1.0), unpressed::<V, S>(field, cluster));
    let own = choice.weight::<V>().mul(thin(rows, cluster));
    let at = lanes_of::<V>(&rows.pressed, cluster);
    let [mut fx, mut fy, mut fz] = [zero; 3];
    let mut normal = [zero; MOST];
    for image in choice.images {
        let pair = sight.pair(field.kinds, image.slot);
        let row = rows.pressed[image.slot as usize];
        let ([dx, dy, dz], square) = apart(at, row);
        let square = choice.square(image, square);
        let per_r = square.inverse_sqrt();
        let a = square.mul(per_r).mul_add(pair.per_h, one).max(zero);
        let share = own.mul(V::splat(image.weight * rows.moving[image.slot as usize][3]));
        let both = at[3].add(V::splat(row[3])).max(zero);
        let along = both.mul(pair.spiky).mul(a.mul(a)).mul(per_r).mul(share);
        (fx, fy, fz) = (along.mul_add(dx, fx), along.mul_add(dy, fy), along.mul_add(dz, fz));
        for (normal, twice) in normal.iter_mut().zip(image.twice) {
            *normal = along.mul_add(V::splat(twice), *normal);
        }
    }
    for (wall, normal) in choice.walls.iter().zip(normal) {
        let push = wall.normal::<V>().map(|u| normal.mul(u));
        (fx, fy, fz) = (fx.add(push[0]), fy.add(push[1]), fz.add(push[2]));
        tell(push, cluster, wall, walls);
    }
    add([fx, fy, fz, zero], force);
}

/// ρ0/ρ of the particles of a cluster.
#[inline(always)]
fn thin<V: Lanes>(rows: &Rows, cluster: &Cluster) -> V {
    V::from_array(*rows.thin[cluster.first..].first_chunk().expect("eight more than slots"))
}
