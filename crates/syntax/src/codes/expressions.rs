//! Codes about operators and numbers.

use tempora_source::declare_code;

declare_code! {
    /// ## Meaning
    ///
    /// The operand of `A[]` and similar operators extends as far to the right as possible, but ends before an operator
    /// that another path formula follows. So `A[] p imply E<> q` is `(A[] p) imply (E<> q)`.
    ///
    /// ## Why it matters
    ///
    /// `A[] (p imply E<> q)` is a different formula, and may be the intended one.
    ///
    /// ## Example
    ///
    /// ```query
    /// A[] p imply E<> q
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Add parentheses.
    pub static AMBIGUOUS_PATH_FORMULA = "ambiguous-path-formula": "two path formulas joined without parentheses";
}

declare_code! {
    /// ## Meaning
    ///
    /// Guards, invariants and queries must not change variables. `=` and `:=` assign to the variable on their left.
    ///
    /// ## Why it matters
    ///
    /// Mathematics writes `=` for the comparison that is `==` here, and UPPAAL refuses such a condition.
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
    /// `[]` means always and `<>` eventually, on one run. A query needs a path quantifier: `A` for all runs, `E` for
    /// some run.
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
    /// Write `A` or `E` before the operator. Only `Pr[…](…)` takes it alone.
    pub static BARE_PATH_OPERATOR = "bare-path-operator": "a temporal operator without `A` or `E`";
}

declare_code! {
    /// ## Meaning
    ///
    /// Numbers lie between -2147483648 and 2147483647.
    ///
    /// ## Why it matters
    ///
    /// Other tools would refuse the number or silently replace it.
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
    /// `=<`, `=>` and `<>` are operators of other languages and have no meaning here.
    ///
    /// ## Example
    ///
    /// ```guard
    /// x =< 5
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Write the operator that the hint names. Implication is written `imply`.
    pub static NO_SUCH_OPERATOR = "no-such-operator": "an operator of another language";
}
