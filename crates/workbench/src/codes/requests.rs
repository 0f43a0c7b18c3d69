//! Diagnostic codes for requests that do not fit the model, an engine or a format.
//!
//! Invariant: every code is in [`super::ALL`].

use tempora_source::declare_code;

declare_code! {
    /// ## Meaning
    ///
    /// `--only`, `--skip` or `tempora.toml` names an unknown check.
    ///
    /// ## Why it matters
    ///
    /// If the name were ignored, the wrong checks would run.
    ///
    /// ## Example
    ///
    /// ```arguments
    /// lint examples/fischer.net --only deadlok
    /// ```
    ///
    /// ## How to fix it
    ///
    /// `tempora explain` without arguments lists all names.
    pub static UNKNOWN_CHECK = "unknown-check": "unknown check";
}

declare_code! {
    /// ## Meaning
    ///
    /// The file `tempora.toml` beside the model has a syntax error, an unknown setting, or a value of the wrong type.
    ///
    /// ## Why it matters
    ///
    /// If the setting were ignored, `tempora lint` would not behave as configured.
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
    /// The section `lint` may contain `only`, `skip` and `ends`, lists of strings; `fail-on`, a severity; and
    /// `severity`, a table from names of checks to severities. Severities are `error`, `warning` and `info`.
    pub static BAD_SETTINGS = "bad-settings": "invalid settings";
}

declare_code! {
    /// ## Meaning
    ///
    /// The command needs a network of timed automata, but the model is a symbolic system.
    ///
    /// ## Why it matters
    ///
    /// A symbolic system has no templates that could be drawn or written in a language for networks.
    ///
    /// ## Example
    ///
    /// ```arguments
    /// convert counter.xsts counter.xml
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Use `tempora check` or `tempora inspect`; `inspect --ir` prints the system in the language `.sym`.
    pub static NO_NETWORK = "no-network": "command that needs a network";
}

declare_code! {
    /// ## Meaning
    ///
    /// The engine needs an SMT solver, but none was found.
    ///
    /// ## Why it matters
    ///
    /// Without a solver, this engine cannot answer any query.
    ///
    /// ## Example
    ///
    /// ```arguments
    /// check counter.xsts --engine cegar --solver nowhere
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Install Z3 so that `z3` is on the path, or set the path of a solver with `--solver` or the variable
    /// `TEMPORA_SOLVER`. In a checkout, `cargo xtask setup` installs one. The engine `explicit` needs no solver.
    pub static NO_SOLVER = "no-solver": "missing SMT solver";
}

declare_code! {
    /// ## Meaning
    ///
    /// The model has no queries, and the command line has none either.
    ///
    /// ## Why it matters
    ///
    /// There is nothing to check, and a script might take silence for success.
    ///
    /// ## Example
    ///
    /// ```arguments
    /// check model-without-queries.net
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Add a query with `--query`, or write `query E<> P.Location;` in the model.
    pub static NO_QUERY = "no-query": "no query to answer";
}

declare_code! {
    /// ## Meaning
    ///
    /// The chosen engine or this kind of model does not support the value of an option such as `--trace`, `--search` or
    /// `--domain`, or two options contradict each other.
    ///
    /// ## Why it matters
    ///
    /// If the option were ignored, the answer would be misleading.
    ///
    /// ## Example
    ///
    /// ```arguments
    /// check examples/fischer.net --search err
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Remove the option that the message names, or use the value in the hint.
    pub static MISPLACED_OPTION = "misplaced-option": "option that does not fit the model or the engine";
}

declare_code! {
    /// ## Meaning
    ///
    /// `--engine` names an unknown engine, or one that does not support this kind of model.
    ///
    /// ## Why it matters
    ///
    /// Another engine may take much longer, or support other queries.
    ///
    /// ## Example
    ///
    /// ```arguments
    /// check model.net --engine warp
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Remove the option, or use a name that the message lists.
    pub static UNKNOWN_ENGINE = "unknown-engine": "unknown engine";
}

declare_code! {
    /// ## Meaning
    ///
    /// `tempora convert` cannot determine the output language, or cannot write this kind of model in it.
    ///
    /// ## Why it matters
    ///
    /// A guess might produce a file in the wrong language.
    ///
    /// ## Example
    ///
    /// ```arguments
    /// convert examples/fischer.net fischer.doc
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Set the language with `--to`, or use a file name with an extension of the language, such as `.tck`.
    pub static UNKNOWN_FORMAT = "unknown-format": "unsupported output language";
}

declare_code! {
    /// ## Meaning
    ///
    /// The requested format cannot express a run, such as one with branches of an edge in the format `xtr`.
    ///
    /// ## Why it matters
    ///
    /// A file with only part of the run would describe another run.
    ///
    /// ## Example
    ///
    /// ```arguments
    /// check examples/fischer.tck --save-trace no-such-folder/run --trace-format xtr
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Choose another format; json supports every run.
    pub static UNWRITABLE_RUN = "unwritable-run": "run that a format cannot express";
}

declare_code! {
    /// ## Meaning
    ///
    /// `--template` names an unknown template, or the model has no templates.
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
    /// Use a template of the model; `tempora inspect` lists them.
    pub static NOTHING_TO_DRAW = "nothing-to-draw": "nothing to draw";
}
