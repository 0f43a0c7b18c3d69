//! Lassos: from paths with moments and cycles to runs with rational delays.
//!
//! Invariant: a returned run follows the path. The end of a cycle is in the region of its beginning (Alur and Dill, "A
//! theory of timed automata", 1994), with respect to a constant that no clock comparison exceeds, so it can be repeated
//! for ever. Every path with a cycle has such a run, but the search may not find it within its attempts.

use tempora_evidence::{Ending, Rational, Step, Trace};
use tempora_machine::{ClockConstraint, Layout, for_each_expression};
use tempora_model::{Expression, ExpressionKind, LocationId, Network, Type};

use crate::liveness::maximal_runs::PathItem;
use crate::runs::trace::{LastSet, Times, follow_effects};

/// Computes a run along a path at whose end constraints hold.
pub(crate) fn ending_trace(
    initial: Vec<LocationId>,
    items: &[PathItem],
    goal: &[ClockConstraint],
    may_delay: bool,
    ending: Ending,
    clock_count: usize,
) -> Option<Trace> {
    let mut line = TimedPath::new(items.len(), clock_count);
    line.follow(items)?;
    line.finish(goal, may_delay)?;
    let times = line.times.solve(None)?;
    Some(run_of(initial, items, &times, ending))
}

/// How finely the ends of a cycle are compared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fineness {
    /// The clocks of the network, without the observer's.
    pub(crate) clock_count: usize,
    /// Values above this constant are equivalent.
    pub(crate) greatest: i64,
    /// Whether clock differences are compared.
    pub(crate) has_differences: bool,
}

/// Limits on the rounds of a cycle, and on the length of the resulting path.
const MOST_ROUNDS: usize = 24;
const LONGEST: usize = 240;
/// The limit on attempts to close a cycle.
const ATTEMPTS: usize = 10;

/// Returns how often to repeat a cycle after a path.
pub(crate) fn rounds_of(prefix: usize, cycle: usize) -> usize {
    (LONGEST.saturating_sub(prefix) / cycle.max(1)).clamp(3, MOST_ROUNDS)
}

/// Computes a run along a path and a cycle, given several rounds of the cycle; `None` if none is found.
pub(crate) fn lasso_trace(
    initial: &[LocationId],
    prefix: &[PathItem],
    rounds: &[Vec<PathItem>],
    clock_count: usize,
    fineness: Fineness,
    go_on: &mut impl FnMut() -> bool,
) -> Option<Trace> {
    // The cycle begins right after a transition.
    let is_step = |item: &PathItem| matches!(item, PathItem::Step(_));
    let first = rounds.first()?.iter().position(is_step)? + 1;
    let mut items = prefix.to_vec();
    let mut begins = Vec::new();
    for round in rounds {
        begins.push(items.len() + first);
        items.extend_from_slice(round);
    }
    let mut line = TimedPath::new(items.len(), clock_count);
    let mut moments = Vec::new();
    let mut at = 0;
    for &begin in &begins {
        line.follow(&items[at..begin])?;
        moments.push((begin, line.last_set.clone()));
        at = begin;
    }
    let run = |times: &[Rational], first: usize, second: usize| {
        let (begin, end) = (begins[first], begins[second]);
        let start = items[..begin].iter().filter(|item| is_step(item)).count();
        let mut times = times[..=end].to_vec();
        times.push(times[end]);
        run_of(initial.to_vec(), &items[..end], &times, Ending::Lasso { start })
    };
    // The run may return to the same region without further constraints.
    line.finish(&[], false)?;
    let times = line.times.solve(None)?;
    let regions: Vec<_> =
        moments.iter().map(|moment| region(&values(&times, moment, fineness), fineness)).collect();
    let pairs = || (1..moments.len()).flat_map(|second| (0..second).rev().map(move |first| (first, second)));
    if let Some((first, second)) = pairs().find(|&(first, second)| regions[first] == regions[second]) {
        return Some(run(&times, first, second));
    }
    for (first, second) in pairs().take(ATTEMPTS) {
        let mut line = TimedPath::new(begins[second], clock_count);
        line.follow(&items[..begins[second]])?;
        line.finish(&[], false)?;
        if let Some(times) = close(&line.times, &moments[first], &moments[second], fineness, go_on) {
            return Some(run(&times, first, second));
        }
    }
    None
}

/// A time, and when each clock was last set before it.
type Moment = (usize, Vec<LastSet>);

/// Returns times at which two moments are in the same region.
fn close(
    times: &Times,
    begin: &Moment,
    end: &Moment,
    fineness: Fineness,
    go_on: &mut impl FnMut() -> bool,
) -> Option<Vec<Rational>> {
    // First as many clocks as possible beyond all constants, because they need no further constraints.
    let mut beyond = times.clone();
    for clock in 1..=fineness.clock_count {
        if !go_on() {
            return None;
        }
        let mut more = beyond.clone();
        let far =
            [ClockConstraint { left: 0, right: clock as u16, constant: -fineness.greatest, is_strict: true }];
        more.demand(&far, &begin.1, begin.0)?;
        more.demand(&far, &end.1, end.0)?;
        if more.solve(None).is_some() {
            beyond = more;
        }
    }
    for base in [&beyond, times] {
        let Some(solution) = base.solve(None) else { continue };
        let (one, other) = (values(&solution, begin, fineness), values(&solution, end, fineness));
        for values in [other, one] {
            let region = region(&values, fineness);
            let mut closed = base.clone();
            closed.demand(&region, &begin.1, begin.0)?;
            closed.demand(&region, &end.1, end.0)?;
            if let Some(solution) = closed.solve(None) {
                return Some(solution);
            }
        }
    }
    None
}

/// Returns the clock values at a moment.
fn values(times: &[Rational], (moment, last_set): &Moment, fineness: Fineness) -> Vec<Rational> {
    last_set[1..=fineness.clock_count]
        .iter()
        .map(|set| times[*moment] - times[set.time] + Rational::from_integer(set.value))
        .collect()
}

/// Returns constraints that define the region of clock values.
fn region(values: &[Rational], fineness: Fineness) -> Vec<ClockConstraint> {
    let limit = Rational::from_integer(fineness.greatest);
    let mut region = Vec::new();
    for (left, &value) in values.iter().enumerate() {
        let left_clock = left as u16 + 1;
        unit_interval(&mut region, left_clock, 0, value, fineness.greatest);
        for (right, &other) in values.iter().enumerate().take(left) {
            let right_clock = right as u16 + 1;
            if fineness.has_differences {
                unit_interval(&mut region, left_clock, right_clock, value - other, fineness.greatest);
            }
            if value > limit || other > limit {
                continue;
            }
            // The order of the fractional parts.
            let difference = floor(value) - floor(other);
            let (fraction, other_fraction) = (value.fract(), other.fract());
            let (left, right) = (left_clock, right_clock);
            if fraction <= other_fraction {
                let is_strict = fraction < other_fraction;
                region.push(ClockConstraint { left, right, constant: difference, is_strict });
            }
            if fraction >= other_fraction {
                let is_strict = fraction > other_fraction;
                region.push(ClockConstraint { left: right, right: left, constant: -difference, is_strict });
            }
        }
    }
    region
}

/// Constrains the difference of two clocks to the same integer as a value, or to the same open unit interval.
fn unit_interval(region: &mut Vec<ClockConstraint>, left: u16, right: u16, value: Rational, greatest: i64) {
    let limit = Rational::from_integer(greatest);
    let is_strict = !value.is_integer();
    if value > limit {
        region.push(ClockConstraint { left: right, right: left, constant: -greatest, is_strict: true });
        return;
    }
    if value < -limit {
        region.push(ClockConstraint { left, right, constant: -greatest, is_strict: true });
        return;
    }
    let least = floor(value);
    region.push(ClockConstraint { left: right, right: left, constant: -least, is_strict });
    region.push(ClockConstraint { left, right, constant: least + i64::from(is_strict), is_strict });
}

fn floor(value: Rational) -> i64 {
    value.numer().div_euclid(*value.denom())
}

/// A path as bounds on times.
struct TimedPath {
    times: Times,
    last_set: Vec<LastSet>,
    now: usize,
}

impl TimedPath {
    fn new(items: usize, clock_count: usize) -> TimedPath {
        TimedPath {
            times: Times::new(items + 2),
            last_set: vec![LastSet { time: 0, value: 0 }; clock_count + 1],
            now: 0,
        }
    }

    fn follow(&mut self, items: &[PathItem]) -> Option<()> {
        for item in items {
            let (PathItem::Step(step) | PathItem::Moment(step)) = item;
            let before = self.now;
            self.now += 1;
            self.times.at_least(self.now, before);
            if !step.may_delay_before {
                self.times.add(self.now, before, 0, false);
            }
            self.times.demand(&step.guard, &self.last_set, self.now)?;
            follow_effects(&step.effects, &mut self.last_set, self.now)?;
            self.times.demand(&step.entry, &self.last_set, self.now)?;
        }
        Some(())
    }

    fn finish(&mut self, goal: &[ClockConstraint], may_delay: bool) -> Option<()> {
        let last = self.now;
        self.now += 1;
        self.times.at_least(self.now, last);
        if goal.is_empty() || !may_delay {
            self.times.add(self.now, last, 0, false);
        }
        self.times.demand(goal, &self.last_set, self.now)
    }
}

fn run_of(initial: Vec<LocationId>, items: &[PathItem], times: &[Rational], ending: Ending) -> Trace {
    let mut now = Rational::from_integer(0);
    let mut steps = Vec::new();
    for (item, &time) in items.iter().zip(&times[1..]) {
        if let PathItem::Step(step) = item {
            steps.push(Step { delay: time - now, transition: step.transition.clone() });
            now = time;
        }
    }
    let final_delay = times.last().map_or(Rational::from_integer(0), |&end| end - now);
    Trace { initial, steps, final_delay, ending }
}

/// Returns how finely a network and predicates distinguish clock values; variables count with their whole range.
pub(crate) fn fineness(network: &Network, layout: &Layout, predicates: &[&Expression]) -> Fineness {
    let (mut compared, mut assigned, mut has_differences) = (0i64, 0i64, false);
    // Declarations count, as in the reference interpreter.
    let magnitude = |expression: &Expression| match &expression.kind {
        ExpressionKind::Double(value) if value.abs() < 1e9 => value.abs().ceil() as i64,
        _ => network.declared_magnitude(expression),
    };
    let mut look = |part: &Expression| match &part.kind {
        ExpressionKind::CompareClocks { left, right, bound, .. } => {
            compared = compared.max(magnitude(bound));
            has_differences |= left.is_some() && right.is_some();
        }
        ExpressionKind::Assign { target, value, .. }
            if target.value_type == Type::Clock
                && value.value_type != Type::Clock
                && !network.is_hybrid(target) =>
        {
            assigned = assigned.max(magnitude(value));
        }
        _ => {}
    };
    for_each_expression(network, &mut look);
    predicates.iter().for_each(|predicate| predicate.for_each(&mut look));
    Fineness { clock_count: layout.clock_count(), greatest: compared + assigned, has_differences }
}
