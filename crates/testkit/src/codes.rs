//! Counts the diagnostic codes that a crate declares.

use crate::{files_below, workspace};

/// Counts the `declare_code!` invocations in the sources of a crate.
pub fn declared_codes(crate_name: &str) -> usize {
    let sources = workspace().join("crates").join(crate_name).join("src");
    let texts = files_below(&sources, ".rs").into_iter().map(|path| std::fs::read_to_string(path).unwrap());
    texts.map(|text| text.matches("\ndeclare_code! {").count()).sum()
}
