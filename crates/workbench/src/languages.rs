//! The languages that models are read from, one line each.
//!
//! Invariant: names are unique. A language recognises its files by their content, and by their name where the content
//! does not tell.

use tempora_model::Network;
use tempora_model::syntax::{ast, parse_network, parse_query};
use tempora_model::{Query, elaborate_network, elaborate_query, validate_network};
use tempora_source::{Diagnostics, FileId, Files, Origins};

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
