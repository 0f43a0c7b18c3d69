//! The greatest constant up to which the value of each clock matters.
//!
//! Invariant: neither the behaviour of a component nor a registered predicate distinguishes values of a clock beyond
//! its constant; -1 means that the value never matters. Too great a constant is harmless. If clocks are set to others,
//! or functions are called, all clocks of the component have the greatest constant of all.

use std::collections::BTreeMap;

use tempora_model::{Expression, ExpressionKind, Network, ProcessId, VariableId};

use crate::region::Granularity;

/// The constants of the clocks of some variables.
#[derive(Default)]
pub(crate) struct ClockConstants {
    /// The constant for each variable; all clocks in a variable count as one.
    compared: BTreeMap<VariableId, i64>,
    /// The constant for all variables.
    of_all: Option<i64>,
    pub(crate) has_differences: bool,
}

impl ClockConstants {
    /// Collects the constants of a process that is alone in its network.
    pub(crate) fn of_process(network: &Network, process: ProcessId) -> ClockConstants {
        let mut constants = ClockConstants::default();
        let automaton = &network.processes[process];
        let mut is_unclear = false;
        let invariants = automaton.locations.values().map(|location| &location.invariant);
        let guards = automaton.edges.values().map(|edge| &edge.guard);
        for condition in invariants.chain(guards) {
            for expression in condition.data.iter().chain(&condition.clocks) {
                is_unclear |= constants.note(network, expression);
            }
        }
        for update in automaton.edges.values().flat_map(|edge| &edge.branches).flat_map(|one| &one.updates) {
            is_unclear |= constants.note(network, update);
        }
        let granularity = Granularity::of(network, []);
        constants.has_differences |= granularity.needs_equality;
        if is_unclear {
            constants.of_all = Some(granularity.greatest_constant);
            constants.has_differences |= granularity.has_differences;
        }
        constants
    }

    /// Collects the constants of predicates.
    pub(crate) fn of_predicates<'model>(
        network: &Network,
        predicates: impl IntoIterator<Item = &'model Expression>,
    ) -> ClockConstants {
        let mut constants = ClockConstants::default();
        let mut is_unclear = false;
        for predicate in predicates {
            is_unclear |= constants.note(network, predicate);
        }
        if is_unclear {
            let granularity = Granularity::of(network, []);
            constants.of_all = Some(granularity.greatest_constant);
            constants.has_differences |= granularity.has_differences;
        }
        constants
    }

    /// Returns the constant for the clocks of a variable.
    pub(crate) fn greatest(&self, variable: VariableId) -> i64 {
        let own = self.compared.get(&variable).copied().unwrap_or(-1);
        self.of_all.map_or(own, |all| all.max(own))
    }

    /// Raises the constant of a variable.
    pub(crate) fn tell_apart(&mut self, variable: VariableId, constant: i64) {
        let known = self.compared.entry(variable).or_insert(-1);
        *known = (*known).max(constant);
    }

    /// Includes the constants of others.
    pub(crate) fn include(&mut self, others: &ClockConstants) {
        for (&variable, &constant) in &others.compared {
            self.tell_apart(variable, constant);
        }
        self.of_all = self.of_all.max(others.of_all);
        self.has_differences |= others.has_differences;
    }

    /// Collects the comparisons in an expression; returns true if there may be others that are not visible.
    fn note(&mut self, network: &Network, expression: &Expression) -> bool {
        let mut is_unclear = false;
        expression.for_each(&mut |part| match &part.kind {
            ExpressionKind::CompareClocks { left, right, bound, .. } => {
                self.has_differences |= left.is_some() && right.is_some();
                let constant = match &bound.kind {
                    ExpressionKind::Double(value) if value.abs() < 1e9 => value.abs().ceil() as i64,
                    _ => network.declared_magnitude(bound),
                };
                for clock in left.iter().chain(right) {
                    match clock.root() {
                        Some(variable) => self.tell_apart(variable, constant),
                        None => is_unclear = true,
                    }
                }
            }
            ExpressionKind::Assign { target, value, .. } => {
                is_unclear |= target.value_type.has_clocks() && value.value_type.has_clocks();
            }
            ExpressionKind::Call { .. } => is_unclear = true,
            _ => {}
        });
        is_unclear
    }
}
