//! What `check` and `inspect` do with symbolic systems.
//!
//! Invariant: as for networks, a command prints through the console only and returns its exit status.

use std::fmt::Write as _;
use std::io;

use serde_json::{Value as Json, json};
use tempora_evidence::{Budget, Progress, SymbolicTask};
use tempora_replay::CheckedAnswer;
use tempora_report::formats::states::state_sequence;
use tempora_report::{LocatedAnswer, Source, locate_symbolic, write_invariants};
use tempora_smt::print_sort;
use tempora_source::Diagnostic;
use tempora_transition::{SymbolicSystem, VariableRole, print_system};
use tempora_workbench::{
    Loaded, SYMBOLIC_ENGINES, SymbolicOptions, accepted_invariant, check_symbolic, with_invariants,
};

use super::OutputFormat;
use super::model::{refuse, write_file};
use super::trace_files::TraceFormat;
use crate::Status;
use crate::console::Console;

/// The questions about a system, or how the command ends.
pub(crate) fn read_task(
    path: &str,
    loaded: &mut Loaded,
    queries: &[String],
    output: OutputFormat,
    console: &mut Console,
) -> io::Result<Result<SymbolicTask, Status>> {
    let (task, mut found) = loaded.symbolic_task(queries);
    found.sort(&loaded.files);
    match task {
        Some(task) if !found.has_errors() => {
            console.report(&loaded.files, found.as_slice());
            Ok(Ok(task))
        }
        _ => refuse(path, &loaded.files, found.as_slice(), output, console).map(Err),
    }
}

/// The answers to all questions about a system.
pub(crate) fn answers(
    task: &SymbolicTask,
    options: &SymbolicOptions,
    with_certificates: bool,
    budget: &Budget,
    progress: &Progress,
) -> Vec<CheckedAnswer> {
    let answers = check_symbolic(task, options, budget, progress);
    if with_certificates { with_invariants(task, options, answers, budget, progress) } else { answers }
}

/// Answers in terms of what the user wrote.
pub(crate) fn located(loaded: &Loaded, task: &SymbolicTask, answers: &[CheckedAnswer]) -> Vec<LocatedAnswer> {
    let source = Source { files: &loaded.files, origins: &loaded.origins };
    let properties = task.system.properties.iter();
    properties
        .zip(answers)
        .map(|(property, answer)| locate_symbolic(source, task, property, answer))
        .collect()
}

/// What is written to files about the answers of a task.
pub(crate) struct SymbolicFiles<'run, 'console> {
    pub(crate) model: &'run str,
    pub(crate) task: &'run SymbolicTask,
    pub(crate) answers: &'run [CheckedAnswer],
    pub(crate) console: &'console mut Console,
}

impl SymbolicFiles<'_, '_> {
    /// Writes the certificates that were accepted to a file; says where, or why it cannot be written.
    pub(crate) fn certificates(&mut self, file: &str) -> io::Result<Option<Diagnostic>> {
        let properties = self.task.system.properties.iter().zip(self.answers);
        let certificates: Vec<_> = properties
            .filter_map(|(property, answer)| Some((property.text.as_str(), accepted_invariant(answer)?)))
            .collect();
        if certificates.is_empty() {
            self.console.complain("no answer has a certificate, so none is written\n");
            return Ok(None);
        }
        let content = write_invariants(self.model, &self.task.system, &certificates);
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
            let Some(trace) = answer.answer().symbolic_trace() else { continue };
            for &format in formats {
                let content = match format {
                    TraceFormat::States => state_sequence(&self.task.system, trace),
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
pub(crate) fn text(task: &SymbolicTask) -> String {
    let system = &task.system;
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
pub(crate) fn summary(path: &str, language: &str, task: &SymbolicTask, with_ir: bool) -> Json {
    let system = &task.system;
    let variables: Vec<Json> = system
        .variables
        .iter()
        .map(|(id, variable)| {
            let kind = variable.role.name();
            let sort = print_sort(&system.store, system.sort_of(id));
            json!({ "name": variable.name, "kind": kind, "type": sort, "initial": "", "cells": 1 })
        })
        .collect();
    let engines: Vec<&str> = SYMBOLIC_ENGINES.iter().map(|(name, _)| *name).collect();
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
