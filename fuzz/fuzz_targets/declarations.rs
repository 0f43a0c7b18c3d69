//! Parses and elaborates any text as declarations and processes.
//!
//! Run with `cargo +nightly fuzz run declarations`.
#![no_main]

use tempora_workbench::load;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    load("model.net", bytes);
});
