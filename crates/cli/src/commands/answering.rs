//! Work with limits, that can be stopped, and that shows how far it is.
//!
//! Invariant: the line that shows how far the work is appears on a terminal only, after one second, and is gone when the
//! work is done.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tempora_evidence::{Budget, Progress, RefinementStatistics};

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

/// Does the work within the limits; Ctrl-C stops it.
pub(crate) fn answered<T>(limits: &Limits, work: impl FnOnce(&Budget, &Progress) -> T) -> T {
    let cancelled = Arc::new(AtomicBool::new(false));
    let mut budget = Budget::unlimited().with_cancellation(cancelled.clone());
    if let Some(timeout) = limits.timeout {
        budget = budget.with_timeout(timeout);
    }
    if let Some(megabytes) = limits.memory {
        budget = budget.with_memory_bytes(megabytes.saturating_mul(1_000_000));
    }
    if let Some(states) = limits.max_states {
        budget = budget.with_max_states(states);
    }
    // Without a handler Ctrl-C still stops the program, only less politely.
    let _ = ctrlc::set_handler(move || {
        if cancelled.swap(true, Ordering::Relaxed) {
            let _ = writeln!(io::stderr(), "stopping");
        }
    });
    let progress = Progress::new();
    with_progress_line(&progress, || work(&budget, &progress))
}

/// Does the work; on a terminal, shows how far it is after one second.
fn with_progress_line<T>(progress: &Progress, work: impl FnOnce() -> T) -> T {
    if !io::stderr().is_terminal() {
        return work();
    }
    let finished = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let start = Instant::now();
            let mut line = ProgressLine { start, since: start, explored: 0, rate: 0.0 };
            let mut is_shown = false;
            while !finished.load(Ordering::Relaxed) {
                std::thread::park_timeout(Duration::from_millis(100));
                if start.elapsed() >= Duration::from_secs(1) && !finished.load(Ordering::Relaxed) {
                    let text = line.text(progress, Instant::now(), Budget::used_bytes());
                    let _ = io::stderr().write_all(format!("\r{text}\x1b[K").as_bytes());
                    is_shown = true;
                }
            }
            if is_shown {
                let _ = io::stderr().write_all(b"\r\x1b[K");
            }
        });
        let result = work();
        finished.store(true, Ordering::Relaxed);
        result
    })
}

/// The line, with the rate of the last seconds.
struct ProgressLine {
    start: Instant,
    /// When the rate was last worked out, and for how many states.
    since: Instant,
    explored: u64,
    rate: f64,
}

impl ProgressLine {
    fn text(&mut self, progress: &Progress, now: Instant, memory: Option<u64>) -> String {
        let counts = progress.snapshot();
        let passed = now.duration_since(self.since).as_secs_f64();
        if passed >= 1.0 {
            self.rate = counts.explored.saturating_sub(self.explored) as f64 / passed;
            (self.since, self.explored) = (now, counts.explored);
        }
        let mut rest = String::new();
        if let Some(refinement) = counts.refinement {
            let RefinementStatistics { iterations, nodes, precision } = refinement;
            let _ = write!(rest, ", iteration {iterations}, {nodes} nodes, precision {precision}");
        }
        if let Some(solver) = counts.solver {
            let _ = write!(rest, ", solver {:.0} s", solver.waited.as_secs_f64());
        }
        if let Some(bytes) = memory {
            let _ = write!(rest, ", {} MB", bytes / 1_000_000);
        }
        format!(
            "{:.0} s: {} explored, {} stored, {} waiting, {:.0} states/s{rest}",
            now.duration_since(self.start).as_secs_f64(),
            counts.explored,
            counts.stored,
            progress.waiting(),
            self.rate,
        )
    }
}

#[cfg(test)]
mod tests {
    use tempora_evidence::SolverStatistics;

    use super::*;

    #[test]
    fn the_line_says_how_far_the_work_is() {
        let start = Instant::now();
        let mut line = ProgressLine { start, since: start, explored: 0, rate: 0.0 };
        let progress = Progress::new();
        progress.add_explored(3000);
        progress.add_stored(4000);
        progress.set_waiting(700);
        let text = line.text(&progress, start + Duration::from_secs(2), Some(123_456_789));
        assert_eq!(text, "2 s: 3000 explored, 4000 stored, 700 waiting, 1500 states/s, 123 MB");
        // The rate is that of the last second, not of all of them.
        progress.add_explored(100);
        let text = line.text(&progress, start + Duration::from_secs(4), None);
        assert_eq!(text, "4 s: 3100 explored, 4000 stored, 700 waiting, 50 states/s");
        // An abstraction and a solver are named where there are some.
        progress.note_refinement(RefinementStatistics { iterations: 3, nodes: 41, precision: 7 });
        progress.note_solver(SolverStatistics { checks: 9, waited: Duration::from_millis(1600) });
        let text = line.text(&progress, start + Duration::from_secs(4), None);
        assert!(text.ends_with("50 states/s, iteration 3, 41 nodes, precision 7, solver 2 s"), "{text}");
    }
}
