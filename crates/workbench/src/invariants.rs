//! Inductive invariants for properties that hold: made by an engine, accepted by the checker, or not kept.
//!
//! Invariant: as for other certificates, an answer becomes a certified one only by the checker.

use std::time::Instant;

use tempora_certify::{Assurance, CheckedAnswer, certify_invariant, withdraw};
use tempora_evidence::{Budget, Evidence, InductiveInvariant, Progress, Verdict};
use tempora_model::{Id, PropertyId};
use tempora_smt::find_solver;
use tempora_symbolic::{InvariantSource, find_invariant};
use tempora_transition::SymbolicSystem;

use crate::certified::seconds;
use crate::engines::EngineSettings;

/// Largest number of states that are listed in an invariant; larger formulas are hard to check.
const MOST_STATES_OF_INVARIANT: u64 = 1_000;

/// Has an answer that a property holds certified, as far as that is possible.
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
        let making = start.elapsed();
        match certify_invariant(system, claim, answer, invariant, program.clone(), budget) {
            Ok((answer, accepted)) => {
                let checking = start.elapsed().saturating_sub(making);
                return answer.with_remark(format!(
                    "certified by an inductive invariant with {} obligations: made in {}, checked in {}",
                    accepted.obligations,
                    seconds(making),
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
    // An invariant that is not inductive contradicts the engine that gave it, whatever the other source says.
    if is_wrong {
        return withdraw(answer, format!("the certificate was refused: {why}"));
    }
    answer.with_remark(format!("no certificate: {why}"))
}

/// The invariant of an answer that was certified.
pub fn accepted_invariant(answer: &CheckedAnswer) -> Option<&InductiveInvariant> {
    if answer.assurance() != Assurance::Certified {
        return None;
    }
    answer.answer().evidence.iter().find_map(|evidence| match evidence {
        Evidence::Invariant(invariant) => Some(invariant),
        _ => None,
    })
}
