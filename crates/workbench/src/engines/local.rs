//! Proofs on parts of a network.
//!
//! Invariant: the descriptor declares every option that the engine reads.

use tempora_evidence::SystemKind;
use tempora_explore::LocalEngine;

use super::{EngineDescriptor, SearchSupport};

// The local engine is a part of the zone engine already, and alone has nothing to say when it fails.
pub(super) const ENGINE: EngineDescriptor = EngineDescriptor {
    name: "local",
    summary: "proofs on parts of the model",
    systems: &[SystemKind::Network],
    options: &[],
    search: SearchSupport::Fixed,
    needs_solver: false,
    is_automatic: false,
    prefers_runs: false,
    refuses: None,
    build: |_| Box::new(LocalEngine),
};
