//! Checks the operands of refinements: they are deterministic.
//!
//! Invariant: the check explores clock regions, as in [`super::consistency`]. If there are too many states, it reports
//! a limit.

use std::collections::HashSet;

use tempora_evidence::Budget;
use tempora_model::{Network, SpecExpression};

use crate::specification::component_alone;
use crate::specification::system::{ExecutionFailure, SpecificationState, System, SystemOptions};

/// The limit on the states of one expression.
const STATE_LIMIT: usize = 20_000;

/// Returns why an expression cannot be an operand of a refinement; `None` if it can, and an error if a limit is
/// reached.
pub fn operand_fault(
    components: &Network,
    expression: &SpecExpression,
    budget: &Budget,
) -> Result<Option<String>, String> {
    fault(components, expression, budget).map_err(|failure| match failure {
        ExecutionFailure::Wrong(why) | ExecutionFailure::Limit(why) => why,
        ExecutionFailure::Error(error) => error.to_string(),
    })
}

fn fault(
    components: &Network,
    expression: &SpecExpression,
    budget: &Budget,
) -> Result<Option<String>, ExecutionFailure> {
    let networks: Vec<Network> = expression
        .components()
        .into_iter()
        .map(|(process, _)| component_alone(components, process))
        .collect();
    let mut rest = networks.as_slice();
    let options = SystemOptions { budget, are_missing_inputs_errors: false, is_pruned: false };
    let system = System::new(expression, &mut rest, options)?;
    if system.has_differences() {
        return Err(ExecutionFailure::Limit("clocks are compared with each other".to_owned()));
    }
    Ok(is_non_deterministic(&system)?.then(|| "it is not deterministic".to_owned()))
}

/// Returns whether the system is non-deterministic anywhere.
fn is_non_deterministic(system: &System<'_>) -> Result<bool, ExecutionFailure> {
    let initial = system.initial()?;
    if !system.is_allowed(&initial)? {
        return Ok(false);
    }
    let (first, key) = system.region(&initial)?;
    let mut known: HashSet<Vec<i64>> = HashSet::from([key]);
    let mut waiting: Vec<SpecificationState> = vec![first];
    while let Some(place) = waiting.pop() {
        let mut next: Vec<SpecificationState> = Vec::new();
        for &action in system.inputs.iter().chain(&system.outputs) {
            let found = system.successors(&place, action)?;
            if found.len() > 1 {
                return Ok(true);
            }
            next.extend(found);
        }
        next.extend(system.after_next_region(&place)?);
        for place in next {
            let (place, key) = system.region(&place)?;
            if known.insert(key) {
                if known.len() > STATE_LIMIT {
                    return Err(ExecutionFailure::Limit(format!(
                        "it has more than {STATE_LIMIT} clock regions"
                    )));
                }
                waiting.push(place);
            }
        }
    }
    Ok(false)
}
