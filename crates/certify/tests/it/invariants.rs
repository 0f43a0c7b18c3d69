//! Invariants of symbolic systems: those of engines are accepted, wrong ones are not.
//!
//! Invariant: why an invariant is none is said beside it.

use tempora_certify::{AcceptedInvariant, Reason, Refusal, verify_invariant};
use tempora_evidence::{Budget, InductiveInvariant, Progress};
use tempora_smt::find_solver;
use tempora_source::{Files, Origins};
use tempora_symbolic::{CegarEngine, InvariantSource, find_invariant};
use tempora_transition::{SymbolicSystem, read_system};

/// Every kind of statement: the number goes from zero to three and around; a loop adds one twice and takes it away again.
const SYSTEM: &str = r#"
(var x Int) (var t Int local) (var i Int local) (var p Bool)
(location start) (location running)
(initial start (and (= x 0) (not p)))
(edge start running init (havoc p))
(edge running running step
  (do (havoc t) (assume (and (>= t 0) (<= t 1)))
      (choose (do (assume (< x 3)) (set x (+ x t))) (do (assume (>= x 3)) (set x 0)))
      (for i 0 2 (set x (+ x 1)))
      (set x (- x 2))))
(property "small" everywhere (and (>= x 0) (<= x 3)))
"#;

fn system(text: &str) -> SymbolicSystem {
    let mut files = Files::new();
    let file = files.add("model.sym", text).unwrap();
    read_system(file, text, &mut Origins::new()).unwrap()
}

fn checked(system: &SymbolicSystem, formulas: &[&str]) -> Result<AcceptedInvariant, Refusal> {
    let formulas = formulas.iter().map(|formula| (*formula).to_owned()).collect();
    let invariant = InductiveInvariant { formulas };
    let budget = Budget::unlimited();
    verify_invariant(system, &system.properties[0], &invariant, find_solver(None).unwrap(), &budget)
}

#[test]
fn what_engines_find_is_accepted() {
    let system = system(SYSTEM);
    for source in [InvariantSource::States(100), InvariantSource::Abstraction(CegarEngine::default())] {
        let found =
            find_invariant(&system, 0, &source, &Budget::unlimited(), &Progress::new()).unwrap().unwrap();
        let formulas: Vec<&str> = found.formulas.iter().map(String::as_str).collect();
        // The start, two edges, and the property at two locations.
        assert_eq!(
            checked(&system, &formulas).map(|accepted| accepted.obligations),
            Ok(5),
            "{source:?}: {formulas:?}"
        );
    }
}

#[test]
fn what_is_no_invariant_is_refused() {
    let system = system(SYSTEM);
    let small = "(and (>= x 0) (<= x 3))";
    assert!(checked(&system, &[small, small]).is_ok());
    let reason = |formulas: &[&str]| checked(&system, formulas).unwrap_err().reason;
    assert!(matches!(reason(&["(= x 1)", small]), Reason::StartIsNotCovered(_)));
    // From two the number becomes three.
    assert!(matches!(reason(&[small, "(and (>= x 0) (<= x 2))"]), Reason::SuccessorIsNotCovered(_)));
    // The first edge gives p any value.
    assert!(matches!(reason(&[small, "(and (>= x 0) (<= x 3) (not p))"]), Reason::SuccessorIsNotCovered(_)));
    assert!(matches!(reason(&["(<= x 3)", "(<= x 3)"]), Reason::Bad));
    assert!(matches!(reason(&[small]), Reason::IllFormed(_)));
    assert!(matches!(reason(&[small, "(+ x 1)"]), Reason::IllFormed(_)));
    // What has no value between steps can be anything there.
    assert!(matches!(reason(&[small, "(and (>= x 0) (<= x 3) (= t 0))"]), Reason::IllFormed(_)));
}

#[test]
fn nothing_shows_what_does_not_hold() {
    let wrong = system(&SYSTEM.replace("(<= x 3)))", "(<= x 2)))").replace("(<= x 3))\n", "(<= x 2))\n"));
    assert_eq!(
        find_invariant(&wrong, 0, &InvariantSource::States(100), &Budget::unlimited(), &Progress::new()),
        Ok(None)
    );
    for formula in ["true", "false", "(and (>= x 0) (<= x 2))", "(and (>= x 0) (<= x 3))"] {
        assert!(checked(&wrong, &[formula, formula]).is_err(), "{formula}");
    }
}

/// Only the second way of the choice leads out: from three to zero.
#[test]
fn every_way_of_a_choice_counts() {
    let text = r#"
(var x Int)
(location running)
(initial running (= x 1))
(edge running running step
  (choose (do (assume (< x 3)) (set x (+ x 1))) (do (assume (>= x 3)) (set x 0))))
(property "positive" everywhere (>= x 1))
"#;
    let refusal = checked(&system(text), &["(and (>= x 1) (<= x 3))"]).unwrap_err();
    assert!(matches!(refusal.reason, Reason::SuccessorIsNotCovered(_)), "{refusal}");
    let other = system(&text.replace("(set x 0)", "(set x 1)"));
    assert!(checked(&other, &["(and (>= x 1) (<= x 3))"]).is_ok());
}
