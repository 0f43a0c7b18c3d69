//! `tempora draw`: the diagrams of a model as one picture.
//!
//! Invariant: what the author of the model has placed stays where it is. A model with errors is drawn as far as it goes,
//! and its errors are reported.

use std::io;

use tempora_draw::{
    DrawOptions, Scene, SheetOptions, SvgOptions, Theme, arrange_on_sheet, draw_diagram_with, write_svg,
};
use tempora_source::{Diagnostic, Files, nearest_names};

use super::OutputFormat;
use super::model::{ModelArguments, load_model, refuse, write_file};
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
    let mut diagrams = loaded.diagrams();
    let names: Vec<String> = diagrams.iter().map(|diagram| diagram.title.clone()).collect();
    for wanted in &arguments.template {
        if !names.contains(wanted) {
            let hint = match nearest_names(wanted, names.iter().map(String::as_str)).first() {
                Some(nearest) => format!("did you mean `{nearest}`?"),
                None => format!("the templates are {}", names.join(", ")),
            };
            let diagnostic = Diagnostic::error(&NOTHING_TO_DRAW, format!("there is no template `{wanted}`"))
                .with_hint(hint);
            return refuse(path, &loaded.files, &[diagnostic], OutputFormat::Text, console);
        }
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
    let title = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let scene = match scenes.as_slice() {
        [only] => only.clone(),
        several => arrange_on_sheet(title, several, &SheetOptions::default()),
    };
    let theme = match arguments.theme {
        ThemeChoice::Auto => Theme::Automatic,
        ThemeChoice::Light => Theme::Light,
        ThemeChoice::Dark => Theme::Dark,
    };
    let svg = write_svg(&scene, &SvgOptions { theme, ..SvgOptions::default() });
    if let Some(diagnostic) = write_file(&arguments.out, svg.as_bytes(), console)? {
        return refuse(path, &loaded.files, &[diagnostic], OutputFormat::Text, console);
    }
    Ok(if loaded.network.is_some() { Status::Success } else { Status::Error })
}
