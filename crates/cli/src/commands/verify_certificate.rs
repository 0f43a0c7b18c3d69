//! `tempora verify-certificate`: checks certificates that `tempora check --certificate` has written.
//!
//! Invariant: the exit status is 2 for an error in the model or in the form of the file, else 1 if a certificate is
//! refused or there is none, else 0.

use std::fmt::Write as _;
use std::io;
use std::time::Instant;

use serde_json::{Value as Json, json};
use tempora_report::{WrittenCertificate, read_certificates};
use tempora_workbench::verify_certificate;

use super::OutputFormat;
use super::answering::{Limits, answered};
use super::model::{ModelArguments, read_model, read_queries, readable, refuse};
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

    #[command(flatten)]
    limits: Limits,

    /// How to write what was found
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = OutputFormat::Text)]
    output: OutputFormat,
}

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Status> {
    let (path, output) = (arguments.model.path(), arguments.output);
    let mut loaded = match read_model(&arguments.model, output, console)? {
        Ok(loaded) => loaded,
        Err(status) => return Ok(status),
    };
    let bytes = match readable(&arguments.certificates, "CERTIFICATES is a file with certificates") {
        Ok(bytes) => bytes,
        Err(diagnostic) => return refuse(path, &loaded.files, &[diagnostic], output, console),
    };
    let file = match loaded.files.add_bytes(&arguments.certificates, &bytes) {
        Ok(file) => file,
        Err(diagnostic) => return refuse(path, &loaded.files, &[diagnostic], output, console),
    };
    let Some(network) = loaded.network.clone() else { return Ok(Status::Error) };
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
    let mut results: Vec<Json> = Vec::new();
    let mut is_refused = written.is_empty();
    if written.is_empty() {
        text += "refused: the file has no certificate\n";
    }
    answered(&arguments.limits, |budget, _| {
        for (WrittenCertificate { query: asked, certificate }, query) in written.iter().zip(&queries) {
            let start = Instant::now();
            let found = verify_certificate(&network, query, certificate, budget);
            let seconds = start.elapsed().as_secs_f64();
            let nodes = certificate.states.len();
            // Writing to a string does not fail.
            let _ = match &found {
                Ok(accepted) => {
                    let verdict = console.styled(anstyle::AnsiColor::Green.on_default().bold(), "certified");
                    let transitions = accepted.transitions;
                    writeln!(
                        text,
                        "{verdict}: {asked}\n  {nodes} nodes, {transitions} transitions, {seconds:.3} s"
                    )
                }
                Err(refusal) => {
                    is_refused = true;
                    let verdict = console.styled(anstyle::AnsiColor::Red.on_default().bold(), "refused");
                    writeln!(text, "{verdict}: {asked}\n  {refusal}")
                }
            };
            results.push(json!({
                "query": asked,
                "verdict": if found.is_ok() { "certified" } else { "refused" },
                "node": found.as_ref().err().and_then(|refusal| refusal.node),
                "reason": found.as_ref().err().map(ToString::to_string),
                "nodes": nodes,
                "transitions": found.as_ref().ok().map(|accepted| accepted.transitions),
                "seconds": seconds,
            }));
        }
    });
    match output {
        OutputFormat::Text => console.print(&text)?,
        OutputFormat::Json => {
            let whole = json!({ "version": 1, "model": path, "bytes": bytes.len(), "results": results });
            console.print(&format!("{whole:#}\n"))?;
        }
    }
    Ok(if is_refused { Status::Violated } else { Status::Success })
}
