//! A deliberately simple engine: breadth-first search over one list of states with zones.
//!
//! Invariant: zones are exact and closed under delay; a state is dropped only if a stored one covers it with respect to
//! the largest constants of the whole network (`a_M`), which preserves reachability for networks without diagonal
//! constraints. The engine declines everything else by name.
//!
//! It provides a complete path from a file to a replayed trace, and a baseline for faster engines. It evaluates
//! expressions as trees, copies states freely and visits all edges of all processes.

mod bounds;
mod layout;
mod predicate;
mod search;
mod state;
mod step;
mod trace;

use tempora_evidence::{Answer, Engine, Phase, Prepared, Support, System, Task};
use tempora_model::{Expression, Formula, Network, Query, QueryKind};

use bounds::largest_constants;
use search::{Goal, search};

/// The simple engine.
pub struct SimpleEngine;

impl Engine for SimpleEngine {
    fn name(&self) -> &'static str {
        "simple"
    }

    fn prepare<'task>(&'task self, task: &'task Task) -> Prepared<'task> {
        let System::Network(network) = &task.system else {
            return Prepared::declined(self.name(), task, "the simple engine only supports networks");
        };
        let supports: Vec<Support> = task.queries.iter().map(|query| support(network, query)).collect();
        Prepared::new(supports.clone(), move |queries, budget, progress| {
            progress.enter(Phase::Preparing);
            let answer = |&position: &usize| {
                let query = &task.queries[position];
                match (&supports[position], goal(query)) {
                    (Support::Declines(why), _) => {
                        Answer::unsupported(self.name(), why.clone(), Some(query.origin))
                    }
                    (_, Some(goal)) => search(network, &goal, budget, progress),
                    (_, None) => Answer::unsupported(self.name(), "this kind of query", Some(query.origin)),
                }
            };
            let answers = queries.iter().map(answer).collect();
            progress.enter(Phase::Finished);
            answers
        })
    }
}

/// Returns the goal of the query, if the engine supports it.
fn goal(query: &Query) -> Option<Goal<'_>> {
    match &query.kind {
        QueryKind::Formula(Formula::Possibly(predicate)) => Some(Goal { predicate, wanted: true }),
        QueryKind::Formula(Formula::Always(predicate)) => Some(Goal { predicate, wanted: false }),
        _ => None,
    }
}

fn support(network: &Network, query: &Query) -> Support {
    let Some(goal) = goal(query) else {
        return Support::Declines("the simple engine supports only `E<> p` and `A[] p`".to_owned());
    };
    if mentions_deadlock(goal.predicate) {
        return Support::Declines("the simple engine does not support `deadlock`".to_owned());
    }
    if network.channel_priorities.is_some() || network.processes.values().any(|process| process.priority != 0)
    {
        return Support::Declines("the simple engine does not support priorities".to_owned());
    }
    match largest_constants(network, goal.predicate) {
        Ok(_) => Support::Decides,
        Err(why) => Support::Declines(why),
    }
}

fn mentions_deadlock(expression: &Expression) -> bool {
    let mut found = false;
    expression.for_each(&mut |part| {
        found |= matches!(part.kind, tempora_model::ExpressionKind::Deadlock);
    });
    found
}
