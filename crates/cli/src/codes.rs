//! All codes that `tempora explain` knows: those of the workbench, and those of the command line.
//!
//! Invariant: names are unique over all crates.

use tempora_source::{Code, declare_code};

/// The codes of the command line itself.
static ALL: &[&Code] = &[&ECDAR_COMMAND, &UNKNOWN_CODE, &VERIFYTA_OPTION];

/// Every code of the workbench, sorted by name.
pub(crate) fn all_codes() -> Vec<&'static Code> {
    let registries = [ALL].into_iter().chain(tempora_workbench::codes::REGISTRIES.iter().copied());
    let mut codes: Vec<&Code> = registries.flatten().copied().collect();
    codes.sort();
    codes
}

declare_code! {
    /// ## Meaning
    ///
    /// `tempora ecdar` was given something that is no command of JECDAR.
    ///
    /// ## Why it matters
    ///
    /// A script would wait for results that do not come.
    ///
    /// ## Example
    ///
    /// ```arguments
    /// ecdar -rq examples/coffee.net "consistency: Machine"
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Behind `-rq` comes the format, `-json` or `-xml`, and then the path. `tempora ecdar -help` lists all commands.
    pub(crate) static ECDAR_COMMAND = "ecdar-command": "something that is no command of JECDAR";
}

declare_code! {
    /// ## Meaning
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

declare_code! {
    /// ## Meaning
    ///
    /// `tempora verifyta` was called with an option that it does not know or does not support, or without a model.
    ///
    /// ## Why it matters
    ///
    /// To skip an option would be to answer another question than the script asks.
    ///
    /// ## Example
    ///
    /// ```arguments
    /// verifyta -X trace examples/fischer.xml
    /// ```
    ///
    /// ## How to fix it
    ///
    /// `tempora verifyta --help` lists all options, and which of them are refused. Often `tempora check` does what is
    /// wanted.
    pub(crate) static VERIFYTA_OPTION = "verifyta-option": "an option of verifyta that is not supported";
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
