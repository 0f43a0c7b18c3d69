//! The pipes to and from a solver process.
//!
//! Invariant: waiting for an answer ends at the deadline, and the process does not outlive its channel.

use std::io::{BufRead, BufReader, PipeWriter, Write};
use std::process::{Child, ChildStdin};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::launch::{CANNOT_START, Launched, launch};
use super::memory::{Counted, memory_with_solvers};
use super::{ProcessOptions, SolverProgram};
use crate::SolverError;

/// The interval at which a waiting thread checks the deadline and cancellation.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// The exit status of Z3 when it exceeds its memory limit.
const OUT_OF_MEMORY: i32 = 101;

pub(super) struct Channel {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    options: ProcessOptions,
    /// The pipe whose end the guard of the process notices.
    link: Option<PipeWriter>,
    /// Dropped after the process has ended.
    _counted: Counted,
}

impl Channel {
    pub(super) fn start(program: &SolverProgram, options: &ProcessOptions) -> Result<Channel, SolverError> {
        let broken = |what: &str, error: std::io::Error| SolverError::Broken(format!("{what}: {error}"));
        let left = options.memory_bytes.map(|limit| {
            let used = memory_with_solvers().unwrap_or(0);
            (limit.saturating_sub(used) / 1_000_000).max(1)
        });
        let launched = launch(program.path(), &program.arguments(left));
        let Launched { mut child, link } = launched.map_err(|error| broken("it cannot be started", error))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(SolverError::Broken("it has no pipes".to_owned()));
        };
        let counted = Counted::new(child.id());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let Ok(line) = line else { return };
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Channel { child, input, lines, options: options.clone(), link, _counted: counted })
    }

    /// Sends text to the process.
    pub(super) fn send(&mut self, text: &str) -> Result<(), SolverError> {
        if let Some(recording) = &self.options.recording {
            recording.add(text);
        }
        let sent = self.input.write_all(text.as_bytes());
        sent.map_err(|error| self.ended(format!("it closed its input: {error}")))
    }

    /// Returns the error for a process that has ended.
    fn ended(&mut self, what: String) -> SolverError {
        // It has closed its streams, so it should exit soon; the wait is short.
        for _ in 0..20 {
            match self.child.try_wait() {
                Ok(Some(status)) if status.code() == Some(OUT_OF_MEMORY) => return SolverError::Memory,
                Ok(None) => std::thread::sleep(POLL_INTERVAL / 4),
                Ok(Some(_)) | Err(_) => break,
            }
        }
        if let Some(why) = self.lines.recv_timeout(POLL_INTERVAL).ok().as_deref().and_then(not_started) {
            return why;
        }
        SolverError::Broken(what)
    }

    /// Receives the next answer: a line, or the lines up to the closing parenthesis.
    pub(super) fn receive(&mut self, deadline: Option<Instant>) -> Result<String, SolverError> {
        let start = Instant::now();
        let answer = self.wait(deadline);
        self.options.meter.add_wait(start.elapsed());
        answer
    }

    fn wait(&mut self, deadline: Option<Instant>) -> Result<String, SolverError> {
        let flushed = self.input.flush();
        flushed.map_err(|error| self.ended(format!("it closed its input: {error}")))?;
        let mut answer = String::new();
        loop {
            match self.lines.recv_timeout(POLL_INTERVAL) {
                Ok(line) => {
                    if let Some(why) = not_started(&line) {
                        return Err(why);
                    }
                    answer.push_str(&line);
                    answer.push('\n');
                    if !answer.trim().is_empty() && open_brackets(&answer) <= 0 {
                        break;
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(self.ended("it exited".to_owned()));
                }
                Err(RecvTimeoutError::Timeout) => {
                    let cancelled = self.options.cancellation.as_ref();
                    let is_cancelled = cancelled.is_some_and(|flag| flag.load(Ordering::Relaxed));
                    if is_cancelled || deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                        return Err(SolverError::Timeout);
                    }
                    let is_too_much = |limit| memory_with_solvers().is_some_and(|used| used > limit);
                    if self.options.memory_bytes.is_some_and(is_too_much) {
                        return Err(SolverError::Memory);
                    }
                }
            }
        }
        if answer.trim_start().starts_with("(error") {
            if answer.contains("out of memory") {
                return Err(SolverError::Memory);
            }
            let short: String = answer.trim().chars().take(300).collect();
            return Err(SolverError::Broken(short));
        }
        Ok(answer)
    }
}

impl Drop for Channel {
    fn drop(&mut self) {
        // It may have exited already; either way no process is left behind. A guard kills the process at the end of
        // the pipe, and a guard that was killed could not.
        if self.link.take().is_none() {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}

/// Returns the error for a line in which a guard reports that it cannot start the solver.
fn not_started(line: &str) -> Option<SolverError> {
    let why = line.strip_prefix(CANNOT_START)?;
    Some(SolverError::Broken(format!("it cannot be started: {why}")))
}

/// Returns the number of open parentheses at the end of a text, ignoring quotations.
fn open_brackets(text: &str) -> i64 {
    let mut open = 0;
    let mut quotation = None;
    for byte in text.bytes() {
        match (quotation, byte) {
            (Some(quote), byte) if byte == quote => quotation = None,
            (None, b'"' | b'|') => quotation = Some(byte),
            (None, b'(') => open += 1,
            (None, b')') => open -= 1,
            (Some(_) | None, _) => {}
        }
    }
    open
}

#[cfg(test)]
mod tests {
    use super::open_brackets;

    #[test]
    fn parentheses_in_quotations_do_not_count() {
        assert_eq!(open_brackets("((a |(| \"(\" )"), 1);
        assert_eq!(open_brackets("sat"), 0);
    }
}
