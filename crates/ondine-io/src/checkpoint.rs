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
//!
//! Nothing in a file is believed: what it unpacks to is limited, and a world that could not have been written is refused.

use crate::atomic;
use ondine::{Objects, Opening, World};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// The version of the format that this program writes, and the only one it reads.
pub const VERSION: u32 = 11;

const MAGIC: [u8; 8] = *b"ONDINE\r\n";
const HEADER: usize = 28;
/// Level 3 is zstd's own default: particle data hardly shrinks further at higher levels.
const COMPRESSION: i32 = 3;

/// Most bytes that one of a payload unpacks to: worlds of zeros and copies come to some tens.
const MOST_UNPACKED: u64 = 250;
/// And for a start.
const LEAST_UNPACKED: u64 = 1 << 20;

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
    atomic::write(path, |w| {
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
    let plain = unpacked(payload).map_err(|e| damaged("it does not decompress", &e))?;
    let foreign = |e: postcard::Error| damaged("it does not hold a world of this program", &e);
    // What the scene has room for is known before anything is made of the rest.
    let (opening, rest) = postcard::take_from_bytes::<Opening>(&plain).map_err(foreign)?;
    let at_start = opening.objects().map_err(Wrong::Damaged)?;
    let room = opening.room_for_objects(postcard::to_stdvec(&at_start).map_err(foreign)?.len());
    postcard::take_from_bytes::<Objects>(&rest[..room.min(rest.len())]).map_err(foreign)?;
    let (world, rest) = postcard::take_from_bytes::<World>(&plain).map_err(foreign)?;
    if !rest.is_empty() {
        return Err(Wrong::Damaged(format!("{} bytes too many", rest.len())));
    }
    world.restored(&at_start).map_err(Wrong::Damaged)
}

/// What a payload unpacks to, as far as that can be a world.
fn unpacked(payload: &[u8]) -> io::Result<Vec<u8>> {
    let most = LEAST_UNPACKED + MOST_UNPACKED * payload.len() as u64;
    let mut plain = Vec::new();
    zstd::Decoder::new(payload)?.take(most + 1).read_to_end(&mut plain)?;
    if plain.len() as u64 > most {
        return Err(io::Error::other(format!("it would take more than {most} bytes")));
    }
    Ok(plain)
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
    use ondine::scene::{
        BallEmitter, BallFill, Balls, Emitter, Event, Fill, Joint, JointKind, Motion, Object, Preset, Shape,
        Spring, Track, Value,
    };
    use ondine::scene::{ChildEvent, Effect, EffectChild, EffectEmitter, EffectPreset};
    use proptest::prelude::*;
    use std::sync::LazyLock;

    fn sample() -> World {
        let mut scene = Scene::default();
        scene.liquid.push(ondine::scene::Liquid { name: "honey".into(), ..Preset::Honey.liquid() });
        let set = [("liquid.honey.density".to_string(), Value::Number(3.0))].into();
        scene.event.push(Event { at: 1.0, set });
        let mut world = World::new(&scene).unwrap();
        world.advance().unwrap();
        world
    }

    fn fill(size: [f32; 3], at: [f32; 3]) -> Fill {
        let shape = Shape::Box { size };
        Fill { shape, at, rotate: [0.0; 3], velocity: [0.0; 3], arrangement: Default::default() }
    }

    /// Balls at rest on each other, balls that fall, and more to come.
    fn balls() -> Balls {
        let resting = BallFill::new(Shape::Box { size: [0.5, 0.25, 0.3] }, [0.1, 1.2, 0.0]);
        let falling = BallEmitter {
            shape: Shape::Sphere { radius: 0.1 },
            at: [0.0, 1.7, 0.0],
            rotate: [0.0; 3],
            from: Default::default(),
            rate: 30.0,
            velocity: [0.0, -2.0, 0.0],
            scatter: 0.1,
            start: 0.0,
            stop: None,
        };
        let (fill, emitter) = (vec![resting], vec![falling]);
        Balls {
            name: "marbles".into(),
            radius: 0.12,
            spread: 0.1,
            rolling: 0.01,
            fill,
            emitter,
            ..Balls::default()
        }
    }

    /// A little of everything: springs, effects, an emitter, balls, what floats, what hangs on a joint, what moves, edits done and to come.
    static FULL: LazyLock<World> = LazyLock::new(|| {
        let mut scene = Scene::default();
        let mud = ondine::scene::Liquid {
            name: "mud".into(),
            spacing: 0.08,
            fill: vec![fill([0.8, 0.24, 0.4], [0.0, 0.12, 0.0])],
            emitter: vec![Emitter {
                radius: 0.1,
                at: [0.2, 0.8, 0.0],
                velocity: [0.0, -1.0, 0.0],
                ..Emitter::default()
            }],
            ..Preset::Mud.liquid()
        };
        let cube = |name: &str, at| Object {
            motion: Motion::Free,
            ..Object::new(name, Shape::Box { size: [0.2; 3] }, at)
        };
        let cart = Object {
            motion: Motion::Moving,
            velocity: [0.1, 0.0, 0.0],
            ..Object::new("cart", Shape::Sphere { radius: 0.1 }, [-0.2, 0.7, 0.0])
        };
        scene.object = vec![
            Object::new("floor", Shape::HalfSpace { normal: [0.0, 1.0, 0.0] }, [0.0; 3]),
            Object::new("tank", Shape::Container { size: [0.9, 2.0, 0.45], open: true }, [0.0, 1.0, 0.0]),
            cube("raft", [-0.2, 0.4, 0.0]),
            cube("stone", [0.25, 0.45, 0.0]),
            cart,
        ];
        let joint = Joint {
            name: "rope".into(),
            kind: JointKind::Ball,
            object: "raft".into(),
            to: Some("cart".into()),
            at: [-0.2, 0.6, 0.0],
            axis: [0.0, 0.0, 1.0],
            limits: None,
            speed: None,
        };
        scene.joint = vec![joint];
        scene.spring = vec![Spring { damping: 2.0, ..Spring::new("coil", "stone", [0.25, 1.0, 0.0], 50.0) }];
        scene.wind = [1.0, 0.0, 0.0];
        (scene.object[3].force, scene.object[3].static_grip) = ([0.0, 0.0, 0.5], Some(0.8));
        scene.object[3].drag.coefficient = 0.5;
        scene.liquid.push(mud);
        scene.balls.push(balls());
        let effect = |name: &str, preset: EffectPreset, child: Vec<EffectChild>| Effect {
            emitter: EffectEmitter { rate: 40.0, at: [0.0, 0.6, 0.0], ..preset.effect().emitter },
            child,
            ..Effect::new(name, preset)
        };
        let trail = EffectChild { effect: "drops".into(), on: ChildEvent::Trail, count: 1, rate: 20.0 };
        scene.effect.push(effect("snow", EffectPreset::Snow, vec![trail]));
        scene.effect.push(effect("drops", EffectPreset::Fountain, Vec::new()));
        scene.max_substeps = 8;
        scene.track.push(Track {
            path: "gravity.x".into(),
            keys: vec![[0.0, 0.0], [1.0, 1.0]],
            interpolation: Default::default(),
        });
        let mut world = World::new(&scene).unwrap();
        (0..2).for_each(|_| world.advance().unwrap());
        world.add_object(cube("crate", [0.2, 0.8, 0.0])).unwrap();
        world.grab("stone", [0.25, 0.5, 0.0]).unwrap();
        world.remove("liquid.mud", vec![1, 2]).unwrap();
        world.kick("balls.marbles", vec![0], [0.0, 1.0, 0.0]).unwrap();
        (0..2).for_each(|_| world.advance().unwrap());
        world.set("gravity.z", 0.5).unwrap();
        world.drag("stone", [0.2, 0.6, 0.0]).unwrap();
        world
    });

    /// The version, and a hash of how the world above is written before its first frame. Programs of one version must read each other: if
    /// the hash changes, raise [`VERSION`] and write down both.
    const LAYOUT: (u32, u64) = (11, 0x772b88f51f18c896);

    #[test]
    fn the_version_rises_with_the_layout() {
        let start = World::new(FULL.scene()).unwrap();
        let written = xxh3_64(&postcard::to_stdvec(&start).unwrap());
        assert_eq!((VERSION, written), LAYOUT, "raise VERSION, and write down ({VERSION}, {written:#018x})");
    }

    static PLAIN: LazyLock<Vec<u8>> = LazyLock::new(|| postcard::to_stdvec(&*FULL).unwrap());

    /// What is done to bytes.
    #[derive(Clone, Debug)]
    enum Damage {
        Flip(u8),
        Write(Vec<u8>),
        Insert(Vec<u8>),
        Remove(usize),
        Cut,
    }

    fn damage() -> impl Strategy<Value = Damage> {
        let odd = prop::sample::select(vec![
            f32::NAN.to_le_bytes().to_vec(),
            f32::INFINITY.to_le_bytes().to_vec(),
            1e30f32.to_le_bytes().to_vec(),
            f64::NAN.to_le_bytes().to_vec(),
            vec![0xff, 0xff, 0xff, 0xff, 0x0f],
            vec![0; 8],
        ]);
        prop_oneof![
            4 => (0u8..8).prop_map(|bit| Damage::Flip(1 << bit)),
            4 => prop::collection::vec(any::<u8>(), 1..9).prop_map(Damage::Write),
            2 => odd.prop_map(Damage::Write),
            1 => prop::collection::vec(any::<u8>(), 1..9).prop_map(Damage::Insert),
            1 => (1usize..9).prop_map(Damage::Remove),
            1 => Just(Damage::Cut),
        ]
    }

    fn damaged(bytes: &[u8], at: usize, damage: &Damage) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        match damage {
            Damage::Flip(bits) => bytes[at] ^= bits,
            Damage::Write(with) => bytes[at..].iter_mut().zip(with).for_each(|(byte, with)| *byte = *with),
            Damage::Insert(with) => drop(bytes.splice(at..at, with.iter().copied())),
            Damage::Remove(count) => drop(bytes.drain(at..bytes.len().min(at + count))),
            Damage::Cut => bytes.truncate(at),
        }
        bytes
    }

    /// A world that was let in goes on, or says what is wrong with it; what it then measures are numbers.
    fn goes_on(mut world: World) {
        if world.advance().is_ok() {
            assert!(world.ledger().broken().is_none());
        }
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

    /// Zeros without end in a small file are not unpacked.
    #[test]
    fn what_a_file_unpacks_to_is_limited() {
        let bomb = zstd::encode_all(io::repeat(0).take(1 << 30), 1).unwrap();
        assert!(bomb.len() < 1 << 17, "{}", bomb.len());
        assert!(refusal(&sealed(&bomb)).contains("more than"));
    }

    /// Moulds of moulds of moulds do not end in a stack that does.
    #[test]
    fn shapes_without_end_are_refused() {
        let mut scene = Scene::default();
        let inner = Shape::Sphere { radius: 1.0 };
        scene.object.push(Object::new("mould", Shape::Mould { of: Box::new(inner.clone()) }, [0.0; 3]));
        let plain = postcard::to_stdvec(&scene).unwrap();
        let (mould, inner) =
            (postcard::to_stdvec(&scene.object[0].shape).unwrap(), postcard::to_stdvec(&inner).unwrap());
        let at = plain.windows(mould.len()).position(|w| w == mould).unwrap();
        let deeper = vec![mould[0]; 1_000_000];
        assert_eq!(mould[1..], inner);
        let plain = [&plain[..at], &deeper, &plain[at + 1..]].concat();
        assert!(refusal(&sealed(&zstd::encode_all(&plain[..], 1).unwrap())).contains("world"));
    }

    #[test]
    fn a_full_world_comes_back_and_goes_on_alike() {
        let sealed = sealed(&zstd::encode_all(&PLAIN[..], 1).unwrap());
        let mut again = world(&sealed).map_err(|wrong| wrong.at(Path::new("it"))).unwrap();
        let mut straight = FULL.clone();
        for _ in 0..5 {
            again.advance().unwrap();
            straight.advance().unwrap();
            assert_eq!(again.hash(), straight.hash());
        }
    }

    /// Things that fall, pile up, roll, hang and come to rest: at no frame is what they wrote refused.
    #[test]
    fn no_right_world_is_refused() {
        let floor = Object::new("floor", Shape::HalfSpace { normal: [0.1, 1.0, 0.0] }, [0.0; 3]);
        let mut scene = Scene { object: vec![floor], ..Scene::default() };
        for n in 0..40 {
            let at = [0.2 * (n % 3) as f32, 0.3 + 0.25 * n as f32, 0.15 * (n % 2) as f32];
            let shape = match n % 4 {
                0 => Shape::Box { size: [0.2; 3] },
                1 => Shape::Sphere { radius: 0.1 },
                2 => Shape::Cylinder { radius: 0.1, height: 0.2 },
                _ => Shape::Torus { radius: 0.1, tube: 0.04 },
            };
            let restitution = if n % 5 == 0 { 0.6 } else { 0.0 };
            scene.object.push(Object {
                motion: Motion::Free,
                restitution,
                ..Object::new(format!("thing_{n}"), shape, at)
            });
        }
        let switched = [("object.thing_7.enabled".to_string(), Value::Switch(false))].into();
        scene.event.push(Event { at: 1.0, set: switched });
        let mut straight = World::new(&scene).unwrap();
        for frame in 0..90 {
            let plain = postcard::to_stdvec(&straight).unwrap();
            let again = world(&sealed(&zstd::encode_all(&plain[..], 1).unwrap()));
            let mut again = again.map_err(|wrong| format!("{frame}: {}", wrong.at(Path::new("it")))).unwrap();
            straight.advance().unwrap();
            if frame % 10 == 0 {
                again.advance().unwrap();
                assert_eq!(again.hash(), straight.hash());
            }
        }
    }

    proptest! {
        /// Whatever someone writes into a world and seals anew: a clear refusal, or a world that is one.
        #[test]
        fn no_change_within_does_harm(at in any::<prop::sample::Index>(), damage in damage()) {
            let plain = damaged(&PLAIN, at.index(PLAIN.len()), &damage);
            if let Ok(world) = world(&sealed(&zstd::encode_all(&plain[..], 1).unwrap())) {
                goes_on(world);
            }
        }

        /// The same for the bytes of the file.
        #[test]
        fn no_change_of_the_file_does_harm(at in any::<prop::sample::Index>(), damage in damage()) {
            let file = saved(&FULL);
            let changed = damaged(&file, at.index(file.len()), &damage);
            prop_assert!(changed == file || world(&changed).is_err());
        }

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
