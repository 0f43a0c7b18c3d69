//! What every front end makes of a file, and the part of the way that is the same for all.
//!
//! Invariant: there is a network only if no error was reported, and then it is well formed.

use tempora_model::syntax::{ast, parse_query};
use tempora_model::{Network, Query, elaborate_network, elaborate_query, validate_network};
use tempora_source::{Diagnostics, FileId, Files, Origins};

/// What a front end makes of a file.
pub struct Read {
    /// What was written, also where it makes no sense.
    pub tree: ast::Network,
    /// What it means, unless there are errors.
    pub network: Option<Network>,
    /// The queries that come with the model and have no errors.
    pub queries: Vec<Query>,
    /// What was found.
    pub diagnostics: Diagnostics,
}

impl Read {
    /// Works out a tree, unless there have been errors.
    pub(crate) fn from_tree(
        files: &Files,
        origins: &mut Origins,
        tree: ast::Network,
        mut diagnostics: Diagnostics,
    ) -> Read {
        // What could not be parsed is missing from the tree, so that names would seem to be undeclared.
        if diagnostics.has_errors() {
            return Read { tree, network: None, queries: Vec::new(), diagnostics };
        }
        let elaborated = elaborate_network(files, origins, &tree);
        diagnostics.extend(elaborated.diagnostics);
        let network = elaborated.network.filter(|network| {
            let found = validate_network(network, origins);
            let is_well_formed = found.is_empty();
            diagnostics.extend(found);
            is_well_formed
        });
        Read { tree, network, queries: elaborated.queries, diagnostics }
    }
}

/// Reads a query about a model that was read before.
pub fn read_query(
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
