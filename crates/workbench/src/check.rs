//! Answers queries: chooses engines, runs them, and checks their answers.
//!
//! Invariant: there is one checked answer per query, in the order of the queries. Each engine prepares a task at most
//! once.

use tempora_certify::CheckedAnswer;
use tempora_evidence::{
    Answer, Budget, Caveat, Engine, Prepared, Progress, Support, System, SystemKind, Task, UnknownReason,
    Verdict, prepare_within, run_within,
};
use tempora_explore::RunPreference;
use tempora_model::{Query, QueryKind};
use tempora_transition::SymbolicSystem;

use crate::engines::{EngineChoice, EngineDescriptor, EngineSettings, engines_for};
use crate::strategy::{automatic_sequence, may_be_retried};

/// Options of a check.
#[derive(Clone, Debug, Default)]
pub struct CheckOptions {
    /// The engine.
    pub engine: EngineChoice,
    /// The settings of the engines.
    pub settings: EngineSettings,
}

impl CheckOptions {
    /// Returns the default options with this engine.
    pub fn with_engine(engine: EngineChoice) -> CheckOptions {
        CheckOptions { engine, ..CheckOptions::default() }
    }
}

/// Answers all queries of a task.
pub fn check(
    task: &Task,
    options: &CheckOptions,
    budget: &Budget,
    progress: &Progress,
) -> Vec<CheckedAnswer> {
    check_each(task, options, budget, progress, &mut |_, _| {})
}

/// Answers all queries of a task, and passes each checked answer to `found` at once, with the number of its query.
pub(crate) fn check_each(
    task: &Task,
    options: &CheckOptions,
    budget: &Budget,
    progress: &Progress,
    found: &mut dyn FnMut(usize, &CheckedAnswer),
) -> Vec<CheckedAnswer> {
    let mut checked: Vec<Option<CheckedAnswer>> = task.queries.iter().map(|_| None).collect();
    let mut answered = |query: usize, answer: Answer| {
        let answer = tempora_certify::check_answer(task, query, answer, budget);
        found(query, &answer);
        checked[query] = Some(answer);
    };
    match &task.system {
        System::Network(_) => answer_network_queries(task, options, budget, progress, &mut answered),
        System::Symbolic(system) => {
            answer_in_sequence(task, system, options, budget, progress, &mut answered);
        }
    }
    checked.into_iter().flatten().collect()
}

/// Returns why no engine at all supports a query.
pub(crate) fn not_answered(task: &Task, query: &Query) -> Option<String> {
    if let Some(omission) = task.system.network().and_then(|network| network.omissions.first()) {
        return Some(format!("no engine supports a construct of the model: {}", omission.construct));
    }
    match &query.kind {
        QueryKind::Declined(declined) => {
            Some(format!("no engine supports queries about {}", declined.family))
        }
        _ => None,
    }
}

/// Answers each query by the first engine that decides it, or else by the first that may decide it.
fn answer_network_queries(
    task: &Task,
    options: &CheckOptions,
    budget: &Budget,
    progress: &Progress,
    answered: &mut dyn FnMut(usize, Answer),
) {
    let candidates: Vec<&EngineDescriptor> = match options.engine {
        EngineChoice::Automatic => {
            engines_for(SystemKind::Network).filter(|engine| engine.is_automatic).collect()
        }
        EngineChoice::Chosen(engine) => vec![engine],
    };
    let engines: Vec<Box<dyn Engine>> =
        candidates.iter().map(|engine| (engine.build)(&options.settings)).collect();
    let mut choices: Vec<Choice> =
        task.queries.iter().map(|query| Choice::new(not_answered(task, query))).collect();
    let mut prepared: Vec<Option<Prepared<'_>>> = Vec::with_capacity(engines.len());
    for (position, engine) in engines.iter().enumerate() {
        if choices.iter().all(|choice| choice.is_final) {
            break;
        }
        let preparation = prepare_within(&**engine, task, budget);
        for (choice, support) in choices.iter_mut().zip(preparation.support()) {
            choice.consider(position, support);
        }
        prepared.push(Some(preparation));
    }
    let mut is_open = vec![true; task.queries.len()];
    for (position, engine) in prepared.iter_mut().enumerate() {
        let chosen = |&query: &usize| choices[query].engine == Some(position);
        let queries: Vec<usize> = (0..choices.len()).filter(chosen).collect();
        let Some(engine) = engine.take().filter(|_| !queries.is_empty()) else { continue };
        // Queries for the same engine are answered together, so that they can share an exploration.
        let found = run_within(candidates[position].name, engine, &queries, budget, progress);
        for (query, mut answer) in queries.into_iter().zip(found) {
            remark_on_preference(candidates[position], options.settings.preference, &mut answer);
            is_open[query] = false;
            answered(query, answer);
        }
    }
    for (query, choice) in choices.into_iter().enumerate().filter(|(query, _)| is_open[*query]) {
        let origin = task.queries[query].origin;
        answered(query, Answer::unsupported("none", choice.reason(), Some(origin)));
    }
}

/// The choice of an engine for a query, while engines are considered.
struct Choice {
    /// Whether no further engine has to be considered.
    is_final: bool,
    engine: Option<usize>,
    /// The reason of the first engine that declines it.
    declined: Option<String>,
}

impl Choice {
    /// Returns an open choice, or a final one if no engine supports the query for the given reason.
    fn new(declined: Option<String>) -> Choice {
        Choice { is_final: declined.is_some(), engine: None, declined }
    }

    fn consider(&mut self, engine: usize, support: &Support) {
        match support {
            _ if self.is_final => {}
            Support::Decides => (self.is_final, self.engine) = (true, Some(engine)),
            Support::MayDecide(_) => self.engine = self.engine.or(Some(engine)),
            Support::Declines(why) => {
                self.declined.get_or_insert_with(|| why.clone());
            }
        }
    }

    fn reason(self) -> String {
        self.declined.unwrap_or_else(|| "the engine gave no answer".to_owned())
    }
}

fn remark_on_preference(engine: &EngineDescriptor, preference: RunPreference, answer: &mut Answer) {
    if !engine.prefers_runs && preference != RunPreference::Any && answer.trace().is_some() {
        let what = if preference == RunPreference::LeastTime { "fastest" } else { "shortest" };
        let remark = format!("the run may not be the {what}: the engine does not optimise runs");
        answer.caveats.push(Caveat::Remark(remark));
    }
}

/// Runs engines in sequence on each query until one has a final answer.
fn answer_in_sequence(
    task: &Task,
    system: &SymbolicSystem,
    options: &CheckOptions,
    budget: &Budget,
    progress: &Progress,
    answered: &mut dyn FnMut(usize, Answer),
) {
    let engines = match options.engine {
        EngineChoice::Chosen(engine) => vec![(engine.build)(&options.settings)],
        EngineChoice::Automatic => automatic_sequence(&options.settings, system),
    };
    for query in 0..task.queries.len() {
        let mut known: Option<Answer> = None;
        for engine in &engines {
            // The reason of the last engine is the most informative.
            let prepared = prepare_within(&**engine, task, budget);
            let answer = run_within(engine.name(), prepared, &[query], budget, progress).into_iter().next();
            let is_final = answer.as_ref().is_some_and(|answer| !may_be_retried(answer));
            known = answer.or(known);
            if is_final {
                break;
            }
        }
        let mut answer = known.unwrap_or_else(|| Answer::unsupported("none", "no engine answered", None));
        if let (Verdict::Unknown(reason), Err(missing)) = (&answer.verdict, options.settings.solver.find())
            && !matches!(reason, UnknownReason::Unsupported(_))
            && matches!(options.engine, EngineChoice::Automatic)
        {
            // Mention that a solver would have enabled more engines.
            answer.caveats.push(Caveat::Remark(format!("{}; {}", missing.message, missing.hint)));
        }
        answered(query, answer);
    }
}
