//! The checker's enumeration of the parts of questions agrees with the engine's.

use tempora_certify::{certified_parts, follows_from_form};
use tempora_games::{holds_by_form, searched_parts};
use tempora_model::{ComponentForm, Id, ProcessId, SpecExpression, SpecificationQuery, StatePredicate};
use tempora_source::{Origin, Origins};

use crate::support::{Random, cases};

fn component(process: u32, origin: Origin) -> SpecExpression {
    SpecExpression::Component { process: ProcessId(process), instance: None, origin }
}

fn random_expression(random: &mut Random, depth: u32, origin: Origin) -> SpecExpression {
    if depth == 0 || random.chance(25) {
        return component(random.below(3), origin);
    }
    let mut operand = || Box::new(random_expression(random, depth - 1, origin));
    let (left, right) = (operand(), operand());
    match random.below(8) {
        0..3 => SpecExpression::Composition(left, right),
        3..6 => SpecExpression::Conjunction(left, right),
        6 => SpecExpression::Quotient(left, right),
        _ => SpecExpression::Restricted(left, Box::new(StatePredicate::Truth(true))),
    }
}

/// Returns the names of parts: components by number, operators in parentheses.
fn names(parts: &[&SpecExpression]) -> Vec<String> {
    fn name(part: &SpecExpression) -> String {
        match part {
            SpecExpression::Component { process, .. } => process.index().to_string(),
            SpecExpression::Composition(left, right) => format!("({} || {})", name(left), name(right)),
            SpecExpression::Conjunction(left, right) => format!("({} && {})", name(left), name(right)),
            SpecExpression::Quotient(left, right) => format!("({} / {})", name(left), name(right)),
            SpecExpression::Restricted(system, _) => format!("({} : p)", name(system)),
        }
    }
    parts.iter().map(|part| name(part)).collect()
}

#[test]
fn checker_and_engine_enumerate_the_same_parts() {
    let origin = Origins::new().built_in("test");
    let (mut by_form, mut with_conjunctions) = (0, 0);
    for seed in 0..cases(2000) {
        let random = &mut Random::new(seed);
        let left = random_expression(random, 4, origin);
        // Random sides are rarely equal.
        let right = match random.chance(30) {
            true => left.clone(),
            false => random_expression(random, 4, origin),
        };
        assert_eq!(follows_from_form(&left, &right), holds_by_form(&left, &right), "seed {seed}");
        by_form += u32::from(follows_from_form(&left, &right));
        let name = None;
        for question in [
            SpecificationQuery::Refinement(left.clone(), right.clone()),
            SpecificationQuery::Consistency(left.clone()),
            SpecificationQuery::Determinism(left.clone()),
            SpecificationQuery::Satisfaction(left.clone(), right),
            SpecificationQuery::Component { system: left, form: ComponentForm::Whole, name },
        ] {
            let parts = names(&certified_parts(&question));
            assert_eq!(parts, names(&searched_parts(&question)), "seed {seed}: {question:?}");
            with_conjunctions += u32::from(parts.iter().any(|part| part.contains("&&")));
        }
    }
    assert!(by_form > 0 && with_conjunctions > 0, "{by_form}, {with_conjunctions}");
}

#[test]
fn parts_are_listed_once_with_operands_first() {
    let origin = Origins::new().built_in("test");
    let leaf = |number| Box::new(component(number, origin));
    let conjunction = SpecExpression::Conjunction(leaf(0), leaf(1));
    let whole = SpecExpression::Composition(Box::new(conjunction.clone()), leaf(0));
    let consistency = SpecificationQuery::Consistency(whole.clone());
    assert_eq!(names(&certified_parts(&consistency)), ["0", "1", "(0 && 1)"]);
    let determinism = SpecificationQuery::Determinism(whole.clone());
    assert_eq!(names(&certified_parts(&determinism)), ["0", "1"]);
    let refinement = SpecificationQuery::Refinement(component(2, origin), whole.clone());
    assert_eq!(names(&certified_parts(&refinement)), ["2", "0", "1", "(0 && 1)"]);
    // Both sides are equal and contain a quotient.
    let quotient = SpecExpression::Quotient(Box::new(conjunction), leaf(2));
    assert!(follows_from_form(&quotient, &quotient) && !follows_from_form(&whole, &whole));
    let by_form = SpecificationQuery::Refinement(quotient.clone(), quotient.clone());
    assert_eq!(names(&certified_parts(&by_form)), ["0", "1", "2"]);
    let other = SpecificationQuery::Refinement(quotient, whole);
    assert_eq!(names(&certified_parts(&other)), ["0", "1", "(0 && 1)", "2"]);
}
