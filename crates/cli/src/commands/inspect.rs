//! `tempora inspect`: reads a model and its queries, and says what is in it.
//!
//! Invariant: nothing is computed but the meaning of the text. A query that is well formed but that no engine answers is
//! no error here.

use std::fmt::Write as _;
use std::io;

use tempora_evidence::Task;
use tempora_model::{Network, Process, Query, print_network};
use tempora_report::documents::{
    ChannelRecord, DocumentVersion, InspectionDocument, ProcessRecord, QueryRecord, TemplateRecord,
    VariableRecord, document_text,
};
use tempora_report::{ChannelWord, VariableWord};
use tempora_transition::print_system;
use tempora_workbench::{
    ChannelSummary, ChannelSummaryKind, QuerySupport, Summary, TemplateSummary, VariableSummary,
    VariableSummaryKind, summarise, support_of,
};

use super::model::{ModelArguments, read_any_model, read_queries, read_task};
use super::{OutputFormat, symbolic};
use crate::Status;
use crate::console::Console;

/// Read a model, check its types, and say what is in it
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    model: ModelArguments,

    /// A query to check the types of; may be given several times
    #[arg(short, long, value_name = "QUERY")]
    query: Vec<String>,

    /// Print the model as the engines see it
    #[arg(long)]
    ir: bool,

    /// How to write it
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = OutputFormat::Text)]
    output: OutputFormat,
}

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Status> {
    let (path, output) = (arguments.model.path(), arguments.output);
    let mut loaded = match read_any_model(&arguments.model, output, console)? {
        Ok(loaded) => loaded,
        Err(status) => return Ok(status),
    };
    if loaded.symbolic().is_some() {
        let task = match read_task(path, &mut loaded, &arguments.query, output, console)? {
            Ok(task) => task,
            Err(status) => return Ok(status),
        };
        let Some(system) = task.system.symbolic() else { return Ok(Status::Error) };
        let language = loaded.language.map_or("", |language| language.name);
        let text = match output {
            OutputFormat::Json => document_text(&symbolic::document(path, language, system, arguments.ir)),
            OutputFormat::Text if arguments.ir => print_system(system),
            OutputFormat::Text => symbolic::text(system),
        };
        console.print(&text)?;
        return Ok(Status::Success);
    }
    let mut queries = loaded.queries.clone();
    match read_queries(path, &mut loaded, &arguments.query, output, console)? {
        Ok(typed) => queries.extend(typed),
        Err(status) => return Ok(status),
    }
    let Some(task) = loaded.task(queries) else { return Ok(Status::Error) };
    let Some(network) = task.system.network() else { return Ok(Status::Error) };
    let contents = summarise(network);
    let answers: Vec<QuerySupport> = support_of(&task);
    let text = match output {
        OutputFormat::Json => {
            let language = loaded.language.map_or("", |language| language.name);
            document_text(&document(path, language, &task, network, contents, answers, arguments.ir))
        }
        OutputFormat::Text if arguments.ir => print_network(network),
        OutputFormat::Text => text(&task, &contents, &answers),
    };
    console.print(&text)?;
    Ok(Status::Success)
}

/// More processes of a template than this are not listed one by one.
const LONGEST_LIST: usize = 8;

fn text(task: &Task, contents: &Summary, answers: &[QuerySupport]) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(text, "templates");
    for template in &contents.templates {
        let shown = template.processes.len().min(LONGEST_LIST);
        let mut processes = template.processes[..shown].join(", ");
        if template.processes.len() > shown {
            let _ = write!(processes, " and {} more", template.processes.len() - shown);
        }
        let counts =
            format!("{}, {}", counted(template.locations, "location"), counted(template.edges, "edge"));
        if template.processes == [template.name.as_str()] {
            let _ = writeln!(text, "  {}: {counts}", template.name);
        } else {
            let _ = writeln!(text, "  {}: {counts}; processes {processes}", template.name);
        }
    }
    let kinds = [
        ("clocks", VariableSummaryKind::Clock),
        ("hybrid clocks", VariableSummaryKind::HybridClock),
        ("variables", VariableSummaryKind::Data),
        ("meta variables", VariableSummaryKind::Meta),
        ("constants", VariableSummaryKind::Constant),
    ];
    for (title, kind) in kinds {
        let mut lines = contents.variables.iter().filter(|variable| variable.kind == kind).peekable();
        if lines.peek().is_some() {
            let _ = writeln!(text, "{title}");
        }
        for variable in lines {
            let _ = match kind {
                VariableSummaryKind::Clock | VariableSummaryKind::HybridClock if variable.cells == 1 => {
                    writeln!(text, "  {}", variable.name)
                }
                VariableSummaryKind::Clock | VariableSummaryKind::HybridClock => {
                    writeln!(text, "  {} ({} clocks)", variable.name, variable.cells)
                }
                VariableSummaryKind::Constant => {
                    writeln!(text, "  {} = {}", variable.name, shortened(&variable.initial))
                }
                VariableSummaryKind::Data | VariableSummaryKind::Meta => writeln!(
                    text,
                    "  {}: {}, starts as {}",
                    variable.name,
                    variable.type_text,
                    shortened(&variable.initial)
                ),
            };
        }
    }
    if !contents.channels.is_empty() {
        let _ = writeln!(text, "channels");
    }
    for channel in &contents.channels {
        let side = |names: &[String]| if names.is_empty() { "nobody".to_owned() } else { names.join(", ") };
        let array = if channel.cells == 1 { String::new() } else { format!(", {} of them", channel.cells) };
        let _ = writeln!(
            text,
            "  {} ({}{array}): from {} to {}",
            channel.name,
            channel_word(channel.kind),
            side(&channel.senders),
            side(&channel.receivers)
        );
    }
    if !contents.features.is_empty() {
        let _ = writeln!(text, "features\n  {}", contents.features.join(", "));
    }
    if !contents.omissions.is_empty() {
        let _ = writeln!(
            text,
            "not answered, because no engine understands\n  {}",
            contents.omissions.join("\n  ")
        );
    }
    if !task.queries.is_empty() {
        let _ = writeln!(text, "queries");
    }
    for (query, support) in task.queries.iter().zip(answers) {
        let engines = if support.engines.is_empty() {
            format!("no engine: {}", support.reasons.join("; "))
        } else {
            support.engines.join(", ")
        };
        let _ = writeln!(text, "  {}  ({engines})", query.text);
    }
    text
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// A value that is not longer than a line.
fn shortened(value: &str) -> String {
    if value.chars().count() <= 60 {
        return value.to_owned();
    }
    let start: String = value.chars().take(57).collect();
    format!("{start}...")
}

fn variable_word(kind: VariableSummaryKind) -> VariableWord {
    match kind {
        VariableSummaryKind::Constant => VariableWord::Constant,
        VariableSummaryKind::Clock => VariableWord::Clock,
        VariableSummaryKind::HybridClock => VariableWord::HybridClock,
        VariableSummaryKind::Meta => VariableWord::Meta,
        VariableSummaryKind::Data => VariableWord::Data,
    }
}

fn channel_word(kind: ChannelSummaryKind) -> ChannelWord {
    match kind {
        ChannelSummaryKind::Binary => ChannelWord::Binary,
        ChannelSummaryKind::Broadcast => ChannelWord::Broadcast,
        ChannelSummaryKind::Urgent => ChannelWord::Urgent,
        ChannelSummaryKind::UrgentBroadcast => ChannelWord::UrgentBroadcast,
    }
}

/// The contents of a network, for programs.
fn document(
    path: &str,
    language: &str,
    task: &Task,
    network: &Network,
    contents: Summary,
    answers: Vec<QuerySupport>,
    with_ir: bool,
) -> InspectionDocument {
    let template = |template: TemplateSummary| TemplateRecord {
        name: template.name,
        processes: template.processes,
        locations: template.locations,
        edges: template.edges,
    };
    let process = |process: &Process| ProcessRecord {
        name: process.name.clone(),
        template: process.template.clone(),
        locations: process.locations.len(),
        edges: process.edges.len(),
    };
    let variable = |variable: VariableSummary| VariableRecord {
        name: variable.name,
        kind: variable_word(variable.kind),
        type_text: variable.type_text,
        initial: variable.initial,
        cells: variable.cells,
    };
    let channel = |channel: ChannelSummary| ChannelRecord {
        name: channel.name,
        kind: channel_word(channel.kind),
        cells: channel.cells,
        senders: channel.senders,
        receivers: channel.receivers,
    };
    let query = |(query, support): (&Query, QuerySupport)| QueryRecord {
        query: query.text.clone(),
        engines: support.engines,
        declined: support.reasons,
    };
    InspectionDocument {
        version: DocumentVersion,
        model: path.to_owned(),
        language: language.to_owned(),
        templates: contents.templates.into_iter().map(template).collect(),
        processes: network.processes.values().map(process).collect(),
        variables: contents.variables.into_iter().map(variable).collect(),
        channels: contents.channels.into_iter().map(channel).collect(),
        features: contents.features,
        not_answered: contents.omissions,
        queries: task.queries.iter().zip(answers).map(query).collect(),
        ir: with_ir.then(|| print_network(network)),
    }
}
