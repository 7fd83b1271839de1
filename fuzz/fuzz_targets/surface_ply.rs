#![no_main]

use ondine_io::export::mesh_ply::parse;
use std::path::Path;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| match parse(bytes, Path::new("surface.ply")) {
    Ok(surface) => assert!(surface.mesh.corners().flatten().all(|p| p.is_finite())),
    Err(refused) => assert!(refused.to_string().len() < 1000, "errors must be short enough to read"),
});
