//! The registry of engines.
//!
//! Invariant: names are unique. Automatic choice prefers engines in the order of the registry.

mod solver;

use std::fmt;

use tempora_evidence::{Engine, Support, SystemKind, Task};
use tempora_explore::{RunPreference, SearchOrder, ZenoRuns};
use tempora_games::SpecificationEngine;
use tempora_symbolic::{GraphObserver, GraphSearch, SolverOptions};

use crate::check::not_answered;
use crate::engine_options::{EngineOption, GivenOptions, OptionFault};

pub(crate) use cegar::SAVE_ARG;
pub(crate) use solver::{DUMP_SMT, configured_solver};

/// Declares the modules of engines, and lists their descriptors.
macro_rules! engines {
    ($($module:ident),* $(,)?) => {
        $(mod $module;)*

        /// All engines.
        pub static ENGINES: &[EngineDescriptor] = &[$($module::ENGINE),*];
    };
}

engines! {
    zones,
    simple,
    local,
    specifications,
    explicit,
    cegar,
    kinduction,
    bmc,
}

/// A selectable engine.
pub struct EngineDescriptor {
    /// Its name.
    pub name: &'static str,
    /// A short description of its method, for lists.
    pub summary: &'static str,
    /// The kinds of system that it supports.
    pub systems: &'static [SystemKind],
    /// All options that it reads.
    pub options: &'static [&'static EngineOption],
    /// The search orders that it supports.
    pub search: SearchSupport,
    /// Whether it needs an SMT solver, which may be slow or missing.
    pub needs_solver: bool,
    /// Whether automatic choice considers it for networks.
    pub is_automatic: bool,
    /// Whether it honours the preference for the shortest or the fastest run.
    pub prefers_runs: bool,
    /// Returns why options contradict each other; `None` for an engine that accepts all combinations.
    pub refuses: Option<fn(&GivenOptions) -> Option<OptionFault>>,
    /// Builds the engine with these settings.
    pub build: fn(&EngineSettings) -> Box<dyn Engine>,
}

/// The search orders that an engine supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchSupport {
    /// Its own only.
    Fixed,
    /// Orders of a search over states: breadth first, depth first, random.
    States,
    /// Orders of a search over abstract graphs: breadth first, depth first, nearest to the error first.
    Graph,
}

/// The settings of all engines; each engine reads those that concern it.
#[derive(Clone, Debug, Default)]
pub struct EngineSettings {
    /// The order in which states are explored.
    pub order: SearchOrder,
    /// The order in which abstract graphs are explored.
    pub graph_search: GraphSearch,
    /// The preferred runs of evidence.
    pub preference: RunPreference,
    /// Whether Zeno runs count, for engines that support both.
    pub zeno: ZenoRuns,
    /// The settings for queries about specifications.
    pub specifications: SpecificationEngine,
    /// The solver, for engines that need one.
    pub solver: SolverOptions,
    /// Options that engines declare themselves.
    pub given: GivenOptions,
    /// Receives the abstraction after each iteration.
    pub observer: Option<GraphObserver>,
}

impl EngineDescriptor {
    /// Returns whether it supports systems of this kind.
    pub fn takes(&self, kind: SystemKind) -> bool {
        self.systems.contains(&kind)
    }

    /// Returns whether it reads an option.
    pub fn has_option(&self, option: &EngineOption) -> bool {
        self.options.iter().any(|own| own.name == option.name)
    }
}

impl fmt::Debug for EngineDescriptor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)
    }
}

/// The engine that answers a query.
#[derive(Clone, Copy, Debug, Default)]
pub enum EngineChoice {
    /// For networks, the first that supports the query; for symbolic systems, a sequence of engines until one has a
    /// verdict.
    #[default]
    Automatic,
    /// This one.
    Chosen(&'static EngineDescriptor),
}

/// The error for an unknown engine name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownEngine {
    /// The unknown name.
    pub name: String,
}

/// Returns the engine with this name; `auto` selects automatic choice.
pub fn engine_named(name: &str) -> Result<EngineChoice, UnknownEngine> {
    if name == "auto" {
        return Ok(EngineChoice::Automatic);
    }
    match ENGINES.iter().find(|engine| engine.name == name) {
        Some(engine) => Ok(EngineChoice::Chosen(engine)),
        None => Err(UnknownEngine { name: name.to_owned() }),
    }
}

/// Returns the options of all engines, each once.
pub fn engine_options() -> Vec<&'static EngineOption> {
    let is_first = |(number, option): &(usize, &'static EngineOption)| {
        let mut before = ENGINES.iter().flat_map(|engine| engine.options).take(*number);
        !before.any(|other| other.name == option.name)
    };
    let all = ENGINES.iter().flat_map(|engine| engine.options).copied().enumerate();
    all.filter(is_first).map(|(_, option)| option).collect()
}

/// Returns the engines that support systems of this kind.
pub fn engines_for(kind: SystemKind) -> impl Iterator<Item = &'static EngineDescriptor> {
    ENGINES.iter().filter(move |engine| engine.takes(kind))
}

/// The engines that support a query, and why the others decline it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuerySupport {
    /// The names of the engines that support it.
    pub engines: Vec<&'static str>,
    /// The reasons of the others, or one reason that holds for all.
    pub reasons: Vec<String>,
}

/// Returns the engines that support each query of a task.
pub fn support_of(task: &Task) -> Vec<QuerySupport> {
    let settings = EngineSettings::default();
    let engines = engines_for(task.system.kind());
    let engines: Vec<(&EngineDescriptor, Box<dyn Engine>)> =
        engines.map(|engine| (engine, (engine.build)(&settings))).collect();
    let supports: Vec<(&EngineDescriptor, Vec<Support>)> =
        engines.iter().map(|(engine, built)| (*engine, built.prepare(task).support().to_vec())).collect();
    let is_declined_by_all = |query: usize| {
        let mut automatic = supports.iter().filter(|(engine, _)| engine.is_automatic).peekable();
        automatic.peek().is_some()
            && automatic.all(|(_, supports)| matches!(supports[query], Support::Declines(_)))
    };
    let of_query = |query: usize| {
        if let Some(why) = not_answered(task, &task.queries[query]) {
            return QuerySupport { engines: Vec::new(), reasons: vec![why] };
        }
        let mut support = QuerySupport::default();
        for (engine, supports) in &supports {
            match &supports[query] {
                Support::Declines(why) => support.reasons.push(why.clone()),
                _ => support.engines.push(engine.name),
            }
        }
        if is_declined_by_all(query) {
            support.engines.clear();
            support.reasons.truncate(1);
        }
        support
    };
    (0..task.queries.len()).map(of_query).collect()
}
