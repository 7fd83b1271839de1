//! Checkpoints: a whole world in one file, to go on from bit for bit.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `ONDINE\r\n`: the line ending shows when a transfer took the file for text |
//! | 4 | version of the format, little endian |
//! | 8 | length of the payload, little endian |
//! | 8 | XXH3 of the payload, little endian |
//! | the rest | payload: the world in postcard, compressed by zstd |
//!
//! The payload carries no names of fields, so only the program that wrote it can read it: raise [`VERSION`] whenever
//! the fields of `World` change.

use crate::whole;
use ondine::World;
use std::io;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// The version of the format that this program writes, and the only one it reads.
pub const VERSION: u32 = 6;

const MAGIC: [u8; 8] = *b"ONDINE\r\n";
const HEADER: usize = 28;
/// Level 3 is zstd's own default: particle data hardly shrinks further at higher levels.
const COMPRESSION: i32 = 3;

/// Why a checkpoint could not be saved or loaded.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file system refused.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The world could not be put into bytes.
    #[error("{path}: the state cannot be written ({reason}); this is a defect of Ondine, please report it", path = path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What was refused.
        reason: String,
    },
    /// Some other kind of file.
    #[error("{path} is not an Ondine checkpoint; bake again without --resume", path = path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// A checkpoint of another version of the program.
    #[error(
        "{path} has checkpoint format {found}, this program reads {VERSION}; resume with the program that wrote it, \
         or bake again without --resume",
        path = path.display()
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Version of its format.
        found: u32,
    },
    /// Bytes are missing, changed or too many.
    #[error("{path} is damaged: {reason}; take another copy, or bake again without --resume", path = path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What was found.
        reason: String,
    },
}

/// Saves a world, whole or not at all.
pub fn save(path: &Path, world: &World) -> Result<(), CheckpointError> {
    let unwritable = |reason: String| CheckpointError::Unwritable { path: path.into(), reason };
    let plain = postcard::to_stdvec(world).map_err(|e| unwritable(e.to_string()))?;
    let payload = zstd::encode_all(&plain[..], COMPRESSION).map_err(|e| unwritable(e.to_string()))?;
    let header = header(&payload);
    whole::write(path, |w| {
        w.write_all(&header)?;
        w.write_all(&payload)
    })
    .map_err(|source| CheckpointError::Io { path: path.into(), source })
}

/// Loads a world. Advancing it gives the same bits as if the run had never stopped.
pub fn load(path: &Path) -> Result<World, CheckpointError> {
    let bytes = std::fs::read(path).map_err(|source| CheckpointError::Io { path: path.into(), source })?;
    world(&bytes).map_err(|fault| fault.at(path))
}

/// What is wrong with the bytes, before the file's name is known.
enum Wrong {
    Foreign,
    Version(u32),
    Damaged(String),
}

impl Wrong {
    fn at(self, path: &Path) -> CheckpointError {
        let path = path.into();
        match self {
            Wrong::Foreign => CheckpointError::Foreign { path },
            Wrong::Version(found) => CheckpointError::Version { path, found },
            Wrong::Damaged(reason) => CheckpointError::Damaged { path, reason },
        }
    }
}

fn header(payload: &[u8]) -> Vec<u8> {
    let mut header = Vec::with_capacity(HEADER);
    header.extend(MAGIC);
    header.extend(VERSION.to_le_bytes());
    header.extend((payload.len() as u64).to_le_bytes());
    header.extend(xxh3_64(payload).to_le_bytes());
    header
}

fn world(bytes: &[u8]) -> Result<World, Wrong> {
    let payload = checked_payload(bytes)?;
    let damaged = |what: &str, e: &dyn std::fmt::Display| Wrong::Damaged(format!("{what} ({e})"));
    let plain = zstd::decode_all(payload).map_err(|e| damaged("it does not decompress", &e))?;
    let (world, rest) = postcard::take_from_bytes(&plain)
        .map_err(|e| damaged("it does not hold a world of this program", &e))?;
    if rest.is_empty() { Ok(world) } else { Err(Wrong::Damaged(format!("{} bytes too many", rest.len()))) }
}

/// The payload, once everything that the header says of it is true.
fn checked_payload(bytes: &[u8]) -> Result<&[u8], Wrong> {
    let cut_short = || Wrong::Damaged(format!("it ends after {} bytes", bytes.len()));
    let (magic, rest) = bytes.split_first_chunk::<8>().ok_or(Wrong::Foreign)?;
    if *magic != MAGIC {
        return Err(Wrong::Foreign);
    }
    let (version, rest) = rest.split_first_chunk().ok_or_else(cut_short)?;
    let version = u32::from_le_bytes(*version);
    if version != VERSION {
        return Err(Wrong::Version(version));
    }
    let (length, rest) = rest.split_first_chunk().ok_or_else(cut_short)?;
    let (checksum, payload) = rest.split_first_chunk().ok_or_else(cut_short)?;
    let length = u64::from_le_bytes(*length);
    if length != payload.len() as u64 {
        return Err(Wrong::Damaged(format!("it should hold {length} bytes and holds {}", payload.len())));
    }
    if u64::from_le_bytes(*checksum) != xxh3_64(payload) {
        return Err(Wrong::Damaged("its checksum does not match".into()));
    }
    Ok(payload)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ondine::Scene;
    use ondine::scene::{Event, Preset, Value};
    use proptest::prelude::*;

    fn sample() -> World {
        let mut scene = Scene::default();
        scene.liquid.push(ondine::scene::Liquid { name: "honey".into(), ..Preset::Honey.liquid() });
        let set = [("liquid.honey.density".to_string(), Value::Number(3.0))].into();
        scene.event.push(Event { at: 1.0, set });
        let mut world = World::new(&scene).unwrap();
        world.advance().unwrap();
        world
    }

    fn saved(world: &World) -> Vec<u8> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint.ondine");
        save(&path, world).unwrap();
        std::fs::read(path).unwrap()
    }

    fn refusal(bytes: &[u8]) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint.ondine");
        std::fs::write(&path, bytes).unwrap();
        load(&path).unwrap_err().to_string()
    }

    #[test]
    fn a_world_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint.ondine");
        let before = sample();
        save(&path, &before).unwrap();
        let after = load(&path).unwrap();
        assert_eq!(postcard::to_stdvec(&after).unwrap(), postcard::to_stdvec(&before).unwrap());
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = load(Path::new("no/such/file")).unwrap_err();
        assert!(matches!(error, CheckpointError::Io { .. }));
        assert!(error.to_string().contains("no/such/file"));
    }

    #[test]
    fn foreign_old_and_damaged_files_are_told_apart() {
        assert!(refusal(b"hello, world, I am no checkpoint").contains("not an Ondine checkpoint"));
        assert!(refusal(b"").contains("not an Ondine checkpoint"));
        let good = saved(&sample());
        let mut old = good.clone();
        old[8] = 99;
        assert!(refusal(&old).contains("format 99"));
        assert!(refusal(&good[..10]).contains("ends after 10 bytes"));
        assert!(refusal(&good[..good.len() - 1]).contains("should hold"));
        let mut flipped = good.clone();
        *flipped.last_mut().unwrap() ^= 1;
        assert!(refusal(&flipped).contains("checksum"));
    }

    /// A file whose header is right, so that the inner layers are put to the test as well.
    fn sealed(payload: &[u8]) -> Vec<u8> {
        [header(payload), payload.to_vec()].concat()
    }

    #[test]
    fn a_sound_header_does_not_save_a_bad_payload() {
        assert!(refusal(&sealed(b"not zstd")).contains("decompress"));
        assert!(
            refusal(&sealed(&zstd::encode_all(&b"\xff\xff\xff\xff\xff"[..], 1).unwrap())).contains("world")
        );
        let long = [postcard::to_stdvec(&sample()).unwrap(), vec![0; 3]].concat();
        assert!(refusal(&sealed(&zstd::encode_all(&long[..], 1).unwrap())).contains("3 bytes too many"));
    }

    proptest! {
        #[test]
        fn no_change_of_a_byte_goes_unseen(index in any::<prop::sample::Index>(), with in 1u8..) {
            let mut bytes = saved(&sample());
            let i = index.index(bytes.len());
            bytes[i] ^= with;
            prop_assert!(world(&bytes).is_err());
        }

        #[test]
        fn a_cut_file_is_refused(index in any::<prop::sample::Index>()) {
            let bytes = saved(&sample());
            prop_assert!(world(&bytes[..index.index(bytes.len())]).is_err());
        }

        #[test]
        fn arbitrary_worlds_never_panic(at in any::<prop::sample::Index>(), with in prop::collection::vec(any::<u8>(), 0..20)) {
            let mut plain = postcard::to_stdvec(&sample()).unwrap();
            let i = at.index(plain.len());
            plain.splice(i.., with);
            let _ = world(&sealed(&zstd::encode_all(&plain[..], 1).unwrap()));
        }
    }
}
