//! A surface as binary little-endian PLY: for other programs, and for stages of our own that take a meshed frame from
//! the disk.
//!
//! Each vertex carries `x y z`, `nx ny nz`, `vx vy vz` (float) and `red green blue` (uchar), each face three
//! `vertex_indices`. The system's name stands in a comment. [`read`] gives back what [`write()`] was given, but for
//! colours, which are rounded to bytes.

use super::{color, validate};
use crate::atomic;
use crate::ply_lines::{PlyError, Wrong, after, expect};
use glam::Vec3;
use ondine::Surface;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

/// Nine floats and three bytes.
const VERTEX: usize = 39;
/// A byte that says three, and three integers.
const FACE: usize = 13;
const PROPERTIES: [&str; 12] = [
    "property float x",
    "property float y",
    "property float z",
    "property float nx",
    "property float ny",
    "property float nz",
    "property float vx",
    "property float vy",
    "property float vz",
    "property uchar red",
    "property uchar green",
    "property uchar blue",
];
const INDICES: &str = "property list uchar int vertex_indices";

/// What PLY has no place for: it travels in a comment, as JSON.
#[derive(Serialize, Deserialize)]
struct Extra {
    name: String,
    #[serde(default)]
    note: String,
}

/// Writes a surface, whole or not at all, with a note on how it was made.
pub fn write(path: &Path, surface: &Surface, note: &str) -> io::Result<()> {
    validate::surface(surface)?;
    atomic::write(path, |w| fill(w, surface, note))
}

/// Rounds the colours of a surface to what its file holds.
pub fn round(surface: &mut Surface) {
    surface.color.iter_mut().for_each(|color| *color = color::from_bytes(color::bytes(*color)));
}

fn fill(w: &mut dyn Write, surface: &Surface, note: &str) -> io::Result<()> {
    w.write_all(header(surface, note)?.as_bytes())?;
    (0..surface.mesh.points.len()).try_for_each(|i| w.write_all(&vertex(surface, i)))?;
    surface.mesh.triangles.iter().try_for_each(|&triangle| w.write_all(&face(triangle)))
}

fn header(surface: &Surface, note: &str) -> io::Result<String> {
    let extra = serde_json::to_string(&Extra { name: surface.name.clone(), note: note.into() })?;
    Ok(format!(
        "ply\nformat binary_little_endian 1.0\ncomment ondine {extra}\nelement vertex {}\n{}\nelement face {}\n\
         {INDICES}\nend_header\n",
        surface.mesh.points.len(),
        PROPERTIES.join("\n"),
        surface.mesh.triangles.len(),
    ))
}

fn vertex(surface: &Surface, i: usize) -> [u8; VERTEX] {
    let floats = [surface.mesh.points[i].to_array(), surface.normal[i], surface.velocity[i]];
    let mut bytes = [0; VERTEX];
    for (place, float) in bytes.chunks_exact_mut(4).zip(floats.as_flattened()) {
        place.copy_from_slice(&float.to_le_bytes());
    }
    bytes[36..].copy_from_slice(&color::bytes(surface.color[i]));
    bytes
}

fn face(triangle: [u32; 3]) -> [u8; FACE] {
    let mut bytes = [3; FACE];
    bytes[1..].copy_from_slice(triangle.map(u32::to_le_bytes).as_flattened());
    bytes
}

/// Reads a file that [`write()`] wrote. Memory stays within a small multiple of the file's length, whatever its header
/// claims.
pub fn read(path: &Path) -> Result<Surface, PlyError> {
    let bytes = std::fs::read(path).map_err(|source| PlyError::Io { path: path.into(), source })?;
    parse(&bytes, path)
}

/// The note in a file, read without its points; None where there is no such file.
pub fn note_in(path: &Path) -> Option<String> {
    let mut file = BufReader::new(File::open(path).ok()?);
    read_header(&mut file).ok().map(|(extra, _, _)| extra.note)
}

/// Reads the bytes of a file that [`write()`] wrote; errors name it by its path.
pub fn parse(bytes: &[u8], path: &Path) -> Result<Surface, PlyError> {
    surface(bytes).map_err(|wrong| wrong.in_file(path))
}

fn surface(mut bytes: &[u8]) -> Result<Surface, Wrong> {
    let (Extra { name, .. }, points, triangles) = read_header(&mut bytes)?;
    let cut = |count: u64, size: usize| usize::try_from(count).ok()?.checked_mul(size);
    let split = cut(points, VERTEX).and_then(|at| bytes.split_at_checked(at));
    let Some((vertices, faces)) = split.filter(|(_, rest)| cut(triangles, FACE) == Some(rest.len())) else {
        let length = bytes.len();
        let reason =
            format!("{points} points and {triangles} triangles announced, {length} bytes of them found");
        return Err(Wrong::Refused(reason));
    };
    let mut surface = Surface { name, ..Surface::default() };
    vertices.as_chunks().0.iter().for_each(|vertex| add(&mut surface, vertex));
    surface.mesh.triangles = faces.as_chunks().0.iter().map(corners).collect::<Result<_, _>>()?;
    validate::surface(&surface).map_err(|e| Wrong::Refused(e.to_string()))?;
    Ok(surface)
}

fn read_header(bytes: &mut impl BufRead) -> Result<(Extra, u64, u64), Wrong> {
    expect(bytes, "ply")?;
    expect(bytes, "format binary_little_endian 1.0")?;
    let extra = after(bytes, "comment ondine ")?;
    let extra = serde_json::from_str(&extra)
        .map_err(|e| Wrong::Refused(format!("the comment on its name is damaged ({e})")))?;
    let points = count(bytes, "element vertex ")?;
    PROPERTIES.iter().try_for_each(|property| expect(bytes, property))?;
    let triangles = count(bytes, "element face ")?;
    expect(bytes, INDICES)?;
    expect(bytes, "end_header")?;
    Ok((extra, points, triangles))
}

fn count(bytes: &mut impl BufRead, element: &str) -> Result<u64, Wrong> {
    let count = after(bytes, element)?;
    count.parse().map_err(|_| Wrong::Refused(format!("no number after `{}`", element.trim_end())))
}

fn add(surface: &mut Surface, vertex: &[u8; VERTEX]) {
    let float = |i: usize| f32::from_le_bytes(std::array::from_fn(|k| vertex[4 * i + k]));
    surface.mesh.points.push(Vec3::new(float(0), float(1), float(2)));
    surface.normal.push([float(3), float(4), float(5)]);
    surface.velocity.push([float(6), float(7), float(8)]);
    surface.color.push(color::from_bytes([vertex[36], vertex[37], vertex[38]]));
}

fn corners(face: &[u8; FACE]) -> Result<[u32; 3], Wrong> {
    match face[0] {
        3 => Ok([1, 5, 9].map(|at| u32::from_le_bytes(std::array::from_fn(|k| face[at + k])))),
        n => Err(Wrong::Refused(format!("a face of {n} corners, where all have 3"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::tests::pyramid;
    use proptest::prelude::*;

    fn bytes(surface: &Surface) -> Vec<u8> {
        let mut bytes = Vec::new();
        fill(&mut bytes, surface, "").unwrap();
        bytes
    }

    fn refusal(bytes: &[u8]) -> String {
        parse(bytes, Path::new("s.ply")).unwrap_err().to_string()
    }

    #[test]
    fn surfaces_come_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.ply");
        for surface in [pyramid("a \"strange\"\nname"), Surface { name: "none".into(), ..Surface::default() }]
        {
            write(&path, &surface, "").unwrap();
            assert_eq!(read(&path).unwrap(), surface);
            assert_eq!(std::fs::read(&path).unwrap(), bytes(&surface), "the same bytes each time");
        }
        write(&path, &pyramid("p"), "fine").unwrap();
        assert_eq!(note_in(&path), Some("fine".into()));
        assert_eq!(note_in(&folder.path().join("none.ply")), None);
    }

    #[test]
    fn numbers_stand_where_the_header_says() {
        let surface = pyramid("p");
        let bytes = bytes(&surface);
        let end = b"end_header\n";
        let body = &bytes[bytes.windows(end.len()).position(|w| w == end).unwrap() + end.len()..];
        assert_eq!(body.len(), 4 * VERTEX + 4 * FACE);
        assert_eq!(body[VERTEX..VERTEX + 4], surface.mesh.points[1].x.to_le_bytes());
        assert_eq!(body[36..39], [51, 102, 255]);
        assert_eq!(body[4 * VERTEX..4 * VERTEX + 5], [3, 0, 0, 0, 0]);
    }

    #[test]
    fn colours_are_rounded_to_bytes() {
        let mut surface = pyramid("p");
        surface.color[0] = [0.1234, -1.0, 7.0];
        let back = parse(&bytes(&surface), Path::new("s.ply")).unwrap();
        assert_eq!(back.color[0], [31.0 / 255.0, 0.0, 1.0]);
        round(&mut surface);
        assert_eq!(back, surface);
    }

    #[test]
    fn what_no_file_can_hold_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let refused = |surface: &Surface, why: &str| {
            let error = write(&folder.path().join("s.ply"), surface, "").unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
            assert!(error.to_string().contains(why), "{error}");
        };
        let mut uneven = pyramid("p");
        uneven.normal.pop();
        refused(&uneven, "differ in length");
        let mut torn = pyramid("p");
        torn.mesh.triangles[0][1] = 4;
        refused(&torn, "not there");
        let mut endless = pyramid("p");
        endless.velocity[2][1] = f32::INFINITY;
        refused(&endless, "not finite");
    }

    #[test]
    fn damaged_files_say_what_is_wrong() {
        assert!(refusal(b"solid teapot").contains("s.ply: its header should say `ply`"));
        let bytes = bytes(&pyramid("p"));
        assert!(refusal(&bytes[..bytes.len() - 1]).contains("4 points and 4 triangles announced, 207 bytes"));
        let huge = String::from_utf8_lossy(&bytes).replace("vertex 4", "vertex 9999999999999999999");
        assert!(refusal(huge.as_bytes()).contains("9999999999999999999 points"));
        let changed = |at_end: usize, to: u8| {
            let mut bytes = bytes.clone();
            let at = bytes.len() - at_end;
            bytes[at] = to;
            refusal(&bytes)
        };
        assert!(changed(FACE, 4).contains("a face of 4 corners"));
        assert!(changed(FACE - 1, 9).contains("names a point that is not there"));
        assert!(read(Path::new("no/such.ply")).unwrap_err().to_string().contains("no/such.ply"));
    }

    proptest! {
        #[test]
        fn damage_never_panics(
            at in any::<prop::sample::Index>(),
            gone in 0usize..50,
            with in prop::collection::vec(any::<u8>(), 0..50),
        ) {
            let mut bytes = bytes(&pyramid("p"));
            let i = at.index(bytes.len());
            let end = (i + gone).min(bytes.len());
            bytes.splice(i..end, with);
            let _ = parse(&bytes, Path::new("s.ply"));
        }
    }
}
