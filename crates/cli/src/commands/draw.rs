//! `tempora draw`: the diagrams of a model as one picture.
//!
//! Invariant: what the author of the model has placed stays where it is. A model with errors is drawn as far as it goes,
//! and its errors are reported.

use std::io;

use tempora_draw::Theme;
use tempora_workbench::jobs::{DrawOutcome, DrawRequest, Output};

use super::OutputFormat;
use super::model::{ModelArguments, refuse, report_fault};
use super::performing::{Limits, perform, save_outputs};
use crate::Status;
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
    let DrawOutcome { svg, is_sound, note } = match perform(request, &Limits::default(), console).outcome {
        Ok(drawn) => drawn,
        Err(refused) => return refuse(arguments.model.path(), &refused, OutputFormat::Text, console),
    };
    console.note(&note);
    if let Some(fault) = save_outputs(&[Output::file(arguments.out.as_str(), svg, "")], console)? {
        return report_fault(&fault, console);
    }
    Ok(if is_sound { Status::Success } else { Status::Error })
}
