//! Hand-computed answers, as data: one file per topic in `tests/data/`, with networks, queries and expected answers.
//!
//! A case is a block fenced as `net`, then lines of a block fenced as `expect`: `answer <- query`. Answers are `holds`,
//! `fails`, `fails to run`, a value such as `sup 5`, `sup <5`, `sup inf`, `none`; queries are those of the language and
//! `timelock`, `zeno`, `deadlock`, which are no queries of the language.

use std::fmt::Write;

use tempora_evidence::{Limit, MeasuredValue, Verdict};
use tempora_oracle::{ExplorationFailure, RegionGraph, Settings, explore, read_model};
use tempora_testkit::{files_below, workspace};

struct Case {
    title: String,
    network: String,
    expected: Vec<(String, String)>,
}

#[test]
fn hand_computed_answers() {
    let folder = workspace().join("crates/oracle/tests/data");
    let (mut cases, mut answers, mut faults) = (0, 0, String::new());
    for file in files_below(&folder, ".md") {
        for case in cases_of(&std::fs::read_to_string(&file).unwrap()) {
            cases += 1;
            answers += case.expected.len();
            check(&case, &mut faults);
        }
    }
    assert!(faults.is_empty(), "{faults}");
    assert!(cases >= 25 && answers >= 100, "only {answers} answers in {cases} cases were found");
}

fn cases_of(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for section in tempora_testkit::cases_of(text).unwrap() {
        for block in section.blocks {
            match (block.fence.as_str(), cases.last_mut()) {
                ("net", _) => {
                    let (title, network) = (section.title.clone(), block.content + "\n");
                    cases.push(Case { title, network, expected: Vec::new() });
                }
                ("expect", Some(case)) => {
                    for line in block.content.lines() {
                        let answer = line.split_once(" <- ");
                        let (answer, query) = answer.unwrap_or_else(|| panic!("no answer: {line}"));
                        case.expected.push((answer.trim().to_owned(), query.trim().to_owned()));
                    }
                }
                (fence, _) => panic!("line {}: no block `{fence}` is known here", block.line),
            }
        }
    }
    assert!(!cases.is_empty(), "no cases in this file");
    cases
}

fn check(case: &Case, faults: &mut String) {
    let is_special = |query: &str| matches!(query, "timelock" | "zeno" | "deadlock");
    let mut text = case.network.clone();
    for (_, query) in case.expected.iter().filter(|(_, query)| !is_special(query)) {
        writeln!(text, "query {query};").unwrap();
    }
    let model = read_model(&text).unwrap_or_else(|message| panic!("{}\n{message}\n{text}", case.title));
    // Finer regions than necessary must give the same answers.
    for (subdivision, extra_maximum) in [(1, 0), (2, 0), (1, 2)] {
        let settings = Settings { subdivision, extra_maximum, ..Settings::default() };
        let graph = explore(&model.network, &model.queries, &settings);
        let mut queries = model.queries.iter();
        for (expected, query) in &case.expected {
            let found = match &graph {
                Err(ExplorationFailure::ModelError(_)) => "fails to run".to_owned(),
                Err(failure) => panic!("{}: {failure}", case.title),
                Ok(graph) if is_special(query) => special(graph, query),
                Ok(graph) => {
                    let query = queries.next().unwrap();
                    describe(
                        &graph.answer(query).unwrap_or_else(|failure| panic!("{}: {failure}", query.text)),
                    )
                }
            };
            if found != *expected {
                writeln!(faults, "{}: `{query}`: {found}, expected {expected} ({settings:?})", case.title)
                    .unwrap();
            }
        }
    }
}

fn special(graph: &RegionGraph, query: &str) -> String {
    let holds = match query {
        "timelock" => graph.has_timelock().unwrap(),
        "zeno" => graph.has_zeno_run().unwrap(),
        _ => graph.has_deadlock(),
    };
    if holds { "holds".to_owned() } else { "fails".to_owned() }
}

fn describe(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Holds => "holds".to_owned(),
        Verdict::Fails => "fails".to_owned(),
        Verdict::Value(values) => {
            let values: Vec<String> = values
                .iter()
                .map(|value| match value {
                    MeasuredValue::NoState => "none".to_owned(),
                    MeasuredValue::Supremum(Limit::Approached(limit)) => format!("sup <{limit}"),
                    MeasuredValue::Infimum(Limit::Approached(limit)) => format!("inf >{limit}"),
                    MeasuredValue::Supremum(Limit::Attained(limit)) => format!("sup {limit}"),
                    MeasuredValue::Infimum(Limit::Attained(limit)) => format!("inf {limit}"),
                    MeasuredValue::Supremum(Limit::Unbounded) => "sup inf".to_owned(),
                    other => format!("{other:?}"),
                })
                .collect();
            values.join(", ")
        }
        other => format!("{other:?}"),
    }
}
