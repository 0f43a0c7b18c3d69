//! Inductive invariants of symbolic systems: those of engines are accepted, wrong ones are refused.

use std::sync::Arc;

use tempora_certify::{AcceptedInvariant, Reason, Refusal, verify_invariant};
use tempora_evidence::{Budget, InductiveInvariant, Progress};
use tempora_smt::{
    Enumeration, Operator, Sort, SymbolicNames, TermStore, find_solver, read_expressions, read_term,
};
use tempora_source::{Files, Origins};
use tempora_symbolic::{CegarEngine, InvariantSource, find_invariant};
use tempora_transition::{StateVariableId, SymbolicSystem, read_system};

/// A system with every kind of statement: the number cycles from zero to three; a loop adds one twice and subtracts it
/// again.
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

/// Returns an invariant with these terms, which may have any sort and contain local variables.
fn invariant(system: &SymbolicSystem, formulas: &[&str]) -> InductiveInvariant {
    let mut store = system.store.clone();
    let mut names = SymbolicNames::default();
    for variable in system.variables.values() {
        names.terms.insert(variable.name.clone(), store.symbol(variable.symbol));
    }
    let read = |text: &&str| {
        let expressions = read_expressions(text).unwrap();
        read_term(&mut store, &names, &expressions[0]).unwrap()
    };
    let formulas = formulas.iter().map(read).collect();
    InductiveInvariant::new(system, store, formulas)
}

fn verified(system: &SymbolicSystem, invariant: &InductiveInvariant) -> Result<AcceptedInvariant, Refusal> {
    let budget = Budget::unlimited();
    verify_invariant(system, &system.properties[0], invariant, find_solver(None).unwrap(), &budget)
}

fn checked(system: &SymbolicSystem, formulas: &[&str]) -> Result<AcceptedInvariant, Refusal> {
    verified(system, &invariant(system, formulas))
}

#[test]
fn accepts_invariants_of_engines() {
    let system = system(SYSTEM);
    for source in [InvariantSource::States(100), InvariantSource::Abstraction(CegarEngine::default())] {
        let found =
            find_invariant(&system, 0, &source, &Budget::unlimited(), &Progress::new()).unwrap().unwrap();
        let texts: Vec<String> = found.texts().collect();
        // The initial condition, two edges, and the property at two locations.
        let obligations = verified(&system, &found).map(|accepted| accepted.obligations);
        assert_eq!(obligations, Ok(5), "{source:?}: {texts:?}");
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        assert_eq!(invariant(&system, &texts), found, "the printed invariant parses to the same invariant");
        assert!(checked(&system, &texts).is_ok(), "{texts:?}");
    }
}

#[test]
fn rejects_wrong_invariants() {
    let system = system(SYSTEM);
    let small = "(and (>= x 0) (<= x 3))";
    assert!(checked(&system, &[small, small]).is_ok());
    let reason = |formulas: &[&str]| checked(&system, formulas).unwrap_err().reason;
    assert!(matches!(reason(&["(= x 1)", small]), Reason::StartIsNotCovered(_)));
    // From two the number becomes three.
    assert!(matches!(reason(&[small, "(and (>= x 0) (<= x 2))"]), Reason::SuccessorIsNotCovered(_)));
    // The first edge sets p to an arbitrary value.
    assert!(matches!(reason(&[small, "(and (>= x 0) (<= x 3) (not p))"]), Reason::SuccessorIsNotCovered(_)));
    assert!(matches!(reason(&["(<= x 3)", "(<= x 3)"]), Reason::Bad));
    assert!(matches!(reason(&[small]), Reason::IllFormed(_)));
    assert!(matches!(reason(&[small, "(+ x 1)"]), Reason::IllFormed(_)));
    // A local variable is arbitrary between steps.
    assert!(matches!(reason(&[small, "(and (>= x 0) (<= x 3) (= t 0))"]), Reason::IllFormed(_)));
}

#[test]
fn rejects_terms_that_are_not_state_formulas() {
    let system = system(SYSTEM);
    let good = invariant(&system, &["(<= x 3)", "(<= x 3)"]);
    let reason = |invariant: &InductiveInvariant| match verified(&system, invariant).unwrap_err() {
        Refusal { reason: Reason::IllFormed(why), node, .. } => (node, why),
        other => panic!("{other:?}"),
    };
    let with_second = |store: TermStore, formula| InductiveInvariant {
        store: Arc::new(store),
        formulas: vec![good.formulas[0], formula],
        ..good.clone()
    };
    let store = || good.store.as_ref().clone();

    // The value of a variable after a step is another symbol with the same name.
    let mut other = store();
    let after = other.add_symbol("p", Sort::Boolean);
    let formula = other.symbol(after);
    assert_eq!(reason(&with_second(other, formula)).0, Some(1));

    let mut other = store();
    let foreign = other.add_symbol("foreign", Sort::Boolean);
    let formula = other.symbol(foreign);
    let (node, why) = reason(&with_second(other.clone(), formula));
    assert!(node == Some(1) && why.contains("`foreign`"), "{why}");
    // Listing it as a variable does not make it one.
    let mut listed = with_second(other, formula);
    listed.variables.push(foreign);
    assert_eq!(reason(&listed), (Some(1), why));

    // A variable with the same name and another sort.
    let mut other = TermStore::new();
    let number = other.add_symbol("x", Sort::Boolean);
    let formula = other.symbol(number);
    let claimed =
        InductiveInvariant { store: Arc::new(other), variables: vec![number], formulas: vec![formula; 2] };
    let (node, why) = reason(&claimed);
    assert!(node == Some(0) && why.contains("another sort"), "{why}");

    // Ids of another store.
    let mut larger = store();
    let beyond = larger.integer(123_456);
    let formula = larger.equal(beyond, larger.symbol(system.variables[StateVariableId(0)].symbol));
    assert_eq!(reason(&with_second(store(), formula)).0, Some(1));
    let unknown = (0..9).map(|_| larger.add_symbol("q", Sort::Boolean)).last().unwrap();
    assert_eq!(reason(&InductiveInvariant { variables: vec![unknown], ..good.clone() }).0, None);

    // Enumerations of another system.
    let mut other = store();
    other.add_enumeration(Enumeration { name: "E".to_owned(), literals: vec!["a".to_owned()] });
    assert_eq!(reason(&with_second(other, good.formulas[1])).0, None);

    // Nested too deeply to traverse.
    let mut other = store();
    let mut formula = good.formulas[0];
    for _ in 0..700 {
        formula = other.apply(Operator::Not, &[formula]).unwrap();
    }
    assert!(reason(&with_second(other, formula)).1.contains("deep"));
}

#[test]
fn rejects_every_invariant_of_violated_property() {
    let wrong = system(&SYSTEM.replace("(<= x 3)))", "(<= x 2)))").replace("(<= x 3))\n", "(<= x 2))\n"));
    assert_eq!(
        find_invariant(&wrong, 0, &InvariantSource::States(100), &Budget::unlimited(), &Progress::new()),
        Ok(None)
    );
    for formula in ["true", "false", "(and (>= x 0) (<= x 2))", "(and (>= x 0) (<= x 3))"] {
        assert!(checked(&wrong, &[formula, formula]).is_err(), "{formula}");
    }
}

/// Only the second branch of the choice violates the invariant, from three to zero.
#[test]
fn checks_every_branch_of_a_choice() {
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
