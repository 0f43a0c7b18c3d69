//! Splits a zone by a formula over clocks.
//!
//! Invariant: the result has exactly the values of the zone for which the formula has the wanted truth value. Its zones
//! may overlap.

use tempora_evidence::{ClockBound, Rational};
use tempora_model::Comparison;
use tempora_replay::{ClockComparison, ClockFormula, ClockOrigin};

use crate::refusal::Reason;
use crate::zone::{From, LARGEST_CONSTANT, Upper, Zone};

/// The maximal number of zones in a result.
const MOST_PARTS: usize = 20_000;

/// Returns the parts of zones in which a formula has a truth value.
pub(crate) fn split(zones: Vec<Zone>, formula: &ClockFormula, wanted: bool) -> Result<Vec<Zone>, Reason> {
    match formula {
        ClockFormula::Constant(value) => Ok(if *value == wanted { zones } else { Vec::new() }),
        ClockFormula::Not(inner) => split(zones, inner, !wanted),
        ClockFormula::Compare(comparison) => compare(zones, comparison, wanted),
        ClockFormula::And(parts) if wanted => all(zones, parts, true),
        ClockFormula::Or(parts) if !wanted => all(zones, parts, false),
        ClockFormula::And(parts) | ClockFormula::Or(parts) => {
            let mut found = Vec::new();
            for part in parts {
                found.extend(split(zones.clone(), part, wanted)?);
                check_count(&found)?;
            }
            Ok(found)
        }
    }
}

fn all(mut zones: Vec<Zone>, parts: &[ClockFormula], wanted: bool) -> Result<Vec<Zone>, Reason> {
    for part in parts {
        if zones.is_empty() {
            break;
        }
        zones = split(zones, part, wanted)?;
    }
    Ok(zones)
}

fn check_count(zones: &[Zone]) -> Result<(), Reason> {
    if zones.len() > MOST_PARTS {
        return Err(Reason::TooLarge("a clock condition splits into too many zones".to_owned()));
    }
    Ok(())
}

fn compare(zones: Vec<Zone>, comparison: &ClockComparison, wanted: bool) -> Result<Vec<Zone>, Reason> {
    let constant = whole_number(comparison.bound)?;
    let number = |clock: Option<usize>| clock.map_or(0, |clock| clock + 1);
    let (left, right) = (number(comparison.left), number(comparison.right));
    let below = |is_strict| (left, right, Upper::new(constant, is_strict));
    let above = |is_strict| (right, left, Upper::new(-constant, is_strict));
    let how = if wanted { comparison.comparison } else { comparison.comparison.negated() };
    // Each inner list is a conjunction of bounds.
    let parts = match how {
        Comparison::Less => vec![vec![below(true)]],
        Comparison::LessOrEqual => vec![vec![below(false)]],
        Comparison::Equal => vec![vec![below(false), above(false)]],
        Comparison::NotEqual => vec![vec![below(true)], vec![above(true)]],
        Comparison::GreaterOrEqual => vec![vec![above(false)]],
        Comparison::Greater => vec![vec![above(true)]],
    };
    let mut found = Vec::new();
    for zone in zones {
        for part in &parts {
            let bounds = part.iter();
            found.extend(
                bounds.copied().try_fold(zone.clone(), |zone, (left, right, upper)| {
                    zone.constrained(left, right, upper)
                }),
            );
        }
        check_count(&found)?;
    }
    Ok(found)
}

/// Translates a formula over the clocks after a transition into one over the clocks before it.
pub(crate) fn before(formula: &ClockFormula, origins: &[ClockOrigin]) -> Result<ClockFormula, Reason> {
    Ok(match formula {
        ClockFormula::Constant(value) => ClockFormula::Constant(*value),
        ClockFormula::Not(inner) => ClockFormula::Not(Box::new(before(inner, origins)?)),
        ClockFormula::And(parts) => ClockFormula::And(before_all(parts, origins)?),
        ClockFormula::Or(parts) => ClockFormula::Or(before_all(parts, origins)?),
        ClockFormula::Compare(comparison) => {
            let none = ClockOrigin { clock: None, plus: Rational::from_integer(0) };
            let origin = |clock: Option<usize>| clock.map_or(none, |clock| origins[clock]);
            let (left, right) = (origin(comparison.left), origin(comparison.right));
            let moved = i128::from(whole_number(right.plus)?) - i128::from(whole_number(left.plus)?);
            let bound = i64::try_from(i128::from(whole_number(comparison.bound)?) + moved)
                .map_err(|_| too_large_constant())?;
            let bound = Rational::from_integer(bound);
            let comparison = comparison.comparison;
            ClockFormula::Compare(ClockComparison { left: left.clock, right: right.clock, comparison, bound })
        }
    })
}

fn before_all(parts: &[ClockFormula], origins: &[ClockOrigin]) -> Result<Vec<ClockFormula>, Reason> {
    parts.iter().map(|part| before(part, origins)).collect()
}

/// Returns the sources of clocks in the form of zones.
pub(crate) fn sources(origins: &[ClockOrigin]) -> Result<Vec<From>, Reason> {
    let source = |origin: &ClockOrigin| {
        let plus = whole_number(origin.plus)?;
        Ok(From { clock: origin.clock.map_or(0, |clock| clock + 1), plus })
    };
    origins.iter().map(source).collect()
}

/// Returns a number as a bound of zones.
fn whole_number(number: Rational) -> Result<i64, Reason> {
    if !number.is_integer() {
        return Err(Reason::Unsupported("clock bounds that are not integers".to_owned()));
    }
    let number = number.to_integer();
    if number.unsigned_abs() > LARGEST_CONSTANT as u64 {
        return Err(too_large_constant());
    }
    Ok(number)
}

fn too_large_constant() -> Reason {
    Reason::Unsupported("a clock bound that is too large".to_owned())
}

/// Returns the values of zones that violate some bound, in disjoint zones if the given ones are disjoint.
pub(crate) fn outside(zones: Vec<Zone>, bounds: &[ClockBound]) -> Vec<Zone> {
    let mut found = Vec::new();
    for zone in zones {
        let mut inside = Some(zone);
        for bound in bounds {
            let Some(zone) = inside.take() else { break };
            let number = |clock: Option<u32>| clock.map_or(0, |clock| clock as usize + 1);
            let (left, right) = (number(bound.left), number(bound.right));
            let beyond = Upper::new(-bound.constant, !bound.is_strict);
            found.extend(zone.clone().constrained(right, left, beyond));
            inside = zone.constrained(left, right, Upper::new(bound.constant, bound.is_strict));
        }
    }
    found
}

/// Returns whether all values of a zone satisfy all bounds.
pub(crate) fn is_within(zone: &Zone, bounds: &[ClockBound]) -> bool {
    bounds.iter().all(|bound| zone.is_within(bound))
}
