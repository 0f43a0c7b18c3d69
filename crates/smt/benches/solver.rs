//! Measures a solver process: its start, single checks, batches of checks, and recorded sessions.
//!
//! `cargo bench -p tempora-smt` prints the first three. `cargo bench -p tempora-smt -- FILE...` replays files recorded
//! by `tempora check --dump-smt FILE`: each is sent to a new process at full speed, so that another solver, or a
//! built-in one, can be compared on the same checks.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark stops when it cannot run, and prints its results"
)]

use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::Instant;

use tempora_smt::{ProcessOptions, ProcessSolver, Solver, Sort, TermId, TermStore, find_solver};

fn main() {
    let files: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    if files.is_empty() {
        start();
        single_checks();
        batches();
    }
    for file in files {
        replay(&file);
    }
}

fn solver() -> ProcessSolver {
    ProcessSolver::new(find_solver(None).unwrap(), ProcessOptions::default())
}

/// Returns a solver with a non-negative integer.
fn natural_number() -> (ProcessSolver, TermStore, TermId) {
    let (mut solver, mut store) = (solver(), TermStore::new());
    let x = store.add_symbol("x", Sort::Integer);
    let x = store.symbol(x);
    let zero = store.integer(0);
    let positive = store.less_equal(zero, x);
    solver.assert(&store, positive);
    (solver, store, x)
}

/// Measures the time from the start of a process to its first answer.
fn start() {
    const ROUNDS: u32 = 20;
    let begin = Instant::now();
    for _ in 0..ROUNDS {
        let mut solver = solver();
        let mut store = TermStore::new();
        let truth = store.truth(true);
        solver.assert(&store, truth);
        solver.check(&store, &[]).unwrap();
    }
    println!("start: {:.1} ms", begin.elapsed().as_secs_f64() * 1000.0 / f64::from(ROUNDS));
}

/// Measures checks one after the other: a small step, and whether a bound is preserved.
fn single_checks() {
    const ROUNDS: i64 = 5_000;
    let (mut solver, mut store, x) = natural_number();
    let begin = Instant::now();
    for round in 0..ROUNDS {
        let bound = store.integer(round);
        let less = store.less(x, bound);
        solver.check(&store, &[less]).unwrap();
    }
    println!("single checks: {:.0} a second", ROUNDS as f64 / begin.elapsed().as_secs_f64());
}

/// Measures the same checks in batches of two hundred.
fn batches() {
    const ROUNDS: i64 = 25;
    let (mut solver, mut store, x) = natural_number();
    let begin = Instant::now();
    for round in 0..ROUNDS {
        let mut questions = Vec::new();
        for number in 0..200 {
            let bound = store.integer(round * 200 + number);
            questions.push(store.less(x, bound));
        }
        solver.check_many(&store, &questions).unwrap();
    }
    println!("checks by the batch: {:.0} a second", ROUNDS as f64 * 200.0 / begin.elapsed().as_secs_f64());
}

/// Replays a recorded session in a new process.
fn replay(file: &str) {
    let recorded = std::fs::read_to_string(file).unwrap();
    let checks = recorded.matches("(check-sat").count();
    let program = find_solver(None).unwrap();
    let begin = Instant::now();
    let mut child = Command::new(program.path())
        .args(["-in", "-smt2"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    // The file may contain several sessions, one after the other: each starts from an empty solver.
    let text = recorded
        .replace("(set-option :global-declarations true)", "(reset)\n(set-option :global-declarations true)");
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let mut answers = String::new();
    child.stdout.take().unwrap().read_to_string(&mut answers).unwrap();
    writer.join().unwrap().unwrap();
    child.wait().unwrap();
    let seconds = begin.elapsed().as_secs_f64();
    let errors = answers.matches("(error").count();
    println!(
        "{file}: {checks} checks in {seconds:.3} s, {:.0} a second, {errors} errors",
        checks as f64 / seconds
    );
}
