//! What an exploration met on its way, whatever it was looking for.
//!
//! Invariant: what is in a survey was met by a run of the network. That something is not in it means something only
//! if the survey is complete.

use std::collections::BTreeSet;

use tempora_model::{EdgeId, LocationId, ProcessId};

/// What an exploration met.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Survey {
    /// Whether all reachable states were visited, so that what was not met cannot be.
    pub is_complete: bool,
    /// Locations that some run is in.
    pub locations: BTreeSet<(ProcessId, LocationId)>,
    /// Edges that some run takes.
    pub edges: BTreeSet<(ProcessId, EdgeId)>,
}
