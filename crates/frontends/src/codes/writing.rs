//! Codes about models that are written.
//!
//! Invariant: see the parent.

use tempora_source::declare_code;

declare_code! {
    /// ## What it means
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
