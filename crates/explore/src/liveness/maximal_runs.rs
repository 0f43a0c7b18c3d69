//! Maximal runs: whether there is one on which a predicate always holds, or predicates hold infinitely often.
//!
//! Invariant: a reported run is real. First a graph is built in which a node represents everything that it covers. If
//! no cycle of it could be a run, there is none, because every run is a path of that graph. The converse does not hold:
//! a cycle that is closed by covering need not be a run (Laarman, Olesen, Dalsgaard, Larsen and van de Pol, "Multi-core
//! emptiness checking of timed Büchi automata using inclusion abstraction", 2013). So the discrete states of each
//! candidate component are explored again from its nodes, with equality in place of covering; a cycle there is a run.
//!
//! To exclude Zeno runs, a clock is reset whenever it is one: time diverges exactly if that happens infinitely often
//! (Tripakis, Yovine and Bouajjani, "Checking timed Büchi automata emptiness efficiently", 2005).

use std::collections::{BTreeSet, VecDeque};
use std::ops::ControlFlow;

use tempora_machine::{Enabled, Predicate};
use tempora_zones::Zone;

use crate::graph::explorer::SearchStop;
use crate::graph::store::{NONE, NodeId, Store};
use crate::graph::waiting::{SearchOrder, Waiting};
use crate::liveness::components::Adjacency;
use crate::liveness::cycles::Cycle;
use crate::liveness::observer::{IDLE, PENDING};
use crate::liveness::restricted::{Edge, Halt, Halted, Move, ObserverClock, Restricted, START, Start, TICK};
use crate::liveness::run_ends::End;
use crate::runs::paths::{Recorded, repetition_failed};
use crate::runs::trace::PathStep;

/// The result of a search.
pub(crate) enum RunSearchResult {
    /// No run exists.
    Nothing,
    /// A finite run.
    End { moves: Moves, end: End },
    /// A lasso: the cycle repeats for ever after the moves.
    Cycle { moves: Moves, cycle: Vec<Move> },
}

/// The path to a node: the cells and the part of its initial state; then moves.
pub(crate) struct Moves {
    start: Vec<i32>,
    part: u32,
    pub(crate) list: Vec<Move>,
}

/// An item of a path whose times are to be computed.
#[derive(Clone, Debug)]
pub(crate) enum PathItem {
    /// A transition.
    Step(PathStep),
    /// A moment at which constraints hold, and at which the observer's clock may be set.
    Moment(PathStep),
}

/// The graph is searched for cycles at this number of nodes, and whenever it has doubled.
const FIRST_CYCLE_CHECK: u32 = 64;

impl Restricted<'_> {
    /// Searches for a run.
    pub(crate) fn find(&mut self) -> Halted<RunSearchResult> {
        self.add_initial()?;
        if self.guesses_start {
            self.explore_before_watch()?;
        }
        self.resume()
    }

    /// Explores everything before the watch. If the watch may start with any clock values, these states come first,
    /// because they cover many of those that later nodes reach during their watch.
    fn explore_before_watch(&mut self) -> Halted<()> {
        let mut watching = Vec::new();
        let mut cells = vec![0; self.explorer.source_cells.len()];
        while let Some(node) = self.next() {
            let key = self.explorer.store.key(self.explorer.store.node(node).discrete);
            self.explorer.packer.unpack(key, &mut cells);
            if cells[self.observer().0] == IDLE {
                self.expand(node)?;
            } else {
                watching.push(node);
            }
        }
        watching.into_iter().rev().for_each(|node| self.explorer.waiting.put_back(node));
        Ok(())
    }

    /// Resumes after a pause.
    pub(crate) fn resume(&mut self) -> Halted<RunSearchResult> {
        while let Some(node) = self.next() {
            if self.pause_after == 0 {
                self.pause_after = u64::MAX;
                self.explorer.waiting.put_back(node);
                return Err(Halt::Stop(SearchStop::Paused));
            }
            self.pause_after -= 1;
            if let Some(end) = self.expand(node)? {
                let moves = self.moves_to(end.node);
                return Ok(RunSearchResult::End { moves, end });
            }
        }
        if matches!(self.restriction.clock, ObserverClock::Deadline(_)) {
            return Ok(RunSearchResult::Nothing);
        }
        let mut suspicious = self.candidate_components()?;
        if self.accepts_any_cycle() {
            let sources = self.edges.iter().map(|edge| Some(edge.source));
            let adjacency = Adjacency::new(self.explorer.store.node_count() as usize, sources);
            let mut parts = Vec::new();
            for component in suspicious {
                parts.extend(self.recurrent_parts(component, &adjacency)?);
            }
            suspicious = parts;
        }
        if suspicious.is_empty() {
            return Ok(RunSearchResult::Nothing);
        }
        // The nodes are needed for the paths to them while their components are explored again.
        let width = self.explorer.packer.width();
        let store = std::mem::replace(&mut self.explorer.store, Store::new(width));
        let edges = std::mem::take(&mut self.edges);
        self.needs_equality = true;
        for component in suspicious {
            let states: Vec<_> =
                component.into_iter().map(|node| (node, self.state_in(&store, NodeId(node)))).collect();
            let Some((root, path, cycle)) = self.find_cycle(&states)? else { continue };
            self.explorer.store = store;
            self.edges = edges;
            let mut moves = self.moves_to(NodeId(root));
            moves.list.extend(path);
            return Ok(RunSearchResult::Cycle { moves, cycle });
        }
        self.explorer.store = store;
        Ok(RunSearchResult::Nothing)
    }

    /// Returns the components that may have an accepting cycle, as lists of nodes.
    fn candidate_components(&mut self) -> Halted<Vec<Vec<u32>>> {
        let (component, count) = self.components();
        let wanted = self.accepting_components(&component, count)?;
        let mut lists: Vec<Vec<u32>> = Vec::new();
        let mut position = vec![None; count as usize];
        for node in 0..self.explorer.store.node_count() {
            let own = component[node as usize] as usize;
            if wanted[own] && self.explorer.store.representative(NodeId(node)).0 == node {
                let at = *position[own].get_or_insert_with(|| {
                    lists.push(Vec::new());
                    lists.len() - 1
                });
                lists[at].push(node);
            }
        }
        Ok(lists)
    }

    /// Returns the component of each node that represents itself.
    fn components(&self) -> (Vec<u32>, u32) {
        let store = &self.explorer.store;
        let representative = |node: u32| store.representative(NodeId(node)).0;
        // Edges of covered nodes are redundant, because their representatives have them as well.
        let sources =
            self.edges.iter().map(|edge| (representative(edge.source) == edge.source).then_some(edge.source));
        let adjacency = Adjacency::new(store.node_count() as usize, sources);
        adjacency.components(|edge| representative(self.edges[edge as usize].target))
    }

    /// Returns for each component whether it satisfies all requirements of a cycle.
    fn accepting_components(&mut self, component: &[u32], count: u32) -> Halted<Vec<bool>> {
        let needs_ticks = self.restriction.clock == ObserverClock::Ticks;
        let needed = self.restriction.again.len();
        let (mut steps, mut ticks) = (vec![false; count as usize], vec![false; count as usize]);
        // The watch has started in a node if it has in a predecessor; edges are in the order of their creation. When
        // components are explored again it has started everywhere.
        let starts_idle = !matches!(self.restriction.start, Start::AtOnce) && !self.needs_equality;
        let mut is_pending = vec![!starts_idle; component.len()];
        for position in 0..self.edges.len() {
            let Edge { source, target, step } = self.edges[position];
            is_pending[target as usize] |= is_pending[source as usize] || step.ordinal >= START;
            let store = &self.explorer.store;
            if store.representative(NodeId(source)).0 != source || !is_pending[source as usize] {
                continue;
            }
            let own = component[source as usize];
            if component[store.representative(NodeId(target)).0 as usize] == own {
                match step.ordinal {
                    TICK => ticks[own as usize] = true,
                    ordinal if ordinal >= START => {}
                    _ => steps[own as usize] = true,
                }
            }
        }
        let mut wanted: Vec<bool> =
            (0..count as usize).map(|own| steps[own] && (ticks[own] || !needs_ticks)).collect();
        if needed > 0 {
            let mut seen = vec![0u64; count as usize];
            for node in 0..self.explorer.store.node_count() {
                let own = component[node as usize] as usize;
                if wanted[own] && self.explorer.store.representative(NodeId(node)).0 == node {
                    seen[own] |= self.holds_again(NodeId(node))?;
                }
            }
            for (wanted, seen) in wanted.iter_mut().zip(seen) {
                *wanted &= seen.count_ones() as usize == needed;
            }
        }
        Ok(wanted)
    }

    /// Returns which of the predicates that must hold infinitely often hold in a node, one bit each.
    fn holds_again(&mut self, node: NodeId) -> Halted<u64> {
        let (cells, zone, _) = self.state_of(node);
        self.set_target(&cells);
        let predicates: Vec<Predicate> = std::mem::take(&mut self.restriction.again);
        let mut bits = 0;
        let mut failure = None;
        for (number, predicate) in predicates.iter().enumerate() {
            match self.explorer.parts(predicate, true, &zone, true, &[]) {
                ControlFlow::Continue(Ok(parts)) if !parts.is_empty() => bits |= 1 << number,
                ControlFlow::Continue(Ok(_)) => {}
                ControlFlow::Continue(Err(reason)) => failure = Some(Halt::Failure(reason)),
                ControlFlow::Break(stop) => failure = Some(Halt::Stop(stop)),
            }
        }
        self.restriction.again = predicates;
        failure.map_or(Ok(bits), Err)
    }

    fn state_in(&mut self, store: &Store, id: NodeId) -> (Vec<i32>, Zone, bool) {
        let explorer = &mut self.explorer;
        let node = *store.node(id);
        let mut cells = vec![0; explorer.source_cells.len()];
        explorer.packer.unpack(store.key(node.discrete), &mut cells);
        explorer.source.set(explorer.bounds, &cells);
        let mut zone = explorer.pool.take(crate::graph::explorer::dimension(&explorer.source));
        store.zone_into(id, &mut zone);
        (cells, zone, node.may_delay)
    }

    /// Explores discrete states again from some nodes; returns the node that leads to a cycle, the path, and the cycle.
    #[expect(clippy::type_complexity, reason = "three lists that are taken apart at once")]
    fn find_cycle(
        &mut self,
        states: &[(u32, (Vec<i32>, Zone, bool))],
    ) -> Halted<Option<(u32, Vec<Move>, Vec<Move>)>> {
        self.explorer.store = Store::new(self.explorer.packer.width());
        // The queue may contain nodes of another store, which are no longer needed.
        self.explorer.waiting = Waiting::new(SearchOrder::BreadthFirst);
        self.edges.clear();
        let mut allowed = BTreeSet::new();
        for (_, (cells, _, _)) in states {
            let mut key = Vec::new();
            if self.explorer.packer.pack(cells, &mut key) {
                allowed.insert(key);
            }
        }
        self.allowed = Some(allowed);
        for (node, (cells, zone, may_delay)) in states {
            self.add_root(cells, zone, *may_delay, *node)?;
        }
        let had_ends = std::mem::replace(&mut self.restriction.has_ends, false);
        if self.accepts_any_cycle() {
            let found = self.cycle_in_depth();
            self.restriction.has_ends = had_ends;
            self.allowed = None;
            return Ok(found?.map(|Cycle { root, path, cycle }| (root, path, cycle)));
        }
        let mut look_at = FIRST_CYCLE_CHECK.max(2 * self.explorer.store.node_count());
        let mut found = None;
        loop {
            let next = self.next();
            if next.is_none() || self.explorer.store.node_count() >= look_at {
                look_at = self.explorer.store.node_count().saturating_mul(2);
                found = self.cycle()?;
                if found.is_some() {
                    break;
                }
            }
            let Some(node) = next else { break };
            self.expand(node)?;
        }
        self.restriction.has_ends = had_ends;
        self.allowed = None;
        Ok(found)
    }

    /// Returns whether every cycle is accepting.
    fn accepts_any_cycle(&self) -> bool {
        self.restriction.clock != ObserverClock::Ticks
            && self.restriction.again.is_empty()
            && self.restriction.afterwards.is_none()
            && self.explorer.bounds.diagonals.is_empty()
    }

    /// Returns an accepting cycle of the graph.
    #[expect(clippy::type_complexity, reason = "three lists that are taken apart at once")]
    fn cycle(&mut self) -> Halted<Option<(u32, Vec<Move>, Vec<Move>)>> {
        let (component, count) = self.components();
        let mut wanted = self.accepting_components(&component, count)?;
        if self.restriction.afterwards.is_some() {
            for own in 0..count {
                let Some(node) = component.iter().position(|&other| other == own) else { continue };
                wanted[own as usize] = wanted[own as usize] && self.leads_to_goal(NodeId(node as u32))?;
            }
        }
        let in_cycle = |edge: &Edge| {
            component[edge.source as usize] == component[edge.target as usize]
                && wanted[component[edge.source as usize] as usize]
        };
        let Some(first) = self.edges.iter().position(|edge| in_cycle(edge) && edge.step.ordinal < START)
        else {
            return Ok(None);
        };
        let own = component[self.edges[first].source as usize];
        let sources = self
            .edges
            .iter()
            .map(|edge| (in_cycle(edge) && component[edge.source as usize] == own).then_some(edge.source));
        let adjacency = Adjacency::new(component.len(), sources);
        let Edge { source: begin, target, step } = self.edges[first];
        let mut cycle = vec![step];
        let mut at = target;
        // Visits everything that must happen infinitely often, in turn, and returns to the start.
        if self.restriction.clock == ObserverClock::Ticks {
            let is_tick = |edge: &Edge| edge.step.ordinal == TICK;
            let tick = (0..self.edges.len()).find(|&edge| {
                in_cycle(&self.edges[edge])
                    && component[self.edges[edge].source as usize] == own
                    && is_tick(&self.edges[edge])
            });
            if let Some(tick) = tick {
                self.append_path(&adjacency, at, self.edges[tick].source, &mut cycle);
                cycle.push(self.edges[tick].step);
                at = self.edges[tick].target;
            }
        }
        for number in 0..self.restriction.again.len() {
            let members: Vec<u32> =
                (0..component.len() as u32).filter(|&node| component[node as usize] == own).collect();
            for node in members {
                if self.holds_again(NodeId(node))? & (1 << number) != 0 {
                    self.append_path(&adjacency, at, node, &mut cycle);
                    at = node;
                    break;
                }
            }
        }
        self.append_path(&adjacency, at, begin, &mut cycle);
        let mut path = Vec::new();
        let mut node = NodeId(begin);
        while self.explorer.store.node(node).parent != NONE {
            let edge = self.edges[self.explorer.store.node(node).ordinal as usize];
            path.push(edge.step);
            node = NodeId(edge.source);
        }
        path.reverse();
        Ok(Some((self.explorer.store.node(node).ordinal, path, cycle)))
    }

    /// Returns whether the goal required after a cycle is reachable from a node of it. The nodes of a cycle are
    /// mutually reachable, so one suffices; every value of a node has been around the cycle arbitrarily often.
    fn leads_to_goal(&mut self, node: NodeId) -> Halted<bool> {
        let Some(goal) = self.restriction.afterwards.take() else { return Ok(true) };
        let (cells, zone, may_delay) = self.state_of(node);
        let width = self.explorer.packer.width();
        let store = std::mem::replace(&mut self.explorer.store, Store::new(width));
        let waiting = std::mem::replace(&mut self.explorer.waiting, Waiting::new(SearchOrder::BreadthFirst));
        let edges = std::mem::take(&mut self.edges);
        let allowed = self.allowed.take();
        self.needs_equality = false;
        let found = self.reaches(&goal, &cells, &zone, may_delay);
        self.needs_equality = true;
        self.allowed = allowed;
        self.edges = edges;
        self.explorer.waiting = waiting;
        self.explorer.store = store;
        self.restriction.afterwards = Some(goal);
        found
    }

    /// Returns whether a goal is reachable from a state, during the watch.
    fn reaches(&mut self, goal: &Predicate, cells: &[i32], zone: &Zone, may_delay: bool) -> Halted<bool> {
        self.add_root(cells, zone, may_delay, 0)?;
        while let Some(node) = self.next() {
            let (cells, zone, _) = self.state_of(node);
            self.set_target(&cells);
            if !self.parts(goal, true, &zone)?.is_empty() {
                return Ok(true);
            }
            self.expand(node)?;
        }
        Ok(false)
    }

    /// Appends a shortest path within a component.
    fn append_path(&self, adjacency: &Adjacency, from: u32, to: u32, way: &mut Vec<Move>) {
        const UNVISITED: u32 = u32::MAX;
        let mut come_by = vec![UNVISITED; self.explorer.store.node_count() as usize];
        let mut waiting = VecDeque::from([from]);
        while let Some(node) = waiting.pop_front() {
            if node == to {
                break;
            }
            for &edge in adjacency.leaving(node) {
                let target = self.edges[edge as usize].target;
                if target != from && come_by[target as usize] == UNVISITED {
                    come_by[target as usize] = edge;
                    waiting.push_back(target);
                }
            }
        }
        let first = way.len();
        let mut at = to;
        while at != from && come_by[at as usize] != UNVISITED {
            let edge = self.edges[come_by[at as usize] as usize];
            way.push(edge.step);
            at = edge.source;
        }
        way[first..].reverse();
    }

    /// Returns the path to a node.
    pub(crate) fn moves_to(&self, node: NodeId) -> Moves {
        let store = &self.explorer.store;
        let mut list = Vec::new();
        let mut at = node;
        while store.node(at).parent != NONE {
            let edge = self.edges[store.node(at).ordinal as usize];
            list.push(edge.step);
            at = NodeId(store.node(at).parent);
        }
        list.reverse();
        let mut start = vec![0; self.explorer.source_cells.len()];
        self.explorer.packer.unpack(store.key(store.node(at).discrete), &mut start);
        Moves { start, part: store.node(at).ordinal, list }
    }

    /// Repeats moves and records their constraints. Afterwards the target is the final state.
    pub(crate) fn walk(&mut self, moves: &Moves) -> Halted<PathReplay> {
        let process_count = self.explorer.machine.layout().process_count();
        let recorded = self.explorer.repeat_start_in(&moves.start[..process_count])?;
        let mut walk = PathReplay {
            items: Vec::new(),
            cells: recorded.cells.clone(),
            zone: None,
            may_delay: recorded.may_delay,
        };
        self.repeat_arrival(&mut walk, &recorded, moves.part)?;
        for step in &moves.list {
            self.follow(&mut walk, *step)?;
        }
        Ok(walk)
    }

    /// Repeats one more move.
    pub(crate) fn follow(&mut self, walk: &mut PathReplay, step: Move) -> Halted<()> {
        let Some(zone) = walk.zone.take() else { return Err(repetition_failed().into()) };
        let (process, clock) = self.observer();
        let _ = process;
        if step.ordinal < START {
            let mut enabled = Enabled::new(self.explorer.machine);
            let recorded =
                self.explorer.repeat_step(&mut enabled, &walk.cells, &zone, walk.may_delay, step.ordinal)?;
            let mut path_step = recorded.step.clone();
            let entry = self.repeat_arrival(walk, &recorded, step.part)?;
            path_step.entry = entry;
            walk.items.push(PathItem::Step(path_step));
            return Ok(());
        }
        let arrivals = if step.ordinal == TICK {
            self.ticks(&walk.cells, &zone)?
        } else {
            self.starts(&walk.cells, &zone)?
        };
        let Some(arrival) = arrivals.as_slice().iter().find(|arrival| arrival.ordinal == step.ordinal) else {
            return Err(repetition_failed().into());
        };
        self.explorer.source.set(self.explorer.bounds, &walk.cells);
        let guard = self.explorer.source.constraints_of(&arrival.guarded);
        let may_delay_before = walk.may_delay;
        self.set_target(&arrival.cells);
        let pairs = self.delay_pairs(&arrival.entry, &arrival.uppers, arrival.may_delay)?;
        let Some(pair) = pairs.into_iter().nth(step.part as usize) else {
            return Err(repetition_failed().into());
        };
        walk.items.push(PathItem::Moment(PathStep {
            guard,
            may_delay_before,
            effects: vec![tempora_machine::ClockEffect::Reset { clock, value: 0 }],
            entry: self.explorer.target.constraints_of(&pair.entry),
            ..PathStep::empty()
        }));
        walk.cells.clone_from(&arrival.cells);
        walk.may_delay = arrival.may_delay;
        walk.zone = Some(pair.later);
        Ok(())
    }

    /// Enters a state again with one part of its values; returns the constraints on entry.
    fn repeat_arrival(
        &mut self,
        walk: &mut PathReplay,
        recorded: &Recorded,
        part: u32,
    ) -> Halted<Vec<tempora_machine::ClockConstraint>> {
        let (Some(entry), Some(zone)) = (&recorded.entry, &recorded.zone) else {
            return Err(repetition_failed().into());
        };
        walk.cells.clone_from(&recorded.cells);
        walk.may_delay = recorded.may_delay;
        self.set_target(&walk.cells);
        if walk.cells[self.observer().0] == IDLE {
            walk.zone = Some(zone.clone());
            return Ok(self.explorer.target.constraints_of(entry));
        }
        debug_assert_eq!(walk.cells[self.observer().0], PENDING);
        let pair =
            self.delay_pairs(entry, &recorded.uppers, recorded.may_delay)?.into_iter().nth(part as usize);
        let Some(pair) = pair else {
            return Err(Halt::Stop(SearchStop::Bug("a part of a state is missing".to_owned())));
        };
        walk.zone = Some(pair.later);
        Ok(self.explorer.target.constraints_of(&pair.entry))
    }
}

/// A path while it is repeated.
pub(crate) struct PathReplay {
    pub(crate) items: Vec<PathItem>,
    pub(crate) cells: Vec<i32>,
    pub(crate) zone: Option<Zone>,
    pub(crate) may_delay: bool,
}

impl PathReplay {
    /// Returns the initial locations of the processes of the network.
    pub(crate) fn initial(moves: &Moves, process_count: usize) -> Vec<tempora_model::LocationId> {
        moves.start[..process_count].iter().map(|&cell| tempora_model::LocationId(cell as u32)).collect()
    }
}
