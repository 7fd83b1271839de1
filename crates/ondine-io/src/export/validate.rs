//! What must hold of a frame before any file can hold it.

use super::{ExportFrame, ObjectMesh};
use glam::Vec3;
use ondine::objects::TriangleMesh;
use ondine::{Particles, Pose, Surface};
use std::io;

/// An error of the caller.
pub(super) fn invalid(reason: impl Into<String>) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, reason.into())
}

/// A whole frame. An exporter that draws no objects gives none.
pub(super) fn frame(frame: &ExportFrame, object_meshes: Option<&[ObjectMesh]>) -> io::Result<()> {
    frame.surfaces.iter().try_for_each(surface)?;
    frame.frame.particles.iter().try_for_each(particles)?;
    frame.frame.objects.iter().try_for_each(pose)?;
    let Some(object_meshes) = object_meshes else { return Ok(()) };
    let objects = frame.frame.objects.len();
    if object_meshes.len() != objects {
        return Err(invalid(format!("{} meshes for {objects} objects", object_meshes.len())));
    }
    object_meshes
        .iter()
        .zip(&frame.frame.objects)
        .try_for_each(|(object_mesh, pose)| self::object_mesh(object_mesh, &pose.name))
}

/// Where an object is.
pub(super) fn pose(pose: &Pose) -> io::Result<()> {
    let placement = pose.placement;
    if !placement.at.is_finite() || !placement.rotation.is_finite() {
        return Err(invalid(format!("the object `{}` is at no finite place", pose.name)));
    }
    Ok(())
}

/// The mesh of an object, whatever its pose.
pub(super) fn object_mesh(object_mesh: &ObjectMesh, name: &str) -> io::Result<()> {
    let ObjectMesh { mesh: triangles, uv, .. } = object_mesh;
    mesh(triangles, name)?;
    if !uv.is_empty() && uv.len() != triangles.triangles.len() {
        return Err(invalid(format!("the arrays of `{name}` differ in length")));
    }
    if uv.as_flattened().iter().all(|place| place.is_finite()) { Ok(()) } else { Err(not_finite(name)) }
}

pub(super) fn surface(surface: &Surface) -> io::Result<()> {
    let Surface { name, mesh: triangles, normal, velocity, color } = surface;
    mesh(triangles, name)?;
    let count = triangles.points.len();
    let lengths = [normal.len(), velocity.len(), color.len()];
    arrays(name, lengths.into_iter().all(|length| length == count), [normal, velocity, color])
}

pub(super) fn particles(particles: &Particles) -> io::Result<()> {
    let Particles {
        kind: _,
        name,
        radius,
        radii,
        color,
        position,
        velocity,
        density,
        orientation,
        colors,
        id,
    } = particles;
    let lengths = [velocity.len(), density.len(), id.len()];
    let optional = [radii.len(), orientation.len(), colors.len()];
    let even = lengths.into_iter().all(|length| length == position.len())
        && optional.into_iter().all(|length| length == 0 || length == position.len());
    arrays(name, even, [position, velocity, &[*color]])?;
    let turned = orientation.as_flattened();
    if density.iter().chain(radii).chain(turned).chain([radius]).all(|x| x.is_finite()) {
        Ok(())
    } else {
        Err(not_finite(name))
    }
}

fn arrays(name: &str, even: bool, arrays: [&[[f32; 3]]; 3]) -> io::Result<()> {
    if !even {
        return Err(invalid(format!("the arrays of `{name}` differ in length")));
    }
    let finite = arrays.iter().copied().flatten().flatten().all(|x| x.is_finite());
    if finite { Ok(()) } else { Err(not_finite(name)) }
}

fn mesh(mesh: &TriangleMesh, name: &str) -> io::Result<()> {
    let count = mesh.points.len();
    // Most formats count points in signed integers of 32 bits.
    if count > i32::MAX as usize || mesh.triangles.as_flattened().iter().any(|&i| i as usize >= count) {
        return Err(invalid(format!("a triangle of `{name}` names a point that is not there")));
    }
    if mesh.points.iter().all(|p: &Vec3| p.is_finite()) { Ok(()) } else { Err(not_finite(name)) }
}

fn not_finite(name: &str) -> io::Error {
    invalid(format!("a number of `{name}` is not finite"))
}
