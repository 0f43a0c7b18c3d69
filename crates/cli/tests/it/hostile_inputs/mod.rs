//! Hostile inputs with a timeout of one second and a memory limit of 200 megabytes: every command ends by itself, with
//! a status, a message and the right reason.
//!
//! The time is not tested, except for a guard against hangs; `cargo bench -p tempora-cli` measures it.

mod inputs;

use std::fs::File;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::support::{Finished, tempora};
use inputs::{Expected, ROWS, Row};

/// A command that takes longer hangs.
const GUARD: Duration = Duration::from_secs(30);

/// Runs a row and returns its mismatches.
fn fault(number: usize, row: &Row) -> Option<String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("hostile-{number}"));
    std::fs::create_dir_all(&folder).unwrap();
    let input = folder.join(row.file);
    std::fs::write(&input, (row.text)()).unwrap();
    let arguments: Vec<String> = row
        .command
        .split_whitespace()
        .chain(["--timeout", "1", "--memory", "200"])
        .map(|word| word.replacen('%', input.to_str().unwrap(), 1))
        .collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (output, error) = (folder.join("output"), folder.join("error"));
    let mut command = tempora(&arguments);
    command.stdout(File::create(&output).unwrap()).stderr(File::create(&error).unwrap());
    let start = Instant::now();
    let mut child = command.spawn().unwrap();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status.code();
        }
        if start.elapsed() > GUARD {
            child.kill().unwrap();
            child.wait().unwrap();
            break None;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let text = |path: &Path| String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
    let finished = Finished { status, output: text(&output), error: text(&error) };
    let fault = mismatch(row.expected, &finished);
    std::fs::remove_dir_all(&folder).unwrap();
    fault.map(|fault| format!("{} with {}: {fault}", row.command, row.file))
}

/// Returns how a command ended if it should have ended otherwise.
fn mismatch(expected: Expected, finished: &Finished) -> Option<String> {
    let Finished { status, output, error } = finished;
    let shown = |text: &str| text.chars().take(400).collect::<String>();
    let says = |wanted: &str| output.contains(wanted) || error.contains(wanted);
    let is_limited = says("timeout reached") || says("memory limit reached");
    let is_expected = match (expected, status) {
        (Expected::Refused(why), Some(2)) => error.contains(why),
        (Expected::Unknown(why), Some(3)) => says(why),
        (Expected::Limited, Some(0 | 1 | 3)) => is_limited,
        (Expected::Partial, Some(0 | 1)) => is_limited && says("exploration incomplete after"),
        (Expected::Ended, Some(0 | 1)) => true,
        (Expected::Ended, Some(2)) => error.contains("error"),
        (Expected::Ended, Some(3)) => is_limited || says("not supported") || says("unknown"),
        _ => false,
    };
    (!is_expected)
        .then(|| format!("expected {expected:?}, but status {status:?}\n{}\n{}", shown(output), shown(error)))
}

/// Runs every `parts`-th row.
fn check_part(part: usize, parts: usize) {
    let rows = ROWS.iter().enumerate().filter(|(number, _)| number % parts == part);
    let faults: Vec<String> = rows.filter_map(|(number, row)| fault(number, row)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

#[test]
fn first_half_ends_with_reason() {
    check_part(0, 2);
}

#[test]
fn second_half_ends_with_reason() {
    check_part(1, 2);
}
