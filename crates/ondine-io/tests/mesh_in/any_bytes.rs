//! Any bytes at all: nothing panics, nothing hangs, and what comes out holds what is promised of it.

use crate::cube;
use ondine_io::mesh_in::{Format, parse};
use proptest::prelude::*;
use std::time::{Duration, Instant};

/// Reads in every format, and checks what was read. Files this small are read in no time and into little memory.
fn check(bytes: &[u8]) {
    let start = Instant::now();
    for format in Format::ALL {
        let Ok(brought) = parse(bytes, format, None) else { continue };
        let mesh = brought.mesh;
        assert!(mesh.points.iter().all(|p| p.is_finite()));
        assert!(mesh.triangles.as_flattened().iter().all(|&i| (i as usize) < mesh.points.len()));
        assert!(!mesh.triangles.is_empty() && mesh.triangles.len() < 100_000);
        assert!(mesh.points.len() <= 3 * mesh.triangles.len());
    }
    assert!(start.elapsed() < Duration::from_secs(5));
}

/// One change to a file: bytes out, others in.
#[derive(Clone, Debug)]
struct Change {
    at: prop::sample::Index,
    out: usize,
    new: Vec<u8>,
}

fn change() -> impl Strategy<Value = Change> {
    // Digits and line ends reach further into the readers than bytes at random.
    let byte = prop_oneof![any::<u8>(), prop::sample::select(b"0123456789-+.eE \n\r/\\#\"[]{},:".to_vec())];
    (any::<prop::sample::Index>(), 0usize..12, prop::collection::vec(byte, 0..12))
        .prop_map(|(at, out, new)| Change { at, out, new })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn arbitrary_bytes(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        check(&bytes);
    }

    #[test]
    fn changed_files(which in 0usize..8, changes in prop::collection::vec(change(), 1..4)) {
        let mut bytes = cube::all().swap_remove(which).1;
        for Change { at, out, new } in changes {
            let at = at.index(bytes.len() + 1);
            let end = (at + out).min(bytes.len());
            bytes.splice(at..end, new);
        }
        check(&bytes);
    }

    #[test]
    fn flipped_bits(which in 0usize..8, bits in prop::collection::vec(any::<prop::sample::Index>(), 1..5)) {
        let mut bytes = cube::all().swap_remove(which).1;
        for bit in bits {
            let bit = bit.index(8 * bytes.len());
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
        check(&bytes);
    }

    #[test]
    fn truncated_files(which in 0usize..8, end in any::<prop::sample::Index>()) {
        let bytes = cube::all().swap_remove(which).1;
        check(&bytes[..end.index(bytes.len())]);
    }
}
