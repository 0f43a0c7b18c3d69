//! Components of expressions: each refines its expression and is refined by it.
//!
//! A component is printed, parsed and compared like any other. `GAMES_CASES=20000` makes the run long.

use tempora_model::{ComputedComponent, ComputedCondition};

use crate::support::{
    Random, cases, harsh_specification, model, random_operand, random_specification, relaxed, verdict,
};
use crate::written_components::{component_text, computed_component as made};

/// Returns the model with a component added.
fn with(text: &str, component: &ComputedComponent) -> String {
    let (before, system) = text.split_once("system ").unwrap();
    format!("{before}{}system Made, {system}", component_text(component, "Made"))
}

/// The number of cases that were equal in both directions.
#[derive(Default)]
struct Count {
    equal: u64,
    split: u64,
}

fn compare(text: &str, expression: &str, seed: u64, count: &mut Count) {
    let whole = made(text, &format!("get-component: {expression}")).unwrap();
    let pruned = made(text, &format!("prune: {expression}"));
    let small = made(text, &format!("bisim-minim: {expression}")).unwrap();
    assert!(
        small.locations.len() <= whole.locations.len() && small.edges.len() <= whole.edges.len(),
        "seed {seed}: {expression} is larger when it is minimised\n{text}\n{}\n{}",
        component_text(&whole, "Whole"),
        component_text(&small, "Small")
    );
    let is_consistent = verdict(text, &format!("consistency: {expression}")) == Ok(true);
    assert!(!is_consistent || pruned.is_some(), "seed {seed}: {text}");
    for (form, component) in
        [("get-component", Some(&whole)), ("prune", pruned.as_ref()), ("bisim-minim", Some(&small))]
    {
        let Some(component) = component else { continue };
        let extended = with(text, component);
        let show = || format!("seed {seed}, {form}: {expression}\n{extended}");
        if !is_consistent {
            // The component of an inconsistent expression is inconsistent.
            assert!(form == "prune" || verdict(&extended, "consistency: Made") != Ok(true), "{}", show());
        } else {
            assert_eq!(verdict(&extended, "consistency: Made"), Ok(true), "{}", show());
        }
        for question in
            [format!("refinement: Made <= {expression}"), format!("refinement: {expression} <= Made")]
        {
            assert_eq!(verdict(&extended, &question), Ok(true), "{question}: {}", show());
        }
        if form == "prune" {
            assert_eq!(verdict(&extended, "local-consistency: Made"), Ok(true), "{}", show());
        }
        count.equal += 1;
        let guards = component.edges.values().flat_map(|edge| &edge.guard);
        let invariants = component.locations.values().flat_map(|location| &location.invariant);
        let is_difference =
            |condition: &ComputedCondition| matches!(condition, ComputedCondition::Difference { .. });
        count.split += u64::from(guards.chain(invariants).any(is_difference));
    }
}

fn law(name: &str, least_equal: u64, mut case: impl FnMut(&mut Random) -> (String, &'static str)) -> Count {
    let total = cases(120);
    let mut count = Count::default();
    for seed in 0..total {
        let (text, expression) = case(&mut Random::new(seed));
        compare(&text, expression, seed, &mut count);
    }
    assert!(count.equal * 100 >= total * least_equal, "{name}: {} of {total} cases", count.equal);
    count
}

#[test]
fn component_equals_itself() {
    law("component", 100, |random| {
        let one = if random.chance(50) {
            harsh_specification(random, &["a", "b"], &["c", "d"], 2, 4)
        } else {
            random_specification(random, &["a", "b"], &["c", "d"], 2, 4)
        };
        (model(&[one]), "A")
    });
}

#[test]
fn composition_equals_its_component() {
    law("composition", 100, |random| {
        let one = random_operand(random, &["a", "d"], &["c"], 2, 3);
        let other = random_operand(random, &["c", "b"], &["d"], 1, 3);
        (model(&[one, other]), "(A || B)")
    });
}

#[test]
fn conjunction_equals_its_component() {
    let count = law("conjunction", 60, |random| {
        let one = random_specification(random, &["a", "b"], &["c", "d"], 2, 3);
        let other = if random.chance(60) {
            relaxed(random, &one)
        } else {
            harsh_specification(random, &["a", "b"], &["c", "d"], 2, 3)
        };
        (model(&[one, other]), "(A && B)")
    });
    assert!(count.split > 0, "no invariant had to be taken apart");
}

#[test]
fn quotient_equals_its_component() {
    let count = law("quotient", 20, |random| {
        let whole = random_operand(random, &["a"], &["c", "d"], 1, 3);
        let whole = if random.chance(60) { relaxed(random, &whole) } else { whole };
        let part = random_operand(random, &["a", "d"], &["c"], 1, 3);
        (model(&[whole, part]), "(A \\\\ B)")
    });
    assert!(count.split > 0, "nothing had to be taken apart");
}

#[test]
fn merges_bisimilar_locations() {
    let text = "broadcast chan a, b;
process A {
    clock x;
    init location L0 { invariant x <= 5; }
    location L1 { invariant x <= 5; }
    location L2 { invariant x <= 5; }
    L0 -> L1 { guard x >= 2; sync b!; do x = 0; }
    L1 -> L2 { guard x >= 2; sync b!; do x = 0; }
    L2 -> L0 { guard x >= 2; sync b!; do x = 0; }
    L2 -> L2 { sync a?; }
}
system A;
";
    let (whole, small) = (made(text, "get-component: A").unwrap(), made(text, "bisim-minim: A").unwrap());
    assert_eq!((whole.locations.len(), small.locations.len()), (3, 1), "{}", component_text(&small, "A"));
}
