//! What `check` and `inspect` do with symbolic systems.
//!
//! Invariant: as for networks, a command prints through the console only and returns its exit status.

use std::fmt::Write as _;
use std::io;

use serde_json::{Value as Json, json};
use tempora_certify::CheckedAnswer;
use tempora_evidence::{SystemKind, Task};
use tempora_report::formats::states::state_sequence;
use tempora_report::{LocatedAnswer, write_invariants};
use tempora_smt::print_sort;
use tempora_source::Diagnostic;
use tempora_transition::{SymbolicSystem, VariableRole, print_system};
use tempora_workbench::{accepted_invariant, engines_for};

use super::model::write_file;
use super::trace_files::TraceFormat;
use crate::console::Console;

/// What is written to files about the answers of a task.
pub(crate) struct SymbolicFiles<'run, 'console> {
    pub(crate) model: &'run str,
    pub(crate) system: &'run SymbolicSystem,
    pub(crate) task: &'run Task,
    pub(crate) answers: &'run [CheckedAnswer],
    pub(crate) console: &'console mut Console,
}

impl SymbolicFiles<'_, '_> {
    /// Writes the certificates that were accepted to a file; says where, or why it cannot be written.
    pub(crate) fn certificates(&mut self, file: &str) -> io::Result<Option<Diagnostic>> {
        let queries = self.task.queries.iter().zip(self.answers);
        let certificates: Vec<_> = queries
            .filter_map(|(query, answer)| Some((query.text.as_str(), accepted_invariant(answer)?)))
            .collect();
        if certificates.is_empty() {
            self.console.complain("no answer has a certificate, so none is written\n");
            return Ok(None);
        }
        let content = write_invariants(self.model, self.system, &certificates);
        if let Some(diagnostic) = write_file(file, content.as_bytes(), self.console)? {
            return Ok(Some(diagnostic));
        }
        let count = certificates.len();
        let what = if count == 1 { "certificate" } else { "certificates" };
        self.console.complain(&format!("{count} {what} written to {file}: {} bytes\n", content.len()));
        Ok(None)
    }

    /// Writes the runs of all answers.
    pub(crate) fn runs(
        &mut self,
        prefix: &str,
        formats: &[TraceFormat],
        located: &[LocatedAnswer],
    ) -> io::Result<Option<Diagnostic>> {
        let mut written = 0;
        for (number, (answer, located)) in self.answers.iter().zip(located).enumerate() {
            let Some((trace, run)) = answer.symbolic_run() else { continue };
            for &format in formats {
                let content = match format {
                    TraceFormat::States => state_sequence(self.system, trace, run),
                    _ => serde_json::to_string_pretty(&located.evidence.run).ok().map(|text| text + "\n"),
                };
                let path = format!("{prefix}-{}.{}", number + 1, format.extension());
                let Some(content) = content else { continue };
                if let Some(diagnostic) = write_file(&path, content.as_bytes(), self.console)? {
                    return Ok(Some(diagnostic));
                }
                written += 1;
                self.console.complain(&format!("run written to {path}\n"));
            }
        }
        if written == 0 {
            self.console.complain("no answer has a run, so none is written\n");
        }
        Ok(None)
    }
}

/// What is in a system, for people.
pub(crate) fn text(system: &SymbolicSystem) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    for (_, enumeration) in system.store.enumerations() {
        let _ = writeln!(text, "type {}: {}", enumeration.name, enumeration.literals.join(", "));
    }
    for (title, role) in [
        ("control variables", VariableRole::Control),
        ("variables", VariableRole::State),
        ("outputs", VariableRole::Output),
        ("clocks", VariableRole::Clock),
        ("flags", VariableRole::Flag),
        ("ghosts", VariableRole::Ghost),
        ("inputs", VariableRole::Input),
    ] {
        let members: Vec<String> = variables(system, role);
        if !members.is_empty() {
            let _ = writeln!(text, "{title}\n  {}", members.join("\n  "));
        }
    }
    let _ = writeln!(
        text,
        "{} control locations, {} edges, {} local variables",
        system.locations.len(),
        system.edges.len(),
        variables(system, VariableRole::Local).len()
    );
    if !system.properties.is_empty() {
        let _ = writeln!(text, "properties");
    }
    for property in &system.properties {
        let _ = writeln!(text, "  {}", property.text);
    }
    text
}

fn variables(system: &SymbolicSystem, role: VariableRole) -> Vec<String> {
    let members = system.variables.iter().filter(|(_, variable)| variable.role == role);
    members
        .map(|(id, variable)| format!("{}: {}", variable.name, print_sort(&system.store, system.sort_of(id))))
        .collect()
}

/// What is in a system, for programs.
pub(crate) fn summary(path: &str, language: &str, system: &SymbolicSystem, with_ir: bool) -> Json {
    let variables: Vec<Json> = system
        .variables
        .iter()
        .map(|(id, variable)| {
            let kind = variable.role.name();
            let sort = print_sort(&system.store, system.sort_of(id));
            json!({ "name": variable.name, "kind": kind, "type": sort, "initial": "", "cells": 1 })
        })
        .collect();
    let engines: Vec<&str> = engines_for(SystemKind::Symbolic).map(|engine| engine.name).collect();
    let queries: Vec<Json> = system
        .properties
        .iter()
        .map(|property| json!({ "query": property.text, "engines": engines, "declined": [] }))
        .collect();
    let process = json!({
        "name": "system",
        "template": "system",
        "locations": system.locations.len(),
        "edges": system.edges.len(),
    });
    let mut summary = json!({
        "version": 1,
        "model": path,
        "language": language,
        "templates": [],
        "processes": [process],
        "variables": variables,
        "channels": [],
        "features": [],
        "not_answered": [],
        "queries": queries,
    });
    if with_ir && let Some(object) = summary.as_object_mut() {
        object.insert("ir".to_owned(), json!(print_system(system)));
    }
    summary
}
