//! The codes that a crate declares, counted in its text.

use crate::{files_below, workspace};

/// Counts the codes that are declared in the sources of a crate, whichever file they are in.
pub fn declared_codes(crate_name: &str) -> usize {
    let sources = workspace().join("crates").join(crate_name).join("src");
    let texts = files_below(&sources, ".rs").into_iter().map(|path| std::fs::read_to_string(path).unwrap());
    texts.map(|text| text.matches("\ndeclare_code! {").count()).sum()
}
