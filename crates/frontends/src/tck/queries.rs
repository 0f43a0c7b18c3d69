//! The query that a file asks for by convention: `#labels=a:b` is `reach: a,b`.
//!
//! Invariant: it is a query of the model like any other, so it is asked only where the user asks nothing else. A comment
//! that makes no query is a comment.

use tempora_model::syntax::ast::{Declaration, DeclarationKind, QueryItem};
use tempora_model::syntax::parse_query;
use tempora_source::{EmbeddedTextBuilder, Files};

use super::document::Document;

/// The declaration of the query that a comment asks for.
pub(super) fn default_query(files: &mut Files, document: &Document) -> Option<Declaration> {
    let comment = document.label_comment.as_ref()?;
    let mut text = EmbeddedTextBuilder::new(files, comment.span);
    let mut end = comment.span.start;
    for (position, label) in comment.labels.iter().enumerate() {
        text.push_replacement(end..label.start, if position == 0 { "reach: " } else { "," });
        text.push_verbatim(label.start..label.end);
        end = label.end;
    }
    let text = text.finish().ok()?;
    let file = files.add_embedded("the labels to search for", text);
    let parsed = parse_query(files, file);
    if !parsed.diagnostics.is_empty() {
        return None;
    }
    let span = parsed.tree.span;
    let items = vec![QueryItem { title: None, query: parsed.tree, span }];
    Some(Declaration { kind: DeclarationKind::Queries(items), span })
}
