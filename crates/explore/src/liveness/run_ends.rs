//! Ends of maximal runs: deadlocks, unbounded delay, and missed deadlines.
//!
//! Invariant: a returned end belongs to a run. If a node has none, then no value that it represents has one, or the
//! search stops because some may be hidden.

use tempora_zones::{ClockSource, Constraint, Zone};

use crate::graph::arrivals::Arrival;
use crate::graph::explorer::SearchStop;
use crate::graph::pieces::minus_all;
use crate::graph::store::NodeId;
use crate::liveness::restricted::{Halt, Halted, ObserverClock, Restricted, at_exactly, or_halt, overflow};
use crate::search::deadlock::deadlocked_parts;

/// The end of a run.
pub(crate) struct End {
    pub(crate) node: NodeId,
    pub(crate) kind: EndKind,
    /// The values of the node with which the run ends.
    pub(crate) part: Zone,
}

pub(crate) enum EndKind {
    Deadlock,
    DelayForever,
    /// The deadline is missed, with these values after it.
    Late(Zone),
}

impl Restricted<'_> {
    /// Returns an end of a run in a node: while the predicate holds, time may pass for ever or leads to a deadlock.
    pub(crate) fn end(
        &mut self,
        id: NodeId,
        cells: &[i32],
        zone: &Zone,
        may_delay: bool,
        arrivals: &[Arrival],
    ) -> Halted<Option<End>> {
        if !may_delay {
            let parts = or_halt(deadlocked_parts(zone, false, arrivals, usize::MAX))?;
            return Ok(match self.restriction.clock {
                ObserverClock::Deadline(_) => None,
                _ => parts.into_iter().next().map(|part| End { node: id, kind: EndKind::Deadlock, part }),
            });
        }
        // All values after delays, for any value of the observer's clock.
        let mut free = zone.clone();
        self.explorer.source.set(self.explorer.bounds, cells);
        let observer_clock = self.explorer.source.zone_clock(self.observer().1);
        let sources: Vec<ClockSource> =
            zone.dimension().clocks().map(|from| ClockSource { from, plus: 0 }).collect();
        if let ObserverClock::Deadline(deadline) = self.restriction.clock {
            let Some(clock) = observer_clock else { return Ok(None) };
            if !at_exactly(&mut free, clock, deadline).map_err(overflow)? {
                return Ok(None);
            }
            let at_deadline = free.clone();
            let again = self.arrive(0, cells, &at_deadline, &sources)?;
            let late = Constraint::greater_than(clock, deadline).map_err(overflow)?;
            let mut end = None;
            for arrival in again.as_slice() {
                let mut beyond = arrival.later.clone();
                if beyond.constrain(late).map_err(overflow)? {
                    end = Some(End { node: id, kind: EndKind::Late(beyond), part: at_deadline.clone() });
                }
            }
            self.spare.push(again);
            return Ok(end);
        }
        if let Some(clock) = observer_clock {
            free.free(clock);
        }
        let again = self.arrive(0, cells, &free, &sources)?;
        let Some(whole) = again.as_slice().first() else {
            return Err(Halt::Stop(SearchStop::Bug("a state does not satisfy its invariants".to_owned())));
        };
        let (later, is_unbounded) = (whole.later.clone(), whole.uppers.is_empty());
        self.spare.push(again);
        let mut leaving = self.parts_of_stay(false, &later)?;
        leaving.iter_mut().for_each(Zone::down);
        let mut staying = minus_all(vec![zone.clone()], &leaving).map_err(overflow)?;
        if staying.is_empty() {
            return Ok(None);
        }
        let kind = if is_unbounded {
            EndKind::DelayForever
        } else {
            let deadlocked = if later.is_subset_of(zone) {
                or_halt(deadlocked_parts(&later, true, arrivals, usize::MAX))?
            } else {
                let all = self.successors(cells, &later, true, id.0)?;
                let parts = deadlocked_parts(&later, true, all.as_slice(), usize::MAX);
                self.spare.push(all);
                or_halt(parts)?
            };
            let mut both = Vec::new();
            for part in &staying {
                for deadlocked in &deadlocked {
                    let mut part = part.clone();
                    if part.intersect(deadlocked).map_err(overflow)? {
                        both.push(part);
                    }
                }
            }
            staying = both;
            EndKind::Deadlock
        };
        Ok(staying.into_iter().next().map(|part| End { node: id, kind, part }))
    }

    /// Stops if runs may end in values that a node represents, though none ends in its own (see `hidden_deadlocks.rs`).
    /// A simulation preserves unbounded delay and missed deadlines, so only deadlocks can be hidden.
    pub(crate) fn check_hidden_ends(&mut self, id: NodeId, cells: &[i32], zone: &Zone) -> Halted<()> {
        let explorer = &mut self.explorer;
        if explorer.deadlocks.is_none() || matches!(self.restriction.clock, ObserverClock::Deadline(_)) {
            return Ok(());
        }
        explorer.source_cells.copy_from_slice(cells);
        explorer.source.set(explorer.bounds, cells);
        let matters = explorer.clocks_that_differ(zone);
        if matters.is_empty() {
            return Ok(());
        }
        let pieces = explorer.deadlocks_may_hide(id, &mut self.enabled, &mut Vec::new(), zone);
        match or_halt(pieces)? {
            None => Ok(()),
            Some(_) => Err(Halt::Stop(SearchStop::Hidden(matters))),
        }
    }
}
