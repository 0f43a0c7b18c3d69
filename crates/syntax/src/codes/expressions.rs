//! Codes about operators and numbers.
//!
//! Invariant: as for all families, each is a line in [`super::ALL`].

use tempora_source::declare_code;

declare_code! {
    /// ## Meaning
    ///
    /// `A[]` and its kin reach as far to the right as they can, but not over an operator that is followed by
    /// another path
    /// formula. So `A[] p imply E<> q` is `(A[] p) imply (E<> q)`.
    ///
    /// ## Why it matters
    ///
    /// `A[] (p imply E<> q)` means something else, and may be what was meant.
    ///
    /// ## Example
    ///
    /// ```query
    /// A[] p imply E<> q
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Put parentheses around what belongs together.
    pub static AMBIGUOUS_PATH_FORMULA = "ambiguous-path-formula": "two path formulas joined without parentheses";
}

declare_code! {
    /// ## Meaning
    ///
    /// Guards, invariants and queries are looked at without changing anything. `=` and `:=` change the value at
    /// their left.
    ///
    /// ## Why it matters
    ///
    /// In mathematics one writes `=` for what is `==` here, and UPPAAL refuses such a condition.
    ///
    /// ## Example
    ///
    /// ```guard
    /// x >= 3 && n = 0
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Write `==` to compare. Move assignments to the update of the edge.
    pub static ASSIGNMENT_IN_CONDITION = "assignment-in-condition": "an assignment in a guard, an invariant or a query";
}

declare_code! {
    /// ## Meaning
    ///
    /// `[]` says always and `<>` says eventually, on a run. A query must say of which runs: `A` for all, `E` for
    /// some.
    ///
    /// ## Why it matters
    ///
    /// `A<> p` and `E<> p` are very different.
    ///
    /// ## Example
    ///
    /// ```query
    /// <> Train.Cross
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Write `A` or `E` before the operator. Only inside `Pr[…](…)` it stands alone.
    pub static BARE_PATH_OPERATOR = "bare-path-operator": "a temporal operator without `A` or `E`";
}

declare_code! {
    /// ## Meaning
    ///
    /// Numbers lie between -2147483648 and 2147483647.
    ///
    /// ## Why it matters
    ///
    /// Other tools would refuse the number or, worse, take another one.
    ///
    /// ## Example
    ///
    /// ```guard
    /// x < 2147483648
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Use a smaller number, or a coarser unit of time.
    pub static INTEGER_TOO_LARGE = "integer-too-large": "a number that does not fit into 32 bits";
}

declare_code! {
    /// ## Meaning
    ///
    /// Operators are written as in C: `!=`, `<=`, `>=`, `==`.
    ///
    /// ## Why it matters
    ///
    /// `=<`, `=>` and `<>` are written by habit from elsewhere and cannot be read.
    ///
    /// ## Example
    ///
    /// ```guard
    /// x =< 5
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Write the operator that the hint names. Implication is the word `imply`.
    pub static NO_SUCH_OPERATOR = "no-such-operator": "an operator of another language";
}
