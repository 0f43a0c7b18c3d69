//! Diagnostics as the user reads them, one file an output format.
//!
//! Invariant: every position is one in a real file; texts inside it are named by their description.

mod excerpt;
mod printable;
mod text;

pub use text::{Colour, render_text};

use crate::{FileId, Files};

/// Describes the text that a file is, such as `guard of edge 3, in model of request 1`; `None` for a real file.
pub fn embedding_description(files: &Files, file: FileId) -> Option<String> {
    let descriptions = files.embeddings(file);
    (!descriptions.is_empty()).then(|| descriptions.join(", in "))
}
