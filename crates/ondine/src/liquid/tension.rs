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
//! c (1−q)⁴(1+4q): −20c/h² a² (a − 3q r̂r̂ᵀ), a = 1−q. It knows smooth sums only, so that it neither orders particles nor resists their
//! rearrangement, and momentum is kept.
//! That alone would thin a surface out. A cohesion, by which all pressures are lower (π_c), holds it together: a function of density
//! alone, it costs nothing inside.
//!
//! **Walls** are mirrors here too: a liquid stands at right angles on its image, on every wall.
//!
//! **Unlike liquids** hold each other half as much as each its own: to each, half of the other is missing.

use super::pressure::{Field, Mirrored, WallPush, chosen, splat};
use crate::lanes::{Lanes, widest};
use crate::neighbourhood::NeighbourLists;
use glam::Vec3;
use std::ops::Range;

/// Cohesion between unlike particles over the mean of their own.
pub const UNLIKE: f32 = 0.5;

/// I of γ = κ I/h, in space and in the plane: ½ ∫ w², by the kernel alone, and times what drops show, whose
/// outermost particles are not spread evenly.
pub const SPACE: f32 = 0.80;
/// The same in the plane.
pub const PLANE: f32 = 0.80;

/// Gradients below this, over 1/h, are taken for the unevenness of a liquid's inside.
pub const INSIDE: f32 = 0.15;

widest! {
    /// Adds tension to the forces on the particles of one block. `normals` are n and 2κB, B = 20cV/h², of every slot; one more for padding.
    pub fn pull(
        field: &Field, normals: &[[f32; 4]], lists: &NeighbourLists, own: Range<usize>, force: &mut [[f32; 4]],
        walls: &mut Vec<WallPush>,
    ) = pull_with
}

#[inline(always)]
fn pull_with<V: Lanes>(
    field: &Field,
    normals: &[[f32; 4]],
    lists: &NeighbourLists,
    own: Range<usize>,
    force: &mut [[f32; 4]],
    pushed: &mut Vec<WallPush>,
) {
    let (zero, one, per_h) = (V::splat(0.0), V::splat(1.0), V::splat(1.0 / field.h));
    let (three, limit) = (V::splat(3.0), V::splat(field.h * field.h));
    let mut mirrored = Mirrored::default();
    for (n, (slot, force)) in own.zip(force).enumerate() {
        let (others, [x, y, z, _]) = (lists.of(n), splat::<V>(field.at[slot]));
        let [nx, ny, nz, strength] = splat::<V>(normals[slot]);
        let mirrors = mirrored.look(field, slot, others);
        let [mut fx, mut fy, mut fz] = [zero; 3];
        let [mut wx, mut wy, mut wz] = [zero; 3];
        for (k, eight) in others.chunks_exact(8).enumerate() {
            // SAFETY: eight places, all of slots.
            let ([ox, oy, oz, _], [mx, my, mz, other]) = unsafe {
                (
                    V::gather_rows(field.at.as_ptr(), eight.as_ptr()),
                    V::gather_rows(normals.as_ptr(), eight.as_ptr()),
                )
            };
            let (dx, dy, dz) = (x.sub(ox), y.sub(oy), z.sub(oz));
            let square = dx.mul(dx).add(dy.mul(dy)).add(dz.mul(dz));
            let per_r = square.inverse_sqrt_quick();
            let a = one.sub(square.mul(per_r).mul(per_h)).max(zero);
            let share = strength.min(other);
            let (ex, ey, ez) = (nx.sub(mx), ny.sub(my), nz.sub(mz));
            // a²(a e − 3q r̂ (r̂·e)), with q r̂ r̂ᵀ = d dᵀ/(h r).
            let along = dx.mul(ex).add(dy.mul(ey)).add(dz.mul(ez)).mul(per_r).mul(per_h).mul(three);
            let scale = share.mul(a.mul(a));
            fx = fx.add(scale.mul(a.mul(ex).sub(along.mul(dx))));
            fy = fy.add(scale.mul(a.mul(ey).sub(along.mul(dy))));
            fz = fz.add(scale.mul(a.mul(ez).sub(along.mul(dz))));
            if mirrors == 0 {
                continue;
            }
            let walls = mirrored.walls::<V>(k, [ox, oy, oz]);
            for which in 1..1 << mirrors {
                let (square, weight) = mirrored.image(which, square, &walls);
                if square.less(limit) == 0 {
                    continue;
                }
                let per_r = square.inverse_sqrt_quick();
                let a = one.sub(square.mul(per_r).mul(per_h)).max(zero);
                // The image's gradient is the neighbour's, mirrored; its place as well.
                let (mut gx, mut gy, mut gz, mut px, mut py, mut pz) = (mx, my, mz, dx, dy, dz);
                for w in chosen(which) {
                    let m = mirrored.mirrors[w].normal;
                    let (ux, uy, uz) = (V::splat(m.x), V::splat(m.y), V::splat(m.z));
                    let twice = gx.mul(ux).add(gy.mul(uy)).add(gz.mul(uz)).mul(V::splat(2.0));
                    (gx, gy, gz) = (gx.sub(twice.mul(ux)), gy.sub(twice.mul(uy)), gz.sub(twice.mul(uz)));
                    let d = walls[w].twice;
                    (px, py, pz) = (px.add(d.mul(ux)), py.add(d.mul(uy)), pz.add(d.mul(uz)));
                }
                let (ex, ey, ez) = (nx.sub(gx), ny.sub(gy), nz.sub(gz));
                let along = px.mul(ex).add(py.mul(ey)).add(pz.mul(ez)).mul(per_r).mul(per_h).mul(three);
                let scale = share.mul(a.mul(a)).mul(weight);
                wx = wx.add(scale.mul(a.mul(ex).sub(along.mul(px))));
                wy = wy.add(scale.mul(a.mul(ey).sub(along.mul(py))));
                wz = wz.add(scale.mul(a.mul(ez).sub(along.mul(pz))));
            }
        }
        let mut total = Vec3::new(fx.sum(), fy.sum(), fz.sum());
        if mirrors > 0 {
            // The nearest wall answers for all images.
            let push = Vec3::new(wx.sum(), wy.sum(), wz.sum());
            total += push;
            pushed.push(WallPush { slot: slot as u32, solid: mirrored.mirrors[0].solid() as u32, push });
        }
        (0..3).for_each(|c| force[c] += total[c]);
    }
}
