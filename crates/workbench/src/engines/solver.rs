//! The options of engines that ask an SMT solver.
//!
//! Invariant: every such engine declares them.

use std::path::PathBuf;
use std::sync::Arc;

use tempora_symbolic::SolverOptions;

use crate::engine_options::{EngineOption, GivenOptions, OptionSubject, OptionValues};

/// The options of an engine that asks a solver and has no others.
pub(super) const SOLVER_OPTIONS: &[&EngineOption] = &[&SOLVER, &DUMP_SMT];

pub(super) static SOLVER: EngineOption = EngineOption {
    name: "solver",
    value_name: "PATH",
    help: "The SMT solver, a program that speaks SMT-LIB",
    values: OptionValues::Path,
    subject: OptionSubject::Solver,
};

pub(super) static DUMP_SMT: EngineOption = EngineOption {
    name: "dump-smt",
    value_name: "FILE",
    help: "Append everything that the solver is told to this file",
    values: OptionValues::Path,
    subject: OptionSubject::Solver,
};

/// The solver with the options that are given.
pub(crate) fn configured_solver(given: &GivenOptions, seed: u64) -> SolverOptions {
    SolverOptions {
        program: given.value(&SOLVER).map(PathBuf::from),
        // The solver takes smaller seeds; which one does not matter as long as it is the same each time.
        seed: u32::try_from(seed % (1 << 30)).unwrap_or(0),
        dump: given.value(&DUMP_SMT).map(PathBuf::from),
        meter: Arc::default(),
    }
}
