//! The job that checks the certificates in a file.
//!
//! Invariant: the checker shares no code with the engines that generate certificates.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use tempora_certify::{Reason, Refusal, verify_invariant};
use tempora_interrupt::uninterrupted;
use tempora_report::documents::{CertificateCheck, CertificateVerdict};
use tempora_report::formats::certificate_checks::CertificateKind;
use tempora_report::{WrittenCertificate, WrittenInvariant, read_certificates, read_invariants};
use tempora_smt::find_solver;
use tempora_source::{Diagnostic, FileId, Files};
use tempora_transition::{SafetyProperty, SymbolicSystem};

use super::{Job, JobContext, ModelRequest, Refused};
use crate::certificates::verify_certificate;
use crate::codes::{MISPLACED_OPTION, NO_SOLVER};
use crate::loading::Loaded;

/// A request to check certificates.
#[derive(Clone, Debug)]
pub struct VerifyRequest {
    /// The model.
    pub model: ModelRequest,
    /// The file with certificates.
    pub certificates: String,
    /// The solver for certificates of symbolic systems; searched for if not given.
    pub solver: Option<PathBuf>,
}

/// The checks of all certificates of a file.
#[derive(Clone, Debug)]
pub struct VerifyOutcome {
    /// The kind of the certificates.
    pub kind: CertificateKind,
    /// The size of the file.
    pub bytes: usize,
    /// The checks, in the order of the file.
    pub checks: Vec<CertificateCheck>,
}

impl VerifyOutcome {
    /// Returns whether there are certificates and all of them were accepted.
    pub fn is_accepted(&self) -> bool {
        let is_certified = |check: &CertificateCheck| check.verdict == CertificateVerdict::Certified;
        !self.checks.is_empty() && self.checks.iter().all(is_certified)
    }
}

impl Job for VerifyRequest {
    type Outcome = VerifyOutcome;

    fn run(self, context: &JobContext<'_>) -> Result<VerifyOutcome, Refused> {
        let loaded = context.open_system(&self.model)?;
        let mut files = Files::extending(&loaded.files);
        let read = context.session.read(&self.certificates, "CERTIFICATES must be a file with certificates");
        let added = read.and_then(|bytes| Ok((files.add_bytes(&self.certificates, &bytes)?, bytes.len())));
        let files = Arc::new(files);
        let (file, bytes) = added.map_err(|diagnostic| Refused::about(&files, [diagnostic]))?;
        let (kind, checks) = match loaded.symbolic().cloned() {
            Some(system) => {
                let checks = self.verify_invariants(&loaded, &system, (&files, file), context)?;
                (CertificateKind::Invariants, checks)
            }
            None => (CertificateKind::States, verify_states(&loaded, (&files, file), context)?),
        };
        Ok(VerifyOutcome { kind, bytes, checks })
    }
}

/// Checks the certificates of a network.
fn verify_states(
    loaded: &Loaded,
    (files, file): (&Arc<Files>, FileId),
    context: &JobContext<'_>,
) -> Result<Vec<CertificateCheck>, Refused> {
    let network = loaded.network().cloned().ok_or_else(Refused::default)?;
    let written =
        read_certificates(files, file, &network).map_err(|diagnostic| Refused::about(files, [diagnostic]))?;
    let texts: Vec<String> = written.iter().map(|certificate| certificate.query.clone()).collect();
    let queries = context.accepted(loaded.read_queries(&texts))?.value;
    let checks =
        written.iter().zip(&queries).map(|(WrittenCertificate { query: text, certificate }, query)| {
            let start = Instant::now();
            let found = verify_certificate(&network, query, certificate, &context.budget);
            let found = found.map(|accepted| (accepted.passed, accepted.transitions));
            check_of(text, certificate.node_count(), &found, start)
        });
    // Each check watches the budget by itself.
    Ok(uninterrupted(|| checks.collect()))
}

/// Returns the record of a check: the number of passed states and of transitions or obligations, or the reason of the
/// refusal.
fn check_of(
    query: &str,
    nodes: usize,
    found: &Result<(usize, u64), Refusal>,
    start: Instant,
) -> CertificateCheck {
    let (accepted, refusal) = (found.as_ref().ok(), found.as_ref().err());
    CertificateCheck {
        query: query.to_owned(),
        verdict: if accepted.is_some() { CertificateVerdict::Certified } else { CertificateVerdict::Refused },
        node: refusal.and_then(|refusal| refusal.node),
        reason: refusal.map(ToString::to_string),
        nodes,
        passed: accepted.map(|(passed, _)| *passed),
        transitions: accepted.map(|(_, transitions)| *transitions),
        seconds: start.elapsed().as_secs_f64(),
    }
}

impl VerifyRequest {
    /// Checks the invariants of a symbolic system.
    fn verify_invariants(
        &self,
        loaded: &Loaded,
        system: &Arc<SymbolicSystem>,
        (files, file): (&Arc<Files>, FileId),
        context: &JobContext<'_>,
    ) -> Result<Vec<CertificateCheck>, Refused> {
        let refused = |diagnostic| Refused::about(files, [diagnostic]);
        if context.budget.max_states().is_some() {
            let message = "`--max-states` limits the states of a certificate, but an invariant has none";
            let hint = "remove it; `--timeout` and `--memory` limit the solver";
            return Err(refused(Diagnostic::error(&MISPLACED_OPTION, message).with_hint(hint)));
        }
        let written = read_invariants(files, file, system).map_err(refused)?;
        let program = find_solver(self.solver.as_deref()).map_err(|missing| {
            refused(Diagnostic::error(&NO_SOLVER, missing.message).with_hint(missing.hint))
        })?;
        // A text that is not one of the model's own properties is parsed as a query.
        let mut claims: Vec<(Arc<SymbolicSystem>, SafetyProperty)> = Vec::new();
        for WrittenInvariant { query, .. } in &written {
            if let Some(own) = system.properties.iter().find(|property| property.text == *query) {
                claims.push((Arc::clone(system), own.clone()));
                continue;
            }
            let task = context.accepted(loaded.read_task(std::slice::from_ref(query)))?.value;
            let asked = task.queries.first().and_then(|query| task.system.property(query));
            let (Some(system), Some(claim)) = (task.system.symbolic(), asked) else {
                return Err(Refused::default());
            };
            claims.push((Arc::clone(system), claim.clone()));
        }
        let claims = written.iter().zip(&claims);
        let checks = claims.map(|(WrittenInvariant { query, invariant }, (system, claim))| {
            let start = Instant::now();
            let found = match invariant {
                Ok(invariant) => verify_invariant(system, claim, invariant, program.clone(), &context.budget),
                Err(unreadable) => {
                    context.report(files, std::slice::from_ref(&unreadable.diagnostic));
                    let reason = Reason::IllFormed(unreadable.diagnostic.message.clone());
                    Err(Refusal { part: None, node: Some(unreadable.location), reason })
                }
            };
            let found = found.map(|accepted| (0, accepted.obligations as u64));
            check_of(query, system.locations.len(), &found, start)
        });
        Ok(uninterrupted(|| checks.collect()))
    }
}
