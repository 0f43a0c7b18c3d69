//! Liveness formulas: one search for each.
//!
//! Invariant: the relation of the bounds is a bisimulation, or a simulation with a check for hidden deadlocks. Every
//! formula without verdict has a reason.

use std::collections::BTreeSet;

use tempora_evidence::{Budget, Ending, Progress, Trace, UnknownReason};
use tempora_machine::{Machine, Predicate, compile, compile_predicate};
use tempora_model::{Expression, Formula, Network, evaluate_constant};
use tempora_zones::BoundOverflow;

use crate::graph::bounds::{ClockBounds, LuPair, Profile, WantedPredicate};
use crate::graph::explorer::{Explorer, SearchStop};
use crate::graph::waiting::SearchOrder;
use crate::liveness::maximal_runs::{PathItem, PathReplay, RunSearchResult};
use crate::liveness::nested;
use crate::liveness::observer::{IDLE, PENDING, observed};
use crate::liveness::restricted::{Halt, Halted, ObserverClock, Restricted, Restriction, Start};
use crate::liveness::run_ends::{End, EndKind};
use crate::runs::lasso::{ending_trace, fineness, lasso_trace, rounds_of};
use crate::runs::trace::PathStep;
use crate::search::engine::{RunPreference, reason, runtime_error, unsupported_construct};
use crate::search::hidden_deadlocks::DeadlockTable;
use crate::search::support::declined_predicate;

/// How Zeno runs are treated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ZenoRuns {
    /// They count as runs, as in UPPAAL.
    #[default]
    Count,
    /// They do not count as runs.
    Exclude,
}

/// The answer to one formula.
pub(crate) struct FormulaOutcome {
    pub(crate) holds: Result<bool, UnknownReason>,
    /// Whether a run shows the verdict.
    pub(crate) has_run: bool,
    pub(crate) trace: Option<Trace>,
    pub(crate) remarks: Vec<&'static str>,
    pub(crate) stored: u64,
}

/// The parameters of all searches.
#[derive(Clone, Copy)]
pub(crate) struct SearchParameters<'task> {
    pub(crate) zeno: ZenoRuns,
    pub(crate) order: SearchOrder,
    pub(crate) preference: RunPreference,
    pub(crate) budget: &'task Budget,
    pub(crate) progress: &'task Progress,
}

impl Prepared {
    /// Creates a search without goals.
    pub(crate) fn explorer<'task>(
        &'task self,
        parameters: SearchParameters<'task>,
    ) -> Result<Explorer<'task>, BoundOverflow> {
        Explorer::new(
            &self.machine,
            &self.bounds,
            &mut [],
            parameters.order,
            parameters.budget,
            parameters.progress,
        )
    }
}

/// A network with an observer, compiled for a search.
pub(crate) struct Prepared {
    pub(crate) machine: Machine,
    pub(crate) bounds: ClockBounds,
    pub(crate) predicates: Vec<Predicate>,
    pub(crate) process_count: usize,
}

/// Compiles a network with an observer that starts in the given location, and predicates.
pub(crate) fn prepare(
    network: &Network,
    start: i32,
    predicates: &[WantedPredicate<'_>],
    profile: Profile<'_>,
) -> Result<Prepared, String> {
    let process_count = network.processes.len();
    let Some(network) = observed(network, start) else {
        return Err("the zone engine does not support networks without processes".to_owned());
    };
    let mut machine = compile(&network).map_err(|declined| unsupported_construct(&declined))?;
    let mut compiled = Vec::new();
    for (predicate, _) in predicates {
        if let Some(why) = declined_predicate(&network, predicate) {
            return Err(why);
        }
        let predicate = compile_predicate(&mut machine, &network, predicate)
            .map_err(|declined| unsupported_construct(&declined))?;
        compiled.push(predicate);
    }
    // Only a bisimulation preserves whether a state is deadlocked.
    let mentions_deadlock = compiled.iter().any(Predicate::mentions_deadlock);
    let profile = if mentions_deadlock { Profile::Branching } else { profile };
    let bounds = ClockBounds::new(&network, &machine, predicates, profile)
        .map_err(|what| format!("the zone engine does not support {what}"))?;
    Ok(Prepared { machine, bounds, predicates: compiled, process_count })
}

/// How a formula is answered.
pub(crate) enum FormulaPlan {
    /// By a search for a run.
    Run(Box<RunPlan>),
    /// By a search for states from which a goal is unreachable.
    Nested(Box<Prepared>),
}

/// Compiles the search for a formula, or returns why it is declined.
pub(crate) fn prepared(network: &Network, formula: &Formula, zeno: ZenoRuns) -> Result<FormulaPlan, String> {
    if let Formula::AlwaysPossibly { premise, goal } = formula {
        let prepared = nested::prepared(network, premise.as_ref(), goal)?;
        return Ok(FormulaPlan::Nested(Box::new(prepared)));
    }
    let plan = plan(network, formula, zeno, &BTreeSet::new())?;
    Ok(FormulaPlan::Run(Box::new(plan)))
}

/// A search for a run that decides a formula.
pub(crate) struct RunPlan {
    prepared: Prepared,
    restriction: Restriction,
    /// Whether the formula holds if a run is found.
    holds_if_found: bool,
}

/// Plans the search for a run. The relation of the bounds is a simulation, except for some clocks (see
/// `hidden_deadlocks.rs`).
fn plan(
    network: &Network,
    formula: &Formula,
    zeno: ZenoRuns,
    kept_apart: &BTreeSet<usize>,
) -> Result<RunPlan, String> {
    let none = Vec::new();
    let (premise, stay, again, has_ends, holds_if_found) = match formula {
        Formula::PotentiallyAlways(stay) => (None, Some((stay, true)), &none, true, true),
        Formula::Eventually(goal) => (None, Some((goal, false)), &none, true, false),
        Formula::LeadsTo { premise, conclusion, .. } => {
            (Some(premise), Some((conclusion, false)), &none, true, false)
        }
        Formula::InfinitelyOften(again) => (None, None, again, false, true),
        _ => return Err("the zone engine does not support this formula".to_owned()),
    };
    let start = if premise.is_some() { IDLE } else { PENDING };
    let mut predicates: Vec<WantedPredicate<'_>> =
        premise.into_iter().map(|premise| (premise, true)).collect();
    predicates.extend(stay);
    predicates.extend(again.iter().map(|again| (again, true)));
    let mut prepared = prepare(network, start, &predicates, Profile::Simulation(kept_apart))?;
    let clock = match formula {
        Formula::LeadsTo { within: Some(within), .. } => {
            let deadline = evaluate_constant(&network.variables, &network.functions, within)
                .ok()
                .and_then(|value| value.as_integer())
                .filter(|deadline| *deadline >= 0)
                .ok_or("the zone engine does not support deadlines that are negative or not constant")?;
            ObserverClock::Deadline(deadline)
        }
        _ if zeno == ZenoRuns::Exclude => ObserverClock::Ticks,
        _ => ObserverClock::Unused,
    };
    let watched = match clock {
        ObserverClock::Unused => None,
        ObserverClock::Ticks => Some(1),
        ObserverClock::Deadline(deadline) => Some(deadline),
    };
    if let Some(greatest) = watched {
        let own = prepared.machine.layout().clock_count() - 1;
        let pair = LuPair { lower: greatest, upper: greatest };
        prepared.bounds.watch(own, prepared.process_count, PENDING as usize, pair);
    }
    let mut compiled = prepared.predicates.drain(..);
    let start = premise.and_then(|_| compiled.next()).map_or(Start::AtOnce, Start::Where);
    let stay = stay.and_then(|(_, wanted)| Some((compiled.next()?, wanted)));
    let again: Vec<Predicate> = compiled.collect();
    if again.len() > 64 || !again.iter().all(Predicate::is_discrete) {
        return Err(
            "the zone engine does not support `buchi:` with clock conditions or with many conditions"
                .to_owned(),
        );
    }
    let restriction = Restriction { stay, start, has_ends, clock, again, ..Restriction::none() };
    Ok(RunPlan { prepared, restriction, holds_if_found })
}

/// Answers a formula.
pub(crate) fn answer(
    network: &Network,
    formula: &Formula,
    parameters: SearchParameters<'_>,
) -> FormulaOutcome {
    match prepared(network, formula, parameters.zeno) {
        Ok(plan) => answer_prepared(network, formula, plan, parameters),
        Err(why) => FormulaOutcome::unknown(UnknownReason::Unsupported(why)),
    }
}

/// Answers a formula with its compiled search.
pub(crate) fn answer_prepared(
    network: &Network,
    formula: &Formula,
    prepared: FormulaPlan,
    parameters: SearchParameters<'_>,
) -> FormulaOutcome {
    let mut first = match prepared {
        FormulaPlan::Nested(prepared) => return nested::answer(*prepared, parameters),
        FormulaPlan::Run(plan) => Some(*plan),
    };
    let mut kept_apart = BTreeSet::new();
    loop {
        let plan = match first.take().map_or_else(|| plan(network, formula, parameters.zeno, &kept_apart), Ok)
        {
            Ok(plan) => plan,
            Err(why) => return FormulaOutcome::unknown(UnknownReason::Unsupported(why)),
        };
        match execute_plan(network, formula, plan, parameters) {
            Ok(outcome) => return outcome,
            Err(HiddenClocks(clocks)) => kept_apart.extend(clocks),
        }
    }
}

/// After how many nodes a proof from all clock values at the start of the watch is tried, and its state limit. So the
/// attempt takes a bounded share of the work.
const PAUSE_AFTER: u64 = 30_000;
const MOST_STATES: u64 = 400_000;
const SHARE_OF_TIME: u32 = 2;

pub(crate) const FROM_ANY_VALUES: &str = "proved from all clock values that satisfy the premise";

/// Returns whether no run is found even if the watch may start with all clock values that the invariants allow. Most
/// obligations do not depend on the run before they arise, so only the time after that needs zones.
pub(crate) fn holds_from_any_values(
    network: &Network,
    formula: &Formula,
    parameters: SearchParameters<'_>,
) -> bool {
    let mut kept_apart = BTreeSet::new();
    loop {
        let Ok(RunPlan { prepared, restriction, .. }) = plan(network, formula, parameters.zeno, &kept_apart)
        else {
            return false;
        };
        let Ok(mut explorer) = prepared.explorer(parameters) else { return false };
        explorer.deadlocks = (!prepared.bounds.is_bisimulation()).then(DeadlockTable::new);
        let mut search = Restricted::new(explorer, restriction);
        search.guesses_start = true;
        match search.find() {
            Ok(RunSearchResult::Nothing) => return true,
            Err(Halt::Stop(SearchStop::Hidden(clocks))) => kept_apart.extend(clocks),
            // Such a run may start from unreachable clock values.
            Ok(_) | Err(_) => return false,
        }
    }
}

/// The clocks whose values must be kept apart in the next attempt.
struct HiddenClocks(Vec<usize>);

fn execute_plan(
    network: &Network,
    formula: &Formula,
    plan: RunPlan,
    parameters: SearchParameters<'_>,
) -> Result<FormulaOutcome, HiddenClocks> {
    let RunPlan { prepared, restriction, holds_if_found } = plan;
    let (clock, clocks) = (restriction.clock, prepared.machine.layout().clock_count());
    let explorer = prepared.explorer(parameters);
    let mut explorer = match explorer {
        Ok(explorer) => explorer,
        Err(overflow) => {
            return Ok(FormulaOutcome::unknown(UnknownReason::Unsupported(overflow.to_string())));
        }
    };
    explorer.deadlocks = (!prepared.bounds.is_bisimulation()).then(DeadlockTable::new);
    let mut search = Restricted::new(explorer, restriction);
    if matches!(search.restriction.start, Start::Where(_)) {
        search.pause_after = PAUSE_AFTER;
    }
    let mut found = search.find();
    if let Err(Halt::Stop(SearchStop::Paused)) = found {
        let budget = parameters.budget.part(MOST_STATES, SHARE_OF_TIME);
        if holds_from_any_values(network, formula, SearchParameters { budget: &budget, ..parameters }) {
            search.explorer.report_progress();
            let stored = search.explorer.store.live();
            let remarks = vec![FROM_ANY_VALUES];
            return Ok(FormulaOutcome { stored, remarks, ..FormulaOutcome::of(!holds_if_found) });
        }
        found = search.resume();
    }
    if let Err(Halt::Stop(SearchStop::Hidden(clocks))) = found {
        return Err(HiddenClocks(clocks));
    }
    search.explorer.report_progress();
    let mut outcome = match &found {
        Err(halt) => FormulaOutcome::halted(halt),
        Ok(RunSearchResult::Nothing) => FormulaOutcome::of(!holds_if_found),
        Ok(_) => FormulaOutcome { has_run: true, ..FormulaOutcome::of(holds_if_found) },
    };
    outcome.stored = search.explorer.store.live();
    if let Ok(found) = found {
        let mut constants =
            fineness(network, &tempora_machine::Layout::new(network), &predicates_of(formula));
        if clock == ObserverClock::Ticks {
            // A repeated observer's clock shows that the cycle takes time.
            constants.clock_count = clocks;
            constants.greatest = constants.greatest.max(1);
        }
        match trace_of(&mut search, &found, &prepared, constants, clocks) {
            Ok(trace) => outcome.trace = trace,
            // If the run cannot be repeated within the budget, the verdict stays and the run is missing.
            Err(_) => outcome.trace = None,
        }
    }
    match clock {
        ObserverClock::Deadline(_) => {}
        ObserverClock::Ticks => outcome.remarks.push("Zeno runs are excluded"),
        ObserverClock::Unused => outcome.remarks.push("Zeno runs are included, as in UPPAAL"),
    }
    Ok(outcome)
}

fn predicates_of(formula: &Formula) -> Vec<&Expression> {
    match formula {
        Formula::PotentiallyAlways(predicate) | Formula::Eventually(predicate) => vec![predicate],
        Formula::LeadsTo { premise, conclusion, .. } => vec![premise, conclusion],
        Formula::InfinitelyOften(again) => again.iter().collect(),
        _ => Vec::new(),
    }
}

/// Computes the run that was found, with delays.
fn trace_of(
    search: &mut Restricted<'_>,
    found: &RunSearchResult,
    prepared: &Prepared,
    fineness: crate::runs::lasso::Fineness,
    clock_count: usize,
) -> Halted<Option<Trace>> {
    search.needs_equality = false;
    match found {
        RunSearchResult::Nothing => Ok(None),
        RunSearchResult::End { moves, end: End { kind, part, .. } } => {
            let mut walk = search.walk(moves)?;
            let initial = PathReplay::initial(moves, prepared.process_count);
            let mut goal = search.explorer.target.constraints_of(part);
            let ending = match kind {
                EndKind::Deadlock => Ending::Deadlock,
                EndKind::DelayForever => Ending::DelayForever,
                EndKind::Late(beyond) => {
                    let guard = std::mem::replace(&mut goal, search.explorer.target.constraints_of(beyond));
                    let moment = PathStep { guard, may_delay_before: walk.may_delay, ..PathStep::empty() };
                    walk.items.push(PathItem::Moment(moment));
                    Ending::Goal
                }
            };
            Ok(ending_trace(initial, &walk.items, &goal, walk.may_delay, ending, clock_count))
        }
        RunSearchResult::Cycle { moves, cycle } => {
            let mut walk = search.walk(moves)?;
            let prefix = std::mem::take(&mut walk.items);
            let mut rounds = Vec::new();
            // The clock constraints may differ between rounds, as far as nothing depends on them.
            while rounds.len() < rounds_of(prefix.len(), cycle.len()) {
                let is_around = cycle.iter().try_for_each(|step| search.follow(&mut walk, *step));
                match is_around {
                    Ok(()) => rounds.push(std::mem::take(&mut walk.items)),
                    Err(_) if !rounds.is_empty() => break,
                    Err(halt) => return Err(halt),
                }
            }
            // Accumulated bounds may overflow in the second round; the round is the same anyway, and the run is
            // replayed.
            if let [only] = rounds.as_slice() {
                rounds = vec![only.clone(); 3];
            }
            let initial = PathReplay::initial(moves, prepared.process_count);
            let explorer = &mut search.explorer;
            let mut go_on = || explorer.spend().is_continue();
            Ok(lasso_trace(&initial, &prefix, &rounds, clock_count, fineness, &mut go_on))
        }
    }
}

impl FormulaOutcome {
    pub(crate) fn of(holds: bool) -> FormulaOutcome {
        FormulaOutcome { holds: Ok(holds), has_run: false, trace: None, remarks: Vec::new(), stored: 0 }
    }

    pub(crate) fn unknown(reason: UnknownReason) -> FormulaOutcome {
        FormulaOutcome { holds: Err(reason), has_run: false, trace: None, remarks: Vec::new(), stored: 0 }
    }

    pub(crate) fn halted(halt: &Halt) -> FormulaOutcome {
        FormulaOutcome::unknown(match halt {
            Halt::Stop(stop) => reason(stop),
            Halt::Failure(failure) => UnknownReason::ModelError(runtime_error(failure)),
        })
    }
}
