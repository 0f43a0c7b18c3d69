//! Parses a text as one of the kinds that the fences of cases and pages name, with the corresponding entry point of the
//! parser and the printer.

use tempora_source::{Colour, Diagnostic, Files, render_text};
use tempora_syntax::{
    Dump, Parsed, parse_declarations, parse_expression, parse_expression_list, parse_guard, parse_network,
    parse_parameters, parse_queries, parse_query, parse_rate, parse_select, parse_synchronisation,
    print_declarations, print_expression, print_expressions, print_network, print_query,
};

/// All kinds of text.
pub(crate) const KINDS: [&str; 11] = [
    "declarations",
    "expression",
    "guard",
    "update",
    "select",
    "sync",
    "parameters",
    "rate",
    "query",
    "queries",
    "net",
];

/// The result of parsing a text.
pub(crate) struct Reading {
    pub(crate) files: Files,
    pub(crate) dump: String,
    /// The printed tree, for kinds that have a printer.
    pub(crate) printed: Option<String>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Parses a text of the given kind.
pub(crate) fn read(kind: &str, text: &str) -> Result<Reading, String> {
    let mut files = Files::new();
    let file = files.add("text", text).unwrap();
    let (dump, printed, diagnostics) = match kind {
        "declarations" => {
            dump_and_print(parse_declarations(&files, file), |tree| Some(print_declarations(tree)))
        }
        "expression" => dump_and_print(parse_expression(&files, file), |tree| Some(print_expression(tree))),
        "guard" => dump_and_print(parse_guard(&files, file), |tree| tree.as_ref().map(print_expression)),
        "update" => dump_and_print(parse_expression_list(&files, file), |tree| Some(print_expressions(tree))),
        "select" => dump_and_print(parse_select(&files, file), |_| None),
        "sync" => dump_and_print(parse_synchronisation(&files, file), |_| None),
        "parameters" => dump_and_print(parse_parameters(&files, file), |_| None),
        "rate" => dump_and_print(parse_rate(&files, file), |_| None),
        "query" => dump_and_print(parse_query(&files, file), |tree| Some(print_query(tree))),
        "queries" => dump_and_print(parse_queries(&files, file), |tree| {
            Some(tree.iter().map(|query| print_query(query) + "\n").collect())
        }),
        "net" => dump_and_print(parse_network(&files, file), |tree| Some(print_network(tree))),
        _ => return Err(format!("unknown kind of text {kind}")),
    };
    let diagnostics = diagnostics.into_sorted(&files);
    Ok(Reading { files, dump, printed, diagnostics })
}

fn dump_and_print<Tree: Dump>(
    parsed: Parsed<Tree>,
    print: impl Fn(&Tree) -> Option<String>,
) -> (String, Option<String>, tempora_source::Diagnostics) {
    (parsed.tree.dump(), print(&parsed.tree), parsed.diagnostics)
}

impl Reading {
    /// Checks that parsing the printed tree gives the same tree.
    pub(crate) fn check_printed(&self, kind: &str) -> Result<(), String> {
        let Some(printed) = &self.printed else { return Ok(()) };
        let again = read(kind, printed)?;
        if again.dump != self.dump || again.diagnostics.len() != self.diagnostics.len() {
            let complaints = render_text(&again.files, &again.diagnostics, Colour::Never);
            return Err(format!(
                "the printed text\n{printed}\nis read as\n{}\ninstead of\n{}\n{complaints}",
                again.dump, self.dump
            ));
        }
        Ok(())
    }
}
