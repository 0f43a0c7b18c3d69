//! Proofs of unreachability on a part of the model.
//!
//! Invariant: a state that is unreachable in the part is unreachable in the whole model (see [`abstraction`]). The part
//! starts with the variables and processes of the predicate, and grows by their dependencies until it suffices or is
//! too large.

mod abstraction;
mod dependencies;
mod engine;
mod fold;

pub use engine::LocalEngine;

use std::ops::ControlFlow;

use tempora_evidence::{Budget, NetworkPart, Progress};
use tempora_machine::{compile, compile_predicate};
use tempora_model::{Expression, ExpressionKind, Id, Network, VariableId, VariableKind};
use tempora_zones::Dimension;

use crate::graph::bounds::{ClockBounds, Profile};
use crate::graph::explorer::Explorer;
use crate::graph::waiting::SearchOrder;
use crate::search::goals::Goal;
use crate::search::support::declined_network;
use abstraction::{KeptPart, abstraction, can_be_localised};
use dependencies::Dependencies;

/// A proof that bad states are unreachable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NeverHappens {
    /// The processes of the part; all others are unconstrained.
    pub(crate) processes: Vec<String>,
    kept: KeptPart,
}

/// The divisor of the time that one attempt may take.
const SHARE_OF_TIME: u32 = 4;

/// Tries to prove, on parts of the model within a state limit, that no reachable state gives a predicate a truth value.
/// `None` proves nothing.
pub(crate) fn never_happens(
    network: &Network,
    predicate: &Expression,
    wanted: bool,
    budget: &Budget,
    most_states: u64,
) -> Option<NeverHappens> {
    let dependencies = Dependencies::new(network);
    if !can_be_localised(network, &dependencies) {
        return None;
    }
    if !mentions_model(network, &dependencies, predicate) {
        return None;
    }
    let predicate = &fold::folded(network, predicate);
    let mut kept = mentioned(network, &dependencies, predicate);
    kept.close(network, &dependencies);
    while !kept.is_all() {
        let part = abstraction(network, &dependencies, &kept);
        match search(&part, predicate, wanted, &budget.part(most_states, SHARE_OF_TIME)) {
            PartResult::Nothing => {
                let names = network.processes.iter().filter(|(id, _)| kept.processes[id.index()]);
                let processes = names.map(|(_, process)| process.name.clone()).collect();
                return Some(NeverHappens { processes, kept });
            }
            PartResult::Something => {}
            PartResult::TooMuch => return None,
        }
        if !kept.widen(network, &dependencies) {
            return None;
        }
    }
    None
}

/// Returns the part of the model used in the proof as a network, and the predicate folded to that part. `None` if the
/// part is the whole model.
pub(crate) fn part_with(
    network: &Network,
    predicate: &Expression,
    shown: NeverHappens,
) -> Option<(Network, NetworkPart, Expression)> {
    let dependencies = Dependencies::new(network);
    let mut kept = shown.kept;
    // That a clock is never negative is known only for clocks of the part.
    let mut clocks = mentioned(network, &dependencies, predicate);
    clocks.processes.fill(false);
    for (variable, is_kept) in network.variables.values().zip(&mut clocks.variables) {
        *is_kept &= variable.value_type.has_clocks();
    }
    kept.add(&clocks);
    let predicate = fold::folded(network, predicate);
    kept.add(&mentioned(network, &dependencies, &predicate));
    kept.close(network, &dependencies);
    if kept.is_all() {
        return None;
    }
    let processes = network.processes.ids().filter(|id| kept.processes[id.index()]).collect();
    let is_needed =
        |id: &VariableId| kept.variables[id.index()] && network.variables[*id].kind != VariableKind::Constant;
    let variables = network.variables.ids().filter(is_needed).collect();
    Some((abstraction(network, &dependencies, &kept), NetworkPart { processes, variables }, predicate))
}

/// Formats the note for the user.
pub(crate) fn proof_note(processes: &[String]) -> String {
    const MOST_NAMES: usize = 8;
    let mut names = processes.iter().take(MOST_NAMES).cloned().collect::<Vec<_>>().join(", ");
    match processes.len() {
        0 => "no process".clone_into(&mut names),
        count if count > MOST_NAMES => names.push_str(&format!(" and {} more", count - MOST_NAMES)),
        _ => {}
    }
    format!("proved on {names} alone; the other processes were unconstrained and not checked for errors")
}

/// Returns whether a predicate mentions the model at all, and only in supported ways. For a predicate that does not,
/// such as `false`, the user wants a full exploration, so nothing is proved on a part.
fn mentions_model(network: &Network, dependencies: &Dependencies, predicate: &Expression) -> bool {
    let mut is_something = false;
    let is_unclear = predicate.any(&mut |part| {
        is_something |= matches!(part.kind, ExpressionKind::At { .. } | ExpressionKind::LocationOf(_));
        matches!(part.kind, ExpressionKind::HasLabel(_) | ExpressionKind::Deadlock)
    });
    let mut variables = dependencies.of(network, predicate).mentioned.into_iter();
    is_something |= variables.any(|variable| network.variables[variable].kind != VariableKind::Constant);
    is_something && !is_unclear
}

/// Returns the processes and variables that a predicate mentions.
fn mentioned(network: &Network, dependencies: &Dependencies, predicate: &Expression) -> KeptPart {
    let mut kept = KeptPart {
        processes: vec![false; network.processes.len()],
        variables: vec![false; network.variables.len()],
    };
    predicate.for_each(&mut |part| {
        if let ExpressionKind::At { process, .. } | ExpressionKind::LocationOf(process) = part.kind {
            kept.processes[process.index()] = true;
        }
    });
    for variable in dependencies.of(network, predicate).mentioned {
        kept.variables[variable.index()] = true;
    }
    kept
}

enum PartResult {
    /// No bad state is reachable.
    Nothing,
    /// A bad state or an error is reachable, possibly only in the abstraction.
    Something,
    /// The budget is exhausted, or the search does not support a construct.
    TooMuch,
}

fn search(network: &Network, predicate: &Expression, wanted: bool, budget: &Budget) -> PartResult {
    let result = || -> Option<PartResult> {
        if declined_network(network).is_some() {
            return None;
        }
        let mut machine = compile(network).ok()?;
        Dimension::for_clocks(machine.layout().clock_count()).ok()?;
        let compiled = compile_predicate(&mut machine, network, predicate).ok()?;
        let bounds = ClockBounds::new(network, &machine, &[(predicate, wanted)], Profile::Reach).ok()?;
        let mut goals = [Goal::new(compiled, wanted)];
        let progress = Progress::new();
        let mut explorer =
            Explorer::new(&machine, &bounds, &mut goals, SearchOrder::Adaptive, budget, &progress).ok()?;
        Some(match explorer.run() {
            ControlFlow::Continue(()) => PartResult::Nothing,
            ControlFlow::Break(stop) if stop.is_model_result() => PartResult::Something,
            ControlFlow::Break(_) => PartResult::TooMuch,
        })
    };
    result().unwrap_or(PartResult::TooMuch)
}
