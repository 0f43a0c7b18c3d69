//! The queries of the examples are answered, and every trace can be replayed.
//!
//! UPPAAL documents have the expected answer in the element `expect` of each query. Answers of engines are compared
//! with it, and, if no engine supports the query, the answer of the oracle for a smaller copy of the model.

use tempora_certify::Assurance;
use tempora_evidence::{Budget, Limit, MeasuredValue, Progress, UnknownReason, Verdict};
use tempora_frontends::uppaal::QueryRow;
use tempora_oracle::{Settings, explore};
use tempora_workbench::{CheckOptions, Loaded, check, load};

use tempora_testkit::{files_below, workspace};

fn verdicts(text: &str) -> Vec<(Verdict, Assurance)> {
    let loaded = load("model.net", text.as_bytes());
    assert!(!loaded.diagnostics.has_errors(), "{:?}", loaded.diagnostics);
    let task = loaded.task(loaded.queries.clone()).unwrap();
    let answers = check(&task, &CheckOptions::default(), &Budget::unlimited(), &Progress::new());
    answers.iter().map(|answer| (answer.answer().verdict.clone(), answer.assurance())).collect()
}

#[test]
fn fischer() {
    let answers = verdicts(include_str!("../../../../examples/fischer.net"));
    assert_eq!(answers, [(Verdict::Holds, Assurance::Unchecked), (Verdict::Holds, Assurance::Replayed)]);
}

#[test]
fn fischer_without_waiting_long_enough() {
    let text = include_str!("../../../../examples/fischer.net").replace("guard x > K &&", "guard x >= K &&");
    let answers = verdicts(&text);
    assert_eq!(answers[0], (Verdict::Fails, Assurance::Replayed));
}

#[test]
fn train_gate() {
    let answers = verdicts(include_str!("../../../../examples/train-gate.net"));
    assert_eq!(answers[0], (Verdict::Holds, Assurance::Unchecked));
    assert_eq!(answers[1], (Verdict::Holds, Assurance::Replayed));
    assert_eq!(answers[2], (Verdict::Holds, Assurance::Unchecked));
}

#[test]
fn model_errors_have_replayed_run() {
    let text = "int[0,2] n; process P { clock x; init location A; A -> A { guard x >= 2; do n++, x = 0; } }
                query E<> n == 7;";
    let answers = verdicts(text);
    assert!(matches!(answers[0].0, Verdict::Unknown(UnknownReason::ModelError(_))), "{answers:?}");
    assert_eq!(answers[0].1, Assurance::Replayed);
}

#[test]
fn queries_of_documents_have_expected_answers() {
    let documents = files_below(&workspace().join("examples"), ".xml");
    assert!(documents.len() >= 10, "only {} documents were found", documents.len());
    for path in documents {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let loaded = load_document(&name, &std::fs::read_to_string(&path).unwrap());
        let task = loaded.task(loaded.queries.clone()).unwrap();
        let answers = check(&task, &CheckOptions::default(), &Budget::unlimited(), &Progress::new());
        let rows = &loaded.xml().unwrap().queries;
        for ((query, answer), row) in task.queries.iter().zip(&answers).zip(rows) {
            let verdict = &answer.answer().verdict;
            assert_eq!(outcome(verdict), expectation(&loaded, row), "{name}: {}", query.text);
        }
    }
}

#[test]
fn readme_lists_all_queries_with_answers() {
    let text = std::fs::read_to_string(workspace().join("examples/README.md")).unwrap();
    let mut missing = String::new();
    for path in files_below(&workspace().join("examples"), ".xml") {
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let loaded = load_document(&name, &std::fs::read_to_string(&path).unwrap());
        for row in &loaded.xml().unwrap().queries {
            let answer = match expectation(&loaded, row).as_str() {
                "success" => "satisfied".to_owned(),
                "failure" => "violated".to_owned(),
                value => value.replace('<', "&lt;"),
            };
            let cell = |place| loaded.files.text(place).replace('|', "\\|");
            let (formula, comment) = (cell(row.formula.file), cell(row.comment.unwrap().file));
            let line = format!("| `{formula}` | {answer} | {comment} |\n");
            if !text.contains(&line) {
                missing += &format!("{name}: {line}");
            }
        }
    }
    assert!(missing.is_empty(), "examples/README.md lacks\n{missing}");
}

/// Texts of a document and their replacements in a copy with fewer regions. Except for queries for values, the copy has
/// the same answers.
const SMALLER: [(&str, &[(&str, &str)]); 7] = [
    ("csma-cd.xml", &[("SIGMA = 26", "SIGMA = 2"), ("LAMBDA = 808", "LAMBDA = 6")]),
    ("fischer.xml", &[]),
    (
        "leader-election.xml",
        &[
            ("N = 4;", "N = 3;"),
            ("MaxD = 2;", "MaxD = 1;"),
            ("N0 = Node(0, 1);", "N0 = Node(0, 0);"),
            ("N1 = Node(1, 3);", "N1 = Node(1, 2);"),
            ("N2 = Node(2, 0);", "N2 = Node(2, 1);"),
            ("N3 = Node(3, 2);", ""),
            ("N2, N3,", "N2,"),
            (" || N3.Leader", ""),
        ],
    ),
    (
        "train-gate.xml",
        &[
            ("N = 3;", "N = 2;"),
            (" &amp;&amp; Train(2).Halted", ""),
            ("x &lt;= 20", "x &lt;= 4"),
            ("x &lt;= 10", "x &lt;= 2"),
            ("x &gt;= 10", "x &gt;= 2"),
            ("x &lt;= 15", "x &lt;= 3"),
            ("x &gt;= 7", "x &gt;= 1"),
            ("x &lt;= 5", "x &lt;= 2"),
            ("x &gt;= 3", "x &gt;= 1"),
        ],
    ),
    (
        "train-gate-storm.xml",
        &[
            ("N = 2;", "N = 1;"),
            ("x &lt;= 20", "x &lt;= 4"),
            ("x &lt;= 10", "x &lt;= 2"),
            ("x &gt;= 10", "x &gt;= 2"),
            ("x == 10", "x == 2"),
            ("x &lt;= 5", "x &lt;= 1"),
            ("x &gt;= 3", "x &gt;= 1"),
            ("y &lt;= 60", "y &lt;= 12"),
            ("y &gt;= 30", "y &gt;= 6"),
            ("y &gt;= 20", "y &gt;= 4"),
            ("y &gt;= 15", "y &gt;= 3"),
            ("y &gt; 14", "y &gt; 2"),
        ],
    ),
    (
        "zeno.xml",
        &[("t &lt;= 10", "t &lt;= 2"), ("t == 10", "t == 2"), ("t &gt;= 10", "t &gt;= 2"), ("20", "4")],
    ),
    ("zeno-arrow.xml", &[]),
];

#[test]
fn oracle_agrees_on_smaller_copies() {
    for (name, replacements) in SMALLER {
        let mut text = std::fs::read_to_string(workspace().join("examples").join(name)).unwrap();
        for (written, smaller) in replacements {
            assert!(text.contains(written), "{name}: missing {written}");
            text = text.replace(written, smaller);
        }
        let loaded = load_document(name, &text);
        let network = loaded.network().unwrap();
        let graph = explore(network, &loaded.queries, &Settings::default()).unwrap();
        let rows = &loaded.xml().unwrap().queries;
        for (query, row) in loaded.queries.iter().zip(rows) {
            let expected = expectation(&loaded, row);
            match graph.answer(query).unwrap() {
                Verdict::Value(_) => {}
                verdict => assert_eq!(outcome(&verdict), expected, "{name}: {}", query.text),
            }
        }
    }
}

/// Loads a document without errors.
fn load_document(name: &str, text: &str) -> Loaded {
    let loaded = load(name, text.as_bytes());
    assert!(loaded.diagnostics.is_empty(), "{name}: {:?}", loaded.diagnostics);
    assert_eq!(loaded.queries.len(), loaded.xml().unwrap().queries.len(), "{name}");
    loaded
}

/// Returns the expected answer of a query.
fn expectation(loaded: &Loaded, row: &QueryRow) -> String {
    let formula = loaded.files.text(row.formula.file);
    let comment = row.comment.unwrap_or_else(|| panic!("{formula} has no comment"));
    assert!(!loaded.files.text(comment.file).trim().is_empty(), "{formula} has an empty comment");
    let expected = row.expectation.unwrap_or_else(|| panic!("{formula} has no expectation"));
    match expected.value {
        Some(value) => value.text(&loaded.files),
        None => expected.outcome.unwrap().text(&loaded.files),
    }
}

/// Returns a verdict in the form of an expected answer.
fn outcome(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Holds => "success".to_owned(),
        Verdict::Fails => "failure".to_owned(),
        Verdict::Value(values) => values.iter().map(value).collect::<Vec<_>>().join(", "),
        other => format!("{other:?}"),
    }
}

fn value(value: &MeasuredValue) -> String {
    match value {
        MeasuredValue::Supremum(Limit::Attained(number))
        | MeasuredValue::Infimum(Limit::Attained(number)) => number.to_string(),
        MeasuredValue::Supremum(Limit::Approached(number)) => format!("< {number}"),
        MeasuredValue::Infimum(Limit::Approached(number)) => format!("> {number}"),
        other => format!("{other:?}"),
    }
}
