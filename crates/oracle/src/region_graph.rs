//! The region graph of a network: the complete state space of a small model, ready for queries.
//!
//! Invariant: the graph is fine enough for the queries that it was built for. A query with greater constants is
//! refused.

use tempora_evidence::Verdict;
use tempora_model::{Network, Query, QueryKind};
use tempora_replay::{ConcreteState, Interpreter};

use crate::constants::Constants;
use crate::failure::ExplorationFailure;
use crate::graph::{Explorer, Graph};
use crate::predicates;
use crate::region::Regions;

/// The parameters of an exploration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// The maximal number of regions. Products with an observer may have sixteen times as many.
    pub limit: usize,
    /// The number of units per time unit; more than one is finer than necessary.
    pub subdivision: u32,
    /// The amount by which all maximal constants are raised; more than zero is finer than necessary.
    pub extra_maximum: i64,
    /// The maximum of computed clock bounds. Without it, the types of variables limit them.
    pub greatest_computed_bound: Option<i64>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { limit: 20_000, subdivision: 1, extra_maximum: 0, greatest_computed_bound: None }
    }
}

/// The complete region graph of a network.
#[derive(Clone, Debug)]
pub struct RegionGraph {
    pub(crate) network: Network,
    pub(crate) settings: Settings,
    pub(crate) constants: Constants,
    pub(crate) regions: Regions,
    pub(crate) graph: Graph,
}

/// Explores all regions of a network, fine enough for these queries.
///
/// A runtime error in any reachable state is an [`ExplorationFailure::ModelError`], whatever the queries.
pub fn explore<'query>(
    network: &Network,
    queries: impl IntoIterator<Item = &'query Query>,
    settings: &Settings,
) -> Result<RegionGraph, ExplorationFailure> {
    let kinds: Vec<&QueryKind> = queries.into_iter().map(|query| &query.kind).collect();
    let mut constants = Constants::of(network, kinds, settings.greatest_computed_bound)?;
    for maximum in &mut constants.maxima {
        *maximum = maximum.saturating_add(settings.extra_maximum.max(0));
    }
    let regions = Regions::new(&constants, settings.subdivision);
    let explorer = Explorer { interpreter: Interpreter::new(network), regions, limit: settings.limit };
    let starts = explorer.initial_states()?;
    let graph = explorer.explore(&starts, |_| Ok(true))?;
    let regions = explorer.regions;
    Ok(RegionGraph { network: network.clone(), settings: *settings, constants, regions, graph })
}

impl RegionGraph {
    /// Returns the answer to a query.
    pub fn answer(&self, query: &Query) -> Result<Verdict, ExplorationFailure> {
        match &query.kind {
            QueryKind::Formula(formula) => {
                Ok(if self.holds(formula)? { Verdict::Holds } else { Verdict::Fails })
            }
            other => Ok(Verdict::Value(self.value(other)?)),
        }
    }

    /// Returns the number of regions.
    pub fn len(&self) -> usize {
        self.graph.len()
    }

    /// Returns whether there is no region: no initial state satisfies the invariants.
    pub fn is_empty(&self) -> bool {
        self.graph.len() == 0
    }

    /// Returns a state of each region. Clocks beyond all constants have some value beyond them.
    pub fn representatives(&self) -> &[ConcreteState] {
        &self.graph.states
    }

    /// Returns the number of the region of a state, in the order of [`RegionGraph::representatives`]; `None` if it is
    /// unreachable.
    pub fn region_of(&self, state: &ConcreteState) -> Option<usize> {
        self.graph.node_of(&self.regions, state)
    }

    /// Returns for each region whether no transition is possible in it, now or after any delay.
    pub fn deadlocked(&self) -> Vec<bool> {
        predicates::deadlocked(&self.graph)
    }

    /// Returns whether a deadlock is reachable.
    pub fn has_deadlock(&self) -> bool {
        self.deadlocked().contains(&true)
    }

    /// Refuses a query that the graph is too coarse for.
    pub(crate) fn require_constants(&self, query: &QueryKind) -> Result<(), ExplorationFailure> {
        let needed = Constants::of(&self.network, [query], self.settings.greatest_computed_bound)?;
        let is_enough =
            needed.maxima.iter().zip(&self.constants.maxima).all(|(needed, known)| needed <= known)
                && needed.difference <= self.constants.difference;
        if is_enough {
            Ok(())
        } else {
            Err(ExplorationFailure::Unsupported("a query that the graph was not built for".to_owned()))
        }
    }

    pub(crate) fn interpreter(&self) -> Interpreter<'_> {
        Interpreter::new(&self.network)
    }

    /// Returns the maximal number of regions of a product with an observer.
    pub(crate) fn product_limit(&self) -> usize {
        self.settings.limit.saturating_mul(16)
    }
}
