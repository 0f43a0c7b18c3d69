//! Tests of each rule on time, and of conditions as sets of delays.

use tempora_evidence::{RuntimeErrorKind, TransitionKind};
use tempora_model::{
    BinaryOperator, ChannelKind, ExpressionKind, Field, LocationId, LocationKind, ProcessId, RecordType,
    Statement, Type, VariableKind,
};
use tempora_replay::{Obstacle, StepOutcome};

use crate::common::*;

fn obstacle(build: &Build, delay: tempora_evidence::Rational) -> Obstacle {
    match build.interpreter().attempt_delay(&build.start(), delay) {
        StepOutcome::Impossible(obstacle) => obstacle,
        other => panic!("{other:?}"),
    }
}

#[test]
fn time_is_unbounded_without_invariants() {
    let mut build = Build::default();
    build.clock("x");
    build.process("P", 1);
    assert_eq!(build.delays(&build.start()), "[0, inf)");
    assert_eq!(build.later(&build.start(), time(7, 3)).clocks, [time(7, 3)]);
    assert_eq!(obstacle(&build, time(-1, 1)), Obstacle::NegativeDelay);
}

#[test]
fn least_upper_bound_of_invariants_limits_delay() {
    let mut build = Build::default();
    let (x, y) = (build.clock("x"), build.clock("y"));
    let p = build.process("P", 1);
    let q = build.process("Q", 1);
    build.invariant(p, 0, when(&x, AT_MOST, 5));
    build.invariant(q, 0, when(&y, AT_MOST, 4));
    assert_eq!(build.delays(&build.start()), "[0, 4]");
    build.invariant(p, 0, when(&x, LESS, 4));
    assert_eq!(build.delays(&build.start()), "[0, 4)");
    let just_before = build.later(&build.start(), time(7, 2));
    assert_eq!(build.delays(&just_before), "[0, 1/2)");
    assert!(
        matches!(obstacle(&build, time(4, 1)), Obstacle::DelayViolatesInvariant { process, .. } if process == p)
    );
}

#[test]
fn invariant_must_hold_throughout_delay() {
    // After two time units the invariant would hold again.
    let mut build = Build::default();
    let x = build.clock("x");
    let p = build.process("P", 1);
    let gap = binary(BinaryOperator::Or, when(&x, AT_MOST, 1), when(&x, AT_LEAST, 2));
    build.invariant(p, 0, gap);
    assert_eq!(build.delays(&build.start()), "[0, 1]");
    assert!(matches!(obstacle(&build, time(3, 1)), Obstacle::DelayViolatesInvariant { .. }));
}

#[test]
fn satisfied_lower_bounds_do_not_limit_delay() {
    let mut build = Build::default();
    let (x, y) = (build.clock("x"), build.clock("y"));
    let p = build.process("P", 1);
    build.invariant(p, 0, when_difference(&x, &y, AT_MOST, 0));
    build.invariant(p, 0, when(&x, AT_LEAST, 0));
    assert_eq!(build.delays(&build.start()), "[0, inf)");
}

#[test]
fn invariant_bounds_may_depend_on_data() {
    let mut build = Build::default();
    let x = build.clock("x");
    let v = build.integer("v", 0, 9);
    let p = build.process("P", 1);
    build.edge(p, edge(0, 0).update(assign(&v, number(3))));
    let bound = binary(BinaryOperator::Add, v.clone(), number(2));
    build.invariant(p, 0, when_bound(&x, AT_MOST, bound));
    build.invariant(p, 0, binary(BinaryOperator::Or, equal(v.clone(), number(0)), when(&x, LESS, 4)));
    assert_eq!(build.delays(&build.start()), "[0, 2]");
    assert_eq!(build.delays(&build.after(&build.start(), &internal(p, 0))), "[0, 4)");
}

#[test]
fn invariants_apply_to_clocks_in_arrays_and_records() {
    let mut build = Build::default();
    let fields = ["n", "c"].map(|name| Field {
        name: name.to_owned(),
        field_type: if name == "c" { Type::Clock } else { Type::Boolean },
    });
    let record = Type::Record(RecordType { fields: fields.to_vec(), is_hybrid: false }.into());
    let array = build.array("a", record, 3);
    let last = build.clock("z");
    let clock = |index| {
        let kind = ExpressionKind::Field { record: Box::new(element(&array, index)), field: 1 };
        expression(kind, Type::Clock)
    };
    let p = build.process("P", 1);
    build.edge(p, edge(0, 0).update(assign(&clock(number(1)), number(4))).update(assign(&last, number(9))));
    build.invariant(p, 0, for_all(0, 2, when(&clock(local(0)), AT_MOST, 6)));
    let next = build.after(&build.start(), &internal(p, 0));
    assert_eq!(next.clocks, [time(0, 1), time(4, 1), time(0, 1), time(9, 1)]);
    assert_eq!(build.delays(&next), "[0, 2]");
    let names = build.interpreter().clock_layout().names(&build.network);
    assert_eq!(names, ["a[0].c", "a[1].c", "a[2].c", "z"]);
}

#[test]
fn urgent_and_committed_locations_stop_time() {
    for kind in [LocationKind::Urgent, LocationKind::Committed] {
        let mut build = Build::default();
        build.clock("x");
        build.process("P", 1);
        let q = build.process("Q", 1);
        build.location(q, 0).kind = kind;
        assert_eq!(build.delays(&build.start()), "[0, 0]");
        let location = LocationId(0);
        assert_eq!(obstacle(&build, time(1, 9)), Obstacle::UrgentLocation { process: q, location });
    }
}

/// Builds a pair on an urgent channel with a lower bound on the receiver.
fn urgent_pair(is_strict: bool) -> Build {
    let mut build = Build::default();
    let x = build.clock("x");
    let c = build.urgent("c");
    let p = build.process("P", 2);
    let q = build.process("Q", 2);
    build.edge(p, edge(0, 1).send(&c));
    build.edge(q, edge(0, 1).receive(&c).guard(when(&x, if is_strict { MORE } else { AT_LEAST }, 3)));
    build
}

#[test]
fn urgent_synchronisation_limits_delay() {
    for is_strict in [false, true] {
        let build = urgent_pair(is_strict);
        assert_eq!(build.delays(&build.start()), "[0, 3]");
        let transition = Box::new(together(TransitionKind::Binary, &[(P, 0), (Q, 0)]));
        let from = time(3, 1);
        assert_eq!(obstacle(&build, time(4, 1)), Obstacle::UrgentSynchronisation { transition, from });
    }
}

const P: ProcessId = ProcessId(0);
const Q: ProcessId = ProcessId(1);

#[test]
fn disabled_urgent_channel_does_not_stop_time() {
    let mut build = urgent_pair(false);
    build.network.processes[Q].initial = vec![LocationId(1)];
    assert_eq!(build.delays(&build.start()), "[0, inf)");
}

#[test]
fn urgent_channel_respects_target_invariant() {
    let mut build = urgent_pair(false);
    let x = expression(ExpressionKind::Variable(tempora_model::VariableId(0)), Type::Clock);
    build.invariant(P, 1, when(&x, AT_LEAST, 5));
    assert_eq!(build.delays(&build.start()), "[0, 5]");
    build.invariant(P, 1, when(&x, LESS, 5));
    assert_eq!(build.delays(&build.start()), "[0, inf)");
}

#[test]
fn urgent_broadcast_stops_time_without_receiver() {
    let mut build = Build::default();
    let kind = ChannelKind { is_urgent: true, is_broadcast: true };
    let c = build.variable("c", Type::Channel(kind), VariableKind::State);
    let x = build.clock("x");
    let p = build.process("P", 1);
    build.edge(p, edge(0, 0).receive(&c));
    assert_eq!(build.delays(&build.start()), "[0, inf)");
    let q = build.process("Q", 1);
    build.edge(q, edge(0, 0).send(&c).guard(when(&x, AT_LEAST, 2)));
    assert_eq!(build.delays(&build.start()), "[0, 2]");
}

#[test]
fn urgent_broadcast_is_blocked_by_ready_receiver() {
    // Ready between 2 and 4, but then its target invariant fails: the broadcast is possible before and after.
    let mut build = Build::default();
    let kind = ChannelKind { is_urgent: true, is_broadcast: true };
    let c = build.variable("c", Type::Channel(kind), VariableKind::State);
    let x = build.clock("x");
    let p = build.process("P", 1);
    let q = build.process("Q", 2);
    build.edge(p, edge(0, 0).send(&c));
    build.edge(q, edge(0, 1).receive(&c).guard(when(&x, AT_MOST, 4)));
    build.invariant(q, 1, number(0));
    assert_eq!(build.delays(&build.start()), "[0, 4]");
}

#[test]
fn clock_rates_are_exact() {
    let mut build = Build::default();
    let (x, y, z) = (build.clock("x"), build.clock("y"), build.clock("z"));
    let p = build.process("P", 1);
    let q = build.process("Q", 1);
    build.location(p, 0).clock_rates = vec![rate(&x, 0)];
    build.location(q, 0).clock_rates = vec![rate(&y, 3)];
    build.invariant(p, 0, when(&y, AT_MOST, 1));
    build.invariant(p, 0, when(&x, LESS, 1));
    assert_eq!(build.delays(&build.start()), "[0, 1/3]");
    assert_eq!(build.later(&build.start(), time(1, 6)).clocks, [time(0, 1), time(1, 2), time(1, 6)]);
    build.invariant(p, 0, when_difference(&z, &y, MORE, -1));
    assert_eq!(build.delays(&build.start()), "[0, 1/3]");
    build.location(p, 0).clock_rates.push(rate(&y, 2));
    let error = build.interpreter().allowed_delays(&build.start()).unwrap_err();
    assert_eq!(error.kind, RuntimeErrorKind::ConflictingRates);
}

#[test]
fn falling_clock_flips_comparisons() {
    let mut build = Build::default();
    let x = build.clock("x");
    let p = build.process("P", 1);
    build.edge(p, edge(0, 0).update(assign(&x, number(5))));
    build.location(p, 0).clock_rates = vec![rate(&x, -2)];
    build.invariant(p, 0, binary(BinaryOperator::Or, when(&x, AT_LEAST, 2), when(&x, EQUAL, 0)));
    let next = build.after(&build.start(), &internal(p, 0));
    assert_eq!(build.delays(&next), "[0, 3/2]");
}

#[test]
fn conditions_on_hybrid_clocks_are_refused() {
    let mut build = Build::default();
    let h = build.variable("h", Type::Clock, VariableKind::Hybrid);
    let x = build.clock("x");
    let p = build.process("P", 1);
    build.location(p, 0).clock_rates = vec![rate(&h, 7)];
    build.edge(p, edge(0, 0).update(assign(&h, number(3))));
    build.invariant(p, 0, when(&x, AT_MOST, 3));
    assert_eq!(build.delays(&build.start()), "[0, 3]");
    assert_eq!(build.enabled(&build.start()), ["P0"]);
    build.invariant(p, 0, when(&h, AT_MOST, 3));
    let error = build.interpreter().allowed_delays(&build.start()).unwrap_err();
    assert!(matches!(error.kind, RuntimeErrorKind::Unsupported(what) if what.contains("`h`")));
}

#[test]
fn predicate_delays_are_exact() {
    let mut build = Build::default();
    let (x, y) = (build.clock("x"), build.clock("y"));
    let v = build.integer("v", 0, 9);
    let p = build.process("P", 1);
    build.edge(p, edge(0, 0).update(assign(&y, number(2))));
    let state = build.after(&build.start(), &internal(p, 0));
    let and = |left, right| binary(BinaryOperator::And, left, right);
    let or = |left, right| binary(BinaryOperator::Or, left, right);
    let conditional = |condition: tempora_model::Expression, then: tempora_model::Expression, otherwise| {
        let value_type = then.value_type.clone();
        let kind = ExpressionKind::Conditional {
            condition: Box::new(condition),
            then: Box::new(then),
            otherwise: Box::new(otherwise),
        };
        expression(kind, value_type)
    };
    let exists = {
        let mut quantified = for_all(1, 3, when_bound(&x, EQUAL, local(0)));
        if let ExpressionKind::Quantified { quantifier, .. } = &mut quantified.kind {
            *quantifier = tempora_model::Quantifier::Exists;
        }
        quantified
    };
    let cases = [
        (when(&x, LESS, 3), "[0, 3)"),
        (when(&y, AT_MOST, 3), "[0, 1]"),
        (when(&y, AT_MOST, 1), "never"),
        (when(&x, EQUAL, 3), "[3, 3]"),
        (not(when(&x, EQUAL, 3)), "[0, 3) or (3, inf)"),
        (not(and(when(&x, MORE, 1), when(&x, LESS, 2))), "[0, 1] or [2, inf)"),
        (or(when(&x, AT_MOST, 1), when(&x, MORE, 1)), "[0, inf)"),
        (or(when(&x, LESS, 1), when(&x, MORE, 1)), "[0, 1) or (1, inf)"),
        (binary(BinaryOperator::Imply, when(&x, AT_LEAST, 2), when(&y, AT_LEAST, 5)), "[0, 2) or [3, inf)"),
        (binary(BinaryOperator::Xor, when(&x, AT_LEAST, 2), when(&y, AT_LEAST, 5)), "[2, 3)"),
        (when_difference(&y, &x, EQUAL, 2), "[0, inf)"),
        (when_difference(&x, &y, LESS, -2), "never"),
        (conditional(when(&x, LESS, 2), when(&x, AT_LEAST, 1), when(&x, MORE, 4)), "[1, 2) or (4, inf)"),
        (exists, "[1, 1] or [2, 2] or [3, 3]"),
        (and(equal(v.clone(), number(1)), when(&x, LESS, 3)), "never"),
        (or(equal(v.clone(), number(0)), when(&x, LESS, 3)), "[0, inf)"),
        (is_at(p, 0), "[0, inf)"),
        // The right side would fail, but is not evaluated.
        (
            and(
                equal(v.clone(), number(1)),
                when_bound(&x, LESS, binary(BinaryOperator::Divide, number(1), v.clone())),
            ),
            "never",
        ),
    ];
    for (predicate, expected) in cases {
        let delays = build.interpreter().predicate_delays(&state, &predicate).unwrap();
        assert_eq!(delays.to_string(), expected, "{predicate:?}");
        for eighths in 0..50 {
            let delay = time(eighths, 8);
            let plain = build.interpreter().holds(&build.later(&state, delay), &predicate).unwrap();
            assert_eq!(delays.contains(delay), plain, "{delay} {predicate:?}");
        }
    }
}

#[test]
fn double_bounds_are_exact() {
    let mut build = Build::default();
    let x = build.clock("x");
    build.process("P", 1);
    let bound = expression(ExpressionKind::Double(2.5), Type::Double);
    let predicate = when_bound(&x, AT_MOST, bound);
    let delays = build.interpreter().predicate_delays(&build.start(), &predicate).unwrap();
    assert_eq!(delays.to_string(), "[0, 5/2]");
}

#[test]
fn clock_functions_are_refused_for_all_delays_only() {
    let mut build = Build::default();
    let x = build.clock("x");
    build.process("P", 1);
    let body = vec![Statement::Return(Some(when(&x, LESS, 3)), origin())];
    let function = build.function(vec![], Type::Boolean, body);
    let predicate = call(function, vec![], Type::Boolean);
    let interpreter = build.interpreter();
    assert_eq!(interpreter.holds(&build.start(), &predicate), Ok(true));
    let error = interpreter.predicate_delays(&build.start(), &predicate).unwrap_err();
    assert!(matches!(error.kind, RuntimeErrorKind::Unsupported(_)));
}

#[test]
fn deadlock_considers_all_allowed_delays() {
    let mut build = Build::default();
    let (x, y) = (build.clock("x"), build.clock("y"));
    let p = build.process("P", 2);
    build.edge(p, edge(0, 1).guard(when(&x, AT_LEAST, 3)).guard(when(&x, LESS, 4)));
    let deadlocked = |build: &Build, delay| {
        let state = build.later(&build.start(), delay);
        let expected = build.interpreter().is_deadlocked(&state).unwrap();
        assert_eq!(build.interpreter().holds(&state, &deadlock()), Ok(expected));
        expected
    };
    // Later an edge becomes possible, and then never again.
    assert!(!deadlocked(&build, time(0, 1)));
    assert!(!deadlocked(&build, time(7, 2)));
    assert!(deadlocked(&build, time(4, 1)));
    let delays = build.interpreter().predicate_delays(&build.start(), &deadlock()).unwrap();
    assert_eq!(delays.to_string(), "[4, inf)");
    // An invariant that ends before.
    build.invariant(p, 0, when(&y, LESS, 3));
    assert!(deadlocked(&build, time(0, 1)));
    build.location(p, 0).invariant = Default::default();
    build.invariant(p, 0, when(&y, AT_MOST, 3));
    assert!(!deadlocked(&build, time(0, 1)));
    // Time cannot pass.
    build.location(p, 0).kind = LocationKind::Urgent;
    assert!(deadlocked(&build, time(0, 1)));
    build.location(p, 0).kind = LocationKind::Ordinary;
    // The target invariant forbids it, or allows it after a reset.
    build.invariant(p, 1, when(&x, LESS, 3));
    assert!(deadlocked(&build, time(0, 1)));
    build.edge(p, edge(0, 1).guard(when(&x, AT_LEAST, 3)).update(assign(&x, number(0))));
    assert!(!deadlocked(&build, time(0, 1)));
}

#[test]
fn committed_location_without_exit_is_deadlocked() {
    let mut build = Build::default();
    let p = build.process("P", 1);
    let q = build.process("Q", 1);
    build.edge(q, edge(0, 0));
    assert!(!build.interpreter().is_deadlocked(&build.start()).unwrap());
    build.location(p, 0).kind = LocationKind::Committed;
    assert!(build.interpreter().is_deadlocked(&build.start()).unwrap());
}

#[test]
fn copied_clock_keeps_its_rate() {
    let mut build = Build::default();
    let (x, y) = (build.clock("x"), build.clock("y"));
    let p = build.process("P", 2);
    build.edge(p, edge(0, 0).update(assign(&x, number(5))));
    build.edge(p, edge(0, 1).update(assign(&y, x.clone())));
    build.invariant(p, 1, when(&y, AT_LEAST, 7));
    let state = build.after(&build.start(), &internal(p, 0));
    build.network.processes[p].edges[tempora_model::EdgeId(0)].guard.data.push(number(0));
    assert_eq!(build.interpreter().action_delays(&state).unwrap().to_string(), "[2, inf)");
    let later = build.later(&state, time(5, 2));
    assert_eq!(build.after(&later, &internal(p, 1)).clocks, [time(15, 2), time(15, 2)]);
}

#[test]
fn deep_predicate_is_evaluated_for_all_delays() {
    let mut build = Build::default();
    let x = build.clock("x");
    build.process("P", 1);
    let mut deep = when(&x, AT_MOST, 7);
    for level in 0..999 {
        let operator = if level % 2 == 0 { BinaryOperator::And } else { BinaryOperator::Or };
        deep = binary(operator, when(&x, LESS, 5), deep);
    }
    let delays = build.interpreter().predicate_delays(&build.start(), &deep).unwrap();
    assert_eq!(delays.to_string(), "[0, 5)");
}
