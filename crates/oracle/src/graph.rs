//! The region graph: states, transitions and delays.
//!
//! Invariant: every node is the representative of its region, every region reachable from the initial states (through
//! nodes that are to be expanded) is a node, and no region is two nodes. The graph is built only from queries to the
//! reference interpreter.

use std::collections::HashMap;

use tempora_evidence::{Rational, RuntimeError};
use tempora_replay::{ConcreteState, Interpreter, StepOutcome};

use crate::failure::ExplorationFailure;
use crate::region::{RegionKey, Regions};

/// A graph of regions.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    pub(crate) states: Vec<ConcreteState>,
    /// For each node the targets of its transitions, each once.
    pub(crate) actions: Vec<Vec<usize>>,
    /// For each node its delay.
    pub(crate) delays: Vec<RegionDelay>,
    /// The node of each initial state, in order.
    pub(crate) starts: Vec<usize>,
    numbers: HashMap<RegionKey, usize>,
}

/// The delay of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RegionDelay {
    /// No delay is possible.
    Stopped,
    /// A delay leads to the next region.
    To(usize),
    /// Time may pass forever within the region.
    ForEver,
}

/// The direct successors of a state, before they are replaced by representatives.
pub(crate) struct Following {
    pub(crate) actions: Vec<ConcreteState>,
    pub(crate) delays: FollowingTime,
}

/// The state after a small delay.
pub(crate) enum FollowingTime {
    Stopped,
    To(ConcreteState),
    ForEver,
}

/// The parameters of an exploration.
pub(crate) struct Explorer<'network> {
    pub(crate) interpreter: Interpreter<'network>,
    pub(crate) regions: Regions,
    pub(crate) limit: usize,
}

impl Explorer<'_> {
    /// Returns the initial states whose invariants hold.
    pub(crate) fn initial_states(&self) -> Result<Vec<ConcreteState>, ExplorationFailure> {
        let mut states = Vec::new();
        for locations in self.interpreter.initial_choices() {
            let state = self.interpreter.state_at_start(locations);
            // If an invariant does not hold, not even the delay zero is allowed.
            if !self.interpreter.allowed_delays(&state)?.is_empty() {
                states.push(state);
            }
            if states.len() > self.limit {
                return Err(ExplorationFailure::TooLarge { limit: self.limit });
            }
        }
        Ok(states)
    }

    /// Returns the direct successors of a state.
    pub(crate) fn following(&self, state: &ConcreteState) -> Result<Following, ExplorationFailure> {
        let enabled = self.interpreter.enabled_transitions(state)?;
        let actions =
            enabled.into_iter().map(|enabled| enabled.result).collect::<Result<Vec<_>, RuntimeError>>()?;
        let (delay, is_for_ever) = match self.regions.delay_to_next(state) {
            Some(delay) => (delay, false),
            None => (Rational::from_integer(1), true),
        };
        let delays = match self.interpreter.attempt_delay(state, delay) {
            StepOutcome::Error(error) => return Err(error.into()),
            StepOutcome::Impossible(_) => FollowingTime::Stopped,
            StepOutcome::Possible(_) if is_for_ever => FollowingTime::ForEver,
            StepOutcome::Possible(later) => FollowingTime::To(later),
        };
        Ok(Following { actions, delays })
    }

    /// Explores all states reachable from some states, except beyond states that are not to be expanded.
    pub(crate) fn explore(
        &self,
        starts: &[ConcreteState],
        mut is_expanded: impl FnMut(&ConcreteState) -> Result<bool, ExplorationFailure>,
    ) -> Result<Graph, ExplorationFailure> {
        let mut graph = Graph {
            states: Vec::new(),
            actions: Vec::new(),
            delays: Vec::new(),
            starts: Vec::new(),
            numbers: HashMap::new(),
        };
        for start in starts {
            let node = self.number(&mut graph, start)?;
            graph.starts.push(node);
        }
        let mut node = 0;
        while node < graph.states.len() {
            if is_expanded(&graph.states[node])? {
                let following = self.following(&graph.states[node])?;
                let mut targets = Vec::with_capacity(following.actions.len());
                for successor in &following.actions {
                    targets.push(self.number(&mut graph, successor)?);
                }
                targets.sort_unstable();
                targets.dedup();
                graph.actions[node] = targets;
                graph.delays[node] = match &following.delays {
                    FollowingTime::Stopped => RegionDelay::Stopped,
                    FollowingTime::ForEver => RegionDelay::ForEver,
                    FollowingTime::To(later) => RegionDelay::To(self.number(&mut graph, later)?),
                };
            }
            node += 1;
        }
        Ok(graph)
    }

    /// Returns the node of a state, which is added if necessary.
    fn number(&self, graph: &mut Graph, state: &ConcreteState) -> Result<usize, ExplorationFailure> {
        let key = self.regions.key(state);
        if let Some(&node) = graph.numbers.get(&key) {
            return Ok(node);
        }
        let node = graph.states.len();
        if node >= self.limit {
            return Err(ExplorationFailure::TooLarge { limit: self.limit });
        }
        graph.numbers.insert(key, node);
        graph.states.push(self.regions.representative(state));
        graph.actions.push(Vec::new());
        graph.delays.push(RegionDelay::Stopped);
        Ok(node)
    }
}

impl Graph {
    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    /// Returns the node of a state, if it is reachable.
    pub(crate) fn node_of(&self, regions: &Regions, state: &ConcreteState) -> Option<usize> {
        self.numbers.get(&regions.key(state)).copied()
    }

    /// Returns the successors of a node by transitions and delays; includes itself if time may pass forever.
    pub(crate) fn successors(&self, node: usize) -> impl Iterator<Item = usize> {
        let delays = match self.delays[node] {
            RegionDelay::Stopped => None,
            RegionDelay::To(later) => Some(later),
            RegionDelay::ForEver => Some(node),
        };
        self.actions[node].iter().copied().chain(delays)
    }
}
