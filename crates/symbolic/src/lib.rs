//! Engines for systems over unbounded data.
//!
//! [`ExplicitEngine`] enumerates states and needs no solver. [`BoundedEngine`] checks runs of growing length, and
//! induction. [`CegarEngine`] refines an abstraction until it decides the property.
//!
//! Engines that use a solver also accept networks of timed automata, which [`lower_network`] turns into symbolic
//! systems.
//!
//! The crate knows no input language.

mod answers;
mod bounded;
mod cegar;
mod clauses;
mod encode;
mod explicit;
mod invariant;
mod lowering;
mod network;
mod properties;
mod solving;
mod unroll;

pub use bounded::BoundedEngine;
pub use cegar::{
    AbstractGraph, AbstractNode, AutomaticValues, BlockEncoding, CegarEngine, CegarOptions, Direction,
    Domain, GraphObserver, GraphSearch, InitialPrecision, Newton, PredicateKind, PredicateSplit, Pruning,
    RefinementStrategy,
};
pub use clauses::horn_clauses;
pub use explicit::ExplicitEngine;
pub use invariant::{InvariantSource, find_invariant};
pub use lowering::{
    LoweredClaim, LoweredKind, LoweredMove, LoweredNetwork, LoweredParticipant, LoweredTransition,
    NotLowered, lower_network,
};
pub use network::NetworkLowering;
pub use solving::SolverOptions;
