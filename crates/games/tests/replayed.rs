//! Runs that show why a refinement fails are executed by an interpreter that knows nothing of zones.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use support::{
    Random, cases, checked, checked_by, harsh_specification, model, random_specification, relaxed,
};
use tempora_evidence::{Evidence, RefusedRun, UnknownReason, Verdict};
use tempora_games::{InputCompletion, SpecificationEngine};
use tempora_replay::Assurance;

/// Asks random questions; a run that is no such run makes the verdict unknown.
fn replay(name: &str, mut case: impl FnMut(&mut Random) -> (String, &'static str)) {
    let (mut failing, mut replayed) = (0, 0);
    for seed in 0..cases(200) {
        let (text, question) = case(&mut Random::new(seed));
        let checked = checked(&text, question);
        let answer = checked.answer();
        // A quotient of what nothing implements is no question.
        let is_none = matches!(answer.verdict, Verdict::Unknown(UnknownReason::Unsupported(_)));
        if is_none && question.contains('\\') {
            continue;
        }
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

/// One run for each violating pair: each is executed, and no two are the same.
#[test]
fn all_runs_of_a_refinement() {
    let all = SpecificationEngine { most_runs: usize::MAX, ..SpecificationEngine::default() };
    let mut several = 0;
    for seed in 0..cases(200) {
        let random = &mut Random::new(seed + 5000);
        let first = random_specification(random, &["a", "b"], &["c", "d"], 2, 4);
        let second = random_specification(random, &["a", "b"], &["c", "d"], 2, 4);
        let text = model(&[first, second]);
        let (some, all) =
            (checked(&text, "refinement: A <= B"), checked_by(all, &text, "refinement: A <= B"));
        // A run that is none would make the verdict unknown.
        assert_eq!(some.answer().verdict, all.answer().verdict, "seed {seed}\n{text}");
        let runs = |answer: &tempora_replay::CheckedAnswer| -> Vec<RefusedRun> {
            let evidence = answer.answer().evidence.iter();
            let run = |evidence: &Evidence| match evidence {
                Evidence::RefusedRun(run) => Some(run.clone()),
                _ => None,
            };
            evidence.filter_map(run).collect()
        };
        let (one, many) = (runs(&some), runs(&all));
        assert!(one.len() <= 1 && one.first() == many.first(), "seed {seed}\n{text}");
        for (number, run) in many.iter().enumerate() {
            assert!(!many[..number].contains(run), "seed {seed}: {run:?}\n{text}");
        }
        several += u32::from(many.len() > 1);
    }
    assert!(several > 0);
}

const IGNORING: &str = "broadcast chan i, o;
process S { clock x; init location L { invariant x <= 5; } L -> L { guard x >= 3; sync i?; } L -> L { sync o!; do x = 0; } }
process T { clock x; init location L { invariant x <= 5; } L -> L { sync i?; } L -> L { sync o!; do x = 0; } }
system S, T;
";

#[test]
fn inputs_that_no_edge_takes_are_ignored_or_errors() {
    let error = SpecificationEngine { completion: InputCompletion::Error, ..SpecificationEngine::default() };
    for (question, ignored, refused) in [
        ("consistency: S", true, false),
        ("consistency: T", true, true),
        ("refinement: S <= T", true, false),
        ("refinement: T <= T", true, true),
    ] {
        let verdict = |holds: bool| if holds { Verdict::Holds } else { Verdict::Fails };
        assert_eq!(checked(IGNORING, question).answer().verdict, verdict(ignored), "{question}");
        assert_eq!(checked_by(error, IGNORING, question).answer().verdict, verdict(refused), "{question}");
    }
    let remarks = |checked: tempora_replay::CheckedAnswer| format!("{:?}", checked.answer().caveats);
    assert!(
        remarks(checked(IGNORING, "consistency: S"))
            .contains("inputs are ignored where no edge takes them, in `S`")
    );
    assert!(
        remarks(checked_by(error, IGNORING, "consistency: S"))
            .contains("inputs are errors where no edge takes")
    );
    assert_eq!(remarks(checked(IGNORING, "consistency: T")), "[]");
}

/// A quotient on the right is executed as the part beside the left, against the whole.
#[test]
fn quotients() {
    replay("quotients", |random| {
        let whole = random_specification(random, &["a"], &["c", "d"], 1, 3);
        let whole = if random.chance(60) { relaxed(random, &whole) } else { whole };
        let part = random_specification(random, &["a", "d"], &["c"], 1, 3);
        let other = random_specification(random, &["a", "c"], &["d"], 1, 3);
        (model(&[whole, part, other]), "refinement: C <= A \\\\ B")
    });
}

/// What was removed on the right does not keep a run from being executed, if all of it refuses the same.
#[test]
fn right_sides_of_which_something_was_removed() {
    let (mut removed, mut replayed) = (0, 0);
    for seed in 0..cases(300) {
        let random = &mut Random::new(seed + 9000);
        let first = random_specification(random, &["a", "b"], &["c", "d"], 1, 3);
        let second = harsh_specification(random, &["a", "b"], &["c", "d"], 1, 3);
        let text = model(&[first, second]);
        let checked = checked(&text, "refinement: A <= B");
        assert!(!matches!(checked.answer().verdict, Verdict::Unknown(_)), "seed {seed}\n{text}");
        for evidence in &checked.answer().evidence {
            if let Evidence::RefusedRun(run) = evidence
                && run.is_right_pruned
                && !run.is_left_pruned
            {
                removed += 1;
                replayed += u64::from(checked.assurance() == Assurance::Replayed);
            }
        }
    }
    assert!(removed > 0 && replayed > 0, "{replayed} of {removed}");
}

/// A quotient on the left is executed by its rules. Where something had to be removed from the left, the run is executed all the same.
#[test]
fn left_sides_that_are_quotients_or_of_which_something_was_removed() {
    let (mut replayed, mut executed, mut runs) = (0, 0, 0);
    for seed in 0..cases(300) {
        let random = &mut Random::new(seed + 40_000);
        let whole = random_specification(random, &["a"], &["c", "d"], 1, 3);
        let part = random_specification(random, &["a", "d"], &["c"], 1, 3);
        let right = random_specification(random, &["a", "c"], &["d"], 1, 3);
        let first = harsh_specification(random, &["a", "b"], &["c", "d"], 1, 3);
        let second = random_specification(random, &["a", "b"], &["c", "d"], 1, 3);
        let text = model(&[whole, part, right, first, second]);
        for question in ["refinement: A \\\\ B <= C", "refinement: D <= E"] {
            let checked = checked(&text, question);
            let answer = checked.answer();
            // Nothing can be divided by what nothing implements.
            if matches!(answer.verdict, Verdict::Unknown(UnknownReason::Unsupported(_))) {
                continue;
            }
            // A run that is no such run would make the verdict unknown.
            assert!(
                !matches!(answer.verdict, Verdict::Unknown(_)),
                "seed {seed}: {:?}\n{text}",
                answer.verdict
            );
            let has_run = answer.evidence.iter().any(|evidence| matches!(evidence, Evidence::RefusedRun(_)));
            runs += u64::from(has_run);
            replayed +=
                u64::from(has_run && question.contains('\\') && checked.assurance() == Assurance::Replayed);
            executed += u64::from(format!("{:?}", answer.caveats).contains("the run was executed"));
        }
    }
    assert!(replayed > 0 && executed > 0, "{replayed} and {executed} of {runs}");
}
