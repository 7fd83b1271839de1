//! Surfaces meet the objects that liquid touches.
//!
//! With the images of its particles in a wall (`images`) the surface goes on behind it, and that part is laid flat just behind
//! the wall. Objects too thin for images have none: particles stop half a spacing before them, more or less, and the surface
//! ends about there. Seen through clear liquid, each gap is a bubble of air. So what faces a wall and is near it is put just
//! behind it too.

use super::smooth::Rings;
use glam::Vec3;
use ondine::objects::{Collider, Sdf, TriangleMesh};
use ondine::{Frame, Scene, Surface};
use rayon::prelude::*;
use std::sync::Arc;

/// How far from a wall a surface may end and still be pressed to it, in spacings.
const NEAR: f32 = 0.6;
/// Over which distance that begins, in spacings.
const FADE: f32 = 0.2;
/// How far behind a wall it may end and still be drawn back, in spacings: as far as there are images in it.
const DEEPEST: f32 = 2.6;
/// How far into the wall it goes, in spacings.
const INTO: f32 = 0.05;
/// What is left of its depth behind that: little, yet what lay before other parts of it still does.
const SQUASHED: f32 = 0.01;
/// Cosine between the surface's direction and the way to the wall from which it begins to be pressed, and from which it
/// is pressed fully.
const FACING: (f32, f32) = (0.1, 0.5);
/// How often the lines where it leaves walls are evened, and the fraction of the way to the neighbours on the line each time.
const ROUNDS: u32 = 16;
const EVENED: f32 = 0.5;
/// Points of the smallest piece of a surface whose lines are evened: a line around little liquid would only shrink.
const LEAST: u32 = 250;
/// Points that one thread takes at a time.
const PART: usize = 512;

/// The shapes of a scene's objects.
#[derive(Clone, Debug)]
pub struct ObjectShapes {
    sdfs: Vec<Arc<Sdf>>,
}

impl ObjectShapes {
    /// Of a scene as it was written.
    pub fn of(scene: &Scene) -> Self {
        let spacing = scene.liquid.iter().map(|liquid| liquid.spacing).fold(f32::INFINITY, f32::min);
        let sdf = |shape| Arc::new(Sdf::new(shape, &scene.meshes, scene.planar()).charted(0.5 * spacing));
        Self { sdfs: scene.all_objects().map(|object| sdf(&object.shape)).collect() }
    }

    /// The objects where a frame has them.
    pub fn in_frame(&self, frame: &Frame) -> Vec<Collider> {
        let there = self.sdfs.iter().zip(&frame.objects).filter(|(_, pose)| pose.enabled);
        there.map(|(sdf, pose)| Collider::new(sdf.clone(), pose.placement)).collect()
    }
}

/// Presses a surface into the walls that it faces.
pub fn press(surface: &mut Surface, colliders: &[Collider], spacing: f32) {
    let Some((low, high)) = surface.mesh.bounds() else { return };
    let reach = NEAR * spacing;
    let close = |collider: &&Collider| {
        collider.sdf().is_outside_in()
            || collider
                .bounds()
                .is_none_or(|b| (b.0 - reach).cmple(high).all() && (b.1 + reach).cmpge(low).all())
    };
    let colliders: Vec<&Collider> = colliders.iter().filter(close).collect();
    surface.normal.resize(surface.mesh.points.len(), [0.0; 3]);
    let parts = surface.mesh.points.par_chunks_mut(PART).zip(surface.normal.par_chunks_mut(PART));
    let fractions: Vec<Vec<f32>> = parts
        .map(|(points, normals)| {
            let each = points.iter_mut().zip(normals).map(|(point, normal)| {
                let mut most = 0.0f32;
                for collider in &colliders {
                    if let Some((flat, turned)) = laid(*point, Vec3::from(*normal), collider, spacing) {
                        (*point, *normal) = (flat, turned.into());
                        continue;
                    }
                    let (moved, fraction) = pressed(*point, Vec3::from(*normal), collider, spacing);
                    *point += moved;
                    most = most.max(fraction);
                }
                most
            });
            each.collect()
        })
        .collect();
    even_rims(&mut surface.mesh, &fractions.concat(), &colliders, spacing);
}

/// Takes the teeth off the lines where the surface leaves a wall: single particles end there, each by itself, and no liquid
/// beyond holds them together. The points about the line are smoothed among themselves, along it, and stay on the wall.
fn even_rims(mesh: &mut TriangleMesh, fractions: &[f32], colliders: &[&Collider], spacing: f32) {
    if fractions.iter().all(|fraction| *fraction == 0.0) {
        return;
    }
    let rings = Rings::new(mesh);
    let wet = |i: usize| fractions[i] >= 0.5;
    let at_edge = |i: usize| rings.of(i).iter().any(|&n| wet(n as usize) != wet(i));
    let edge: Vec<bool> = (0..fractions.len()).into_par_iter().with_min_len(PART).map(at_edge).collect();
    let sizes = piece_sizes(mesh);
    let counts = |&i: &u32| edge[i as usize] && sizes[i as usize] >= LEAST;
    let rim: Vec<u32> = (0..fractions.len() as u32).filter(counts).collect();
    for _ in 0..ROUNDS {
        let even = |&i: &u32| {
            let here = mesh.points[i as usize];
            // Those of the same side of the line: along it, not across.
            let beside = rings.of(i as usize).iter().map(|n| *n as usize);
            let beside = beside.filter(|&n| edge[n] && wet(n) == wet(i as usize));
            let (sum, count) =
                beside.fold((Vec3::ZERO, 0), |(sum, count), n| (sum + mesh.points[n], count + 1));
            if count < 2 { here } else { here.lerp(sum / count as f32, EVENED) }
        };
        let moved: Vec<Vec3> = rim.par_iter().with_min_len(PART).map(even).collect();
        rim.iter().zip(moved).for_each(|(&i, point)| mesh.points[i as usize] = point);
    }
    let back_on_the_wall = |&i: &u32| {
        let point = mesh.points[i as usize];
        let moves = colliders.iter().filter_map(|collider| {
            let near = collider.nearest_within(point, NEAR * spacing).filter(|_| wet(i as usize))?;
            Some(-near.normal * (near.distance + INTO * spacing))
        });
        moves.filter(|way| way.length() < NEAR * spacing).fold(point, |point, way| point + way)
    };
    let moved: Vec<Vec3> = rim.par_iter().with_min_len(PART).map(back_on_the_wall).collect();
    rim.iter().zip(moved).for_each(|(&i, point)| mesh.points[i as usize] = point);
}

/// Of each point, how many the piece of the mesh has that it belongs to.
fn piece_sizes(mesh: &TriangleMesh) -> Vec<u32> {
    let piece = mesh.pieces();
    let mut sizes = vec![0; piece.len()];
    piece.iter().for_each(|first| sizes[*first as usize] += 1);
    piece.iter().map(|first| sizes[*first as usize]).collect()
}

/// Where a point of a surface behind a wall is laid, and its normal there, which turns as the surface is squashed.
fn laid(point: Vec3, normal: Vec3, collider: &Collider, spacing: f32) -> Option<(Vec3, Vec3)> {
    let near = collider.nearest_within(point, NEAR * spacing)?;
    let deep = -near.distance - INTO * spacing;
    if deep <= 0.0 || near.distance < -DEEPEST * spacing {
        return None;
    }
    let across = near.normal * normal.dot(near.normal);
    let turned = (normal - across) * SQUASHED + across;
    Some((point + near.normal * (deep * (1.0 - SQUASHED)), turned.normalize_or(normal)))
}

/// How far a point of a surface is moved by one object, and the fraction of the way to the wall that this is.
fn pressed(point: Vec3, normal: Vec3, collider: &Collider, spacing: f32) -> (Vec3, f32) {
    let Some(near) = collider.nearest_within(point, NEAR * spacing) else { return (Vec3::ZERO, 0.0) };
    if near.distance < -DEEPEST * spacing {
        return (Vec3::ZERO, 0.0);
    }
    let into = -near.normal * (near.distance + INTO * spacing);
    let facing = -normal.dot(near.normal);
    let fraction = ((facing - FACING.0) / (FACING.1 - FACING.0)).clamp(0.0, 1.0)
        * ((NEAR * spacing - near.distance) / (FADE * spacing)).clamp(0.0, 1.0);
    (into * fraction, fraction)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ondine::objects::polygonize;
    use ondine::scene::{Placement, Shape};

    #[test]
    fn what_faces_a_wall_is_pressed_into_it_and_nothing_else() {
        let floor = Sdf::new(&Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, &Default::default(), false);
        let floor = Collider::new(Arc::new(floor), Placement::ORIGIN);
        let heights = [0.04, -0.02, 0.04, 0.3, 0.04, -0.5];
        let normals = [Vec3::NEG_Y, Vec3::NEG_Y, Vec3::Y, Vec3::NEG_Y, Vec3::X, Vec3::NEG_Y];
        let mesh = TriangleMesh { points: heights.map(|y| Vec3::Y * y).to_vec(), triangles: Vec::new() };
        let normal = normals.map(Into::into).to_vec();
        let mut surface = Surface { mesh, normal, ..Surface::default() };
        press(&mut surface, &[floor], 0.1);
        let pressed: Vec<f32> = surface.mesh.points.iter().map(|p| p.y).collect();
        // What is behind the wall keeps a hundredth of its depth.
        let expected = [-0.005, -0.00515, 0.04, 0.3, 0.04, -0.5];
        assert!(pressed.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{pressed:?}");
    }

    /// A round puddle whose rim has teeth of a third of a spacing has half of them or less once it is pressed to the floor.
    #[test]
    fn rims_have_no_teeth() {
        let floor = Sdf::new(&Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, &Default::default(), false);
        let floor = Collider::new(Arc::new(floor), Placement::ORIGIN);
        let spacing = 0.1f32;
        let radius = |p: Vec3| 1.0 + 0.15 * spacing * (60.0 * p.z.atan2(p.x)).sin();
        let puddle = |p: Vec3| {
            let aside = p.with_y(0.0).length() - radius(p);
            aside.max((p.y - 0.2).abs() - 0.19)
        };
        let mesh = polygonize(&puddle, Vec3::new(-1.2, -0.1, -1.2), Vec3::new(1.2, 0.5, 1.2), 0.4 * spacing);
        let normal = |p: &Vec3| {
            let out = if p.y > 0.38 {
                Vec3::Y
            } else if p.y < 0.02 {
                Vec3::NEG_Y
            } else {
                let down = if p.y < 0.1 { 0.4 } else { 0.0 };
                p.with_y(-down * p.with_y(0.0).length())
            };
            out.normalize_or(Vec3::Y).into()
        };
        let normal = mesh.points.iter().map(normal).collect();
        let mut surface = Surface { mesh, normal, ..Surface::default() };
        // How far the rim on the floor goes in each of 180 directions.
        let roughness = |surface: &Surface| {
            let mut radii = [0.0f32; 180];
            for p in surface.mesh.points.iter().filter(|p| p.y < 0.02) {
                let turn = (p.z.atan2(p.x) / std::f32::consts::TAU + 0.5) * 180.0;
                let far = &mut radii[(turn as usize).min(179)];
                *far = far.max(p.with_y(0.0).length());
            }
            let mean = radii.iter().sum::<f32>() / 180.0;
            (radii.iter().map(|r| (r - mean).powi(2)).sum::<f32>() / 180.0).sqrt()
        };
        let before = roughness(&surface);
        press(&mut surface, &[floor], spacing);
        let after = roughness(&surface);
        assert!(after < 0.5 * before, "{after} of {before}");
        let far = surface.mesh.points.iter().map(|p| p.with_y(0.0).length()).fold(0.0, f32::max);
        assert!((far - 1.0).abs() < 0.2 * spacing, "it is as wide as it was: {far}");
    }
}
