//! Surfaces meet the objects that liquid touches.
//!
//! Particles stop half a spacing before a wall, more or less, and the surface around them ends about there: in some
//! places a hair before the wall, in others behind it. Seen through clear liquid, each such gap is a bubble of air. So what
//! faces a wall and is near it, on either side, is put just behind it.

use glam::Vec3;
use ondine::objects::{Form, Solid};
use ondine::{Frame, Scene, Surface};
use rayon::prelude::*;
use std::sync::Arc;

/// How far from a wall a surface may end and still be pressed to it, in spacings.
const NEAR: f32 = 0.6;
/// Over which distance that begins, in spacings.
const FADE: f32 = 0.2;
/// How far behind a wall it may end and still be drawn back, in spacings.
const DEEPEST: f32 = 1.0;
/// How far into the wall it goes, in spacings.
const INTO: f32 = 0.05;
/// Cosine between the surface's direction and the way to the wall from which it begins to be pressed, and from which it
/// is pressed fully.
const FACING: (f32, f32) = (-0.2, 0.2);
/// Points that one thread takes at a time.
const PART: usize = 512;

/// The shapes of a scene's objects.
#[derive(Clone, Debug)]
pub struct Walls {
    forms: Vec<Arc<Form>>,
}

impl Walls {
    /// Of a scene as it was written.
    pub fn of(scene: &Scene) -> Self {
        let spacing = scene.liquid.iter().map(|liquid| liquid.spacing).fold(f32::INFINITY, f32::min);
        let form = |shape| Arc::new(Form::new(shape, &scene.meshes, scene.planar()).charted(0.5 * spacing));
        Self { forms: scene.object.iter().map(|object| form(&object.shape)).collect() }
    }

    /// The objects where a frame has them.
    pub fn in_frame(&self, frame: &Frame) -> Vec<Solid> {
        let there = self.forms.iter().zip(&frame.objects).filter(|(_, pose)| pose.enabled);
        there.map(|(form, pose)| Solid::new(form.clone(), pose.placement)).collect()
    }
}

/// Presses a surface into the walls that it faces.
pub fn press(surface: &mut Surface, solids: &[Solid], spacing: f32) {
    let Some((low, high)) = surface.mesh.bounds() else { return };
    let reach = NEAR * spacing;
    let close = |solid: &&Solid| {
        solid.form().is_outside_in()
            || solid
                .bounds()
                .is_none_or(|b| (b.0 - reach).cmple(high).all() && (b.1 + reach).cmpge(low).all())
    };
    let solids: Vec<&Solid> = solids.iter().filter(close).collect();
    let points = surface.mesh.points.par_chunks_mut(PART).zip(surface.normal.par_chunks(PART));
    points.for_each(|(points, normals)| {
        for (point, normal) in points.iter_mut().zip(normals) {
            for solid in &solids {
                *point += pressed(*point, (*normal).into(), solid, spacing);
            }
        }
    });
}

/// How far a point of a surface is moved by one object.
fn pressed(point: Vec3, normal: Vec3, solid: &Solid, spacing: f32) -> Vec3 {
    let Some(near) = solid.nearest_within(point, NEAR * spacing) else { return Vec3::ZERO };
    if near.distance < -DEEPEST * spacing {
        return Vec3::ZERO;
    }
    let facing = -normal.dot(near.normal);
    let share = ((facing - FACING.0) / (FACING.1 - FACING.0)).clamp(0.0, 1.0)
        * ((NEAR * spacing - near.distance) / (FADE * spacing)).clamp(0.0, 1.0);
    -near.normal * share * (near.distance + INTO * spacing)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ondine::objects::TriangleMesh;
    use ondine::scene::{Placement, Shape};

    #[test]
    fn what_faces_a_wall_is_pressed_into_it_and_nothing_else() {
        let floor = Form::new(&Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, &Default::default(), false);
        let floor = Solid::new(Arc::new(floor), Placement::ORIGIN);
        let heights = [0.04, -0.02, 0.04, 0.3, 0.04, -0.5];
        let normals = [Vec3::NEG_Y, Vec3::NEG_Y, Vec3::Y, Vec3::NEG_Y, Vec3::X, Vec3::NEG_Y];
        let mesh = TriangleMesh { points: heights.map(|y| Vec3::Y * y).to_vec(), triangles: Vec::new() };
        let normal = normals.map(Into::into).to_vec();
        let mut surface = Surface { mesh, normal, ..Surface::default() };
        press(&mut surface, &[floor], 0.1);
        let pressed: Vec<f32> = surface.mesh.points.iter().map(|p| p.y).collect();
        // The rim, where the surface stands upright, goes half the way.
        let expected = [-0.005, -0.005, 0.04, 0.3, 0.0175, -0.5];
        assert!(pressed.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{pressed:?}");
    }
}
