//! Writes UPPAAL's textual models, `.xta`.
//!
//! Invariant: the output uses the new syntax, which UPPAAL reads since version 4. It has no layout.

use std::fmt::Write as _;

use tempora_source::Diagnostics;
use tempora_syntax::{
    ast, print_declarations, print_expression, print_expressions, print_parameters, print_rate, print_select,
    print_synchronisation,
};

use super::{name_places, sections_of, with_renamed_member};
use crate::writer::Method;
use crate::{Writable, Writer};

/// The registry entry of the writer.
pub(crate) const WRITER: Writer = Writer { name: "xta", extension: "xta", method: Method::Text(write) };

fn write(model: &Writable<'_>, warnings: &mut Diagnostics) -> Result<String, Diagnostics> {
    let parts = sections_of(model)?;
    model.warn_of_labels(warnings);
    let mut text = print_declarations(&parts.declarations);
    let words = model.words_with_underscore();
    let mut renamed = Vec::new();
    for mut template in parts.templates {
        // A name that occurs nowhere in the model hides no other name.
        renamed.extend(name_places(&mut template, &|name| words.contains(name)));
        process(&mut text, &template);
    }
    text.push('\n');
    text.push_str(&print_declarations(&parts.system));
    for (mut query, _) in parts.queries {
        for (old, new) in &renamed {
            query = with_renamed_member(&query, old, new);
        }
        // Writing to a string does not fail.
        let _ = if query.starts_with("//") {
            writeln!(text, "{query}")
        } else {
            writeln!(text, "query {{ {query}; }}")
        };
    }
    Ok(text)
}

fn process(text: &mut String, template: &ast::ProcessDeclaration) {
    let parameters = print_parameters(&template.parameters);
    let _ = writeln!(text, "\nprocess {}({parameters}) {{", template.name.text);
    for line in print_declarations(&template.declarations).lines() {
        let _ = writeln!(text, "{}", if line.is_empty() { String::new() } else { format!("    {line}") });
    }
    let locations: Vec<String> = template.locations.iter().map(location).collect();
    if !locations.is_empty() {
        let _ = writeln!(text, "    state\n        {};", locations.join(",\n        "));
    }
    let lists = [
        ("branchpoint", &template.branchpoints),
        ("commit", &template.committed),
        ("urgent", &template.urgent),
        ("init", &template.initial),
    ];
    for (word, list) in lists {
        if !list.is_empty() {
            let names: Vec<&str> = list.iter().map(|name| name.text.as_str()).collect();
            let _ = writeln!(text, "    {word} {};", names.join(", "));
        }
    }
    let edges: Vec<String> = template.edges.iter().map(edge).collect();
    if !edges.is_empty() {
        let _ = writeln!(text, "    trans\n        {};", edges.join(",\n        "));
    }
    text.push_str("}\n");
}

fn location(location: &ast::LocationDeclaration) -> String {
    let invariant = location.invariant.as_ref().map(print_expression);
    let rate = location.rate.as_ref().map(print_rate);
    match (invariant, rate) {
        (None, None) => location.name.text.clone(),
        (invariant, None) => format!("{} {{ {} }}", location.name.text, invariant.unwrap_or_default()),
        (invariant, Some(rate)) => {
            format!("{} {{ {}; {rate} }}", location.name.text, invariant.unwrap_or_default())
        }
    }
}

fn edge(edge: &ast::Edge) -> String {
    let arrow = if edge.is_uncontrollable { "-u->" } else { "->" };
    let target = match &edge.target {
        ast::EdgeTarget::Single(target) => target.text.as_str(),
        ast::EdgeTarget::Branches(_) => "",
    };
    let mut text = format!("{} {arrow} {target} {{", edge.source.text);
    let labels = &edge.labels;
    if !labels.select.is_empty() {
        let _ = write!(text, " select {};", print_select(&labels.select));
    }
    if let Some(guard) = &labels.guard {
        let _ = write!(text, " guard {};", print_expression(guard));
    }
    if let Some(synchronisation) = &labels.synchronisation {
        let _ = write!(text, " sync {};", print_synchronisation(synchronisation));
    }
    if !labels.updates.is_empty() {
        let _ = write!(text, " assign {};", print_expressions(&labels.updates));
    }
    if let Some(weight) = &labels.weight {
        let _ = write!(text, " probability {};", print_expression(weight));
    }
    text.push_str(" }");
    text
}
