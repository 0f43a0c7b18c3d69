//! `tempora verifyta`: UPPAAL's command line, for scripts that call `verifyta`.
//!
//! Invariant: what scripts look for is where `verifyta` writes it: options and verdicts on standard output, runs and names of
//! written files on standard error. The exit status is 0 whatever the verdicts are, 3 if a query has none, and 2 for errors.

mod options;
mod output;

use std::io;

use tempora_report::{LocatedAnswer, Source, VerdictWord, formats, locate};
use tempora_source::{Diagnostic, Files};
use tempora_workbench::{CheckOptions, EngineChoice, EngineSettings, RunPreference, check};

use self::options::{Options, Request};
use super::OutputFormat;
use super::answering::{Limits, answered};
use super::model::{ModelArguments, read_model, refuse, write_file};
use crate::Status;
use crate::codes::{NO_QUERY, UNWRITABLE_RUN, VERIFYTA_OPTION};
use crate::console::Console;

/// Answer queries with the command line and the output of UPPAAL's verifyta
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Arguments {
    /// Options and files, as for verifyta; --help lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENTS")]
    arguments: Vec<String>,
}

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Status> {
    let refused = |diagnostic: Diagnostic, console: &mut Console| {
        refuse("", &Files::new(), &[diagnostic], OutputFormat::Text, console)
    };
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
        Err(diagnostic) => return refused(diagnostic, console),
    };
    if std::env::var_os("UPPAAL_COMPILE_ONLY").is_some_and(|value| !value.is_empty()) {
        let message = "UPPAAL_COMPILE_ONLY is set, and UPPAAL's intermediate format is not written";
        let diagnostic = Diagnostic::error(&VERIFYTA_OPTION, message)
            .with_hint("unset it; `tempora convert` writes models in several languages");
        return refused(diagnostic, console);
    }
    verify(&options, console)
}

fn verify(options: &Options, console: &mut Console) -> io::Result<Status> {
    let path = options.model.as_str();
    let files = ModelArguments::new(path, options.queries.as_deref());
    if options.shows_options {
        console.print(&options.summary())?;
    }
    let loaded = match read_model(&files, OutputFormat::Text, console)? {
        Ok(loaded) => loaded,
        Err(status) => return Ok(status),
    };
    let Some(task) = loaded.task(loaded.queries.clone()) else { return Ok(Status::Error) };
    if task.queries.is_empty() {
        let diagnostic = Diagnostic::error(&NO_QUERY, "there is no query to answer")
            .with_hint("name a file with queries behind the model");
        return refuse(path, &loaded.files, &[diagnostic], OutputFormat::Text, console);
    }
    let Some(network) = task.system.network() else { return Ok(Status::Error) };
    let settings = EngineSettings {
        order: options.search_order(),
        preference: options.trace.unwrap_or(RunPreference::Any),
        ..EngineSettings::default()
    };
    let check_options = CheckOptions { engine: EngineChoice::Automatic, settings };
    let answers =
        answered(&Limits::default(), |budget, progress| check(&task, &check_options, budget, progress));
    let source = Source { files: &loaded.files, origins: &loaded.origins };
    let mut status = Status::Success;
    for (number, (query, answer)) in task.queries.iter().zip(&answers).enumerate() {
        let verdict = &answer.answer().verdict;
        let located: LocatedAnswer = locate(source, &task, query, answer);
        console.print(&format!(
            "\nVerifying formula {} at {}\n{}",
            number + 1,
            output::place(&loaded, query),
            output::verdict(&loaded, query, verdict, &located)
        ))?;
        if located.verdict == VerdictWord::Unknown && status == Status::Success {
            status = Status::Unknown;
        }
        if options.shows_statistics {
            console.print(&output::statistics(&located))?;
        }
        if options.trace.is_none() || answer.answer().trace().is_none() {
            continue;
        }
        let what =
            if output::is_counter_example(query, verdict) { "counter example" } else { "example trace" };
        let Some(prefix) = &options.trace_prefix else {
            console.print(&format!("Showing {what}.\n"))?;
            if let Some(run) = &located.run {
                console.complain(&output::run(&loaded, network, run));
            }
            continue;
        };
        let file = format!("{prefix}-{}.xtr", number + 1);
        let written = match &located.run {
            Some(run) => formats::xtr::write(run),
            None => Err("it could not be executed".to_owned()),
        };
        let fault = match written {
            Ok(content) => write_file(&file, content.as_bytes(), console)?,
            Err(why) => {
                let message =
                    format!("the run of formula {} cannot be written to `{file}`: {why}", number + 1);
                Some(
                    Diagnostic::error(&UNWRITABLE_RUN, message)
                        .with_hint("`tempora check --save-trace` writes runs in other formats"),
                )
            }
        };
        match fault {
            None => console.complain(&format!("Writing {what} to {file}\n")),
            Some(diagnostic) => {
                status = refuse(path, &loaded.files, &[diagnostic], OutputFormat::Text, console)?;
            }
        }
    }
    Ok(status)
}
