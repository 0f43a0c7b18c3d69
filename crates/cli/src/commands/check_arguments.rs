//! The arguments of `tempora check`, as a request.
//!
//! Invariant: every argument is part of the request, or says how its outcome is printed.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use tempora_report::formats::{RUN_FORMATS, RunFormat};
use tempora_workbench::jobs::{CheckRequest, SearchChoice};
use tempora_workbench::{InputCompletion, RunPreference, ZenoRuns};

use super::OutputFormat;
use super::engine_arguments::EngineArguments;
use super::model::ModelArguments;
use super::performing::Limits;

/// Answer the queries of a model
///
/// Without --query, the queries that come with the model are answered.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(super) model: ModelArguments,

    /// A query to answer in place of the model's own; may be given several times
    #[arg(short, long, value_name = "QUERY")]
    query: Vec<String>,

    /// A proof by composition: refinements to check, and what follows from them
    #[arg(long, value_name = "FILE", conflicts_with = "query")]
    proof: Option<String>,

    /// The engine that answers
    #[arg(long, value_name = "NAME", default_value = "auto")]
    engine: String,

    /// In which order states are searched
    #[arg(long, value_name = "ORDER", value_enum, default_value_t = SearchArgument::Auto)]
    search: SearchArgument,

    /// Makes another random order
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Whether runs count on which infinitely much happens in bounded time
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = ZenoChoice::Count)]
    zeno: ZenoChoice,

    /// Which runs to show
    #[arg(long, value_name = "WHICH", value_enum, default_value_t = TraceChoice::Some)]
    pub(super) trace: TraceChoice,

    /// How many runs of a refinement that fails to show, each with another pair of states or another refused move
    #[arg(long, value_name = "N|all", value_parser = number_of_runs, default_value = "1")]
    traces: usize,

    /// What happens on an input that a specification says nothing about
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = CompletionChoice::Ignore)]
    input_completion: CompletionChoice,

    /// Write each run to a file: PREFIX-1.json for the first query, and so on
    #[arg(long, value_name = "PREFIX")]
    save_trace: Option<String>,

    /// The formats of these files, separated by commas
    #[arg(
        long,
        value_name = "FORMAT",
        value_parser = run_format_parser(),
        value_delimiter = ',',
        default_value = "json",
        requires = "save_trace"
    )]
    trace_format: Vec<&'static RunFormat>,

    /// Have answers that something is never reached certified, and write the certificates to a file
    #[arg(long, value_name = "FILE")]
    certificate: Option<String>,

    /// Write the components that queries make with `save-as`: to a file, a new folder, into an Ecdar project, or `-`
    #[arg(long, value_name = "PATH")]
    save_components: Option<String>,

    #[command(flatten)]
    pub(super) limits: Limits,

    /// How to write the answers
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = OutputFormat::Text)]
    pub(super) output: OutputFormat,

    /// Show what each answer took
    #[arg(long)]
    pub(super) stats: bool,

    #[command(flatten)]
    engine_options: EngineArguments,
}

/// Reads the name of a format of runs.
fn run_format_parser() -> impl TypedValueParser<Value = &'static RunFormat> {
    let values = RUN_FORMATS.iter().map(|format| PossibleValue::new(format.name).help(format.summary));
    PossibleValuesParser::new(values).try_map(|name| {
        let format = RUN_FORMATS.iter().find(|format| format.name == name);
        format.copied().ok_or("there is no such format")
    })
}

/// Which runs to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum TraceChoice {
    /// None.
    None,
    /// One that shows the verdict, where there is one.
    Some,
    /// One with the fewest transitions; searches breadth first.
    Shortest,
    /// One that takes the least time; searches once more, in the order of time.
    Fastest,
}

/// `all`, or a number that is not zero.
fn number_of_runs(text: &str) -> Result<usize, String> {
    match text.parse() {
        _ if text == "all" => Ok(usize::MAX),
        Ok(number) if number > 0 => Ok(number),
        _ => Err("a number of runs is needed, or `all`".to_owned()),
    }
}

/// What happens on an input that a specification says nothing about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum CompletionChoice {
    /// The specification stays as it is.
    Ignore,
    /// It is an error, which the specification must not come to.
    Error,
}

/// Whether runs count whose time converges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ZenoChoice {
    /// They do, as in UPPAAL.
    Count,
    /// They do not.
    Exclude,
}

/// In which order states are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum SearchArgument {
    /// Breadth first, unless that wastes much work.
    Auto,
    /// Breadth first.
    Bfs,
    /// Depth first.
    Dfs,
    /// By chance; --seed makes another order.
    Random,
    /// Nearest to where the property is observed first; for the engine cegar only.
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
