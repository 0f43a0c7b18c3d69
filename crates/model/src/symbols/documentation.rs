//! Finds the comment that documents a declaration.

/// Returns the comment immediately before a declaration, or else the one after it on the same line.
///
/// A comment before it must start its line; otherwise it belongs to the declaration on that line.
pub(super) fn documentation(text: &str, start: u32, end: u32) -> Option<String> {
    let before = text.get(..start as usize)?;
    let behind = text.get(end as usize..)?;
    comment_before(before).or_else(|| comment_behind(behind)).filter(|comment| !comment.is_empty())
}

fn comment_before(before: &str) -> Option<String> {
    let trimmed = before.trim_end();
    let gap = &before[trimmed.len()..];
    if gap.matches('\n').count() > 1 {
        return None;
    }
    if let Some(inner) = trimmed.strip_suffix("*/") {
        let opening = inner.rfind("/*")?;
        return starts_line(&before[..opening]).then(|| block_text(&inner[opening + 2..]));
    }
    // A `//` comment needs a line break between it and the declaration.
    gap.contains('\n').then_some(())?;
    let mut lines: Vec<&str> = Vec::new();
    for line in trimmed.lines().rev() {
        match line.trim_start().strip_prefix("//") {
            Some(comment) => lines.push(line_text(comment)),
            None => break,
        }
    }
    lines.reverse();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

fn comment_behind(behind: &str) -> Option<String> {
    // Searches for the end of a comment only, because the line may contain the whole model.
    let rest = behind.trim_start_matches([' ', '\t', ';', ',']);
    if let Some(comment) = rest.strip_prefix("//") {
        return Some(line_text(comment.lines().next().unwrap_or("")).to_owned());
    }
    let comment = rest.strip_prefix("/*")?;
    comment.find("*/").map(|closing| block_text(&comment[..closing]))
}

fn starts_line(before: &str) -> bool {
    let before = before.trim_end_matches([' ', '\t']);
    before.is_empty() || before.ends_with('\n')
}

fn line_text(comment: &str) -> &str {
    comment.trim_start_matches('/').trim()
}

fn block_text(comment: &str) -> String {
    let lines = comment.lines().map(|line| line.trim().trim_start_matches('*').trim());
    lines.collect::<Vec<_>>().join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::documentation;

    fn of(text: &str, declaration: &str) -> Option<String> {
        let start = text.find(declaration).unwrap_or(0);
        documentation(text, start as u32, (start + declaration.len()) as u32)
    }

    #[test]
    fn comment_before_declaration_documents_it() {
        assert_eq!(of("// speed\nint v;", "int v;").as_deref(), Some("speed"));
        assert_eq!(of("int u;\n// one\n/// two\nint v;", "int v;").as_deref(), Some("one\ntwo"));
        assert_eq!(of("/** one\n * two\n */\nint v;", "int v;").as_deref(), Some("one\ntwo"));
        assert_eq!(of("/* one */ int v;", "int v;").as_deref(), Some("one"));
    }

    #[test]
    fn comment_after_declaration_documents_it() {
        assert_eq!(of("int v; // speed\nint w;", "int v;").as_deref(), Some("speed"));
        assert_eq!(of("int v; /* speed */ int w;", "int v;").as_deref(), Some("speed"));
    }

    #[test]
    fn comment_of_other_declaration_is_ignored() {
        assert_eq!(of("int u; // speed\nint v;", "int v;"), None);
        assert_eq!(of("int u; /* speed */\nint v;", "int v;"), None);
        assert_eq!(of("// a file\n\nint v;", "int v;"), None);
        assert_eq!(of("int v;\n// next\nint w;", "int v;"), None);
        assert_eq!(of("int v;", "int v;"), None);
    }
}
