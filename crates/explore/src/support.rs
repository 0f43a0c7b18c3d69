//! What the engine declines, by name.
//!
//! Invariant: whatever could make a verdict wrong is found here or when the network is compiled, before the search.

use tempora_model::{Expression, ExpressionKind, Network, Quantifier, Value, VariableId, VariableKind};

/// Why the network is declined whatever is asked.
pub(crate) fn declined_network(network: &Network) -> Option<String> {
    for process in network.processes.values() {
        for location in process.locations.values() {
            if let Some(rate) = location.clock_rates.iter().find(|rate| !is_harmless_rate(network, rate)) {
                let clock = rated_clock(rate).map_or_else(String::new, |clock| {
                    format!(", such as that of `{}`", network.qualified_name(clock))
                });
                return Some(format!("the zone engine does not know rates of clocks{clock}"));
            }
        }
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

/// Why a predicate of a query is declined.
pub(crate) fn declined_predicate(network: &Network, predicate: &Expression) -> Option<String> {
    reads_meta(network, predicate)
}

/// A meta variable has no value between transitions that one could rely on.
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
                "the zone engine does not know functions in conditions beside meta variables".to_owned(),
            );
        }
        _ => {}
    });
    found
}

/// Whether a rate is one, or that of a clock that only statistics look at.
fn is_harmless_rate(network: &Network, rate: &Expression) -> bool {
    match &rate.kind {
        ExpressionKind::RateIs { clock, rate } => network.is_hybrid(clock) || is_one(network, rate),
        ExpressionKind::Quantified { quantifier: Quantifier::ForAll, body, .. } => {
            is_harmless_rate(network, body)
        }
        _ => false,
    }
}

fn is_one(network: &Network, rate: &Expression) -> bool {
    match &rate.kind {
        ExpressionKind::Integer(value) => *value == 1,
        ExpressionKind::Double(value) => *value == 1.0,
        ExpressionKind::Variable(variable) => network.variables.get(*variable).is_some_and(|variable| {
            variable.kind == VariableKind::Constant && variable.initial == Value::Integer(1)
        }),
        _ => false,
    }
}

fn rated_clock(rate: &Expression) -> Option<VariableId> {
    match &rate.kind {
        ExpressionKind::RateIs { clock, .. } => clock.root(),
        ExpressionKind::Quantified { body, .. } => rated_clock(body),
        _ => None,
    }
}
