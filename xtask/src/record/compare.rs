//! Compares two records: command lines by group and text, then status, streams and written files.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::Path;

use super::run::{SUMMARY, files_below};
use super::{Options, mask, prose, say};

/// What a command line produced, by the name of the stream or file.
type Products = BTreeMap<String, Vec<u8>>;

/// Lines of a difference that are shown of each side.
const SHOWN_LINES: usize = 6;

/// A record as data: the products of each command line, by group and command line.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Record {
    /// The products, by group and command line.
    pub lines: BTreeMap<(String, String), Products>,
    /// Lines of the list that need an absent corpus.
    pub skipped: usize,
}

impl Record {
    /// Reads a kept record.
    pub fn read(folder: &Path, only: Option<&str>) -> Result<Self, String> {
        let summary = fs::read_to_string(folder.join(SUMMARY))
            .map_err(|error| format!("{} is no record: {error}", folder.display()))?;
        let skipped = summary.lines().filter_map(|line| line.strip_prefix("skipped "));
        let is_chosen = |line: &str| only.is_none_or(|word| line.contains(word));
        let mut record =
            Record { skipped: skipped.filter(|line| is_chosen(line)).count(), ..Record::default() };
        for (path, contents) in files_below(folder) {
            let mut parts = path.components().map(|part| part.as_os_str().to_string_lossy().into_owned());
            let (Some(group), Some(number)) = (parts.next(), parts.next()) else { continue };
            let product = parts.collect::<Vec<_>>().join("/");
            // The number of a line changes when lines are added; its text does not.
            let Ok(command) = fs::read_to_string(folder.join(&group).join(&number).join("command")) else {
                continue;
            };
            let command = command.trim_end().to_owned();
            if product != "command" && is_chosen(&command) {
                record.lines.entry((group, command)).or_default().insert(product, contents);
            }
        }
        Ok(record)
    }
}

/// The result of a comparison.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// Readable differences, one text for each command line.
    pub differences: Vec<String>,
    /// The number of command lines without a difference.
    pub same: usize,
    /// Command lines of the old record only.
    pub only_old: Vec<String>,
    /// Command lines of the new record only.
    pub only_new: Vec<String>,
}

/// Compares two kept records, prints the differences, and returns whether they are equal.
pub fn records(old: &Path, new: &Path, options: &Options, out: &mut impl Write) -> Result<bool, String> {
    let only = options.only.as_deref();
    let (old, new) = (Record::read(old, only)?, Record::read(new, only)?);
    let comparison = compare(&old, &new, options.prose);
    for difference in &comparison.differences {
        say(out, &format!("{difference}\n"))?;
    }
    for (lines, which) in [(&comparison.only_old, "old"), (&comparison.only_new, "new")] {
        for line in lines {
            say(out, &format!("only in the {which} record: {line}\n"))?;
        }
    }
    let Comparison { differences, same, only_old, only_new } = &comparison;
    let skipped = old.skipped.max(new.skipped);
    say(
        out,
        &format!(
            "{same} the same, {} differ, {skipped} skipped, {} only in the old record, {} only in the new record\n",
            differences.len(),
            only_old.len(),
            only_new.len()
        ),
    )?;
    // Without a corpus its lines are missing on one side.
    let is_complete = only_old.is_empty() && only_new.is_empty() || skipped > 0;
    Ok(differences.is_empty() && is_complete)
}

/// Compares two records.
pub fn compare(old: &Record, new: &Record, is_prose_masked: bool) -> Comparison {
    let mut comparison = Comparison::default();
    for (key, old_products) in &old.lines {
        let (group, command) = key;
        let Some(new_products) = new.lines.get(key) else {
            comparison.only_old.push(command.clone());
            continue;
        };
        let mut text = String::new();
        let mut names: Vec<&String> = old_products.keys().chain(new_products.keys()).collect();
        names.sort();
        names.dedup();
        for name in names {
            let (old, new) = (old_products.get(name), new_products.get(name));
            if old == new {
                continue;
            }
            match (old, new) {
                (Some(old), Some(new)) => {
                    let masked = |bytes: &[u8]| masked(command, name, bytes, is_prose_masked);
                    let (old, new) = (masked(old), masked(new));
                    if old != new {
                        let _ = write!(text, "  {name}:\n{}", small_difference(&old, &new));
                    }
                }
                (Some(_), None) => {
                    let _ = writeln!(text, "  {name}: missing in the new record");
                }
                _ => {
                    let _ = writeln!(text, "  {name}: missing in the old record");
                }
            }
        }
        if text.is_empty() {
            comparison.same += 1;
        } else {
            comparison.differences.push(format!("{group}: {command}\n{text}"));
        }
    }
    let added = new.lines.keys().filter(|key| !old.lines.contains_key(*key));
    comparison.only_new = added.map(|(_, command)| command.clone()).collect();
    comparison
}

fn masked(command: &str, product: &str, bytes: &[u8], is_prose_masked: bool) -> String {
    let text = mask::figures(&String::from_utf8_lossy(bytes));
    if is_prose_masked { prose::masked(command, product, &text) } else { text }
}

/// Shows the lines between the common start and the common end.
fn small_difference(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let start = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let (old_rest, new_rest) = (&old[start..], &new[start..]);
    let end = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(|(old, new)| old == new).count();
    let mut text = format!("    line {}\n", start + 1);
    for (sign, lines) in [('-', old_rest), ('+', new_rest)] {
        let lines = &lines[..lines.len() - end];
        for line in lines.iter().take(SHOWN_LINES) {
            let _ = writeln!(text, "    {sign} {}", shortened(line));
        }
        if lines.len() > SHOWN_LINES {
            let _ = writeln!(text, "    {sign} … {} more lines", lines.len() - SHOWN_LINES);
        }
    }
    text
}

fn shortened(line: &str) -> String {
    const LONGEST: usize = 300;
    if line.chars().count() <= LONGEST {
        return line.to_owned();
    }
    line.chars().take(LONGEST).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(products: &[(&str, &str)]) -> Record {
        let products = products.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec()));
        let key = ("group".to_owned(), "tempora check a.net".to_owned());
        Record { lines: BTreeMap::from([(key, products.collect())]), skipped: 0 }
    }

    #[test]
    fn ignores_times_and_finds_other_differences() {
        let old = record(&[("stdout", "satisfied: p\n  3 states, 0.1 s\n"), ("status", "0\n")]);
        let same = record(&[("stdout", "satisfied: p\n  3 states, 0.2 s\n"), ("status", "0\n")]);
        assert_eq!(compare(&old, &same, false).same, 1);
        let other = record(&[("stdout", "satisfied: p\n  4 states, 0.1 s\n"), ("status", "1\n")]);
        let comparison = compare(&old, &other, false);
        let [difference] = comparison.differences.as_slice() else { panic!("{comparison:?}") };
        assert!(difference.contains("status:\n    line 1\n    - 0\n    + 1\n"), "{difference}");
        assert!(difference.contains("stdout:\n    line 2\n    -   3 states, # s\n"), "{difference}");
    }

    #[test]
    fn finds_files_and_lines_of_one_side() {
        let old = record(&[("status", "0\n"), ("files/a.json", "{}")]);
        let comparison = compare(&old, &record(&[("status", "0\n")]), false);
        assert!(comparison.differences[0].contains("files/a.json: missing in the new record"));
        let comparison = compare(&old, &Record::default(), false);
        assert_eq!(comparison.only_old, ["tempora check a.net"]);
        let comparison = compare(&Record::default(), &old, false);
        assert_eq!(comparison.only_new, ["tempora check a.net"]);
    }

    #[test]
    fn ignores_sentences_with_prose_only() {
        let old = record(&[("stderr", "error[no-query]: there is none\n")]);
        let new = record(&[("stderr", "error[no-query]: add a query\n")]);
        assert_eq!(compare(&old, &new, false).differences.len(), 1);
        assert_eq!(compare(&old, &new, true).same, 1);
        let old = record(&[("stdout", "{\"seconds\": 0.1, \"reason\": \"one\"}")]);
        let new = record(&[("stdout", "{\"seconds\": 0.2, \"reason\": \"two\"}")]);
        assert_eq!(compare(&old, &new, true).same, 1);
    }
}
