//! The output formats, one file each.
//!
//! A new format of runs needs one file and one line in [`RUN_FORMATS`].
//!
//! Invariant: a format of runs reads only a [`crate::ShownRun`] and its answer, so all formats agree.

pub mod certificate_checks;
pub mod findings_html;
pub mod findings_json;
pub mod findings_text;
pub mod inspection;
mod itf;
pub mod json;
mod run_format;
pub mod sarif;
mod sequence;
mod states;
pub mod text;
pub mod verifyta;
pub mod xtr;

pub use run_format::{RunFormat, RunToWrite};

/// All formats of runs, in the order of the help.
pub static RUN_FORMATS: &[&RunFormat] = &[
    &text::FORMAT,
    &json::FORMAT,
    &sequence::SVG,
    &sequence::MERMAID,
    &sequence::PLANTUML,
    &xtr::FORMAT,
    &states::FORMAT,
    &itf::FORMAT,
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::RUN_FORMATS;

    #[test]
    fn formats_differ_in_name_and_extension() {
        let names: BTreeSet<&str> = RUN_FORMATS.iter().map(|format| format.name).collect();
        let extensions: BTreeSet<&str> = RUN_FORMATS.iter().map(|format| format.extension).collect();
        assert_eq!((names.len(), extensions.len()), (RUN_FORMATS.len(), RUN_FORMATS.len()));
        assert!(RUN_FORMATS.iter().all(|format| !format.systems.is_empty()));
    }
}
