//! Codes about characters, comments and texts in quotes.
//!
//! Invariant: as for all families, each is a line in [`super::ALL`].

use tempora_source::declare_code;

declare_code! {
    /// ## Meaning
    ///
    /// `&lt;`, `&gt;` and `&amp;` are how XML files write `<`, `>` and `&`. Outside of XML they mean nothing;
    /// inside, they
    /// must be written once, not twice.
    ///
    /// ## Why it matters
    ///
    /// The text was probably copied out of a model file. It is read as the operator that was meant, and must be
    /// corrected.
    ///
    /// ## Example
    ///
    /// ```guard
    /// x &lt;= 5
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Write the operator itself.
    pub static ENTITY_IN_CODE = "entity-in-code": "code in which an operator is written as XML would";
}

declare_code! {
    /// ## Meaning
    ///
    /// Models and queries are written with ASCII characters. Another one stands outside of comments and texts.
    ///
    /// ## Why it matters
    ///
    /// Typographic quotes, mathematical signs and blanks from web pages look right but are not what they look like.
    ///
    /// ## Example
    ///
    /// ```guard
    /// x ≤ 5
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Write the operator with ASCII characters, such as `<=`. Use only the letters a to z, digits and `_` in
    /// names.
    pub static UNKNOWN_CHARACTER = "unknown-character": "a character that the language does not use";
}

declare_code! {
    /// ## Meaning
    ///
    /// `/*` starts a comment, and no `*/` ends it.
    ///
    /// ## Why it matters
    ///
    /// Everything behind it is ignored, and most of the model may be missing.
    ///
    /// ## Example
    ///
    /// ```declarations
    /// int a;
    /// /* the rest is ignored
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Write `*/` where the comment should end.
    pub static UNTERMINATED_COMMENT = "unterminated-comment": "a comment that does not end";
}

declare_code! {
    /// ## Meaning
    ///
    /// A text starts with `"` and must end with `"` on the same line.
    ///
    /// ## Why it matters
    ///
    /// Where the text ends can only be guessed.
    ///
    /// ## Example
    ///
    /// ```declarations
    /// const string name = "gate;
    /// ;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Write the second `"`.
    pub static UNTERMINATED_STRING = "unterminated-string": "a text in quotes that does not end";
}
