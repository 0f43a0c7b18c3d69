//! Transitions of a concrete state: the possible ones with their successors, and the obstacles to others.
//!
//! Invariant: a transition is possible exactly if all rules hold that are checked here one after the other: locations,
//! guards in the state before, partners, committed locations, priorities, and the invariants of the state after. An
//! error in an update is an outcome of its own: the transition happens and fails.
//!
//! [`Interpreter::attempt`] judges one given transition without search; [`Interpreter::enabled_transitions`] enumerates
//! all of them. They are written independently, so that each can be tested against the other.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use tempora_evidence::{Participation, Rational, RuntimeError, Transition, TransitionKind};
use tempora_model::{Edge, EdgeId, Id, LocationKind, ProcessId, SynchronisationRole};

use crate::candidates::{CandidateFilter, CandidateSearch, channel_kind};
use crate::delay_set::DelaySet;
use crate::evaluate::{Evaluated, Evaluator};
use crate::interpreter::{Fuel, Interpreter};
use crate::obstacle::Obstacle;
use crate::state::ConcreteState;

/// The result of trying a transition, a delay or an initial state.
#[derive(Clone, PartialEq, Debug)]
pub enum StepOutcome {
    /// It is possible and leads to this state.
    Possible(ConcreteState),
    /// It is impossible.
    Impossible(Obstacle),
    /// The model fails.
    Error(RuntimeError),
}

/// A possible transition and its result.
#[derive(Clone, PartialEq, Debug)]
pub struct EnabledTransition {
    /// The transition.
    pub transition: Transition,
    /// The state after it, or the error in one of its updates.
    pub result: Result<ConcreteState, RuntimeError>,
}

/// Whether a process can take an edge.
#[derive(Clone, PartialEq, Debug)]
pub enum EdgeStatus {
    /// It can, in these transitions.
    Enabled(Vec<Transition>),
    /// It cannot. The obstacles are those of the first combination of partners and select values that satisfied the
    /// most rules.
    Disabled(Vec<Obstacle>),
}

impl Interpreter<'_> {
    /// Returns all transitions that are possible now; an error if a guard, a channel or an invariant cannot be
    /// evaluated.
    pub fn enabled_transitions(&self, state: &ConcreteState) -> Result<Vec<EnabledTransition>, RuntimeError> {
        let fuel = self.fuel();
        let mut found = Vec::new();
        self.visit_now(state, &fuel, &mut |transition| {
            if let Some(result) = self.outcome_of_updates(state, &transition, &fuel)? {
                let priority = self.priority(state, &transition, &fuel)?;
                found.push((priority, EnabledTransition { transition, result }));
            }
            Ok(ControlFlow::Continue(()))
        })?;
        let highest = found.iter().map(|(priority, _)| *priority).max();
        if self.has_priorities() {
            found.retain(|(priority, _)| Some(*priority) == highest);
        }
        Ok(found.into_iter().map(|(_, enabled)| enabled).collect())
    }

    /// Returns all transitions that only a target invariant makes impossible now, with that invariant.
    pub fn transitions_into_violations(
        &self,
        state: &ConcreteState,
    ) -> Result<Vec<(Transition, Obstacle)>, RuntimeError> {
        let mut found = Vec::new();
        self.visit_now(state, &self.fuel(), &mut |transition| {
            if let StepOutcome::Impossible(obstacle @ Obstacle::InvariantFalse { .. }) =
                self.attempt(state, &transition)
            {
                found.push((transition, obstacle));
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(found)
    }

    /// Tries one transition.
    pub fn attempt(&self, state: &ConcreteState, transition: &Transition) -> StepOutcome {
        let fuel = self.fuel();
        match self.obstacle_before_updates(state, transition, &fuel) {
            Err(error) => return StepOutcome::Error(error),
            Ok(Some(obstacle)) => return StepOutcome::Impossible(obstacle),
            Ok(None) => {}
        }
        let successor = match self.apply(state, transition, &fuel) {
            Err(error) => return StepOutcome::Error(error),
            Ok(successor) => successor,
        };
        match self.violated_invariant(&successor, &fuel) {
            Err(error) => StepOutcome::Error(error),
            Ok(Some(obstacle)) => StepOutcome::Impossible(obstacle),
            Ok(None) => StepOutcome::Possible(successor),
        }
    }

    /// Returns whether a process can take an edge now, with any partners, and the obstacles if not.
    pub fn edge_status(
        &self,
        state: &ConcreteState,
        process: ProcessId,
        edge: EdgeId,
    ) -> Result<EdgeStatus, RuntimeError> {
        let fuel = self.fuel();
        let written = &self.network.processes[process].edges[edge];
        let current = state.locations[process.index()];
        if current != written.source {
            return Ok(EdgeStatus::Disabled(vec![Obstacle::LocationDiffers { process, edge, current }]));
        }
        let mut ready = Vec::new();
        self.search_now(state, &fuel).collect_ready(
            process,
            &|other| std::ptr::eq(other, written),
            &mut ready,
        )?;
        if ready.is_empty() {
            return Ok(EdgeStatus::Disabled(self.why_guard_is_false(state, process, edge, &fuel)?));
        }
        let mut enabled = Vec::new();
        let mut obstacles: Vec<Obstacle> = Vec::new();
        self.visit_now(state, &fuel, &mut |transition| {
            let takes_part =
                transition.participants.iter().any(|part| part.process == process && part.edge == edge);
            if takes_part {
                match self.attempt(state, &transition) {
                    StepOutcome::Possible(_) | StepOutcome::Error(_) => enabled.push(transition),
                    StepOutcome::Impossible(obstacle) => obstacles.push(obstacle),
                }
            }
            Ok(ControlFlow::Continue(()))
        })?;
        if !enabled.is_empty() {
            return Ok(EdgeStatus::Enabled(enabled));
        }
        if obstacles.is_empty() {
            obstacles.push(self.committed_elsewhere(state, &[process]).unwrap_or(Obstacle::NoPartner {
                process,
                edge,
                origin: written.origin,
            }));
        }
        obstacles.dedup();
        Ok(EdgeStatus::Disabled(obstacles))
    }

    /// Returns the state after the updates of a transition, whether or not invariants hold.
    pub(crate) fn apply(
        &self,
        state: &ConcreteState,
        transition: &Transition,
        fuel: &Fuel,
    ) -> Evaluated<ConcreteState> {
        Ok(self.apply_moving(state, None, transition, fuel)?.0)
    }

    /// Returns the state after the updates of a transition after any delay, with the rates at which its clocks grow
    /// with the preceding delay.
    pub(crate) fn apply_moving(
        &self,
        state: &ConcreteState,
        slopes: Option<Vec<Rational>>,
        transition: &Transition,
        fuel: &Fuel,
    ) -> Evaluated<(ConcreteState, Option<Vec<Rational>>)> {
        let mut successor = state.clone();
        let mut evaluator = Evaluator::writing(self, &mut successor, fuel);
        evaluator.slopes = slopes;
        for expression in &self.network.before_update {
            evaluator.evaluate(expression)?;
        }
        for part in &transition.participants {
            let edge = &self.network.processes[part.process].edges[part.edge];
            evaluator.rebind_selects(&edge.selects, &part.select_values);
            for expression in &edge.branches[part.branch].updates {
                evaluator.evaluate(expression)?;
            }
        }
        evaluator.rebind_selects(&[], &[]);
        for expression in &self.network.after_update {
            evaluator.evaluate(expression)?;
        }
        let slopes = evaluator.slopes;
        for part in &transition.participants {
            let edge = &self.network.processes[part.process].edges[part.edge];
            successor.locations[part.process.index()] = edge.branches[part.branch].target;
        }
        Ok((successor, slopes))
    }

    /// Returns the first violated invariant of a state.
    pub(crate) fn violated_invariant(
        &self,
        state: &ConcreteState,
        fuel: &Fuel,
    ) -> Evaluated<Option<Obstacle>> {
        for (process, automaton) in self.network.processes.iter() {
            let location = state.locations[process.index()];
            let invariant = &automaton.locations[location].invariant;
            if let Some(conjunct) = Evaluator::reading(self, state, fuel).first_false(invariant)? {
                let conjunct = conjunct.origin;
                return Ok(Some(Obstacle::InvariantFalse { process, location, conjunct }));
            }
        }
        Ok(None)
    }

    /// Checks all rules except those on updates and target invariants.
    pub(crate) fn obstacle_before_updates(
        &self,
        state: &ConcreteState,
        transition: &Transition,
        fuel: &Fuel,
    ) -> Evaluated<Option<Obstacle>> {
        if let Some(why) = self.why_not_in_network(transition) {
            return Ok(Some(Obstacle::NotInNetwork(why.to_owned())));
        }
        for part in &transition.participants {
            let current = state.locations[part.process.index()];
            if self.edge(part).source != current {
                let (process, edge) = (part.process, part.edge);
                return Ok(Some(Obstacle::LocationDiffers { process, edge, current }));
            }
        }
        for part in &transition.participants {
            let edge = self.edge(part);
            let mut evaluator =
                Evaluator::reading(self, state, fuel).with_selects(&edge.selects, &part.select_values);
            if let Some(conjunct) = evaluator.first_false(&edge.guard)? {
                let (process, edge, conjunct) = (part.process, part.edge, conjunct.origin);
                return Ok(Some(Obstacle::GuardFalse { process, edge, conjunct }));
            }
        }
        if let Some(obstacle) = self.why_not_synchronised(state, transition, fuel)? {
            return Ok(Some(obstacle));
        }
        let processes: Vec<ProcessId> = transition.participants.iter().map(|part| part.process).collect();
        if let Some(obstacle) = self.committed_elsewhere(state, &processes) {
            return Ok(Some(obstacle));
        }
        self.higher_priority(state, transition, fuel)
    }

    /// Returns why a transition does not belong to the network.
    fn why_not_in_network(&self, transition: &Transition) -> Option<&'static str> {
        let mut processes = BTreeSet::new();
        for part in &transition.participants {
            let Some(process) = self.network.processes.get(part.process) else {
                return Some("unknown process");
            };
            let Some(edge) = process.edges.get(part.edge) else {
                return Some("the process has no such edge");
            };
            if !processes.insert(part.process) {
                return Some("a process takes part twice");
            }
            if part.branch >= edge.branches.len() {
                return Some("the edge has no such branch");
            }
            let fits = part.select_values.len() == edge.selects.len()
                && part
                    .select_values
                    .iter()
                    .zip(&edge.selects)
                    .all(|(&value, binder)| binder.domain.position(value).is_some());
            if !fits {
                return Some("the edge does not select such values");
            }
        }
        let channels: Vec<_> =
            transition.participants.iter().map(|part| self.edge(part).synchronisation.as_ref()).collect();
        let is_broadcast = |channel| channel_kind(channel).is_ok_and(|kind| kind.is_broadcast);
        match (transition.kind, &channels[..]) {
            (TransitionKind::Internal, [None]) => {
                let part = &transition.participants[0];
                match self.edge(part).event {
                    Some(event) if !self.is_asynchronous(part.process, event) => {
                        Some("the event of the edge needs other participants")
                    }
                    _ => None,
                }
            }
            (TransitionKind::Internal, _) => {
                Some("an internal transition must be one edge without synchronisation")
            }
            (TransitionKind::Binary, [Some(sender), Some(receiver)])
                if sender.role == SynchronisationRole::Send
                    && receiver.role == SynchronisationRole::Receive
                    && !is_broadcast(&sender.channel) =>
            {
                None
            }
            (TransitionKind::Binary, _) => Some("a binary synchronisation must have a sender and a receiver"),
            (TransitionKind::Broadcast, [Some(sender), receivers @ ..])
                if sender.role == SynchronisationRole::Send
                    && is_broadcast(&sender.channel)
                    && receivers.iter().all(|other| {
                        other.is_some_and(|other| other.role == SynchronisationRole::Receive)
                    }) =>
            {
                let receivers = &transition.participants[1..];
                let in_order = receivers.windows(2).all(|pair| pair[0].process < pair[1].process);
                (!in_order).then_some("the receivers are not in the order of the system line")
            }
            (TransitionKind::Broadcast, _) => Some("a broadcast must have a sender and receivers"),
            (TransitionKind::Vector(position), _) if position >= self.network.vectors.len() => {
                Some("unknown synchronisation vector")
            }
            (TransitionKind::Vector(_), channels) if channels.iter().any(Option::is_some) => {
                Some("an edge with a channel cannot take part in a synchronisation vector")
            }
            (TransitionKind::Vector(_), _) => None,
        }
    }

    /// Returns why edges whose guards hold do not synchronise.
    fn why_not_synchronised(
        &self,
        state: &ConcreteState,
        transition: &Transition,
        fuel: &Fuel,
    ) -> Evaluated<Option<Obstacle>> {
        match transition.kind {
            TransitionKind::Internal => Ok(None),
            TransitionKind::Vector(position) => Ok(self.why_not_vector(state, transition, position)),
            TransitionKind::Binary | TransitionKind::Broadcast => {
                let mut channels = Vec::new();
                for part in &transition.participants {
                    let edge = self.edge(part);
                    if let Some(synchronisation) = &edge.synchronisation {
                        let mut evaluator = Evaluator::reading(self, state, fuel)
                            .with_selects(&edge.selects, &part.select_values);
                        channels.push(evaluator.place(&synchronisation.channel)?);
                    }
                }
                let first = transition.participants[0].process;
                for (part, channel) in transition.participants.iter().zip(&channels).skip(1) {
                    if *channel != channels[0] {
                        let (second, origin) = (part.process, self.edge(part).origin);
                        return Ok(Some(Obstacle::ChannelsDiffer { first, second, origin }));
                    }
                }
                if transition.kind == TransitionKind::Broadcast {
                    return self.missing_receiver(state, transition, &channels[0], fuel);
                }
                Ok(None)
            }
        }
    }

    /// Returns a process that has an enabled edge to receive the broadcast, but takes none.
    fn missing_receiver(
        &self,
        state: &ConcreteState,
        transition: &Transition,
        channel: &crate::value_place::ValuePlace,
        fuel: &Fuel,
    ) -> Evaluated<Option<Obstacle>> {
        let receives = |edge: &Edge| {
            edge.synchronisation.as_ref().is_some_and(|own| own.role == SynchronisationRole::Receive)
        };
        for process in self.network.processes.ids() {
            if transition.participants.iter().any(|part| part.process == process) {
                continue;
            }
            let mut ready = Vec::new();
            self.search_now(state, fuel).collect_ready(process, &receives, &mut ready)?;
            if let Some(ready) = ready.iter().find(|ready| ready.is_on(channel)) {
                let origin = self.network.processes[process].edges[ready.edge].origin;
                return Ok(Some(Obstacle::ParticipantMissing { process, origin }));
            }
        }
        Ok(None)
    }

    fn why_not_vector(
        &self,
        state: &ConcreteState,
        transition: &Transition,
        position: usize,
    ) -> Option<Obstacle> {
        let vector = &self.network.vectors[position];
        let mut taking_part = transition.participants.iter();
        for participant in &vector.participants {
            let must = self.has_event_here(state, participant.process, participant.event);
            if !must && participant.is_weak {
                continue;
            }
            let matches = |part: &&Participation| {
                part.process == participant.process && self.edge(part).event == Some(participant.event)
            };
            if !must || taking_part.next().filter(matches).is_none() {
                let (process, origin) = (participant.process, vector.origin);
                return Some(Obstacle::ParticipantMissing { process, origin });
            }
        }
        taking_part.next().map(|_| {
            Obstacle::NotInNetwork(
                "an edge takes part that the synchronisation vector does not mention".to_owned(),
            )
        })
    }

    /// Returns a committed process, if there are any and none of them is one of these.
    pub(crate) fn committed_elsewhere(
        &self,
        state: &ConcreteState,
        processes: &[ProcessId],
    ) -> Option<Obstacle> {
        let is_committed = |process: ProcessId| {
            let location = state.locations[process.index()];
            self.network.processes[process].locations[location].kind == LocationKind::Committed
        };
        if processes.iter().any(|&process| is_committed(process)) {
            return None;
        }
        let committed = self.network.processes.ids().find(|&process| is_committed(process));
        committed.map(|process| Obstacle::CommittedElsewhere {
            process,
            location: state.locations[process.index()],
        })
    }

    fn higher_priority(
        &self,
        state: &ConcreteState,
        transition: &Transition,
        fuel: &Fuel,
    ) -> Evaluated<Option<Obstacle>> {
        if !self.has_priorities() {
            return Ok(None);
        }
        let own = self.priority(state, transition, fuel)?;
        let mut obstacle = None;
        self.visit_now(state, fuel, &mut |other| {
            let is_higher = self.priority(state, &other, fuel)? > own;
            if is_higher && self.outcome_of_updates(state, &other, fuel)?.is_some() {
                obstacle = Some(Obstacle::LowerPriority { than: Box::new(other) });
                return Ok(ControlFlow::Break(()));
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(obstacle)
    }

    /// Returns the state after a candidate, `None` if an invariant forbids it, or the error in its updates. An error in
    /// an invariant of the state after it is one too.
    pub(crate) fn outcome_of_updates(
        &self,
        state: &ConcreteState,
        transition: &Transition,
        fuel: &Fuel,
    ) -> Evaluated<Option<Result<ConcreteState, RuntimeError>>> {
        let judged = self.apply(state, transition, fuel).and_then(|successor| {
            let is_allowed = self.violated_invariant(&successor, fuel)?.is_none();
            Ok(is_allowed.then_some(successor))
        });
        Ok(judged.map_or_else(|error| Some(Err(error)), |successor| successor.map(Ok)))
    }

    fn why_guard_is_false(
        &self,
        state: &ConcreteState,
        process: ProcessId,
        edge: EdgeId,
        fuel: &Fuel,
    ) -> Evaluated<Vec<Obstacle>> {
        let written = &self.network.processes[process].edges[edge];
        let least: Vec<i32> = written.selects.iter().map(|binder| *binder.domain.values().start()).collect();
        let mut evaluator = Evaluator::reading(self, state, fuel).with_selects(&written.selects, &least);
        let conjunct = evaluator.first_false(&written.guard)?;
        Ok(conjunct
            .map(|conjunct| Obstacle::GuardFalse { process, edge, conjunct: conjunct.origin })
            .into_iter()
            .collect())
    }

    fn visit_now(
        &self,
        state: &ConcreteState,
        fuel: &Fuel,
        visit: &mut dyn FnMut(Transition) -> crate::candidates::Visited,
    ) -> Evaluated<()> {
        self.search_now(state, fuel)
            .visit(CandidateFilter::All, &mut |transition, _| visit(transition))
            .map(|_| ())
    }

    pub(crate) fn search_now<'run>(
        &'run self,
        state: &'run ConcreteState,
        fuel: &'run Fuel,
    ) -> CandidateSearch<'run> {
        CandidateSearch { interpreter: self, state, horizon: DelaySet::now(), slopes: None, fuel }
    }

    /// Returns the edge that a process takes.
    fn edge(&self, part: &Participation) -> &Edge {
        &self.network.processes[part.process].edges[part.edge]
    }
}
