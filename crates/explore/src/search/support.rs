//! Constructs that the engine declines, by name.
//!
//! Invariant: every construct that could make a verdict wrong is detected here or by the compiler, before the search.

use tempora_model::{Expression, ExpressionKind, Network, Quantifier, Type, Value, VariableId, VariableKind};

/// Returns why the network is declined for every query.
pub(crate) fn declined_network(network: &Network) -> Option<String> {
    if let Some(rate) = rates(network).find(|rate| !may_be_stopwatch(network, rate)) {
        return Some(format!(
            "the zone engine does not support clock rates other than 0 and 1{}",
            such_as(network, rate)
        ));
    }
    let conditions = network.processes.values().flat_map(|process| {
        let invariants = process.locations.values().map(|location| &location.invariant);
        let guards = process.edges.values().map(|edge| &edge.guard);
        invariants.chain(guards).flat_map(|condition| condition.data.iter().chain(&condition.clocks))
    });
    let channels = network
        .processes
        .values()
        .flat_map(|process| process.edges.values())
        .filter_map(|edge| edge.synchronisation.as_ref().map(|synchronisation| &synchronisation.channel));
    conditions.chain(channels).find_map(|condition| reads_meta(network, condition))
}

/// Returns why a predicate of a query is declined.
pub(crate) fn declined_predicate(network: &Network, predicate: &Expression) -> Option<String> {
    reads_meta(network, predicate)
}

/// Returns a meta variable has no reliable value between transitions.
fn reads_meta(network: &Network, condition: &Expression) -> Option<String> {
    if !network.variables.values().any(|variable| variable.kind == VariableKind::Meta) {
        return None;
    }
    let mut found = None;
    condition.for_each(&mut |part| match &part.kind {
        ExpressionKind::Variable(variable)
            if network.variables.get(*variable).is_some_and(|known| known.kind == VariableKind::Meta) =>
        {
            let name = network.qualified_name(*variable);
            found =
                Some(format!("the zone engine does not read the meta variable `{name}` between transitions"));
        }
        ExpressionKind::Call { .. } => {
            found = Some(
                "the zone engine does not support functions in conditions of models with meta variables"
                    .to_owned(),
            );
        }
        _ => {}
    });
    found
}

/// Returns why searches without support for stopwatches decline the network.
pub(crate) fn declined_stopwatches(network: &Network) -> Option<String> {
    let stops = rates(network).find(|rate| !is_harmless_rate(network, rate))?;
    Some(format!("the zone engine does not support stopwatches for this query{}", such_as(network, stops)))
}

fn rates(network: &Network) -> impl Iterator<Item = &Expression> {
    let locations = network.processes.values().flat_map(|process| process.locations.values());
    locations.flat_map(|location| &location.clock_rates)
}

fn such_as(network: &Network, rate: &Expression) -> String {
    rated_clock(rate)
        .map_or_else(String::new, |clock| format!(", such as that of `{}`", network.qualified_name(clock)))
}

/// Returns whether a rate is 1, or belongs to a clock that only statistics read.
fn is_harmless_rate(network: &Network, rate: &Expression) -> bool {
    is_rate(network, rate, &|rate| constant_rate(network, rate) == Some(1))
}

/// Returns whether a rate is not a constant other than 0 and 1.
fn may_be_stopwatch(network: &Network, rate: &Expression) -> bool {
    is_rate(network, rate, &|rate| match constant_rate(network, rate) {
        Some(value) => value == 0 || value == 1,
        None => !matches!(rate.value_type, Type::Double),
    })
}

fn is_rate(network: &Network, rate: &Expression, is_fine: &impl Fn(&Expression) -> bool) -> bool {
    match &rate.kind {
        ExpressionKind::RateIs { clock, rate } => network.is_hybrid(clock) || is_fine(rate),
        ExpressionKind::Quantified { quantifier: Quantifier::ForAll, body, .. } => {
            is_rate(network, body, is_fine)
        }
        _ => false,
    }
}

fn constant_rate(network: &Network, rate: &Expression) -> Option<i32> {
    match &rate.kind {
        ExpressionKind::Integer(value) => Some(*value),
        ExpressionKind::Double(value) if *value == 1.0 => Some(1),
        ExpressionKind::Variable(variable) => match network.variables.get(*variable)? {
            variable if variable.kind != VariableKind::Constant => None,
            variable => match variable.initial {
                Value::Integer(value) => Some(value),
                _ => None,
            },
        },
        _ => None,
    }
}

fn rated_clock(rate: &Expression) -> Option<VariableId> {
    match &rate.kind {
        ExpressionKind::RateIs { clock, .. } => clock.root(),
        ExpressionKind::Quantified { body, .. } => rated_clock(body),
        _ => None,
    }
}
