//! A mutant as it is written down: one Markdown file, one small and plausible bug.
//!
//! The file has a title `# …`, a sentence on why this bug is plausible, a line `file: PATH`, a
//! line `test: ARGUMENTS` with what follows `cargo test`, a block fenced as `find` and one fenced as `replace`.
//! The text to find occurs exactly once in the file; anything else is an error, never a guess.

use std::ops::Range;

use crate::markdown::{self, Fence};
use crate::tree::Tree;

/// One bug that the tests are expected to notice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutant {
    /// The crate that it lies with, a slash, and the name of its file without `.md`.
    pub name: String,
    /// What the bug is.
    pub title: String,
    /// Why it is plausible.
    pub reason: String,
    /// The source that it changes, relative to the root.
    pub file: String,
    /// What follows `cargo test`.
    pub test_arguments: Vec<String>,
    find: String,
    replace: String,
}

impl Mutant {
    /// Returns all mutants of a workspace by the paths of their files, or why they cannot be read.
    pub fn all_in(tree: &Tree) -> Vec<(&str, Result<Self, String>)> {
        let files = tree.texts_with_extension("md").filter_map(|(path, text)| {
            let (crate_name, file) = path.strip_prefix("crates/")?.split_once("/mutants/")?;
            let stem = file.strip_suffix(".md")?;
            let is_mutant = !crate_name.contains('/') && !stem.contains('/') && stem != "README";
            is_mutant.then(|| (path, Self::parse(&format!("{crate_name}/{stem}"), text)))
        });
        files.collect()
    }

    /// Reads a mutant.
    pub fn parse(name: &str, text: &str) -> Result<Self, String> {
        let title = match markdown::headings(text).as_slice() {
            [heading] if heading.level == 1 && !heading.title.is_empty() => heading.title.clone(),
            _ => return Err("must have exactly one heading, `# title`".to_owned()),
        };
        let mut reason = Vec::new();
        let mut file = None;
        let mut test = None;
        for (line, content) in markdown::lines_outside_fences(text) {
            let content = content.trim();
            let (field, value, key) = if let Some(value) = content.strip_prefix("file:") {
                (&mut file, value, "file:")
            } else if let Some(value) = content.strip_prefix("test:") {
                (&mut test, value, "test:")
            } else {
                if !content.is_empty() && !content.starts_with('#') {
                    reason.push(content);
                }
                continue;
            };
            if field.replace(value.trim().to_owned()).is_some() {
                return Err(format!("line {line}: a second line `{key}`"));
            }
        }
        let present = |field: Option<String>, key: &str| {
            field.filter(|value| !value.is_empty()).ok_or_else(|| format!("must have a line `{key} …`"))
        };
        let fences = markdown::fences(text);
        if let Some(fence) = fences.iter().find(|fence| !matches!(fence.info.as_str(), "find" | "replace")) {
            return Err(format!("line {}: a block must be fenced as `find` or as `replace`", fence.line));
        }
        let (find, replace) = (only_block(&fences, "find")?, only_block(&fences, "replace")?);
        if find.trim().is_empty() {
            return Err("the block `find` is empty".to_owned());
        }
        if find == replace {
            return Err("the blocks `find` and `replace` are the same".to_owned());
        }
        if reason.is_empty() {
            return Err("must say why somebody could write this bug".to_owned());
        }
        let test_arguments = present(test, "test:")?.split_whitespace().map(str::to_owned).collect();
        Ok(Self {
            name: name.to_owned(),
            title,
            reason: reason.join(" "),
            file: present(file, "file:")?,
            test_arguments,
            find,
            replace,
        })
    }

    /// Returns the source with the bug in it.
    pub fn apply(&self, source: &str) -> Result<String, String> {
        let place = self.place(source)?;
        Ok([&source[..place.start], &self.replace, &source[place.end..]].concat())
    }

    /// Returns the bytes of the source that the bug replaces.
    pub fn place(&self, source: &str) -> Result<Range<usize>, String> {
        // Overlapping places count too: `aa` is in `aaa` twice, and a guess would pick one.
        let places = (0..source.len())
            .filter(|&start| source.is_char_boundary(start) && source[start..].starts_with(&self.find));
        match places.take(2).collect::<Vec<_>>().as_slice() {
            [start] => Ok(*start..start + self.find.len()),
            [] => Err(format!("the block `find` does not occur in `{}`", self.file)),
            _ => Err(format!("the block `find` occurs more than once in `{}`", self.file)),
        }
    }

    /// Returns the replacement of the text to find.
    pub fn replacement(&self) -> &str {
        &self.replace
    }

    /// Returns whether a user means this mutant by `name`.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.name.split_once('/').is_some_and(|(_, stem)| stem == name)
    }
}

/// The text of the one block of a kind, without its last line end: so a block of one line can match inside a line.
fn only_block(fences: &[Fence], info: &str) -> Result<String, String> {
    let mut blocks = fences.iter().filter(|fence| fence.info == info);
    match (blocks.next(), blocks.next()) {
        (Some(fence), None) if fence.is_closed => {
            Ok(fence.content.strip_suffix('\n').unwrap_or(&fence.content).to_owned())
        }
        (Some(_), None) => Err(format!("the block `{info}` is not closed")),
        _ => Err(format!("must have exactly one block fenced as `{info}`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "# Plus becomes minus\n\nThe keys are\nneighbours.\n\nfile: crates/zones/src/lib.rs\n\
                        test: -p tempora-zones --test operations\n\n```find\na +\n  b\n```\n\n```replace\na -\n  b\n```\n";

    fn error(text: &str) -> String {
        Mutant::parse("zones/minus", text).unwrap_err()
    }

    #[test]
    fn a_mutant_is_read() {
        let mutant = Mutant::parse("zones/minus", GOOD).unwrap();
        assert_eq!(mutant.title, "Plus becomes minus");
        assert_eq!(mutant.reason, "The keys are neighbours.");
        assert_eq!(mutant.file, "crates/zones/src/lib.rs");
        assert_eq!(mutant.test_arguments, ["-p", "tempora-zones", "--test", "operations"]);
        assert_eq!(mutant.apply("x = a +\n  b;\n").unwrap(), "x = a -\n  b;\n");
    }

    #[test]
    fn an_empty_replacement_deletes() {
        let mutant = Mutant::parse("zones/minus", &GOOD.replace("a -\n  b\n", "")).unwrap();
        assert_eq!(mutant.apply("x = a +\n  b;\n").unwrap(), "x = ;\n");
    }

    #[test]
    fn rejects_missing_and_repeated_parts() {
        assert!(error(&GOOD.replace("# Plus becomes minus", "")).contains("heading"));
        assert!(error(&GOOD.replace("The keys are\nneighbours.", "")).contains("why"));
        assert!(error(&GOOD.replace("file: crates/zones/src/lib.rs\n", "")).contains("`file:"));
        assert!(error(&GOOD.replace("file: crates/zones/src/lib.rs", "file:")).contains("`file:"));
        assert!(error(&GOOD.replace("test: -p tempora-zones --test operations\n", "")).contains("`test:"));
        assert!(error(&GOOD.replace("file:", "file: a\nfile:")).contains("line 7: a second line `file:`"));
        assert!(error(&GOOD.replace("```find", "```rust")).contains("line 9"));
        assert!(
            error(&GOOD.replace("```find\na +\n  b\n```\n", ""))
                .contains("exactly one block fenced as `find`")
        );
        assert!(error(&GOOD.replace("```find", "```replace")).contains("`find`"));
        assert!(error(GOOD.strip_suffix("```\n").unwrap()).contains("`replace` is not closed"));
        assert!(error(&GOOD.replace("a +\n  b\n", "\n")).contains("empty"));
        assert!(error(&GOOD.replace("a -", "a +")).contains("the same"));
    }

    #[test]
    fn the_text_must_occur_exactly_once() {
        let mutant = Mutant::parse("zones/minus", &GOOD.replace("a +\n  b", "aa")).unwrap();
        assert!(mutant.apply("é").unwrap_err().contains("does not occur"));
        assert!(mutant.apply("aa é aa").unwrap_err().contains("more than once"));
        assert!(mutant.apply("aaa").unwrap_err().contains("more than once"));
        assert_eq!(mutant.apply("é aa é").unwrap(), "é a -\n  b é");
    }
}
