//! A frame as NPZ: arrays for numpy.
//!
//! | array | type and shape | what |
//! |---|---|---|
//! | `frame`, `time` | uint32, float64 | number and time [s] of the frame |
//! | `NAME/position`, `NAME/velocity` | float32 n×3 | particles of a system [m], [m/s] |
//! | `NAME/density`, `NAME/radius`, `NAME/id` | float32 n, float32 n, uint32 n | their densities [kg/m³], radii [m] and ids |
//! | `NAME/orientation` | float32 n×4 | their quaternions x, y, z, w, of particles that turn |
//! | `NAME/color` | float32 n×4 | their colours and opacities, as the scene gives colours, of particles of effects |
//! | `NAME/surface/points`, `/normal`, `/velocity` | float32 m×3 | the surface of a system |
//! | `NAME/surface/triangles` | uint32 k×3 | its triangles, by number of point |
//! | `objects/names`, `objects/enabled` | text o, bool o | the objects |
//! | `objects/at`, `objects/rotation` | float32 o×3, o×4 | their positions [m] and quaternions x, y, z, w |
//!
//! `NAME` is the name in the scene with letters, digits and underscores of ASCII only; a name that is taken gets a
//! number.

use super::names::identifiers;
use super::{ExportFrame, validate, zip};
use crate::atomic;
use glam::Vec3;
use ondine::{Pose, Surface};
use std::io;
use std::path::Path;

/// Writes a frame, whole or not at all.
pub fn write(path: &Path, frame: &ExportFrame) -> io::Result<()> {
    validate::frame(frame, None)?;
    let entries = entries(frame);
    atomic::write(path, |w| zip::write(w, &entries))
}

type Entry = (String, Vec<u8>);

fn entries(ExportFrame { frame, surfaces }: &ExportFrame) -> Vec<Entry> {
    let mut entries = vec![
        array("frame".into(), "<u4", "()", frame.index.to_le_bytes()),
        array("time".into(), "<f8", "()", frame.time.to_le_bytes()),
    ];
    let names = frame.particles.iter().map(|p| p.name.as_str());
    // No system may be called as the objects' folder is.
    let names = identifiers(std::iter::once("objects").chain(names)).into_iter().skip(1);
    for (name, particles) in names.zip(&frame.particles) {
        entries.push(floats(format!("{name}/position"), &particles.position));
        entries.push(floats(format!("{name}/velocity"), &particles.velocity));
        let (count, density) = (particles.id.len(), particles.density.iter());
        let shape = format!("({count},)");
        entries.push(array(format!("{name}/density"), "<f4", &shape, density.flat_map(|d| d.to_le_bytes())));
        let radius = (0..count).flat_map(|i| particles.radius_of(i).to_le_bytes());
        entries.push(array(format!("{name}/radius"), "<f4", &shape, radius));
        if !particles.orientation.is_empty() {
            entries.push(floats(format!("{name}/orientation"), &particles.orientation));
        }
        if !particles.colors.is_empty() {
            entries.push(floats(format!("{name}/color"), &particles.colors));
        }
        let id = particles.id.iter().flat_map(|i| i.to_le_bytes());
        entries.push(array(format!("{name}/id"), "<u4", &shape, id));
    }
    let names = surfaces.iter().map(|s| s.name.as_str());
    let names = identifiers(std::iter::once("objects").chain(names)).into_iter().skip(1);
    names.zip(surfaces).for_each(|(name, surface)| entries.extend(of_surface(&name, surface)));
    entries.extend(of_objects(&frame.objects));
    entries
}

fn of_surface(name: &str, surface: &Surface) -> [Entry; 4] {
    let points: Vec<_> = surface.mesh.points.iter().map(Vec3::to_array).collect();
    let triangles = &surface.mesh.triangles;
    let corners = triangles.as_flattened().iter().flat_map(|i| i.to_le_bytes());
    [
        floats(format!("{name}/surface/points"), &points),
        array(format!("{name}/surface/triangles"), "<u4", &format!("({}, 3)", triangles.len()), corners),
        floats(format!("{name}/surface/normal"), &surface.normal),
        floats(format!("{name}/surface/velocity"), &surface.velocity),
    ]
}

fn of_objects(objects: &[Pose]) -> [Entry; 4] {
    let at: Vec<_> = objects.iter().map(|o| o.placement.at.to_array()).collect();
    let rotation: Vec<_> = objects.iter().map(|o| o.placement.rotation.to_array()).collect();
    let enabled = objects.iter().map(|o| u8::from(o.enabled));
    [
        names(objects),
        array("objects/enabled".into(), "|b1", &format!("({},)", objects.len()), enabled),
        floats("objects/at".into(), &at),
        floats("objects/rotation".into(), &rotation),
    ]
}

/// Texts are arrays of characters of four bytes, as long as the longest, filled up with zeros.
fn names(objects: &[Pose]) -> Entry {
    let longest = objects.iter().map(|o| o.name.chars().count()).max().unwrap_or(0).max(1);
    let filled = |o: &Pose| {
        let characters: Vec<char> = o.name.chars().chain(std::iter::repeat('\0')).take(longest).collect();
        characters
    };
    let characters = objects.iter().flat_map(filled).flat_map(|c| u32::from(c).to_le_bytes());
    array("objects/names".into(), &format!("<U{longest}"), &format!("({},)", objects.len()), characters)
}

fn floats<const N: usize>(name: String, rows: &[[f32; N]]) -> Entry {
    let numbers = rows.as_flattened().iter().flat_map(|x| x.to_le_bytes());
    array(name, "<f4", &format!("({}, {N})", rows.len()), numbers)
}

/// An NPY file: a magic word, the length of the header, the header, the numbers. These begin at a multiple of 64.
fn array(name: String, kind: &str, shape: &str, numbers: impl IntoIterator<Item = u8>) -> Entry {
    const MAGIC: &[u8; 8] = b"\x93NUMPY\x01\x00";
    let header = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
    let start = (MAGIC.len() + 2 + header.len() + 1).next_multiple_of(64);
    let mut bytes = MAGIC.to_vec();
    bytes.extend(((start - MAGIC.len() - 2) as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.resize(start - 1, b' ');
    bytes.push(b'\n');
    bytes.extend(numbers);
    (format!("{name}.npy"), bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::tests::{frame, with_balls, with_effect};

    fn found<'a>(entries: &'a [Entry], name: &str) -> (String, &'a [u8]) {
        let (_, bytes) = entries.iter().find(|(n, _)| n == &format!("{name}.npy")).expect(name);
        assert!(bytes.starts_with(b"\x93NUMPY\x01\x00"));
        let start = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
        assert_eq!((start % 64, bytes[start - 1]), (0, b'\n'));
        (String::from_utf8(bytes[10..start].to_vec()).unwrap(), &bytes[start..])
    }

    #[test]
    fn arrays_have_their_shapes() {
        let entries = entries(&frame(2));
        let shape = |name: &str, wanted: &str, size: usize| {
            let (header, body) = found(&entries, name);
            assert!(header.contains(wanted), "{header}");
            assert_eq!(body.len(), size, "{name}");
        };
        shape("frame", "'<u4', 'fortran_order': False, 'shape': (),", 4);
        shape("a_b/position", "'<f4', 'fortran_order': False, 'shape': (5, 3)", 60);
        shape("a_b_2/density", "(0,)", 0);
        shape("a_b/radius", "(5,)", 20);
        shape("a_b/surface/triangles", "(4, 3)", 48);
        shape("a_b_2/surface/points", "(0, 3)", 0);
        shape("objects/names", "'<U5'", 40);
        shape("objects/rotation", "(2, 4)", 32);
        assert_eq!(found(&entries, "a_b/id").1[4..8], 7u32.to_le_bytes());
        assert_eq!(found(&entries, "objects/names").1[..8], *b"c\0\0\0u\0\0\0");
    }

    #[test]
    fn balls_have_their_radii_and_orientations() {
        let entries = entries(&with_balls(1));
        assert_eq!(
            found(&entries, "marbles/radius").1,
            [0.125f32, 0.25, 0.375].map(f32::to_le_bytes).as_flattened()
        );
        let (header, numbers) = found(&entries, "marbles/orientation");
        assert!(header.contains("(3, 4)"), "{header}");
        assert_eq!(numbers[..4], 0.6f32.to_le_bytes());
        assert!(
            !entries
                .iter()
                .any(|(name, _)| name.contains("marbles/surface") || name.contains("a_b/orientation"))
        );
    }

    #[test]
    fn effects_have_their_colours() {
        let entries = entries(&with_effect(1));
        let (header, numbers) = found(&entries, "sparks/color");
        assert!(header.contains("(2, 4)"), "{header}");
        assert_eq!(numbers[12..16], 0.5f32.to_le_bytes());
        assert!(!entries.iter().any(|(name, _)| name.contains("a_b/color")));
    }

    #[test]
    fn files_are_the_same_each_time() {
        let folder = tempfile::tempdir().unwrap();
        let written = || {
            let path = folder.path().join("f.npz");
            write(&path, &frame(1)).unwrap();
            std::fs::read(path).unwrap()
        };
        let first = written();
        assert!(first.starts_with(b"PK\x03\x04"));
        assert_eq!(first, written());
    }
}
