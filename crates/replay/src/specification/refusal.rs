//! Executes counterexamples to refinements.
//!
//! Invariant: both sides are deterministic, so the actions determine the edges. A run refutes a refinement if it is a
//! run of the greatest consistent part of the left side and the right side refuses its last move. A quotient on the
//! right is executed by its definition: `X <= T \\ S` holds exactly if `S || X <= T` does.
//!
//! A right side without quotients need not be pruned first: a move that the whole refuses, its greatest consistent part
//! refuses too. If the whole does not refuse the move, the greatest consistent part is tried.

use tempora_evidence::{Budget, RefusedMove, RefusedRun};
use tempora_model::{Network, SpecExpression};

use crate::delay::is_own_limit;
use crate::specification::system::{Action, ExecutionFailure, SpecificationState, System, SystemOptions};
use crate::specification::{Replayed, component_alone};

const PRUNED: &str = "a part that cannot be implemented was pruned";

/// Executes a run.
pub(crate) fn replay_refusal(
    components: &Network,
    left: &SpecExpression,
    right: &SpecExpression,
    run: &RefusedRun,
    budget: &Budget,
) -> Replayed {
    let (both, left, right) = match (run.is_of_whole, right) {
        (false, _) => (None, left, right),
        (true, SpecExpression::Quotient(whole, part)) => {
            (Some(SpecExpression::Composition(part.clone(), Box::new(left.clone()))), left, whole.as_ref())
        }
        (true, _) => {
            return Replayed::Refuted("the right side of the refinement is not a quotient".to_owned());
        }
    };
    let left = both.as_ref().unwrap_or(left);
    let mut networks = Vec::new();
    for (process, _) in left.components().into_iter().chain(right.components()) {
        networks.push(component_alone(components, process));
    }
    let attempt = |is_left_pruned: bool, is_right_pruned: bool| {
        let options = SystemOptions {
            budget,
            are_missing_inputs_errors: run.are_missing_inputs_errors,
            is_pruned: is_left_pruned,
        };
        let mut rest = networks.as_slice();
        let left = System::new(left, &mut rest, options)?;
        let right = System::new(right, &mut rest, SystemOptions { is_pruned: is_right_pruned, ..options })?;
        show(&left, &right, run)
    };
    let is_divided = has_quotient(right);
    let mut found = attempt(true, is_divided);
    if matches!(found, Err(ExecutionFailure::Wrong(_))) && !is_divided {
        found = match attempt(true, true) {
            // The first attempt describes the fault in terms of the specification as written.
            Err(ExecutionFailure::Wrong(_)) if !run.is_right_pruned => found,
            other => other,
        };
    }
    match found {
        Ok(()) => Replayed::Shown,
        Err(ExecutionFailure::Wrong(why)) => Replayed::Refuted(why),
        Err(ExecutionFailure::Error(error)) if !is_own_limit(&error.kind) => {
            Replayed::Refuted(error.to_string())
        }
        Err(ExecutionFailure::Error(error)) => Replayed::NotTried(error.to_string()),
        Err(ExecutionFailure::Limit(why)) => {
            // Pruning the part of a quotient makes the quotient more permissive.
            let is_left_removed = run.is_left_pruned && has_quotient(left);
            if (run.is_right_pruned && is_divided) || is_left_removed {
                return Replayed::NotTried(format!("{PRUNED}, and {why}"));
            }
            match attempt(false, false) {
                Ok(()) => Replayed::Executed(format!(
                    "not independently checked: that it avoids the pruned part of the left side: {why}"
                )),
                Err(ExecutionFailure::Wrong(_)) if run.is_right_pruned => {
                    Replayed::NotTried(format!("{PRUNED}, and {why}"))
                }
                Err(ExecutionFailure::Wrong(wrong)) => Replayed::Refuted(wrong),
                Err(ExecutionFailure::Error(error)) if !is_own_limit(&error.kind) => {
                    Replayed::Refuted(error.to_string())
                }
                Err(ExecutionFailure::Error(error)) => Replayed::NotTried(error.to_string()),
                Err(ExecutionFailure::Limit(why)) => Replayed::NotTried(why),
            }
        }
    }
}

fn has_quotient(expression: &SpecExpression) -> bool {
    match expression {
        SpecExpression::Component { .. } => false,
        SpecExpression::Quotient(..) => true,
        SpecExpression::Composition(left, right) | SpecExpression::Conjunction(left, right) => {
            has_quotient(left) || has_quotient(right)
        }
        SpecExpression::Restricted(system, _) => has_quotient(system),
    }
}

fn wrong<T>(why: impl Into<String>) -> Result<T, ExecutionFailure> {
    Err(ExecutionFailure::Wrong(why.into()))
}

fn show(left: &System<'_>, right: &System<'_>, run: &RefusedRun) -> Result<(), ExecutionFailure> {
    let mut places = [left.initial()?, right.initial()?];
    let sides = [(left, "left"), (right, "right")];
    for ((side, who), place) in sides.iter().zip(&places) {
        if side.is_error(place) || !side.is_allowed(place)? {
            return wrong(format!("the initial state of the {who} side is not allowed"));
        }
    }
    for (number, chosen) in run.moves.iter().enumerate() {
        for ((side, who), place) in sides.iter().zip(&mut places) {
            let Some(later) = side.wait(place, chosen.delay)? else {
                return wrong(format!("step {}: the {who} side does not allow the delay", number + 1));
            };
            *place = later;
            if side.knows(chosen.action) {
                let Some(next) = act(side, place, chosen.action)? else {
                    return wrong(format!("step {}: the {who} side does not allow the action", number + 1));
                };
                *place = next;
            }
            if side.is_error(place) {
                return wrong(format!("step {}: it leads to an error state of the {who} side", number + 1));
            }
        }
        if !left.knows(chosen.action) && !right.knows(chosen.action) {
            return wrong(format!("step {}: neither side has the action", number + 1));
        }
    }
    let [on_left, on_right] = &places;
    let Some(on_left) = left.wait(on_left, run.delay)? else {
        return wrong("the left side does not allow the delay before the refused move");
    };
    let waited = right.wait(on_right, run.delay)?;
    let on_right = match (run.refused, waited) {
        (RefusedMove::Delay, Some(_)) => return wrong("the right side allows the refused delay"),
        (RefusedMove::Delay, None) => return Ok(()),
        (_, None) => return wrong("the right side does not allow the delay before the refused move"),
        (_, Some(on_right)) => on_right,
    };
    let ((takes, taking), (refuses, refusing), action) = match run.refused {
        RefusedMove::Output(action) if left.outputs.contains(&action) => {
            ((left, on_left), (right, on_right), action)
        }
        RefusedMove::Input(action) if right.inputs.contains(&action) => {
            ((right, on_right), (left, on_left), action)
        }
        _ => return wrong("the refused action is not an action of the side that offers it"),
    };
    match act(takes, &taking, action)? {
        Some(next) if !takes.is_error(&next) => {}
        _ => return wrong("the refused action is not possible on the side that offers it"),
    }
    if !refuses.knows(action) || act(refuses, &refusing, action)?.is_some() {
        return wrong("the refused move is possible");
    }
    Ok(())
}

/// Returns the state after an action; `None` if it is not possible.
fn act(
    side: &System<'_>,
    place: &SpecificationState,
    action: Action,
) -> Result<Option<SpecificationState>, ExecutionFailure> {
    let mut next = side.successors(place, action)?;
    match next.len() {
        0 | 1 => Ok(next.pop()),
        _ => wrong("a side is not deterministic"),
    }
}
