//! Particles as binary little-endian PLY, for other programs.
//!
//! Each vertex carries `x y z`, `vx vy vz`, `density`, `radius` (float) and `id` (uint); particles that turn also `qx qy qz qw` (float),
//! their orientation, and those of colours of their own `red green blue alpha` (float, from 0 to 1). What PLY has no place for (the system's kind, name and colour) stands in a comment, so that [`read`] gives back what
//! [`write()`] was given.

pub use crate::ply_lines::PlyError;

use crate::atomic;
use crate::ply_lines::{Wrong, after, expect};
use ondine::{Particles, SystemKind};
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

/// Four floats more where particles turn.
const TURN: usize = 16;
const TURN_PROPERTIES: [&str; 4] =
    ["property float qx", "property float qy", "property float qz", "property float qw"];

/// Four more where they have colours of their own.
const COLOR: usize = 16;
const COLOR_PROPERTIES: [&str; 4] =
    ["property float red", "property float green", "property float blue", "property float alpha"];

/// What PLY has no place for: it travels in a comment, as JSON.
#[derive(Serialize, Deserialize)]
struct Extra {
    #[serde(default)]
    kind: SystemKind,
    name: String,
    radius: f32,
    /// Whether particles have radii of their own.
    #[serde(default)]
    own_radii: bool,
    color: [f32; 3],
}

/// What a header says.
struct Header {
    extra: Extra,
    count: u64,
    turning: bool,
    colored: bool,
}

/// Writes particles, whole or not at all.
pub fn write(path: &Path, particles: &Particles) -> io::Result<()> {
    let Particles { position, velocity, density, id, radii, orientation, colors, .. } = particles;
    let count = position.len();
    let optional = [radii.len(), orientation.len(), colors.len()].into_iter().filter(|length| *length > 0);
    if [velocity.len(), density.len(), id.len()].into_iter().chain(optional).any(|length| length != count) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "particle arrays differ in length"));
    }
    atomic::write(path, |w| {
        w.write_all(header(particles)?.as_bytes())?;
        (0..count).try_for_each(|i| {
            w.write_all(&vertex(particles, i))?;
            let more = [orientation.get(i), colors.get(i)].into_iter().flatten();
            more.map(|row| row.map(f32::to_le_bytes)).try_for_each(|row| w.write_all(row.as_flattened()))
        })
    })
}

fn header(particles: &Particles) -> io::Result<String> {
    let Particles { kind, name, radius, color, position, .. } = particles;
    let own_radii = !particles.radii.is_empty();
    let extra = Extra { kind: *kind, name: name.clone(), radius: *radius, own_radii, color: *color };
    let turn: &[&str] = if particles.orientation.is_empty() { &[] } else { &TURN_PROPERTIES };
    let color_rows: &[&str] = if particles.colors.is_empty() { &[] } else { &COLOR_PROPERTIES };
    Ok(format!(
        "ply\nformat binary_little_endian 1.0\ncomment ondine {}\nelement vertex {}\n{}\n{}\nend_header\n",
        serde_json::to_string(&extra)?,
        position.len(),
        [&PROPERTIES, turn, color_rows].concat().join("\n"),
        NO_FACES.join("\n")
    ))
}

fn vertex(particles: &Particles, i: usize) -> [u8; VERTEX] {
    let ([x, y, z], [vx, vy, vz]) = (particles.position[i], particles.velocity[i]);
    let floats = [x, y, z, vx, vy, vz, particles.density[i], particles.radius_of(i)].map(f32::to_le_bytes);
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

/// Reads the bytes of a file that [`write()`] wrote; errors name it by its path.
pub fn parse(mut bytes: &[u8], path: &Path) -> Result<Particles, PlyError> {
    particles(&mut bytes).map_err(|wrong| wrong.in_file(path))
}

fn particles(file: &mut impl BufRead) -> Result<Particles, Wrong> {
    let Header { extra, count, turning, colored } = read_header(file)?;
    let mut body = Vec::new();
    file.read_to_end(&mut body)?;
    let size = VERTEX + if turning { TURN } else { 0 } + if colored { COLOR } else { 0 };
    if body.len() % size != 0 || (body.len() / size) as u64 != count {
        let length = body.len();
        return Err(Wrong::Refused(format!("{count} particles announced, {length} bytes of them found")));
    }
    let count = body.len() / size;
    let room = |wanted: bool| if wanted { count } else { 0 };
    let Extra { kind, name, radius, own_radii, color } = extra;
    let mut particles = Particles {
        kind,
        name,
        radius,
        color,
        position: Vec::with_capacity(count),
        velocity: Vec::with_capacity(count),
        density: Vec::with_capacity(count),
        id: Vec::with_capacity(count),
        radii: Vec::with_capacity(room(own_radii)),
        orientation: Vec::with_capacity(room(turning)),
        colors: Vec::with_capacity(room(colored)),
    };
    for vertex in body.chunks_exact(size) {
        let (words, _) = vertex.as_chunks::<4>();
        let float = |i: usize| f32::from_le_bytes(words[i]);
        particles.position.push([float(0), float(1), float(2)]);
        particles.velocity.push([float(3), float(4), float(5)]);
        particles.density.push(float(6));
        particles.id.push(u32::from_le_bytes(words[8]));
        particles.radii.extend(own_radii.then(|| float(7)));
        let row = |first: usize| [float(first), float(first + 1), float(first + 2), float(first + 3)];
        particles.orientation.extend(turning.then(|| row(9)));
        particles.colors.extend(colored.then(|| row(if turning { 13 } else { 9 })));
    }
    Ok(particles)
}

/// What comes of the file itself may be of any length.
fn short(text: &impl ToString) -> String {
    text.to_string().chars().take(200).collect()
}

fn read_header(file: &mut impl BufRead) -> Result<Header, Wrong> {
    expect(file, "ply")?;
    expect(file, "format binary_little_endian 1.0")?;
    let extra = after(file, "comment ondine ")?;
    let extra = serde_json::from_str(&extra).map_err(|e| {
        Wrong::Refused(format!("the comment on its name and colour is damaged ({})", short(&e)))
    })?;
    let count = after(file, "element vertex ")?;
    let count = count
        .parse()
        .map_err(|_| Wrong::Refused(format!("`{}` is no number of particles", short(&count))))?;
    PROPERTIES.iter().try_for_each(|property| expect(file, property))?;
    let mut next = after(file, "")?;
    let mut has = |properties: &[&str]| -> Result<bool, Wrong> {
        if next != properties[0] {
            return Ok(false);
        }
        properties[1..].iter().try_for_each(|property| expect(file, property))?;
        next = after(file, "")?;
        Ok(true)
    };
    let (turning, colored) = (has(&TURN_PROPERTIES)?, has(&COLOR_PROPERTIES)?);
    expect(&mut next.as_bytes(), NO_FACES[0])?;
    expect(file, NO_FACES[1])?;
    expect(file, "end_header")?;
    Ok(Header { extra, count, turning, colored })
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
            ..Particles::default()
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

    /// Balls of several sizes that turn.
    fn rolling(count: usize) -> Particles {
        Particles {
            kind: SystemKind::Balls,
            radii: (0..count).map(|i| 0.01 * (1 + i) as f32).collect(),
            orientation: (0..count).map(|i| [0.6, 0.0, -0.8, i as f32]).collect(),
            ..sample(count)
        }
    }

    #[test]
    fn kinds_radii_and_orientations_come_back() {
        let bytes = written(&rolling(5));
        let text = String::from_utf8_lossy(&bytes);
        assert!(text.contains("\"kind\":\"balls\"") && text.contains("property float qw\nelement face 0\n"));
        assert!(bytes.ends_with(&4f32.to_le_bytes()));
        written(&Particles { radii: Vec::new(), ..rolling(5) });
        written(&Particles { orientation: Vec::new(), ..rolling(5) });
        let colors: Vec<[f32; 4]> = (0..5).map(|i| [0.1 * i as f32, 0.5, 1.0, 0.7]).collect();
        let bytes = written(&Particles { kind: SystemKind::Effect, colors: colors.clone(), ..rolling(5) });
        assert!(String::from_utf8_lossy(&bytes).contains("property float qw\nproperty float red\n"));
        written(&Particles { colors, orientation: Vec::new(), ..rolling(5) });
        // All alike, and yet their own.
        written(&Particles { radii: vec![0.05; 5], ..rolling(5) });
    }

    #[test]
    fn uneven_arrays_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let refused = |change: fn(&mut Particles)| {
            let mut uneven = rolling(3);
            change(&mut uneven);
            write(&folder.path().join("p.ply"), &uneven).unwrap_err().kind()
        };
        for change in [
            |p: &mut Particles| p.density.truncate(2),
            |p: &mut Particles| p.radii.truncate(2),
            |p: &mut Particles| p.orientation.truncate(2),
            |p: &mut Particles| p.colors = vec![[1.0; 4]; 2],
        ] {
            assert_eq!(refused(change), io::ErrorKind::InvalidInput);
        }
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
            let mut bytes = written(&rolling(3));
            let i = at.index(bytes.len());
            let end = (i + gone).min(bytes.len());
            bytes.splice(i..end, with);
            let _ = particles(&mut &bytes[..]);
        }
    }
}
