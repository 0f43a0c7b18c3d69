//! Models that are neither networks nor symbolic systems. They are lowered to a system for the engines, whose runs are
//! lifted back for the user.
//!
//! Invariant: a lifted run is evidence only after the model's interpreter, which shares no code with the lowering, has
//! executed it.

use std::fmt::{self, Debug};
use std::sync::Arc;

use tempora_draw::ElementRef;
use tempora_evidence::{SymbolicTrace, System, Task, Trace, Verdict};
use tempora_source::{Diagnostics, FileId, Files, Origin, Origins, Symbols};

use crate::Document;

/// A model with a lowering.
pub trait LoweredModel: Debug + Send + Sync {
    /// Returns the system to which it is lowered.
    fn system(&self) -> &System;

    /// Returns the plans for the queries in the model.
    fn plans(&self) -> Vec<Plan>;

    /// Reads a query about the model; the query is a whole file.
    fn read_query(&self, files: &Files, origins: &mut Origins, file: FileId) -> (Option<Plan>, Diagnostics);

    /// Lifts a run of a task's system; `None` if no run of the model corresponds to it.
    fn lift(&self, task: &Task, run: LoweredRun<'_>) -> Option<LiftedRun>;

    /// Executes a run by the semantics of the model. Fails with a reason if the model has no such run, or if the run
    /// does not support the verdict.
    fn execute(&self, plan: &Plan, run: &LiftedRun) -> Result<(), String>;
}

/// A run of the system to which a model was lowered.
#[derive(Clone, Copy, Debug)]
pub enum LoweredRun<'run> {
    /// A run of a network.
    Network(&'run Trace),
    /// A run of a symbolic system.
    Symbolic(&'run SymbolicTrace),
}

/// A run of a model, in the terms of its language.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LiftedRun {
    /// The names of the model's parts that take transitions, such as regions.
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
    /// The transitions of participants.
    pub moves: Vec<LiftedMove>,
    /// The values after the step, by name.
    pub values: Vec<(String, String)>,
}

/// The transition of a participant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LiftedMove {
    /// The position of the participant in the run.
    pub participant: usize,
    /// The number of the transition in the model, in the order of the text.
    pub transition: usize,
    /// The location that it leaves.
    pub from: String,
    /// The location that it enters.
    pub to: String,
    /// The diagram element of the transition.
    pub element: Option<ElementRef>,
    /// The place of the transition in the text.
    pub origin: Option<Origin>,
}

/// A plan for a query: tasks for engines, and a rule that combines their verdicts.
#[derive(Clone)]
pub struct Plan {
    /// The query, as written.
    pub text: String,
    /// The place of the query.
    pub origin: Origin,
    /// The tasks.
    pub tasks: Vec<Task>,
    /// Computes the verdict of the query from those of the tasks, in their order.
    pub rule: Rule,
}

/// A function that combines verdicts.
pub type Rule = Arc<dyn Fn(&[Verdict]) -> Verdict + Send + Sync>;

impl Plan {
    /// Creates a plan with a single task.
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

/// Returns the conjunction of verdicts: violated if any is violated, else unknown if any is unknown. A single verdict
/// is returned unchanged.
pub fn all_hold(verdicts: &[Verdict]) -> Verdict {
    if let [only] = verdicts {
        return only.clone();
    }
    let failure = verdicts.iter().find(|verdict| **verdict == Verdict::Fails);
    let missing = || verdicts.iter().find(|verdict| **verdict != Verdict::Holds);
    failure.or_else(missing).cloned().unwrap_or(Verdict::Holds)
}

/// The result of reading a model with a lowering.
pub struct ReadModel {
    /// The model as written, including parts with errors.
    pub document: Arc<dyn Document>,
    /// The model, unless there are errors.
    pub model: Option<Arc<dyn LoweredModel>>,
    /// The names in the model.
    pub symbols: Symbols,
    /// The errors and warnings.
    pub diagnostics: Diagnostics,
}
