#![no_main]

use ondine_io::bake::manifest::parse;
use std::path::Path;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Err(refused) = parse(bytes, Path::new("manifest.json")) {
        assert!(refused.to_string().len() < 1000, "errors must be short enough to read");
    }
});
