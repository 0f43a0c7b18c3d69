//! Runs jobs within limits; signals stop them.
//!
//! Invariant: warnings are printed as soon as they are reported, answers when the job has ended. A job that does not end
//! soon after a signal is abandoned: the program prints the answers found so far and exits.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use tempora_evidence::Cancellation;
use tempora_report::LocatedAnswer;
use tempora_source::Diagnostic;
use tempora_workbench::jobs::{self, Event, Job, Output, Refused};
use tempora_workbench::{Disk, ProtectedInputs, Session};

use super::progress_line::ProgressLine;
use crate::Status;
use crate::console::Console;
use crate::signals::stop_on_signals;

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
    /// The files of the job, whose inputs are protected.
    pub(crate) files: ProtectedInputs<Disk>,
    /// Whether a signal arrived, so that the outcome may be a partial one.
    pub(crate) is_stopped: bool,
}

/// The time that a job has to end after a signal.
const PATIENCE: Duration = Duration::from_millis(700);

/// Runs a job within the limits; a signal stops it.
pub(crate) fn run_job<J: Job>(job: J, limits: &Limits, console: &mut Console) -> JobResult<J::Outcome> {
    run_job_with_answers(job, limits, console, &mut |_, _| Ok(Status::Unknown))
}

/// Runs a job within the limits; a signal stops it. If it does not stop soon, for example because it waits for
/// standard input, `print` prints the answers so far, and the program ends.
pub(crate) fn run_job_with_answers<J: Job>(
    job: J,
    limits: &Limits,
    console: &mut Console,
    print: &mut dyn FnMut(&[LocatedAnswer], &mut Console) -> io::Result<Status>,
) -> JobResult<J::Outcome> {
    let cancellation = Cancellation::default();
    stop_on_signals(&cancellation);
    let mut stopped: Option<Instant> = None;
    let mut answers: Vec<(usize, LocatedAnswer)> = Vec::new();
    let files = ProtectedInputs::new(Disk::default());
    let session = Session::new(&files);
    let mut line = ProgressLine::new(io::stderr().is_terminal());
    let mut unwritten: Option<Diagnostic> = None;
    let outcome = session.run(job, limits.of_job(), cancellation.clone(), &mut |event| match event {
        Event::Reported(reported) => {
            line.clear();
            console.report(&reported.files, &reported.diagnostics);
        }
        Event::Made(output) => {
            if let Err(diagnostic) = session.save(&output) {
                unwritten.get_or_insert(diagnostic);
            }
        }
        Event::Progress(progress) => {
            line.show(&progress);
            let Some(cause) = cancellation.cause() else { return };
            if stopped.get_or_insert_with(Instant::now).elapsed() >= PATIENCE {
                line.clear();
                answers.sort_by_key(|(number, _)| *number);
                let answers: Vec<LocatedAnswer> = answers.drain(..).map(|(_, answer)| answer).collect();
                let printed = print(&answers, console);
                console.note(&format!("{}: the command was stopped before its end", cause.describe()));
                exit_during_job(printed.unwrap_or(Status::Error));
            }
        }
        // Answers are printed together at the end.
        Event::Answered(number, answer) => answers.push((number, *answer)),
    });
    line.clear();
    end_after_signal(cancellation.clone());
    JobResult { outcome, unwritten, files, is_stopped: cancellation.cause().is_some() }
}

/// Ends the program some time after a signal, while it may wait for the reader of its output.
fn end_after_signal(cancellation: Cancellation) {
    // Without the thread, the program waits for the reader.
    let _ = std::thread::Builder::new().spawn(move || {
        while cancellation.cause().is_none() {
            std::thread::sleep(PATIENCE / 20);
        }
        std::thread::sleep(PATIENCE);
        exit_during_job(Status::Unknown)
    });
}

/// Ends the program while another thread works or waits. Solvers end with the program.
#[expect(clippy::disallowed_methods, reason = "a thread that does not watch its budget cannot be joined")]
fn exit_during_job(status: Status) -> ! {
    std::process::exit(status.number().into())
}

/// Writes the outputs of a job and prints their notes; stops at the first write error and returns it.
pub(crate) fn save_outputs(
    outputs: &[Output],
    files: &ProtectedInputs<Disk>,
    console: &mut Console,
) -> io::Result<Option<Diagnostic>> {
    for output in outputs {
        match Session::new(files).save(output) {
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
