//! Values and deadlines that runs prove, and those they do not.

use tempora_evidence::{
    Answer, Budget, Ending, Evidence, Limit, MeasuredValue, Rational, Statistics, Trace, Verdict,
};
use tempora_model::{BoundsKind, Expression, Formula, LocationId, ProcessId, Query, QueryKind};
use tempora_replay::{Showing, judge_network};

use crate::common::*;

/// Builds a process that moves to its second location between two and five and may then wait for ever.
fn example() -> (Build, ProcessId, Expression) {
    let mut build = Build::default();
    let x = build.clock("x");
    let p = build.process("P", 2);
    build.invariant(p, 0, when(&x, AT_MOST, 5));
    build.edge(p, edge(0, 1).guard(when(&x, AT_LEAST, 2)));
    (build, p, x)
}

/// Returns a run that leaves the first location after a delay and waits for another.
fn run(p: ProcessId, delay: Rational, final_delay: Rational) -> Trace {
    let transition = step(0, internal(p, 0)).transition;
    let steps = vec![tempora_evidence::Step { delay, transition }];
    Trace { initial: vec![LocationId(0)], steps, final_delay, ending: Ending::Goal }
}

/// Returns whether runs prove an answer; `None` if they refute it.
fn shown(build: &Build, kind: QueryKind, verdict: Verdict, traces: Vec<Trace>) -> Option<bool> {
    let query = Query { text: "q".to_owned(), kind, origin: origin() };
    let answer = Answer {
        verdict,
        evidence: traces.into_iter().map(Evidence::Trace).collect(),
        caveats: Vec::new(),
        statistics: Statistics::default(),
        engine: "test".to_owned(),
    };
    match judge_network(&build.network, &query, &answer, &Budget::unlimited()).showing {
        Showing::Shown => Some(true),
        Showing::NotShown => Some(false),
        Showing::Refuted(_) => None,
    }
}

const SHOWN: Option<bool> = Some(true);
const BELIEVED: Option<bool> = Some(false);
const REFUTED: Option<bool> = None;

#[test]
fn run_proves_attained_or_approached_value() {
    let (build, p, x) = example();
    let whole = |value| Limit::Attained(Rational::from_integer(value));
    let open = |value| Limit::Approached(Rational::from_integer(value));
    let bounds =
        |which| QueryKind::Bounds { which, predicate: Some(is_at(p, 1)), expressions: vec![x.clone()] };
    let at = |numerator, denominator| vec![run(p, time(numerator, denominator), time(0, 1))];
    use MeasuredValue::{Infimum, Intervals, NoState, Supremum};
    for (which, value, traces, expected) in [
        (BoundsKind::Infimum, Infimum(whole(2)), at(2, 1), SHOWN),
        (BoundsKind::Infimum, Infimum(whole(2)), at(5, 2), REFUTED),
        (BoundsKind::Infimum, Infimum(open(2)), at(5, 2), SHOWN),
        (BoundsKind::Infimum, Infimum(open(2)), at(2, 1), REFUTED),
        (BoundsKind::Infimum, Infimum(open(2)), at(3, 1), REFUTED),
        (BoundsKind::Supremum, Supremum(whole(4)), at(4, 1), SHOWN),
        (BoundsKind::Supremum, Supremum(whole(4)), at(5, 1), REFUTED),
        (BoundsKind::Supremum, Supremum(open(4)), at(7, 2), SHOWN),
        (BoundsKind::Supremum, Supremum(open(4)), at(4, 1), REFUTED),
        (BoundsKind::Supremum, Supremum(Limit::Unbounded), at(4, 1), SHOWN),
        (BoundsKind::Both, Intervals(vec![(whole(2), whole(4))]), at(4, 1), SHOWN),
        (BoundsKind::Both, Intervals(vec![(whole(2), whole(4))]), at(2, 1), REFUTED),
        (BoundsKind::Supremum, Supremum(whole(4)), vec![], BELIEVED),
        (BoundsKind::Supremum, NoState, vec![], BELIEVED),
    ] {
        let verdict = Verdict::Value(vec![value.clone()]);
        assert_eq!(shown(&build, bounds(which), verdict, traces), expected, "{value:?}");
    }
    // A value in a state that violates the predicate proves nothing.
    let elsewhere =
        QueryKind::Bounds { which: BoundsKind::Supremum, predicate: Some(is_at(p, 0)), expressions: vec![x] };
    let verdict = Verdict::Value(vec![Supremum(whole(4))]);
    assert_eq!(shown(&build, elsewhere, verdict, at(4, 1)), REFUTED);
}

#[test]
fn duration_of_run_is_sum_of_delays() {
    let (build, p, _) = example();
    let earliest = QueryKind::Time { is_latest: false, predicate: is_at(p, 1) };
    let value =
        |value| Verdict::Value(vec![MeasuredValue::Infimum(Limit::Attained(Rational::from_integer(value)))]);
    let traces = vec![run(p, time(2, 1), time(3, 1))];
    assert_eq!(shown(&build, earliest.clone(), value(5), traces.clone()), SHOWN);
    assert_eq!(shown(&build, earliest, value(2), traces), REFUTED);
}

#[test]
fn conclusion_is_late_only_after_deadline() {
    let (build, p, x) = example();
    let response = |premise, conclusion, within| {
        QueryKind::Formula(Formula::LeadsTo { premise, conclusion, within: Some(number(within)) })
    };
    let late = |premise: Expression, conclusion: Expression, within, traces| {
        shown(&build, response(premise, conclusion, within), Verdict::Fails, traces)
    };
    let slow = || vec![run(p, time(5, 1), time(0, 1))];
    // The second location is reached at time five: too late for a bound of four, in time for one of five.
    assert_eq!(late(is_at(p, 0), is_at(p, 1), 4, slow()), SHOWN);
    assert_eq!(late(is_at(p, 0), is_at(p, 1), 5, slow()), REFUTED);
    // It counts from any instant at which the premise holds.
    assert_eq!(late(when(&x, AT_LEAST, 3), is_at(p, 1), 1, slow()), SHOWN);
    assert_eq!(late(when(&x, AT_LEAST, 3), is_at(p, 1), 2, slow()), REFUTED);
    // The end of a run proves lateness only beyond the deadline.
    let waiting = |last| vec![run(p, time(2, 1), time(last, 1))];
    assert_eq!(late(is_at(p, 1), is_at(p, 0), 3, waiting(4)), SHOWN);
    assert_eq!(late(is_at(p, 1), is_at(p, 0), 3, waiting(3)), REFUTED);
    // A conclusion that holds at the premise, and never again, is in time; but the premise holds again after it.
    assert_eq!(late(when(&x, AT_MOST, 0), when(&x, AT_MOST, 0), 1, waiting(4)), REFUTED);
    assert_eq!(late(when(&x, AT_MOST, 1), when(&x, AT_MOST, 0), 1, waiting(4)), SHOWN);
}
