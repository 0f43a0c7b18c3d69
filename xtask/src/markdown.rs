//! Parses fenced blocks, headings, tables and links of Markdown.
//!
//! Lines are counted from one. The content of a fenced block is never parsed as a heading, a table or a link.

/// A fenced block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fence {
    /// Where its opening fence is.
    pub line: usize,
    /// The text after the opening fence, for example the language.
    pub info: String,
    /// The lines between the fences, each with its line end.
    pub content: String,
    /// Whether the closing fence was found.
    pub is_closed: bool,
}

/// A heading written with `#`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// Where it is.
    pub line: usize,
    /// How many `#` it has.
    pub level: usize,
    /// Its text.
    pub title: String,
}

/// The target of a link or of a picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Where it is.
    pub line: usize,
    /// The target as written.
    pub target: String,
}

/// A row of a table, without the row of dashes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Where it is.
    pub line: usize,
    /// Its cells, trimmed.
    pub cells: Vec<String>,
}

/// Returns all fenced blocks.
pub fn fences(text: &str) -> Vec<Fence> {
    split(text).0
}

/// Returns all lines that are outside fenced blocks, with their numbers.
pub fn lines_outside_fences(text: &str) -> Vec<(usize, &str)> {
    split(text).1
}

/// Returns all headings.
pub fn headings(text: &str) -> Vec<Heading> {
    lines_outside_fences(text)
        .into_iter()
        .filter_map(|(line, content)| {
            let level = content.bytes().take_while(|&byte| byte == b'#').count();
            let title = content[level..].strip_prefix(' ')?.trim().to_owned();
            (1..=6).contains(&level).then_some(Heading { line, level, title })
        })
        .collect()
}

/// Returns the rows of all tables under the heading `title`, up to the next heading of its level or above, each table
/// without its own heading row. `None` where there is no such heading.
pub fn table_rows_under(text: &str, title: &str) -> Option<Vec<Row>> {
    let headings = headings(text);
    let index = headings.iter().position(|heading| heading.title == title)?;
    let heading = &headings[index];
    let end = headings[index + 1..].iter().find(|next| next.level <= heading.level);
    let end = end.map_or(usize::MAX, |next| next.line);

    let lines = lines_outside_fences(text);
    let mut rows = Vec::new();
    for (line, content) in lines.into_iter().filter(|(line, _)| (heading.line..end).contains(line)) {
        let Some(inside) = content.trim().strip_prefix('|') else { continue };
        let cells: Vec<String> =
            inside.trim_end_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
        let is_ruler = cells
            .iter()
            .all(|cell| cell.contains('-') && cell.chars().all(|character| matches!(character, '-' | ':')));
        if is_ruler {
            rows.pop();
        } else {
            rows.push(Row { line, cells });
        }
    }
    Some(rows)
}

/// Returns all targets of links and pictures, written in line or as a definition.
pub fn links(text: &str) -> Vec<Link> {
    let mut links = Vec::new();
    for (line, content) in lines_outside_fences(text) {
        let content = without_code(content);
        let definition = content.trim_start().strip_prefix('[').and_then(|rest| rest.split_once("]:"));
        if let Some((_, target)) = definition.filter(|(name, _)| !name.contains(']')) {
            links.extend(first_target(target).map(|target| Link { line, target }));
        }
        let mut rest = content.as_str();
        while let Some((_, after)) = rest.split_once("](") {
            let Some((inside, following)) = after.split_once(')') else { break };
            links.extend(first_target(inside).map(|target| Link { line, target }));
            rest = following;
        }
    }
    links
}

/// Returns the anchors of all headings, as the usual renderers make them: lower case, hyphens for spaces, punctuation
/// dropped, and a number after a repeated one.
pub fn anchors(text: &str) -> Vec<String> {
    let mut anchors: Vec<String> = Vec::new();
    let mut bases: Vec<String> = Vec::new();
    for heading in headings(text) {
        let kept = heading.title.to_lowercase();
        let base: String = kept
            .chars()
            .filter(|&character| character.is_alphanumeric() || matches!(character, ' ' | '-' | '_'))
            .map(|character| if character == ' ' { '-' } else { character })
            .collect();
        let repeated = bases.iter().filter(|earlier| **earlier == base).count();
        anchors.push(if repeated == 0 { base.clone() } else { format!("{base}-{repeated}") });
        bases.push(base);
    }
    anchors
}

fn split(text: &str) -> (Vec<Fence>, Vec<(usize, &str)>) {
    let mut fences: Vec<Fence> = Vec::new();
    let mut outside = Vec::new();
    let mut open: Option<(char, usize)> = None;
    for (index, line) in text.lines().enumerate() {
        let trimmed = line.trim_start();
        let mark = trimmed.chars().next().filter(|first| matches!(first, '`' | '~'));
        let length = mark.map_or(0, |mark| trimmed.chars().take_while(|&next| next == mark).count());
        let info = trimmed[length..].trim();
        match (open, fences.last_mut()) {
            (Some((open_mark, open_length)), Some(fence)) => {
                if mark == Some(open_mark) && length >= open_length && info.is_empty() {
                    fence.is_closed = true;
                    open = None;
                } else {
                    fence.content.push_str(line);
                    fence.content.push('\n');
                }
            }
            _ if length >= 3 && !info.contains('`') => {
                open = mark.map(|mark| (mark, length));
                let (info, content) = (info.to_owned(), String::new());
                fences.push(Fence { line: index + 1, info, content, is_closed: false });
            }
            _ => outside.push((index + 1, line)),
        }
    }
    (fences, outside)
}

/// Returns the line with everything between backticks left out; a backtick without its partner stays.
fn without_code(line: &str) -> String {
    let mut kept = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('`') {
        kept.push_str(before);
        match after.split_once('`') {
            Some((_, following)) => rest = following,
            None => rest = after,
        }
    }
    kept + rest
}

/// Returns a target may be in angle brackets, and a title may follow it.
fn first_target(text: &str) -> Option<String> {
    let text = text.trim();
    match text.strip_prefix('<') {
        Some(bracketed) => bracketed.split('>').next().map(str::to_owned),
        None => text.split_whitespace().next().map(str::to_owned),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_end_at_a_fence_of_the_same_kind() {
        let text = "a\n````one\n```\n# no heading\n````\nb\n~~~\nopen\n";
        let fences = fences(text);
        assert_eq!(fences.len(), 2);
        assert_eq!((fences[0].line, fences[0].info.as_str()), (2, "one"));
        assert_eq!(fences[0].content, "```\n# no heading\n");
        assert!(fences[0].is_closed && !fences[1].is_closed);
        assert_eq!(lines_outside_fences(text), [(1, "a"), (6, "b")]);
        assert_eq!(headings(text), []);
    }

    #[test]
    fn tables_are_read_up_to_the_next_heading() {
        let text =
            "# T\n## A\n| h | i |\n|---|:-:|\n| 1 | 2 |\n### sub\n| j |\n|---|\n| 3 |\n## B\n| 4 |\n|---|\n";
        let rows = table_rows_under(text, "A").unwrap();
        assert_eq!(
            rows,
            [
                Row { line: 5, cells: vec!["1".to_owned(), "2".to_owned()] },
                Row { line: 9, cells: vec!["3".to_owned()] },
            ]
        );
        assert_eq!(table_rows_under(text, "C"), None);
    }

    #[test]
    fn links_are_found_in_every_form() {
        let text = "[a](b.md) ![c](<d e.png> \"t\") `[x](y)`\n\n[f]: g.md#h\n";
        let targets: Vec<(usize, String)> =
            links(text).into_iter().map(|link| (link.line, link.target)).collect();
        assert_eq!(targets, [(1, "b.md".to_owned()), (1, "d e.png".to_owned()), (3, "g.md#h".to_owned())]);
    }

    #[test]
    fn anchors_are_made_from_titles() {
        assert_eq!(
            anchors("# The `tempora` command, now\n## A_b-c\n## A_b-c\n"),
            ["the-tempora-command-now", "a_b-c", "a_b-c-1"]
        );
    }
}
