//! The registry of engines, one file and one line each.
//!
//! Invariant: names are unique. The order is that of preference, when the user does not choose.

mod solver;

use std::fmt;

use tempora_evidence::{Engine, Support, SystemKind, Task};
use tempora_explore::{RunPreference, SearchOrder, ZenoRuns};
use tempora_games::SpecificationEngine;
use tempora_symbolic::{GraphObserver, GraphSearch, SolverOptions};

use crate::check::not_answered;
use crate::engine_options::{EngineOption, GivenOptions, OptionFault};

pub(crate) use cegar::SAVE_ARG;
pub(crate) use solver::configured_solver;

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

/// An engine that users can choose.
pub struct EngineDescriptor {
    /// Its name.
    pub name: &'static str,
    /// A phrase about how it works, for lists.
    pub summary: &'static str,
    /// The kinds of system that it takes.
    pub systems: &'static [SystemKind],
    /// Its own options.
    pub options: &'static [&'static EngineOption],
    /// The search orders that it knows.
    pub search: SearchSupport,
    /// Whether it asks a solver, which may take long, or may not be there.
    pub needs_solver: bool,
    /// Whether it is tried for networks when the user does not choose.
    pub is_automatic: bool,
    /// Whether its runs are those that the user prefers, the shortest or the fastest.
    pub prefers_runs: bool,
    /// Why options of it do not go together; for an engine that can find fault with some.
    pub refuses: Option<fn(&GivenOptions) -> Option<OptionFault>>,
    /// Builds it with these settings.
    pub build: fn(&EngineSettings) -> Box<dyn Engine>,
}

/// The search orders that an engine knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchSupport {
    /// Its own only.
    Fixed,
    /// Those of searches over states: breadth first, depth first, random.
    States,
    /// Those of searches over abstract graphs: breadth first, depth first, nearest to the error first.
    Graph,
}

/// The settings of all engines; each takes those that it knows.
#[derive(Clone, Debug, Default)]
pub struct EngineSettings {
    /// In which order states are explored.
    pub order: SearchOrder,
    /// In which order abstract graphs are explored.
    pub graph_search: GraphSearch,
    /// Which runs are wanted as evidence.
    pub preference: RunPreference,
    /// Whether runs whose time converges count, where an engine has the choice.
    pub zeno: ZenoRuns,
    /// How questions about specifications are answered.
    pub specifications: SpecificationEngine,
    /// The solver, for the engines that need one.
    pub solver: SolverOptions,
    /// The engines' own options.
    pub given: GivenOptions,
    /// Receives the abstraction after each iteration.
    pub observer: Option<GraphObserver>,
}

impl EngineDescriptor {
    /// Whether it takes systems of a kind.
    pub fn takes(&self, kind: SystemKind) -> bool {
        self.systems.contains(&kind)
    }

    /// Whether an option means something to it.
    pub fn has_option(&self, option: &EngineOption) -> bool {
        self.options.iter().any(|own| own.name == option.name)
    }
}

impl fmt::Debug for EngineDescriptor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name)
    }
}

/// Which engine is to answer.
#[derive(Clone, Copy, Debug, Default)]
pub enum EngineChoice {
    /// The first that can; for symbolic systems one after the other, until one answers.
    #[default]
    Automatic,
    /// This one.
    Chosen(&'static EngineDescriptor),
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
    match ENGINES.iter().find(|engine| engine.name == name) {
        Some(engine) => Ok(EngineChoice::Chosen(engine)),
        None => Err(UnknownEngine { name: name.to_owned() }),
    }
}

/// The options of all engines, each once.
pub fn engine_options() -> Vec<&'static EngineOption> {
    let is_first = |(number, option): &(usize, &'static EngineOption)| {
        let mut before = ENGINES.iter().flat_map(|engine| engine.options).take(*number);
        !before.any(|other| other.name == option.name)
    };
    let all = ENGINES.iter().flat_map(|engine| engine.options).copied().enumerate();
    all.filter(is_first).map(|(_, option)| option).collect()
}

/// The engines that take systems of a kind.
pub fn engines_for(kind: SystemKind) -> impl Iterator<Item = &'static EngineDescriptor> {
    ENGINES.iter().filter(move |engine| engine.takes(kind))
}

/// Which engines answer a query, and why the others do not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuerySupport {
    /// The names of those that do.
    pub engines: Vec<&'static str>,
    /// What stands in the way of the others, or of all.
    pub reasons: Vec<String>,
}

/// For each query, the engines that answer it.
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
