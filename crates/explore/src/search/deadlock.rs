//! Deadlocks: states from which no transition is possible, now or after any delay that the invariants allow.
//!
//! Invariant: the computed parts are exactly the deadlocked values of a zone. A transition counts if its target
//! satisfies the invariants; the values that enable it are the predecessors of the values after it, and also their past
//! where time may pass. Priorities do not matter: a transition is suppressed only if one of higher priority is enabled.
//!
//! Receivers never block the sender of a broadcast, so their guards matter only through the invariants of their
//! targets. Zones are split by receivers when successors are computed, so this file does not handle them.

use std::ops::ControlFlow;

use tempora_evidence::Exhausted;
use tempora_machine::{Failure, Predicate};
use tempora_zones::Zone;

use crate::graph::arrivals::Arrival;
use crate::graph::explorer::{Explorer, Flow, SearchStop, TOO_LARGE, forgotten, too_large};
use crate::graph::pieces::{PieceFailure, Pieces, minus_all};
use crate::graph::store::NodeId;

impl Explorer<'_> {
    /// Searches a node, whose successors have just been recorded, for goals that mention deadlocks.
    pub(crate) fn check_deadlock_goals(&mut self, node: NodeId, zone: &Zone) -> Flow {
        let Some(mut arrivals) = self.arrivals.take() else { return ControlFlow::Continue(()) };
        let may_delay = self.store.node(node).may_delay;
        let found = deadlocked_parts(zone, may_delay, arrivals.as_slice(), usize::MAX);
        arrivals.clear();
        self.arrivals = Some(arrivals);
        let deadlocked = found?;
        for position in 0..self.goals.len() {
            if self.goals[position].outcome.is_none() && self.goals[position].predicate.mentions_deadlock() {
                self.check_goal(position, node, zone, false, &deadlocked)?;
            }
        }
        if self.undecided == 0 { ControlFlow::Break(SearchStop::Decided) } else { ControlFlow::Continue(()) }
    }

    /// Returns the parts of a zone of the target or source in which a predicate has a truth value, or why it has none.
    pub(crate) fn parts(
        &mut self,
        predicate: &Predicate,
        wanted: bool,
        zone: &Zone,
        is_target: bool,
        deadlocked: &[Zone],
    ) -> ControlFlow<SearchStop, Result<Vec<Zone>, Failure>> {
        let (watch, live) = (&mut self.watch, self.store.live());
        let mut pieces = Pieces {
            machine: self.machine,
            execution: &mut self.execution,
            clocks: if is_target { &self.target } else { &self.source },
            arguments: Vec::new(),
            deadlocked,
            go_on: &mut || watch.check(live).is_ok(),
        };
        match pieces.find(predicate, wanted, zone) {
            Ok(parts) => ControlFlow::Continue(Ok(parts)),
            Err(PieceFailure::Failure(failure)) => ControlFlow::Continue(Err(failure)),
            Err(PieceFailure::Overflow) => ControlFlow::Break(SearchStop::Unsupported(TOO_LARGE.to_owned())),
            Err(PieceFailure::Forgotten) => forgotten(),
            Err(PieceFailure::Stopped) => {
                let exhausted = self.watch.check(live).err().unwrap_or(Exhausted::Cancelled);
                ControlFlow::Break(SearchStop::Exhausted(exhausted))
            }
        }
    }
}

/// Returns the deadlocked parts of a zone that is closed under delay, given its successors. Beyond a limit on the
/// number of parts, some successors are ignored and the parts are an over-approximation.
pub(crate) fn deadlocked_parts(
    zone: &Zone,
    may_delay: bool,
    arrivals: &[Arrival],
    most_parts: usize,
) -> ControlFlow<SearchStop, Vec<Zone>> {
    let mut rest = vec![zone.clone()];
    for arrival in arrivals {
        let mut possible = arrival.predecessor(&arrival.entry)?;
        if may_delay {
            possible.down();
        }
        let left = match minus_all(rest.clone(), &[possible]) {
            Ok(left) => left,
            Err(overflow) => return ControlFlow::Break(too_large(overflow)),
        };
        if left.is_empty() {
            return ControlFlow::Continue(left);
        }
        if left.len() <= most_parts {
            rest = left;
        }
    }
    ControlFlow::Continue(rest)
}
