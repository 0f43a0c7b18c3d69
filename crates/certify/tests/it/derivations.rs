//! Derivations of conclusions: right ones are accepted, and each kind of wrong step is refused.

use tempora_certify::{
    Assurance, CheckedAnswer, RefinementClaim, ReplacementStep, certify_conclusion, check_answer,
    verify_derivation,
};
use tempora_evidence::{Answer, Budget, Statistics, Task, UnknownReason, Verdict};
use tempora_model::SpecExpression;

use crate::support::task;

const MODEL: &str = "broadcast chan o, p, q, hidden;
process A { init location L; L -> L { sync o!; } L -> L { sync hidden!; } }
process B { init location L; L -> L { sync o!; } }
process C { init location L; L -> L { sync p!; } }
process D { init location L; L -> L { sync p!; } }
process Listener { init location L; L -> L { sync hidden?; } L -> L { sync q!; } }
process Stuck { clock x; init location L { invariant x <= 3; } }
process Torn { clock x; init location L; location M; L -> L { sync q!; } L -> M { sync q!; } }
process Fine { clock x; init location L { invariant x <= 3; } L -> L { guard x >= 1; sync q!; do x = 0; } }
process Input { init location L; L -> L { sync o?; } L -> L { sync q!; } }
process Both { init location L; L -> L { sync o!; } L -> L { sync p!; } }
system A, B, C, D, Listener, Stuck, Torn, Fine, Input, Both;
";

/// Returns `A || B || …`, grouped from the left.
fn expression(task: &Task, text: &str) -> SpecExpression {
    let component = |name: &str| {
        let found = task.system.network().unwrap().processes.iter().find(|(_, process)| process.name == name);
        let origin = task.queries[0].origin;
        SpecExpression::Component { process: found.unwrap().0, instance: None, origin }
    };
    let mut parts = text.split(" || ").map(component);
    let first = parts.next().unwrap();
    parts.fold(first, |whole, part| SpecExpression::Composition(Box::new(whole), Box::new(part)))
}

/// Checks a derivation; each step has a claim and the compositions around it: `A <= B: A || C <= B || C`.
fn verified(conclusion: &str, steps: &[&str]) -> Result<(), String> {
    let task = task(MODEL, &["determinism: A"]);
    let claim = |text: &str| {
        let (left, right) = text.split_once(" <= ").unwrap();
        (expression(&task, left), expression(&task, right))
    };
    let conclusion = claim(conclusion);
    let steps: Vec<_> = steps
        .iter()
        .map(|step| {
            let (by, between) = step.split_once(": ").unwrap();
            (claim(by), claim(between))
        })
        .collect();
    let steps: Vec<ReplacementStep<'_>> = steps
        .iter()
        .map(|(by, between)| ReplacementStep {
            by: RefinementClaim { left: &by.0, right: &by.1 },
            between: RefinementClaim { left: &between.0, right: &between.1 },
        })
        .collect();
    let conclusion = RefinementClaim { left: &conclusion.0, right: &conclusion.1 };
    verify_derivation(task.system.network().unwrap(), conclusion, &steps, &Budget::unlimited())
        .map_err(|refusal| refusal.to_string())
}

#[test]
fn accepts_right_derivations() {
    assert_eq!(verified("A <= B", &["A <= B: A <= B"]), Ok(()));
    assert_eq!(verified("C || A <= A || C", &[]), Ok(()));
    assert_eq!(
        verified("A || C <= D || B", &["A <= B: C || A <= B || C", "C <= D: B || C <= B || D"]),
        Ok(())
    );
    assert_eq!(
        verified("A || C || Fine <= Both || Fine", &["C || A <= Both: Fine || A || C <= Both || Fine"]),
        Ok(())
    );
    // `Stuck` has no implementation, so the composition refines everything.
    assert_eq!(verified("A || Stuck <= B || Stuck", &["A <= B: A || Stuck <= B || Stuck"]), Ok(()));
}

#[test]
fn rejects_wrong_derivations() {
    let refused = |conclusion: &str, steps: &[&str], why: &str| {
        assert_eq!(verified(conclusion, steps), Err(why.to_owned()), "{conclusion} by {steps:?}");
    };
    refused("A <= B", &[], "the steps do not end in the right side");
    refused("A || C <= B", &["A <= B: A || C <= B || C"], "the steps do not end in the right side");
    refused("C <= D", &["A <= B: C <= D"], "step 1: the replaced part is not in the composition");
    // A replaced operand is removed, and one operand does not count twice.
    refused(
        "A || C <= B || D",
        &["A <= B: A || C <= B || C", "A || C <= Both: B || C <= Both"],
        "step 2: the replaced part is not in the composition",
    );
    refused("A <= B", &["A || A <= B: A <= B"], "step 1: the replaced part is not in the composition");
    refused(
        "A || C <= B || D",
        &["C <= D: A || D <= B || D"],
        "step 1: it does not start where the previous step ends",
    );
    refused(
        "A || C <= B || D",
        &["C <= D: A || C <= B || D"],
        "step 1: it does not end with the composition after the replacement",
    );
    refused("A || A <= A || A", &[], "two operands of a composition share an output");
}

#[test]
fn rejects_mismatched_alphabets_and_operands() {
    let refused = |conclusion: &str, steps: &[&str], why: &str| {
        assert_eq!(verified(conclusion, steps), Err(why.to_owned()), "{conclusion} by {steps:?}");
    };
    refused(
        "A || Listener <= B || Listener",
        &["A <= B: A || Listener <= B || Listener"],
        "step 1: an output that the replacement lacks is an input of another part",
    );
    refused("B <= Both", &["B <= Both: B <= Both"], "step 1: the composition before the step lacks outputs");
    refused(
        "Input <= Fine",
        &["Input <= Fine: Input <= Fine"],
        "step 1: the composition after the step lacks inputs",
    );
    refused(
        "A || Torn <= B || Torn",
        &["A <= B: A || Torn <= B || Torn"],
        "a part that no step replaces: it is not deterministic",
    );
}

/// Certifies an unchecked conclusion by a derivation without steps.
fn concluded_without_steps(conclusion: &str) -> CheckedAnswer {
    let task = task(MODEL, &["determinism: A"]);
    let (left, right) = conclusion.split_once(" <= ").unwrap();
    let (left, right) = (expression(&task, left), expression(&task, right));
    let answer = Answer {
        verdict: Verdict::Holds,
        evidence: Vec::new(),
        caveats: Vec::new(),
        statistics: Statistics::default(),
        engine: "test".to_owned(),
    };
    let budget = Budget::unlimited();
    let answer = check_answer(&task, 0, answer, &budget);
    let conclusion = RefinementClaim { left: &left, right: &right };
    certify_conclusion(task.system.network().unwrap(), conclusion, &[], answer, &budget)
}

#[test]
fn derivation_without_steps_shows_reflexivity_only() {
    for conclusion in ["C || Fine <= Fine || C", "Stuck <= Stuck"] {
        let reflexive = concluded_without_steps(conclusion);
        let found = (&reflexive.answer().verdict, reflexive.assurance());
        assert_eq!(found, (&Verdict::Holds, Assurance::Certified), "{conclusion}");
    }
    // Other operands on the right, and operands that cannot be compared with themselves.
    for conclusion in ["A <= B", "C || C <= C || C", "Torn <= Torn"] {
        let refuted = concluded_without_steps(conclusion);
        assert_eq!(refuted.assurance(), Assurance::Unchecked, "{conclusion}");
        assert!(
            matches!(refuted.answer().verdict, Verdict::Unknown(UnknownReason::EngineBug(_))),
            "{conclusion}: {:?}",
            refuted.answer().verdict
        );
    }
}
