//! The quotient of two specifications: what must be put beside a part so that both together refine the whole.
//!
//! Invariant: before pruning, a state of the quotient allows all valuations, and for each of its inputs something is said
//! everywhere. The rules are numbered as in Goorden and others, "Timed I/O automata: it is never too late to complete your
//! timed specification theory" (2023). Where they have a new input that leads to the error, the states are taken out here:
//! pruning would remove each of them, and behind it the input never matters.

use tempora_zones::Federation;

use crate::action::ActionId;
use crate::state::{Move, State, StateId, StateKind, Switch};
use crate::stop::Stop;
use crate::theory::{Frame, SpecificationId, Theory};

/// Unfolds a state of a quotient.
pub(crate) fn state(
    theory: &mut Theory<'_>,
    id: SpecificationId,
    (whole_id, part_id): (SpecificationId, SpecificationId),
    key: (StateId, StateId),
    (whole, part): (&State, &State),
) -> Result<State, Stop> {
    let dimension = theory[id].dimension;
    if part.kind == StateKind::Error {
        return Ok(State::universal(dimension, &theory[id].alphabet, StateId::UNIVERSAL));
    }
    if whole.kind == StateKind::Error {
        return Ok(State::error(dimension));
    }
    let frame = Frame::new(theory, whole_id, part_id, dimension);
    let (good_whole, good_part) = (frame.left(&whole.good)?, frame.right(&part.good)?);
    let outside_part = good_part.complement()?;
    let (all, known) = (theory[whole_id].alphabet.clone(), theory[part_id].alphabet.clone());
    let mut moves = Vec::new();
    let mut actions = all.all();
    actions.extend(known.all());
    for action in actions {
        match (all.contains(action), known.contains(action)) {
            (true, true) => {
                // Rule 1: both move.
                for one in whole.moves_on(action) {
                    for other in part.moves_on(action) {
                        let target = theory.intern_pair(id, one.target, other.target);
                        moves.extend(frame.together(one, other, target)?);
                    }
                }
            }
            (false, true) => {
                // Rule 2: the part moves alone.
                for other in part.moves_on(action) {
                    let target = theory.intern_pair(id, key.0, other.target);
                    moves.extend(frame.alone_right(other, frame.right(&other.guard)?, target));
                }
            }
            _ => {
                // Rule 8: the whole moves alone, while the part can be there.
                for one in whole.moves_on(action) {
                    let mut guard = frame.left(&one.guard)?;
                    guard.intersect(&good_part)?;
                    let target = theory.intern_pair(id, one.target, key.1);
                    moves.extend(frame.alone_left(one, guard, target));
                }
            }
        }
        // Rules 3 to 5: what the part does not do, or does where it cannot be, is nothing to worry about.
        let part_enabled = frame.right(&part.enabled(action))?;
        let is_output_of_part = known.outputs.contains(&action);
        let free = if is_output_of_part { part_enabled.complement()? } else { outside_part.clone() };
        moves.extend(to(action, free, StateId::UNIVERSAL));
        // Rule 6: the part does what the whole must not do.
        if is_output_of_part && all.outputs.contains(&action) {
            let mut refused = part_enabled;
            refused.subtract(&frame.left(&whole.enabled(action))?)?;
            moves.extend(to(action, refused, StateId::ERROR));
        }
    }
    // Rule 7: time passes for the part, and must not for the whole.
    let mut seed = good_part.clone();
    seed.subtract(&good_whole)?;
    let mut switches = theory.lifted_switches(id, &frame, key, (whole, part), &good_part)?;
    // Once the part cannot be there any more, it does not come back however long one waits.
    let mut later = outside_part.clone();
    later.up();
    if !later.is_subset_of(&outside_part)? {
        switches.push(Switch { region: outside_part, target: StateId::UNIVERSAL });
    }
    let maxima = whole.maxima.iter().chain(&part.maxima).copied().collect();
    let good = Federation::universe(dimension);
    let mut state = State::new(StateKind::Ordinary, good, moves, maxima, switches, dimension)?;
    state.seed = seed;
    Ok(state)
}

fn to(action: ActionId, guard: Federation, target: StateId) -> Option<Move> {
    (!guard.is_empty()).then(|| Move { action, guard, updates: [].into(), target, edges: Vec::new() })
}
