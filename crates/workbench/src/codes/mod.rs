//! The codes of this crate.
//!
//! Invariant: every code is in [`ALL`], which is sorted by name.

mod requests;

use tempora_source::{Code, declare_code};

pub use requests::{
    BAD_SETTINGS, MISPLACED_OPTION, NO_NETWORK, NO_QUERY, NO_SOLVER, NOTHING_TO_DRAW, UNKNOWN_CHECK,
    UNKNOWN_ENGINE, UNKNOWN_FORMAT, UNWRITABLE_RUN,
};

/// The lists of codes of all crates that a job may report, one line a crate.
pub static REGISTRIES: &[&[&Code]] = &[
    ALL,
    tempora_checks::CODES,
    tempora_frontends::codes::ALL,
    tempora_model::codes::ALL,
    tempora_report::codes::ALL,
    tempora_source::codes::ALL,
    tempora_syntax::codes::ALL,
];

/// Every code of this crate, by name.
pub static ALL: &[&Code] = &[
    &BAD_SETTINGS,
    &DOES_NOT_FOLLOW,
    &JOB_FAILED,
    &MISPLACED_OPTION,
    &NO_NETWORK,
    &NO_QUERY,
    &NO_SOLVER,
    &NOTHING_TO_DRAW,
    &DO_NOT_COMPOSE,
    &UNKNOWN_CHECK,
    &UNKNOWN_ENGINE,
    &UNKNOWN_FORMAT,
    &UNKNOWN_LANGUAGE,
    &UNUSED_OBLIGATION,
    &UNWRITABLE_FILE,
    &UNWRITABLE_RUN,
];

declare_code! {
    /// ## Meaning
    ///
    /// A question combines specifications that cannot be combined: two parts of a composition have an output in common,
    /// the parts of a conjunction disagree on who decides on an action, a side of a quotient is not deterministic or not
    /// consistent, or a component is none, because an edge has no channel or it uses variables of others.
    ///
    /// ## Why it matters
    ///
    /// The operators are not defined for them, so there is nothing to ask about.
    ///
    /// ## Example
    ///
    /// ```net
    /// broadcast chan o;
    /// process A { init location L; L -> L { sync o!; } }
    /// process B { init location L; L -> L { sync o!; } }
    /// system A, B;
    /// query consistency: A || B;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Rename actions, or make the part a specification first: `determinism:` and `consistency:` say what is missing.
    pub static DO_NOT_COMPOSE = "specifications-do-not-fit": "specifications that cannot be combined";
}

declare_code! {
    /// ## Meaning
    ///
    /// The conclusion of a proof does not follow from its obligations, or a proof has no conclusion. In a step, a part of a
    /// composition is replaced by what an obligation says that it refines; no such steps lead from the left side of the conclusion to
    /// its right side.
    ///
    /// ## Why it matters
    ///
    /// The obligations may all hold and show nothing about the conclusion.
    ///
    /// ## Example
    ///
    /// ```text
    /// Node(1) <= Part;
    /// conclude Node(0) || Node(1) <= Whole;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Add the obligation that is missing, here `Part || Node(0) <= Whole;`. The message says how far the others lead.
    pub static DOES_NOT_FOLLOW = "does-not-follow": "a conclusion that does not follow from the obligations";
}

declare_code! {
    /// ## Meaning
    ///
    /// No conclusion of a proof rests on an obligation.
    ///
    /// ## Why it matters
    ///
    /// It costs time, and shows nothing; perhaps another was meant.
    ///
    /// ## Example
    ///
    /// ```text
    /// Node(1) <= Part;
    /// Part <= Whole;
    /// Node(0) <= Part;
    /// conclude Node(1) <= Whole;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Leave it out, or draw the conclusion that it is for.
    pub static UNUSED_OBLIGATION = "unused-obligation": "an obligation that no conclusion rests on";
}

declare_code! {
    /// ## Meaning
    ///
    /// A file cannot be written: its folder does not exist, or it may not be changed.
    ///
    /// ## Why it matters
    ///
    /// The result is lost.
    ///
    /// ## Example
    ///
    /// ```arguments
    /// convert examples/fischer.net no-such-folder/fischer.net
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Check the path. `-` writes to standard output.
    pub static UNWRITABLE_FILE = "unwritable-file": "a file that cannot be written";
}

declare_code! {
    /// ## Meaning
    ///
    /// There is no language with this name.
    ///
    /// ## Why it matters
    ///
    /// The model is not read.
    ///
    /// ## Example
    ///
    /// ```arguments
    /// inspect examples/fischer.net --language esperanto
    /// ```
    ///
    /// ## How to fix it
    ///
    /// The message lists the languages. Without `--language`, the language is recognised.
    pub static UNKNOWN_LANGUAGE = "unknown-language": "a language that does not exist";
}

declare_code! {
    /// ## Meaning
    ///
    /// The program could not do a job, through no fault of the model: a part of it failed, or no thread could be started.
    ///
    /// ## Why it matters
    ///
    /// There is no result, not even a partial one.
    ///
    /// ## Example
    ///
    /// ```text
    /// error[job-failed]: the job ended without a result: a defect of this program
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Try with more memory. If that does not help, report it together with the model.
    pub static JOB_FAILED = "job-failed": "a job that ended without a result";
}
