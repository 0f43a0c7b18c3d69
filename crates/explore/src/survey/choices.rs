//! Non-deterministic choices of a process: pairs of edges with the same synchronisation whose guards hold together.
//!
//! Invariant: each pair of edges is recorded once, with clock values that satisfy both guards. While another process is
//! in a committed location, nothing is recorded.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use tempora_machine::{ClockConstraint, Enabled, InstanceId};
use tempora_model::{Id, LocationKind};
use tempora_zones::Zone;

use crate::graph::explorer::{Explorer, Flow};

/// The choices found so far.
#[derive(Default)]
pub(crate) struct Choices {
    known: BTreeSet<[u32; 2]>,
    pub(crate) found: Vec<EdgeChoice>,
}

/// Two edges that are enabled in the same state.
pub(crate) struct EdgeChoice {
    pub(crate) edges: [u32; 2],
    pub(crate) node: u32,
    pub(crate) constraints: Vec<ClockConstraint>,
}

/// The limit on recorded choices; each has a run.
const MOST_CHOICES: usize = 500;

impl Explorer<'_> {
    /// Finds the edges between which processes choose in the current state.
    pub(crate) fn survey_choices(&mut self, choices: &mut Choices, enabled: &Enabled, zone: &Zone) -> Flow {
        if choices.found.len() >= MOST_CHOICES {
            return ControlFlow::Continue(());
        }
        let is_committed = |process: usize| {
            self.machine.location(process, self.source_cells[process]).kind == LocationKind::Committed
        };
        let somebody_is_committed = (0..self.machine.layout().process_count()).any(is_committed);
        for number in 0..enabled.instance_count() {
            let one = enabled.instance(InstanceId(number));
            let process = one.process;
            let kind = self.machine.location(process.index(), self.source_cells[process.index()]).kind;
            if somebody_is_committed && kind != LocationKind::Committed {
                continue;
            }
            for other_number in number + 1..enabled.instance_count() {
                let other = enabled.instance(InstanceId(other_number));
                if other.process != process {
                    break;
                }
                let members = [InstanceId(number), InstanceId(other_number)];
                let edges = [one.edge.0.min(other.edge.0), one.edge.0.max(other.edge.0)];
                if edges[0] == edges[1]
                    || choices.known.contains(&edges)
                    || !enabled.have_same_label(members[0], members[1])
                {
                    continue;
                }
                let mut part = self.pool.take(zone.dimension());
                part.clone_from(zone);
                if self.constrain_by_guards(enabled, &members, &mut part)? {
                    choices.known.insert(edges);
                    let constraints = self.source.constraints_of(&part);
                    choices.found.push(EdgeChoice { edges, node: self.node, constraints });
                }
                self.pool.give_back(part);
            }
        }
        ControlFlow::Continue(())
    }
}
