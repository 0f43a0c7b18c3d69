//! The quotient of two specifications: the weakest specification that, composed with the part, refines the whole.
//!
//! The rules are numbered as in Goorden and others, "Timed I/O automata: it is never too late to complete your timed
//! specification theory" (2023). Two of them differ here. In the paper delays are unbounded, and a new input leads to
//! the error where the part is allowed and the whole is not (rule 7): here the delay ends there, which is equivalent
//! after pruning and needs no new input. In the paper, all actions lead to the universal state where the part is not
//! allowed: here the delay itself does.
//!
//! Invariant: a state of the quotient allows the valuations that both operands allow, and covers all of its inputs
//! there.

use tempora_zones::Federation;

use crate::action::ActionId;
use crate::frame::Frame;
use crate::search_abort::SearchAbort;
use crate::state::{Move, State, StateId, StateKind, Switch};
use crate::theory::{SpecificationId, Theory};

/// Unfolds a state of a quotient.
pub(crate) fn state(
    theory: &mut Theory<'_>,
    id: SpecificationId,
    (whole_id, part_id): (SpecificationId, SpecificationId),
    key: (StateId, StateId),
    (whole, part): (&State, &State),
) -> Result<State, SearchAbort> {
    let dimension = theory[id].dimension;
    if part.kind == StateKind::Error {
        return Ok(State::universal(dimension, &theory[id].alphabet, StateId::UNIVERSAL));
    }
    if whole.kind == StateKind::Error {
        return Ok(State::error(dimension));
    }
    let frame = Frame::new(theory, whole_id, part_id, dimension);
    let good = frame.both(&whole.good, &part.good)?;
    let (all, known) = (theory[whole_id].alphabet.clone(), theory[part_id].alphabet.clone());
    let mut moves = Vec::new();
    let mut actions = all.all();
    actions.extend(known.all());
    for action in actions {
        match (all.contains(action), known.contains(action)) {
            (true, true) => {
                // Rule 1: both operands move.
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
                    let guard = frame.both(&whole.good, &other.guard)?;
                    let target = theory.intern_pair(id, key.0, other.target);
                    moves.extend(frame.alone_right(other, guard, target));
                }
            }
            _ => {
                // Rule 8: the whole moves alone, while the part allows the valuation.
                for one in whole.moves_on(action) {
                    let guard = frame.both(&one.guard, &part.good)?;
                    let target = theory.intern_pair(id, one.target, key.1);
                    moves.extend(frame.alone_left(one, guard, target));
                }
            }
        }
        if known.outputs.contains(&action) {
            // Rules 3 to 5: a move that the part refuses cannot happen.
            let free = frame.both(&whole.good, &part.offer(action)?.missing)?;
            moves.extend(to(action, free, StateId::UNIVERSAL));
            // Rule 6: the part has an output that the whole does not allow.
            if all.outputs.contains(&action) {
                let refused = frame.both(&whole.offer(action)?.missing, &part.offer(action)?.enabled)?;
                moves.extend(to(action, refused, StateId::ERROR));
            }
        }
    }
    let mut switches = theory.lifted_switches(id, &frame, key, (whole, part))?;
    // Rules 3 to 5 again: no delay leads back into the part.
    let mut allowed_part = part.good.clone();
    for switch in &part.switches {
        allowed_part.union(switch.region.clone());
    }
    let gone = frame.right(&allowed_part.complement()?)?;
    if !gone.is_empty() {
        switches.push(Switch { region: gone, target: StateId::UNIVERSAL });
    }
    let maxima = whole.maxima.iter().chain(&part.maxima).copied().collect();
    State::new(StateKind::Ordinary, good, moves, maxima, switches, dimension)
}

fn to(action: ActionId, guard: Federation, target: StateId) -> Option<Move> {
    (!guard.is_empty()).then(|| Move { action, guard, updates: [].into(), target, edges: Vec::new() })
}
