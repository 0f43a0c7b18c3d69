//! Sends the abstract graphs of CEGAR iterations as files while the job runs, for `--save-arg`.
//!
//! Invariant: each iteration has a JSON file, and a picture if the graph is small enough.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tempora_draw::{SvgOptions, draw_diagram, write_svg};
use tempora_report::documents::document_text;
use tempora_symbolic::{AbstractGraph, GraphObserver};

use super::outputs::Output;
use super::{Event, JobContext};
use crate::abstract_graphs::{diagram_of_graph, document_of_graph};
use crate::engines::{EngineSettings, SAVE_ARG};

/// Larger graphs are not drawn, since nothing could be recognised.
const MOST_DRAWN_NODES: usize = 300;

/// Counts the abstract graphs of a job.
pub(super) struct ObservedGraphs {
    prefix: String,
    count: Arc<AtomicUsize>,
}

impl ObservedGraphs {
    /// Installs an observer in the settings; `None` if the request has no `--save-arg`.
    pub(super) fn new(settings: &mut EngineSettings, context: &JobContext<'_>) -> Option<ObservedGraphs> {
        let prefix = settings.given.value(&SAVE_ARG)?.to_owned();
        let count = Arc::new(AtomicUsize::new(0));
        let (path, counted, events) = (prefix.clone(), Arc::clone(&count), context.sender());
        settings.observer = Some(GraphObserver::new(move |graph: &AbstractGraph| {
            let number = counted.fetch_add(1, Ordering::Relaxed) + 1;
            let mut contents = vec![("json", document_text(&document_of_graph(graph)))];
            if graph.nodes.len() <= MOST_DRAWN_NODES {
                let scene = draw_diagram(&diagram_of_graph(graph));
                contents.push(("svg", write_svg(&scene, &SvgOptions::default())));
            }
            for (extension, content) in contents {
                let output = Output::file(format!("{path}-{number}.{extension}"), content, "");
                // The caller receives events until the job ends.
                let _ = events.send(Event::Made(Box::new(output)));
            }
        }));
        Some(ObservedGraphs { prefix, count })
    }

    /// Returns a line for the user about the files.
    pub(super) fn note(&self) -> String {
        let prefix = &self.prefix;
        match self.count.load(Ordering::Relaxed) {
            0 => "no graphs to write: no abstraction was built; use --engine cegar".to_owned(),
            1 => format!("1 graph written to {prefix}-1.json"),
            count => format!("{count} graphs written to {prefix}-1.json to {prefix}-{count}.json"),
        }
    }
}
