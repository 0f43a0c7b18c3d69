//! Declarations and processes: any text is read and worked out.
//!
//! Run with `cargo +nightly fuzz run declarations`.
#![no_main]

use tempora_workbench::load;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    load("model.net", bytes);
});
