//! Plans: queries that are answered by several tasks and a rule that combines their verdicts.
//!
//! Invariant: the interpreter of the original model has executed every run that is shown. If a run cannot be lifted or
//! executed, the verdict is withdrawn.

use tempora_certify::{CheckedAnswer, ModelInterpreter, combine_answers};
use tempora_evidence::{Budget, Evidence, Progress, Task, Verdict};
use tempora_frontends::{LiftedRun, LoweredModel, LoweredRun, Plan};
use tempora_report::{
    ControlEdgeWord, EdgeRef, Participant, ParticipantIndex, ParticipantWord, ShownEnding, ShownLocation,
    ShownMove, ShownRun, ShownState, ShownStep, ShownValue, ShownVariable, Source, SourcePlace, StepEffect,
    StepKind,
};

use crate::check::{CheckOptions, check};

/// The answer of a plan.
#[derive(Debug)]
pub struct PlanAnswer {
    /// The combined answer.
    pub answer: CheckedAnswer,
    /// The answers to all queries of its tasks, in order.
    pub parts: Vec<CheckedAnswer>,
    /// The runs of the parts, lifted to the original model; empty for a model that is not lowered, whose runs are in
    /// the parts.
    pub runs: Vec<LiftedRun>,
}

/// Answers a query by its plan.
pub fn check_plan(
    plan: &Plan,
    model: Option<&dyn LoweredModel>,
    options: &CheckOptions,
    budget: &Budget,
    progress: &Progress,
) -> PlanAnswer {
    let mut tasks: Vec<&Task> = Vec::new();
    let mut parts: Vec<CheckedAnswer> = Vec::new();
    for task in &plan.tasks {
        let answers = check(task, options, budget, progress);
        tasks.extend(answers.iter().map(|_| task));
        parts.extend(answers);
    }
    let interpreter = model.map(|model| PlanInterpreter { model, plan, tasks: &tasks });
    let interpreted = interpreter.as_ref().map(|interpreter| interpreter as &dyn ModelInterpreter);
    let answer = combine_answers(&parts, &*plan.rule, interpreted);
    let has_verdict = !matches!(answer.answer().verdict, Verdict::Unknown(_));
    let runs = interpreter.iter().filter(|_| has_verdict).flat_map(|interpreter| {
        let evidence = parts.iter().enumerate();
        evidence.flat_map(move |(part, answer)| {
            answer.answer().evidence.iter().filter_map(move |run| interpreter.lift(part, run))
        })
    });
    PlanAnswer { runs: runs.collect(), answer, parts }
}

/// The interpreter of the original model for the parts of a plan.
struct PlanInterpreter<'plan> {
    model: &'plan dyn LoweredModel,
    plan: &'plan Plan,
    /// The task of each part.
    tasks: &'plan [&'plan Task],
}

impl PlanInterpreter<'_> {
    fn lift(&self, part: usize, run: &Evidence) -> Option<LiftedRun> {
        let run = match run {
            Evidence::Trace(trace) => LoweredRun::Network(trace),
            Evidence::SymbolicTrace(trace) => LoweredRun::Symbolic(trace),
            _ => return None,
        };
        self.model.lift(self.tasks.get(part)?, run)
    }
}

impl ModelInterpreter for PlanInterpreter<'_> {
    fn execute(&self, part: usize, run: &Evidence) -> Result<(), String> {
        let lifted =
            self.lift(part, run).ok_or("no run of the model corresponds to the run of the lowered system")?;
        self.model.execute(self.plan, &lifted)
    }
}

/// Converts a run of a lowered model to the form in which runs are shown.
pub(crate) fn shown_lifted_run(source: Source<'_>, run: &LiftedRun) -> ShownRun {
    let location = |name: &String| ShownLocation { index: 0, name: name.clone() };
    let value = |(_, value): &(String, String)| ShownValue::Literal(value.clone());
    let initial = ShownState {
        locations: run.locations.iter().map(location).collect(),
        values: run.initial.iter().map(value).collect(),
        clocks: Vec::new(),
    };
    let mut last = initial.clone();
    let mut steps = Vec::with_capacity(run.steps.len());
    for step in &run.steps {
        let values: Vec<ShownValue> = step.values.iter().map(value).collect();
        let effect = StepEffect::of_values(&last.values, &values);
        let moves = step.moves.iter().map(|one| ShownMove {
            edge: EdgeRef { participant: ParticipantIndex(one.participant), edge: one.transition, branch: 0 },
            from: location(&one.from),
            to: location(&one.to),
            synchronisation: None,
            selects: Vec::new(),
            is_branching: false,
            place: one.origin.and_then(|origin| SourcePlace::of(source, origin)),
        });
        let step = ShownStep {
            timing: None,
            kind: StepKind::Control(ControlEdgeWord::Step),
            moves: moves.collect(),
            message: None,
            effect: None,
        };
        last.take_step(&step, &effect);
        steps.push(ShownStep { effect: Some(effect), ..step });
    }
    let participant = |name: &String| Participant { kind: ParticipantWord::Region, name: name.clone() };
    let variable = |(name, _): &(String, String)| ShownVariable { name: name.clone(), is_meta: false };
    ShownRun {
        participants: run.participants.iter().map(participant).collect(),
        variables: run.initial.iter().map(variable).collect(),
        clocks: Vec::new(),
        initial,
        steps,
        final_delay: None,
        ending: ShownEnding::Goal,
        last,
    }
}
