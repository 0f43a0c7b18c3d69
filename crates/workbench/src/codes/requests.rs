//! Codes of requests that do not fit the model, an engine or a format.
//!
//! Invariant: every code is in [`super::ALL`].

use tempora_source::declare_code;

declare_code! {
    /// ## Meaning
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
    pub static UNKNOWN_CHECK = "unknown-check": "there is no check of this name";
}

declare_code! {
    /// ## Meaning
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
    pub static BAD_SETTINGS = "bad-settings": "settings that are not understood";
}

declare_code! {
    /// ## Meaning
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
    pub static NO_NETWORK = "no-network": "the command is not for symbolic systems";
}

declare_code! {
    /// ## Meaning
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
    pub static NO_SOLVER = "no-solver": "there is no SMT solver";
}

declare_code! {
    /// ## Meaning
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
    pub static NO_QUERY = "no-query": "there is no query to answer";
}

declare_code! {
    /// ## Meaning
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
    pub static MISPLACED_OPTION = "misplaced-option": "an option that does not fit the model or the engine";
}

declare_code! {
    /// ## Meaning
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
    pub static UNKNOWN_ENGINE = "unknown-engine": "there is no engine of this name";
}

declare_code! {
    /// ## Meaning
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
    pub static UNKNOWN_FORMAT = "unknown-format": "a language in which models cannot be written";
}

declare_code! {
    /// ## Meaning
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
    pub static UNWRITABLE_RUN = "unwritable-run": "a run that a format cannot hold";
}

declare_code! {
    /// ## Meaning
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
    pub static NOTHING_TO_DRAW = "nothing-to-draw": "a diagram that does not exist";
}
