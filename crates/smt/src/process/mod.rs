//! A solver in a separate process that speaks SMT-LIB.
//!
//! Invariant: assertions are stored here, not only in the process: if it is killed after a timeout, or dies, a new one
//! gets the same assertions. The process starts on first use. The text sent depends only on the calls, so that the same
//! calls give the same answers.

mod channel;
mod find;
mod horn;
mod launch;
mod memory;
mod script;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::text::{Expression, ExpressionKind, read_expressions, read_term};
use crate::{
    Capabilities, CheckResult, HornClause, HornResult, Model, Operator, Solver, SolverError, SymbolId, Term,
    TermId, TermStore,
};
use channel::Channel;
use script::Script;

pub use find::{MissingSolver, SolverProgram, find_solver};
pub use horn::problem_text;
pub use launch::{CANNOT_START, ParentLink, SolverLauncher, install_launcher};
pub use memory::{memory_with_solvers, solver_memory};

/// Options of a solver process.
#[derive(Clone, Debug, Default)]
pub struct ProcessOptions {
    /// The random seed.
    pub seed: u32,
    /// The memory limit in bytes: for this process and all solvers together.
    pub memory_bytes: Option<u64>,
    /// Receives a copy of everything sent to the process.
    pub recording: Option<SolverRecording>,
    /// A flag that kills the process once it is set.
    pub cancellation: Option<Arc<AtomicBool>>,
    /// A counter of checks and of the time spent waiting for them.
    pub meter: Arc<SolverMeter>,
}

/// A shared copy of the text sent to solver processes, in the order of sending.
#[derive(Clone, Debug, Default)]
pub struct SolverRecording(Arc<Mutex<String>>);

impl SolverRecording {
    /// Returns the text so far.
    pub fn text(&self) -> String {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn add(&self, text: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push_str(text);
    }
}

/// Counts the checks of solver processes, and the time spent waiting for them.
#[derive(Debug, Default)]
pub struct SolverMeter {
    checks: AtomicU64,
    nanoseconds: AtomicU64,
}

impl SolverMeter {
    /// Returns the number of checks.
    pub fn checks(&self) -> u64 {
        self.checks.load(Ordering::Relaxed)
    }

    /// Returns the time spent waiting for answers.
    pub fn waited(&self) -> Duration {
        Duration::from_nanos(self.nanoseconds.load(Ordering::Relaxed))
    }

    fn add_checks(&self, count: u64) {
        self.checks.fetch_add(count, Ordering::Relaxed);
    }

    fn add_wait(&self, time: Duration) {
        self.nanoseconds.fetch_add(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }
}

/// A solver process.
pub struct ProcessSolver {
    program: SolverProgram,
    options: ProcessOptions,
    deadline: Option<Instant>,
    /// The assertions, scope by scope; there is always an outermost scope.
    scopes: Vec<Vec<TermId>>,
    running: Option<Session>,
    last: LastCheck,
    /// The number of checks.
    checks: u64,
}

/// A process and the state of its session.
struct Session {
    channel: Channel,
    script: Script,
    /// For each scope of the process, the number of assertions sent.
    sent: Vec<usize>,
    /// The named assumptions, with the scope in which each was named.
    assumptions: BTreeMap<TermId, (usize, String)>,
}

#[derive(Debug)]
enum LastCheck {
    Nothing,
    Satisfiable,
    /// The assumptions of the check, by their names in the process.
    Unsatisfiable(BTreeMap<String, TermId>),
}

impl ProcessSolver {
    /// Creates a solver that will run this program.
    pub fn new(program: SolverProgram, options: ProcessOptions) -> ProcessSolver {
        ProcessSolver {
            program,
            options,
            deadline: None,
            scopes: vec![Vec::new()],
            running: None,
            last: LastCheck::Nothing,
            checks: 0,
        }
    }

    /// Returns the number of checks.
    pub fn checks(&self) -> u64 {
        self.checks
    }

    /// Runs an action on a process that has all assertions; a process that fails is discarded.
    fn with_process<T>(
        &mut self,
        store: &TermStore,
        action: impl FnOnce(&mut Session, Option<Instant>) -> Result<T, SolverError>,
    ) -> Result<T, SolverError> {
        let mut running = match self.running.take() {
            Some(running) => running,
            None => {
                let mut channel = Channel::start(&self.program, &self.options)?;
                channel.send(&script::prelude(self.options.seed))?;
                Session { channel, script: Script::default(), sent: Vec::new(), assumptions: BTreeMap::new() }
            }
        };
        running.synchronise(store, &self.scopes)?;
        // After a wrong or late answer the process is not reused: dropping it kills it.
        let result = action(&mut running, self.deadline)?;
        self.running = Some(running);
        Ok(result)
    }
}

impl Session {
    /// Sends the missing scopes and assertions.
    fn synchronise(&mut self, store: &TermStore, scopes: &[Vec<TermId>]) -> Result<(), SolverError> {
        for (depth, assertions) in scopes.iter().enumerate() {
            if depth >= self.sent.len() {
                if depth > 0 {
                    self.channel.send("(push 1)\n")?;
                }
                self.sent.push(0);
            }
            for assertion in &assertions[self.sent[depth]..] {
                let mut text = String::new();
                let name = self.script.name(store, *assertion, &mut text);
                text.push_str(&format!("(assert {name})\n"));
                self.channel.send(&text)?;
            }
            self.sent[depth] = assertions.len();
        }
        Ok(())
    }

    /// Pops the innermost scope.
    fn pop(&mut self) -> Result<(), SolverError> {
        if self.sent.len() > 1 {
            self.sent.pop();
            let depth = self.sent.len();
            self.assumptions.retain(|_, (scope, _)| *scope < depth);
            self.channel.send("(pop 1)\n")?;
        }
        Ok(())
    }

    /// Returns a name for an assumption: SMT-LIB accepts only constants and their negations.
    fn assume(&mut self, store: &TermStore, assumption: TermId) -> Result<String, SolverError> {
        let is_symbol = |term: TermId| matches!(store.term(term), Term::Symbol(_));
        let is_literal = is_symbol(assumption)
            || matches!(store.term(assumption), Term::Apply(Operator::Not, inner) if is_symbol(inner[0]));
        let mut text = String::new();
        if is_literal {
            let name = self.script.literal(store, assumption, &mut text);
            self.channel.send(&text)?;
            return Ok(name);
        }
        if let Some((_, name)) = self.assumptions.get(&assumption) {
            return Ok(name.clone());
        }
        let meaning = self.script.name(store, assumption, &mut text);
        let name = self.script.assumption(assumption, &mut text);
        text.push_str(&format!("(assert (=> {name} {meaning}))\n"));
        self.channel.send(&text)?;
        self.assumptions.insert(assumption, (self.sent.len() - 1, name.clone()));
        Ok(name)
    }
}

fn check_result(answer: &str) -> Result<CheckResult, SolverError> {
    match answer.trim() {
        "sat" => Ok(CheckResult::Satisfiable),
        "unsat" => Ok(CheckResult::Unsatisfiable),
        "unknown" | "timeout" => Ok(CheckResult::Unknown("the solver answered unknown".to_owned())),
        other => Err(SolverError::Broken(shortened(other))),
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(200).collect()
}

impl Solver for ProcessSolver {
    fn name(&self) -> &str {
        "SMT-LIB process"
    }

    fn capabilities(&self) -> Capabilities {
        let solves_clauses = self.program.solves_horn_clauses();
        Capabilities {
            unsat_cores: true,
            infinite_sorts: true,
            floating_point: true,
            horn_clauses: solves_clauses,
            interpolants: solves_clauses,
        }
    }

    fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
    }

    fn push(&mut self) {
        self.scopes.push(Vec::new());
    }

    fn pop(&mut self) {
        if self.scopes.len() > 1 {
            self.scopes.pop();
            let depth = self.scopes.len();
            if let Some(running) = &mut self.running
                && running.sent.len() > depth
                && running.pop().is_err()
            {
                self.running = None;
            }
        }
        self.last = LastCheck::Nothing;
    }

    fn assert(&mut self, _: &TermStore, formula: TermId) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(formula);
        }
        self.last = LastCheck::Nothing;
    }

    fn check(&mut self, store: &TermStore, assumptions: &[TermId]) -> Result<CheckResult, SolverError> {
        self.last = LastCheck::Nothing;
        self.checks += 1;
        self.options.meter.add_checks(1);
        let (result, names) = self.with_process(store, |running, deadline| {
            let mut names = BTreeMap::new();
            let mut listed = Vec::with_capacity(assumptions.len());
            for assumption in assumptions {
                let name = running.assume(store, *assumption)?;
                listed.push(name.clone());
                names.insert(name, *assumption);
            }
            let command = if listed.is_empty() {
                "(check-sat)\n".to_owned()
            } else {
                format!("(check-sat-assuming ({}))\n", listed.join(" "))
            };
            running.channel.send(&command)?;
            Ok((check_result(&running.channel.receive(deadline)?)?, names))
        })?;
        match result {
            CheckResult::Satisfiable => self.last = LastCheck::Satisfiable,
            CheckResult::Unsatisfiable => self.last = LastCheck::Unsatisfiable(names),
            CheckResult::Unknown(_) => {}
        }
        Ok(result)
    }

    fn unsat_core(&mut self) -> Result<Vec<TermId>, SolverError> {
        let LastCheck::Unsatisfiable(names) = &self.last else {
            return Err(SolverError::Broken("the last check was not unsatisfiable".to_owned()));
        };
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let Some(running) = &mut self.running else {
            return Err(SolverError::Broken("the solver is not running".to_owned()));
        };
        running.channel.send("(get-unsat-assumptions)\n")?;
        let answer = running.channel.receive(self.deadline)?;
        let broken = || SolverError::Broken(shortened(&answer));
        let expressions = read_expressions(&answer).map_err(|_| broken())?;
        let [list] = expressions.as_slice() else { return Err(broken()) };
        let parts = list.list().ok_or_else(broken)?;
        parts
            .iter()
            .map(|part| {
                let text = &answer[part.start..part.end];
                let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                names.get(&text).copied().ok_or_else(broken)
            })
            .collect()
    }

    fn model(&mut self, store: &mut TermStore, symbols: &[SymbolId]) -> Result<Model, SolverError> {
        if !matches!(self.last, LastCheck::Satisfiable) {
            return Err(SolverError::Broken("the last check was not satisfiable".to_owned()));
        }
        let Some(running) = &mut self.running else {
            return Err(SolverError::Broken("the solver is not running".to_owned()));
        };
        let asked: Vec<(SymbolId, String)> = symbols
            .iter()
            .filter(|symbol| running.script.is_declared(**symbol))
            .map(|symbol| (*symbol, script::symbol_name(*symbol)))
            .collect();
        if asked.is_empty() {
            return Ok(Model::new());
        }
        let names: Vec<&str> = asked.iter().map(|(_, name)| name.as_str()).collect();
        running.channel.send(&format!("(get-value ({}))\n", names.join(" ")))?;
        let answer = running.channel.receive(self.deadline)?;
        let broken = || SolverError::Broken(shortened(&answer));
        let expressions = read_expressions(&answer).map_err(|_| broken())?;
        let [list] = expressions.as_slice() else { return Err(broken()) };
        let pairs = list.list().ok_or_else(broken)?;
        if pairs.len() != asked.len() {
            return Err(broken());
        }
        let known = script::known_names(store);
        let mut model = Model::new();
        for (pair, (symbol, _)) in pairs.iter().zip(asked) {
            let Expression { kind: ExpressionKind::List(parts), .. } = pair else { return Err(broken()) };
            let [_, value] = parts.as_slice() else { return Err(broken()) };
            let term = read_term(store, &known, value)
                .map_err(|error| SolverError::Broken(format!("cannot read a value: {}", error.message)))?;
            let Some(value) = store.as_value(term).cloned() else { return Err(broken()) };
            model.insert(symbol, value);
        }
        Ok(model)
    }

    fn check_many(
        &mut self,
        store: &TermStore,
        formulas: &[TermId],
    ) -> Result<Vec<CheckResult>, SolverError> {
        /// The number of checks sent before their answers are read; their text fits into a pipe.
        const MOST_AT_ONCE: usize = 200;
        self.last = LastCheck::Nothing;
        self.checks += formulas.len() as u64;
        self.options.meter.add_checks(formulas.len() as u64);
        self.with_process(store, |running, deadline| {
            let mut results = Vec::with_capacity(formulas.len());
            for part in formulas.chunks(MOST_AT_ONCE) {
                let mut text = String::new();
                let names: Vec<String> =
                    part.iter().map(|formula| running.script.name(store, *formula, &mut text)).collect();
                running.channel.send(&text)?;
                // Names are short, so all checks together are shorter than the capacity of a pipe.
                let questions: String = names
                    .iter()
                    .map(|name| format!("(push 1)\n(assert {name})\n(check-sat)\n(pop 1)\n"))
                    .collect();
                running.channel.send(&questions)?;
                for _ in part {
                    results.push(check_result(&running.channel.receive(deadline)?)?);
                }
            }
            Ok(results)
        })
    }

    fn solve_horn(
        &mut self,
        store: &mut TermStore,
        relations: &[Vec<SymbolId>],
        clauses: &[HornClause],
    ) -> Result<HornResult, SolverError> {
        if !self.program.solves_horn_clauses() {
            return Err(SolverError::Unsupported("Horn clauses"));
        }
        self.checks += 1;
        self.options.meter.add_checks(1);
        horn::solve(&self.program, &self.options, self.deadline, store, relations, clauses)
    }
}
