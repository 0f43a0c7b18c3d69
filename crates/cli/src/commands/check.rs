//! `tempora check`: answers the queries of a model.
//!
//! Invariant: the exit status is 2 for an error in the model or a query, else 1 if a query is violated, else 3 if one has
//! no verdict, else 0.

use std::io;

use anstyle::{AnsiColor, Style};
use tempora_evidence::Task;
use tempora_model::{Query, QueryKind};
use tempora_replay::CheckedAnswer;
use tempora_report::formats::text::Emphasis;
use tempora_report::{LocatedAnswer, Source, formats, locate, write_certificates};
use tempora_source::Diagnostic;
use tempora_workbench::{
    CheckOptions, ENGINES, InputCompletion, RunPreference, SYMBOLIC_ENGINES, SearchOrder,
    SpecificationEngine, ZenoRuns, accepted_certificate, check_in_order, check_proof, engine_named,
    symbolic_engine_named, with_certificates,
};

use super::abstract_graphs::GraphFiles;
use super::abstraction::AbstractionArguments;
use super::answering::{Limits, answered};
use super::component_files::save_components;
use super::model::{
    ModelArguments, no_network, read_any_model, read_proof, read_queries, refuse, write_file,
};
use super::symbolic::SymbolicFiles;
use super::trace_files::{TraceFormat, TraceWriter};
use super::{OutputFormat, symbolic};
use crate::Status;
use crate::codes::{NO_QUERY, UNKNOWN_ENGINE, UNWRITABLE_RUN};
use crate::console::Console;

/// Answer the queries of a model
///
/// Without --query, the queries that come with the model are answered.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    model: ModelArguments,

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
    #[arg(long, value_name = "ORDER", value_enum, default_value_t = SearchChoice::Auto)]
    search: SearchChoice,

    /// Makes another random order
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Whether runs count on which infinitely much happens in bounded time
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = ZenoChoice::Count)]
    zeno: ZenoChoice,

    /// Which runs to show
    #[arg(long, value_name = "WHICH", value_enum, default_value_t = TraceChoice::Some)]
    trace: TraceChoice,

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
        value_enum,
        value_delimiter = ',',
        default_value = "json",
        requires = "save_trace"
    )]
    trace_format: Vec<TraceFormat>,

    /// Have answers that something is never reached certified, and write the certificates to a file
    #[arg(long, value_name = "FILE")]
    certificate: Option<String>,

    /// Write the components that queries make with `save-as`: to a file, a new folder, into an Ecdar project, or `-`
    #[arg(long, value_name = "PATH")]
    save_components: Option<String>,

    #[command(flatten)]
    limits: Limits,

    /// How to write the answers
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = OutputFormat::Text)]
    output: OutputFormat,

    /// Show what each answer took
    #[arg(long)]
    stats: bool,

    #[command(flatten)]
    abstraction: AbstractionArguments,
}

/// Which runs to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum TraceChoice {
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
pub(super) enum SearchChoice {
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

impl Arguments {
    fn preference(&self) -> RunPreference {
        match self.trace {
            TraceChoice::None | TraceChoice::Some => RunPreference::Any,
            TraceChoice::Shortest => RunPreference::FewestTransitions,
            TraceChoice::Fastest => RunPreference::LeastTime,
        }
    }

    fn order(&self) -> SearchOrder {
        match self.search {
            SearchChoice::Auto | SearchChoice::Err => SearchOrder::Adaptive,
            SearchChoice::Bfs => SearchOrder::BreadthFirst,
            SearchChoice::Dfs => SearchOrder::DepthFirst,
            SearchChoice::Random => SearchOrder::Random(self.seed),
        }
    }
}

/// What is said about an engine that is for other models.
fn other_engine(arguments: &Arguments, models: &str) -> Diagnostic {
    let message = format!("the engine `{}` is not for {models}", arguments.engine);
    Diagnostic::error(&UNKNOWN_ENGINE, message).with_hint("leave out --engine, or use auto")
}

impl Arguments {
    fn zeno(&self) -> ZenoRuns {
        match self.zeno {
            ZenoChoice::Count => ZenoRuns::Count,
            ZenoChoice::Exclude => ZenoRuns::Exclude,
        }
    }
}

impl Arguments {
    /// Whether something is asked for that other questions do not have.
    fn specifications_are_meant(&self) -> bool {
        self.traces != 1 || self.input_completion != CompletionChoice::Ignore
    }

    fn specifications(&self) -> SpecificationEngine {
        let completion = match self.input_completion {
            CompletionChoice::Ignore => InputCompletion::Ignore,
            CompletionChoice::Error => InputCompletion::Error,
        };
        SpecificationEngine { completion, most_runs: self.traces }
    }
}

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Status> {
    let (path, output) = (arguments.model.path(), arguments.output);
    let (engine, symbolic_engine) =
        (engine_named(&arguments.engine), symbolic_engine_named(&arguments.engine));
    if engine.is_err() && symbolic_engine.is_err() {
        let mut names: Vec<&str> = ENGINES.iter().map(|engine| engine.name()).collect();
        names.extend(SYMBOLIC_ENGINES.iter().map(|(name, _)| *name));
        let message = format!("there is no engine `{}`", arguments.engine);
        let diagnostic = Diagnostic::error(&UNKNOWN_ENGINE, message)
            .with_hint(format!("the engines are auto, {}", names.join(", ")));
        return refuse(path, &tempora_source::Files::new(), &[diagnostic], output, console);
    }
    let mut loaded = match read_any_model(&arguments.model, output, console)? {
        Ok(loaded) => loaded,
        Err(status) => return Ok(status),
    };
    if loaded.symbolic.is_some() && arguments.proof.is_some() {
        return refuse(path, &loaded.files, &[no_network()], output, console);
    }
    if loaded.symbolic.is_some() {
        let Ok(engine) = symbolic_engine else {
            return refuse(
                path,
                &loaded.files,
                &[other_engine(arguments, "symbolic systems")],
                output,
                console,
            );
        };
        let task = match symbolic::read_task(path, &mut loaded, &arguments.query, output, console)? {
            Ok(task) => task,
            Err(status) => return Ok(status),
        };
        if task.system.properties.is_empty() {
            let diagnostic = Diagnostic::error(&NO_QUERY, "there is no property to check").with_hint(
                "name a file with one with --property, or ask with --query, such as --query 'x < 5'",
            );
            return refuse(path, &loaded.files, &[diagnostic], output, console);
        }
        if arguments.trace == TraceChoice::Fastest {
            let diagnostic = Diagnostic::error(&UNKNOWN_ENGINE, "runs of symbolic systems take no time")
                .with_hint("leave out --trace fastest");
            return refuse(path, &loaded.files, &[diagnostic], output, console);
        }
        let is_known = |format: &TraceFormat| matches!(format, TraceFormat::Json | TraceFormat::States);
        if arguments.save_trace.is_some() && !arguments.trace_format.iter().all(is_known) {
            let message = "runs of symbolic systems are not written in this format";
            let diagnostic =
                Diagnostic::error(&UNWRITABLE_RUN, message).with_hint("use --trace-format json or states");
            return refuse(path, &loaded.files, &[diagnostic], output, console);
        }
        let mut options = match arguments.abstraction.options(engine, arguments.search, arguments.seed) {
            Ok(options) => options,
            Err(diagnostic) => return refuse(path, &loaded.files, &[*diagnostic], output, console),
        };
        let graphs = arguments.abstraction.save_arg.as_deref().map(GraphFiles::new);
        options.observer = graphs.as_ref().map(GraphFiles::observer);
        let with_certificates = arguments.certificate.is_some();
        let answers = answered(&arguments.limits, |budget, progress| {
            symbolic::answers(&task, &options, with_certificates, budget, progress)
        });
        let located = symbolic::located(&loaded, &task, &answers);
        let status = print(arguments, &located, console)?;
        if arguments.stats {
            let (checks, waited) = (options.solver.meter.checks(), options.solver.meter.waited());
            console.complain(&format!("solver: {checks} checks, {:.3} s\n", waited.as_secs_f64()));
        }
        let mut files = SymbolicFiles { model: path, task: &task, answers: &answers, console };
        let mut faults = Vec::new();
        if let Some(file) = &arguments.certificate {
            faults.extend(files.certificates(file)?);
        }
        if let Some(prefix) = &arguments.save_trace {
            faults.extend(files.runs(prefix, &arguments.trace_format, &located)?);
        }
        match graphs.map(|graphs| graphs.outcome()) {
            Some(Ok(written)) => console.complain(&written),
            Some(Err(fault)) => faults.push(fault),
            None => {}
        }
        if !faults.is_empty() {
            return refuse(path, &loaded.files, &faults, OutputFormat::Text, console);
        }
        return Ok(status);
    }
    if let Some(diagnostic) = arguments.abstraction.refused_for_networks() {
        return refuse(path, &loaded.files, &[diagnostic], output, console);
    }
    if arguments.trace_format.contains(&TraceFormat::States) {
        let message = "--trace-format states is for symbolic systems";
        let diagnostic = Diagnostic::error(&UNKNOWN_ENGINE, message).with_hint("leave it out");
        return refuse(path, &loaded.files, &[diagnostic], output, console);
    }
    if arguments.search == SearchChoice::Err {
        let diagnostic = Diagnostic::error(&UNKNOWN_ENGINE, "the order `err` is for symbolic systems")
            .with_hint("use auto, bfs, dfs or random");
        return refuse(path, &loaded.files, &[diagnostic], output, console);
    }
    let Ok(engine) = engine else {
        return refuse(path, &loaded.files, &[other_engine(arguments, "networks")], output, console);
    };
    let proof = match &arguments.proof {
        Some(file) => match read_proof(path, &mut loaded, file, output, console)? {
            Ok(proof) => Some(proof),
            Err(status) => return Ok(status),
        },
        None => None,
    };
    let queries = if let Some(proof) = &proof {
        proof.queries().to_vec()
    } else if arguments.query.is_empty() {
        loaded.queries.clone()
    } else {
        match read_queries(path, &mut loaded, &arguments.query, output, console)? {
            Ok(queries) => queries,
            Err(status) => return Ok(status),
        }
    };
    let Some(task) = loaded.task(queries) else { return Ok(Status::Error) };
    if task.queries.is_empty() {
        let diagnostic = Diagnostic::error(&NO_QUERY, "there is no query to answer")
            .with_hint("ask one with --query, such as --query 'E<> P.Location'");
        return refuse(path, &loaded.files, &[diagnostic], output, console);
    }
    let is_specification = |query: &Query| matches!(query.kind, QueryKind::Specification { .. });
    if arguments.specifications_are_meant() && !task.queries.iter().any(is_specification) {
        let message = "--traces and --input-completion are for questions about specifications";
        let diagnostic = Diagnostic::error(&NO_QUERY, message)
            .with_hint("leave them out, or ask such a question, as in --query 'refinement: S <= T'");
        return refuse(path, &loaded.files, &[diagnostic], output, console);
    }
    let options = CheckOptions {
        engine,
        preference: arguments.preference(),
        zeno: arguments.zeno(),
        specifications: arguments.specifications(),
    };
    let source = Source { files: &loaded.files, origins: &loaded.origins };
    let (answers, located) = answered(&arguments.limits, |budget, progress| {
        let wants_certificates = arguments.certificate.is_some();
        let answers = match &proof {
            Some(proof) => check_proof(&task, proof, options, wants_certificates, budget, progress),
            None => {
                let answers = check_in_order(&task, options, arguments.order(), budget, progress);
                match wants_certificates {
                    true => with_certificates(&task, answers, options.specifications, budget, progress),
                    false => answers,
                }
            }
        };
        let answered = task.queries.iter().zip(&answers);
        let located: Vec<LocatedAnswer> =
            answered.map(|(query, answer)| locate(source, &task, query, answer, budget)).collect();
        (answers, located)
    });
    let status = print(arguments, &located, console)?;
    if let Some(file) = &arguments.certificate
        && let Some(diagnostic) = write_accepted(path, file, &task, &answers, console)?
    {
        return refuse(path, &loaded.files, &[diagnostic], OutputFormat::Text, console);
    }
    if let Some(file) = &arguments.save_components
        && let Some(diagnostic) = save_components(file, &loaded, &answers, console)?
    {
        return refuse(path, &loaded.files, &[diagnostic], OutputFormat::Text, console);
    }
    if let Some(prefix) = &arguments.save_trace {
        let writer =
            TraceWriter { model: path, network: &task.network, prefix, formats: &arguments.trace_format };
        let traces: Vec<_> = answers.iter().map(|answer| answer.answer().trace()).collect();
        if let Some(diagnostic) = writer.write_all(&located, &traces, console)? {
            return refuse(path, &loaded.files, &[diagnostic], OutputFormat::Text, console);
        }
    }
    Ok(status)
}

/// Prints answers, and says what the exit status is.
fn print(arguments: &Arguments, located: &[LocatedAnswer], console: &mut Console) -> io::Result<Status> {
    match arguments.output {
        OutputFormat::Json => console.print(&formats::json::answers(arguments.model.path(), located))?,
        OutputFormat::Text => {
            for (number, answer) in located.iter().enumerate() {
                let separator = if number == 0 { "" } else { "\n" };
                let with_trace = arguments.trace != TraceChoice::None;
                let text = formats::text::answer(answer, with_trace, arguments.stats, console);
                console.print(&format!("{separator}{text}"))?;
            }
        }
    }
    let has = |verdict: &str| located.iter().any(|answer| answer.verdict == verdict);
    Ok(if has("violated") {
        Status::Violated
    } else if has("unknown") {
        Status::Unknown
    } else {
        Status::Success
    })
}

/// Writes the certificates that were accepted to a file; says where, or why it cannot be written.
fn write_accepted(
    model: &str,
    file: &str,
    task: &Task,
    answers: &[CheckedAnswer],
    console: &mut Console,
) -> io::Result<Option<Diagnostic>> {
    let certificates: Vec<_> = task
        .queries
        .iter()
        .zip(answers)
        .filter_map(|(query, answer)| Some((query.text.as_str(), accepted_certificate(answer)?)))
        .collect();
    if certificates.is_empty() {
        console.complain("no answer has a certificate, so none is written\n");
        return Ok(None);
    }
    let content = write_certificates(model, &task.network, &certificates);
    if let Some(diagnostic) = write_file(file, content.as_bytes(), console)? {
        return Ok(Some(diagnostic));
    }
    let count = certificates.len();
    let what = if count == 1 { "certificate" } else { "certificates" };
    console.complain(&format!("{count} {what} written to {file}: {} bytes\n", content.len()));
    Ok(None)
}

impl Emphasis for Console {
    fn good(&self, text: &str) -> String {
        self.styled(AnsiColor::Green.on_default().bold(), text)
    }

    fn bad(&self, text: &str) -> String {
        self.styled(AnsiColor::Red.on_default().bold(), text)
    }

    fn open(&self, text: &str) -> String {
        self.styled(AnsiColor::Yellow.on_default().bold(), text)
    }

    fn faint(&self, text: &str) -> String {
        self.styled(Style::new().dimmed(), text)
    }
}
