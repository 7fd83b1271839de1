//! What the fuzzer begins with is read, and is written again as it was: files of one version stay what they are.

use ondine::SystemKind;
use ondine_io::bake::manifest;
use ondine_io::{frame_codec, ply};
use std::path::{Path, PathBuf};

fn seed(name: &str) -> (PathBuf, Vec<u8>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(name);
    let bytes = std::fs::read(&path).unwrap();
    (path, bytes)
}

#[test]
fn the_layout_of_frames_is_that_of_its_version() {
    let (_, bytes) = seed("frame/three.bin");
    let frame = frame_codec::decode(&bytes).unwrap();
    let kinds: Vec<_> = frame
        .particles
        .iter()
        .map(|p| (p.kind, p.radii.len(), p.orientation.len(), p.colors.len()))
        .collect();
    assert_eq!(kinds, [(SystemKind::Liquid, 0, 0, 0), (SystemKind::Balls, 3, 3, 3)]);
    assert_eq!((frame.index, frame.objects[0].spin), (2, [0.0, 2.0, 0.0]));
    assert_eq!(frame_codec::encode(&frame).unwrap(), bytes, "raise the version, and renew the seed");
}

#[test]
fn particles_and_manifests_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let (path, bytes) = seed("particles_ply/balls.ply");
    let balls = ply::parse(&bytes, &path).unwrap();
    assert_eq!((balls.kind, &balls.radii[..]), (SystemKind::Balls, &[0.1, 0.3][..]));
    ply::write(&folder.path().join("p.ply"), &balls).unwrap();
    assert_eq!(std::fs::read(folder.path().join("p.ply")).unwrap(), bytes);
    let (path, bytes) = seed("manifest/two.json");
    let found = manifest::parse(&bytes, &path).unwrap();
    assert_eq!((found.systems.len(), found.objects.len()), (2, 2));
}
