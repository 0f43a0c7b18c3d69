//! The pipes to and from a process.
//!
//! Invariant: nobody waits longer than the deadline for an answer, and a process does not outlive its channel.

use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::{ProcessOptions, SolverProgram};
use crate::SolverError;

/// How often somebody who waits looks whether he still should.
const GLANCE: Duration = Duration::from_millis(20);

pub(super) struct Channel {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    options: ProcessOptions,
}

impl Channel {
    pub(super) fn start(program: &SolverProgram, options: &ProcessOptions) -> Result<Channel, SolverError> {
        let broken = |what: &str, error: std::io::Error| SolverError::Broken(format!("{what}: {error}"));
        let mut command = Command::new(program.path());
        command.args(program.arguments(options.memory_megabytes));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| broken("it cannot be started", error))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(SolverError::Broken("it has no pipes".to_owned()));
        };
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let Ok(line) = line else { return };
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Channel { child, input, lines, options: options.clone() })
    }

    /// Tells the process something.
    pub(super) fn send(&mut self, text: &str) -> Result<(), SolverError> {
        if let Some(path) = &self.options.dump {
            let file = OpenOptions::new().create(true).append(true).open(path);
            let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
            written.map_err(|error| SolverError::Broken(format!("the dump cannot be written: {error}")))?;
        }
        let sent = self.input.write_all(text.as_bytes());
        sent.map_err(|error| SolverError::Broken(format!("it does not listen: {error}")))
    }

    /// The next answer: a line, or as many as it takes to close all brackets.
    pub(super) fn receive(&mut self, deadline: Option<Instant>) -> Result<String, SolverError> {
        let start = Instant::now();
        let answer = self.wait(deadline);
        self.options.meter.add_wait(start.elapsed());
        answer
    }

    fn wait(&mut self, deadline: Option<Instant>) -> Result<String, SolverError> {
        let flushed = self.input.flush();
        flushed.map_err(|error| SolverError::Broken(format!("it does not listen: {error}")))?;
        let mut answer = String::new();
        loop {
            match self.lines.recv_timeout(GLANCE) {
                Ok(line) => {
                    answer.push_str(&line);
                    answer.push('\n');
                    if !answer.trim().is_empty() && open_brackets(&answer) <= 0 {
                        break;
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(SolverError::Broken("it stopped".to_owned()));
                }
                Err(RecvTimeoutError::Timeout) => {
                    let cancelled = self.options.cancellation.as_ref();
                    let is_cancelled = cancelled.is_some_and(|flag| flag.load(Ordering::Relaxed));
                    if is_cancelled || deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                        return Err(SolverError::Timeout);
                    }
                }
            }
        }
        if answer.trim_start().starts_with("(error") {
            let short: String = answer.trim().chars().take(300).collect();
            return Err(SolverError::Broken(short));
        }
        Ok(answer)
    }
}

impl Drop for Channel {
    fn drop(&mut self) {
        // It may have ended already; either way nothing is left behind.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// How many brackets are open at the end of a text, not counting those in quotations.
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
    fn brackets_in_quotations_do_not_count() {
        assert_eq!(open_brackets("((a |(| \"(\" )"), 1);
        assert_eq!(open_brackets("sat"), 0);
    }
}
