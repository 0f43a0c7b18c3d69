//! Shared code of the symbolic languages: tokens, expressions and their lowering to terms.
//!
//! Invariant: this code is independent of the language; readers pass in their words.

mod document;
pub(crate) mod expressions;
pub(crate) mod list_symbols;
pub(crate) mod parser;
pub(crate) mod scope;
pub(crate) mod symbols;
pub(crate) mod theta;
mod theta_floats;
pub(crate) mod tokens;
pub(crate) mod trees;
pub(crate) mod write;

pub(crate) use document::SystemDocument;
use tempora_smt::ReadError;
use tempora_source::{Diagnostic, Diagnostics, FileId, Files, Origins, Span, Symbols};
use tempora_transition::{SymbolicSystem, validate_system};

use crate::codes::symbolic::SYNTAX;

/// A property that the user asks about.
#[derive(Clone, Copy, Debug)]
pub struct PropertyText {
    /// Its file.
    pub file: FileId,
    /// Whether the file has only the condition, without the keywords of a property file.
    pub is_bare: bool,
}

/// The result of reading a symbolic language.
pub struct ReadSymbolic {
    /// The system, unless there are errors.
    pub system: Option<SymbolicSystem>,
    /// The names in the text, as far as it could be parsed.
    pub symbols: Symbols,
    /// The errors and warnings.
    pub diagnostics: Diagnostics,
}

impl ReadSymbolic {
    /// Creates the result for languages of s-expressions; a separately given property is refused with a hint.
    pub(crate) fn of_expressions(
        files: &Files,
        origins: &Origins,
        file: FileId,
        system: Result<SymbolicSystem, Vec<ReadError>>,
        given: &[PropertyText],
        hint: &str,
    ) -> ReadSymbolic {
        let mut diagnostics = Diagnostics::new();
        if let Some(text) = given.first() {
            diagnostics.push(
                Diagnostic::error(&SYNTAX, "this language has its properties in the model")
                    .with_primary(files.whole(text.file), "")
                    .with_hint(hint),
            );
        }
        let system = system.map_err(|errors| {
            let offset = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
            for error in errors {
                let span = Span::new(file, offset(error.start), offset(error.end));
                diagnostics.push(Diagnostic::error(&SYNTAX, error.message).with_primary(span, ""));
            }
        });
        let symbols = list_symbols::collect(files, file);
        ReadSymbolic::finished(system.ok(), symbols, diagnostics, origins, files.whole(file))
    }

    /// Returns the system, if there are no errors and it is well formed.
    pub fn finished(
        system: Option<SymbolicSystem>,
        symbols: Symbols,
        mut diagnostics: Diagnostics,
        origins: &Origins,
        whole: Span,
    ) -> ReadSymbolic {
        let Some(system) = system.filter(|_| !diagnostics.has_errors()) else {
            return ReadSymbolic { system: None, symbols, diagnostics };
        };
        for (origin, fault) in validate_system(&system) {
            let span = origin.and_then(|origin| origins.primary_span(origin)).unwrap_or(whole);
            diagnostics.push(Diagnostic::error(&SYNTAX, fault).with_primary(span, ""));
        }
        let system = (!diagnostics.has_errors()).then_some(system);
        ReadSymbolic { system, symbols, diagnostics }
    }
}
