//! Whether an expression can be compared with others: its components can be implemented, and no two of its moves lead apart.
//!
//! Invariant: it is worked out place by place, over clock regions, as in [`super::consistency`]. Where that would take too many
//! places nothing is said.

use std::collections::HashSet;

use tempora_evidence::Budget;
use tempora_model::{Network, SpecExpression};

use crate::specification::component_alone;
use crate::specification::system::{Making, Place, System, Trouble};

/// No more places of one expression are looked at than this.
const MOST_PLACES: usize = 20_000;

/// What is wrong with an expression as an operand of a refinement; `None` if nothing is, and an error if that is not worked out.
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
    Ok(leads_apart(&system)?.then(|| "moves on one action lead apart".to_owned()))
}

/// Whether moves on one action lead apart anywhere.
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
                    return Err(Trouble::Limit(format!("it has more than {MOST_PLACES} regions of clocks")));
                }
                waiting.push(place);
            }
        }
    }
    Ok(false)
}
