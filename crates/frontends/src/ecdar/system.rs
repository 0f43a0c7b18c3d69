//! Reads drawings of expressions: the files of the folder `Systems`.
//!
//! Invariant: a drawing is a tree whose root is the node 0; any other drawing gives a warning, and affects only queries
//! that name it. Operators have two operands or more, the quotient has two, and operands are in the order of their
//! edges.

use std::collections::BTreeMap;

use tempora_source::{Diagnostic, Diagnostics, Files, Span};
use tempora_syntax::{ast, is_name, parse_query};

use super::codes::ECDAR_DRAWING;
use super::json::Json;

/// The largest depth of a drawing, against hostile files.
const DEPTH_LIMIT: usize = 100;

/// A node of a drawing.
enum Node {
    Component(String),
    /// An operator, by its symbol.
    Operator(&'static str),
}

/// Translates a drawing into a declaration of a named expression.
pub(super) fn read_system(
    files: &mut Files,
    json: &Json,
    diagnostics: &mut Diagnostics,
) -> Option<ast::Declaration> {
    let name = json.text_of(files, "name");
    match expression_of(files, json) {
        Ok(None) => None,
        Ok(Some(text)) if is_name(&name) => {
            let file = files.add(format!("system `{name}`"), format!("consistency: {text}")).ok()?;
            let parsed = parse_query(files, file);
            let ast::QueryKind::Specification(query) = parsed.tree.kind else { return None };
            let span = query.specification.span;
            let name = ast::Name { text: name, span: json.span };
            let kind = ast::DeclarationKind::NamedSpecification { name, specification: query.specification };
            Some(ast::Declaration { kind, span })
        }
        Ok(Some(_)) => {
            warn(json.span, &format!("`{name}` is not a valid system name"), diagnostics);
            None
        }
        Err(why) => {
            warn(json.span, &format!("the drawing of `{name}` is not an expression: {why}"), diagnostics);
            None
        }
    }
}

fn warn(span: Span, message: &str, diagnostics: &mut Diagnostics) {
    let start = Span::new(span.file, span.start, span.start + 1);
    let diagnostic = Diagnostic::warning(&ECDAR_DRAWING, message)
        .with_primary(start, "ignored")
        .with_hint("queries that do not name it are not affected");
    diagnostics.push(diagnostic);
}

/// Returns the expression as text with all parentheses; `None` for an empty drawing.
fn expression_of(files: &Files, json: &Json) -> Result<Option<String>, String> {
    let mut nodes: BTreeMap<i64, Node> = BTreeMap::new();
    let id_of = |item: &Json, member: &str| item.number_of(files, member).map(|number| number as i64);
    for item in json.get("componentInstances").map(Json::items).unwrap_or_default() {
        let id = id_of(item, "id").ok_or("a component has no id")?;
        nodes.insert(id, Node::Component(item.text_of(files, "componentName")));
    }
    for item in json.get("operators").map(Json::items).unwrap_or_default() {
        let id = id_of(item, "id").ok_or("an operator has no id")?;
        let sign = match item.text_of(files, "type").to_ascii_lowercase().as_str() {
            "composition" => "||",
            "conjunction" => "&&",
            "quotient" => "\\\\",
            other => return Err(format!("unknown operator `{other}`")),
        };
        nodes.insert(id, Node::Operator(sign));
    }
    let mut children: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    for item in json.get("edges").map(Json::items).unwrap_or_default() {
        let (child, parent) = (id_of(item, "child"), id_of(item, "parent"));
        let (Some(child), Some(parent)) = (child, parent) else {
            return Err("an edge lacks its child or its parent".to_owned());
        };
        children.entry(parent).or_default().push(child);
    }
    match children.get(&0).map(Vec::as_slice) {
        None | Some([]) => Ok(None),
        Some([top]) => text_of(*top, &nodes, &children, 0).map(Some),
        Some(_) => Err("the root has several operands".to_owned()),
    }
}

fn text_of(
    node: i64,
    nodes: &BTreeMap<i64, Node>,
    children: &BTreeMap<i64, Vec<i64>>,
    depth: usize,
) -> Result<String, String> {
    if depth > DEPTH_LIMIT {
        return Err("it is nested too deeply, or contains a cycle".to_owned());
    }
    match nodes.get(&node) {
        None => Err(format!("unknown node {node}")),
        Some(Node::Component(name)) if is_name(name) => Ok(name.clone()),
        Some(Node::Component(name)) => Err(format!("`{name}` is not a valid component name")),
        Some(Node::Operator(sign)) => {
            let parts = children.get(&node).map(Vec::as_slice).unwrap_or_default();
            if parts.len() < 2 || (*sign == "\\\\" && parts.len() > 2) {
                return Err(format!("an operator `{sign}` has {} operands", parts.len()));
            }
            let mut texts = Vec::with_capacity(parts.len());
            for &part in parts {
                texts.push(text_of(part, nodes, children, depth + 1)?);
            }
            Ok(format!("({})", texts.join(&format!(" {sign} "))))
        }
    }
}
