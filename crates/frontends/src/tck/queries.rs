//! The conventional query of a file: `#labels=a:b` becomes `reach: a,b`.
//!
//! Invariant: it is a query of the model like any other, so it is used only if the user gives no other query. Labels
//! that no location has give a warning, as in every query of a model.

use tempora_source::{EmbeddedTextBuilder, Files, Span};
use tempora_syntax::ast::{Declaration, DeclarationKind, LabelGoal, Name, Query, QueryItem, QueryKind};

use super::document::{Document, offset};

/// Returns the declaration of the query that a comment requests.
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
    let span = files.whole(file);
    // Labels may have characters that are not allowed in queries.
    let mut start = offset("reach: ".len());
    let labels = comment.labels.iter().map(|label| {
        let place = Span::new(file, start, start + (label.end - label.start));
        start = place.end + 1;
        Name { text: files.text_at(*label).to_owned(), span: place }
    });
    let kind = QueryKind::Labels { goal: LabelGoal::Reach, labels: labels.collect() };
    let query = Query { kind, under: None, imitate: None, span };
    let items = vec![QueryItem { title: None, query, span }];
    Some(Declaration { kind: DeclarationKind::Queries(items), span })
}
