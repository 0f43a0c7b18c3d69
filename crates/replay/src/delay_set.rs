//! Sets of delays: finite unions of intervals with rational ends, open or closed.
//!
//! Invariant: the intervals are not empty, are in ascending order and do not touch, so that equal sets are equal
//! values. All delays are at least zero.

use std::fmt;

use tempora_evidence::Rational;

/// A cut between delays: just before or just after a number, or after all of them.
///
/// With cuts instead of flagged numbers, an interval is a pair of cuts and plain order decides membership.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cut {
    /// Just before or just after this number.
    At {
        /// The number.
        value: Rational,
        /// Whether the number is below the cut.
        is_after: bool,
    },
    /// After all numbers.
    Infinity,
}

/// All delays between two cuts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Interval {
    /// The lower end.
    pub start: Cut,
    /// The upper end, greater than the start.
    pub end: Cut,
}

/// A set of delays.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DelaySet {
    intervals: Vec<Interval>,
}

impl Cut {
    /// Returns the cut just before a number.
    pub fn before(value: Rational) -> Cut {
        Cut::At { value, is_after: false }
    }

    /// Returns the cut just after a number.
    pub fn after(value: Rational) -> Cut {
        Cut::At { value, is_after: true }
    }

    /// Returns the number of the cut.
    pub fn value(self) -> Option<Rational> {
        match self {
            Cut::At { value, .. } => Some(value),
            Cut::Infinity => None,
        }
    }

    fn zero() -> Cut {
        Cut::before(Rational::from_integer(0))
    }
}

impl DelaySet {
    /// Returns the empty set.
    pub fn empty() -> DelaySet {
        DelaySet { intervals: Vec::new() }
    }

    /// Returns the set of all delays.
    pub fn all() -> DelaySet {
        DelaySet::between(Cut::zero(), Cut::Infinity)
    }

    /// Returns all delays or none.
    pub fn all_if(condition: bool) -> DelaySet {
        if condition { DelaySet::all() } else { DelaySet::empty() }
    }

    /// Returns the set of the delay zero.
    pub fn now() -> DelaySet {
        DelaySet::point(Rational::from_integer(0))
    }

    /// Returns the set of one delay; empty if it is negative.
    pub fn point(value: Rational) -> DelaySet {
        DelaySet::between(Cut::before(value), Cut::after(value))
    }

    /// Returns the delays between two cuts.
    pub fn between(start: Cut, end: Cut) -> DelaySet {
        let start = start.max(Cut::zero());
        DelaySet { intervals: if start < end { vec![Interval { start, end }] } else { Vec::new() } }
    }

    /// Returns the intervals, in ascending order.
    pub fn intervals(&self) -> &[Interval] {
        &self.intervals
    }

    /// Returns whether it contains no delay.
    pub fn is_empty(&self) -> bool {
        self.intervals.is_empty()
    }

    /// Returns whether it contains the delay.
    pub fn contains(&self, delay: Rational) -> bool {
        self.intervals
            .iter()
            .any(|interval| interval.start <= Cut::before(delay) && Cut::after(delay) <= interval.end)
    }

    /// Returns whether it contains arbitrarily long delays.
    pub fn is_unbounded(&self) -> bool {
        self.end() == Some(Cut::Infinity)
    }

    /// Returns its lower end, `None` if it is empty.
    pub fn start(&self) -> Option<Cut> {
        self.intervals.first().map(|interval| interval.start)
    }

    /// Returns its upper end, `None` if it is empty.
    pub fn end(&self) -> Option<Cut> {
        self.intervals.last().map(|interval| interval.end)
    }

    /// Returns the union.
    pub fn union(&self, other: &DelaySet) -> DelaySet {
        let mut sorted: Vec<Interval> = self.intervals.iter().chain(&other.intervals).copied().collect();
        sorted.sort();
        let mut merged: Vec<Interval> = Vec::new();
        for interval in sorted {
            match merged.last_mut() {
                Some(last) if interval.start <= last.end => last.end = last.end.max(interval.end),
                _ => merged.push(interval),
            }
        }
        DelaySet { intervals: merged }
    }

    /// Returns the intersection.
    pub fn intersection(&self, other: &DelaySet) -> DelaySet {
        let mut common = Vec::new();
        for left in &self.intervals {
            for right in &other.intervals {
                let (start, end) = (left.start.max(right.start), left.end.min(right.end));
                if start < end {
                    common.push(Interval { start, end });
                }
            }
        }
        common.sort();
        DelaySet { intervals: common }
    }

    /// Returns the complement.
    pub fn complement(&self) -> DelaySet {
        let mut gaps = Vec::new();
        let mut start = Cut::zero();
        for interval in &self.intervals {
            if start < interval.start {
                gaps.push(Interval { start, end: interval.start });
            }
            start = interval.end;
        }
        if start < Cut::Infinity {
            gaps.push(Interval { start, end: Cut::Infinity });
        }
        DelaySet { intervals: gaps }
    }

    /// Returns whether it is a subset of the other.
    pub fn is_subset(&self, other: &DelaySet) -> bool {
        self.intersection(&other.complement()).is_empty()
    }

    /// Returns the connected part that contains zero; empty if zero is not in the set.
    pub fn from_now(&self) -> DelaySet {
        match self.intervals.first() {
            Some(&first) if first.start == Cut::zero() => DelaySet { intervals: vec![first] },
            _ => DelaySet::empty(),
        }
    }
}

impl fmt::Display for DelaySet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.intervals.is_empty() {
            return formatter.write_str("never");
        }
        for (position, interval) in self.intervals.iter().enumerate() {
            formatter.write_str(if position == 0 { "" } else { " or " })?;
            match interval.start {
                Cut::At { value, is_after: false } => write!(formatter, "[{value}, ")?,
                Cut::At { value, is_after: true } => write!(formatter, "({value}, ")?,
                Cut::Infinity => formatter.write_str("(inf, ")?,
            }
            match interval.end {
                Cut::At { value, is_after: true } => write!(formatter, "{value}]")?,
                Cut::At { value, is_after: false } => write!(formatter, "{value})")?,
                Cut::Infinity => formatter.write_str("inf)")?,
            }
        }
        Ok(())
    }
}
