//! Combines the answers of several tasks to one question about a lowered model.
//!
//! Invariant: every run that counts was executed by the interpreter of the model, which shares nothing with the
//! lowering; a refuted run withdraws the verdict. The assurance is the lowest among the parts that decide the verdict.

use tempora_evidence::{Answer, Evidence, Statistics, UnknownReason, Verdict};

use crate::answer::{Assurance, CheckedAnswer};

/// The semantics of a model that engines see in lowered form.
pub trait ModelInterpreter {
    /// Lifts a run that is evidence for a part of the question, and executes it by the semantics of the model. Fails if
    /// no run of the model corresponds to it, or if that run does not show the verdict of the part.
    fn execute(&self, part: usize, run: &Evidence) -> Result<(), String>;
}

/// Combines the answers to the parts of a question by a rule; the interpreter is that of a lowered model.
///
/// The rule belongs to the semantics of the question and is not checked.
pub fn combine_answers(
    parts: &[CheckedAnswer],
    rule: &dyn Fn(&[Verdict]) -> Verdict,
    interpreter: Option<&dyn ModelInterpreter>,
) -> CheckedAnswer {
    let verdicts: Vec<Verdict> = parts.iter().map(|part| part.answer().verdict.clone()).collect();
    let combined = CheckedAnswer::new(
        Answer {
            verdict: rule(&verdicts),
            evidence: Vec::new(),
            caveats: parts.iter().flat_map(|part| part.answer().caveats.clone()).collect(),
            statistics: parts.iter().fold(Statistics::default(), |sum, part| added(&sum, part)),
            engine: engines(parts),
        },
        assurance(parts, &verdicts, rule),
        Vec::new(),
    );
    for (number, part) in parts.iter().enumerate() {
        let runs = part.answer().evidence.iter().filter(|evidence| is_run(evidence));
        for (run, interpreter) in runs.zip(std::iter::repeat(interpreter)) {
            if let Some(Err(why)) = interpreter.map(|interpreter| interpreter.execute(number, run)) {
                return combined.refuted(format!("the run does not replay in the model: {why}"));
            }
        }
    }
    combined
}

fn is_run(evidence: &Evidence) -> bool {
    matches!(evidence, Evidence::Trace(_) | Evidence::SymbolicTrace(_))
}

/// Returns the lowest assurance among the parts that matter for the verdict; unchecked if none does.
fn assurance(
    parts: &[CheckedAnswer],
    verdicts: &[Verdict],
    rule: &dyn Fn(&[Verdict]) -> Verdict,
) -> Assurance {
    let whole = rule(verdicts);
    // A part matters if the verdict changes without it.
    let matters = |number: usize| {
        let mut without = verdicts.to_vec();
        without[number] = Verdict::Unknown(UnknownReason::NotDerived("a part is left out".to_owned()));
        rule(&without) != whole
    };
    let deciding = parts.iter().enumerate().filter(|(number, _)| matters(*number));
    deciding.map(|(_, part)| part.assurance()).max().unwrap_or(Assurance::Unchecked)
}

fn added(sum: &Statistics, part: &CheckedAnswer) -> Statistics {
    let own = &part.answer().statistics;
    Statistics {
        stored: sum.stored + own.stored,
        explored: sum.explored + own.explored,
        transitions: sum.transitions + own.transitions,
        peak_bytes: sum.peak_bytes.max(own.peak_bytes),
        elapsed: sum.elapsed + own.elapsed,
        profile: sum.profile.or(own.profile),
        refinement: own.refinement.or(sum.refinement),
        solver: own.solver.or(sum.solver),
    }
}

/// Returns the engines of the parts, each once, in order.
fn engines(parts: &[CheckedAnswer]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for part in parts {
        let name = part.answer().engine.as_str();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(verdict: Verdict, assurance: Assurance) -> CheckedAnswer {
        let (engine, statistics) = ("test".to_owned(), Statistics::default());
        let answer = Answer { verdict, evidence: Vec::new(), caveats: Vec::new(), statistics, engine };
        CheckedAnswer::new(answer, assurance, Vec::new())
    }

    fn all(verdicts: &[Verdict]) -> Verdict {
        let failure = verdicts.iter().find(|verdict| **verdict == Verdict::Fails);
        let missing = verdicts.iter().find(|verdict| **verdict != Verdict::Holds);
        failure.or(missing).cloned().unwrap_or(Verdict::Holds)
    }

    #[test]
    fn assurance_is_that_of_deciding_parts() {
        let certified = part(Verdict::Holds, Assurance::Certified);
        let unchecked = part(Verdict::Holds, Assurance::Unchecked);
        let replayed = part(Verdict::Fails, Assurance::Replayed);
        let combined = |parts: &[CheckedAnswer]| {
            let answer = combine_answers(parts, &all, None);
            (answer.answer().verdict.clone(), answer.assurance())
        };
        assert_eq!(combined(&[certified.clone(), certified.clone()]), (Verdict::Holds, Assurance::Certified));
        assert_eq!(combined(&[certified.clone(), unchecked.clone()]), (Verdict::Holds, Assurance::Unchecked));
        // The failure decides alone, whatever the other part says.
        assert_eq!(combined(&[unchecked, replayed]), (Verdict::Fails, Assurance::Replayed));
        assert_eq!(combined(&[]), (Verdict::Holds, Assurance::Unchecked));
    }
}
