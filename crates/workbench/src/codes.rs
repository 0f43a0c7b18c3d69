//! The codes of this crate.
//!
//! Invariant: every code is in [`ALL`], which is sorted by name.

use tempora_source::{Code, declare_code};

/// Every code of this crate, by name.
pub static ALL: &[&Code] = &[&DO_NOT_COMPOSE, &NO_PROJECT];

declare_code! {
    /// ## What it means
    ///
    /// A question combines specifications that cannot be combined: two parts of a composition have an output in common,
    /// the parts of a conjunction disagree on who decides on an action, a side of a quotient is not deterministic or not
    /// consistent, or a component is none, because an edge has no channel or it uses variables of others.
    ///
    /// ## Why it matters
    ///
    /// The operators are not defined for them, so there is nothing to ask about.
    ///
    /// ## Example
    ///
    /// ```net
    /// broadcast chan o;
    /// process A { init location L; L -> L { sync o!; } }
    /// process B { init location L; L -> L { sync o!; } }
    /// system A, B;
    /// query consistency: A || B;
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Rename actions, or make the part a specification first: `determinism:` and `consistency:` say what is missing.
    pub static DO_NOT_COMPOSE = "specifications-do-not-fit": "specifications that cannot be combined";
}

declare_code! {
    /// ## What it means
    ///
    /// The model is a folder, and the folder is no Ecdar project.
    ///
    /// ## Why it matters
    ///
    /// There is nothing in it that could be read as a component.
    ///
    /// ## Example
    ///
    /// ```text
    /// tempora check src
    /// ```
    ///
    /// ## How to fix it
    ///
    /// Name a file, or the folder that has the folder `Components` in it.
    pub static NO_PROJECT = "no-project": "a folder without components";
}
