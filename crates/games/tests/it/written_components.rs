//! Components that questions produce, as syntax trees and texts.

use tempora_evidence::{Evidence, Verdict};
use tempora_model::{ComputedComponent, TreeWriter};
use tempora_source::Files;
use tempora_syntax::ast;

use crate::support::answers;

/// Returns the component of a question; `None` if it is inconsistent.
pub(crate) fn computed_component(text: &str, question: &str) -> Option<ComputedComponent> {
    let answer = answers(text, &[question]).remove(0);
    assert!(matches!(answer.verdict, Verdict::Holds | Verdict::Fails), "{text}\n{question}: {answer:?}");
    answer.evidence.into_iter().find_map(|evidence| match evidence {
        Evidence::Component(component) => Some(component),
        _ => None,
    })
}

/// Returns a component as a syntax tree of a process and a system line, with the files of its spans.
pub(crate) fn component_with_tree(component: &ComputedComponent, name: &str) -> (Files, ast::Network) {
    let mut files = Files::new();
    let tree = files.add_written("made.net", |file| {
        let mut writer = TreeWriter::new(file, String::new());
        let declarations = vec![writer.component(name, component), writer.system(&[name])];
        let tree = ast::Network { declarations, span: writer.whole() };
        (writer.into_text(), tree)
    });
    let tree = tree.unwrap();
    (files, tree)
}

/// Renders a component as a process of this name in `.net` syntax.
pub(crate) fn component_text(component: &ComputedComponent, name: &str) -> String {
    let (files, tree) = component_with_tree(component, name);
    files.text_at(tree.declarations[0].span).to_owned() + "\n"
}
