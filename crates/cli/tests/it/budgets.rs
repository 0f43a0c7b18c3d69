//! Limits on time, memory and states, and Ctrl-C, on a model that no machine can search through.
//!
//! Invariant: the bounds are generous, because machines that run tests are busy; without the limits these runs would
//! take for ever or all memory.

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Finished, explosion, file, finish, run, tempora};

fn spawn(name: &str, arguments: &[&str]) -> Child {
    let path = file(name, explosion().as_bytes());
    let mut command = tempora(&[&["check", path.as_str()], arguments].concat());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn is_unknown(finished: &Finished, reason: &str) {
    assert_eq!(finished.status, Some(3), "{finished:?}");
    assert!(finished.output.starts_with("unknown: A[]"), "{finished:?}");
    assert!(finished.output.contains(reason), "{finished:?}");
    assert_eq!(finished.error, "", "{finished:?}");
}

/// The most memory that a running child has had, in bytes, as long as it runs.
fn peak_bytes(child: &mut Child) -> Option<u64> {
    let mut peak = None;
    while child.try_wait().unwrap().is_none() {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
        peak = kilobytes.map(|kilobytes| kilobytes * 1024).or(peak);
        std::thread::sleep(Duration::from_millis(5));
    }
    peak
}

#[test]
fn time_and_memory_together() {
    let start = Instant::now();
    let mut child = spawn("budget-both.net", &["--timeout", "1", "--memory", "200"]);
    let peak = peak_bytes(&mut child);
    let finished = finish(child);
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    assert_eq!(finished.status, Some(3), "{finished:?}");
    let is_time = finished.output.contains("the time is over");
    assert!(is_time || finished.output.contains("the memory is used up"), "{finished:?}");
    assert!(peak.is_none_or(|peak| peak < 300_000_000), "{peak:?}");
}

#[test]
fn time() {
    let start = Instant::now();
    let finished = finish(spawn("budget-time.net", &["--timeout", "0.5"]));
    is_unknown(&finished, "the time is over");
    let elapsed = start.elapsed();
    assert!(elapsed >= Duration::from_millis(500) && elapsed < Duration::from_secs(10), "{elapsed:?}");
}

#[test]
fn memory() {
    let mut child = spawn("budget-memory.net", &["--memory", "60", "--timeout", "60"]);
    let Some(peak) = peak_bytes(&mut child) else {
        // Where memory cannot be measured the limit has no effect, and the time ends it.
        return is_unknown(&finish(child), "the time is over");
    };
    is_unknown(&finish(child), "the memory is used up");
    // The last sample may be some milliseconds, and megabytes, before the end; it shows that the limit was not taken
    // for a much smaller one.
    assert!((30_000_000..120_000_000).contains(&peak), "{peak}");
}

/// A model whose table of states grows by doubling, and whose states are small: the worst case for a cap.
const MANY_SMALL_STATES: &str = "
    int[0,255] a; int[0,255] b; int[0,255] c; int[0,255] d; int[0,1] odd;
    process P {
        init location A;
        A -> A { do a = (a + 1) % 256, odd = 1 - odd; } A -> A { do b = (b + 1) % 256, odd = 1 - odd; }
        A -> A { do c = (c + 1) % 256, odd = 1 - odd; } A -> A { do d = (d + 1) % 256, odd = 1 - odd; }
    }
    query A[] (a + b + c + d) % 2 == odd;";

/// The system is asked from outside what the program has had, and the program says the same.
#[test]
fn memory_is_a_cap() {
    for cap in [60_u64, 75] {
        let path = file(&format!("budget-cap-{cap}.net"), MANY_SMALL_STATES.as_bytes());
        let megabytes = cap.to_string();
        let mut command =
            tempora(&["check", &path, "--memory", &megabytes, "--timeout", "120", "--output", "json"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let Some(seen) = peak_bytes(&mut child) else { return };
        let finished = finish(child);
        assert!(finished.output.contains("the memory is used up"), "{finished:?}");
        let value: serde_json::Value = serde_json::from_str(&finished.output).unwrap();
        let told = value["results"][0]["statistics"]["peak_bytes"].as_u64().unwrap();
        // What is allocated to print the answer comes after the measurement.
        assert!(told + 2_000_000 >= seen, "the program tells {told}, and had {seen}");
        assert!(told <= cap * 1_000_000 + 16_000_000, "{told} for a cap of {cap} MB");
        assert!(told >= cap * 1_000_000 / 2, "{told} for a cap of {cap} MB");
    }
}

#[test]
fn states() {
    let finished = finish(spawn("budget-states.net", &["--max-states", "1000", "--stats"]));
    is_unknown(&finished, "the limit on states is reached");
    let stored = finished.output.split(" states stored").next().and_then(|text| text.rsplit(' ').next());
    let stored: u64 = stored.unwrap().parse().unwrap();
    assert!((1000..1100).contains(&stored), "{finished:?}");
    // A limit that suffices is none.
    let finished = run(&["check", "examples/fischer.net", "--max-states", "100000"]);
    assert_eq!(finished.status, Some(0), "{finished:?}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_search_and_not_the_report() {
    let child = spawn("budget-interrupt.net", &["--timeout", "60", "--stats"]);
    wait_for_handler(child.id());
    let start = Instant::now();
    let signal = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(signal.unwrap().success());
    let finished = finish(child);
    is_unknown(&finished, "interrupted");
    assert!(finished.output.contains("states stored"), "{finished:?}");
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

/// Waits until the process handles interrupts itself; where the system does not tell, for a while.
#[cfg(unix)]
fn wait_for_handler(process: u32) {
    for _ in 0..200 {
        std::thread::sleep(Duration::from_millis(10));
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        // The second bit from the right stands for the interrupt, signal 2.
        if caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 2 != 0)
        {
            return;
        }
    }
}
