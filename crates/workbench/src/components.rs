//! Builds a writable model from computed components.
//!
//! Invariant: the model keeps the global declarations of the original, so a component has the same meaning in both. The
//! syntax trees of components are built directly; their text exists only for diagnostics.

use tempora_certify::CheckedAnswer;
use tempora_evidence::Evidence;
use tempora_model::{ComputedComponent, TreeWriter};
use tempora_syntax::ast::{self, DeclarationKind};
use tempora_syntax::{is_name, print_declarations};

use crate::Loaded;
use crate::loading::Loading;

/// Returns the component of an answer, if the query names it with `save-as`.
pub fn named_component(answer: &CheckedAnswer) -> Option<(&str, &ComputedComponent)> {
    answer.answer().evidence.iter().find_map(|evidence| match evidence {
        Evidence::Component(component) => Some((component.name.as_deref()?, component)),
        _ => None,
    })
}

impl Loaded {
    /// Returns a model with the global declarations of this one and these components; it has errors if they cannot be
    /// expressed.
    pub fn with_components(&self, components: &[(&str, &ComputedComponent)]) -> Loaded {
        let written = self.tree().into_iter().flat_map(|tree| &tree.declarations);
        let kept: Vec<ast::Declaration> = written.filter_map(kept_declaration).collect();
        // Kept declarations point into the files of the original.
        Loading::extending(&self.files).tree("components.net", |file| {
            let mut writer = TreeWriter::new(file, print_declarations(&kept));
            let mut declarations = kept;
            let mut names = Vec::with_capacity(components.len());
            for (name, component) in components {
                declarations.push(writer.component(name, component));
                names.push(*name);
            }
            declarations.push(writer.system(&names));
            let tree = ast::Network { declarations, span: writer.whole() };
            (writer.into_text(), tree)
        })
    }
}

/// Returns a global declaration without generated names, which belong to edges without a channel; `None` for other
/// declarations.
fn kept_declaration(declaration: &ast::Declaration) -> Option<ast::Declaration> {
    match &declaration.kind {
        DeclarationKind::Variables(variables) => {
            let mut variables = variables.clone();
            variables.declarators.retain(|declarator| is_name(&declarator.name.text));
            let kind = DeclarationKind::Variables(variables.clone());
            (!variables.declarators.is_empty()).then_some(ast::Declaration { kind, span: declaration.span })
        }
        DeclarationKind::TypeDefinition(_) | DeclarationKind::Function(_) => Some(declaration.clone()),
        _ => None,
    }
}
