//! Compares every operation of `Federation`, and zone subtraction, with their definitions on points.

use tempora_zones::{ClockUpdate, Federation, Relation, Zone};

use crate::oracle::{
    self, Case, NaiveZone, Point, Scale, any_contains, assert_same_federation, check_cases, clock,
    constraint_of, dimension, federation_of, is_after, is_before, is_inside_for_some, is_reached,
    is_reached_avoiding_bad, naive_of, random_update, rationals, reaches_good_avoiding_bad, updated, zone_of,
};

/// Draws a random federation and records it in the case.
fn draw(case: &mut Case, label: &str, scale: Scale) -> (Vec<NaiveZone>, Federation) {
    let naive = scale.random_zones(&mut case.random);
    case.note(label, &naive);
    let federation = federation_of(scale.clocks, &naive);
    (naive, federation)
}

/// Draws a federation that covers the given one in half of the cases: its zones, split and mixed with others, sometimes
/// with one piece missing or trimmed.
fn draw_cover(case: &mut Case, scale: Scale, zones: &[NaiveZone]) -> (Vec<NaiveZone>, Federation) {
    let random = &mut case.random;
    let mut pieces = Vec::new();
    for zone in zones {
        let first_cut = scale.random_cut(zone, random);
        let second_cut = scale.random_cut(&zone.and(first_cut.negated()), random);
        pieces.push(scale.loosened(&zone.and(first_cut), random));
        pieces.push(zone.and(first_cut.negated()).and(second_cut));
        pieces.push(zone.and(first_cut.negated()).and(second_cut.negated()));
    }
    if !pieces.is_empty() && random.chance(35) {
        let at = random.below(pieces.len());
        pieces.swap_remove(at);
    }
    if random.chance(30) {
        pieces.push(scale.random_zone(random));
    }
    case.note("cover", &pieces);
    let federation = federation_of(scale.clocks, &pieces);
    (pieces, federation)
}

/// Returns a larger grid, because shifts enlarge constants.
fn enlarged(scale: Scale) -> Scale {
    Scale { largest: scale.largest + 1, ..scale }
}

#[test]
fn union_and_add() {
    check_cases("union_and_add", |case| {
        let scale = Scale::of_case(case);
        let (naive, federation) = draw(case, "federation", scale);
        let (naive_other, other) = draw_cover(case, scale, &naive);
        let denominator = scale.denominator();
        let expected = |point: &Point| {
            any_contains(&naive, point, denominator) || any_contains(&naive_other, point, denominator)
        };
        let (mut united, mut added) = (federation.clone(), federation);
        united.union(other.clone());
        assert_same_federation("union", scale, &united, expected);
        for zone in other.zones() {
            added.add(zone.clone());
        }
        assert_same_federation("add", scale, &added, expected);
        added.add(Zone::empty(dimension(scale.clocks)));
        assert!(added.zones().len() <= united.zones().len());
    });
}

#[test]
fn intersect_and_constrain() {
    check_cases("intersect_and_constrain", |case| {
        let scale = Scale::of_case(case);
        let denominator = scale.denominator();
        let (naive, federation) = draw(case, "federation", scale);
        let (naive_other, other) =
            if case.random.chance(50) { draw(case, "other", scale) } else { draw_cover(case, scale, &naive) };
        let mut both = federation.clone();
        both.intersect(&other).unwrap();
        assert_same_federation("intersect", scale, &both, |point| {
            any_contains(&naive, point, denominator) && any_contains(&naive_other, point, denominator)
        });
        case.outcome("intersection empty", both.is_empty());

        let difference = scale.random_difference(&mut case.random);
        case.note("constraint", &difference);
        let mut constrained = federation;
        constrained.constrain(constraint_of(difference)).unwrap();
        assert_same_federation("constrain", scale, &constrained, |point| {
            any_contains(&naive, point, denominator) && difference.holds(point, denominator)
        });
    });
}

#[test]
fn difference_of_zones() {
    check_cases("difference_of_zones", |case| {
        let scale = Scale::of_case(case);
        let denominator = scale.denominator();
        let naive = scale.random_nonempty_zone(&mut case.random);
        let random = &mut case.random;
        let naive_other = match random.below(5) {
            0 => scale.loosened(&naive, random),
            1 => scale.random_zone(random),
            // A part of the zone, so that several sides of it remain.
            _ => naive.and(scale.random_cut(&naive, random)).and(scale.random_cut(&naive, random)),
        };
        case.note("zones", &(&naive, &naive_other));
        let pieces = zone_of(&naive).minus(&zone_of(&naive_other)).unwrap();
        let found: Vec<NaiveZone> = pieces.iter().map(naive_of).collect();
        assert!(found.iter().all(|piece| !piece.is_empty()), "an empty piece");
        scale.for_each_point(|point| {
            let count = found.iter().filter(|piece| piece.contains(point, denominator)).count();
            let expected = naive.contains(point, denominator) && !naive_other.contains(point, denominator);
            assert_eq!(count, usize::from(expected), "pieces that have {point:?}");
        });
        case.outcome("nothing left", pieces.is_empty());
        case.outcome("several pieces", pieces.len() > 1);
    });
}

#[test]
fn subtract_and_complement() {
    check_cases("subtract_and_complement", |case| {
        let scale = Scale::of_case(case);
        let denominator = scale.denominator();
        let (naive, federation) = draw(case, "federation", scale);
        let (naive_other, other) =
            if case.random.chance(50) { draw(case, "other", scale) } else { draw_cover(case, scale, &naive) };
        let mine = |point: &Point| any_contains(&naive, point, denominator);
        let theirs = |point: &Point| any_contains(&naive_other, point, denominator);

        let mut rest = federation.clone();
        rest.subtract(&other).unwrap();
        assert_same_federation("subtract", scale, &rest, |point| mine(point) && !theirs(point));
        case.outcome("nothing left", rest.is_empty());
        if let Some(first) = naive_other.first() {
            let mut rest = federation.clone();
            rest.subtract_zone(&zone_of(first)).unwrap();
            assert_same_federation("subtract_zone", scale, &rest, |point| {
                mine(point) && !first.contains(point, denominator)
            });
        }
        let complement = federation.complement().unwrap();
        assert_same_federation("complement", scale, &complement, |point| !mine(point));
    });
}

/// Checks algebraic laws by the library's own exact comparison, which the other tests check against points.
#[test]
fn laws() {
    check_cases("laws", |case| {
        let scale = Scale::of_case(case);
        let (_, first) = draw(case, "first", scale);
        let (_, second) = draw(case, "second", scale);
        let subtract = |left: &Federation, right: &Federation| {
            let mut result = left.clone();
            result.subtract(right).unwrap();
            result
        };
        let intersect = |left: &Federation, right: &Federation| {
            let mut result = left.clone();
            result.intersect(right).unwrap();
            result
        };
        let unite = |left: &Federation, right: &Federation| {
            let mut result = left.clone();
            result.union(right.clone());
            result
        };
        let (rest, both) = (subtract(&first, &second), intersect(&first, &second));
        assert!(unite(&rest, &both).is_equal_to(&first).unwrap());
        assert!(intersect(&rest, &second).is_empty());
        let (not_first, not_second) = (first.complement().unwrap(), second.complement().unwrap());
        let not_either = unite(&first, &second).complement().unwrap();
        assert!(not_either.is_equal_to(&intersect(&not_first, &not_second)).unwrap());
        let not_both = both.complement().unwrap();
        assert!(not_both.is_equal_to(&unite(&not_first, &not_second)).unwrap());
        assert!(not_first.complement().unwrap().is_equal_to(&first).unwrap());
    });
}

#[test]
fn inclusions() {
    check_cases("inclusions", |case| {
        let scale = Scale::of_case(case);
        let denominator = scale.denominator();
        let (naive, federation) = loop {
            let zones = scale.random_zones(&mut case.random);
            // An empty set is included in everything and would unbalance the outcomes.
            if zones.iter().any(|zone| !zone.is_empty()) || case.random.chance(20) {
                break (zones.clone(), federation_of(scale.clocks, &zones));
            }
        };
        case.note("federation", &naive);
        let (naive_other, other) =
            if case.random.chance(30) { draw(case, "other", scale) } else { draw_cover(case, scale, &naive) };
        let (mut subset, mut superset) = (true, true);
        let mut is_zone_included = vec![true; naive.len()];
        scale.for_each_point(|point| {
            let theirs = any_contains(&naive_other, point, denominator);
            let mut mine = false;
            for (zone, included) in naive.iter().zip(&mut is_zone_included) {
                let is_inside = zone.contains(point, denominator);
                mine |= is_inside;
                *included &= theirs || !is_inside;
            }
            subset &= theirs || !mine;
            superset &= mine || !theirs;
        });
        assert_eq!(case.outcome("subset", federation.is_subset_of(&other).unwrap()), subset);
        assert_eq!(case.outcome("superset", other.is_subset_of(&federation).unwrap()), superset);
        assert_eq!(case.outcome("equal", federation.is_equal_to(&other).unwrap()), subset && superset);
        let expected = match (subset, superset) {
            (true, true) => Relation::Equal,
            (true, false) => Relation::Subset,
            (false, true) => Relation::Superset,
            (false, false) => Relation::Different,
        };
        assert_eq!(federation.relation(&other).unwrap(), expected);
        for (zone, expected) in naive.iter().zip(is_zone_included) {
            let zone = zone_of(zone);
            assert_eq!(case.outcome("zone included", other.includes_zone(&zone).unwrap()), expected);
            if expected && !zone.is_empty() {
                let jointly_only = !other.zones().iter().any(|one| zone.is_subset_of(one));
                case.outcome("only several zones together include it", jointly_only);
            }
        }
        let witness = federation.witness_outside(&other).unwrap();
        assert_eq!(witness.is_none(), subset);
        if let Some(witness) = witness {
            assert!(federation.contains_point(&witness) && !other.contains_point(&witness), "{witness:?}");
        }
    });
}

#[test]
fn points() {
    check_cases("points", |case| {
        let scale = Scale::of_case(case);
        let denominator = scale.denominator();
        let (naive, federation) = draw(case, "federation", scale);
        let inside = federation.point_inside();
        assert_eq!(case.outcome("empty", inside.is_none()), naive.iter().all(NaiveZone::is_empty));
        assert!(inside.is_none_or(|point| federation.contains_point(&point)));
        for _ in 0..10 {
            let mut point = Point::default();
            for coordinate in &mut point[1..=scale.clocks] {
                *coordinate = case.random.between(0, scale.largest * denominator);
            }
            let found = federation.contains_point(&rationals(&point, scale.clocks, denominator));
            assert_eq!(case.outcome("inside", found), any_contains(&naive, &point, denominator));
        }
    });
}

#[test]
fn up_and_down() {
    check_cases("federation_up_and_down", |case| {
        let scale = Scale::of_case(case);
        let (naive, federation) = draw(case, "federation", scale);
        let mut later = federation.clone();
        later.up();
        assert_same_federation("up", scale, &later, |point| is_after(scale, &naive, point));
        let mut earlier = federation;
        earlier.down();
        assert_same_federation("down", scale, &earlier, |point| is_before(scale, &naive, point));
    });
}

#[test]
fn updates() {
    check_cases("federation_updates", |case| {
        let scale = Scale::of_case(case);
        let wide = enlarged(scale);
        let denominator = scale.denominator();
        let (naive, federation) = draw(case, "federation", scale);
        let update = random_update(scale, &mut case.random);
        case.note("update", &update);
        let mut after = federation.clone();
        after.update(update).unwrap();
        assert_same_federation("update", wide, &after, |point| is_reached(wide, &naive, update, point));
        if let ClockUpdate::Reset { clock, value } = update {
            let mut reset = federation.clone();
            reset.reset(clock, value).unwrap();
            assert_same_federation("reset", wide, &reset, |point| is_reached(wide, &naive, update, point));
        }
        let mut before = federation.clone();
        before.weakest_precondition(update).unwrap();
        assert_same_federation("weakest_precondition", wide, &before, |point| {
            any_contains(&naive, &updated(scale, update, point), denominator)
        });
        let at = scale.random_clock(&mut case.random);
        case.note("freed", &at);
        let mut freed = federation;
        freed.free(clock(at));
        assert_same_federation("free", scale, &freed, |point| is_inside_for_some(scale, &naive, point, at));
    });
}

#[test]
fn timed_predecessors() {
    check_cases("timed_predecessors", |case| {
        let scale = Scale::of_case(case);
        let denominator = scale.denominator();
        let (naive_good, good) = draw(case, "good", scale);
        let (naive_bad, bad) = draw(case, "bad", scale);
        let found = good.timed_predecessors(&bad).unwrap();
        assert_same_federation("timed_predecessors", scale, &found, |point| {
            reaches_good_avoiding_bad(scale, point, &naive_good, &naive_bad)
        });
        let mut past = good;
        past.down();
        if !past.is_empty() {
            case.outcome("bad matters", !past.is_equal_to(&found).unwrap());
        }
        let mut passed_by = false;
        scale.for_each_point(|point| {
            passed_by |=
                any_contains(&naive_good, point, denominator) && any_contains(&naive_bad, point, denominator);
        });
        case.outcome("good and bad overlap", passed_by);
    });
}

#[test]
fn timed_successors() {
    check_cases("timed_successors", |case| {
        let scale = Scale::of_case(case);
        let (naive_start, start) = draw(case, "start", scale);
        let (naive_bad, bad) = draw(case, "bad", scale);
        let found = start.timed_successors(&bad).unwrap();
        assert_same_federation("timed_successors", scale, &found, |point| {
            is_reached_avoiding_bad(scale, point, &naive_start, &naive_bad)
        });
        let mut future = start;
        future.up();
        if !future.is_empty() {
            case.outcome("bad matters", !future.is_equal_to(&found).unwrap());
        }
    });
}

#[test]
fn reductions() {
    check_cases("reductions", |case| {
        let scale = Scale::of_case(case);
        let denominator = scale.denominator();
        let whole = [scale.random_nonempty_zone(&mut case.random)];
        let (mut naive, _) = draw_cover(case, scale, &whole);
        for _ in 0..2 {
            // Zones that intersect several pieces.
            let difference = scale.random_cut(&whole[0], &mut case.random);
            naive.push(whole[0].and(difference));
        }
        if case.random.chance(50) {
            naive.extend(scale.random_zones(&mut case.random));
        }
        case.note("federation", &naive);
        let federation = federation_of(scale.clocks, &naive);
        let expected = |point: &Point| any_contains(&naive, point, denominator);
        let [mut reduced, mut without_included, mut without_redundant] = [(); 3].map(|()| federation.clone());
        reduced.reduce().unwrap();
        without_included.drop_included();
        without_redundant.drop_redundant().unwrap();
        for (what, result) in [
            ("reduce", &reduced),
            ("drop_included", &without_included),
            ("drop_redundant", &without_redundant),
        ] {
            assert_same_federation(what, scale, result, expected);
            assert!(result.zones().len() <= federation.zones().len(), "{what} adds zones");
        }
        for result in [&reduced, &without_included, &without_redundant] {
            for (at, zone) in result.zones().iter().enumerate() {
                let others = result.zones().iter().enumerate().filter(|&(other, _)| other != at);
                assert!(
                    !others.into_iter().any(|(_, other)| zone.is_subset_of(other)),
                    "an included zone is left"
                );
            }
        }
        for at in 0..without_redundant.zones().len() {
            let mut others = without_redundant.zones().to_vec();
            let zone = naive_of(&others.swap_remove(at));
            let others: Vec<NaiveZone> = others.iter().map(naive_of).collect();
            let mut is_needed = false;
            scale.for_each_point(|point| {
                is_needed |= zone.contains(point, denominator) && !any_contains(&others, point, denominator);
            });
            assert!(is_needed, "zone {at} is redundant");
        }
        case.outcome("reduce merges zones", reduced.zones().len() < without_included.zones().len());
        case.outcome(
            "several zones make one redundant",
            without_redundant.zones().len() < without_included.zones().len(),
        );
    });
}

#[test]
fn text() {
    let naive = [
        NaiveZone::new(2, vec![oracle::Difference::new(1, 0, 3, true)]),
        NaiveZone::new(2, vec![oracle::Difference::new(1, 2, 0, false)]),
    ];
    let name = |clock: tempora_zones::Clock| ["", "x", "y"][usize::from(clock.0)].to_owned();
    assert_eq!(federation_of(2, &naive).text(name), "(x <= 3) || (x < y)");
    assert_eq!(federation_of(2, &naive[..1]).text(name), "x <= 3");
    assert_eq!(federation_of(2, &[]).text(name), "false");
    assert_eq!(Federation::universe(dimension(2)).text(name), "true");
}
