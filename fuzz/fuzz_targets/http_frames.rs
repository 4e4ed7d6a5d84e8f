#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| fuzz_targets::http_frames(data));
