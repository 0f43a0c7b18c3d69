//! The options of engines that use an SMT solver.

use std::path::PathBuf;
use std::sync::Arc;

use tempora_smt::SolverRecording;
use tempora_symbolic::SolverOptions;

use crate::engine_options::{EngineOption, GivenOptions, OptionSubject, OptionValues};

/// The options of an engine whose only options concern the solver.
pub(super) const SOLVER_OPTIONS: &[&EngineOption] = &[&SOLVER, &DUMP_SMT];

pub(super) static SOLVER: EngineOption = EngineOption {
    name: "solver",
    value_name: "PATH",
    help: "SMT solver to use, a program that reads SMT-LIB",
    values: OptionValues::Path,
    subject: OptionSubject::Solver,
};

pub(crate) static DUMP_SMT: EngineOption = EngineOption {
    name: "dump-smt",
    value_name: "FILE",
    help: "Append all input of the solver to this file",
    values: OptionValues::Path,
    subject: OptionSubject::Solver,
};

/// Returns the solver options of a request.
pub(crate) fn configured_solver(given: &GivenOptions, seed: u64) -> SolverOptions {
    SolverOptions {
        program: given.value(&SOLVER).map(PathBuf::from),
        // Solvers accept only small seeds; the mapping just has to be deterministic.
        seed: u32::try_from(seed % (1 << 30)).unwrap_or(0),
        recording: given.value(&DUMP_SMT).map(|_| SolverRecording::default()),
        meter: Arc::default(),
    }
}
