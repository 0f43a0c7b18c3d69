//! A checker of specifications over clock regions.
//!
//! Invariant: it knows no zones and shares no code with the engine. It enumerates regions and follows the definitions
//! of the theory: bad states are a fixpoint over all regions.

use std::collections::BTreeSet;

use super::{Bound, GREATEST, Specification};

/// A region: for each clock its integer part, `None` above all constants, and the rank of its fraction, zero for none.
pub(crate) type Region = Vec<(Option<u32>, u32)>;

pub(crate) fn normal(mut region: Region) -> Region {
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

/// Returns the next region by delay; `None` if delays change nothing.
pub(crate) fn later(region: &Region) -> Option<Region> {
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

pub(crate) fn satisfies(region: &[(Option<u32>, u32)], bound: &Bound) -> bool {
    let (whole, rank) = region[bound.clock];
    let Some(whole) = whole else { return !bound.is_upper };
    match (bound.is_upper, bound.is_strict) {
        (true, true) => whole < bound.constant,
        (true, false) => whole < bound.constant || (whole == bound.constant && rank == 0),
        (false, true) => whole > bound.constant || (whole == bound.constant && rank > 0),
        (false, false) => whole >= bound.constant,
    }
}

/// A specification expression.
pub(crate) enum Expression {
    Leaf(usize),
    Composition(Box<Node>, Box<Node>),
    Conjunction(Box<Node>, Box<Node>),
    Quotient(Box<Node>, Box<Node>),
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum State {
    Leaf(usize, u32),
    Pair(Box<State>, Box<State>),
    /// All behaviour is allowed.
    Universal,
    /// The error state.
    Error,
}

/// An expression with its bad states.
pub(crate) struct Node {
    pub(crate) expression: Expression,
    pub(crate) clocks: usize,
    pub(crate) inputs: BTreeSet<&'static str>,
    pub(crate) outputs: BTreeSet<&'static str>,
    pub(crate) bad: BTreeSet<(State, Region)>,
}

/// The target of an action: the state, and the clocks that are reset.
pub(crate) type Target = (State, Vec<usize>);

pub(crate) struct Oracle<'specifications> {
    pub(crate) specifications: &'specifications [Specification],
}

impl Oracle<'_> {
    pub(crate) fn node(&self, expression: Expression) -> Node {
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

    /// Returns a component without pruning.
    pub(crate) fn unpruned(&self, number: usize) -> Node {
        Node { bad: BTreeSet::new(), ..self.node(Expression::Leaf(number)) }
    }

    pub(crate) fn initial(&self, node: &Node) -> State {
        match &node.expression {
            Expression::Leaf(_) => State::Leaf(0, 0),
            // The part has no implementation, so beside it everything refines the whole.
            Expression::Quotient(_, part) if !self.is_consistent(part) => State::Universal,
            Expression::Composition(left, right)
            | Expression::Conjunction(left, right)
            | Expression::Quotient(left, right) => {
                State::Pair(Box::new(self.initial(left)), Box::new(self.initial(right)))
            }
        }
    }

    /// Returns whether a state is allowed, before pruning.
    pub(crate) fn is_allowed(&self, node: &Node, state: &State, region: &Region) -> bool {
        match (&node.expression, state) {
            // In a quotient delays are unbounded; a delay out of the whole but within the part leads to an error.
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

    pub(crate) fn is_good(&self, node: &Node, state: &State, region: &Region) -> bool {
        self.is_allowed(node, state, region) && !node.bad.contains(&(state.clone(), region.clone()))
    }

    /// Returns the state after a delay: a quotient becomes universal when its part is left.
    pub(crate) fn settled(&self, node: &Node, state: State, region: &Region) -> State {
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

    /// Returns the targets of an action, before pruning.
    pub(crate) fn raw_targets(
        &self,
        node: &Node,
        state: &State,
        region: &Region,
        action: &'static str,
    ) -> Vec<Target> {
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
                // An input without an edge is ignored.
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

    /// Returns the targets of an action; outputs lead only to good states.
    pub(crate) fn targets(
        &self,
        node: &Node,
        state: &State,
        region: &Region,
        action: &'static str,
    ) -> Vec<Target> {
        let mut targets = self.raw_targets(node, state, region, action);
        targets.retain(|(target, resets)| self.is_good(node, target, &reset(region, resets)));
        targets
    }

    /// Returns the bad states.
    pub(crate) fn bad(&self, node: &Node) -> BTreeSet<(State, Region)> {
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

    pub(crate) fn is_bad(
        &self,
        node: &Node,
        state: &State,
        region: &Region,
        bad: &BTreeSet<(State, Region)>,
    ) -> bool {
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

    pub(crate) fn is_consistent(&self, node: &Node) -> bool {
        self.is_good(node, &self.initial(node), &vec![(Some(0), 0); node.clocks])
    }

    /// Returns whether the first specification refines the second; both are consistent.
    pub(crate) fn refines(&self, left: &Node, right: &Node) -> bool {
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

pub(crate) fn knows(node: &Node, action: &str) -> bool {
    node.inputs.contains(action) || node.outputs.contains(action)
}

pub(crate) fn split(region: &Region, clocks: usize) -> (Region, Region) {
    (normal(region[..clocks].to_vec()), normal(region[clocks..].to_vec()))
}

pub(crate) fn reset(region: &Region, resets: &[usize]) -> Region {
    let mut region = region.clone();
    for &clock in resets {
        region[clock] = (Some(0), 0);
    }
    normal(region)
}

pub(crate) fn joined(
    offset: usize,
    one: &State,
    resets_one: &[usize],
    other: &State,
    resets_other: &[usize],
) -> Target {
    if *one == State::Error || *other == State::Error {
        return (State::Error, Vec::new());
    }
    let resets = resets_one.iter().copied().chain(resets_other.iter().map(|clock| clock + offset)).collect();
    (State::Pair(Box::new(one.clone()), Box::new(other.clone())), resets)
}
