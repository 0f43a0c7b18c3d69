//! Networks of timed automata, their types and expressions, and queries: the interface between readers and engines.
//!
//! Elaboration turns the syntax trees of [`tempora_syntax`] into a [`Network`] of processes and [`Query`] values about
//! it: it resolves names, types and sizes.
//!
//! The crate does not depend on files on disk, engines or output formats.

pub mod builtins;
pub mod codes;

mod actions;
mod channel_path;
mod component_tree;
mod computed_component;
mod declared_range;
mod elaborate;
mod evaluate;
mod expression;
mod ids;
mod network;
mod network_builder;
mod print;
mod query;
mod specification;
mod symbols;
mod types;
mod validate;
mod walk;

pub use actions::{
    ChannelPosition, ComponentActions, channel_name, channel_offset, channel_path, component_actions,
};
pub use channel_path::{ChannelPath, ChannelStep};
pub use component_tree::TreeWriter;
pub use computed_component::{
    ComputedComponent, ComputedCondition, ComputedEdge, ComputedLocation, ComputedUpdate,
};
pub use elaborate::{
    Elaborated, ElaboratedModel, ModelNames, elaborate_network, elaborate_partially, elaborate_query,
    elaborate_statements, specification_with_names_replaced, with_names_replaced,
};
pub use evaluate::{
    ClockValue, EvaluationFailure, Evaluator, FailureKind, Memory, Place, PlaceRoot, evaluate_constant,
};
pub use expression::{
    BinaryOperator, Binder, Comparison, Expression, ExpressionKind, Function, LocalId, LocalInitial,
    Parameter, Quantifier, Statement, UnaryOperator,
};
pub use ids::{
    ComputedClockId, EdgeId, EventId, FunctionId, LocationId, ProcessId, PropertyId, ScalarSetId, VariableId,
};
pub use network::{
    Branch, Condition, Edge, Interface, Location, LocationKind, Network, Omission, Participant, PriorityItem,
    Process, ScalarSet, SyncVector, Synchronisation, SynchronisationRole, Variable, VariableKind,
};
pub use network_builder::NetworkBuilder;
pub use print::{print_network, print_query};
pub use query::{BoundsKind, DeclinedQuery, Formula, Query, QueryKind};
pub use specification::{ComponentForm, SpecExpression, SpecificationQuery, StatePredicate};
pub use symbols::collect_symbols;
pub use tempora_source::{Id, Table};
pub use types::{
    ArrayType, ChannelKind, ConditionCategory, Field, IndexType, Range, RecordType, Type, Value,
};
pub use validate::validate_network;
