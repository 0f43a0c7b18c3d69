//! A concrete run of one specification to a reachable state.
//!
//! Invariant: times are exact rationals. The run is computed backwards, as the sets of valuations that allow the rest
//! of the run, and then forwards, with the shortest delays into these sets. A switch of a quotient is not a move of the
//! run.

use tempora_evidence::{ChosenMove, ComponentStart, Ending, Rational, SpecificationRun};
use tempora_zones::{Clock, Federation};

use crate::component::InputCompletion;
use crate::counterexample::{apply, edge_text, shortest_delay};
use crate::search::{Via, Visited};
use crate::search_abort::SearchAbort;
use crate::theory::{SpecificationId, Theory};

impl Theory<'_> {
    /// Returns a run to the given valuations of the last visited zone; `None` if it cannot be rendered.
    pub(crate) fn reaching_run(
        &mut self,
        id: SpecificationId,
        history: &[Visited],
        valuations: Federation,
        has_start: bool,
    ) -> Result<Option<(Vec<String>, SpecificationRun)>, SearchAbort> {
        let Some(last) = history.len().checked_sub(1) else { return Ok(None) };
        let mut path = vec![last];
        while let Some((parent, _)) = history[path[path.len() - 1]].parent {
            path.push(parent);
        }
        // Backwards: the valuations before each delay, and those after it.
        let mut sets: Vec<(Federation, Federation)> = Vec::with_capacity(path.len());
        let mut goal = valuations;
        for (position, &number) in path.iter().enumerate() {
            let visited = &history[number];
            let state = self.state(id, visited.state)?;
            // A delay into a switch leaves the good set, but passes no further than the switch region.
            let mut outside = state.good.complement()?;
            let is_left_by_time =
                position > 0 && matches!(history[path[position - 1]].parent, Some((_, Via::Switch(_))));
            if is_left_by_time {
                outside.subtract(&goal)?;
            }
            let mut entry = goal.timed_predecessors(&outside)?;
            entry.intersect(&Federation::from(visited.entry.clone()))?;
            if entry.is_empty() {
                return Ok(None);
            }
            sets.push((entry.clone(), goal));
            match visited.parent {
                None => break,
                Some((_, Via::Switch(_))) => goal = entry,
                Some((parent, Via::Move(one))) => {
                    let source = &history[parent];
                    let one = &self.state(id, source.state)?.moves[one];
                    goal = crate::state::before(&one.updates, entry)?;
                    goal.intersect(&one.guard)?;
                    goal.intersect(&Federation::from(source.zone.clone()))?;
                }
            }
        }
        sets.reverse();
        path.reverse();
        let Some(mut point) = sets.first().and_then(|(entry, _)| some_point(entry)) else { return Ok(None) };
        let start = if has_start { self.starts(id, history[path[0]].state, &point) } else { None };
        let zero = Rational::from_integer(0);
        if start.is_none() && point.iter().any(|value| *value != zero) {
            return Ok(None);
        }
        let (mut time, mut waited) = (zero, zero);
        let (mut lines, mut moves) = (Vec::new(), Vec::new());
        for (position, (_, goal)) in sets.iter().enumerate() {
            let Some(delay) = shortest_delay(&point, goal) else { return Ok(None) };
            time += delay;
            waited += delay;
            point.iter_mut().for_each(|value| *value += delay);
            let Some(&next) = path.get(position + 1) else { break };
            let Some((parent, Via::Move(number))) = history[next].parent else { continue };
            let one = self.state(id, history[parent].state)?.moves[number].clone();
            one.updates.iter().for_each(|update| apply(&mut point, *update));
            moves.push(ChosenMove { delay: waited, action: self.names.position(one.action) });
            waited = zero;
            let is_output = self[id].alphabet.outputs.contains(&one.action);
            let (who, sign) = if is_output { ("the specification", '!') } else { ("the environment", '?') };
            let mut line = format!("at {time}: {who} sends `{}{sign}`", self.names.name(one.action));
            let edges: Vec<String> = one.edges.iter().map(|used| edge_text(self, id, used)).collect();
            if !edges.is_empty() {
                line.push_str(&format!("; {}", edges.join(", ")));
            }
            lines.push(line);
        }
        if waited != zero {
            lines.push(format!("at {time}: the goal is reached"));
        }
        let run = SpecificationRun {
            start,
            moves,
            final_delay: waited,
            ending: Ending::Goal,
            are_missing_inputs_errors: self.completion == InputCompletion::Error,
        };
        Ok(Some((lines, run)))
    }

    /// Returns the initial location and clocks of each component; `None` if a component has become universal.
    fn starts(
        &self,
        id: SpecificationId,
        state: crate::state::StateId,
        point: &[Rational],
    ) -> Option<Vec<ComponentStart>> {
        let (mut locations, mut leaves) = (Vec::new(), Vec::new());
        self.locations(id, state, &mut locations);
        self.leaves(id, 0, &mut leaves);
        let mut starts = Vec::with_capacity(leaves.len());
        for (location, (process, number, offset)) in locations.into_iter().zip(leaves) {
            let component = self.component_numbered(number);
            let mut clocks = Vec::new();
            for (variable, declaration) in self.network.variables.iter() {
                if declaration.owner != Some(process) {
                    continue;
                }
                let value = |clock: Clock| point.get(usize::from(clock.0 + offset) - 1).copied();
                let own = component.clocks_of(variable).into_iter();
                let values: Option<Vec<Rational>> = own.map(|clock| clock.and_then(value)).collect();
                let values = values?;
                if !values.is_empty() {
                    clocks.push((variable, values));
                }
            }
            starts.push(ComponentStart { location: location?, clocks });
        }
        Some(starts)
    }
}

/// Returns a valuation of a set, with small values.
fn some_point(set: &Federation) -> Option<Vec<Rational>> {
    let zone = set.zones().first()?;
    let clocks: Vec<Clock> = zone.dimension().clocks().collect();
    let mut point: Vec<Rational> = Vec::with_capacity(clocks.len());
    for &clock in &clocks {
        // The interval that the earlier clocks leave open, tried from below; differences to them are fixed by now.
        let (mut least, mut is_least_in) = (Rational::from_integer(0), true);
        let (mut most, mut is_most_in): (Option<Rational>, bool) = (None, true);
        let known = std::iter::once((Clock::REFERENCE, Rational::from_integer(0)));
        for (other, value) in known.chain(clocks.iter().copied().zip(point.iter().copied())) {
            let (upper, lower) = (zone.bound(clock, other), zone.bound(other, clock));
            if let Some(constant) = upper.constant() {
                let limit = value + Rational::from_integer(i64::from(constant));
                if most.is_none_or(|most| limit < most || (limit == most && !upper.is_weak())) {
                    (most, is_most_in) = (Some(limit), upper.is_weak());
                }
            }
            if let Some(constant) = lower.constant() {
                let limit = value - Rational::from_integer(i64::from(constant));
                if limit > least || (limit == least && !lower.is_weak()) {
                    (least, is_least_in) = (limit, lower.is_weak());
                }
            }
        }
        point.push(match most {
            Some(most) if most < least || (most == least && !(is_least_in && is_most_in)) => return None,
            _ if is_least_in => least,
            Some(most) => (least + most) / Rational::from_integer(2),
            None => least + Rational::new(1, 2),
        });
    }
    zone.contains_point(&point).then_some(point)
}
