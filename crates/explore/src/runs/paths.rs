//! Repetition of search steps, to recover details that the search did not store.
//!
//! Invariant: a repeated step equals the original, because its number among the successors of a zone does.

use std::ops::ControlFlow;

use tempora_evidence::{Participation, Transition, TransitionKind};
use tempora_machine::{ClockConstraint, CombinationKind, Enabled, InstanceId};
use tempora_model::LocationId;
use tempora_zones::{Bound, Clock, Zone};

use crate::graph::explorer::{Explorer, SearchStop};
use crate::graph::store::{NONE, NodeId};
use crate::runs::trace::PathStep;

/// A repeated step of a search.
pub(crate) struct Recorded {
    pub(crate) step: PathStep,
    pub(crate) cells: Vec<i32>,
    /// The values with which the target is entered, and the upper bounds of its invariants.
    pub(crate) entry: Option<Zone>,
    pub(crate) uppers: Vec<(Clock, Bound)>,
    /// The values after all allowed delays.
    pub(crate) zone: Option<Zone>,
    pub(crate) may_delay: bool,
}

/// A path: its initial locations, its steps, and whether time may pass after it.
pub(crate) type Path = (Vec<LocationId>, Vec<PathStep>, bool);

impl Explorer<'_> {
    /// Returns the steps from an initial state to a node, with the initial locations. `more` is a successor of the
    /// node.
    pub(crate) fn path_to(&mut self, node: NodeId, more: Option<u32>) -> Result<Path, SearchStop> {
        let mut ordinals: Vec<u32> = more.into_iter().collect();
        let mut at = node.0;
        while self.store.node(NodeId(at)).parent != NONE {
            ordinals.push(self.store.node(NodeId(at)).ordinal);
            at = self.store.node(NodeId(at)).parent;
        }
        let (initial, mut recorded) = self.repeat_start(NodeId(at))?;
        let mut enabled = Enabled::new(self.machine);
        let mut path = Vec::with_capacity(ordinals.len());
        for ordinal in ordinals.into_iter().rev() {
            let Recorded { cells, zone: Some(zone), may_delay, .. } = &recorded else {
                return Err(repetition_failed());
            };
            let (cells, zone, may_delay) = (cells.clone(), zone.clone(), *may_delay);
            recorded = self.repeat_step(&mut enabled, &cells, &zone, may_delay, ordinal)?;
            path.push(recorded.step.clone());
        }
        Ok((initial, path, recorded.may_delay))
    }

    /// Repeats the initial state of a node without parent, because its zone may have been removed.
    pub(crate) fn repeat_start(&mut self, root: NodeId) -> Result<(Vec<LocationId>, Recorded), SearchStop> {
        let discrete = self.store.node(root).discrete;
        self.packer.unpack(self.store.key(discrete), &mut self.source_cells);
        let process_count = self.machine.layout().process_count();
        let locations = self.source_cells[..process_count].to_vec();
        let recorded = self.repeat_start_in(&locations)?;
        Ok((locations.iter().map(|&cell| LocationId(cell as u32)).collect(), recorded))
    }

    /// Repeats the initial state with these locations.
    pub(crate) fn repeat_start_in(&mut self, locations: &[i32]) -> Result<Recorded, SearchStop> {
        self.recorded = Some(Recorded::new());
        let flow = self.add_initial_state(locations, 0);
        let recorded = self.recorded.take();
        if let ControlFlow::Break(stop) = flow {
            return Err(stop);
        }
        recorded.ok_or_else(repetition_failed)
    }

    /// Repeats one successor of a zone. A failing step is recorded up to the failure.
    pub(crate) fn repeat_step(
        &mut self,
        enabled: &mut Enabled,
        cells: &[i32],
        zone: &Zone,
        may_delay: bool,
        ordinal: u32,
    ) -> Result<Recorded, SearchStop> {
        self.source_cells.copy_from_slice(cells);
        self.source.set(self.bounds, cells);
        self.node = NONE;
        self.source_may_delay = may_delay;
        self.wanted = Some(ordinal);
        self.ends_with_wanted = true;
        self.recorded = None;
        let flow = self.expand(enabled, &mut Vec::new(), zone);
        self.wanted = None;
        self.ends_with_wanted = false;
        match flow {
            ControlFlow::Continue(()) | ControlFlow::Break(SearchStop::Decided | SearchStop::Error(_)) => {
                self.recorded.take().ok_or_else(repetition_failed)
            }
            ControlFlow::Break(stop) => {
                self.recorded = None;
                Err(stop)
            }
        }
    }

    /// Computes one successor of a state without storing it, and an upper bound on their number; `None` if there is no
    /// such successor. If the model fails there, the failing step is returned.
    pub(crate) fn repeat_successor(
        &mut self,
        state: &Recorded,
        ordinal: u32,
        enabled: &mut Enabled,
        cells: &mut Vec<i32>,
    ) -> Result<(Option<Recorded>, u32), SearchStop> {
        let Some(zone) = &state.zone else { return Ok((None, 0)) };
        self.source_cells.clone_from(&state.cells);
        self.source.set(self.bounds, &state.cells);
        self.node = NONE;
        self.source_may_delay = state.may_delay;
        self.wanted = Some(ordinal);
        self.recorded = None;
        let flow = self.expand(enabled, cells, zone);
        self.wanted = None;
        let recorded = self.recorded.take();
        match flow {
            ControlFlow::Continue(()) => Ok((recorded, self.ordinal)),
            // Successors after a failing one have not been counted.
            ControlFlow::Break(SearchStop::Error(_)) => {
                let count = if recorded.is_some() { u32::MAX } else { 0 };
                Ok((recorded, count))
            }
            ControlFlow::Break(stop) => Err(stop),
        }
    }

    /// Records the current step.
    pub(crate) fn record(
        &mut self,
        enabled: &Enabled,
        kind: CombinationKind,
        members: &[InstanceId],
        branches: &[u32],
        guarded: &Zone,
    ) {
        let participants = members
            .iter()
            .zip(branches)
            .map(|(&member, &branch)| {
                let edge = self.machine.edge(enabled.instance(member).edge);
                Participation {
                    process: edge.process,
                    edge: edge.edge,
                    branch: branch as usize,
                    select_values: enabled.select_values(member).to_vec(),
                }
            })
            .collect();
        let kind = match kind {
            CombinationKind::Internal => TransitionKind::Internal,
            CombinationKind::Binary(_) => TransitionKind::Binary,
            CombinationKind::Broadcast(_) => TransitionKind::Broadcast,
            CombinationKind::Vector(position) => TransitionKind::Vector(position as usize),
        };
        let mut recorded = Recorded::new();
        recorded.step = PathStep {
            transition: Transition { kind, participants },
            guard: self.source.constraints_of(guarded),
            may_delay_before: self.source_may_delay,
            effects: self.execution.effects.clone(),
            entry: Vec::new(),
        };
        self.recorded = Some(recorded);
    }
}

impl Recorded {
    fn new() -> Recorded {
        Recorded {
            step: PathStep::empty(),
            cells: Vec::new(),
            entry: None,
            uppers: Vec::new(),
            zone: None,
            may_delay: false,
        }
    }

    /// Records the values with which the target is entered.
    pub(crate) fn enter(
        &mut self,
        constraints: Vec<ClockConstraint>,
        entry: &Zone,
        uppers: &[(Clock, Bound)],
    ) {
        self.step.entry = constraints;
        self.entry = Some(entry.clone());
        self.uppers = uppers.to_vec();
    }
}

pub(crate) fn repetition_failed() -> SearchStop {
    SearchStop::Bug("a step of the search cannot be repeated".to_owned())
}
