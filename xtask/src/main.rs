//! The `cargo xtask` command: reads the arguments, calls one task, and turns its result into an exit status.
//!
//! Exit status 0: nothing to complain about; 1: the task found something; 2: the task could not be done.

#![expect(clippy::print_stderr, reason = "this is the command line")]

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use xtask::assurance;
use xtask::mutants::{self, Options};
use xtask::readme::{self, Readme};
use xtask::record;
use xtask::setup;
use xtask::test;
use xtask::tidy;
use xtask::tree::Tree;
use xtask::workspace_folder;

const USAGE: &str = "\
cargo xtask test [ARGUMENT]...        run setup and all tests, and list those that are skipped
cargo xtask setup                     find a solver for the tests, or install one into target/tools
cargo xtask tidy                      check the rules that the compiler does not know
cargo xtask tidy --count [FOLDER]     count the phrases of xtask/plain-words.txt in this or another checkout
cargo xtask mutants [--only NAME]... [--part 1/4] [--jobs NUMBER]
                                      break the sources on purpose and see whether the tests notice
cargo xtask assurance FOLDER [--program PATH] [--timeout SECONDS] [--certificates]
                                      count how the answers about the models of a folder with a cases.tsv were assured
cargo xtask readme --check            run the commands of README.md and compare their output
cargo xtask readme --print test|run   print a command of README.md
cargo xtask record [DIR] [--compare OLD [--with NEW]] [--prose] [--only WORD] [--program PATH] [--list]
                                      record the output of many command lines, or compare with an earlier record
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match arguments.as_slice() {
        ["setup"] => run_setup(),
        ["test", rest @ ..] => test::run(&workspace_folder(), rest, &mut std::io::stdout()),
        ["tidy"] => run_tidy(),
        ["tidy", "--count"] => count_phrases(&workspace_folder()),
        ["tidy", "--count", folder] => count_phrases(folder.as_ref()),
        ["mutants", rest @ ..] => run_mutants(rest),
        ["assurance", folder, rest @ ..] => run_assurance(folder, rest),
        ["readme", "--check"] => check_readme(),
        ["readme", "--print", which] => print_readme(which),
        ["record", rest @ ..] => run_record(rest),
        ["help" | "--help" | "-h"] => write_out(USAGE).map(|()| true),
        _ => Err(format!("unknown arguments; use one of\n{USAGE}")),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::from(2)
        }
    }
}

fn run_setup() -> Result<bool, String> {
    let found = setup::run(&workspace_folder())?;
    write_out(&format!("{found}\n"))?;
    Ok(true)
}

fn run_tidy() -> Result<bool, String> {
    let tree = Tree::of_folder(&workspace_folder())?;
    let violations = tidy::check(&tree);
    for violation in &violations {
        write_out(&format!("{violation}\n"))?;
    }
    Ok(violations.is_empty())
}

fn count_phrases(folder: &Path) -> Result<bool, String> {
    let list = workspace_folder().join("xtask").join("plain-words.txt");
    let list =
        std::fs::read_to_string(&list).map_err(|error| format!("cannot read {}: {error}", list.display()))?;
    write_out(&tidy::count_phrases(&Tree::of_folder(folder)?, &list)?)?;
    Ok(true)
}

fn run_mutants(mut arguments: &[&str]) -> Result<bool, String> {
    let mut options = Options::default();
    while let [option, rest @ ..] = arguments {
        arguments = match (*option, rest) {
            ("--only", [name, rest @ ..]) => {
                options.only.push((*name).to_owned());
                rest
            }
            ("--part", [part, rest @ ..]) => {
                options.part = Some(part_and_parts(part)?);
                rest
            }
            ("--jobs", [jobs, rest @ ..]) => {
                options.jobs = jobs
                    .parse()
                    .ok()
                    .filter(|&jobs| 0 < jobs)
                    .ok_or_else(|| format!("`--jobs {jobs}` is no number of jobs; use `--jobs 2`"))?;
                rest
            }
            ("--jobs", []) => return Err("`--jobs` needs a number such as `2`".to_owned()),
            ("--part", []) => return Err("`--part` needs a part such as `1/4`".to_owned()),
            ("--only", []) => return Err("`--only` needs the name of a mutant".to_owned()),
            _ => return Err(format!("unknown argument `{option}`; use one of\n{USAGE}")),
        };
    }
    let results = mutants::run(&workspace_folder(), &options, &mut std::io::stdout())?;
    Ok(results.iter().all(|result| result.outcome.is_caught()))
}

fn run_assurance(folder: &str, mut arguments: &[&str]) -> Result<bool, String> {
    let program = workspace_folder().join("target").join("release").join("tempora");
    let mut options = assurance::Options { program, timeout: 10, certificates: false };
    while let [option, rest @ ..] = arguments {
        arguments = match (*option, rest) {
            ("--program", [path, rest @ ..]) => {
                options.program = path.into();
                rest
            }
            ("--timeout", [seconds, rest @ ..]) => {
                options.timeout =
                    seconds.parse().map_err(|_| format!("`{seconds}` is no number of seconds"))?;
                rest
            }
            ("--certificates", rest) => {
                options.certificates = true;
                rest
            }
            _ => return Err(format!("unknown argument `{option}`; use one of\n{USAGE}")),
        };
    }
    assurance::run(folder.as_ref(), &options, &mut std::io::stdout())
}

fn run_record(mut arguments: &[&str]) -> Result<bool, String> {
    let mut options = record::Options::default();
    while let [option, rest @ ..] = arguments {
        arguments = match (*option, rest) {
            ("--prose", rest) => {
                options.prose = true;
                rest
            }
            ("--list", rest) => {
                options.list = true;
                rest
            }
            ("--compare" | "--with" | "--program" | "--only", [value, rest @ ..]) => {
                match *option {
                    "--compare" => options.compare = Some(value.into()),
                    "--with" => options.with = Some(value.into()),
                    "--program" => options.program = Some(value.into()),
                    _ => options.only = Some((*value).to_owned()),
                }
                rest
            }
            (folder, rest) if !folder.starts_with('-') && options.folder.is_none() => {
                options.folder = Some(folder.into());
                rest
            }
            _ => return Err(format!("unknown or incomplete argument `{option}`; use one of\n{USAGE}")),
        };
    }
    if options.with.is_some() && options.compare.is_none() {
        return Err("`--with NEW` needs `--compare OLD`".to_owned());
    }
    record::task(&workspace_folder(), &options, &mut std::io::stdout())
}

/// `2/4` is the second of four parts.
fn part_and_parts(text: &str) -> Result<(usize, usize), String> {
    let numbers =
        text.split_once('/').and_then(|(part, parts)| Some((part.parse().ok()?, parts.parse().ok()?)));
    match numbers {
        Some((part, parts)) if 1 <= part && part <= parts => Ok((part, parts)),
        _ => Err(format!("`{text}` is no part; one of four would be `1/4`")),
    }
}

fn check_readme() -> Result<bool, String> {
    let root = workspace_folder();
    let complaints = Readme::of_workspace(&root)?.check_examples(&root)?;
    for complaint in &complaints {
        write_out(&format!("{complaint}\n"))?;
    }
    Ok(complaints.is_empty())
}

fn print_readme(which: &str) -> Result<bool, String> {
    let readme = Readme::of_workspace(&workspace_folder())?;
    match which {
        "test" => write_out(&readme.test_command)?,
        "run" => {
            for readme::Example { command, .. } in &readme.examples {
                write_out(command)?;
            }
        }
        _ => return Err(format!("`{which}` is not a command of README.md; use `test` or `run`")),
    }
    Ok(true)
}

/// Unlike `println!` this does not panic when the reader has gone away.
fn write_out(text: &str) -> Result<(), String> {
    std::io::stdout().write_all(text.as_bytes()).map_err(|error| format!("cannot write the output: {error}"))
}
