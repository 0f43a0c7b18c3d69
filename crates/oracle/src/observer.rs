//! Products with one more clock: deadlines, timelocks, Zeno runs.
//!
//! Invariant: the network never reads or resets the observer's clock, and observation restarts in each region. Two
//! states of one region stay in one region when the observer's clock is added with value zero; so the representatives
//! of the plain graph suffice as initial states.

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

/// No user can write this name, so it hides nothing.
const OBSERVER: &str = "observer's clock";

/// A network with one more clock.
pub(crate) struct Observed {
    pub(crate) network: Network,
    /// The cell of the clock.
    pub(crate) cell: usize,
}

impl Observed {
    /// Adds the clock; `None` if there is no process to own it.
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

/// Returns a state with the observer's clock at zero.
fn watched(state: &ConcreteState) -> ConcreteState {
    let mut watched = state.clone();
    watched.variables.push(Value::None);
    watched.clocks.push(Rational::from_integer(0));
    watched
}

impl RegionGraph {
    /// Returns for each region whether it is a timelock: less than one time unit can pass from it, on every run.
    ///
    /// Time can diverge from every reachable state if and only if no reachable region is a timelock.
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

    /// Returns whether a timelock is reachable.
    pub fn has_timelock(&self) -> Result<bool, ExplorationFailure> {
        Ok(self.timelocked()?.contains(&true))
    }

    /// Returns whether there is a run with infinitely many transitions in bounded time.
    ///
    /// From some state on, the rest of such a run takes less than one time unit; so one exists if and only if some
    /// region has an infinite path on which the observer's clock stays below one. It stays visible, so no cycle
    /// consists of delays alone.
    pub fn has_zeno_run(&self) -> Result<bool, ExplorationFailure> {
        let Some(observed) = Observed::new(&self.network) else { return Ok(false) };
        let one = Rational::from_integer(1);
        let explorer = self.explorer(&observed, 1);
        let starts: Vec<ConcreteState> = self.graph.states.iter().map(watched).collect();
        let graph = explorer.explore(&starts, |state| Ok(state.clocks[observed.cell] < one))?;
        let successors: Vec<Vec<usize>> =
            (0..graph.len()).map(|node| graph.successors(node).collect()).collect();
        let component = components(&successors);
        // A node in which the clock has reached one is not expanded, so it is not on a cycle.
        Ok((0..graph.len())
            .any(|node| successors[node].iter().any(|&successor| component[successor] == component[node])))
    }

    /// `p -->[<=T] q`: returns whether no run has a moment at which `p` holds, such that more than `T` passes after it
    /// and `q` holds at no moment from then until `T` later, both ends included.
    ///
    /// A run on which at most `T` passes does not violate it: a deadline that is never reached is not missed.
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
                // Only a delay leads here, from a node without an answer at the deadline.
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
