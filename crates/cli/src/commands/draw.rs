//! `tempora draw`: draws the diagrams of a model as one picture.
//!
//! Invariant: coordinates in the model are kept. A model with errors is drawn as far as possible, and its errors are
//! reported.

use std::io;

use tempora_draw::Theme;
use tempora_workbench::jobs::{DrawOutcome, DrawRequest, Output};

use super::OutputFormat;
use super::job_runner::{JobResult, ResourceLimits, run_job, save_outputs};
use super::model::{ModelArguments, refuse, report_fault};
use crate::Status;
use crate::console::Console;

/// Draw the diagrams of a model
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    model: ModelArguments,

    /// SVG file to write, or `-` for standard output
    #[arg(short, long = "out", value_name = "FILE", default_value = "-")]
    out: String,

    /// Draw only this template; may be repeated
    #[arg(long, value_name = "NAME")]
    template: Vec<String>,

    /// Colours to use
    #[arg(long, value_enum, default_value_t = ThemeChoice::Auto)]
    theme: ThemeChoice,

    /// Highlight the run in this file (json or xtr): one diagram per process, with numbered steps
    #[arg(long, value_name = "FILE")]
    trace: Option<String>,

    /// Draw comments as well
    #[arg(long)]
    comments: bool,

    #[command(flatten)]
    limits: ResourceLimits,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ThemeChoice {
    /// The preference of the viewer.
    Auto,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Status> {
    let request = DrawRequest {
        model: arguments.model.request(),
        templates: arguments.template.clone(),
        theme: match arguments.theme {
            ThemeChoice::Auto => Theme::Automatic,
            ThemeChoice::Light => Theme::Light,
            ThemeChoice::Dark => Theme::Dark,
        },
        run: arguments.trace.clone(),
        comments: arguments.comments,
    };
    let JobResult { outcome, files, .. } = run_job(request, &arguments.limits.all(), console);
    let DrawOutcome { svg, is_sound, note } = match outcome {
        Ok(drawn) => drawn,
        Err(refused) => return refuse(arguments.model.path(), &refused, OutputFormat::Text, console),
    };
    console.note(&note);
    if let Some(fault) = save_outputs(&[Output::file(arguments.out.as_str(), svg, "")], &files, console)? {
        return report_fault(&fault, console);
    }
    Ok(if is_sound { Status::Success } else { Status::Error })
}
