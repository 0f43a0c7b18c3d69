//! Certifies answers of networks: an engine generates a certificate, and the independent checker accepts or refuses it.
//!
//! Invariant: only the checker can mark an answer as certified. An answer without a certificate, or whose certificate
//! the checker could not decide, keeps its assurance and gets a remark with the reason. A wrong certificate is
//! generated once more with exact zones; if that one is wrong as well, the verdict is withdrawn.

use std::time::{Duration, Instant};

use tempora_certify::{
    Accepted, Assurance, CheckedAnswer, Reason, Refusal, certify, certify_specification, withdraw,
};
use tempora_evidence::{
    AnyCertificate, Budget, Certificate, CertificateRef, CertificateZones, Evidence, Progress, System, Task,
    UnknownReason, Verdict,
};
use tempora_games::{InputCompletion, specification_certificate};
use tempora_model::{Formula, Network, Query, QueryKind, SpecificationQuery};
use tempora_report::formats::certificate_checks::counted_nodes;

use crate::engines::EngineSettings;
use crate::invariants::with_invariant;

/// Certifies answers that a goal is unreachable, where possible.
pub fn with_certificates(
    task: &Task,
    answers: Vec<CheckedAnswer>,
    settings: &EngineSettings,
    budget: &Budget,
    progress: &Progress,
) -> Vec<CheckedAnswer> {
    let answers = task.queries.iter().zip(answers);
    let certified = answers.map(|(query, answer)| match (&task.system, &query.kind) {
        (System::Symbolic(system), QueryKind::Property(property)) => {
            with_invariant(system, *property, settings, answer, budget, progress)
        }
        (System::Symbolic(_), _) => answer,
        (System::Network(network), _) => {
            certify_network_answer(network, query, answer, settings, budget, progress)
        }
    });
    certified.collect()
}

fn certify_network_answer(
    network: &Network,
    query: &Query,
    answer: CheckedAnswer,
    settings: &EngineSettings,
    budget: &Budget,
    progress: &Progress,
) -> CheckedAnswer {
    let is_specification = matches!(query.kind, QueryKind::Specification { .. });
    // The checker supports only the completion in which missing inputs have no effect.
    if is_specification
        && settings.specifications.completion != InputCompletion::Ignore
        && can_be_certified(query, &answer.answer().verdict)
    {
        let why = "no certificate: certificates need --input-completion ignore";
        return answer.with_remark(why.to_owned());
    }
    with_certificate(network, query, answer, budget, progress)
}

/// Returns the certificate of a certified answer.
pub fn accepted_certificate(answer: &CheckedAnswer) -> Option<CertificateRef<'_>> {
    if answer.assurance() != Assurance::Certified {
        return None;
    }
    answer.answer().evidence.iter().find_map(|evidence| match evidence {
        Evidence::Certificate(certificate) => Some(CertificateRef::States(certificate)),
        Evidence::SpecificationCertificate(certificate) => Some(CertificateRef::Specification(certificate)),
        _ => None,
    })
}

/// Returns whether a certificate could prove the answer.
fn can_be_certified(query: &Query, verdict: &Verdict) -> bool {
    match &query.kind {
        QueryKind::Formula(Formula::Always(_))
        | QueryKind::Specification {
            question:
                SpecificationQuery::Refinement(..)
                | SpecificationQuery::Consistency(_)
                | SpecificationQuery::Determinism(_),
            ..
        } => *verdict == Verdict::Holds,
        QueryKind::Formula(Formula::Possibly(_)) => *verdict == Verdict::Fails,
        _ => false,
    }
}

/// Checks a certificate from a file. Its nodes, and the states passed between them, count as stored states.
pub fn verify_certificate(
    network: &Network,
    query: &Query,
    certificate: &AnyCertificate,
    budget: &Budget,
) -> Result<Accepted, Refusal> {
    let stores = |states: usize| {
        let states = u64::try_from(states).unwrap_or(u64::MAX);
        let exhausted = |what| Refusal { part: None, node: None, reason: Reason::Exhausted(what) };
        budget.watch().check(states).map_err(exhausted)
    };
    stores(certificate.node_count())?;
    let accepted = match certificate {
        AnyCertificate::States(states) => tempora_certify::verify(network, query, states, budget),
        AnyCertificate::Specification(relation) => {
            tempora_certify::verify_specification(query, relation, budget)
        }
    }?;
    stores(certificate.node_count().saturating_add(accepted.passed))?;
    Ok(accepted)
}

/// Certifies an answer, or withdraws its verdict if its certificate is wrong.
fn with_certificate(
    network: &Network,
    query: &Query,
    mut answer: CheckedAnswer,
    budget: &Budget,
    progress: &Progress,
) -> CheckedAnswer {
    if !can_be_certified(query, &answer.answer().verdict) {
        return answer;
    }
    let mut refusals = Vec::new();
    for zones in [CertificateZones::Enlarged, CertificateZones::Exact] {
        let start = Instant::now();
        let explored = answer.answer().statistics.explored;
        let certificate = match generate_certificate(network, query, zones, explored, budget, progress) {
            Ok(certificate) => certificate,
            // The search for the certificate contradicts the verdict.
            Err(UnknownReason::EngineBug(why)) => {
                refusals.push(why);
                continue;
            }
            Err(why) if refusals.is_empty() => {
                return answer.with_remark(format!("no certificate: {}", why.describe()));
            }
            Err(why) => {
                refusals.push(format!("no certificate with exact zones: {}", why.describe()));
                break;
            }
        };
        let generation = start.elapsed();
        let about = part_phrase(network, &certificate);
        let found = match certificate {
            AnyCertificate::States(states) => certify(network, query, answer, states, budget),
            AnyCertificate::Specification(relation) => certify_specification(query, answer, relation, budget),
        };
        match found {
            Ok((answer, accepted)) => {
                let checking = start.elapsed().saturating_sub(generation);
                return answer.with_remark(format!(
                    "certified by {} with {} transitions{about}: generated in {}, checked in {}",
                    counted_nodes(accepted.nodes, accepted.passed),
                    accepted.transitions,
                    seconds(generation),
                    seconds(checking)
                ));
            }
            Err(refused) => {
                let (same, refusal): (CheckedAnswer, Refusal) = *refused;
                // Exhausted limits do not refute the certificate.
                let what = match refusal.reason {
                    Reason::Exhausted(_) => "not checked",
                    _ => "refused",
                };
                if refusals.is_empty() && refusal.reason.is_limit() {
                    return same.with_remark(format!("the certificate was {what}: {refusal}"));
                }
                refusals.push(format!("the certificate was {what}: {refusal}"));
                answer = same;
            }
        }
    }
    withdraw(answer, refusals.join("; "))
}

fn generate_certificate(
    network: &Network,
    query: &Query,
    zones: CertificateZones,
    explored: u64,
    budget: &Budget,
    progress: &Progress,
) -> Result<AnyCertificate, UnknownReason> {
    if let QueryKind::Specification { components, question } = &query.kind {
        let limited;
        let budget = match zones {
            CertificateZones::Enlarged => budget,
            // Exact zones may be infinitely many.
            CertificateZones::Exact => {
                limited = budget.part(MOST_EXACT_STATES, 1);
                &limited
            }
        };
        let made = specification_certificate(components, question, zones, budget);
        return made.map(AnyCertificate::Specification);
    }
    let make = match zones {
        CertificateZones::Enlarged => tempora_explore::certificate,
        CertificateZones::Exact => tempora_explore::exact_certificate,
    };
    make(network, query, explored, budget, progress).map(AnyCertificate::States)
}

/// Limit on the states of a certificate of specifications with exact zones.
const MOST_EXACT_STATES: u64 = 10_000;

/// Returns a phrase for the part of the network that a certificate covers; empty for the whole network.
fn part_phrase(network: &Network, certificate: &AnyCertificate) -> String {
    const MOST_NAMES: usize = 4;
    let AnyCertificate::States(Certificate { part: Some(part), .. }) = certificate else {
        return String::new();
    };
    let names: Vec<&str> = part
        .processes
        .iter()
        .take(MOST_NAMES)
        .map(|&process| network.processes[process].name.as_str())
        .collect();
    match part.processes.len().saturating_sub(names.len()) {
        0 if names.is_empty() => " on variables alone".to_owned(),
        0 => format!(" on {} alone", names.join(", ")),
        more => format!(" on {} and {more} more alone", names.join(", ")),
    }
}

pub(crate) fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}
