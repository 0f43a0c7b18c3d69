//! A concrete run that ends in a refused move.
//!
//! Invariant: times are exact rationals. The run is computed backwards, as the sets of valuations that allow the rest
//! of the run, and then forwards, with the shortest delays into these sets.

use tempora_evidence::{ChosenMove, RefusedMove, RefusedRun};
use tempora_zones::{Bound, Clock, ClockUpdate, Federation, Rational, Zone};

use crate::component::InputCompletion;
use crate::pair::Refused;
use crate::refinement::{Refinement, Violation};
use crate::search_abort::SearchAbort;
use crate::state::{EdgeUse, before};
use crate::theory::{SpecificationId, Theory};

/// Describes a violation, as lines and as a run; `None` if a step cannot be rendered.
pub(crate) fn explained_violation(
    theory: &Theory<'_>,
    refinement: &Refinement,
    violation: &Violation,
) -> Result<Option<(Vec<String>, RefusedRun)>, SearchAbort> {
    // The nodes from the initial one on, and the valuations, before and after the delay, that allow the rest of the
    // run.
    let mut path = vec![violation.node];
    while let Some((parent, _)) = refinement.nodes[path[path.len() - 1]].parent {
        path.push(parent);
    }
    path.reverse();
    let mut sets: Vec<(Federation, Federation)> = Vec::with_capacity(path.len());
    let mut goal = violation.valuations.clone();
    for &number in path.iter().rev() {
        let node = &refinement.nodes[number];
        let pair = &refinement.pairs[node.pair];
        let mut outside = pair.allowed.complement()?;
        // Only the refused delay itself may enter late valuations.
        if number != violation.node || violation.refused != Refused::Delay {
            outside.union(pair.late.clone());
        }
        let mut entry = goal.timed_predecessors(&outside)?;
        entry.intersect(&Federation::from(node.entry.clone()))?;
        if entry.is_empty() {
            return Ok(None);
        }
        sets.push((entry.clone(), goal));
        let Some((parent, position)) = node.parent else { break };
        let Some(position) = position else { return Ok(None) };
        let source = &refinement.nodes[parent];
        let one = &refinement.pairs[source.pair].moves[position];
        goal = before(&one.updates, entry)?;
        goal.intersect(&one.guard)?;
        goal.intersect(&Federation::from(source.zone.clone()))?;
    }
    sets.reverse();
    let clocks = theory[refinement.left].dimension.size() + theory[refinement.right].dimension.size() - 2;
    let mut point = vec![Rational::from_integer(0); clocks];
    let mut time = Rational::from_integer(0);
    let mut lines = Vec::new();
    let mut moves = Vec::new();
    let mut last_delay = time;
    for (position, (_, goal)) in sets.iter().enumerate() {
        let Some(delay) = shortest_delay(&point, goal) else { return Ok(None) };
        time += delay;
        last_delay = delay;
        point.iter_mut().for_each(|value| *value += delay);
        let Some(&next) = path.get(position + 1) else { break };
        let Some((parent, Some(move_position))) = refinement.nodes[next].parent else {
            return Ok(None);
        };
        let one = &refinement.pairs[refinement.nodes[parent].pair].moves[move_position];
        for update in one.updates.iter() {
            apply(&mut point, *update);
        }
        let Some(action) = one.action else { return Ok(None) };
        moves.push(ChosenMove { delay, action: theory.names.position(action) });
        let is_output = theory[refinement.left].alphabet.outputs.contains(&action);
        let (who, sign) = if is_output { ("the left side", '!') } else { ("the environment", '?') };
        let mut line = format!("at {time}: {who} sends `{}{sign}`", theory.names.name(action));
        for (side, id, edges) in
            [("left", refinement.left, &one.left_edges), ("right", refinement.right, &one.right_edges)]
        {
            let texts: Vec<String> = edges.iter().map(|used| edge_text(theory, id, used)).collect();
            if !texts.is_empty() {
                line.push_str(&format!("; {side}: {}", texts.join(", ")));
            }
        }
        lines.push(line);
    }
    let refused = match violation.refused {
        Refused::Delay => "the left side lets time pass, but the right side does not".to_owned(),
        Refused::Output(action) => {
            let name = theory.names.name(action);
            format!("the left side sends `{name}!`, but the right side refuses it")
        }
        Refused::Input(action) => {
            let name = theory.names.name(action);
            format!("the environment sends `{name}?`, but the left side refuses it")
        }
    };
    lines.push(format!("at {time}: {refused}"));
    let refused = match violation.refused {
        Refused::Delay => RefusedMove::Delay,
        Refused::Output(action) => RefusedMove::Output(theory.names.position(action)),
        Refused::Input(action) => RefusedMove::Input(theory.names.position(action)),
    };
    let run = RefusedRun {
        moves,
        delay: last_delay,
        refused,
        is_left_pruned: theory.is_pruned(refinement.left),
        is_right_pruned: theory.is_pruned(refinement.right),
        is_of_whole: false,
        are_missing_inputs_errors: theory.completion == InputCompletion::Error,
    };
    Ok(Some((lines, run)))
}

pub(crate) fn edge_text(theory: &Theory<'_>, id: SpecificationId, used: &EdgeUse) -> String {
    let mut leaves = Vec::new();
    theory.leaves(id, 0, &mut leaves);
    let Some(&(process, _, _)) = leaves.get(used.leaf as usize) else { return "?".to_owned() };
    let automaton = &theory.network.processes[process];
    let edge = &automaton.edges[used.edge];
    let source = theory.network.location_name(process, edge.source);
    let target = edge.branches.first().map(|branch| theory.network.location_name(process, branch.target));
    let target = target.unwrap_or_default();
    let selects = match used.select_values.is_empty() {
        true => String::new(),
        false => format!(" with {:?}", used.select_values),
    };
    format!("{}: {source} -> {target}{selects}", automaton.name)
}

pub(crate) fn apply(point: &mut [Rational], update: ClockUpdate) {
    let index = |clock: Clock| usize::from(clock.0) - 1;
    match update {
        ClockUpdate::Reset { clock, value } => {
            point[index(clock)] = Rational::from_integer(i64::from(value));
        }
        ClockUpdate::Copy { target, from } => point[index(target)] = point[index(from)],
        ClockUpdate::Shift { clock, amount } => {
            point[index(clock)] += Rational::from_integer(i64::from(amount));
        }
    }
}

/// Returns the shortest delay from a point into a set, or a short one if the infimum is not attained.
pub(crate) fn shortest_delay(point: &[Rational], set: &Federation) -> Option<Rational> {
    set.zones().iter().filter_map(|zone| delay_into(point, zone)).min()
}

fn delay_into(point: &[Rational], zone: &Zone) -> Option<Rational> {
    let zero = Rational::from_integer(0);
    let (mut least, mut is_least_in) = (zero, true);
    let (mut most, mut is_most_in): (Option<Rational>, bool) = (None, true);
    for (clock, value) in zone.dimension().clocks().zip(point) {
        let upper = zone.bound(clock, Clock::REFERENCE);
        if let Some(constant) = upper.constant() {
            let limit = Rational::from_integer(i64::from(constant)) - value;
            if most.is_none_or(|most| limit < most || (limit == most && !upper.is_weak())) {
                (most, is_most_in) = (Some(limit), upper.is_weak());
            }
        }
        let lower: Bound = zone.bound(Clock::REFERENCE, clock);
        if let Some(constant) = lower.constant() {
            let limit = Rational::from_integer(-i64::from(constant)) - value;
            if limit > least || (limit == least && !lower.is_weak()) {
                (least, is_least_in) = (limit, lower.is_weak());
            }
        }
    }
    let delay = match most {
        Some(most) if most < least || (most == least && !(is_least_in && is_most_in)) => return None,
        _ if is_least_in => least,
        Some(most) => (least + most) / Rational::from_integer(2),
        None => least + Rational::new(1, 2),
    };
    let later: Vec<Rational> = point.iter().map(|value| value + delay).collect();
    zone.contains_point(&later).then_some(delay)
}
