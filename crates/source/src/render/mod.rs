//! Diagnostics as the user reads them, one file an output format.
//!
//! Invariant: every position is one in a real file; texts inside it are named by their description.

mod excerpt;
mod json;
mod printable;
mod text;

pub use json::{DiagnosticRecord, LabelRecord, render_json};
pub use text::{Colour, render_text};

use crate::{FileId, Files};

/// `guard of edge 3, in model of request 1`; none for a real file.
fn embedding_description(files: &Files, file: FileId) -> Option<String> {
    let descriptions = files.embeddings(file);
    (!descriptions.is_empty()).then(|| descriptions.join(", in "))
}
