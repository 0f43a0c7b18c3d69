//! Findings of sanity checks as text, grouped by file, with source excerpts.
//!
//! Invariant: a run follows its finding. Skipped checks are listed at the end.

use std::fmt::Write;

use tempora_source::{Colour, Files, render_text};

use super::text::{Emphasis, write_steps};
use crate::{LocatedFindings, SeverityWord};

/// Returns all findings about a model as text.
pub fn findings(
    files: &Files,
    located: &LocatedFindings,
    with_runs: bool,
    colour: Colour,
    emphasis: &dyn Emphasis,
) -> String {
    let mut text = String::new();
    let mut file: Option<&String> = None;
    let many = located.findings.iter().any(|finding| {
        finding.record.file.is_some() && finding.record.file != located.findings[0].record.file
    });
    for finding in &located.findings {
        if many && finding.record.file.as_ref() != file {
            file = finding.record.file.as_ref();
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{}:\n", file.map_or("the whole model", String::as_str));
        }
        text.push_str(&render_text(files, std::slice::from_ref(&finding.diagnostic), colour));
        if with_runs && let Some(run) = &finding.run {
            let end = text.trim_end().len();
            text.truncate(end);
            text.push_str("\n  run, replayed:\n");
            write_steps(&mut text, run, emphasis);
            text.push('\n');
        }
    }
    let mut listed: Vec<&str> = Vec::new();
    for skipped in &located.skipped {
        if listed.contains(&skipped.reason.as_str()) {
            continue;
        }
        listed.push(&skipped.reason);
        let same = located.skipped.iter().filter(|other| other.reason == skipped.reason);
        let checks: Vec<&str> = same.map(|other| other.check).collect();
        let _ = writeln!(text, "{} {}: {}", emphasis.open("not checked:"), checks.join(", "), skipped.reason);
    }
    if let Some(exploration) = &located.exploration
        && let Some(reason) = &exploration.reason
    {
        let _ = writeln!(text, "exploration incomplete after {} states: {reason}", exploration.states);
    }
    let count = |severity: SeverityWord| {
        located.findings.iter().filter(|finding| finding.record.severity == severity).count()
    };
    let counts: Vec<String> = SeverityWord::ALL
        .iter()
        .filter_map(|&severity| {
            let noun = match severity {
                SeverityWord::Error => "error",
                SeverityWord::Warning => "warning",
                SeverityWord::Info => "remark",
            };
            match count(severity) {
                0 => None,
                1 => Some(format!("1 {noun}")),
                more => Some(format!("{more} {noun}s")),
            }
        })
        .collect();
    let mut summary = if counts.is_empty() { emphasis.good("no findings") } else { counts.join(", ") };
    if located.allowed > 0 {
        let _ = write!(summary, ", {} allowed", located.allowed);
    }
    let runs = located.findings.iter().filter(|finding| finding.has_run).count();
    if !with_runs && runs > 0 {
        summary.push_str(if runs == 1 { "; --runs shows a run" } else { "; --runs shows runs" });
    }
    let _ = writeln!(text, "{summary}");
    text
}
