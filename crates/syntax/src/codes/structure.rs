//! Codes about the structure of a text: declarations, statements and labels.

use tempora_source::declare_code;

declare_code! {
    /// ## Meaning
    ///
    /// In a function, variables are declared at the start of a block. This declaration follows a statement, or is in
    /// the head of a loop.
    ///
    /// ## Why it matters
    ///
    /// UPPAAL refuses such functions.
    ///
    /// ## Example
    ///
    /// ```declarations
    /// void f() {
    ///     g();
    ///     int i;
    /// }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Move the declaration to the start of the block, or put braces around it and the statements that use it.
    pub static DECLARATION_AFTER_STATEMENT = "declaration-after-statement": "a declaration after a statement";
}

declare_code! {
    /// ## Meaning
    ///
    /// A function is declared with a result type or with `void`.
    ///
    /// ## Why it matters
    ///
    /// Without a type, the declaration looks like the start of an instantiation, `Name(…) = Template(…);`.
    ///
    /// ## Example
    ///
    /// ```declarations
    /// reset() { x = 0; }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Write the type before the name, such as `void reset()`.
    pub static FUNCTION_WITHOUT_TYPE = "function-without-type": "a function without a result type";
}

declare_code! {
    /// ## Meaning
    ///
    /// An edge with several branches is taken as a whole; then one branch is chosen by its weight. So a branch has a
    /// weight, a target and updates, but no condition.
    ///
    /// ## Why it matters
    ///
    /// A guard on a branch would have no meaning.
    ///
    /// ## Example
    ///
    /// ```net
    /// process P {
    ///     init location A;
    ///     A -> {
    ///         weight 1: A { guard x > 1; }
    ///     }
    /// }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Write guards and synchronisations between the source and the arrow: `A { guard x > 1; } -> { weight 1: A;
    /// }`. To forbid one target, write two edges.
    pub static LABEL_ON_BRANCH = "label-on-branch": "a label other than an update on a branch";
}

declare_code! {
    /// ## Meaning
    ///
    /// Declarations, statements and labels end with `;`.
    ///
    /// ## Why it matters
    ///
    /// The next line could be read as a continuation of this one.
    ///
    /// ## Example
    ///
    /// ```declarations
    /// int a
    /// int b;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Write `;` at the end of the line.
    pub static MISSING_SEMICOLON = "missing-semicolon": "a missing semicolon";
}

declare_code! {
    /// ## Meaning
    ///
    /// Brackets and blocks may be nested at most 250 deep, and the tree of an expression may have a height of 1000.
    /// A sum of 1000 terms is that high, since the left operand of each operator is the whole sum before it.
    ///
    /// ## Why it matters
    ///
    /// Such texts come from generators. Without a limit, they would exhaust the memory of Tempora and of other
    /// programs.
    ///
    /// ## Example
    ///
    /// ```guard with its first line 1000 times
    /// 1 +
    /// 1
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Use `sum`, `forall` or `exists` over a type, compute the value in a function with a loop, or split the
    /// expression into halves with parentheses.
    pub static NESTED_TOO_DEEPLY = "nested-too-deeply": "brackets, blocks or operators nested too deeply";
}

declare_code! {
    /// ## Meaning
    ///
    /// The language looks like C but has no `break`, `continue`, `switch`, `goto`, `enum`, `union`, no functions
    /// inside functions, and only the number types `int`, `bool` and `double`.
    ///
    /// ## Why it matters
    ///
    /// The text has no meaning in this language.
    ///
    /// ## Example
    ///
    /// ```declarations
    /// void f() {
    ///     while (true) { break; }
    /// }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Follow the hint of the message.
    pub static NOT_IN_THE_LANGUAGE = "not-in-the-language": "a construct of C that the language does not have";
}

declare_code! {
    /// ## Meaning
    ///
    /// An edge has at most one guard, one synchronisation, one event and one weight; a location has one invariant
    /// and one rate.
    ///
    /// ## Why it matters
    ///
    /// It is unclear whether both should apply, or only one.
    ///
    /// ## Example
    ///
    /// ```net
    /// process P {
    ///     init location A { invariant x < 3; invariant y < 3; }
    /// }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Join conditions with `&&`.
    pub static REPEATED_LABEL = "repeated-label": "a repeated label";
}

declare_code! {
    /// ## Meaning
    ///
    /// Words such as `state`, `init`, `guard`, `system`, `sum` are keywords and cannot be names.
    ///
    /// ## Why it matters
    ///
    /// The text would be ambiguous.
    ///
    /// ## Example
    ///
    /// ```declarations
    /// int state;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Choose another name.
    pub static RESERVED_WORD = "reserved-word": "a keyword used as a name";
}

declare_code! {
    /// ## Meaning
    ///
    /// The parser stops after a hundred errors in a text, and at most two hundred diagnostics are shown for a file.
    ///
    /// ## Why it matters
    ///
    /// The text is probably damaged or written in another language.
    ///
    /// ## Example
    ///
    /// ```declarations with its first line 200 times
    /// int 5;
    ///
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Fix the first errors and try again.
    pub static TOO_MANY_ERRORS = "too-many-errors": "too many errors in a text or a file";
}

declare_code! {
    /// ## Meaning
    ///
    /// The text follows the grammar only up to this place. The message names a possible continuation.
    ///
    /// ## Why it matters
    ///
    /// The rest of the construct cannot be read.
    ///
    /// ## Example
    ///
    /// ```guard
    /// x <= 5 &&
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Check this place and the text just before it: often an operand, an operator or a bracket is missing.
    pub static UNEXPECTED_TOKEN = "unexpected-token": "a token that the grammar does not allow here";
}
