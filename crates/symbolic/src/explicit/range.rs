//! Computes the range of an open integer that a formula implies.
//!
//! Invariant: the range contains every value for which the formula can hold, and possibly others.

use tempora_smt::{Integer, Operator, Term, TermId, TermStore, Value};

use super::evaluate::{Positions, evaluate};

/// A range of integers; a missing end is unbounded.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Range {
    pub(crate) low: Option<Integer>,
    pub(crate) high: Option<Integer>,
}

impl Range {
    fn empty() -> Range {
        Range { low: Some(Integer::from(1)), high: Some(Integer::ZERO) }
    }

    fn is_empty(&self) -> bool {
        matches!((&self.low, &self.high), (Some(low), Some(high)) if low > high)
    }

    /// Returns the intersection.
    pub(crate) fn intersection(self, other: Range) -> Range {
        let low = match (self.low, other.low) {
            (Some(left), Some(right)) => Some(left.max(right)),
            (left, right) => left.or(right),
        };
        let high = match (self.high, other.high) {
            (Some(left), Some(right)) => Some(left.min(right)),
            (left, right) => left.or(right),
        };
        Range { low, high }
    }

    /// Returns the smallest range that contains both.
    fn hull(self, other: Range) -> Range {
        if self.is_empty() {
            return other;
        }
        if other.is_empty() {
            return self;
        }
        let low = self.low.zip(other.low).map(|(left, right)| left.min(right));
        let high = self.high.zip(other.high).map(|(left, right)| left.max(right));
        Range { low, high }
    }

    /// Returns all values, up to a maximal number.
    pub(crate) fn values(&self, most: i64) -> Option<Vec<Value>> {
        let (low, high) = (self.low.as_ref()?, self.high.as_ref()?);
        if low > high {
            return Some(Vec::new());
        }
        let count = high.subtract(low).to_i64().filter(|count| *count < most)?;
        Some((0..=count).map(|offset| Value::Integer(low.add(&Integer::from(offset)))).collect())
    }
}

/// Returns the range of the variable at a position for which the formula can have this truth value.
pub(crate) fn range_of(
    store: &TermStore,
    positions: &Positions,
    state: &[Option<Value>],
    position: usize,
    formula: TermId,
    expected: bool,
) -> Range {
    match evaluate(store, positions, state, formula) {
        Ok(Some(Value::Boolean(value))) if value != expected => return Range::empty(),
        Ok(Some(_)) => return Range::default(),
        _ => {}
    }
    let Term::Apply(operator, arguments) = store.term(formula) else { return Range::default() };
    let below =
        |argument: TermId, expected: bool| range_of(store, positions, state, position, argument, expected);
    match (operator, arguments.as_ref()) {
        (Operator::Not, [inner]) => below(*inner, !expected),
        (Operator::And | Operator::Or, _) => {
            let ranges = arguments.iter().map(|argument| below(*argument, expected));
            if (*operator == Operator::And) == expected {
                ranges.fold(Range::default(), Range::intersection)
            } else {
                ranges.fold(Range::empty(), Range::hull)
            }
        }
        (Operator::Equal, [left, right]) if expected => {
            let (low, high) = (
                bound(store, positions, state, position, *left, *right),
                bound(store, positions, state, position, *right, *left),
            );
            match low.or(high) {
                Some((value, _)) => Range { low: Some(value.clone()), high: Some(value) },
                None => Range::default(),
            }
        }
        (Operator::LessEqual | Operator::Less, [left, right]) => {
            // The negation of `left <= right` is `right < left`.
            let (left, right, is_strict) = match (expected, operator) {
                (true, operator) => (*left, *right, *operator == Operator::Less),
                (false, operator) => (*right, *left, *operator == Operator::LessEqual),
            };
            let one = Integer::from(1);
            if let Some((value, is_negative)) = bound(store, positions, state, position, left, right) {
                return match (is_negative, is_strict) {
                    (false, false) => Range { low: None, high: Some(value) },
                    (false, true) => Range { low: None, high: Some(value.subtract(&one)) },
                    (true, false) => Range { low: Some(value), high: None },
                    (true, true) => Range { low: Some(value.add(&one)), high: None },
                };
            }
            if let Some((value, is_negative)) = bound(store, positions, state, position, right, left) {
                return match (is_negative, is_strict) {
                    (false, false) => Range { low: Some(value), high: None },
                    (false, true) => Range { low: Some(value.add(&one)), high: None },
                    (true, false) => Range { low: None, high: Some(value) },
                    (true, true) => Range { low: None, high: Some(value.subtract(&one)) },
                };
            }
            Range::default()
        }
        _ => Range::default(),
    }
}

/// If `side` is the variable plus a known term, or a known term minus the variable, and `other` is known: returns the
/// value of the variable at which both sides are equal, and whether the variable is subtracted.
fn bound(
    store: &TermStore,
    positions: &Positions,
    state: &[Option<Value>],
    position: usize,
    side: TermId,
    other: TermId,
) -> Option<(Integer, bool)> {
    let Ok(Some(Value::Integer(other))) = evaluate(store, positions, state, other) else { return None };
    let is_variable = |term: TermId| matches!(store.term(term), Term::Symbol(symbol) if positions.of(*symbol) == Some(position));
    let sign_of = |term: TermId| -> Option<bool> {
        if is_variable(term) {
            return Some(false);
        }
        match store.term(term) {
            Term::Apply(Operator::Multiply, parts) => match parts.as_ref() {
                [factor, variable] if is_variable(*variable) => {
                    (store.as_value(*factor) == Some(&Value::integer(-1))).then_some(true)
                }
                _ => None,
            },
            _ => None,
        }
    };
    let mut rest = Integer::ZERO;
    let mut sign = None;
    let parts = match store.term(side) {
        Term::Apply(Operator::Add, parts) => parts.as_ref(),
        _ => std::slice::from_ref(&side),
    };
    for part in parts {
        match sign_of(*part) {
            Some(found) if sign.is_none() => sign = Some(found),
            Some(_) => return None,
            None => match evaluate(store, positions, state, *part) {
                Ok(Some(Value::Integer(value))) => rest = rest.add(&value),
                _ => return None,
            },
        }
    }
    let difference = other.subtract(&rest);
    Some(if sign? { (difference.negate(), true) } else { (difference, false) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempora_smt::Sort;

    #[test]
    fn comparisons_bound_variable_on_either_side() {
        let mut store = TermStore::new();
        let x = store.add_symbol("x", Sort::Integer);
        let positions = Positions(vec![Some(0)]);
        let x = store.symbol(x);
        let (two, seven) = (store.integer(2), store.integer(7));
        let range =
            |store: &TermStore, formula, expected| range_of(store, &positions, &[None], 0, formula, expected);
        let bounds = |low: Option<i64>, high: Option<i64>| Range {
            low: low.map(Integer::from),
            high: high.map(Integer::from),
        };
        let (low, high) = (store.less_equal(two, x), store.less(x, seven));
        let both = store.and(&[low, high]);
        assert_eq!(range(&store, both, true), bounds(Some(2), Some(6)));
        // Outside of the range the negation gives no bound.
        assert_eq!(range(&store, both, false), bounds(None, None));
        assert_eq!(range(&store, low, false), bounds(None, Some(1)));
        let shifted = store.add(&[x, two]);
        let shifted = store.less_equal(shifted, seven);
        assert_eq!(range(&store, shifted, true), bounds(None, Some(5)));
        let negative = store.negate(x);
        let negative = store.less(negative, seven);
        assert_eq!(range(&store, negative, true), bounds(Some(-6), None));
        let (one_of, other) = (store.equal(x, two), store.equal(x, seven));
        let either = store.or(&[one_of, other]);
        assert_eq!(range(&store, either, true), bounds(Some(2), Some(7)));
        assert_eq!(range(&store, either, true).values(10).map(|values| values.len()), Some(6));
    }
}
