//! The languages that models are read from, one line each.
//!
//! Invariant: names are unique. A language recognises its files by their content, and by their name where the content
//! does not tell.

use tempora_model::Network;
use tempora_model::syntax::{ast, parse_network, parse_query};
use tempora_model::{Query, elaborate_network, elaborate_query, validate_network};
use tempora_source::{Diagnostic, Diagnostics, FileId, Files, Origins, Span};

use crate::codes::LANGUAGE_NOT_READ;

/// A language for models.
pub struct Language {
    /// Its name, as users choose it.
    pub name: &'static str,
    /// How files are usually called.
    pub extension: &'static str,
}

/// All languages.
pub static LANGUAGES: &[Language] = &[Language { name: "net", extension: "net" }];

/// What a front end makes of a file.
pub(crate) struct Read {
    pub(crate) tree: ast::Network,
    pub(crate) network: Option<Network>,
    pub(crate) queries: Vec<Query>,
    pub(crate) diagnostics: Diagnostics,
}

/// Reads a network in its text form.
pub(crate) fn read_net(files: &Files, origins: &mut Origins, file: FileId) -> Read {
    let parsed = parse_network(files, file);
    if let Some(diagnostic) = other_language(files, file) {
        let diagnostics = [diagnostic].into_iter().collect();
        return Read { tree: parsed.tree, network: None, queries: Vec::new(), diagnostics };
    }
    let mut diagnostics = parsed.diagnostics;
    // What could not be parsed is missing from the tree, so that names would seem to be undeclared.
    if diagnostics.has_errors() {
        return Read { tree: parsed.tree, network: None, queries: Vec::new(), diagnostics };
    }
    let elaborated = elaborate_network(files, origins, &parsed.tree);
    diagnostics.extend(elaborated.diagnostics);
    let network = elaborated.network.filter(|network| {
        let found = validate_network(network, origins);
        let is_well_formed = found.is_empty();
        diagnostics.extend(found);
        is_well_formed
    });
    Read { tree: parsed.tree, network, queries: elaborated.queries, diagnostics }
}

/// Reads a query about a model that was read before.
pub(crate) fn read_query(
    files: &Files,
    origins: &mut Origins,
    tree: &ast::Network,
    file: FileId,
) -> (Option<Query>, Diagnostics) {
    let parsed = parse_query(files, file);
    let mut diagnostics = parsed.diagnostics;
    if diagnostics.has_errors() {
        return (None, diagnostics);
    }
    let (query, found) = elaborate_query(files, origins, tree, &parsed.tree);
    diagnostics.extend(found);
    (query, diagnostics)
}

/// A complaint about a file in a language that is known but not read.
fn other_language(files: &Files, file: FileId) -> Option<Diagnostic> {
    // No declaration begins like this, and every XML file does.
    let text = files.text(file);
    let start = text.len() - text.trim_start().len();
    text[start..].starts_with('<').then(|| {
        let start = u32::try_from(start).unwrap_or(u32::MAX);
        Diagnostic::error(&LANGUAGE_NOT_READ, "XML files cannot be read yet")
            .with_primary(Span::new(file, start, start + 1), "")
            .with_hint("write the model in the text form of networks, `.net`")
    })
}

#[cfg(test)]
mod tests {
    use tempora_source::registry_faults;

    use crate::{codes, load};

    #[test]
    fn the_example_of_each_code_produces_it() {
        assert_eq!(registry_faults(codes::ALL), Vec::<String>::new());
        for code in codes::ALL {
            for example in code.examples() {
                let loaded = load("example", format!(" \n{}", example.text).as_bytes());
                let found: Vec<&str> =
                    loaded.diagnostics.as_slice().iter().map(|diagnostic| diagnostic.code.name()).collect();
                assert_eq!(found, [code.name()]);
                assert!(loaded.network.is_none());
            }
        }
    }
}
