//! Models written as Ecdar's projects and documents.
//!
//! Invariant: a project that was read is written as it was, byte for byte, and so is a document, but for the `IO` lines
//! that it lacks. Layout is kept from one form to the other. What a form cannot say is said in another way, with a
//! warning, or refused.

mod document;
mod nails;
mod project;
mod special;
mod system;

use tempora_model::{channel_name, component_actions};

pub(crate) use document::WRITER as DOCUMENT_WRITER;
pub(crate) use project::WRITER as PROJECT_WRITER;

use crate::Writable;

/// The actions of each component as lines, but for those that have such a line already.
fn input_output_lines(model: &Writable<'_>) -> Vec<String> {
    let network = model.network;
    let mut lines = Vec::new();
    for process in network.processes.values().filter(|process| process.interface.is_none()) {
        let actions = component_actions(network, process);
        let inputs = actions.inputs.iter().map(|&action| format!("{}?", channel_name(network, action)));
        let outputs = actions.outputs.iter().map(|&action| format!("{}!", channel_name(network, action)));
        // Actions that are no names are not declared anywhere.
        let all: Vec<String> =
            inputs.chain(outputs).filter(|action| !action.contains(super::component::NAMELESS)).collect();
        if !all.is_empty() {
            lines.push(format!("IO {} {{ {} }}", process.name, all.join(", ")));
        }
    }
    lines
}
