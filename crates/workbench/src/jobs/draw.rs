//! The job that draws the diagrams of a model as one picture.
//!
//! Invariant: coordinates in the model are kept. A model with errors is drawn as far as possible, and its errors are
//! reported.

use std::sync::Arc;
use std::time::Duration;

use tempora_draw::{
    DrawOptions, Scene, SheetOptions, SvgOptions, Theme, arrange_on_sheet, draw_diagram_with, write_svg,
};
use tempora_evidence::{Budget, Trace};
use tempora_explore::{FollowFailure, run_along};
use tempora_model::Network;
use tempora_report::codes::TRACE_NOT_A_RUN;
use tempora_report::{Source, formats, read_trace};
use tempora_source::{Diagnostic, FileId, Files, nearest_names};

use super::{Job, JobContext, ModelRequest, Refused};
use crate::codes::NOTHING_TO_DRAW;
use crate::loading::Loaded;

/// A request to draw a model.
#[derive(Clone, Debug)]
pub struct DrawRequest {
    /// The model.
    pub model: ModelRequest,
    /// The templates to draw; all if empty.
    pub templates: Vec<String>,
    /// The colours.
    pub theme: Theme,
    /// A file with a run to highlight.
    pub run: Option<String>,
    /// Whether comments are drawn.
    pub comments: bool,
}

/// A picture.
#[derive(Clone, Debug)]
pub struct DrawOutcome {
    /// The picture.
    pub svg: String,
    /// Whether the model has no errors.
    pub is_sound: bool,
    /// A line for the user about omitted diagrams; may be empty.
    pub note: String,
}

impl Job for DrawRequest {
    type Outcome = DrawOutcome;

    fn run(self, context: &JobContext<'_>) -> Result<DrawOutcome, Refused> {
        let loaded = context.open(&self.model)?;
        context.report(&loaded.files, loaded.diagnostics.as_slice());
        if let Some(file) = &self.run {
            return self.draw_run(&loaded, file, context);
        }
        let refused = |diagnostic| Refused::about(&loaded.files, [diagnostic]);
        let mut diagrams = loaded.diagrams();
        let names: Vec<String> = diagrams.iter().map(|diagram| diagram.title.clone()).collect();
        if let Some(diagnostic) = unknown_template(&self.templates, &names) {
            return Err(refused(diagnostic));
        }
        if !self.templates.is_empty() {
            diagrams.retain(|diagram| self.templates.contains(&diagram.title));
        }
        let path = self.model.path.as_str();
        if diagrams.is_empty() {
            let diagnostic = Diagnostic::error(&NOTHING_TO_DRAW, format!("`{path}` has no diagrams"));
            return Err(refused(diagnostic.with_hint("add a template: each template has a diagram")));
        }
        let options = DrawOptions { comments: self.comments };
        let scenes: Vec<Scene> =
            diagrams.iter().map(|diagram| draw_diagram_with(diagram, &options)).collect();
        let svg = self.sheet(file_name(path), &scenes);
        Ok(DrawOutcome { svg, is_sound: loaded.network().is_some(), note: String::new() })
    }
}

/// With more processes than this, only those that move are drawn.
const MOST_PROCESSES: usize = 8;

impl DrawRequest {
    /// Highlights a run in the diagrams of the processes.
    fn draw_run(
        &self,
        loaded: &Loaded,
        file: &str,
        context: &JobContext<'_>,
    ) -> Result<DrawOutcome, Refused> {
        // Errors of the model have been reported before.
        let network = loaded.network().cloned().ok_or_else(Refused::default)?;
        let mut files = Files::extending(&loaded.files);
        let read = context.session.read(file, "pass a file with a run to --trace");
        let read = read.and_then(|bytes| files.add_bytes(file, &bytes));
        let files = Arc::new(files);
        let read = read.and_then(|id| {
            // A JSON object, or else an `.xtr` file.
            if files.text(id).trim_start().starts_with('{') {
                let source = Source { files: &files, origins: &loaded.origins };
                return read_trace(source, id, &network).map(|read| (read.trace, read.query));
            }
            let trace = read_xtr(&files, id, &network, &context.budget)?;
            Ok((trace, file_name(file).to_owned()))
        });
        let refused = |diagnostic| Refused::about(&files, [diagnostic]);
        let (trace, query) = read.map_err(refused)?;
        let mut diagrams = loaded.diagrams_of_run(&trace);
        let names: Vec<String> = network.processes.values().map(|process| process.template.clone()).collect();
        if let Some(diagnostic) = unknown_template(&self.templates, &names) {
            return Err(refused(diagnostic));
        }
        let mut position = 0;
        diagrams.retain(|_| {
            let is_wanted = self.templates.is_empty()
                || names.get(position).is_some_and(|name| self.templates.contains(name));
            position += 1;
            is_wanted
        });
        let mut note = String::new();
        if diagrams.len() > MOST_PROCESSES {
            let before = diagrams.len();
            diagrams.retain(|diagram| diagram.moves);
            let left_out = before - diagrams.len();
            if left_out > 0 {
                note = format!("{left_out} processes do not move in this run and are not drawn");
            }
        }
        let options = DrawOptions { comments: self.comments };
        let scenes: Vec<Scene> = diagrams
            .iter()
            .map(|marked| draw_diagram_with(&marked.diagram, &options).with_overlays(&marked.marks))
            .collect();
        let title = format!("{}: {}", file_name(&self.model.path), query);
        Ok(DrawOutcome { svg: self.sheet(&title, &scenes), is_sound: true, note })
    }

    /// Arranges all scenes on one sheet.
    fn sheet(&self, title: &str, scenes: &[Scene]) -> String {
        let scene = match scenes {
            [only] => only.clone(),
            several => arrange_on_sheet(title, several, &SheetOptions::default()),
        };
        write_svg(&scene, &SvgOptions { theme: self.theme, ..SvgOptions::default() })
    }
}

/// Limit on the time to find delays for a run of an `.xtr` file.
const LONGEST: Duration = Duration::from_secs(60);

/// Parses a run of an `.xtr` file and finds its delays.
fn read_xtr(files: &Files, file: FileId, network: &Network, budget: &Budget) -> Result<Trace, Diagnostic> {
    let symbolic = formats::xtr::read(files, file, network)?;
    let initial = symbolic.states.first().map(|state| state.locations.as_slice()).unwrap_or_default();
    let budget = Budget::unlimited().with_cancellation(budget.stop_request()).with_timeout(LONGEST);
    let fault = |state: usize, message: String| {
        let diagnostic = Diagnostic::error(&TRACE_NOT_A_RUN, message);
        let diagnostic = match symbolic.states.get(state) {
            Some(state) => diagnostic.with_primary(state.span, ""),
            None => diagnostic,
        };
        diagnostic.with_hint("check that the run belongs to this model")
    };
    let trace =
        run_along(network, initial, &symbolic.transitions, &budget).map_err(|failure| match failure {
            FollowFailure::Start => fault(0, "this is not an initial state of the model".to_owned()),
            FollowFailure::Step(number) => {
                fault(number + 1, format!("step {}, which leads to this state, is impossible", number + 1))
            }
            FollowFailure::Unknown(why) => fault(0, format!("the run cannot be replayed: {why:?}")),
        })?;
    symbolic.compare(network, &trace)?;
    Ok(trace)
}

fn unknown_template(wanted: &[String], names: &[String]) -> Option<Diagnostic> {
    let wanted = wanted.iter().find(|wanted| !names.contains(wanted))?;
    let hint = match nearest_names(wanted, names.iter().map(String::as_str)).first() {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("use one of {}", names.join(", ")),
    };
    Some(Diagnostic::error(&NOTHING_TO_DRAW, format!("unknown template `{wanted}`")).with_hint(hint))
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}
