//! The search over the zone graph.

use tempora_evidence::SystemKind;
use tempora_explore::ZoneEngine;

use super::{EngineDescriptor, EngineSettings, SearchSupport};

pub(super) const ENGINE: EngineDescriptor = EngineDescriptor {
    name: "zones",
    summary: "search of the zone graph",
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
