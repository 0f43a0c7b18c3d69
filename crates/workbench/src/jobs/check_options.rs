//! Validates the options of a check and translates them to engine settings.
//!
//! Invariant: options that do not fit the model, the queries or each other are refused before any engine runs.

use tempora_evidence::{SystemKind, Task};
use tempora_model::QueryKind;
use tempora_source::Diagnostic;

use super::CheckRequest;
use super::check_files::refused_formats;
use super::job_thread::no_network;
use crate::check::CheckOptions;
use crate::codes::{MISPLACED_OPTION, NO_QUERY, NO_SOLVER, UNKNOWN_ENGINE};
use crate::engine_options::{GivenOptions, OptionFault, OptionSubject};
use crate::engines::{
    ENGINES, EngineChoice, EngineDescriptor, EngineSettings, SearchSupport, configured_solver, engine_named,
    engine_options,
};
use crate::loading::Loaded;
use crate::{GraphSearch, InputCompletion, RunPreference, SearchOrder, SpecificationEngine};

/// The order in which states are explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum SearchChoice {
    /// Breadth first, until that wastes much work.
    #[default]
    Auto,
    /// Breadth first.
    Bfs,
    /// Depth first.
    Dfs,
    /// Random order, determined by the seed.
    Random,
    /// States closest to an observation of the property first; only for abstract graphs.
    Err,
}

impl SearchChoice {
    /// Returns the order of a search over states.
    pub fn order(self, seed: u64) -> SearchOrder {
        match self {
            SearchChoice::Auto | SearchChoice::Err => SearchOrder::Adaptive,
            SearchChoice::Bfs => SearchOrder::BreadthFirst,
            SearchChoice::Dfs => SearchOrder::DepthFirst,
            SearchChoice::Random => SearchOrder::Random(seed),
        }
    }
}

impl CheckRequest {
    /// Returns the engine of the request.
    pub(super) fn engine_choice(&self) -> Result<EngineChoice, Diagnostic> {
        engine_named(&self.engine).map_err(|_| {
            let names: Vec<&str> = ENGINES.iter().map(|engine| engine.name).collect();
            Diagnostic::error(&UNKNOWN_ENGINE, format!("unknown engine `{}`", self.engine))
                .with_hint(format!("use one of auto, {}", names.join(", ")))
        })
    }

    /// Returns an error if options do not fit a model whose system is of this kind.
    pub(super) fn refused_for_model(
        &self,
        loaded: &Loaded,
        engine: EngineChoice,
        kind: SystemKind,
    ) -> Option<Diagnostic> {
        if self.proof.is_some()
            && let Some(diagnostic) = no_network(loaded)
        {
            return Some(diagnostic);
        }
        if kind == SystemKind::Network
            && let Some(diagnostic) = refused_formats(&self.run_formats, kind)
        {
            return Some(diagnostic);
        }
        let supports_err =
            matches!(engine, EngineChoice::Chosen(engine) if engine.search == SearchSupport::Graph);
        if kind == SystemKind::Network && self.search == SearchChoice::Err && !supports_err {
            let message = "search order `err` needs a symbolic system or the engine cegar";
            let diagnostic = Diagnostic::error(&MISPLACED_OPTION, message);
            return Some(diagnostic.with_hint("use auto, bfs, dfs or random"));
        }
        let models = match kind {
            SystemKind::Network => "networks",
            SystemKind::Symbolic => "symbolic systems",
        };
        match engine {
            EngineChoice::Chosen(engine) if !engine.takes(kind) => {
                let message = format!("engine `{}` does not support {models}", engine.name);
                let diagnostic = Diagnostic::error(&UNKNOWN_ENGINE, message);
                Some(diagnostic.with_hint("remove --engine, or use auto"))
            }
            _ => None,
        }
    }

    /// Returns an error if options do not fit a task.
    pub(super) fn refused_for_task(&self, task: &Task) -> Option<Diagnostic> {
        match task.system.kind() {
            SystemKind::Symbolic => self.refused_for_properties(task),
            SystemKind::Network => self.refused_for_queries(task),
        }
    }

    fn refused_for_properties(&self, task: &Task) -> Option<Diagnostic> {
        if task.queries.is_empty() {
            return Some(Diagnostic::error(&NO_QUERY, "no property to check").with_hint(
                "pass a file with a property to --property, or add one with --query, such as --query 'x < 5'",
            ));
        }
        if self.preference == RunPreference::LeastTime {
            let diagnostic = Diagnostic::error(&MISPLACED_OPTION, "--trace fastest needs a timed model");
            return Some(diagnostic.with_hint("remove it, or use --trace shortest"));
        }
        refused_formats(&self.run_formats, SystemKind::Symbolic)
    }

    fn refused_for_queries(&self, task: &Task) -> Option<Diagnostic> {
        if task.queries.is_empty() {
            let diagnostic = Diagnostic::error(&NO_QUERY, "no query to answer");
            return Some(diagnostic.with_hint("add one with --query, such as --query 'E<> P.Location'"));
        }
        let has_specification_options = self.most_runs != 1 || self.completion != InputCompletion::Ignore;
        let mut kinds = task.queries.iter().map(|query| &query.kind);
        if has_specification_options && !kinds.any(|kind| matches!(kind, QueryKind::Specification { .. })) {
            let message = "--traces and --input-completion need a query about specifications";
            let hint = "remove them, or add such a query with --query 'refinement: S <= T'";
            return Some(Diagnostic::error(&NO_QUERY, message).with_hint(hint));
        }
        None
    }

    /// Returns the options of the check, or an error if the options of the request contradict each other.
    pub(super) fn check_options(
        &self,
        engine: EngineChoice,
        kind: SystemKind,
    ) -> Result<CheckOptions, Diagnostic> {
        let given = GivenOptions::read(&self.options, &engine_options())?;
        let mut settings = EngineSettings {
            order: self.search.order(self.seed),
            preference: self.preference,
            zeno: self.zeno,
            specifications: SpecificationEngine { completion: self.completion, most_runs: self.most_runs },
            ..EngineSettings::default()
        };
        let refused = |(message, hint): (String, &str)| {
            Err(Diagnostic::error(&MISPLACED_OPTION, message).with_hint(hint))
        };
        let uses_solver = match (kind, engine) {
            (SystemKind::Symbolic, EngineChoice::Automatic) => has_solver_option(&given),
            (SystemKind::Symbolic, EngineChoice::Chosen(engine)) => {
                if let Some(why) = refused_by(engine, &given, self.search) {
                    return refused(why);
                }
                engine.needs_solver
            }
            (SystemKind::Network, _) => {
                if let Some(why) = refused_for_networks(engine, &given) {
                    return refused(why);
                }
                match engine {
                    EngineChoice::Chosen(engine) if engine.needs_solver => has_solver_option(&given),
                    _ => return Ok(CheckOptions { engine, settings }),
                }
            }
        };
        settings.graph_search = match self.search {
            SearchChoice::Auto | SearchChoice::Bfs => GraphSearch::BreadthFirst,
            SearchChoice::Dfs => GraphSearch::DepthFirst,
            SearchChoice::Err => GraphSearch::NearestToError,
            // Engines for networks without search orders ignore them.
            SearchChoice::Random if kind == SystemKind::Network && !has_order(engine) => {
                GraphSearch::BreadthFirst
            }
            SearchChoice::Random => {
                let message = "--search random does not support symbolic systems".to_owned();
                return refused((message, "use --search auto, bfs, dfs or err"));
            }
        };
        let asked = ENGINES.iter().filter(|candidate| match engine {
            EngineChoice::Automatic => true,
            EngineChoice::Chosen(engine) => engine.name == candidate.name,
        });
        for candidate in asked {
            if let Some(why) = candidate.refuses.and_then(|refuses| refuses(&given)) {
                return refused(why);
            }
        }
        settings.solver = configured_solver(&given, self.seed);
        settings.given = given;
        if uses_solver && let Err(missing) = settings.solver.find() {
            return Err(Diagnostic::error(&NO_SOLVER, missing.message).with_hint(missing.hint));
        }
        Ok(CheckOptions { engine, settings })
    }
}

/// Returns why the engines for networks refuse options, if they do.
fn refused_for_networks(engine: EngineChoice, given: &GivenOptions) -> Option<OptionFault> {
    let about = |subject| given.about(subject);
    let refused: Vec<String> = about(OptionSubject::Abstraction)
        .chain(about(OptionSubject::Solver))
        .filter(|option| !matches!(engine, EngineChoice::Chosen(engine) if engine.has_option(option)))
        .map(|option| format!("--{}", option.name))
        .collect();
    (!refused.is_empty()).then(|| {
        let message = format!("{} needs a symbolic system", refused.join(", "));
        (message, "remove it; for networks, the variable TEMPORA_SOLVER sets the solver")
    })
}

/// Returns why an engine for symbolic systems refuses options, if it does.
fn refused_by(engine: &EngineDescriptor, given: &GivenOptions, search: SearchChoice) -> Option<OptionFault> {
    let name = engine.name;
    let mut about_abstractions = given.about(OptionSubject::Abstraction);
    if let Some(first) = about_abstractions.find(|option| !engine.has_option(option)) {
        let message =
            format!("--{} configures an abstraction, but engine `{name}` does not use one", first.name);
        return Some((message, "use --engine cegar, or remove it"));
    }
    if matches!(search, SearchChoice::Dfs | SearchChoice::Err) && engine.search == SearchSupport::Fixed {
        let message =
            format!("engine `{name}` always examines short runs first and does not support --search");
        return Some((message, "use --engine cegar, or remove --search"));
    }
    let mut about_solvers = given.about(OptionSubject::Solver);
    let first = about_solvers.find(|option| !engine.has_option(option))?;
    Some((format!("--{} configures a solver, but engine `{name}` does not use one", first.name), "remove it"))
}

fn has_solver_option(given: &GivenOptions) -> bool {
    configured_solver(given, 0).program.is_some()
}

fn has_order(engine: EngineChoice) -> bool {
    matches!(engine, EngineChoice::Chosen(engine) if engine.search != SearchSupport::Fixed)
}
