//! From a path with clock constraints to a run with rational delays.
//!
//! Invariant: the unknowns are the times of the transitions and of the end. Along a path every clock is the time since
//! it was last set plus the value it was set to, so all constraints are bounds on differences of those times. The
//! solution consists of the earliest multiples of a small fraction that satisfy them all.

use tempora_evidence::{Ending, Rational, Step, Trace, Transition, TransitionKind};
use tempora_machine::{ClockConstraint, ClockEffect};
use tempora_model::LocationId;

/// A step of a path, with clock constraints; clocks count from 1.
#[derive(Clone, Debug)]
pub(crate) struct PathStep {
    pub(crate) transition: Transition,
    /// Constraints when the transition is taken.
    pub(crate) guard: Vec<ClockConstraint>,
    /// Whether time may pass before it.
    pub(crate) may_delay_before: bool,
    pub(crate) effects: Vec<ClockEffect>,
    /// Constraints right after it.
    pub(crate) entry: Vec<ClockConstraint>,
}

/// The end of a path.
pub(crate) struct PathEnd {
    /// Constraints at the end.
    pub(crate) goal: Vec<ClockConstraint>,
    /// Whether time may pass after the last step.
    pub(crate) may_delay: bool,
    pub(crate) ending: Ending,
}

/// Computes a run along the path; `None` if there is none, or the work limit is reached.
pub(crate) fn concrete_trace(
    initial: Vec<LocationId>,
    path: Vec<PathStep>,
    end: PathEnd,
    clock_count: usize,
) -> Option<Trace> {
    concrete_trace_near(initial, path, end, clock_count, None)
}

/// Computes a run along the path that ends at most a tenth of a unit later than the given time, if any.
pub(crate) fn concrete_trace_near(
    initial: Vec<LocationId>,
    path: Vec<PathStep>,
    end: PathEnd,
    clock_count: usize,
    near: Option<i64>,
) -> Option<Trace> {
    let mut times = Times::new(path.len() + 2);
    let mut last_set = vec![LastSet { time: 0, value: 0 }; clock_count + 1];
    for (number, step) in path.iter().enumerate() {
        let (before, now) = (number, number + 1);
        times.at_least(now, before);
        if !step.may_delay_before {
            times.add(now, before, 0, false);
        }
        times.demand(&step.guard, &last_set, now)?;
        follow_effects(&step.effects, &mut last_set, now)?;
        times.demand(&step.entry, &last_set, now)?;
    }
    let (last, finish) = (path.len(), path.len() + 1);
    times.at_least(finish, last);
    if end.goal.is_empty() || !end.may_delay {
        // The end is unconstrained or cannot be delayed, so it coincides with the last transition.
        times.add(finish, last, 0, false);
    }
    times.demand(&end.goal, &last_set, finish)?;
    let solution = times.solve(near)?;
    let mut now = Rational::from_integer(0);
    let mut steps = Vec::with_capacity(path.len());
    for (step, &time) in path.into_iter().zip(&solution[1..]) {
        steps.push(Step { delay: time - now, transition: step.transition });
        now = time;
    }
    let final_delay = *solution.last()? - now;
    Some(Trace { initial, steps, final_delay, ending: end.ending })
}

/// Records which clocks are set at a time, and to which values; `None` if a value is unknown.
pub(crate) fn follow_effects(effects: &[ClockEffect], last_set: &mut [LastSet], now: usize) -> Option<()> {
    for effect in effects {
        match *effect {
            ClockEffect::Reset { clock, value } => {
                *last_set.get_mut(usize::from(clock))? = LastSet { time: now, value: i64::from(value) };
            }
            ClockEffect::Copy { clock, from, plus } => {
                let LastSet { time, value } = *last_set.get(usize::from(from))?;
                *last_set.get_mut(usize::from(clock))? = LastSet { time, value: value + i64::from(plus) };
            }
        }
    }
    Some(())
}

/// When a clock was last set, and to which value.
#[derive(Clone, Copy)]
pub(crate) struct LastSet {
    pub(crate) time: usize,
    pub(crate) value: i64,
}

/// Bounds on differences of times; time 0 is the start.
#[derive(Clone)]
pub(crate) struct Times {
    count: usize,
    /// `left - right` is at most, or less than, the constant.
    bounds: Vec<TimeBound>,
}

#[derive(Clone, Copy)]
struct TimeBound {
    left: u32,
    right: u32,
    constant: i64,
    is_strict: bool,
}

/// The limit on processed bounds for one run, over all rounds: well below a second of work.
const MOST_WORK: usize = 300_000_000;

impl Times {
    pub(crate) fn new(count: usize) -> Times {
        Times { count, bounds: Vec::new() }
    }

    pub(crate) fn at_least(&mut self, later: usize, earlier: usize) {
        self.add(earlier, later, 0, false);
    }

    pub(crate) fn add(&mut self, left: usize, right: usize, constant: i64, is_strict: bool) {
        self.bounds.push(TimeBound { left: left as u32, right: right as u32, constant, is_strict });
    }

    /// Requires the clocks to satisfy constraints at a time; `None` if a clock value is unknown.
    pub(crate) fn demand(
        &mut self,
        constraints: &[ClockConstraint],
        last_set: &[LastSet],
        time: usize,
    ) -> Option<()> {
        for constraint in constraints {
            let left = last_set.get(usize::from(constraint.left))?;
            let right = last_set.get(usize::from(constraint.right))?;
            // A clock is `time - set + value`; the reference clock is zero.
            let (from, to, constant) = match (constraint.left, constraint.right) {
                (0, 0) => (0, 0, constraint.constant),
                (_, 0) => (time, left.time, constraint.constant - left.value),
                (0, _) => (right.time, time, constraint.constant + right.value),
                _ => (right.time, left.time, constraint.constant - left.value + right.value),
            };
            self.add(from, to, constant, constraint.is_strict);
        }
        Some(())
    }

    /// Solves for the earliest times, in small fractions of a unit; the fractions are finer if the last time is to be
    /// near another.
    pub(crate) fn solve(&self, near: Option<i64>) -> Option<Vec<Rational>> {
        // Satisfiable strict bounds always have a solution with a denominator of one more than the number of times.
        let finest = self.count as i64 + 1;
        let mut denominators: Vec<i64> = [1, 2, 3, 4, 8, 16].into_iter().filter(|&d| d < finest).collect();
        denominators.push(finest);
        if near.is_some() {
            // The earliest times are late by less than a fraction for each of them.
            denominators = vec![10, 20, 50, 100, finest.saturating_mul(10)];
        }
        let mut work = MOST_WORK;
        denominators.into_iter().find_map(|denominator| {
            let values = self.earliest_multiples(denominator, &mut work)?;
            if let (Some(near), Some(&last)) = (near, values.last())
                && last.checked_sub(near.checked_mul(denominator)?)?.checked_mul(10)? > denominator
            {
                return None;
            }
            Some(values.into_iter().map(|value| Rational::new(value, denominator)).collect())
        })
    }

    /// Returns the earliest times that are multiples of the fraction, by Bellman-Ford rounds, forwards and backwards in
    /// turn because bounds lead in both directions.
    fn earliest_multiples(&self, denominator: i64, work: &mut usize) -> Option<Vec<i64>> {
        let mut values = vec![0i64; self.count];
        for round in 0..=self.count.max(4) {
            *work = work.checked_sub(self.bounds.len())?;
            let mut is_settled = true;
            let mut raise = |bound: &TimeBound| {
                let most =
                    bound.constant.checked_mul(denominator)?.checked_sub(i64::from(bound.is_strict))?;
                let (left, right) = (bound.left as usize, bound.right as usize);
                let least = values[left].checked_sub(most)?;
                if least > values[right] {
                    values[right] = least;
                    is_settled = false;
                }
                Some(())
            };
            if round % 2 == 0 {
                self.bounds.iter().try_for_each(&mut raise)?;
            } else {
                self.bounds.iter().rev().try_for_each(&mut raise)?;
            }
            if values[0] > 0 {
                return None;
            }
            if is_settled {
                return Some(values);
            }
        }
        None
    }
}

impl PathStep {
    /// Returns a moment without transition or constraints.
    pub(crate) fn empty() -> PathStep {
        PathStep {
            transition: Transition { kind: TransitionKind::Internal, participants: Vec::new() },
            guard: Vec::new(),
            may_delay_before: true,
            effects: Vec::new(),
            entry: Vec::new(),
        }
    }
}
