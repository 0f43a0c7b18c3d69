//! The registry of engines, one line each.
//!
//! Invariant: names are unique. The order is that of preference, when the user does not choose.

use std::fmt;

use tempora_baseline::SimpleEngine;
use tempora_evidence::{Engine, Support, SystemKind, Task};
use tempora_explore::{LocalEngine, RunPreference, SearchOrder, ZenoRuns, ZoneEngine};
use tempora_games::SpecificationEngine;
use tempora_symbolic::{
    BoundedEngine, CegarEngine, CegarOptions, ExplicitEngine, GraphObserver, SolverOptions,
};

use crate::check::not_answered;

/// All engines.
pub static ENGINES: &[EngineDescriptor] =
    &[ZONES, SIMPLE, LOCAL, SPECIFICATIONS, EXPLICIT, CEGAR, INDUCTION, BOUNDED];

/// An engine that users can choose.
pub struct EngineDescriptor {
    /// Its name.
    pub name: &'static str,
    /// A phrase about how it works, for lists.
    pub summary: &'static str,
    /// The kinds of system that it takes.
    pub systems: &'static [SystemKind],
    /// The options of the command line that mean something to it; with a value where no other engine knows that value.
    pub options: &'static [&'static str],
    /// Whether it asks a solver, which may take long, or may not be there.
    pub needs_solver: bool,
    /// Whether it is tried for networks when the user does not choose.
    pub is_automatic: bool,
    /// Whether its runs are those that the user prefers, the shortest or the fastest.
    pub prefers_runs: bool,
    /// Builds it with these settings.
    pub build: fn(&EngineSettings) -> Box<dyn Engine>,
}

/// The settings of all engines; each takes those that it knows.
#[derive(Clone, Debug, Default)]
pub struct EngineSettings {
    /// In which order states are explored.
    pub order: SearchOrder,
    /// Which runs are wanted as evidence.
    pub preference: RunPreference,
    /// Whether runs whose time converges count, where an engine has the choice.
    pub zeno: ZenoRuns,
    /// How questions about specifications are answered.
    pub specifications: SpecificationEngine,
    /// The solver, for the engines that need one.
    pub solver: SolverOptions,
    /// How the abstraction works.
    pub cegar: CegarOptions,
    /// Receives the abstraction after each iteration.
    pub observer: Option<GraphObserver>,
}

impl EngineSettings {
    /// The engine that refines abstractions.
    pub(crate) fn cegar(&self) -> CegarEngine {
        CegarEngine { options: self.cegar, solver: self.solver.clone(), observer: self.observer.clone() }
    }
}

const NETWORKS: &[SystemKind] = &[SystemKind::Network];
const SYMBOLIC: &[SystemKind] = &[SystemKind::Symbolic];
const BOTH: &[SystemKind] = &[SystemKind::Network, SystemKind::Symbolic];
const SOLVER_OPTIONS: &[&str] = &["--solver", "--dump-smt", "--seed"];

const ZONES: EngineDescriptor = EngineDescriptor {
    name: "zones",
    summary: "search over the zone graph",
    systems: NETWORKS,
    options: &["--search", "--seed", "--zeno"],
    needs_solver: false,
    is_automatic: true,
    prefers_runs: true,
    build: |settings| {
        let EngineSettings { order, preference, zeno, .. } = *settings;
        Box::new(ZoneEngine { order, preference, zeno })
    },
};

const SIMPLE: EngineDescriptor = EngineDescriptor {
    name: "simple",
    summary: "a deliberately simple search, to compare with",
    systems: NETWORKS,
    options: &[],
    needs_solver: false,
    is_automatic: true,
    prefers_runs: false,
    build: |_| Box::new(SimpleEngine),
};

// The local engine is a part of the zone engine already, and alone has nothing to say when it fails.
const LOCAL: EngineDescriptor = EngineDescriptor {
    name: "local",
    summary: "proofs on parts of the model",
    systems: NETWORKS,
    options: &[],
    needs_solver: false,
    is_automatic: false,
    prefers_runs: false,
    build: |_| Box::new(LocalEngine),
};

const SPECIFICATIONS: EngineDescriptor = EngineDescriptor {
    name: "specifications",
    summary: "games for timed input/output automata",
    systems: NETWORKS,
    options: &["--traces", "--input-completion"],
    needs_solver: false,
    is_automatic: true,
    prefers_runs: true,
    build: |settings| Box::new(settings.specifications),
};

const EXPLICIT: EngineDescriptor = EngineDescriptor {
    name: "explicit",
    summary: "goes through states one by one; needs no solver",
    systems: SYMBOLIC,
    options: &[],
    needs_solver: false,
    is_automatic: false,
    prefers_runs: false,
    build: |_| Box::new(ExplicitEngine::default()),
};

const CEGAR: EngineDescriptor = EngineDescriptor {
    name: "cegar",
    summary: "refines an abstraction",
    systems: BOTH,
    options: &[
        "--domain",
        "--refinement",
        "--predsplit",
        "--autoexpl",
        "--encoding",
        "--maxenum",
        "--initprec",
        "--prunestrategy",
        "--save-arg",
        "--search",
        "--search err",
        "--solver",
        "--dump-smt",
        "--seed",
    ],
    needs_solver: true,
    is_automatic: false,
    prefers_runs: false,
    build: |settings| Box::new(settings.cegar()),
};

const INDUCTION: EngineDescriptor = EngineDescriptor {
    name: "kinduction",
    summary: "proofs by induction over runs of growing length",
    systems: BOTH,
    options: SOLVER_OPTIONS,
    needs_solver: true,
    is_automatic: false,
    prefers_runs: false,
    build: |settings| {
        Box::new(BoundedEngine { induction: true, longest: None, solver: settings.solver.clone() })
    },
};

const BOUNDED: EngineDescriptor = EngineDescriptor {
    name: "bmc",
    summary: "runs of growing length",
    systems: BOTH,
    options: SOLVER_OPTIONS,
    needs_solver: true,
    is_automatic: false,
    prefers_runs: false,
    build: |settings| {
        Box::new(BoundedEngine { induction: false, longest: None, solver: settings.solver.clone() })
    },
};

impl EngineDescriptor {
    /// Whether it takes systems of a kind.
    pub fn takes(&self, kind: SystemKind) -> bool {
        self.systems.contains(&kind)
    }

    /// Whether an option means something to it.
    pub fn has_option(&self, option: &str) -> bool {
        self.options.contains(&option)
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
