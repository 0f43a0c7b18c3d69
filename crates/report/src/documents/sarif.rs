//! The part of SARIF 2.1.0 that findings use (`docs/schemas/sarif.json`).
//!
//! Names and words are those of OASIS, Static Analysis Results Interchange Format 2.1.0.

use serde::Serialize;

use crate::words::{CertaintyWord, SeverityWord};

/// Findings of `tempora lint --output sarif`: a subset of SARIF 2.1.0.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SarifLog {
    /// The URL of the schema of the format.
    #[serde(rename = "$schema")]
    pub(crate) schema: SarifSchemaWord,
    /// The version of the format.
    pub(crate) version: SarifVersionWord,
    /// The only run.
    pub(crate) runs: [SarifRun; 1],
}

/// The URL of the schema.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) enum SarifSchemaWord {
    /// The schema of version 2.1.0.
    #[serde(rename = "https://json.schemastore.org/sarif-2.1.0.json")]
    Store,
}

/// The version of the format.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) enum SarifVersionWord {
    /// The only supported version.
    #[serde(rename = "2.1.0")]
    Current,
}

/// The name of the tool.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) enum SarifToolWord {
    /// This program.
    #[serde(rename = "tempora")]
    Tempora,
}

/// The unit of columns.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) enum SarifColumnWord {
    /// Unicode scalar values.
    #[serde(rename = "unicodeCodePoints")]
    CodePoints,
}

/// The level of a result.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) enum SarifLevelWord {
    /// An error.
    #[serde(rename = "error")]
    Error,
    /// A warning.
    #[serde(rename = "warning")]
    Warning,
    /// A note.
    #[serde(rename = "note")]
    Note,
}

/// The level of a notification.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) enum SarifNotificationWord {
    /// A note.
    #[serde(rename = "note")]
    Note,
}

impl From<SeverityWord> for SarifLevelWord {
    fn from(severity: SeverityWord) -> SarifLevelWord {
        match severity {
            SeverityWord::Error => SarifLevelWord::Error,
            SeverityWord::Warning => SarifLevelWord::Warning,
            SeverityWord::Info => SarifLevelWord::Note,
        }
    }
}

/// A run of the tool.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct SarifRun {
    pub(crate) tool: SarifTool,
    /// The unit of columns.
    pub(crate) column_kind: SarifColumnWord,
    /// The only invocation of the tool.
    pub(crate) invocations: [SarifInvocation; 1],
    /// The findings.
    pub(crate) results: Vec<SarifResult>,
}

/// The tool.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SarifTool {
    pub(crate) driver: SarifDriver,
}

/// The program.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SarifDriver {
    /// Its name.
    pub(crate) name: SarifToolWord,
    /// Its version.
    pub(crate) version: String,
    /// The checks.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub(crate) rules: Vec<SarifRule>,
}

/// A check.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct SarifRule {
    /// Its name.
    pub(crate) id: &'static str,
    /// A one-line description.
    pub(crate) short_description: SarifText,
    /// Its manual page.
    pub(crate) help: SarifHelp,
}

/// A text.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SarifText {
    pub(crate) text: String,
}

/// A page.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SarifHelp {
    /// The page as plain text.
    pub(crate) text: String,
    /// The page as Markdown.
    pub(crate) markdown: String,
}

/// An invocation of the tool.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct SarifInvocation {
    /// Whether the tool ended normally.
    pub(crate) execution_successful: bool,
    /// Checks that were not run.
    pub(crate) tool_execution_notifications: Vec<SarifNotification>,
}

/// A check that was not run.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SarifNotification {
    pub(crate) level: SarifNotificationWord,
    pub(crate) message: SarifText,
}

/// A finding.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct SarifResult {
    /// The name of the check.
    pub(crate) rule_id: &'static str,
    /// The position of the check among the rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rule_index: Option<usize>,
    /// The level of the finding.
    pub(crate) level: SarifLevelWord,
    pub(crate) message: SarifText,
    /// The place of the finding.
    pub(crate) locations: [SarifLocation; 1],
    pub(crate) properties: SarifProperties,
    /// A run that shows the finding.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) code_flows: Option<[SarifCodeFlow; 1]>,
}

/// Properties of a finding beyond those of the format.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SarifProperties {
    pub(crate) certainty: CertaintyWord,
}

/// A run of the model.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct SarifCodeFlow {
    pub(crate) thread_flows: [SarifThreadFlow; 1],
}

/// The steps of a run.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SarifThreadFlow {
    /// The start, each edge on the run, and the end.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub(crate) locations: Vec<SarifFlowLocation>,
}

/// A step of a run.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SarifFlowLocation {
    pub(crate) location: SarifLocation,
}

/// A place with an optional message.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct SarifLocation {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<SarifText>,
    pub(crate) physical_location: SarifPhysicalLocation,
}

/// A place in a file.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct SarifPhysicalLocation {
    pub(crate) artifact_location: SarifArtifact,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) region: Option<SarifRegion>,
}

/// A file.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SarifArtifact {
    /// Its path as a URI reference.
    pub(crate) uri: String,
}

/// A part of a file; lines and columns count from 1.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct SarifRegion {
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub(crate) start_line: u32,
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub(crate) start_column: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub(crate) end_line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(range(min = 1)))]
    pub(crate) end_column: Option<u32>,
}
