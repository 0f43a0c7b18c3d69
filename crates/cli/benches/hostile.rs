//! Measures the commands on hostile inputs: wall time, CPU time and peak memory of each, with a timeout of one second
//! and a memory limit of 200 megabytes. A word after `--` selects rows.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark fails by panicking, and prints its figures"
)]

#[path = "../tests/it/hostile_inputs/inputs.rs"]
#[expect(dead_code, reason = "the expected ends are for the test")]
mod inputs;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use inputs::ROWS;

/// The number of clock ticks per second in `/proc`, the same on all architectures of Linux in use.
const TICKS: f64 = 100.0;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    println!("{:<22} {:<26} {:>7} {:>7} {:>7}  status", "input", "command", "wall s", "CPU s", "MB");
    for row in ROWS {
        let is_selected = |word: &String| row.file.contains(word) || row.command.contains(word);
        if !words.is_empty() && !words.iter().any(is_selected) {
            continue;
        }
        let input = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("bench-{}", row.file));
        std::fs::write(&input, (row.text)()).unwrap();
        let words = row.command.split_whitespace().map(|word| word.replacen('%', input.to_str().unwrap(), 1));
        let mut command = Command::new(env!("CARGO_BIN_EXE_tempora"));
        command.args(words).args(["--timeout", "1", "--memory", "200"]);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let start = Instant::now();
        let mut child = command.spawn().unwrap();
        let (mut peak, mut cpu) = (0.0, 0.0);
        // The state of the process stays readable until the parent waits for it.
        while let Some((is_running, seconds)) = process_times(child.id()) {
            cpu = seconds;
            peak = peak_megabytes(child.id()).unwrap_or(peak);
            if !is_running {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        let wall = start.elapsed().as_secs_f64();
        let status = child.wait().unwrap().code().map_or("killed".to_owned(), |status| status.to_string());
        let mark = if wall > 1.5 || peak > 250.0 { "  over the goal" } else { "" };
        println!("{:<22} {:<26} {wall:>7.2} {cpu:>7.2} {peak:>7.0}  {status}{mark}", row.file, row.command);
        std::fs::remove_file(&input).unwrap();
    }
}

/// Returns whether a process still runs, and its CPU time in seconds; `None` where the system does not report it.
fn process_times(id: u32) -> Option<(bool, f64)> {
    let text = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |position: usize| fields.get(position)?.parse::<f64>().ok();
    Some((*fields.first()? != "Z", (ticks(11)? + ticks(12)?) / TICKS))
}

/// Returns the peak memory of a process; `None` when it has ended.
fn peak_megabytes(id: u32) -> Option<f64> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<f64>().ok()? * 1024.0 / 1e6)
}
