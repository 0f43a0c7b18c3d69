//! Splits tasks into single properties for the engines of this crate.
//!
//! Invariant: a property is decided on its own system. A query about a network becomes a property of the lowered
//! system, and its run is lifted back.

use std::time::Instant;

use tempora_evidence::{
    Answer, Budget, Phase, Prepared, Progress, RefinementStatistics, Support, System, Task, UnknownReason,
};
use tempora_model::{Id, PropertyId, Query, QueryKind};
use tempora_transition::{SafetyProperty, SymbolicSystem};

use crate::answers::{PropertyResult, answer};
use crate::network;
use crate::solving::{SolverOptions, note_solver};

/// An engine that decides one property of a symbolic system at a time.
pub(crate) trait PropertyEngine: Send + Sync {
    /// Returns the name of the engine.
    fn engine_name(&self) -> &'static str;

    /// Returns whether it can decide properties at all.
    fn support(&self) -> Support;

    /// Returns whether it decides the properties of lowered networks too.
    fn takes_networks(&self) -> bool {
        true
    }

    /// Returns its solver, if it uses one.
    fn solver(&self) -> Option<&SolverOptions> {
        None
    }

    /// Decides a property.
    fn decide(
        &self,
        system: &SymbolicSystem,
        claim: &SafetyProperty,
        budget: &Budget,
        progress: &Progress,
    ) -> Result<PropertyResult, UnknownReason>;
}

/// Prepares a task for an engine that decides properties.
pub(crate) fn prepare<'task, E: PropertyEngine>(engine: &'task E, task: &'task Task) -> Prepared<'task> {
    match &task.system {
        System::Symbolic(system) => {
            let support = task.queries.iter().map(|query| match query.kind {
                QueryKind::Property(_) => engine.support(),
                _ => Support::Declines(NO_PROPERTY.to_owned()),
            });
            Prepared::new(support.collect(), move |queries, budget, progress| {
                progress.enter(Phase::Exploring);
                let about =
                    |&query: &usize| about_property(engine, system, &task.queries[query], budget, progress);
                let answers = queries.iter().map(about).collect();
                progress.enter(Phase::Finished);
                answers
            })
        }
        System::Network(network) if engine.takes_networks() => {
            let support = task.queries.iter().map(network::support);
            Prepared::new(support.collect(), move |queries, budget, progress| {
                let about =
                    |&query: &usize| network::answer(engine, network, &task.queries[query], budget, progress);
                queries.iter().map(about).collect()
            })
        }
        System::Network(_) => Prepared::declined(engine.engine_name(), task, NO_SYMBOLIC_SYSTEM),
    }
}

const NO_PROPERTY: &str = "the engine decides only properties of symbolic systems";
const NO_SYMBOLIC_SYSTEM: &str = "the engine is for symbolic systems";

fn about_property<E: PropertyEngine>(
    engine: &E,
    system: &SymbolicSystem,
    query: &Query,
    budget: &Budget,
    progress: &Progress,
) -> Answer {
    let QueryKind::Property(property) = query.kind else {
        return Answer::unsupported(engine.engine_name(), NO_PROPERTY, Some(query.origin));
    };
    answer_property(engine, system, property, budget, progress)
}

/// Returns the answer for one property.
pub(crate) fn answer_property<E: PropertyEngine>(
    engine: &E,
    system: &SymbolicSystem,
    property: PropertyId,
    budget: &Budget,
    progress: &Progress,
) -> Answer {
    let start = Instant::now();
    let solver = engine.solver();
    if solver.is_some() {
        progress.note_refinement(RefinementStatistics::default());
    }
    let finding = match system.properties.get(property.index()) {
        Some(claim) => engine.decide(system, claim, budget, progress),
        None => Err(UnknownReason::EngineBug("the system does not have the property".to_owned())),
    };
    if let Some(solver) = solver {
        note_solver(progress, &solver.meter);
    }
    let finding = finding.unwrap_or_else(PropertyResult::Unknown);
    answer(engine.engine_name(), finding, progress, start.elapsed())
}
