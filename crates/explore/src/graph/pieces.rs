//! The parts of a zone in which a predicate is true, or false.
//!
//! Invariant: the parts together contain exactly the clock values of the zone for which the predicate has the wanted
//! truth value.

use tempora_machine::{ClockAtom, ClockConstraint, Execution, Failure, Machine, Predicate};
use tempora_model::Comparison;
use tempora_zones::{Bound, BoundOverflow, Zone};

use crate::graph::clocks::{ClockIndex, Resolved};

/// Why the parts were not computed.
pub(crate) enum PieceFailure {
    /// The predicate cannot be evaluated in this state.
    Failure(Failure),
    Overflow,
    /// The predicate reads a clock that is not in the zone.
    Forgotten,
    /// The budget is exhausted.
    Stopped,
}

impl From<Failure> for PieceFailure {
    fn from(failure: Failure) -> PieceFailure {
        PieceFailure::Failure(failure)
    }
}

impl From<BoundOverflow> for PieceFailure {
    fn from(_: BoundOverflow) -> PieceFailure {
        PieceFailure::Overflow
    }
}

/// The context in which predicates are evaluated.
pub(crate) struct Pieces<'search> {
    pub(crate) machine: &'search Machine,
    pub(crate) execution: &'search mut Execution,
    pub(crate) clocks: &'search ClockIndex,
    /// The values of bound variables, outermost first.
    pub(crate) arguments: Vec<i32>,
    /// The parts of the zone in which no transition is possible, now or later.
    pub(crate) deadlocked: &'search [Zone],
    /// Returns whether to continue; called for each value of a bound variable.
    pub(crate) go_on: &'search mut dyn FnMut() -> bool,
}

impl Pieces<'_> {
    pub(crate) fn find(
        &mut self,
        predicate: &Predicate,
        wanted: bool,
        zone: &Zone,
    ) -> Result<Vec<Zone>, PieceFailure> {
        if zone.is_empty() {
            return Ok(Vec::new());
        }
        match predicate {
            Predicate::Data(code) => {
                let holds = self.execution.truth(self.machine, *code, &self.arguments)?;
                Ok(if holds == wanted { vec![zone.clone()] } else { Vec::new() })
            }
            Predicate::Clocks(code) => match self.execution.atom(self.machine, *code, &self.arguments)? {
                Some(atom) => self.atom(atom, wanted, zone),
                None => Ok(Vec::new()),
            },
            Predicate::Deadlock => self.deadlock(wanted, zone),
            Predicate::Not(inner) => self.find(inner, !wanted, zone),
            Predicate::And(left, right) => self.both_or_one(left, right, wanted, wanted, zone),
            Predicate::Or(left, right) => self.both_or_one(left, right, wanted, !wanted, zone),
            Predicate::Conditional { condition, then, otherwise } => {
                let holds = self.execution.truth(self.machine, *condition, &self.arguments)?;
                self.find(if holds { then } else { otherwise }, wanted, zone)
            }
            Predicate::Quantified { is_all, least, greatest, body } => {
                self.quantified(*is_all == wanted, *least, *greatest, body, wanted, zone)
            }
        }
    }

    fn deadlock(&self, wanted: bool, zone: &Zone) -> Result<Vec<Zone>, PieceFailure> {
        if wanted {
            let mut parts = Vec::new();
            for deadlocked in self.deadlocked {
                let mut part = zone.clone();
                if part.intersect(deadlocked)? {
                    parts.push(part);
                }
            }
            return Ok(parts);
        }
        Ok(minus_all(vec![zone.clone()], self.deadlocked)?)
    }

    /// Requires the wanted value of both sides, or of one of them.
    fn both_or_one(
        &mut self,
        left: &Predicate,
        right: &Predicate,
        wanted: bool,
        needs_both: bool,
        zone: &Zone,
    ) -> Result<Vec<Zone>, PieceFailure> {
        if needs_both {
            let mut parts = Vec::new();
            for part in self.find(left, wanted, zone)? {
                parts.extend(self.find(right, wanted, &part)?);
            }
            return Ok(parts);
        }
        // In order: the right side is evaluated only where the left does not decide.
        let mut parts = self.find(left, wanted, zone)?;
        for rest in self.find(left, !wanted, zone)? {
            parts.extend(self.find(right, wanted, &rest)?);
        }
        Ok(parts)
    }

    fn quantified(
        &mut self,
        needs_all: bool,
        least: i32,
        greatest: i32,
        body: &Predicate,
        wanted: bool,
        zone: &Zone,
    ) -> Result<Vec<Zone>, PieceFailure> {
        let mut parts = if needs_all { vec![zone.clone()] } else { Vec::new() };
        let mut undecided = if needs_all { Vec::new() } else { vec![zone.clone()] };
        for value in least..=greatest {
            if !(self.go_on)() {
                return Err(PieceFailure::Stopped);
            }
            self.arguments.push(value);
            if needs_all {
                let mut next = Vec::new();
                for part in &parts {
                    next.extend(self.find(body, wanted, part)?);
                }
                parts = next;
            } else {
                let mut rest = Vec::new();
                for part in &undecided {
                    parts.extend(self.find(body, wanted, part)?);
                    rest.extend(self.find(body, !wanted, part)?);
                }
                undecided = rest;
            }
            self.arguments.pop();
            if if needs_all { parts.is_empty() } else { undecided.is_empty() } {
                break;
            }
        }
        Ok(parts)
    }

    fn atom(&mut self, atom: ClockAtom, wanted: bool, zone: &Zone) -> Result<Vec<Zone>, PieceFailure> {
        let comparison = if wanted { atom.comparison } else { atom.comparison.negated() };
        let alternatives: &[Comparison] = match comparison {
            Comparison::NotEqual => &[Comparison::Less, Comparison::Greater],
            _ => &[comparison],
        };
        let mut parts = Vec::new();
        for &comparison in alternatives {
            let Some((one, other)) = (ClockAtom { comparison, ..atom }).constraints() else { continue };
            let mut part = zone.clone();
            if self.constrain(&mut part, &one)?
                && other.map_or(Ok(true), |other| self.constrain(&mut part, &other))?
            {
                parts.push(part);
            }
        }
        Ok(parts)
    }

    fn constrain(&self, zone: &mut Zone, constraint: &ClockConstraint) -> Result<bool, PieceFailure> {
        let bound = Bound::finite(constraint.constant, !constraint.is_strict)?;
        match self.clocks.resolve(constraint, bound) {
            Resolved::Constraint(constraint) => Ok(zone.constrain(constraint)?),
            Resolved::True => Ok(true),
            Resolved::False => Ok(false),
            Resolved::Forgotten => Err(PieceFailure::Forgotten),
        }
    }
}

/// Subtracts zones from zones.
pub(crate) fn minus_all(mut zones: Vec<Zone>, others: &[Zone]) -> Result<Vec<Zone>, BoundOverflow> {
    for other in others {
        if zones.is_empty() {
            break;
        }
        let mut left = Vec::new();
        for zone in &zones {
            left.extend(zone.minus(other)?);
        }
        zones = left;
    }
    Ok(zones)
}
