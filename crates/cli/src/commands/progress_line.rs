//! The progress line of a running job.
//!
//! Invariant: the line appears only on a terminal, after one second, and is cleared when the job ends.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::Duration;

use tempora_evidence::RefinementStatistics;
use tempora_workbench::jobs::ProgressReport;

/// The progress line, with the exploration rate of about the last second.
pub(super) struct ProgressLine {
    is_wanted: bool,
    is_shown: bool,
    /// Elapsed time and explored states when the rate was last computed.
    since: Duration,
    explored: u64,
    rate: f64,
}

impl ProgressLine {
    pub(super) fn new(is_wanted: bool) -> ProgressLine {
        ProgressLine { is_wanted, is_shown: false, since: Duration::ZERO, explored: 0, rate: 0.0 }
    }

    pub(super) fn show(&mut self, progress: &ProgressReport) {
        let text = self.text(progress);
        if self.is_wanted && progress.elapsed >= Duration::from_secs(1) {
            let _ = io::stderr().write_all(format!("\r{text}\x1b[K").as_bytes());
            self.is_shown = true;
        }
    }

    pub(super) fn clear(&mut self) {
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
    fn line_shows_counts_rate_and_memory() {
        let mut line = ProgressLine::new(false);
        let progress = Progress::new();
        progress.add_explored(3000);
        progress.add_stored(4000);
        progress.set_waiting(700);
        let text = line.text(&report(&progress, 2, Some(123_456_789)));
        assert_eq!(text, "2 s: 3000 explored, 4000 stored, 700 waiting, 1500 states/s, 123 MB");
        // The rate covers only the time since the last update.
        progress.add_explored(100);
        let text = line.text(&report(&progress, 4, None));
        assert_eq!(text, "4 s: 3100 explored, 4000 stored, 700 waiting, 50 states/s");
        // Refinement and solver statistics appear when available.
        progress.note_refinement(RefinementStatistics { iterations: 3, nodes: 41, precision: 7 });
        progress.note_solver(SolverStatistics { checks: 9, waited: Duration::from_millis(1600) });
        let text = line.text(&report(&progress, 4, None));
        assert!(text.ends_with("50 states/s, iteration 3, 41 nodes, precision 7, solver 2 s"), "{text}");
    }
}
