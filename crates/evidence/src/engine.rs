//! The one interface of all engines.
//!
//! Invariant: [`Engine::prepare`] compiles a task once and states its support for each query, in their order; [`Prepared::run`]
//! uses the compiled task.

use crate::{Answer, Budget, Progress, Task};

/// Whether an engine can answer a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Support {
    /// It answers, if the budget suffices.
    Decides,
    /// It may answer "unknown" however large the budget; this is why.
    MayDecide(String),
    /// It does not try; this is why.
    Declines(String),
}

/// Answers questions about systems.
///
/// Called once per task: the hot loops are inside of [`Prepared::run`].
pub trait Engine: Send + Sync {
    /// Its name, as users choose it.
    fn name(&self) -> &'static str;

    /// Compiles a task, and says which of its questions the engine can answer.
    fn prepare<'task>(&'task self, task: &'task Task) -> Prepared<'task>;

    /// Answers all questions of a task; those that it declines with [`crate::UnknownReason::Unsupported`].
    fn run(&self, task: &Task, budget: &Budget, progress: &Progress) -> Vec<Answer> {
        let all: Vec<usize> = (0..task.queries.len()).collect();
        self.prepare(task).run(&all, budget, progress)
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
    /// A task for which an engine has this support, query by query, and that it answers in this way.
    pub fn new(
        support: Vec<Support>,
        run: impl FnOnce(&[usize], &Budget, &Progress) -> Vec<Answer> + 'task,
    ) -> Prepared<'task> {
        Prepared { support, run: Box::new(run) }
    }

    /// A task of which an engine declines every query, for this reason.
    pub fn declined(engine: &'static str, task: &'task Task, why: &str) -> Prepared<'task> {
        let reason = why.to_owned();
        Prepared::new(vec![Support::Declines(why.to_owned()); task.queries.len()], move |queries, _, _| {
            let declined = |&query: &usize| {
                Answer::unsupported(engine, reason.clone(), Some(task.queries[query].origin))
            };
            queries.iter().map(declined).collect()
        })
    }

    /// Which of the questions the engine can answer.
    pub fn support(&self) -> &[Support] {
        &self.support
    }

    /// Answers the questions at these positions of the task, in this order.
    pub fn run(self, queries: &[usize], budget: &Budget, progress: &Progress) -> Vec<Answer> {
        (self.run)(queries, budget, progress)
    }
}
