//! Parses a text into a network and its queries, with all errors in one message.

use tempora_model::{Network, Query, elaborate_network};
use tempora_source::{Colour, Files, Origins, render_text};
use tempora_syntax::parse_network;

/// A network with the queries of its text.
#[derive(Clone, Debug)]
pub struct Model {
    /// The network.
    pub network: Network,
    /// The queries, in the order of the text.
    pub queries: Vec<Query>,
}

/// Parses a `.net` text; the error is the one that a user would see.
pub fn read_model(text: &str) -> Result<Model, String> {
    let mut files = Files::new();
    let file = files.add("model.net", text).map_err(|diagnostic| format!("{diagnostic:?}"))?;
    let parsed = parse_network(&files, file);
    let mut origins = Origins::new();
    let elaborated = elaborate_network(&files, &mut origins, &parsed.tree);
    let mut diagnostics = parsed.diagnostics;
    diagnostics.extend(elaborated.diagnostics);
    match elaborated.network {
        Some(network) if !diagnostics.has_errors() => Ok(Model { network, queries: elaborated.queries }),
        _ => Err(render_text(&files, diagnostics.as_slice(), Colour::Never)),
    }
}
