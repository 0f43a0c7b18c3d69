//! Diagnostic codes of this crate.
//!
//! Invariant: every code is in [`ALL`], which is sorted by name.

mod requests;

use tempora_source::{Code, declare_code};

pub use requests::{
    BAD_SETTINGS, MISPLACED_OPTION, NO_NETWORK, NO_QUERY, NO_SOLVER, NOTHING_TO_DRAW, UNKNOWN_CHECK,
    UNKNOWN_ENGINE, UNKNOWN_FORMAT, UNWRITABLE_RUN,
};

/// The code lists of all crates whose diagnostics a job may report.
pub static REGISTRIES: &[&[&Code]] = &[
    ALL,
    tempora_checks::CODES,
    tempora_frontends::codes::ALL,
    tempora_model::codes::ALL,
    tempora_report::codes::ALL,
    tempora_source::codes::ALL,
    tempora_syntax::codes::ALL,
];

/// All codes of this crate, sorted by name.
pub static ALL: &[&Code] = &[
    &BAD_SETTINGS,
    &DOES_NOT_FOLLOW,
    &JOB_FAILED,
    &LIMIT_REACHED,
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
    /// A command reached the limit of `--timeout` or `--memory`, or was cancelled, before it had a result: while it read
    /// or compiled the model, or while it converted or drew it. The exit status is 3.
    ///
    /// ## Why it matters
    ///
    /// Nothing is known about the model, and nothing was written.
    ///
    /// ## Example
    ///
    /// ```arguments
    /// inspect examples/fischer.net --timeout 0
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Raise the limit, or make the model smaller: shorten its arrays and the ranges of its selects.
    pub static LIMIT_REACHED = "limit-reached": "a limit was reached before there was a result";
}

declare_code! {
    /// ## Meaning
    ///
    /// A query combines specifications to which the operator does not apply: two operands of a composition share an
    /// output, the operands of a conjunction disagree on whether an action is an input, an operand of a quotient is not
    /// deterministic, or an operand is not a component, because an edge has no channel or it uses variables of other
    /// processes. The other queries of the call are answered.
    ///
    /// ## Why it matters
    ///
    /// The operators are undefined for such operands, so the query has no meaning.
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
    /// Rename actions, or correct the operand: the query `determinism:` shows its defects.
    pub static DO_NOT_COMPOSE = "specifications-do-not-fit": "incompatible specifications";
}

declare_code! {
    /// ## Meaning
    ///
    /// The conclusion of a proof does not follow from its obligations, or a proof has no conclusion. A step of a proof
    /// replaces an operand of a composition, the left side of an obligation, by the right side of that obligation. No
    /// sequence of such steps leads from the left side of the conclusion to its right side.
    ///
    /// ## Why it matters
    ///
    /// Even if all obligations hold, the conclusion remains unproved.
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
    /// Add the missing obligation, here `Part || Node(0) <= Whole;`. The message shows how far the others lead.
    pub static DOES_NOT_FOLLOW = "does-not-follow": "conclusion that does not follow from the obligations";
}

declare_code! {
    /// ## Meaning
    ///
    /// An obligation is not needed for any conclusion of the proof.
    ///
    /// ## Why it matters
    ///
    /// Checking it takes time and proves nothing; perhaps another obligation was intended.
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
    /// Remove it, or add the conclusion that needs it.
    pub static UNUSED_OBLIGATION = "unused-obligation": "unused obligation";
}

declare_code! {
    /// ## Meaning
    ///
    /// A file cannot be written, for example because its folder does not exist or is not writable, or because the command
    /// reads the same file: an output does not replace an input, also under another path or by a link.
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
    /// Check the path, or choose a file that is not an input. `-` writes to standard output.
    pub static UNWRITABLE_FILE = "unwritable-file": "file that cannot be written";
}

declare_code! {
    /// ## Meaning
    ///
    /// `--language` names an unknown language.
    ///
    /// ## Why it matters
    ///
    /// The model cannot be parsed.
    ///
    /// ## Example
    ///
    /// ```arguments
    /// inspect examples/fischer.net --language esperanto
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Use a language that the message lists. Without `--language`, the language is detected.
    pub static UNKNOWN_LANGUAGE = "unknown-language": "unknown language";
}

declare_code! {
    /// ## Meaning
    ///
    /// The program failed internally, or no thread could be started.
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
    /// Try again with more memory. If that does not help, report the error together with the model.
    pub static JOB_FAILED = "job-failed": "job that ended without a result";
}
