//! Which variables an expression mentions and which it may change, functions included.
//!
//! Invariant: both sets are at least as large as the real ones. A reference that is passed counts as changed.

use std::collections::BTreeSet;

use tempora_model::{Expression, ExpressionKind, FunctionId, Id, Network, VariableId};

/// The variables that a piece of a model deals with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Dealings {
    /// All that are named, those that are changed included.
    pub(crate) mentioned: BTreeSet<VariableId>,
    /// Those that may be changed.
    pub(crate) changed: BTreeSet<VariableId>,
    /// Whether the location of a process is looked at.
    pub(crate) looks_at_locations: bool,
}

/// What all functions of a network deal with.
pub(crate) struct Dependencies {
    functions: Vec<Dealings>,
}

impl Dependencies {
    pub(crate) fn new(network: &Network) -> Dependencies {
        let mut dependencies = Dependencies { functions: vec![Dealings::default(); network.functions.len()] };
        // Functions call only those that are declared before them, but that is not relied upon here.
        loop {
            let mut has_changed = false;
            for (id, function) in network.functions.iter() {
                let mut dealings = Dealings::default();
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

    /// What an expression deals with.
    pub(crate) fn of(&self, network: &Network, expression: &Expression) -> Dealings {
        let mut dealings = Dealings::default();
        expression.for_each(&mut |part| self.note(network, part, &mut dealings));
        dealings
    }

    /// Notes what a node does, without the nodes inside it.
    fn note(&self, network: &Network, node: &Expression, dealings: &mut Dealings) {
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
        dealings: &mut Dealings,
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
