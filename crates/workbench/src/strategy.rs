//! The sequence of engines for symbolic systems, if the user does not choose one.
//!
//! Invariant: the last engine is limited only by the budget.

use tempora_evidence::{Answer, Engine, UnknownReason, Verdict};
use tempora_symbolic::{BoundedEngine, ExplicitEngine};
use tempora_transition::{SymbolicStatement, SymbolicSystem};

use crate::engines::EngineSettings;

/// For small models: states to explore before the first CEGAR attempt. A larger state space may be infinite, and still
/// have a simple abstraction.
const STATES_BEFORE_FIRST_TRY: u64 = 5_000;
/// Limit on solver checks in the first CEGAR attempt.
const CHECKS_OF_FIRST_TRY: u64 = 200;
/// Models with more statements are slow to encode.
const FEW_STATEMENTS: usize = 60;
/// States to explore before the first engine that uses a solver.
const STATES_BEFORE_SOLVER: u64 = 200_000;
/// States to explore when no solver is installed. Without this limit, an infinite state space would exhaust the memory
/// before the user learns that a solver is missing.
const STATES_WITHOUT_SOLVER: u64 = 5_000_000;
/// Length of the runs that k-induction unrolls before the full CEGAR attempt.
const LENGTH_BEFORE_ABSTRACTION: usize = 8;

/// Returns the engines to run in sequence, if the user does not choose one.
pub(crate) fn automatic_sequence(settings: &EngineSettings, system: &SymbolicSystem) -> Vec<Box<dyn Engine>> {
    let solver = settings.solver.clone();
    let explicit = Box::new(ExplicitEngine { most_states: Some(STATES_BEFORE_SOLVER) });
    let longest = Some(LENGTH_BEFORE_ABSTRACTION);
    match solver.find() {
        // Without a solver, the CEGAR engine reports that it is missing.
        Err(_) => vec![
            Box::new(ExplicitEngine { most_states: Some(STATES_WITHOUT_SOLVER) }),
            Box::new(settings.cegar()),
        ],
        Ok(()) => {
            let mut engines: Vec<Box<dyn Engine>> = Vec::new();
            if has_few_statements(system) {
                let mut first = settings.cegar();
                first.options.most_checks = Some(CHECKS_OF_FIRST_TRY);
                engines.push(Box::new(ExplicitEngine { most_states: Some(STATES_BEFORE_FIRST_TRY) }));
                engines.push(Box::new(first));
            }
            engines.push(explicit);
            engines.push(Box::new(BoundedEngine { induction: true, longest, solver: solver.clone() }));
            engines.push(Box::new(settings.cegar()));
            engines.push(Box::new(ExplicitEngine::default()));
            engines.push(Box::new(BoundedEngine { induction: true, longest: None, solver }));
            engines
        }
    }
}

fn has_few_statements(system: &SymbolicSystem) -> bool {
    let mut open: Vec<&SymbolicStatement> = system.edges.values().map(|edge| &edge.statement).collect();
    let mut count = 0;
    while let Some(statement) = open.pop() {
        count += 1;
        open.extend(statement.parts());
        if count > FEW_STATEMENTS {
            return false;
        }
    }
    true
}

/// Returns whether another engine may find a verdict.
pub(crate) fn may_be_retried(answer: &Answer) -> bool {
    matches!(
        answer.verdict,
        Verdict::Unknown(
            // The memory of a solver is free again after its process has ended.
            UnknownReason::Unsupported(_)
                | UnknownReason::StateLimit
                | UnknownReason::OverApproximation(_)
                | UnknownReason::Memory
        )
    )
}
