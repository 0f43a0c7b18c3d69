//! Codes about queries.
//!
//! Invariant: as for all families, each is a line in [`super::ALL`].

use tempora_source::declare_code;

declare_code! {
    /// ## Meaning
    ///
    /// A query says of which states or runs it speaks: `E<> p`, `A[] p`, `A<> p`, `E[] p`, `p --> q`, or one of the
    /// forms with
    /// a word, such as `sup:`.
    ///
    /// ## Why it matters
    ///
    /// A property of a state by itself is neither true nor false of a model.
    ///
    /// ## Example
    ///
    /// ```query
    /// Train.Cross
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Write `E<>` before it to ask whether it can happen, or `A[]` to ask whether it always holds.
    pub static NOT_A_QUERY = "not-a-query": "a query that only describes a state";
}

declare_code! {
    /// ## Meaning
    ///
    /// The bound of a probability must have a decimal point.
    ///
    /// ## Why it matters
    ///
    /// UPPAAL refuses it otherwise.
    ///
    /// ## Example
    ///
    /// ```query
    /// Pr[<=10](<> Gate.Open) >= 1
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Write `1.0` for `1`.
    pub static PROBABILITY_NOT_A_FRACTION = "probability-not-a-fraction": "a probability that is written as an integer";
}

declare_code! {
    /// ## Meaning
    ///
    /// Some queries start with a word and a colon, such as `sup:`, `control:` or `refinement:`. This one is not
    /// known.
    ///
    /// ## Why it matters
    ///
    /// What is asked can only be guessed.
    ///
    /// ## Example
    ///
    /// ```query
    /// refinment: Left <= Right
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Correct the word. Names with a hyphen, such as `get-component:`, are passed on as they are.
    pub static UNKNOWN_QUERY = "unknown-query": "a word before a colon that starts no query";
}
