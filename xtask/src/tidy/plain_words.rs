//! Phrases of `xtask/plain-words.txt` are rare in comments and absent from texts for users.
//!
//! A line of the list has a limit, a regular expression and the better wording, separated by ` | `. The limit is per
//! thousand lines of comments, and of documents for developers; users' texts never contain the phrase. A line that has to
//! contain one says so with `tidy-allow:`, the name of the rule and a reason in brackets.

use regex_lite::Regex;

use super::Finding;
use crate::prose::{Audience, Paragraph, paragraphs};
use crate::tree::Tree;

const LIST: &str = "xtask/plain-words.txt";
const ALLOWANCE: &str = concat!("tidy-", "allow: plain-words (");

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let Some(list) = tree.text(LIST) else { return Vec::new() };
    let phrases = match parse(list) {
        Ok(phrases) => phrases,
        Err(finding) => return vec![finding],
    };
    let paragraphs = paragraphs(tree);
    let mut findings = unused_allowances(&phrases, &paragraphs);
    for (phrase, uses) in phrases.iter().zip(count(&phrases, &paragraphs)) {
        for audience in [Audience::Comments, Audience::Developers, Audience::Users] {
            let lines = number_of_lines(&paragraphs, audience);
            let limit = if audience == Audience::Users { 0 } else { phrase.limit * lines / 1000 };
            let of_audience: Vec<&Use> = uses.iter().filter(|one| one.audience == audience).collect();
            if of_audience.len() > limit {
                findings.extend(of_audience.into_iter().map(|one| {
                    let message = format!("`{}`: write {}", one.text, phrase.better);
                    Finding::new(&one.file, one.line, message)
                }));
            }
        }
    }
    findings
}

/// Returns a table of the phrases with their uses by audience, and the number of lines of each.
pub fn counts(tree: &Tree, list: &str) -> Result<String, String> {
    let phrases = parse(list).map_err(|finding| finding.message)?;
    let paragraphs = paragraphs(tree);
    let audiences = [Audience::Comments, Audience::Developers, Audience::Users];
    let mut table = String::from("comments developers users  phrase\n");
    let row = |numbers: [usize; 3], name: &str| {
        format!("{:>8} {:>10} {:>5}  {name}\n", numbers[0], numbers[1], numbers[2])
    };
    table += &row(audiences.map(|audience| number_of_lines(&paragraphs, audience)), "(all lines)");
    for (phrase, uses) in phrases.iter().zip(count(&phrases, &paragraphs)) {
        let numbers = audiences.map(|audience| uses.iter().filter(|one| one.audience == audience).count());
        table += &row(numbers, phrase.expression.as_str());
    }
    Ok(table)
}

struct Phrase {
    limit: usize,
    expression: Regex,
    /// A part of every match; most paragraphs do not contain it.
    literal: String,
    better: String,
}

/// Returns the longest text of letters and spaces outside of groups and classes, which every match contains.
fn longest_literal(expression: &str) -> String {
    let (mut longest, mut current) = (String::new(), String::new());
    let mut depth = 0_usize;
    let mut characters = expression.chars().peekable();
    while let Some(character) = characters.next() {
        let is_optional = matches!(characters.peek(), Some('?' | '*' | '{'));
        match character {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            '\\' => drop(characters.next()),
            '|' if depth == 0 => return String::new(),
            _ if depth == 0 && !is_optional && (character == ' ' || character.is_ascii_alphabetic()) => {
                current.push(character);
                if current.len() > longest.len() {
                    longest.clone_from(&current);
                }
                continue;
            }
            _ => {}
        }
        current.clear();
    }
    longest
}

struct Use {
    file: String,
    line: usize,
    audience: Audience,
    text: String,
}

fn parse(list: &str) -> Result<Vec<Phrase>, Finding> {
    let lines = list.lines().enumerate();
    let phrases = lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'));
    phrases
        .map(|(index, line)| {
            let fault = |message: String| Finding::new(LIST, index + 1, message);
            let mut parts = line.splitn(3, " | ");
            let (Some(limit), Some(expression), Some(better)) = (parts.next(), parts.next(), parts.next())
            else {
                return Err(fault("needs `LIMIT | EXPRESSION | BETTER WORDING`".to_owned()));
            };
            Ok(Phrase {
                limit: limit.trim().parse().map_err(|_| fault(format!("`{limit}` is not a limit")))?,
                expression: Regex::new(expression).map_err(|error| fault(error.to_string()))?,
                literal: longest_literal(expression),
                better: better.to_owned(),
            })
        })
        .collect()
}

fn count(phrases: &[Phrase], paragraphs: &[Paragraph]) -> Vec<Vec<Use>> {
    let mut uses: Vec<Vec<Use>> = phrases.iter().map(|_| Vec::new()).collect();
    for paragraph in paragraphs {
        let (text, line_of) = paragraph.joined();
        for (phrase, uses) in phrases.iter().zip(&mut uses) {
            if !text.contains(&phrase.literal) {
                continue;
            }
            for found in phrase.expression.find_iter(&text) {
                let line = line_of(found.start());
                if allowance_in(&paragraph.lines[line - paragraph.line]).is_none() {
                    let (file, audience) = (paragraph.file.clone(), paragraph.audience);
                    uses.push(Use { file, line, audience, text: found.as_str().to_owned() });
                }
            }
        }
    }
    uses
}

fn number_of_lines(paragraphs: &[Paragraph], audience: Audience) -> usize {
    let of_audience = paragraphs.iter().filter(|paragraph| paragraph.audience == audience);
    of_audience.map(|paragraph| paragraph.lines.len()).sum()
}

fn allowance_in(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once(ALLOWANCE)?;
    Some(rest.split(')').next().unwrap_or(rest))
}

fn unused_allowances(phrases: &[Phrase], paragraphs: &[Paragraph]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for paragraph in paragraphs {
        if !paragraph.lines.iter().any(|line| line.contains(ALLOWANCE)) {
            continue;
        }
        let (text, line_of) = paragraph.joined();
        for (index, line) in paragraph.lines.iter().enumerate() {
            let Some(reason) = allowance_in(line) else { continue };
            let number = paragraph.line + index;
            let mut places = phrases
                .iter()
                .flat_map(|phrase| phrase.expression.find_iter(&text).map(|found| line_of(found.start())));
            if reason.trim().is_empty() {
                findings.push(Finding::new(&paragraph.file, number, "the allowance gives no reason"));
            } else if !places.any(|place| place == number) {
                let message = "the allowance is not needed; delete it";
                findings.push(Finding::new(&paragraph.file, number, message));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    const PHRASES: &str =
        "# comment\n20 | \\bwhat (is|was)\\b | a noun\n0 | word of the engine | \"not checked\"\n";

    fn findings(path: &str, text: &str) -> Vec<(String, usize)> {
        let found = check(&Tree::of_texts([(LIST, PHRASES), (path, text)]));
        found.into_iter().map(|finding| (finding.file, finding.line)).collect()
    }

    #[test]
    fn fails_for_a_phrase_across_lines() {
        let found = findings("crates/a/src/b.rs", "//! A.\n// The word\n// of the engine.\n");
        assert_eq!(found, [("crates/a/src/b.rs".to_owned(), 2)]);
    }

    #[test]
    fn limits_count_by_thousand_lines() {
        let comments = |number: usize| "// The states.\n".repeat(number);
        assert_eq!(findings("crates/a/src/b.rs", &format!("// what is\n{}", comments(60))), []);
        assert_eq!(findings("crates/a/src/b.rs", &format!("// what is\n{}", comments(40))).len(), 1);
    }

    #[test]
    fn texts_for_users_have_no_limit() {
        let text = format!("{}\nwhat was\n", "The states.\n".repeat(200));
        assert_eq!(findings("docs/guide/a.md", &text).len(), 1);
        assert_eq!(findings("docs/decisions/a.md", &text), []);
    }

    #[test]
    fn names_of_tests_are_read_as_words() {
        let source = "#[test]\nfn word_of_the_engine() {}\n";
        assert_eq!(findings("crates/a/tests/it/b.rs", source), [("crates/a/tests/it/b.rs".to_owned(), 2)]);
    }

    #[test]
    fn allowances_need_a_reason_and_a_use() {
        let text = |reason: &str| format!("the word of the engine <!-- {ALLOWANCE}{reason}) -->\n");
        assert_eq!(findings("docs/guide/a.md", &text("a quotation")), []);
        assert_eq!(findings("docs/guide/a.md", &text("")).len(), 1);
        let unused = format!("harmless <!-- {ALLOWANCE}just in case) -->\n");
        assert_eq!(findings("docs/guide/a.md", &unused).len(), 1);
    }

    #[test]
    fn faults_of_the_list_are_findings() {
        for list in ["5 | a\n", "x | a | b\n", "5 | ( | b\n"] {
            let found = check(&Tree::of_texts([(LIST, list)]));
            assert_eq!(found.len(), 1, "{list}");
        }
    }

    #[test]
    fn literals_are_outside_of_groups() {
        for (expression, literal) in [
            (r"\b[Ww]hat (is|was)\b", "hat "),
            (r"\b(is|are) used up\b", " used up"),
            (r"\bworks? out\b", "work"),
            ("one|two", ""),
        ] {
            assert_eq!(longest_literal(expression), literal, "{expression}");
        }
    }

    #[test]
    fn counts_are_by_audience() {
        let tree = Tree::of_texts([("docs/guide/a.md", "what is\n"), ("crates/a/src/b.rs", "// what was\n")]);
        let table = counts(&tree, PHRASES).unwrap();
        assert_eq!(table.lines().nth(1).unwrap().trim(), "1          0     1  (all lines)");
        assert!(table.lines().nth(2).unwrap().trim().starts_with("1          0     1  "), "{table}");
    }
}
