//! `tempora verify-certificate`: checks certificates that `tempora check --certificate` has written.
//!
//! Invariant: the exit status is 2 for an error in the model or in the form of the file, else 1 if a certificate is
//! refused or there is none, else 0.

use std::fmt::Write as _;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use tempora_report::documents::{
    CertificateCheck, CertificateChecksDocument, CertificateVerdict, document_text,
};
use tempora_report::{WrittenCertificate, WrittenInvariant, read_certificates, read_invariants};
use tempora_smt::find_solver;
use tempora_source::{Diagnostic, FileId, Files};
use tempora_transition::{SafetyProperty, SymbolicSystem};
use tempora_workbench::{Loaded, counted_nodes, verify_certificate, verify_invariant};

use super::OutputFormat;
use super::answering::{Limits, answered};
use super::model::{ModelArguments, read_any_model, read_queries, read_task, readable, refuse};
use crate::Status;
use crate::codes::NO_SOLVER;
use crate::console::Console;

/// Check certificates: sets of states that no run leaves
///
/// The checker shares no code with the engines that make certificates.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    model: ModelArguments,

    /// The certificates: a file that `tempora check --certificate` has written
    certificates: String,

    /// The SMT solver, for certificates of symbolic systems
    #[arg(long, value_name = "PATH")]
    solver: Option<PathBuf>,

    #[command(flatten)]
    limits: Limits,

    /// How to write what was found
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = OutputFormat::Text)]
    output: OutputFormat,
}

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Status> {
    let (path, output) = (arguments.model.path(), arguments.output);
    let mut loaded = match read_any_model(&arguments.model, output, console)? {
        Ok(loaded) => loaded,
        Err(status) => return Ok(status),
    };
    let bytes = match readable(&arguments.certificates, "CERTIFICATES is a file with certificates") {
        Ok(bytes) => bytes,
        Err(diagnostic) => return refuse(path, &loaded.files, &[diagnostic], output, console),
    };
    let mut files = Files::extending(&loaded.files);
    let file = match files.add_bytes(&arguments.certificates, &bytes) {
        Ok(file) => file,
        Err(diagnostic) => return refuse(path, &files, &[diagnostic], output, console),
    };
    loaded.files = Arc::new(files);
    if loaded.symbolic().is_some() {
        return verify_invariants(arguments, &mut loaded, file, bytes.len(), console);
    }
    let Some(network) = loaded.network().cloned() else { return Ok(Status::Error) };
    let written = match read_certificates(&loaded.files, file, &network) {
        Ok(written) => written,
        Err(diagnostic) => return refuse(path, &loaded.files, &[diagnostic], output, console),
    };
    let texts: Vec<String> = written.iter().map(|certificate| certificate.query.clone()).collect();
    let queries = match read_queries(path, &mut loaded, &texts, output, console)? {
        Ok(queries) => queries,
        Err(status) => return Ok(status),
    };
    let mut text = format!("{}: {} bytes\n", arguments.certificates, bytes.len());
    let mut results: Vec<CertificateCheck> = Vec::new();
    let mut is_refused = written.is_empty();
    if written.is_empty() {
        text += "refused: the file has no certificate\n";
    }
    answered(&arguments.limits, |budget, _| {
        for (WrittenCertificate { query: asked, certificate }, query) in written.iter().zip(&queries) {
            let start = Instant::now();
            let found = verify_certificate(&network, query, certificate, budget);
            let seconds = start.elapsed().as_secs_f64();
            let nodes = certificate.node_count();
            // Writing to a string does not fail.
            let _ = match &found {
                Ok(accepted) => {
                    let verdict = console.styled(anstyle::AnsiColor::Green.on_default().bold(), "certified");
                    let (nodes, transitions) = (counted_nodes(nodes, accepted.passed), accepted.transitions);
                    writeln!(text, "{verdict}: {asked}\n  {nodes}, {transitions} transitions, {seconds:.3} s")
                }
                Err(refusal) => {
                    is_refused = true;
                    let verdict = console.styled(anstyle::AnsiColor::Red.on_default().bold(), "refused");
                    writeln!(text, "{verdict}: {asked}\n  {refusal}")
                }
            };
            let (accepted, refusal) = (found.as_ref().ok(), found.as_ref().err());
            results.push(CertificateCheck {
                query: asked.clone(),
                verdict: verdict_of(accepted.is_some()),
                node: refusal.and_then(|refusal| refusal.node),
                reason: refusal.map(ToString::to_string),
                nodes,
                passed: accepted.map(|accepted| accepted.passed),
                transitions: accepted.map(|accepted| accepted.transitions),
                seconds,
            });
        }
    });
    let found = Found { text, results, is_refused };
    found.print(arguments, bytes.len(), console)
}

fn verdict_of(is_accepted: bool) -> CertificateVerdict {
    if is_accepted { CertificateVerdict::Certified } else { CertificateVerdict::Refused }
}

/// What was found about all certificates of a file.
struct Found {
    text: String,
    results: Vec<CertificateCheck>,
    is_refused: bool,
}

impl Found {
    fn print(self, arguments: &Arguments, bytes: usize, console: &mut Console) -> io::Result<Status> {
        match arguments.output {
            OutputFormat::Text => console.print(&self.text)?,
            OutputFormat::Json => {
                let model = arguments.model.path();
                let checks = CertificateChecksDocument::new(model, bytes, self.results);
                console.print(&document_text(&checks))?;
            }
        }
        Ok(if self.is_refused { Status::Violated } else { Status::Success })
    }
}

/// Checks the invariants of a symbolic system.
fn verify_invariants(
    arguments: &Arguments,
    loaded: &mut Loaded,
    file: FileId,
    bytes: usize,
    console: &mut Console,
) -> io::Result<Status> {
    let (path, output) = (arguments.model.path(), arguments.output);
    let Some(system) = loaded.symbolic().cloned() else { return Ok(Status::Error) };
    let written = match read_invariants(&loaded.files, file, &system) {
        Ok(written) => written,
        Err(diagnostic) => return refuse(path, &loaded.files, &[diagnostic], output, console),
    };
    let program = match find_solver(arguments.solver.as_deref()) {
        Ok(program) => program,
        Err(missing) => {
            let diagnostic = Diagnostic::error(&NO_SOLVER, missing.message).with_hint(missing.hint);
            return refuse(path, &loaded.files, &[diagnostic], output, console);
        }
    };
    let mut found = Found {
        text: format!("{}: {bytes} bytes\n", arguments.certificates),
        results: Vec::new(),
        is_refused: written.is_empty(),
    };
    if written.is_empty() {
        found.text += "refused: the file has no certificate\n";
    }
    // The model's own properties are known by how they are asked; any other text is read as a query.
    let mut claims: Vec<(Arc<SymbolicSystem>, SafetyProperty)> = Vec::new();
    for WrittenInvariant { query, .. } in &written {
        if let Some(own) = system.properties.iter().find(|property| property.text == *query) {
            claims.push((Arc::clone(&system), own.clone()));
            continue;
        }
        let task = match read_task(path, loaded, std::slice::from_ref(query), output, console)? {
            Ok(task) => task,
            Err(status) => return Ok(status),
        };
        let asked = task.queries.first().and_then(|query| task.system.property(query));
        let (Some(system), Some(claim)) = (task.system.symbolic(), asked) else { return Ok(Status::Error) };
        claims.push((Arc::clone(system), claim.clone()));
    }
    answered(&arguments.limits, |budget, _| {
        for (WrittenInvariant { query, invariant }, (system, claim)) in written.iter().zip(&claims) {
            let start = Instant::now();
            let checked = verify_invariant(system, claim, invariant, program.clone(), budget);
            let seconds = start.elapsed().as_secs_f64();
            let nodes = invariant.formulas.len();
            // Writing to a string does not fail.
            let _ = match &checked {
                Ok(accepted) => {
                    let verdict = console.styled(anstyle::AnsiColor::Green.on_default().bold(), "certified");
                    let obligations = accepted.obligations;
                    writeln!(
                        found.text,
                        "{verdict}: {query}\n  {nodes} locations, {obligations} obligations, {seconds:.3} s"
                    )
                }
                Err(refusal) => {
                    found.is_refused = true;
                    let verdict = console.styled(anstyle::AnsiColor::Red.on_default().bold(), "refused");
                    writeln!(found.text, "{verdict}: {query}\n  {refusal}")
                }
            };
            let (accepted, refusal) = (checked.as_ref().ok(), checked.as_ref().err());
            found.results.push(CertificateCheck {
                query: query.clone(),
                verdict: verdict_of(accepted.is_some()),
                node: refusal.and_then(|refusal| refusal.node),
                reason: refusal.map(ToString::to_string),
                nodes,
                passed: accepted.map(|_| 0),
                transitions: accepted.map(|accepted| accepted.obligations as u64),
                seconds,
            });
        }
    });
    found.print(arguments, bytes, console)
}
