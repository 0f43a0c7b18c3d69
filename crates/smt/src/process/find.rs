//! Finds the solver program.
//!
//! Invariant: a program named by the user is used, or reported as missing; it is never replaced by another.

use std::path::{Path, PathBuf};

/// A program that speaks SMT-LIB over its standard streams.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SolverProgram {
    path: PathBuf,
}

/// The error that no solver was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MissingSolver {
    /// The missing program, as a phrase without full stop.
    pub message: String,
    /// How to install one.
    pub hint: String,
}

/// The environment variable that names the solver.
const VARIABLE: &str = "TEMPORA_SOLVER";

/// Finds the solver: the one that the user names, otherwise that of the environment variable, otherwise `z3` on the
/// path, otherwise one installed beside the program.
pub fn find_solver(named: Option<&Path>) -> Result<SolverProgram, MissingSolver> {
    let hint = format!(
        "install Z3, or name a solver with --solver or {VARIABLE}; in a checkout, run `cargo xtask setup`"
    );
    if let Some(path) = named {
        return existing(path)
            .ok_or_else(|| MissingSolver { message: format!("solver {} not found", path.display()), hint });
    }
    if let Some(path) = std::env::var_os(VARIABLE).filter(|path| !path.is_empty()) {
        return existing(Path::new(&path)).ok_or_else(|| MissingSolver {
            message: format!("{VARIABLE} names {}, which does not exist", path.to_string_lossy()),
            hint,
        });
    }
    let on_path = std::env::var_os("PATH").into_iter().flat_map(|paths| {
        std::env::split_paths(&paths).map(|folder| folder.join(executable())).collect::<Vec<_>>()
    });
    let program = std::env::current_exe().ok();
    let beside = program.iter().flat_map(|program| {
        program.ancestors().skip(1).take(6).map(|folder| folder.join("tools").join(executable()))
    });
    let mut candidates = on_path.chain(beside);
    candidates.find_map(|path| existing(&path)).ok_or_else(|| MissingSolver {
        message: "an SMT solver is needed, but none was found".to_owned(),
        hint,
    })
}

fn executable() -> &'static str {
    if cfg!(windows) { "z3.exe" } else { "z3" }
}

fn existing(path: &Path) -> Option<SolverProgram> {
    path.is_file().then(|| SolverProgram { path: path.to_owned() })
}

impl SolverProgram {
    /// Returns its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns whether it solves Horn clauses, as Z3 does.
    pub(super) fn solves_horn_clauses(&self) -> bool {
        !self.is_cvc()
    }

    fn is_cvc(&self) -> bool {
        self.path.file_stem().is_some_and(|name| name.to_string_lossy().to_lowercase().contains("cvc"))
    }

    /// Returns the arguments for SMT-LIB over the standard streams.
    pub(super) fn arguments(&self, memory_megabytes: Option<u64>) -> Vec<String> {
        if self.is_cvc() {
            return ["--lang=smt2", "--incremental", "--quiet"].map(str::to_owned).to_vec();
        }
        let mut arguments = vec!["-in".to_owned(), "-smt2".to_owned()];
        if let Some(megabytes) = memory_megabytes {
            arguments.push(format!("-memory:{megabytes}"));
        }
        arguments
    }
}
