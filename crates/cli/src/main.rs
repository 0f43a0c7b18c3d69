//! The `tempora` command.
//!
//! Invariant: results go to standard output, diagnostics to standard error, and the exit status is 2 for every usage
//! error. A closed pipe, as with `head`, ends the program silently.

mod codes;
mod commands;
mod console;
mod signals;
mod solver_guard;

use std::io;
use std::process::ExitCode;

use clap::Parser;

use crate::commands::{check, convert, draw, ecdar, explain, inspect, lint, verify_certificate, verifyta};
use crate::console::Console;

/// A workbench for real-time and reactive models
#[derive(Parser)]
#[command(name = "tempora", version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Check(check::Arguments),
    Lint(lint::Arguments),
    Inspect(inspect::Arguments),
    Convert(convert::Arguments),
    Draw(draw::Arguments),
    Explain(explain::Arguments),
    VerifyCertificate(verify_certificate::Arguments),
    Verifyta(verifyta::Arguments),
    Ecdar(ecdar::Arguments),
}

fn main() -> ExitCode {
    if let Some(status) = solver_guard::run_as_guard() {
        return status;
    }
    solver_guard::install();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return print_usage(&error),
    };
    let mut console = Console::new();
    let outcome = match arguments.command {
        Command::Check(arguments) => check::run(&arguments, &mut console),
        Command::Lint(arguments) => lint::run(&arguments, &mut console),
        Command::Inspect(arguments) => inspect::run(&arguments, &mut console),
        Command::Convert(arguments) => convert::run(&arguments, &mut console),
        Command::Draw(arguments) => draw::run(&arguments, &mut console),
        Command::Explain(arguments) => explain::run(&arguments, &mut console),
        Command::VerifyCertificate(arguments) => verify_certificate::run(&arguments, &mut console),
        Command::Verifyta(arguments) => verifyta::run(&arguments, &mut console),
        Command::Ecdar(arguments) => ecdar::run(&arguments, &mut console),
    };
    match outcome {
        Ok(status) => status.into(),
        Err(error) => broken_output(&error),
    }
}

/// The exit status of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    /// The command succeeded, and every query is satisfied.
    Success,
    /// The command line, the model or a query has an error.
    Error,
    /// A query is violated.
    Violated,
    /// A query is unknown, and none is violated.
    Unknown,
}

impl Status {
    /// Returns the number for the system.
    fn number(self) -> u8 {
        match self {
            Status::Success => 0,
            Status::Violated => 1,
            Status::Error => 2,
            Status::Unknown => 3,
        }
    }
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status.number())
    }
}

/// Prints usage errors, help and version; clap reports the latter two as errors as well.
fn print_usage(usage: &clap::Error) -> ExitCode {
    let status = if usage.use_stderr() { Status::Error } else { Status::Success };
    match usage.print() {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => broken_output(&error),
        _ => status.into(),
    }
}

/// Reports that standard output cannot be written, for example because the disk is full.
fn broken_output(error: &io::Error) -> ExitCode {
    Console::new().complain(&format!("error: standard output cannot be written: {error}\n"));
    Status::Error.into()
}
