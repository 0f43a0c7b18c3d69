//! The application: sessions over a workspace, jobs, loading of models, registries, choice of engines.
//!
//! A [`Session`] opens models and runs [`jobs`] on them. [`check`] chooses an engine for each query, runs it, and
//! checks every answer with the reference interpreter, which shares no code with the engines; only checked answers can
//! be shown.
//!
//! The crate knows all languages and engines, but no terminal and no protocol.

mod abstract_graphs;
mod certificates;
mod check;
pub mod codes;
mod components;
mod engine_options;
mod engines;
mod invariants;
pub mod jobs;
mod lint;
mod lint_components;
mod loading;
mod plans;
mod proof;
mod queries;
mod run_marks;
mod session;
mod specifications;
mod strategy;
mod summary;
mod workspace;

pub use abstract_graphs::diagram_of_graph;
pub use certificates::{accepted_certificate, verify_certificate, with_certificates};
pub use check::{CheckOptions, check};
pub use components::named_component;
pub use engine_options::{EngineOption, GivenOptions, OptionFault, OptionSubject, OptionValue, OptionValues};
pub use engines::{
    ENGINES, EngineChoice, EngineDescriptor, EngineSettings, QuerySupport, SearchSupport, UnknownEngine,
    engine_named, engine_options, engines_for, support_of,
};
pub use invariants::accepted_invariant;
pub use lint::{LintOptions, Linted};
pub use loading::{LoadOptions, Loaded, load, load_project, load_with};
pub use plans::{PlanAnswer, check_plan};
pub use proof::{Proof, check_proof};
pub use queries::Resolved;
pub use run_marks::MarkedDiagram;
pub use session::{OpenOptions, Session};
pub use summary::{
    ChannelSummary, ChannelSummaryKind, Summary, TemplateSummary, VariableSummary, VariableSummaryKind,
    summarise,
};
pub use tempora_baseline::SimpleEngine;
pub use tempora_certify::{Accepted, AcceptedInvariant, Refusal, verify_invariant};
pub use tempora_checks::{ALL as CHECKS, CODES as CHECK_CODES, Selection as CheckSelection, UnknownCheck};
pub use tempora_explore::{
    FollowFailure, RunPreference, SearchOrder, SurveyOptions, SurveyUntil, ZenoRuns, run_along, survey,
};
pub use tempora_frontends::{LANGUAGES, Language, Workspace, language_named};
pub use tempora_games::{
    InputCompletion, RefinementRelation, RelatedMove, RelatedPair, SpecificationEngine, refinement_relation,
};
pub use tempora_smt::{CANNOT_START, ParentLink, SolverLauncher, install_launcher};
pub use tempora_symbolic::{
    AbstractGraph, AbstractNode, AutomaticValues, BlockEncoding, CegarOptions, Direction, Domain,
    GraphObserver, GraphSearch, InitialPrecision, Newton, PredicateKind, PredicateSplit, Pruning,
    RefinementStrategy, SolverOptions, horn_clauses,
};
pub use workspace::{Disk, DiskWith, Memory, ProtectedInputs, SystemSteps, WriteSteps};
