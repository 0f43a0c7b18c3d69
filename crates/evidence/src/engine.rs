//! The interface of all engines.
//!
//! Invariant: [`Engine::prepare`] compiles a task once and states its support for each query, in their order;
//! [`Prepared::run`] uses the compiled task.

use crate::{Answer, Budget, Exhausted, Progress, Statistics, Task, Verdict};

/// Whether an engine supports a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Support {
    /// It decides the query, given enough budget.
    Decides,
    /// It may answer "unknown" whatever the budget, for this reason.
    MayDecide(String),
    /// It declines the query, for this reason.
    Declines(String),
}

/// A decision procedure for queries about systems.
///
/// The methods are called once per task: the hot loops are inside of [`Prepared::run`].
pub trait Engine: Send + Sync {
    /// Returns its name, as users select it.
    fn name(&self) -> &'static str;

    /// Compiles a task and determines which of its queries the engine supports.
    fn prepare<'task>(&'task self, task: &'task Task) -> Prepared<'task>;

    /// Answers all queries of a task; declined ones with [`crate::UnknownReason::Unsupported`].
    fn run(&self, task: &Task, budget: &Budget, progress: &Progress) -> Vec<Answer> {
        let all: Vec<usize> = (0..task.queries.len()).collect();
        self.prepare(task).run(&all, budget, progress)
    }
}

/// Compiles a task within a budget. If the budget is exhausted first, the prepared task answers every query with the
/// reason.
pub fn prepare_within<'task>(
    engine: &'task dyn Engine,
    task: &'task Task,
    budget: &Budget,
) -> Prepared<'task> {
    let stopped = match budget.interruptible(|| engine.prepare(task)) {
        Ok(prepared) => return prepared,
        Err(stopped) => stopped,
    };
    let name = engine.name();
    Prepared::new(vec![Support::Decides; task.queries.len()], move |queries, budget, progress| {
        queries.iter().map(|_| stopped_answer(name, stopped, budget, progress)).collect()
    })
}

/// Answers the queries at these positions of a task. If the engine is interrupted, all answers are unknown.
pub fn run_within(
    engine: &str,
    prepared: Prepared<'_>,
    queries: &[usize],
    budget: &Budget,
    progress: &Progress,
) -> Vec<Answer> {
    budget.interruptible(|| prepared.run(queries, budget, progress)).unwrap_or_else(|stopped| {
        queries.iter().map(|_| stopped_answer(engine, stopped, budget, progress)).collect()
    })
}

/// Returns the answer of an engine that was interrupted.
fn stopped_answer(engine: &str, stopped: Exhausted, budget: &Budget, progress: &Progress) -> Answer {
    Answer {
        verdict: Verdict::Unknown(stopped.into()),
        evidence: Vec::new(),
        caveats: Vec::new(),
        statistics: Statistics { elapsed: budget.elapsed(), ..progress.snapshot() },
        engine: engine.to_owned(),
    }
}

/// A task that an engine has compiled.
pub struct Prepared<'task> {
    support: Vec<Support>,
    run: Box<RunQueries<'task>>,
}

/// Answers the queries at some positions of a task, one answer for each.
type RunQueries<'task> = dyn FnOnce(&[usize], &Budget, &Progress) -> Vec<Answer> + 'task;

impl<'task> Prepared<'task> {
    /// Creates a compiled task from the support for each query and the function that answers them.
    pub fn new(
        support: Vec<Support>,
        run: impl FnOnce(&[usize], &Budget, &Progress) -> Vec<Answer> + 'task,
    ) -> Prepared<'task> {
        Prepared { support, run: Box::new(run) }
    }

    /// Creates a task whose queries the engine all declines, for this reason.
    pub fn declined(engine: &'static str, task: &'task Task, why: &str) -> Prepared<'task> {
        let reason = why.to_owned();
        Prepared::new(vec![Support::Declines(why.to_owned()); task.queries.len()], move |queries, _, _| {
            let declined = |&query: &usize| {
                Answer::unsupported(engine, reason.clone(), Some(task.queries[query].origin))
            };
            queries.iter().map(declined).collect()
        })
    }

    /// Returns the support for each query.
    pub fn support(&self) -> &[Support] {
        &self.support
    }

    /// Answers the queries at these positions of the task, in this order.
    pub fn run(self, queries: &[usize], budget: &Budget, progress: &Progress) -> Vec<Answer> {
        (self.run)(queries, budget, progress)
    }
}
