//! Codes about models that are written.
//!
//! Invariant: see the parent.

use tempora_source::declare_code;

declare_code! {
    /// ## Meaning
    ///
    /// A model is to be written in a language that has no word for a part of it.
    ///
    /// ## Why it matters
    ///
    /// Written without that part it would be another model, with other answers.
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
    /// All parts that stand in the way are reported at once, each with what could be written in its place. `.net` can
    /// say everything.
    pub static CANNOT_BE_WRITTEN = "cannot-be-written": "a part of a model that a language has no word for";
}

declare_code! {
    /// ## Meaning
    ///
    /// A part of a model is written in another way than the model says it, or is left out because it has no meaning in the
    /// language.
    ///
    /// ## Why it matters
    ///
    /// The meaning is kept as far as the message says, but who reads the text sees something else than was written.
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
    /// Nothing has to be done. If the part is to stay as it is, choose a language that has a word for it, as the hint says.
    pub static WRITTEN_OTHERWISE = "written-otherwise": "a part of a model that is written in another way";
}
