//! A surface or an object as Wavefront OBJ text. Colours follow the coordinates of each point, as most programs read them, and are
//! as screens show them; OBJ has no place for velocities. Objects have no normals, so that programs show them
//! with flat faces, but the places in a texture that their mesh came with.

use super::{ObjectMesh, validate};
use crate::atomic;
use ondine::{Pose, Surface};
use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;

/// Writes a surface, whole or not at all.
pub fn write(path: &Path, surface: &Surface) -> io::Result<()> {
    validate::surface(surface)?;
    atomic::write(path, |w| fill(w, surface))
}

fn fill(w: &mut dyn Write, surface: &Surface) -> io::Result<()> {
    writeln!(w, "# Ondine, metres, y up\no {}", line(&surface.name))?;
    for (point, [r, g, b]) in surface.mesh.points.iter().zip(&surface.color) {
        writeln!(w, "v {} {} {} {r} {g} {b}", point.x, point.y, point.z)?;
    }
    for [x, y, z] in &surface.normal {
        writeln!(w, "vn {x} {y} {z}")?;
    }
    for triangle in &surface.mesh.triangles {
        let [a, b, c] = triangle.map(|i| u64::from(i) + 1);
        writeln!(w, "f {a}//{a} {b}//{b} {c}//{c}")?;
    }
    Ok(())
}

/// Writes an object where it is, whole or not at all.
pub fn write_object(path: &Path, pose: &Pose, object_mesh: &ObjectMesh) -> io::Result<()> {
    validate::pose(pose)?;
    validate::object_mesh(object_mesh, &pose.name)?;
    atomic::write(path, |w| fill_object(w, pose, object_mesh))
}

fn fill_object(w: &mut dyn Write, pose: &Pose, object_mesh: &ObjectMesh) -> io::Result<()> {
    let ObjectMesh { mesh, uv, color: [r, g, b], .. } = object_mesh;
    writeln!(w, "# Ondine, metres, y up\no {}", line(&pose.name))?;
    for point in mesh.points.iter().map(|p| pose.placement.to_world(*p)) {
        writeln!(w, "v {} {} {} {r} {g} {b}", point.x, point.y, point.z)?;
    }
    // Many corners share a place: each is written once, in the order in which they come.
    let (mut known, mut places) = (HashMap::new(), Vec::new());
    for place in uv.as_flattened() {
        let next = known.len() + 1;
        places.push(*known.entry(place.to_array().map(f32::to_bits)).or_insert(next));
        if known.len() == next {
            writeln!(w, "vt {} {}", place.x, place.y)?;
        }
    }
    for (i, triangle) in mesh.triangles.iter().enumerate() {
        let [a, b, c] = triangle.map(|i| u64::from(i) + 1);
        match places.get(3 * i..3 * i + 3) {
            Some([s, t, u]) => writeln!(w, "f {a}/{s} {b}/{t} {c}/{u}")?,
            _ => writeln!(w, "f {a} {b} {c}")?,
        }
    }
    Ok(())
}

/// A name that stays on its line.
fn line(name: &str) -> String {
    name.chars().map(|c| if c.is_control() || c == '\\' { '_' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::tests::{pose, pyramid, textured};
    use crate::mesh_in;

    fn text(surface: &Surface) -> String {
        let mut bytes = Vec::new();
        fill(&mut bytes, surface).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn lines_are_counted_from_one() {
        let text = text(&pyramid("two\nlines"));
        assert!(text.starts_with("# Ondine, metres, y up\no two_lines\nv 0 0 0 0.2 0.4 1\n"), "{text}");
        assert!(text.ends_with("f 2//2 3//3 4//4\n"), "{text}");
        let lines = |key: &str| text.lines().filter(|line| line.split(' ').next() == Some(key)).count();
        assert_eq!(["v", "vn", "f"].map(lines), [4, 4, 4]);
    }

    #[test]
    fn our_own_reader_takes_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p.obj");
        write(&path, &pyramid("p")).unwrap();
        let brought = mesh_in::read(&path).unwrap();
        assert_eq!(brought.mesh, pyramid("p").mesh);
        assert!(brought.repairs.is_empty());
    }

    /// An object with a place in a texture for each corner, in its place and back.
    #[test]
    fn places_in_a_texture_come_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p.obj");
        let object_mesh = textured();
        write_object(&path, &pose("p"), &object_mesh).unwrap();
        let brought = mesh_in::read(&path).unwrap();
        assert_eq!((brought.mesh.triangles, brought.uv), (object_mesh.mesh.triangles, object_mesh.uv));
        let placed = object_mesh.mesh.points.iter().map(|p| pose("p").placement.to_world(*p));
        assert!(placed.eq(brought.mesh.points));
    }

    #[test]
    fn an_empty_surface_is_a_file_too() {
        assert_eq!(text(&Surface::default()).lines().count(), 2);
    }
}
