//! Codes about characters, comments and strings.

use tempora_source::declare_code;

declare_code! {
    /// ## Meaning
    ///
    /// XML files write `<`, `>` and `&` as `&lt;`, `&gt;` and `&amp;`. Outside of XML these entities mean nothing;
    /// inside, they must be escaped once, not twice.
    ///
    /// ## Why it matters
    ///
    /// The text was probably copied out of a model file. The entity is read as the operator, but must be corrected.
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
    pub static ENTITY_IN_CODE = "entity-in-code": "an operator written as an XML entity";
}

declare_code! {
    /// ## Meaning
    ///
    /// Outside of comments and strings, models and queries consist of ASCII characters that the language uses. This
    /// character is not one of them.
    ///
    /// ## Why it matters
    ///
    /// Typographic quotes, mathematical signs and special spaces from web pages look like ASCII characters, but are
    /// different ones.
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
    pub static UNKNOWN_CHARACTER = "unknown-character": "an unknown character";
}

declare_code! {
    /// ## Meaning
    ///
    /// `/*` starts a comment, and no `*/` ends it.
    ///
    /// ## Why it matters
    ///
    /// The rest of the text is ignored, so most of the model may be missing.
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
    pub static UNTERMINATED_COMMENT = "unterminated-comment": "an unterminated comment";
}

declare_code! {
    /// ## Meaning
    ///
    /// A string starts with `"` and must end with `"` on the same line.
    ///
    /// ## Why it matters
    ///
    /// The end of the string can only be guessed.
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
    /// Add the closing `"`.
    pub static UNTERMINATED_STRING = "unterminated-string": "an unterminated string";
}
