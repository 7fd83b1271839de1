#![no_main]

use ondine_io::frame_codec::{decode, encode};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| match decode(bytes) {
    Ok(frame) => assert_eq!(encode(&frame).as_deref(), Ok(bytes), "one frame, one text"),
    Err(refused) => assert!(refused.to_string().len() < 1000, "errors must be short enough to read"),
});
