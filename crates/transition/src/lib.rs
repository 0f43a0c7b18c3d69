//! Systems over unbounded data: variables, control locations, and edges with statements.
//!
//! Invariant: [`validate_system`] checks everything that engines may rely on.

mod analyse;
mod components;
mod conjunction;
mod ids;
mod notation;
mod print;
mod product;
mod read;
mod system;
mod validate;

pub use analyse::{Liveness, RelevantVariables};
pub use components::Composition;
pub use ids::{ControlEdgeId, ControlLocationId, StateVariableId};
pub use print::print_system;
pub use read::{read_formula, read_items, read_system, read_system_as};
pub use system::{
    ControlEdge, ControlLocation, EdgeKind, Observation, SafetyProperty, StateVariable, StatementKind,
    SymbolicStatement, SymbolicSystem, VariableRole,
};
pub use tempora_source::{Id, Table};
pub use validate::{DEEPEST, validate_system};
