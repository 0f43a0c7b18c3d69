//! From a path with zones to a run with rational delays.
//!
//! Invariant: the unknowns are the times of the transitions and of the end. Along a path every clock is the time since
//! its last reset plus the value it was set to, so all guards, invariants and the goal are bounds on differences of
//! those times: a zone over times, and every point of it is a solution.

use num_rational::Ratio;
use tempora_evidence::{Ending, Rational, Step, Trace, Transition};
use tempora_model::LocationId;
use tempora_zones::{Bound, BoundOverflow, Clock, ClockUpdate, Constraint, Dimension, Zone};

/// A step of a path, with clock constraints.
#[derive(Clone, Debug)]
pub(super) struct PathStep {
    pub(super) transition: Transition,
    /// Constraints when the transition is taken.
    pub(super) guard: Vec<Constraint>,
    /// Whether time may pass before it.
    pub(super) may_delay_before: bool,
    pub(super) clock_updates: Vec<ClockUpdate>,
    /// Constraints right after it.
    pub(super) entry: Vec<Constraint>,
}

/// When a clock was last set, and to which value.
#[derive(Clone, Copy)]
struct LastSet {
    time: Clock,
    value: i64,
}

/// Computes a run along the path whose final clock values satisfy the goal; `None` if the path is too long or a
/// constant too large.
pub(super) fn concrete_trace(
    initial: Vec<LocationId>,
    path: &[PathStep],
    goal: &[Constraint],
    may_delay_at_end: bool,
    ending: Ending,
) -> Option<Trace> {
    let times = times(path, goal, may_delay_at_end).ok()??;
    let mut now = Ratio::from_integer(0);
    let steps = path
        .iter()
        .zip(&times)
        .map(|(step, &time)| {
            let delay: Rational = time - now;
            now = time;
            Step { delay, transition: step.transition.clone() }
        })
        .collect();
    let final_delay = times.last().map_or(Ratio::from_integer(0), |&end| end - now);
    Some(Trace { initial, steps, final_delay, ending })
}

/// Computes the times of the transitions and of the end.
fn times(
    path: &[PathStep],
    goal: &[Constraint],
    may_delay_at_end: bool,
) -> Result<Option<Vec<Rational>>, BoundOverflow> {
    let Ok(dimension) = Dimension::for_clocks(path.len() + 1) else { return Ok(None) };
    let mut zone = Zone::universe(dimension);
    let mut last_set: Vec<LastSet> = Vec::new();
    let mut previous = Clock::REFERENCE;
    for (step, time) in path.iter().zip(dimension.clocks()) {
        let most = if step.may_delay_before { Bound::INFINITY } else { Bound::LE_ZERO };
        zone.constrain(Constraint::difference(previous, time, Bound::LE_ZERO))?;
        zone.constrain(Constraint::difference(time, previous, most))?;
        demand(&mut zone, &step.guard, &last_set, time)?;
        for update in &step.clock_updates {
            match *update {
                ClockUpdate::Reset { clock, value } => {
                    *entry(&mut last_set, clock) = LastSet { time, value: i64::from(value) };
                }
                ClockUpdate::Copy { target, from } => {
                    *entry(&mut last_set, target) = *entry(&mut last_set, from);
                }
                ClockUpdate::Shift { clock, amount } => {
                    entry(&mut last_set, clock).value += i64::from(amount);
                }
            }
        }
        demand(&mut zone, &step.entry, &last_set, time)?;
        previous = time;
    }
    let end = Clock(path.len() as u16 + 1);
    zone.constrain(Constraint::difference(previous, end, Bound::LE_ZERO))?;
    if goal.is_empty() || !may_delay_at_end {
        // The end is unconstrained or cannot be delayed, so it coincides with the last transition.
        zone.constrain(Constraint::difference(end, previous, Bound::LE_ZERO))?;
    }
    demand(&mut zone, goal, &last_set, end)?;
    Ok(zone.point_inside())
}

/// Returns the clock's entry; a clock that was never set has its initial value zero.
fn entry(last_set: &mut Vec<LastSet>, clock: Clock) -> &mut LastSet {
    let position = usize::from(clock.0);
    if last_set.len() <= position {
        last_set.resize(position + 1, LastSet { time: Clock::REFERENCE, value: 0 });
    }
    &mut last_set[position]
}

/// Requires the clocks to satisfy the constraints at a time.
fn demand(
    zone: &mut Zone,
    constraints: &[Constraint],
    last_set: &[LastSet],
    time: Clock,
) -> Result<(), BoundOverflow> {
    let start = LastSet { time: Clock::REFERENCE, value: 0 };
    let of = |clock: Clock| last_set.get(usize::from(clock.0)).copied().unwrap_or(start);
    for constraint in constraints {
        let Some(constant) = constraint.bound.constant() else { continue };
        let constant = i64::from(constant);
        // A clock is `time - set + value`; the reference clock is zero.
        let (left, right, constant) = match (constraint.left, constraint.right) {
            (Clock::REFERENCE, Clock::REFERENCE) => (Clock::REFERENCE, Clock::REFERENCE, constant),
            (left, Clock::REFERENCE) => (time, of(left).time, constant - of(left).value),
            (Clock::REFERENCE, right) => (of(right).time, time, constant + of(right).value),
            (left, right) => (of(right).time, of(left).time, constant - of(left).value + of(right).value),
        };
        zone.constrain(Constraint::difference(
            left,
            right,
            Bound::finite(constant, constraint.bound.is_weak())?,
        ))?;
    }
    Ok(())
}
