//! `tempora draw`: the diagrams of a model as one picture.
//!
//! Invariant: what the author of the model has placed stays where it is. A model with errors is drawn as far as it goes,
//! and its errors are reported.

use std::io;
use std::time::Duration;

use tempora_draw::{
    DrawOptions, Scene, SheetOptions, SvgOptions, Theme, arrange_on_sheet, draw_diagram_with, write_svg,
};
use tempora_evidence::{Budget, Trace};
use tempora_model::Network;
use tempora_report::codes::TRACE_NOT_A_RUN;
use tempora_report::{formats, read_trace};
use tempora_source::{Diagnostic, FileId, Files, nearest_names};
use tempora_workbench::{FollowFailure, Loaded, run_along};

use super::OutputFormat;
use super::model::{ModelArguments, load_model, readable, refuse, write_file};
use crate::Status;
use crate::codes::NOTHING_TO_DRAW;
use crate::console::Console;

/// Draw the diagrams of a model
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    model: ModelArguments,

    /// The file to write, as SVG; `-` is standard output
    #[arg(short, long = "out", value_name = "FILE", default_value = "-")]
    out: String,

    /// Only this template; may be given several times
    #[arg(long, value_name = "NAME")]
    template: Vec<String>,

    /// Which colours to use
    #[arg(long, value_enum, default_value_t = ThemeChoice::Auto)]
    theme: ThemeChoice,

    /// Paint the run in this file, of the format json or xtr: a diagram a process, with the numbers of the steps
    #[arg(long, value_name = "FILE")]
    trace: Option<String>,

    /// Draw comments too
    #[arg(long)]
    comments: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ThemeChoice {
    /// As the viewer prefers.
    Auto,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Status> {
    let path = arguments.model.path();
    let loaded = match load_model(&arguments.model) {
        Ok(loaded) => loaded,
        Err(diagnostic) => return refuse(path, &Files::new(), &[diagnostic], OutputFormat::Text, console),
    };
    console.report(&loaded.files, loaded.diagnostics.as_slice());
    if let Some(file) = &arguments.trace {
        return draw_run(arguments, &loaded, file, console);
    }
    let mut diagrams = loaded.diagrams();
    let names: Vec<String> = diagrams.iter().map(|diagram| diagram.title.clone()).collect();
    if let Some(diagnostic) = unknown_template(&arguments.template, &names) {
        return refuse(path, &loaded.files, &[diagnostic], OutputFormat::Text, console);
    }
    if !arguments.template.is_empty() {
        diagrams.retain(|diagram| arguments.template.contains(&diagram.title));
    }
    if diagrams.is_empty() {
        let diagnostic = Diagnostic::error(&NOTHING_TO_DRAW, format!("`{path}` has no diagrams"))
            .with_hint("a model has a diagram for each of its templates");
        return refuse(path, &loaded.files, &[diagnostic], OutputFormat::Text, console);
    }
    let options = DrawOptions { comments: arguments.comments };
    let scenes: Vec<Scene> = diagrams.iter().map(|diagram| draw_diagram_with(diagram, &options)).collect();
    if let Some(diagnostic) = write_scenes(arguments, file_name(path), &scenes, console)? {
        return refuse(path, &loaded.files, &[diagnostic], OutputFormat::Text, console);
    }
    Ok(if loaded.network().is_some() { Status::Success } else { Status::Error })
}

/// More processes than this are drawn only if they move.
const MOST_PROCESSES: usize = 8;

/// Paints a run into the diagrams of the processes.
fn draw_run(arguments: &Arguments, loaded: &Loaded, file: &str, console: &mut Console) -> io::Result<Status> {
    let path = arguments.model.path();
    let Some(network) = loaded.network().cloned() else { return Ok(Status::Error) };
    let bytes = match readable(file, "--trace names a file with a run") {
        Ok(bytes) => bytes,
        Err(diagnostic) => return refuse(path, &loaded.files, &[diagnostic], OutputFormat::Text, console),
    };
    let mut files = Files::extending(&loaded.files);
    let read = match files.add_bytes(file, &bytes) {
        // An object of JSON, or the numbers of an `.xtr` file.
        Ok(file) if files.text(file).trim_start().starts_with('{') => {
            read_trace(&files, file, &network).map(|read| (read.trace, read.query))
        }
        Ok(id) => read_xtr(&files, id, &network).map(|trace| (trace, file_name(file).to_owned())),
        Err(diagnostic) => Err(diagnostic),
    };
    let (trace, query) = match read {
        Ok(read) => read,
        Err(diagnostic) => return refuse(path, &files, &[diagnostic], OutputFormat::Text, console),
    };
    let mut diagrams = loaded.diagrams_of_run(&trace);
    let names: Vec<String> = network.processes.values().map(|process| process.template.clone()).collect();
    if let Some(diagnostic) = unknown_template(&arguments.template, &names) {
        return refuse(path, &loaded.files, &[diagnostic], OutputFormat::Text, console);
    }
    let mut position = 0;
    diagrams.retain(|_| {
        let is_wanted = arguments.template.is_empty()
            || names.get(position).is_some_and(|name| arguments.template.contains(name));
        position += 1;
        is_wanted
    });
    if diagrams.len() > MOST_PROCESSES {
        let before = diagrams.len();
        diagrams.retain(|diagram| diagram.moves);
        let left_out = before - diagrams.len();
        if left_out > 0 {
            console.complain(&format!("{left_out} processes do not move in this run and are not drawn\n"));
        }
    }
    let options = DrawOptions { comments: arguments.comments };
    let scenes: Vec<Scene> = diagrams
        .iter()
        .map(|marked| draw_diagram_with(&marked.diagram, &options).with_overlays(&marked.marks))
        .collect();
    let title = format!("{}: {}", file_name(path), query);
    match write_scenes(arguments, &title, &scenes, console)? {
        Some(diagnostic) => refuse(path, &loaded.files, &[diagnostic], OutputFormat::Text, console),
        None => Ok(Status::Success),
    }
}

/// To find times for a run of an `.xtr` file takes no longer than this.
const LONGEST: Duration = Duration::from_secs(60);

/// A run of an `.xtr` file, with times.
fn read_xtr(files: &Files, file: FileId, network: &Network) -> Result<Trace, Diagnostic> {
    let symbolic = formats::xtr::read(files, file, network)?;
    let initial = symbolic.states.first().map(|state| state.locations.as_slice()).unwrap_or_default();
    let budget = Budget::unlimited().with_timeout(LONGEST);
    let fault = |state: usize, message: String| {
        let diagnostic = Diagnostic::error(&TRACE_NOT_A_RUN, message);
        let diagnostic = match symbolic.states.get(state) {
            Some(state) => diagnostic.with_primary(state.span, ""),
            None => diagnostic,
        };
        diagnostic.with_hint("is it a run of another model?")
    };
    let trace =
        run_along(network, initial, &symbolic.transitions, &budget).map_err(|failure| match failure {
            FollowFailure::Start => fault(0, "the model does not start in this state".to_owned()),
            FollowFailure::Step(number) => {
                fault(number + 1, format!("step {}, which leads to this state, is not possible", number + 1))
            }
            FollowFailure::Unknown(why) => fault(0, format!("the run cannot be followed: {why:?}")),
        })?;
    symbolic.compare(network, &trace)?;
    Ok(trace)
}

fn unknown_template(wanted: &[String], names: &[String]) -> Option<Diagnostic> {
    let wanted = wanted.iter().find(|wanted| !names.contains(wanted))?;
    let hint = match nearest_names(wanted, names.iter().map(String::as_str)).first() {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("the templates are {}", names.join(", ")),
    };
    Some(Diagnostic::error(&NOTHING_TO_DRAW, format!("there is no template `{wanted}`")).with_hint(hint))
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Writes scenes on one sheet; returns why that is not possible.
fn write_scenes(
    arguments: &Arguments,
    title: &str,
    scenes: &[Scene],
    console: &mut Console,
) -> io::Result<Option<Diagnostic>> {
    let scene = match scenes {
        [only] => only.clone(),
        several => arrange_on_sheet(title, several, &SheetOptions::default()),
    };
    let theme = match arguments.theme {
        ThemeChoice::Auto => Theme::Automatic,
        ThemeChoice::Light => Theme::Light,
        ThemeChoice::Dark => Theme::Dark,
    };
    let svg = write_svg(&scene, &SvgOptions { theme, ..SvgOptions::default() });
    write_file(&arguments.out, svg.as_bytes(), console)
}
