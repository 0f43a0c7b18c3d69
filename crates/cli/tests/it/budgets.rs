//! Limits on time, memory and states, and Ctrl-C, on a model with a huge state space.
//!
//! The bounds are generous, because test machines are busy; without limits, these runs would never end or exhaust the
//! memory.

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

/// Returns the peak memory of a child in bytes; waits until it ends.
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
    let is_time = finished.output.contains("timeout reached");
    assert!(is_time || finished.output.contains("memory limit reached"), "{finished:?}");
    assert!(peak.is_none_or(|peak| peak < 300_000_000), "{peak:?}");
}

#[test]
fn time() {
    let start = Instant::now();
    let finished = finish(spawn("budget-time.net", &["--timeout", "0.5"]));
    is_unknown(&finished, "timeout reached");
    let elapsed = start.elapsed();
    assert!(elapsed >= Duration::from_millis(500) && elapsed < Duration::from_secs(10), "{elapsed:?}");
}

#[test]
fn memory() {
    let mut child = spawn("budget-memory.net", &["--memory", "60", "--timeout", "60"]);
    let Some(peak) = peak_bytes(&mut child) else {
        // If memory cannot be measured, only the timeout takes effect.
        return is_unknown(&finish(child), "timeout reached");
    };
    is_unknown(&finish(child), "memory limit reached");
    // The last sample may be some megabytes too low; it shows that the effective limit was not much smaller.
    assert!((30_000_000..120_000_000).contains(&peak), "{peak}");
}

/// A model with small states and a state table that grows by doubling: the worst case for a memory limit.
const MANY_SMALL_STATES: &str = "
    int[0,255] a; int[0,255] b; int[0,255] c; int[0,255] d; int[0,1] odd;
    process P {
        init location A;
        A -> A { do a = (a + 1) % 256, odd = 1 - odd; } A -> A { do b = (b + 1) % 256, odd = 1 - odd; }
        A -> A { do c = (c + 1) % 256, odd = 1 - odd; } A -> A { do d = (d + 1) % 256, odd = 1 - odd; }
    }
    query A[] (a + b + c + d) % 2 == odd;";

/// The peak memory reported by the program agrees with the one reported by the system.
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
        assert!(finished.output.contains("memory limit reached"), "{finished:?}");
        let value: serde_json::Value = serde_json::from_str(&finished.output).unwrap();
        let reported = value["results"][0]["statistics"]["peak_bytes"].as_u64().unwrap();
        // Printing the answer allocates memory after the measurement.
        assert!(reported + 2_000_000 >= seen, "{reported} reported, {seen} measured");
        assert!(reported <= cap * 1_000_000 + 16_000_000, "{reported} for a limit of {cap} MB");
        assert!(reported >= cap * 1_000_000 / 2, "{reported} for a limit of {cap} MB");
    }
}

#[test]
fn states() {
    let finished = finish(spawn("budget-states.net", &["--max-states", "1000", "--stats"]));
    is_unknown(&finished, "state limit reached");
    let stored = finished.output.split(" states stored").next().and_then(|text| text.rsplit(' ').next());
    let stored: u64 = stored.unwrap().parse().unwrap();
    assert!((1000..1100).contains(&stored), "{finished:?}");
    // A sufficient limit has no effect.
    let finished = run(&["check", "examples/fischer.net", "--max-states", "100000"]);
    assert_eq!(finished.status, Some(0), "{finished:?}");
}

#[cfg(unix)]
#[test]
fn interrupt_stops_search_and_prints_answer() {
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

/// A model that takes minutes to read: its constants are computed.
fn slow_to_read() -> String {
    let sum = "int f() { int i; int s = 0; for (i = 0; i < 300000; i++) { s = (s + i) % 7; } return s; }";
    let constants: String = (0..1000).map(|number| format!("const int c{number} = f();\n")).collect();
    format!("{sum}\n{constants}process P {{ init location A; }}\nsystem P;\nquery A[] P.A;\n")
}

#[test]
fn every_command_obeys_timeout_while_reading() {
    let path = file("budget-slow.net", slow_to_read().as_bytes());
    let unwritten = file("budget-slow.xml", b"before");
    for command in [
        vec!["check", &path],
        vec!["lint", &path],
        vec!["inspect", &path],
        vec!["draw", &path, "-o", &unwritten],
        vec!["convert", &path, &unwritten],
    ] {
        let finished = run(&[&command[..], &["--timeout", "0.2"]].concat());
        assert_eq!((finished.status, finished.output.as_str()), (Some(3), ""), "{command:?}: {finished:?}");
        let expected = "error[limit-reached]: timeout reached before the model was read";
        assert!(finished.error.contains(expected), "{command:?}: {finished:?}");
    }
    assert_eq!(std::fs::read(unwritten).unwrap(), b"before");
}

#[cfg(unix)]
#[test]
fn interrupt_stops_reading() {
    let path = file("budget-slow-interrupt.net", slow_to_read().as_bytes());
    let mut command = tempora(&["inspect", &path, "--timeout", "60", "--output", "json"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for_handler(child.id());
    let start = Instant::now();
    let signal = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(signal.unwrap().success());
    let finished = finish(child);
    assert_eq!(finished.status, Some(3), "{finished:?}");
    assert!(finished.output.contains("interrupted before the model was read"), "{finished:?}");
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

/// Waits until the process has installed its interrupt handler, or for a fixed time if this cannot be observed.
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
