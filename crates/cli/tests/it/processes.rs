//! Signals, and the processes that remain after them.
//!
//! Each run gets a mark in its environment, which its solvers inherit, so that a test finds them all in `/proc`.
//! `SIGNAL_MOMENTS=200 cargo test -p tempora-cli --test it processes::` tries more moments than the default.
#![cfg(target_os = "linux")]

use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{explosion, file, tempora};

/// The variable with the mark.
const MARK: &str = "TEMPORA_TEST_MARK";

/// A guard against hangs; far more than any run needs.
const LONGEST: Duration = Duration::from_secs(60);

/// A system whose bounded checks never end.
const ENDLESS: &[u8] = b"var x : integer = 0 var y : integer = 0
trans { assume x == y; x := x + 1; } or { assume x > y; y := y + 1; } init {} env {} prop { x >= y }";

/// A run with a mark.
struct Marked {
    mark: String,
    child: Child,
}

impl Marked {
    fn spawn(name: &str, mut command: Command) -> Marked {
        let mark = format!("{name}-{}", std::process::id());
        command.env(MARK, &mark).stdout(Stdio::piped()).stderr(Stdio::piped());
        Marked { mark, child: command.spawn().unwrap() }
    }

    /// Returns the processes with its mark.
    fn processes(&self) -> Vec<u32> {
        let entry = format!("{MARK}={}", self.mark).into_bytes();
        let entries = std::fs::read_dir("/proc").unwrap();
        let numbers = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
        numbers
            .filter(|process| {
                // A process that has just ended, or belongs to another user, cannot be read.
                let read = std::fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
                read.split(|byte| *byte == 0).any(|variable| variable == entry)
            })
            .collect()
    }

    /// Waits until the number of processes with its mark is accepted.
    fn wait_for_processes(&self, is_enough: impl Fn(usize) -> bool) {
        let start = Instant::now();
        while !is_enough(self.processes().len()) {
            assert!(start.elapsed() < LONGEST, "{}: {:?}", self.mark, self.processes());
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    fn signal(&self, signal: &str) {
        let sent = Command::new("kill").args([&format!("-{signal}"), &self.child.id().to_string()]).status();
        assert!(sent.unwrap().success());
    }

    /// Returns whether the program handles an interruption by itself.
    fn has_handlers(&self) -> bool {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let mask = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
        // The signals 1, 2 and 15, counted from the right.
        [1, 2, 15].iter().all(|number| mask >> (number - 1) & 1 == 1)
    }

    /// Waits for its end, and for the end of its solvers.
    fn finish(mut self) -> Ended {
        let start = Instant::now();
        while self.child.try_wait().unwrap().is_none() {
            assert!(start.elapsed() < LONGEST, "{} does not end", self.mark);
            std::thread::sleep(Duration::from_millis(5));
        }
        self.wait_for_processes(|count| count == 0);
        let status = self.child.wait().unwrap();
        let (mut output, mut error) = (String::new(), String::new());
        self.child.stdout.take().unwrap().read_to_string(&mut output).unwrap();
        self.child.stderr.take().unwrap().read_to_string(&mut error).unwrap();
        Ended { status: status.code(), signal: status.signal(), output, error }
    }
}

#[derive(Debug)]
struct Ended {
    status: Option<i32>,
    signal: Option<i32>,
    output: String,
    error: String,
}

/// The signals that stop the program, with their numbers and the words of the answer.
const STOPS: [(&str, i32, &str); 3] =
    [("INT", 2, "interrupted"), ("TERM", 15, "terminated"), ("HUP", 1, "hung up")];

/// Returns the command that checks an endless system with a solver.
fn with_solver(name: &str) -> Command {
    let model = file(name, ENDLESS);
    tempora(&["check", &model, "--engine", "bmc"])
}

/// Writes a program that never answers, in place of a solver, and returns its path.
fn silent_solver(name: &str) -> String {
    let path = file(name, b"#!/bin/sh\nexec sleep 600\n");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[test]
fn each_signal_has_its_words() {
    for (signal, _, words) in STOPS {
        let path = file(&format!("signal-{signal}.net"), explosion().as_bytes());
        let run = Marked::spawn(&format!("words-{signal}"), tempora(&["check", &path, "--timeout", "60"]));
        while !run.has_handlers() {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(100));
        run.signal(signal);
        let ended = run.finish();
        assert_eq!((ended.status, ended.error.as_str()), (Some(3), ""), "{ended:?}");
        assert!(ended.output.starts_with("unknown: A[]") && ended.output.contains(words), "{ended:?}");
        assert!(!ended.output.contains("timeout"), "{ended:?}");
    }
}

#[test]
fn signal_ends_wait_for_reader_of_output() {
    let edges = "A -> A;\n".repeat(20_000);
    let path = file("signal-output.net", format!("process P {{ init location A;\n{edges}}}").as_bytes());
    let run = Marked::spawn("output", tempora(&["convert", &path, "-", "--to", "xml"]));
    // Nothing reads the output, and a pipe is full long before its end.
    for _ in 0..300 {
        std::thread::sleep(Duration::from_millis(10));
        let place = std::fs::read_to_string(format!("/proc/{}/wchan", run.child.id())).unwrap_or_default();
        if place.contains("pipe_write") {
            break;
        }
    }
    run.signal("TERM");
    assert_eq!(run.finish().status, Some(3));
}

/// The findings of a survey that was stopped are not all.
#[test]
fn stopped_lint_is_no_success() {
    let path = file("signal-lint.net", explosion().as_bytes());
    let run = Marked::spawn("lint", tempora(&["lint", &path]));
    while !run.has_handlers() {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(100));
    run.signal("TERM");
    let ended = run.finish();
    assert_eq!(ended.status, Some(3), "{ended:?}");
    assert!(format!("{}{}", ended.output, ended.error).contains("terminated"), "{ended:?}");
}

#[test]
fn signal_ends_wait_for_standard_input() {
    for (signal, _, words) in STOPS {
        let mut command = tempora(&["check", "-"]);
        command.stdin(Stdio::piped());
        let mut run = Marked::spawn(&format!("input-{signal}"), command);
        let input = run.child.stdin.take();
        while !run.has_handlers() {
            std::thread::sleep(Duration::from_millis(5));
        }
        run.signal(signal);
        let ended = run.finish();
        drop(input);
        assert_eq!((ended.status, ended.output.as_str()), (Some(3), ""), "{ended:?}");
        assert!(ended.error.starts_with(words), "{ended:?}");
    }
}

#[test]
fn solver_ends_with_program_whatever_kills_it() {
    for (signal, number, words) in STOPS.into_iter().chain([("KILL", 9, "")]) {
        let mut command = with_solver(&format!("killed-{signal}.xsts"));
        command.env("TEMPORA_SOLVER", silent_solver(&format!("silent-{signal}")));
        let run = Marked::spawn(&format!("solver-{signal}"), command);
        run.wait_for_processes(|count| count == 2);
        run.signal(signal);
        let ended = run.finish();
        if signal == "KILL" {
            assert_eq!(ended.signal, Some(number), "{ended:?}");
        } else {
            assert_eq!((ended.status, ended.error.as_str()), (Some(3), ""), "{ended:?}");
            assert!(ended.output.contains(words), "{ended:?}");
        }
    }
}

#[test]
fn guard_kills_solver_at_end_of_pipe() {
    let mut command = tempora(&["--guard-solver", "pipe", "1"]);
    command.arg(silent_solver("silent-pipe"));
    let (reading, writing) = std::io::pipe().unwrap();
    let mark = format!("pipe-{}", std::process::id());
    command.env(MARK, &mark).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(reading);
    let run = Marked { mark, child: command.spawn().unwrap() };
    run.wait_for_processes(|count| count == 2);
    drop(command);
    drop(writing);
    let Marked { mark, mut child } = run;
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert!(Marked { mark, child }.processes().is_empty());
}

#[test]
fn guard_without_parent_starts_no_solver() {
    // The parent of the guard is this test, which has another number.
    let mut command = tempora(&["--guard-solver", "signal", "1"]);
    command.arg(silent_solver("silent-orphan"));
    let ended = Marked::spawn("orphan", command).finish();
    assert_eq!(ended.status, Some(2), "{ended:?}");
    assert!(ended.output.contains("the program that needs it has ended"), "{ended:?}");
}

#[test]
fn unusable_solver_is_named_in_the_answer() {
    let path = file("unusable-solver", b"this is not a program");
    let mut command = with_solver("unusable.xsts");
    command.env("TEMPORA_SOLVER", path);
    let ended = Marked::spawn("unusable", command).finish();
    assert_eq!(ended.status, Some(3), "{ended:?}");
    assert!(ended.output.contains("it cannot be started: Permission denied"), "{ended:?}");
}

/// A signal may arrive before the handlers are there, while the model is read, in a search, during a check of the
/// solver, or after the end.
#[test]
fn signals_at_random_moments() {
    let moments = std::env::var("SIGNAL_MOMENTS").ok().and_then(|text| text.parse().ok()).unwrap_or(12);
    let mut random: u64 = 20;
    let searched = file("moments.net", explosion().as_bytes());
    for moment in 0..moments {
        // The generator of Knuth's MMIX.
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let microseconds = match moment % 4 {
            0 => (random >> 33) % 10_000,
            1 => (random >> 33) % 100_000,
            _ => (random >> 33) % 600_000,
        };
        let command = match moment / 4 % 3 {
            0 => tempora(&["check", &searched, "--timeout", "60"]),
            1 => with_solver("moments.xsts"),
            _ => tempora(&["check", "examples/fischer.net", "--trace", "none"]),
        };
        let kind = (random >> 20) as usize % 4;
        let (signal, number, words) = STOPS.into_iter().chain([("KILL", 9, "")]).nth(kind).unwrap();
        let mut run = Marked::spawn(&format!("moment-{moment}"), command);
        std::thread::sleep(Duration::from_micros(microseconds));
        if run.child.try_wait().unwrap().is_some() {
            assert_eq!(run.finish().status, Some(0));
            continue;
        }
        let has_handlers = run.has_handlers();
        run.signal(signal);
        let ended = run.finish();
        let about =
            format!("moment {moment}, {microseconds} us, {signal}, handlers {has_handlers}: {ended:?}");
        if ended.signal == Some(number) {
            assert!(signal == "KILL" || !has_handlers, "{about}");
            assert!(ended.output.is_empty() && ended.error.is_empty(), "{about}");
            continue;
        }
        let is_stopped = signal != "KILL"
            && ended.status == Some(3)
            && (ended.output.contains(words) || ended.error.contains(words))
            && !ended.output.contains("timeout");
        // The program may end by itself just before the signal.
        assert!(is_stopped || ended.status == Some(0), "{about}");
    }
}
