//! `cargo xtask assurance FOLDER`: how the answers about a folder of models were assured, counted by kind of query.
//!
//! The folder has a `cases.tsv` with a header and the columns id, file, query, expected verdict. Invariant: an answer that a
//! run can witness but no run was replayed for, or whose requested certificate was refused, is a complaint.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The settings of the task.
#[derive(Debug, Clone)]
pub struct Options {
    /// The program, `target/release/tempora` unless another is named.
    pub program: PathBuf,
    /// Seconds for one question.
    pub timeout: u64,
    /// Whether certificates are requested.
    pub certificates: bool,
}

/// One line of `cases.tsv` that asks for a verdict.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// The name of the case, for complaints.
    pub id: String,
    /// The model, from the folder on.
    pub file: String,
    /// A query, `@` and a file of queries, or `-` for the model's own.
    pub query: String,
}

/// The program's answer to a case.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// `satisfied`, `violated` or `unknown`.
    pub verdict: String,
    /// `replayed`, `certified` or `unchecked`.
    pub assurance: String,
    /// The notes of the answer.
    pub caveats: Vec<String>,
}

/// Numbers of answers by kind of query, verdict and assurance.
#[derive(Debug, Default)]
pub struct Counts {
    rows: BTreeMap<(String, String), BTreeMap<String, usize>>,
    /// Seconds of checking over seconds of making, for certificates that took long enough to measure.
    ratios: Vec<f64>,
    complaints: Vec<String>,
}

/// Runs all cases of a folder, writes the table, and returns whether there is no complaint.
pub fn run(folder: &Path, options: &Options, out: &mut impl Write) -> Result<bool, String> {
    let table = folder.join("cases.tsv");
    let text = std::fs::read_to_string(&table)
        .map_err(|error| format!("cannot read {}: {error}", table.display()))?;
    let certificate = std::env::temp_dir().join(format!("tempora-assurance-{}.json", std::process::id()));
    let mut counts = Counts::default();
    for case in cases(&text) {
        let answers = ask(folder, &case, options, &certificate)?;
        for answer in answers {
            counts.add(&case, &answer, options.certificates);
        }
    }
    let _ = std::fs::remove_file(&certificate);
    out.write_all(counts.table().as_bytes()).map_err(|error| format!("cannot write the table: {error}"))?;
    Ok(counts.complaints.is_empty())
}

/// Returns the cases that expect a verdict.
#[must_use]
pub fn cases(text: &str) -> Vec<Case> {
    let lines = text.lines().skip(1).map(|line| line.split('\t').collect::<Vec<_>>());
    lines
        .filter_map(|columns| match columns.as_slice() {
            [id, file, query, "satisfied" | "violated", ..] => {
                Some(Case { id: (*id).to_owned(), file: (*file).to_owned(), query: (*query).to_owned() })
            }
            _ => None,
        })
        .collect()
}

/// `A[]` of `A[] not deadlock`; the word before a colon; `-->` where an arrow stands in the middle.
#[must_use]
pub fn kind(query: &str) -> String {
    let query = query.trim();
    for operator in ["A[]", "A<>", "E<>", "E[]"] {
        if query.starts_with(operator) {
            return operator.to_owned();
        }
    }
    if query.contains("-->") {
        return "-->".to_owned();
    }
    query.split_once([':', '{']).map_or_else(|| "other".to_owned(), |(word, _)| word.trim().to_owned())
}

impl Counts {
    /// Counts an answer.
    pub fn add(&mut self, case: &Case, answer: &Answer, certificates: bool) {
        let kind = kind(&case.query);
        let is_witnessed = matches!(
            (kind.as_str(), answer.verdict.as_str()),
            ("E<>" | "E[]" | "reach" | "buchi", "satisfied") | ("A[]" | "A<>" | "-->", "violated")
        );
        let is_certifiable =
            matches!((kind.as_str(), answer.verdict.as_str()), ("A[]", "satisfied") | ("E<>", "violated"));
        let is_assured = answer.assurance != "unchecked";
        if !is_assured && (is_witnessed || certificates && is_certifiable) {
            let why = answer.caveats.join("; ");
            self.complaints.push(format!("{}: {} but unchecked: {why}", case.id, answer.verdict));
        }
        let times = answer.caveats.iter().find_map(|caveat| made_and_checked(caveat));
        if let Some((made, checked)) = times.filter(|(made, _)| *made >= 0.01) {
            // Times are whole milliseconds; zero counts as half a millisecond.
            self.ratios.push(checked.max(0.0005) / made);
        }
        let row = self.rows.entry((kind, answer.verdict.clone())).or_default();
        *row.entry(answer.assurance.clone()).or_default() += 1;
    }

    /// Returns the table as Markdown, and the complaints below it.
    #[must_use]
    pub fn table(&self) -> String {
        let mut assurances: Vec<&String> = self.rows.values().flat_map(BTreeMap::keys).collect();
        assurances.sort();
        assurances.dedup();
        let mut text = String::from("| kind | verdict |");
        assurances.iter().for_each(|assurance| {
            let _ = write!(text, " {assurance} |");
        });
        text.push_str("\n|---|---|");
        text.push_str(&"---:|".repeat(assurances.len()));
        for ((kind, verdict), row) in &self.rows {
            let _ = write!(text, "\n| `{kind}` | {verdict} |");
            for assurance in &assurances {
                let _ = write!(text, " {} |", row.get(*assurance).copied().unwrap_or(0));
            }
        }
        text.push('\n');
        if !self.ratios.is_empty() {
            #[expect(clippy::cast_precision_loss, reason = "a handful of certificates is counted")]
            let mean =
                (self.ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / self.ratios.len() as f64).exp();
            let most = self.ratios.iter().copied().fold(0.0, f64::max);
            let _ = writeln!(
                text,
                "\nchecking over making a certificate, {} that took 10 ms or more: geometric mean {mean:.2}, most {most:.2}",
                self.ratios.len()
            );
        }
        for complaint in &self.complaints {
            let _ = writeln!(text, "{complaint}");
        }
        text
    }
}

/// Returns the two times of `certified by …: generated in 0.5 s, checked in 0.7 s`.
fn made_and_checked(caveat: &str) -> Option<(f64, f64)> {
    let (_, times) = caveat.strip_prefix("certified by")?.split_once("generated in ")?;
    let (made, checked) = times.split_once(" s, checked in ")?;
    Some((made.parse().ok()?, checked.strip_suffix(" s")?.parse().ok()?))
}

fn ask(folder: &Path, case: &Case, options: &Options, certificate: &Path) -> Result<Vec<Answer>, String> {
    let mut command = Command::new(&options.program);
    command.arg("check").arg(folder.join(&case.file)).args(["--output", "json", "--memory", "4000"]);
    command.arg("--timeout").arg(options.timeout.to_string());
    match case.query.strip_prefix('@') {
        Some(path) => command.arg(folder.join(path)),
        None if case.query == "-" => &mut command,
        None => command.arg("--query").arg(&case.query),
    };
    if options.certificates {
        command.arg("--certificate").arg(certificate);
    }
    let output =
        command.output().map_err(|error| format!("cannot run {}: {error}", options.program.display()))?;
    let Ok(value) = serde_json::from_slice::<Value>(&output.stdout) else {
        let answer = Answer {
            verdict: "no answer".to_owned(),
            assurance: "none".to_owned(),
            caveats: vec![
                String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or_default().to_owned(),
            ],
        };
        return Ok(vec![answer]);
    };
    let results = value.get("results").and_then(Value::as_array);
    Ok(results.into_iter().flatten().map(answer_of).collect())
}

fn answer_of(result: &Value) -> Answer {
    let word = |key: &str| result.get(key).and_then(Value::as_str).unwrap_or("none").to_owned();
    let caveats = result.get("caveats").and_then(Value::as_array);
    let caveats = caveats.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect();
    Answer { verdict: word("verdict"), assurance: word("assurance"), caveats }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(query: &str) -> Case {
        Case { id: "one".to_owned(), file: "one.xml".to_owned(), query: query.to_owned() }
    }

    fn answer(verdict: &str, assurance: &str, caveats: &[&str]) -> Answer {
        let caveats = caveats.iter().map(|caveat| (*caveat).to_owned()).collect();
        Answer { verdict: verdict.to_owned(), assurance: assurance.to_owned(), caveats }
    }

    #[test]
    fn kinds_are_told_by_the_operator() {
        assert_eq!(kind(" A[] not deadlock"), "A[]");
        assert_eq!(kind("p --> q"), "-->");
        assert_eq!(kind("sup{x > 1}: y"), "sup");
        assert_eq!(kind("reach: error"), "reach");
    }

    #[test]
    fn only_cases_with_a_verdict_are_asked() {
        let text = "id\tfile\tquery\texpected\na\ta.xml\tE<> p\tsatisfied\t-\nb\tb.xml\t-\terror\t-\n";
        assert_eq!(
            cases(text),
            [Case { id: "a".to_owned(), file: "a.xml".to_owned(), query: "E<> p".to_owned() }]
        );
    }

    #[test]
    fn what_a_run_can_witness_must_be_replayed() {
        let mut counts = Counts::default();
        counts.add(&case("E<> p"), &answer("satisfied", "replayed", &[]), false);
        counts.add(&case("A<> p"), &answer("satisfied", "unchecked", &[]), false);
        assert!(counts.complaints.is_empty());
        counts.add(&case("A[] p"), &answer("violated", "unchecked", &["no times"]), false);
        assert_eq!(counts.complaints, ["one: violated but unchecked: no times"]);
    }

    #[test]
    fn complains_about_refused_certificate_if_requested() {
        let mut counts = Counts::default();
        counts.add(&case("A[] p"), &answer("satisfied", "unchecked", &[]), false);
        assert!(counts.complaints.is_empty());
        counts.add(&case("A[] p"), &answer("satisfied", "unchecked", &[]), true);
        let caveat = "certified by 65 nodes with 120 transitions: generated in 0.050 s, checked in 0.100 s";
        counts.add(&case("A[] p"), &answer("satisfied", "certified", &[caveat]), true);
        assert_eq!(counts.complaints.len(), 1);
        let table = counts.table();
        assert!(table.contains("| `A[]` | satisfied | 1 | 2 |"), "{table}");
        assert!(table.contains("geometric mean 2.00, most 2.00"), "{table}");
    }
}
