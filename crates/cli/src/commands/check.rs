//! `tempora check`: answers the queries of a model.
//!
//! Invariant: the exit status is 2 for an error in the model or a query, else 1 if a query is violated, else 3 if one has
//! no verdict, else 0.

use std::io;
use std::sync::Arc;

use anstyle::{AnsiColor, Style};
use tempora_certify::CheckedAnswer;
use tempora_evidence::{System, SystemKind, Task};
use tempora_model::{Network, Query, QueryKind};
use tempora_report::formats::RunFormat;
use tempora_report::formats::text::Emphasis;
use tempora_report::{LocatedAnswer, Source, VerdictWord, formats, locate, write_certificates};
use tempora_source::Diagnostic;
use tempora_workbench::{
    CheckOptions, ENGINES, EngineChoice, EngineSettings, InputCompletion, Loaded, RunPreference, SearchOrder,
    SpecificationEngine, ZenoRuns, accepted_certificate, check, check_proof, engine_named, with_certificates,
};

use super::OutputFormat;
use super::abstract_graphs::GraphFiles;
use super::abstraction::AbstractionArguments;
use super::answering::{Limits, answered};
use super::component_files::save_components;
use super::model::{ModelArguments, no_network, read_any_model, read_proof, read_task, refuse, write_file};
use super::symbolic::SymbolicFiles;
use super::trace_files::{TraceWriter, refused_formats, run_format_parser};
use crate::Status;
use crate::codes::{MISPLACED_OPTION, NO_QUERY, UNKNOWN_ENGINE};
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
    let Ok(engine) = engine_named(&arguments.engine) else {
        let names: Vec<&str> = ENGINES.iter().map(|engine| engine.name).collect();
        let message = format!("there is no engine `{}`", arguments.engine);
        let diagnostic = Diagnostic::error(&UNKNOWN_ENGINE, message)
            .with_hint(format!("the engines are auto, {}", names.join(", ")));
        return refuse(path, &tempora_source::Files::new(), &[diagnostic], output, console);
    };
    let mut loaded = match read_any_model(&arguments.model, output, console)? {
        Ok(loaded) => loaded,
        Err(status) => return Ok(status),
    };
    let kind = loaded.system.as_ref().map_or(SystemKind::Network, System::kind);
    if let Some(diagnostic) = arguments.refused_at_once(engine, kind) {
        return refuse(path, &loaded.files, &[diagnostic], output, console);
    }
    let proof = match &arguments.proof {
        Some(file) => match read_proof(path, &mut loaded, file, output, console)? {
            Ok(proof) => Some(proof),
            Err(status) => return Ok(status),
        },
        None => None,
    };
    let task = match &proof {
        Some(proof) => loaded.task(proof.queries().to_vec()).ok_or(Status::Error),
        None => read_task(path, &mut loaded, &arguments.query, output, console)?,
    };
    let task = match task {
        Ok(task) => task,
        Err(status) => return Ok(status),
    };
    if let Some(diagnostic) = arguments.refused_for(&task) {
        return refuse(path, &loaded.files, &[diagnostic], output, console);
    }
    let mut options = match arguments.options(engine, kind) {
        Ok(options) => options,
        Err(diagnostic) => return refuse(path, &loaded.files, &[*diagnostic], output, console),
    };
    let graphs = arguments.abstraction.save_arg.as_deref().map(GraphFiles::new);
    options.settings.observer = graphs.as_ref().map(GraphFiles::observer);
    let source = Source { files: &loaded.files, origins: &loaded.origins };
    let (answers, located) = answered(&arguments.limits, |budget, progress| {
        let wants_certificates = arguments.certificate.is_some();
        let answers = match &proof {
            Some(proof) => check_proof(&task, proof, &options, wants_certificates, budget, progress),
            None => {
                let answers = check(&task, &options, budget, progress);
                match wants_certificates {
                    true => with_certificates(&task, answers, &options.settings, budget, progress),
                    false => answers,
                }
            }
        };
        let answered = task.queries.iter().zip(&answers);
        let located: Vec<LocatedAnswer> =
            answered.map(|(query, answer)| locate(source, &task, query, answer)).collect();
        (answers, located)
    });
    let status = print(arguments, &located, console)?;
    if arguments.stats && kind == SystemKind::Symbolic {
        let meter = &options.settings.solver.meter;
        console.complain(&format!(
            "solver: {} checks, {:.3} s\n",
            meter.checks(),
            meter.waited().as_secs_f64()
        ));
    }
    let faults = arguments.write_files(&loaded, &task, &answers, &located, graphs, console)?;
    if faults.is_empty() {
        Ok(status)
    } else {
        refuse(path, &loaded.files, &faults, OutputFormat::Text, console)
    }
}

impl Arguments {
    /// Why the command line is refused for systems of this kind, whatever is asked.
    fn refused_at_once(&self, engine: EngineChoice, kind: SystemKind) -> Option<Diagnostic> {
        if kind == SystemKind::Symbolic && self.proof.is_some() {
            return Some(no_network());
        }
        if kind == SystemKind::Network
            && let Some(diagnostic) = refused_formats(&self.trace_format, kind)
        {
            return Some(diagnostic);
        }
        let knows_err = matches!(engine, EngineChoice::Chosen(engine) if engine.has_option("--search err"));
        if kind == SystemKind::Network && self.search == SearchChoice::Err && !knows_err {
            let message = "the order `err` is for symbolic systems";
            let diagnostic = Diagnostic::error(&MISPLACED_OPTION, message);
            return Some(diagnostic.with_hint("use auto, bfs, dfs or random"));
        }
        match (engine, kind) {
            (EngineChoice::Chosen(engine), SystemKind::Network) if !engine.takes(kind) => {
                Some(other_engine(self, "networks"))
            }
            (EngineChoice::Chosen(engine), SystemKind::Symbolic) if !engine.takes(kind) => {
                Some(other_engine(self, "symbolic systems"))
            }
            _ => None,
        }
    }

    /// Why the command line is refused for a task.
    fn refused_for(&self, task: &Task) -> Option<Diagnostic> {
        match task.system.kind() {
            SystemKind::Symbolic => self.refused_for_properties(task),
            SystemKind::Network => self.refused_for_queries(task),
        }
    }

    fn refused_for_properties(&self, task: &Task) -> Option<Diagnostic> {
        if task.queries.is_empty() {
            return Some(Diagnostic::error(&NO_QUERY, "there is no property to check").with_hint(
                "name a file with one with --property, or ask with --query, such as --query 'x < 5'",
            ));
        }
        if self.trace == TraceChoice::Fastest {
            let diagnostic = Diagnostic::error(&MISPLACED_OPTION, "runs of symbolic systems take no time");
            return Some(diagnostic.with_hint("leave out --trace fastest"));
        }
        refused_formats(&self.trace_format, SystemKind::Symbolic)
    }

    fn refused_for_queries(&self, task: &Task) -> Option<Diagnostic> {
        if task.queries.is_empty() {
            let diagnostic = Diagnostic::error(&NO_QUERY, "there is no query to answer");
            return Some(diagnostic.with_hint("ask one with --query, such as --query 'E<> P.Location'"));
        }
        let is_specification = |query: &Query| matches!(query.kind, QueryKind::Specification { .. });
        if self.specifications_are_meant() && !task.queries.iter().any(is_specification) {
            let message = "--traces and --input-completion are for questions about specifications";
            let hint = "leave them out, or ask such a question, as in --query 'refinement: S <= T'";
            return Some(Diagnostic::error(&NO_QUERY, message).with_hint(hint));
        }
        None
    }

    /// How the queries are to be answered, or why the options do not go together.
    fn options(&self, engine: EngineChoice, kind: SystemKind) -> Result<CheckOptions, Box<Diagnostic>> {
        let mut settings = EngineSettings {
            order: self.order(),
            preference: self.preference(),
            zeno: self.zeno(),
            specifications: self.specifications(),
            ..EngineSettings::default()
        };
        self.abstraction.apply(&mut settings, engine, kind, self.search, self.seed)?;
        Ok(CheckOptions { engine, settings })
    }

    /// Writes the files that were asked for; returns why some cannot be written.
    fn write_files(
        &self,
        loaded: &Loaded,
        task: &Task,
        answers: &[CheckedAnswer],
        located: &[LocatedAnswer],
        graphs: Option<Arc<GraphFiles>>,
        console: &mut Console,
    ) -> io::Result<Vec<Diagnostic>> {
        let path = self.model.path();
        let network = match &task.system {
            System::Network(network) => network,
            System::Symbolic(system) => {
                let mut files = SymbolicFiles { model: path, system, task, answers, console };
                let mut faults = Vec::new();
                if let Some(file) = &self.certificate {
                    faults.extend(files.certificates(file)?);
                }
                faults.extend(self.write_runs(SystemKind::Symbolic, located, console)?);
                report_graphs(graphs, &mut faults, console);
                return Ok(faults);
            }
        };
        if let Some(file) = &self.certificate
            && let Some(diagnostic) = write_accepted(path, file, task, network, answers, console)?
        {
            return Ok(vec![diagnostic]);
        }
        if let Some(file) = &self.save_components
            && let Some(diagnostic) = save_components(file, loaded, answers, console)?
        {
            return Ok(vec![diagnostic]);
        }
        if let Some(diagnostic) = self.write_runs(SystemKind::Network, located, console)? {
            return Ok(vec![diagnostic]);
        }
        let mut faults = Vec::new();
        report_graphs(graphs, &mut faults, console);
        Ok(faults)
    }

    /// Writes the runs to files, if that was asked for; returns why one cannot be written.
    fn write_runs(
        &self,
        kind: SystemKind,
        located: &[LocatedAnswer],
        console: &mut Console,
    ) -> io::Result<Option<Diagnostic>> {
        let Some(prefix) = &self.save_trace else { return Ok(None) };
        let writer = TraceWriter { model: self.model.path(), kind, prefix, formats: &self.trace_format };
        writer.write_all(located, console)
    }
}

fn report_graphs(graphs: Option<Arc<GraphFiles>>, faults: &mut Vec<Diagnostic>, console: &mut Console) {
    match graphs.map(|graphs| graphs.outcome()) {
        Some(Ok(written)) => console.complain(&written),
        Some(Err(fault)) => faults.push(fault),
        None => {}
    }
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
    let has = |verdict: VerdictWord| located.iter().any(|answer| answer.verdict == verdict);
    Ok(if has(VerdictWord::Violated) {
        Status::Violated
    } else if has(VerdictWord::Unknown) {
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
    network: &Network,
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
    let content = write_certificates(model, network, &certificates);
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
