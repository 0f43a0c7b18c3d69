//! The diagnostic codes of this crate.
//!
//! Invariant: every code is in [`ALL`], which is sorted by name.

pub mod files;
pub mod symbolic;
pub mod tck;
pub mod writing;

use tempora_source::Code;

use crate::ecdar::codes as ecdar;
use crate::uppaal::codes as uppaal;

/// Every code of this crate, by name.
pub static ALL: &[&Code] = &[
    &writing::CANNOT_BE_WRITTEN,
    &ecdar::ECDAR_COMPONENT,
    &ecdar::ECDAR_DRAWING,
    &ecdar::ECDAR_JSON,
    &ecdar::ECDAR_SYSTEM,
    &tck::GUARD_ON_WEAK_EVENT,
    &tck::LARGE_UNIT_OF_TIME,
    &ecdar::NO_PROJECT,
    &tck::PROCESS_RENAMED,
    &symbolic::NAME,
    &symbolic::SYNTAX,
    &symbolic::TYPE,
    &tck::UNKNOWN_ATTRIBUTE,
    &files::UNREADABLE_FILE,
    &writing::WRITTEN_OTHERWISE,
    &uppaal::XML_ATTRIBUTE,
    &uppaal::XML_LABEL,
    &uppaal::XML_NAME,
    &uppaal::XML_REFERENCE,
    &uppaal::XML_STRUCTURE,
    &uppaal::XML_UNCLOSED,
];
