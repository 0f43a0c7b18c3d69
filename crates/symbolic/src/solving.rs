//! Starts solvers for engines and handles their failures.
//!
//! Invariant: a solver without an answer leads to "unknown", with the reason of the budget, if it has one.

use std::path::PathBuf;
use std::sync::Arc;

use tempora_evidence::{Budget, Progress, SolverStatistics, UnknownReason};
use tempora_smt::{
    CheckResult, MissingSolver, ProcessOptions, ProcessSolver, Solver, SolverError, SolverMeter,
    SolverRecording, find_solver,
};

/// The choice and the options of a solver.
#[derive(Clone, Debug, Default)]
pub struct SolverOptions {
    /// The program, if the user names one.
    pub program: Option<PathBuf>,
    /// The random seed.
    pub seed: u32,
    /// Receives a copy of everything sent to the solver.
    pub recording: Option<SolverRecording>,
    /// A counter of checks and of the time spent waiting for them.
    pub meter: Arc<SolverMeter>,
}

impl SolverOptions {
    /// Checks that the solver exists.
    pub fn find(&self) -> Result<(), MissingSolver> {
        find_solver(self.program.as_deref()).map(|_| ())
    }

    /// Starts a solver with the limits of a budget.
    pub(crate) fn start(&self, budget: &Budget) -> Result<ProcessSolver, UnknownReason> {
        let program = find_solver(self.program.as_deref()).map_err(|missing| {
            UnknownReason::Unsupported(format!("{}; {}", missing.message, missing.hint))
        })?;
        let options = ProcessOptions {
            seed: self.seed,
            memory_bytes: budget.memory_limit(),
            recording: self.recording.clone(),
            cancellation: Some(budget.cancellation()),
            meter: Arc::clone(&self.meter),
        };
        let mut solver = ProcessSolver::new(program, options);
        solver.set_deadline(budget.deadline());
        Ok(solver)
    }
}

/// Reports the use of the solver.
pub(crate) fn note_solver(progress: &Progress, meter: &SolverMeter) {
    progress.note_solver(SolverStatistics { checks: meter.checks(), waited: meter.waited() });
}

/// Converts a failure of the solver to the reason for an unknown verdict.
pub(crate) fn failure(budget: &Budget, error: SolverError) -> UnknownReason {
    let mut watch = budget.watch();
    match (watch.check(0), error) {
        (Err(exhausted), _) => exhausted.into(),
        (Ok(()), SolverError::Timeout) => UnknownReason::Timeout,
        (Ok(()), SolverError::Memory) => UnknownReason::Memory,
        (Ok(()), error) => UnknownReason::Unsupported(error.to_string()),
    }
}

/// Returns whether a check is satisfiable; an unknown result is an error.
pub(crate) fn is_satisfiable(
    budget: &Budget,
    result: Result<CheckResult, SolverError>,
) -> Result<bool, UnknownReason> {
    match result {
        Ok(CheckResult::Satisfiable) => Ok(true),
        Ok(CheckResult::Unsatisfiable) => Ok(false),
        Ok(CheckResult::Unknown(why)) => {
            let mut watch = budget.watch();
            Err(watch.check(0).map_or_else(Into::into, |()| UnknownReason::Unsupported(why)))
        }
        Err(error) => Err(failure(budget, error)),
    }
}
