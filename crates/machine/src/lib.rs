//! Networks compiled to dense tables and register code: the discrete half of every engine over networks.
//!
//! [`compile`] compiles a network to a [`Machine`]. An [`Execution`] holds one discrete state and runs code on it;
//! [`Enabled`] lists the edges that are enabled there, and visits their combinations.
//!
//! The crate does not know zones: clock conditions become [`ClockConstraint`]s, assignments to clocks
//! [`ClockEffect`]s.

mod code;
mod combinations;
mod compile;
mod doubles;
mod enabled;
mod execution;
mod failure;
mod layout;
mod machine;
mod predicate;
mod ranges;
mod step;

pub use code::{ClockAtom, ClockConstraint, ClockEffect};
pub use combinations::{CombinationKind, CombinationVisitor};
pub use compile::{clock_in_sum, compile, compile_bound_predicate, compile_predicate, constant_clock};
pub use enabled::{Enabled, Instance, InstanceId};
pub use execution::Execution;
pub use failure::{Declined, Failure, FailureKind};
pub use layout::Layout;
pub use machine::{
    Branch, ChannelNumber, ClockCondition, CodeId, CompiledLocation, Edge, EdgeIndex, Machine,
};
pub use predicate::Predicate;
pub use ranges::{Interval, Ranges, for_each_expression};
