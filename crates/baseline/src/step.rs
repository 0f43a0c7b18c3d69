//! Transitions of a state: the combinations of edges, the clock values that enable them, and their targets.
//!
//! Invariant: guards are evaluated before any update; updates run in the order sender, receivers in the order of the
//! system line, or in the order of the vector; a transition whose target invariant fails does not exist.

use std::cell::RefCell;
use std::ops::RangeInclusive;

use tempora_evidence::{BudgetWatch, Participation, Transition, TransitionKind};
use tempora_model::{
    ChannelKind, EdgeId, Evaluator, Id, LocalId, LocationKind, Network, Place, ProcessId,
    SynchronisationRole, Type,
};
use tempora_zones::{ClockUpdate, Constraint, Zone};

use super::layout::ClockLayout;
use super::state::{DiscreteState, StateMemory, StepFailure};

/// A transition that clock values of a zone enable.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) transition: Transition,
    /// The part of the given zone that enables exactly these edges.
    pub(super) piece: Zone,
}

/// The target of a transition.
pub(super) struct Successor {
    pub(super) state: DiscreteState,
    pub(super) clock_updates: Vec<ClockUpdate>,
    /// The clock invariant of the new state.
    pub(super) invariant: Vec<Constraint>,
}

/// An edge whose data guard holds, with values for its selects.
struct Instance {
    process: ProcessId,
    edge: EdgeId,
    select_values: Vec<i32>,
    guard: Vec<Constraint>,
    channel: Option<(Place, ChannelKind, SynchronisationRole)>,
}

pub(super) struct Stepper<'search> {
    pub(super) network: &'search Network,
    pub(super) layout: &'search ClockLayout,
    /// Checked wherever a model can make a list long.
    pub(super) watch: RefCell<BudgetWatch<'search>>,
}

impl<'search> Stepper<'search> {
    pub(super) fn memory(&self, state: &DiscreteState) -> StateMemory<'search> {
        StateMemory {
            network: self.network,
            layout: self.layout,
            state: state.clone(),
            clock_updates: Vec::new(),
        }
    }

    /// Fails if the budget is exhausted.
    pub(super) fn spend(&self) -> Result<(), StepFailure> {
        self.watch.borrow_mut().check(0).map_err(StepFailure::Exhausted)
    }

    /// Returns all transitions for clock values of the zone, regardless of target invariants.
    pub(super) fn candidates(
        &self,
        state: &DiscreteState,
        zone: &Zone,
    ) -> Result<Vec<Candidate>, StepFailure> {
        let instances = self.instances(state)?;
        let mut candidates = Vec::new();
        for (position, instance) in instances.iter().enumerate() {
            match &instance.channel {
                None if self.is_internal(instance) => {
                    self.add(&mut candidates, TransitionKind::Internal, &[instance], zone)?;
                }
                None | Some((_, _, SynchronisationRole::Receive)) => {}
                Some((channel, kind, SynchronisationRole::Send)) if kind.is_broadcast => {
                    self.broadcast(&mut candidates, &instances, position, channel, zone)?;
                }
                Some((channel, _, SynchronisationRole::Send)) => {
                    for receiver in receivers(&instances, channel) {
                        if receiver.process != instance.process {
                            self.add(&mut candidates, TransitionKind::Binary, &[instance, receiver], zone)?;
                        }
                    }
                }
            }
        }
        self.vectors(&mut candidates, state, &instances, zone)?;
        if self.is_some_committed(state) {
            candidates.retain(|candidate| {
                candidate.transition.participants.iter().any(|participation| {
                    self.kind_of(state, participation.process) == LocationKind::Committed
                })
            });
        }
        Ok(candidates)
    }

    /// Computes the target of a transition; `None` if its data invariant fails there.
    pub(super) fn successor(
        &self,
        state: &DiscreteState,
        transition: &Transition,
    ) -> Result<Option<Successor>, StepFailure> {
        let mut memory = self.memory(state);
        self.evaluate(&mut memory, &self.network.before_update, &[])?;
        for participation in &transition.participants {
            let edge = &self.network.processes[participation.process].edges[participation.edge];
            let branch = &edge.branches[participation.branch];
            let selects: Vec<(LocalId, i32)> = edge
                .selects
                .iter()
                .map(|binder| binder.local)
                .zip(participation.select_values.iter().copied())
                .collect();
            self.evaluate(&mut memory, &branch.updates, &selects)?;
        }
        self.evaluate(&mut memory, &self.network.after_update, &[])?;
        for participation in &transition.participants {
            let edge = &self.network.processes[participation.process].edges[participation.edge];
            memory.state.locations[participation.process.index()] =
                edge.branches[participation.branch].target;
        }
        if !memory.data_invariant_holds()? {
            return Ok(None);
        }
        let invariant = memory.clock_invariant()?;
        Ok(Some(Successor { state: memory.state, clock_updates: memory.clock_updates, invariant }))
    }

    /// Returns whether time may pass in the state, entered with clock values of the zone. `future` contains the values
    /// after all delays.
    pub(super) fn may_delay(
        &self,
        state: &DiscreteState,
        entry: &Zone,
        future: &Zone,
    ) -> Result<bool, StepFailure> {
        let stops = |process| self.kind_of(state, process) != LocationKind::Ordinary;
        if self.network.processes.ids().any(stops) {
            return Ok(false);
        }
        let mut is_blocked = false;
        for candidate in self.candidates(state, future)? {
            if !self.is_urgent(state, &candidate.transition)? {
                continue;
            }
            let Some(successor) = self.successor(state, &candidate.transition)? else { continue };
            // The clock values from which the synchronisation has a target.
            let mut enabled = Zone::universe(future.dimension());
            enabled.constrain_all(&successor.invariant)?;
            enabled.weakest_precondition_of_all(&successor.clock_updates)?;
            if !enabled.intersect(&candidate.piece)? {
                continue;
            }
            if !entry.is_subset_of(&enabled) {
                return Err(StepFailure::Declined(
                    "an urgent synchronisation that only some clock values enable".to_owned(),
                ));
            }
            is_blocked = true;
        }
        Ok(!is_blocked)
    }

    fn is_urgent(&self, state: &DiscreteState, transition: &Transition) -> Result<bool, StepFailure> {
        let Some(sender) = transition.participants.first() else { return Ok(false) };
        if !matches!(transition.kind, TransitionKind::Binary | TransitionKind::Broadcast) {
            return Ok(false);
        }
        // The kind of a channel comes from its declaration, which a parameter may not repeat.
        let edge = &self.network.processes[sender.process].edges[sender.edge];
        let Some(synchronisation) = &edge.synchronisation else { return Ok(false) };
        let mut memory = self.memory(state);
        let mut evaluator = Evaluator::new(&self.network.functions, &mut memory);
        for (binder, value) in edge.selects.iter().zip(&sender.select_values) {
            evaluator.bind(binder.local, *value);
        }
        let place = evaluator.place(&synchronisation.channel)?;
        Ok(channel_kind(self.network, &place).is_urgent)
    }

    fn evaluate(
        &self,
        memory: &mut StateMemory<'search>,
        updates: &[tempora_model::Expression],
        selects: &[(LocalId, i32)],
    ) -> Result<(), StepFailure> {
        let mut evaluator = Evaluator::new(&self.network.functions, memory);
        for (local, value) in selects {
            evaluator.bind(*local, *value);
        }
        for update in updates {
            evaluator.value(update)?;
        }
        Ok(())
    }

    /// Returns all edges from the current locations whose data guards hold.
    fn instances(&self, state: &DiscreteState) -> Result<Vec<Instance>, StepFailure> {
        let mut instances = Vec::new();
        for (process_id, process) in self.network.processes.iter() {
            let location = state.locations[process_id.index()];
            for (edge_id, edge) in process.edges.iter().filter(|(_, edge)| edge.source == location) {
                for select_values in
                    Combinations::new(edge.selects.iter().map(|binder| binder.domain.values()))
                {
                    self.spend()?;
                    let selects: Vec<(LocalId, i32)> = edge
                        .selects
                        .iter()
                        .map(|binder| binder.local)
                        .zip(select_values.iter().copied())
                        .collect();
                    let mut memory = self.memory(state);
                    let mut evaluator = Evaluator::new(&self.network.functions, &mut memory);
                    for (local, value) in &selects {
                        evaluator.bind(*local, *value);
                    }
                    let mut holds = true;
                    for conjunct in &edge.guard.data {
                        if !evaluator.is_true(conjunct)? {
                            holds = false;
                            break;
                        }
                    }
                    if !holds {
                        continue;
                    }
                    let channel = match &edge.synchronisation {
                        None => None,
                        Some(synchronisation) => {
                            let place = evaluator.place(&synchronisation.channel)?;
                            let kind = channel_kind(self.network, &place);
                            Some((place, kind, synchronisation.role))
                        }
                    };
                    let mut guard = Vec::new();
                    for conjunct in &edge.guard.clocks {
                        memory.constraints(conjunct, &selects, &mut guard)?;
                    }
                    instances.push(Instance {
                        process: process_id,
                        edge: edge_id,
                        select_values,
                        guard,
                        channel,
                    });
                }
            }
        }
        Ok(instances)
    }

    fn is_internal(&self, instance: &Instance) -> bool {
        let Some(event) = self.network.processes[instance.process].edges[instance.edge].event else {
            return true;
        };
        !self.network.vectors.iter().any(|vector| {
            vector.participants.len() > 1
                && vector
                    .participants
                    .iter()
                    .any(|participant| participant.process == instance.process && participant.event == event)
        })
    }

    /// Adds the sender with one receiving edge of each process that has an enabled one, for the clock values at which
    /// exactly those take part.
    fn broadcast(
        &self,
        candidates: &mut Vec<Candidate>,
        instances: &[Instance],
        sender: usize,
        channel: &Place,
        zone: &Zone,
    ) -> Result<(), StepFailure> {
        let sender = &instances[sender];
        let mut piece = zone.clone();
        if !piece.constrain_all(&sender.guard)? {
            return Ok(());
        }
        let mut groups: Vec<(Vec<&Instance>, Zone)> = vec![(vec![sender], piece)];
        for process in self.network.processes.ids().filter(|&process| process != sender.process) {
            let able: Vec<&Instance> =
                receivers(instances, channel).filter(|receiver| receiver.process == process).collect();
            if able.is_empty() {
                continue;
            }
            let mut next = Vec::new();
            for (members, piece) in groups {
                self.spend()?;
                let mut without = vec![piece.clone()];
                for &receiver in &able {
                    let mut with = piece.clone();
                    if !with.constrain_all(&receiver.guard)? {
                        continue;
                    }
                    let mut rest = Vec::new();
                    for part in &without {
                        rest.extend(part.minus(&with)?);
                    }
                    without = rest;
                    let mut members = members.clone();
                    members.push(receiver);
                    next.push((members, with));
                }
                next.extend(without.into_iter().map(|piece| (members.clone(), piece)));
            }
            groups = next;
        }
        for (members, piece) in groups {
            self.add(candidates, TransitionKind::Broadcast, &members, &piece)?;
        }
        Ok(())
    }

    fn vectors(
        &self,
        candidates: &mut Vec<Candidate>,
        state: &DiscreteState,
        instances: &[Instance],
        zone: &Zone,
    ) -> Result<(), StepFailure> {
        for (position, vector) in self.network.vectors.iter().enumerate() {
            let mut groups: Vec<Vec<&Instance>> = vec![Vec::new()];
            for participant in &vector.participants {
                let process = &self.network.processes[participant.process];
                let location = state.locations[participant.process.index()];
                let has_edge = process
                    .edges
                    .values()
                    .any(|edge| edge.source == location && edge.event == Some(participant.event));
                // A weak participant is skipped by its location only; with an edge it has to take part.
                if participant.is_weak && !has_edge {
                    continue;
                }
                let able: Vec<&Instance> = instances
                    .iter()
                    .filter(|instance| {
                        instance.process == participant.process
                            && process.edges[instance.edge].event == Some(participant.event)
                    })
                    .collect();
                let mut longer = Vec::new();
                for members in &groups {
                    for &instance in &able {
                        self.spend()?;
                        let mut members = members.clone();
                        members.push(instance);
                        longer.push(members);
                    }
                }
                groups = longer;
            }
            // If all participants are weak and none can take part, the vector is still enabled, and changes nothing.
            for members in &groups {
                self.add(candidates, TransitionKind::Vector(position), members, zone)?;
            }
        }
        Ok(())
    }

    /// Adds the transitions of these edges, one for each combination of branches, if the clock guards allow it.
    fn add(
        &self,
        candidates: &mut Vec<Candidate>,
        kind: TransitionKind,
        members: &[&Instance],
        zone: &Zone,
    ) -> Result<(), StepFailure> {
        let mut piece = zone.clone();
        for member in members {
            if !piece.constrain_all(&member.guard)? {
                return Ok(());
            }
        }
        let branch_counts = members.iter().map(|member| {
            let edge = &self.network.processes[member.process].edges[member.edge];
            0..=edge.branches.len() as i32 - 1
        });
        for branches in Combinations::new(branch_counts) {
            self.spend()?;
            let participants = members
                .iter()
                .zip(branches)
                .map(|(member, branch)| Participation {
                    process: member.process,
                    edge: member.edge,
                    branch: branch as usize,
                    select_values: member.select_values.clone(),
                })
                .collect();
            let transition = Transition { kind, participants };
            candidates.push(Candidate { transition, piece: piece.clone() });
        }
        Ok(())
    }

    fn is_some_committed(&self, state: &DiscreteState) -> bool {
        self.network.processes.ids().any(|process| self.kind_of(state, process) == LocationKind::Committed)
    }

    fn kind_of(&self, state: &DiscreteState, process: ProcessId) -> LocationKind {
        self.network.processes[process].locations[state.locations[process.index()]].kind
    }
}

fn receivers<'instances>(
    instances: &'instances [Instance],
    channel: &'instances Place,
) -> impl Iterator<Item = &'instances Instance> {
    instances.iter().filter(move |instance| {
        matches!(&instance.channel, Some((place, _, SynchronisationRole::Receive)) if place == channel)
    })
}

/// Returns the kind of the channel at a place.
fn channel_kind(network: &Network, place: &Place) -> ChannelKind {
    let tempora_model::PlaceRoot::Variable(variable) = place.root else { return ChannelKind::default() };
    let mut whole = &network.variables[variable].value_type;
    for &position in &place.path {
        match whole {
            Type::Array(array) => whole = &array.element,
            Type::Record(record) => match record.fields.get(position) {
                Some(field) => whole = &field.field_type,
                None => return ChannelKind::default(),
            },
            _ => return ChannelKind::default(),
        }
    }
    match whole {
        Type::Channel(kind) => *kind,
        _ => ChannelKind::default(),
    }
}

/// An iterator over all combinations of one value of each range, the last fastest; lazy because there may be many.
pub(super) struct Combinations {
    ranges: Vec<RangeInclusive<i32>>,
    next: Option<Vec<i32>>,
}

impl Combinations {
    pub(super) fn new(ranges: impl Iterator<Item = RangeInclusive<i32>>) -> Combinations {
        let ranges: Vec<RangeInclusive<i32>> = ranges.collect();
        let is_possible = ranges.iter().all(|range| !range.is_empty());
        let next = is_possible.then(|| ranges.iter().map(|range| *range.start()).collect());
        Combinations { ranges, next }
    }
}

impl Iterator for Combinations {
    type Item = Vec<i32>;

    fn next(&mut self) -> Option<Vec<i32>> {
        let current = self.next.take()?;
        let mut following = current.clone();
        for (value, range) in following.iter_mut().zip(&self.ranges).rev() {
            if *value < *range.end() {
                *value += 1;
                self.next = Some(following);
                break;
            }
            *value = *range.start();
        }
        Some(current)
    }
}

#[cfg(test)]
mod tests {
    use super::Combinations;

    #[test]
    fn combinations_are_enumerated_in_order() {
        let all = |ranges: &[(i32, i32)]| -> Vec<Vec<i32>> {
            Combinations::new(ranges.iter().map(|&(start, end)| start..=end)).collect()
        };
        assert_eq!(all(&[]), [Vec::<i32>::new()]);
        assert_eq!(all(&[(1, 2), (5, 6)]), [[1, 5], [1, 6], [2, 5], [2, 6]]);
        assert_eq!(all(&[(1, 2), (5, 4)]), [[0; 2]; 0]);
    }
}
