//! The version of all documents.
//!
//! Invariant: the type has a single value, so a document of another version cannot be built.

use serde::{Serialize, Serializer};

/// The version of all documents: 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DocumentVersion;

impl DocumentVersion {
    /// The version number in documents.
    pub const NUMBER: u32 = 1;
}

impl Serialize for DocumentVersion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(DocumentVersion::NUMBER)
    }
}
