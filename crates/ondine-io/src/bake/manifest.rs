//! What a frame of a bake is made of, as JSON: its systems by kind and name, whose particles have files of their own
//! ([`ply`](crate::ply)), and the poses of its objects. With the particles, all that is needed to have the frame back, bit for bit.

use crate::atomic;
use glam::{Quat, Vec3};
use ondine::scene::Placement;
use ondine::{Frame, Pose, SystemKind};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};

/// Why a manifest could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// The file system refused.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Not a file as [`write()`] lays it out.
    #[error("{path}: {reason}; give a file that Ondine wrote, or bake again", path = path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// What was found.
        reason: String,
    },
}

/// What a frame is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Manifest {
    /// Frame number; 0 is the start.
    pub frame: u32,
    /// Time since the start [s].
    pub time: f64,
    /// The particle systems, in the order of the frame.
    pub systems: Vec<SystemEntry>,
    /// The objects, in the order of the scene.
    pub objects: Vec<Pose>,
}

/// A system of a frame.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SystemEntry {
    /// What it is.
    pub kind: SystemKind,
    /// Its name in the scene.
    pub name: String,
    /// Number of its particles.
    pub particles: u64,
}

/// The file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    frame: u32,
    /// Since the start [s].
    time: f64,
    systems: Vec<SystemEntry>,
    objects: Vec<Line>,
}

/// One object of the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    name: String,
    enabled: bool,
    visible: bool,
    /// [m]
    at: [f32; 3],
    /// Quaternion x, y, z, w.
    rotation: [f32; 4],
    /// [m/s]
    velocity: [f32; 3],
    /// [rad/s]
    spin: [f32; 3],
}

/// Writes the manifest of a frame, whole or not at all.
pub fn write(path: &Path, frame: &Frame) -> io::Result<()> {
    let text = text(frame)?;
    atomic::write(path, |w| w.write_all(text.as_bytes()))
}

fn text(frame: &Frame) -> io::Result<String> {
    let finite = |p: &Pose| {
        let moving = p.velocity.iter().chain(&p.spin).all(|x| x.is_finite());
        moving && p.placement.at.is_finite() && p.placement.rotation.is_finite()
    };
    if !frame.time.is_finite() || !frame.objects.iter().all(finite) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "a number of a pose is not finite"));
    }
    let systems = frame.particles.iter().map(|system| SystemEntry {
        kind: system.kind,
        name: system.name.clone(),
        particles: system.position.len() as u64,
    });
    let file = File {
        frame: frame.index,
        time: frame.time,
        systems: systems.collect(),
        objects: frame.objects.iter().map(line).collect(),
    };
    Ok(serde_json::to_string_pretty(&file)? + "\n")
}

fn line(pose: &Pose) -> Line {
    Line {
        name: pose.name.clone(),
        enabled: pose.enabled,
        visible: pose.visible,
        at: pose.placement.at.to_array(),
        rotation: pose.placement.rotation.to_array(),
        velocity: pose.velocity,
        spin: pose.spin,
    }
}

/// Reads a file that [`write()`] wrote.
pub fn read(path: &Path) -> Result<Manifest, ManifestError> {
    let bytes = std::fs::read(path).map_err(|source| ManifestError::Io { path: path.into(), source })?;
    parse(&bytes, path)
}

/// Reads the bytes of a file that [`write()`] wrote; errors name it by its path.
pub fn parse(bytes: &[u8], path: &Path) -> Result<Manifest, ManifestError> {
    let refused = |e: serde_json::Error| {
        // A name of the file's own may be in it, of any length.
        let reason = e.to_string().chars().take(200).collect();
        ManifestError::Refused { path: path.into(), reason }
    };
    let File { frame, time, systems, objects } = serde_json::from_slice(bytes).map_err(refused)?;
    Ok(Manifest { frame, time, systems, objects: objects.into_iter().map(pose).collect() })
}

fn pose(line: Line) -> Pose {
    let Line { name, enabled, visible, at, rotation, velocity, spin } = line;
    let placement = Placement { at: Vec3::from_array(at), rotation: Quat::from_array(rotation) };
    Pose { name, enabled, visible, placement, velocity, spin }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn frame(numbers: [f32; 13], time: f64) -> Frame {
        let [ax, ay, az, rx, ry, rz, rw, vx, vy, vz, sx, sy, sz] = numbers;
        let pose = |name: &str| Pose {
            name: name.into(),
            enabled: true,
            visible: false,
            placement: Placement { at: Vec3::new(ax, ay, az), rotation: Quat::from_xyzw(rx, ry, rz, rw) },
            velocity: [vx, vy, vz],
            spin: [sx, sy, sz],
        };
        Frame {
            index: 7,
            time,
            particles: Vec::new(),
            objects: vec![pose("cup"), pose("a \"strange\"\nname")],
        }
    }

    fn refusal(bytes: &[u8]) -> String {
        parse(bytes, Path::new("m.json")).unwrap_err().to_string()
    }

    #[test]
    fn a_file_gives_systems_and_poses_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.json");
        for objects in [2, 0] {
            let mut frame = frame([0.1; 13], 7.0 / 30.0);
            frame.particles = crate::export::tests::with_balls(0).frame.particles;
            frame.objects.truncate(objects);
            write(&path, &frame).unwrap();
            let found = read(&path).unwrap();
            assert_eq!((found.frame, found.time, &found.objects), (7, frame.time, &frame.objects));
            let named: Vec<_> = found.systems.iter().map(|s| (s.kind, &*s.name, s.particles)).collect();
            let (liquid, balls) = (SystemKind::Liquid, SystemKind::Balls);
            assert_eq!(named, [(liquid, "a b", 3), (liquid, "a-b", 0), (balls, "marbles", 3)]);
        }
    }

    #[test]
    fn what_json_cannot_hold_is_refused() {
        assert!(text(&frame([f32::NAN; 13], 0.0)).is_err());
        assert!(text(&frame([0.0; 13], f64::INFINITY)).is_err());
    }

    #[test]
    fn damaged_files_say_what_is_wrong() {
        assert!(refusal(b"").starts_with("m.json: EOF"));
        let whole = text(&frame([0.0; 13], 0.0)).unwrap();
        assert!(refusal(&whole.as_bytes()[..whole.len() / 2]).contains("EOF"));
        assert!(refusal(whole.replace("\"spin\"", "\"spun\"").as_bytes()).contains("unknown field `spun`"));
        assert!(refusal(whole.replace("0.0", "null").as_bytes()).contains("invalid type: null"));
        assert!(read(Path::new("no/such.json")).unwrap_err().to_string().contains("no/such.json"));
    }

    /// Any number that is finite, by its bits.
    fn number() -> impl Strategy<Value = f32> {
        any::<u32>().prop_map(f32::from_bits).prop_filter("finite", |x| x.is_finite())
    }

    proptest! {
        #[test]
        fn every_bit_comes_back(
            numbers in prop::collection::vec(number(), 13),
            time in any::<u64>().prop_map(f64::from_bits).prop_filter("finite", |x| x.is_finite()),
        ) {
            let numbers: [f32; 13] = numbers.try_into().unwrap();
            let back = parse(text(&frame(numbers, time)).unwrap().as_bytes(), Path::new("m.json")).unwrap();
            prop_assert_eq!(back.time.to_bits(), time.to_bits());
            let pose = &back.objects[1];
            let found = pose.placement.at.to_array().into_iter().chain(pose.placement.rotation.to_array());
            let found: Vec<u32> = found.chain(pose.velocity).chain(pose.spin).map(f32::to_bits).collect();
            prop_assert_eq!(found, numbers.map(f32::to_bits).to_vec());
        }

        #[test]
        fn damage_never_panics(
            at in any::<prop::sample::Index>(),
            gone in 0usize..50,
            with in prop::collection::vec(any::<u8>(), 0..50),
        ) {
            let mut bytes = text(&frame([0.5; 13], 0.1)).unwrap().into_bytes();
            let i = at.index(bytes.len());
            let end = (i + gone).min(bytes.len());
            bytes.splice(i..end, with);
            let _ = parse(&bytes, Path::new("m.json"));
        }
    }
}
