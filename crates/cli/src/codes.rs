//! The codes that `tempora explain` lists: those of the workbench and those of the command line.
//!
//! Invariant: names are unique across all crates.

use tempora_source::{Code, declare_code};

/// The codes of the command line.
static ALL: &[&Code] = &[&ECDAR_COMMAND, &UNKNOWN_CODE, &VERIFYTA_OPTION];

/// Returns every code, sorted by name.
pub(crate) fn all_codes() -> Vec<&'static Code> {
    let registries = [ALL].into_iter().chain(tempora_workbench::codes::REGISTRIES.iter().copied());
    let mut codes: Vec<&Code> = registries.flatten().copied().collect();
    codes.sort();
    codes
}

declare_code! {
    /// ## Meaning
    ///
    /// The arguments of `tempora ecdar` are not a command of JECDAR.
    ///
    /// ## Why it matters
    ///
    /// A script would wait for results that never arrive.
    ///
    /// ## Example
    ///
    /// ```arguments
    /// ecdar -rq examples/coffee.net "consistency: Machine"
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Write the format, `-json` or `-xml`, after `-rq`, and then the path. `tempora ecdar -help` lists all commands.
    pub(crate) static ECDAR_COMMAND = "ecdar-command": "unknown command of JECDAR";
}

declare_code! {
    /// ## Meaning
    ///
    /// The argument of `tempora explain` is not a known code.
    ///
    /// ## Why it matters
    ///
    /// There is no page to show. A script that uses the code may be written for another version.
    ///
    /// ## Example
    ///
    /// ```arguments
    /// explain xml-unknown-entitty
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Copy the code in brackets from a message, such as `error[xml-unknown-entity]`. `tempora explain` without
    /// arguments lists all codes.
    pub(crate) static UNKNOWN_CODE = "unknown-code": "unknown code";
}

declare_code! {
    /// ## Meaning
    ///
    /// `tempora verifyta` was called with an unknown or unsupported option, or without a model.
    ///
    /// ## Why it matters
    ///
    /// If the option were ignored, the answer could be to another question than the script asks.
    ///
    /// ## Example
    ///
    /// ```arguments
    /// verifyta -X trace examples/fischer.xml
    /// ```
    ///
    /// ## How to fix it
    ///
    /// `tempora verifyta --help` lists all options and marks the refused ones. `tempora check` often has an
    /// equivalent.
    pub(crate) static VERIFYTA_OPTION = "verifyta-option": "unknown or unsupported option of verifyta";
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
