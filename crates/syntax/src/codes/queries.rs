//! Codes about queries.

use tempora_source::declare_code;

declare_code! {
    /// ## Meaning
    ///
    /// A query quantifies over states or runs: `E<> p`, `A[] p`, `A<> p`, `E[] p`, `p --> q`, or a form with a
    /// keyword, such as `sup:`.
    ///
    /// ## Why it matters
    ///
    /// A state property alone is neither true nor false of a model.
    ///
    /// ## Example
    ///
    /// ```query
    /// Train.Cross
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Write `E<>` before it to ask whether it can hold, or `A[]` to ask whether it always holds.
    pub static NOT_A_QUERY = "not-a-query": "a state property in place of a query";
}

declare_code! {
    /// ## Meaning
    ///
    /// The bound of a probability must have a decimal point.
    ///
    /// ## Why it matters
    ///
    /// UPPAAL refuses an integer.
    ///
    /// ## Example
    ///
    /// ```query
    /// Pr[<=10](<> Gate.Open) >= 1
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Write `1.0` instead of `1`.
    pub static PROBABILITY_NOT_A_FRACTION = "probability-not-a-fraction": "a probability written as an integer";
}

declare_code! {
    /// ## Meaning
    ///
    /// Some queries start with a keyword and a colon, such as `sup:`, `control:` or `refinement:`. This keyword is
    /// unknown.
    ///
    /// ## Why it matters
    ///
    /// The query has no meaning.
    ///
    /// ## Example
    ///
    /// ```query
    /// refinment: Left <= Right
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Correct the keyword. Keywords with a hyphen, such as `get-component:`, are passed on unchanged.
    pub static UNKNOWN_QUERY = "unknown-query": "an unknown keyword at the start of a query";
}
