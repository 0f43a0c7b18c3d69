//! The engines, one line each.
//!
//! Invariant: names are unique; the order is that of preference, when the user does not choose.

use tempora_evidence::{Answer, Budget, Caveat, Engine, Progress, Support, Task};
use tempora_explore::{LocalEngine, RunPreference, SearchOrder, ZenoRuns, ZoneEngine};
use tempora_games::{InputCompletion, SpecificationEngine};
use tempora_model::QueryKind;
use tempora_symbolic::NetworkEngine;

use crate::check::CheckOptions;
use tempora_baseline::SimpleEngine;

/// All engines.
pub static ENGINES: &[&'static (dyn Engine + Send + Sync)] = &[
    &ZONE_ENGINE,
    &SimpleEngine,
    &LocalEngine,
    &SPECIFICATION_ENGINE,
    &NetworkEngine::Cegar,
    &NetworkEngine::Induction,
    &NetworkEngine::Bounded,
];

static ZONE_ENGINE: ZoneEngine =
    ZoneEngine { order: SearchOrder::Adaptive, preference: RunPreference::Any, zeno: ZenoRuns::Count };

static SPECIFICATION_ENGINE: SpecificationEngine =
    SpecificationEngine { completion: InputCompletion::Ignore, most_runs: 1 };

/// Which engine is to answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EngineChoice {
    /// The first that can.
    #[default]
    Automatic,
    /// This one of [`ENGINES`], by position.
    Chosen(usize),
}

/// There is no engine of this name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownEngine {
    /// What was asked for.
    pub name: String,
}

/// The engine that a user asks for by name.
pub fn engine_named(name: &str) -> Result<EngineChoice, UnknownEngine> {
    if name == "auto" {
        return Ok(EngineChoice::Automatic);
    }
    match ENGINES.iter().position(|engine| engine.name() == name) {
        Some(position) => Ok(EngineChoice::Chosen(position)),
        None => Err(UnknownEngine { name: name.to_owned() }),
    }
}

/// Has an engine answer all queries of a task, in a given order of search if it has a choice.
pub(crate) fn run_in_order(
    position: usize,
    order: SearchOrder,
    options: CheckOptions,
    task: &Task,
    budget: &Budget,
    progress: &Progress,
) -> Vec<Answer> {
    let CheckOptions { preference, zeno, .. } = options;
    if ENGINES[position].name() == ZONE_ENGINE.name() {
        return ZoneEngine { order, preference, zeno }.run(task, budget, progress);
    }
    if ENGINES[position].name() == SPECIFICATION_ENGINE.name() {
        return options.specifications.run(task, budget, progress);
    }
    let mut answers = ENGINES[position].run(task, budget, progress);
    for answer in &mut answers {
        if preference != RunPreference::Any && answer.trace().is_some() {
            let what = if preference == RunPreference::LeastTime { "fastest" } else { "shortest" };
            answer.caveats.push(Caveat::Remark(format!(
                "the run may not be the {what}: the engine does not look for that"
            )));
        }
    }
    answers
}

/// For each query the engine that is to answer it, or why none does.
pub(crate) fn choose(task: &Task, choice: EngineChoice) -> Vec<Result<usize, String>> {
    if let Some(omission) = task.network.omissions.first() {
        let why = format!("the model has something that no engine understands: {}", omission.construct);
        return vec![Err(why); task.queries.len()];
    }
    let mut answers = choose_by_support(task, choice);
    for (query, answer) in task.queries.iter().zip(&mut answers) {
        if let QueryKind::Declined(declined) = &query.kind {
            *answer = Err(format!("no engine answers questions about {}", declined.family));
        }
    }
    answers
}

/// Which engines answer a query, and why the others do not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuerySupport {
    /// The names of those that do.
    pub engines: Vec<&'static str>,
    /// What stands in the way of the others, or of all.
    pub reasons: Vec<String>,
}

/// For each query, who answers it.
pub fn support_of(task: &Task) -> Vec<QuerySupport> {
    let automatic = choose(task, EngineChoice::Automatic);
    let supports: Vec<Vec<Support>> = ENGINES.iter().map(|engine| engine.supports(task)).collect();
    automatic
        .into_iter()
        .enumerate()
        .map(|(query, choice)| match choice {
            Err(why) => QuerySupport { engines: Vec::new(), reasons: vec![why] },
            Ok(_) => {
                let mut support = QuerySupport::default();
                for (engine, supports) in ENGINES.iter().zip(&supports) {
                    match &supports[query] {
                        Support::Declines(why) => support.reasons.push(why.clone()),
                        _ => support.engines.push(engine.name()),
                    }
                }
                support
            }
        })
        .collect()
}

fn choose_by_support(task: &Task, choice: EngineChoice) -> Vec<Result<usize, String>> {
    let candidates: Vec<usize> = match choice {
        // The local engine is a part of the zone engine already, and alone has nothing to say when it fails.
        EngineChoice::Automatic => (0..ENGINES.len())
            .filter(|&position| {
                ENGINES[position].name() != LocalEngine.name() && !ENGINES[position].needs_solver()
            })
            .collect(),
        EngineChoice::Chosen(position) => vec![position],
    };
    let mut chosen: Vec<Option<usize>> = vec![None; task.queries.len()];
    let mut fallback: Vec<Option<usize>> = vec![None; task.queries.len()];
    let mut reasons: Vec<Vec<String>> = vec![Vec::new(); task.queries.len()];
    for position in candidates {
        for (query, support) in ENGINES[position].supports(task).into_iter().enumerate() {
            match support {
                Support::Decides => chosen[query] = chosen[query].or(Some(position)),
                Support::MayDecide(_) => fallback[query] = fallback[query].or(Some(position)),
                Support::Declines(why) => reasons[query].push(why),
            }
        }
    }
    chosen
        .into_iter()
        .zip(fallback)
        .zip(reasons)
        .map(|((chosen, fallback), reasons)| {
            chosen.or(fallback).ok_or_else(|| reasons.into_iter().next().unwrap_or_default())
        })
        .collect()
}
