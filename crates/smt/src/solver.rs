//! What a solver is asked and what it answers.
//!
//! Invariant: questions are terms, never texts. An answer that is not known is [`CheckResult::Unknown`], which is neither
//! of the others: nobody may take it for "unsatisfiable".

use std::collections::BTreeMap;
use std::time::Instant;

use crate::{SymbolId, TermId, TermStore, Value};

/// Whether assertions can hold together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CheckResult {
    /// They can; there is a model.
    Satisfiable,
    /// They cannot.
    Unsatisfiable,
    /// The solver does not know, for this reason.
    Unknown(String),
}

/// What a solver can do besides checking.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Capabilities {
    /// It says which assumptions contradict each other.
    pub unsat_cores: bool,
    /// It takes integers, reals and arrays, which have infinitely many values.
    pub infinite_sorts: bool,
    /// It takes floating point numbers.
    pub floating_point: bool,
    /// It finds relations that solve Horn clauses.
    pub horn_clauses: bool,
    /// It finds formulas between some that contradict each other.
    pub interpolants: bool,
}

/// Values for symbols.
pub type Model = BTreeMap<SymbolId, Value>;

/// Why a solver gave no answer at all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SolverError {
    /// The time was over; the solver can be asked again.
    Timeout,
    /// The memory was used up; with more of it the solver can be asked again.
    Memory,
    /// It stopped, or said something that is no answer; this says what.
    Broken(String),
    /// It cannot do that.
    Unsupported(&'static str),
}

/// A relation that Horn clauses speak about, by position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RelationId(pub usize);

/// For all values of its symbols: if `body` relation and constraint hold, so does `head`; without a head, they must not
/// hold together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HornClause {
    /// The relation that is assumed, with its arguments.
    pub body: Option<(RelationId, Vec<TermId>)>,
    /// What is assumed besides.
    pub constraint: TermId,
    /// The relation that follows, with its arguments.
    pub head: Option<(RelationId, Vec<TermId>)>,
}

/// What is known about Horn clauses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HornResult {
    /// There are relations that solve them: for each, a formula over the symbols that were given as its parameters.
    Solved(Vec<TermId>),
    /// There are none.
    Refuted,
    /// The solver does not know, for this reason.
    Unknown(String),
}

/// A solver with a stack of assertions.
///
/// All terms that one solver is given are of one store, which only grows.
pub trait Solver {
    /// Its name, for people.
    fn name(&self) -> &str;

    /// What it can do.
    fn capabilities(&self) -> Capabilities;

    /// Stops checks at this time from now on; they then fail with [`SolverError::Timeout`].
    fn set_deadline(&mut self, deadline: Option<Instant>);

    /// Opens a scope of assertions.
    fn push(&mut self);

    /// Forgets all assertions since the last scope was opened; without one, nothing happens.
    fn pop(&mut self);

    /// Asserts a formula.
    fn assert(&mut self, store: &TermStore, formula: TermId);

    /// Whether the assertions can hold together with these assumptions.
    fn check(&mut self, store: &TermStore, assumptions: &[TermId]) -> Result<CheckResult, SolverError>;

    /// Which of the assumptions of the last check contradict the assertions, if it was unsatisfiable.
    fn unsat_core(&mut self) -> Result<Vec<TermId>, SolverError>;

    /// Values for these symbols, if the last check was satisfiable. It may miss those that occur nowhere.
    fn model(&mut self, store: &mut TermStore, symbols: &[SymbolId]) -> Result<Model, SolverError>;

    /// For each formula alone, whether it can hold together with the assertions.
    fn check_many(
        &mut self,
        store: &TermStore,
        formulas: &[TermId],
    ) -> Result<Vec<CheckResult>, SolverError> {
        formulas.iter().map(|formula| self.check(store, &[*formula])).collect()
    }

    /// Relations that solve Horn clauses; each relation has the given parameters. The assertions play no part.
    fn solve_horn(
        &mut self,
        _: &mut TermStore,
        _relations: &[Vec<SymbolId>],
        _clauses: &[HornClause],
    ) -> Result<HornResult, SolverError> {
        Err(SolverError::Unsupported("Horn clauses"))
    }

    /// Formulas between some that contradict each other, one less than these: each follows from the one before it and what stands
    /// between them, the last contradicts the last of those given, and each speaks only about what both sides speak about. They are the
    /// solution of a chain of Horn clauses; the assertions play no part.
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
            SolverError::Timeout => formatter.write_str("the time of the solver is over"),
            SolverError::Memory => formatter.write_str("the memory of the solver is used up"),
            SolverError::Broken(why) => write!(formatter, "the solver failed: {why}"),
            SolverError::Unsupported(what) => write!(formatter, "the solver does not support {what}"),
        }
    }
}
