//! The engine against a checker over clock regions, on random specifications and combinations of them.
//!
//! Invariant: the checker knows no zones and shares no code with the engine. It goes through regions one by one, with the
//! definitions of the theory: an expression is a state for each region, what is bad is a fixpoint over all of them.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::collections::BTreeSet;

use support::{
    Bound, GREATEST, Random, Specification, cases, harsh_specification, model, random_specification, relaxed,
    verdict,
};

/// A region: for each clock its integer part, `None` above all constants, and the rank of its fraction, zero for none.
type Region = Vec<(Option<u32>, u32)>;

fn normal(mut region: Region) -> Region {
    for clock in &mut region {
        if clock.0.is_none() {
            clock.1 = 0;
        }
    }
    let mut ranks: Vec<u32> = region.iter().filter(|clock| clock.1 > 0).map(|clock| clock.1).collect();
    ranks.sort_unstable();
    ranks.dedup();
    for clock in &mut region {
        if clock.1 > 0 {
            clock.1 = 1 + ranks.iter().position(|&rank| rank == clock.1).unwrap() as u32;
        }
    }
    region
}

/// The next region that time leads to; `None` if time changes nothing any more.
fn later(region: &Region) -> Option<Region> {
    if region.iter().all(|clock| clock.0.is_none()) {
        return None;
    }
    let mut next = region.clone();
    if region.iter().any(|clock| clock.0.is_some() && clock.1 == 0) {
        for clock in &mut next {
            clock.1 += 1;
            if clock.0 == Some(GREATEST) && clock.1 == 1 {
                clock.0 = None;
            }
        }
    } else {
        let most = region.iter().map(|clock| clock.1).max().unwrap();
        for clock in &mut next {
            if let (Some(whole), true) = (clock.0, clock.1 == most) {
                *clock = (Some(whole + 1), 0);
            }
        }
    }
    Some(normal(next))
}

fn satisfies(region: &[(Option<u32>, u32)], bound: &Bound) -> bool {
    let (whole, rank) = region[bound.clock];
    let Some(whole) = whole else { return !bound.is_upper };
    match (bound.is_upper, bound.is_strict) {
        (true, true) => whole < bound.constant,
        (true, false) => whole < bound.constant || (whole == bound.constant && rank == 0),
        (false, true) => whole > bound.constant || (whole == bound.constant && rank > 0),
        (false, false) => whole >= bound.constant,
    }
}

/// An expression.
enum Expression {
    Leaf(usize),
    Composition(Box<Node>, Box<Node>),
    Conjunction(Box<Node>, Box<Node>),
    Quotient(Box<Node>, Box<Node>),
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum State {
    Leaf(usize, u32),
    Pair(Box<State>, Box<State>),
    /// Everything is allowed.
    Universal,
    /// What must not be reached.
    Error,
}

/// An expression with what is bad in it.
struct Node {
    expression: Expression,
    clocks: usize,
    inputs: BTreeSet<&'static str>,
    outputs: BTreeSet<&'static str>,
    bad: BTreeSet<(State, Region)>,
}

/// Where an action leads: the state, and the clocks that are set to zero.
type Target = (State, Vec<usize>);

struct Oracle<'specifications> {
    specifications: &'specifications [Specification],
}

impl Oracle<'_> {
    fn node(&self, expression: Expression) -> Node {
        let (clocks, inputs, outputs) = match &expression {
            Expression::Leaf(number) => {
                let leaf = &self.specifications[*number];
                (leaf.clocks, leaf.inputs.iter().copied().collect(), leaf.outputs.iter().copied().collect())
            }
            Expression::Composition(left, right) => {
                let outputs: BTreeSet<_> = left.outputs.union(&right.outputs).copied().collect();
                let inputs = left.inputs.union(&right.inputs).copied().filter(|name| !outputs.contains(name));
                (left.clocks + right.clocks, inputs.collect(), outputs.clone())
            }
            Expression::Conjunction(left, right) => (
                left.clocks + right.clocks,
                left.inputs.union(&right.inputs).copied().collect(),
                left.outputs.union(&right.outputs).copied().collect(),
            ),
            Expression::Quotient(whole, part) => (
                whole.clocks + part.clocks,
                whole.inputs.union(&part.outputs).copied().collect(),
                whole
                    .outputs
                    .difference(&part.outputs)
                    .chain(part.inputs.difference(&whole.inputs))
                    .copied()
                    .collect(),
            ),
        };
        let needs_pruning = !matches!(expression, Expression::Composition(..));
        let mut node = Node { expression, clocks, inputs, outputs, bad: BTreeSet::new() };
        if needs_pruning {
            node.bad = self.bad(&node);
        }
        node
    }

    fn initial(&self, node: &Node) -> State {
        match &node.expression {
            Expression::Leaf(_) => State::Leaf(0, 0),
            Expression::Composition(left, right)
            | Expression::Conjunction(left, right)
            | Expression::Quotient(left, right) => {
                State::Pair(Box::new(self.initial(left)), Box::new(self.initial(right)))
            }
        }
    }

    /// Whether a state is allowed, before pruning.
    fn is_allowed(&self, node: &Node, state: &State, region: &Region) -> bool {
        match (&node.expression, state) {
            // By the rules of the quotient time always goes on; where the whole cannot be and the part can, an error is next.
            (_, State::Universal) | (Expression::Quotient(..), State::Pair(..)) => true,
            (_, State::Error) => false,
            (Expression::Leaf(number), State::Leaf(location, _)) => {
                self.specifications[*number].locations[*location].iter().all(|bound| satisfies(region, bound))
            }
            (
                Expression::Composition(left, right) | Expression::Conjunction(left, right),
                State::Pair(one, other),
            ) => {
                let (first, second) = split(region, left.clocks);
                self.is_good(left, one, &first) && self.is_good(right, other, &second)
            }
            _ => unreachable!(),
        }
    }

    fn is_good(&self, node: &Node, state: &State, region: &Region) -> bool {
        self.is_allowed(node, state, region) && !node.bad.contains(&(state.clone(), region.clone()))
    }

    /// What a state becomes when time has led to a region: beside a part that cannot be there, anything.
    fn settled(&self, node: &Node, state: State, region: &Region) -> State {
        match (&node.expression, state) {
            (
                Expression::Composition(left, right)
                | Expression::Conjunction(left, right)
                | Expression::Quotient(left, right),
                State::Pair(one, other),
            ) => {
                let (first, second) = split(region, left.clocks);
                let (one, other) = (self.settled(left, *one, &first), self.settled(right, *other, &second));
                if matches!(node.expression, Expression::Quotient(..))
                    && !self.is_good(right, &other, &second)
                {
                    return State::Universal;
                }
                State::Pair(Box::new(one), Box::new(other))
            }
            (_, state) => state,
        }
    }

    /// Where an action leads, before pruning.
    fn raw_targets(&self, node: &Node, state: &State, region: &Region, action: &'static str) -> Vec<Target> {
        match (&node.expression, state) {
            (_, State::Universal) => vec![(State::Universal, Vec::new())],
            (_, State::Error) => Vec::new(),
            (Expression::Leaf(number), State::Leaf(location, data)) => {
                let leaf = &self.specifications[*number];
                let mut targets = Vec::new();
                for edge in leaf.edges.iter().filter(|edge| edge.source == *location && edge.action == action)
                {
                    let is_enabled = edge.guard.iter().all(|bound| satisfies(region, bound))
                        && edge.data.is_none_or(|value| value == *data);
                    let target = State::Leaf(edge.target, edge.assigned.unwrap_or(*data));
                    if is_enabled && self.is_allowed(node, &target, &reset(region, &edge.resets)) {
                        targets.push((target, edge.resets.clone()));
                    }
                }
                // An input that no edge takes is ignored.
                if targets.is_empty() && leaf.inputs.contains(&action) {
                    targets.push((state.clone(), Vec::new()));
                }
                targets
            }
            (
                Expression::Composition(left, right) | Expression::Conjunction(left, right),
                State::Pair(one, other),
            ) => {
                let (first, second) = split(region, left.clocks);
                let pairs = |ones: Vec<Target>, others: Vec<Target>| {
                    let mut targets = Vec::new();
                    for (state_one, resets_one) in &ones {
                        for (state_other, resets_other) in &others {
                            targets.push(joined(
                                left.clocks,
                                state_one,
                                resets_one,
                                state_other,
                                resets_other,
                            ));
                        }
                    }
                    targets
                };
                let stay = |state: &State| vec![(state.clone(), Vec::new())];
                match (knows(left, action), knows(right, action)) {
                    (true, true) => pairs(
                        self.targets(left, one, &first, action),
                        self.targets(right, other, &second, action),
                    ),
                    (true, false) => pairs(self.targets(left, one, &first, action), stay(other)),
                    _ => pairs(stay(one), self.targets(right, other, &second, action)),
                }
            }
            (Expression::Quotient(whole, part), State::Pair(one, other)) => {
                let (first, second) = split(region, whole.clocks);
                if !self.is_good(part, other, &second) {
                    return vec![(State::Universal, Vec::new())];
                }
                let of_whole = self.targets(whole, one, &first, action);
                let of_part = self.targets(part, other, &second, action);
                if part.outputs.contains(action) && of_part.is_empty() {
                    return vec![(State::Universal, Vec::new())];
                }
                if part.outputs.contains(action) && whole.outputs.contains(action) && of_whole.is_empty() {
                    return vec![(State::Error, Vec::new())];
                }
                let stay = |state: &State| vec![(state.clone(), Vec::new())];
                let (ones, others) = match (knows(whole, action), knows(part, action)) {
                    (true, true) => (of_whole, of_part),
                    (true, false) => (of_whole, stay(other)),
                    _ => (stay(one), of_part),
                };
                let mut targets = Vec::new();
                for (state_one, resets_one) in &ones {
                    for (state_other, resets_other) in &others {
                        targets.push(joined(whole.clocks, state_one, resets_one, state_other, resets_other));
                    }
                }
                targets
            }
            _ => unreachable!(),
        }
    }

    /// Where an action leads: outputs only to what is good.
    fn targets(&self, node: &Node, state: &State, region: &Region, action: &'static str) -> Vec<Target> {
        let mut targets = self.raw_targets(node, state, region, action);
        targets.retain(|(target, resets)| self.is_good(node, target, &reset(region, resets)));
        targets
    }

    /// The states that cannot be saved.
    fn bad(&self, node: &Node) -> BTreeSet<(State, Region)> {
        let start = (self.initial(node), vec![(Some(0), 0); node.clocks]);
        let mut known: BTreeSet<(State, Region)> = BTreeSet::from([start.clone()]);
        let mut waiting = vec![start];
        let actions: Vec<&'static str> = node.inputs.union(&node.outputs).copied().collect();
        while let Some((state, region)) = waiting.pop() {
            let mut next = Vec::new();
            if !self.is_allowed(node, &state, &region) {
                continue;
            }
            if let Some(region) = later(&region) {
                next.push((self.settled(node, state.clone(), &region), region));
            }
            for action in &actions {
                for (target, resets) in self.raw_targets(node, &state, &region, action) {
                    next.push((target, reset(&region, &resets)));
                }
            }
            for place in next {
                if known.insert(place.clone()) {
                    waiting.push(place);
                }
            }
        }
        let mut bad: BTreeSet<(State, Region)> = BTreeSet::new();
        loop {
            let before = bad.len();
            for (state, region) in &known {
                if self.is_bad(node, state, region, &bad) {
                    bad.insert((state.clone(), region.clone()));
                }
            }
            if bad.len() == before {
                return bad;
            }
        }
    }

    fn is_bad(&self, node: &Node, state: &State, region: &Region, bad: &BTreeSet<(State, Region)>) -> bool {
        if *state == State::Error || !self.is_allowed(node, state, region) {
            return true;
        }
        if let (Expression::Quotient(whole, part), State::Pair(one, other)) = (&node.expression, state) {
            let (first, second) = split(region, whole.clocks);
            if self.is_good(part, other, &second) && !self.is_good(whole, one, &first) {
                return true;
            }
        }
        let is_lost = |target: &Target| bad.contains(&(target.0.clone(), reset(region, &target.1)));
        let throws =
            |action: &&&'static str| self.raw_targets(node, state, region, action).iter().any(is_lost);
        if node.inputs.iter().any(|action| throws(&action)) {
            return true;
        }
        let saves = |action: &&'static str| {
            self.raw_targets(node, state, region, action).iter().any(|target| !is_lost(target))
        };
        if node.outputs.iter().any(saves) {
            return false;
        }
        match later(region) {
            None => false,
            Some(next) => {
                let after = self.settled(node, state.clone(), &next);
                !self.is_allowed(node, &after, &next) || bad.contains(&(after, next))
            }
        }
    }

    fn is_consistent(&self, node: &Node) -> bool {
        self.is_good(node, &self.initial(node), &vec![(Some(0), 0); node.clocks])
    }

    /// Whether the first refines the second; both are consistent.
    fn refines(&self, left: &Node, right: &Node) -> bool {
        let start = (self.initial(left), self.initial(right), vec![(Some(0), 0); left.clocks + right.clocks]);
        let mut known = BTreeSet::from([start.clone()]);
        let mut waiting = vec![start];
        let actions: BTreeSet<&'static str> = [&left.inputs, &left.outputs, &right.inputs, &right.outputs]
            .into_iter()
            .flatten()
            .copied()
            .collect();
        while let Some((one, other, region)) = waiting.pop() {
            let (first, second) = split(&region, left.clocks);
            let mut next = Vec::new();
            if let Some(region) = later(&region) {
                let (first, second) = split(&region, left.clocks);
                let (one, other) =
                    (self.settled(left, one.clone(), &first), self.settled(right, other.clone(), &second));
                if self.is_good(left, &one, &first) {
                    if !self.is_good(right, &other, &second) {
                        return false;
                    }
                    next.push((one, other, region));
                }
            }
            for &action in &actions {
                let stay = |state: &State| vec![(state.clone(), Vec::new())];
                let ones = match knows(left, action) {
                    true => self.targets(left, &one, &first, action),
                    false => stay(&one),
                };
                let others = match knows(right, action) {
                    true => self.targets(right, &other, &second, action),
                    false => stay(&other),
                };
                let is_refused = if left.outputs.contains(action) {
                    !ones.is_empty() && others.is_empty()
                } else {
                    !others.is_empty() && ones.is_empty()
                };
                if is_refused {
                    return false;
                }
                for (state_one, resets_one) in &ones {
                    for (state_other, resets_other) in &others {
                        let (_, resets) =
                            joined(left.clocks, state_one, resets_one, state_other, resets_other);
                        next.push((state_one.clone(), state_other.clone(), reset(&region, &resets)));
                    }
                }
            }
            for place in next {
                if known.insert(place.clone()) {
                    waiting.push(place);
                }
            }
        }
        true
    }
}

fn knows(node: &Node, action: &str) -> bool {
    node.inputs.contains(action) || node.outputs.contains(action)
}

fn split(region: &Region, clocks: usize) -> (Region, Region) {
    (normal(region[..clocks].to_vec()), normal(region[clocks..].to_vec()))
}

fn reset(region: &Region, resets: &[usize]) -> Region {
    let mut region = region.clone();
    for &clock in resets {
        region[clock] = (Some(0), 0);
    }
    normal(region)
}

fn joined(offset: usize, one: &State, resets_one: &[usize], other: &State, resets_other: &[usize]) -> Target {
    if *one == State::Error || *other == State::Error {
        return (State::Error, Vec::new());
    }
    let resets = resets_one.iter().copied().chain(resets_other.iter().map(|clock| clock + offset)).collect();
    (State::Pair(Box::new(one.clone()), Box::new(other.clone())), resets)
}

/// Compares verdicts on random cases; each must come out both ways in a tenth of the cases at least.
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
