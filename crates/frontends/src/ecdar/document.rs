//! Ecdar's UPPAAL documents: every template without parameters is a component, whatever the system line says.
//!
//! Invariant: a document that UPPAAL can read is unchanged; only unresolved names are dropped, with a warning.

use std::collections::BTreeSet;

use tempora_source::{Diagnostic, Diagnostics};
use tempora_syntax::ast::{self, DeclarationKind};

use super::codes::ECDAR_SYSTEM;

/// Drops unresolved names from the system line, the `IO` lines and the instantiations of an Ecdar document.
pub(crate) fn tolerate_components(tree: &mut ast::Network, diagnostics: &mut Diagnostics) {
    if !is_ecdar(tree) {
        return;
    }
    let mut known: BTreeSet<String> = BTreeSet::new();
    for declaration in &tree.declarations {
        if let DeclarationKind::Process(process) = &declaration.kind {
            known.insert(process.name.text.clone());
        }
    }
    let mut warn = |name: &ast::Name| {
        let message = format!("unknown component `{}`", name.text);
        let diagnostic = Diagnostic::warning(&ECDAR_SYSTEM, message)
            .with_primary(name.span, "ignored")
            .with_hint("remove it from the line");
        diagnostics.push(diagnostic);
    };
    tree.declarations.retain(|declaration| match &declaration.kind {
        DeclarationKind::Instantiation(instantiation) => {
            let exists = known.contains(&instantiation.template.text);
            if exists {
                known.insert(instantiation.name.text.clone());
            } else {
                warn(&instantiation.template);
            }
            exists
        }
        _ => true,
    });
    let mut listed: BTreeSet<String> = BTreeSet::new();
    for declaration in &mut tree.declarations {
        if let DeclarationKind::System(line) = &mut declaration.kind {
            for level in &mut line.levels {
                level.retain(|process| {
                    let exists = known.contains(&process.name.text);
                    if !exists {
                        warn(&process.name);
                    }
                    exists && (process.arguments.is_some() || listed.insert(process.name.text.clone()))
                });
            }
            line.levels.retain(|level| !level.is_empty());
            if line.levels.is_empty() {
                line.levels
                    .push(known.iter().take(1).map(|name| reference(name, declaration.span)).collect());
            }
        }
    }
    tree.declarations.retain(|declaration| match &declaration.kind {
        DeclarationKind::InputOutput { process, .. } => {
            let exists = known.contains(&process.name.text);
            if !exists {
                warn(&process.name);
            }
            exists && (process.arguments.is_some() || listed.contains(&process.name.text))
        }
        _ => true,
    });
}

fn reference(name: &str, span: tempora_source::Span) -> ast::ProcessReference {
    ast::ProcessReference { name: ast::Name { text: name.to_owned(), span }, arguments: None, span }
}

/// Returns whether a document declares inputs and outputs, in `IO` lines or on each of its edges.
fn is_ecdar(tree: &ast::Network) -> bool {
    let is_line =
        |declaration: &ast::Declaration| matches!(declaration.kind, DeclarationKind::InputOutput { .. });
    if tree.declarations.iter().any(is_line) {
        return true;
    }
    let mut edges = tree.declarations.iter().flat_map(|declaration| match &declaration.kind {
        DeclarationKind::Process(process) => process.edges.as_slice(),
        _ => &[],
    });
    let mut has_output = false;
    let all = edges.all(|edge| match &edge.labels.synchronisation {
        Some(synchronisation) => {
            has_output |= synchronisation.direction == ast::Direction::Send;
            edge.is_uncontrollable == (synchronisation.direction == ast::Direction::Send)
        }
        None => false,
    });
    all && has_output
}
