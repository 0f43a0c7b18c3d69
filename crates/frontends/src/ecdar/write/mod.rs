//! Writes models as Ecdar's projects and documents.
//!
//! Invariant: a project is written back byte for byte, and so is a document, except for added `IO` lines. Conversion
//! between the forms keeps the layout. Constructs that a form cannot express are replaced, with a warning, or refused.

mod document;
mod nails;
mod project;
mod special;
mod system;

use tempora_model::{channel_name, component_actions};

pub(crate) use document::WRITER as DOCUMENT_WRITER;
pub(crate) use project::WRITER as PROJECT_WRITER;

use crate::Writable;

/// Returns an `IO` line for each component that has none.
fn input_output_lines(model: &Writable<'_>) -> Vec<String> {
    let network = model.network;
    let mut lines = Vec::new();
    for process in network.processes.values().filter(|process| process.interface.is_none()) {
        let actions = component_actions(network, process);
        let inputs = actions.inputs.iter().map(|&action| format!("{}?", channel_name(network, action)));
        let outputs = actions.outputs.iter().map(|&action| format!("{}!", channel_name(network, action)));
        // Actions that are not names have no declaration.
        let all: Vec<String> =
            inputs.chain(outputs).filter(|action| !action.contains(super::component::NAMELESS)).collect();
        if !all.is_empty() {
            lines.push(format!("IO {} {{ {} }}", process.name, all.join(", ")));
        }
    }
    lines
}
