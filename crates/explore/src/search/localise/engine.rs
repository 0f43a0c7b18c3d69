//! The local engine: proves on a part of the model that states are unreachable, or that `p --> q` holds.
//!
//! Invariant: the only verdicts are that `E<> p` fails and that `A[] p` or `p --> q` holds.

use tempora_evidence::{
    Answer, Budget, Caveat, Engine, Phase, Prepared, Progress, Statistics, Support, System, Task,
    UnknownReason, Verdict,
};
use tempora_model::{Expression, ExpressionKind, Formula, Network, Query, QueryKind};

use super::{never_happens, proof_note};
use crate::graph::waiting::SearchOrder;
use crate::liveness::branching::{self, FROM_ANY_VALUES, SearchParameters, ZenoRuns, holds_from_any_values};
use crate::search::engine::{RunPreference, compiled};

/// Proves on parts of the model that states are unreachable, and that `p --> q` holds from all clock values. It cannot
/// refute either.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LocalEngine;

const NAME: &str = "local";

impl Engine for LocalEngine {
    fn name(&self) -> &'static str {
        NAME
    }

    fn prepare<'task>(&'task self, task: &'task Task) -> Prepared<'task> {
        let System::Network(network) = &task.system else {
            return Prepared::declined(NAME, task, "the local engine only supports networks");
        };
        let supports: Vec<Support> = task.queries.iter().map(|query| support(network, query)).collect();
        Prepared::new(supports.clone(), move |queries, budget, progress| {
            progress.enter(Phase::Exploring);
            let answer = |&position: &usize| {
                let query = &task.queries[position];
                match &supports[position] {
                    Support::Declines(why) => Answer::unsupported(NAME, why.clone(), Some(query.origin)),
                    _ => answer(network, query, budget, progress),
                }
            };
            let answers = queries.iter().map(answer).collect();
            progress.enter(Phase::Finished);
            answers
        })
    }
}

fn support(network: &Network, query: &Query) -> Support {
    match local_query(query) {
        Some(LocalQuery::LeadsTo(formula)) => {
            let prepared =
                compiled(network).and_then(|_| branching::prepared(network, formula, ZenoRuns::Count));
            match prepared {
                Ok(_) => Support::MayDecide("it can prove the property but not refute it".to_owned()),
                Err(why) => Support::Declines(why),
            }
        }
        Some(LocalQuery::State(..)) => {
            Support::MayDecide("it can prove states unreachable, but not find them".to_owned())
        }
        None => Support::Declines(DECLINED.to_owned()),
    }
}

const DECLINED: &str = "the local engine answers only `E<>`, `A[]` and `-->`, without `deadlock`";

fn answer(network: &Network, query: &Query, budget: &Budget, progress: &Progress) -> Answer {
    let (verdict, caveats) = match local_query(query) {
        None => return Answer::unsupported(NAME, DECLINED.to_owned(), Some(query.origin)),
        Some(LocalQuery::LeadsTo(formula)) => {
            let (zeno, order, preference) =
                (ZenoRuns::Count, SearchOrder::default(), RunPreference::default());
            let parameters = SearchParameters { zeno, order, preference, budget, progress };
            if holds_from_any_values(network, formula, parameters) {
                (Verdict::Holds, vec![Caveat::Remark(FROM_ANY_VALUES.to_owned())])
            } else {
                let why = "the property does not hold from all clock values".to_owned();
                (Verdict::Unknown(UnknownReason::OverApproximation(why)), Vec::new())
            }
        }
        Some(LocalQuery::State(predicate, wanted)) => {
            match never_happens(network, predicate, wanted, budget, u64::MAX) {
                Some(shown) => {
                    let verdict = if wanted { Verdict::Fails } else { Verdict::Holds };
                    (verdict, vec![Caveat::Remark(proof_note(&shown.processes))])
                }
                None => {
                    let why = "no proper part of the model suffices for a proof".to_owned();
                    (Verdict::Unknown(UnknownReason::OverApproximation(why)), Vec::new())
                }
            }
        }
    };
    let statistics = Statistics { elapsed: budget.elapsed(), ..Statistics::default() };
    Answer { verdict, evidence: Vec::new(), caveats, statistics, engine: NAME.to_owned() }
}

/// A query that the engine may decide.
enum LocalQuery<'query> {
    /// Bad states: a predicate and the truth value it has there.
    State(&'query Expression, bool),
    LeadsTo(&'query Formula),
}

fn local_query(query: &Query) -> Option<LocalQuery<'_>> {
    let (predicate, wanted) = match &query.kind {
        QueryKind::Formula(formula @ Formula::LeadsTo { .. }) => return Some(LocalQuery::LeadsTo(formula)),
        QueryKind::Formula(Formula::Possibly(predicate)) => (predicate, true),
        QueryKind::Formula(Formula::Always(predicate)) => (predicate, false),
        _ => return None,
    };
    // A deadlock in a part of the model implies nothing about the whole.
    let is_about_deadlocks = predicate.any(&mut |part| matches!(part.kind, ExpressionKind::Deadlock));
    (!is_about_deadlocks).then_some(LocalQuery::State(predicate, wanted))
}
