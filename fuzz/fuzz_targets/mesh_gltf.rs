#![no_main]

use ondine_io::mesh_in::Format;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let format = if bytes.starts_with(b"glTF") { Format::Glb } else { Format::Gltf };
    ondine_fuzz::read_mesh(bytes, format);
});
