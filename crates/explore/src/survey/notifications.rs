//! Notifications from the search to the observer of a survey.
//!
//! Invariant: except at model errors, the observer does not change the search. Each of these functions does nothing
//! without an observer.

use std::ops::ControlFlow;

use tempora_machine::{ClockConstraint, Enabled, InstanceId};
use tempora_model::Id;
use tempora_zones::Zone;

use crate::graph::arrivals::Arrivals;
use crate::graph::clocks::Resolved;
use crate::graph::explorer::{Explorer, Flow, SearchStop};
use crate::graph::insertion::Insertion;
use crate::graph::pieces::minus_all;
use crate::graph::store::{NONE, NodeId};
use crate::search::deadlock::deadlocked_parts;
use crate::survey::surveyor::{
    ALL_GUARDS_HOLD, DATA_HOLDS, GUARD_HOLDS, HAS_PARTNERS, IN_SOURCE, MOST_FACTS, SureMove, Surveyor, TAKEN,
    UPDATED, Violation,
};

impl Explorer<'_> {
    /// Called before the successors of a node are computed.
    #[inline]
    pub(crate) fn begin_surveying(&mut self, node: NodeId, zone: &Zone) {
        if let Some(surveyor) = &mut self.surveyor {
            surveyor.begin(zone, self.store.node(node).may_delay, &mut self.pool);
        }
    }

    /// Called when the instances of the current state are known.
    #[inline]
    pub(crate) fn survey_instances(&mut self, enabled: &Enabled, zone: &Zone) -> Flow {
        let Some(surveyor) = self.surveyor.take() else { return ControlFlow::Continue(()) };
        let mut surveyor = surveyor;
        let mut flow = self.survey_guards(&mut surveyor, enabled, zone);
        if let Some(choices) = &mut surveyor.choices
            && flow.is_continue()
        {
            flow = self.survey_choices(choices, enabled, zone);
        }
        self.surveyor = Some(surveyor);
        flow
    }

    fn survey_guards(&mut self, surveyor: &mut Surveyor, enabled: &Enabled, zone: &Zone) -> Flow {
        for process in 0..surveyor.first_location.len() {
            let location = surveyor.first_location[process] as usize + self.source_cells[process] as usize;
            if !surveyor.edges_of_location[location].is_empty() {
                let edges = std::mem::take(&mut surveyor.edges_of_location[location]);
                edges.iter().for_each(|&edge| surveyor.advance(edge, IN_SOURCE, self.node));
            }
            if !surveyor.guards_of_location[location].is_empty() {
                let mut open = std::mem::take(&mut surveyor.guards_of_location[location]);
                open.retain(|&guard| {
                    let guard = &mut surveyor.guards[guard as usize];
                    self.watch_guard(guard, zone);
                    guard.conjuncts.iter().any(|conjunct| !(conjunct.was_true && conjunct.was_false))
                });
                surveyor.guards_of_location[location] = open;
            }
        }
        if surveyor.untaken == 0 {
            return ControlFlow::Continue(());
        }
        for number in 0..enabled.instance_count() {
            let member = InstanceId(number);
            let edge = enabled.instance(member).edge.0;
            if surveyor.stages[edge as usize] >= GUARD_HOLDS {
                continue;
            }
            surveyor.advance(edge, DATA_HOLDS, self.node);
            let mut part = self.pool.take(zone.dimension());
            part.clone_from(zone);
            let holds = self.constrain_by_guards(enabled, &[member], &mut part)?;
            self.pool.give_back(part);
            if holds {
                surveyor.advance(edge, GUARD_HOLDS, self.node);
            }
        }
        ControlFlow::Continue(())
    }

    /// Called when the members of a transition can synchronise, as far as data decides.
    #[inline]
    pub(crate) fn survey_partners(&mut self, enabled: &Enabled, members: &[InstanceId]) {
        let Some(surveyor) = &mut self.surveyor else { return };
        if surveyor.untaken > 0 {
            for &member in members {
                surveyor.advance(enabled.instance(member).edge.0, HAS_PARTNERS, self.node);
            }
        }
    }

    /// Called when the guards of all members hold, before the transition is taken.
    #[inline]
    pub(crate) fn survey_transition(&mut self, enabled: &Enabled, members: &[InstanceId]) {
        let Some(surveyor) = &mut self.surveyor else { return };
        surveyor.members.clear();
        surveyor.select_values.clear();
        surveyor.process_mask = 0;
        for &member in members {
            let instance = enabled.instance(member);
            surveyor.members.push(instance.edge.0);
            let first = surveyor.first_select[instance.edge.0 as usize];
            for (&value, select) in enabled.select_values(member).iter().zip(first..) {
                surveyor.select_values.push((select, value));
            }
            if instance.process.index() < 64 {
                surveyor.process_mask |= 1 << instance.process.index();
            }
        }
        for position in 0..surveyor.members.len() {
            surveyor.advance(surveyor.members[position], ALL_GUARDS_HOLD, self.node);
        }
    }

    /// Called when a data invariant does not hold in the target, or in an initial state.
    pub(crate) fn survey_broken_data_invariant(&mut self, ordinal: u32) {
        if self.surveyor.is_none() {
            return;
        }
        self.survey_violated_conjuncts();
        let process = self.execution.broken_data_invariant(self.machine);
        self.survey_violation(process, None, ordinal);
    }

    /// Called before a zone is restricted by an invariant of the target.
    #[inline]
    pub(crate) fn survey_invariant(
        &mut self,
        zone: &Zone,
        resolved: Resolved,
        constraint: ClockConstraint,
        process: Option<usize>,
        ordinal: u32,
    ) {
        let Some(surveyor) = &mut self.surveyor else { return };
        let is_cut = match resolved {
            Resolved::Constraint(resolved) => !zone.satisfies_everywhere(resolved),
            Resolved::False => true,
            Resolved::True | Resolved::Forgotten => false,
        };
        if is_cut {
            surveyor.is_cut = true;
            if let Some(process) = process {
                // It does not matter which part it was: a part that forbids a transition has an effect.
                let location = self.execution.cells()[process] as usize;
                let position = surveyor.first_location[process] as usize + location;
                for number in std::mem::take(&mut surveyor.invariants_of_location[position]) {
                    surveyor.invariants[number as usize].restricts = true;
                }
            }
            self.survey_violation(process, Some(constraint), ordinal);
        }
    }

    fn survey_violation(
        &mut self,
        process: Option<usize>,
        constraint: Option<ClockConstraint>,
        ordinal: u32,
    ) {
        let Some(surveyor) = &mut self.surveyor else { return };
        let node = self.node;
        if node == NONE {
            surveyor.members.clear();
        }
        for position in 0..surveyor.members.len() {
            surveyor.advance(surveyor.members[position], UPDATED, node);
        }
        let count = surveyor.first_location.len();
        let cells = self.execution.cells();
        surveyor.violate(
            |members| Violation {
                node,
                ordinal,
                members,
                locations: cells[..count].to_vec(),
                process,
                constraint,
            },
            process,
        );
    }

    /// Called when the target is entered, with values that its invariants allow.
    #[inline]
    pub(crate) fn survey_arrival(&mut self, zone: &Zone, may_delay: bool) {
        if self.surveyor.is_none() {
            return;
        }
        self.survey_restricting_invariants(zone, may_delay);
        let Some(surveyor) = &mut self.surveyor else { return };
        if self.node == NONE {
            return;
        }
        for &(select, value) in &surveyor.select_values {
            let select = &mut surveyor.selects[select as usize];
            let position = i64::from(value) - i64::from(select.least);
            if (0..64).contains(&position) {
                select.taken |= 1 << position;
            }
        }
        surveyor.is_for_all &= !surveyor.is_cut;
        surveyor.is_alive |= surveyor.is_for_all;
        if !surveyor.is_alive && !surveyor.is_cut {
            surveyor.pasts.extend(surveyor.past.take());
        }
        if surveyor.untaken > 0 {
            for position in 0..surveyor.members.len() {
                surveyor.advance(surveyor.members[position], TAKEN, self.node);
            }
        }
    }

    /// Called when a state is stored or covered.
    #[inline]
    pub(crate) fn survey_insertion(&mut self, placed: &Insertion) {
        let Some(surveyor) = &mut self.surveyor else { return };
        let target = match placed {
            Insertion::New(node) => {
                surveyor.record_state(self.execution.cells());
                node.0
            }
            Insertion::Covered(node) => node.0,
        };
        if self.node != NONE
            && surveyor.is_for_all
            && let Some(moves) = &mut surveyor.sure_moves
        {
            moves.push(SureMove { source: self.node, target, processes: surveyor.process_mask });
        }
    }

    /// Computes the deadlocked values of a node, unless it provably has none.
    pub(crate) fn survey_deadlocks(
        &mut self,
        node: NodeId,
        zone: &Zone,
        enabled: &mut Enabled,
        cells: &mut Vec<i32>,
    ) -> Flow {
        if self.surveyor.as_ref().is_none_or(|surveyor| surveyor.is_alive || surveyor.is_only_for_absence) {
            return self.end_if_all_found();
        }
        let Some(mut surveyor) = self.surveyor.take() else { return ControlFlow::Continue(()) };
        // The transitions that no invariant cuts may together cover a zone that none of them covers alone.
        if let Ok(rest) = minus_all(vec![zone.clone()], &surveyor.pasts)
            && rest.is_empty()
        {
            self.surveyor = Some(surveyor);
            return self.end_if_all_found();
        }
        let count = surveyor.first_location.len();
        let is_known = surveyor.deadlocked_locations.contains(&self.source_cells[..count]);
        if !is_known && surveyor.deadlocks.len() < MOST_FACTS {
            match self.deadlocked_values(node, zone, enabled, cells) {
                ControlFlow::Continue(Some(constraints)) => {
                    let locations = self.source_cells[..count].to_vec();
                    surveyor.deadlocked_locations.insert(locations.clone());
                    surveyor.deadlocks.push((node, locations, constraints));
                }
                ControlFlow::Continue(None) => {}
                ControlFlow::Break(SearchStop::Unsupported(what)) => {
                    surveyor.skipped.get_or_insert(what);
                }
                ControlFlow::Break(stop) => {
                    self.surveyor = Some(surveyor);
                    return ControlFlow::Break(stop);
                }
            }
        }
        self.surveyor = Some(surveyor);
        self.end_if_all_found()
    }

    #[inline]
    fn end_if_all_found(&self) -> Flow {
        match &self.surveyor {
            Some(surveyor) if surveyor.has_found_all() => ControlFlow::Break(SearchStop::Decided),
            _ => ControlFlow::Continue(()),
        }
    }

    /// Returns constraints that hold for some deadlocked values of a node.
    fn deadlocked_values(
        &mut self,
        node: NodeId,
        zone: &Zone,
        enabled: &mut Enabled,
        cells: &mut Vec<i32>,
    ) -> ControlFlow<SearchStop, Option<Vec<ClockConstraint>>> {
        let may_delay = self.store.node(node).may_delay;
        self.arrivals = Some(Arrivals::default());
        self.only_arrivals = true;
        let flow = self.expand(enabled, cells, zone);
        self.only_arrivals = false;
        let arrivals = self.arrivals.take().unwrap_or_default();
        if let ControlFlow::Break(stop) = flow {
            return ControlFlow::Break(stop);
        }
        let parts = deadlocked_parts(zone, may_delay, arrivals.as_slice(), usize::MAX)?;
        ControlFlow::Continue(parts.first().map(|part| self.source.constraints_of(part)))
    }
}
