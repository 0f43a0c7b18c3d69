//! The exploration for all sanity checks, and the searches for the remaining questions.
//!
//! Invariant: the relation of the bounds is a bisimulation, so an exhaustive exploration also proves the absence of
//! deadlocks and of invariant violations. Every fact has a run as far as the budget suffices; runs are not replayed
//! here.

use std::ops::ControlFlow;

use tempora_evidence::{
    Budget, ChoiceFact, ConjunctSurvey, DeadlockFact, EdgeStage, EdgeSurvey, Ending, ErrorFact,
    ObservedRange, Phase, ProcessSurvey, Progress, Settled, Survey, Trace, UnknownReason, ViolationFact,
};
use tempora_machine::{ClockConstraint, EdgeIndex, Machine};
use tempora_model::{Id, LocationId, Network, ProcessId, Type, VariableKind};
use tempora_zones::{Bound, Clock, Zone};

use crate::graph::bounds::{ClockBounds, Profile};
use crate::graph::explorer::{Explorer, SearchStop};
use crate::graph::stopwatches::STOPWATCHES;
use crate::graph::waiting::SearchOrder;
use crate::liveness::branching::{SearchParameters, ZenoRuns};
use crate::runs::trace::{PathEnd, concrete_trace};
use crate::search::engine::{
    RunPreference, compiled, compiled_with_stopwatches, error_trace, reason, runtime_error,
};
use crate::survey::choices::Choices;
use crate::survey::observed_conditions::{watched_guards, watched_invariants};
use crate::survey::stuck;
use crate::survey::surveyor::{SureMove, Surveyor, Until, Violation};

/// The options of a survey.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SurveyOptions {
    /// The order in which states are explored.
    pub order: SearchOrder,
    /// Whether runs have as few transitions as possible; the search is then breadth-first.
    pub is_shortest: bool,
    /// When the exploration may end early.
    pub until: Until,
    /// Whether to determine which processes can get stuck for ever.
    pub components: bool,
    /// Whether to search for non-deterministic choices of a process.
    pub choices: bool,
    /// Whether to search for timelocks.
    pub timelocks: bool,
    /// Whether to search for Zeno runs.
    pub zeno: bool,
}

/// Explores a network and records the facts of all sanity checks, or returns why the network is declined.
pub fn survey(
    network: &Network,
    options: SurveyOptions,
    budget: &Budget,
    progress: &Progress,
) -> Result<Survey, String> {
    progress.enter(Phase::Preparing);
    let mut machine = compiled_with_stopwatches(network)?;
    if machine.has_rates() {
        return survey_of_stopwatches(network, &machine, options, budget, progress);
    }
    let guards = watched_guards(network, &mut machine);
    let invariants = watched_invariants(network, &mut machine);
    let bounds = ClockBounds::new(network, &machine, &[], Profile::Branching)
        .map_err(|what| format!("the zone engine does not support {what}"))?;
    let order = if options.is_shortest { SearchOrder::BreadthFirst } else { options.order };
    let mut explorer = Explorer::new(&machine, &bounds, &mut [], order, budget, progress)
        .map_err(|overflow| overflow.to_string())?;
    if options.is_shortest {
        explorer.store.keep_older();
    }
    let needs_moves = options.components || options.timelocks;
    let mut surveyor = Surveyor::new(network, &machine, guards, invariants, needs_moves);
    surveyor.until = options.until;
    surveyor.choices = options.choices.then(Choices::default);
    let (flow, surveyor) = observed(&mut explorer, surveyor)?;
    let grace = budget.grace();
    let mut survey = Survey {
        incomplete: match flow {
            ControlFlow::Continue(()) => surveyor.skipped.clone().map(UnknownReason::Unsupported),
            // All requested facts have been found.
            ControlFlow::Break(SearchStop::Decided) => match options.until {
                Until::FirstRun { .. } => Some(UnknownReason::Unsupported(
                    "the exploration stopped at the first finding".to_owned(),
                )),
                _ => None,
            },
            ControlFlow::Break(stop) => {
                if matches!(stop, SearchStop::Exhausted(_)) {
                    explorer.watch = grace.watch();
                }
                Some(reason(&stop))
            }
        },
        states: explorer.store.live(),
        ranges: observed_ranges(network, &machine, &surveyor),
        ..Survey::default()
    };
    let known = SureMoves { explorer: &explorer, surveyor: &surveyor, is_complete: survey.is_complete() };
    let moving = options.components.then(|| known.always_movable(network));
    let surely_passing = options.timelocks && known.time_always_diverges();
    progress.enter(Phase::Concretising);
    survey.processes = process_surveys(network, &mut explorer, &surveyor);
    survey.deadlocks = deadlocks(&mut explorer, &surveyor);
    survey.choices = choices(&mut explorer, &surveyor);
    survey.violations = surveyor
        .violations
        .iter()
        .map(|violation| ViolationFact {
            edges: violation
                .members
                .iter()
                .map(|&edge| (machine.edge(EdgeIndex(edge)).process, machine.edge(EdgeIndex(edge)).edge))
                .collect(),
            location: violation
                .process
                .map(|process| (ProcessId(process as u32), LocationId(violation.locations[process] as u32))),
            trace: violation_trace(&mut explorer, violation),
        })
        .collect();
    survey.errors = surveyor
        .errors
        .iter()
        .map(|error| ErrorFact {
            error: runtime_error(&error.failure),
            trace: error_trace(&mut explorer, error),
        })
        .collect();
    drop(explorer);
    let parameters = SearchParameters {
        zeno: ZenoRuns::Count,
        order: options.order,
        preference: RunPreference::Any,
        budget,
        progress,
    };
    let is_strong = (options.zeno || options.timelocks)
        && budget.attempt(|| stuck::structure_excludes_zeno_runs(network)).unwrap_or(false);
    // With an exhausted budget no further search is worth its preparation.
    let mut used_up = survey.incomplete.clone().filter(is_exhausted);
    let mut asked = |search: &dyn Fn() -> Settled| {
        if let Some(why) = &used_up {
            return Settled::Open(why.clone());
        }
        let settled = budget.attempt(search).unwrap_or_else(|limit| Settled::Open(limit.into()));
        if let Settled::Open(why) = &settled
            && is_exhausted(why)
        {
            used_up = Some(why.clone());
        }
        settled
    };
    if options.zeno {
        survey.zeno =
            if is_strong { Settled::Never } else { asked(&|| stuck::zeno_runs(network, parameters)) };
    }
    if options.timelocks {
        // A run that can always continue, and is never Zeno, takes for ever.
        let always_goes_on = survey.is_complete() && survey.deadlocks.is_empty() && survey.errors.is_empty();
        survey.timelock = if surely_passing || is_strong && always_goes_on {
            Settled::Never
        } else {
            asked(&|| stuck::timelocks(network, parameters))
        };
    }
    if let Some(moving) = moving {
        survey.stuck = network
            .processes
            .ids()
            .zip(moving)
            .map(|(process, moves)| {
                if moves { Settled::Never } else { asked(&|| stuck::component(network, process, parameters)) }
            })
            .collect();
    }
    progress.enter(Phase::Finished);
    Ok(survey)
}

/// Surveys a network with stopwatches. Zones are over-approximations, so only the absence of facts is reported.
fn survey_of_stopwatches(
    network: &Network,
    machine: &Machine,
    options: SurveyOptions,
    budget: &Budget,
    progress: &Progress,
) -> Result<Survey, String> {
    // Absence concerns discrete states only, which a simulation preserves.
    let bounds = ClockBounds::new(network, machine, &[], Profile::Reach)
        .map_err(|what| format!("the zone engine does not support {what}"))?;
    if !bounds.diagonals.is_empty() {
        return Err(
            "the zone engine does not support clock differences in a model with stopwatches".to_owned()
        );
    }
    let mut explorer = Explorer::new(machine, &bounds, &mut [], options.order, budget, progress)
        .map_err(|overflow| overflow.to_string())?;
    let mut surveyor = Surveyor::new(network, machine, Vec::new(), Vec::new(), false);
    surveyor.is_only_for_absence = true;
    if let Until::AllMet { .. } = options.until {
        surveyor.until = options.until;
    }
    let (flow, surveyor) = observed(&mut explorer, surveyor)?;
    let mut survey = Survey {
        incomplete: match flow {
            ControlFlow::Continue(()) => surveyor.skipped.clone().map(UnknownReason::Unsupported),
            ControlFlow::Break(SearchStop::Decided) => None,
            ControlFlow::Break(stop) => Some(reason(&stop)),
        },
        over_approximation: Some(STOPWATCHES.to_owned()),
        states: explorer.store.live(),
        ranges: observed_ranges(network, machine, &surveyor),
        ..Survey::default()
    };
    survey.processes = process_surveys(network, &mut explorer, &surveyor);
    progress.enter(Phase::Finished);
    Ok(survey)
}

/// Explores with an observer, and returns it with its observations.
fn observed(
    explorer: &mut Explorer<'_>,
    surveyor: Surveyor,
) -> Result<(ControlFlow<SearchStop>, Box<Surveyor>), String> {
    explorer.surveyor = Some(Box::new(surveyor));
    // No goal ends the search early.
    explorer.undecided = 1;
    let flow = explorer.run_to_end();
    explorer.report_progress();
    match explorer.surveyor.take() {
        Some(surveyor) => Ok((flow, surveyor)),
        None => Err("the observer of the survey is missing".to_owned()),
    }
}

/// Returns whether the reason is an exhausted budget.
fn is_exhausted(why: &UnknownReason) -> bool {
    why.is_exhausted()
}

/// Runs the exploration of a survey without the observer and returns the number of stored states, to measure the
/// overhead.
#[doc(hidden)]
pub fn exploration_without_observer(
    network: &Network,
    order: SearchOrder,
    budget: &Budget,
    progress: &Progress,
) -> Result<u64, String> {
    let machine = compiled(network)?;
    let bounds = ClockBounds::new(network, &machine, &[], Profile::Branching)?;
    let mut explorer = Explorer::new(&machine, &bounds, &mut [], order, budget, progress)
        .map_err(|overflow| overflow.to_string())?;
    explorer.undecided = 1;
    match explorer.run_to_end() {
        ControlFlow::Continue(()) => Ok(explorer.store.live()),
        ControlFlow::Break(stop) => Err(format!("{:?}", reason(&stop))),
    }
}

fn observed_ranges(network: &Network, machine: &Machine, surveyor: &Surveyor) -> Vec<ObservedRange> {
    let mut ranges = Vec::new();
    for (id, variable) in network.variables.iter() {
        let mut element = &variable.value_type;
        while let Type::Array(array) = element {
            element = &array.element;
        }
        if variable.kind != VariableKind::State || !matches!(element, Type::Integer(_) | Type::Boolean) {
            continue;
        }
        let cells = machine.layout().cells_of(network, id);
        if cells.is_empty() || cells.end > surveyor.least.len() {
            continue;
        }
        let least = surveyor.least[cells.clone()].iter().min();
        let greatest = surveyor.greatest[cells].iter().max();
        if let (Some(&least), Some(&greatest)) = (least, greatest)
            && least <= greatest
        {
            ranges.push(ObservedRange { variable: id, least, greatest });
        }
    }
    ranges
}

/// The limit on runs for edges that are never taken.
const MOST_NEAREST: usize = 50;

fn process_surveys(
    network: &Network,
    explorer: &mut Explorer<'_>,
    surveyor: &Surveyor,
) -> Vec<ProcessSurvey> {
    let mut facts: Vec<ProcessSurvey> = network
        .processes
        .iter()
        .map(|(id, process)| ProcessSurvey {
            locations: process
                .locations
                .ids()
                .map(|location| surveyor.reaches(id.index(), location.index()))
                .collect(),
            edges: vec![EdgeSurvey::default(); process.edges.len()],
            idle_invariants: Vec::new(),
        })
        .collect();
    for invariant in surveyor.invariants.iter().filter(|invariant| !invariant.restricts) {
        let place = (LocationId(invariant.location as u32), invariant.conjunct);
        facts[invariant.process].idle_invariants.push(place);
    }
    let mut runs = 0;
    for (index, &stage) in surveyor.stages.iter().enumerate() {
        let edge = explorer.machine.edge(EdgeIndex(index as u32));
        let place = (edge.process.index(), edge.edge.index());
        let stage = stage_of(stage);
        let has_none =
            matches!(stage, EdgeStage::Unreached | EdgeStage::Taken) || surveyor.is_only_for_absence;
        let nearest = if has_none || runs >= MOST_NEAREST {
            None
        } else {
            runs += 1;
            trace_to(explorer, surveyor.nearest[index], Vec::new(), Ending::Goal)
        };
        facts[place.0].edges[place.1] = EdgeSurvey { stage, nearest, ..EdgeSurvey::default() };
    }
    for select in &surveyor.selects {
        let facts = &mut facts[select.process].edges[select.edge].taken_selects;
        let values = (0..64).filter(|position| select.taken >> position & 1 == 1);
        debug_assert_eq!(facts.len(), select.select);
        facts.push(values.map(|position| select.least.saturating_add(position)).collect());
    }
    for guard in &surveyor.guards {
        facts[guard.process].edges[guard.edge].conjuncts = guard
            .conjuncts
            .iter()
            .map(|conjunct| ConjunctSurvey { was_true: conjunct.was_true, was_false: conjunct.was_false })
            .collect();
    }
    facts
}

fn stage_of(stage: u8) -> EdgeStage {
    const STAGES: [EdgeStage; 8] = [
        EdgeStage::Unreached,
        EdgeStage::InSource,
        EdgeStage::DataHolds,
        EdgeStage::GuardHolds,
        EdgeStage::HasPartners,
        EdgeStage::AllGuardsHold,
        EdgeStage::Updated,
        EdgeStage::Taken,
    ];
    STAGES[usize::from(stage).min(STAGES.len() - 1)]
}

fn deadlocks(explorer: &mut Explorer<'_>, surveyor: &Surveyor) -> Vec<DeadlockFact> {
    let mut facts = Vec::new();
    for (node, locations, constraints) in &surveyor.deadlocks {
        facts.push(DeadlockFact {
            locations: locations.iter().map(|&location| LocationId(location as u32)).collect(),
            trace: trace_to(explorer, node.0, constraints.clone(), Ending::Deadlock),
        });
    }
    facts
}

fn choices(explorer: &mut Explorer<'_>, surveyor: &Surveyor) -> Vec<ChoiceFact> {
    let met = surveyor.choices.iter().flat_map(|choices| &choices.found);
    met.map(|choice| {
        let [first, second] = choice.edges.map(|edge| explorer.machine.edge(EdgeIndex(edge)));
        ChoiceFact {
            process: first.process,
            edges: [first.edge, second.edge],
            trace: trace_to(explorer, choice.node, choice.constraints.clone(), Ending::Goal),
        }
    })
    .collect()
}

/// Computes a run to a node at whose end clock constraints hold.
fn trace_to(
    explorer: &mut Explorer<'_>,
    node: u32,
    goal: Vec<ClockConstraint>,
    ending: Ending,
) -> Option<Trace> {
    let (initial, path, may_delay) = explorer.path_to(crate::graph::store::NodeId(node), None).ok()?;
    let clock_count = explorer.machine.layout().clock_count();
    concrete_trace(initial, path, PathEnd { goal, may_delay, ending }, clock_count)
}

fn violation_trace(explorer: &mut Explorer<'_>, violation: &Violation) -> Option<Trace> {
    let locations = |cells: &[i32]| cells.iter().map(|&location| LocationId(location as u32)).collect();
    if violation.node == crate::graph::store::NONE {
        return Some(Trace {
            initial: locations(&violation.locations),
            steps: Vec::new(),
            final_delay: tempora_evidence::Rational::from_integer(0),
            ending: Ending::InvariantViolation,
        });
    }
    let node = crate::graph::store::NodeId(violation.node);
    let (initial, mut path, _) = explorer.path_to(node, Some(violation.ordinal)).ok()?;
    // The violated constraint replaces the constraints of the target.
    if let Some(last) = path.last_mut() {
        last.entry.clear();
    }
    let broken = violation.constraint.map(|constraint| ClockConstraint {
        left: constraint.right,
        right: constraint.left,
        constant: -constraint.constant,
        is_strict: !constraint.is_strict,
    });
    let end =
        PathEnd { goal: broken.into_iter().collect(), may_delay: false, ending: Ending::InvariantViolation };
    concrete_trace(initial, path, end, explorer.machine.layout().clock_count())
}

/// Conclusions from transitions that all clock values of their sources can take.
///
/// Such a transition leads to a node that represents the target up to bisimulation, so every value of a node can follow
/// a path of such transitions. States on no such path may still be reachable, by other transitions for other values.
struct SureMoves<'survey, 'task> {
    explorer: &'survey Explorer<'task>,
    surveyor: &'survey Surveyor,
    is_complete: bool,
}

impl SureMoves<'_, '_> {
    /// Returns for each process whether it can provably always move again, except in locations without outgoing edges.
    fn always_movable(&self, network: &Network) -> Vec<bool> {
        let mut cells = vec![0; self.explorer.source_cells.len()];
        network
            .processes
            .iter()
            .map(|(id, process)| {
                let process_bit = if id.index() < 64 { 1u64 << id.index() } else { return false };
                let goes_on = stuck::locations_with_edges(process);
                let mut is_good = |node: u32| {
                    let store = &self.explorer.store;
                    let key = store.key(store.node(crate::graph::store::NodeId(node)).discrete);
                    self.explorer.packer.unpack(key, &mut cells);
                    !goes_on[cells[id.index()] as usize]
                };
                self.all_reach(&mut is_good, |step| step.processes & process_bit != 0)
            })
            .collect()
    }

    /// Returns whether time provably diverges from every state, because a state that does not bound time is always
    /// reachable.
    fn time_always_diverges(&self) -> bool {
        let mut cells = vec![0; self.explorer.source_cells.len()];
        let mut clocks = crate::graph::clocks::ClockIndex::new(self.explorer.machine.layout().clock_count());
        let mut is_good = |node: u32| {
            let store = &self.explorer.store;
            let id = crate::graph::store::NodeId(node);
            if !store.node(id).may_delay {
                return false;
            }
            self.explorer.packer.unpack(store.key(store.node(id).discrete), &mut cells);
            clocks.set(self.explorer.bounds, &cells);
            let mut zone = Zone::universe(crate::graph::explorer::dimension(&clocks));
            store.zone_into(id, &mut zone);
            (1..=clocks.active().len())
                .all(|clock| zone.bound(Clock(clock as u16), Clock::REFERENCE) == Bound::INFINITY)
        };
        self.all_reach(&mut is_good, |_| false)
    }

    /// Returns whether every node is good, or has a sure transition that is good or leads to such a node.
    fn all_reach(
        &self,
        is_good: &mut dyn FnMut(u32) -> bool,
        is_good_move: impl Fn(&SureMove) -> bool,
    ) -> bool {
        let Some(moves) = &self.surveyor.sure_moves else { return false };
        if !self.is_complete {
            return false;
        }
        let store = &self.explorer.store;
        let count = store.node_count() as usize;
        let representative = |node: u32| store.representative(crate::graph::store::NodeId(node)).0;
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); count];
        let mut good = vec![false; count];
        let mut waiting = Vec::new();
        for id in store.live_nodes() {
            if is_good(id.0) {
                good[id.0 as usize] = true;
                waiting.push(id.0);
            }
        }
        for step in moves {
            // A node that was covered later represents nothing any more.
            if representative(step.source) != step.source {
                continue;
            }
            if is_good_move(step) {
                if !std::mem::replace(&mut good[step.source as usize], true) {
                    waiting.push(step.source);
                }
            } else {
                before[representative(step.target) as usize].push(step.source);
            }
        }
        while let Some(node) = waiting.pop() {
            for &source in &before[node as usize] {
                if !std::mem::replace(&mut good[source as usize], true) {
                    waiting.push(source);
                }
            }
        }
        store.live_nodes().all(|id| good[id.0 as usize])
    }
}
