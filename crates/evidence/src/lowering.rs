//! Translation of models into the systems that engines accept, and of runs back into runs of the models.
//!
//! Invariant: a run of the lowered system that supports a verdict lifts to a run of the model that supports the same
//! verdict, or to no run.

use tempora_model::Query;

use crate::{Budget, UnknownReason};

/// Lowers models of one kind to systems, and lifts runs of these systems to runs of the models.
///
/// Engines accept networks and symbolic systems only. Every other kind of model has a lowering to one of them; so has
/// the network to the symbolic system, for engines that accept nothing else.
pub trait Lowering {
    /// The kind of model that is lowered.
    type Model: ?Sized;
    /// The lowered system, with the tables that lifting needs.
    type Lowered;
    /// A run of the lowered system.
    type LoweredRun;
    /// A run of the model.
    type Run;

    /// Returns its name, for origins and messages.
    fn name(&self) -> &'static str;

    /// Lowers a model; each query about the model becomes one query about the lowered system.
    fn lower(
        &self,
        model: &Self::Model,
        queries: &[Query],
        budget: &Budget,
    ) -> Result<Self::Lowered, UnknownReason>;

    /// Lifts a run of the lowered system; returns `None` if no run of the model corresponds to it.
    fn lift(&self, model: &Self::Model, lowered: &Self::Lowered, run: &Self::LoweredRun)
    -> Option<Self::Run>;
}
