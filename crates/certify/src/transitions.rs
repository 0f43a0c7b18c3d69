//! Which edges happen together, for which clock values, and where they lead.
//!
//! Invariant: each transition that the plain semantics allows from a state of the zone is among the steps, with all the
//! clock values for which it is allowed; the steps may have more values than that, never fewer.

use std::collections::BTreeSet;

use tempora_evidence::{BudgetWatch, Participation, RuntimeError, Transition, TransitionKind};
use tempora_model::{Id, LocationKind, Network, ProcessId, SynchronisationRole};
use tempora_replay::{ClockFormula, ClockOrigin, ConcreteState, DiscreteEdge, Interpreter};

use crate::formula::{before, split};
use crate::refusal::Reason;
use crate::zone::Zone;

/// Edges that can happen together, and the values for which their guards hold.
pub(crate) struct Candidate<'edges> {
    kind: TransitionKind,
    edges: Vec<&'edges DiscreteEdge>,
    /// The conditions of the guards.
    conditions: Vec<ClockFormula>,
    zones: Vec<Zone>,
}

/// A transition, from the values for which it is possible.
pub(crate) struct PossibleStep {
    pub(crate) transition: Transition,
    /// The discrete state after it, and where its clocks have their values from; or how its updates fail.
    pub(crate) outcome: Result<(ConcreteState, Vec<ClockOrigin>), RuntimeError>,
    /// For which values it is possible: guards and invariants after it. Priorities do not count.
    pub(crate) condition: ClockFormula,
    /// The values for which it is possible.
    pub(crate) zones: Vec<Zone>,
}

/// More combinations of edges than this are not looked at.
const MOST_COMBINATIONS: usize = 200_000;

/// All transitions from the values of a zone.
pub(crate) fn steps(
    interpreter: &Interpreter<'_>,
    state: &ConcreteState,
    zone: &Zone,
    watch: &mut BudgetWatch<'_>,
) -> Result<Vec<PossibleStep>, Reason> {
    let edges = interpreter.discrete_edges(state).map_err(Reason::ModelError)?;
    let search = Search { interpreter, state, zone, edges: &edges };
    let mut steps = Vec::new();
    let mut candidates = search.candidates(watch)?;
    for vector in 0..interpreter.network().vectors.len() {
        search.vector(vector, &mut candidates, watch)?;
    }
    for candidate in candidates {
        steps.extend(search.steps_of(&candidate, watch)?);
    }
    let mut priorities = Vec::with_capacity(steps.len());
    for step in &steps {
        priorities
            .push(interpreter.transition_priority(state, &step.transition).map_err(Reason::ModelError)?);
    }
    let conditions: Vec<ClockFormula> = steps.iter().map(|step| step.condition.clone()).collect();
    for (position, step) in steps.iter_mut().enumerate() {
        for (other, condition) in conditions.iter().enumerate() {
            if priorities[other] > priorities[position] && !step.zones.is_empty() {
                spend(watch)?;
                step.zones = split(std::mem::take(&mut step.zones), condition, false)?;
            }
        }
    }
    steps.retain(|step| !step.zones.is_empty());
    Ok(steps)
}

/// Whether for all values of a zone a synchronisation on an urgent channel is possible.
pub(crate) fn is_urgent(
    interpreter: &Interpreter<'_>,
    state: &ConcreteState,
    zone: &Zone,
    watch: &mut BudgetWatch<'_>,
) -> Result<bool, Reason> {
    let mut edges = interpreter.discrete_edges(state).map_err(Reason::ModelError)?;
    edges.retain(|edge| edge.channel.as_ref().is_some_and(|channel| channel.kind.is_urgent));
    let search = Search { interpreter, state, zone, edges: &edges };
    let mut rest = vec![zone.clone()];
    for candidate in search.candidates(watch)? {
        for step in search.steps_of(&candidate, watch)? {
            rest = split(rest, &step.condition, false)?;
        }
    }
    Ok(rest.is_empty())
}

/// Stops if the budget is used up.
pub(crate) fn spend(watch: &mut BudgetWatch<'_>) -> Result<(), Reason> {
    watch.check(0).map_err(Reason::Exhausted)
}

/// Whether a process is in a location of this kind.
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
}

/// What a process may do: take an edge, or stay out, under a condition.
type Choice<'edges> = (Option<&'edges DiscreteEdge>, ClockFormula);

impl<'search> Search<'search> {
    /// What happens by edges alone and by channels. Synchronisation vectors, which have no channel, are never urgent.
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

    /// The edges that receive what an edge sends.
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

    /// Each process that can receive does; it stays out where none of its edges can.
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

    /// One choice of each level, where there are values for which all are possible.
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
            if longer.len() + found.len() > MOST_COMBINATIONS {
                return Err(Reason::TooLarge("too many edges can happen together".to_owned()));
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

    /// The transitions of a candidate, one for each combination of branches.
    fn steps_of(
        &self,
        candidate: &Candidate<'_>,
        watch: &mut BudgetWatch<'_>,
    ) -> Result<Vec<PossibleStep>, Reason> {
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
        let mut steps = Vec::new();
        loop {
            spend(watch)?;
            let participants = candidate.edges.iter().zip(&branches).map(|(edge, &branch)| Participation {
                process: edge.process,
                edge: edge.edge,
                branch,
                select_values: edge.select_values.clone(),
            });
            let transition = Transition { kind: candidate.kind, participants: participants.collect() };
            steps.extend(self.step(candidate, transition)?);
            if steps.len() > MOST_COMBINATIONS {
                return Err(Reason::TooLarge("too many branches can be taken together".to_owned()));
            }
            let mut at = branches.len();
            while at > 0 && branches[at - 1] + 1 == counts[at - 1] {
                branches[at - 1] = 0;
                at -= 1;
            }
            if at == 0 {
                return Ok(steps);
            }
            branches[at - 1] += 1;
        }
    }

    fn step(
        &self,
        candidate: &Candidate<'_>,
        transition: Transition,
    ) -> Result<Option<PossibleStep>, Reason> {
        let mut conditions = candidate.conditions.clone();
        let mut zones = candidate.zones.clone();
        let outcome =
            self.interpreter.discrete_successor(self.state, &transition).and_then(|(successor, origins)| {
                let invariant = self.interpreter.invariant_formula(&successor)?;
                Ok((successor, origins, invariant))
            });
        let outcome = match outcome {
            // It is possible, and fails.
            Err(error) => Err(error),
            Ok((successor, origins, invariant)) => {
                let invariant = before(&invariant, &origins)?;
                zones = split(zones, &invariant, true)?;
                conditions.push(invariant);
                Ok((successor, origins))
            }
        };
        if zones.is_empty() {
            return Ok(None);
        }
        Ok(Some(PossibleStep { transition, outcome, condition: ClockFormula::all(conditions), zones }))
    }
}

fn take(edge: &DiscreteEdge) -> Choice<'_> {
    (Some(edge), edge.guard.clone())
}
