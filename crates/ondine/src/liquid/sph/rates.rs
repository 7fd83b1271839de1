//! How densities change with velocities: the passes of the incompressible model.
//!
//! With forces (π_i + π_j)(−dW/du)(x_i − x_j) (`../pressure.rs`) go the rates −(h²/2) dρ_i/dt = Σ_j (−dW/du)(x_i − x_j)·(v_i − v_j): each is
//! the other's transpose, with volumes as weights, over neighbours and over images alike. Of an image in a wall,
//! ½ dr'²/dt = (x_i − x_j)·(v_i − v_j) + 2 d_j n_i·v_i + 2 d_i n_j·v_j: walls are where they will be at the end of the step.

use crate::clusters::Cluster;
use crate::lanes::Lanes;
use crate::liquid::images::Choice;
use crate::liquid::kernel;
use crate::liquid::mirrors::{MOST, Seen};
use crate::liquid::pairing::{Sight, by_sight, unpressed};
use crate::liquid::pressure::{Field, apart, inside, lanes_of, splat};
use glam::Vec3;

by_sight! {
    /// −(h²/2) dρ/dt of the particles of one cluster [m²/s], by velocities in rows.
    pub fn rates(field: &Field, rows: &[[f32; 4]], cluster: &Cluster, out: &mut [f32]) = rates_in in field
}

#[inline(always)]
fn rates_in<V: Lanes, S: Sight<V>>(field: &Field, rows: &[[f32; 4]], cluster: &Cluster, out: &mut [f32]) {
    let sight = unpressed::<V, S>(field, cluster);
    let at = lanes_of::<V>(field.at, cluster);
    let [vx, vy, vz, _] = lanes_of::<V>(rows, cluster);
    let mut sum = V::splat(0.0);
    for (j, place, row) in cluster.near.with_both(field.at, rows) {
        let pair = sight.pair(field.kinds, j);
        let ([dx, dy, dz], square) = apart(at, place);
        let [wx, wy, wz, _] = splat::<V>(row);
        let along = vx.sub(wx).mul_add(dx, vy.sub(wy).mul_add(dy, vz.sub(wz).mul(dz)));
        let push = kernel::push(inside(square, pair.per_square)).mul(pair.own);
        sum = push.mul_add(along, sum);
    }
    let sum = sum.mul(V::splat(kernel::LAST_PUSH)).to_array();
    out.iter_mut().zip(sum).for_each(|(out, sum)| *out = sum);
}

by_sight! {
    /// Adds what the particles of one cluster see in a choice of walls.
    pub fn image_rates(
        field: &Field, rows: &[[f32; 4]], cluster: &Cluster, choice: &Choice, seen: &Seen, out: &mut [f32],
    ) = image_rates_in in field
}

#[inline(always)]
fn image_rates_in<V: Lanes, S: Sight<V>>(
    field: &Field,
    rows: &[[f32; 4]],
    cluster: &Cluster,
    choice: &Choice,
    seen: &Seen,
    out: &mut [f32],
) {
    let (zero, sight) = (V::splat(0.0), unpressed::<V, S>(field, cluster));
    let own_weight: V = choice.weight();
    let at = lanes_of::<V>(field.at, cluster);
    let [vx, vy, vz, _] = lanes_of::<V>(rows, cluster);
    let along = |[x, y, z]: [V; 3]| vx.mul_add(x, vy.mul_add(y, vz.mul(z)));
    // Away from each wall, and towards more of it.
    let mut leaving = [zero; MOST];
    let mut own_fading = zero;
    for (leaving, wall) in leaving.iter_mut().zip(choice.walls) {
        *leaving = along(wall.normal::<V>());
        own_fading = own_fading.add(along(wall.slope::<V>()));
    }
    let mut sum = zero;
    for image in choice.images {
        let pair = sight.pair(field.kinds, image.slot);
        let slot = image.slot as usize;
        let ([dx, dy, dz], square) = apart(at, field.at[slot]);
        let [wx, wy, wz, _] = splat::<V>(rows[slot]);
        let mut rate = vx.sub(wx).mul_add(dx, vy.sub(wy).mul_add(dy, vz.sub(wz).mul(dz)));
        let velocity = Vec3::new(rows[slot][0], rows[slot][1], rows[slot][2]);
        let mut other_fading = 0.0;
        for (k, wall) in choice.walls.iter().enumerate() {
            let (normal, slope) = wall.as_seen_by(image.slot, seen);
            rate = leaving[k].mul_add(V::splat(image.twice[k]), rate);
            rate = wall.twice::<V>().mul_add(V::splat(normal.dot(velocity)), rate);
            other_fading += slope.dot(velocity);
        }
        let v = inside(choice.square(image, square), pair.per_square);
        let [weight, push] = kernel::weight_and_push(v);
        let fading = own_fading.add(V::splat(other_fading)).mul(weight).mul(pair.half_square);
        let both = own_weight.mul(V::splat(image.weight)).mul(pair.own);
        sum = push.mul(rate).sub(fading).mul_add(both, sum);
    }
    out.iter_mut().zip(sum.to_array()).for_each(|(out, sum)| *out += sum);
}
