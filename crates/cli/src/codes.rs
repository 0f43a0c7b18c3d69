//! All codes that `tempora explain` knows: those of every crate, one line a crate, and those of the command line.
//!
//! Invariant: names are unique over all crates.

use tempora_source::{Code, declare_code};

/// The lists of all crates.
const REGISTRIES: &[&[&Code]] = &[ALL, tempora_model::codes::ALL, tempora_source::codes::ALL];

/// The codes of the command line itself.
static ALL: &[&Code] = &[&UNKNOWN_CODE];

/// Every code of the workbench, sorted by name.
pub(crate) fn all_codes() -> Vec<&'static Code> {
    let mut codes: Vec<&Code> = REGISTRIES.iter().copied().flatten().copied().collect();
    codes.sort();
    codes
}

declare_code! {
    /// ## What it means
    ///
    /// `tempora explain` was asked for a code that does not exist.
    ///
    /// ## Why it matters
    ///
    /// There is no page to show. A script that asks for it may be written for another version.
    ///
    /// ## Example
    ///
    /// ```arguments
    /// explain xml-unknown-entitty
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Copy the name from between the brackets of a message, as in `error[xml-unknown-entity]`. `tempora explain`
    /// alone lists all codes.
    pub(crate) static UNKNOWN_CODE = "unknown-code": "the manual has no page of this name";
}

#[cfg(test)]
mod tests {
    use tempora_source::registry_faults;

    use super::all_codes;

    #[test]
    fn the_registry_has_no_faults() {
        assert_eq!(registry_faults(&all_codes()), Vec::<String>::new());
    }
}
