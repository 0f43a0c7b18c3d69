//! Checks the runs of answers: an interpreter executes them and judges the verdict.
//!
//! Invariant: each kind of system has one interpreter, in [`INTERPRETERS`]. An answer with a refuted run loses its
//! verdict.

use tempora_evidence::{Answer, Budget, Caveat, System, SystemKind, Task, UnknownReason, Verdict};
use tempora_model::{Query, QueryKind};
use tempora_replay::{Judgement, Showing, judge_network, judge_property};

use crate::answer::{Assurance, CheckedAnswer};

/// Executes and judges the runs of answers about one kind of system.
struct RunInterpreter {
    kind: SystemKind,
    /// Returns `None` if the query does not fit the kind of system.
    judge: fn(&System, &Query, &Answer, &Budget) -> Option<Judgement>,
}

/// The interpreter of each kind of system.
static INTERPRETERS: &[RunInterpreter] = &[
    RunInterpreter { kind: SystemKind::Network, judge: network_runs },
    RunInterpreter { kind: SystemKind::Symbolic, judge: symbolic_runs },
];

fn network_runs(system: &System, query: &Query, answer: &Answer, budget: &Budget) -> Option<Judgement> {
    Some(judge_network(system.network()?, query, answer, budget))
}

fn symbolic_runs(system: &System, query: &Query, answer: &Answer, _: &Budget) -> Option<Judgement> {
    match &query.kind {
        QueryKind::Property(property) => judge_property(system.symbolic()?, *property, answer),
        _ => None,
    }
}

/// Checks the answer to one query of a task by its runs.
///
/// An impossible run, or one that does not show the verdict, makes the verdict unknown: an over-approximation if the
/// answer admits one, otherwise a bug of the engine. A run that exceeds the limits of the interpreter or the remaining
/// time adds a remark.
pub fn check_answer(task: &Task, query: usize, mut answer: Answer, budget: &Budget) -> CheckedAnswer {
    let interpreter = INTERPRETERS.iter().find(|interpreter| interpreter.kind == task.system.kind());
    let judged = interpreter
        .zip(task.queries.get(query))
        .and_then(|(interpreter, asked)| (interpreter.judge)(&task.system, asked, &answer, budget));
    let Some(Judgement { runs, showing, remarks }) = judged else {
        answer.verdict =
            Verdict::Unknown(UnknownReason::EngineBug("an answer without a question".to_owned()));
        return CheckedAnswer::new(answer, Assurance::Unchecked, Vec::new());
    };
    answer.caveats.extend(remarks.into_iter().map(Caveat::Remark));
    let assurance = match showing {
        Showing::Shown => Assurance::Replayed,
        Showing::NotShown => Assurance::Unchecked,
        Showing::Refuted(why) => {
            answer.verdict = Verdict::Unknown(match answer.over_approximation() {
                Some(admitted) => UnknownReason::OverApproximation(format!("{admitted}; {why}")),
                None => UnknownReason::EngineBug(format!("the trace does not replay: {why}")),
            });
            Assurance::Unchecked
        }
    };
    CheckedAnswer::new(answer, assurance, runs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_system_has_one_interpreter() {
        for kind in [SystemKind::Network, SystemKind::Symbolic] {
            assert_eq!(INTERPRETERS.iter().filter(|interpreter| interpreter.kind == kind).count(), 1);
        }
    }
}
