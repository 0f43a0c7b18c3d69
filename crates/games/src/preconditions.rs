//! Preconditions of a refinement, and the description of states in the user's names.
//!
//! Invariant: all violated preconditions are reported, not only the first.

use tempora_evidence::{Budget, UnknownReason};
use tempora_model::{Network, SpecExpression};
use tempora_zones::Federation;

use crate::component::InputCompletion;
use crate::emptiness::{unimplementable, vacuous};
use crate::engine::{first_origin, problem_of};
use crate::properties::FaultyState;
use crate::state::StateId;
use crate::theory::{Obstacle, SpecificationId, Theory};

/// The violated preconditions of a refinement, and the meanings of both sides.
pub(crate) struct Preconditions {
    pub(crate) failed: Vec<String>,
    pub(crate) left: SpecificationId,
    pub(crate) right: SpecificationId,
    pub(crate) is_left_consistent: bool,
    pub(crate) is_right_consistent: bool,
}

pub(crate) fn preconditions(
    theory: &mut Theory<'_>,
    left: &SpecExpression,
    right: &SpecExpression,
) -> Result<Preconditions, Obstacle> {
    let mut failed = determinism_faults(theory, left, "the left side")?;
    failed.extend(determinism_faults(theory, right, "the right side")?);
    let (left, right) = (theory.meaning(left)?, theory.meaning(right)?);
    failed.extend(alphabet_faults(theory, left, right));
    let is_left_consistent = theory.has_good_start(left)?;
    let is_right_consistent = theory.has_good_start(right)?;
    Ok(Preconditions { failed, left, right, is_left_consistent, is_right_consistent })
}

/// Checks the preconditions of refinements without the search for a refused move.
///
/// Components stay unfolded from one refinement to the next; composite specifications are dropped, since large
/// compositions have large alphabets.
pub struct PreconditionCheck<'task> {
    theory: Theory<'task>,
}

impl<'task> PreconditionCheck<'task> {
    /// Returns a check for refinements between components of a network.
    pub fn new(network: &'task Network, budget: &'task Budget) -> PreconditionCheck<'task> {
        PreconditionCheck { theory: Theory::new(network, InputCompletion::default(), budget) }
    }

    /// Returns the violated preconditions of a refinement.
    pub fn failed(
        &mut self,
        left: &SpecExpression,
        right: &SpecExpression,
    ) -> Result<Vec<String>, UnknownReason> {
        for (process, instance) in left.components().into_iter().chain(right.components()) {
            let (instance, origin) = (instance.map(str::to_owned), first_origin(left));
            let alone = SpecExpression::Component { process, instance, origin };
            // Errors of the component are reported below.
            let _ = self.theory.meaning(&alone).and_then(|_| {
                let raw = self.theory.unpruned(&alone, true)?;
                Ok(self.theory.nondeterminism(raw)?)
            });
        }
        let mark = self.theory.mark();
        let failed = self.failed_of(left, right);
        self.theory.forget_since(mark);
        failed
    }

    /// Returns a note if the left side has no implementation, so that it refines everything.
    pub fn vacuous(&mut self, left: &SpecExpression) -> Option<String> {
        let mark = self.theory.mark();
        // A note is given only if the budget suffices for it.
        let culprit = unimplementable(&mut self.theory, left).unwrap_or_default();
        let note = culprit.map(|culprit| vacuous(&self.theory, culprit));
        self.theory.forget_since(mark);
        note
    }

    fn failed_of(
        &mut self,
        left: &SpecExpression,
        right: &SpecExpression,
    ) -> Result<Vec<String>, UnknownReason> {
        for side in [left, right] {
            if let Some(problem) = problem_of(&mut self.theory, side) {
                return Ok(vec![problem.message]);
            }
        }
        match preconditions(&mut self.theory, left, right) {
            Ok(Preconditions { mut failed, is_left_consistent, is_right_consistent, .. }) => {
                // Obligations that hold exclude this.
                if is_left_consistent && !is_right_consistent {
                    failed.push("the right side has no implementation".to_owned());
                }
                Ok(failed)
            }
            Err(Obstacle::Actions(why)) => Ok(vec![why]),
            Err(Obstacle::Abort(stop)) => Err(stop.into()),
        }
    }
}

/// Returns why a specification is not deterministic.
pub(crate) fn determinism_faults(
    theory: &mut Theory<'_>,
    system: &SpecExpression,
    who: &str,
) -> Result<Vec<String>, Obstacle> {
    let raw = theory.unpruned(system, true)?;
    let fault = theory.nondeterminism(raw)?;
    let faults = fault
        .map(|fault| format!("{who} is not deterministic: {}", nondeterminism_text(theory, raw, &fault)));
    Ok(faults.into_iter().collect())
}

/// Returns the mismatches between the alphabets of the two sides of a refinement.
fn alphabet_faults(theory: &Theory<'_>, left: SpecificationId, right: SpecificationId) -> Vec<String> {
    let (one, other) = (&theory[left].alphabet, &theory[right].alphabet);
    let names = &theory.names;
    let mut faults = Vec::new();
    let mut note = |actions: Vec<crate::action::ActionId>, what: &str| {
        if !actions.is_empty() {
            faults.push(format!("{what} {}", names.list(actions)));
        }
    };
    note(one.inputs.difference(&other.inputs).copied().collect(), "the right side lacks the inputs");
    note(other.outputs.difference(&one.outputs).copied().collect(), "the left side lacks the outputs");
    note(
        one.inputs.intersection(&other.outputs).copied().collect(),
        "inputs of the left side are outputs of the right side:",
    );
    note(
        one.outputs.intersection(&other.inputs).copied().collect(),
        "outputs of the left side are inputs of the right side:",
    );
    faults
}

pub(crate) fn nondeterminism_text(theory: &Theory<'_>, id: SpecificationId, fault: &FaultyState) -> String {
    let action = fault.action.map_or("?", |action| theory.names.name(action));
    format!("edges on `{action}` have different effects {}", fault_text(theory, id, fault))
}

/// Describes the state of a fault in the user's names.
pub(crate) fn fault_text(theory: &Theory<'_>, id: SpecificationId, fault: &FaultyState) -> String {
    let first = fault.valuations.zones().first().cloned();
    let first = first.map_or_else(|| Federation::empty(fault.valuations.dimension()), Federation::from);
    state_text(theory, id, fault.state, &first)
}

/// Describes a state and its valuations in the user's names.
pub(crate) fn state_text(
    theory: &Theory<'_>,
    id: SpecificationId,
    state: StateId,
    valuations: &Federation,
) -> String {
    let (mut states, mut leaves) = (Vec::new(), Vec::new());
    theory.leaf_states(id, state, &mut states);
    theory.leaves(id, 0, &mut leaves);
    let mut parts = Vec::new();
    let mut clocks: Vec<String> = vec!["0".to_owned(); theory[id].dimension.size()];
    for (state, &(process, number, offset)) in states.iter().zip(&leaves) {
        let name = &theory.network.processes[process].name;
        let component = theory.component_numbered(number);
        if let Some(state) = *state {
            let location = component.location(state);
            parts.push(format!("{name}.{}", theory.network.location_name(process, location)));
            parts.extend(component.data_text(state).iter().map(|data| format!("{name}.{data}")));
        }
        for (variable, declaration) in theory.network.variables.iter() {
            if declaration.owner == Some(process) {
                for clock in component.clocks_of(variable).into_iter().flatten() {
                    clocks[usize::from(clock.0 + offset)] = format!("{name}.{}", declaration.name);
                }
            }
        }
    }
    if parts.is_empty() {
        parts.push("the universal state".to_owned());
    }
    let mut text = format!("in {}", parts.join(", "));
    let conditions: Vec<String> = valuations
        .zones()
        .iter()
        .map(|zone| zone.text(|clock| clocks[usize::from(clock.0)].clone()))
        .collect();
    if !conditions.is_empty() && conditions != ["true"] {
        text = format!("{text} with {}", conditions.join(" or "));
    }
    text
}
