//! Findings of sanity checks in SARIF 2.1.0, for code hosts and editors.
//!
//! Invariant: the text satisfies the schema of OASIS, Static Analysis Results Interchange Format 2.1.0. The run of a
//! finding is a code flow whose steps are the places of its edges.

use tempora_source::Code;

use crate::documents::document_text;
use crate::documents::sarif::{
    SarifArtifact, SarifCodeFlow, SarifColumnWord, SarifDriver, SarifFlowLocation, SarifHelp,
    SarifInvocation, SarifLocation, SarifLog, SarifNotification, SarifNotificationWord,
    SarifPhysicalLocation, SarifProperties, SarifRegion, SarifResult, SarifRule, SarifRun, SarifSchemaWord,
    SarifText, SarifThreadFlow, SarifTool, SarifToolWord, SarifVersionWord,
};
use crate::{LocatedFinding, LocatedFindings, ShownRun, SourcePlace};

/// Returns all findings about a model as SARIF; `rules` lists all checks.
pub fn findings(model: &str, located: &LocatedFindings, rules: &[&'static Code], version: &str) -> String {
    let driver = SarifDriver {
        name: SarifToolWord::Tempora,
        version: version.to_owned(),
        rules: rules.iter().map(|rule| rule_of(rule)).collect(),
    };
    let notifications = located.skipped.iter().map(|skipped| SarifNotification {
        level: SarifNotificationWord::Note,
        message: text(format!("{} was not checked: {}", skipped.check, skipped.reason)),
    });
    let run = SarifRun {
        tool: SarifTool { driver },
        column_kind: SarifColumnWord::CodePoints,
        invocations: [SarifInvocation {
            execution_successful: true,
            tool_execution_notifications: notifications.collect(),
        }],
        results: located.findings.iter().map(|finding| result(model, finding, rules)).collect(),
    };
    let log = SarifLog { schema: SarifSchemaWord::Store, version: SarifVersionWord::Current, runs: [run] };
    document_text(&log)
}

fn text(text: impl Into<String>) -> SarifText {
    SarifText { text: text.into() }
}

fn rule_of(rule: &'static Code) -> SarifRule {
    SarifRule {
        id: rule.name(),
        short_description: text(rule.summary()),
        help: SarifHelp { text: rule.page(), markdown: rule.page() },
    }
}

fn result(model: &str, finding: &LocatedFinding, rules: &[&'static Code]) -> SarifResult {
    let record = &finding.record;
    let mut message = record.message.clone();
    for note in record.notes.iter().chain(&record.hint) {
        message.push_str("; ");
        message.push_str(note);
    }
    let region = match (record.line, record.column) {
        (Some(start_line), Some(start_column)) => {
            // An end needs both a line and a column.
            let end = record.end_line.zip(record.end_column);
            let (end_line, end_column) = end.unzip();
            Some(SarifRegion { start_line, start_column, end_line, end_column })
        }
        _ => None,
    };
    SarifResult {
        rule_id: record.code,
        rule_index: rules.iter().position(|rule| rule.name() == record.code),
        level: record.severity.into(),
        message: text(message),
        locations: [location(record.file.as_deref().unwrap_or(model), region, None)],
        properties: SarifProperties { certainty: finding.certainty },
        code_flows: finding
            .run
            .as_ref()
            .map(|run| [SarifCodeFlow { thread_flows: [SarifThreadFlow { locations: steps(model, run) }] }]),
    }
}

/// Returns a run as a flow: the start, each edge on the run, and the end.
fn steps(model: &str, run: &ShownRun) -> Vec<SarifFlowLocation> {
    let whole = |message: String| SarifFlowLocation { location: location(model, None, Some(message)) };
    let mut list = vec![whole("the start".to_owned())];
    for step in &run.steps {
        let at = step.timing.map_or_else(String::new, |timing| format!("at {}: ", timing.time));
        for one in &step.moves {
            let process = run.participant_name(one.edge.participant);
            let message = format!("{at}{process}: {} -> {}", one.from.name, one.to.name);
            list.push(match &one.place {
                Some(SourcePlace { file, line, column }) => {
                    let (start_line, start_column) = (*line, *column);
                    let region = SarifRegion { start_line, start_column, end_line: None, end_column: None };
                    SarifFlowLocation { location: location(file, Some(region), Some(message)) }
                }
                None => whole(message),
            });
        }
    }
    list.push(whole(format!("the end: {}", run.ending.word())));
    list
}

fn location(file: &str, region: Option<SarifRegion>, message: Option<String>) -> SarifLocation {
    let artifact_location = SarifArtifact { uri: uri(file) };
    SarifLocation {
        message: message.map(text),
        physical_location: SarifPhysicalLocation { artifact_location, region },
    }
}

/// Returns a path as a percent-encoded URI reference.
fn uri(path: &str) -> String {
    let mut text = String::with_capacity(path.len());
    for byte in path.replace('\\', "/").bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}
