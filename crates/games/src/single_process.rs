//! One process of a network on its own: whether it qualifies as a component, and its behaviour in an open environment.
//!
//! Invariant: processes, locations and edges keep their numbers, so results for the process alone apply to its network.

use tempora_model::{
    Expression, ExpressionKind, Id, LocationId, LocationKind, Network, Process, ProcessId, Type, VariableId,
    VariableKind,
};

/// Returns the network in which all other processes are idle.
pub(crate) fn with_others_silent(network: &Network, process: ProcessId) -> Network {
    let processes = network.processes.iter().map(|(id, other)| {
        if id == process {
            return other.clone();
        }
        let first = other.locations.values().next().map(|location| tempora_model::Location {
            invariant: tempora_model::Condition::default(),
            clock_rates: Vec::new(),
            kind: LocationKind::Ordinary,
            ..location.clone()
        });
        // Edges make up most of a process, so they are not cloned.
        Process {
            name: other.name.clone(),
            template: other.template.clone(),
            arguments: other.arguments.clone(),
            locations: first.into_iter().collect(),
            initial: vec![LocationId(0)],
            edges: tempora_model::Table::new(),
            priority: other.priority,
            interface: other.interface.clone(),
            origin: other.origin,
        }
    });
    Network {
        scalar_sets: network.scalar_sets.clone(),
        variables: network.variables.clone(),
        functions: network.functions.clone(),
        processes: processes.collect(),
        events: network.events.clone(),
        vectors: Vec::new(),
        channel_priorities: network.channel_priorities.clone(),
        before_update: network.before_update.clone(),
        after_update: network.after_update.clone(),
        omissions: network.omissions.clone(),
    }
}

/// Returns the network of one process with an environment that sends and receives anything at any time: its
/// synchronisations become internal steps.
pub fn in_free_environment(network: &Network, process: ProcessId) -> Network {
    let mut alone = with_others_silent(network, process);
    for edge in alone.processes[process].edges.values_mut() {
        edge.synchronisation = None;
    }
    alone
}

/// Returns why a process does not qualify as a component of a specification.
pub fn component_obstacle(network: &Network, id: ProcessId) -> Option<String> {
    let process = &network.processes[id];
    if network.channel_priorities.is_some() || network.processes.values().any(|process| process.priority != 0)
    {
        return Some("priorities have no meaning for specifications".to_owned());
    }
    if !network.before_update.is_empty() || !network.after_update.is_empty() {
        return Some("updates before or after each transition have no meaning for specifications".to_owned());
    }
    if process.initial.len() != 1 {
        return Some("a specification needs exactly one initial location".to_owned());
    }
    if process.locations.values().any(|location| !location.clock_rates.is_empty()) {
        return Some("clock rates are not supported in specifications".to_owned());
    }
    for edge in process.edges.values() {
        let name = network.location_name(id, edge.source);
        if let Some(synchronisation) = &edge.synchronisation
            && let Type::Channel(kind) = &synchronisation.channel.value_type
            && kind.is_urgent
        {
            return Some("urgent channels are not supported in specifications".to_owned());
        }
        if edge.branches.len() != 1 {
            return Some(format!("an edge from `{name}` has branches"));
        }
    }
    foreign_variable(network, id).map(|variable| {
        format!("it uses the variable `{}`, which it does not own", network.qualified_name(variable))
    })
}

/// Returns a variable that the process reads and that something else may change.
fn foreign_variable(network: &Network, id: ProcessId) -> Option<VariableId> {
    let mut changed = vec![false; network.variables.len()];
    tempora_machine::for_each_expression(network, &mut |expression| {
        let mut note =
            |target: &Expression| target.for_each_target(&mut |variable| changed[variable.index()] = true);
        match &expression.kind {
            ExpressionKind::Assign { target, .. } | ExpressionKind::Step { target, .. } => note(target),
            ExpressionKind::Call { arguments, .. } => arguments.iter().for_each(note),
            _ => {}
        }
    });
    let process = &network.processes[id];
    let mut found = None;
    let mut functions = vec![false; network.functions.len()];
    let mut waiting: Vec<&Expression> = Vec::new();
    for location in process.locations.values() {
        waiting.extend(location.invariant.data.iter().chain(&location.invariant.clocks));
    }
    for edge in process.edges.values() {
        waiting.extend(edge.guard.data.iter().chain(&edge.guard.clocks));
        waiting.extend(edge.branches.iter().flat_map(|branch| &branch.updates));
        waiting.extend(edge.synchronisation.iter().map(|synchronisation| &synchronisation.channel));
    }
    let mut called = Vec::new();
    let mut look = |expression: &Expression, called: &mut Vec<tempora_model::FunctionId>| {
        expression.for_each(&mut |part| match &part.kind {
            ExpressionKind::Variable(variable) => {
                let declaration = &network.variables[*variable];
                let is_foreign = declaration.owner != Some(id)
                    && declaration.kind != VariableKind::Constant
                    && !declaration.value_type.has_channels();
                let is_clock = matches!(declaration.value_type, Type::Clock);
                if is_foreign && (is_clock || changed[variable.index()]) {
                    found.get_or_insert(*variable);
                }
            }
            ExpressionKind::Call { function, .. } => called.push(*function),
            _ => {}
        });
    };
    for expression in waiting {
        look(expression, &mut called);
    }
    while let Some(function) = called.pop() {
        if !std::mem::replace(&mut functions[function.index()], true)
            && let Some(declaration) = network.functions.get(function)
        {
            let mut more = Vec::new();
            for statement in &declaration.body {
                statement.for_each_expression(&mut |expression| look(expression, &mut more));
            }
            called.extend(more);
        }
    }
    found
}
