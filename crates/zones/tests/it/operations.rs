//! Compares every operation of `Zone` with its definition on points.

use tempora_zones::{
    Bound, Clock, ClockUpdate, Constraint, NewClockValue, OpenMatrix, Rational, Relation, Zone,
};

use crate::oracle::{
    Case, Difference, NaiveZone, Point, Scale, assert_same_set, assert_tight, assert_well_formed,
    check_cases, check_share_of_cases, clock, constraint_of, dimension, is_after, is_before,
    is_inside_for_some, is_reached, is_satisfiable, naive_of, random_update, rationals, updated, with,
    zone_of,
};

/// Draws a random zone and records it in the case.
fn draw(case: &mut Case) -> (Scale, NaiveZone, Zone) {
    let scale = Scale::of_case(case);
    let naive = scale.random_zone(&mut case.random);
    case.note("zone", &naive);
    let zone = zone_of(&naive);
    (scale, naive, zone)
}

/// Draws a second zone: unrelated, larger, smaller or the same set with other constraints.
fn draw_related(case: &mut Case, scale: Scale, naive: &NaiveZone) -> (NaiveZone, Zone) {
    let random = &mut case.random;
    let other = match random.below(5) {
        0 => scale.random_zone(random),
        1 => scale.loosened(naive, random),
        2 => naive.and_all(&scale.loosened(&scale.random_zone(random), random).constraints),
        3 => scale.rephrased(naive, random),
        _ => {
            let loosened = scale.loosened(naive, random);
            loosened.and(scale.random_difference(random))
        }
    };
    case.note("other", &other);
    let zone = zone_of(&other);
    (other, zone)
}

#[test]
fn simple_zones() {
    for (clocks, largest) in [(2, 3), (3, 2)] {
        let scale = Scale { clocks, largest };
        assert_same_set("zero", scale, &Zone::zero(dimension(clocks)), |point| *point == Point::default());
        assert_same_set("universe", scale, &Zone::universe(dimension(clocks)), |_| true);
        assert_same_set("empty", scale, &Zone::empty(dimension(clocks)), |_| false);
        assert_tight(&Zone::zero(dimension(clocks)), &[naive_of(&Zone::zero(dimension(clocks)))]);
        assert_tight(&Zone::universe(dimension(clocks)), &[NaiveZone::new(clocks, vec![])]);
    }
}

#[test]
fn from_constraints() {
    check_cases("from_constraints", |case| {
        let (scale, naive, zone) = draw(case);
        assert_same_set("from_constraints", scale, &zone, |point| naive.contains(point, scale.denominator()));
        assert_eq!(zone.is_empty(), naive.is_empty());
    });
}

/// Half of the zones here are drawn without an anchor, to balance the outcomes.
#[test]
fn emptiness() {
    check_cases("emptiness", |case| {
        let scale = Scale::of_case(case);
        let mut naive = scale.random_zone(&mut case.random);
        if case.random.chance(50) {
            naive = naive.and(scale.random_difference(&mut case.random));
            naive = naive.and(scale.random_difference(&mut case.random));
        }
        case.note("zone", &naive);
        let constraints: Vec<Constraint> = naive.constraints.iter().copied().map(constraint_of).collect();
        let mut zone = Zone::universe(dimension(scale.clocks));
        let is_inhabited = zone.constrain_all(&constraints).unwrap();
        assert_eq!(case.outcome("inhabited", is_inhabited), !naive.is_empty());
        assert_eq!(zone.is_empty(), naive.is_empty());
    });
}

#[test]
fn constrain() {
    check_cases("constrain", |case| {
        let (scale, naive, mut zone) = draw(case);
        let difference = scale.random_difference(&mut case.random);
        case.note("constraint", &difference);
        let is_inhabited = zone.constrain(constraint_of(difference)).unwrap();
        let expected = naive.and(difference);
        assert_eq!(case.outcome("inhabited", is_inhabited), !expected.is_empty());
        assert_same_set("constrain", scale, &zone, |point| expected.contains(point, scale.denominator()));
    });
}

#[test]
fn constrain_with_one_clock_on_both_sides() {
    let universe = Zone::universe(dimension(2));
    for index in 0..=2 {
        for (constant, weak, is_inhabited) in
            [(0, true, true), (1, false, true), (0, false, false), (-1, true, false)]
        {
            let mut zone = universe.clone();
            let constraint = constraint_of(Difference::new(index, index, constant, weak));
            assert_eq!(zone.satisfies_somewhere(constraint), is_inhabited);
            assert_eq!(zone.satisfies_everywhere(constraint), is_inhabited);
            assert_eq!(zone.constrain(constraint), Ok(is_inhabited));
            assert_eq!(zone.is_empty(), !is_inhabited);
        }
    }
}

#[test]
fn satisfies() {
    check_cases("satisfies", |case| {
        let (scale, naive, zone) = draw(case);
        let difference = scale.random_difference(&mut case.random);
        case.note("constraint", &difference);
        let constraint = constraint_of(difference);
        let somewhere = case.outcome("somewhere", zone.satisfies_somewhere(constraint));
        assert_eq!(somewhere, !naive.and(difference).is_empty());
        let everywhere = case.outcome("everywhere", zone.satisfies_everywhere(constraint));
        assert_eq!(everywhere, naive.and(difference.negated()).is_empty());
    });
}

#[test]
fn negation() {
    check_cases("negation", |case| {
        let (scale, naive, zone) = draw(case);
        let difference = scale.random_difference(&mut case.random);
        case.note("constraint", &difference);
        let constraint = constraint_of(difference);
        let (mut holding, mut failing) = (zone.clone(), zone);
        holding.constrain(constraint).unwrap();
        failing.constrain(constraint.negated().unwrap()).unwrap();
        for (part, wanted) in [(&holding, true), (&failing, false)] {
            assert_same_set("negation", scale, part, |point| {
                naive.contains(point, scale.denominator())
                    && difference.holds(point, scale.denominator()) == wanted
            });
        }
        assert_eq!(constraint.negated().unwrap().negated(), Some(constraint));
        assert_eq!(constraint.is_diagonal(), difference.left != 0 && difference.right != 0);
    });
    let always = Constraint::difference(clock(1), clock(2), Bound::INFINITY);
    assert_eq!(always.negated(), None);
}

/// The bounds' own arithmetic and the named constraints.
#[test]
fn bounds_and_named_constraints() {
    check_cases("bounds_and_named_constraints", |case| {
        let scale = Scale { clocks: 2, largest: 5 };
        let (first, second) =
            (scale.random_difference(&mut case.random), scale.random_difference(&mut case.random));
        let [left, right] = [first, second].map(|difference| constraint_of(difference).bound);
        let weak = first.weak && second.weak;
        assert_eq!(left.plus(right), Bound::finite(first.constant + second.constant, weak));
        assert_eq!((left.constant(), left.is_weak()), (Some(first.constant as i32), first.weak));
        assert_eq!(left.plus(Bound::INFINITY), Ok(Bound::INFINITY));
        let is_smaller = (first.constant, first.weak) < (second.constant, second.weak);
        assert_eq!(case.outcome("smaller", left < right), is_smaller);

        let (at, constant) = (clock(1), first.constant as i32);
        let upper = |weak| constraint_of(Difference::new(1, 0, first.constant, weak));
        let lower = |weak| constraint_of(Difference::new(0, 1, -first.constant, weak));
        assert_eq!(Constraint::at_most(at, constant), Ok(upper(true)));
        assert_eq!(Constraint::less_than(at, constant), Ok(upper(false)));
        assert_eq!(Constraint::at_least(at, constant), Ok(lower(true)));
        assert_eq!(Constraint::greater_than(at, constant), Ok(lower(false)));
    });
}

#[test]
fn intersect() {
    check_cases("intersect", |case| {
        let (scale, naive, mut zone) = draw(case);
        let naive_other = scale.random_zone(&mut case.random);
        case.note("other", &naive_other);
        let other = zone_of(&naive_other);
        let both = naive.and_all(&naive_other.constraints);
        let intersects = case.outcome("intersects", zone.intersects(&other).unwrap());
        assert_eq!(intersects, !both.is_empty());
        assert_eq!(zone.intersect(&other).unwrap(), intersects);
        assert_same_set("intersect", scale, &zone, |point| both.contains(point, scale.denominator()));
    });
}

#[test]
fn up() {
    check_cases("up", |case| {
        let (scale, naive, mut zone) = draw(case);
        zone.up();
        assert_same_set("up", scale, &zone, |point| is_after(scale, std::slice::from_ref(&naive), point));
    });
}

/// The result contains all delayed points, and no bound is looser than necessary: the remaining bounds are those of the
/// zone, which a zero delay attains, and the others bound differences that grow without limit.
#[test]
fn up_except() {
    check_cases("up_except", |case| {
        let (scale, naive, zone) = draw(case);
        let stopped: Vec<usize> = (1..=scale.clocks).filter(|_| case.random.chance(40)).collect();
        case.note("stopped", &stopped);
        let mut later = zone.clone();
        later.up_except(&stopped.iter().map(|&number| clock(number)).collect::<Vec<_>>());
        assert_well_formed(&later);
        let denominator = scale.denominator();
        let after = naive_of(&later);
        scale.for_each_point(|point| {
            for delay in (0..=3 * denominator).step_by(5).filter(|_| naive.contains(point, denominator)) {
                let mut moved = *point;
                for number in (1..=scale.clocks).filter(|number| !stopped.contains(number)) {
                    moved[number] += delay;
                }
                assert!(after.contains(&moved, denominator), "{moved:?} is reached");
            }
        });
        for left in (0..=scale.clocks).filter(|_| !zone.is_empty()) {
            for right in 0..=scale.clocks {
                let grows = left != 0 && !stopped.contains(&left);
                let stays = right == 0 || stopped.contains(&right);
                let expected =
                    if grows && stays { Bound::INFINITY } else { zone.bound(clock(left), clock(right)) };
                assert_eq!(later.bound(clock(left), clock(right)), expected, "{left} - {right}");
            }
        }
    });
}

#[test]
fn down() {
    check_cases("down", |case| {
        let (scale, naive, mut zone) = draw(case);
        zone.down();
        assert_same_set("down", scale, &zone, |point| is_before(scale, std::slice::from_ref(&naive), point));
    });
}

#[test]
fn free() {
    check_cases("free", |case| {
        let (scale, naive, mut zone) = draw(case);
        let freed = scale.random_clock(&mut case.random);
        case.note("clock", &freed);
        zone.free(clock(freed));
        assert_same_set("free", scale, &zone, |point| {
            is_inside_for_some(scale, std::slice::from_ref(&naive), point, freed)
        });
    });
}

/// Returns a larger grid, because shifts enlarge constants.
fn enlarged(scale: Scale) -> Scale {
    Scale { largest: scale.largest + 1, ..scale }
}

#[test]
fn reset_copy_and_shift() {
    check_cases("reset_copy_and_shift", |case| {
        let (scale, naive, zone) = draw(case);
        let update = random_update(scale, &mut case.random);
        case.note("update", &update);
        let (mut direct, mut by_update) = (zone.clone(), zone);
        let is_inhabited = by_update.update(update).unwrap();
        match update {
            ClockUpdate::Reset { clock, value } => direct.reset(clock, value).unwrap(),
            ClockUpdate::Copy { target, from } => direct.copy(target, from),
            ClockUpdate::Shift { clock, amount } => {
                let is_left = direct.shift(clock, amount).unwrap();
                assert_eq!(is_left, !direct.is_empty());
            }
        }
        assert_eq!(direct, by_update);
        assert_eq!(is_inhabited, !by_update.is_empty());
        let wide = enlarged(scale);
        assert_same_set("update", wide, &by_update, |point| {
            is_reached(wide, std::slice::from_ref(&naive), update, point)
        });
    });
}

#[test]
fn shift_down_may_leave_nothing() {
    check_cases("shift_down_may_leave_nothing", |case| {
        let (scale, naive, mut zone) = draw(case);
        let shifted = scale.random_clock(&mut case.random);
        let amount = -case.random.between(1, scale.largest);
        case.note("clock and amount", &(shifted, amount));
        let is_left = zone.shift(clock(shifted), amount as i32).unwrap();
        let high_enough = naive.and(Difference::new(0, shifted, amount, true));
        assert_eq!(case.outcome("left", is_left), !high_enough.is_empty());
        assert_same_set("shift", scale, &zone, |point| {
            let before = with(point, shifted, point[shifted] - amount * scale.denominator());
            naive.contains(&before, scale.denominator())
        });
    });
}

#[test]
fn weakest_precondition() {
    check_cases("weakest_precondition", |case| {
        let (scale, naive, mut zone) = draw(case);
        let update = random_update(scale, &mut case.random);
        case.note("update", &update);
        let is_inhabited = zone.weakest_precondition(update).unwrap();
        assert_eq!(case.outcome("inhabited", is_inhabited), !zone.is_empty());
        assert_same_set("weakest_precondition", enlarged(scale), &zone, |point| {
            naive.contains(&updated(scale, update, point), scale.denominator())
        });
    });
}

#[test]
fn several_updates() {
    check_cases("several_updates", |case| {
        let (scale, naive, zone) = draw(case);
        let updates: Vec<ClockUpdate> =
            (0..case.random.below(4)).map(|_| random_update(scale, &mut case.random)).collect();
        case.note("updates", &updates);

        let mut before = zone.clone();
        assert_eq!(before.weakest_precondition_of_all(&updates).unwrap(), !before.is_empty());
        let wide = Scale { largest: scale.largest + 3, ..scale };
        let runs_into_zone = |point: &Point| {
            let mut current = *point;
            updates.iter().all(|&update| {
                current = updated(scale, update, &current);
                current[1..].iter().all(|&coordinate| coordinate >= 0)
            }) && naive.contains(&current, scale.denominator())
        };
        assert_same_set("weakest_precondition_of_all", wide, &before, runs_into_zone);

        // Forwards: the result equals that of the single steps, each checked above.
        let (mut at_once, mut step_by_step) = (zone.clone(), zone);
        assert_eq!(at_once.update_all(&updates).unwrap(), !at_once.is_empty());
        for &update in &updates {
            step_by_step.update(update).unwrap();
        }
        assert_eq!(at_once, step_by_step);
    });
}

#[test]
fn hull() {
    check_cases("hull", |case| {
        let (scale, naive, mut zone) = draw(case);
        let (naive_other, other) = draw_related(case, scale, &naive);
        zone.extend_to_hull(&other);
        assert_well_formed(&zone);
        let inhabited: Vec<NaiveZone> =
            [naive, naive_other].into_iter().filter(|zone| !zone.is_empty()).collect();
        assert_eq!(zone.is_empty(), inhabited.is_empty());
        if !zone.is_empty() {
            // Each entry is the supremum over both: both are included, and no smaller zone includes them.
            assert_tight(&zone, &inhabited);
        }
    });
}

#[test]
fn closure_of_open_matrix() {
    check_cases("closure_of_open_matrix", |case| {
        let scale = Scale::of_case(case);
        let naive = scale.random_zone(&mut case.random);
        case.note("zone", &naive);
        let mut matrix = OpenMatrix::universe(dimension(scale.clocks));
        // A later entry replaces an earlier one, tighter or not; entries for clock 0 cannot go above `<= 0`.
        let mut expected = NaiveZone::new(scale.clocks, vec![]);
        for &difference in &naive.constraints {
            let constraint = constraint_of(difference);
            matrix.set(constraint.left, constraint.right, constraint.bound);
            expected.constraints.retain(|old| (old.left, old.right) != (difference.left, difference.right));
            expected.constraints.push(difference);
            let most = if difference.left == 0 { Bound::LE_ZERO } else { Bound::INFINITY };
            assert_eq!(matrix.bound(constraint.left, constraint.right), constraint.bound.min(most));
        }
        let mut zone = Zone::zero(dimension(case.random.below(4)));
        let is_inhabited = zone.assign_closure(&matrix).unwrap();
        assert_eq!(is_inhabited, !expected.is_empty());
        assert_same_set("assign_closure", scale, &zone, |point| {
            expected.contains(point, scale.denominator())
        });
        if is_inhabited {
            let mut again = Zone::universe(dimension(1));
            assert!(again.assign_closure(&OpenMatrix::from_zone(&zone)).unwrap());
            assert_eq!(again, zone);
        }
    });
}

#[test]
fn closure_detects_contradiction_on_diagonal() {
    for clocks in [0, 1, 2, 3, 10, 31, 32, 40] {
        for index in 0..=clocks {
            for bound in [Bound::LT_ZERO, Bound::weak(-1).unwrap()] {
                let mut matrix = OpenMatrix::universe(dimension(clocks));
                matrix.set(clock(index), clock(index), bound);
                let mut zone = Zone::universe(dimension(clocks));
                assert_eq!(zone.assign_closure(&matrix), Ok(false), "{clocks} clocks, clock {index}");
                assert!(zone.is_empty());
            }
        }
    }
}

#[test]
fn relations() {
    check_cases("relations", |case| {
        let (scale, naive, zone) = draw(case);
        let (naive_other, other) = draw_related(case, scale, &naive);
        let (mut subset, mut superset) = (true, true);
        scale.for_each_point(|point| {
            let mine = naive.contains(point, scale.denominator());
            let theirs = naive_other.contains(point, scale.denominator());
            subset &= theirs || !mine;
            superset &= mine || !theirs;
        });
        assert_eq!(case.outcome("subset", zone.is_subset_of(&other)), subset);
        assert_eq!(case.outcome("superset", other.is_subset_of(&zone)), superset);
        assert_eq!(case.outcome("equal", zone == other), subset && superset);
        let expected = match (subset, superset) {
            (true, true) => Relation::Equal,
            (true, false) => Relation::Subset,
            (false, true) => Relation::Superset,
            (false, false) => Relation::Different,
        };
        assert_eq!(zone.relation(&other), expected);
        // Different sets have different fingerprints unless the hash is bad: 64-bit collisions do not occur here.
        assert_eq!(zone.fingerprint() == other.fingerprint(), zone == other);
        assert_eq!(standard_hash(&zone) == standard_hash(&other), zone == other);
    });
}

fn standard_hash(zone: &Zone) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    zone.hash(&mut hasher);
    hasher.finish()
}

#[test]
fn bounds_are_tight() {
    check_cases("bounds_are_tight", |case| {
        let (scale, naive, mut zone) = draw(case);
        // Some operations first, so that not only fresh zones are checked.
        let mut expected = naive;
        if case.random.chance(50) {
            let difference = scale.random_difference(&mut case.random);
            zone.constrain(constraint_of(difference)).unwrap();
            expected = expected.and(difference);
        }
        if !zone.is_empty() {
            assert_tight(&zone, &[expected]);
            for index in 1..=scale.clocks {
                let range = zone.range(clock(index));
                assert_eq!(range.lower, zone.bound(Clock::REFERENCE, clock(index)));
                assert_eq!(range.upper, zone.bound(clock(index), Clock::REFERENCE));
            }
        }
    });
}

fn difference_of(constraint: Constraint) -> Difference {
    Difference::new(
        usize::from(constraint.left.0),
        usize::from(constraint.right.0),
        i64::from(constraint.bound.constant().unwrap()),
        constraint.bound.is_weak(),
    )
}

#[test]
fn minimal_constraints() {
    check_cases("minimal_constraints", |case| {
        let (scale, naive, zone) = draw(case);
        let constraints: Vec<Difference> =
            zone.minimal_constraints().into_iter().map(difference_of).collect();
        case.note("minimal", &constraints);
        let minimal = NaiveZone::new(scale.clocks, constraints.clone());
        scale.for_each_point(|point| {
            let denominator = scale.denominator();
            assert_eq!(minimal.contains(point, denominator), naive.contains(point, denominator), "{point:?}");
        });
        for left_out in 0..constraints.len() {
            let mut fewer = minimal.clone();
            let constraint = fewer.constraints.remove(left_out);
            assert!(!fewer.and(constraint.negated()).is_empty(), "{constraint:?} is not needed");
        }
        assert!(constraints.is_sorted_by_key(|constraint| (constraint.left, constraint.right)));
    });
}

/// No smaller set of the zone's own bounds defines the zone.
#[test]
fn minimal_constraints_are_fewest() {
    check_cases("minimal_constraints_are_fewest", |case| {
        // Equalities are the case with several minimal descriptions.
        let scale = Scale { clocks: 3, largest: 2 };
        let mut naive = NaiveZone::new(3, vec![]);
        for _ in 0..1 + case.random.below(3) {
            let difference = scale.random_difference(&mut case.random);
            let weak = Difference { weak: true, ..difference };
            let opposite = Difference::new(weak.right, weak.left, -weak.constant, true);
            naive = naive.and_all(&[weak, opposite]);
        }
        case.note("zone", &naive);
        let zone = zone_of(&naive);
        let minimal = zone.minimal_constraints();
        case.note("minimal", &minimal);
        let all = naive_of(&zone).constraints;
        if zone.is_empty() || minimal.is_empty() {
            return;
        }
        let wanted = minimal.len() - 1;
        let candidates: Vec<Difference> = all.into_iter().filter(|bound| bound.left != bound.right).collect();
        for_each_choice(&candidates, wanted, &mut Vec::new(), &mut |chosen| {
            let described = NaiveZone::new(3, chosen.to_vec());
            let is_enough = candidates.iter().all(|bound| described.and(bound.negated()).is_empty());
            assert!(!is_enough, "{chosen:?} suffice");
        });
    });
}

/// Calls the function with each subset of the given size.
fn for_each_choice(
    candidates: &[Difference],
    wanted: usize,
    chosen: &mut Vec<Difference>,
    visit: &mut impl FnMut(&[Difference]),
) {
    if wanted == 0 {
        visit(chosen);
    } else if let Some((&first, rest)) = candidates.split_first()
        && candidates.len() >= wanted
    {
        chosen.push(first);
        for_each_choice(rest, wanted - 1, chosen, visit);
        chosen.pop();
        for_each_choice(rest, wanted, chosen, visit);
    }
}

#[test]
fn point_inside() {
    check_cases("point_inside", |case| {
        let scale = Scale::of_case(case);
        let mut naive = scale.random_zone(&mut case.random);
        if case.random.chance(40) {
            // Between integers: the zone contains fractions only.
            let clock = scale.random_clock(&mut case.random);
            let whole = case.random.between(0, scale.largest - 1);
            naive = NaiveZone::new(scale.clocks, vec![]);
            naive = naive.and(Difference::new(0, clock, -whole, false));
            naive = naive.and(Difference::new(clock, 0, whole + 1, false));
            for _ in 0..case.random.below(5) {
                let order = Difference { weak: false, ..scale.random_difference(&mut case.random) };
                naive = naive.and(Difference { constant: order.constant.max(0), ..order });
            }
        } else if case.random.chance(50) {
            let more = scale.random_zone(&mut case.random).constraints;
            naive = naive.and_all(&more);
        }
        case.note("zone", &naive);
        let zone = zone_of(&naive);
        let point = zone.point_inside();
        case.note("point", &point);
        assert_eq!(case.outcome("inhabited", point.is_some()), !naive.is_empty());
        let Some(point) = point else { return };
        assert!(zone.contains_point(&point));
        let denominator =
            point.iter().fold(1, |common, value| common * value.denom() / gcd(common, *value.denom()));
        let mut scaled = Point::default();
        for (coordinate, value) in scaled[1..].iter_mut().zip(&point) {
            *coordinate = value.numer() * (denominator / value.denom());
        }
        assert!(naive.contains(&scaled, denominator));
        // With strict bounds each step to an integer point may take 1 more.
        let mut has_integer_point = false;
        enlarged(scale).for_each_point(|candidate| {
            has_integer_point |= candidate.iter().all(|coordinate| coordinate % scale.denominator() == 0)
                && naive.contains(candidate, scale.denominator());
        });
        assert_eq!(case.outcome("integers", denominator == 1), has_integer_point);
    });
}

fn gcd(first: i64, second: i64) -> i64 {
    if second == 0 { first } else { gcd(second, first % second) }
}

#[test]
fn contains_point() {
    check_cases("contains_point", |case| {
        let (scale, naive, zone) = draw(case);
        for _ in 0..20 {
            // Even denominators that are no multiples of each other, and often a value near a bound.
            let denominator = case.random.pick(&[1, 2, 3, 5, 7, 11, 64, 1_000_003]);
            let mut point = Point::default();
            for coordinate in &mut point[1..=scale.clocks] {
                *coordinate =
                    case.random.between(0, scale.largest) * denominator + case.random.between(-1, 1);
            }
            let inside = zone.contains_point(&rationals(&point, scale.clocks, denominator));
            assert_eq!(
                case.outcome("inside", inside),
                naive.contains(&point, denominator),
                "{point:?} / {denominator}"
            );
        }
    });
}

/// Compares `left - right` with a constant without ever multiplying three numbers: integer parts, then fractions.
fn compare_difference(left: Rational, right: Rational, constant: i64) -> std::cmp::Ordering {
    let split = |value: Rational| {
        let (numerator, denominator) = (i128::from(*value.numer()), i128::from(*value.denom()));
        (numerator.div_euclid(denominator), numerator.rem_euclid(denominator), denominator)
    };
    let (left_whole, left_rest, left_denominator) = split(left);
    let (right_whole, right_rest, right_denominator) = split(right);
    // The fractions differ by less than 1, so they decide only between equal integers.
    (left_whole - right_whole)
        .cmp(&i128::from(constant))
        .then((left_rest * right_denominator).cmp(&(right_rest * left_denominator)))
}

#[test]
fn contains_point_with_extreme_values() {
    use std::cmp::Ordering::{Equal, Less};
    check_cases("contains_point_with_extreme_values", |case| {
        let scale = Scale { clocks: 2, largest: 5 };
        let naive = scale.random_nonempty_zone(&mut case.random);
        case.note("zone", &naive);
        let zone = zone_of(&naive);
        const EXTREMES: [i64; 8] = [1, 2, 3, i64::MAX, i64::MAX - 1, i64::MAX / 2, i64::MAX / 3, 1 << 62];
        for _ in 0..20 {
            let mut value = || {
                let numerator = case.random.pick(&EXTREMES);
                let sign = case.random.pick(&[1, 1, 1, 1, -1]);
                Rational::new(sign * numerator, case.random.pick(&EXTREMES))
            };
            let point = [value(), value()];
            let at = |index: usize| if index == 0 { Rational::from_integer(0) } else { point[index - 1] };
            let expected = point.iter().all(|value| *value.numer() >= 0)
                && naive.constraints.iter().all(|difference| {
                    let order =
                        compare_difference(at(difference.left), at(difference.right), difference.constant);
                    order == Less || order == Equal && difference.weak
                });
            assert_eq!(case.outcome("inside", zone.contains_point(&point)), expected, "{point:?}");
        }
        assert!(!zone.contains_point(&[Rational::from_integer(i64::MIN), Rational::from_integer(i64::MAX)]));
    });
}

/// Parses the output of `Zone::text` by the rules of the user's notation only.
fn parse(text: &str, clocks: usize, name: impl Fn(usize) -> String) -> NaiveZone {
    if text == "false" {
        return NaiveZone::new(clocks, vec![Difference::new(0, 0, 0, false)]);
    }
    let mut constraints = Vec::new();
    let clock_named = |word: &str| (1..=clocks).find(|&index| name(index) == word);
    for part in text.split(" && ").filter(|&part| part != "true") {
        let words: Vec<&str> = part.split(' ').collect();
        let (left, right, sign, constant) = match words[..] {
            [left, "-", right, sign, constant] => {
                (clock_named(left).unwrap(), clock_named(right).unwrap(), sign, constant.parse().unwrap())
            }
            [left, sign, right] => match clock_named(right) {
                Some(right) => (clock_named(left).unwrap(), right, sign, 0),
                None => (clock_named(left).unwrap(), 0, sign, right.parse().unwrap()),
            },
            _ => panic!("cannot read {part:?}"),
        };
        let (at_most, at_least, weak) = match sign {
            "<=" => (true, false, true),
            "<" => (true, false, false),
            ">=" => (false, true, true),
            ">" => (false, true, false),
            "==" => (true, true, true),
            _ => panic!("cannot read {part:?}"),
        };
        if at_most {
            constraints.push(Difference::new(left, right, constant, weak));
        }
        if at_least {
            constraints.push(Difference::new(right, left, -constant, weak));
        }
    }
    NaiveZone::new(clocks, constraints)
}

#[test]
fn text() {
    check_cases("text", |case| {
        let (scale, naive, mut zone) = draw(case);
        let mut expected = naive;
        if case.random.chance(60) {
            // Equalities have their own notation.
            let difference = Difference { weak: true, ..scale.random_difference(&mut case.random) };
            for side in [difference, Difference { weak: true, ..difference.negated() }] {
                zone.constrain(constraint_of(side)).unwrap();
                expected = expected.and(side);
            }
        }
        let name = |index: usize| ["", "speed", "x", "x_2"][index].to_owned();
        let text = zone.text(|clock| name(usize::from(clock.0)));
        case.note("text", &text);
        let parsed = parse(&text, scale.clocks, name);
        scale.for_each_point(|point| {
            let denominator = scale.denominator();
            assert_eq!(
                parsed.contains(point, denominator),
                expected.contains(point, denominator),
                "{point:?}"
            );
        });
        case.outcome("has an equality", text.contains("=="));
        assert_eq!(format!("{zone:?}"), format!("{{{}}}", zone.text(|clock| format!("x{}", clock.0))));
    });
}

#[test]
fn clocks_added() {
    check_share_of_cases("clocks_added", 50, |case| {
        let clocks = 1 + case.random.below(2);
        let scale = Scale { clocks, largest: 2 };
        let naive = scale.random_zone(&mut case.random);
        let count = case.random.below(4 - clocks);
        let value = case.random.pick(&[NewClockValue::Zero, NewClockValue::Any]);
        case.note("zone, count, value", &(&naive, count, value));
        let larger = zone_of(&naive).with_clocks_added(count, value).unwrap();
        assert_eq!(larger.dimension(), dimension(clocks + count));
        let wide = Scale { clocks: clocks + count, largest: 2 };
        assert_same_set("with_clocks_added", wide, &larger, |point| {
            let new_clocks = &point[clocks + 1..=clocks + count];
            let mut old = *point;
            old[clocks + 1..].fill(0);
            naive.contains(&old, wide.denominator())
                && (value == NewClockValue::Any || new_clocks.iter().all(|&coordinate| coordinate == 0))
        });
    });
}

#[test]
fn product_of_zones() {
    check_share_of_cases("product_of_zones", 50, |case| {
        let (first, second) = (1 + case.random.below(2), 1);
        let (one, other) = (Scale { clocks: first, largest: 2 }, Scale { clocks: second, largest: 2 });
        let (left, right) = (one.random_zone(&mut case.random), other.random_zone(&mut case.random));
        // Either order, so that both have several clocks in some cases.
        let is_swapped = case.random.chance(50);
        let (left, right) = if is_swapped { (right, left) } else { (left, right) };
        let before = if is_swapped { second } else { first };
        case.note("zones", &(&left, &right));
        let both = zone_of(&left).beside(&zone_of(&right), dimension(first + second)).unwrap();
        let wide = Scale { clocks: first + second, largest: 2 };
        assert_same_set("beside", wide, &both, |point| {
            let (mut mine, mut theirs) = (*point, *point);
            mine[before + 1..].fill(0);
            theirs[1..].fill(0);
            theirs[1..=first + second - before].copy_from_slice(&point[before + 1..=first + second]);
            left.contains(&mine, wide.denominator()) && right.contains(&theirs, wide.denominator())
        });
    });
}

#[test]
fn selects_clocks() {
    check_cases("selects_clocks", |case| {
        let clocks = 2 + case.random.below(2);
        let scale = Scale { clocks, largest: 2 };
        let naive = scale.random_zone(&mut case.random);
        let zone = zone_of(&naive);
        let chosen: Vec<usize> = if case.random.chance(30) {
            let removed = scale.random_clock(&mut case.random);
            (1..=clocks).filter(|&index| index != removed).collect()
        } else {
            (0..case.random.below(4)).map(|_| scale.random_clock(&mut case.random)).collect()
        };
        case.note("zone and clocks", &(&naive, &chosen));
        let new_clocks: Vec<Clock> = chosen.iter().map(|&index| clock(index)).collect();
        let result = zone.with_clocks(&new_clocks).unwrap();
        let narrow = Scale { clocks: chosen.len(), largest: 3 };
        assert_same_set("with_clocks", narrow, &result, |point| {
            // Some values of the other clocks complete the point: decided exactly, independent of the grid.
            let mut system: Vec<Difference> =
                naive.constraints.iter().map(|difference| difference.scaled(narrow.denominator())).collect();
            for (new, &old) in chosen.iter().enumerate() {
                system.push(Difference::new(old, 0, point[new + 1], true));
                system.push(Difference::new(0, old, -point[new + 1], true));
            }
            is_satisfiable(clocks, &system)
        });
        for removed in 1..=clocks {
            let others: Vec<Clock> = (1..=clocks).filter(|&index| index != removed).map(clock).collect();
            assert_eq!(zone.without_clock(clock(removed)), zone.with_clocks(&others).unwrap());
        }
    });
}

#[test]
fn too_many_clocks() {
    assert!(Zone::universe(dimension(2)).with_clocks_added(2046, NewClockValue::Any).is_err());
    assert!(Zone::universe(dimension(2)).with_clocks(&vec![Clock(1); 2048]).is_err());
}

/// Many operations in sequence, to detect effects of one on the next.
#[test]
fn long_sequences_stay_well_formed() {
    check_cases("long_sequences_stay_well_formed", |case| {
        let (scale, _, mut zone) = draw(case);
        let mut trail = Vec::new();
        for _ in 0..12 {
            let before = naive_of(&zone);
            let wide = Scale { largest: 4, clocks: 2 };
            match case.random.below(4) {
                0 => {
                    let difference = scale.random_difference(&mut case.random);
                    trail.push(format!("{difference:?}"));
                    zone.constrain(constraint_of(difference)).unwrap();
                    if scale.clocks == 2 {
                        let expected = before.and(difference);
                        assert_same_points(
                            wide,
                            &naive_of(&zone),
                            |point| expected.contains(point, 6),
                            &trail,
                        );
                    }
                }
                1 => {
                    zone.up();
                    trail.push("up".to_owned());
                }
                2 => {
                    zone.down();
                    trail.push("down".to_owned());
                }
                _ => {
                    let update = random_update(scale, &mut case.random);
                    trail.push(format!("{update:?}"));
                    zone.update(update).unwrap();
                }
            }
            assert_well_formed(&zone);
            if zone.is_empty() {
                zone = zone_of(&scale.random_zone(&mut case.random));
                trail.clear();
            } else {
                assert_tight(&zone, &[naive_of(&zone)]);
            }
        }
    });
}

fn assert_same_points(scale: Scale, found: &NaiveZone, expected: impl Fn(&Point) -> bool, trail: &[String]) {
    scale.for_each_point(|point| {
        assert_eq!(found.contains(point, scale.denominator()), expected(point), "{point:?} after {trail:?}");
    });
}
