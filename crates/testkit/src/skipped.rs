//! Tests that cannot run on this machine say so in a file, because Cargo shows no output of tests that pass.

use std::fs::OpenOptions;
use std::io::Write;

/// Names the file; `cargo xtask test` sets it.
const VARIABLE: &str = "TEMPORA_SKIPPED_TESTS";

/// Reports that a test, or a part of it, does not run, and why.
#[expect(clippy::print_stderr, reason = "shown if the test is run with --nocapture")]
pub fn report_skipped(test: &str, reason: &str) {
    let line = format!("{test}: {reason}\n");
    eprint!("skipped: {line}");
    if let Some(path) = std::env::var_os(VARIABLE) {
        // One write for the line, since the tests of several processes append at the same time.
        let mut file = OpenOptions::new().append(true).create(true).open(path).unwrap();
        file.write_all(line.as_bytes()).unwrap();
    }
}
