//! The explicit search of symbolic systems.
//!
//! Invariant: the descriptor declares every option that the engine reads.

use tempora_evidence::SystemKind;
use tempora_symbolic::ExplicitEngine;

use super::{EngineDescriptor, SearchSupport};

pub(super) const ENGINE: EngineDescriptor = EngineDescriptor {
    name: "explicit",
    summary: "goes through states one by one; needs no solver",
    systems: &[SystemKind::Symbolic],
    options: &[],
    search: SearchSupport::Fixed,
    needs_solver: false,
    is_automatic: false,
    prefers_runs: false,
    refuses: None,
    build: |_| Box::new(ExplicitEngine::default()),
};
