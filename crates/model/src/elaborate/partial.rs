//! Reports semantic errors of models whose text has syntax errors.
//!
//! Invariant: no reported error is a consequence of a syntax error. A declaration with a syntax error is not
//! elaborated, and its names are declared as faulty. Where whole declarations may be lost, no name is reported as
//! unknown.

use std::collections::BTreeSet;

use tempora_source::{Diagnostic, Diagnostics, Files, Origins, Severity, Span};
use tempora_syntax::ast::{self, Declaration, DeclarationKind};

use super::Elaborator;
use super::scope::{DeclarationPosition, Symbol};
use crate::codes::meaning as codes;

/// Elaborates the declarations without syntax errors and returns the errors in them.
///
/// `faults` are the diagnostics of the parser.
pub fn elaborate_partially(
    files: &Files,
    origins: &mut Origins,
    model: &ast::Network,
    faults: &Diagnostics,
) -> Diagnostics {
    let errors = faults.as_slice().iter().filter(|fault| fault.severity == Severity::Error);
    let spans: Option<Vec<Span>> = errors.map(Diagnostic::primary_span).collect();
    // An error without a place may affect any declaration.
    let Some(spans) = spans else { return Diagnostics::new() };
    let mut elaborator = Elaborator::new(files, origins, model);
    elaborator.is_partial = true;
    elaborator.broken = broken_declarations(files, model, &spans);
    elaborator.model();
    let names_may_be_lost = !spans.iter().all(|&fault| is_confined(files, model, fault));
    let is_kept = |diagnostic: &Diagnostic| {
        diagnostic.severity == Severity::Error
            && diagnostic.code != &codes::NO_PROCESS
            && !(names_may_be_lost && diagnostic.code == &codes::UNKNOWN_NAME)
    };
    elaborator.diagnostics.into_iter().filter(is_kept).collect()
}

/// Returns the declarations that contain or touch a syntax error.
fn broken_declarations(
    files: &Files,
    model: &ast::Network,
    faults: &[Span],
) -> BTreeSet<DeclarationPosition> {
    let faults: Vec<Span> = faults.iter().map(|&fault| files.outermost(fault)).collect();
    let is_broken = |declaration: &Declaration| {
        let mut whole = files.outermost(declaration.span);
        if !files.text_at(whole).ends_with([';', '}', '>']) {
            // The parser gave up inside the declaration, at the next token.
            let rest = Span::new(whole.file, whole.end, u32::MAX);
            let blank = files.text_at(rest).bytes().take_while(u8::is_ascii_whitespace).count();
            whole.end = whole.end.saturating_add(u32::try_from(blank).unwrap_or(u32::MAX));
        }
        matches!(declaration.kind, DeclarationKind::Error)
            || faults
                .iter()
                .any(|fault| fault.file == whole.file && fault.start <= whole.end && whole.start <= fault.end)
    };
    let positions = model.declarations.iter().enumerate();
    let broken = positions.filter(|(_, declaration)| is_broken(declaration));
    broken.map(|(position, _)| DeclarationPosition(position)).collect()
}

/// Whether a syntax error cannot hide declarations outside of one template: it is in a separate text, such as a label,
/// and the template has a name.
fn is_confined(files: &Files, model: &ast::Network, fault: Span) -> bool {
    if files.parent(fault.file).is_none() {
        return false;
    }
    let fault = files.outermost(fault);
    model.declarations.iter().any(|declaration| match &declaration.kind {
        DeclarationKind::Process(process) => {
            let whole = files.outermost(declaration.span);
            !process.name.text.is_empty()
                && fault.file == whole.file
                && whole.start <= fault.start
                && fault.end <= whole.end
        }
        _ => false,
    })
}

impl Elaborator<'_> {
    pub(super) fn is_broken(&self, position: usize) -> bool {
        self.broken.contains(&DeclarationPosition(position))
    }

    /// Declares the names of a declaration with a syntax error as faulty, so that their uses are not reported.
    pub(super) fn broken_declaration(&mut self, declaration: &Declaration) {
        let mut faulty = |name: &ast::Name| {
            if !name.text.is_empty() {
                // If the name is already declared, the first declaration counts.
                let _ = self.scopes.declare(&name.text, name.span, Symbol::Faulty);
            }
        };
        match &declaration.kind {
            DeclarationKind::Variables(variables) | DeclarationKind::TypeDefinition(variables) => {
                variables.declarators.iter().for_each(|declarator| faulty(&declarator.name));
            }
            DeclarationKind::Function(function) => faulty(&function.name),
            DeclarationKind::Instantiation(instantiation) => faulty(&instantiation.name),
            DeclarationKind::Process(process) => faulty(&process.name),
            DeclarationKind::Import { functions, .. } => {
                functions.iter().for_each(|function| faulty(&function.name));
            }
            _ => {}
        }
    }
}
