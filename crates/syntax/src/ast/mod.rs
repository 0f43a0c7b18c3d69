//! The syntax trees that the parser builds, without semantic information.
//!
//! Invariants: every node has the span of its text. Names are not resolved: a name in an expression may denote a
//! variable, a location or a type. No tree that the parser builds is higher than
//! [`HEIGHT_LIMIT`](super::HEIGHT_LIMIT), so recursion over trees is safe. For every `Error` node there is at least one
//! diagnostic.

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
    Branch, Direction, Edge, EdgeLabels, EdgeTarget, LocationDeclaration, Network, ProcessDeclaration, Rate,
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

/// A name in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The characters; empty if the name is missing.
    pub text: String,
    /// Its span.
    pub span: Span,
}

/// A string in double quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StringLiteral {
    /// The characters between the quotes.
    pub text: String,
    /// Its span, including the quotes.
    pub span: Span,
}
