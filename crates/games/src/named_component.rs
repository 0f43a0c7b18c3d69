//! Renders the explicit automaton of a specification as a component with the user's names.
//!
//! Invariant: each action of the specification is on an edge, so the component has the same alphabet; an action that is
//! never possible is on an edge that is never enabled. Non-convex guards become several edges. Unused clocks are
//! dropped.

use std::collections::BTreeSet;

use tempora_model::{
    Comparison, ComponentForm, ComputedClockId, ComputedComponent, ComputedCondition, ComputedEdge,
    ComputedLocation, ComputedUpdate, EdgeId, Id, LocationId, SpecExpression, Table, channel_path,
};
use tempora_zones::{Bound, Clock, ClockUpdate, Constraint, Zone};

use crate::action::ActionId;
use crate::explicit::{ExplicitComponent, explicit_component};
use crate::minimise::minimised;
use crate::search_abort::SearchAbort;
use crate::state::StateKind;
use crate::theory::{Construction, Obstacle, SpecificationId, Theory};

/// The source and target of an edge, its action, guard and updates.
type ConvexEdge<'component> = (usize, usize, ActionId, Vec<Constraint>, &'component [ClockUpdate]);

/// Location names longer than this are replaced by numbers.
const LONGEST_NAME: usize = 40;

/// Returns the component of an expression; `None` if it is inconsistent.
pub(crate) fn computed_component(
    theory: &mut Theory<'_>,
    system: &SpecExpression,
    form: ComponentForm,
    name: Option<&str>,
) -> Result<Option<ComputedComponent>, Obstacle> {
    let id = match form {
        ComponentForm::Pruned => theory.meaning(system)?,
        ComponentForm::Whole | ComponentForm::Minimised => theory.combined(system)?,
    };
    if form == ComponentForm::Pruned && !theory.has_good_start(id)? {
        return Ok(None);
    }
    let mut component = explicit_component(theory, id)?;
    if form == ComponentForm::Minimised {
        component = minimised(theory, component)?;
    }
    Ok(Some(named_component(theory, id, &component, name, Detail::Necessary)?))
}

/// The level of detail of a component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Detail {
    /// As much as preserves its meaning.
    Necessary,
    /// All clocks, in order, and all edges of universal and inconsistent locations.
    Everything,
}

impl Theory<'_> {
    /// Applies the operator at the top of an expression to the meanings of its operands.
    fn combined(&mut self, expression: &SpecExpression) -> Result<SpecificationId, Obstacle> {
        let meaning = self.meaning(expression)?;
        Ok(match self[meaning].construction {
            Construction::Pruned(whole) => whole,
            _ => meaning,
        })
    }
}

pub(crate) fn named_component(
    theory: &Theory<'_>,
    id: SpecificationId,
    component: &ExplicitComponent,
    name: Option<&str>,
    detail: Detail,
) -> Result<ComputedComponent, SearchAbort> {
    let mut edges: Vec<ConvexEdge<'_>> = Vec::new();
    for edge in &component.edges {
        let source = &component.locations[edge.source];
        // The label of a special location implies its edges.
        if source.kind != StateKind::Ordinary && detail == Detail::Necessary {
            continue;
        }
        let invariant = Zone::from_constraints(component.dimension, &source.invariant)?;
        for zone in edge.guard.zones() {
            let mut guard = zone.minimal_constraints();
            guard.retain(|&constraint| !invariant.satisfies_everywhere(constraint));
            edges.push((edge.source, edge.target, edge.action, guard, &edge.updates));
        }
    }
    let mut used: BTreeSet<Clock> = BTreeSet::new();
    let guards = edges.iter().flat_map(|(_, _, _, guard, _)| guard);
    for constraint in guards.chain(component.locations.iter().flat_map(|location| &location.invariant)) {
        used.extend([constraint.left, constraint.right]);
    }
    if detail == Detail::Everything {
        used.extend(component.dimension.clocks());
    }
    used.remove(&Clock::REFERENCE);
    loop {
        let copies = edges.iter().flat_map(|(_, _, _, _, updates)| updates.iter());
        let more: Vec<Clock> = copies
            .filter_map(|update| match *update {
                ClockUpdate::Copy { target, from } if used.contains(&target) && !used.contains(&from) => {
                    Some(from)
                }
                _ => None,
            })
            .collect();
        if more.is_empty() {
            break;
        }
        used.extend(more);
    }
    let names = clock_names(theory, id, &used);
    let mut clock_table: Table<ComputedClockId, String> = Table::new();
    // The reference clock and dropped clocks have no number.
    let mut clocks: Vec<Option<ComputedClockId>> = vec![None; names.len()];
    for clock in &used {
        let number = usize::from(clock.0);
        clocks[number] = Some(clock_table.push(names[number].clone()));
    }
    let conditions = |constraints: &[Constraint]| -> Vec<ComputedCondition> {
        constraints.iter().filter_map(|constraint| condition(constraint, &clocks)).collect()
    };
    let alphabet = &theory[id].alphabet;
    let channel =
        |action| theory.names.position(action).map(|position| channel_path(theory.network, position));
    let mut made_edges: Table<EdgeId, ComputedEdge> = Table::new();
    for (source, target, action, guard, updates) in &edges {
        made_edges.push(ComputedEdge {
            source: LocationId::from_index(*source),
            target: LocationId::from_index(*target),
            channel: channel(*action),
            is_output: alphabet.outputs.contains(action),
            guard: conditions(guard),
            updates: updates.iter().filter_map(|update| assignment(*update, &clocks)).collect(),
        });
    }
    for action in alphabet.all() {
        if edges.iter().all(|edge| edge.2 != action) {
            made_edges.push(ComputedEdge {
                source: LocationId(0),
                target: LocationId(0),
                channel: channel(action),
                is_output: alphabet.outputs.contains(&action),
                guard: vec![ComputedCondition::Never],
                updates: Vec::new(),
            });
        }
    }
    let names = location_names(theory, id, component);
    let locations = component.locations.iter().zip(names).map(|(location, name)| ComputedLocation {
        name,
        invariant: conditions(&location.invariant),
        label: match location.kind {
            StateKind::Ordinary => None,
            StateKind::Universal => Some("universal"),
            StateKind::Error => Some("inconsistent"),
        },
    });
    Ok(ComputedComponent {
        name: name.map(str::to_owned),
        clocks: clock_table,
        locations: locations.collect(),
        edges: made_edges,
    })
}

/// Returns a name for each clock: the user's name, prefixed with its component if it is ambiguous.
fn clock_names(theory: &Theory<'_>, id: SpecificationId, used: &BTreeSet<Clock>) -> Vec<String> {
    let mut leaves = Vec::new();
    theory.leaves(id, 0, &mut leaves);
    let mut owners: Vec<(String, String)> = vec![(String::new(), String::new()); theory[id].dimension.size()];
    for (position, &(process, number, offset)) in leaves.iter().enumerate() {
        let component = word(&theory.network.processes[process].name);
        let component = if component.is_empty() { format!("C{position}") } else { component };
        let end = leaves.get(position + 1).map_or(theory[id].dimension.size() as u16 - 1, |next| next.2);
        // The urgency clock has no name of its own.
        for clock in offset..end {
            owners[usize::from(clock) + 1] = (component.clone(), "urgent".to_owned());
        }
        for (variable, declaration) in theory.network.variables.iter() {
            if declaration.owner == Some(process) {
                let own = theory.component_numbered(number).clocks_of(variable);
                let is_array = own.len() > 1;
                for (element, clock) in own.into_iter().enumerate() {
                    let name = if is_array {
                        format!("{}_{element}", declaration.name)
                    } else {
                        declaration.name.clone()
                    };
                    if let Some(clock) = clock {
                        owners[usize::from(clock.0 + offset)] = (component.clone(), word(&name));
                    }
                }
            }
        }
    }
    let mut taken: BTreeSet<String> =
        theory.network.variables.values().map(|known| known.name.clone()).collect();
    let mut names = vec!["0".to_owned(); owners.len()];
    for &clock in used {
        let (component, name) = &owners[usize::from(clock.0)];
        let alike = used.iter().filter(|other| owners[usize::from(other.0)].1 == *name).count();
        // Variables of components disappear with them; those of the model remain.
        let is_global =
            theory.network.variables.values().any(|known| known.owner.is_none() && known.name == *name);
        let wanted = if alike == 1 && !is_global && name != "urgent" {
            taken.remove(name);
            name.clone()
        } else {
            format!("{component}_{name}")
        };
        names[usize::from(clock.0)] = free_name(&wanted, &mut taken);
    }
    names
}

/// Returns a name for each location, composed of the user's names.
fn location_names(theory: &Theory<'_>, id: SpecificationId, component: &ExplicitComponent) -> Vec<String> {
    let mut leaves = Vec::new();
    theory.leaves(id, 0, &mut leaves);
    let mut taken: BTreeSet<String> =
        theory.network.variables.values().map(|known| known.name.clone()).collect();
    let mut names = Vec::with_capacity(component.locations.len());
    for (number, location) in component.locations.iter().enumerate() {
        let mut found = Vec::new();
        theory.locations(id, location.state, &mut found);
        let parts: Option<Vec<String>> = found
            .iter()
            .zip(&leaves)
            .map(|(place, &(process, ..))| {
                place.map(|place| word(&theory.network.location_name(process, place)))
            })
            .collect();
        let joined = parts
            .map(|parts| parts.join("_"))
            .filter(|name| name.len() <= LONGEST_NAME && tempora_syntax::is_name(name));
        let wanted = match (joined, location.kind) {
            (Some(joined), _) => joined,
            (None, StateKind::Universal) => "Universal".to_owned(),
            (None, StateKind::Error) => "Inconsistent".to_owned(),
            (None, StateKind::Ordinary) => format!("L{number}"),
        };
        names.push(free_name(&wanted, &mut taken));
    }
    names
}

fn free_name(wanted: &str, taken: &mut BTreeSet<String>) -> String {
    let mut name = wanted.to_owned();
    let mut number = 2;
    while taken.contains(&name) || !tempora_syntax::is_name(&name) {
        name = format!("{wanted}_{number}");
        number += 1;
    }
    taken.insert(name.clone());
    name
}

/// Returns the letters, digits and underscores of a name.
fn word(name: &str) -> String {
    name.chars().filter(|letter| letter.is_ascii_alphanumeric() || *letter == '_').collect()
}

/// Returns a constraint as a condition on the component's clocks; `None` if it always holds.
fn condition(constraint: &Constraint, clocks: &[Option<ComputedClockId>]) -> Option<ComputedCondition> {
    let clock = |clock: Clock| clocks[usize::from(clock.0)];
    let bound = constraint.bound.constant()?;
    let below = if constraint.bound.is_weak() { Comparison::LessOrEqual } else { Comparison::Less };
    Some(match (clock(constraint.left), clock(constraint.right)) {
        (Some(left), Some(right)) => ComputedCondition::Difference { left, right, comparison: below, bound },
        (Some(clock), None) => ComputedCondition::Clock { clock, comparison: below, bound },
        // The reference clock is zero; bounds of zones are small enough to be negated.
        (None, Some(clock)) => ComputedCondition::Clock { clock, comparison: below.flipped(), bound: -bound },
        (None, None) if constraint.bound < Bound::LE_ZERO => ComputedCondition::Never,
        (None, None) => return None,
    })
}

/// Returns an assignment; `None` if its clock is dropped.
fn assignment(update: ClockUpdate, clocks: &[Option<ComputedClockId>]) -> Option<ComputedUpdate> {
    let clock = |clock: Clock| clocks[usize::from(clock.0)];
    Some(match update {
        // No zone holds a larger value.
        ClockUpdate::Reset { clock: target, value } => {
            ComputedUpdate::Set { clock: clock(target)?, value: i32::try_from(value).unwrap_or(i32::MAX) }
        }
        ClockUpdate::Copy { target, from } => {
            ComputedUpdate::Copy { target: clock(target)?, from: clock(from)? }
        }
        ClockUpdate::Shift { clock: target, amount } => {
            ComputedUpdate::Shift { clock: clock(target)?, amount }
        }
    })
}
