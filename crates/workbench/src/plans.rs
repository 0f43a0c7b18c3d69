//! Plans: questions that are answered by several tasks and a rule.
//!
//! Invariant: a lifted run was executed by the interpreter of the model. A verdict whose run cannot be lifted or executed is
//! withdrawn.

use tempora_certify::CheckedAnswer;
use tempora_evidence::{Budget, Evidence, Progress, Task, UnknownReason, Verdict};
use tempora_frontends::{LiftedRun, LoweredModel, LoweredRun, Plan};

use crate::check::{CheckOptions, check};

/// The answer to a question with a plan.
#[derive(Debug)]
pub struct PlanAnswer {
    /// The verdict of the rule.
    pub verdict: Verdict,
    /// The answers to the queries, by task.
    pub answers: Vec<Vec<CheckedAnswer>>,
    /// The runs of the model that the answers show; none for a model that is not lowered, whose runs are in the answers.
    pub runs: Vec<LiftedRun>,
}

/// Answers a question by its plan.
pub fn check_plan(
    plan: &Plan,
    model: Option<&dyn LoweredModel>,
    options: &CheckOptions,
    budget: &Budget,
    progress: &Progress,
) -> PlanAnswer {
    let answers: Vec<Vec<CheckedAnswer>> =
        plan.tasks.iter().map(|task| check(task, options, budget, progress)).collect();
    let verdicts: Vec<Verdict> =
        answers.iter().flatten().map(|answer| answer.answer().verdict.clone()).collect();
    let (mut verdict, mut runs) = ((plan.rule)(&verdicts), Vec::new());
    for (task, answer) in plan
        .tasks
        .iter()
        .zip(&answers)
        .flat_map(|(task, answers)| answers.iter().map(move |answer| (task, answer)))
    {
        let Some(model) = model else { break };
        match lifted_runs(model, plan, task, answer) {
            Ok(lifted) => runs.extend(lifted),
            Err(reason) => verdict = Verdict::Unknown(UnknownReason::EngineBug(reason)),
        }
    }
    PlanAnswer { verdict, answers, runs }
}

/// The runs of an answer as runs of the model, executed.
fn lifted_runs(
    model: &dyn LoweredModel,
    plan: &Plan,
    task: &Task,
    answer: &CheckedAnswer,
) -> Result<Vec<LiftedRun>, String> {
    let runs = answer.answer().evidence.iter().filter_map(|evidence| match evidence {
        Evidence::Trace(trace) => Some(LoweredRun::Network(trace)),
        Evidence::SymbolicTrace(trace) => Some(LoweredRun::Symbolic(trace)),
        _ => None,
    });
    runs.map(|run| {
        let lifted =
            model.lift(task, run).ok_or("no run of the model corresponds to the run that was found")?;
        model.execute(plan, &lifted)?;
        Ok(lifted)
    })
    .collect()
}
