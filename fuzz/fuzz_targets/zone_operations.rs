//! Checks sequences of zone and federation operations against points.
//!
//! Run with `cargo +nightly fuzz run zone_operations`. The interpreter is that of the zones' tests, which run it on
//! random bytes.
#![no_main]

#[path = "../../crates/zones/tests/it/oracle/mod.rs"]
#[allow(dead_code, unused_imports, reason = "the fuzzer uses only the interpreter")]
mod oracle;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| oracle::interpreter::run(bytes));
