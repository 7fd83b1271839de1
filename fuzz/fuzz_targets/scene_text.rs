#![no_main]

use ondine_io::scene_text::{Source, parse};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let source = Source::new("scene.toml", text);
    let (Ok((_, faults)) | Err(faults)) = parse(&source, &[]);
    faults.iter().for_each(|f| assert!(!f.fault.to_string().is_empty()));
});
