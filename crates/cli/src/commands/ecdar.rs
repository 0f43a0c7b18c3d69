//! `tempora ecdar`: the command line of JECDAR, for scripts.
//!
//! Invariant: the commands are those of Kiviriga, Klicius and Simionescu, "JECDAR 0.2: model checking refinement relations for
//! timed I/O automata" (2019), table 5.1, and the relation has the keys of its appendix A, with the numbers of the edges besides.
//! A result is a line `true` or `false`, in the order of the queries. The exit status is 0 whatever the verdicts are, 3 if a
//! query has none, and 2 for errors.

use std::collections::{BTreeSet, VecDeque};
use std::io;
use std::path::Path;

use tempora_evidence::Verdict;
use tempora_model::QueryKind;
use tempora_report::documents::{RelationMove, RelationPair, document_text};
use tempora_source::{Diagnostic, Files};
use tempora_syntax::parse_query;
use tempora_workbench::{CheckOptions, Loaded, RefinementRelation, check, refinement_relation};

use super::OutputFormat;
use super::answering::{Limits, answered};
use super::model::{ModelArguments, read_model, read_queries, refuse};
use crate::Status;
use crate::codes::ECDAR_COMMAND;
use crate::console::Console;

/// Answer questions about specifications with the command line of JECDAR
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Arguments {
    /// A command with what it needs; -help lists them
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENTS")]
    arguments: Vec<String>,
}

const HELP: &str = "\
-help                                      this text
-version                                   the version of the program
-vq QUERY                                  whether a query is written correctly
-rq -json|-xml PATH QUERY...               answer queries about a project folder or a document
-rqrrr -json|-xml PATH QUERY...            the same, with the relation of each refinement that holds

A query is, for instance, \"refinement: A || B <= S\", \"consistency: S\", \"determinism: S\" or \"implementation: S\".
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
            // A document in another language than XML is read as what it is; a folder is never one.
            if (*form == "-xml") == Path::new(path).is_dir() {
                let (what, hint) = match *form {
                    "-xml" => ("a folder, and no document", "write -json for a project folder"),
                    _ => ("no project folder", "write -xml for a document"),
                };
                let diagnostic =
                    Diagnostic::error(&ECDAR_COMMAND, format!("`{path}` is {what}")).with_hint(hint);
                return refuse("", &Files::new(), &[diagnostic], OutputFormat::Text, console);
            }
            let queries: Vec<String> = queries.iter().map(|query| (*query).to_owned()).collect();
            run_queries(path, &queries, *command == "-rqrrr", console)
        }
        _ => {
            let message = format!("`{}` is no command of JECDAR", words.join(" "));
            let diagnostic = Diagnostic::error(&ECDAR_COMMAND, message)
                .with_hint("the commands are -help, -version, -vq QUERY, and -rq or -rqrrr with -json or -xml, a path and queries");
            refuse("", &Files::new(), &[diagnostic], OutputFormat::Text, console)
        }
    }
}

/// Whether a query is written correctly; what it speaks of is not known.
fn verify_query(query: &str, console: &mut Console) -> io::Result<Status> {
    let mut files = Files::new();
    let file = match files.add("query", query) {
        Ok(file) => file,
        Err(diagnostic) => return refuse("", &files, &[diagnostic], OutputFormat::Text, console),
    };
    let parsed = parse_query(&files, file);
    let is_correct = !parsed.diagnostics.has_errors();
    console.report(&files, parsed.diagnostics.as_slice());
    console.print(&format!("{is_correct}\n"))?;
    Ok(Status::Success)
}

fn run_queries(
    path: &str,
    queries: &[String],
    with_relations: bool,
    console: &mut Console,
) -> io::Result<Status> {
    let files = ModelArguments::new(path, None);
    let mut loaded: Loaded = match read_model(&files, OutputFormat::Text, console)? {
        Ok(loaded) => loaded,
        Err(status) => return Ok(status),
    };
    let queries = match read_queries(path, &mut loaded, queries, OutputFormat::Text, console)? {
        Ok(queries) => queries,
        Err(status) => return Ok(status),
    };
    let Some(task) = loaded.task(queries) else { return Ok(Status::Error) };
    let mut status = Status::Success;
    let answers = answered(&Limits::default(), |budget, progress| {
        check(&task, &CheckOptions::default(), budget, progress)
    });
    for (query, answer) in task.queries.iter().zip(&answers) {
        let result = match &answer.answer().verdict {
            Verdict::Holds => "true",
            Verdict::Fails => "false",
            verdict => {
                if let Verdict::Unknown(reason) = verdict {
                    console.complain(&format!("{}: {}\n", query.text, reason.describe()));
                }
                status = Status::Unknown;
                "unknown"
            }
        };
        console.print(&format!("{result}\n"))?;
        if let (true, Verdict::Holds, QueryKind::Specification { components, question }) =
            (with_relations, &answer.answer().verdict, &query.kind)
        {
            let relation =
                answered(&Limits::default(), |budget, _| refinement_relation(components, question, budget));
            let why = match relation.map(|relation| relation.as_ref().map(nested)) {
                Ok(Some(Some(nested))) => {
                    // A relation without pairs is an empty object.
                    let text = nested.map_or_else(|| "{}\n".to_owned(), |pair| document_text(&pair));
                    console.print(&text)?;
                    continue;
                }
                // Other questions than those about refinement have none.
                Ok(None) => continue,
                Ok(Some(None)) => "its pairs are nested too deeply to be written".to_owned(),
                Err(reason) => reason.describe(),
            };
            console.complain(&format!("{}: there is no relation: {why}\n", query.text));
            status = Status::Unknown;
        }
    }
    Ok(status)
}

/// Deeper nesting than this is not written: those who read it, and this program, would need a stack as deep.
const DEEPEST: usize = 500;

/// A relation in the nested form that JECDAR writes: each pair is written where it is met first, in breadth, so that the form is as
/// flat as it can be. `None` if it is nested too deeply all the same.
fn nested(relation: &RefinementRelation) -> Option<Option<RelationPair>> {
    let Some(initial) = relation.initial else { return Some(None) };
    let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); relation.pairs.len()];
    for (number, next) in relation.moves.iter().enumerate() {
        leaving[next.source].push(number);
    }
    // The moves by which pairs are met first.
    let mut first = BTreeSet::new();
    let mut depths: Vec<Option<usize>> = vec![None; relation.pairs.len()];
    depths[initial] = Some(0);
    let mut waiting = VecDeque::from([(initial, 0)]);
    while let Some((number, depth)) = waiting.pop_front() {
        if depth > DEEPEST {
            return None;
        }
        for &number in &leaving[number] {
            let target = relation.moves[number].target;
            if depths[target].is_none() {
                depths[target] = Some(depth + 1);
                first.insert(number);
                waiting.push_back((target, depth + 1));
            }
        }
    }
    let whole = pair(relation, initial, &leaving, &first);
    Some(Some(RelationPair { initial: Some(initial.to_string()), ..whole }))
}

fn pair(
    relation: &RefinementRelation,
    number: usize,
    leaving: &[Vec<usize>],
    first: &BTreeSet<usize>,
) -> RelationPair {
    let states = &relation.pairs[number];
    let move_of = |&position: &usize| {
        let next = &relation.moves[position];
        let target = || {
            let target = pair(relation, next.target, leaving, first);
            RelationPair { number: Some(next.target.to_string()), ..target }
        };
        RelationMove {
            source: next.source.to_string(),
            channel: next.action.clone(),
            target: next.target.to_string(),
            left_edges: next.left_edges.clone(),
            right_edges: next.right_edges.clone(),
            target_pair: first.contains(&position).then(target),
        }
    };
    RelationPair {
        left: states.left.clone(),
        right: states.right.clone(),
        zone: format!("{:?}", states.zone),
        transitions: leaving[number].iter().map(move_of).collect(),
        initial: None,
        number: None,
    }
}
