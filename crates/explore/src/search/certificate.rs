//! Certificates: sets of states that no transition leaves, as evidence that bad states are unreachable.
//!
//! Nothing here has to be trusted, because the independent checker verifies every certificate. The search explores the
//! whole network, or a part of it if the whole is too large. Zones are enlarged before they are stored, so that
//! covering is inclusion and the stored zones are the certificate. A clock that is not read again is free. Committed
//! states are left out; the checker computes their successors itself.
//!
//! Enlargement is exact for networks without clock differences. With differences it may reach unreachable states; then
//! the search is repeated with less enlargement, finally with none, which may run until the budget ends.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use tempora_evidence::{
    Budget, Certificate, CertificateZones, CertifiedStates, ClockBound, Phase, Progress, UnknownReason,
};
use tempora_machine::{Machine, Predicate, compile_predicate};
use tempora_model::{
    Expression, ExpressionKind, Formula, LocationId, LocationKind, Network, Query, QueryKind, Type, Value,
    VariableKind,
};
use tempora_zones::{ArenaCandidate, Clock, Extrapolation, Zone, ZoneArena, ZoneHandle};

use crate::graph::bounds::{ClockBounds, NONE as NO_BOUND, Profile};
use crate::graph::explorer::{Explorer, SearchStop, too_large};
use crate::graph::store::Covering;
use crate::graph::waiting::SearchOrder;
use crate::search::engine::{compiled, reason};
use crate::search::goals::Goal;
use crate::search::hidden_deadlocks::{DeadlockTable, is_monotonic_in_deadlocks};
use crate::search::localise::{never_happens, part_with};
use crate::search::support::declined_predicate;

/// How zones are enlarged before they are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Enlargement {
    /// By lower and upper bounds (LU).
    Bounds,
    /// By the larger of the two bounds (M).
    Maxima,
    /// Not at all.
    None,
}

/// Whether a certificate contains committed states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CommittedStates {
    Kept,
    LeftOut,
}

/// State limit of a search without enlargement, which may not terminate.
const MOST_STATES_WITHOUT_ENLARGEMENT: u64 = 10_000;

/// Before a part of the network is tried: the least number of states for the whole network, and the share of time it
/// may take. The second constant is the state limit for the part.
const WHOLE_NETWORK_BUDGET: (u64, u32) = (30_000, 4);
const MOST_STATES_OF_A_PART: u64 = 1_000_000;

/// Returns a certificate of the whole network without enlarged zones: if the checker refuses it, the search itself is
/// wrong.
pub fn exact_certificate(
    network: &Network,
    query: &Query,
    explored: u64,
    budget: &Budget,
    progress: &Progress,
) -> Result<Certificate, UnknownReason> {
    let (predicate, wanted) = bad_states(query)?;
    // Without enlargement there may be infinitely many zones, even with an unlimited budget.
    let budget = budget.part(explored.saturating_mul(4).max(MOST_STATES_WITHOUT_ENLARGEMENT), 1);
    let how = (CommittedStates::LeftOut, CertificateZones::Exact);
    search_states(network, predicate, wanted, how, &budget, progress)
}

/// Returns a certificate that `A[] p` holds or that `E<> p` does not, or the reason why none was found. `explored` is
/// the number of states that the engine explored to decide the query.
pub fn certificate(
    network: &Network,
    query: &Query,
    explored: u64,
    budget: &Budget,
    progress: &Progress,
) -> Result<Certificate, UnknownReason> {
    let (predicate, wanted) = bad_states(query)?;
    let whole = |budget: &Budget| {
        search_states(
            network,
            predicate,
            wanted,
            (CommittedStates::LeftOut, CertificateZones::Enlarged),
            budget,
            progress,
        )
    };
    let (least, share) = WHOLE_NETWORK_BUDGET;
    // Certificates usually have about as many nodes as the search had states. If the query was decided on a part, the
    // states explored before that are not all.
    match whole(&budget.part(explored.saturating_add(explored / 2).max(least), share)) {
        Err(UnknownReason::StateLimit | UnknownReason::Timeout) => {}
        found => return found,
    }
    match certificate_on_a_part(network, query, budget, progress) {
        Some(found) => Ok(found),
        None => whole(budget),
    }
}

/// Returns the predicate of a query and the truth value that bad states give it.
fn bad_states(query: &Query) -> Result<(&Expression, bool), UnknownReason> {
    match &query.kind {
        QueryKind::Formula(Formula::Possibly(predicate)) => Ok((predicate, true)),
        QueryKind::Formula(Formula::Always(predicate)) => Ok((predicate, false)),
        _ => {
            let why = "certificates exist for `A[] p` and `E<> p` only".to_owned();
            Err(UnknownReason::Unsupported(why))
        }
    }
}

/// Returns a certificate for a part of the network only; `None` if no part suffices.
pub fn certificate_on_a_part(
    network: &Network,
    query: &Query,
    budget: &Budget,
    progress: &Progress,
) -> Option<Certificate> {
    let (predicate, wanted) = bad_states(query).ok()?;
    let shown = never_happens(network, predicate, wanted, budget, MOST_STATES_OF_A_PART)?;
    let (smaller, part, predicate) = part_with(network, predicate, shown)?;
    let budget = budget.part(u64::MAX, 2);
    // The checker may consider other states of a part committed.
    let how = (CommittedStates::Kept, CertificateZones::Enlarged);
    let found = search_states(&smaller, &predicate, wanted, how, &budget, progress).ok()?;
    Some(Certificate { part: Some(part), ..found })
}

/// Collects the states that a search of a network stores.
fn search_states(
    network: &Network,
    predicate: &Expression,
    wanted: bool,
    (passing, zones): (CommittedStates, CertificateZones),
    budget: &Budget,
    progress: &Progress,
) -> Result<Certificate, UnknownReason> {
    let unsupported = |what: String| UnknownReason::Unsupported(what);
    let mentions_deadlock = predicate.any(&mut |part| matches!(part.kind, ExpressionKind::Deadlock));
    if let Some(why) = declined_predicate(network, predicate) {
        return Err(unsupported(why));
    }
    let mut machine = compiled(network).map_err(unsupported)?;
    let compiled = compile_predicate(&mut machine, network, predicate)
        .map_err(|declined| unsupported(format!("the zone engine does not support {}", declined.what)))?;
    let search = CertificateSearch {
        network,
        machine: &machine,
        goal: (&compiled, predicate, wanted),
        passing,
        zones,
    };
    if !mentions_deadlock {
        return search.with_profile(Profile::Reach, budget, progress).map_err(CertificateFailure::reason);
    }
    // Usually no value of an enlarged zone is deadlocked. Otherwise zones are enlarged less, clock by clock.
    if is_monotonic_in_deadlocks(&compiled, wanted) {
        let mut kept_apart = BTreeSet::new();
        loop {
            let count = kept_apart.len();
            match search.with_profile(Profile::Simulation(&kept_apart), budget, progress) {
                Ok(found) => return Ok(found),
                Err(CertificateFailure::Hidden(clocks)) => kept_apart.extend(clocks),
                Err(CertificateFailure::Reached) => {}
                Err(CertificateFailure::Other(reason)) => return Err(reason),
            }
            if kept_apart.len() == count {
                break;
            }
        }
    }
    search.with_profile(Profile::Branching, budget, progress).map_err(CertificateFailure::reason)
}

/// A search for the states of a certificate.
struct CertificateSearch<'search> {
    network: &'search Network,
    machine: &'search Machine,
    /// The bad states: a predicate, its source expression, and the truth value that it must not have.
    goal: (&'search Predicate, &'search Expression, bool),
    passing: CommittedStates,
    zones: CertificateZones,
}

/// Why a search found no certificate.
enum CertificateFailure {
    /// A bad state is in a zone.
    Reached,
    /// A bad state is in a zone, possibly only because it was enlarged by values of these clocks.
    Hidden(Vec<usize>),
    Other(UnknownReason),
}

impl CertificateFailure {
    fn reason(self) -> UnknownReason {
        match self {
            CertificateFailure::Reached | CertificateFailure::Hidden(_) => {
                UnknownReason::EngineBug("a bad state is in the certificate".to_owned())
            }
            CertificateFailure::Other(reason) => reason,
        }
    }
}

impl CertificateSearch<'_> {
    /// Collects the states of a search with a given profile of bounds.
    fn with_profile(
        &self,
        profile: Profile<'_>,
        budget: &Budget,
        progress: &Progress,
    ) -> Result<Certificate, CertificateFailure> {
        let unsupported = |what: String| CertificateFailure::Other(UnknownReason::Unsupported(what));
        let (compiled, predicate, wanted) = self.goal;
        let bounds = ClockBounds::new(self.network, self.machine, &[(predicate, wanted)], profile)
            .map_err(|what| unsupported(format!("the zone engine does not support {what}")))?;
        let all = [Enlargement::Bounds, Enlargement::Maxima, Enlargement::None];
        let attempts = match self.zones {
            CertificateZones::Exact => &all[2..],
            CertificateZones::Enlarged if bounds.diagonals.is_empty() => &all[..1],
            CertificateZones::Enlarged => &all[..],
        };
        let mut last = CertificateFailure::Reached;
        for &attempt in attempts {
            let goals = &mut [Goal::new(compiled.clone(), wanted)];
            let limited;
            let budget = if attempt == Enlargement::None && self.zones == CertificateZones::Enlarged {
                limited = budget.part(MOST_STATES_WITHOUT_ENLARGEMENT, 1);
                &limited
            } else {
                budget
            };
            progress.enter(Phase::Exploring);
            let order = SearchOrder::default();
            let mut explorer = Explorer::new(self.machine, &bounds, goals, order, budget, progress)
                .map_err(|overflow| unsupported(overflow.to_string()))?;
            explorer.certifying = Some(attempt);
            if matches!(profile, Profile::Simulation(_)) {
                explorer.deadlocks = Some(DeadlockTable::new());
            }
            match explorer.run() {
                ControlFlow::Continue(()) => {
                    return collect(self.network, self.machine, &explorer, self.passing, budget)
                        .map_err(CertificateFailure::Other);
                }
                ControlFlow::Break(SearchStop::Decided) if attempts.len() > 1 => {
                    let what = "the zones of the certificate grow too large".to_owned();
                    last = CertificateFailure::Other(UnknownReason::OverApproximation(what));
                }
                ControlFlow::Break(SearchStop::Decided) => {}
                ControlFlow::Break(SearchStop::Hidden(clocks)) => last = CertificateFailure::Hidden(clocks),
                ControlFlow::Break(stop) => last = CertificateFailure::Other(reason(&stop)),
            }
        }
        Err(last)
    }
}

/// Covering by inclusion of zones.
pub(crate) struct Inclusion;

impl Covering for Inclusion {
    fn is_covering(&mut self, zones: &ZoneArena, stored: ZoneHandle, candidate: &ArenaCandidate) -> bool {
        zones.includes(stored, candidate)
    }

    fn is_covered(&mut self, zones: &ZoneArena, stored: ZoneHandle, candidate: &ArenaCandidate) -> bool {
        zones.is_included_in(stored, candidate)
    }
}

impl Explorer<'_> {
    /// Returns the zone of the target as a search for a certificate stores it.
    pub(crate) fn enlarged(&mut self, zone: &Zone, how: Enlargement) -> ControlFlow<SearchStop, Zone> {
        let mut zone = zone.clone();
        let extrapolation = match how {
            Enlargement::Bounds => Extrapolation::LuPlus,
            Enlargement::Maxima => Extrapolation::M,
            Enlargement::None => return ControlFlow::Continue(zone),
        };
        let mut lu = self.take_lu(zone.dimension());
        for (position, &clock) in self.target.active().iter().enumerate() {
            let pair = self.bounds.pair(usize::from(clock), self.execution.cells());
            let some = |bound: i32| (bound != NO_BOUND).then_some(bound);
            lu.set_lower(Clock(position as u16 + 1), some(pair.lower));
            lu.set_upper(Clock(position as u16 + 1), some(pair.upper));
        }
        let enlarged = zone.extrapolate(extrapolation, &lu);
        let size = zone.dimension().size();
        self.lu[size] = Some(lu);
        if let Err(overflow) = enlarged {
            return ControlFlow::Break(too_large(overflow));
        }
        // Outside the invariants no transition is possible, so every value there would count as deadlocked.
        if self.deadlocks.is_some()
            && let Some(allowed) = self.allowed_by_invariants(false)?
        {
            match zone.intersect(&allowed) {
                Ok(_) => {}
                Err(overflow) => return ControlFlow::Break(too_large(overflow)),
            }
        }
        ControlFlow::Continue(zone)
    }
}

/// Collects the states that a search has stored.
fn collect(
    network: &Network,
    machine: &Machine,
    explorer: &Explorer<'_>,
    passing: CommittedStates,
    budget: &Budget,
) -> Result<Certificate, UnknownReason> {
    let layout = machine.layout();
    // Certificates do not number hybrid clocks.
    let mut numbers = Vec::with_capacity(layout.clock_count());
    let mut next = 0;
    for clock in 0..layout.clock_count() {
        let is_hybrid = network.variables[layout.clock_owner(clock)].kind == VariableKind::Hybrid;
        numbers.push((!is_hybrid).then_some(next));
        next += u32::from(!is_hybrid);
    }
    let number = |clock: u16| clock.checked_sub(1).and_then(|clock| numbers[usize::from(clock)]);
    let mut states = Vec::new();
    let mut watch = budget.watch();
    for (cells, constraints) in explorer.stored_states() {
        watch.check(0)?;
        let (locations, data) = cells.split_at(layout.process_count());
        let locations: Vec<LocationId> =
            locations.iter().map(|&location| LocationId(location as u32)).collect();
        if passing == CommittedStates::LeftOut && is_committed(network, &locations) {
            continue;
        }
        let mut data = data.iter().copied();
        let values = network
            .variables
            .values()
            .map(|variable| match variable.kind {
                VariableKind::State | VariableKind::Hybrid => {
                    stored_value(&variable.value_type, &variable.initial, &mut data)
                }
                VariableKind::Constant | VariableKind::Meta => Some(variable.initial.clone()),
            })
            .collect::<Option<Vec<Value>>>();
        let Some(values) = values else {
            let what = "certificates cannot contain floating point numbers".to_owned();
            return Err(UnknownReason::Unsupported(what));
        };
        states.push(CertifiedStates {
            locations,
            values,
            bounds: constraints
                .into_iter()
                .map(|constraint| ClockBound {
                    left: number(constraint.left),
                    right: number(constraint.right),
                    constant: constraint.constant,
                    is_strict: constraint.is_strict,
                })
                .collect(),
        });
    }
    Ok(Certificate { part: None, states })
}

fn is_committed(network: &Network, locations: &[LocationId]) -> bool {
    let mut places = network.processes.values().zip(locations);
    places.any(|(process, &location)| process.locations[location].kind == LocationKind::Committed)
}

/// Reads a value of a type from the next numbers; a value without numbers keeps its initial value. `None` if the type
/// contains floating point numbers or too few numbers are left.
pub fn stored_value(
    value_type: &Type,
    initial: &Value,
    cells: &mut impl Iterator<Item = i32>,
) -> Option<Value> {
    match (value_type, initial) {
        (Type::Array(array), Value::Parts(parts)) => parts
            .iter()
            .map(|part| stored_value(&array.element, part, cells))
            .collect::<Option<_>>()
            .map(Value::Parts),
        (Type::Record(record), Value::Parts(parts)) => {
            let fields = parts.iter().zip(&record.fields);
            fields
                .map(|(part, field)| stored_value(&field.field_type, part, cells))
                .collect::<Option<_>>()
                .map(Value::Parts)
        }
        (Type::Integer(_) | Type::Boolean | Type::Scalar(_), _) => cells.next().map(Value::Integer),
        (Type::Double, _) => None,
        _ => Some(initial.clone()),
    }
}
