//! Bounded model checking: unrolls runs of increasing length.

use tempora_evidence::SystemKind;
use tempora_symbolic::BoundedEngine;

use super::solver::SOLVER_OPTIONS;
use super::{EngineDescriptor, SearchSupport};

pub(super) const ENGINE: EngineDescriptor = EngineDescriptor {
    name: "bmc",
    summary: "bounded model checking",
    systems: &[SystemKind::Network, SystemKind::Symbolic],
    options: SOLVER_OPTIONS,
    search: SearchSupport::Fixed,
    needs_solver: true,
    is_automatic: false,
    prefers_runs: false,
    refuses: None,
    build: |settings| {
        Box::new(BoundedEngine { induction: false, longest: None, solver: settings.solver.clone() })
    },
};
