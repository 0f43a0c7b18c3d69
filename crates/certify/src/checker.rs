//! Checks certificates of networks: the initial states are covered, no transition leaves the nodes, no node is bad.
//!
//! Invariant: a certificate is accepted only if each initial state, after any delay, is in a node; each transition from
//! each state of each node, after any delay, leads into a node; and no state of a node is bad. By induction over the
//! length of runs, all reachable states are in nodes. A committed state outside the nodes is checked like a node when
//! it is reached. Unsupported constructs are refused. A certificate about a part of a network is checked on a network
//! with an arbitrary rest, see [`part`].

use tempora_evidence::{Budget, BudgetWatch, Certificate, Evidence, Transition, Verdict};
use tempora_model::{
    Expression, ExpressionKind, Formula, LocationKind, Network, Query, QueryKind, Type, VariableKind,
};
use tempora_replay::{ClockFormula, ConcreteState, Interpreter};

use crate::answer::CheckedAnswer;
use crate::approximated_predicate::approximated_predicate;
use crate::committed_states::{CommittedStates, ZoneOrigin};
use crate::deadlock::{deadlocked, not_deadlocked};
use crate::delay::Waiting;
use crate::formula::split;
use crate::nodes::{Key, Nodes};
use crate::part;
use crate::refusal::{Reason, Refusal};
use crate::transitions::{MOST_COMBINATIONS, Move, is_in, moves, spend};
use crate::zone::{From, Zone};

/// Counts of an accepted certificate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Accepted {
    /// The number of nodes.
    pub nodes: usize,
    /// The number of committed states outside the nodes.
    pub passed: usize,
    /// The number of transitions of nodes.
    pub transitions: u64,
}

/// Checks a certificate for a query: that `A[] p` holds, or that `E<> p` does not.
pub fn verify(
    network: &Network,
    query: &Query,
    certificate: &Certificate,
    budget: &Budget,
) -> Result<Accepted, Refusal> {
    let Some((predicate, bad)) = bad_states(query) else {
        let why = "only queries `A[] p` and `E<> p` have certificates".to_owned();
        return Err(Refusal::whole(Reason::OtherQuestion(why)));
    };
    let (weakened, known);
    let (network, predicate) = match &certificate.part {
        Some(part) => {
            known = approximated_predicate(network, part, predicate, bad);
            // If nothing of the predicate is in the part, the refusal names the missing process or variable.
            let is_unknown = matches!(known.kind, ExpressionKind::Integer(_));
            let asked = if is_unknown { predicate } else { &known };
            weakened = part::weakened(network, part, asked).map_err(Refusal::whole)?;
            (&weakened, asked)
        }
        None => (network, predicate),
    };
    if let Some(what) = unknown_construct(network) {
        return Err(Refusal::whole(Reason::Unsupported(what)));
    }
    let interpreter = Interpreter::new(network);
    let mut watch = budget.watch();
    let nodes = Nodes::new(network, certificate, &mut watch)?;
    let mut check = Check {
        interpreter: &interpreter,
        nodes: &nodes,
        committed: CommittedStates::default(),
        predicate,
        mentions_deadlock: predicate.any(&mut |part| matches!(part.kind, ExpressionKind::Deadlock)),
        bad,
        watch,
    };
    check.start().map_err(Refusal::whole)?;
    let mut transitions = check.committed()?;
    for own in nodes.by_discrete_state() {
        let zones: Vec<_> = own.iter().filter_map(|&node| Some((Some(node), nodes.zone(node)?))).collect();
        transitions += check.states(&nodes.state(own[0]), &zones)?;
        transitions += check.committed()?;
        check.committed.forget_if_large();
    }
    Ok(Accepted { nodes: nodes.len(), passed: check.committed.count(), transitions })
}

/// Checks a certificate for an answer, and certifies the answer if the certificate is accepted.
pub fn certify(
    network: &Network,
    query: &Query,
    answer: CheckedAnswer,
    certificate: Certificate,
    budget: &Budget,
) -> Result<(CheckedAnswer, Accepted), Box<(CheckedAnswer, Refusal)>> {
    let shown = match &query.kind {
        QueryKind::Formula(Formula::Always(_)) => Verdict::Holds,
        _ => Verdict::Fails,
    };
    if answer.answer().verdict != shown {
        let why = "the certificate contradicts the verdict of the answer".to_owned();
        return Err(Box::new((answer, Refusal::whole(Reason::OtherQuestion(why)))));
    }
    match verify(network, query, &certificate, budget) {
        Ok(accepted) => Ok((answer.certified(Evidence::Certificate(certificate)), accepted)),
        Err(refusal) => Err(Box::new((answer, refusal))),
    }
}

/// Returns the predicate of a query, and the truth value that makes a state bad.
fn bad_states(query: &Query) -> Option<(&Expression, bool)> {
    match &query.kind {
        QueryKind::Formula(Formula::Always(predicate)) => Some((predicate, false)),
        QueryKind::Formula(Formula::Possibly(predicate)) => Some((predicate, true)),
        _ => None,
    }
}

/// Returns a construct of a network that the checker does not support.
fn unknown_construct(network: &Network) -> Option<String> {
    if let Some(omission) = network.omissions.first() {
        return Some(omission.construct.clone());
    }
    network.variables.iter().find_map(|(id, variable)| {
        let name = || network.qualified_name(id);
        let has_double = variable.value_type.any_part(&|part| matches!(part, Type::Double));
        match variable.kind {
            VariableKind::Meta => Some(format!("meta variables, such as `{}`", name())),
            VariableKind::Hybrid => Some(format!("hybrid clocks, such as `{}`", name())),
            VariableKind::State if variable.value_type.is_hybrid() => {
                Some(format!("hybrid clocks, such as those of `{}`", name()))
            }
            VariableKind::State if has_double => {
                Some(format!("floating point numbers in states, such as `{}`", name()))
            }
            VariableKind::State | VariableKind::Constant => None,
        }
    })
}

/// The limit of combinations of edges up to which all zones of a discrete state are checked together; beyond it each
/// zone is checked alone, which may have fewer.
const MOST_SHARED_COMBINATIONS: usize = 1000;

/// The conditions on the clocks of a discrete state.
struct Demand {
    when_moving: ClockFormula,
    /// If the predicate mentions deadlocks, its form in a deadlock, and the delays of the state.
    when_deadlocked: Option<(ClockFormula, Waiting)>,
}

/// A move and its target. An error of the target matters only if some values enable the move.
struct FollowedMove {
    step: Move,
    target: Result<MoveTarget, Reason>,
}

/// The discrete target state of a move.
struct MoveTarget {
    key: Key,
    state: ConcreteState,
    sources: Vec<From>,
    waiting: Waiting,
    is_passed: bool,
}

struct Check<'check> {
    interpreter: &'check Interpreter<'check>,
    nodes: &'check Nodes<'check>,
    committed: CommittedStates,
    predicate: &'check Expression,
    mentions_deadlock: bool,
    /// The truth value that makes a state bad.
    bad: bool,
    watch: BudgetWatch<'check>,
}

impl Check<'_> {
    /// Checks that each initial state, after any delay, is in a node.
    fn start(&mut self) -> Result<(), Reason> {
        for locations in self.interpreter.initial_choices() {
            spend(&mut self.watch)?;
            let state = self.interpreter.state_at_start(locations);
            let invariant = self.interpreter.invariant_formula(&state).map_err(Reason::ModelError)?;
            let target = self.target(state, Vec::new())?;
            for entry in split(vec![Zone::zero(self.nodes.clock_count())], &invariant, true)? {
                if !self.is_covered(&target, entry, None)? {
                    return Err(Reason::StartIsNotCovered(self.describe_locations(&target.state)));
                }
            }
        }
        Ok(())
    }

    /// Checks that no state is bad and that all successors are covered; returns the number of transitions. Each zone of
    /// the discrete state is in a node, or was reached from one.
    fn states(&mut self, state: &ConcreteState, zones: &[ZoneOrigin]) -> Result<u64, Refusal> {
        let Some(&(first, _)) = zones.first() else { return Ok(0) };
        let at = |node| move |reason| Refusal { node, ..Refusal::whole(reason) };
        let demand = self.demand(state).map_err(at(first))?;
        let shared = match zones.len() {
            1 => None,
            _ => {
                let all = Zone::universe(self.nodes.clock_count());
                match self.followed(state, &all, MOST_SHARED_COMBINATIONS) {
                    Ok(followed) => Some(followed),
                    Err(reason @ Reason::Exhausted(_)) => return Err(at(first)(reason)),
                    // The error may concern values outside all zones.
                    Err(_) => None,
                }
            }
        };
        let mut count = 0;
        for (node, zone) in zones {
            let own;
            let followed = match &shared {
                Some(shared) => shared,
                None => {
                    let later = zone.clone().up();
                    own = self.followed(state, &later, MOST_COMBINATIONS).map_err(at(*node))?;
                    &own
                }
            };
            self.is_good(&demand, followed, zone).map_err(at(*node))?;
            count += self.successors(followed, zone, *node).map_err(at(*node))?;
        }
        Ok(count)
    }

    /// Checks the committed states outside the nodes, and their successors.
    fn committed(&mut self) -> Result<u64, Refusal> {
        let mut count = 0;
        while let Some((state, zones)) = self.committed.next() {
            count += self.states(&state, &zones)?;
        }
        Ok(count)
    }

    fn demand(&self, state: &ConcreteState) -> Result<Demand, Reason> {
        let formula = |is_deadlocked| {
            self.interpreter
                .predicate_formula(state, self.predicate, is_deadlocked)
                .map_err(Reason::ModelError)
        };
        let when_deadlocked = match self.mentions_deadlock {
            true => Some((formula(true)?, Waiting::of(self.interpreter, state)?)),
            false => None,
        };
        Ok(Demand { when_moving: formula(false)?, when_deadlocked })
    }

    /// Returns all moves from the values of a zone.
    fn followed(
        &mut self,
        state: &ConcreteState,
        zone: &Zone,
        most_combinations: usize,
    ) -> Result<Vec<FollowedMove>, Reason> {
        let mut found = Vec::new();
        for (step, outcome) in moves(self.interpreter, state, zone, most_combinations, &mut self.watch)? {
            spend(&mut self.watch)?;
            let target = match outcome {
                Ok((successor, sources)) => self.target(successor, sources),
                Err(error) => Err(Reason::ModelError(error)),
            };
            found.push(FollowedMove { step, target });
        }
        Ok(found)
    }

    fn target(&self, state: ConcreteState, sources: Vec<From>) -> Result<MoveTarget, Reason> {
        let network = self.interpreter.network();
        let is_passed =
            network.processes.ids().any(|process| is_in(network, &state, process, LocationKind::Committed));
        let waiting = Waiting::of(self.interpreter, &state)?;
        Ok(MoveTarget { key: self.nodes.key_of(&state), state, sources, waiting, is_passed })
    }

    /// Checks that no value of a zone is bad.
    fn is_good(&mut self, demand: &Demand, followed: &[FollowedMove], zone: &Zone) -> Result<(), Reason> {
        let bad = self.bad;
        let is_always_good = |formula: &ClockFormula| *formula == ClockFormula::Constant(!bad);
        let Demand { when_moving, when_deadlocked } = demand;
        let steps = || followed.iter().map(|followed| &followed.step);
        let mut found = Vec::new();
        match when_deadlocked {
            Some((formula, waiting)) => {
                if !is_always_good(formula) {
                    let parts = deadlocked(waiting, steps(), zone, &mut self.watch)?;
                    found.extend(split(parts, formula, bad)?);
                }
                if !is_always_good(when_moving) {
                    let parts = not_deadlocked(waiting, steps(), zone, &mut self.watch)?;
                    found.extend(split(parts, when_moving, bad)?);
                }
            }
            None if is_always_good(when_moving) => {}
            None => found.extend(split(vec![zone.clone()], when_moving, bad)?),
        }
        if found.is_empty() { Ok(()) } else { Err(Reason::Bad) }
    }

    /// Checks that each transition from a zone leads into a node; returns their number.
    fn successors(
        &mut self,
        followed: &[FollowedMove],
        zone: &Zone,
        node: Option<usize>,
    ) -> Result<u64, Reason> {
        let mut count = 0;
        for FollowedMove { step, target } in followed {
            spend(&mut self.watch)?;
            let parts = step.values(zone)?;
            if parts.is_empty() {
                continue;
            }
            let target = target.as_ref().map_err(Reason::clone)?;
            for part in parts {
                if !self.is_covered(target, part.set(&target.sources), node)? {
                    return Err(Reason::SuccessorIsNotCovered(self.describe_step(&step.transition)));
                }
            }
            count += 1;
        }
        Ok(count)
    }

    /// Returns whether a state with some entry values and delays stays in a node, or is left at once.
    fn is_covered(&mut self, target: &MoveTarget, entry: Zone, node: Option<usize>) -> Result<bool, Reason> {
        let MoveTarget { key, state, waiting, is_passed, .. } = target;
        for zone in waiting.after_delay(self.interpreter, state, entry, &mut self.watch)? {
            if self.nodes.cover(key, &zone) {
                continue;
            }
            if !is_passed {
                return Ok(false);
            }
            self.committed.record(key, state, zone, node);
        }
        Ok(true)
    }

    fn describe_locations(&self, state: &ConcreteState) -> String {
        let network = self.interpreter.network();
        let places = network.processes.iter().zip(&state.locations).map(|((id, process), &location)| {
            format!("{}.{}", process.name, network.location_name(id, location))
        });
        format!("({})", places.collect::<Vec<_>>().join(", "))
    }

    fn describe_step(&self, transition: &Transition) -> String {
        let network = self.interpreter.network();
        let parts = transition.participants.iter().map(|part| {
            let process = &network.processes[part.process];
            let edge = &process.edges[part.edge];
            let target = edge.branches.get(part.branch).map_or(edge.source, |branch| branch.target);
            let name = |location| network.location_name(part.process, location);
            format!("{}: {} -> {}", process.name, name(edge.source), name(target))
        });
        let parts: Vec<String> = parts.collect();
        if parts.is_empty() {
            "a step without a process".to_owned()
        } else {
            format!("the step ({})", parts.join(", "))
        }
    }
}
