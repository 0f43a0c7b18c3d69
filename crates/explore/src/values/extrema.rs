//! Extreme values: of clocks, of integer expressions, and of the time at which a predicate holds.
//!
//! Invariant: a returned value is exact, with whether it is attained; an unbounded result means that arbitrarily large
//! values are reachable.
//!
//! The bounds of the covering test are raised for the measured clock, so that no extreme value is lost:
//!
//! - for the least value, a state may be covered by one with a smaller value but not by one with a greater value;
//! - for the greatest value, the reverse, up to a limit. If a value exceeds the limit, the limit is raised;
//! - for all values, neither, up to a limit.
//!
//! A clock without upper bound in a zone is unbounded. So is a clock that is not set on a cycle with positive duration
//! from which the measured states are reachable (`liveness` finds such cycles); otherwise some limit suffices. The two
//! cases are not known in advance: the search for cycles and raising the limit alternate.

use tempora_evidence::{
    Answer, Caveat, Evidence, Limit, MeasuredValue, Rational, Trace, UnknownReason, Verdict,
};
use tempora_machine::{Predicate, constant_clock, for_each_expression};
use tempora_model::{BoundsKind, Expression, ExpressionKind, Network, QueryKind, Type};
use tempora_zones::{Bound, BoundOverflow, Clock, Constraint, Zone};

use crate::graph::bounds::{LuPair, NONE as NO_BOUND, Profile, WantedPredicate};
use crate::graph::explorer::{SearchStop, too_large};
use crate::graph::store::NodeId;
use crate::liveness::branching::{Prepared, SearchParameters, prepare};
use crate::liveness::maximal_runs::RunSearchResult;
use crate::liveness::nested::trace_to;
use crate::liveness::observer::{IDLE, PENDING};
use crate::liveness::restricted::{Halt, Halted, ObserverClock, Restricted, Restriction, Start};
use crate::search::engine::{plain_answer, reason, runtime_error};

/// A measured quantity.
#[derive(Clone, Copy)]
enum Quantity<'query> {
    /// A clock of the network, counted from 0.
    Clock(usize),
    /// The time since the start: the observer's clock.
    Time,
    Data(&'query Expression),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ExtremumKind {
    Least,
    Greatest,
    All,
}

/// Why a value is not known.
enum MeasureFailure {
    Halt(Halt),
    Reason(UnknownReason),
}

impl From<Halt> for MeasureFailure {
    fn from(halt: Halt) -> MeasureFailure {
        MeasureFailure::Halt(halt)
    }
}

/// Compiles the first search, if one search can measure all values, or returns why the query is declined.
pub(crate) fn prepared(network: &Network, query: &QueryKind) -> Result<Option<Prepared>, String> {
    let (which, predicate, measured) = value_query(network, query)?;
    let mut predicates: Vec<WantedPredicate<'_>> = predicate.into_iter().map(|part| (part, true)).collect();
    predicates.extend(measured.iter().filter_map(|measured| match measured {
        Quantity::Data(expression) => Some((*expression, true)),
        _ => None,
    }));
    let prepared = prepare(network, IDLE, &predicates, Profile::Reach)?;
    // Several expressions need searches with different bounds, and so does `bounds`.
    Ok(Some(prepared).filter(|_| which != ExtremumKind::All && measured.len() == 1))
}

type ValueQuery<'query> = (ExtremumKind, Option<&'query Expression>, Vec<Quantity<'query>>);

fn value_query<'query>(network: &Network, query: &'query QueryKind) -> Result<ValueQuery<'query>, String> {
    match query {
        QueryKind::Bounds { which, predicate, expressions } => {
            let layout = tempora_machine::Layout::new(network);
            let measured = expressions.iter().map(|expression| match &expression.value_type {
                Type::Clock => match constant_clock(network, &layout, expression) {
                    Some(clock) => Ok(Quantity::Clock(clock)),
                    None => Err("the zone engine does not support bounds of a computed clock".to_owned()),
                },
                Type::Integer(_) | Type::Boolean => Ok(Quantity::Data(expression)),
                _ => Err("the zone engine does not support bounds of such expressions".to_owned()),
            });
            let which = match which {
                BoundsKind::Supremum => ExtremumKind::Greatest,
                BoundsKind::Infimum => ExtremumKind::Least,
                BoundsKind::Both => ExtremumKind::All,
            };
            Ok((which, predicate.as_ref(), measured.collect::<Result<_, _>>()?))
        }
        QueryKind::Time { is_latest, predicate } => {
            let which = if *is_latest { ExtremumKind::Greatest } else { ExtremumKind::Least };
            Ok((which, Some(predicate), vec![Quantity::Time]))
        }
        _ => Err("the zone engine does not support such queries for values".to_owned()),
    }
}

/// Measures the values of a query.
pub(crate) fn answer(
    network: &Network,
    query: &QueryKind,
    mut prepared: Option<Prepared>,
    parameters: SearchParameters<'_>,
) -> Answer {
    let (which, predicate, measured) = match value_query(network, query) {
        Ok(asked) => asked,
        Err(why) => return unknown(UnknownReason::Unsupported(why)),
    };
    let mut answer = plain_answer();
    let mut values = Vec::new();
    for measured in measured {
        match measure(network, which, predicate, measured, prepared.take(), parameters) {
            Ok(found) => {
                answer.statistics.stored += found.stored;
                answer.evidence.extend(found.trace.map(Evidence::Trace));
                answer.caveats.extend(found.remark.map(|remark| Caveat::Remark(remark.to_owned())));
                values.push(found.value);
            }
            Err(MeasureFailure::Halt(Halt::Stop(stop))) => return unknown(reason(&stop)),
            Err(MeasureFailure::Halt(Halt::Failure(failure))) => {
                return unknown(UnknownReason::ModelError(runtime_error(&failure)));
            }
            Err(MeasureFailure::Reason(reason)) => return unknown(reason),
        }
    }
    answer.verdict = Verdict::Value(values);
    answer
}

fn unknown(reason: UnknownReason) -> Answer {
    Answer { verdict: Verdict::Unknown(reason), ..plain_answer() }
}

struct Measurement {
    value: MeasuredValue,
    trace: Option<Trace>,
    remark: Option<&'static str>,
    stored: u64,
}

/// The first limit, and the factor by which it is raised.
const FIRST_LIMIT: i64 = 8;
const GROWTH: i64 = 4;

/// The state limit of a search for cycles, per state of the measurement, and its minimum.
const STATES_FOR_CYCLES: u64 = 8;
const LEAST_STATES_FOR_CYCLES: u64 = 2_000;

/// Beyond this limit the search for cycles gets all of the remaining budget.
const PATIENT_LIMIT: i64 = i16::MAX as i64;

fn measure(
    network: &Network,
    which: ExtremumKind,
    predicate: Option<&Expression>,
    measured: Quantity<'_>,
    mut prepared: Option<Prepared>,
    parameters: SearchParameters<'_>,
) -> Result<Measurement, MeasureFailure> {
    let mut limit = FIRST_LIMIT;
    let mut is_known_to_end = false;
    loop {
        let found = sweep(network, which, predicate, measured, limit, prepared.take(), parameters)?;
        let beyond = match (which, &found.extreme) {
            (ExtremumKind::Least, _) | (_, None) => false,
            (ExtremumKind::Greatest, Some(extreme)) => {
                !extreme.end.is_infinite() && exceeds(extreme.end, found.limit)
            }
            (ExtremumKind::All, _) => found.all.exceed(found.limit),
        };
        if !beyond || matches!(measured, Quantity::Data(_)) {
            return Ok(found.measurement(which));
        }
        if !is_known_to_end {
            // The search for cycles must keep clocks apart that the measurement need not, and may have many more
            // states. So both alternate with growing budgets.
            let states = found
                .stored
                .saturating_mul(STATES_FOR_CYCLES)
                .max(LEAST_STATES_FOR_CYCLES)
                .max(found.explored);
            let some = parameters.budget.part(states, 2);
            let budget = if limit > PATIENT_LIMIT { parameters.budget } else { &some };
            let growth = match grows_unboundedly(
                network,
                predicate,
                measured,
                SearchParameters { budget, ..parameters },
            ) {
                Err(MeasureFailure::Halt(Halt::Stop(SearchStop::Exhausted(_)))) if limit <= PATIENT_LIMIT => {
                    Growth::Open
                }
                other => other?,
            };
            match growth {
                Growth::Ends => is_known_to_end = true,
                Growth::ForEver if which == ExtremumKind::Greatest => {
                    let mut measurement = found.measurement(which);
                    measurement.value = MeasuredValue::Supremum(Limit::Unbounded);
                    measurement.remark =
                        Some("a cycle with positive duration can be repeated; the run is one of many");
                    return Ok(measurement);
                }
                Growth::ForEver => {
                    let what = "all values of a clock that grows without bound along a cycle".to_owned();
                    return Err(MeasureFailure::Reason(UnknownReason::Unsupported(what)));
                }
                Growth::Unknown if limit > PATIENT_LIMIT => {
                    let what = "the greatest value of a clock that is assigned other clocks".to_owned();
                    return Err(MeasureFailure::Reason(UnknownReason::Unsupported(what)));
                }
                Growth::Unknown | Growth::Open => {}
            }
        }
        limit = found.limit.saturating_mul(GROWTH);
    }
}

/// Returns whether a bound of a clock exceeds a number.
fn exceeds(bound: Bound, limit: i64) -> bool {
    bound.constant().is_none_or(|constant| i64::from(constant) > limit)
}

/// The least or greatest value found so far, and its node.
struct Extreme {
    /// For clocks the bound of the zone, as an upper bound of the clock or of its negation.
    end: Bound,
    node: NodeId,
    part: Zone,
}

/// The result of a search.
struct SweepResult {
    extreme: Option<Extreme>,
    all: Values,
    limit: i64,
    trace: Option<Trace>,
    stored: u64,
    /// The number of nodes that were created, covered ones included.
    explored: u64,
}

fn overflow(overflow: BoundOverflow) -> Halt {
    Halt::Stop(too_large(overflow))
}

/// Explores all reachable states and measures them.
fn sweep(
    network: &Network,
    which: ExtremumKind,
    predicate: Option<&Expression>,
    measured: Quantity<'_>,
    limit: i64,
    prepared: Option<Prepared>,
    parameters: SearchParameters<'_>,
) -> Result<SweepResult, MeasureFailure> {
    let mut predicates: Vec<WantedPredicate<'_>> = predicate.into_iter().map(|part| (part, true)).collect();
    if let Quantity::Data(expression) = measured {
        predicates.push((expression, true));
    }
    let profile = if which == ExtremumKind::All { Profile::Branching } else { Profile::Reach };
    let prepared = prepared.map_or_else(|| prepare(network, IDLE, &predicates, profile), Ok);
    let mut prepared = prepared.map_err(|why| MeasureFailure::Reason(UnknownReason::Unsupported(why)))?;
    let clock = match measured {
        Quantity::Clock(clock) => Some(clock),
        Quantity::Time => Some(prepared.machine.layout().clock_count() - 1),
        Quantity::Data(_) => None,
    };
    let mut limit = limit;
    if let Some(clock) = clock {
        limit = limit.max(2 * i64::from(prepared.bounds.greatest(clock)));
        let most = i32::try_from(limit).unwrap_or(i32::MAX);
        let pair = match which {
            ExtremumKind::Least => LuPair { lower: NO_BOUND, upper: i32::MAX },
            ExtremumKind::Greatest => LuPair { lower: most, upper: NO_BOUND },
            ExtremumKind::All => LuPair { lower: most, upper: most },
        };
        prepared.bounds.watch_everywhere(clock, pair);
    }
    let mut compiled = std::mem::take(&mut prepared.predicates).into_iter();
    let predicate = predicate.and_then(|_| compiled.next());
    let data = compiled.next();
    let explorer = prepared.explorer(parameters).map_err(overflow)?;
    let mut search = Restricted::new(explorer, Restriction::none());
    let mut swept =
        SweepResult { extreme: None, all: Values::default(), limit, trace: None, stored: 0, explored: 0 };
    let outcome = swept.run(&mut search, which, predicate.as_ref(), data.as_ref(), clock);
    search.explorer.report_progress();
    swept.stored = search.explorer.store.live();
    swept.explored = u64::from(search.explorer.store.node_count());
    outcome?;
    if let Some(extreme) = &swept.extreme {
        swept.trace = extremal_run(&mut search, extreme, which, clock, &prepared);
    }
    Ok(swept)
}

impl SweepResult {
    fn run(
        &mut self,
        search: &mut Restricted<'_>,
        which: ExtremumKind,
        predicate: Option<&Predicate>,
        data: Option<&Predicate>,
        clock: Option<usize>,
    ) -> Halted<()> {
        search.add_initial()?;
        while let Some(node) = search.next() {
            let (cells, zone, _) = search.state_of(node);
            search.set_target(&cells);
            let parts = match predicate {
                None => vec![zone],
                Some(predicate) => search.parts(predicate, true, &zone)?,
            };
            for part in parts {
                match (clock, data) {
                    (Some(clock), _) => {
                        let Some(own) = search.explorer.target.zone_clock(clock as u16 + 1) else {
                            let why = "a measured clock is not in the zone".to_owned();
                            return Err(SearchStop::Bug(why).into());
                        };
                        let upper = part.bound(own, Clock::REFERENCE);
                        let lower = part.bound(Clock::REFERENCE, own);
                        self.all.add(lower, upper);
                        let end = if which == ExtremumKind::Least { lower } else { upper };
                        self.note(end, node, part);
                    }
                    (None, Some(Predicate::Data(code))) => {
                        let explorer = &mut search.explorer;
                        let value = explorer.execution.value(explorer.machine, *code, &[]);
                        let value = value.map_err(Halt::Failure)?;
                        let bound = |value: i64| Bound::finite(value, true).map_err(overflow);
                        let (lower, upper) = (bound(-i64::from(value))?, bound(i64::from(value))?);
                        self.all.add(lower, upper);
                        self.note(if which == ExtremumKind::Least { lower } else { upper }, node, part);
                        // All parts of a state have the same value.
                        break;
                    }
                    _ => return Err(SearchStop::Bug("no expression to measure".to_owned()).into()),
                }
            }
            search.expand(node)?;
        }
        Ok(())
    }

    /// Keeps the greatest bound: an upper bound of the value, or of its negation.
    fn note(&mut self, end: Bound, node: NodeId, part: Zone) {
        if self.extreme.as_ref().is_none_or(|extreme| end > extreme.end) {
            self.extreme = Some(Extreme { end, node, part });
        }
    }

    fn measurement(self, which: ExtremumKind) -> Measurement {
        let value = match (&self.extreme, which) {
            (None, _) => MeasuredValue::NoState,
            (Some(extreme), ExtremumKind::Greatest) => MeasuredValue::Supremum(limit_of(extreme.end, 1)),
            (Some(extreme), ExtremumKind::Least) => MeasuredValue::Infimum(limit_of(extreme.end, -1)),
            (Some(_), ExtremumKind::All) => MeasuredValue::Intervals(self.all.intervals()),
        };
        Measurement { value, trace: self.trace, remark: None, stored: self.stored }
    }
}

fn limit_of(bound: Bound, sign: i64) -> Limit {
    match bound.constant() {
        None => Limit::Unbounded,
        Some(constant) => {
            let value = Rational::from_integer(sign * i64::from(constant));
            if bound.is_weak() { Limit::Attained(value) } else { Limit::Approached(value) }
        }
    }
}

/// Computes a run to the extreme value, or near it.
fn extremal_run(
    search: &mut Restricted<'_>,
    extreme: &Extreme,
    which: ExtremumKind,
    clock: Option<usize>,
    prepared: &Prepared,
) -> Option<Trace> {
    let mut part = extreme.part.clone();
    if let Some(clock) = clock {
        // A node that was covered after the extreme was found has no zone any more.
        let cells = search.cells_of(extreme.node);
        search.set_target(&cells);
        let own = search.explorer.target.zone_clock(clock as u16 + 1)?;
        let near = match (extreme.end.constant(), extreme.end.is_weak()) {
            (None, _) => None,
            // Attained, or less than one away from it.
            (Some(constant), is_weak) => {
                let bound = Bound::finite(i64::from(!is_weak) - i64::from(constant), is_weak).ok()?;
                Some(match which {
                    ExtremumKind::Least => Constraint::difference(own, Clock::REFERENCE, bound),
                    _ => Constraint::difference(Clock::REFERENCE, own, bound),
                })
            }
        };
        if let Some(near) = near {
            part.constrain(near).ok()?;
        }
    }
    trace_to(search, extreme.node, &part, prepared.process_count).ok().flatten()
}

#[derive(Default)]
struct Values {
    /// For each interval the upper bound of the negated values, and the upper bound.
    list: Vec<(Bound, Bound)>,
}

impl Values {
    fn add(&mut self, lower: Bound, upper: Bound) {
        let is_known = self.list.iter().any(|known| known.0 >= lower && known.1 >= upper);
        if !is_known {
            self.list.retain(|known| !(lower >= known.0 && upper >= known.1));
            self.list.push((lower, upper));
        }
    }

    /// Returns whether some interval ends beyond a limit, so that values may be missing there.
    fn exceed(&self, limit: i64) -> bool {
        self.list.iter().any(|(lower, upper)| {
            let begins_beyond = lower.constant().is_some_and(|lower| -i64::from(lower) > limit);
            begins_beyond || (!upper.is_infinite() && exceeds(*upper, limit))
        })
    }

    fn intervals(mut self) -> Vec<(Limit, Limit)> {
        self.list.sort_by_key(|interval| std::cmp::Reverse(interval.0));
        let mut merged: Vec<(Bound, Bound)> = Vec::new();
        for (lower, upper) in self.list {
            match merged.last_mut() {
                // Adjacent if no value lies between them.
                Some(last) if touches(last.1, lower) => last.1 = last.1.max(upper),
                _ => merged.push((lower, upper)),
            }
        }
        merged.into_iter().map(|(lower, upper)| (limit_of(lower, -1), limit_of(upper, 1))).collect()
    }
}

/// Returns whether one interval starts where another ends.
fn touches(upper: Bound, lower: Bound) -> bool {
    match (upper.constant(), lower.constant()) {
        (Some(upper_constant), Some(lower_constant)) => {
            let sum = upper_constant + lower_constant;
            sum > 0 || (sum == 0 && (upper.is_weak() || lower.is_weak()))
        }
        _ => true,
    }
}

/// Whether a clock can have arbitrarily large values, though no zone shows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Growth {
    ForEver,
    Ends,
    /// The value may be copied from other clocks, which is not tracked.
    Unknown,
    /// The state limit was too low.
    Open,
}

/// Searches for a cycle with positive duration on which the clock is not set, and from which measured states are
/// reachable.
fn grows_unboundedly(
    network: &Network,
    predicate: Option<&Expression>,
    measured: Quantity<'_>,
    parameters: SearchParameters<'_>,
) -> Result<Growth, MeasureFailure> {
    let keeps = match measured {
        Quantity::Clock(clock) => Some(clock),
        Quantity::Time => None,
        Quantity::Data(_) => return Ok(Growth::Ends),
    };
    let mut has_copies = false;
    for_each_expression(network, &mut |part| {
        if let ExpressionKind::Assign { target, value, .. } = &part.kind {
            has_copies |= target.value_type == Type::Clock && value.value_type == Type::Clock;
        }
    });
    if has_copies && keeps.is_some() {
        return Ok(Growth::Unknown);
    }
    let predicates: Vec<WantedPredicate<'_>> = predicate.into_iter().map(|part| (part, true)).collect();
    // If no clock must be kept, the watch may start at the initial state.
    let at = if keeps.is_some() { IDLE } else { PENDING };
    let mut prepared = prepare(network, at, &predicates, Profile::Branching)
        .map_err(|why| MeasureFailure::Reason(UnknownReason::Unsupported(why)))?;
    let observer = prepared.machine.layout().clock_count() - 1;
    prepared.bounds.watch(observer, prepared.process_count, PENDING as usize, LuPair { lower: 1, upper: 1 });
    if let Some(clock) = keeps {
        prepared.bounds.watch_everywhere(clock, LuPair { lower: 0, upper: 0 });
    }
    let goal = std::mem::take(&mut prepared.predicates).into_iter().next();
    let restriction = Restriction {
        clock: ObserverClock::Ticks,
        afterwards: goal,
        keeps: keeps.map(|clock| clock as u16 + 1),
        start: if keeps.is_some() { Start::Anywhere } else { Start::AtOnce },
        ..Restriction::none()
    };
    let explorer = prepared.explorer(parameters).map_err(overflow)?;
    let mut search = Restricted::new(explorer, restriction);
    let found = search.find();
    search.explorer.report_progress();
    match found? {
        RunSearchResult::Nothing => Ok(Growth::Ends),
        RunSearchResult::End { .. } | RunSearchResult::Cycle { .. } => Ok(Growth::ForEver),
    }
}
