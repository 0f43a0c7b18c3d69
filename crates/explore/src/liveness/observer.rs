//! The network with an observer: one more process, without edges, and one more clock.
//!
//! Invariant: the observer is the last process and its clock the last clock; the network neither reads nor sets them.
//! So the behaviour of the network does not change, and a search may move the observer and set its clock between
//! transitions. The observer's location belongs to the discrete state; its clock counts only where the search needs it.

use tempora_model::{
    Condition, Location, LocationId, LocationKind, Network, Process, Table, Type, Value, Variable,
    VariableKind,
};

/// The observer's location before the watch.
pub(crate) const IDLE: i32 = 0;
/// The observer's location during the watch.
pub(crate) const PENDING: i32 = 1;

/// Returns the network with an observer in the given initial location. `None` if the network has no process.
pub(crate) fn observed(network: &Network, start: i32) -> Option<Network> {
    let origin = network.processes.values().next()?.origin;
    let mut network = network.clone();
    network.variables.push(Variable {
        name: "observer's clock".to_owned(),
        owner: None,
        value_type: Type::Clock,
        initial: Value::None,
        kind: VariableKind::State,
        origin,
    });
    let mut locations = Table::new();
    for name in ["idle", "pending"] {
        locations.push(Location {
            name: Some(name.to_owned()),
            kind: LocationKind::Ordinary,
            invariant: Condition::default(),
            clock_rates: Vec::new(),
            exponential_rate: None,
            labels: Vec::new(),
            origin,
        });
    }
    network.processes.push(Process {
        name: "observer".to_owned(),
        template: "observer".to_owned(),
        arguments: Vec::new(),
        locations,
        initial: vec![LocationId(start as u32)],
        edges: Table::new(),
        priority: 0,
        interface: None,
        origin,
    });
    Some(network)
}
