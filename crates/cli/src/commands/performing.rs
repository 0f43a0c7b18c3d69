//! Jobs with limits, which Ctrl-C stops, and a line that shows their progress.
//!
//! Invariant: the line appears on a terminal only, after one second, and is gone when the job is done.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tempora_evidence::RefinementStatistics;
use tempora_source::Diagnostic;
use tempora_workbench::jobs::{self, Event, Job, Output, ProgressReport, Refused};
use tempora_workbench::{Disk, Session};

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

/// The line, with the rate of the last second.
struct ProgressLine {
    is_wanted: bool,
    is_shown: bool,
    /// When the rate was last computed, and for how many states.
    since: Duration,
    explored: u64,
    rate: f64,
}

impl ProgressLine {
    fn new(is_wanted: bool) -> ProgressLine {
        ProgressLine { is_wanted, is_shown: false, since: Duration::ZERO, explored: 0, rate: 0.0 }
    }

    fn show(&mut self, progress: &ProgressReport) {
        let text = self.text(progress);
        if self.is_wanted && progress.elapsed >= Duration::from_secs(1) {
            let _ = io::stderr().write_all(format!("\r{text}\x1b[K").as_bytes());
            self.is_shown = true;
        }
    }

    fn clear(&mut self) {
        if self.is_shown {
            let _ = io::stderr().write_all(b"\r\x1b[K");
            self.is_shown = false;
        }
    }

    fn text(&mut self, progress: &ProgressReport) -> String {
        let counts = &progress.statistics;
        let passed = progress.elapsed.saturating_sub(self.since).as_secs_f64();
        if passed >= 1.0 {
            self.rate = counts.explored.saturating_sub(self.explored) as f64 / passed;
            (self.since, self.explored) = (progress.elapsed, counts.explored);
        }
        let mut rest = String::new();
        if let Some(refinement) = counts.refinement {
            let RefinementStatistics { iterations, nodes, precision } = refinement;
            let _ = write!(rest, ", iteration {iterations}, {nodes} nodes, precision {precision}");
        }
        if let Some(solver) = counts.solver {
            let _ = write!(rest, ", solver {:.0} s", solver.waited.as_secs_f64());
        }
        if let Some(bytes) = progress.used_bytes {
            let _ = write!(rest, ", {} MB", bytes / 1_000_000);
        }
        format!(
            "{:.0} s: {} explored, {} stored, {} waiting, {:.0} states/s{rest}",
            progress.elapsed.as_secs_f64(),
            counts.explored,
            counts.stored,
            progress.waiting,
            self.rate,
        )
    }
}

#[cfg(test)]
mod tests {
    use tempora_evidence::{Progress, SolverStatistics};

    use super::*;

    fn report(progress: &Progress, seconds: u64, used_bytes: Option<u64>) -> ProgressReport {
        ProgressReport {
            elapsed: Duration::from_secs(seconds),
            statistics: progress.snapshot(),
            waiting: progress.waiting(),
            used_bytes,
        }
    }

    #[test]
    fn the_line_says_how_far_the_work_is() {
        let mut line = ProgressLine::new(false);
        let progress = Progress::new();
        progress.add_explored(3000);
        progress.add_stored(4000);
        progress.set_waiting(700);
        let text = line.text(&report(&progress, 2, Some(123_456_789)));
        assert_eq!(text, "2 s: 3000 explored, 4000 stored, 700 waiting, 1500 states/s, 123 MB");
        // The rate is that of the last second, not of all of them.
        progress.add_explored(100);
        let text = line.text(&report(&progress, 4, None));
        assert_eq!(text, "4 s: 3100 explored, 4000 stored, 700 waiting, 50 states/s");
        // An abstraction and a solver are named where there are some.
        progress.note_refinement(RefinementStatistics { iterations: 3, nodes: 41, precision: 7 });
        progress.note_solver(SolverStatistics { checks: 9, waited: Duration::from_millis(1600) });
        let text = line.text(&report(&progress, 4, None));
        assert!(text.ends_with("50 states/s, iteration 3, 41 nodes, precision 7, solver 2 s"), "{text}");
    }
}
