//! Runs jobs within limits; Ctrl-C cancels them.
//!
//! Invariant: warnings are printed as soon as they are reported, answers when the job has ended.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tempora_source::Diagnostic;
use tempora_workbench::jobs::{self, Event, Job, Output, Refused};
use tempora_workbench::{Disk, Session};

use super::progress_line::ProgressLine;
use crate::console::Console;

/// Limits of a job that explores no states.
#[derive(clap::Args, Clone, Copy, Default)]
pub(crate) struct ResourceLimits {
    /// Timeout in seconds
    #[arg(long, value_name = "S", value_parser = seconds)]
    timeout: Option<Duration>,

    /// Memory limit of the program in megabytes
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,
}

/// Limits of a job that may explore states.
#[derive(clap::Args, Default)]
pub(crate) struct Limits {
    #[command(flatten)]
    resources: ResourceLimits,

    /// Limit on the number of stored states
    #[arg(long, value_name = "N")]
    max_states: Option<u64>,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "expected a positive number of seconds".to_owned())
}

impl ResourceLimits {
    /// Returns the limits of the job.
    pub(crate) fn all(self) -> Limits {
        Limits { resources: self, max_states: None }
    }
}

impl Limits {
    fn of_job(&self) -> jobs::Limits {
        jobs::Limits {
            timeout: self.resources.timeout,
            memory_bytes: self.resources.memory.map(|megabytes| megabytes.saturating_mul(1_000_000)),
            max_states: self.max_states,
        }
    }
}

/// The result of a job.
pub(crate) struct JobResult<Outcome> {
    pub(crate) outcome: Result<Outcome, Refused>,
    /// The error for the first intermediate file that could not be written.
    pub(crate) unwritten: Option<Diagnostic>,
}

/// Runs a job within the limits; Ctrl-C cancels it.
pub(crate) fn run_job<J: Job>(job: J, limits: &Limits, console: &mut Console) -> JobResult<J::Outcome> {
    let cancelled = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&cancelled);
    // Without a handler, Ctrl-C kills the program at once.
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
        // Answers are printed together at the end.
        Event::Answered(..) => {}
    });
    line.clear();
    JobResult { outcome, unwritten }
}

/// Writes the outputs of a job and prints their notes; stops at the first write error and returns it.
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
