//! Writes UPPAAL's XML documents.
//!
//! Invariant: a document is written back byte for byte. Other models become documents with the author's layout, or with
//! locations in rows if there is none.

use std::fmt::Write as _;

use tempora_source::Diagnostics;
use tempora_syntax::print_declarations;

use super::printed::PrintedTemplate;
use super::sections_of;
use crate::writer::Method;
use crate::{ComponentLayout, EdgeLayout, LayoutPoint, LocationLayout, Writable, Writer};

/// The registry entry of the writer.
pub(crate) const WRITER: Writer = Writer { name: "uppaal", extension: "xml", method: Method::Text(write) };

/// The distance between locations.
const COLUMN: usize = 204;
const ROW: usize = 136;
const COLUMNS: usize = 4;

fn write(model: &Writable<'_>, warnings: &mut Diagnostics) -> Result<String, Diagnostics> {
    if let Some(document) = model.document {
        return Ok(model.files.text(document.file).to_owned());
    }
    let parts = sections_of(model)?;
    model.warn_of_labels(warnings);
    let templates: Vec<PrintedTemplate> = parts
        .templates
        .iter()
        .map(|process| PrintedTemplate::new(process, model.layout_of(process)))
        .collect();
    let declarations = print_declarations(&parts.declarations);
    Ok(document_text(&declarations, &templates, &print_declarations(&parts.system), &parts.queries))
}

/// Returns the text of a document with these parts; each query has its title.
pub(crate) fn document_text(
    declarations: &str,
    templates: &[PrintedTemplate],
    system: &str,
    queries: &[(String, &str)],
) -> String {
    let mut text = String::from(concat!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n",
        "<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.6//EN' 'http://www.it.uu.se/research/group/darts/uppaal/flat-1_6.dtd'>\n",
        "<nta>\n",
    ));
    element(&mut text, 1, "declaration", "", declarations);
    for template in templates {
        write_template(&mut text, template);
    }
    element(&mut text, 1, "system", "", system);
    if !queries.is_empty() {
        text.push_str("\t<queries>\n");
        for (query, title) in queries {
            text.push_str("\t\t<query>\n");
            element(&mut text, 3, "formula", "", query);
            element(&mut text, 3, "comment", "", title);
            text.push_str("\t\t</query>\n");
        }
        text.push_str("\t</queries>\n");
    }
    text.push_str("</nta>\n");
    text
}

/// Returns the position of a node in the layout of rows.
pub(crate) fn place_in_rows(number: usize) -> LayoutPoint {
    LayoutPoint { x: (number % COLUMNS * COLUMN) as f64, y: (number / COLUMNS * ROW) as f64 }
}

fn write_template(text: &mut String, template: &PrintedTemplate) {
    text.push_str("\t<template>\n");
    element(text, 2, "name", "", &template.name);
    if !template.parameters.is_empty() {
        element(text, 2, "parameter", "", &template.parameters);
    }
    if !template.declarations.is_empty() {
        element(text, 2, "declaration", "", &template.declarations);
    }
    let unplaced = ComponentLayout::default();
    let layout = template.layout.as_ref().unwrap_or(&unplaced);
    let nowhere = LocationLayout::default();
    for (number, location) in template.locations.iter().enumerate() {
        let drawn = layout.locations.get(number).unwrap_or(&nowhere);
        let place = drawn.place.unwrap_or_else(|| place_in_rows(number));
        let colour = colour_attribute(drawn.colour.as_deref());
        let near = |known: Option<LayoutPoint>, down: f64| {
            at(known.unwrap_or(LayoutPoint { x: place.x - 10.0, y: place.y + down }))
        };
        // Writing to a string does not fail.
        let _ = writeln!(text, "\t\t<location id=\"id{number}\"{}{colour}>", at(place));
        if !location.name.starts_with('#') {
            element(text, 3, "name", &near(drawn.name, -34.0), &location.name);
        }
        if !location.invariant.is_empty() {
            let attributes = format!(" kind=\"invariant\"{}", near(drawn.invariant, 17.0));
            element(text, 3, "label", &attributes, &location.invariant);
        }
        if !location.rate.is_empty() {
            let attributes = format!(" kind=\"exponentialrate\"{}", near(None, 34.0));
            element(text, 3, "label", &attributes, &location.rate);
        }
        if location.is_committed {
            text.push_str("\t\t\t<committed/>\n");
        } else if location.is_urgent {
            text.push_str("\t\t\t<urgent/>\n");
        }
        text.push_str("\t\t</location>\n");
    }
    for position in 0..template.branchpoints {
        let number = template.locations.len() + position;
        let _ = writeln!(text, "\t\t<branchpoint id=\"id{number}\"{}/>", at(place_in_rows(number)));
    }
    let id_of = |place: Option<usize>| place.map_or_else(String::new, |number| format!("id{number}"));
    if template.initial.is_some() {
        let _ = writeln!(text, "\t\t<init ref=\"{}\"/>", id_of(template.initial));
    }
    let straight = EdgeLayout::default();
    for (number, edge) in template.edges.iter().enumerate() {
        let drawn = layout.edges.get(number).unwrap_or(&straight);
        let controllable = if edge.is_uncontrollable { " controllable=\"false\"" } else { "" };
        let colour = colour_attribute(drawn.colour.as_deref());
        let _ = writeln!(text, "\t\t<transition{controllable}{colour}>");
        let (source, target) = (id_of(edge.source), id_of(edge.target));
        let _ = writeln!(text, "\t\t\t<source ref=\"{source}\"/>\n\t\t\t<target ref=\"{target}\"/>");
        let labels = [
            ("select", &edge.select, drawn.labels[0]),
            ("guard", &edge.guard, drawn.labels[1]),
            ("synchronisation", &edge.synchronisation, drawn.labels[2]),
            ("assignment", &edge.update, drawn.labels[3]),
            ("probability", &edge.weight, None),
        ];
        for (kind, label, place) in labels {
            if !label.is_empty() {
                let attributes = format!(" kind=\"{kind}\"{}", place.map_or_else(String::new, at));
                element(text, 3, "label", &attributes, label);
            }
        }
        for bend in &drawn.bends {
            let _ = writeln!(text, "\t\t\t<nail{}/>", at(bend.place));
        }
        text.push_str("\t\t</transition>\n");
    }
    text.push_str("\t</template>\n");
}

/// Returns the attributes of a position, which UPPAAL wants as integers.
fn at(place: LayoutPoint) -> String {
    format!(" x=\"{}\" y=\"{}\"", place.x.round() as i64, place.y.round() as i64)
}

fn colour_attribute(colour: Option<&str>) -> String {
    match colour {
        Some(colour) => format!(" color=\"{}\"", escaped(colour).replace('"', "&quot;")),
        None => String::new(),
    }
}

fn element(text: &mut String, depth: usize, name: &str, attributes: &str, content: &str) {
    let _ =
        writeln!(text, "{}<{name}{attributes}>{}</{name}>", "\t".repeat(depth), escaped(content.trim_end()));
}

fn escaped(content: &str) -> String {
    content.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
