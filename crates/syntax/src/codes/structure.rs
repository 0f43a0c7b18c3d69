//! Codes about what may stand where.
//!
//! Invariant: as for all families, each is a line in [`super::ALL`].

use tempora_source::declare_code;

declare_code! {
    /// ## Meaning
    ///
    /// In a function, variables are declared at the start of a block. This declaration stands behind a statement,
    /// or in the
    /// head of a loop.
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
    /// Move the declaration to the start of the block, or put braces around it and what uses it.
    pub static DECLARATION_AFTER_STATEMENT = "declaration-after-statement": "a declaration behind a statement";
}

declare_code! {
    /// ## Meaning
    ///
    /// A function is declared with the type of its result, or with `void`.
    ///
    /// ## Why it matters
    ///
    /// Without a type, the declaration reads like the start of an instantiation, `Name(…) = Template(…);`.
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
    pub static FUNCTION_WITHOUT_TYPE = "function-without-type": "a function without the type of its result";
}

declare_code! {
    /// ## Meaning
    ///
    /// An edge with several branches is taken as a whole; then one branch is chosen by its weight. So a branch has
    /// a weight, a
    /// target and updates, and nothing that could forbid it.
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
    /// }`. If one
    /// target should be forbidden, write two edges.
    pub static LABEL_ON_BRANCH = "label-on-branch": "a branch with something other than updates";
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
    pub static MISSING_SEMICOLON = "missing-semicolon": "a line that should end with a semicolon";
}

declare_code! {
    /// ## Meaning
    ///
    /// At most 250 brackets or blocks may stand inside one another, and the tree of an expression may have a height
    /// of 1000.
    /// A sum of 1000 terms is that high, since each operator has all that stands to its left as its operand.
    ///
    /// ## Why it matters
    ///
    /// Such texts come from generators. Without a limit, they would exhaust the memory of this program and of
    /// others.
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
    /// Use `sum`, `forall` or `exists` over a type, or compute in a function with a loop. Or put parentheses around
    /// halves.
    pub static NESTED_TOO_DEEPLY = "nested-too-deeply": "brackets, blocks or operators that stand inside one another too often";
}

declare_code! {
    /// ## Meaning
    ///
    /// The language looks like C but has no `break`, `continue`, `switch`, `goto`, `enum`, `union`, no functions
    /// inside
    /// functions, and only the number types `int`, `bool` and `double`.
    ///
    /// ## Why it matters
    ///
    /// It cannot be read.
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
    /// The hint of the message says what to write in its place.
    pub static NOT_IN_THE_LANGUAGE = "not-in-the-language": "something that C has and this language has not";
}

declare_code! {
    /// ## Meaning
    ///
    /// An edge has at most one guard, one synchronisation, one event and one weight; a location has one invariant
    /// and one rate.
    ///
    /// ## Why it matters
    ///
    /// It is not clear whether both should hold, or one.
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
    pub static REPEATED_LABEL = "repeated-label": "a label that may stand once only, twice";
}

declare_code! {
    /// ## Meaning
    ///
    /// Words such as `state`, `init`, `guard`, `system`, `sum` have a meaning of their own and cannot be names.
    ///
    /// ## Why it matters
    ///
    /// The text could be read in two ways.
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
    pub static RESERVED_WORD = "reserved-word": "a word of the language used as a name";
}

declare_code! {
    /// ## Meaning
    ///
    /// After a hundred errors the rest of a text is not read, and after two hundred findings in a file the others are not
    /// shown.
    ///
    /// ## Why it matters
    ///
    /// The text is probably written in another language, or damaged.
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
    /// Repair the first errors and try again.
    pub static TOO_MANY_ERRORS = "too-many-errors": "more errors than anybody reads";
}

declare_code! {
    /// ## Meaning
    ///
    /// The text follows the grammar up to this place and not beyond. The message says what could have followed.
    ///
    /// ## Why it matters
    ///
    /// What is meant can only be guessed.
    ///
    /// ## Example
    ///
    /// ```guard
    /// x <= 5 &&
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Look at the place and just before it: often an operand, an operator or a bracket is missing.
    pub static UNEXPECTED_TOKEN = "unexpected-token": "something stands where something else is expected";
}
