//! Splits zones into disjoint zones in which a formula over clocks holds.
//!
//! Invariant: the result has exactly the values of the zones for which the formula has the wanted truth value, and is
//! disjoint if the zones are. The states removed from a specification are a union of many zones, whose complement would
//! have too many overlapping parts.
//! overlap would be too many.

use tempora_replay::ClockFormula;

use crate::formula::split;
use crate::refusal::Reason;
use crate::zone::Zone;

/// The maximal number of zones in a result.
const MOST_PARTS: usize = 20_000;

/// Returns the parts of zones in which a formula has a truth value.
pub(crate) fn divide(
    mut zones: Vec<Zone>,
    formula: &ClockFormula,
    wanted: bool,
) -> Result<Vec<Zone>, Reason> {
    if zones.is_empty() {
        return Ok(zones);
    }
    match formula {
        ClockFormula::Constant(_) | ClockFormula::Compare(_) => split(zones, formula, wanted),
        ClockFormula::Not(inner) => divide(zones, inner, !wanted),
        ClockFormula::And(parts) | ClockFormula::Or(parts) => {
            if matches!(formula, ClockFormula::And(_)) == wanted {
                for part in parts {
                    zones = divide(zones, part, wanted)?;
                }
                return Ok(zones);
            }
            // Each disjunct is split where the earlier ones do not hold.
            let mut found = Vec::new();
            for part in parts {
                if zones.is_empty() {
                    break;
                }
                found.extend(divide(zones.clone(), part, wanted)?);
                zones = divide(zones, part, !wanted)?;
                if found.len().max(zones.len()) > MOST_PARTS {
                    let why = "a clock condition splits into too many zones".to_owned();
                    return Err(Reason::TooLarge(why));
                }
            }
            Ok(found)
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use tempora_evidence::{ClockBound, Rational};
    use tempora_model::Comparison;
    use tempora_replay::ClockComparison;

    use super::*;

    fn random(state: &mut u64) -> u64 {
        *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        *state >> 33
    }

    fn random_formula(state: &mut u64, depth: u32) -> ClockFormula {
        let parts =
            |state: &mut u64| (0..random(state) % 4).map(|_| random_formula(state, depth - 1)).collect();
        match random(state) % if depth == 0 { 2 } else { 5 } {
            2 => ClockFormula::Not(Box::new(random_formula(state, depth - 1))),
            3 => ClockFormula::And(parts(state)),
            4 => ClockFormula::Or(parts(state)),
            _ => {
                let clocks = [(Some(0), None), (Some(1), None), (Some(0), Some(1))];
                let (left, right) = clocks[random(state) as usize % 3];
                let how =
                    [Comparison::Less, Comparison::Equal, Comparison::NotEqual, Comparison::GreaterOrEqual];
                ClockFormula::Compare(ClockComparison {
                    left,
                    right,
                    comparison: how[random(state) as usize % 4],
                    bound: Rational::from_integer(random(state) as i64 % 4),
                })
            }
        }
    }

    #[test]
    fn parts_are_exact_and_disjoint() {
        let mut state = 5;
        for _ in 0..300 {
            let formula = random_formula(&mut state, 3);
            for wanted in [true, false] {
                let parts = divide(vec![Zone::universe(2)], &formula, wanted).unwrap();
                for values in (0..5).flat_map(|one| (0..5).map(move |other| [one, other])) {
                    let fixed = |clock: u32, constant: i64| {
                        [(Some(clock), None, constant), (None, Some(clock), -constant)].map(
                            |(left, right, constant)| ClockBound { left, right, constant, is_strict: false },
                        )
                    };
                    let bounds = [fixed(0, values[0]), fixed(1, values[1])].concat();
                    let point = Zone::of_bounds(2, &bounds).unwrap();
                    let expected = split(vec![point.clone()], &formula, wanted).unwrap();
                    let containing = parts.iter().filter(|part| point.is_part_of(part)).count();
                    assert_eq!(containing, usize::from(!expected.is_empty()), "{formula:?} {values:?}");
                }
            }
        }
    }
}
