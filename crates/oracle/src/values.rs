//! Extreme values: of clocks, of integer expressions, of the time at which a predicate holds.
//!
//! Invariant: an extreme value is exact, with whether it is attained, however far it is beyond all constants.
//!
//! Beyond the constants of the model a region does not determine the value of a clock. So the clock is folded: the
//! graph repeats above the last constant, one unit at a time, and each wrap counts one unit. A value is then the value
//! of the representative plus the number of units counted since the clock was set. The least count is a shortest path;
//! the greatest a longest one, which does not exist if a counting cycle can be on the path.
//!
//! To find out whether a clock keeps its value in a transition, or another gets it, the same transition is executed
//! with the clock one unit later, which no guard distinguishes; the clocks that are then one unit later have its value.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use tempora_evidence::{Limit, MeasuredValue, Rational};
use tempora_model::{BoundsKind, Expression, Network, QueryKind, Type};
use tempora_replay::{ConcreteState, Interpreter};

use crate::constants::fixed_cell;
use crate::cycles::components;
use crate::failure::ExplorationFailure;
use crate::graph::{Explorer, FollowingTime, Graph};
use crate::observer::Observed;
use crate::predicates;
use crate::region::Regions;
use crate::region_graph::RegionGraph;

/// The wanted values of a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum WantedValues {
    Least,
    Greatest,
    All,
}

/// The values that one region represents: a number, or an open interval between integers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct RegionValues {
    /// In units.
    floor: i64,
    is_open: bool,
}

impl RegionGraph {
    /// Returns the values that a query asks for, one for each of its expressions.
    pub fn value(&self, query: &QueryKind) -> Result<Vec<MeasuredValue>, ExplorationFailure> {
        let unsupported = |what: &str| ExplorationFailure::Unsupported(what.to_owned());
        self.require_constants(query)?;
        match query {
            QueryKind::Bounds { which, predicate, expressions } => {
                let wanted = match which {
                    BoundsKind::Supremum => WantedValues::Greatest,
                    BoundsKind::Infimum => WantedValues::Least,
                    BoundsKind::Both => WantedValues::All,
                };
                let measure = |expression: &Expression| {
                    if expression.value_type != Type::Clock {
                        return self.values_of_integer(predicate.as_ref(), expression, wanted);
                    }
                    let cell = fixed_cell(&self.network, expression)
                        .ok_or_else(|| unsupported("the value of a computed clock"))?;
                    self.values_of_clock(
                        &self.network,
                        self.regions.clone(),
                        predicate.as_ref(),
                        cell,
                        wanted,
                    )
                };
                expressions.iter().map(measure).collect()
            }
            QueryKind::Time { is_latest, predicate } => {
                let observed =
                    Observed::new(&self.network).ok_or_else(|| unsupported("time without a process"))?;
                // Time is a clock that is never reset.
                let mut regions = self.regions.clone();
                regions.push(0);
                let wanted = if *is_latest { WantedValues::Greatest } else { WantedValues::Least };
                Ok(vec![self.values_of_clock(
                    &observed.network,
                    regions,
                    Some(predicate),
                    observed.cell,
                    wanted,
                )?])
            }
            QueryKind::Formula(_) => Err(unsupported("the value of a formula")),
            QueryKind::Specification { .. } | QueryKind::Property(_) | QueryKind::Declined(_) => {
                Err(unsupported("a query of this kind"))
            }
        }
    }

    fn values_of_integer(
        &self,
        predicate: Option<&Expression>,
        expression: &Expression,
        wanted: WantedValues,
    ) -> Result<MeasuredValue, ExplorationFailure> {
        let interpreter = self.interpreter();
        let counts = counted(&self.graph, &interpreter, predicate)?;
        let mut found = Vec::new();
        for node in (0..self.len()).filter(|&node| counts[node]) {
            let value = predicates::integer_value(&interpreter, &self.graph.states[node], expression)?;
            found.push(i64::from(value));
        }
        let attained = |value: i64| Limit::Attained(Rational::from_integer(value));
        if wanted == WantedValues::All {
            found.sort_unstable();
            found.dedup();
            let intervals = found.into_iter().map(|value| (attained(value), attained(value))).collect();
            return Ok(all_of(intervals));
        }
        Ok(extreme(found.into_iter().map(attained), wanted))
    }

    fn values_of_clock(
        &self,
        network: &Network,
        mut regions: Regions,
        predicate: Option<&Expression>,
        cell: usize,
        wanted: WantedValues,
    ) -> Result<MeasuredValue, ExplorationFailure> {
        if regions.tells_differences() {
            return Err(ExplorationFailure::Unsupported(
                "extreme clock values with diagonal constraints".to_owned(),
            ));
        }
        regions.fold(cell);
        let clocks_of_model = 0..self.constants.maxima.len();
        if self.constants.has_copies && clocks_of_model.contains(&cell) {
            // The value of any clock may be copied to the requested one.
            clocks_of_model.for_each(|other| regions.fold(other));
        }
        let explorer =
            Explorer { interpreter: Interpreter::new(network), regions, limit: self.product_limit() };
        let starts = explorer.initial_states()?;
        let graph = explorer.explore(&starts, |_| Ok(true))?;
        let counts = counted(&graph, &explorer.interpreter, predicate)?;
        let flow = Flow::new(&explorer, &graph)?;
        let units = match wanted {
            WantedValues::Least => flow.least_counts(),
            WantedValues::Greatest => flow.greatest_counts(),
            WantedValues::All => {
                let nodes: Vec<usize> = (0..graph.len()).filter(|&node| counts[node]).collect();
                return Ok(flow.all_values(&explorer, &graph, cell, &nodes));
            }
        };
        let found = (0..graph.len()).filter(|&node| counts[node]).map(|node| {
            let (integer, is_integer) = explorer.regions.floor_units(&graph.states[node], cell);
            let Some(extra) = units[flow.place(node, cell)] else { return Limit::Unbounded };
            match (is_integer, wanted) {
                (true, _) => Limit::Attained(explorer.regions.unit() * (integer + extra)),
                (false, WantedValues::Least) => {
                    Limit::Approached(explorer.regions.unit() * (integer + extra))
                }
                (false, _) => Limit::Approached(explorer.regions.unit() * (integer + extra + 1)),
            }
        });
        Ok(extreme(found, wanted))
    }
}

/// Returns the nodes whose values count.
fn counted(
    graph: &Graph,
    interpreter: &Interpreter<'_>,
    predicate: Option<&Expression>,
) -> Result<Vec<bool>, ExplorationFailure> {
    match predicate {
        Some(predicate) => predicates::satisfying(graph, interpreter, predicate),
        None => Ok(vec![true; graph.len()]),
    }
}

/// Returns the extreme of the extremes of parts.
fn extreme(limits: impl Iterator<Item = Limit>, wanted: WantedValues) -> MeasuredValue {
    // At the same number, an attained limit exceeds one that is only approached.
    let key = |limit: &Limit| match (limit, wanted) {
        (Limit::Unbounded, _) => (true, Rational::from_integer(0), false),
        (Limit::Attained(value), WantedValues::Least) => (false, -*value, true),
        (Limit::Approached(value), WantedValues::Least) => (false, -*value, false),
        (Limit::Attained(value), _) => (false, *value, true),
        (Limit::Approached(value), _) => (false, *value, false),
    };
    match (limits.max_by_key(key), wanted) {
        (None, _) => MeasuredValue::NoState,
        (Some(limit), WantedValues::Least) => MeasuredValue::Infimum(limit),
        (Some(limit), _) => MeasuredValue::Supremum(limit),
    }
}

/// Returns all values, if there are any.
fn all_of(intervals: Vec<(Limit, Limit)>) -> MeasuredValue {
    if intervals.is_empty() { MeasuredValue::NoState } else { MeasuredValue::Intervals(intervals) }
}

/// Without a greatest count, this many units beyond the known counts are explored.
const BEYOND: i64 = 12;

/// The flow of the values of folded clocks through the graph. A place is a clock in a node.
struct Flow {
    cells: usize,
    /// From place to place, with the counted units.
    edges: BTreeMap<usize, Vec<(usize, i64)>>,
    /// Places at which a clock gets a known value, with its units above the representative.
    sources: Vec<(usize, i64)>,
}

impl Flow {
    fn new(explorer: &Explorer<'_>, graph: &Graph) -> Result<Flow, ExplorationFailure> {
        let cells = explorer.interpreter.clock_layout().cell_count();
        let mut flow = Flow { cells, edges: BTreeMap::new(), sources: Vec::new() };
        let folded: Vec<usize> = (0..cells).filter(|&cell| explorer.regions.is_folded(cell)).collect();
        for &start in &graph.starts {
            folded.iter().for_each(|&cell| flow.sources.push((flow.place(start, cell), 0)));
        }
        for (node, state) in graph.states.iter().enumerate() {
            let following = explorer.following(state)?;
            if let FollowingTime::To(later) = &following.delays {
                for &cell in &folded {
                    flow.connect(explorer, graph, (node, cell), (later, cell));
                }
            }
            let mut later_by_one = Vec::new();
            for &cell in folded.iter().filter(|&&cell| explorer.regions.may_have_wrapped(state, cell)) {
                let mut shifted = state.clone();
                shifted.clocks[cell] += explorer.regions.unit();
                later_by_one.push((cell, explorer.following(&shifted)?.actions));
            }
            for (position, successor) in following.actions.iter().enumerate() {
                for &target in &folded {
                    let giver = later_by_one.iter().find(|(_, successors)| {
                        successors
                            .get(position)
                            .is_some_and(|other| other.clocks[target] != successor.clocks[target])
                    });
                    match giver {
                        Some(&(cell, _)) => flow.connect(explorer, graph, (node, cell), (successor, target)),
                        None => flow.set(explorer, graph, successor, target),
                    }
                }
            }
        }
        Ok(flow)
    }

    fn place(&self, node: usize, cell: usize) -> usize {
        node * self.cells + cell
    }

    fn connect(
        &mut self,
        explorer: &Explorer<'_>,
        graph: &Graph,
        (from, from_cell): (usize, usize),
        (to, to_cell): (&ConcreteState, usize),
    ) {
        if let Some(node) = graph.node_of(&explorer.regions, to) {
            let units = explorer.regions.wrapped_units(to, &graph.states[node], to_cell);
            let (from, to) = (self.place(from, from_cell), self.place(node, to_cell));
            self.edges.entry(from).or_default().push((to, units));
        }
    }

    fn set(&mut self, explorer: &Explorer<'_>, graph: &Graph, to: &ConcreteState, cell: usize) {
        if let Some(node) = graph.node_of(&explorer.regions, to) {
            let units = explorer.regions.wrapped_units(to, &graph.states[node], cell);
            self.sources.push((self.place(node, cell), units));
        }
    }

    fn place_count(&self) -> usize {
        let named =
            self.edges.iter().flat_map(|(&from, edges)| edges.iter().map(|edge| edge.0).chain([from]));
        named.chain(self.sources.iter().map(|source| source.0)).max().map_or(0, |greatest| greatest + 1)
    }

    /// Returns all values of a clock in some nodes.
    ///
    /// Without a greatest count, all counts up to some number are explored, and the last interval is unbounded: that is
    /// right if the clock grows by delays, not if it grows around a cycle.
    fn all_values(
        &self,
        explorer: &Explorer<'_>,
        graph: &Graph,
        cell: usize,
        nodes: &[usize],
    ) -> MeasuredValue {
        let greatest = self.greatest_counts();
        let places = || nodes.iter().map(|&node| self.place(node, cell));
        let is_unbounded = places().any(|place| greatest[place].is_none());
        let most = greatest.iter().copied().flatten().max().unwrap_or(0).max(0) + BEYOND;
        let mut counts = vec![BTreeSet::new(); self.place_count()];
        let mut waiting: Vec<(usize, i64)> = self.sources.clone();
        while let Some((place, units)) = waiting.pop() {
            if units <= most && counts[place].insert(units) {
                let edges = self.edges.get(&place).into_iter().flatten();
                waiting.extend(edges.map(|&(to, more)| (to, units + more)));
            }
        }
        let mut stretches = BTreeSet::new();
        for &node in nodes {
            let (floor, is_integer) = explorer.regions.floor_units(&graph.states[node], cell);
            for units in &counts[self.place(node, cell)] {
                stretches.insert(RegionValues { floor: floor + units, is_open: !is_integer });
            }
        }
        let unit = explorer.regions.unit();
        let (mut intervals, mut before): (Vec<(Limit, Limit)>, Option<RegionValues>) = (Vec::new(), None);
        for stretch in stretches {
            let start = if stretch.is_open { Limit::Approached } else { Limit::Attained };
            let end = match stretch.is_open {
                true => Limit::Approached(unit * (stretch.floor + 1)),
                false => Limit::Attained(unit * stretch.floor),
            };
            let goes_on = before.is_some_and(|before| match before.is_open {
                true => stretch == RegionValues { floor: before.floor + 1, is_open: false },
                false => stretch == RegionValues { floor: before.floor, is_open: true },
            });
            match intervals.last_mut() {
                Some(last) if goes_on => last.1 = end,
                _ => intervals.push((start(unit * stretch.floor), end)),
            }
            before = Some(stretch);
        }
        if is_unbounded && let Some(last) = intervals.last_mut() {
            last.1 = Limit::Unbounded;
        }
        all_of(intervals)
    }

    /// Returns the least count with which each place is reachable.
    fn least_counts(&self) -> Vec<Option<i64>> {
        let mut counts: Vec<Option<i64>> = vec![None; self.place_count()];
        // The first visit has the least count, since no edge has negative units.
        let mut waiting: BinaryHeap<Reverse<(i64, usize)>> =
            self.sources.iter().map(|&(place, units)| Reverse((units, place))).collect();
        while let Some(Reverse((units, place))) = waiting.pop() {
            if counts[place].is_none() {
                counts[place] = Some(units);
                let edges = self.edges.get(&place).into_iter().flatten();
                waiting.extend(edges.map(|&(to, more)| Reverse((units + more, to))));
            }
        }
        counts
    }

    /// Returns the greatest count with which each place is reachable; `None` if there is no greatest.
    fn greatest_counts(&self) -> Vec<Option<i64>> {
        let count = self.place_count();
        let successors: Vec<Vec<usize>> = (0..count)
            .map(|place| self.edges.get(&place).into_iter().flatten().map(|edge| edge.0).collect())
            .collect();
        let component = components(&successors);
        let component_count = component.iter().max().map_or(0, |greatest| greatest + 1);
        let mut members = vec![Vec::new(); component_count];
        (0..count).for_each(|place| members[component[place]].push(place));
        // Initially no value reaches a component; unreachable places are never read.
        let mut best: Vec<Option<i64>> = vec![Some(i64::MIN); component_count];
        for &(place, units) in &self.sources {
            best[component[place]] = best[component[place]].max(Some(units));
        }
        // Edges lead to smaller numbers, so each component is final when it is processed.
        for own in (0..component_count).rev() {
            let edges: Vec<(usize, i64)> = members[own]
                .iter()
                .flat_map(|place| self.edges.get(place).into_iter().flatten())
                .map(|&(to, units)| (component[to], units))
                .collect();
            if best[own] == Some(i64::MIN) {
                continue;
            }
            if edges.iter().any(|&(to, units)| to == own && units > 0) {
                best[own] = None;
            }
            for &(to, units) in edges.iter().filter(|&&(to, _)| to != own) {
                best[to] = match (best[to], best[own]) {
                    (Some(known), Some(from)) => Some(known.max(from + units)),
                    _ => None,
                };
            }
        }
        component.iter().map(|&own| best[own]).collect()
    }
}
