//! The examples' queries are answered, and every trace replays.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use tempora_evidence::{Budget, Progress, Verdict};
use tempora_replay::Assurance;
use tempora_workbench::{CheckOptions, check, load};

fn verdicts(text: &str) -> Vec<(Verdict, Assurance)> {
    let loaded = load("model.net", text.as_bytes());
    assert!(!loaded.diagnostics.has_errors(), "{:?}", loaded.diagnostics);
    let task = loaded.task(loaded.queries.clone()).unwrap();
    let answers = check(&task, CheckOptions::default(), &Budget::unlimited(), &Progress::new());
    answers.iter().map(|answer| (answer.answer().verdict.clone(), answer.assurance())).collect()
}

#[test]
fn fischer() {
    let answers = verdicts(include_str!("../../../examples/fischer.net"));
    assert_eq!(answers, [(Verdict::Holds, Assurance::Unchecked), (Verdict::Holds, Assurance::Replayed)]);
}

#[test]
fn fischer_without_waiting_long_enough() {
    let text = include_str!("../../../examples/fischer.net").replace("guard x > K &&", "guard x >= K &&");
    let answers = verdicts(&text);
    assert_eq!(answers[0], (Verdict::Fails, Assurance::Replayed));
}

#[test]
fn train_gate() {
    let answers = verdicts(include_str!("../../../examples/train-gate.net"));
    assert_eq!(answers[0], (Verdict::Holds, Assurance::Unchecked));
    assert_eq!(answers[1], (Verdict::Holds, Assurance::Replayed));
    assert!(matches!(answers[2].0, Verdict::Unknown(_)), "no engine for leads-to yet");
}

#[test]
fn errors_of_the_model_are_reported_with_their_run() {
    let text = "int[0,2] n; process P { clock x; init location A; A -> A { guard x >= 2; do n++, x = 0; } }
                query E<> n == 7;";
    let answers = verdicts(text);
    assert!(
        matches!(answers[0].0, Verdict::Unknown(tempora_evidence::UnknownReason::ModelError(_))),
        "{answers:?}"
    );
    assert_eq!(answers[0].1, Assurance::Replayed);
}
