//! Runs along given transitions.
//!
//! Invariant: the zones along the path are exact, so a run exists exactly if the last zone of some path is not empty.

use std::ops::ControlFlow;

use tempora_evidence::{Budget, Ending, Progress, Trace, Transition, UnknownReason};
use tempora_machine::Enabled;
use tempora_model::{LocationId, Network};

use crate::graph::bounds::{ClockBounds, Profile};
use crate::graph::explorer::{Explorer, SearchStop};
use crate::graph::waiting::SearchOrder;
use crate::runs::paths::Recorded;
use crate::runs::trace::{PathEnd, PathStep, concrete_trace};
use crate::search::engine::{compiled, reason};

/// Why there is no run along some transitions.
#[derive(Clone, PartialEq, Debug)]
pub enum FollowFailure {
    /// The network has no such initial state.
    Start,
    /// The transition with this number, from zero, is not enabled after those before it.
    Step(usize),
    /// Undecided.
    Unknown(UnknownReason),
}

/// Computes the earliest run from these locations along these transitions.
pub fn run_along(
    network: &Network,
    initial: &[LocationId],
    transitions: &[Transition],
    budget: &Budget,
) -> Result<Trace, FollowFailure> {
    let unknown = |what: String| FollowFailure::Unknown(UnknownReason::Unsupported(what));
    let machine = compiled(network).map_err(unknown)?;
    let bounds = ClockBounds::new(network, &machine, &[], Profile::Reach).map_err(unknown)?;
    let progress = Progress::new();
    let mut explorer =
        Explorer::new(&machine, &bounds, &mut [], SearchOrder::BreadthFirst, budget, &progress)
            .map_err(|overflow| unknown(overflow.to_string()))?;
    let can_start = initial.len() == network.processes.len()
        && network.processes.values().zip(initial).all(|(process, at)| process.initial.contains(at));
    if !can_start {
        return Err(FollowFailure::Start);
    }
    let locations: Vec<i32> = initial.iter().map(|location| location.0 as i32).collect();
    let start = explorer.repeat_start_in(&locations).map_err(|stop| FollowFailure::Unknown(reason(&stop)))?;
    if start.zone.is_none() {
        return Err(FollowFailure::Start);
    }
    let wanted: Vec<Transition> = transitions.iter().map(in_order).collect();
    let mut search =
        FollowSearch { explorer, enabled: Enabled::new(&machine), cells: Vec::new(), wanted, furthest: 0 };
    let mut path = Vec::with_capacity(transitions.len());
    match search.follow(&start, &mut path) {
        Ok(true) => {}
        Ok(false) => return Err(FollowFailure::Step(search.furthest)),
        Err(stop) => return Err(FollowFailure::Unknown(reason(&stop))),
    }
    let end = PathEnd { goal: Vec::new(), may_delay: false, ending: Ending::Goal };
    concrete_trace(initial.to_vec(), path, end, machine.layout().clock_count())
        .ok_or_else(|| unknown("computing the delays of such a long run".to_owned()))
}

/// Sorts the receivers of a broadcast by process, because files may use another order.
fn in_order(transition: &Transition) -> Transition {
    let mut sorted = transition.clone();
    if let Some((_, receivers)) = sorted.participants.split_first_mut() {
        receivers.sort();
    }
    sorted
}

struct FollowSearch<'task> {
    explorer: Explorer<'task>,
    enabled: Enabled,
    cells: Vec<i32>,
    wanted: Vec<Transition>,
    /// The longest feasible prefix, in transitions.
    furthest: usize,
}

impl FollowSearch<'_> {
    /// Continues from a state. The same transition may lead to several zones, which are tried in turn.
    fn follow(&mut self, start: &Recorded, path: &mut Vec<PathStep>) -> Result<bool, SearchStop> {
        // For each step an iterator over the successors by the wanted transition.
        let mut open: Vec<std::vec::IntoIter<Recorded>> = vec![self.matching(start, 0)?.into_iter()];
        loop {
            if path.len() == self.wanted.len() {
                return Ok(true);
            }
            let Some(candidates) = open.last_mut() else { return Ok(false) };
            match candidates.next() {
                Some(candidate) => {
                    path.push(candidate.step.clone());
                    self.furthest = self.furthest.max(path.len());
                    if path.len() < self.wanted.len() {
                        let next = self.matching(&candidate, path.len())?;
                        open.push(next.into_iter());
                    }
                }
                None => {
                    open.pop();
                    path.pop();
                }
            }
        }
    }

    /// Returns the successors of a state by the next wanted transition.
    fn matching(&mut self, state: &Recorded, position: usize) -> Result<Vec<Recorded>, SearchStop> {
        let Some(wanted) = self.wanted.get(position).cloned() else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        for ordinal in 0.. {
            if let ControlFlow::Break(stop) = self.explorer.spend() {
                return Err(stop);
            }
            let (recorded, count) =
                self.explorer.repeat_successor(state, ordinal, &mut self.enabled, &mut self.cells)?;
            if let Some(recorded) = recorded
                && recorded.zone.is_some()
                && in_order(&recorded.step.transition) == wanted
            {
                found.push(recorded);
            }
            if ordinal + 1 >= count {
                break;
            }
        }
        Ok(found)
    }
}
