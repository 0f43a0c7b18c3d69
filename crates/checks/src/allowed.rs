//! Allowances in the text of a model: `// tempora: allow(NAME)`.
//!
//! Invariant: an allowance covers its own line and the next; in the comment of a location or an edge of an XML
//! document, it covers that element. It suppresses nothing else.

use std::collections::BTreeMap;
use std::ops::Range;

use tempora_source::{Diagnostic, FileId, Files};

/// The allowances of files, computed on demand.
#[derive(Default)]
pub(crate) struct Allowances {
    by_file: BTreeMap<FileId, Vec<Allowance>>,
}

/// The checks that are allowed in a range of a text.
struct Allowance {
    names: Vec<String>,
    range: Range<usize>,
}

const SIGN: &str = "tempora: allow(";

impl Allowances {
    /// Returns whether a finding is allowed.
    pub(crate) fn allow(&mut self, files: &Files, diagnostic: &Diagnostic) -> bool {
        let Some(span) = diagnostic.primary_span().map(|span| files.outermost(span)) else { return false };
        let allowances =
            self.by_file.entry(span.file).or_insert_with(|| allowances_of(files.text(span.file)));
        let name = diagnostic.code.name();
        allowances.iter().any(|allowance| {
            allowance.range.contains(&(span.start as usize))
                && allowance.names.iter().any(|other| other == name || other == "all")
        })
    }
}

fn allowances_of(text: &str) -> Vec<Allowance> {
    let mut list = Vec::new();
    for (position, _) in text.match_indices(SIGN) {
        let rest = &text[position + SIGN.len()..];
        let Some(end) = rest.find(')') else { continue };
        let names = rest[..end].split(',').map(|name| name.trim().to_owned()).collect();
        list.push(Allowance {
            names,
            range: element_around(text, position).unwrap_or(lines_at(text, position)),
        });
    }
    list
}

/// Returns the range of the line at a position and the next line.
fn lines_at(text: &str, position: usize) -> Range<usize> {
    let start = text[..position].rfind('\n').map_or(0, |line| line + 1);
    let rest = &text[position..];
    let end = rest.match_indices('\n').nth(1).map_or(text.len(), |(line, _)| position + line);
    start..end
}

/// Returns the range of the location or edge of an XML document whose comment contains a position.
fn element_around(text: &str, position: usize) -> Option<Range<usize>> {
    let label = text[..position].rfind("<label")?;
    let opening = &text[label..position];
    if opening.contains("</label") || !opening.contains("\"comments\"") {
        return None;
    }
    ["location", "transition"].iter().find_map(|element| {
        let start = text[..label].rfind(&format!("<{element}"))?;
        let closing = format!("</{element}>");
        let end = start + text[start..].find(&closing)? + closing.len();
        (position < end).then_some(start..end)
    })
}

#[cfg(test)]
mod tests {
    use super::allowances_of;

    #[test]
    fn allowance_covers_two_lines_or_an_element() {
        let text = "int a;\n// tempora: allow(unused-variable, shadowed-name)\nint b;\nint c;\n";
        let list = allowances_of(text);
        assert_eq!(list.len(), 1);
        assert_eq!(list[0].names, ["unused-variable", "shadowed-name"]);
        assert!(!list[0].range.contains(&text.find("int a").unwrap()));
        assert!(list[0].range.contains(&text.find("int b").unwrap()));
        assert!(!list[0].range.contains(&text.find("int c").unwrap()));

        let text = "<location id=\"a\">\n\n\n<label kind=\"comments\">tempora: allow(deadlock)</label></location>\
                    <location id=\"b\"></location>";
        let list = allowances_of(text);
        assert!(list[0].range.contains(&0));
        assert!(!list[0].range.contains(&text.rfind("<location").unwrap()));
    }
}
