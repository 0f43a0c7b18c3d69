//! A task of the zone engine, compiled once: the machine, the goals of its queries, and the clock bounds.
//!
//! Every query is compiled or declined; a search starts from the compiled form.

use std::collections::BTreeSet;

use tempora_evidence::Support;
use tempora_machine::{Machine, compile_predicate};
use tempora_model::{Formula, Network, Query, QueryKind};

use crate::graph::bounds::{ClockBounds, Profile, WantedPredicate};
use crate::graph::stopwatches::STOPWATCHES;
use crate::liveness::branching::{self, FormulaPlan, Prepared, ZenoRuns};
use crate::search::engine::unsupported_construct;
use crate::search::goals::{GROUPS, Goal, QueryAtoms, query_tree};
use crate::search::hidden_deadlocks::is_monotonic_in_deadlocks;
use crate::search::support::{declined_predicate, declined_stopwatches};
use crate::values::extrema;

pub(super) struct CompiledTask<'task> {
    pub(super) network: &'task Network,
    pub(super) machine: Machine,
    pub(super) queries: Vec<(&'task Query, CompiledQuery<'task>)>,
    /// The number of goals in each group, and the bounds for all of them.
    bounds: [Option<(usize, Result<ClockBounds, String>)>; GROUPS],
}

/// A compiled or declined query.
pub(super) enum CompiledQuery<'task> {
    Formula {
        formula: &'task Formula,
        goals: [Vec<Goal>; GROUPS],
        /// How each formula with its own search is answered.
        plans: Vec<FormulaPlan>,
    },
    /// A query for values, with the machine and bounds of its first search.
    Values(Option<Box<Prepared>>),
    Declined(String),
}

/// Returns the profile that the search for the goals of a group has to preserve.
pub(super) fn profile_of(group: usize, may_hide: bool, kept_apart: &BTreeSet<usize>) -> Profile<'_> {
    match group {
        0 => Profile::Reach,
        _ if may_hide => Profile::Simulation(kept_apart),
        _ => Profile::Branching,
    }
}

impl<'task> CompiledTask<'task> {
    /// Compiles all queries; declines those that the engine cannot answer.
    pub(super) fn new(
        network: &'task Network,
        mut machine: Machine,
        queries: &'task [Query],
        zeno: ZenoRuns,
    ) -> CompiledTask<'task> {
        let compile = |query: &'task Query| {
            let compiled = compiled_query(network, &mut machine, query, zeno);
            (query, compiled.unwrap_or_else(CompiledQuery::Declined))
        };
        let queries = queries.iter().map(compile).collect();
        let mut task = CompiledTask { network, machine, queries, bounds: [None, None] };
        task.bounds = task.all_bounds();
        if task.bounds.iter().flatten().any(|(_, bounds)| task.declined_bounds(bounds).is_some()) {
            task.decline_by_bounds();
            task.bounds = task.all_bounds();
        }
        task
    }

    /// Returns for each query whether the engine answers it.
    pub(super) fn support(&self) -> Vec<Support> {
        let support = |(_, query): &(&Query, CompiledQuery<'_>)| match query {
            CompiledQuery::Declined(why) => Support::Declines(why.clone()),
            _ if self.machine.has_urgent_clock_guards() => {
                Support::MayDecide("an urgent synchronisation may depend on clock values".to_owned())
            }
            _ if self.machine.has_rates() => Support::MayDecide(STOPWATCHES.to_owned()),
            _ => Support::Decides,
        };
        self.queries.iter().map(support).collect()
    }

    /// Takes the bounds for the goals of a group, if they were computed for exactly these goals.
    pub(super) fn take_bounds(
        &mut self,
        group: usize,
        predicates: &[WantedPredicate<'_>],
    ) -> Option<Result<ClockBounds, String>> {
        // Goals come from queries of this task, so an equal count means the same goals.
        let (_, bounds) = self.bounds[group].take().filter(|(count, _)| *count == predicates.len())?;
        Some(bounds)
    }

    /// Computes the bounds of each group for the goals of all queries that are not declined.
    fn all_bounds(&self) -> [Option<(usize, Result<ClockBounds, String>)>; GROUPS] {
        let mut asked = QueryAtoms::default();
        let mut may_hide = true;
        for (_, query) in &self.queries {
            if let CompiledQuery::Formula { formula, goals, .. } = query {
                query_tree(formula, &mut asked);
                may_hide &= goals[GROUPS - 1]
                    .iter()
                    .all(|goal| is_monotonic_in_deadlocks(&goal.predicate, goal.wanted));
            }
        }
        std::array::from_fn(|group| {
            let predicates = &asked.predicates[group];
            let none = BTreeSet::new();
            let profile = profile_of(group, may_hide, &none);
            let bounds = || ClockBounds::new(self.network, &self.machine, predicates, profile);
            (!predicates.is_empty()).then(|| (predicates.len(), bounds()))
        })
    }

    /// Declines queries whose goals have no usable bounds.
    fn decline_by_bounds(&mut self) {
        for position in 0..self.queries.len() {
            let CompiledQuery::Formula { formula, .. } = &self.queries[position].1 else { continue };
            let mut asked = QueryAtoms::default();
            query_tree(formula, &mut asked);
            let declined = asked.predicates.iter().enumerate().find_map(|(group, predicates)| {
                let profile = if group == 0 { Profile::Reach } else { Profile::Branching };
                let bounds = || ClockBounds::new(self.network, &self.machine, predicates, profile);
                (!predicates.is_empty()).then(bounds).and_then(|bounds| self.declined_bounds(&bounds))
            });
            if let Some(why) = declined {
                self.queries[position].1 = CompiledQuery::Declined(why);
            }
        }
    }

    /// Returns why a search cannot use these bounds.
    fn declined_bounds(&self, bounds: &Result<ClockBounds, String>) -> Option<String> {
        match bounds {
            Err(what) => Some(format!("the zone engine does not support {what}")),
            // A clock difference changes while one of the clocks is stopped, but the covering test assumes constant
            // differences.
            Ok(bounds) if self.machine.has_rates() && !bounds.diagonals.is_empty() => Some(
                "the zone engine does not support clock differences in a model with stopwatches".to_owned(),
            ),
            Ok(_) => None,
        }
    }
}

fn compiled_query<'task>(
    network: &'task Network,
    machine: &mut Machine,
    query: &'task Query,
    zeno: ZenoRuns,
) -> Result<CompiledQuery<'task>, String> {
    let stopwatches = || declined_stopwatches(network).unwrap_or_default();
    let formula = match &query.kind {
        QueryKind::Formula(formula) => formula,
        QueryKind::Bounds { .. } | QueryKind::Time { .. } if machine.has_rates() => {
            return Err(stopwatches());
        }
        QueryKind::Bounds { .. } | QueryKind::Time { .. } => {
            return extrema::prepared(network, &query.kind)
                .map(|prepared| CompiledQuery::Values(prepared.map(Box::new)));
        }
        QueryKind::Specification { .. } => return Err(declined("specifications")),
        QueryKind::Property(_) => return Err(declined("symbolic systems")),
        QueryKind::Declined(query) => return Err(declined(query.family)),
    };
    let mut asked = QueryAtoms::default();
    query_tree(formula, &mut asked);
    let is_about_reachability = asked.formulas.is_empty() && asked.predicates[1..].iter().all(Vec::is_empty);
    if machine.has_rates() && !is_about_reachability {
        return Err(stopwatches());
    }
    let mut goals: [Vec<Goal>; GROUPS] = [Vec::new(), Vec::new()];
    for (group, predicates) in asked.predicates.iter().enumerate() {
        for &(predicate, wanted) in predicates {
            if let Some(why) = declined_predicate(network, predicate) {
                return Err(why);
            }
            let compiled = compile_predicate(machine, network, predicate)
                .map_err(|declined| unsupported_construct(&declined))?;
            goals[group].push(Goal::new(compiled, wanted));
        }
    }
    let plans = asked.formulas.iter().map(|formula| branching::prepared(network, formula, zeno));
    let plans = plans.collect::<Result<Vec<FormulaPlan>, String>>()?;
    Ok(CompiledQuery::Formula { formula, goals, plans })
}

fn declined(what: &str) -> String {
    format!("the zone engine does not support queries about {what}")
}
