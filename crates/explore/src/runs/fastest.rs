//! Search for the runs that take the least time.
//!
//! Invariant: an additional clock, which the network neither sets nor reads, measures the time since the start. A
//! stored zone covers another only if it simulates it at the same time or earlier, and nodes are explored in the order
//! of their earliest times; so the search ends when no waiting node is earlier than the goals found. This is Dijkstra's
//! search over zones, as in Behrmann, Fehnker, Hune, Larsen, Pettersson and Romijn, "Efficient guiding towards
//! cost-optimality in UPPAAL" (2001), for the special case that the cost is time.
//!
//! The goals are known to be reachable, each by a given run. Later states than the end of that run are pruned, so the
//! search terminates like any other: the additional clock is bounded.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

use tempora_evidence::{Budget, Ending, Progress, Rational, Trace, UnknownReason};
use tempora_machine::{ClockConstraint, Enabled, Predicate, compile, compile_predicate};
use tempora_model::{Network, Type, Value, Variable, VariableKind};
use tempora_zones::{Bound, Clock, Dimension, Zone};

use crate::graph::bounds::{ClockBounds, Profile, WantedPredicate};
use crate::graph::explorer::{Explorer, Flow, SearchStop, forgotten};
use crate::graph::pieces::{PieceFailure, Pieces};
use crate::graph::store::{NodeId, Status};
use crate::graph::waiting::SearchOrder;
use crate::runs::trace::{PathEnd, concrete_trace_near};
use crate::search::engine::reason;
use crate::search::goals::Goal;

/// A name that no model can contain, so it shadows nothing.
const TIME: &str = "time since the start";

/// A fastest run, or an almost fastest one if none exists.
#[derive(Clone, Debug)]
pub(crate) struct FastestRun {
    pub(crate) trace: Trace,
    /// The infimum of the durations, if no run attains it.
    pub(crate) approached: Option<i64>,
}

/// Time since the start: twice the units, plus one if it is only approached. Ordered by time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct EarliestTime(i64);

impl EarliestTime {
    fn attained(units: i64) -> EarliestTime {
        EarliestTime(units.saturating_mul(2))
    }

    fn units(self) -> i64 {
        self.0 >> 1
    }

    fn is_attained(self) -> bool {
        self.0 & 1 == 0
    }

    /// Returns the earliest time of a zone.
    fn of(zone: &Zone, time: Clock) -> EarliestTime {
        let bound: Bound = zone.bound(Clock::REFERENCE, time);
        let units = -i64::from(bound.constant().unwrap_or(0));
        EarliestTime(units * 2 + i64::from(!bound.is_weak()))
    }
}

/// The state of a search for fastest runs.
pub(crate) struct Fastest {
    /// The clock that measures time, from 1.
    time: u16,
    waiting: BinaryHeap<Reverse<(EarliestTime, NodeId)>>,
    /// For each goal the earliest known time, at first that of the given run.
    best: Vec<BestTime>,
}

struct BestTime {
    time: EarliestTime,
    /// `None` until the search itself finds the goal.
    place: Option<(NodeId, Vec<ClockConstraint>)>,
}

impl Fastest {
    /// Returns the number of waiting nodes.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// Returns the time after which states are pruned.
    fn latest(&self) -> EarliestTime {
        self.best.iter().map(|best| best.time).max().unwrap_or(EarliestTime(0))
    }

    /// Returns whether no state at this time or later can improve a goal.
    fn is_settled(&self, time: EarliestTime) -> bool {
        self.best.iter().all(|best| best.place.is_some() && best.time <= time)
    }
}

impl Explorer<'_> {
    /// Adds a new node to the waiting list, and records it if it is the earliest for a goal.
    pub(crate) fn keep_earliest(&mut self, node: NodeId, zone: &Zone) -> Flow {
        let Some(mut fastest) = self.fastest.take() else { return ControlFlow::Continue(()) };
        let flow = self.note_earliest(&mut fastest, node, zone);
        self.fastest = Some(fastest);
        flow
    }

    fn note_earliest(&mut self, fastest: &mut Fastest, node: NodeId, zone: &Zone) -> Flow {
        let Some(clock) = self.target.zone_clock(fastest.time) else { return forgotten() };
        let time = EarliestTime::of(zone, clock);
        if time > fastest.latest() {
            self.store.set_status(node, Status::Explored);
            return ControlFlow::Continue(());
        }
        for (position, best) in fastest.best.iter_mut().enumerate() {
            let goal = &self.goals[position];
            let mut is_stopped = false;
            let watch = &mut self.watch;
            let live = self.store.live();
            let mut pieces = Pieces {
                machine: self.machine,
                execution: &mut self.execution,
                clocks: &self.target,
                deadlocked: &[],
                arguments: Vec::new(),
                go_on: &mut || watch.check(live).is_ok(),
            };
            match pieces.find(&goal.predicate, goal.wanted, zone) {
                Ok(parts) => {
                    for part in parts {
                        let time = EarliestTime::of(&part, clock);
                        if time < best.time || (time == best.time && best.place.is_none()) {
                            *best = BestTime { time, place: Some((node, self.target.constraints_of(&part))) };
                        }
                    }
                }
                Err(PieceFailure::Failure(_)) => {
                    let why = "the query cannot be evaluated in some state";
                    return ControlFlow::Break(SearchStop::Unsupported(why.to_owned()));
                }
                Err(PieceFailure::Overflow) => {
                    let why = "a clock bound that is too large";
                    return ControlFlow::Break(SearchStop::Unsupported(why.to_owned()));
                }
                Err(PieceFailure::Forgotten) => return forgotten(),
                Err(PieceFailure::Stopped) => is_stopped = true,
            }
            if is_stopped {
                self.spend()?;
            }
        }
        fastest.waiting.push(Reverse((time, node)));
        ControlFlow::Continue(())
    }

    /// Explores in the order of time until the earliest goals are known.
    fn run_in_order_of_time(&mut self) -> Flow {
        self.add_initial_states()?;
        let mut enabled = Enabled::new(self.machine);
        let mut cells = Vec::new();
        loop {
            let Some(fastest) = &mut self.fastest else { return ControlFlow::Continue(()) };
            let Some(Reverse((time, id))) = fastest.waiting.pop() else {
                return ControlFlow::Continue(());
            };
            if fastest.is_settled(time) {
                return ControlFlow::Continue(());
            }
            if self.store.node(id).status == Status::Waiting {
                self.explore_node(id, &mut enabled, &mut cells)?;
            }
        }
    }
}

/// Returns fastest runs to goals that given runs reach, or why they are unknown.
pub(crate) fn fastest_runs(
    network: &Network,
    goals: &[(WantedPredicate<'_>, &Trace)],
    budget: &Budget,
    progress: &Progress,
) -> Result<Vec<FastestRun>, UnknownReason> {
    let unsupported = UnknownReason::Unsupported;
    let mut network = network.clone();
    let Some(origin) = network.processes.values().next().map(|process| process.origin) else {
        return Err(unsupported("a network without processes".to_owned()));
    };
    let variable = network.variables.push(Variable {
        name: TIME.to_owned(),
        owner: None,
        value_type: Type::Clock,
        initial: Value::None,
        kind: VariableKind::State,
        origin,
    });
    let mut machine = compile(&network).map_err(|declined| unsupported(declined.what))?;
    let clock_count = machine.layout().clock_count();
    Dimension::for_clocks(clock_count).map_err(|error| unsupported(error.to_string()))?;
    let clock = machine.layout().clocks_of(&network, variable).start;
    let wanted: Vec<WantedPredicate<'_>> = goals.iter().map(|(wanted, _)| *wanted).collect();
    let mut searched = Vec::with_capacity(goals.len());
    for &(predicate, wanted) in &wanted {
        let predicate: Predicate = compile_predicate(&mut machine, &network, predicate)
            .map_err(|declined| unsupported(declined.what))?;
        searched.push(Goal::new(predicate, wanted));
    }
    let mut bounds = ClockBounds::new(&network, &machine, &wanted, Profile::Reach).map_err(unsupported)?;
    let mut best = Vec::with_capacity(goals.len());
    for (_, trace) in goals {
        let units = duration(trace).ceil().to_integer();
        best.push(BestTime { time: EarliestTime::attained(units), place: None });
    }
    let latest = best.iter().map(|best| best.time.units()).max().unwrap_or(0);
    let too_long = || unsupported("a run of such long duration".to_owned());
    let latest = i32::try_from(latest).ok().filter(|&latest| latest <= Bound::LARGEST_CONSTANT / 2);
    bounds.distinguish_up_to(clock, latest.ok_or_else(too_long)?);

    let mut explorer =
        Explorer::new(&machine, &bounds, &mut searched, SearchOrder::BreadthFirst, budget, progress)
            .map_err(|overflow| unsupported(overflow.to_string()))?;
    explorer.fastest = Some(Fastest { time: clock as u16 + 1, waiting: BinaryHeap::new(), best });
    let flow = explorer.run_in_order_of_time();
    explorer.report_progress();
    if let ControlFlow::Break(stop) = flow {
        return Err(reason(&stop));
    }
    let Some(fastest) = explorer.fastest.take() else {
        return Err(UnknownReason::EngineBug(
            "the state of the search for the fastest run is missing".to_owned(),
        ));
    };
    let mut runs = Vec::with_capacity(goals.len());
    for best in fastest.best {
        let Some((node, mut constraints)) = best.place else {
            return Err(UnknownReason::EngineBug("a goal was not found by the second search".to_owned()));
        };
        let (initial, path, may_delay) = explorer.path_to(node, None).map_err(|stop| reason(&stop))?;
        let units = best.time.units();
        let near = if best.time.is_attained() {
            constraints.push(ClockConstraint {
                left: fastest.time,
                right: 0,
                constant: units,
                is_strict: false,
            });
            None
        } else {
            Some(units)
        };
        let end = PathEnd { goal: constraints, may_delay, ending: Ending::Goal };
        let trace = concrete_trace_near(initial, path, end, clock_count, near)
            .ok_or_else(|| unsupported("computing the delays of such a long run".to_owned()))?;
        runs.push(FastestRun { trace, approached: near });
    }
    Ok(runs)
}

/// Returns the duration of a run.
pub(crate) fn duration(trace: &Trace) -> Rational {
    trace.steps.iter().fold(trace.final_delay, |sum, step| sum + step.delay)
}
