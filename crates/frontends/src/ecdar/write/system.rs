//! Writes drawings of named expressions: the files of the folder `Systems`.
//!
//! Invariant: a drawing is read back as the same expression. A drawing has only components and operators: names of
//! other expressions are expanded, and parts with arguments, indexed copies and constraints cannot be drawn.

use tempora_model::specification_with_names_replaced;
use tempora_syntax::ast::{self, SpecExpressionKind, SpecOperator};

use super::project::{file, text};
use crate::FolderFile;

/// The distance between nodes of a drawing.
const STEP: usize = 150;

/// The largest number of nodes of a drawing.
const MOST_NODES: usize = 1_000;

/// Returns a file for each named expression that can be drawn, and the model without these expressions.
pub(super) fn drawn_systems(model: &ast::Network) -> (Vec<FolderFile>, ast::Network) {
    let mut files = Vec::new();
    let mut rest = model.clone();
    rest.declarations.retain(|declaration| {
        let ast::DeclarationKind::NamedSpecification { name, specification } = &declaration.kind else {
            return true;
        };
        let written = specification_with_names_replaced(model, specification).ok();
        match written.and_then(|written| drawing(&name.text, &written)) {
            Some(drawn) => {
                files.push(file(&format!("Systems/{}.json", name.text), drawn));
                false
            }
            None => true,
        }
    });
    (files, rest)
}

/// The nodes and edges of a drawing, as JSON.
#[derive(Default)]
struct Drawing {
    components: Vec<String>,
    operators: Vec<String>,
    edges: Vec<String>,
    nodes: usize,
    /// The number of leaves placed so far, from left to right.
    leaves: usize,
}

fn drawing(name: &str, expression: &ast::SpecExpression) -> Option<String> {
    let mut drawing = Drawing::default();
    let top = drawing.node(expression, 1)?;
    drawing.edges.push(format!("    {{ \"child\": {top}, \"parent\": 0 }}"));
    let list = |items: &[String]| match items {
        [] => "[]".to_owned(),
        items => format!("[\n{}\n  ]", items.join(",\n")),
    };
    Some(format!(
        "{{\n  \"name\": {},\n  \"description\": \"\",\n  \"componentInstances\": {},\n  \"operators\": {},\n  \"edges\": {},\n  \
         \"x\": 5,\n  \"y\": 5,\n  \"width\": {},\n  \"height\": {},\n  \"color\": \"0\",\n  \"systemRootX\": {}\n}}\n",
        text(name),
        list(&drawing.components),
        list(&drawing.operators),
        list(&drawing.edges),
        STEP * (drawing.leaves + 1),
        STEP * (drawing.operators.len() + 3),
        STEP * (drawing.leaves + 1) / 2,
    ))
}

impl Drawing {
    /// Draws an expression and returns its node number; `None` if it cannot be drawn.
    fn node(&mut self, expression: &ast::SpecExpression, depth: usize) -> Option<usize> {
        if self.nodes >= MOST_NODES {
            return None;
        }
        match &expression.kind {
            SpecExpressionKind::Component { process, instance: None } if process.arguments.is_none() => {
                self.leaves += 1;
                let (id, x, y) = (self.next(), STEP * self.leaves, STEP * depth);
                let name = text(&process.name.text);
                let component =
                    format!("    {{ \"id\": {id}, \"componentName\": {name}, \"x\": {x}, \"y\": {y} }}");
                self.components.push(component);
                Some(id)
            }
            SpecExpressionKind::Parenthesised(inner) => self.node(inner, depth),
            SpecExpressionKind::Combined { operator: SpecOperator::Weakening, left, right, .. } => {
                let both = self.operator("composition", &[right, left], depth + 1)?;
                let part = self.node(right, depth + 1)?;
                Some(self.joined("quotient", &[both, part], depth))
            }
            SpecExpressionKind::Combined { operator, left, right, .. } => {
                let word = match operator {
                    SpecOperator::Composition => "composition",
                    SpecOperator::Conjunction => "conjunction",
                    _ => "quotient",
                };
                self.operator(word, &[left, right], depth)
            }
            SpecExpressionKind::Component { .. }
            | SpecExpressionKind::Constrained { .. }
            | SpecExpressionKind::Error => None,
        }
    }

    fn operator(&mut self, word: &str, parts: &[&ast::SpecExpression], depth: usize) -> Option<usize> {
        let mut drawn = Vec::with_capacity(parts.len());
        for part in parts {
            drawn.push(self.node(part, depth + 1)?);
        }
        Some(self.joined(word, &drawn, depth))
    }

    fn joined(&mut self, word: &str, parts: &[usize], depth: usize) -> usize {
        let (id, x, y) = (self.next(), STEP * self.leaves, STEP * depth);
        self.operators.push(format!("    {{ \"id\": {id}, \"type\": \"{word}\", \"x\": {x}, \"y\": {y} }}"));
        self.edges.extend(parts.iter().map(|part| format!("    {{ \"child\": {part}, \"parent\": {id} }}")));
        id
    }

    /// Returns the next node number; the root is number 0.
    fn next(&mut self) -> usize {
        self.nodes += 1;
        self.nodes
    }
}
