//! The arguments of `tempora check` and their translation to a request.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use tempora_report::formats::{RUN_FORMATS, RunFormat};
use tempora_workbench::jobs::{CheckRequest, SearchChoice};
use tempora_workbench::{InputCompletion, RunPreference, ZenoRuns};

use super::OutputFormat;
use super::engine_arguments::EngineArguments;
use super::job_runner::Limits;
use super::model::ModelArguments;

/// Answer the queries of a model
///
/// Without --query, the model's own queries are answered.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(super) model: ModelArguments,

    /// Query to answer instead of the model's own; may be repeated
    #[arg(short, long, value_name = "QUERY")]
    query: Vec<String>,

    /// Compositional proof: refinements to check, and the conclusions drawn from them
    #[arg(long, value_name = "FILE", conflicts_with = "query")]
    proof: Option<String>,

    /// Engine that answers the queries
    #[arg(long, value_name = "NAME", default_value = "auto")]
    engine: String,

    /// Order in which states are explored
    #[arg(long, value_name = "ORDER", value_enum, default_value_t = SearchArgument::Auto)]
    search: SearchArgument,

    /// Seed for `--search random`
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Whether infinite runs with bounded total time count
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = ZenoChoice::Count)]
    zeno: ZenoChoice,

    /// Runs to show
    #[arg(long, value_name = "WHICH", value_enum, default_value_t = TraceChoice::Some)]
    pub(super) trace: TraceChoice,

    /// Number of counterexamples to show for a failed refinement, each for another pair of states or refused action
    #[arg(long, value_name = "N|all", value_parser = number_of_runs, default_value = "1")]
    traces: usize,

    /// Treatment of inputs for which a specification has no edge
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = CompletionChoice::Ignore)]
    input_completion: CompletionChoice,

    /// Write each run to a file: PREFIX-1.json for the first query, and so on
    #[arg(long, value_name = "PREFIX")]
    save_trace: Option<String>,

    /// Formats of the files of `--save-trace`, separated by commas
    #[arg(
        long,
        value_name = "FORMAT",
        value_parser = run_format_parser(),
        value_delimiter = ',',
        default_value = "json",
        requires = "save_trace"
    )]
    trace_format: Vec<&'static RunFormat>,

    /// Certify answers that a goal is unreachable, and write the certificates to a file
    #[arg(long, value_name = "FILE")]
    certificate: Option<String>,

    /// Write components of `save-as` queries to a file, a new folder, an existing Ecdar project, or `-`
    #[arg(long, value_name = "PATH")]
    save_components: Option<String>,

    #[command(flatten)]
    pub(super) limits: Limits,

    /// Output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = OutputFormat::Text)]
    pub(super) output: OutputFormat,

    /// Show statistics for each answer
    #[arg(long)]
    pub(super) stats: bool,

    #[command(flatten)]
    engine_options: EngineArguments,
}

/// Returns a parser for the names of run formats.
fn run_format_parser() -> impl TypedValueParser<Value = &'static RunFormat> {
    let values = RUN_FORMATS.iter().map(|format| PossibleValue::new(format.name).help(format.summary));
    PossibleValuesParser::new(values).try_map(|name| {
        let format = RUN_FORMATS.iter().find(|format| format.name == name);
        format.copied().ok_or("unknown format")
    })
}

/// The runs to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum TraceChoice {
    /// No runs.
    None,
    /// One run that supports the verdict, if the engine finds one.
    Some,
    /// A run with the fewest transitions; searches breadth first.
    Shortest,
    /// A run with the least total time; needs a second search, ordered by time.
    Fastest,
}

/// Parses `all` or a positive number.
fn number_of_runs(text: &str) -> Result<usize, String> {
    match text.parse() {
        _ if text == "all" => Ok(usize::MAX),
        Ok(number) if number > 0 => Ok(number),
        _ => Err("expected a positive number or `all`".to_owned()),
    }
}

/// The treatment of inputs for which a specification has no edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum CompletionChoice {
    /// The input has no effect.
    Ignore,
    /// The input leads to an error state, which the specification must avoid.
    Error,
}

/// Whether Zeno runs count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ZenoChoice {
    /// Zeno runs count, as in UPPAAL.
    Count,
    /// Zeno runs are excluded.
    Exclude,
}

/// The order in which states are explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum SearchArgument {
    /// Breadth first, until that wastes much work.
    Auto,
    /// Breadth first.
    Bfs,
    /// Depth first.
    Dfs,
    /// Random order, determined by --seed.
    Random,
    /// States closest to an observation of the property first; only for the engine cegar.
    Err,
}

impl From<SearchArgument> for SearchChoice {
    fn from(argument: SearchArgument) -> SearchChoice {
        match argument {
            SearchArgument::Auto => SearchChoice::Auto,
            SearchArgument::Bfs => SearchChoice::Bfs,
            SearchArgument::Dfs => SearchChoice::Dfs,
            SearchArgument::Random => SearchChoice::Random,
            SearchArgument::Err => SearchChoice::Err,
        }
    }
}

impl Arguments {
    pub(super) fn request(&self) -> CheckRequest {
        CheckRequest {
            model: self.model.request(),
            queries: self.query.clone(),
            proof: self.proof.clone(),
            engine: self.engine.clone(),
            options: self.engine_options.given.clone(),
            search: self.search.into(),
            seed: self.seed,
            preference: match self.trace {
                TraceChoice::None | TraceChoice::Some => RunPreference::Any,
                TraceChoice::Shortest => RunPreference::FewestTransitions,
                TraceChoice::Fastest => RunPreference::LeastTime,
            },
            zeno: match self.zeno {
                ZenoChoice::Count => ZenoRuns::Count,
                ZenoChoice::Exclude => ZenoRuns::Exclude,
            },
            most_runs: self.traces,
            completion: match self.input_completion {
                CompletionChoice::Ignore => InputCompletion::Ignore,
                CompletionChoice::Error => InputCompletion::Error,
            },
            run_prefix: self.save_trace.clone(),
            run_formats: self.trace_format.clone(),
            certificates: self.certificate.clone(),
            components: self.save_components.clone(),
        }
    }
}
