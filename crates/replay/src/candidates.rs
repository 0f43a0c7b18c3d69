//! Enumerates candidates: the transitions of a state, now or after a delay, whose guards hold.
//!
//! Invariant: the candidates are exactly the transitions that satisfy the rules on locations, guards, partners and
//! committed locations for the delays reported with them. Updates, target invariants and priorities are not checked
//! here.
//!
//! Guards are evaluated before edges are combined, and a combination is abandoned as soon as its guards have no common
//! delay, so that the number of combinations is that of the candidates.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use tempora_evidence::{Participation, Rational, RuntimeErrorKind, Transition, TransitionKind};
use tempora_model::{
    ChannelKind, Edge, EdgeId, EventId, Expression, Id, LocationKind, ProcessId, SynchronisationRole, Type,
};

use crate::combinations::Combinations;
use crate::delay_set::DelaySet;
use crate::evaluate::{Evaluated, Evaluator, at};
use crate::interpreter::{Fuel, Interpreter};
use crate::state::ConcreteState;
use crate::value_place::ValuePlace;

/// The candidates to enumerate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CandidateFilter {
    All,
    /// Only synchronisations on urgent channels.
    Urgent,
}

/// The context of an enumeration.
pub(crate) struct CandidateSearch<'run> {
    pub(crate) interpreter: &'run Interpreter<'run>,
    pub(crate) state: &'run ConcreteState,
    /// The delays to consider.
    pub(crate) horizon: DelaySet,
    /// The rate of each clock, or `None` if only the present counts.
    pub(crate) slopes: Option<Vec<Rational>>,
    pub(crate) fuel: &'run Fuel,
}

/// Whether to continue the enumeration.
pub(crate) type Visited = Evaluated<ControlFlow<()>>;

/// The cost of a candidate in steps, besides the evaluation of its guards and for each part of the state.
const STEPS_PER_CANDIDATE: u64 = 200;

/// An edge with values for its selects, whose guard holds for some delays.
#[derive(Clone, Debug)]
pub(crate) struct ReadyEdge {
    pub(crate) process: ProcessId,
    pub(crate) edge: EdgeId,
    select_values: Vec<i32>,
    channel: Option<ReadyChannel>,
    event: Option<EventId>,
    delays: DelaySet,
}

#[derive(Clone, Debug)]
struct ReadyChannel {
    place: ValuePlace,
    kind: ChannelKind,
    role: SynchronisationRole,
}

impl ReadyEdge {
    /// Returns whether it synchronises on this channel.
    pub(crate) fn is_on(&self, channel: &ValuePlace) -> bool {
        self.channel.as_ref().is_some_and(|own| own.place == *channel)
    }
}

impl Interpreter<'_> {
    /// Returns the pairs of edges of a process whose guards hold now and that synchronise in the same way; none for
    /// processes that must wait because others are committed.
    pub fn choices(&self, state: &ConcreteState) -> Evaluated<Vec<(ProcessId, [EdgeId; 2])>> {
        let fuel = self.fuel();
        let mut choices = Vec::new();
        for process in self.network.processes.ids() {
            if self.committed_elsewhere(state, &[process]).is_some() {
                continue;
            }
            let mut ready = Vec::new();
            self.search_now(state, &fuel).collect_ready(process, &|_| true, &mut ready)?;
            let label = |edge: &ReadyEdge| {
                let channel = edge.channel.as_ref().map(|channel| (channel.place.clone(), channel.role));
                let event = if channel.is_none() { edge.event } else { None };
                (channel, event)
            };
            for (number, one) in ready.iter().enumerate() {
                for other in &ready[number + 1..] {
                    if one.edge != other.edge && label(one) == label(other) {
                        choices.push((process, [one.edge.min(other.edge), one.edge.max(other.edge)]));
                    }
                }
            }
        }
        Ok(choices)
    }
}

/// An option of a process in a combination: to take an edge, or to stay out, for some delays.
#[derive(Clone, Debug)]
struct ProcessChoice<'ready> {
    edge: Option<&'ready ReadyEdge>,
    delays: DelaySet,
}

impl<'ready> ProcessChoice<'ready> {
    fn of_edge(edge: &'ready ReadyEdge) -> ProcessChoice<'ready> {
        ProcessChoice { edge: Some(edge), delays: edge.delays.clone() }
    }
}

impl CandidateSearch<'_> {
    /// Visits all candidates with the delays after which their guards hold.
    pub(crate) fn visit(
        &self,
        which: CandidateFilter,
        visit: &mut dyn FnMut(Transition, &DelaySet) -> Visited,
    ) -> Visited {
        let mut ready = Vec::new();
        for process in self.interpreter.network.processes.ids() {
            self.collect_ready(
                process,
                &|edge| which == CandidateFilter::All || is_urgent(edge),
                &mut ready,
            )?;
        }
        for first in &ready {
            let flow = match &first.channel {
                None if self.fires_alone(first) => {
                    self.combine(TransitionKind::Internal, &[vec![ProcessChoice::of_edge(first)]], visit)?
                }
                Some(channel) if channel.role == SynchronisationRole::Send => {
                    if channel.kind.is_broadcast {
                        self.visit_broadcasts(first, &ready, visit)?
                    } else {
                        self.visit_pairs(first, &ready, visit)?
                    }
                }
                _ => ControlFlow::Continue(()),
            };
            if flow.is_break() {
                return Ok(flow);
            }
        }
        if which == CandidateFilter::All {
            for position in 0..self.interpreter.network.vectors.len() {
                let flow = self.visit_vector(position, &ready, visit)?;
                if flow.is_break() {
                    return Ok(flow);
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Collects the edges of one process whose guards hold for some delay of the horizon.
    pub(crate) fn collect_ready(
        &self,
        process: ProcessId,
        is_wanted: &dyn Fn(&Edge) -> bool,
        ready: &mut Vec<ReadyEdge>,
    ) -> Evaluated<()> {
        let current = self.state.locations[process.index()];
        for (id, edge) in self.interpreter.network.processes[process].edges.iter() {
            if edge.source != current || !is_wanted(edge) {
                continue;
            }
            let domains: Vec<_> = edge.selects.iter().map(|binder| binder.domain.values()).collect();
            let sizes = edge.selects.iter().map(|binder| binder.domain.size() as usize).collect();
            for choice in Combinations::new(sizes) {
                self.fuel.burn(1, edge.origin)?;
                // A position is below the size of the domain, so the value is in it.
                let select_values: Vec<i32> = domains
                    .iter()
                    .zip(choice)
                    .map(|(domain, position)| (i64::from(*domain.start()) + position as i64) as i32)
                    .collect();
                let mut evaluator = self.evaluator().with_selects(&edge.selects, &select_values);
                if !evaluator.all_hold(&edge.guard.data)? {
                    continue;
                }
                // The channel does not depend on clocks, so an error in it occurs for all clock values.
                let channel = match &edge.synchronisation {
                    None => None,
                    Some(synchronisation) => Some(ReadyChannel {
                        place: evaluator.place(&synchronisation.channel)?,
                        kind: channel_kind(&synchronisation.channel)?,
                        role: synchronisation.role,
                    }),
                };
                let delays = evaluator.condition_delays(&edge.guard, &self.horizon)?;
                if delays.is_empty() {
                    continue;
                }
                ready.push(ReadyEdge {
                    process,
                    edge: id,
                    select_values,
                    channel,
                    event: edge.event,
                    delays,
                });
            }
        }
        Ok(())
    }

    /// Returns whether an edge without a channel fires alone: it has no event, or no vector with several participants
    /// mentions its event for its process.
    fn fires_alone(&self, ready: &ReadyEdge) -> bool {
        match ready.event {
            None => true,
            Some(event) => self.interpreter.is_asynchronous(ready.process, event),
        }
    }

    fn visit_pairs(
        &self,
        sender: &ReadyEdge,
        ready: &[ReadyEdge],
        visit: &mut dyn FnMut(Transition, &DelaySet) -> Visited,
    ) -> Visited {
        let receivers = ready.iter().filter(|receiver| receives_from(receiver, sender));
        let levels = [vec![ProcessChoice::of_edge(sender)], receivers.map(ProcessChoice::of_edge).collect()];
        self.combine(TransitionKind::Binary, &levels, visit)
    }

    /// Visits broadcasts. Every process with a ready edge takes one; it stays out only for delays without a ready edge.
    fn visit_broadcasts(
        &self,
        sender: &ReadyEdge,
        ready: &[ReadyEdge],
        visit: &mut dyn FnMut(Transition, &DelaySet) -> Visited,
    ) -> Visited {
        let mut levels = vec![vec![ProcessChoice::of_edge(sender)]];
        let receivers: Vec<&ReadyEdge> =
            ready.iter().filter(|receiver| receives_from(receiver, sender)).collect();
        for edges_of_process in receivers.chunk_by(|left, right| left.process == right.process) {
            let some_edge = edges_of_process
                .iter()
                .fold(DelaySet::empty(), |delays, receiver| delays.union(&receiver.delays));
            let mut choices: Vec<ProcessChoice<'_>> =
                edges_of_process.iter().map(|receiver| ProcessChoice::of_edge(receiver)).collect();
            choices.push(ProcessChoice { edge: None, delays: some_edge.complement() });
            levels.push(choices);
        }
        self.combine(TransitionKind::Broadcast, &levels, visit)
    }

    /// Visits the transitions of a synchronisation vector. Locations alone determine the participants; a false guard
    /// blocks the whole vector, even if the participant is weak.
    fn visit_vector(
        &self,
        vector: usize,
        ready: &[ReadyEdge],
        visit: &mut dyn FnMut(Transition, &DelaySet) -> Visited,
    ) -> Visited {
        let mut levels = Vec::new();
        let mut taking_part = BTreeSet::new();
        for participant in &self.interpreter.network.vectors[vector].participants {
            if !self.interpreter.has_event_here(self.state, participant.process, participant.event) {
                if participant.is_weak {
                    continue;
                }
                return Ok(ControlFlow::Continue(()));
            }
            if !taking_part.insert(participant.process) {
                // A process cannot take two edges at once.
                return Ok(ControlFlow::Continue(()));
            }
            let options = ready.iter().filter(|option| {
                option.process == participant.process
                    && option.event == Some(participant.event)
                    && option.channel.is_none()
            });
            levels.push(options.map(ProcessChoice::of_edge).collect());
        }
        self.combine(TransitionKind::Vector(vector), &levels, visit)
    }

    /// Combines one choice of each level, as long as all of them have a common delay.
    fn combine(
        &self,
        kind: TransitionKind,
        levels: &[Vec<ProcessChoice<'_>>],
        visit: &mut dyn FnMut(Transition, &DelaySet) -> Visited,
    ) -> Visited {
        // Depth first with an explicit stack: there may be more processes than calls fit on the thread's stack.
        let mut chosen: Vec<usize> = Vec::new();
        let mut delays = vec![self.horizon.clone()];
        let mut next = 0;
        loop {
            let left = delays.last().cloned().unwrap_or_else(DelaySet::empty);
            match levels.get(chosen.len()) {
                None => {
                    let edges: Vec<&ReadyEdge> =
                        chosen.iter().zip(levels).filter_map(|(&choice, level)| level[choice].edge).collect();
                    if self.show(kind, &edges, &left, visit)?.is_break() {
                        return Ok(ControlFlow::Break(()));
                    }
                }
                Some(level) => {
                    if let Some(choice) = level.get(next) {
                        let common = left.intersection(&choice.delays);
                        if common.is_empty() {
                            next += 1;
                        } else {
                            chosen.push(next);
                            delays.push(common);
                            next = 0;
                        }
                        continue;
                    }
                }
            }
            match chosen.pop() {
                None => return Ok(ControlFlow::Continue(())),
                Some(last) => {
                    delays.pop();
                    next = last + 1;
                }
            }
        }
    }

    /// Visits the transitions of some edges, one for each combination of branches.
    fn show(
        &self,
        kind: TransitionKind,
        chosen: &[&ReadyEdge],
        delays: &DelaySet,
        visit: &mut dyn FnMut(Transition, &DelaySet) -> Visited,
    ) -> Visited {
        let edge = |ready: &ReadyEdge| &self.interpreter.network.processes[ready.process].edges[ready.edge];
        let leaves_committed = chosen.iter().any(|ready| self.is_committed(ready.process));
        let somebody_is_committed =
            self.interpreter.network.processes.ids().any(|process| self.is_committed(process));
        if delays.is_empty() || (somebody_is_committed && !leaves_committed) {
            return Ok(ControlFlow::Continue(()));
        }
        let size = self.state.locations.len() + self.state.variables.len() + self.state.clocks.len();
        for branches in Combinations::new(chosen.iter().map(|ready| edge(ready).branches.len()).collect()) {
            if let Some(first) = chosen.first() {
                self.fuel.burn(STEPS_PER_CANDIDATE + size as u64, edge(first).origin)?;
            }
            let participants = chosen
                .iter()
                .zip(branches)
                .map(|(ready, branch)| Participation {
                    process: ready.process,
                    edge: ready.edge,
                    branch,
                    select_values: ready.select_values.clone(),
                })
                .collect();
            if visit(Transition { kind, participants }, delays)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn is_committed(&self, process: ProcessId) -> bool {
        let location = self.state.locations[process.index()];
        self.interpreter.network.processes[process].locations[location].kind == LocationKind::Committed
    }

    fn evaluator(&self) -> Evaluator<'_> {
        let evaluator = Evaluator::reading(self.interpreter, self.state, self.fuel);
        match &self.slopes {
            Some(slopes) => evaluator.moving(slopes.clone()),
            None => evaluator,
        }
    }
}

impl Interpreter<'_> {
    /// Returns whether edges of the process with this event fire alone.
    ///
    /// A vector with one participant leaves its edge able to fire alone as well.
    pub(crate) fn is_asynchronous(&self, process: ProcessId, event: EventId) -> bool {
        !self.network.vectors.iter().any(|vector| {
            vector.participants.len() > 1
                && vector.participants.iter().any(|part| part.process == process && part.event == event)
        })
    }

    /// Returns whether an edge with this event leaves the current location of the process.
    pub(crate) fn has_event_here(&self, state: &ConcreteState, process: ProcessId, event: EventId) -> bool {
        let current = state.locations[process.index()];
        self.network.processes[process]
            .edges
            .values()
            .any(|edge| edge.source == current && edge.event == Some(event) && edge.synchronisation.is_none())
    }
}

/// Returns the kind of channel that an expression denotes.
pub(crate) fn channel_kind(channel: &Expression) -> Evaluated<ChannelKind> {
    match channel.value_type {
        Type::Channel(kind) => Ok(kind),
        _ => Err(at(channel.origin)(RuntimeErrorKind::IllFormed("expected a channel"))),
    }
}

fn is_urgent(edge: &Edge) -> bool {
    edge.synchronisation.as_ref().is_some_and(|synchronisation| {
        channel_kind(&synchronisation.channel).is_ok_and(|kind| kind.is_urgent)
    })
}

fn receives_from(receiver: &ReadyEdge, sender: &ReadyEdge) -> bool {
    match (&receiver.channel, &sender.channel) {
        (Some(receiving), Some(sending)) => {
            receiving.role == SynchronisationRole::Receive
                && receiver.process != sender.process
                && receiving.place == sending.place
        }
        _ => false,
    }
}
