//! Certifies properties of symbolic systems: an engine generates an inductive invariant, and the independent checker
//! accepts or refuses it.
//!
//! Invariant: only the checker can mark an answer as certified.

use std::time::Instant;

use tempora_certify::{Assurance, CheckedAnswer, certify_invariant, withdraw};
use tempora_evidence::{Budget, Evidence, InductiveInvariant, Progress, Verdict};
use tempora_model::{Id, PropertyId};
use tempora_smt::find_solver;
use tempora_symbolic::{InvariantSource, find_invariant};
use tempora_transition::SymbolicSystem;

use crate::certificates::seconds;
use crate::engines::EngineSettings;

/// Limit on the states that an invariant enumerates; larger formulas are hard to check.
const MOST_STATES_OF_INVARIANT: u64 = 1_000;

/// Certifies an answer that a property holds, if possible.
pub(crate) fn with_invariant(
    system: &SymbolicSystem,
    property: PropertyId,
    settings: &EngineSettings,
    mut answer: CheckedAnswer,
    budget: &Budget,
    progress: &Progress,
) -> CheckedAnswer {
    let (Verdict::Holds, Some(claim)) = (&answer.answer().verdict, system.properties.get(property.index()))
    else {
        return answer;
    };
    let program = match find_solver(settings.solver.program.as_deref()) {
        Ok(program) => program,
        Err(missing) => {
            return answer.with_remark(format!("no certificate: {}; {}", missing.message, missing.hint));
        }
    };
    let sources =
        [InvariantSource::States(MOST_STATES_OF_INVARIANT), InvariantSource::Abstraction(settings.cegar())];
    let mut why = "no engine found one".to_owned();
    let mut is_wrong = false;
    for source in sources {
        let start = Instant::now();
        let invariant = match find_invariant(system, property.index(), &source, budget, progress) {
            Ok(Some(invariant)) => invariant,
            Ok(None) => continue,
            Err(reason) => {
                why = reason.describe();
                continue;
            }
        };
        let generation = start.elapsed();
        match certify_invariant(system, claim, answer, invariant, program.clone(), budget) {
            Ok((answer, accepted)) => {
                let checking = start.elapsed().saturating_sub(generation);
                return answer.with_remark(format!(
                    "certified by an inductive invariant with {} obligations: generated in {}, checked in {}",
                    accepted.obligations,
                    seconds(generation),
                    seconds(checking)
                ));
            }
            Err(refused) => {
                let (same, refusal) = *refused;
                answer = same;
                why = format!("it was refused: {refusal}");
                is_wrong |= !refusal.reason.is_limit();
            }
        }
    }
    // An invariant that is not inductive contradicts the engine that generated it, regardless of the other source.
    if is_wrong {
        return withdraw(answer, format!("the certificate was refused: {why}"));
    }
    answer.with_remark(format!("no certificate: {why}"))
}

/// Returns the invariant of a certified answer.
pub fn accepted_invariant(answer: &CheckedAnswer) -> Option<&InductiveInvariant> {
    if answer.assurance() != Assurance::Certified {
        return None;
    }
    answer.answer().evidence.iter().find_map(|evidence| match evidence {
        Evidence::Invariant(invariant) => Some(invariant),
        _ => None,
    })
}
