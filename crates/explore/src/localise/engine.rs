//! Showing that something never happens as an engine of its own.
//!
//! Invariant: `E<> p` is only ever said to fail, `A[] p` only ever to hold.

use tempora_evidence::{
    Answer, Budget, Caveat, Engine, Phase, Progress, Statistics, Support, Task, UnknownReason, Verdict,
};
use tempora_model::{Expression, ExpressionKind, Formula, Query, QueryKind};

use super::{never_happens, shown_on};

/// Shows on parts of the model that something never happens; it cannot show that something does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LocalEngine;

const NAME: &str = "local";

impl Engine for LocalEngine {
    fn name(&self) -> &'static str {
        NAME
    }

    fn supports(&self, task: &Task) -> Vec<Support> {
        let support = |query: &Query| match asked(query) {
            Some(_) => Support::MayDecide("it only shows that something never happens".to_owned()),
            None => Support::Declines(DECLINED.to_owned()),
        };
        task.queries.iter().map(support).collect()
    }

    fn run(&self, task: &Task, budget: &Budget, progress: &Progress) -> Vec<Answer> {
        progress.enter(Phase::Exploring);
        let answers = task.queries.iter().map(|query| answer(task, query, budget)).collect();
        progress.enter(Phase::Finished);
        answers
    }
}

const DECLINED: &str = "the local engine answers only `E<>` and `A[]`, without `deadlock`";

fn answer(task: &Task, query: &Query, budget: &Budget) -> Answer {
    let Some((predicate, wanted)) = asked(query) else {
        return Answer::unsupported(NAME, DECLINED.to_owned(), Some(query.origin));
    };
    let (verdict, caveats) = match never_happens(&task.network, predicate, wanted, budget, u64::MAX) {
        Some(shown) => {
            let verdict = if wanted { Verdict::Fails } else { Verdict::Holds };
            (verdict, vec![Caveat::Remark(shown_on(&shown.processes))])
        }
        None => {
            let why = "no part of the model that is smaller than the whole shows it".to_owned();
            (Verdict::Unknown(UnknownReason::OverApproximation(why)), Vec::new())
        }
    };
    let statistics = Statistics { elapsed: budget.elapsed(), ..Statistics::default() };
    Answer { verdict, evidence: Vec::new(), caveats, statistics, engine: NAME.to_owned() }
}

/// What would have to happen, and the truth value that it would have.
fn asked(query: &Query) -> Option<(&Expression, bool)> {
    let (predicate, wanted) = match &query.kind {
        QueryKind::Formula(Formula::Possibly(predicate)) => (predicate, true),
        QueryKind::Formula(Formula::Always(predicate)) => (predicate, false),
        _ => return None,
    };
    // That a part of the model is stuck says nothing about the whole.
    let is_about_deadlocks = predicate.any(&mut |part| matches!(part.kind, ExpressionKind::Deadlock));
    (!is_about_deadlocks).then_some((predicate, wanted))
}
