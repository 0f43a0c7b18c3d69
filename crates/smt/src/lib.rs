//! Typed terms, their evaluation, and solvers for them.
//!
//! A [`TermStore`] contains each term once. Terms are evaluated, simplified and substituted here; questions that need
//! search go to a [`Solver`], as terms and never as text: a process that speaks SMT-LIB ([`ProcessSolver`]), or an
//! enumeration of all values ([`EnumeratingSolver`]).
//!
//! The crate contains no systems, languages or engines.

mod bits;
mod enumerating;
mod float;
mod float_operator;
mod float_text;
mod integer;
mod operator;
mod process;
mod simplify;
mod solver;
mod sort;
mod terms;
mod text;
mod value;

pub use bits::{BitOperator, BitVector, WIDEST as WIDEST_BIT_VECTOR};
pub use enumerating::EnumeratingSolver;
pub use float::{Float, FloatFormat, FloatNumber, Rounding};
pub use float_operator::FloatOperator;
pub use integer::Integer;
pub use num_rational::BigRational;
pub use operator::{EvaluationError, Operator};
pub use process::{
    CANNOT_START, MissingSolver, ParentLink, ProcessOptions, ProcessSolver, SolverLauncher, SolverMeter,
    SolverProgram, SolverRecording, find_solver, install_launcher, memory_with_solvers,
    problem_text as horn_problem_text, solver_memory,
};
pub use solver::{Capabilities, CheckResult, HornClause, HornResult, Model, RelationId, Solver, SolverError};
pub use sort::{ArraySort, Enumeration, Sort};
pub use terms::{EnumerationId, SortError, SymbolId, Term, TermId, TermStore};
pub use text::{
    Expression, ExpressionKind, ReadError, SymbolicNames, print_sort, print_term, read_expressions,
    read_sort, read_term,
};
pub use value::{ArrayValue, Value};
