//! What the languages of symbolic systems share: words, expressions and how they become terms.
//!
//! Invariant: nothing here knows a language; a reader says which words it has.

pub(crate) mod expressions;
pub(crate) mod parser;
pub(crate) mod scope;
pub(crate) mod theta;
pub(crate) mod tokens;
pub(crate) mod trees;

use tempora_model::{SymbolicSystem, validate_system};
use tempora_source::{Diagnostic, Diagnostics, FileId, Origins, Span};

use crate::codes::symbolic::SYNTAX;

/// A property that a user asks about.
#[derive(Clone, Copy, Debug)]
pub struct PropertyText {
    /// The file with it.
    pub file: FileId,
    /// Whether the file has the bare condition, without the words that a file of properties has around it.
    pub is_bare: bool,
}

/// What a text of a symbolic language means.
pub(crate) struct ReadSymbolic {
    /// The system, unless there are errors.
    pub(crate) system: Option<SymbolicSystem>,
    /// What was found.
    pub(crate) diagnostics: Diagnostics,
}

impl ReadSymbolic {
    /// The system, if nothing was found that forbids it.
    pub(crate) fn finished(
        system: Option<SymbolicSystem>,
        mut diagnostics: Diagnostics,
        origins: &Origins,
        whole: Span,
    ) -> ReadSymbolic {
        let Some(system) = system.filter(|_| !diagnostics.has_errors()) else {
            return ReadSymbolic { system: None, diagnostics };
        };
        for (origin, fault) in validate_system(&system) {
            let span = origin.and_then(|origin| origins.primary_span(origin)).unwrap_or(whole);
            diagnostics.push(Diagnostic::error(&SYNTAX, fault).with_primary(span, ""));
        }
        let system = (!diagnostics.has_errors()).then_some(system);
        ReadSymbolic { system, diagnostics }
    }
}
