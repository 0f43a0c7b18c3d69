//! The search over the zone graph.
//!
//! Invariant: the descriptor declares every option that the engine reads.

use tempora_evidence::SystemKind;
use tempora_explore::ZoneEngine;

use super::{EngineDescriptor, EngineSettings, SearchSupport};

pub(super) const ENGINE: EngineDescriptor = EngineDescriptor {
    name: "zones",
    summary: "search over the zone graph",
    systems: &[SystemKind::Network],
    options: &[],
    search: SearchSupport::States,
    needs_solver: false,
    is_automatic: true,
    prefers_runs: true,
    refuses: None,
    build: |settings| {
        let EngineSettings { order, preference, zeno, .. } = *settings;
        Box::new(ZoneEngine { order, preference, zeno })
    },
};
