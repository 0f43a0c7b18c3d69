//! Questions to checked answers.
//!
//! Invariant: there is one answer for each query, in their order, and each has been through the replaying interpreter.

use tempora_evidence::{Answer, Budget, Progress, Task};
use tempora_explore::{RunPreference, SearchOrder, ZenoRuns};
use tempora_games::SpecificationEngine;
use tempora_replay::CheckedAnswer;

use crate::engines::{ENGINES, EngineChoice, choose, run_in_order};

/// How queries are to be answered.
#[derive(Clone, Copy, Debug, Default)]
pub struct CheckOptions {
    /// By which engine.
    pub engine: EngineChoice,
    /// Which runs are wanted as evidence.
    pub preference: RunPreference,
    /// Whether runs whose time converges count, where an engine has the choice.
    pub zeno: ZenoRuns,
    /// How questions about specifications are answered.
    pub specifications: SpecificationEngine,
}

/// Answers all queries of a task.
pub fn check(task: &Task, options: CheckOptions, budget: &Budget, progress: &Progress) -> Vec<CheckedAnswer> {
    check_in_order(task, options, SearchOrder::default(), budget, progress)
}

/// Answers all queries of a task; engines that search do so in the given order, if they have a choice.
pub fn check_in_order(
    task: &Task,
    options: CheckOptions,
    order: SearchOrder,
    budget: &Budget,
    progress: &Progress,
) -> Vec<CheckedAnswer> {
    let chosen = choose(task, options.engine);
    let mut answers: Vec<Option<Answer>> = vec![None; task.queries.len()];
    for position in 0..ENGINES.len() {
        let queries: Vec<usize> = (0..chosen.len()).filter(|&query| chosen[query] == Ok(position)).collect();
        if queries.is_empty() {
            continue;
        }
        // Queries that go to the same engine go there together, so that they can share an exploration.
        let part = Task {
            network: task.network.clone(),
            queries: queries.iter().map(|&query| task.queries[query].clone()).collect(),
        };
        let found = run_in_order(position, order, options, &part, budget, progress);
        for (query, answer) in queries.into_iter().zip(found) {
            answers[query] = Some(answer);
        }
    }
    let answers = answers.into_iter().zip(chosen).enumerate();
    answers
        .map(|(query, (answer, chosen))| {
            let answer = answer.unwrap_or_else(|| {
                let why = chosen.err().unwrap_or_else(|| "the engine gave no answer".to_owned());
                Answer::unsupported("none", why, Some(task.queries[query].origin))
            });
            tempora_replay::check(task, query, answer, budget)
        })
        .collect()
}
