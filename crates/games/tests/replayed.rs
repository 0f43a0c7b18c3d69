//! Runs that show why a refinement fails are executed by an interpreter that knows nothing of zones.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use support::{Random, cases, checked, model, random_specification, relaxed};
use tempora_evidence::{Evidence, Verdict};
use tempora_replay::Assurance;

/// Asks random questions; a run that is no such run makes the verdict unknown.
fn replay(name: &str, mut case: impl FnMut(&mut Random) -> (String, &'static str)) {
    let (mut failing, mut replayed) = (0, 0);
    for seed in 0..cases(200) {
        let (text, question) = case(&mut Random::new(seed));
        let checked = checked(&text, question);
        let answer = checked.answer();
        assert!(
            !matches!(answer.verdict, Verdict::Unknown(_)),
            "{name}, seed {seed}: {:?}\n{text}",
            answer.verdict
        );
        if answer.evidence.iter().any(|evidence| matches!(evidence, Evidence::RefusedRun(_))) {
            failing += 1;
            replayed += u64::from(checked.assurance() == Assurance::Replayed);
        }
    }
    assert!(failing > 0 && replayed * 2 >= failing, "{name}: {replayed} of {failing} runs are replayed");
}

#[test]
fn components() {
    replay("components", |random| {
        let first = random_specification(random, &["a", "b"], &["c", "d"], 2, 4);
        let second = random_specification(random, &["a", "b"], &["c", "d"], 2, 4);
        (model(&[first, second]), "refinement: A <= B")
    });
}

#[test]
fn compositions_and_conjunctions() {
    replay("compositions", |random| {
        let first = random_specification(random, &["a", "d"], &["c"], 1, 3);
        let second = random_specification(random, &["c", "b"], &["d"], 1, 3);
        let third = random_specification(random, &["a", "b"], &["c", "d"], 1, 3);
        let fourth = relaxed(random, &third);
        (model(&[first, second, third, fourth]), "refinement: A || B <= C && D")
    });
}
