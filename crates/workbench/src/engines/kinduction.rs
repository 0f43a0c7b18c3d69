//! The k-induction engine: proofs by induction over runs of increasing length.

use tempora_evidence::SystemKind;
use tempora_symbolic::BoundedEngine;

use super::solver::SOLVER_OPTIONS;
use super::{EngineDescriptor, SearchSupport};

pub(super) const ENGINE: EngineDescriptor = EngineDescriptor {
    name: "kinduction",
    summary: "k-induction",
    systems: &[SystemKind::Network, SystemKind::Symbolic],
    options: SOLVER_OPTIONS,
    search: SearchSupport::Fixed,
    needs_solver: true,
    is_automatic: false,
    prefers_runs: false,
    refuses: None,
    build: |settings| {
        Box::new(BoundedEngine { induction: true, longest: None, solver: settings.solver.clone() })
    },
};
