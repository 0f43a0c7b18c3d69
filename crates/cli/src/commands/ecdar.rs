//! `tempora ecdar`: the command line of JECDAR, for scripts.
//!
//! The commands are those of Kiviriga, Klicius and Simionescu, "JECDAR 0.2: model checking refinement relations for
//! timed I/O automata" (2019), table 5.1. The relation has the keys of its appendix A, and edge numbers in addition.
//!
//! Invariant: each result is a line `true` or `false`, in the order of the queries. The exit status is 0 if every query
//! has a verdict, 3 if one has none, and 2 for errors.

use std::io;
use std::path::Path;

use tempora_report::documents::document_text;
use tempora_source::Diagnostic;
use tempora_workbench::jobs::{
    ModelRequest, ParseQueryOutcome, ParseQueryRequest, RelateRequest, RelatedQuery,
};

use super::OutputFormat;
use super::job_runner::{Limits, run_job};
use super::model::{refuse, report_fault};
use crate::Status;
use crate::codes::ECDAR_COMMAND;
use crate::console::Console;

/// Answer queries about specifications with the command line of JECDAR
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Arguments {
    /// Command of JECDAR with its arguments; -help lists the commands
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENTS")]
    arguments: Vec<String>,
}

const HELP: &str = "\
-help                                      print this text
-version                                   print the version of the program
-vq QUERY                                  check the syntax of a query
-rq -json|-xml PATH QUERY...               answer queries about a project folder or a document
-rqrrr -json|-xml PATH QUERY...            also print the relation of each refinement that holds

Examples of queries: \"refinement: A || B <= S\", \"consistency: S\", \"determinism: S\" or \"implementation: S\".
";

pub(crate) fn run(arguments: &Arguments, console: &mut Console) -> io::Result<Status> {
    let words: Vec<&str> = arguments.arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["-help" | "--help" | "-h"] | [] => {
            console.print(HELP)?;
            Ok(Status::Success)
        }
        ["-version" | "--version"] => {
            console.print(&format!("tempora {}, in place of JECDAR\n", env!("CARGO_PKG_VERSION")))?;
            Ok(Status::Success)
        }
        ["-vq", query] => verify_query(query, console),
        [command @ ("-rq" | "-rqrrr"), form @ ("-json" | "-xml"), path, queries @ ..]
            if !queries.is_empty() =>
        {
            // `-xml` accepts a document in any language, but never a folder.
            if (*form == "-xml") == Path::new(path).is_dir() {
                let (what, hint) = match *form {
                    "-xml" => ("a folder, not a document", "use -json for a project folder"),
                    _ => ("not a project folder", "use -xml for a document"),
                };
                let diagnostic =
                    Diagnostic::error(&ECDAR_COMMAND, format!("`{path}` is {what}")).with_hint(hint);
                return report_fault(&diagnostic, console);
            }
            run_queries(path, queries, *command == "-rqrrr", console)
        }
        _ => {
            let message = format!("`{}` is not a command of JECDAR", words.join(" "));
            let diagnostic = Diagnostic::error(&ECDAR_COMMAND, message).with_hint(
                "use -help, -version, -vq QUERY, or -rq or -rqrrr with -json or -xml, a path and queries",
            );
            report_fault(&diagnostic, console)
        }
    }
}

/// Prints whether a query is syntactically correct; its names are not resolved.
fn verify_query(query: &str, console: &mut Console) -> io::Result<Status> {
    let request = ParseQueryRequest { text: query.to_owned() };
    match run_job(request, &Limits::default(), console).outcome {
        Ok(ParseQueryOutcome { is_correct }) => {
            console.print(&format!("{is_correct}\n"))?;
            Ok(Status::Success)
        }
        Err(refused) => refuse("", &refused, OutputFormat::Text, console),
    }
}

fn run_queries(
    path: &str,
    queries: &[&str],
    with_relations: bool,
    console: &mut Console,
) -> io::Result<Status> {
    let request = RelateRequest {
        model: ModelRequest { path: path.to_owned(), ..ModelRequest::default() },
        queries: queries.iter().map(|query| (*query).to_owned()).collect(),
        relations: with_relations,
    };
    let related = match run_job(request, &Limits::default(), console).outcome {
        Ok(related) => related,
        Err(refused) => return refuse(path, &refused, OutputFormat::Text, console),
    };
    let mut status = Status::Success;
    for RelatedQuery { query, verdict, relation } in related.queries {
        let result = match verdict {
            Ok(true) => "true",
            Ok(false) => "false",
            Err(reason) => {
                if let Some(reason) = reason {
                    console.note(&format!("{query}: {reason}"));
                }
                status = Status::Unknown;
                "unknown"
            }
        };
        console.print(&format!("{result}\n"))?;
        match relation {
            // A relation without pairs is an empty object.
            Some(Ok(pair)) => {
                console.print(&pair.map_or_else(|| "{}\n".to_owned(), |pair| document_text(&pair)))?;
            }
            Some(Err(why)) => {
                console.note(&format!("{query}: no relation available: {why}"));
                status = Status::Unknown;
            }
            None => {}
        }
    }
    Ok(status)
}
