//! The diagnostic codes of this crate, one file per family.
//!
//! Invariant: every declared code is in [`ALL`], its name is unique there, and the example on its page produces it (see
//! `tests/it/code_pages.rs`).

pub mod encoding;
pub mod files;
pub mod json;
pub mod xml;

use crate::Code;

/// All codes of this crate, sorted by name.
pub static ALL: &[&Code] = &[
    &files::FILE_TOO_LARGE,
    &encoding::INVALID_UTF16,
    &encoding::INVALID_UTF8,
    &json::JSON_BAD_ESCAPE,
    &json::JSON_DUPLICATE_NAME,
    &json::JSON_LONE_SURROGATE,
    &json::JSON_SYNTAX,
    &json::JSON_UNESCAPED_CHARACTER,
    &encoding::UNSUPPORTED_ENCODING,
    &xml::XML_BAD_CHARACTER_REFERENCE,
    &xml::XML_BARE_AMPERSAND,
    &xml::XML_MARKUP_IN_TEXT,
    &xml::XML_UNCLOSED_SECTION,
    &xml::XML_UNKNOWN_ENTITY,
];
