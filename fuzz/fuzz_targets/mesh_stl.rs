#![no_main]

use ondine_io::mesh_in::Format;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| ondine_fuzz::read_mesh(bytes, Format::Stl));
