//! `tempora verify-certificate`: checks certificates written by `tempora check --certificate`.
//!
//! Invariant: the exit status is 2 for an error in the model or a malformed file, else 3 if a signal stopped the checks,
//! else 1 if a certificate is refused or the file has none, else 0.

use std::io;
use std::path::PathBuf;

use tempora_report::documents::{CertificateChecksDocument, document_text};
use tempora_report::formats::certificate_checks;
use tempora_workbench::jobs::{VerifyOutcome, VerifyRequest};

use super::OutputFormat;
use super::job_runner::{JobResult, Limits, run_job};
use super::model::{ModelArguments, refuse};
use crate::Status;
use crate::console::Console;

/// Check certificates with the independent checker
///
/// A certificate is a set of states that no run leaves. The checker shares no code with the engines.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    model: ModelArguments,

    /// File with certificates, written by `tempora check --certificate`
    certificates: String,

    /// SMT solver for certificates of symbolic systems
    #[arg(long, value_name = "PATH")]
    solver: Option<PathBuf>,

    #[command(flatten)]
    limits: Limits,

    /// Output format
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = OutputFormat::Text)]
    output: OutputFormat,
}

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Status> {
    let path = arguments.model.path();
    let request = VerifyRequest {
        model: arguments.model.request(),
        certificates: arguments.certificates.clone(),
        solver: arguments.solver.clone(),
    };
    let JobResult { outcome, is_stopped, .. } = run_job(request, &arguments.limits, console);
    let verified = match outcome {
        Ok(verified) => verified,
        Err(refused) => return refuse(path, &refused, arguments.output, console),
    };
    let is_accepted = verified.is_accepted();
    let VerifyOutcome { kind, bytes, checks } = verified;
    let text = match arguments.output {
        OutputFormat::Text => {
            certificate_checks::checks(&arguments.certificates, bytes, kind, &checks, console)
        }
        OutputFormat::Json => document_text(&CertificateChecksDocument::new(path, bytes, checks)),
    };
    console.print(&text)?;
    Ok(match is_accepted {
        true => Status::Success,
        false if is_stopped => Status::Unknown,
        false => Status::Violated,
    })
}
