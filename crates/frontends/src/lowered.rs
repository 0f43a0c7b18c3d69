//! Models that are neither networks nor symbolic systems: engines see the system to which they are lowered, users the
//! runs that are lifted back.
//!
//! Invariant: a lifted run counts only after the interpreter of the model, which shares nothing with the lowering, has
//! executed it.

use std::fmt::{self, Debug};
use std::sync::Arc;

use tempora_draw::ElementRef;
use tempora_evidence::{SymbolicTrace, System, Task, Trace, Verdict};
use tempora_source::{Diagnostics, FileId, Files, Origin, Origins, Symbols};

use crate::Document;

/// A model with a lowering.
pub trait LoweredModel: Debug + Send + Sync {
    /// The system to which it is lowered.
    fn system(&self) -> &System;

    /// The questions that come with the model.
    fn plans(&self) -> Vec<Plan>;

    /// Reads a question about the model, which is all of a file.
    fn read_query(&self, files: &Files, origins: &mut Origins, file: FileId) -> (Option<Plan>, Diagnostics);

    /// Lifts a run of the system of a task; `None` if no run of the model corresponds to it.
    fn lift(&self, task: &Task, run: LoweredRun<'_>) -> Option<LiftedRun>;

    /// Executes a run by the semantics of the model. Fails with the reason if the model has no such run, or if
    /// the run does not show the verdict.
    fn execute(&self, plan: &Plan, run: &LiftedRun) -> Result<(), String>;
}

/// A run of a system to which a model was lowered.
#[derive(Clone, Copy, Debug)]
pub enum LoweredRun<'run> {
    /// A run of a network.
    Network(&'run Trace),
    /// A run of a symbolic system.
    Symbolic(&'run SymbolicTrace),
}

/// A run of a model, in the words of its language.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LiftedRun {
    /// The names of the parts of the model that move, such as regions.
    pub participants: Vec<String>,
    /// The location of each participant at the start.
    pub locations: Vec<String>,
    /// The values at the start, by name.
    pub initial: Vec<(String, String)>,
    /// The steps.
    pub steps: Vec<LiftedStep>,
}

/// A step of a run of a model.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LiftedStep {
    /// The moves of participants.
    pub moves: Vec<LiftedMove>,
    /// The values after the step, by name.
    pub values: Vec<(String, String)>,
}

/// The move of a participant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LiftedMove {
    /// The position of the participant in the run.
    pub participant: usize,
    /// The number of the transition among those of the model, in the order of the text.
    pub transition: usize,
    /// The location that it leaves.
    pub from: String,
    /// The location that it enters.
    pub to: String,
    /// The element of a diagram that moves.
    pub element: Option<ElementRef>,
    /// The place where the move is written.
    pub origin: Option<Origin>,
}

/// The way to answer a question: tasks for engines, and a rule that combines their verdicts.
#[derive(Clone)]
pub struct Plan {
    /// The question, as it was written.
    pub text: String,
    /// The place where it was written.
    pub origin: Origin,
    /// The tasks.
    pub tasks: Vec<Task>,
    /// The verdict of the question from those of all queries, in the order of the tasks.
    pub rule: Rule,
}

/// Combines verdicts.
pub type Rule = Arc<dyn Fn(&[Verdict]) -> Verdict + Send + Sync>;

impl Plan {
    /// A question that one query answers.
    pub fn of_query(task: Task, text: impl Into<String>, origin: Origin) -> Plan {
        Plan { text: text.into(), origin, tasks: vec![task], rule: Arc::new(all_hold) }
    }
}

impl Debug for Plan {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Plan { text, origin, tasks, .. } = self;
        let mut plan = formatter.debug_struct("Plan");
        plan.field("text", text).field("origin", origin).field("tasks", tasks).finish_non_exhaustive()
    }
}

/// The conjunction of verdicts: a failure decides, then a missing verdict. A single verdict is itself.
pub fn all_hold(verdicts: &[Verdict]) -> Verdict {
    if let [only] = verdicts {
        return only.clone();
    }
    let failure = verdicts.iter().find(|verdict| **verdict == Verdict::Fails);
    let missing = || verdicts.iter().find(|verdict| **verdict != Verdict::Holds);
    failure.or_else(missing).cloned().unwrap_or(Verdict::Holds)
}

/// A model with a lowering, as far as it could be read.
pub struct ReadModel {
    /// The model as it was written, also where it makes no sense.
    pub document: Arc<dyn Document>,
    /// The model, unless there are errors.
    pub model: Option<Arc<dyn LoweredModel>>,
    /// The names in the model.
    pub symbols: Symbols,
    /// The errors and warnings.
    pub diagnostics: Diagnostics,
}
