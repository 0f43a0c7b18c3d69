//! Laws of the specification theory, on random specifications.
//!
//! The premise of each law must be true in at least a fifth of the cases, so that no law is vacuous.
//! `GAMES_CASES=20000` makes the run long.

use tempora_evidence::Answer;

use crate::support::regions::Oracle;
use crate::support::{
    Random, answers, cases, holds, model, random_implementation, random_specification, relaxed, verdict,
    with_trap,
};

/// Tests a law; `None` if its premise is false.
fn law(name: &str, mut case: impl FnMut(&mut Random) -> (String, Option<bool>)) {
    let count = cases(250);
    let mut premises = 0;
    for seed in 0..count {
        let (text, outcome) = case(&mut Random::new(seed));
        if let Some(holds) = outcome {
            premises += 1;
            assert!(holds, "{name} fails for seed {seed}:\n{text}");
        }
    }
    assert!(premises * 5 >= count, "{name}: the premise is true in {premises} of {count} cases only");
}

const SAME: (&[&str], &[&str]) = (&["a", "b"], &["c", "d"]);

#[test]
fn refinement_is_reflexive() {
    law("reflexivity", |random| {
        let text = model(&[random_specification(random, SAME.0, SAME.1, 2, 4)]);
        let outcome = holds(&text, "consistency: A").then(|| holds(&text, "refinement: A <= A"));
        (text, outcome)
    });
}

/// Copies move together: one represents all of them, and the search is no larger.
#[test]
fn copies_in_conjunction_are_merged() {
    law("copies", |random| {
        let first = random_specification(random, SAME.0, SAME.1, 2, 4);
        let second = relaxed(random, &first);
        let text = model(&[first, second]);
        let outcome = holds(&text, "consistency: A && B").then(|| {
            let questions = [
                "refinement: A && B <= B",
                "refinement: A && B && A && B <= B",
                "refinement: A && B <= B && A && B",
            ];
            let answers = answers(&text, &questions);
            let is_as_first = |answer: &Answer| answer.verdict == answers[0].verdict;
            answers.iter().all(is_as_first) && answers[1].statistics.stored == answers[0].statistics.stored
        });
        (text, outcome)
    });
}

#[test]
fn refinement_is_transitive() {
    law("transitivity", |random| {
        let first = random_specification(random, SAME.0, SAME.1, 2, 4);
        let second = relaxed(random, &first);
        let third = relaxed(random, &second);
        let text = model(&[first, second, third]);
        let premise = holds(&text, "refinement: A <= B") && holds(&text, "refinement: B <= C");
        let outcome = premise.then(|| holds(&text, "refinement: A <= C"));
        (text, outcome)
    });
}

#[test]
fn conjunction_refines_its_operands() {
    law("lower bound", |random| {
        let first = random_specification(random, SAME.0, SAME.1, 2, 4);
        let second = if random.chance(50) {
            relaxed(random, &first)
        } else {
            random_specification(random, SAME.0, SAME.1, 2, 4)
        };
        let text = model(&[first, second]);
        let premise = holds(&text, "consistency: A && B");
        let outcome = premise
            .then(|| holds(&text, "refinement: A && B <= A") && holds(&text, "refinement: A && B <= B"));
        (text, outcome)
    });
}

#[test]
fn conjunction_is_greatest_lower_bound() {
    law("greatest lower bound", |random| {
        let third = random_specification(random, SAME.0, SAME.1, 2, 4);
        let (first, second) = (relaxed(random, &third), relaxed(random, &third));
        let text = model(&[first, second, third]);
        let premise = holds(&text, "refinement: C <= A") && holds(&text, "refinement: C <= B");
        let outcome = premise.then(|| holds(&text, "refinement: C <= A && B"));
        (text, outcome)
    });
}

#[test]
fn refinement_is_precongruence() {
    law("precongruence", |random| {
        let first = random_specification(random, &["a", "d"], &["c"], 2, 4);
        let second = relaxed(random, &first);
        let third = random_specification(random, &["c", "b"], &["d"], 2, 4);
        let text = model(&[first, second, third]);
        let premise = holds(&text, "refinement: A <= B") && holds(&text, "consistency: C");
        let outcome = premise.then(|| holds(&text, "refinement: A || C <= B || C"));
        (text, outcome)
    });
}

#[test]
fn quotient_satisfies_its_defining_law() {
    let mut both = [0u64; 2];
    law("quotient", |random| {
        // The whole, the part, and a candidate for the quotient.
        let whole = random_specification(random, &["a"], &["c", "d"], 2, 4);
        let whole = if random.chance(60) { relaxed(random, &whole) } else { whole };
        let part = random_specification(random, &["a", "d"], &["c"], 2, 4);
        let other = random_specification(random, &["a", "c"], &["d"], 2, 4);
        let text = model(&[whole, part, other]);
        let consistent = ["A", "B", "C"].iter().all(|name| holds(&text, &format!("consistency: {name}")));
        let outcome = consistent.then(|| {
            let (one, other) =
                (verdict(&text, "refinement: C <= A \\\\ B"), verdict(&text, "refinement: B || C <= A"));
            both[usize::from(one == Ok(true))] += 1;
            one == other && one.is_ok()
        });
        (text, outcome)
    });
    assert!(both[0] > 0 && both[1] > 0, "{both:?}");
}

#[test]
fn weakened_guarantee_holds_beside_assumption() {
    law("weakening", |random| {
        let guarantee = random_specification(random, &["a"], &["c"], 2, 4);
        let assumption = random_specification(random, &["c"], &["a"], 2, 4);
        let other = if random.chance(60) {
            relaxed(random, &guarantee)
        } else {
            random_specification(random, &["a"], &["c"], 2, 4)
        };
        let text = model(&[guarantee, assumption, other]);
        let consistent = ["A", "B", "C"].iter().all(|name| holds(&text, &format!("consistency: {name}")));
        let outcome = consistent.then(|| {
            let one = verdict(&text, "refinement: C <= A >> B");
            let other = verdict(&text, "refinement: B || C <= B || A");
            let kept = verdict(&text, "refinement: A <= A >> B");
            one == other && one.is_ok() && kept == Ok(true)
        });
        (text, outcome)
    });
}

/// The implementations of a specification are those of its greatest consistent part: the engine compares with that
/// part, the region checker with the whole specification.
#[test]
fn pruning_preserves_implementations() {
    let mut both = [0u64; 2];
    law("pruning", |random| {
        let implementation = random_implementation(random, SAME.0, SAME.1, 2, 4);
        let whole = if random.chance(70) {
            relaxed(random, &implementation)
        } else {
            random_specification(random, SAME.0, SAME.1, 2, 4)
        };
        let whole = with_trap(random, &whole);
        let specifications = [implementation, whole];
        let text = model(&specifications);
        // Without pruning, the law is vacuous.
        let premise = holds(&text, "implementation: A")
            && holds(&text, "consistency: B")
            && !holds(&text, "local-consistency: B");
        let outcome = premise.then(|| {
            let oracle = Oracle { specifications: &specifications };
            let expected = oracle.refines(&oracle.unpruned(0), &oracle.unpruned(1));
            both[usize::from(expected)] += 1;
            verdict(&text, "satisfaction: A |= B") == Ok(expected)
        });
        (text, outcome)
    });
    assert!(both[0] > 0 && both[1] > 0, "{both:?}");
}
