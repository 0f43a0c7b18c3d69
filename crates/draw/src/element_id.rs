//! The stable name of an element of a diagram, such as `Train/location/2`.
//!
//! Invariant: it is opaque. The crate compares ids and writes them out; it never takes one apart.

use std::fmt;

/// Names an element of the user's model across redraws, overlays and links.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ElementId(String);

impl ElementId {
    /// An id with this text. Any text will do; unlike elements should have unlike texts.
    pub fn new(text: impl Into<String>) -> ElementId {
        ElementId(text.into())
    }

    /// The text of the id.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for ElementId {
    fn from(text: &str) -> ElementId {
        ElementId::new(text)
    }
}

impl From<String> for ElementId {
    fn from(text: String) -> ElementId {
        ElementId(text)
    }
}

impl fmt::Display for ElementId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}
