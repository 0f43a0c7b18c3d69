//! No text speaks of one developer's machine, of where packages come from, or of how the work was arranged.
//!
//! Such words mean nothing to a reader elsewhere, and break a build elsewhere. A line that must contain one says so
//! itself with `tidy-allow:`, the name of the rule and a reason in brackets; an allowance that is not needed is a
//! finding too, so that none stays behind. The patterns are written in two halves, so that this file does not
//! contain them itself.

use super::Finding;
use crate::tree::Tree;

const PATTERNS: &[Pattern] = &[
    Pattern { shape: Shape::Path(concat!("/wo", "rk/")), only_in: None, reason: MACHINE },
    Pattern { shape: Shape::Path(concat!("/ho", "me/")), only_in: None, reason: MACHINE },
    Pattern { shape: Shape::Path(concat!("/ro", "ot/")), only_in: None, reason: MACHINE },
    Pattern { shape: Shape::Path(concat!("/Us", "ers/")), only_in: None, reason: MACHINE },
    Pattern { shape: Shape::Path(concat!("/t", "mp")), only_in: None, reason: TEMPORARY },
    Pattern { shape: Shape::Text(concat!("crates", ".io")), only_in: None, reason: REGISTRY },
    Pattern { shape: Shape::Text(concat!("[sour", "ce.")), only_in: Some(".toml"), reason: REGISTRY },
    Pattern { shape: Shape::Text(concat!("[regis", "tr")), only_in: Some(".toml"), reason: REGISTRY },
    Pattern { shape: Shape::Text(concat!("replace-", "with")), only_in: Some(".toml"), reason: REGISTRY },
    Pattern { shape: Shape::Numbered(concat!("iss", "ue")), only_in: None, reason: TRACKER },
    Pattern { shape: Shape::Numbered(concat!("sess", "ion")), only_in: None, reason: ARRANGEMENT },
    Pattern { shape: Shape::Text(concat!("this sess", "ion")), only_in: None, reason: ARRANGEMENT },
    Pattern { shape: Shape::Text(concat!("last sess", "ion")), only_in: None, reason: ARRANGEMENT },
    Pattern { shape: Shape::Text(concat!("next sess", "ion")), only_in: None, reason: ARRANGEMENT },
    Pattern { shape: Shape::Text(concat!("earlier sess", "ion")), only_in: None, reason: ARRANGEMENT },
];

const MACHINE: &str = "is a folder of one machine; use a path relative to the workspace";
const TEMPORARY: &str = "is not the same on every system; ask the system, or use Cargo's folder for tests";
const REGISTRY: &str = "says where packages come from; that is for each user's own configuration";
const TRACKER: &str = "needs a tracker to be understood; state the reason itself";
const ARRANGEMENT: &str = "is about how the work was arranged; say what is true of the program";

const ALLOWANCE: &str = concat!("tidy-", "allow: leaks (");

/// Written by Cargo, and names the origin of every package.
const LOCK_FILE: &str = "Cargo.lock";

struct Pattern {
    shape: Shape,
    only_in: Option<&'static str>,
    reason: &'static str,
}

enum Shape {
    /// An absolute path: not preceded by what would make it the end of a relative one. Where it does not end in a
    /// slash, the name must end there.
    Path(&'static str),
    /// Anything that contains the text.
    Text(&'static str),
    /// The word or its plural in any case, followed by a number.
    Numbered(&'static str),
}

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.texts().filter(|(path, _)| !path.ends_with(LOCK_FILE)) {
        for (index, line) in text.lines().enumerate() {
            let applies = |pattern: &&Pattern| pattern.only_in.is_none_or(|end| path.ends_with(end));
            let found: Vec<(&str, &str)> = PATTERNS
                .iter()
                .filter(applies)
                .filter_map(|pattern| Some((pattern.shape.find(line)?, pattern.reason)))
                .collect();
            match allowance_in(line) {
                None => findings.extend(
                    found
                        .iter()
                        .map(|(what, reason)| Finding::new(path, index + 1, format!("`{what}` {reason}"))),
                ),
                Some(reason) if reason.trim().is_empty() => {
                    findings.push(Finding::new(path, index + 1, "the allowance gives no reason"));
                }
                Some(_) if found.is_empty() => {
                    findings.push(Finding::new(path, index + 1, "the allowance is not needed; delete it"));
                }
                Some(_) => {}
            }
        }
    }
    findings
}

fn allowance_in(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once(ALLOWANCE)?;
    Some(rest.split(')').next().unwrap_or(rest))
}

impl Shape {
    fn find<'a>(&self, line: &'a str) -> Option<&'a str> {
        match self {
            Self::Text(text) => line.find(text).map(|start| &line[start..start + text.len()]),
            Self::Path(path) => line.match_indices(path).find_map(|(start, found)| {
                let before = line[..start].chars().next_back();
                let after = line[start + found.len()..].chars().next();
                let is_relative =
                    before.is_some_and(|next| next.is_alphanumeric() || "_-.}*~".contains(next));
                let goes_on =
                    !found.ends_with('/') && after.is_some_and(|next| is_in_word(next) || next == '-');
                (!is_relative && !goes_on).then_some(found)
            }),
            Self::Numbered(word) => words(line, word).find_map(|(found, rest)| {
                let number = rest.trim_start().trim_start_matches('#');
                (number.len() < rest.len() && number.starts_with(|next: char| next.is_ascii_digit()))
                    .then_some(found)
            }),
        }
    }
}

/// Returns the places of a word or its plural, in any case, each with the text that follows it.
fn words<'a>(line: &'a str, word: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
    line.char_indices().filter_map(move |(start, _)| {
        let found = line.get(start..start + word.len()).filter(|found| found.eq_ignore_ascii_case(word))?;
        let rest = &line[start + word.len()..];
        let rest = rest.strip_prefix(['s', 'S']).unwrap_or(rest);
        let before = line[..start].chars().next_back().is_some_and(is_in_word);
        let after = rest.chars().next().is_some_and(is_in_word);
        (!before && !after).then_some((found, rest))
    })
}

fn is_in_word(character: char) -> bool {
    character == '_' || character.is_alphanumeric()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(path: &str, text: &str) -> usize {
        check(&Tree::of_texts([(path, text)])).len()
    }

    #[test]
    fn fails_for_each_pattern() {
        for text in [
            concat!("see /wo", "rk/main"),
            concat!("`/ho", "me/ada/tempora`"),
            concat!("file:///ro", "ot/a"),
            concat!("\"/Us", "ers/ada\""),
            concat!("cd /t", "mp"),
            concat!("out=/t", "mp/a"),
            concat!("https://index.crates", ".io/"),
            concat!("as in Iss", "ue #12"),
            concat!("(iss", "ue 3)"),
            concat!("iss", "ues 3 and 4"),
            concat!("iss", "ue#3"),
            concat!("in this sess", "ion,"),
            concat!("Sess", "ion 3"),
        ] {
            assert_eq!(findings("docs/a.md", text), 1, "{text}");
        }
    }

    #[test]
    fn fails_for_package_sources_in_configuration() {
        for text in [
            concat!("[sour", "ce.mirror]\n"),
            concat!("[regis", "tries.mirror]\n"),
            concat!("[regis", "try]\n"),
            concat!("replace-", "with = \"mirror\"\n"),
        ] {
            assert_eq!(findings(".cargo/config.toml", text), 1, "{text}");
            assert_eq!(findings("docs/a.md", text), 0, "{text}");
        }
    }

    #[test]
    fn passes_for_harmless_neighbours() {
        for text in [
            concat!("docs/wo", "rk/a.md"),
            concat!("../ho", "me/a"),
            concat!("/t", "mpfs is a kind of file system"),
            concat!("a burning iss", "ue"),
            concat!("iss", "ued 3 times"),
            concat!("obs", "ession"),
            concat!("target/mutants/wo", "rkspace"),
            "ünïcödé ŝ",
        ] {
            assert_eq!(findings("docs/a.md", text), 0, "{text}");
        }
    }

    #[test]
    fn the_lock_file_may_name_the_origin_of_packages() {
        assert_eq!(findings("Cargo.lock", concat!("crates", ".io-index")), 0);
    }

    #[test]
    fn an_allowance_needs_a_reason_and_a_need() {
        let path = concat!("/t", "mp/a");
        assert_eq!(findings("a.rs", &format!("{path} // {ALLOWANCE}a socket needs a short path)")), 0);
        assert_eq!(findings("a.rs", &format!("{path} // {ALLOWANCE})")), 1);
        assert_eq!(findings("a.rs", &format!("harmless // {ALLOWANCE}just in case)")), 1);
    }
}
