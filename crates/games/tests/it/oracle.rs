//! Compares the engine with a checker over clock regions, on random specifications and their compositions.
//!
//! Invariant: the checker shares no code with the engine; see `support/regions.rs`.

use crate::support::regions::{Expression, Node, Oracle, later, reset};
use crate::support::{Random, cases, harsh_specification, model, random_specification, relaxed, verdict};

/// Compares verdicts on random cases; each verdict must occur in at least a tenth of them.
fn compare(
    name: &str,
    usual: u64,
    mut case: impl FnMut(&mut Random) -> (String, &'static str, Option<bool>),
) {
    let count = cases(usual);
    let (mut asked, mut true_ones) = (0, 0);
    for seed in 0..count {
        let (text, question, expected) = case(&mut Random::new(seed + 77_000));
        let Some(expected) = expected else { continue };
        asked += 1;
        true_ones += u64::from(expected);
        assert_eq!(verdict(&text, question), Ok(expected), "{name}: {question} for seed {seed}:\n{text}");
    }
    assert!(asked * 5 >= count, "{name}: {asked} of {count} cases were asked");
    assert!(
        true_ones * 10 >= asked && (asked - true_ones) * 10 >= asked,
        "{name}: {true_ones} of {asked} hold"
    );
}

const SAME: (&[&str], &[&str]) = (&["a", "b"], &["c", "d"]);

#[test]
fn consistency_of_components() {
    compare("consistency", 400, |random| {
        let specifications = [harsh_specification(random, SAME.0, SAME.1, 2, 4)];
        let oracle = Oracle { specifications: &specifications };
        let expected = oracle.is_consistent(&oracle.node(Expression::Leaf(0)));
        (model(&specifications), "consistency: A", Some(expected))
    });
}

#[test]
fn refinement_of_components() {
    compare("refinement", 250, |random| {
        let first = random_specification(random, SAME.0, SAME.1, 2, 3);
        let second = relaxed(random, &first);
        let specifications = if random.chance(60) { [first, second] } else { [second, first] };
        let oracle = Oracle { specifications: &specifications };
        let (left, right) = (oracle.node(Expression::Leaf(0)), oracle.node(Expression::Leaf(1)));
        let is_asked = oracle.is_consistent(&left) && oracle.is_consistent(&right);
        let expected = is_asked.then(|| oracle.refines(&left, &right));
        (model(&specifications), "refinement: A <= B", expected)
    });
}

#[test]
fn consistency_of_conjunctions() {
    compare("conjunction", 250, |random| {
        let specifications = [
            random_specification(random, SAME.0, SAME.1, 2, 3),
            random_specification(random, SAME.0, SAME.1, 1, 3),
        ];
        let oracle = Oracle { specifications: &specifications };
        let (left, right) = (oracle.node(Expression::Leaf(0)), oracle.node(Expression::Leaf(1)));
        let is_asked = oracle.is_consistent(&left) && oracle.is_consistent(&right);
        let both = oracle.node(Expression::Conjunction(Box::new(left), Box::new(right)));
        (model(&specifications), "consistency: A && B", is_asked.then(|| oracle.is_consistent(&both)))
    });
}

#[test]
fn refinement_of_a_quotient() {
    compare("quotient", 250, |random| {
        let whole = random_specification(random, &["a"], &["c", "d"], 1, 3);
        let whole = if random.chance(60) { relaxed(random, &whole) } else { whole };
        let part = random_specification(random, &["a", "d"], &["c"], 1, 3);
        let other = random_specification(random, &["a", "c"], &["d"], 1, 3);
        let specifications = [whole, part, other];
        let oracle = Oracle { specifications: &specifications };
        let nodes: Vec<Node> = (0..3).map(|number| oracle.node(Expression::Leaf(number))).collect();
        let is_asked = nodes.iter().all(|node| oracle.is_consistent(node));
        let [whole, part, other] = <[Node; 3]>::try_from(nodes).ok().unwrap();
        let expected = is_asked.then(|| {
            let quotient = oracle.node(Expression::Quotient(Box::new(whole), Box::new(part)));
            oracle.is_consistent(&quotient) && oracle.refines(&other, &quotient)
        });
        (model(&specifications), "refinement: C <= A \\\\ B", expected)
    });
}

#[test]
fn refinement_of_a_composition() {
    compare("composition", 200, |random| {
        let whole = random_specification(random, &["a"], &["c", "d"], 1, 3);
        let whole = relaxed(random, &whole);
        let part = random_specification(random, &["a", "d"], &["c"], 1, 2);
        let other = random_specification(random, &["a", "c"], &["d"], 1, 2);
        let specifications = [whole, part, other];
        let oracle = Oracle { specifications: &specifications };
        let nodes: Vec<Node> = (0..3).map(|number| oracle.node(Expression::Leaf(number))).collect();
        let is_asked = nodes.iter().all(|node| oracle.is_consistent(node));
        let [whole, part, other] = <[Node; 3]>::try_from(nodes).ok().unwrap();
        let both = oracle.node(Expression::Composition(Box::new(part), Box::new(other)));
        let expected = is_asked.then(|| oracle.refines(&both, &whole));
        (model(&specifications), "refinement: B || C <= A", expected)
    });
}

#[test]
fn regions_follow_each_other() {
    let start = vec![(Some(0), 0), (Some(0), 0)];
    let next = later(&start).unwrap();
    assert_eq!(next, vec![(Some(0), 1), (Some(0), 1)]);
    assert_eq!(later(&next).unwrap(), vec![(Some(1), 0), (Some(1), 0)]);
    let apart = reset(&vec![(Some(1), 1), (Some(0), 1)], &[1]);
    assert_eq!(later(&apart).unwrap(), vec![(Some(1), 2), (Some(0), 1)]);
    let mut count = 0;
    let mut region = start;
    while let Some(next) = later(&region) {
        region = next;
        count += 1;
    }
    assert_eq!(count, 5);
}
