//! The codes of this crate.
//!
//! Invariant: every code declared here and in the modules below is in [`ALL`].

pub mod tck;

use tempora_source::{Code, declare_code};

/// Every code of this crate, by name.
pub static ALL: &[&Code] = &[
    &tck::CANNOT_BE_WRITTEN,
    &tck::GUARD_ON_WEAK_EVENT,
    &LANGUAGE_NOT_READ,
    &tck::PROCESS_RENAMED,
    &tck::UNKNOWN_ATTRIBUTE,
];

declare_code! {
    /// ## What it means
    ///
    /// The file is in a language that is known, but that cannot be read yet, such as UPPAAL's XML.
    ///
    /// ## Why it matters
    ///
    /// Read as another language it would give a hundred errors, none of which helps.
    ///
    /// ## Example
    ///
    /// ```file
    /// <nta><declaration>clock x;</declaration></nta>
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Write the model in the text form of networks, `.net`; the guide describes it.
    pub static LANGUAGE_NOT_READ = "language-not-read": "a file in a language that cannot be read yet";
}
