//! Certificates for what is never reached: made by an engine, accepted by the checker, or not kept.
//!
//! Invariant: an answer becomes a certified one only by the checker of certificates; what cannot be certified keeps the
//! assurance that it had, with a remark that says why.

use std::time::{Duration, Instant};

use tempora_certify::{Reason, Refusal, certify};
use tempora_evidence::{Budget, Certificate, Evidence, Progress, Task, Verdict};
use tempora_model::{Formula, Query, QueryKind};
use tempora_replay::{Assurance, CheckedAnswer};

/// Has answers that something is never reached certified, as far as that is possible.
pub fn with_certificates(
    task: &Task,
    answers: Vec<CheckedAnswer>,
    budget: &Budget,
    progress: &Progress,
) -> Vec<CheckedAnswer> {
    let answers = task.queries.iter().zip(answers);
    answers.map(|(query, answer)| with_certificate(task, query, answer, budget, progress)).collect()
}

/// The certificate of an answer that was certified.
pub fn accepted_certificate(answer: &CheckedAnswer) -> Option<&Certificate> {
    if answer.assurance() != Assurance::Certified {
        return None;
    }
    answer.answer().evidence.iter().find_map(|evidence| match evidence {
        Evidence::Certificate(certificate) => Some(certificate),
        _ => None,
    })
}

/// Whether a certificate could show the answer.
fn can_be_certified(query: &Query, verdict: &Verdict) -> bool {
    matches!(
        (&query.kind, verdict),
        (QueryKind::Formula(Formula::Always(_)), Verdict::Holds)
            | (QueryKind::Formula(Formula::Possibly(_)), Verdict::Fails)
    )
}

fn with_certificate(
    task: &Task,
    query: &Query,
    answer: CheckedAnswer,
    budget: &Budget,
    progress: &Progress,
) -> CheckedAnswer {
    if !can_be_certified(query, &answer.answer().verdict) {
        return answer;
    }
    let start = Instant::now();
    let certificate = match tempora_explore::certificate(&task.network, query, budget, progress) {
        Ok(certificate) => certificate,
        Err(why) => return answer.with_remark(format!("no certificate: {}", why.describe())),
    };
    let making = start.elapsed();
    match certify(&task.network, query, answer, certificate, budget) {
        Ok((answer, accepted)) => {
            let checking = start.elapsed().saturating_sub(making);
            answer.with_remark(format!(
                "certified by {} nodes with {} transitions: made in {}, checked in {}",
                accepted.nodes,
                accepted.transitions,
                seconds(making),
                seconds(checking)
            ))
        }
        Err(refused) => {
            let (answer, refusal): (CheckedAnswer, Refusal) = *refused;
            // A limit of the user's says nothing about the certificate.
            let what = match refusal.reason {
                Reason::Exhausted(_) => "not checked",
                _ => "refused",
            };
            answer.with_remark(format!("the certificate was {what}: {refusal}"))
        }
    }
}

pub(crate) fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}
