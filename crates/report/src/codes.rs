//! Diagnostic codes of this crate.
//!
//! Invariant: the example on a page produces its code; the tests of the command line check this.

use tempora_source::{Code, declare_code};

/// All codes of this crate, sorted by name.
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
    /// The file is not a valid run: a member is missing or unknown, or has the wrong type.
    ///
    /// ## Why it matters
    ///
    /// An incomplete run cannot be replayed, so it is not shown.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "version": 1, "model": "m.net", "query": "E<> P.B", "verdict": "satisfied" }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Use a file that `tempora check --save-trace` has written. `docs/schemas/trace.json` describes the format.
    pub static TRACE_FORM = "trace-form": "malformed run";
}

declare_code! {
    /// ## Meaning
    ///
    /// The run refers to a process, a location or an edge that the model does not have.
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
    /// Use the model in which the run was found, or find the run again with `tempora check --save-trace`.
    pub static TRACE_OF_ANOTHER_MODEL = "trace-of-another-model": "run of another model";
}

declare_code! {
    /// ## Meaning
    ///
    /// The names in the file are those of the model, but the run is impossible: a guard does not hold, a delay is too
    /// long, or the run ends in another state.
    ///
    /// ## Why it matters
    ///
    /// A picture of an impossible run would mislead. Runs are replayed before they are shown.
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
    /// If the model has changed since the run was written, find the run again with `tempora check --save-trace`.
    pub static TRACE_NOT_A_RUN = "trace-not-a-run": "impossible run";
}

declare_code! {
    /// ## Meaning
    ///
    /// The file is not a valid certificate file: a member is missing or unknown, or has the wrong type.
    ///
    /// ## Why it matters
    ///
    /// An incomplete certificate proves nothing.
    ///
    /// ## Example
    ///
    /// ```json
    /// { "version": 1, "model": "m.net", "processes": ["P"], "variables": [], "clocks": ["x"] }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Use a file that `tempora check --certificate` has written. `docs/schemas/certificate.json` describes the format.
    pub static CERTIFICATE_FORM = "certificate-form": "malformed certificate file";
}

declare_code! {
    /// ## Meaning
    ///
    /// The processes, variables or clocks in the file differ from those of the model, or are in another order.
    ///
    /// ## Why it matters
    ///
    /// The numbers in a certificate have a meaning only for the model for which it was generated.
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
    /// Use the model of the certificate, or generate the certificate again with `tempora check --certificate`.
    pub static CERTIFICATE_OF_ANOTHER_MODEL = "certificate-of-another-model": "certificate of another model";
}
