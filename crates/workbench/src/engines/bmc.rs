//! Bounded model checking: runs of growing length.
//!
//! Invariant: the descriptor declares every option that the engine reads.

use tempora_evidence::SystemKind;
use tempora_symbolic::BoundedEngine;

use super::solver::SOLVER_OPTIONS;
use super::{EngineDescriptor, SearchSupport};

pub(super) const ENGINE: EngineDescriptor = EngineDescriptor {
    name: "bmc",
    summary: "runs of growing length",
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
