//! Components that were computed, as a model that can be written.
//!
//! Invariant: the model has what the original declares outside of its processes, and the components; so a component means in it
//! what it means beside the original. The trees of the components are made directly; their text exists for diagnostics.

use tempora_certify::CheckedAnswer;
use tempora_evidence::Evidence;
use tempora_model::{MadeComponent, TreeWriter};
use tempora_syntax::ast::{self, DeclarationKind};
use tempora_syntax::{is_name, print_declarations};

use crate::Loaded;
use crate::loading::Loading;

/// The component that an answer holds, if it has a name to be saved under.
pub fn named_component(answer: &CheckedAnswer) -> Option<(&str, &MadeComponent)> {
    answer.answer().evidence.iter().find_map(|evidence| match evidence {
        Evidence::Component(component) => Some((component.name.as_deref()?, component)),
        _ => None,
    })
}

impl Loaded {
    /// A model with these components, beside the declarations of this one; it has errors if they cannot be written down.
    pub fn with_components(&self, components: &[(&str, &MadeComponent)]) -> Loaded {
        let written = self.tree().into_iter().flat_map(|tree| &tree.declarations);
        let kept: Vec<ast::Declaration> = written.filter_map(kept_declaration).collect();
        // The declarations that are kept point into the files of the original.
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

/// What is declared for all processes. Names that are none of the language belong to edges without a channel.
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
