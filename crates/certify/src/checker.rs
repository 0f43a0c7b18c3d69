//! The check: the start is covered, no transition leads out, nothing is bad.
//!
//! Invariant: a certificate is accepted only if each initial state, after any delay, is in a node; each transition from
//! each state of each node, after any delay, leads into a node; and no state of a node is bad. So by induction over the
//! length of runs all states that can be reached are in nodes. A committed state that is in no node is checked like one when it is met.
//! Whatever is not known is refused. A certificate about a part of the network is checked on a network in which the rest may do
//! anything, see [`part`].

use tempora_evidence::{Budget, BudgetWatch, Certificate, Evidence, Transition, Verdict};
use tempora_model::{
    Expression, ExpressionKind, Formula, LocationKind, Network, Query, QueryKind, Type, VariableKind,
};
use tempora_replay::{CheckedAnswer, ConcreteState, Interpreter};

use crate::deadlock::by_deadlock;
use crate::delay::after_delay;
use crate::formula::{sources, split};
use crate::nodes::Nodes;
use crate::part;
use crate::passing::Passing;
use crate::refusal::{Reason, Refusal};
use crate::transitions::{PossibleStep, is_in, spend, steps};
use crate::zone::Zone;

/// What was checked of a certificate that is accepted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Accepted {
    /// How many nodes it has.
    pub nodes: usize,
    /// How many committed states were met that are in no node.
    pub passed: usize,
    /// How many transitions of nodes were followed.
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
    let weakened = match &certificate.part {
        Some(part) => Some(part::weakened(network, part, predicate).map_err(Refusal::whole)?),
        None => None,
    };
    let network = weakened.as_ref().unwrap_or(network);
    if let Some(what) = unknown_construct(network) {
        return Err(Refusal::whole(Reason::Unsupported(what)));
    }
    let interpreter = Interpreter::new(network);
    let mut watch = budget.watch();
    let nodes = Nodes::new(network, certificate, &mut watch)?;
    let mut check = Check {
        interpreter: &interpreter,
        nodes: &nodes,
        passing: Passing::default(),
        predicate,
        bad,
        watch,
    };
    check.start().map_err(Refusal::whole)?;
    let mut transitions = check.passing().map_err(Refusal::whole)?;
    for node in 0..nodes.len() {
        let Some(zone) = nodes.zone(node) else { continue };
        let at = |reason| Refusal::at(node, reason);
        transitions += check.state(&nodes.state(node), &zone).map_err(at)?;
        transitions += check.passing().map_err(at)?;
    }
    Ok(Accepted { nodes: nodes.len(), passed: check.passing.count(), transitions })
}

/// Checks a certificate for an answer, and if it is accepted makes it a certified one.
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
        let why = "the certificate shows another verdict than the answer has".to_owned();
        return Err(Box::new((answer, Refusal::whole(Reason::OtherQuestion(why)))));
    }
    match verify(network, query, &certificate, budget) {
        Ok(accepted) => Ok((answer.certified(Evidence::Certificate(certificate)), accepted)),
        Err(refusal) => Err(Box::new((answer, refusal))),
    }
}

/// The predicate of a query, and the truth value that it must not have.
fn bad_states(query: &Query) -> Option<(&Expression, bool)> {
    match &query.kind {
        QueryKind::Formula(Formula::Always(predicate)) => Some((predicate, false)),
        QueryKind::Formula(Formula::Possibly(predicate)) => Some((predicate, true)),
        _ => None,
    }
}

/// Something in a network that the checker does not know.
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

struct Check<'check> {
    interpreter: &'check Interpreter<'check>,
    nodes: &'check Nodes<'check>,
    passing: Passing,
    predicate: &'check Expression,
    /// The truth value that the predicate must not have.
    bad: bool,
    watch: BudgetWatch<'check>,
}

impl Check<'_> {
    /// Each initial state is in a node, after any delay.
    fn start(&mut self) -> Result<(), Reason> {
        for locations in self.interpreter.initial_choices() {
            spend(&mut self.watch)?;
            let state = self.interpreter.state_at_start(locations);
            let invariant = self.interpreter.invariant_formula(&state).map_err(Reason::ModelError)?;
            for entry in split(vec![Zone::zero(self.nodes.clock_count())], &invariant, true)? {
                if !self.is_covered(&state, entry)? {
                    return Err(Reason::StartIsNotCovered(self.describe_locations(&state)));
                }
            }
        }
        Ok(())
    }

    /// Nothing here is bad, and nothing leads out; how many transitions there are.
    fn state(&mut self, state: &ConcreteState, zone: &Zone) -> Result<u64, Reason> {
        self.is_good(state, zone)?;
        self.successors(state, zone)
    }

    /// The same of what was met in passing, and of what that leads to.
    fn passing(&mut self) -> Result<u64, Reason> {
        let mut count = 0;
        while let Some((state, zone)) = self.passing.next() {
            spend(&mut self.watch)?;
            count += self.state(&state, &zone)?;
        }
        Ok(count)
    }

    /// No state of a node is bad.
    fn is_good(&mut self, state: &ConcreteState, zone: &Zone) -> Result<(), Reason> {
        let (predicate, bad) = (self.predicate, self.bad);
        let mentions_deadlock = predicate.any(&mut |part| matches!(part.kind, ExpressionKind::Deadlock));
        let (deadlocked, moving) = match mentions_deadlock {
            true => by_deadlock(self.interpreter, state, zone, &mut self.watch)?,
            false => (Vec::new(), vec![zone.clone()]),
        };
        for (is_deadlocked, parts) in [(true, deadlocked), (false, moving)] {
            let formula = self
                .interpreter
                .predicate_formula(state, predicate, is_deadlocked)
                .map_err(Reason::ModelError)?;
            if !split(parts, &formula, bad)?.is_empty() {
                return Err(Reason::Bad);
            }
        }
        Ok(())
    }

    /// Each transition from a node leads into one; how many there are.
    fn successors(&mut self, state: &ConcreteState, zone: &Zone) -> Result<u64, Reason> {
        let mut count = 0;
        for PossibleStep { transition, outcome, zones, .. } in
            steps(self.interpreter, state, zone, &mut self.watch)?
        {
            let (successor, origins) = outcome.map_err(Reason::ModelError)?;
            let sources = sources(&origins)?;
            for part in zones {
                if !self.is_covered(&successor, part.set(&sources))? {
                    return Err(Reason::SuccessorIsNotCovered(self.describe_step(&transition)));
                }
            }
            count += 1;
        }
        Ok(count)
    }

    /// Whether a state that is entered with some values, and waits there, stays in a node, or is passed at once.
    fn is_covered(&mut self, state: &ConcreteState, entry: Zone) -> Result<bool, Reason> {
        let network = self.interpreter.network();
        let is_passed =
            network.processes.ids().any(|process| is_in(network, state, process, LocationKind::Committed));
        for zone in after_delay(self.interpreter, state, entry, &mut self.watch)? {
            if self.nodes.cover(state, &zone) {
                continue;
            }
            if !is_passed {
                return Ok(false);
            }
            self.passing.meet(self.nodes.key_of(state), state, &zone);
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
            "a step of no process".to_owned()
        } else {
            format!("the step ({})", parts.join(", "))
        }
    }
}
