//! Renderers of diagnostics, one file per output format.
//!
//! Invariant: every rendered position is in a real file; embedded texts are named by their descriptions.

mod excerpt;
mod printable;
mod text;

pub use text::{Colour, render_text};

use crate::{FileId, Files};

/// Describes an embedded text, such as `guard of edge 3, in model of request 1`; returns `None` for a real file.
pub fn embedding_description(files: &Files, file: FileId) -> Option<String> {
    let descriptions = files.embeddings(file);
    (!descriptions.is_empty()).then(|| descriptions.join(", in "))
}
