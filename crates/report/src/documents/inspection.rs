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
    /// The model, as named on the command line.
    pub model: String,
    /// The language of the model.
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
    /// Names of features that not every tool supports.
    pub features: Vec<&'static str>,
    /// Constructs that no engine supports.
    pub not_answered: Vec<String>,
    /// The queries.
    pub queries: Vec<QueryRecord>,
    /// The lowered system as text, if requested.
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
    /// Its name, qualified by its process.
    pub name: String,
    /// Its kind.
    pub kind: VariableWord,
    /// Its type, in the syntax of a declaration.
    #[serde(rename = "type")]
    pub type_text: String,
    /// Its initial value.
    pub initial: String,
    /// The number of scalar values that it holds.
    pub cells: u64,
}

/// A channel.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ChannelRecord {
    /// Its name, qualified by its process.
    pub name: String,
    /// Its kind.
    pub kind: ChannelWord,
    /// The number of channels in it, if it is an array.
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
    /// The engines that support it.
    pub engines: Vec<&'static str>,
    /// The reasons why the other engines decline it.
    pub declined: Vec<String>,
}
