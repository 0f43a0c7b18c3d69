//! Checks the operands of refinements: their components are consistent and they are deterministic.
//!
//! Invariant: the check explores clock regions, as in [`super::consistency`]. If there are too many states, it reports
//! a limit.

use std::collections::HashSet;

use tempora_evidence::Budget;
use tempora_model::{Network, SpecExpression};

use crate::specification::component_alone;
use crate::specification::system::{Making, Place, System, Trouble};

/// The limit on the states of one expression.
const MOST_PLACES: usize = 20_000;

/// Returns why an expression cannot be an operand of a refinement; `None` if it can, and an error if a limit is
/// reached.
pub fn operand_fault(
    components: &Network,
    expression: &SpecExpression,
    budget: &Budget,
) -> Result<Option<String>, String> {
    fault(components, expression, budget).map_err(|trouble| match trouble {
        Trouble::Wrong(why) | Trouble::Limit(why) => why,
        Trouble::Error(error) => error.to_string(),
    })
}

fn fault(
    components: &Network,
    expression: &SpecExpression,
    budget: &Budget,
) -> Result<Option<String>, Trouble> {
    let networks: Vec<Network> = expression
        .components()
        .into_iter()
        .map(|(process, _)| component_alone(components, process))
        .collect();
    let mut rest = networks.as_slice();
    let making = Making { budget, are_missing_inputs_errors: false, is_pruned: true };
    let system = System::new(expression, &mut rest, making)?;
    if let Some(process) = system.inconsistent_component()? {
        return Ok(Some(format!("`{}` is not consistent", components.processes[process].name)));
    }
    let mut rest = networks.as_slice();
    let system = System::new(expression, &mut rest, Making { is_pruned: false, ..making })?;
    if system.has_differences() {
        return Err(Trouble::Limit("clocks are compared with each other".to_owned()));
    }
    Ok(leads_apart(&system)?.then(|| "it is not deterministic".to_owned()))
}

/// Returns whether the system is non-deterministic anywhere.
fn leads_apart(system: &System<'_>) -> Result<bool, Trouble> {
    let (first, key) = system.region(&system.initial())?;
    let mut known: HashSet<Vec<i64>> = HashSet::from([key]);
    let mut waiting: Vec<Place> = vec![first];
    while let Some(place) = waiting.pop() {
        let mut next: Vec<Place> = Vec::new();
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
                if known.len() > MOST_PLACES {
                    return Err(Trouble::Limit(format!("it has more than {MOST_PLACES} clock regions")));
                }
                waiting.push(place);
            }
        }
    }
    Ok(false)
}
