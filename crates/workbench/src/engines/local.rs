//! Proofs on parts of a network.

use tempora_evidence::SystemKind;
use tempora_explore::LocalEngine;

use super::{EngineDescriptor, SearchSupport};

// Not automatic: the zone engine already includes the local engine, which has no verdict when its proof fails.
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
