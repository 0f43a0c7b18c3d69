//! The contents of a model (`docs/schemas/inspect.json`).

use serde::Serialize;

use super::DocumentVersion;
use crate::words::{ChannelWord, VariableWord};

/// The contents of a model: output of `tempora inspect --output json`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct InspectionDocument {
    /// The version of the document.
    pub version: DocumentVersion,
    /// The model, as the user named it.
    pub model: String,
    /// The language that it was read in.
    pub language: String,
    /// The templates.
    pub templates: Vec<TemplateRecord>,
    /// The processes.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub processes: Vec<ProcessRecord>,
    /// Clocks, constants and other variables.
    pub variables: Vec<VariableRecord>,
    /// The channels.
    pub channels: Vec<ChannelRecord>,
    /// Constructs that not every tool understands, by name.
    pub features: Vec<&'static str>,
    /// Constructs that no engine understands.
    pub not_answered: Vec<String>,
    /// The queries.
    pub queries: Vec<QueryRecord>,
    /// The system as text, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ir: Option<String>,
}

/// A template.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TemplateRecord {
    /// Its name.
    pub name: String,
    /// Its processes.
    pub processes: Vec<String>,
    /// The number of locations.
    pub locations: usize,
    /// The number of edges.
    pub edges: usize,
}

/// A process.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProcessRecord {
    /// Its name.
    pub name: String,
    /// The name of its template.
    pub template: String,
    /// The number of locations.
    pub locations: usize,
    /// The number of edges.
    pub edges: usize,
}

/// A variable.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct VariableRecord {
    /// Its name, with that of its process.
    pub name: String,
    /// What it is used for.
    pub kind: VariableWord,
    /// Its type, as it could be declared.
    #[serde(rename = "type")]
    pub type_text: String,
    /// The value that it starts with.
    pub initial: String,
    /// The number of single values that it holds.
    pub cells: u64,
}

/// A channel.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ChannelRecord {
    /// Its name, with that of its process.
    pub name: String,
    /// How edges synchronise on it.
    pub kind: ChannelWord,
    /// The number of channels, if it is an array.
    pub cells: u64,
    /// The templates that send on it.
    pub senders: Vec<String>,
    /// The templates that receive on it.
    pub receivers: Vec<String>,
}

/// A query.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct QueryRecord {
    /// Its text.
    pub query: String,
    /// The engines that answer it.
    pub engines: Vec<&'static str>,
    /// The reasons of the others.
    pub declined: Vec<String>,
}
