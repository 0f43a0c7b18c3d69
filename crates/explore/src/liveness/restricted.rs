//! The graph of runs on which a predicate holds from the start of a watch, which another predicate permits.
//!
//! Invariant: a node in which the observer is idle is a zone as in `explorer.rs`. A node in which it is pending
//! contains exactly clock values of runs on which the predicate holds since the start of the watch; it is a convex part
//! of them, and all parts are nodes. Every value of a node is reached from some value of each predecessor, so a cycle
//! of nodes that are equal up to bisimulation is an infinite run (there are finitely many regions).
//!
//! Where the predicate compares clocks, time may leave and re-enter it. The values that time reaches without leaving it
//! are computed as in Cassez, David, Fleury, Larsen and Lime, "Efficient on-the-fly algorithms for the analysis of
//! timed games" (2005), with future and past exchanged.
//!
//! Maximal runs are defined as in UPPAAL: infinite, even if Zeno; or ending with unbounded delay; or ending in a
//! deadlock.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use tempora_machine::{Enabled, Failure, Predicate};
use tempora_zones::{Bound, Clock, ClockSource, Constraint, Extrapolation, LuBounds, Zone};

use crate::graph::arrivals::{Arrival, Arrivals};
use crate::graph::explorer::{Explorer, Flow, SearchStop, dimension, too_large};
use crate::graph::insertion::Insertion;
use crate::graph::store::{NONE, NodeId, NodeOrigin, Status};
use crate::liveness::observer::{IDLE, PENDING};
use crate::liveness::run_ends::End;

/// The runs that a search considers.
pub(crate) struct Restriction {
    /// The predicate that holds during the watch, with its truth value.
    pub(crate) stay: Option<(Predicate, bool)>,
    /// Where the watch may start.
    pub(crate) start: Start,
    /// Whether finite runs count.
    pub(crate) has_ends: bool,
    /// The purpose of the observer's clock.
    pub(crate) clock: ObserverClock,
    /// Predicates over discrete states that must hold infinitely often.
    pub(crate) again: Vec<Predicate>,
    /// A clock, from 1, that must not be set during the watch.
    pub(crate) keeps: Option<u16>,
    /// A predicate that must be reachable after a cycle, during the watch.
    pub(crate) afterwards: Option<Predicate>,
}

impl Restriction {
    /// Admits all runs.
    pub(crate) fn none() -> Restriction {
        Restriction {
            stay: None,
            start: Start::AtOnce,
            has_ends: false,
            clock: ObserverClock::Unused,
            again: Vec::new(),
            keeps: None,
            afterwards: None,
        }
    }
}

/// Where a watch may start.
pub(crate) enum Start {
    /// At the initial state, or never: the observer does not move.
    AtOnce,
    /// Anywhere.
    Anywhere,
    /// Where the predicate holds.
    Where(Predicate),
}

/// The purpose of the observer's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ObserverClock {
    Unused,
    /// It is reset whenever it is one, so that a cycle with a reset takes time.
    Ticks,
    /// It measures the duration of the watch up to a deadline; the search is for runs that can exceed it.
    Deadline(i32),
}

/// An edge between nodes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) source: u32,
    pub(crate) target: u32,
    pub(crate) step: Move,
}

/// The label of an edge: the number of the successor, or one of the constants; and which part of its values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Move {
    pub(crate) ordinal: u32,
    pub(crate) part: u32,
}

/// The observer's clock is reset.
pub(crate) const TICK: u32 = u32::MAX;
/// The watch starts in the part of the premise with this number.
pub(crate) const START: u32 = 1 << 31;

/// A search in this graph.
pub(crate) struct Restricted<'task> {
    pub(crate) explorer: Explorer<'task>,
    pub(crate) restriction: Restriction,
    pub(crate) edges: Vec<Edge>,
    /// Whether nodes are merged only if equal; otherwise a node represents everything that it covers.
    pub(crate) needs_equality: bool,
    /// Whether before the watch all clock values that the invariants allow count, reachable or not. This
    /// over-approximates the runs of the network.
    pub(crate) guesses_start: bool,
    /// The number of nodes after which the search pauses.
    pub(crate) pause_after: u64,
    /// If set, only these discrete states are explored.
    pub(crate) allowed: Option<BTreeSet<Vec<u8>>>,
    pub(crate) enabled: Enabled,
    pub(crate) spare: Vec<Arrivals>,
}

/// Why a search ended.
pub(crate) enum Halt {
    Stop(SearchStop),
    /// A predicate of the query cannot be evaluated.
    Failure(Failure),
}

impl From<SearchStop> for Halt {
    fn from(stop: SearchStop) -> Halt {
        Halt::Stop(stop)
    }
}

pub(crate) type Halted<T> = Result<T, Halt>;

pub(crate) fn or_halt<T>(flow: ControlFlow<SearchStop, T>) -> Halted<T> {
    match flow {
        ControlFlow::Continue(value) => Ok(value),
        ControlFlow::Break(stop) => Err(Halt::Stop(stop)),
    }
}

pub(crate) fn overflow(overflow: tempora_zones::BoundOverflow) -> Halt {
    Halt::Stop(too_large(overflow))
}

impl<'task> Restricted<'task> {
    pub(crate) fn new(explorer: Explorer<'task>, restriction: Restriction) -> Restricted<'task> {
        let enabled = Enabled::new(explorer.machine);
        Restricted {
            explorer,
            restriction,
            edges: Vec::new(),
            needs_equality: false,
            guesses_start: false,
            pause_after: u64::MAX,
            allowed: None,
            enabled,
            spare: Vec::new(),
        }
    }

    /// Returns the observer's cell, and the number of its clock, from 1.
    pub(crate) fn observer(&self) -> (usize, u16) {
        let layout = self.explorer.machine.layout();
        (layout.process_count() - 1, layout.clock_count() as u16)
    }

    /// Adds the initial states.
    pub(crate) fn add_initial(&mut self) -> Halted<()> {
        let arrivals = self.collect(|explorer, _| explorer.add_initial_states())?;
        for arrival in arrivals.as_slice() {
            self.add(NONE, arrival)?;
        }
        self.spare.push(arrivals);
        Ok(())
    }

    /// Adds a node that is known to be reachable, with a number for its incoming move.
    pub(crate) fn add_root(
        &mut self,
        cells: &[i32],
        zone: &Zone,
        may_delay: bool,
        number: u32,
    ) -> Halted<()> {
        self.set_target(cells);
        let how = NodeOrigin { parent: NONE, ordinal: number, may_delay };
        or_halt(self.explorer.insert_state(zone, how, self.needs_equality))?;
        Ok(())
    }

    /// Returns the next unexplored node.
    pub(crate) fn next(&mut self) -> Option<NodeId> {
        loop {
            let id = self.explorer.waiting.next()?;
            if self.explorer.store.node(id).status == Status::Waiting {
                return Some(id);
            }
        }
    }

    /// Returns the discrete state of a node, which may be covered.
    pub(crate) fn cells_of(&self, id: NodeId) -> Vec<i32> {
        let explorer = &self.explorer;
        let mut cells = vec![0; explorer.source_cells.len()];
        explorer.packer.unpack(explorer.store.key(explorer.store.node(id).discrete), &mut cells);
        cells
    }

    /// Returns the discrete state and the zone of a live node, and whether time may pass there.
    pub(crate) fn state_of(&mut self, id: NodeId) -> (Vec<i32>, Zone, bool) {
        let cells = self.cells_of(id);
        let explorer = &mut self.explorer;
        let node = *explorer.store.node(id);
        explorer.source.set(explorer.bounds, &cells);
        let mut zone = explorer.pool.take(dimension(&explorer.source));
        explorer.store.zone_into(id, &mut zone);
        (cells, zone, node.may_delay)
    }

    /// Computes the successors of a node; returns the end of a run, if one ends there.
    pub(crate) fn expand(&mut self, id: NodeId) -> Halted<Option<End>> {
        or_halt(self.explorer.spend())?;
        self.explorer.store.set_status(id, Status::Explored);
        self.explorer.unreported.1 += 1;
        if self.explorer.unreported.1 >= 256 {
            self.explorer.report_progress();
        }
        let (cells, zone, may_delay) = self.state_of(id);
        let arrivals = self.successors(&cells, &zone, may_delay, id.0)?;
        for arrival in arrivals.as_slice() {
            self.add(id.0, arrival)?;
        }
        let mut end = None;
        if cells[self.observer().0] == IDLE {
            for arrival in self.starts(&cells, &zone)?.as_slice() {
                self.add(id.0, arrival)?;
            }
        } else {
            if may_delay && self.restriction.clock == ObserverClock::Ticks {
                let ticks = self.ticks(&cells, &zone)?;
                for arrival in ticks.as_slice() {
                    self.add(id.0, arrival)?;
                }
                self.spare.push(ticks);
            }
            if self.restriction.has_ends {
                end = self.end(id, &cells, &zone, may_delay, arrivals.as_slice())?;
                if end.is_none() {
                    self.check_hidden_ends(id, &cells, &zone)?;
                }
            }
        }
        self.spare.push(arrivals);
        self.explorer.pool.give_back(zone);
        Ok(end)
    }

    /// Computes the successors of a zone.
    pub(crate) fn successors(
        &mut self,
        cells: &[i32],
        zone: &Zone,
        may_delay: bool,
        node: u32,
    ) -> Halted<Arrivals> {
        let explorer = &mut self.explorer;
        explorer.source_cells.copy_from_slice(cells);
        explorer.source.set(explorer.bounds, cells);
        explorer.node = node;
        explorer.source_may_delay = may_delay;
        self.collect(|explorer, enabled| explorer.expand(enabled, &mut Vec::new(), zone))
    }

    fn collect(
        &mut self,
        visit: impl FnOnce(&mut Explorer<'task>, &mut Enabled) -> Flow,
    ) -> Halted<Arrivals> {
        let mut arrivals = self.spare.pop().unwrap_or_default();
        arrivals.clear();
        self.explorer.arrivals = Some(arrivals);
        self.explorer.only_arrivals = true;
        let flow = visit(&mut self.explorer, &mut self.enabled);
        self.explorer.only_arrivals = false;
        let arrivals = self.explorer.arrivals.take().unwrap_or_default();
        or_halt(flow)?;
        Ok(arrivals)
    }

    /// Enters a discrete state that differs only in the observer, with values from a zone.
    pub(crate) fn arrive(
        &mut self,
        ordinal: u32,
        cells: &[i32],
        guarded: &Zone,
        sources: &[ClockSource],
    ) -> Halted<Arrivals> {
        self.set_target(cells);
        let mut zone = self.explorer.pool.take(dimension(&self.explorer.target));
        zone.assign_from(guarded, sources).map_err(overflow)?;
        self.collect(|explorer, _| {
            if let Some(arrivals) = &mut explorer.arrivals {
                arrivals.begin(ordinal, guarded, sources);
            }
            explorer.arrive(zone, ordinal, None)
        })
    }

    /// Recycles the memory of a list.
    pub(crate) fn give_back(&mut self, arrivals: Arrivals) {
        self.spare.push(arrivals);
    }

    /// Sets the discrete state in which predicates are evaluated and which is stored.
    pub(crate) fn set_target(&mut self, cells: &[i32]) {
        let explorer = &mut self.explorer;
        explorer.execution.cells_mut().copy_from_slice(cells);
        explorer.target.set(explorer.bounds, cells);
    }

    /// Adds an arrival to the graph.
    fn add(&mut self, source: u32, arrival: &Arrival) -> Halted<()> {
        self.set_target(&arrival.cells);
        if let Some(allowed) = &self.allowed {
            let mut key = Vec::new();
            if !self.explorer.packer.pack(&arrival.cells, &mut key) || !allowed.contains(&key) {
                return Ok(());
            }
        }
        if arrival.cells[self.observer().0] == IDLE {
            if self.guesses_start {
                let all = or_halt(self.explorer.allowed_by_invariants(false))?;
                return all.map_or(Ok(()), |all| self.connect(source, arrival, 0, &all));
            }
            return self.connect(source, arrival, 0, &arrival.later);
        }
        if let Some(clock) = self.restriction.keeps
            && source != NONE
            && arrival.ordinal < START
        {
            let own =
                self.explorer.target.zone_clock(clock).map(|own| arrival.sources[usize::from(own.0) - 1]);
            let before = self.explorer.source.zone_clock(clock);
            if own.is_none_or(|own| own.plus != 0 || Some(own.from) != before) {
                return Ok(());
            }
        }
        let pairs = self.delay_pairs(&arrival.entry, &arrival.uppers, arrival.may_delay)?;
        for (part, pair) in pairs.iter().enumerate() {
            self.connect(source, arrival, part as u32, &pair.later)?;
        }
        Ok(())
    }

    fn connect(&mut self, source: u32, arrival: &Arrival, part: u32, zone: &Zone) -> Halted<()> {
        let how = NodeOrigin {
            parent: source,
            // An initial state is identified by its locations and its part.
            ordinal: if source == NONE { part } else { self.edges.len() as u32 },
            may_delay: arrival.may_delay,
        };
        let within = self.within_numbers(zone)?;
        let zone = within.as_ref().unwrap_or(zone);
        let (Insertion::New(node) | Insertion::Covered(node)) =
            or_halt(self.explorer.insert_state(zone, how, self.needs_equality))?;
        if source != NONE {
            let step = Move { ordinal: arrival.ordinal, part };
            self.edges.push(Edge { source, target: node.0, step });
        }
        Ok(())
    }

    /// Replaces a zone whose bounds are too large to be added by one with smaller bounds, all of whose values are
    /// bisimilar to some of it (`Extra_M` of Behrmann, Bouyer, Larsen and Pelánek, 2006).
    fn within_numbers(&self, zone: &Zone) -> Halted<Option<Zone>> {
        const GREAT: i32 = Bound::LARGEST_CONSTANT / 4;
        let explorer = &self.explorer;
        if !explorer.bounds.diagonals.is_empty() {
            return Ok(None);
        }
        let clocks = || std::iter::once(Clock::REFERENCE).chain(zone.dimension().clocks());
        let is_great = |bound: Bound| bound.constant().is_some_and(|constant| constant.abs() > GREAT);
        if !clocks().any(|left| clocks().any(|right| is_great(zone.bound(left, right)))) {
            return Ok(None);
        }
        let cells = explorer.execution.cells();
        let maxima: Vec<Option<i32>> = explorer
            .target
            .active()
            .iter()
            .map(|&clock| {
                let pair = explorer.bounds.pair(usize::from(clock), cells);
                Some(pair.lower.max(pair.upper)).filter(|&greatest| greatest >= 0)
            })
            .collect();
        let maxima = LuBounds::from_maxima(zone.dimension(), &maxima);
        let mut smaller = zone.clone();
        smaller.extrapolate(Extrapolation::M, &maxima).map_err(overflow)?;
        Ok(Some(smaller))
    }

    /// Starts the watch in the parts of an idle node in which the premise holds.
    pub(crate) fn starts(&mut self, cells: &[i32], zone: &Zone) -> Halted<Arrivals> {
        let parts = self.premise_parts(cells, zone)?;
        let (process, clock) = self.observer();
        let mut pending = cells.to_vec();
        pending[process] = PENDING;
        let mut all = self.spare.pop().unwrap_or_default();
        all.clear();
        for (number, part) in parts.iter().enumerate() {
            self.set_target(&pending);
            let explorer = &self.explorer;
            let sources: Option<Vec<ClockSource>> = explorer
                .target
                .active()
                .iter()
                .map(|&active| match active + 1 {
                    own if own == clock => Some(ClockSource { from: Clock::REFERENCE, plus: 0 }),
                    other => Some(ClockSource { from: explorer.source.zone_clock(other)?, plus: 0 }),
                })
                .collect();
            let Some(sources) = sources else {
                return Err(Halt::Stop(SearchStop::Bug(
                    "a clock of the query is not in the zone".to_owned(),
                )));
            };
            let one = self.arrive(START + number as u32, &pending, part, &sources)?;
            all.append(one.as_slice());
            self.spare.push(one);
        }
        Ok(all)
    }

    /// Returns the parts of an idle zone in which the premise holds.
    pub(crate) fn premise_parts(&mut self, cells: &[i32], zone: &Zone) -> Halted<Vec<Zone>> {
        let premise = match std::mem::replace(&mut self.restriction.start, Start::AtOnce) {
            Start::AtOnce => return Ok(Vec::new()),
            Start::Anywhere => {
                self.restriction.start = Start::Anywhere;
                self.explorer.source.set(self.explorer.bounds, cells);
                return Ok(vec![zone.clone()]);
            }
            Start::Where(premise) => premise,
        };
        self.set_target(cells);
        let parts = self.parts(&premise, true, zone);
        self.explorer.source.set(self.explorer.bounds, cells);
        self.restriction.start = Start::Where(premise);
        parts
    }

    /// Resets the observer's clock where it is one.
    pub(crate) fn ticks(&mut self, cells: &[i32], zone: &Zone) -> Halted<Arrivals> {
        self.explorer.source.set(self.explorer.bounds, cells);
        let clock = self.explorer.source.zone_clock(self.observer().1);
        let Some(clock) = clock else {
            return Err(Halt::Stop(SearchStop::Bug("the observer's clock is missing".to_owned())));
        };
        let mut part = zone.clone();
        if !at_exactly(&mut part, clock, 1).map_err(overflow)? {
            return Ok(self
                .spare
                .pop()
                .map(|mut list| {
                    list.clear();
                    list
                })
                .unwrap_or_default());
        }
        let sources: Vec<ClockSource> = zone
            .dimension()
            .clocks()
            .map(|own| ClockSource { from: if own == clock { Clock::REFERENCE } else { own }, plus: 0 })
            .collect();
        self.arrive(TICK, cells, &part, &sources)
    }
}

/// Restricts a zone to one value of a clock; returns whether it is not empty.
pub(crate) fn at_exactly(
    zone: &mut Zone,
    clock: Clock,
    value: i32,
) -> Result<bool, tempora_zones::BoundOverflow> {
    Ok(zone.constrain(Constraint::at_most(clock, value)?)?
        && zone.constrain(Constraint::at_least(clock, value)?)?)
}
