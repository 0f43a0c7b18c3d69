//! Abstract states and precisions.
//!
//! Invariant: a state covers another only if it represents all states of the other.

use std::collections::{BTreeMap, BTreeSet};

use tempora_smt::{SymbolId, TermId, Value};
use tempora_transition::{StateVariableId, StatementKind, SymbolicStatement, VariableRole};

use super::InitialPrecision;
use super::context::Context;

/// The variables and predicates that abstract states track.
#[derive(Clone, Debug, Default)]
pub(super) struct Precision {
    pub(super) variables: BTreeSet<StateVariableId>,
    /// Each without a leading negation.
    pub(super) predicates: Vec<TermId>,
}

/// Values of some variables.
pub(super) type Values = BTreeMap<StateVariableId, Value>;

/// A combination of predicates with their truth values.
pub(super) type Cube = BTreeMap<TermId, bool>;

/// An abstract state: these values, and one of these combinations.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct AbstractState {
    pub(super) values: Values,
    /// At least one; an empty combination is true.
    pub(super) cubes: Vec<Cube>,
}

impl AbstractState {
    /// Creates a state that only has values.
    pub(super) fn of_values(values: Values) -> AbstractState {
        AbstractState { values, cubes: vec![Cube::new()] }
    }

    /// Returns whether it represents all states of another.
    pub(super) fn covers(&self, other: &AbstractState) -> bool {
        let is_part =
            |cube: &Cube, of: &Cube| cube.iter().all(|(predicate, value)| of.get(predicate) == Some(value));
        self.values.iter().all(|(variable, value)| other.values.get(variable) == Some(value))
            && other.cubes.iter().all(|cube| self.cubes.iter().any(|own| is_part(own, cube)))
    }

    /// Returns the formula of its states.
    pub(super) fn formula(&self, context: &mut Context<'_>) -> TermId {
        let mut parts = Vec::new();
        for (variable, value) in &self.values {
            let constant = context.store.constant(value.clone());
            parts.push(context.store.equal(context.system.term_of(*variable), constant));
        }
        let mut cubes = Vec::new();
        for cube in &self.cubes {
            let literals: Vec<TermId> = cube
                .iter()
                .map(|(predicate, value)| if *value { *predicate } else { context.store.not(*predicate) })
                .collect();
            cubes.push(context.store.and(&literals));
        }
        parts.push(context.store.or(&cubes));
        context.store.and(&parts)
    }
}

impl Precision {
    /// Returns the initial precision.
    pub(super) fn initial(context: &mut Context<'_>) -> Precision {
        let mut precision = Precision::default();
        let condition = context.claim.condition;
        let is_product = context.options.domain.has_values() && context.options.domain.predicates().is_some();
        if is_product || context.options.initial_precision == InitialPrecision::Control {
            let variables = context.variables.iter();
            let is_control =
                |id: &&StateVariableId| context.system.variables[**id].role == VariableRole::Control;
            precision.variables = variables.filter(is_control).copied().collect();
        }
        match context.options.initial_precision {
            InitialPrecision::Empty | InitialPrecision::Control => {}
            InitialPrecision::Property => {
                precision.learn(context, &[condition]);
                if context.options.domain.predicates().is_some() {
                    let differences = clock_differences(context);
                    precision.learn(context, &differences);
                }
            }
            InitialPrecision::AllVariables => {
                precision.variables = context.variables.iter().copied().collect();
            }
        }
        precision
    }
}

/// Returns the differences of clocks that occur in comparisons of the system, unless they are too many: time does not
/// change them, so predicates about them stay valid. All differences, or the order of all clocks, would cost more than
/// they save.
fn clock_differences(context: &Context<'_>) -> Vec<TermId> {
    /// If there are more, refinement finds the necessary ones.
    const MAX: usize = 20;
    let clocks: BTreeSet<SymbolId> = context
        .system
        .variables
        .values()
        .filter(|variable| variable.role == VariableRole::Clock)
        .map(|variable| variable.symbol)
        .collect();
    let mut differences = BTreeSet::new();
    let mut open: Vec<&SymbolicStatement> =
        context.system.edges.values().map(|edge| &edge.statement).collect();
    while let Some(statement) = open.pop() {
        open.extend(statement.parts());
        let StatementKind::Assume(condition) = &statement.kind else { continue };
        for atom in context.store.atoms(*condition) {
            let symbols = context.store.symbols_of(&[atom]);
            if symbols.len() == 2 && symbols.is_subset(&clocks) {
                differences.insert(atom);
            }
        }
    }
    differences.into_iter().take(MAX).collect()
}
