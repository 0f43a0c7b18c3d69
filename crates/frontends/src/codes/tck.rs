//! Diagnostic codes for TChecker's files.

use tempora_source::declare_code;

declare_code! {
    /// ## Meaning
    ///
    /// An edge whose event is weak in a `sync` has a guard.
    ///
    /// ## Why it matters
    ///
    /// Whether a weak participant takes part depends on its location alone. A guard on its edge would block the other
    /// participants, although they should be able to proceed without it, and TChecker refuses such a system.
    ///
    /// ## Example
    ///
    /// ```file
    /// system:s
    /// event:a
    /// clock:1:x
    /// process:P
    /// location:P:A{initial:}
    /// edge:P:A:A:a
    /// process:Q
    /// location:Q:B{initial:}
    /// edge:Q:B:B:a{provided: x > 1}
    /// sync:P@a:Q@a?
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Split the location into one in which the event is enabled and one in which it is not, or make the participant
    /// strong by removing the `?`.
    pub static GUARD_ON_WEAK_EVENT = "guard-on-weak-event": "a guard on the edge of a weak participant";
}

declare_code! {
    /// ## Meaning
    ///
    /// A process has the same name as a variable, which TChecker allows. Queries and answers use another name for the
    /// process.
    ///
    /// ## Why it matters
    ///
    /// In `E<> x.A` and `E<> x == 1` the name must be unambiguous.
    ///
    /// ## Example
    ///
    /// ```file
    /// system:s
    /// event:a
    /// clock:1:x
    /// process:x
    /// location:x:A{initial:}
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Use the new name in queries, or rename the process or the variable.
    pub static PROCESS_RENAMED = "process-renamed": "a process with the name of a variable";
}

declare_code! {
    /// ## Meaning
    ///
    /// An attribute has a key that has no meaning in this kind of declaration.
    ///
    /// ## Why it matters
    ///
    /// The attribute is ignored. It may be meant for another program, but a guard whose key is misspelt does not guard
    /// the edge.
    ///
    /// ## Example
    ///
    /// ```file
    /// system:s
    /// event:a
    /// clock:1:x
    /// process:P
    /// location:P:A{initial:}
    /// edge:P:A:A:a{provide: x > 1}
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Locations have `initial`, `committed`, `urgent`, `invariant` and `labels`, edges have `provided` and `do`.
    pub static UNKNOWN_ATTRIBUTE = "unknown-attribute": "an attribute without effect";
}

declare_code! {
    /// ## Meaning
    ///
    /// A clock is compared with a number that needs more than 32 bits. All such numbers of the file have a common
    /// factor, and the model uses this factor as its unit of time.
    ///
    /// ## Why it matters
    ///
    /// No verdict changes, but the times in runs and the constants in queries are multiples of the new unit: with the
    /// unit 1000000, a delay of 3 in a run is a delay of 3000000 in the file.
    ///
    /// ## Example
    ///
    /// ```file
    /// system:s
    /// event:a
    /// clock:1:x
    /// process:P
    /// location:P:A{initial:}
    /// edge:P:A:A:a{provided: x >= 30000000000}
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Write the file with a larger unit of time.
    pub static LARGE_UNIT_OF_TIME = "large-unit-of-time": "times counted in a larger unit than in the file";
}
