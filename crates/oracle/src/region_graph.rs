//! The region graph of a network: the complete state space of a small model, ready for questions.
//!
//! Invariant: the graph is fine enough for the queries that it was built for. A question with greater constants is
//! refused, not answered wrongly.

use tempora_evidence::Verdict;
use tempora_model::{Network, Query, QueryKind};
use tempora_replay::{ConcreteState, Interpreter};

use crate::constants::Constants;
use crate::failure::ExplorationFailure;
use crate::graph::{Explorer, Graph};
use crate::predicates;
use crate::region::Regions;

/// How a network is explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// More regions than this are too many. Products with an observer may have sixteen times as many.
    pub limit: usize,
    /// Into how many parts a time unit is divided; more than one is finer than needed.
    pub subdivision: u32,
    /// By how much all maximal constants are raised; more than zero is finer than needed.
    pub extra_maximum: i64,
    /// No computed bound of a clock is greater than this. Where it is not given, the types of variables say how
    /// great bounds can be.
    pub greatest_computed_bound: Option<i64>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { limit: 20_000, subdivision: 1, extra_maximum: 0, greatest_computed_bound: None }
    }
}

/// The complete graph of regions of a network.
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
/// A runtime error in any reachable state is a [`ExplorationFailure::ModelError`], whatever is asked.
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
    /// What the answer to a query must be.
    pub fn answer(&self, query: &Query) -> Result<Verdict, ExplorationFailure> {
        match &query.kind {
            QueryKind::Formula(formula) => {
                Ok(if self.holds(formula)? { Verdict::Holds } else { Verdict::Fails })
            }
            other => Ok(Verdict::Value(self.value(other)?)),
        }
    }

    /// How many regions there are.
    pub fn len(&self) -> usize {
        self.graph.len()
    }

    /// Whether there is no region: no initial state satisfies the invariants.
    pub fn is_empty(&self) -> bool {
        self.graph.len() == 0
    }

    /// A state of each region. Clocks beyond all constants have some value beyond them.
    pub fn representatives(&self) -> &[ConcreteState] {
        &self.graph.states
    }

    /// The number of the region that a state is in, in the order of [`RegionGraph::representatives`]; `None` if no
    /// state of that region can be reached.
    pub fn region_of(&self, state: &ConcreteState) -> Option<usize> {
        self.graph.node_of(&self.regions, state)
    }

    /// For each region whether no transition is possible in it, now or after any delay that it allows.
    pub fn deadlocked(&self) -> Vec<bool> {
        predicates::deadlocked(&self.graph)
    }

    /// Whether a deadlock can be reached.
    pub fn has_deadlock(&self) -> bool {
        self.deadlocked().contains(&true)
    }

    /// Refuses a question that the graph is too coarse for.
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

    /// How many regions a product with an observer may have.
    pub(crate) fn product_limit(&self) -> usize {
        self.settings.limit.saturating_mul(16)
    }
}
