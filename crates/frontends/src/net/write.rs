//! Networks written as `.net` files, with their queries.
//!
//! Invariant: everything can be written; names that other languages allow and this one does not are replaced.

use tempora_model::{Network, Query, print_network, print_query};
use tempora_source::{Diagnostics, Origins};

use crate::Writer;

/// The writer, for the registry.
pub(crate) const WRITER: Writer = Writer { name: "net", extension: "net", write };

#[expect(clippy::unnecessary_wraps, reason = "other languages cannot say everything")]
fn write(network: &Network, queries: &[Query], _: &Origins) -> Result<String, Diagnostics> {
    let mut text = print_network(network);
    if !queries.is_empty() {
        text.push('\n');
    }
    for query in queries {
        text.push_str(&format!("query {};\n", print_query(network, query)));
    }
    Ok(text)
}
