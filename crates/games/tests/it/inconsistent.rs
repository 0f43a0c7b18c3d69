//! Operands without implementations: verdicts agree with the region checker, replay and the laws of the theory.
//!
//! Invariant: expected verdicts follow one rule. A specification without implementations refines everything, and nothing
//! else refines it. A composition or conjunction with such an operand has no implementation; a quotient by it is
//! universal.

use crate::support::regions::{Expression, Node, Oracle};
use crate::support::{
    Random, Specification, answers, cases, holds, judged, judged_by, model, random_operand, relaxed, remarks,
    verdict,
};
use tempora_evidence::{UnknownReason, Verdict};
use tempora_games::{InputCompletion, SpecificationEngine};

const SAME: (&[&str], &[&str]) = (&["a", "b"], &["c", "d"]);

/// An expression over specifications `A`, `B`, ..., by their numbers.
#[derive(Clone)]
enum Term {
    Leaf(usize),
    Both(Box<Term>, Box<Term>),
    Beside(Box<Term>, Box<Term>),
    Divided(Box<Term>, Box<Term>),
}

fn leaf(number: usize) -> Term {
    Term::Leaf(number)
}

fn both(one: Term, other: Term) -> Term {
    Term::Both(Box::new(one), Box::new(other))
}

fn beside(one: Term, other: Term) -> Term {
    Term::Beside(Box::new(one), Box::new(other))
}

fn divided(whole: Term, part: Term) -> Term {
    Term::Divided(Box::new(whole), Box::new(part))
}

impl Term {
    fn text(&self) -> String {
        match self {
            Term::Leaf(number) => char::from(b'A' + *number as u8).to_string(),
            Term::Both(one, other) => format!("({} && {})", one.text(), other.text()),
            Term::Beside(one, other) => format!("({} || {})", one.text(), other.text()),
            Term::Divided(one, other) => format!("({} \\\\ {})", one.text(), other.text()),
        }
    }

    fn node(&self, oracle: &Oracle<'_>) -> Node {
        let node = |term: &Term| Box::new(term.node(oracle));
        match self {
            Term::Leaf(number) => oracle.node(Expression::Leaf(*number)),
            Term::Both(one, other) => oracle.node(Expression::Conjunction(node(one), node(other))),
            Term::Beside(one, other) => oracle.node(Expression::Composition(node(one), node(other))),
            Term::Divided(one, other) => oracle.node(Expression::Quotient(node(one), node(other))),
        }
    }

    /// Returns whether some component is inconsistent.
    fn has_inconsistent_leaf(&self, oracle: &Oracle<'_>) -> bool {
        match self {
            Term::Leaf(_) => !oracle.is_consistent(&self.node(oracle)),
            Term::Both(one, other) | Term::Beside(one, other) | Term::Divided(one, other) => {
                one.has_inconsistent_leaf(oracle) || other.has_inconsistent_leaf(oracle)
            }
        }
    }
}

/// The question of a case.
enum Question {
    Consistency(Term),
    Refinement(Term, Term),
}

/// The required shares, in percent, of satisfied and of violated answers, and of cases with an inconsistent component.
const EACH: [u64; 3] = [20, 20, 20];

fn compare(
    name: &str,
    usual: u64,
    least: [u64; 3],
    mut case: impl FnMut(&mut Random) -> (Vec<Specification>, Question),
) {
    let count = cases(usual);
    let mut found = [0u64; 3];
    for seed in 0..count {
        let (specifications, question) = case(&mut Random::new(seed + 190_000));
        let oracle = Oracle { specifications: &specifications };
        let (asked, expected, is_rule_needed) = match &question {
            Question::Consistency(system) => (
                format!("consistency: {}", system.text()),
                oracle.is_consistent(&system.node(&oracle)),
                system.has_inconsistent_leaf(&oracle),
            ),
            Question::Refinement(left, right) => {
                let (one, other) = (left.node(&oracle), right.node(&oracle));
                let expected = !oracle.is_consistent(&one)
                    || (oracle.is_consistent(&other) && oracle.refines(&one, &other));
                let is_rule_needed =
                    left.has_inconsistent_leaf(&oracle) || right.has_inconsistent_leaf(&oracle);
                (format!("refinement: {} <= {}", left.text(), right.text()), expected, is_rule_needed)
            }
        };
        let text = model(&specifications);
        let answer = judged(&text, &asked).answer;
        let wanted = if expected { Verdict::Holds } else { Verdict::Fails };
        assert_eq!(answer.verdict, wanted, "{name}: {asked} for seed {seed}:\n{text}\n{:?}", answer.caveats);
        if is_rule_needed {
            let said = remarks(&text, &asked);
            let is_said = said.contains("no implementation");
            assert!(is_said, "{name}: {asked} for seed {seed} has no note:\n{text}\n{said}");
        }
        found[usize::from(!expected)] += 1;
        found[2] += u64::from(is_rule_needed);
    }
    for (count_of, share) in found.iter().zip(least) {
        assert!(count_of * 100 >= count * share, "{name}: {found:?} of {count}, wanted {least:?} percent");
    }
}

/// Returns operands with the same actions; the second is often a relaxed copy of the first.
fn alike(random: &mut Random, count: usize) -> Vec<Specification> {
    let first = random_operand(random, SAME.0, SAME.1, 1, 3);
    let mut found = vec![first];
    while found.len() < count {
        let next = match random.chance(60) {
            true => relaxed(random, &found[0]),
            false => random_operand(random, SAME.0, SAME.1, 1, 3),
        };
        found.push(next);
    }
    found
}

/// Returns a whole, a part, and a candidate for the quotient.
fn dividable(random: &mut Random) -> Vec<Specification> {
    let whole = random_operand(random, &["a"], &["c", "d"], 1, 3);
    let whole = if random.chance(60) { relaxed(random, &whole) } else { whole };
    let part = random_operand(random, &["a", "d"], &["c"], 1, 2);
    let other = random_operand(random, &["a", "c"], &["d"], 1, 2);
    vec![whole, part, other]
}

#[test]
fn components_refine_as_regions_say() {
    compare("refinement", 250, EACH, |random| (alike(random, 2), Question::Refinement(leaf(0), leaf(1))));
}

#[test]
fn conjunctions_refine_as_regions_say() {
    compare("conjunction on the left", 150, EACH, |random| {
        (alike(random, 3), Question::Refinement(both(leaf(1), leaf(2)), leaf(0)))
    });
    compare("conjunction on the right", 150, EACH, |random| {
        (alike(random, 3), Question::Refinement(leaf(0), both(leaf(1), leaf(2))))
    });
}

#[test]
fn compositions_refine_as_regions_say() {
    compare("composition", 150, EACH, |random| {
        (dividable(random), Question::Refinement(beside(leaf(1), leaf(2)), leaf(0)))
    });
}

#[test]
fn quotients_refine_as_regions_say() {
    compare("quotient on the right", 150, EACH, |random| {
        (dividable(random), Question::Refinement(leaf(2), divided(leaf(0), leaf(1))))
    });
    compare("quotient on the left", 150, EACH, |random| {
        (dividable(random), Question::Refinement(divided(leaf(0), leaf(1)), leaf(2)))
    });
}

#[test]
fn nested_operands_refine_as_regions_say() {
    compare("nested", 120, EACH, |random| {
        let mut specifications = dividable(random);
        let more = random_operand(random, &["a", "c"], &["d"], 1, 2);
        specifications.push(more);
        let quotient = divided(leaf(0), leaf(1));
        let question = match random.below(4) {
            0 => Question::Refinement(leaf(2), both(quotient, leaf(3))),
            1 => Question::Refinement(both(quotient, leaf(3)), leaf(2)),
            2 => Question::Refinement(beside(quotient, leaf(1)), leaf(0)),
            _ => Question::Refinement(leaf(1), divided(leaf(0), both(leaf(2), leaf(3)))),
        };
        (specifications, question)
    });
}

#[test]
fn consistency_is_as_regions_say() {
    compare("conjunction", 150, EACH, |random| {
        (alike(random, 2), Question::Consistency(both(leaf(0), leaf(1))))
    });
    compare("composition", 150, EACH, |random| {
        (dividable(random), Question::Consistency(beside(leaf(1), leaf(2))))
    });
    compare("quotient", 150, EACH, |random| {
        (dividable(random), Question::Consistency(divided(leaf(0), leaf(1))))
    });
}

/// Tests laws without premises about consistency; each side of the counted property must occur in a fifth of the cases.
fn law(name: &str, mut case: impl FnMut(&mut Random) -> (String, Vec<String>, bool)) {
    let count = cases(150);
    let mut found = [0u64; 2];
    for seed in 0..count {
        let (text, broken, is_inconsistent) = case(&mut Random::new(seed + 230_000));
        assert!(broken.is_empty(), "{name} fails for seed {seed}: {broken:?}\n{text}");
        found[usize::from(is_inconsistent)] += 1;
    }
    assert!(found.iter().all(|one| one * 5 >= count), "{name}: {found:?} of {count}");
}

/// Returns the claims that do not have these truth values.
fn broken(text: &str, claims: &[(&str, bool)]) -> Vec<String> {
    let wrong = claims.iter().filter(|(question, expected)| verdict(text, question) != Ok(*expected));
    wrong.map(|(question, expected)| format!("{question} is not {expected}")).collect()
}

#[test]
fn laws_of_conjunction_need_no_consistency() {
    law("conjunction", |random| {
        let text = model(&alike(random, 3));
        let is_consistent = holds(&text, "consistency: A && B");
        let lower = holds(&text, "refinement: C <= A") && holds(&text, "refinement: C <= B");
        let claims = [
            ("refinement: A <= A", true),
            ("refinement: A && B <= A && B", true),
            ("refinement: A && B <= A", true),
            ("refinement: A && B <= B && A", true),
            ("refinement: A && B && A <= A && B", true),
            ("refinement: C <= A && B", lower),
            ("refinement: A && B <= C && A && B", holds(&text, "refinement: A && B <= C")),
        ];
        (text.clone(), broken(&text, &claims), !is_consistent)
    });
}

#[test]
fn refinement_is_transitive_and_keeps_consistency() {
    law("transitivity", |random| {
        let text = model(&alike(random, 3));
        let is_consistent = holds(&text, "consistency: A");
        let mut wrong = Vec::new();
        if holds(&text, "refinement: A <= B") {
            if is_consistent {
                wrong.extend(broken(&text, &[("consistency: B", true)]));
            }
            if holds(&text, "refinement: B <= C") {
                wrong.extend(broken(&text, &[("refinement: A <= C", true)]));
            }
        }
        (text, wrong, !is_consistent)
    });
}

#[test]
fn composition_is_monotone_beside_any_part() {
    law("precongruence", |random| {
        let first = random_operand(random, &["a", "d"], &["c"], 1, 3);
        let second = relaxed(random, &first);
        let third = random_operand(random, &["c", "b"], &["d"], 1, 3);
        let text = model(&[first, second, third]);
        let of = |name: &str| holds(&text, &format!("consistency: {name}"));
        let is_consistent = of("A") && of("C");
        let mut claims = vec![("consistency: A || C", is_consistent), ("refinement: A || C <= C || A", true)];
        if holds(&text, "refinement: A <= B") {
            claims.push(("refinement: A || C <= B || C", true));
        }
        (text.clone(), broken(&text, &claims), !is_consistent)
    });
}

#[test]
fn quotient_law_needs_no_consistency() {
    law("quotient", |random| {
        let text = model(&dividable(random));
        let is_part_consistent = holds(&text, "consistency: B");
        let mut claims = vec![
            ("refinement: C <= A \\\\ B", holds(&text, "refinement: B || C <= A")),
            ("refinement: A \\\\ B <= A \\\\ B", true),
            ("refinement: B || (A \\\\ B) <= A", true),
        ];
        if !is_part_consistent {
            // A universal specification is refined by everything.
            claims.push(("consistency: A \\\\ B", true));
            claims.push(("local-consistency: A \\\\ B", true));
            claims.push(("specification: A \\\\ B", true));
            claims.push(("determinism: A \\\\ B", true));
            claims.push(("refinement: C <= A \\\\ B", true));
        } else if !holds(&text, "consistency: A") {
            claims.push(("consistency: A \\\\ B", false));
        }
        (text.clone(), broken(&text, &claims), !is_part_consistent)
    });
}

#[test]
fn implementations_and_local_consistency_imply_consistency() {
    law("implementation", |random| {
        let text = model(&dividable(random));
        let system = if random.chance(50) { "B || C" } else { "A \\\\ B" };
        let questions = ["consistency", "local-consistency", "implementation"];
        let questions = questions.map(|kind| format!("{kind}: {system}"));
        let answers = answers(&text, &questions.each_ref().map(String::as_str));
        let [is_consistent, is_locally, implements] =
            [0, 1, 2].map(|number| answers[number].verdict == Verdict::Holds);
        let wrong = match (is_locally || implements) && !is_consistent {
            true => {
                vec![format!("{system}: {:?}", answers.iter().map(|one| &one.verdict).collect::<Vec<_>>())]
            }
            false => Vec::new(),
        };
        let are_inconsistent = !is_consistent;
        (text, wrong, are_inconsistent)
    });
}

const NOTES: &str = "broadcast chan o, i;
process I { clock x; init location L { invariant x <= 3; } L -> L { guard false; sync o!; } }
process A { init location L; L -> L { sync o!; } L -> L { sync i?; } }
process P { init location L; L -> L { sync o!; } }
process Q { clock x; init location L { invariant x <= 2; } L -> L { guard x >= 1; sync o!; do x = 0; } }
process R { clock x; init location L { invariant x <= 2; } location M; L -> M { guard x >= 1; sync o!; } }
process Listener { init location L; L -> L { sync o?; } L -> L { sync i!; } }
system A;";

#[test]
fn notes_name_operand_without_implementation() {
    let said = |question: &str, expected: bool, note: &str| {
        assert_eq!(verdict(NOTES, question), Ok(expected), "{question}");
        let remarks = remarks(NOTES, question);
        assert!(remarks.contains(note), "{question}: {remarks}");
    };
    let vacuous = ", on the left side, has no implementation, so the refinement holds vacuously";
    said("refinement: I <= P", true, &format!("`I`{vacuous}"));
    said("refinement: I && P <= P", true, &format!("`I`{vacuous}"));
    said("refinement: Q && R <= P", true, &format!("`Q && R`{vacuous}"));
    said("refinement: (Q && R) || Listener <= P", true, &format!("`Q && R`{vacuous}"));
    said(
        "refinement: P <= P && I",
        false,
        "`I`, on the right side, has no implementation, but the left side has one",
    );
    said("consistency: P && I", false, "`I` has no implementation, so neither has `P && I`");
    said("consistency: I || Listener", false, "`I` has no implementation, so neither has");
    said("consistency: P \\\\ I", true, "`I` has no implementation, so `P \\\\ I` allows everything");
    said("consistency: I \\\\ P", false, "`I` has no implementation, so neither has `I \\\\ P`");
    said("consistency: I \\\\ I", true, "`I` has no implementation, so `I \\\\ I` allows everything");
    said("consistency: (P \\\\ I) || I", false, "`I` has no implementation, so neither has");
    said("consistency: (I : A[] I.L)", false, "`I` has no implementation, so neither has");
    said("refinement: (Q : A[] Q.x < 1) <= P", true, "on the left side, has no implementation");
    said("determinism: P \\\\ I", true, "allows everything");
    said("specification: P \\\\ I", true, "allows everything");
    said("implementation: P && I", false, "`I` has no implementation, so neither has `P && I`");
    said("prune: P && I", false, "`I` has no implementation, so neither has `P && I`");
    said("get-component: P && I", true, "`I` has no implementation, so neither has `P && I`");
    said("get-component: P \\\\ I", true, "allows everything");
    said("reachability: P \\\\ I @ init -> P.L", false, "allows everything");
    said(
        "reachability: I \\\\ P @ init -> true",
        false,
        "`I` has no implementation, so `I \\\\ P` has no state",
    );
    said("tctl: (I \\\\ P : A[] false)", true, "`I` has no implementation, so `I \\\\ P` has no state");
    said("tctl: (I \\\\ P : E<> true)", false, "`I` has no implementation, so `I \\\\ P` has no state");
    // Beside an operand that can always move, the composition as written never stops.
    said("local-consistency: I || Listener", false, "`I` has no implementation, so neither has");
    said("implementation: I || Listener", false, "`I` has no implementation, so neither has");
}

/// Runs of specifications as written are confirmed by the reference interpreter, also from a universal quotient.
#[test]
fn runs_of_universal_quotients_are_replayed() {
    let mut shown = 0;
    law("runs", |random| {
        let text = model(&dividable(random));
        let mut wrong = Vec::new();
        for question in [
            "reachability: A \\\\ B @ init -> !A.L0",
            "reachability: A \\\\ B @ init -> true",
            "reachability: C || (A \\\\ B) @ init -> C.x > 1",
            "tctl: (A \\\\ B : E<> true)",
            "tctl: (A \\\\ B : A[] A.L0)",
            "tctl: (A \\\\ B : A[] not deadlock)",
        ] {
            let found = judged(&text, question);
            if let Verdict::Unknown(UnknownReason::EngineBug(why)) = &found.answer.verdict {
                wrong.push(format!("{question}: {why}"));
            }
            shown += u64::from(found.is_shown);
        }
        (text.clone(), wrong, !holds(&text, "consistency: B"))
    });
    assert!(shown > 0);
}

/// The rule does not depend on the treatment of inputs without an edge; as errors, they leave more operands without
/// implementations.
#[test]
fn laws_hold_if_missing_inputs_are_errors() {
    let engine = SpecificationEngine { completion: InputCompletion::Error, ..SpecificationEngine::default() };
    law("inputs as errors", |random| {
        let text = model(&dividable(random));
        let verdict = |question: &str| judged_by(engine, &text, question).answer.verdict;
        let mut wrong = Vec::new();
        let mut claim = |question: &str, expected: Verdict| {
            let found = verdict(question);
            if found != expected {
                wrong.push(format!("{question}: {found:?}"));
            }
        };
        claim("refinement: A <= A", Verdict::Holds);
        claim("refinement: A \\\\ B <= A \\\\ B", Verdict::Holds);
        claim("refinement: B || (A \\\\ B) <= A", Verdict::Holds);
        claim("refinement: C <= A \\\\ B", verdict("refinement: B || C <= A"));
        let is_consistent = verdict("consistency: A") == Verdict::Holds;
        (text.clone(), wrong, !is_consistent)
    });
}
