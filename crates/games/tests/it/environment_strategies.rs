//! Plays the environment's strategies, region by region, against every move of inconsistent specifications.
//!
//! Invariant: the player shares only the strategy itself with the engine; see `support/regions.rs`.

use std::collections::BTreeMap;

use tempora_evidence::{Budget, LeafState, Rational};
use tempora_games::{EnvironmentMove, EnvironmentStrategy, InputCompletion, environment_strategy};
use tempora_model::{LocationId, Network, QueryKind, SpecificationQuery, Value};

use crate::support::regions::{Expression, Node, Oracle, Region, State, later, reset};
use crate::support::{self, GREATEST, Random, cases, harsh_specification, model, random_specification, task};

struct Player<'play> {
    oracle: &'play Oracle<'play>,
    node: &'play Node,
    strategy: &'play EnvironmentStrategy,
    network: &'play Network,
    /// The visited states, and whether all plays from there have ended.
    met: BTreeMap<(State, Region), bool>,
}

impl Player<'_> {
    /// Fails unless the environment wins all plays from a state.
    fn play(&mut self, state: State, region: &Region) -> Result<(), String> {
        let place = (state.clone(), region.clone());
        match self.met.insert(place.clone(), false) {
            Some(true) => {
                self.met.insert(place, true);
                return Ok(());
            }
            Some(false) => return Err(format!("the play does not end at {place:?}")),
            None => {}
        }
        match self.advice(&state, region) {
            None => return Err(format!("there is no rule for {place:?}")),
            Some(EnvironmentMove::Won) => return Err("no location is inconsistent here".to_owned()),
            Some(EnvironmentMove::Send(channel)) => {
                let names = ["a", "b", "c", "d"];
                let sent = &self.network.variables[channel.variable].name;
                let action = names.into_iter().find(|name| name == sent).unwrap();
                if !self.node.inputs.contains(action) {
                    return Err(format!("`{action}` is not an input"));
                }
                for (target, resets) in self.oracle.raw_targets(self.node, &state, region, action) {
                    self.play(target, &reset(region, &resets))?;
                }
            }
            Some(EnvironmentMove::Wait) => {
                for action in &self.node.outputs {
                    for (target, resets) in self.oracle.raw_targets(self.node, &state, region, action) {
                        self.play(target, &reset(region, &resets))?;
                    }
                }
                let Some(next) = later(region) else {
                    return Err(format!("delays are unbounded at {place:?}"));
                };
                let after = self.oracle.settled(self.node, state, &next);
                if self.oracle.is_allowed(self.node, &after, &next) {
                    self.play(after, &next)?;
                }
            }
        }
        self.met.insert(place, true);
        Ok(())
    }

    fn advice(&self, state: &State, region: &Region) -> Option<EnvironmentMove> {
        let mut leaves = Vec::new();
        add_leaves(state, &mut leaves);
        let parts = i64::from(region.iter().map(|clock| clock.1).max().unwrap_or(0)) + 1;
        let value = |&(whole, rank): &(Option<u32>, u32)| match whole {
            Some(whole) => Rational::from_integer(i64::from(whole)) + Rational::new(i64::from(rank), parts),
            None => Rational::from_integer(i64::from(GREATEST) + 1),
        };
        self.strategy.advice(&leaves, &region.iter().map(value).collect::<Vec<_>>())
    }
}

fn add_leaves(state: &State, leaves: &mut Vec<LeafState>) {
    match state {
        State::Leaf(location, data) => leaves.push(LeafState {
            location: LocationId(*location as u32),
            values: vec![Value::Integer(*data as i32)],
        }),
        State::Pair(left, right) => {
            add_leaves(left, leaves);
            add_leaves(right, leaves);
        }
        State::Universal | State::Error => {}
    }
}

/// Plays against random inconsistent specifications; at least a tenth must be inconsistent.
fn play_all(
    name: &str,
    question: &str,
    mut case: impl FnMut(&mut Random) -> (Vec<support::Specification>, bool),
) {
    let count = cases(400);
    let (mut asked, mut played) = (0, 0);
    for seed in 0..count {
        let (specifications, is_conjunction) = case(&mut Random::new(seed + 40_000));
        let oracle = Oracle { specifications: &specifications };
        let mut nodes: Vec<Node> =
            (0..specifications.len()).map(|number| oracle.node(Expression::Leaf(number))).collect();
        if is_conjunction && !nodes.iter().all(|node| oracle.is_consistent(node)) {
            continue;
        }
        asked += 1;
        let node = if is_conjunction {
            let (right, left) = (nodes.pop().unwrap(), nodes.pop().unwrap());
            oracle.node(Expression::Conjunction(Box::new(left), Box::new(right)))
        } else {
            nodes.pop().unwrap()
        };
        let text = model(&specifications);
        let task = task(&text, &[question]);
        let QueryKind::Specification { components, question: SpecificationQuery::Consistency(expression) } =
            &task.queries[0].kind
        else {
            panic!("another question");
        };
        let budget = Budget::unlimited();
        let strategy =
            environment_strategy(components, expression, InputCompletion::default(), &budget).unwrap();
        assert_eq!(strategy.is_none(), oracle.is_consistent(&node), "{name}, seed {seed}\n{text}");
        let Some(strategy) = strategy else { continue };
        played += 1;
        let start = (oracle.initial(&node), vec![(Some(0), 0); node.clocks]);
        let mut player = Player {
            oracle: &oracle,
            node: &node,
            strategy: &strategy,
            network: components,
            met: BTreeMap::new(),
        };
        let result = player.play(start.0, &start.1);
        assert_eq!(result, Ok(()), "{name}, seed {seed}\n{text}");
    }
    assert!(played * 10 >= asked && played > 0, "{name}: {played} of {asked} were played");
}

#[test]
fn components() {
    play_all("components", "consistency: A", |random| {
        (vec![harsh_specification(random, &["a", "b"], &["c", "d"], 2, 4)], false)
    });
}

#[test]
fn conjunctions() {
    play_all("conjunctions", "consistency: A && B", |random| {
        let first = random_specification(random, &["a", "b"], &["c", "d"], 1, 3);
        let second = random_specification(random, &["a", "b"], &["c", "d"], 1, 3);
        (vec![first, second], true)
    });
}
