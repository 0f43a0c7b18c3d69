//! Findings of sanity checks in SARIF 2.1.0, for code hosts and editors.
//!
//! Invariant: the text satisfies the schema of the format (OASIS, Static Analysis Results Interchange Format 2.1.0). A run of
//! the model that shows a finding is a code flow: its steps are the places of the edges that are taken.

use serde_json::{Value, json};
use tempora_source::Code;

use crate::{LocatedFinding, LocatedFindings, LocatedTrace, Place};

/// All findings about a model; `rules` are the checks that there are.
pub fn findings(model: &str, located: &LocatedFindings, rules: &[&Code], version: &str) -> String {
    let rules_json: Vec<Value> = rules
        .iter()
        .map(|rule| {
            json!({
                "id": rule.name(),
                "shortDescription": { "text": rule.summary() },
                "help": { "text": rule.page(), "markdown": rule.page() },
            })
        })
        .collect();
    let results: Vec<Value> = located.findings.iter().map(|finding| result(model, finding, rules)).collect();
    let notifications: Vec<Value> = located
        .skipped
        .iter()
        .map(|skipped| {
            json!({
                "level": "note",
                "message": { "text": format!("{} was not checked: {}", skipped.check, skipped.reason) },
            })
        })
        .collect();
    let object = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "tempora", "version": version, "rules": rules_json } },
            "columnKind": "unicodeCodePoints",
            "invocations": [{ "executionSuccessful": true, "toolExecutionNotifications": notifications }],
            "results": results,
        }],
    });
    format!("{object:#}\n")
}

fn result(model: &str, finding: &LocatedFinding, rules: &[&Code]) -> Value {
    let record = &finding.record;
    let level = match record.severity {
        "error" => "error",
        "warning" => "warning",
        _ => "note",
    };
    let mut text = record.message.clone();
    for note in record.notes.iter().chain(&record.hint) {
        text.push_str("; ");
        text.push_str(note);
    }
    let mut object = json!({
        "ruleId": record.code,
        "level": level,
        "message": { "text": text },
        "locations": [location(
            record.file.as_deref().unwrap_or(model),
            (record.line, record.column),
            (record.end_line, record.end_column),
        )],
        "properties": { "certainty": finding.certainty },
    });
    if let Some(index) = rules.iter().position(|rule| rule.name() == record.code) {
        object["ruleIndex"] = json!(index);
    }
    if let Some(trace) = &finding.trace {
        object["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps(model, trace) }] }]);
    }
    object
}

/// A run as a flow: the start, each edge that is taken, and the end.
fn steps(model: &str, trace: &LocatedTrace) -> Vec<Value> {
    let whole = |text: String| {
        let mut start = location(model, (None, None), (None, None));
        start["message"] = json!({ "text": text });
        json!({ "location": start })
    };
    let mut list = vec![whole("the start".to_owned())];
    for step in &trace.steps {
        for one in &step.moves {
            let text = format!("at {}: {}: {} -> {}", step.time, one.process, one.from, one.to);
            let mut place = match &one.place {
                Some(Place { file, line, column }) => {
                    location(file, (Some(*line), Some(*column)), (None, None))
                }
                None => location(model, (None, None), (None, None)),
            };
            place["message"] = json!({ "text": text });
            list.push(json!({ "location": place }));
        }
    }
    list.push(whole(format!("the end: {}", trace.ending)));
    list
}

fn location(file: &str, start: (Option<u32>, Option<u32>), end: (Option<u32>, Option<u32>)) -> Value {
    let mut physical = json!({ "artifactLocation": { "uri": uri(file) } });
    if let (Some(line), Some(column)) = start {
        physical["region"] = json!({ "startLine": line, "startColumn": column });
        if let (Some(line), Some(column)) = end {
            physical["region"]["endLine"] = json!(line);
            physical["region"]["endColumn"] = json!(column);
        }
    }
    json!({ "physicalLocation": physical })
}

/// A path as a reference: what a reference may not contain is written as `%` and two digits.
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
