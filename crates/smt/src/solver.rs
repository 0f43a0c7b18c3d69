//! The interface of solvers.
//!
//! Invariant: problems are terms, never text. An undecided check is [`CheckResult::Unknown`], which no caller may treat
//! as "unsatisfiable".

use std::collections::BTreeMap;
use std::time::Instant;

use crate::{SymbolId, TermId, TermStore, Value};

/// The satisfiability of assertions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CheckResult {
    /// There is a model.
    Satisfiable,
    /// There is no model.
    Unsatisfiable,
    /// Undecided, for this reason.
    Unknown(String),
}

/// The capabilities of a solver besides checking.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Capabilities {
    /// It returns unsatisfiable cores.
    pub unsat_cores: bool,
    /// It supports integers, reals and arrays, which have infinitely many values.
    pub infinite_sorts: bool,
    /// It supports floating point numbers.
    pub floating_point: bool,
    /// It solves Horn clauses.
    pub horn_clauses: bool,
    /// It computes interpolants.
    pub interpolants: bool,
}

/// The values of symbols.
pub type Model = BTreeMap<SymbolId, Value>;

/// Why a solver gave no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SolverError {
    /// The deadline passed; the solver can be used again.
    Timeout,
    /// The memory limit was reached; with more memory the solver can be used again.
    Memory,
    /// It exited, or its answer was invalid, as the text explains.
    Broken(String),
    /// It does not support this operation.
    Unsupported(&'static str),
}

/// A relation of Horn clauses, by position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RelationId(pub usize);

/// A Horn clause: for all values of its symbols, the relation `body` and the constraint imply `head`; without a head,
/// they contradict each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HornClause {
    /// The assumed relation, with its arguments.
    pub body: Option<(RelationId, Vec<TermId>)>,
    /// The assumed constraint.
    pub constraint: TermId,
    /// The implied relation, with its arguments.
    pub head: Option<(RelationId, Vec<TermId>)>,
}

/// The result of solving Horn clauses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HornResult {
    /// Relations that solve them: for each, a formula over the symbols given as its parameters.
    Solved(Vec<TermId>),
    /// They have no solution.
    Refuted,
    /// Undecided, for this reason.
    Unknown(String),
}

/// A solver with a stack of assertions.
///
/// All terms passed to one solver belong to one store, which only grows.
pub trait Solver {
    /// Returns its name, for users.
    fn name(&self) -> &str;

    /// Returns its capabilities.
    fn capabilities(&self) -> Capabilities;

    /// Sets the deadline of all further checks; they then fail with [`SolverError::Timeout`].
    fn set_deadline(&mut self, deadline: Option<Instant>);

    /// Opens a scope of assertions.
    fn push(&mut self);

    /// Removes all assertions since the last scope was opened; has no effect without one.
    fn pop(&mut self);

    /// Asserts a formula.
    fn assert(&mut self, store: &TermStore, formula: TermId);

    /// Checks whether the assertions are satisfiable together with these assumptions.
    fn check(&mut self, store: &TermStore, assumptions: &[TermId]) -> Result<CheckResult, SolverError>;

    /// Returns the assumptions of the last check that contradict the assertions, if it was unsatisfiable.
    fn unsat_core(&mut self) -> Result<Vec<TermId>, SolverError>;

    /// Returns values of these symbols, if the last check was satisfiable. Symbols that occur nowhere may be missing.
    fn model(&mut self, store: &mut TermStore, symbols: &[SymbolId]) -> Result<Model, SolverError>;

    /// Checks each formula separately together with the assertions.
    fn check_many(
        &mut self,
        store: &TermStore,
        formulas: &[TermId],
    ) -> Result<Vec<CheckResult>, SolverError> {
        formulas.iter().map(|formula| self.check(store, &[*formula])).collect()
    }

    /// Solves Horn clauses over relations with the given parameters. The assertions are not used.
    fn solve_horn(
        &mut self,
        _: &mut TermStore,
        _relations: &[Vec<SymbolId>],
        _clauses: &[HornClause],
    ) -> Result<HornResult, SolverError> {
        Err(SolverError::Unsupported("Horn clauses"))
    }

    /// Returns interpolants of contradictory formulas, one fewer than these: each is implied by its predecessor and the
    /// formula between them, the last contradicts the last formula, and each contains only symbols common to both
    /// sides. They are the solution of a chain of Horn clauses; the assertions are not used.
    fn interpolants(
        &mut self,
        store: &mut TermStore,
        formulas: &[TermId],
    ) -> Result<HornResult, SolverError> {
        let count = formulas.len().saturating_sub(1);
        let relations: Vec<Vec<SymbolId>> = (1..=count)
            .map(|split| {
                let (before, behind) = formulas.split_at(split);
                store.symbols_of(before).intersection(&store.symbols_of(behind)).copied().collect()
            })
            .collect();
        let applied = |store: &TermStore, position: usize| {
            let arguments = relations[position].iter().map(|symbol| store.symbol(*symbol)).collect();
            (RelationId(position), arguments)
        };
        let clauses: Vec<HornClause> = formulas
            .iter()
            .enumerate()
            .map(|(position, formula)| HornClause {
                body: position.checked_sub(1).map(|before| applied(store, before)),
                constraint: *formula,
                head: (position < count).then(|| applied(store, position)),
            })
            .collect();
        self.solve_horn(store, &relations, &clauses)
    }
}

impl std::fmt::Display for SolverError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SolverError::Timeout => formatter.write_str("the solver reached its timeout"),
            SolverError::Memory => formatter.write_str("the solver reached its memory limit"),
            SolverError::Broken(why) => write!(formatter, "the solver failed: {why}"),
            SolverError::Unsupported(what) => write!(formatter, "the solver does not support {what}"),
        }
    }
}
