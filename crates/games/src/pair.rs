//! Pairs of discrete states of two specifications: what one of them does and the other refuses, and what both do together.
//!
//! Invariant: what is refused in a pair is a set of valuations that is worked out once. The rules are those of alternating timed
//! simulation with different sets of actions: inputs of both are offered by the environment, those of the second alone move the
//! second; outputs of both must be allowed by the second, those of the first alone move the first; time that may pass in the
//! first may pass in the second.

use std::rc::Rc;

use tempora_zones::{ClockUpdate, Dimension, Federation, LuBounds, Zone};

use crate::action::{ActionId, Alphabet};
use crate::frame::Frame;
use crate::state::{EdgeUse, State, StateId, StateKind};
use crate::stop::Stop;

/// Which move is refused.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Refused {
    /// Time that may pass on the left may not on the right.
    Delay,
    /// An output of the left is not allowed on the right.
    Output(ActionId),
    /// An input of the right is not taken on the left.
    Input(ActionId),
}

/// What all pairs of two specifications have in common.
#[derive(Clone, Copy)]
pub(crate) struct Sides<'sides> {
    pub(crate) frame: &'sides Frame,
    pub(crate) dimension: Dimension,
    pub(crate) alphabets: (&'sides Alphabet, &'sides Alphabet),
    /// For each clock, whether it is compared from above only, so that less of it is never worse.
    pub(crate) is_slack: &'sides [bool],
}

/// A pair of discrete states.
pub(crate) struct Pair {
    pub(crate) states: (StateId, StateId),
    pub(crate) bounds: LuBounds,
    /// Good on the left.
    pub(crate) allowed: Federation,
    /// What stops time, where that is not just the end of a convex set on the left.
    pub(crate) stops: Option<Federation>,
    /// What time does not lead to, nor through, on its way to a switch on the left, and to one on the right.
    pub(crate) barriers: [Federation; 2],
    /// Good on the left, and time has ended on the right.
    pub(crate) late: Federation,
    pub(crate) refusals: Vec<(Refused, Federation)>,
    pub(crate) moves: Vec<PairMove>,
    /// Whether the left one switches, where, and to what.
    pub(crate) switches: Vec<(bool, Federation, StateId, StateId)>,
    /// Nothing is refused from here on.
    pub(crate) is_settled: bool,
    /// The nodes that stand for all that has been found.
    pub(crate) kept: Vec<usize>,
}

/// A move of a pair.
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
    /// Works out a pair.
    pub(crate) fn unfold(
        sides: &Sides<'_>,
        (left, right): (StateId, StateId),
        (one, other): (&State, &State),
    ) -> Result<Pair, Stop> {
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
                    // Outside of what is good on the right, the delay has been refused before.
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
            // Where both switch, the left one is first, and the right one follows at once.
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

    /// Whether some valuations of a zone have no time before they switch.
    pub(crate) fn switches_at_once(&self, entry: &Zone) -> Result<bool, Stop> {
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
