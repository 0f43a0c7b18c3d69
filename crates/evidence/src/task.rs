//! Tasks: a system and the queries about it.
//!
//! Invariant: engines see two kinds of system, networks and symbolic systems; every other model is lowered to one of
//! them. Every query of a task is about its system: a [`QueryKind::Property`] about a property of a symbolic system,
//! every other kind about a network.

use std::sync::Arc;

use tempora_model::{Network, PropertyId, Query, QueryKind};
use tempora_source::Id;
use tempora_transition::{SafetyProperty, SymbolicSystem};

/// A system to be verified.
#[derive(Clone, Debug)]
pub enum System {
    /// A network of timed automata.
    Network(Arc<Network>),
    /// A symbolic transition system.
    Symbolic(Arc<SymbolicSystem>),
}

/// The kinds of system.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SystemKind {
    /// A network of timed automata.
    Network,
    /// A symbolic transition system.
    Symbolic,
}

impl System {
    /// Returns its kind.
    pub fn kind(&self) -> SystemKind {
        match self {
            System::Network(_) => SystemKind::Network,
            System::Symbolic(_) => SystemKind::Symbolic,
        }
    }

    /// Returns the network, unless it is a symbolic system.
    pub fn network(&self) -> Option<&Arc<Network>> {
        match self {
            System::Network(network) => Some(network),
            System::Symbolic(_) => None,
        }
    }

    /// Returns the symbolic system, unless it is a network.
    pub fn symbolic(&self) -> Option<&Arc<SymbolicSystem>> {
        match self {
            System::Network(_) => None,
            System::Symbolic(system) => Some(system),
        }
    }

    /// Returns the property of a symbolic system that a query refers to.
    pub fn property(&self, query: &Query) -> Option<&SafetyProperty> {
        match (self, &query.kind) {
            (System::Symbolic(system), QueryKind::Property(id)) => system.properties.get(id.index()),
            _ => None,
        }
    }
}

/// A system and the queries about it; queries share an exploration where possible.
#[derive(Clone, Debug)]
pub struct Task {
    /// The system.
    pub system: System,
    /// The queries.
    pub queries: Vec<Query>,
}

impl Task {
    /// Creates a task from queries about a network.
    pub fn about_network(network: Arc<Network>, queries: Vec<Query>) -> Task {
        Task { system: System::Network(network), queries }
    }

    /// Creates a task with a query for each property of a symbolic system.
    pub fn about_properties(system: Arc<SymbolicSystem>) -> Task {
        let properties = system.properties.iter().enumerate();
        let queries = properties
            .map(|(position, property)| Query {
                text: property.text.clone(),
                kind: QueryKind::Property(PropertyId::from_index(position)),
                origin: property.origin,
            })
            .collect();
        Task { system: System::Symbolic(system), queries }
    }
}
