//! The removed states of a part of a specification: sets of clock values for each discrete state.
//!
//! [`crate::certified_part`] adds only states shown to be bad. Clocks are numbered within the part.

use std::collections::BTreeMap;

use tempora_evidence::{CertifiedLeaves, ClockBound, LeafState, Rational};
use tempora_model::Comparison;
use tempora_replay::{ClockComparison, ClockFormula};

use crate::nodes::{Key, add_to_key};
use crate::zone::From;

/// The removed values, by discrete state.
#[derive(Default)]
pub(crate) struct Removed {
    by_discrete_state: BTreeMap<Key, Vec<Vec<ClockBound>>>,
}

impl Removed {
    pub(crate) fn add(&mut self, node: &CertifiedLeaves) {
        self.by_discrete_state.entry(key(&node.leaves)).or_default().push(node.bounds.clone());
    }

    /// Returns the clock condition under which a state is removed, for a part whose clocks are numbered from
    /// `clocks_before`.
    pub(crate) fn at(&self, states: &[LeafState], clocks_before: usize) -> ClockFormula {
        let sets = self.by_discrete_state.get(&key(states)).into_iter().flatten();
        ClockFormula::Or(sets.map(|bounds| formula_of(bounds, clocks_before)).collect())
    }
}

/// Returns a discrete state as numbers.
pub(crate) fn key(states: &[LeafState]) -> Key {
    let mut key = Key::new();
    for state in states {
        key.push(i64::from(state.location.0));
        state.values.iter().for_each(|value| add_to_key(value, &mut key));
    }
    key
}

/// Returns the conjunction of bounds, with clocks numbered from `clocks_before`.
fn formula_of(bounds: &[ClockBound], clocks_before: usize) -> ClockFormula {
    let clock = |clock: Option<u32>| clock.map(|clock| clock as usize + clocks_before);
    let comparison = |bound: &ClockBound| {
        ClockFormula::Compare(ClockComparison {
            left: clock(bound.left),
            right: clock(bound.right),
            comparison: if bound.is_strict { Comparison::Less } else { Comparison::LessOrEqual },
            bound: Rational::from_integer(bound.constant),
        })
    };
    ClockFormula::And(bounds.iter().map(comparison).collect())
}

/// Translates a formula over the clocks after a move into one over the clocks before it.
pub(crate) fn before_move(formula: &ClockFormula, sources: &[From]) -> ClockFormula {
    let all = |parts: &[ClockFormula]| parts.iter().map(|part| before_move(part, sources)).collect();
    match formula {
        ClockFormula::Constant(value) => ClockFormula::Constant(*value),
        ClockFormula::Not(inner) => ClockFormula::Not(Box::new(before_move(inner, sources))),
        ClockFormula::And(parts) => ClockFormula::And(all(parts)),
        ClockFormula::Or(parts) => ClockFormula::Or(all(parts)),
        ClockFormula::Compare(compared) => {
            let source = |clock: Option<usize>| match clock {
                None => From { clock: 0, plus: 0 },
                Some(clock) => sources[clock],
            };
            let (left, right) = (source(compared.left), source(compared.right));
            ClockFormula::Compare(ClockComparison {
                left: left.clock.checked_sub(1),
                right: right.clock.checked_sub(1),
                comparison: compared.comparison,
                bound: compared.bound + Rational::from_integer(right.plus)
                    - Rational::from_integer(left.plus),
            })
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::formula::split;
    use crate::zone::Zone;

    /// A formula and its translation select the same part of each zone.
    #[test]
    fn formulas_before_moves_select_same_values() {
        let bound = |left, right, constant| ClockBound { left, right, constant, is_strict: false };
        let below = formula_of(&[bound(Some(0), None, 2), bound(None, Some(1), -1)], 0);
        let sources = [From { clock: 2, plus: 1 }, From { clock: 0, plus: 3 }];
        let before = before_move(&below, &sources);
        for constants in [[0, 0], [1, 4], [3, 1], [2, 2]] {
            let fixed =
                |clock: u32, value: i64| [bound(Some(clock), None, value), bound(None, Some(clock), -value)];
            let bounds = [fixed(0, constants[0]), fixed(1, constants[1])].concat();
            let point = Zone::of_bounds(2, &bounds).unwrap();
            let after = split(vec![point.set(&sources)], &below, true).unwrap();
            let moved = split(vec![point], &before, true).unwrap();
            assert_eq!(after.is_empty(), moved.is_empty(), "{constants:?}");
        }
        let shifted = formula_of(&[bound(Some(0), None, 2)], 1);
        let ClockFormula::And(parts) = shifted else { panic!("a conjunction") };
        assert!(matches!(&parts[0], ClockFormula::Compare(compared) if compared.left == Some(1)));
    }
}
