//! Products with one more clock: deadlines, timelocks, Zeno runs.
//!
//! Invariant: the observer's clock is never read or reset by the network, and the watch starts anew in each region. If
//! two states are in the same region, so are the two with the observer's clock at zero; so the representatives of the
//! plain graph are all starts that are needed.

use tempora_evidence::Rational;
use tempora_model::{
    Expression, Formula, Network, QueryKind, Type, Value, Variable, VariableKind, evaluate_constant,
};
use tempora_replay::{ConcreteState, Interpreter};

use crate::constants::next_cell;
use crate::cycles::components;
use crate::failure::ExplorationFailure;
use crate::fixpoints;
use crate::graph::Explorer;
use crate::predicates;
use crate::region_graph::RegionGraph;

/// The name contains what no user can write, so it hides nothing.
const OBSERVER: &str = "observer's clock";

/// A network with one more clock.
pub(crate) struct Observed {
    pub(crate) network: Network,
    /// The number of the clock.
    pub(crate) cell: usize,
}

impl Observed {
    /// `None` if there is no process that could be observed.
    pub(crate) fn new(network: &Network) -> Option<Observed> {
        let (_, cell) = next_cell(network);
        let origin = network.processes.values().next()?.origin;
        let mut network = network.clone();
        network.variables.push(Variable {
            name: OBSERVER.to_owned(),
            owner: None,
            value_type: Type::Clock,
            initial: Value::None,
            kind: VariableKind::State,
            origin,
        });
        Some(Observed { network, cell })
    }
}

/// A state with the observer's clock at zero.
fn watched(state: &ConcreteState) -> ConcreteState {
    let mut watched = state.clone();
    watched.variables.push(Value::None);
    watched.clocks.push(Rational::from_integer(0));
    watched
}

impl RegionGraph {
    /// For each region whether it is a timelock: whatever happens, less than one time unit can pass from it on.
    ///
    /// Time can diverge in all runs exactly if no reachable region is one.
    pub fn timelocked(&self) -> Result<Vec<bool>, ExplorationFailure> {
        let Some(observed) = Observed::new(&self.network) else { return Ok(vec![false; self.len()]) };
        let one = Rational::from_integer(1);
        let explorer = self.explorer(&observed, 1);
        let starts: Vec<ConcreteState> = self.graph.states.iter().map(watched).collect();
        let graph = explorer.explore(&starts, |state| Ok(state.clocks[observed.cell] < one))?;
        let has_passed: Vec<bool> =
            graph.states.iter().map(|state| state.clocks[observed.cell] >= one).collect();
        let can_pass = fixpoints::possibly(&graph, &has_passed);
        Ok(graph.starts.iter().map(|&start| !can_pass[start]).collect())
    }

    /// Whether a timelock can be reached.
    pub fn has_timelock(&self) -> Result<bool, ExplorationFailure> {
        Ok(self.timelocked()?.contains(&true))
    }

    /// Whether there is a run with infinitely many transitions in bounded time.
    ///
    /// From some state on, all the rest of such a run takes less than one time unit; so there is one exactly if from
    /// some region there is an infinite path on which the observer's clock stays below one. It stays visible, so no
    /// cycle consists of time alone.
    pub fn has_zeno_run(&self) -> Result<bool, ExplorationFailure> {
        let Some(observed) = Observed::new(&self.network) else { return Ok(false) };
        let one = Rational::from_integer(1);
        let explorer = self.explorer(&observed, 1);
        let starts: Vec<ConcreteState> = self.graph.states.iter().map(watched).collect();
        let graph = explorer.explore(&starts, |state| Ok(state.clocks[observed.cell] < one))?;
        let successors: Vec<Vec<usize>> =
            (0..graph.len()).map(|node| graph.successors(node).collect()).collect();
        let component = components(&successors);
        // A node in which the clock has reached one is not expanded, so it is on no cycle.
        Ok((0..graph.len())
            .any(|node| successors[node].iter().any(|&successor| component[successor] == component[node])))
    }

    /// `p -->[<=T] q`: there is no run with a moment at which `p` holds, such that more than `T` passes after it and
    /// `q` holds at no moment from then until `T` later, both ends included.
    ///
    /// A run on which no more than `T` passes does not violate it: a deadline that never comes is not missed.
    pub(crate) fn responds_within(
        &self,
        premise: &Expression,
        conclusion: &Expression,
        within: &Expression,
    ) -> Result<bool, ExplorationFailure> {
        let unsupported = |what: &str| ExplorationFailure::Unsupported(what.to_owned());
        let deadline = evaluate_constant(&self.network.variables, &self.network.functions, within)
            .ok()
            .and_then(|value| value.as_integer())
            .filter(|deadline| *deadline >= 0)
            .ok_or_else(|| unsupported("a negative or non-constant deadline"))?;
        for predicate in [premise, conclusion] {
            self.require_constants(&QueryKind::Formula(Formula::Possibly(predicate.clone())))?;
        }
        let Some(observed) = Observed::new(&self.network) else { return Ok(true) };
        let interpreter = self.interpreter();
        let premise = predicates::satisfying(&self.graph, &interpreter, premise)?;
        let answered = predicates::satisfying(&self.graph, &interpreter, conclusion)?;
        let starts: Vec<ConcreteState> = (0..self.len())
            .filter(|&node| premise[node] && !answered[node])
            .map(|node| watched(&self.graph.states[node]))
            .collect();
        let explorer = self.explorer(&observed, i64::from(deadline));
        let deadline = Rational::from_integer(i64::from(deadline));
        let mut is_missed = false;
        explorer.explore(&starts, |state| {
            if state.clocks[observed.cell] > deadline {
                // Only time leads here, out of a node in which there was no answer at the deadline.
                is_missed = true;
                return Ok(false);
            }
            let node = self
                .graph
                .node_of(&self.regions, state)
                .ok_or_else(|| unsupported("a region of the product that is not in the graph"))?;
            Ok(!answered[node])
        })?;
        Ok(!is_missed)
    }

    fn explorer<'observed>(&self, observed: &'observed Observed, maximum: i64) -> Explorer<'observed> {
        let mut regions = self.regions.clone();
        regions.push(maximum);
        Explorer { interpreter: Interpreter::new(&observed.network), regions, limit: self.product_limit() }
    }
}
