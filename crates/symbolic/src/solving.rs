//! How engines get a solver, and what it means when it fails.
//!
//! Invariant: a solver that does not answer leads to "unknown", with the reason that the budget gives, if it gives one.

use std::path::PathBuf;
use std::sync::Arc;

use tempora_evidence::{Budget, Progress, SolverStatistics, UnknownReason};
use tempora_smt::{
    CheckResult, MissingSolver, ProcessOptions, ProcessSolver, Solver, SolverError, SolverMeter, find_solver,
};

/// Which solver, and how.
#[derive(Clone, Debug, Default)]
pub struct SolverOptions {
    /// The program, if the user names one.
    pub program: Option<PathBuf>,
    /// The seed of its random choices.
    pub seed: u32,
    /// A file to which everything is written that it is told.
    pub dump: Option<PathBuf>,
    /// Where it is counted what it is asked and how long somebody waits for it.
    pub meter: Arc<SolverMeter>,
}

impl SolverOptions {
    /// Whether there is a solver at all.
    pub fn find(&self) -> Result<(), MissingSolver> {
        find_solver(self.program.as_deref()).map(|_| ())
    }

    /// A solver that keeps to a budget.
    pub(crate) fn start(&self, budget: &Budget) -> Result<ProcessSolver, UnknownReason> {
        let program = find_solver(self.program.as_deref()).map_err(|missing| {
            UnknownReason::Unsupported(format!("{}; {}", missing.message, missing.hint))
        })?;
        let options = ProcessOptions {
            seed: self.seed,
            memory_bytes: budget.memory_limit(),
            dump: self.dump.clone(),
            cancellation: Some(budget.cancellation()),
            meter: Arc::clone(&self.meter),
        };
        let mut solver = ProcessSolver::new(program, options);
        solver.set_deadline(budget.deadline());
        Ok(solver)
    }
}

/// Tells those who watch what the solver has been asked.
pub(crate) fn note_solver(progress: &Progress, meter: &SolverMeter) {
    progress.note_solver(SolverStatistics { checks: meter.checks(), waited: meter.waited() });
}

/// Why nothing is known after the solver failed.
pub(crate) fn failure(budget: &Budget, error: SolverError) -> UnknownReason {
    let mut watch = budget.watch();
    match (watch.check(0), error) {
        (Err(exhausted), _) => exhausted.into(),
        (Ok(()), SolverError::Timeout) => UnknownReason::Timeout,
        (Ok(()), SolverError::Memory) => UnknownReason::Memory,
        (Ok(()), error) => UnknownReason::Unsupported(error.to_string()),
    }
}

/// Whether a check is satisfiable; an answer that is not known is an error.
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
