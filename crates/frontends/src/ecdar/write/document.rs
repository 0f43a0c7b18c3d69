//! Writes Ecdar's documents: UPPAAL documents with `IO` lines for inputs and outputs.

use tempora_source::Diagnostics;
use tempora_syntax::{ast, is_name, print_declarations};

use super::input_output_lines;
use super::special::replace_special_labels;
use crate::ecdar::component::NAMELESS;
use crate::uppaal::{PrintedTemplate, document_text, refuse, replace_text, sections_of};
use crate::writer::Method;
use crate::{Writable, Writer};

/// The registry entry of the writer.
pub(crate) const WRITER: Writer = Writer { name: "ecdar-xml", extension: "xml", method: Method::Text(write) };

fn write(model: &Writable<'_>, warnings: &mut Diagnostics) -> Result<String, Diagnostics> {
    let lines = input_output_lines(model);
    if let Some(document) = model.document {
        let text = model.files.text(document.file);
        let (Some(system), false) = (&document.system, lines.is_empty()) else { return Ok(text.to_owned()) };
        let known = model.files.text(system.file).trim_end();
        let splice = replace_text(model.files, system, &format!("{known}\n{}\n", lines.join("\n")));
        return Ok(splice.apply(text).map_or_else(|| text.to_owned(), |(changed, _)| changed));
    }
    let mut parts = sections_of(model)?;
    let mut problems = Diagnostics::new();
    for declaration in &mut parts.declarations {
        if let ast::DeclarationKind::Variables(variables) = &mut declaration.kind {
            variables.declarators.retain(|declarator| declarator.name.text != NAMELESS);
            for declarator in &variables.declarators {
                if !is_name(&declarator.name.text) {
                    let what = format!("the name `{}`", declarator.name.text);
                    refuse(&mut problems, declarator.name.span, &what, "rename it");
                }
            }
        }
    }
    parts.declarations.retain(|declaration| {
        !matches!(&declaration.kind, ast::DeclarationKind::Variables(variables) if variables.declarators.is_empty())
    });
    let mut templates = Vec::with_capacity(parts.templates.len());
    for process in &parts.templates {
        let mut template = PrintedTemplate::new(process, model.layout_of(process));
        for (edge, written) in template.edges.iter_mut().zip(&process.edges) {
            if edge.channel != NAMELESS {
                continue;
            }
            if edge.direction == Some(ast::Direction::Receive) {
                refuse(&mut problems, written.span, "an input without a name", "add a channel");
            }
            (edge.direction, edge.channel, edge.synchronisation) = (None, String::new(), String::new());
        }
        replace_special_labels(&mut template, process, |_| true, (warnings, &mut problems));
        for edge in &mut template.edges {
            edge.is_uncontrollable = edge.direction != Some(ast::Direction::Receive);
        }
        templates.push(template);
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let system = print_declarations(&parts.system);
    let system = format!("{}\n{}", system.trim_end(), lines.join("\n"));
    Ok(document_text(&print_declarations(&parts.declarations), &templates, &system, &parts.queries))
}
