//! The trees that the parser builds: what was written and where, and nothing about what it means.
//!
//! Invariants: every node has the span of its own text. Names are not resolved: a name in an expression may turn out to
//! be a variable, a location or a type. No tree that the parser builds is higher than
//! [`HEIGHT_LIMIT`](super::HEIGHT_LIMIT), so walking one by recursion is safe. Where the text was wrong there is an
//! `Error` node, and at least one diagnostic.

mod declaration;
mod expression;
mod process;
mod query;
mod statement;
mod types;

pub use declaration::{
    ChannelPriorityItem, ChannelPriorityKind, Declaration, DeclarationKind, GanttBar, GanttRow,
    ImportedFunction, Instantiation, ProcessReference, ProgressMeasure, QueryItem, SystemLine,
    VariableDeclaration,
};
pub use expression::{
    AssignmentOperator, BinaryOperator, Binding, Expression, ExpressionKind, Interval, PathQuantifier,
    Quantifier, Spelling, StepDirection, StepPlace, TemporalOperator, UnaryOperator, UntilOperator,
};
pub use process::{
    Branch, Direction, Edge, EdgeLabels, EdgeTarget, Location, Network, ProcessDeclaration, Rate,
    Synchronisation, SynchronisationVector, VectorParticipant,
};
pub use query::{
    ControlMethod, ControlQuery, ExtremumKind, Features, GridDimension, GridRange, LabelGoal,
    LearningObjective, LearningQuery, ProbabilityBound, ProbabilityQuery, ProofStatement, Query, QueryKind,
    RunBound, RunMeasure, SimulationGoal, SpecExpression, SpecExpressionKind, SpecOperator, SpecQuery,
};
pub use statement::{Block, ConditionalBranch, FunctionDeclaration, Statement, StatementKind};
pub use types::{
    ArrayDimension, ArrayDimensionKind, BaseType, Declarator, FieldInitialiser, Initialiser, InitialiserKind,
    Parameter, StructField, TypeExpression, TypePrefix, TypePrefixKind,
};

use tempora_source::Span;

/// A name as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The letters; empty where a name is missing and the parser went on.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// A text between double quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StringLiteral {
    /// What stands between the quotes, as written.
    pub text: String,
    /// Where it stands, quotes included.
    pub span: Span,
}
