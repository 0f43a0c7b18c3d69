//! The explicit-state search for symbolic systems.

use tempora_evidence::SystemKind;
use tempora_symbolic::ExplicitEngine;

use super::{EngineDescriptor, SearchSupport};

pub(super) const ENGINE: EngineDescriptor = EngineDescriptor {
    name: "explicit",
    summary: "explicit-state search; needs no solver",
    systems: &[SystemKind::Symbolic],
    options: &[],
    search: SearchSupport::Fixed,
    needs_solver: false,
    is_automatic: false,
    prefers_runs: false,
    refuses: None,
    build: |_| Box::new(ExplicitEngine::default()),
};
