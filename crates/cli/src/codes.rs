//! All codes that `tempora explain` knows: those of every crate, one line a crate, and those of the command line.
//!
//! Invariant: names are unique over all crates.

use tempora_source::{Code, declare_code};

/// The lists of all crates.
const REGISTRIES: &[&[&Code]] = &[
    ALL,
    tempora_syntax::codes::ALL,
    tempora_model::codes::ALL,
    tempora_source::codes::ALL,
    tempora_frontends::codes::ALL,
    tempora_report::codes::ALL,
    tempora_workbench::codes::ALL,
    tempora_workbench::CHECK_CODES,
];

/// The codes of the command line itself.
static ALL: &[&Code] = &[
    &ECDAR_COMMAND,
    &MISPLACED_OPTION,
    &NO_NETWORK,
    &NO_SOLVER,
    &NO_QUERY,
    &NOTHING_TO_DRAW,
    &BAD_SETTINGS,
    &UNKNOWN_CHECK,
    &UNKNOWN_CODE,
    &UNKNOWN_ENGINE,
    &UNKNOWN_FORMAT,
    &UNWRITABLE_RUN,
    &VERIFYTA_OPTION,
];

/// Every code of the workbench, sorted by name.
pub(crate) fn all_codes() -> Vec<&'static Code> {
    let mut codes: Vec<&Code> = REGISTRIES.iter().copied().flatten().copied().collect();
    codes.sort();
    codes
}

declare_code! {
    /// ## What it means
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
    /// ## What it means
    ///
    /// `--only`, `--skip` or `tempora.toml` names a check that does not exist.
    ///
    /// ## Why it matters
    ///
    /// A check that was to be run, or to be left out, would silently not be.
    ///
    /// ## Example
    ///
    /// ```arguments
    /// lint examples/fischer.net --only deadlok
    /// ```
    ///
    /// ## How to fix it
    ///
    /// `tempora explain` alone lists all names.
    pub(crate) static UNKNOWN_CHECK = "unknown-check": "there is no check of this name";
}

declare_code! {
    /// ## What it means
    ///
    /// The file `tempora.toml` beside the model is not what `tempora lint` understands.
    ///
    /// ## Why it matters
    ///
    /// Settings that are not understood would silently not count.
    ///
    /// ## Example
    ///
    /// ```toml
    /// [lint]
    /// skipp = ["naming"]
    /// ```
    ///
    /// ## How to fix it
    ///
    /// The section `lint` has `only`, `skip` and `ends`, lists of texts; `fail-on`, a severity; and `severity`, a table from
    /// names of checks to severities. Severities are `error`, `warning` and `info`.
    pub(crate) static BAD_SETTINGS = "bad-settings": "settings that are not understood";
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

declare_code! {
    /// ## What it means
    ///
    /// The command is for networks of timed automata, and the model is a symbolic system.
    ///
    /// ## Why it matters
    ///
    /// A symbolic system has no templates or diagrams that could be drawn or written in a language for networks.
    ///
    /// ## Example
    ///
    /// ```arguments
    /// convert counter.xsts counter.xml
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Use `tempora check` or `tempora inspect`; `inspect --ir` prints the system in the form `.sym`.
    pub(crate) static NO_NETWORK = "no-network": "the command is not for symbolic systems";
}

declare_code! {
    /// ## What it means
    ///
    /// The engine needs an SMT solver, and none was found.
    ///
    /// ## Why it matters
    ///
    /// Without one the question cannot be answered by this engine.
    ///
    /// ## Example
    ///
    /// ```arguments
    /// check counter.xsts --engine cegar --solver nowhere
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Install Z3, so that `z3` is on the path, or name a solver with `--solver` or the variable `TEMPORA_SOLVER`. In a
    /// checkout, `cargo xtask setup` gets one. The engine `explicit` needs none.
    pub(crate) static NO_SOLVER = "no-solver": "there is no SMT solver";
}

declare_code! {
    /// ## What it means
    ///
    /// The model has no queries of its own, and none was given on the command line.
    ///
    /// ## Why it matters
    ///
    /// There is nothing to answer, and a script might take silence for success.
    ///
    /// ## Example
    ///
    /// ```arguments
    /// check model-without-queries.net
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Ask with `--query`, or write `query E<> P.Location;` into the model.
    pub(crate) static NO_QUERY = "no-query": "there is no query to answer";
}

declare_code! {
    /// ## What it means
    ///
    /// An option such as `--trace`, `--search` or `--domain` has a value that means nothing to the chosen engine or to this kind
    /// of model, or two options contradict each other.
    ///
    /// ## Why it matters
    ///
    /// An option that is ignored would let the answer look like one to another question.
    ///
    /// ## Example
    ///
    /// ```arguments
    /// check examples/fischer.net --search err
    /// ```
    ///
    /// ## How to fix it
    ///
    /// The message names the option, the hint another value. Without the option, the default is used.
    pub(crate) static MISPLACED_OPTION = "misplaced-option": "an option that does not fit the model or the engine";
}

declare_code! {
    /// ## What it means
    ///
    /// `--engine` names an engine that does not exist.
    ///
    /// ## Why it matters
    ///
    /// Another engine might answer differently long.
    ///
    /// ## Example
    ///
    /// ```arguments
    /// check model.net --engine warp
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Leave the option out, or use a name that the message lists.
    pub(crate) static UNKNOWN_ENGINE = "unknown-engine": "there is no engine of this name";
}

declare_code! {
    /// ## What it means
    ///
    /// `tempora convert` does not know in which language to write.
    ///
    /// ## Why it matters
    ///
    /// The wrong language would be worse than none.
    ///
    /// ## Example
    ///
    /// ```arguments
    /// convert examples/fischer.net fischer.doc
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Name the language with `--to`, or let the name of the file end as those of the language do, such as `.tck`.
    pub(crate) static UNKNOWN_FORMAT = "unknown-format": "a language in which models cannot be written";
}

declare_code! {
    /// ## What it means
    ///
    /// A run has something that the format it is to be written in cannot hold, such as branches of an edge in the format
    /// `xtr`.
    ///
    /// ## Why it matters
    ///
    /// A file with a part of the run would be a file with another run.
    ///
    /// ## Example
    ///
    /// ```arguments
    /// check examples/fischer.tck --save-trace no-such-folder/run --trace-format xtr
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Choose another format; json can hold every run.
    pub(crate) static UNWRITABLE_RUN = "unwritable-run": "a run that a format cannot hold";
}

declare_code! {
    /// ## What it means
    ///
    /// `tempora draw` is asked for a template that the model does not have, or the model has none.
    ///
    /// ## Why it matters
    ///
    /// The picture would be empty.
    ///
    /// ## Example
    ///
    /// ```arguments
    /// draw examples/fischer.net --template NoSuchTemplate
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Name a template of the model; `tempora inspect` lists them.
    pub(crate) static NOTHING_TO_DRAW = "nothing-to-draw": "a diagram that does not exist";
}

declare_code! {
    /// ## What it means
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
