//! How far a computation is, for those who watch it.
//!
//! Invariant: counters only grow, but for the number of states that wait and the size of an abstraction. They are written without ordering between each other: a snapshot is a picture for
//! humans, and exact once the engine has returned.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::Duration;

/// Counters that an engine writes and others read at the same time.
#[derive(Debug, Default)]
pub struct Progress {
    stored: AtomicU64,
    explored: AtomicU64,
    transitions: AtomicU64,
    waiting: AtomicU64,
    peak_bytes: AtomicU64,
    phase: AtomicU8,
    iterations: AtomicU64,
    nodes: AtomicU64,
    precision: AtomicU64,
    solver_checks: AtomicU64,
    solver_nanoseconds: AtomicU64,
}

/// What a computation took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// States that were kept.
    pub stored: u64,
    /// States of which the successors were computed.
    pub explored: u64,
    /// Transitions that were computed.
    pub transitions: u64,
    /// The most memory that was used at a time; zero if it could not be measured.
    pub peak_bytes: u64,
    /// The time it took; zero in a snapshot of a [`Progress`], which has no clock.
    pub elapsed: Duration,
    /// What the search preserved, if it is an engine that has a choice.
    pub profile: Option<&'static str>,
    /// What the abstraction became, if the engine refines one.
    pub refinement: Option<RefinementStatistics>,
    /// What a solver was asked, if one was.
    pub solver: Option<SolverStatistics>,
}

/// An abstraction that is refined.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RefinementStatistics {
    /// How many times the graph was built, or a part of it.
    pub iterations: u64,
    /// How many nodes the graph has.
    pub nodes: u64,
    /// How many predicates and variables it speaks about.
    pub precision: u64,
}

/// What a solver was asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SolverStatistics {
    /// How many checks were asked for.
    pub checks: u64,
    /// How long somebody waited for the answers.
    pub waited: Duration,
}

/// What an engine is doing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// It translates the model.
    Preparing,
    /// It searches.
    Exploring,
    /// It makes a concrete run of what it found.
    Concretising,
    /// It has answered.
    Finished,
}

impl Progress {
    /// Nothing has happened yet.
    pub fn new() -> Progress {
        Progress::default()
    }

    /// More states have been kept.
    pub fn add_stored(&self, count: u64) {
        self.stored.fetch_add(count, Ordering::Relaxed);
    }

    /// The successors of more states have been computed.
    pub fn add_explored(&self, count: u64) {
        self.explored.fetch_add(count, Ordering::Relaxed);
    }

    /// More transitions have been computed.
    pub fn add_transitions(&self, count: u64) {
        self.transitions.fetch_add(count, Ordering::Relaxed);
    }

    /// So many states wait now for their successors to be computed.
    pub fn set_waiting(&self, count: u64) {
        self.waiting.store(count, Ordering::Relaxed);
    }

    /// How many states wait for their successors to be computed.
    pub fn waiting(&self) -> u64 {
        self.waiting.load(Ordering::Relaxed)
    }

    /// So much memory is in use.
    pub fn note_bytes(&self, bytes: u64) {
        self.peak_bytes.fetch_max(bytes, Ordering::Relaxed);
    }

    /// The abstraction is this now.
    pub fn note_refinement(&self, refinement: RefinementStatistics) {
        self.iterations.store(refinement.iterations, Ordering::Relaxed);
        self.nodes.store(refinement.nodes, Ordering::Relaxed);
        self.precision.store(refinement.precision, Ordering::Relaxed);
    }

    /// This is what solvers have been asked until now.
    pub fn note_solver(&self, solver: SolverStatistics) {
        let nanoseconds = u64::try_from(solver.waited.as_nanos()).unwrap_or(u64::MAX);
        self.solver_checks.fetch_max(solver.checks, Ordering::Relaxed);
        self.solver_nanoseconds.fetch_max(nanoseconds, Ordering::Relaxed);
    }

    /// The engine goes on to this phase; it never goes back.
    pub fn enter(&self, phase: Phase) {
        self.phase.fetch_max(phase as u8, Ordering::Relaxed);
    }

    /// What the engine is doing.
    pub fn phase(&self) -> Phase {
        match self.phase.load(Ordering::Relaxed) {
            0 => Phase::Preparing,
            1 => Phase::Exploring,
            2 => Phase::Concretising,
            _ => Phase::Finished,
        }
    }

    /// The counters as they are now.
    pub fn snapshot(&self) -> Statistics {
        let refinement = RefinementStatistics {
            iterations: self.iterations.load(Ordering::Relaxed),
            nodes: self.nodes.load(Ordering::Relaxed),
            precision: self.precision.load(Ordering::Relaxed),
        };
        let solver = SolverStatistics {
            checks: self.solver_checks.load(Ordering::Relaxed),
            waited: Duration::from_nanos(self.solver_nanoseconds.load(Ordering::Relaxed)),
        };
        Statistics {
            stored: self.stored.load(Ordering::Relaxed),
            explored: self.explored.load(Ordering::Relaxed),
            transitions: self.transitions.load(Ordering::Relaxed),
            peak_bytes: self.peak_bytes.load(Ordering::Relaxed),
            elapsed: Duration::ZERO,
            profile: None,
            refinement: (refinement.iterations > 0).then_some(refinement),
            solver: (solver.checks > 0).then_some(solver),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Phase, Progress};

    #[test]
    fn counters_add_up_the_peak_stays_and_phases_do_not_go_back() {
        let progress = Progress::new();
        assert_eq!(progress.phase(), Phase::Preparing);
        progress.add_stored(2);
        progress.add_stored(3);
        progress.add_explored(4);
        progress.add_transitions(7);
        progress.note_bytes(90);
        progress.note_bytes(50);
        progress.enter(Phase::Concretising);
        progress.enter(Phase::Exploring);
        let seen = progress.snapshot();
        assert_eq!((seen.stored, seen.explored, seen.transitions, seen.peak_bytes), (5, 4, 7, 90));
        assert_eq!(progress.phase(), Phase::Concretising);
    }
}
