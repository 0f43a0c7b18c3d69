//! What `check` and `inspect` do with symbolic systems.
//!
//! Invariant: as for networks, a command prints through the console only and returns its exit status.

use std::fmt::Write as _;
use std::io;

use serde_json::{Value as Json, json};
use tempora_evidence::{Budget, Progress, SymbolicTask};
use tempora_model::{SymbolicSystem, VariableRole, print_system};
use tempora_report::{LocatedAnswer, Source, locate_symbolic};
use tempora_smt::print_sort;
use tempora_workbench::{Loaded, SYMBOLIC_ENGINES, SymbolicOptions, check_symbolic};

use super::OutputFormat;
use super::model::refuse;
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
    loaded: &Loaded,
    task: &SymbolicTask,
    options: &SymbolicOptions,
    budget: &Budget,
    progress: &Progress,
) -> Vec<LocatedAnswer> {
    let answers = check_symbolic(task, options, budget, progress);
    let source = Source { files: &loaded.files, origins: &loaded.origins };
    let properties = task.system.properties.iter();
    properties
        .zip(&answers)
        .map(|(property, answer)| locate_symbolic(source, task, property, answer))
        .collect()
}

/// What is in a system, for people.
pub(crate) fn text(task: &SymbolicTask) -> String {
    let system = &task.system;
    let mut text = String::new();
    // Writing to a string does not fail.
    for (_, enumeration) in system.store.enumerations() {
        let _ = writeln!(text, "type {}: {}", enumeration.name, enumeration.literals.join(", "));
    }
    for (title, role) in [("control variables", VariableRole::Control), ("variables", VariableRole::State)] {
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
            let kind = match variable.role {
                VariableRole::Control => "control",
                VariableRole::State => "data",
                VariableRole::Local => "local",
            };
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
