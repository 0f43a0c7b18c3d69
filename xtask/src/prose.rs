//! The prose of the workspace as paragraphs with line numbers: comments, texts for users, Markdown and test names.
//!
//! Fenced blocks of Markdown, test data and string literals of tests are no prose. A Rust file that the compiler rejects
//! gives some paragraphs, never a panic.

use std::ops::Range;

use crate::markdown;
use crate::rust_text::{code_only, passages};
use crate::tree::{Tree, is_test_data};

/// The readers for whom a paragraph is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Audience {
    /// Comments of sources.
    Comments,
    /// Markdown for developers, and the names of tests.
    Developers,
    /// Messages, help, manual pages, schemas and the user's documents.
    Users,
}

/// Adjacent lines with prose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paragraph {
    /// The file, relative to the root.
    pub file: String,
    /// Its readers.
    pub audience: Audience,
    /// The number of the first line, counted from one.
    pub line: usize,
    /// The lines without comment marks and quotation marks.
    pub lines: Vec<String>,
}

impl Paragraph {
    /// Returns the lines as one text, and the line number of a byte position in it.
    pub fn joined(&self) -> (String, impl Fn(usize) -> usize) {
        let ends: Vec<usize> = self
            .lines
            .iter()
            .scan(0, |end, line| {
                *end += line.len() + 1;
                Some(*end)
            })
            .collect();
        let first = self.line;
        (self.lines.join(" "), move |position| first + ends.partition_point(|&end| end <= position))
    }
}

/// Returns the prose of all files, sorted by file and line.
pub fn paragraphs(tree: &Tree) -> Vec<Paragraph> {
    let mut paragraphs = Vec::new();
    for (path, text) in tree.texts() {
        match path.rsplit('.').next() {
            Some("rs") if !is_test_data(path) => of_rust(path, text, &mut paragraphs),
            Some("md") if !path.contains("/tests/data/") => of_markdown(path, text, &mut paragraphs),
            Some("json") if path.starts_with("docs/schemas/") => {
                of_lines(path, Audience::Users, text.lines().enumerate(), &mut paragraphs);
            }
            Some("js" | "html" | "css") if path.starts_with("crates/report/src/") => {
                of_lines(path, Audience::Users, text.lines().enumerate(), &mut paragraphs);
            }
            _ => {}
        }
    }
    paragraphs.sort_by(|one, other| (&one.file, one.line).cmp(&(&other.file, other.line)));
    paragraphs
}

fn of_rust(path: &str, source: &str, paragraphs: &mut Vec<Paragraph>) {
    let documented_for_users = lines_documented_for_users(path, source);
    let code = code_only(source);
    let has_user_strings = path.starts_with("crates/") && path.contains("/src/");
    let test_module = first_line_of_tests(&code);
    let mut open: Option<Paragraph> = None;
    for passage in passages(source) {
        let is_doc = passage.text.starts_with("///") || passage.text.starts_with("//!");
        let audience = if passage.is_comment {
            let is_for_users =
                is_doc && documented_for_users.iter().any(|lines| lines.contains(&passage.line));
            if is_for_users { Audience::Users } else { Audience::Comments }
        } else if has_user_strings && passage.line < test_module {
            Audience::Users
        } else {
            continue;
        };
        let lines: Vec<String> = if passage.is_comment {
            passage.text.lines().map(without_comment_marks).collect()
        } else {
            let quoted = passage.text.trim_start_matches(|first| first != '"').trim_end_matches('#');
            let inside = quoted.trim_matches('"').replace("\\n", " ");
            inside.lines().map(|line| line.trim().trim_end_matches('\\').to_owned()).collect()
        };
        match &mut open {
            Some(paragraph)
                if passage.is_comment
                    && paragraph.audience == audience
                    && paragraph.line + paragraph.lines.len() == passage.line =>
            {
                paragraph.lines.extend(lines);
            }
            _ => {
                paragraphs.extend(open.take());
                let next = Paragraph { file: path.to_owned(), audience, line: passage.line, lines };
                if passage.is_comment {
                    open = Some(next);
                } else {
                    paragraphs.push(next);
                }
            }
        }
    }
    paragraphs.extend(open);
    for (line, name) in test_names(&code) {
        let (file, lines) = (path.to_owned(), vec![name.replace('_', " ")]);
        paragraphs.push(Paragraph { file, audience: Audience::Developers, line, lines });
    }
}

/// Returns the names of the test functions in code without comments, with their lines.
pub fn test_names(code: &str) -> Vec<(usize, &str)> {
    let mut names = Vec::new();
    let mut is_test = false;
    for (index, line) in code.lines().enumerate() {
        is_test |= line.trim() == "#[test]";
        let Some((_, rest)) = line.split_once("fn ").filter(|_| is_test) else { continue };
        names.push((index + 1, rest.split(['(', '<']).next().unwrap_or(rest)));
        is_test = false;
    }
    names
}

/// Returns the line of `#[cfg(test)]` before the test module at the end of a file.
fn first_line_of_tests(code: &str) -> usize {
    let mut lines = code.lines().enumerate().peekable();
    while let Some((index, line)) = lines.next() {
        let next = lines.peek().map_or("", |(_, next)| next);
        if line.trim() == "#[cfg(test)]" && next.starts_with("mod ") && next.ends_with('{') {
            return index + 1;
        }
    }
    usize::MAX
}

/// Doc comments of manual pages, of arguments and of documents are shown to users.
fn lines_documented_for_users(path: &str, source: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    if path.starts_with("crates/cli/src/commands/") || path.starts_with("crates/report/src/documents/") {
        let header = source.lines().take_while(|line| line.starts_with("//!")).count();
        ranges.push(header + 1..usize::MAX);
    }
    let mut start = None;
    for (index, line) in source.lines().enumerate() {
        if line.trim_end().ends_with("declare_code! {") {
            start = Some(index + 1);
        } else if line == "}" {
            ranges.extend(start.take().map(|start| start..index + 1));
        }
    }
    ranges
}

fn without_comment_marks(line: &str) -> String {
    line.trim().trim_start_matches(['/', '!', '*']).trim().to_owned()
}

fn of_markdown(path: &str, text: &str, paragraphs: &mut Vec<Paragraph>) {
    let is_for_users = path == "README.md"
        || path == "docs/sanity-checks.md"
        || ["docs/guide/", "docs/schemas/", "examples/"].iter().any(|folder| path.starts_with(folder));
    let audience = if is_for_users { Audience::Users } else { Audience::Developers };
    let lines = markdown::lines_outside_fences(text);
    of_lines(path, audience, lines.into_iter().map(|(line, text)| (line - 1, text)), paragraphs);
}

fn of_lines<'a>(
    path: &str,
    audience: Audience,
    lines: impl Iterator<Item = (usize, &'a str)>,
    paragraphs: &mut Vec<Paragraph>,
) {
    let mut open: Option<Paragraph> = None;
    for (index, line) in lines {
        if line.trim().is_empty() {
            paragraphs.extend(open.take());
            continue;
        }
        match &mut open {
            Some(paragraph) if paragraph.line + paragraph.lines.len() == index + 1 => {
                paragraph.lines.push(line.to_owned());
            }
            _ => {
                paragraphs.extend(open.take());
                let lines = vec![line.to_owned()];
                open = Some(Paragraph { file: path.to_owned(), audience, line: index + 1, lines });
            }
        }
    }
    paragraphs.extend(open);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<(Audience, usize, String)> {
        let paragraphs = paragraphs(&Tree::of_texts([(path, text)]));
        paragraphs
            .into_iter()
            .map(|paragraph| (paragraph.audience, paragraph.line, paragraph.joined().0))
            .collect()
    }

    #[test]
    fn joins_adjacent_comment_lines() {
        let source = "//! One\n//! two.\n\nfn a() {} // Three.\n";
        assert_eq!(
            found("crates/a/src/b.rs", source),
            [(Audience::Comments, 1, "One two.".to_owned()), (Audience::Comments, 4, "Three.".to_owned())]
        );
    }

    #[test]
    fn separates_strings_of_sources_from_those_of_tests() {
        let source = "fn a() { b(r#\"runs \\\n    file\"#) }\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn c_is_d() { e(\"f\") }\n}\n";
        assert_eq!(
            found("crates/a/src/b.rs", source),
            [(Audience::Users, 1, "runs  file".to_owned()), (Audience::Developers, 6, "c is d".to_owned())]
        );
        assert_eq!(found("crates/a/tests/it/b.rs", "fn a() { b(\"c\") }\n"), []);
    }

    #[test]
    fn manual_pages_and_arguments_are_for_users() {
        let page =
            "declare_code! {\n    /// Page.\n    pub static A = \"a\": \"b\";\n}\n/// Comment.\nfn c() {}\n";
        let audiences: Vec<Audience> =
            found("crates/a/src/b.rs", page).into_iter().map(|found| found.0).collect();
        assert_eq!(audiences, [Audience::Users, Audience::Users, Audience::Users, Audience::Comments]);
        let help = "//! Header.\n\n/// Help.\nstruct A;\n";
        let audiences: Vec<Audience> =
            found("crates/cli/src/commands/b.rs", help).into_iter().map(|found| found.0).collect();
        assert_eq!(audiences, [Audience::Comments, Audience::Users]);
    }

    #[test]
    fn fenced_blocks_are_no_prose() {
        let text = "# One\n\n```text\ntwo\n```\nthree\nfour\n";
        let expected = |audience: Audience| {
            vec![(audience, 1, "# One".to_owned()), (audience, 6, "three four".to_owned())]
        };
        assert_eq!(found("docs/guide/a.md", text), expected(Audience::Users));
        assert_eq!(found("docs/decisions/a.md", text), expected(Audience::Developers));
        assert_eq!(found("crates/a/tests/data/a.md", text), []);
    }

    #[test]
    fn positions_lead_back_to_lines() {
        let lines = vec!["ab".to_owned(), "c".to_owned(), "de".to_owned()];
        let paragraph = Paragraph { file: String::new(), audience: Audience::Users, line: 7, lines };
        let (text, line_of) = paragraph.joined();
        assert_eq!(text, "ab c de");
        assert_eq!([0, 2, 3, 4, 5, 6].map(line_of), [7, 7, 8, 8, 9, 9]);
    }
}
