//! The codes of this crate, one line each in [`ALL`].
//!
//! Invariant: the example on a page produces its code; the tests of the command line run them.

use tempora_source::{Code, declare_code};

/// Every code of this crate, by name.
pub static ALL: &[&Code] = &[
    &CERTIFICATE_FORM,
    &CERTIFICATE_OF_ANOTHER_MODEL,
    &TRACE_FORM,
    &TRACE_NOT_A_RUN,
    &TRACE_OF_ANOTHER_MODEL,
];

declare_code! {
    /// ## Meaning
    ///
    /// The file has another form than that of a run: something is missing, is of the wrong kind, or is not known.
    ///
    /// ## Why it matters
    ///
    /// A run that is not understood as a whole is not shown at all.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "version": 1, "model": "m.net", "query": "E<> P.B", "verdict": "satisfied" }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Use a file that `tempora check --save-trace` has written. `docs/schemas/trace.json` says what such files are
    /// like.
    pub static TRACE_FORM = "trace-form": "a file that does not have the form of a run";
}

declare_code! {
    /// ## Meaning
    ///
    /// The run speaks of a process, a location or an edge that the model does not have.
    ///
    /// ## Why it matters
    ///
    /// It is a run of another model, or of an older version of this one.
    ///
    /// ## Example
    ///
    /// ```json
    /// {
    ///   "version": 1, "model": "m.net", "query": "E<> P.B", "verdict": "satisfied",
    ///   "trace": {
    ///     "initial": { "locations": [["Q", "A"]], "variables": [], "clocks": [] },
    ///     "steps": [], "final_delay": "0", "ending": "goal",
    ///     "last": { "locations": [["Q", "A"]], "variables": [], "clocks": [] }
    ///   }
    /// }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Give the model that the run was found in, or find the run again with `tempora check --save-trace`.
    pub static TRACE_OF_ANOTHER_MODEL = "trace-of-another-model": "a run that names what the model does not have";
}

declare_code! {
    /// ## Meaning
    ///
    /// The names in the file are those of the model, but the model cannot do what the file says: a guard does not hold, a
    /// delay is too long, or the run ends in another state.
    ///
    /// ## Why it matters
    ///
    /// A picture of something that cannot happen would mislead. Runs are executed again before they are shown.
    ///
    /// ## Example
    ///
    /// ```json
    /// {
    ///   "version": 1, "model": "m.net", "query": "E<> P.B", "verdict": "satisfied",
    ///   "trace": {
    ///     "initial": { "locations": [["P", "A"]], "variables": [], "clocks": [["x", "0"]] },
    ///     "steps": [{
    ///       "delay": "1", "time": "1", "kind": "internal", "changes": [],
    ///       "moves": [{ "process": "P", "edge": 0, "branch": 0, "from": "A", "to": "B", "place": null }]
    ///     }],
    ///     "final_delay": "0", "ending": "goal",
    ///     "last": { "locations": [["P", "B"]], "variables": [], "clocks": [["x", "1"]] }
    ///   }
    /// }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// If the model was changed since the run was written, find a run again with `tempora check --save-trace`.
    pub static TRACE_NOT_A_RUN = "trace-not-a-run": "a run that the model does not have";
}

declare_code! {
    /// ## Meaning
    ///
    /// The file has another form than that of certificates: something is missing, is of the wrong kind, or is not known.
    ///
    /// ## Why it matters
    ///
    /// A certificate that is not understood as a whole shows nothing.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "version": 1, "model": "m.net", "processes": ["P"], "variables": [], "clocks": ["x"] }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Use a file that `tempora check --certificate` has written. `docs/schemas/certificate.json` says what such files are
    /// like.
    pub static CERTIFICATE_FORM = "certificate-form": "a file that does not have the form of certificates";
}

declare_code! {
    /// ## Meaning
    ///
    /// The file is about other processes, variables or clocks than the model has, or about the same ones in another order.
    ///
    /// ## Why it matters
    ///
    /// The numbers in a certificate mean something only for the model that it was made for.
    ///
    /// ## Example
    ///
    /// ```json
    /// {
    ///   "version": 1, "model": "m.net", "processes": ["Q"], "variables": [], "clocks": ["x"],
    ///   "certificates": []
    /// }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Give the model that the certificate was made for, or make it again with `tempora check --certificate`.
    pub static CERTIFICATE_OF_ANOTHER_MODEL = "certificate-of-another-model":
        "a certificate that names what the model does not have";
}
