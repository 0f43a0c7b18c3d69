//! From models that no engine takes to systems that engines take, and back.
//!
//! Invariant: a run of the lowered system that shows a verdict is lifted to a run of the model that shows it, or to none.

use tempora_model::Query;

use crate::{Budget, UnknownReason};

/// Turns models of one kind into systems, and runs of these systems into runs of the models.
///
/// Engines see networks and symbolic systems only. Every other kind of model has a lowering to one of them; so has the network to
/// the symbolic system, for the engines that take nothing else.
pub trait Lowering {
    /// The kind of model.
    type Model: ?Sized;
    /// The lowered system, with the tables that lifting needs.
    type Lowered;
    /// A run of the lowered system.
    type LoweredRun;
    /// A run of the model.
    type Run;

    /// Its name, for origins and messages.
    fn name(&self) -> &'static str;

    /// Lowers a model, with a query of the lowered system for each query about the model.
    fn lower(
        &self,
        model: &Self::Model,
        queries: &[Query],
        budget: &Budget,
    ) -> Result<Self::Lowered, UnknownReason>;

    /// Lifts a run of the lowered system; `None` if no run of the model corresponds to it.
    fn lift(&self, model: &Self::Model, lowered: &Self::Lowered, run: &Self::LoweredRun)
    -> Option<Self::Run>;
}
