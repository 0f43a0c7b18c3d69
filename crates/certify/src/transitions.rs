//! The transitions of a discrete state: combinations of edges, their clock conditions and their targets.
//!
//! Invariant: each transition that the reference semantics allows from a state of the zone is among the moves, with a
//! condition that includes all clock values for which it is allowed; it may include more. The result for a zone is
//! valid for all of its subsets.

use std::collections::BTreeSet;

use tempora_evidence::{BudgetWatch, Participation, RuntimeError, Transition, TransitionKind};
use tempora_model::{Id, LocationKind, Network, ProcessId, SynchronisationRole};
use tempora_replay::{ClockFormula, ConcreteState, DiscreteEdge, Interpreter};

use crate::formula::{before, sources, split};
use crate::refusal::Reason;
use crate::zone::{From, Zone};

/// Edges that may synchronise, and the values for which their guards hold.
pub(crate) struct Candidate<'edges> {
    kind: TransitionKind,
    edges: Vec<&'edges DiscreteEdge>,
    /// The guards' conditions.
    conditions: Vec<ClockFormula>,
    zones: Vec<Zone>,
}

/// A possible transition of a discrete state.
pub(crate) struct Move {
    pub(crate) transition: Transition,
    /// The clock condition: guards, and invariants of the target. Priorities are not included.
    pub(crate) condition: ClockFormula,
    /// The conditions under which a transition of higher priority is possible.
    higher: Vec<ClockFormula>,
}

/// The target state of a transition and the sources of its clocks, or the runtime error of its updates.
pub(crate) type TransitionOutcome = Result<(ConcreteState, Vec<From>), RuntimeError>;

impl Move {
    /// Returns the values of a zone for which it is possible and not preempted.
    pub(crate) fn values(&self, zone: &Zone) -> Result<Vec<Zone>, Reason> {
        let mut zones = split(vec![zone.clone()], &self.condition, true)?;
        for condition in &self.higher {
            zones = split(zones, condition, false)?;
        }
        Ok(zones)
    }
}

/// The maximal number of combinations of edges.
pub(crate) const MOST_COMBINATIONS: usize = 200_000;

/// Returns all transitions from the values of a zone; refused above a limit of combinations of edges.
pub(crate) fn moves(
    interpreter: &Interpreter<'_>,
    state: &ConcreteState,
    zone: &Zone,
    most_combinations: usize,
    watch: &mut BudgetWatch<'_>,
) -> Result<Vec<(Move, TransitionOutcome)>, Reason> {
    let edges = interpreter.discrete_edges(state).map_err(Reason::ModelError)?;
    let search = Search { interpreter, state, zone, edges: &edges, most_combinations };
    let mut moves = Vec::new();
    let mut candidates = search.candidates(watch)?;
    for vector in 0..interpreter.network().vectors.len() {
        search.vector(vector, &mut candidates, watch)?;
    }
    for candidate in candidates {
        moves.extend(search.moves_of(&candidate, watch)?);
    }
    let mut priorities = Vec::with_capacity(moves.len());
    for (step, _) in &moves {
        priorities
            .push(interpreter.transition_priority(state, &step.transition).map_err(Reason::ModelError)?);
    }
    let Some(&lowest) = priorities.iter().min() else { return Ok(moves) };
    let with_priorities = moves.iter().zip(&priorities);
    let conditions: Vec<_> = with_priorities
        .filter(|&(_, &priority)| priority > lowest)
        .map(|((step, _), &priority)| (priority, step.condition.clone()))
        .collect();
    for ((step, _), own) in moves.iter_mut().zip(priorities) {
        spend(watch)?;
        let higher = conditions.iter().filter(|&&(priority, _)| priority > own);
        step.higher = higher.map(|(_, condition)| condition.clone()).collect();
    }
    Ok(moves)
}

/// Returns the edges that synchronise on urgent channels.
pub(crate) fn urgent_edges(
    interpreter: &Interpreter<'_>,
    state: &ConcreteState,
) -> Result<Vec<DiscreteEdge>, Reason> {
    let mut edges = interpreter.discrete_edges(state).map_err(Reason::ModelError)?;
    edges.retain(|edge| edge.channel.as_ref().is_some_and(|channel| channel.kind.is_urgent));
    Ok(edges)
}

/// Returns whether an urgent synchronisation is possible for all values of a zone, given its candidate edges.
pub(crate) fn is_urgent(
    interpreter: &Interpreter<'_>,
    state: &ConcreteState,
    edges: &[DiscreteEdge],
    zone: &Zone,
    watch: &mut BudgetWatch<'_>,
) -> Result<bool, Reason> {
    let search = Search { interpreter, state, zone, edges, most_combinations: MOST_COMBINATIONS };
    let mut rest = vec![zone.clone()];
    for candidate in search.candidates(watch)? {
        for (step, _) in search.moves_of(&candidate, watch)? {
            rest = split(rest, &step.condition, false)?;
        }
    }
    Ok(rest.is_empty())
}

/// Fails if the budget is exhausted.
pub(crate) fn spend(watch: &mut BudgetWatch<'_>) -> Result<(), Reason> {
    watch.check(0).map_err(Reason::Exhausted)
}

/// Returns whether a process is in a location of this kind.
pub(crate) fn is_in(
    network: &Network,
    state: &ConcreteState,
    process: ProcessId,
    kind: LocationKind,
) -> bool {
    network.processes[process].locations[state.locations[process.index()]].kind == kind
}

struct Search<'search> {
    interpreter: &'search Interpreter<'search>,
    state: &'search ConcreteState,
    zone: &'search Zone,
    edges: &'search [DiscreteEdge],
    most_combinations: usize,
}

/// A choice of a process: an edge, or none, with a clock condition.
type Choice<'edges> = (Option<&'edges DiscreteEdge>, ClockFormula);

impl<'search> Search<'search> {
    /// Returns internal edges and synchronisations over channels. Synchronisation vectors have no channel, so they are
    /// never urgent.
    fn candidates(&self, watch: &mut BudgetWatch<'_>) -> Result<Vec<Candidate<'search>>, Reason> {
        let mut found = Vec::new();
        for edge in self.edges {
            match &edge.channel {
                None => {
                    let is_alone =
                        edge.event.is_none_or(|event| self.interpreter.happens_alone(edge.process, event));
                    if is_alone {
                        self.combine(TransitionKind::Internal, &[vec![take(edge)]], &mut found, watch)?;
                    }
                }
                Some(channel) if channel.role == SynchronisationRole::Send => {
                    if channel.kind.is_broadcast {
                        self.broadcast(edge, &mut found, watch)?;
                    } else {
                        let receivers = self.receivers(edge).map(take).collect();
                        self.combine(
                            TransitionKind::Binary,
                            &[vec![take(edge)], receivers],
                            &mut found,
                            watch,
                        )?;
                    }
                }
                Some(_) => {}
            }
        }
        Ok(found)
    }

    /// Returns the edges that receive from a sending edge.
    fn receivers(&self, sender: &'search DiscreteEdge) -> impl Iterator<Item = &'search DiscreteEdge> {
        self.edges.iter().filter(move |receiver| match (&receiver.channel, &sender.channel) {
            (Some(receiving), Some(sending)) => {
                receiving.role == SynchronisationRole::Receive
                    && receiver.process != sender.process
                    && receiving.variable == sending.variable
                    && receiving.path == sending.path
            }
            _ => false,
        })
    }

    /// Each process that can receive does; otherwise it stays out.
    fn broadcast(
        &self,
        sender: &'search DiscreteEdge,
        found: &mut Vec<Candidate<'search>>,
        watch: &mut BudgetWatch<'_>,
    ) -> Result<(), Reason> {
        let mut levels = vec![vec![take(sender)]];
        let receivers: Vec<&DiscreteEdge> = self.receivers(sender).collect();
        for own in receivers.chunk_by(|left, right| left.process == right.process) {
            let mut choices: Vec<Choice<'_>> = own.iter().copied().map(take).collect();
            let guards = own.iter().map(|edge| edge.guard.clone().negated()).collect();
            choices.push((None, ClockFormula::all(guards)));
            levels.push(choices);
        }
        self.combine(TransitionKind::Broadcast, &levels, found, watch)
    }

    fn vector(
        &self,
        position: usize,
        found: &mut Vec<Candidate<'search>>,
        watch: &mut BudgetWatch<'_>,
    ) -> Result<(), Reason> {
        let mut levels = Vec::new();
        let mut processes = BTreeSet::new();
        for participant in &self.interpreter.network().vectors[position].participants {
            if !self.interpreter.offers_event(self.state, participant.process, participant.event) {
                if participant.is_weak {
                    continue;
                }
                return Ok(());
            }
            if !processes.insert(participant.process) {
                return Ok(());
            }
            let own = self.edges.iter().filter(|edge| {
                edge.process == participant.process
                    && edge.event == Some(participant.event)
                    && edge.channel.is_none()
            });
            levels.push(own.map(take).collect());
        }
        self.combine(TransitionKind::Vector(position), &levels, found, watch)
    }

    /// Combines one choice of each level, as long as their conditions are satisfiable together.
    fn combine(
        &self,
        kind: TransitionKind,
        levels: &[Vec<Choice<'search>>],
        found: &mut Vec<Candidate<'search>>,
        watch: &mut BudgetWatch<'_>,
    ) -> Result<(), Reason> {
        let mut partial = vec![Candidate {
            kind,
            edges: Vec::new(),
            conditions: Vec::new(),
            zones: vec![self.zone.clone()],
        }];
        for level in levels {
            let mut longer = Vec::new();
            for candidate in &partial {
                for (edge, condition) in level {
                    spend(watch)?;
                    let zones = split(candidate.zones.clone(), condition, true)?;
                    if zones.is_empty() {
                        continue;
                    }
                    let (mut edges, mut conditions) = (candidate.edges.clone(), candidate.conditions.clone());
                    edges.extend(edge);
                    conditions.push(condition.clone());
                    longer.push(Candidate { kind, edges, conditions, zones });
                }
            }
            if longer.len() + found.len() > self.most_combinations {
                return Err(Reason::TooLarge("too many edges can synchronise".to_owned()));
            }
            partial = longer;
        }
        let network = self.interpreter.network();
        let is_committed = |process: ProcessId| is_in(network, self.state, process, LocationKind::Committed);
        let somebody_is_committed = network.processes.ids().any(is_committed);
        partial.retain(|candidate| {
            !somebody_is_committed || candidate.edges.iter().any(|edge| is_committed(edge.process))
        });
        found.extend(partial);
        Ok(())
    }

    /// Returns the transitions of a candidate, one for each combination of branches.
    fn moves_of(
        &self,
        candidate: &Candidate<'_>,
        watch: &mut BudgetWatch<'_>,
    ) -> Result<Vec<(Move, TransitionOutcome)>, Reason> {
        let network = self.interpreter.network();
        let counts: Vec<usize> = candidate
            .edges
            .iter()
            .map(|edge| network.processes[edge.process].edges[edge.edge].branches.len())
            .collect();
        if counts.contains(&0) {
            return Err(Reason::Unsupported("an edge without branches".to_owned()));
        }
        let mut branches = vec![0; counts.len()];
        let mut moves = Vec::new();
        loop {
            spend(watch)?;
            let participants = candidate.edges.iter().zip(&branches).map(|(edge, &branch)| Participation {
                process: edge.process,
                edge: edge.edge,
                branch,
                select_values: edge.select_values.clone(),
            });
            let transition = Transition { kind: candidate.kind, participants: participants.collect() };
            moves.extend(self.candidate_move(candidate, transition)?);
            if moves.len() > self.most_combinations {
                return Err(Reason::TooLarge("too many branches can be taken together".to_owned()));
            }
            let mut at = branches.len();
            while at > 0 && branches[at - 1] + 1 == counts[at - 1] {
                branches[at - 1] = 0;
                at -= 1;
            }
            if at == 0 {
                return Ok(moves);
            }
            branches[at - 1] += 1;
        }
    }

    /// Returns the move of a transition, unless no value enables it.
    fn candidate_move(
        &self,
        candidate: &Candidate<'_>,
        transition: Transition,
    ) -> Result<Option<(Move, TransitionOutcome)>, Reason> {
        let mut conditions = candidate.conditions.clone();
        let outcome =
            self.interpreter.discrete_successor(self.state, &transition).and_then(|(successor, origins)| {
                let invariant = self.interpreter.invariant_formula(&successor)?;
                Ok((successor, origins, invariant))
            });
        let outcome = match outcome {
            // The updates have a runtime error.
            Err(error) => Err(error),
            Ok((successor, origins, invariant)) => {
                let invariant = before(&invariant, &origins)?;
                if split(candidate.zones.clone(), &invariant, true)?.is_empty() {
                    return Ok(None);
                }
                conditions.push(invariant);
                Ok((successor, sources(&origins)?))
            }
        };
        let step = Move { transition, condition: ClockFormula::all(conditions), higher: Vec::new() };
        Ok(Some((step, outcome)))
    }
}

fn take(edge: &DiscreteEdge) -> Choice<'_> {
    (Some(edge), edge.guard.clone())
}
