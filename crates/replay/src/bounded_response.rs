//! Decides whether a run violates a bounded response `p -->[<=T] q`.
//!
//! Invariant: it does exactly if the premise holds at some instant, the conclusion does not hold from then until the
//! deadline, both inclusive, and the run continues beyond the deadline.

use tempora_evidence::{Rational, RuntimeError};
use tempora_model::Expression;

use crate::delay_set::{Cut, DelaySet};
use crate::stretches::{Predicates, Stretch};

/// Traverses the stretches backward: for each instant, the next conclusion, or the end of the run, must be after the
/// deadline.
pub(crate) fn violates_deadline<P: Predicates>(
    predicates: &P,
    stretches: &[Stretch<'_, P::State>],
    premise: &Expression,
    conclusion: &Expression,
    deadline: Rational,
) -> Result<bool, RuntimeError> {
    let zero = Rational::from_integer(0);
    let mut starts = Vec::new();
    let mut time = zero;
    for (_, passing) in stretches {
        starts.push(time);
        time += passing.end().and_then(Cut::value).unwrap_or(zero);
    }
    // The first instant after the deadline, as a time since the start.
    let mut next = Cut::before(time);
    for ((state, passing), start) in stretches.iter().zip(starts).rev() {
        let premise = predicates.delays_of(state, premise)?.intersection(passing);
        let concluded = predicates.delays_of(state, conclusion)?.intersection(passing);
        let mut gap_end = Cut::Infinity;
        let is_late = |gap_start: Cut, gap_end: Cut, next: Cut| {
            let in_time = DelaySet::between(gap_start, gap_end.min(shifted(next, -(start + deadline))));
            !premise.intersection(&in_time).is_empty()
        };
        for interval in concluded.intervals().iter().rev() {
            if is_late(interval.end, gap_end, next) {
                return Ok(true);
            }
            gap_end = interval.start;
            next = shifted(interval.start, start);
        }
        if is_late(Cut::before(zero), gap_end, next) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn shifted(cut: Cut, by: Rational) -> Cut {
    match cut {
        Cut::At { value, is_after } => Cut::At { value: value + by, is_after },
        Cut::Infinity => Cut::Infinity,
    }
}
