//! `tempora verifyta`: UPPAAL's command line, for scripts that call `verifyta`.
//!
//! Invariant: output goes to the streams that `verifyta` uses: options and verdicts to standard output, runs and names
//! of written files to standard error. The exit status is 0 if every query has a verdict, 3 if one has none, and 2 for
//! errors.

mod options;

use std::io;

use tempora_source::Diagnostic;
use tempora_workbench::jobs::{ModelRequest, VerifytaAnswer, VerifytaRequest, VerifytaRun};

use self::options::{Options, Request};
use super::OutputFormat;
use super::job_runner::{JobResult, Limits, run_job, save_outputs};
use super::model::{refuse, report_fault};
use crate::Status;
use crate::codes::VERIFYTA_OPTION;
use crate::console::Console;

/// Answer queries with the command line and output of UPPAAL's verifyta
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Arguments {
    /// Options and files as for verifyta; --help lists the options
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENTS")]
    arguments: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Status> {
    let options = match options::read(&arguments.arguments) {
        Ok(Request::Verify(options)) => options,
        Ok(Request::Help) => {
            console.print(&options::help())?;
            return Ok(Status::Success);
        }
        Ok(Request::Version) => {
            console
                .print(&format!("tempora {}, in place of verifyta of UPPAAL\n", env!("CARGO_PKG_VERSION")))?;
            return Ok(Status::Success);
        }
        Err(diagnostic) => return report_fault(&diagnostic, console),
    };
    if std::env::var_os("UPPAAL_COMPILE_ONLY").is_some_and(|value| !value.is_empty()) {
        let message = "UPPAAL_COMPILE_ONLY is set, but UPPAAL's intermediate format is not supported";
        let diagnostic = Diagnostic::error(&VERIFYTA_OPTION, message)
            .with_hint("unset it, or use `tempora convert` to write models in several languages");
        return report_fault(&diagnostic, console);
    }
    verify(&options, console)
}

fn verify(options: &Options, console: &mut Console) -> io::Result<Status> {
    if options.shows_options {
        console.print(&options.summary())?;
    }
    let path = options.model.as_str();
    let request = VerifytaRequest {
        model: ModelRequest {
            path: path.to_owned(),
            property: options.queries.clone(),
            ..ModelRequest::default()
        },
        search: options.search(),
        seed: options.seed,
        trace: options.trace,
        trace_prefix: options.trace_prefix.clone(),
    };
    let JobResult { outcome, files, .. } = run_job(request, &Limits::default(), console);
    let verified = match outcome {
        Ok(verified) => verified,
        Err(refused) => return refuse(path, &refused, OutputFormat::Text, console),
    };
    let mut status = Status::Success;
    for (number, answer) in verified.answers.iter().enumerate() {
        let VerifytaAnswer { place, verdict, is_known, statistics, run } = answer;
        console.print(&format!("\nVerifying formula {} at {place}\n{verdict}", number + 1))?;
        if !is_known && status == Status::Success {
            status = Status::Unknown;
        }
        if options.shows_statistics {
            console.print(statistics)?;
        }
        match run {
            None => {}
            Some(VerifytaRun::Shown { kind, text }) => {
                console.print(&format!("Showing {kind}.\n"))?;
                console.complain(text);
            }
            Some(VerifytaRun::Saved(output)) => {
                if let Some(fault) = save_outputs(std::slice::from_ref(output), &files, console)? {
                    status = report_fault(&fault, console)?;
                }
            }
        }
    }
    Ok(status)
}
