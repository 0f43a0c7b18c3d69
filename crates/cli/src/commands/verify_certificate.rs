//! `tempora verify-certificate`: checks certificates that `tempora check --certificate` has written.
//!
//! Invariant: the exit status is 2 for an error in the model or in the form of the file, else 1 if a certificate is
//! refused or there is none, else 0.

use std::io;
use std::path::PathBuf;

use tempora_report::documents::{CertificateChecksDocument, document_text};
use tempora_report::formats::certificate_checks;
use tempora_workbench::jobs::{VerifyOutcome, VerifyRequest};

use super::OutputFormat;
use super::model::{ModelArguments, refuse};
use super::performing::{Limits, perform};
use crate::Status;
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
    let path = arguments.model.path();
    let request = VerifyRequest {
        model: arguments.model.request(),
        certificates: arguments.certificates.clone(),
        solver: arguments.solver.clone(),
    };
    let verified = match perform(request, &arguments.limits, console).outcome {
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
    Ok(if is_accepted { Status::Success } else { Status::Violated })
}
