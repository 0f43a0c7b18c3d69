//! Codes about the languages of symbolic systems.
//!
//! Invariant: see the parent.

use tempora_source::declare_code;

declare_code! {
    /// ## Meaning
    ///
    /// A name is not declared, is declared twice, or cannot be used for this.
    ///
    /// ## Why it matters
    ///
    /// What the text means depends on what its names mean.
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
    /// Declare what is missing, or correct the name. A short name of a literal means something only where its type is
    /// expected; write `Type.Literal` elsewhere.
    pub static NAME = "symbolic-name": "a name that means nothing, or two things";
}

declare_code! {
    /// ## Meaning
    ///
    /// The text is not written as its language wants it.
    ///
    /// ## Why it matters
    ///
    /// What cannot be read cannot be checked.
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
    /// Write what the message says is needed. In the example a `;` is missing.
    pub static SYNTAX = "symbolic-syntax": "a text that is not as its language wants it";
}

declare_code! {
    /// ## Meaning
    ///
    /// An expression has another type than its place needs.
    ///
    /// ## Why it matters
    ///
    /// Truth values, numbers and literals are never taken for each other.
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
    /// Write a comparison where a truth value is needed, such as `x != 0`.
    pub static TYPE = "symbolic-type": "an expression of the wrong type";
}
