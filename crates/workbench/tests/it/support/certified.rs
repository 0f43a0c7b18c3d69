//! Certifies the answers of tests: with `TEMPORA_TEST_CERTIFY=1`, no certificate may refute a verdict.

use tempora_certify::CheckedAnswer;
use tempora_evidence::{Budget, Progress, Task, UnknownReason, Verdict};
use tempora_workbench::{EngineSettings, with_certificates};

/// Certificates of larger explorations take too long for tests. The limit is a count, so that the tests are deterministic.
const MAX_EXPLORED: u64 = 20_000;

/// Certifies each answer with a small exploration, if the variable is set; the error names the query whose verdict the
/// certificate refutes.
pub(crate) fn certify_answers(task: &Task, answers: &[CheckedAnswer]) -> Result<(), String> {
    if std::env::var_os("TEMPORA_TEST_CERTIFY").is_none_or(|value| value != "1") {
        return Ok(());
    }
    let budget = Budget::unlimited().with_max_states(2 * MAX_EXPLORED);
    for (query, answer) in task.queries.iter().zip(answers) {
        if answer.answer().statistics.explored > MAX_EXPLORED {
            continue;
        }
        let one = Task { system: task.system.clone(), queries: vec![query.clone()] };
        let settings = EngineSettings::default();
        let certified =
            with_certificates(&one, vec![answer.clone()], &settings, &budget, &Progress::new()).remove(0);
        if let (Verdict::Unknown(UnknownReason::EngineBug(why)), Verdict::Holds | Verdict::Fails) =
            (&certified.answer().verdict, &answer.answer().verdict)
        {
            return Err(format!("{}: {why}", query.text));
        }
    }
    Ok(())
}
