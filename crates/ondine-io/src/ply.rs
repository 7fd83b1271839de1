//! Particles as binary little-endian PLY, for other programs.
//!
//! Each vertex carries `x y z`, `vx vy vz`, `density`, `radius` (float) and `id` (uint). What PLY has no place for
//! (the system's name and colour) stands in a comment, so that [`read`] gives back what [`write()`] was given.

pub use crate::ply_lines::PlyError;

use crate::ply_lines::{Wrong, after, expect};
use crate::whole;
use ondine::Particles;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

/// Some readers refuse points that do not say that they have no faces.
const NO_FACES: [&str; 2] = ["element face 0", "property list uchar int vertex_indices"];

/// Eight floats and an integer, of four bytes each.
const VERTEX: usize = 36;
const PROPERTIES: [&str; 9] = [
    "property float x",
    "property float y",
    "property float z",
    "property float vx",
    "property float vy",
    "property float vz",
    "property float density",
    "property float radius",
    "property uint id",
];

/// What PLY has no place for: it travels in a comment, as JSON.
#[derive(Serialize, Deserialize)]
struct Extra {
    name: String,
    radius: f32,
    color: [f32; 3],
}

/// Writes particles, whole or not at all.
pub fn write(path: &Path, particles: &Particles) -> io::Result<()> {
    let count = particles.position.len();
    if [particles.velocity.len(), particles.density.len(), particles.id.len()] != [count; 3] {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "particle arrays differ in length"));
    }
    whole::write(path, |w| {
        w.write_all(header(particles)?.as_bytes())?;
        (0..count).try_for_each(|i| w.write_all(&vertex(particles, i)))
    })
}

fn header(particles: &Particles) -> io::Result<String> {
    let Particles { name, radius, color, position, .. } = particles;
    let extra = serde_json::to_string(&Extra { name: name.clone(), radius: *radius, color: *color })?;
    Ok(format!(
        "ply\nformat binary_little_endian 1.0\ncomment ondine {extra}\nelement vertex {}\n{}\n{}\nend_header\n",
        position.len(),
        PROPERTIES.join("\n"),
        NO_FACES.join("\n")
    ))
}

fn vertex(particles: &Particles, i: usize) -> [u8; VERTEX] {
    let ([x, y, z], [vx, vy, vz]) = (particles.position[i], particles.velocity[i]);
    let floats = [x, y, z, vx, vy, vz, particles.density[i], particles.radius].map(f32::to_le_bytes);
    let mut bytes = [0; VERTEX];
    bytes[..32].copy_from_slice(floats.as_flattened());
    bytes[32..].copy_from_slice(&particles.id[i].to_le_bytes());
    bytes
}

/// Reads a file that [`write()`] wrote. Memory stays within a small multiple of the file's length, whatever its header
/// claims.
pub fn read(path: &Path) -> Result<Particles, PlyError> {
    let file = File::open(path).map_err(Wrong::Io).map_err(|wrong| wrong.in_file(path))?;
    particles(&mut BufReader::new(file)).map_err(|wrong| wrong.in_file(path))
}

fn particles(file: &mut impl BufRead) -> Result<Particles, Wrong> {
    let (extra, count) = read_header(file)?;
    let mut body = Vec::new();
    file.read_to_end(&mut body)?;
    let (vertices, rest) = body.as_chunks::<VERTEX>();
    if vertices.len() as u64 != count || !rest.is_empty() {
        let length = body.len();
        return Err(Wrong::Refused(format!("{count} particles announced, {length} bytes of them found")));
    }
    let Extra { name, radius, color } = extra;
    let mut particles = Particles {
        name,
        radius,
        color,
        position: Vec::with_capacity(vertices.len()),
        velocity: Vec::with_capacity(vertices.len()),
        density: Vec::with_capacity(vertices.len()),
        id: Vec::with_capacity(vertices.len()),
    };
    for vertex in vertices {
        let word = |i: usize| [vertex[4 * i], vertex[4 * i + 1], vertex[4 * i + 2], vertex[4 * i + 3]];
        let float = |i: usize| f32::from_le_bytes(word(i));
        particles.position.push([float(0), float(1), float(2)]);
        particles.velocity.push([float(3), float(4), float(5)]);
        particles.density.push(float(6));
        particles.id.push(u32::from_le_bytes(word(8)));
    }
    Ok(particles)
}

fn read_header(file: &mut impl BufRead) -> Result<(Extra, u64), Wrong> {
    expect(file, "ply")?;
    expect(file, "format binary_little_endian 1.0")?;
    let extra = after(file, "comment ondine ")?;
    let extra = serde_json::from_str(&extra)
        .map_err(|e| Wrong::Refused(format!("the comment on its name and colour is damaged ({e})")))?;
    let count = after(file, "element vertex ")?;
    let count = count.parse().map_err(|_| Wrong::Refused(format!("`{count}` is no number of particles")))?;
    PROPERTIES.iter().try_for_each(|property| expect(file, property))?;
    NO_FACES.iter().try_for_each(|line| expect(file, line))?;
    expect(file, "end_header")?;
    Ok((extra, count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sample(count: usize) -> Particles {
        let along = |scale: f32| (0..count).map(|i| [scale * i as f32, 0.1, -0.3]).collect();
        Particles {
            name: "a \"strange\"\nname".into(),
            radius: 0.05,
            color: [0.1, 0.2, 0.3],
            position: along(0.7),
            velocity: along(-0.3),
            density: (0..count).map(|i| 1000.0 + i as f32).collect(),
            id: (0..count as u32).map(|i| i * 7).collect(),
        }
    }

    fn written(particles: &Particles) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("p.ply");
        write(&path, particles).unwrap();
        assert_eq!(&read(&path).unwrap(), particles);
        std::fs::read(path).unwrap()
    }

    #[test]
    fn particles_come_back() {
        written(&sample(0));
        let bytes = written(&sample(100));
        assert!(bytes.starts_with(b"ply\nformat binary_little_endian 1.0\n"));
        let end = b"end_header\n";
        let body = bytes.windows(end.len()).position(|w| w == end).unwrap() + end.len();
        assert_eq!(bytes.len() - body, 100 * VERTEX);
    }

    #[test]
    fn uneven_arrays_are_refused() {
        let mut uneven = sample(3);
        uneven.density.pop();
        let folder = tempfile::tempdir().unwrap();
        let error = write(&folder.path().join("p.ply"), &uneven).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
    }

    fn refusal(bytes: &[u8]) -> String {
        match particles(&mut &bytes[..]) {
            Err(Wrong::Refused(reason)) => reason,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn damaged_files_say_what_is_wrong() {
        assert!(refusal(b"solid teapot").contains("should say `ply`"));
        let bytes = written(&sample(2));
        assert!(refusal(&bytes[..bytes.len() - 1]).contains("2 particles announced, 71 bytes"));
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let huge = text.replace("vertex 2", "vertex 9999999999999999999");
        assert!(refusal(huge.as_bytes()).contains("9999999999999999999 particles announced"));
        let other = text.replace("float density", "double density");
        assert!(refusal(other.as_bytes()).contains("should say `property float density`"));
    }

    #[test]
    fn a_missing_file_is_named() {
        assert!(read(Path::new("no/such.ply")).unwrap_err().to_string().contains("no/such.ply"));
    }

    proptest! {
        #[test]
        fn damage_never_panics(
            at in any::<prop::sample::Index>(),
            gone in 0usize..50,
            with in prop::collection::vec(any::<u8>(), 0..50),
        ) {
            let mut bytes = [header(&sample(3)).unwrap().into_bytes(), vec![7; 3 * VERTEX]].concat();
            let i = at.index(bytes.len());
            let end = (i + gone).min(bytes.len());
            bytes.splice(i..end, with);
            let _ = particles(&mut &bytes[..]);
        }
    }
}
