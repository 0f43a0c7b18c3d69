//! Formulas about runs on which time diverges, and about finite runs.
//!
//! Invariant: a run with infinitely many transitions counts if and only if its total time is infinite. Every region has
//! one more clock, whose integer part wraps around; it is never reset, so a cycle takes time if and only if the clock
//! is an integer in one of its regions and not in another. An infinite delay is such a cycle.

use tempora_model::{Expression, Formula};
use tempora_replay::Interpreter;

use crate::cycles::components;
use crate::failure::ExplorationFailure;
use crate::graph::{Explorer, Graph};
use crate::observer::Observed;
use crate::predicates;
use crate::region_graph::RegionGraph;

impl RegionGraph {
    /// Returns whether a formula about whole runs holds, without runs whose time converges.
    pub fn holds_where_time_diverges(&self, formula: &Formula) -> Result<bool, ExplorationFailure> {
        let unsupported = |what: &str| ExplorationFailure::Unsupported(what.to_owned());
        let observed = Observed::new(&self.network).ok_or_else(|| unsupported("time without a process"))?;
        let mut regions = self.regions.clone();
        if regions.tells_differences() {
            return Err(unsupported("time divergence with diagonal constraints"));
        }
        regions.push(0);
        regions.fold(observed.cell);
        let limit = self.product_limit();
        let explorer = Explorer { interpreter: Interpreter::new(&observed.network), regions, limit };
        let starts = explorer.initial_states()?;
        let graph = explorer.explore(&starts, |_| Ok(true))?;
        let satisfying =
            |predicate: &Expression| predicates::satisfying(&graph, &explorer.interpreter, predicate);
        let without = |predicate: &Expression| {
            Ok::<Vec<bool>, ExplorationFailure>(satisfying(predicate)?.iter().map(|holds| !holds).collect())
        };
        match formula {
            Formula::PotentiallyAlways(predicate) => {
                let stays = stays(&graph, &satisfying(predicate)?, observed.cell);
                Ok(graph.starts.iter().any(|&start| stays[start]))
            }
            Formula::Eventually(goal) => {
                let stays = stays(&graph, &without(goal)?, observed.cell);
                Ok(!graph.starts.iter().any(|&start| stays[start]))
            }
            Formula::LeadsTo { premise, conclusion, within: None } => {
                let stays = stays(&graph, &without(conclusion)?, observed.cell);
                let premise = satisfying(premise)?;
                Ok(!(0..graph.len()).any(|node| premise[node] && stays[node]))
            }
            Formula::InfinitelyOften(again) => {
                let sets = again.iter().map(&satisfying).collect::<Result<Vec<_>, _>>()?;
                let all = vec![true; graph.len()];
                let (component, takes_time) = diverging(&graph, &all, observed.cell);
                Ok((0..graph.len()).any(|node| {
                    let own = component[node];
                    takes_time[own]
                        && graph.actions[node].iter().any(|&successor| component[successor] == own)
                        && sets
                            .iter()
                            .all(|set| (0..graph.len()).any(|other| component[other] == own && set[other]))
                }))
            }
            _ => Err(unsupported("a formula that is not about whole runs")),
        }
    }
}

/// Returns the component of each node within a set, and for each component whether a cycle in it takes time.
fn diverging(graph: &Graph, set: &[bool], cell: usize) -> (Vec<usize>, Vec<bool>) {
    let successors: Vec<Vec<usize>> = (0..graph.len())
        .map(|node| match set[node] {
            true => graph.successors(node).filter(|&successor| set[successor]).collect(),
            false => Vec::new(),
        })
        .collect();
    let component = components(&successors);
    let mut has_integer = vec![false; graph.len()];
    let mut has_fraction = vec![false; graph.len()];
    for node in (0..graph.len()).filter(|&node| set[node]) {
        let seen =
            if graph.states[node].clocks[cell].is_integer() { &mut has_integer } else { &mut has_fraction };
        seen[component[node]] = true;
    }
    let takes_time = has_integer.iter().zip(&has_fraction).map(|(&one, &other)| one && other).collect();
    (component, takes_time)
}

/// Returns the nodes from which some maximal run stays in a set.
fn stays(graph: &Graph, set: &[bool], cell: usize) -> Vec<bool> {
    let (component, takes_time) = diverging(graph, set, cell);
    let mut result: Vec<bool> = (0..graph.len())
        .map(|node| set[node] && (takes_time[component[node]] || graph.successors(node).next().is_none()))
        .collect();
    loop {
        let mut has_changed = false;
        for node in (0..graph.len()).rev() {
            if set[node] && !result[node] && graph.successors(node).any(|successor| result[successor]) {
                result[node] = true;
                has_changed = true;
            }
        }
        if !has_changed {
            return result;
        }
    }
}
