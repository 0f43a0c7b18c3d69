//! Questions about symbolic systems: the engines, one line each, and how one is chosen.
//!
//! Invariant: there is one answer for each property, in their order, and each has been through the replaying interpreter.

use tempora_evidence::{Answer, Budget, Progress, SymbolicEngine, SymbolicTask, UnknownReason, Verdict};
use tempora_replay::CheckedAnswer;
use tempora_symbolic::ExplicitEngine;

use crate::UnknownEngine;

/// The names of all engines for symbolic systems, and what they do.
pub static SYMBOLIC_ENGINES: &[(&str, &str)] =
    &[("explicit", "goes through states one by one; needs no solver")];

/// Which engine is to answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SymbolicChoice {
    /// One after the other, until one answers.
    #[default]
    Automatic,
    /// This one of [`SYMBOLIC_ENGINES`], by position.
    Chosen(usize),
}

/// How properties are to be checked.
#[derive(Clone, Debug, Default)]
pub struct SymbolicOptions {
    /// By which engine.
    pub engine: SymbolicChoice,
}

/// The engine that a user asks for by name.
pub fn symbolic_engine_named(name: &str) -> Result<SymbolicChoice, UnknownEngine> {
    if name == "auto" {
        return Ok(SymbolicChoice::Automatic);
    }
    match SYMBOLIC_ENGINES.iter().position(|(own, _)| *own == name) {
        Some(position) => Ok(SymbolicChoice::Chosen(position)),
        None => Err(UnknownEngine { name: name.to_owned() }),
    }
}

fn engine(position: usize, _options: &SymbolicOptions) -> Box<dyn SymbolicEngine> {
    match SYMBOLIC_ENGINES[position].0 {
        _ => Box::new(ExplicitEngine::default()),
    }
}

/// Answers all properties of a task.
pub fn check_symbolic(
    task: &SymbolicTask,
    options: &SymbolicOptions,
    budget: &Budget,
    progress: &Progress,
) -> Vec<CheckedAnswer> {
    let answers: Vec<Answer> = match options.engine {
        SymbolicChoice::Chosen(position) => engine(position, options).run(task, budget, progress),
        SymbolicChoice::Automatic => engine(0, options).run(task, budget, progress),
    };
    answers
        .into_iter()
        .enumerate()
        .map(|(property, answer)| tempora_replay::check_symbolic(task, property, answer))
        .collect()
}

/// Whether another engine may know what this one does not.
#[expect(dead_code, reason = "used with the second engine")]
fn may_be_asked_again(answer: &Answer) -> bool {
    matches!(answer.verdict, Verdict::Unknown(UnknownReason::Unsupported(_) | UnknownReason::StateLimit))
}
