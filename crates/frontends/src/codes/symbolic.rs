//! Diagnostic codes for the languages of symbolic systems.

use tempora_source::declare_code;

declare_code! {
    /// ## Meaning
    ///
    /// A name is undeclared, is declared twice, or is of a kind that cannot be used here.
    ///
    /// ## Why it matters
    ///
    /// A model with unresolved or ambiguous names has no definite meaning.
    ///
    /// ## Example
    ///
    /// ```xsts
    /// var count : integer = 0
    /// trans { cuont := 1; }
    /// init {}
    /// env {}
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Declare the missing name, or correct its spelling. The short name of a literal can be used only where its type
    /// is expected; write `Type.Literal` elsewhere.
    pub static NAME = "symbolic-name": "an undeclared or ambiguous name";
}

declare_code! {
    /// ## Meaning
    ///
    /// The text violates the grammar of its language.
    ///
    /// ## Why it matters
    ///
    /// A text that cannot be parsed cannot be checked.
    ///
    /// ## Example
    ///
    /// ```xsts
    /// var x : integer = 0
    /// trans { x := x + 1 }
    /// init {}
    /// env {}
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Write the construct that the message expects. In the example a `;` is missing.
    pub static SYNTAX = "symbolic-syntax": "a syntax error in a symbolic system";
}

declare_code! {
    /// ## Meaning
    ///
    /// The type of an expression differs from the expected type.
    ///
    /// ## Why it matters
    ///
    /// Truth values, numbers and literals are never converted into each other.
    ///
    /// ## Example
    ///
    /// ```xsts
    /// var x : integer = 0
    /// trans { assume x; }
    /// init {}
    /// env {}
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Write a comparison where a truth value is expected, such as `x != 0`.
    pub static TYPE = "symbolic-type": "an expression of the wrong type";
}
