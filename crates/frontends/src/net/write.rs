//! Writes networks as `.net` files, with their queries.
//!
//! Invariant: every complete network can be written; names that the language does not allow are replaced.

use tempora_model::{print_network, print_query};
use tempora_source::Diagnostics;

use crate::writer::Method;
use crate::{Writable, Writer};

/// The registry entry of the writer.
pub(crate) const WRITER: Writer = Writer { name: "net", extension: "net", method: Method::Text(write) };

fn write(model: &Writable<'_>, _: &mut Diagnostics) -> Result<String, Diagnostics> {
    model.require_complete_network()?;
    let (network, queries) = (model.network, model.queries);
    let mut text = print_network(network);
    if !queries.is_empty() {
        text.push('\n');
    }
    for query in queries {
        text.push_str(&format!("query {};\n", print_query(network, query)));
    }
    Ok(text)
}
