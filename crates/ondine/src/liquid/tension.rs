//! Surface tension in N/m, and contact angles.
//!
//! Source: thesis 000 §4.4 has surface tension follow from particles that attract each other where their density is below ρ0; it
//! then grows with the stiffness that volume needs. Here it has an energy of its own. With n_i = Σ_j V ∇W(x_i − x_j), the gradient of
//! how full space is, which is 0 inside a liquid and points inwards at its surface,
//!
//! E = κ Σ_i V |n_i|²,
//!
//! which for a flat surface is κ ∫ w² a unit of area over the liquid's side, w(z) being the kernel summed over planes: γ = κ I/h.
//! Particles feel its exact gradient, −2κV² Σ_j H (n_i − n_j), H the second derivatives of the kernel
//! c W(u), u = q² (`kernel.rs`): 2c/h² (dW/du + 2 d²W/du² q² r̂r̂ᵀ). It knows smooth sums only, so that it neither orders particles nor resists their
//! rearrangement, and momentum is kept.
//! That alone would thin a surface out. A cohesion, by which all pressures are lower (π_c), holds it together: a function of density
//! alone, it costs nothing inside. But particles of a surface lack neighbours and would crowd along it until they have as many as
//! others: in the plane they become strings above voids, which neither flow nor pull as they should. There the push of those that are
//! close (`pressure.rs`) reaches a whole spacing.
//! In space they crowd too: a drop of water of 8 spacings at rest consists of shells 1.5 spacings apart, in which the nearest neighbours
//! stand where that push begins: they hold each other like grains. The kernel, whose sums do not know how particles are packed, is blind
//! to what is shorter than 1.7 spacings. The energy stands at particles: it draws each of a surface inwards by itself, and what answers is
//! spread over all within h. So shells grow denser and part from each other, which costs no density, until the close ones push. It takes
//! some 0.1 γ/s to undo that, the more the finer. Too much hangs from a nozzle before it falls (`ondine bench truth`): its
//! neck, pulled by 25 Pa more than tension can hold, creeps at one part a second, as if it had 10 Pa·s. With half of the cohesion drops
//! boil; a push that reaches a whole spacing undoes shells in space as well, but its drops do not come to rest.
//!
//! **Walls** are mirrors here too: a liquid stands at right angles on its image, on every wall. For a contact angle θ it gains
//! γ cos θ for every unit of area that it wets: a particle at distance d from a wall has the energy −γ cosθ V 2(1−q)²(1+2q)/h, q = d/h,
//! which over the depth of a liquid is that. Level at the wall, it hardly minds how near to it the first layer stands, and does not
//! draw that away from the rest.
//!
//! **Unlike liquids** hold each other half as much as each its own: to each, half of the other is missing.

use super::images::Choice;
use super::kernel;
use super::pairing::{Sight, by_sight, unpressed};
use super::pressure::{Field, WallPush, add, apart, inside, lanes_of, splat, tell};
use crate::clusters::Cluster;
use crate::lanes::Lanes;
use crate::power::Power;

/// Cohesion between unlike particles over the mean of their own.
pub const UNLIKE: f32 = 0.5;

/// I of γ = κ I/h, in space and in the plane: ½ ∫ w², by the kernel alone, and times what drops show, whose
/// outermost particles are not spread evenly.
pub const SPACE: f32 = 0.80;
/// The same in the plane.
pub const PLANE: f32 = 0.67;

/// Gradients below this, over 1/h, are taken for the unevenness of a liquid's inside. In the plane, where sums are over more neighbours
/// along each direction, all are minded: the energy is exact, and liquids come to rest.
pub const INSIDE: f32 = 0.15;

/// The pull of a wall, times h²: 12γ, over what layers a spacing apart make of the integral of 2(1−q)²(1+2q)/h.
pub fn wetting(gamma: f32, support: f32) -> f32 {
    let layers = (0..16).map(|k| held((k as f32 + 0.5) / support) * 2.0 / support);
    12.0 * gamma / layers.sum::<f32>()
}

/// How strongly a wall draws what is `q` interaction radii from it, over 12γ cosθ/h².
pub fn drawn(q: f32) -> f32 {
    q * (1.0 - q).max(0.0)
}

/// The energy of what is `q` interaction radii from a wall, over that at the wall.
fn held(q: f32) -> f32 {
    (1.0 - q).max(0.0).power(2) * (1.0 + 2.0 * q)
}

by_sight! {
    /// Adds tension to the forces on the particles of one cluster. `normals` are n and 2κB, B = 2cV/h², of every slot; eight more.
    pub fn pull(field: &Field, normals: &[[f32; 4]], cluster: &Cluster, force: &mut [[f32; 4]]) = pull_in in field
}

#[inline(always)]
fn pull_in<V: Lanes, S: Sight<V>>(
    field: &Field,
    normals: &[[f32; 4]],
    cluster: &Cluster,
    force: &mut [[f32; 4]],
) {
    let (at, sight) = (lanes_of::<V>(field.at, cluster), unpressed::<V, S>(field, cluster));
    let [nx, ny, nz, strength] = lanes_of::<V>(normals, cluster);
    let mut pull = [V::splat(0.0); 3];
    for (j, row, normal) in cluster.near.with_both(field.at, normals) {
        let pair = sight.pair(field.kinds, j);
        let (d, square) = apart(at, row);
        let [mx, my, mz, other] = splat::<V>(normal);
        let e = [nx.sub(mx), ny.sub(my), nz.sub(mz)];
        let share = strength.mul(pair.own).min(other.mul(pair.other));
        pull = sum(pull, between(d, square, e, share, pair.per_square));
    }
    add([pull[0], pull[1], pull[2], V::splat(0.0)], force);
}

by_sight! {
    /// Adds the tension between the particles of one cluster and what they see in a choice of walls.
    pub fn image_pull(
        field: &Field, normals: &[[f32; 4]], cluster: &Cluster, choice: &Choice, force: &mut [[f32; 4]], walls: &mut Vec<WallPush>,
    ) = image_pull_in in field
}

#[inline(always)]
fn image_pull_in<V: Lanes, S: Sight<V>>(
    field: &Field,
    normals: &[[f32; 4]],
    cluster: &Cluster,
    choice: &Choice,
    force: &mut [[f32; 4]],
    walls: &mut Vec<WallPush>,
) {
    let (at, sight) = (lanes_of::<V>(field.at, cluster), unpressed::<V, S>(field, cluster));
    let own: V = choice.weight();
    let [nx, ny, nz, strength] = lanes_of::<V>(normals, cluster);
    let mut pull = [V::splat(0.0); 3];
    for image in choice.images {
        let pair = sight.pair(field.kinds, image.slot);
        let (mut d, square) = apart(at, field.at[image.slot as usize]);
        let [mx, my, mz, other] = splat::<V>(normals[image.slot as usize]);
        // The image's gradient is the neighbour's, mirrored; its place as well.
        let (mut m, square) = ([mx, my, mz], choice.square(image, square));
        for (wall, twice) in choice.walls.iter().zip(image.twice) {
            let u = wall.normal::<V>();
            m = sum(m, times(u, dot(m, u).mul(V::splat(-2.0))));
            d = sum(d, times(u, V::splat(twice)));
        }
        let e = [nx.sub(m[0]), ny.sub(m[1]), nz.sub(m[2])];
        let share = strength.mul(pair.own).min(other.mul(pair.other)).mul(own).mul(V::splat(image.weight));
        pull = sum(pull, between(d, square, e, share, pair.per_square));
    }
    // The nearest wall answers for all.
    if let Some(wall) = choice.walls.first() {
        tell(pull, cluster, wall, walls);
    }
    add([pull[0], pull[1], pull[2], V::splat(0.0)], force);
}

/// −dW/du e − 2 d²W/du² d (d·e)/h² of neighbours at d.
#[inline(always)]
fn between<V: Lanes>(d: [V; 3], square: V, e: [V; 3], share: V, per_square: V) -> [V; 3] {
    let [push, stretch] = kernel::push_and_stretch(inside(square, per_square));
    let along = dot(d, e).mul(stretch).mul(per_square.mul(V::splat(2.0)));
    times(sum(times(e, push), times(d, along)), share)
}

#[inline(always)]
fn dot<V: Lanes>(a: [V; 3], b: [V; 3]) -> V {
    a[0].mul_add(b[0], a[1].mul_add(b[1], a[2].mul(b[2])))
}

#[inline(always)]
fn sum<V: Lanes>(a: [V; 3], b: [V; 3]) -> [V; 3] {
    [a[0].add(b[0]), a[1].add(b[1]), a[2].add(b[2])]
}

#[inline(always)]
fn times<V: Lanes>(a: [V; 3], b: V) -> [V; 3] {
    [a[0].mul(b), a[1].mul(b), a[2].mul(b)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pull of a wall is the slope of what it holds with: −d/dq (1−q)²(1+2q) = 6q(1−q).
    #[test]
    fn walls_draw_by_the_slope_of_their_energy() {
        for k in 0..120 {
            let q = 0.01 * k as f32;
            let slope = (held(q - 1e-3) - held(q + 1e-3)) / 2e-3;
            assert!((slope - 6.0 * drawn(q)).abs() < 5e-3, "{q}: {slope} for {}", 6.0 * drawn(q));
        }
    }
}
