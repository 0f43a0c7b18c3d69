//! Diagnostic codes for writing models.

use tempora_source::declare_code;

declare_code! {
    /// ## Meaning
    ///
    /// A part of the model cannot be expressed in the language in which the model is to be written.
    ///
    /// ## Why it matters
    ///
    /// Without that part, the output would be a different model with different verdicts.
    ///
    /// ## Example
    ///
    /// ```to-tck
    /// urgent chan go;
    /// process P { init location A; A -> A { sync go!; } }
    /// process Q { init location B; B -> B { sync go?; } }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// All such parts are reported at once, each with a replacement. Use the replacements, or write the model as
    /// `.net`, which can express every network.
    pub static CANNOT_BE_WRITTEN = "cannot-be-written": "a part of a model that the language cannot express";
}

declare_code! {
    /// ## Meaning
    ///
    /// A part of the model is expressed by another construct, or is omitted because it has no meaning in the language.
    ///
    /// ## Why it matters
    ///
    /// The meaning is preserved as far as the message says, but the output looks different from the original.
    ///
    /// ## Example
    ///
    /// ```to-ecdar-xml
    /// broadcast chan a, b;
    /// process P {
    ///     init location A;
    ///     location Any { labels universal; }
    ///     A -> Any { sync a?; }
    ///     A -> A { sync b!; }
    /// }
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Nothing has to be done. To keep the part unchanged, choose a language that can express it, as the hint says.
    pub static WRITTEN_OTHERWISE = "written-otherwise": "a part of a model that is written differently";
}
