//! Delay predecessors and successors that avoid a set.
//!
//! The sets are lists of zones, which may overlap; the operations are exact. For a convex target B and a convex avoided
//! set G, after Cassez, David, Fleury, Larsen and Lime, "Efficient on-the-fly algorithms for the analysis of timed
//! games" (2005): the past of B without that of G, and the past of the part of B before G. Several avoided sets can be
//! avoided together if each can be avoided on the way to the earliest value of B, so the results are intersected.
//! Successors are the same with time reversed.

use crate::refusal::Reason;
use crate::zone::Zone;

/// The maximal number of zones in a result.
const MOST_ZONES: usize = 20_000;

/// Returns the values from which a delay reaches a target without entering the avoided set, its end included.
pub(crate) fn predecessors(targets: &[Zone], avoided: &[Zone]) -> Result<Vec<Zone>, Reason> {
    avoiding(targets, avoided, Zone::down)
}

/// Returns the values that a delay reaches from a source without entering the avoided set, its end included.
pub(crate) fn successors(sources: &[Zone], avoided: &[Zone]) -> Result<Vec<Zone>, Reason> {
    avoiding(sources, avoided, Zone::up)
}

/// Returns the values of zones outside another one, in disjoint zones if the given ones are disjoint.
pub(crate) fn without(zones: Vec<Zone>, removed: &Zone) -> Result<Vec<Zone>, Reason> {
    let found: Vec<Zone> = zones.into_iter().flat_map(|zone| zone.minus(removed)).collect();
    check_count(&found)?;
    Ok(found)
}

/// Returns the values of zones outside all of some others.
pub(crate) fn without_all(mut zones: Vec<Zone>, removed: &[Zone]) -> Result<Vec<Zone>, Reason> {
    for one in removed {
        if zones.is_empty() {
            break;
        }
        zones = without(zones, one)?;
    }
    Ok(zones)
}

/// Returns the values that are in a zone of each list.
pub(crate) fn common_of_all(zones: &[Zone], others: &[Zone]) -> Result<Vec<Zone>, Reason> {
    let mut found: Vec<Zone> = Vec::new();
    for zone in zones {
        for other in others {
            if let Some(part) = zone.clone().within(other) {
                keep(&mut found, part);
            }
        }
        check_count(&found)?;
    }
    Ok(found)
}

/// Adds a zone, unless another includes it.
fn keep(zones: &mut Vec<Zone>, zone: Zone) {
    if !zones.iter().any(|known| zone.is_part_of(known)) {
        zones.retain(|known| !known.is_part_of(&zone));
        zones.push(zone);
    }
}

fn avoiding(ends: &[Zone], avoided: &[Zone], shadow: fn(Zone) -> Zone) -> Result<Vec<Zone>, Reason> {
    let mut found = Vec::new();
    for end in ends {
        let mut from = vec![shadow(end.clone())];
        for one in avoided {
            let behind = shadow(one.clone());
            let mut clear = without(vec![shadow(end.clone())], &behind)?;
            let before: Vec<Zone> = end.clone().within(&behind).into_iter().collect();
            clear.extend(without(before, one)?.into_iter().map(shadow));
            from = common_of_all(&from, &clear)?;
            if from.is_empty() {
                break;
            }
        }
        for zone in from {
            keep(&mut found, zone);
        }
        check_count(&found)?;
    }
    Ok(found)
}

fn check_count(zones: &[Zone]) -> Result<(), Reason> {
    if zones.len() > MOST_ZONES {
        return Err(Reason::TooLarge("the delay successors split into too many zones".to_owned()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use tempora_evidence::ClockBound;

    use super::*;

    fn random(state: &mut u64) -> u64 {
        *state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        *state >> 33
    }

    fn random_bounds(state: &mut u64) -> Vec<ClockBound> {
        let clock = |number: u64| if number == 0 { None } else { Some(number as u32 - 1) };
        (0..1 + random(state) % 4)
            .filter_map(|_| {
                let (left, right) = (random(state) % 3, random(state) % 3);
                let constant = random(state) as i64 % 7 - 3;
                let is_strict = random(state).is_multiple_of(2);
                (left != right).then(|| ClockBound {
                    left: clock(left),
                    right: clock(right),
                    constant,
                    is_strict,
                })
            })
            .collect()
    }

    fn random_sets(state: &mut u64) -> Vec<Vec<ClockBound>> {
        (0..random(state) % 3).map(|_| random_bounds(state)).collect()
    }

    fn zones(sets: &[Vec<ClockBound>]) -> Vec<Zone> {
        sets.iter().filter_map(|bounds| Zone::of_bounds(2, bounds)).collect()
    }

    /// Returns whether values, in quarters, satisfy all bounds of one of the sets.
    fn is_in(values: [i64; 2], sets: &[Vec<ClockBound>]) -> bool {
        let value = |clock: Option<u32>| clock.map_or(0, |clock| values[clock as usize]);
        let satisfies = |bound: &ClockBound| {
            let difference = value(bound.left) - value(bound.right);
            if bound.is_strict { difference < 4 * bound.constant } else { difference <= 4 * bound.constant }
        };
        sets.iter().any(|bounds| bounds.iter().all(satisfies))
    }

    fn is_in_zones(values: [i64; 2], zones: &[Zone]) -> bool {
        let is_inside = |zone: &Zone| {
            let tempora_replay::ClockFormula::And(bounds) = zone.formula() else { return false };
            bounds.iter().all(|bound| {
                let tempora_replay::ClockFormula::Compare(compared) = bound else { return false };
                let value = |clock: Option<usize>| clock.map_or(0, |clock| values[clock]);
                let difference = value(compared.left) - value(compared.right);
                let constant = 4 * compared.bound.to_integer();
                match compared.comparison {
                    tempora_model::Comparison::Less => difference < constant,
                    _ => difference <= constant,
                }
            })
        };
        zones.iter().any(is_inside)
    }

    /// Steps of a quarter hit every set between values in steps of a half.
    #[test]
    fn delays_avoid_forbidden_sets() {
        let mut state = 11;
        let mut found = [0; 2];
        for _ in 0..400 {
            let (targets, avoided) = (random_sets(&mut state), random_sets(&mut state));
            let before = predecessors(&zones(&targets), &zones(&avoided)).unwrap();
            let after = successors(&zones(&targets), &zones(&avoided)).unwrap();
            let rest = without_all(zones(&targets), &zones(&avoided)).unwrap();
            let both = common_of_all(&zones(&targets), &zones(&avoided)).unwrap();
            for values in (0..18).flat_map(|one| (0..18).map(move |other| [2 * one, 2 * other])) {
                let at = |delay: i64| values.map(|value| value + delay);
                let (in_targets, in_avoided) = (is_in(values, &targets), is_in(values, &avoided));
                assert_eq!(is_in_zones(values, &rest), in_targets && !in_avoided);
                assert_eq!(is_in_zones(values, &both), in_targets && in_avoided);
                let leads_there = (0..60)
                    .take_while(|&delay| !is_in(at(delay), &avoided))
                    .any(|delay| is_in(at(delay), &targets));
                assert_eq!(is_in_zones(values, &before), leads_there, "{targets:?} {avoided:?} {values:?}");
                let comes_from = (0..=values[0].min(values[1]))
                    .take_while(|&delay| !is_in(at(-delay), &avoided))
                    .any(|delay| is_in(at(-delay), &targets));
                assert_eq!(is_in_zones(values, &after), comes_from, "{targets:?} {avoided:?} {values:?}");
                found[0] += u32::from(leads_there && !in_targets);
                found[1] += u32::from(comes_from && !in_targets);
            }
        }
        assert!(found[0] > 1000 && found[1] > 1000, "{found:?}");
    }
}
