//! Enumeration of the combinations of edges that lead to successors, with the clock values that enable them.
//!
//! Invariant: every process that can receive a broadcast takes part. Which ones can may depend on clocks, so the zone
//! is split into non-empty parts with the same receivers. With priorities, a transition is followed only for the clock
//! values at which no transition of higher priority is enabled.

use std::ops::ControlFlow;

use tempora_machine::{
    ChannelNumber, ClockConstraint, CombinationKind, CombinationVisitor, Enabled, Failure, InstanceId,
    Machine,
};
use tempora_model::{Id, LocationKind};
use tempora_zones::{Bound, Zone};

use crate::graph::clocks::{ClockIndex, Resolved};
use crate::graph::explorer::{ErrorPlace, Explorer, Flow, SearchStop, constrain, forgotten, too_large};
use crate::graph::store::{NONE, NodeId};

impl Explorer<'_> {
    /// Follows all combinations of the state that is expanded.
    pub(crate) fn visit_combinations(&mut self, enabled: &mut Enabled, cells: &[i32], zone: &Zone) -> Flow {
        let machine = self.machine;
        if !machine.has_priorities() {
            let mut visitor = Visitor { explorer: self, cells, zone, sink: Sink::Follow };
            return enabled.visit(machine, cells, &mut visitor);
        }
        let mut found = Vec::new();
        let mut visitor = Visitor { explorer: self, cells, zone, sink: Sink::Collect(&mut found) };
        enabled.visit(machine, cells, &mut visitor)?;
        self.follow_by_priority(enabled, &found)
    }

    fn follow_by_priority(&mut self, enabled: &Enabled, found: &[Candidate]) -> Flow {
        let priorities: Vec<(u32, u32)> = found
            .iter()
            .map(|candidate| {
                let processes = candidate.members.iter().map(|&member| enabled.instance(member).process);
                self.machine.priority(candidate.kind, processes)
            })
            .collect();
        let mut possible: Vec<Option<Vec<Zone>>> = vec![None; found.len()];
        for (position, candidate) in found.iter().enumerate() {
            let mut rest = vec![candidate.piece.clone()];
            for (other, higher) in found.iter().enumerate() {
                if priorities[other] <= priorities[position] || rest.is_empty() {
                    continue;
                }
                if possible[other].is_none() {
                    possible[other] = Some(self.possible(enabled, higher)?);
                }
                for blocked in possible[other].iter().flatten() {
                    let mut left = Vec::new();
                    for part in &rest {
                        match part.minus(blocked) {
                            Ok(parts) => left.extend(parts),
                            Err(overflow) => return ControlFlow::Break(too_large(overflow)),
                        }
                    }
                    rest = left;
                    self.spend()?;
                }
            }
            for part in rest {
                self.take(enabled, candidate.kind, &candidate.members, &part)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns the clock values of the source that enable a candidate, for some choice of branches.
    fn possible(&mut self, enabled: &Enabled, candidate: &Candidate) -> ControlFlow<SearchStop, Vec<Zone>> {
        let counts: Vec<u32> = candidate
            .members
            .iter()
            .map(|&member| self.machine.branch_count(enabled.instance(member).edge) as u32)
            .collect();
        let mut zones = Vec::new();
        let mut branches = vec![0u32; counts.len()];
        loop {
            self.spend()?;
            let mut zone = candidate.piece.clone();
            let before = self.execution.cells().to_vec();
            let is_possible =
                self.restrict_to_successor(enabled, &candidate.members, &branches, &mut zone, true);
            self.execution.cells_mut().copy_from_slice(&before);
            match is_possible? {
                Ok(true) => zones.push(zone),
                Ok(false) => {}
                // The transition is enabled, and fails.
                Err(_) => zones.push(candidate.piece.clone()),
            }
            let mut at = branches.len();
            while at > 0 && branches[at - 1] + 1 == counts[at - 1] {
                branches[at - 1] = 0;
                at -= 1;
            }
            if at == 0 {
                return ControlFlow::Continue(zones);
            }
            branches[at - 1] += 1;
        }
    }

    /// Restricts a zone to the values from which updates lead into the invariants; returns whether any are left, or the
    /// failure of the updates. The clocks are those of the source or of the target. Changes the state of the execution.
    fn restrict_to_successor(
        &mut self,
        enabled: &Enabled,
        members: &[InstanceId],
        branches: &[u32],
        zone: &mut Zone,
        is_source: bool,
    ) -> ControlFlow<SearchStop, Result<bool, Failure>> {
        let machine = self.machine;
        let applied = match self.execution.apply(machine, enabled, members, branches) {
            Ok(()) => self.execution.data_invariants_hold(machine),
            Err(failure) => Err(failure),
        };
        match applied {
            Ok(true) => {}
            other => return ControlFlow::Continue(other),
        }
        let mut constraints: Vec<ClockConstraint> = Vec::new();
        for process in 0..machine.layout().process_count() {
            let location = machine.location(process, self.execution.cells()[process]);
            let range = location.invariant_clocks().constant.clone();
            constraints.extend(&machine.constraints()[range.start as usize..range.end as usize]);
        }
        if let Err(failure) = self.execution.computed_invariants(machine, &mut constraints) {
            return ControlFlow::Continue(Err(failure));
        }
        self.follow_effects();
        let origins = self.origins.clone();
        self.forget_effects();
        let clocks: &ClockIndex = if is_source { &self.source } else { &self.target };
        for constraint in constraints {
            // After the updates each clock equals a clock before them plus a constant.
            let (left, right) =
                (origins[usize::from(constraint.left)], origins[usize::from(constraint.right)]);
            let before = ClockConstraint {
                left: left.0,
                right: right.0,
                constant: constraint.constant - i64::from(left.1) + i64::from(right.1),
                is_strict: constraint.is_strict,
            };
            let bound = match Bound::finite(before.constant, !before.is_strict) {
                Ok(bound) => bound,
                Err(overflow) => return ControlFlow::Break(too_large(overflow)),
            };
            if !constrain(zone, clocks.resolve(&before, bound))? {
                return ControlFlow::Continue(Ok(false));
            }
        }
        ControlFlow::Continue(Ok(!zone.is_empty()))
    }

    /// Returns whether a synchronisation on an urgent channel prevents delay in the target, given its zone on entry and
    /// its zone after delays.
    pub(crate) fn is_urgent(
        &mut self,
        entry: &Zone,
        future: &Zone,
        ordinal: u32,
    ) -> ControlFlow<SearchStop, bool> {
        let machine = self.machine;
        let Some(mut enabled) = self.urgent.take() else { return ControlFlow::Continue(false) };
        let cells = self.execution.cells().to_vec();
        if let Err(failure) = enabled.find(machine, &mut self.execution, true, &mut || true) {
            self.urgent = Some(enabled);
            let place = match self.node {
                NONE => ErrorPlace::Start,
                node => ErrorPlace::After(NodeId(node), ordinal),
            };
            return match self.model_error(failure, place) {
                ControlFlow::Break(stop) => ControlFlow::Break(stop),
                ControlFlow::Continue(()) => ControlFlow::Continue(false),
            };
        }
        let mut possible = Vec::new();
        let mut visitor = UrgentVisitor { explorer: self, cells: &cells, future, possible: &mut possible };
        let flow = enabled.visit(machine, &cells, &mut visitor);
        self.urgent = Some(enabled);
        if let ControlFlow::Break(stop) = flow {
            return ControlFlow::Break(stop);
        }
        if possible.is_empty() {
            return ControlFlow::Continue(false);
        }
        let mut rest = vec![entry.clone()];
        for zone in &possible {
            let mut left = Vec::new();
            for part in &rest {
                match part.minus(zone) {
                    Ok(parts) => left.extend(parts),
                    Err(overflow) => return ControlFlow::Break(too_large(overflow)),
                }
            }
            rest = left;
        }
        if rest.is_empty() {
            return ControlFlow::Continue(true);
        }
        let what = "an urgent synchronisation that only some clock values enable";
        ControlFlow::Break(SearchStop::Unsupported(what.to_owned()))
    }

    /// Restricts a zone by the constraints of one instance, over the clocks of the source or of the target.
    fn constrain_by_instance(
        &mut self,
        enabled: &Enabled,
        member: InstanceId,
        zone: &mut Zone,
        is_source: bool,
    ) -> ControlFlow<SearchStop, bool> {
        let range = enabled.instance(member).constant_guard.clone();
        let constants = &self.machine.constraints()[range.start as usize..range.end as usize];
        let clocks: &ClockIndex = if is_source { &self.source } else { &self.target };
        for constraint in constants.iter().chain(enabled.computed_guard(member)) {
            let bound = match Bound::finite(constraint.constant, !constraint.is_strict) {
                Ok(bound) => bound,
                Err(overflow) => return ControlFlow::Break(too_large(overflow)),
            };
            let resolved = clocks.resolve(constraint, bound);
            if resolved == Resolved::Forgotten {
                return forgotten();
            }
            if !constrain(zone, resolved)? {
                return ControlFlow::Continue(false);
            }
        }
        ControlFlow::Continue(true)
    }
}

/// A combination that its guards enable for some clock values.
pub(crate) struct Candidate {
    kind: CombinationKind,
    members: Vec<InstanceId>,
    piece: Zone,
}

enum Sink<'found> {
    Follow,
    Collect(&'found mut Vec<Candidate>),
}

struct Visitor<'visit, 'task> {
    explorer: &'visit mut Explorer<'task>,
    cells: &'visit [i32],
    zone: &'visit Zone,
    sink: Sink<'visit>,
}

impl Visitor<'_, '_> {
    fn give(
        &mut self,
        enabled: &Enabled,
        kind: CombinationKind,
        members: &[InstanceId],
        piece: &Zone,
    ) -> Flow {
        match &mut self.sink {
            Sink::Follow => self.explorer.take(enabled, kind, members, piece),
            Sink::Collect(found) => {
                let mut guarded = piece.clone();
                if self.explorer.constrain_by_guards(enabled, members, &mut guarded)? {
                    found.push(Candidate { kind, members: members.to_vec(), piece: guarded });
                }
                self.explorer.spend()
            }
        }
    }
}

impl CombinationVisitor for Visitor<'_, '_> {
    type Stop = SearchStop;

    #[inline]
    fn together(&mut self, enabled: &Enabled, kind: CombinationKind, members: &[InstanceId]) -> Flow {
        let zone = self.zone;
        self.give(enabled, kind, members, zone)
    }

    fn broadcast(
        &mut self,
        enabled: &Enabled,
        channel: ChannelNumber,
        sender: InstanceId,
        receivers: &[InstanceId],
        needs_committed: bool,
    ) -> Flow {
        let kind = CombinationKind::Broadcast(channel);
        if receivers.iter().all(|&receiver| !enabled.has_clock_guard(receiver)) {
            let (machine, cells, zone) = (self.explorer.machine, self.cells, self.zone);
            let mut choice = std::mem::take(&mut self.explorer.choice);
            let flow = choice.visit(enabled, sender, receivers, |members| {
                if needs_committed && !is_some_committed(machine, cells, enabled, members) {
                    return ControlFlow::Continue(());
                }
                self.give(enabled, kind, members, zone)
            });
            self.explorer.choice = choice;
            return flow;
        }
        let mut split = Split::new(self.cells, sender, receivers, needs_committed, true, self.zone)?;
        let mut piece = self.zone.clone();
        if !self.explorer.constrain_by_instance(enabled, sender, &mut piece, true)? {
            return ControlFlow::Continue(());
        }
        let mut leaves = Vec::new();
        split.split_from(self.explorer, enabled, 0, piece, &mut leaves)?;
        for (members, piece) in leaves {
            self.give(enabled, kind, &members, &piece)?;
        }
        ControlFlow::Continue(())
    }
}

/// Enumerates choices of one receiver for each process that has any; reuses its lists.
#[derive(Default)]
pub(crate) struct ReceiverChoice {
    members: Vec<InstanceId>,
    /// For each process, the range of its receivers.
    groups: Vec<(usize, usize)>,
    positions: Vec<usize>,
}

impl ReceiverChoice {
    /// Visits the sender with each choice of receivers.
    fn visit(
        &mut self,
        enabled: &Enabled,
        sender: InstanceId,
        receivers: &[InstanceId],
        mut show: impl FnMut(&[InstanceId]) -> Flow,
    ) -> Flow {
        self.groups.clear();
        self.positions.clear();
        let mut first = 0;
        for end in 1..=receivers.len() {
            let process = enabled.instance(receivers[first]).process;
            if end == receivers.len() || enabled.instance(receivers[end]).process != process {
                self.groups.push((first, end));
                self.positions.push(first);
                first = end;
            }
        }
        loop {
            self.members.clear();
            self.members.push(sender);
            self.members.extend(self.positions.iter().map(|&position| receivers[position]));
            show(&self.members)?;
            let mut at = self.positions.len();
            while at > 0 && self.positions[at - 1] + 1 == self.groups[at - 1].1 {
                self.positions[at - 1] = self.groups[at - 1].0;
                at -= 1;
            }
            if at == 0 {
                return ControlFlow::Continue(());
            }
            self.positions[at - 1] += 1;
        }
    }
}

fn is_some_committed(machine: &Machine, cells: &[i32], enabled: &Enabled, members: &[InstanceId]) -> bool {
    members.iter().any(|&member| {
        let process = enabled.instance(member).process.index();
        machine.location(process, cells[process]).kind == LocationKind::Committed
    })
}

/// The limit on receivers by which a zone is split: each adds a recursive call and some zones.
const MOST_SPLIT_RECEIVERS: usize = 500;
const MOST_SPLIT_ENTRIES: usize = 1 << 25;

/// Splits a zone by the receivers that can take part in a broadcast.
struct Split<'visit> {
    cells: &'visit [i32],
    receivers: &'visit [InstanceId],
    needs_committed: bool,
    is_source: bool,
    members: Vec<InstanceId>,
}

impl<'visit> Split<'visit> {
    fn new(
        cells: &'visit [i32],
        sender: InstanceId,
        receivers: &'visit [InstanceId],
        needs_committed: bool,
        is_source: bool,
        zone: &Zone,
    ) -> ControlFlow<SearchStop, Split<'visit>> {
        let entries = zone.dimension().size().pow(2).saturating_mul(receivers.len());
        if receivers.len() > MOST_SPLIT_RECEIVERS || entries > MOST_SPLIT_ENTRIES {
            let what = "a broadcast with too many receivers that have clock guards";
            return ControlFlow::Break(SearchStop::Unsupported(what.to_owned()));
        }
        ControlFlow::Continue(Split { cells, receivers, needs_committed, is_source, members: vec![sender] })
    }

    /// Processes the receivers from a position on; all of one process are handled together.
    fn split_from(
        &mut self,
        explorer: &mut Explorer<'_>,
        enabled: &Enabled,
        from: usize,
        piece: Zone,
        leaves: &mut Vec<(Vec<InstanceId>, Zone)>,
    ) -> Flow {
        explorer.spend()?;
        let Some(&first) = self.receivers.get(from) else {
            if !self.needs_committed
                || is_some_committed(explorer.machine, self.cells, enabled, &self.members)
            {
                leaves.push((self.members.clone(), piece));
                if leaves.len().is_multiple_of(64) {
                    explorer.check_memory()?;
                }
            }
            return ControlFlow::Continue(());
        };
        let process = enabled.instance(first).process;
        let end = self.receivers[from..]
            .iter()
            .position(|&other| enabled.instance(other).process != process)
            .map_or(self.receivers.len(), |count| from + count);
        let mut without = vec![piece.clone()];
        for position in from..end {
            let receiver = self.receivers[position];
            let mut with = piece.clone();
            if !explorer.constrain_by_instance(enabled, receiver, &mut with, self.is_source)? {
                continue;
            }
            let mut rest = Vec::new();
            for part in &without {
                match part.minus(&with) {
                    Ok(parts) => rest.extend(parts),
                    Err(overflow) => return ControlFlow::Break(too_large(overflow)),
                }
            }
            without = rest;
            self.members.push(receiver);
            let flow = self.split_from(explorer, enabled, end, with, leaves);
            self.members.pop();
            flow?;
        }
        for part in without {
            self.split_from(explorer, enabled, end, part, leaves)?;
        }
        ControlFlow::Continue(())
    }
}

/// Collects the clock values of the target that enable synchronisations on urgent channels.
struct UrgentVisitor<'visit, 'task> {
    explorer: &'visit mut Explorer<'task>,
    cells: &'visit [i32],
    future: &'visit Zone,
    possible: &'visit mut Vec<Zone>,
}

impl UrgentVisitor<'_, '_> {
    fn add(&mut self, enabled: &Enabled, members: &[InstanceId], piece: &Zone) -> Flow {
        let mut guarded = piece.clone();
        for &member in members {
            if !self.explorer.constrain_by_instance(enabled, member, &mut guarded, false)? {
                return ControlFlow::Continue(());
            }
        }
        let machine = self.explorer.machine;
        let counts: Vec<u32> = members
            .iter()
            .map(|&member| machine.branch_count(enabled.instance(member).edge) as u32)
            .collect();
        let mut branches = vec![0u32; counts.len()];
        loop {
            self.explorer.spend()?;
            let mut zone = guarded.clone();
            let is_possible =
                self.explorer.restrict_to_successor(enabled, members, &branches, &mut zone, false);
            self.explorer.execution.cells_mut().copy_from_slice(self.cells);
            match is_possible? {
                Ok(true) => self.possible.push(zone),
                Ok(false) => {}
                // The transition is enabled, and fails.
                Err(_) => self.possible.push(guarded.clone()),
            }
            let mut at = branches.len();
            while at > 0 && branches[at - 1] + 1 == counts[at - 1] {
                branches[at - 1] = 0;
                at -= 1;
            }
            if at == 0 {
                return ControlFlow::Continue(());
            }
            branches[at - 1] += 1;
        }
    }

    fn is_urgent(&self, channel: ChannelNumber) -> bool {
        self.explorer.machine.layout().channel_kind(channel.0 as usize).is_urgent
    }
}

impl CombinationVisitor for UrgentVisitor<'_, '_> {
    type Stop = SearchStop;

    fn together(&mut self, enabled: &Enabled, kind: CombinationKind, members: &[InstanceId]) -> Flow {
        match kind {
            CombinationKind::Binary(channel) if self.is_urgent(channel) => {
                let future = self.future;
                self.add(enabled, members, future)
            }
            _ => ControlFlow::Continue(()),
        }
    }

    fn broadcast(
        &mut self,
        enabled: &Enabled,
        channel: ChannelNumber,
        sender: InstanceId,
        receivers: &[InstanceId],
        needs_committed: bool,
    ) -> Flow {
        if !self.is_urgent(channel) {
            return ControlFlow::Continue(());
        }
        let mut piece = self.future.clone();
        if !self.explorer.constrain_by_instance(enabled, sender, &mut piece, false)? {
            return ControlFlow::Continue(());
        }
        if receivers.iter().all(|&receiver| !enabled.has_clock_guard(receiver)) {
            let (machine, cells) = (self.explorer.machine, self.cells);
            return ReceiverChoice::default().visit(enabled, sender, receivers, |members| {
                if needs_committed && !is_some_committed(machine, cells, enabled, members) {
                    return ControlFlow::Continue(());
                }
                self.add(enabled, members, &piece)
            });
        }
        let mut split = Split::new(self.cells, sender, receivers, needs_committed, false, self.future)?;
        let mut leaves = Vec::new();
        split.split_from(self.explorer, enabled, 0, piece, &mut leaves)?;
        for (members, piece) in leaves {
            self.add(enabled, &members, &piece)?;
        }
        ControlFlow::Continue(())
    }
}
