//! Games for timed input/output automata.

use tempora_evidence::SystemKind;

use super::{EngineDescriptor, SearchSupport};

pub(super) const ENGINE: EngineDescriptor = EngineDescriptor {
    name: "specifications",
    summary: "games for timed input/output automata",
    systems: &[SystemKind::Network],
    options: &[],
    search: SearchSupport::Fixed,
    needs_solver: false,
    is_automatic: true,
    prefers_runs: true,
    refuses: None,
    build: |settings| Box::new(settings.specifications),
};
