//! Progress counters of a running engine.
//!
//! Invariant: counters only grow, except the number of waiting states and the size of an abstraction. They are not
//! ordered with respect to each other: a snapshot is approximate while the engine runs and exact once it has returned.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::Duration;

/// Counters that an engine writes while other threads read them.
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

/// The cost of a computation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// States stored.
    pub stored: u64,
    /// States whose successors were computed.
    pub explored: u64,
    /// Transitions computed.
    pub transitions: u64,
    /// The peak of memory use; zero if it could not be measured.
    pub peak_bytes: u64,
    /// The elapsed time; zero in a snapshot of a [`Progress`], which has no clock.
    pub elapsed: Duration,
    /// The property class that the search preserved, for engines with a choice.
    pub profile: Option<&'static str>,
    /// The size of the abstraction, for engines that refine one.
    pub refinement: Option<RefinementStatistics>,
    /// The use of a solver, if there was any.
    pub solver: Option<SolverStatistics>,
}

/// The size of an abstraction that is refined.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RefinementStatistics {
    /// How often the graph, or a part of it, was built.
    pub iterations: u64,
    /// The number of nodes of the graph.
    pub nodes: u64,
    /// The number of predicates and variables in the precision.
    pub precision: u64,
}

/// The use of a solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SolverStatistics {
    /// The number of checks requested.
    pub checks: u64,
    /// The total time spent waiting for answers.
    pub waited: Duration,
}

/// The phase of an engine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Phase {
    /// It compiles the model.
    Preparing,
    /// It explores states.
    Exploring,
    /// It computes a concrete run.
    Concretising,
    /// It has returned its answers.
    Finished,
}

impl Progress {
    /// Creates counters that are zero.
    pub fn new() -> Progress {
        Progress::default()
    }

    /// Adds stored states.
    pub fn add_stored(&self, count: u64) {
        self.stored.fetch_add(count, Ordering::Relaxed);
    }

    /// Adds explored states.
    pub fn add_explored(&self, count: u64) {
        self.explored.fetch_add(count, Ordering::Relaxed);
    }

    /// Adds transitions.
    pub fn add_transitions(&self, count: u64) {
        self.transitions.fetch_add(count, Ordering::Relaxed);
    }

    /// Sets the number of states that wait for exploration.
    pub fn set_waiting(&self, count: u64) {
        self.waiting.store(count, Ordering::Relaxed);
    }

    /// Returns the number of states that wait for exploration.
    pub fn waiting(&self) -> u64 {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Records the current memory use.
    pub fn note_bytes(&self, bytes: u64) {
        self.peak_bytes.fetch_max(bytes, Ordering::Relaxed);
    }

    /// Records the current size of the abstraction.
    pub fn note_refinement(&self, refinement: RefinementStatistics) {
        self.iterations.store(refinement.iterations, Ordering::Relaxed);
        self.nodes.store(refinement.nodes, Ordering::Relaxed);
        self.precision.store(refinement.precision, Ordering::Relaxed);
    }

    /// Records the use of solvers so far.
    pub fn note_solver(&self, solver: SolverStatistics) {
        let nanoseconds = u64::try_from(solver.waited.as_nanos()).unwrap_or(u64::MAX);
        self.solver_checks.fetch_max(solver.checks, Ordering::Relaxed);
        self.solver_nanoseconds.fetch_max(nanoseconds, Ordering::Relaxed);
    }

    /// Enters a phase; phases never go back.
    pub fn enter(&self, phase: Phase) {
        self.phase.fetch_max(phase as u8, Ordering::Relaxed);
    }

    /// Returns the current phase.
    pub fn phase(&self) -> Phase {
        match self.phase.load(Ordering::Relaxed) {
            0 => Phase::Preparing,
            1 => Phase::Exploring,
            2 => Phase::Concretising,
            _ => Phase::Finished,
        }
    }

    /// Returns the current counters.
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
    fn counters_and_phases_never_decrease() {
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
