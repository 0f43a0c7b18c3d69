//! The variables that an expression mentions and may change, including through functions.
//!
//! Invariant: both sets are over-approximations. A variable passed by reference counts as changed.

use std::collections::BTreeSet;

use tempora_model::{Expression, ExpressionKind, FunctionId, Id, Network, VariableId};

/// The variables that an expression or function uses.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct VariableUse {
    /// All mentioned variables, including changed ones.
    pub(crate) mentioned: BTreeSet<VariableId>,
    /// Variables that may be changed.
    pub(crate) changed: BTreeSet<VariableId>,
    /// Whether the location of a process is read.
    pub(crate) looks_at_locations: bool,
}

/// The variables that each function of a network uses.
pub(crate) struct Dependencies {
    functions: Vec<VariableUse>,
}

impl Dependencies {
    pub(crate) fn new(network: &Network) -> Dependencies {
        let mut dependencies =
            Dependencies { functions: vec![VariableUse::default(); network.functions.len()] };
        // Functions call only functions declared before them, but this code does not rely on it.
        loop {
            let mut has_changed = false;
            for (id, function) in network.functions.iter() {
                let mut dealings = VariableUse::default();
                for statement in &function.body {
                    statement
                        .for_each_expression(&mut |part| dependencies.note(network, part, &mut dealings));
                }
                has_changed |= dealings != dependencies.functions[id.index()];
                dependencies.functions[id.index()] = dealings;
            }
            if !has_changed {
                return dependencies;
            }
        }
    }

    /// Returns the variables that an expression uses.
    pub(crate) fn of(&self, network: &Network, expression: &Expression) -> VariableUse {
        let mut dealings = VariableUse::default();
        expression.for_each(&mut |part| self.note(network, part, &mut dealings));
        dealings
    }

    /// Records the variables of one node, without its children.
    fn note(&self, network: &Network, node: &Expression, dealings: &mut VariableUse) {
        match &node.kind {
            ExpressionKind::Variable(variable) => {
                dealings.mentioned.insert(*variable);
            }
            ExpressionKind::Assign { target, .. } | ExpressionKind::Step { target, .. } => {
                target.for_each_target(&mut |variable| {
                    dealings.changed.insert(variable);
                });
            }
            ExpressionKind::Call { function, arguments } => {
                let called = &self.functions[function.index()];
                dealings.mentioned.extend(&called.mentioned);
                dealings.changed.extend(&called.changed);
                dealings.looks_at_locations |= called.looks_at_locations;
                self.note_references(network, *function, arguments, dealings);
            }
            ExpressionKind::At { .. } | ExpressionKind::LocationOf(_) | ExpressionKind::HasLabel(_) => {
                dealings.looks_at_locations = true;
            }
            _ => {}
        }
    }

    fn note_references(
        &self,
        network: &Network,
        function: FunctionId,
        arguments: &[Expression],
        dealings: &mut VariableUse,
    ) {
        for (parameter, argument) in network.functions[function].parameters.iter().zip(arguments) {
            if parameter.is_reference {
                argument.for_each_target(&mut |variable| {
                    dealings.changed.insert(variable);
                });
            }
        }
    }
}
