//! Applies the engines of this crate to reachability queries about networks of timed automata.
//!
//! Invariant: a run of the system is lifted to the corresponding run of the network; unreachability is claimed only if
//! the model cannot fail either, because the behaviour after a failure is unknown.

use std::time::Instant;

use crate::{
    LoweredClaim, LoweredKind, LoweredMove, LoweredNetwork, LoweredTransition, NotLowered, lower_network,
};
use tempora_evidence::{
    Answer, Budget, Ending, Evidence, Lowering, Participation, Phase, Progress, Rational, Step, Support,
    SymbolicTrace, Trace, Transition, TransitionKind, UnknownReason, Verdict,
};
use tempora_model::{
    Expression, ExpressionKind, Formula, Id, LocationId, Network, PropertyId, Query, QueryKind,
};
use tempora_smt::Value;

use crate::answers::{self, PropertyResult};
use crate::properties::{PropertyEngine, answer_property};

/// Returns whether an engine that decides properties supports a query about a network.
pub(crate) fn support(query: &Query) -> Support {
    match predicate_of(query) {
        Ok(_) => {
            Support::MayDecide("some networks cannot be lowered, and the search may not terminate".to_owned())
        }
        Err(why) => Support::Declines(why),
    }
}

/// Answers a query about a network.
pub(crate) fn answer<E: PropertyEngine>(
    engine: &E,
    network: &Network,
    query: &Query,
    budget: &Budget,
    progress: &Progress,
) -> Answer {
    let start = Instant::now();
    let name = engine.engine_name();
    let value = match predicate_of(query) {
        Ok((_, value)) => value,
        Err(why) => return Answer::unsupported(name, why, Some(query.origin)),
    };
    let lowered = match NetworkLowering.lower(network, std::slice::from_ref(query), budget) {
        Ok(lowered) => lowered,
        Err(UnknownReason::Unsupported(why)) => {
            return Answer::unsupported(name, why, Some(query.origin));
        }
        Err(reason) => {
            return answers::answer(name, PropertyResult::Unknown(reason), progress, start.elapsed());
        }
    };
    let ask = |property: usize| {
        progress.enter(Phase::Exploring);
        let answer =
            answer_property(engine, &lowered.system, PropertyId::from_index(property), budget, progress);
        progress.enter(Phase::Finished);
        answer
    };
    let mut answer = ask(0);
    match answer.verdict {
        Verdict::Fails => {
            let run =
                answer.symbolic_trace().and_then(|trace| NetworkLowering.lift(network, &lowered, trace));
            answer.verdict = if value { Verdict::Fails } else { Verdict::Holds };
            answer.evidence = run.map(Evidence::Trace).into_iter().collect();
        }
        Verdict::Holds => {
            answer.verdict = if value { Verdict::Holds } else { Verdict::Fails };
            answer.evidence.clear();
            if !lowered.moves.contains(&LoweredMove::Failure) {
                return answer;
            }
            match ask(lowered.system.properties.len() - 1).verdict {
                Verdict::Holds => {}
                Verdict::Unknown(why) => answer.verdict = Verdict::Unknown(why),
                _ => {
                    let what = "the model can fail, and its behaviour after a failure is unknown".to_owned();
                    answer.verdict = Verdict::Unknown(UnknownReason::Unsupported(what));
                }
            }
        }
        _ => answer.evidence.clear(),
    }
    answer
}

/// Returns the predicate of a query, and the truth value required in all states.
fn predicate_of(query: &Query) -> Result<(&Expression, bool), String> {
    let (predicate, value): (&Expression, bool) = match &query.kind {
        QueryKind::Formula(Formula::Possibly(predicate)) => (predicate, false),
        QueryKind::Formula(Formula::Always(predicate)) => (predicate, true),
        _ => return Err("symbolic engines answer only `E<>` and `A[]` about networks".to_owned()),
    };
    if predicate.any(&mut |part| matches!(part.kind, ExpressionKind::Deadlock)) {
        return Err("symbolic engines do not support `deadlock`".to_owned());
    }
    Ok((predicate, value))
}

/// The lowering of networks to symbolic systems; each query about the network becomes a property, in their order.
pub struct NetworkLowering;

impl Lowering for NetworkLowering {
    type Model = Network;
    type Lowered = LoweredNetwork;
    type LoweredRun = SymbolicTrace;
    type Run = Trace;

    fn name(&self) -> &'static str {
        "network to symbolic system"
    }

    fn lower(
        &self,
        network: &Network,
        queries: &[Query],
        budget: &Budget,
    ) -> Result<LoweredNetwork, UnknownReason> {
        let claim = |query| {
            let (predicate, value) = predicate_of(query).map_err(UnknownReason::Unsupported)?;
            Ok(LoweredClaim { text: &query.text, predicate, value, origin: query.origin })
        };
        let claims = queries.iter().map(claim).collect::<Result<Vec<_>, UnknownReason>>()?;
        lowered(network, &claims, budget)
    }

    fn lift(&self, network: &Network, lowered: &LoweredNetwork, run: &SymbolicTrace) -> Option<Trace> {
        run_of(network, lowered, run)
    }
}

/// Lowers the network for some claims.
fn lowered(
    network: &Network,
    claims: &[LoweredClaim<'_>],
    budget: &Budget,
) -> Result<LoweredNetwork, UnknownReason> {
    let mut watch = budget.watch();
    let mut exhausted = None;
    let mut stop = || {
        exhausted = watch.check(0).err();
        exhausted.is_some()
    };
    let lowered = lower_network(network, claims, &mut stop);
    match (lowered, exhausted) {
        (Ok(lowered), _) => Ok(lowered),
        (Err(NotLowered::Declined { what, .. }), _) => {
            Err(UnknownReason::Unsupported(format!("symbolic engines do not support {what} in networks")))
        }
        (Err(NotLowered::Stopped), Some(exhausted)) => Err(exhausted.into()),
        (Err(NotLowered::Stopped), None) => Err(UnknownReason::Cancelled),
    }
}

/// Returns the run of the network that corresponds to a run of the system.
fn run_of(network: &Network, lowered: &LoweredNetwork, trace: &SymbolicTrace) -> Option<Trace> {
    let variables = &lowered.system.variables;
    let first_location =
        variables.values().position(|variable| variable.role == tempora_transition::VariableRole::Control)?;
    let initial = (0..network.processes.len())
        .map(|process| match trace.initial.get(first_location + process)? {
            Value::Integer(number) => Some(LocationId::from_index(usize::try_from(number.to_i64()?).ok()?)),
            _ => None,
        })
        .collect::<Option<Vec<LocationId>>>()?;
    let mut steps = Vec::new();
    let mut waited = Rational::from_integer(0);
    for step in &trace.steps {
        match lowered.moves.get(step.edge.index())? {
            LoweredMove::Delay => {
                let Some(Value::Real(amount)) = step.havocs.first() else { return None };
                let numerator = i64::try_from(amount.numer()).ok()?;
                waited += Rational::new(numerator, i64::try_from(amount.denom()).ok()?);
            }
            LoweredMove::Transition(taken) => {
                steps.push(Step { delay: waited, transition: transition_of(taken) });
                waited = Rational::from_integer(0);
            }
            LoweredMove::Failure => return None,
        }
    }
    Some(Trace { initial, steps, final_delay: waited, ending: Ending::Goal })
}

fn transition_of(taken: &LoweredTransition) -> Transition {
    let kind = match taken.kind {
        LoweredKind::Internal => TransitionKind::Internal,
        LoweredKind::Binary => TransitionKind::Binary,
        LoweredKind::Broadcast => TransitionKind::Broadcast,
    };
    let participants = taken
        .participants
        .iter()
        .map(|participant| Participation {
            process: participant.process,
            edge: participant.edge,
            branch: participant.branch,
            select_values: participant.select_values.clone(),
        })
        .collect();
    Transition { kind, participants }
}
