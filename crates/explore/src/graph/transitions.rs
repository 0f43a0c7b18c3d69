//! Computation of successors: transitions, entry into the target, and delay.
//!
//! Invariant: a stored zone contains all values after its transition, within the invariants, and their future where
//! time may pass.

use std::ops::ControlFlow;

use tempora_machine::{ClockEffect, CombinationKind, Enabled, InstanceId};
use tempora_model::LocationKind;
use tempora_zones::{Bound, Clock, ClockSource, Zone};

use crate::graph::clocks::Resolved;
use crate::graph::explorer::{
    ErrorPlace, Explorer, Flow, SearchStop, constrain, dimension, forgotten, too_large,
};
use crate::graph::store::NodeId;
use crate::liveness::bounded_time::ClockUse;

impl Explorer<'_> {
    /// Takes a transition from the values of a zone that satisfy its guards, with each combination of branches.
    ///
    /// `piece` is the zone of the source, or a part of it.
    pub(crate) fn take(
        &mut self,
        enabled: &Enabled,
        kind: CombinationKind,
        members: &[InstanceId],
        piece: &Zone,
    ) -> Flow {
        self.survey_partners(enabled, members);
        let mut cuts = false;
        for &member in members {
            let range = enabled.instance(member).constant_guard.clone();
            for position in range.start as usize..range.end as usize {
                let constraint = &self.machine.constraints()[position];
                match self.source.resolve(constraint, self.constant_bounds[position]) {
                    Resolved::Constraint(resolved) => {
                        self.audit(constraint, false);
                        if !piece.satisfies_somewhere(resolved) {
                            return ControlFlow::Continue(());
                        }
                        cuts |= !piece.satisfies_everywhere(resolved);
                    }
                    Resolved::True => {}
                    Resolved::False => return ControlFlow::Continue(()),
                    Resolved::Forgotten => return forgotten(),
                }
            }
            cuts |= !enabled.computed_guard(member).is_empty();
        }
        if !cuts {
            return self.take_branches(enabled, kind, members, piece);
        }
        let mut guarded = self.pool.take(piece.dimension());
        guarded.clone_from(piece);
        let flow = match self.constrain_by_guards(enabled, members, &mut guarded) {
            ControlFlow::Continue(true) => self.take_branches(enabled, kind, members, &guarded),
            ControlFlow::Continue(false) => ControlFlow::Continue(()),
            ControlFlow::Break(stop) => ControlFlow::Break(stop),
        };
        self.pool.give_back(guarded);
        flow
    }

    /// Restricts a zone of the source by guards; returns false if it becomes empty.
    pub(crate) fn constrain_by_guards(
        &mut self,
        enabled: &Enabled,
        members: &[InstanceId],
        zone: &mut Zone,
    ) -> ControlFlow<SearchStop, bool> {
        for &member in members {
            let range = enabled.instance(member).constant_guard.clone();
            for position in range.start as usize..range.end as usize {
                let resolved = self
                    .source
                    .resolve(&self.machine.constraints()[position], self.constant_bounds[position]);
                if !constrain(zone, resolved)? {
                    return ControlFlow::Continue(false);
                }
            }
            for constraint in enabled.computed_guard(member) {
                self.audit(constraint, false);
                let bound = match Bound::finite(constraint.constant, !constraint.is_strict) {
                    Ok(bound) => bound,
                    Err(overflow) => return ControlFlow::Break(too_large(overflow)),
                };
                if !constrain(zone, self.source.resolve(constraint, bound))? {
                    return ControlFlow::Continue(false);
                }
            }
        }
        ControlFlow::Continue(true)
    }

    fn take_branches(
        &mut self,
        enabled: &Enabled,
        kind: CombinationKind,
        members: &[InstanceId],
        guarded: &Zone,
    ) -> Flow {
        let mut branches = std::mem::take(&mut self.branches);
        branches.clear();
        branches.resize(members.len(), 0);
        let flow = loop {
            let flow = self.take_one(enabled, kind, members, &branches, guarded);
            if flow.is_break() {
                break flow;
            }
            let mut at = members.len();
            while at > 0 {
                let count = self.machine.branch_count(enabled.instance(members[at - 1]).edge);
                if (branches[at - 1] as usize) + 1 < count {
                    break;
                }
                branches[at - 1] = 0;
                at -= 1;
            }
            if at == 0 {
                break ControlFlow::Continue(());
            }
            branches[at - 1] += 1;
        };
        self.branches = branches;
        flow
    }

    fn take_one(
        &mut self,
        enabled: &Enabled,
        kind: CombinationKind,
        members: &[InstanceId],
        branches: &[u32],
        guarded: &Zone,
    ) -> Flow {
        let ordinal = self.ordinal;
        self.ordinal += 1;
        if let Some(wanted) = self.wanted
            && wanted != ordinal
        {
            let is_behind = self.ends_with_wanted && wanted < ordinal;
            return if is_behind {
                ControlFlow::Break(SearchStop::Decided)
            } else {
                ControlFlow::Continue(())
            };
        }
        self.spend()?;
        self.unreported.2 += 1;
        self.survey_transition(enabled, members);
        let applied = match self.execution.apply(self.machine, enabled, members, branches) {
            Ok(()) => self.execution.data_invariants_hold(self.machine),
            Err(failure) => Err(failure),
        };
        if self.wanted.is_some() {
            self.record(enabled, kind, members, branches, guarded);
        }
        let flow = match applied {
            Err(failure) => self.model_error(failure, ErrorPlace::Transition(NodeId(self.node), ordinal)),
            Ok(false) => {
                self.survey_broken_data_invariant(ordinal);
                ControlFlow::Continue(())
            }
            Ok(true) => {
                let clocks = self.notes_clock_use.then(|| self.clock_use(enabled, members));
                self.enter_target(guarded, ordinal, clocks)
            }
        };
        self.execution.cells_mut().copy_from_slice(&self.source_cells);
        flow
    }

    /// Computes the zone with which the target is entered.
    fn enter_target(&mut self, guarded: &Zone, ordinal: u32, clocks: Option<ClockUse>) -> Flow {
        self.target.set(self.bounds, self.execution.cells());
        self.follow_effects();
        self.sources.clear();
        for &clock in self.target.active() {
            let (from, plus) = self.origins[usize::from(clock) + 1];
            let Some(from) = self.source.zone_clock(from) else {
                self.forget_effects();
                return forgotten();
            };
            self.sources.push(ClockSource { from, plus });
        }
        self.forget_effects();
        let mut zone = self.pool.take(dimension(&self.target));
        if let Err(overflow) = zone.assign_from(guarded, &self.sources) {
            return ControlFlow::Break(too_large(overflow));
        }
        if let Some(arrivals) = &mut self.arrivals {
            arrivals.begin(ordinal, guarded, &self.sources);
            if let Some(clocks) = clocks {
                arrivals.note_clock_use(clocks);
            }
        }
        if let Some(surveyor) = &mut self.surveyor {
            surveyor.leave(guarded, &mut self.pool);
        }
        self.arrive(zone, ordinal, Some(ordinal))
    }

    /// Records the source of each clock's value.
    pub(crate) fn follow_effects(&mut self) {
        for effect in &self.execution.effects {
            match *effect {
                ClockEffect::Reset { clock, value } => {
                    self.origins[usize::from(clock)] = (0, value as u32);
                }
                ClockEffect::Copy { clock, from, plus } => {
                    let (origin, before) = self.origins[usize::from(from)];
                    self.origins[usize::from(clock)] = (origin, before.saturating_add(plus as u32));
                }
            }
        }
    }

    /// Resets the record: every clock keeps its value.
    pub(crate) fn forget_effects(&mut self) {
        for effect in &self.execution.effects {
            let (ClockEffect::Reset { clock, .. } | ClockEffect::Copy { clock, .. }) = *effect;
            self.origins[usize::from(clock)] = (clock, 0);
        }
    }

    /// Enters the state of the execution with the clock values of a zone: applies invariants and delay, and stores the
    /// result.
    pub(crate) fn arrive(&mut self, mut zone: Zone, ordinal: u32, transition: Option<u32>) -> Flow {
        let machine = self.machine;
        self.uppers.clear();
        let mut may_delay = true;
        let mut may_be_urgent = false;
        for process in 0..machine.layout().process_count() {
            let location = machine.location(process, self.execution.cells()[process]);
            may_delay &= location.kind == LocationKind::Ordinary;
            may_be_urgent |= location.has_urgent_edge();
            let range = location.invariant_clocks().constant.clone();
            for position in range.start as usize..range.end as usize {
                let constraint = &machine.constraints()[position];
                self.audit(constraint, true);
                let resolved = self.target.resolve(constraint, self.constant_bounds[position]);
                self.survey_invariant(&zone, resolved, *constraint, Some(process), ordinal);
                if !self.demand(&mut zone, resolved)? {
                    self.pool.give_back(zone);
                    return ControlFlow::Continue(());
                }
            }
        }
        let mut computed = std::mem::take(&mut self.computed);
        computed.clear();
        if let Err(failure) = self.execution.computed_invariants(machine, &mut computed) {
            let place = match transition {
                Some(ordinal) => ErrorPlace::Transition(NodeId(self.node), ordinal),
                None => ErrorPlace::Start,
            };
            return self.model_error(failure, place);
        }
        for constraint in &computed {
            self.audit(constraint, true);
            let bound = match Bound::finite(constraint.constant, !constraint.is_strict) {
                Ok(bound) => bound,
                Err(overflow) => return ControlFlow::Break(too_large(overflow)),
            };
            let resolved = self.target.resolve(constraint, bound);
            self.survey_invariant(&zone, resolved, *constraint, None, ordinal);
            if !self.demand(&mut zone, resolved)? {
                self.computed = computed;
                self.pool.give_back(zone);
                return ControlFlow::Continue(());
            }
        }
        self.computed = computed;
        self.survey_arrival(&zone, may_delay);
        if let Some(recorded) = &mut self.recorded {
            recorded.enter(self.target.constraints_of(&zone), &zone, &self.uppers);
        }
        if let Some(arrivals) = &mut self.arrivals {
            arrivals.enter(&zone, &self.uppers);
        }
        if may_delay {
            let delays = if may_be_urgent {
                self.delay_unless_urgent(&mut zone, ordinal)
            } else {
                self.let_time_pass(&mut zone).map_continue(|()| true)
            };
            match delays {
                ControlFlow::Continue(delays) => may_delay = delays,
                // Goals found elsewhere remain valid; only unreachability is no longer proved.
                ControlFlow::Break(SearchStop::Unsupported(what)) if self.may_leave_out() => {
                    self.left_out.get_or_insert(what);
                    self.pool.give_back(zone);
                    return ControlFlow::Continue(());
                }
                ControlFlow::Break(stop) => return ControlFlow::Break(stop),
            }
        }
        if let Some(recorded) = &mut self.recorded {
            recorded.cells = self.execution.cells().to_vec();
            recorded.zone = Some(zone);
            recorded.may_delay = may_delay;
            return ControlFlow::Continue(());
        }
        if let Some(arrivals) = &mut self.arrivals {
            arrivals.finish(self.execution.cells(), &zone, may_delay);
        }
        let flow = if self.only_arrivals {
            ControlFlow::Continue(())
        } else {
            self.store_state(&zone, ordinal, may_delay)
        };
        self.pool.give_back(zone);
        flow
    }

    /// Returns whether an unsupported state may be left out for now: not if all successors are needed.
    fn may_leave_out(&self) -> bool {
        self.arrivals.is_none() && self.recorded.is_none() && self.fastest.is_none()
    }

    /// Lets time pass within the invariants.
    #[inline]
    fn let_time_pass(&mut self, zone: &mut Zone) -> Flow {
        if self.stopwatches.is_some() {
            return self.let_time_pass_with_stopwatches(zone);
        }
        match zone.up_within(&self.uppers) {
            Ok(()) => ControlFlow::Continue(()),
            Err(overflow) => ControlFlow::Break(too_large(overflow)),
        }
    }

    /// Lets time pass within the invariants, unless a synchronisation on an urgent channel is enabled.
    fn delay_unless_urgent(&mut self, zone: &mut Zone, ordinal: u32) -> ControlFlow<SearchStop, bool> {
        let mut future = zone.clone();
        self.let_time_pass(&mut future)?;
        if self.is_urgent(zone, &future, ordinal)? {
            return ControlFlow::Continue(false);
        }
        *zone = future;
        ControlFlow::Continue(true)
    }

    /// Restricts a zone of the target by its invariant.
    fn demand(&mut self, zone: &mut Zone, resolved: Resolved) -> ControlFlow<SearchStop, bool> {
        if let Resolved::Constraint(constraint) = resolved
            && constraint.right == Clock::REFERENCE
            && constraint.left != Clock::REFERENCE
        {
            self.uppers.push((constraint.left, constraint.bound));
        }
        constrain(zone, resolved)
    }
}
