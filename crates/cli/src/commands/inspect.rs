//! `tempora inspect`: reads a model and its queries, and says what is in it.
//!
//! Invariant: nothing is computed but the meaning of the text. A query that is well formed but that no engine answers is
//! no error here.

use std::fmt::Write as _;
use std::io;

use serde_json::{Value as Json, json};
use tempora_evidence::Support;
use tempora_model::{Network, Query, Type, VariableKind, print_network};
use tempora_workbench::ENGINES;

use super::OutputFormat;
use super::model::{ModelArguments, read_model, read_queries};
use crate::Status;
use crate::console::Console;

/// Read a model, check its types, and say what is in it
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    model: ModelArguments,

    /// A query to check the types of; may be given several times
    #[arg(short, long, value_name = "QUERY")]
    query: Vec<String>,

    /// Print the model as the engines see it
    #[arg(long)]
    ir: bool,

    /// How to write it
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = OutputFormat::Text)]
    output: OutputFormat,
}

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Status> {
    let (path, output) = (arguments.model.path(), arguments.output);
    let mut loaded = match read_model(&arguments.model, output, console)? {
        Ok(loaded) => loaded,
        Err(status) => return Ok(status),
    };
    let mut queries = loaded.queries.clone();
    match read_queries(path, &mut loaded, &arguments.query, output, console)? {
        Ok(typed) => queries.extend(typed),
        Err(status) => return Ok(status),
    }
    let Some(task) = loaded.task(queries) else { return Ok(Status::Error) };
    // For each query the engines that answer it.
    let supports: Vec<Vec<Support>> = ENGINES.iter().map(|engine| engine.supports(&task)).collect();
    let answered: Vec<Vec<&str>> = (0..task.queries.len())
        .map(|query| {
            let engines = ENGINES.iter().zip(&supports);
            engines
                .filter(|(_, support)| !matches!(support[query], Support::Declines(_)))
                .map(|(engine, _)| engine.name())
                .collect()
        })
        .collect();
    let text = match output {
        OutputFormat::Json => {
            format!("{:#}\n", summary(path, &task.network, &task.queries, &answered, arguments.ir))
        }
        OutputFormat::Text if arguments.ir => print_network(&task.network),
        OutputFormat::Text => text(&task.network, &task.queries, &answered),
    };
    console.print(&text)?;
    Ok(Status::Success)
}

fn text(network: &Network, queries: &[Query], answered: &[Vec<&str>]) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(text, "processes");
    for process in network.processes.values() {
        let _ = writeln!(
            text,
            "  {}: {} locations, {} edges",
            process.name,
            process.locations.len(),
            process.edges.len()
        );
    }
    for (title, kind) in [("clocks", Kind::Clock), ("channels", Kind::Channel), ("variables", Kind::Data)] {
        let names: Vec<String> = network
            .variables
            .iter()
            .filter(|(_, variable)| {
                variable.kind != VariableKind::Constant && kind_of(&variable.value_type) == kind
            })
            .map(|(id, variable)| match &variable.value_type {
                Type::Array(_) | Type::Record(_) => {
                    format!("{} ({} cells)", network.qualified_name(id), variable.value_type.cells())
                }
                Type::Integer(range) => {
                    format!("{} from {} to {}", network.qualified_name(id), range.least, range.greatest)
                }
                _ => network.qualified_name(id),
            })
            .collect();
        if !names.is_empty() {
            let _ = writeln!(text, "{title}\n  {}", names.join("\n  "));
        }
    }
    if !queries.is_empty() {
        let _ = writeln!(text, "queries");
    }
    for (query, engines) in queries.iter().zip(answered) {
        let engines = if engines.is_empty() { "no engine yet".to_owned() } else { engines.join(", ") };
        let _ = writeln!(text, "  {}  ({engines})", query.text);
    }
    text
}

fn summary(path: &str, network: &Network, queries: &[Query], answered: &[Vec<&str>], with_ir: bool) -> Json {
    let processes: Vec<Json> = network
        .processes
        .values()
        .map(|process| {
            json!({
                "name": process.name,
                "template": process.template,
                "locations": process.locations.len(),
                "edges": process.edges.len(),
            })
        })
        .collect();
    let variables: Vec<Json> = network
        .variables
        .iter()
        .map(|(id, variable)| {
            let kind = match (variable.kind, kind_of(&variable.value_type)) {
                (VariableKind::Constant, _) => "constant",
                (_, Kind::Clock) => "clock",
                (_, Kind::Channel) => "channel",
                (VariableKind::Meta, _) => "meta",
                _ => "data",
            };
            json!({ "name": network.qualified_name(id), "kind": kind, "cells": variable.value_type.cells() })
        })
        .collect();
    let queries: Vec<Json> = queries
        .iter()
        .zip(answered)
        .map(|(query, engines)| json!({ "query": query.text, "engines": engines }))
        .collect();
    let mut summary = json!({
        "version": 1,
        "model": path,
        "processes": processes,
        "variables": variables,
        "queries": queries,
    });
    if with_ir && let Some(object) = summary.as_object_mut() {
        object.insert("ir".to_owned(), json!(print_network(network)));
    }
    summary
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Clock,
    Channel,
    Data,
}

fn kind_of(value_type: &Type) -> Kind {
    if value_type.has_clocks() {
        Kind::Clock
    } else if value_type.has_channels() {
        Kind::Channel
    } else {
        Kind::Data
    }
}
