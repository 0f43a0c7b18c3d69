//! Abstract reachability graphs written to files while an abstraction is refined.
//!
//! Invariant: there is a JSON file for each iteration, and a picture beside it if the graph is small enough to be looked at. What
//! cannot be written is said once.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tempora_draw::{SvgOptions, draw_diagram, write_svg};
use tempora_report::documents::{AbstractGraphDocument, AbstractNodeRecord, DocumentVersion, document_text};
use tempora_source::Diagnostic;
use tempora_workbench::codes::UNWRITABLE_FILE;
use tempora_workbench::{AbstractGraph, AbstractNode, Disk, GraphObserver, Workspace, diagram_of_graph};

/// Larger graphs are no pictures that a person can read.
const MOST_DRAWN_NODES: usize = 300;

/// Writes graphs to `PREFIX-1.json`, `PREFIX-1.svg` and so on.
pub(super) struct GraphFiles {
    prefix: String,
    count: AtomicUsize,
    failure: Mutex<Option<String>>,
}

impl GraphFiles {
    pub(super) fn new(prefix: &str) -> Arc<GraphFiles> {
        let prefix = prefix.to_owned();
        Arc::new(GraphFiles { prefix, count: AtomicUsize::new(0), failure: Mutex::new(None) })
    }

    /// Who is to be shown the graphs.
    pub(super) fn observer(self: &Arc<GraphFiles>) -> GraphObserver {
        let files = Arc::clone(self);
        GraphObserver::new(move |graph| files.write(graph))
    }

    /// What was written, or why not.
    pub(super) fn outcome(&self) -> Result<String, Diagnostic> {
        let failure = self.failure.lock().ok().and_then(|failure| failure.clone());
        if let Some(why) = failure {
            let hint = "choose a prefix in a folder that can be written to";
            return Err(Diagnostic::error(&UNWRITABLE_FILE, why).with_hint(hint));
        }
        let prefix = &self.prefix;
        Ok(match self.count.load(Ordering::Relaxed) {
            0 => "no abstraction was built, so no graph is written; --engine cegar builds one\n".to_owned(),
            1 => format!("1 graph written to {prefix}-1.json\n"),
            count => format!("{count} graphs written to {prefix}-1.json to {prefix}-{count}.json\n"),
        })
    }

    fn write(&self, graph: &AbstractGraph) {
        let number = self.count.fetch_add(1, Ordering::Relaxed) + 1;
        let mut contents = vec![("json", document_text(&document_of(graph)))];
        if graph.nodes.len() <= MOST_DRAWN_NODES {
            let scene = draw_diagram(&diagram_of_graph(graph));
            contents.push(("svg", write_svg(&scene, &SvgOptions::default())));
        }
        for (extension, content) in contents {
            let path = format!("{}-{number}.{extension}", self.prefix);
            if let Err(error) = Disk::default().write(&path, content.as_bytes())
                && let Ok(mut failure) = self.failure.lock()
            {
                failure.get_or_insert_with(|| format!("`{path}` cannot be written: {error}"));
            }
        }
    }
}

/// A graph for programs.
fn document_of(graph: &AbstractGraph) -> AbstractGraphDocument {
    let record = |node: &AbstractNode| AbstractNodeRecord {
        location: node.location.clone(),
        state: node.state.clone(),
        parent: node.parent.as_ref().map(|(parent, _)| *parent),
        edge: node.parent.as_ref().map(|(_, kind)| (*kind).into()),
        covered_by: node.covered_by,
        is_target: node.is_target,
        is_expanded: node.is_expanded,
    };
    AbstractGraphDocument {
        version: DocumentVersion,
        iteration: graph.iteration,
        precision: graph.precision.clone(),
        nodes: graph.nodes.iter().map(record).collect(),
    }
}
