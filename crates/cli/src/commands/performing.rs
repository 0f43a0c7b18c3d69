//! Jobs with limits, which Ctrl-C stops.
//!
//! Invariant: warnings are printed when they come, answers when the job is done.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tempora_source::Diagnostic;
use tempora_workbench::jobs::{self, Event, Job, Output, Refused};
use tempora_workbench::{Disk, Session};

use super::progress_line::ProgressLine;
use crate::console::Console;

/// How much an answer may take.
#[derive(clap::Args, Default)]
pub(crate) struct Limits {
    /// Stop after so many seconds
    #[arg(long, value_name = "S", value_parser = seconds)]
    timeout: Option<Duration>,

    /// Stop before the program uses more than so many megabytes
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,

    /// Stop when so many states are stored
    #[arg(long, value_name = "N")]
    max_states: Option<u64>,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "a number of seconds is needed".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "a positive number of seconds is needed".to_owned())
}

impl Limits {
    fn of_job(&self) -> jobs::Limits {
        jobs::Limits {
            timeout: self.timeout,
            memory_bytes: self.memory.map(|megabytes| megabytes.saturating_mul(1_000_000)),
            max_states: self.max_states,
        }
    }
}

/// A job that was done or refused.
pub(crate) struct Performed<Outcome> {
    pub(crate) outcome: Result<Outcome, Refused>,
    /// The first file that the job made on its way and that could not be written.
    pub(crate) unwritten: Option<Diagnostic>,
}

/// Does a job within the limits; Ctrl-C stops it.
pub(crate) fn perform<J: Job>(job: J, limits: &Limits, console: &mut Console) -> Performed<J::Outcome> {
    let cancelled = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&cancelled);
    // Without a handler Ctrl-C still stops the program, only less politely.
    let _ = ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            let _ = writeln!(io::stderr(), "stopping");
        }
    });
    let disk = Disk::default();
    let session = Session::new(&disk);
    let mut line = ProgressLine::new(io::stderr().is_terminal());
    let mut unwritten: Option<Diagnostic> = None;
    let outcome = session.run(job, limits.of_job(), cancelled, &mut |event| match event {
        Event::Reported(reported) => {
            line.clear();
            console.report(&reported.files, &reported.diagnostics);
        }
        Event::Made(output) => {
            if let Err(diagnostic) = session.save(&output) {
                unwritten.get_or_insert(diagnostic);
            }
        }
        Event::Progress(progress) => line.show(&progress),
        // Answers are printed together, at the end.
        Event::Answered(..) => {}
    });
    line.clear();
    Performed { outcome, unwritten }
}

/// Writes the outputs of a job, up to the first that cannot be written, and says where; returns why that one cannot.
pub(crate) fn save_outputs(outputs: &[Output], console: &mut Console) -> io::Result<Option<Diagnostic>> {
    let disk = Disk::default();
    for output in outputs {
        match Session::new(&disk).save(output) {
            Ok(bytes) => {
                if let Some(bytes) = bytes {
                    console.print(&String::from_utf8_lossy(bytes))?;
                }
                console.note(&output.note);
            }
            Err(fault) => return Ok(Some(fault)),
        }
    }
    Ok(None)
}
