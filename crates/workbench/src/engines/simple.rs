//! The simple engine, a baseline for comparison.

use tempora_baseline::SimpleEngine;
use tempora_evidence::SystemKind;

use super::{EngineDescriptor, SearchSupport};

pub(super) const ENGINE: EngineDescriptor = EngineDescriptor {
    name: "simple",
    summary: "a deliberately simple search, for comparison",
    systems: &[SystemKind::Network],
    options: &[],
    search: SearchSupport::Fixed,
    needs_solver: false,
    is_automatic: true,
    prefers_runs: false,
    refuses: None,
    build: |_| Box::new(SimpleEngine),
};
