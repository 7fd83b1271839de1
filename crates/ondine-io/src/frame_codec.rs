//! A whole frame as bytes and back, bit for bit: for pages, sockets and whatever else takes frames one at a time.
//!
//! Everything is little endian and made of words of four bytes, so that a browser lays typed arrays over the bytes without a copy.
//!
//! | part | what |
//! |---|---|
//! | start | `ONDFRAME`; version (u32); number of the frame (u32); time (f64) [s]; numbers of systems and of objects (u32, u32) |
//! | each system | particles n (u32); flags (u32): 1 own radii, 2 orientations, 4 own colours; radius (f32) [m]; colour (3 f32); kind and name (texts) |
//! | its arrays | positions (3n f32) [m]; velocities (3n f32) [m/s]; densities (n f32) [kg/m³]; ids (n u32); radii (n f32) [m], orientations (4n f32: x, y, z, w) and colours (4n f32: red, green, blue, alpha), if flagged |
//! | each object | flags (u32): 1 enabled, 2 visible; position (3 f32) [m]; orientation (4 f32: x, y, z, w); velocity (3 f32) [m/s]; spin (3 f32) [rad/s]; name (text) |
//!
//! A text is its length in bytes (u32), then UTF-8, filled up to whole words with zeros. The kind of a system is its word in scenes, so
//! that a new kind needs nothing here. Nothing follows the last object.
//!
//! ```
//! use ondine::{Frame, Particles};
//! use ondine_io::frame_codec::{decode, encode};
//!
//! let water = Particles { name: "water".into(), radius: 0.01, ..Particles::default() };
//! let frame = Frame { index: 12, time: 0.4, particles: vec![water], objects: Vec::new() };
//! let bytes = encode(&frame)?;
//! assert_eq!(decode(&bytes)?, frame);
//! # Ok::<(), ondine_io::frame_codec::FrameCodecError>(())
//! ```

use glam::{Quat, Vec3};
use ondine::scene::Placement;
use ondine::{Frame, Particles, Pose, SystemKind};
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::{Error as WordError, StrDeserializer};

/// The version of the layout that [`encode`] writes, and the only one that [`decode`] reads.
pub const VERSION: u32 = 2;

const MAGIC: [u8; 8] = *b"ONDFRAME";

/// Flags of a system.
const OWN_RADII: u32 = 1;
const TURNING: u32 = 2;
const OWN_COLORS: u32 = 4;
/// Flags of an object.
const ENABLED: u32 = 1;
const VISIBLE: u32 = 2;

/// Bytes of a particle without radius, orientation and colour.
const LEAST_PARTICLE: u64 = 32;

/// Why a frame cannot be put into bytes, or bytes are no frame.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameCodecError {
    /// Arrays of a system differ in length, or there is more of something than 32 bits can count.
    #[error("the frame cannot be written: {reason}; give every particle of a system one value in each array")]
    Unfit {
        /// What was found.
        reason: String,
    },
    /// Some other bytes.
    #[error("these bytes are not an Ondine frame; give what `encode` returned, all of it")]
    Foreign,
    /// A frame of another version of the layout.
    #[error(
        "the frame has layout {found}, this program reads {VERSION}; use one version of Ondine at both ends"
    )]
    Version {
        /// Version of its layout.
        found: u32,
    },
    /// Bytes are missing, changed or too many.
    #[error("the frame is damaged at byte {at}: {reason}; send or copy it again")]
    Damaged {
        /// The byte at which it was seen.
        at: usize,
        /// What was found.
        reason: String,
    },
}

use FrameCodecError::{Damaged, Foreign, Unfit, Version};

/// The bytes of a frame.
pub fn encode(frame: &Frame) -> Result<Vec<u8>, FrameCodecError> {
    let rows =
        |p: &Particles| 8 * p.position.len() + p.radii.len() + 4 * (p.orientation.len() + p.colors.len());
    let floats: usize = frame.particles.iter().map(rows).sum();
    let mut out = Writer {
        bytes: Vec::with_capacity(4 * floats + 256 * (frame.particles.len() + frame.objects.len()) + 32),
    };
    out.bytes.extend(MAGIC);
    out.word(VERSION);
    out.word(frame.index);
    out.bytes.extend(frame.time.to_le_bytes());
    out.count(frame.particles.len())?;
    out.count(frame.objects.len())?;
    frame.particles.iter().try_for_each(|particles| out.system(particles))?;
    frame.objects.iter().try_for_each(|pose| out.object(pose))?;
    Ok(out.bytes)
}

/// The frame of some bytes. Takes memory of a small multiple of their number at most, whatever they claim.
pub fn decode(bytes: &[u8]) -> Result<Frame, FrameCodecError> {
    let mut input = Reader { bytes, at: 0 };
    if input.take(8).map_err(|_| Foreign)? != MAGIC {
        return Err(Foreign);
    }
    let version = input.word()?;
    if version != VERSION {
        return Err(Version { found: version });
    }
    let index = input.word()?;
    let time = f64::from_le_bytes(input.array()?);
    let (systems, objects) = (input.word()?, input.word()?);
    // Numbers of things are not believed: each takes some bytes, and the bytes end.
    let mut frame = Frame { index, time, particles: Vec::new(), objects: Vec::new() };
    for _ in 0..systems {
        frame.particles.push(input.system()?);
    }
    for _ in 0..objects {
        frame.objects.push(input.object()?);
    }
    match bytes.len() - input.at {
        0 => Ok(frame),
        rest => Err(input.damaged(format!("{rest} bytes too many"))),
    }
}

/// Bytes that grow.
struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    fn word(&mut self, word: u32) {
        self.bytes.extend(word.to_le_bytes());
    }

    fn count(&mut self, count: usize) -> Result<u32, FrameCodecError> {
        let word = u32::try_from(count).map_err(|_| Unfit { reason: format!("{count} of one thing") })?;
        self.word(word);
        Ok(word)
    }

    fn floats<'a>(&mut self, floats: impl IntoIterator<Item = &'a f32>) {
        self.bytes.extend(floats.into_iter().flat_map(|x| x.to_le_bytes()));
    }

    fn text(&mut self, text: &str) -> Result<(), FrameCodecError> {
        self.count(text.len())?;
        self.bytes.extend(text.as_bytes());
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        Ok(())
    }

    fn system(&mut self, particles: &Particles) -> Result<(), FrameCodecError> {
        let Particles {
            kind,
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
        let count = position.len();
        let optional =
            [radii.len(), orientation.len(), colors.len()].into_iter().filter(|length| *length > 0);
        if [velocity.len(), density.len(), id.len()].into_iter().chain(optional).any(|length| length != count)
        {
            return Err(Unfit { reason: format!("the arrays of {kind}.{name} differ in length") });
        }
        self.count(count)?;
        let flag = |absent: bool, flag: u32| if absent { 0 } else { flag };
        self.word(
            flag(radii.is_empty(), OWN_RADII)
                | flag(orientation.is_empty(), TURNING)
                | flag(colors.is_empty(), OWN_COLORS),
        );
        self.floats([radius]);
        self.floats(color);
        self.text(&kind.to_string())?;
        self.text(name)?;
        self.floats(position.as_flattened());
        self.floats(velocity.as_flattened());
        self.floats(density);
        self.bytes.extend(id.iter().flat_map(|id| id.to_le_bytes()));
        self.floats(radii);
        self.floats(orientation.as_flattened());
        self.floats(colors.as_flattened());
        Ok(())
    }

    fn object(&mut self, pose: &Pose) -> Result<(), FrameCodecError> {
        self.word(if pose.enabled { ENABLED } else { 0 } | if pose.visible { VISIBLE } else { 0 });
        self.floats(&pose.placement.at.to_array());
        self.floats(&pose.placement.rotation.to_array());
        self.floats(&pose.velocity);
        self.floats(&pose.spin);
        self.text(&pose.name)
    }
}

/// Bytes that are gone through.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn damaged(&self, reason: impl Into<String>) -> FrameCodecError {
        Damaged { at: self.at, reason: reason.into() }
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], FrameCodecError> {
        let left = self.bytes.len() - self.at;
        if count > left {
            return Err(self.damaged(format!("{count} bytes should follow, and {left} do")));
        }
        let taken = &self.bytes[self.at..self.at + count];
        self.at += count;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], FrameCodecError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    fn word(&mut self) -> Result<u32, FrameCodecError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// Words of which only these bits may be set.
    fn flags(&mut self, known: u32) -> Result<u32, FrameCodecError> {
        let flags = self.word()?;
        if flags & !known == 0 { Ok(flags) } else { Err(self.damaged(format!("unknown flags {flags:#x}"))) }
    }

    fn floats<const N: usize>(&mut self) -> Result<[f32; N], FrameCodecError> {
        let (words, _) = self.take(4 * N)?.as_chunks::<4>();
        Ok(std::array::from_fn(|i| f32::from_le_bytes(words[i])))
    }

    /// Rows of numbers. Their bytes are there before memory is taken for them.
    fn rows<const N: usize>(&mut self, count: usize) -> Result<Vec<[f32; N]>, FrameCodecError> {
        let (words, _) = self.take(4 * N * count)?.as_chunks::<4>();
        Ok(words.chunks_exact(N).map(|row| std::array::from_fn(|i| f32::from_le_bytes(row[i]))).collect())
    }

    fn text(&mut self) -> Result<&'a str, FrameCodecError> {
        let length = self.word()? as usize;
        let bytes = self.take(length)?;
        let text =
            std::str::from_utf8(bytes).map_err(|e| self.damaged(format!("a name is no text ({e})")))?;
        let filled = self.take(length.next_multiple_of(4) - length)?;
        if filled.iter().all(|byte| *byte == 0) {
            Ok(text)
        } else {
            Err(self.damaged("no zeros after a name"))
        }
    }

    fn kind(&mut self) -> Result<SystemKind, FrameCodecError> {
        let word = self.text()?;
        let deserializer: StrDeserializer<'_, WordError> = word.into_deserializer();
        SystemKind::deserialize(deserializer).map_err(|_| {
            let shown: String = word.chars().take(30).collect();
            self.damaged(format!("`{shown}` is no kind of system"))
        })
    }

    fn system(&mut self) -> Result<Particles, FrameCodecError> {
        let count = self.word()?;
        // So that one frame has one text, nobody's radii are not announced.
        let flags = self.flags(if count > 0 { OWN_RADII | TURNING | OWN_COLORS } else { 0 })?;
        let ([radius], color) = (self.floats()?, self.floats()?);
        let (kind, name) = (self.kind()?, self.text()?.to_string());
        let left = (self.bytes.len() - self.at) as u64;
        if LEAST_PARTICLE * u64::from(count) > left {
            return Err(self.damaged(format!("{count} particles should follow, in {left} bytes")));
        }
        let count = count as usize;
        let present = |flag: u32| if flags & flag != 0 { count } else { 0 };
        Ok(Particles {
            kind,
            name,
            radius,
            color,
            position: self.rows(count)?,
            velocity: self.rows(count)?,
            density: self.rows::<1>(count)?.into_flattened(),
            id: self.take(4 * count)?.as_chunks().0.iter().map(|id| u32::from_le_bytes(*id)).collect(),
            radii: self.rows::<1>(present(OWN_RADII))?.into_flattened(),
            orientation: self.rows(present(TURNING))?,
            colors: self.rows(present(OWN_COLORS))?,
        })
    }

    fn object(&mut self) -> Result<Pose, FrameCodecError> {
        let flags = self.flags(ENABLED | VISIBLE)?;
        let placement =
            Placement { at: Vec3::from_array(self.floats()?), rotation: Quat::from_array(self.floats()?) };
        let (velocity, spin) = (self.floats()?, self.floats()?);
        let (enabled, visible) = (flags & ENABLED != 0, flags & VISIBLE != 0);
        Ok(Pose { name: self.text()?.into(), enabled, visible, placement, velocity, spin })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Any number, by its bits: those that are none, too.
    fn number() -> impl Strategy<Value = f32> {
        any::<u32>().prop_map(f32::from_bits)
    }

    fn system() -> impl Strategy<Value = Particles> {
        let kind = prop::sample::select(vec![SystemKind::Liquid, SystemKind::Balls, SystemKind::Effect]);
        let floats = |count: usize| prop::collection::vec(number(), count);
        let shape = (0usize..6, any::<bool>(), any::<bool>(), any::<bool>());
        (kind, ".{0,9}", shape).prop_flat_map(move |(kind, name, (count, own, turning, colored))| {
            let own = if own { count } else { 0 };
            let turning = if turning { count } else { 0 };
            let colored = if colored { count } else { 0 };
            let ids = prop::collection::vec(any::<u32>(), count);
            (floats(4 + 7 * count), floats(own), floats(4 * turning), floats(4 * colored), ids).prop_map(
                move |(all, radii, turns, colors, id)| {
                    let rows = |from: usize| all[from..from + 3 * count].as_chunks().0.to_vec();
                    Particles {
                        kind,
                        name: name.clone(),
                        radius: all[0],
                        color: [all[1], all[2], all[3]],
                        position: rows(4),
                        velocity: rows(4 + 3 * count),
                        density: all[4 + 6 * count..].to_vec(),
                        radii,
                        orientation: turns.as_chunks().0.to_vec(),
                        colors: colors.as_chunks().0.to_vec(),
                        id,
                    }
                },
            )
        })
    }

    fn object() -> impl Strategy<Value = Pose> {
        (".{0,9}", any::<bool>(), any::<bool>(), prop::array::uniform13(number())).prop_map(
            |(name, enabled, visible, n)| Pose {
                name,
                enabled,
                visible,
                placement: Placement { at: Vec3::from_slice(&n[..3]), rotation: Quat::from_slice(&n[3..7]) },
                velocity: [n[7], n[8], n[9]],
                spin: [n[10], n[11], n[12]],
            },
        )
    }

    fn frame() -> impl Strategy<Value = Frame> {
        let particles = prop::collection::vec(system(), 0..4);
        let objects = prop::collection::vec(object(), 0..4);
        (any::<u32>(), any::<u64>(), particles, objects).prop_map(|(index, time, particles, objects)| Frame {
            index,
            time: f64::from_bits(time),
            particles,
            objects,
        })
    }

    fn sample() -> Frame {
        crate::export::tests::frame(2).frame
    }

    fn refusal(bytes: &[u8]) -> String {
        decode(bytes).unwrap_err().to_string()
    }

    #[test]
    fn arrays_lie_where_the_table_says() {
        let frame = sample();
        let bytes = encode(&frame).unwrap();
        let word = |i: usize| -> [u8; 4] { bytes[4 * i..4 * i + 4].try_into().unwrap() };
        assert_eq!(
            (&bytes[..8], u32::from_le_bytes(word(2)), u32::from_le_bytes(word(3))),
            (&MAGIC[..], VERSION, 2)
        );
        // Start 8 words, six of the system, `liquid` in three, `a b` in two: position 0.x is the 20th.
        assert_eq!(u32::from_le_bytes(word(8)), 5, "particles");
        assert_eq!(&bytes[60..66], b"liquid");
        assert_eq!(f32::from_le_bytes(word(19 + 3)), frame.particles[0].position[1][0]);
        assert_eq!(bytes.len() % 4, 0);
    }

    #[test]
    fn uneven_arrays_are_refused() {
        let uneven = |change: fn(&mut Particles)| {
            let mut frame = sample();
            change(&mut frame.particles[0]);
            encode(&frame).unwrap_err().to_string()
        };
        for change in [
            |p: &mut Particles| p.density.truncate(2),
            |p: &mut Particles| p.radii.push(1.0),
            |p: &mut Particles| p.orientation.push([0.0; 4]),
        ] {
            assert!(uneven(change).contains("the arrays of liquid.a b differ in length"));
        }
    }

    #[test]
    fn foreign_newer_and_damaged_frames_are_told_apart() {
        let good = encode(&sample()).unwrap();
        assert!(refusal(b"").contains("not an Ondine frame"));
        assert!(refusal(b"ply\nformat").contains("not an Ondine frame"));
        let mut newer = good.clone();
        newer[8] = 77;
        assert!(refusal(&newer).contains("layout 77"));
        assert!(refusal(&good[..good.len() - 1]).contains("damaged"));
        assert!(refusal(&[&good[..], &[0]].concat()).contains("1 bytes too many"));
        let mut crowd = good.clone();
        crowd[32..36].fill(255);
        assert!(refusal(&crowd).contains("4294967295 particles should follow"));
        let mut many = good.clone();
        many[24..28].fill(255);
        assert!(refusal(&many).contains("damaged"));
        let mut other = good.clone();
        other[60] = b'x';
        assert!(refusal(&other).contains("`xiquid` is no kind of system"));
    }

    proptest! {
        #[test]
        fn every_bit_comes_back(frame in frame()) {
            let bytes = encode(&frame).unwrap();
            prop_assert_eq!(bytes.len() % 4, 0);
            // By their bytes: what is no number does not equal itself.
            prop_assert_eq!(encode(&decode(&bytes).unwrap()).unwrap(), bytes);
        }

        #[test]
        fn damage_never_panics(
            at in any::<prop::sample::Index>(),
            gone in 0usize..50,
            with in prop::collection::vec(any::<u8>(), 0..50),
        ) {
            let mut bytes = encode(&sample()).unwrap();
            let i = at.index(bytes.len());
            let end = (i + gone).min(bytes.len());
            bytes.splice(i..end, with);
            if let Ok(frame) = decode(&bytes) {
                prop_assert_eq!(encode(&frame).unwrap(), bytes, "one frame, one text");
            }
        }

        #[test]
        fn a_cut_frame_is_refused(at in any::<prop::sample::Index>()) {
            let bytes = encode(&sample()).unwrap();
            prop_assert!(decode(&bytes[..at.index(bytes.len())]).is_err());
        }
    }
}
