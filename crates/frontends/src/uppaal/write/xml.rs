//! UPPAAL's XML documents.
//!
//! Invariant: a document that was read is written as it was, byte for byte. Other models become documents whose
//! locations stand in rows, since nobody has said where they should be.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use tempora_model::syntax::{
    ast, print_declarations, print_expression, print_expressions, print_parameters, print_rate, print_select,
    print_synchronisation,
};
use tempora_source::Diagnostics;

use super::parts_of;
use crate::{Writable, Writer};

/// The writer, for the registry.
pub(crate) const WRITER: Writer = Writer { name: "uppaal", extension: "xml", write };

/// How far locations stand from each other.
const COLUMN: usize = 204;
const ROW: usize = 136;
const COLUMNS: usize = 4;

fn write(model: &Writable<'_>) -> Result<String, Diagnostics> {
    if let Some(document) = model.document {
        return Ok(model.files.text(document.file).to_owned());
    }
    let parts = parts_of(model)?;
    let mut text = String::from(concat!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n",
        "<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.6//EN' 'http://www.it.uu.se/research/group/darts/uppaal/flat-1_6.dtd'>\n",
        "<nta>\n",
    ));
    element(&mut text, 1, "declaration", "", &print_declarations(&parts.declarations));
    for process in &parts.templates {
        template(&mut text, process);
    }
    element(&mut text, 1, "system", "", &print_declarations(&parts.system));
    if !parts.queries.is_empty() {
        text.push_str("\t<queries>\n");
        for (query, title) in parts.queries {
            text.push_str("\t\t<query>\n");
            element(&mut text, 3, "formula", "", &query);
            element(&mut text, 3, "comment", "", title);
            text.push_str("\t\t</query>\n");
        }
        text.push_str("\t</queries>\n");
    }
    text.push_str("</nta>\n");
    Ok(text)
}

fn template(text: &mut String, process: &ast::ProcessDeclaration) {
    text.push_str("\t<template>\n");
    element(text, 2, "name", "", &process.name.text);
    if !process.parameters.is_empty() {
        element(text, 2, "parameter", "", &print_parameters(&process.parameters));
    }
    if !process.declarations.is_empty() {
        element(text, 2, "declaration", "", &print_declarations(&process.declarations));
    }
    let mut ids: BTreeMap<&str, String> = BTreeMap::new();
    let is_in = |names: &[ast::Name], name: &str| names.iter().any(|other| other.text == name);
    for (number, location) in process.locations.iter().enumerate() {
        let (x, y) = (number % COLUMNS * COLUMN, number / COLUMNS * ROW);
        let name = location.name.text.as_str();
        // Writing to a string does not fail.
        let _ = writeln!(text, "\t\t<location id=\"id{number}\" x=\"{x}\" y=\"{y}\">");
        if !name.starts_with('#') {
            element(text, 3, "name", &position(x, y, -10, -34), name);
        }
        if let Some(invariant) = &location.invariant {
            let place = format!(" kind=\"invariant\"{}", position(x, y, -10, 17));
            element(text, 3, "label", &place, &print_expression(invariant));
        }
        if let Some(rate) = &location.rate {
            let place = format!(" kind=\"exponentialrate\"{}", position(x, y, -10, 34));
            element(text, 3, "label", &place, &print_rate(rate));
        }
        if is_in(&process.committed, name) {
            text.push_str("\t\t\t<committed/>\n");
        } else if is_in(&process.urgent, name) {
            text.push_str("\t\t\t<urgent/>\n");
        }
        text.push_str("\t\t</location>\n");
        ids.insert(name, format!("id{number}"));
    }
    for (position, branchpoint) in process.branchpoints.iter().enumerate() {
        let number = process.locations.len() + position;
        let (x, y) = (number % COLUMNS * COLUMN, number / COLUMNS * ROW);
        let _ = writeln!(text, "\t\t<branchpoint id=\"id{number}\" x=\"{x}\" y=\"{y}\"/>");
        ids.insert(&branchpoint.text, format!("id{number}"));
    }
    let id_of = |name: &ast::Name| ids.get(name.text.as_str()).map_or("", String::as_str);
    if let Some(initial) = process.initial.first() {
        let _ = writeln!(text, "\t\t<init ref=\"{}\"/>", id_of(initial));
    }
    for edge in &process.edges {
        let controllable = if edge.is_uncontrollable { " controllable=\"false\"" } else { "" };
        let target = match &edge.target {
            ast::EdgeTarget::Single(target) => id_of(target),
            ast::EdgeTarget::Branches(_) => "",
        };
        let _ = writeln!(text, "\t\t<transition{controllable}>");
        let _ = writeln!(
            text,
            "\t\t\t<source ref=\"{}\"/>\n\t\t\t<target ref=\"{target}\"/>",
            id_of(&edge.source)
        );
        let labels = &edge.labels;
        if !labels.select.is_empty() {
            element(text, 3, "label", " kind=\"select\"", &print_select(&labels.select));
        }
        if let Some(guard) = &labels.guard {
            element(text, 3, "label", " kind=\"guard\"", &print_expression(guard));
        }
        if let Some(synchronisation) = &labels.synchronisation {
            let printed = print_synchronisation(synchronisation);
            element(text, 3, "label", " kind=\"synchronisation\"", &printed);
        }
        if !labels.updates.is_empty() {
            element(text, 3, "label", " kind=\"assignment\"", &print_expressions(&labels.updates));
        }
        if let Some(weight) = &labels.weight {
            element(text, 3, "label", " kind=\"probability\"", &print_expression(weight));
        }
        text.push_str("\t\t</transition>\n");
    }
    text.push_str("\t</template>\n");
}

fn position(x: usize, y: usize, right: i64, down: i64) -> String {
    let shifted = |value: usize, by: i64| i64::try_from(value).unwrap_or(i64::MAX).saturating_add(by);
    format!(" x=\"{}\" y=\"{}\"", shifted(x, right), shifted(y, down))
}

fn element(text: &mut String, depth: usize, name: &str, attributes: &str, content: &str) {
    let _ =
        writeln!(text, "{}<{name}{attributes}>{}</{name}>", "\t".repeat(depth), escaped(content.trim_end()));
}

fn escaped(content: &str) -> String {
    content.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
