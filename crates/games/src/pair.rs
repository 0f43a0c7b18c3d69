//! Pairs of discrete states of two specifications: the moves that one side refuses, and the joint moves.
//!
//! The rules are those of alternating timed simulation with different alphabets: common inputs come from the
//! environment, those of the second side alone move the second; common outputs must be allowed by the second side,
//! those of the first alone move the first; a delay of the first must be possible in the second.
//!
//! Invariant: the refused valuations of a pair are computed once.

use std::rc::Rc;

use tempora_zones::{ClockUpdate, Dimension, Federation, LuBounds, Zone};

use crate::action::{ActionId, Alphabet};
use crate::frame::Frame;
use crate::search_abort::SearchAbort;
use crate::state::{EdgeUse, State, StateId, StateKind};

/// A refused move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Refused {
    /// A delay of the left side that the right side does not allow.
    Delay,
    /// An output of the left side that the right side does not allow.
    Output(ActionId),
    /// An input of the right side that the left side does not accept.
    Input(ActionId),
}

/// The data shared by all pairs of two specifications.
#[derive(Clone, Copy)]
pub(crate) struct Sides<'sides> {
    pub(crate) frame: &'sides Frame,
    pub(crate) dimension: Dimension,
    pub(crate) alphabets: (&'sides Alphabet, &'sides Alphabet),
    /// For each clock, whether it has upper bounds only, so that a smaller value simulates a larger one.
    pub(crate) is_slack: &'sides [bool],
}

/// A pair of discrete states.
pub(crate) struct Pair {
    pub(crate) states: (StateId, StateId),
    pub(crate) bounds: LuBounds,
    /// The good set of the left side.
    pub(crate) allowed: Federation,
    /// The valuations that stop delays; `None` if they only leave a convex good set of the left side.
    pub(crate) stops: Option<Federation>,
    /// The valuations that delays cannot reach or cross on the way to a switch of the left side, and of the right side.
    pub(crate) barriers: [Federation; 2],
    /// Valuations that are good on the left after the delay has ended on the right.
    pub(crate) late: Federation,
    pub(crate) refusals: Vec<(Refused, Federation)>,
    pub(crate) moves: Vec<PairMove>,
    /// Whether the left side switches, the switch region, and the target states.
    pub(crate) switches: Vec<(bool, Federation, StateId, StateId)>,
    /// Whether nothing can be refused from here on.
    pub(crate) is_settled: bool,
    /// The nodes that cover all explored zones.
    pub(crate) kept: Vec<usize>,
}

/// A joint move of a pair.
#[derive(Clone)]
pub(crate) struct PairMove {
    /// `None` for a switch.
    pub(crate) action: Option<ActionId>,
    pub(crate) guard: Federation,
    pub(crate) updates: Rc<[ClockUpdate]>,
    pub(crate) target: (StateId, StateId),
    pub(crate) left_edges: Vec<EdgeUse>,
    pub(crate) right_edges: Vec<EdgeUse>,
}

impl Pair {
    /// Computes a pair of states.
    pub(crate) fn unfold(
        sides: &Sides<'_>,
        (left, right): (StateId, StateId),
        (one, other): (&State, &State),
    ) -> Result<Pair, SearchAbort> {
        let Sides { frame, dimension, alphabets: (mine, theirs), is_slack } = *sides;
        let maxima: Vec<Option<i32>> = one.maxima.iter().chain(&other.maxima).copied().collect();
        let allowed = frame.left(&one.good)?;
        let late = frame.both(&one.good, other.time_ends()?)?;
        let lower: Vec<Option<i32>> =
            maxima.iter().zip(is_slack).map(|(&most, &slack)| most.filter(|_| !slack)).collect();
        let mut pair = Pair {
            states: (left, right),
            bounds: LuBounds::from_lower_and_upper(dimension, &lower, &maxima),
            stops: None,
            barriers: [Federation::empty(dimension), Federation::empty(dimension)],
            late,
            refusals: Vec::new(),
            moves: Vec::new(),
            switches: Vec::new(),
            is_settled: other.kind == StateKind::Universal || one.kind == StateKind::Error,
            allowed,
            kept: Vec::new(),
        };
        if pair.is_settled {
            return Ok(pair);
        }
        for action in mine.all().union(&theirs.all()).copied() {
            match (mine.contains(action), theirs.contains(action)) {
                (true, true) => {
                    // Outside the good set of the right side, the delay is already refused.
                    let (offered, taken) = (one.offer(action)?, other.offer(action)?);
                    let (refused, what) = if mine.outputs.contains(&action) {
                        (frame.both(&offered.enabled, &taken.missing)?, Refused::Output(action))
                    } else {
                        (frame.both(&offered.missing, &taken.enabled)?, Refused::Input(action))
                    };
                    if !refused.is_empty() {
                        pair.refusals.push((what, refused));
                    }
                    for first in one.moves_on(action) {
                        for second in other.moves_on(action) {
                            let Some(joint) = frame.together(first, second, first.target)? else { continue };
                            pair.moves.push(PairMove {
                                action: Some(action),
                                guard: joint.guard,
                                updates: joint.updates,
                                target: (first.target, second.target),
                                left_edges: first.edges.clone(),
                                right_edges: second.edges.clone(),
                            });
                        }
                    }
                }
                (true, false) => {
                    for first in one.moves_on(action) {
                        let guard = frame.both(&first.guard, &other.good)?;
                        if let Some(joint) = frame.alone_left(first, guard, first.target) {
                            pair.moves.push(PairMove {
                                action: Some(action),
                                guard: joint.guard,
                                updates: joint.updates,
                                target: (first.target, right),
                                left_edges: first.edges.clone(),
                                right_edges: Vec::new(),
                            });
                        }
                    }
                }
                _ => {
                    for second in other.moves_on(action) {
                        let guard = frame.both(&one.good, &second.guard)?;
                        if let Some(joint) = frame.alone_right(second, guard, second.target) {
                            pair.moves.push(PairMove {
                                action: Some(action),
                                guard: joint.guard,
                                updates: joint.updates,
                                target: (left, second.target),
                                left_edges: Vec::new(),
                                right_edges: second.edges.clone(),
                            });
                        }
                    }
                }
            }
        }
        let (mut left_regions, mut right_regions) =
            (Federation::empty(dimension), Federation::empty(dimension));
        for switch in &one.switches {
            let region = frame.left(&switch.region)?;
            left_regions.union(region.clone());
            pair.switches.push((true, region, switch.target, right));
        }
        for switch in &other.switches {
            right_regions.union(frame.right(&switch.region)?);
            // If both sides switch, the left switches first, and the right follows without delay.
            let region = frame.both(&one.good, &switch.region)?;
            pair.switches.push((false, region, left, switch.target));
        }
        pair.switches.retain(|(_, region, _, _)| !region.is_empty());
        if pair.allowed.zones().len() != 1 || pair.switches.iter().any(|(is_left, ..)| !is_left) {
            let mut stops = pair.allowed.complement()?;
            stops.union(right_regions.clone());
            pair.stops = Some(stops);
        }
        if !pair.switches.is_empty() {
            let mut to_left = frame.left(one.time_ends()?)?;
            to_left.union(pair.late.clone());
            let mut to_right = to_left.clone();
            to_right.union(left_regions.clone());
            right_regions.subtract(&left_regions)?;
            to_left.union(right_regions);
            pair.barriers = [to_left, to_right];
        }
        Ok(pair)
    }

    /// Returns whether some valuations of a zone switch without delay.
    pub(crate) fn switches_at_once(&self, entry: &Zone) -> Result<bool, SearchAbort> {
        if self.switches.is_empty() {
            return Ok(false);
        }
        match &self.stops {
            None => Ok(!self.allowed.includes_zone(entry)?),
            Some(stops) => {
                let mut stopped = Federation::from(entry.clone());
                stopped.intersect(stops)?;
                Ok(!stopped.is_empty())
            }
        }
    }
}
