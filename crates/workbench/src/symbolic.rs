//! Questions about symbolic systems: the engines, one line each, and how one is chosen.
//!
//! Invariant: there is one answer for each property, in their order, and each has been through the replaying interpreter.

use std::sync::Arc;
use std::time::Instant;

use tempora_certify::certify_invariant;
use tempora_evidence::{
    Answer, Budget, Caveat, Evidence, InductiveInvariant, Progress, SymbolicEngine, SymbolicTask,
    UnknownReason, Verdict,
};
use tempora_replay::{Assurance, CheckedAnswer};
use tempora_smt::find_solver;
use tempora_symbolic::{
    BoundedEngine, CegarEngine, CegarOptions, ExplicitEngine, GraphObserver, InvariantSource, SolverOptions,
    find_invariant,
};
use tempora_transition::{SymbolicStatement, SymbolicSystem};

use crate::UnknownEngine;
use crate::certified::seconds;

/// The names of all engines for symbolic systems, and what they do.
pub static SYMBOLIC_ENGINES: &[(&str, &str)] = &[
    ("explicit", "goes through states one by one; needs no solver"),
    ("cegar", "refines an abstraction"),
    ("kinduction", "proofs by induction over runs of growing length"),
    ("bmc", "runs of growing length"),
];

/// Which engine is to answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SymbolicChoice {
    /// One after the other, until one answers.
    #[default]
    Automatic,
    /// This one of [`SYMBOLIC_ENGINES`], by position.
    Chosen(usize),
}

/// How properties are to be checked.
#[derive(Clone, Debug, Default)]
pub struct SymbolicOptions {
    /// By which engine.
    pub engine: SymbolicChoice,
    /// The solver, for the engines that need one.
    pub solver: SolverOptions,
    /// How the abstraction works.
    pub cegar: CegarOptions,
    /// Who is shown the abstraction after each iteration, if anybody is.
    pub observer: Option<GraphObserver>,
}

/// The engine that a user asks for by name.
pub fn symbolic_engine_named(name: &str) -> Result<SymbolicChoice, UnknownEngine> {
    if name == "auto" {
        return Ok(SymbolicChoice::Automatic);
    }
    match SYMBOLIC_ENGINES.iter().position(|(own, _)| *own == name) {
        Some(position) => Ok(SymbolicChoice::Chosen(position)),
        None => Err(UnknownEngine { name: name.to_owned() }),
    }
}

/// Where little is written, so many states are gone through before an abstraction is tried for the first time: what has more may have
/// infinitely many, and be simple all the same.
const STATES_BEFORE_FIRST_TRY: u64 = 5_000;
/// The solver is asked no more than this in the first try.
const CHECKS_OF_FIRST_TRY: u64 = 200;
/// More statements than this are much, and take long to be made formulas.
const FEW_STATEMENTS: usize = 60;
/// So many states are gone through before a solver is asked.
const STATES_BEFORE_SOLVER: u64 = 200_000;
/// Without a solver so many states are gone through before it is said that one is missing: what is infinite would go on until
/// the memory is full.
const STATES_WITHOUT_SOLVER: u64 = 5_000_000;
/// Runs of this length are looked at before an abstraction is tried.
const LENGTH_BEFORE_ABSTRACTION: usize = 8;

fn engine(position: usize, options: &SymbolicOptions) -> Box<dyn SymbolicEngine> {
    let solver = options.solver.clone();
    match SYMBOLIC_ENGINES[position].0 {
        "cegar" => Box::new(cegar(options)),
        "kinduction" => Box::new(BoundedEngine { induction: true, longest: None, solver }),
        "bmc" => Box::new(BoundedEngine { induction: false, longest: None, solver }),
        _ => Box::new(ExplicitEngine::default()),
    }
}

fn cegar(options: &SymbolicOptions) -> CegarEngine {
    CegarEngine { options: options.cegar, solver: options.solver.clone(), observer: options.observer.clone() }
}

/// The engines that are asked one after the other, if the user does not choose.
fn automatic(options: &SymbolicOptions, system: &SymbolicSystem) -> Vec<Box<dyn SymbolicEngine>> {
    let solver = options.solver.clone();
    let explicit = Box::new(ExplicitEngine { most_states: Some(STATES_BEFORE_SOLVER) });
    let longest = Some(LENGTH_BEFORE_ABSTRACTION);
    match solver.find() {
        // The solver is missing, and this is where its message comes from.
        Err(_) => vec![
            Box::new(ExplicitEngine { most_states: Some(STATES_WITHOUT_SOLVER) }),
            Box::new(cegar(options)),
        ],
        Ok(()) => {
            let mut engines: Vec<Box<dyn SymbolicEngine>> = Vec::new();
            if has_few_statements(system) {
                let mut first = cegar(options);
                first.options.most_checks = Some(CHECKS_OF_FIRST_TRY);
                engines.push(Box::new(ExplicitEngine { most_states: Some(STATES_BEFORE_FIRST_TRY) }));
                engines.push(Box::new(first));
            }
            engines.push(explicit);
            engines.push(Box::new(BoundedEngine { induction: true, longest, solver: solver.clone() }));
            engines.push(Box::new(cegar(options)));
            engines.push(Box::new(ExplicitEngine::default()));
            engines.push(Box::new(BoundedEngine { induction: true, longest: None, solver }));
            engines
        }
    }
}

fn has_few_statements(system: &SymbolicSystem) -> bool {
    let mut open: Vec<&SymbolicStatement> = system.edges.values().map(|edge| &edge.statement).collect();
    let mut count = 0;
    while let Some(statement) = open.pop() {
        count += 1;
        open.extend(statement.parts());
        if count > FEW_STATEMENTS {
            return false;
        }
    }
    true
}

/// Answers all properties of a task.
pub fn check_symbolic(
    task: &SymbolicTask,
    options: &SymbolicOptions,
    budget: &Budget,
    progress: &Progress,
) -> Vec<CheckedAnswer> {
    let engines = match options.engine {
        SymbolicChoice::Chosen(position) => vec![engine(position, options)],
        SymbolicChoice::Automatic => automatic(options, &task.system),
    };
    let properties = task.system.properties.iter().enumerate();
    properties
        .map(|(property, claim)| {
            // Each property is a task of its own, because each may need another engine.
            let mut system = (*task.system).clone();
            system.properties = vec![claim.clone()];
            let part = SymbolicTask { system: Arc::new(system) };
            let mut known: Option<Answer> = None;
            for engine in &engines {
                let answer = engine.run(&part, budget, progress).into_iter().next();
                let is_final = answer.as_ref().is_some_and(|answer| !may_be_asked_again(answer));
                known = match (known, answer) {
                    // Why the last one does not know says most, but for engines that decline from the start.
                    (_, Some(answer)) => Some(answer),
                    (known, None) => known,
                };
                if is_final {
                    break;
                }
            }
            let mut answer = known.unwrap_or_else(|| Answer::unsupported("none", "no engine answered", None));
            if let (Verdict::Unknown(reason), Err(missing)) = (&answer.verdict, options.solver.find())
                && !matches!(reason, UnknownReason::Unsupported(_))
                && options.engine == SymbolicChoice::Automatic
            {
                // Why the search stopped is known; that more could have been tried is not.
                answer.caveats.push(Caveat::Remark(format!("{}; {}", missing.message, missing.hint)));
            }
            tempora_replay::check_symbolic(task, property, answer)
        })
        .collect()
}

/// Whether another engine may know what this one does not.
fn may_be_asked_again(answer: &Answer) -> bool {
    matches!(
        answer.verdict,
        Verdict::Unknown(
            // The memory that a solver took is free again when it has ended.
            UnknownReason::Unsupported(_)
                | UnknownReason::StateLimit
                | UnknownReason::OverApproximation(_)
                | UnknownReason::Memory
        )
    )
}

/// An invariant is made of all states if they are not more than so many; a formula of more is hard to check.
const MOST_STATES_OF_INVARIANT: u64 = 1_000;

/// Has answers that a property holds certified, as far as that is possible.
pub fn with_invariants(
    task: &SymbolicTask,
    options: &SymbolicOptions,
    answers: Vec<CheckedAnswer>,
    budget: &Budget,
    progress: &Progress,
) -> Vec<CheckedAnswer> {
    let answers = answers.into_iter().enumerate();
    answers
        .map(|(property, answer)| match answer.answer().verdict {
            Verdict::Holds => with_invariant(task, property, options, answer, budget, progress),
            _ => answer,
        })
        .collect()
}

fn with_invariant(
    task: &SymbolicTask,
    property: usize,
    options: &SymbolicOptions,
    mut answer: CheckedAnswer,
    budget: &Budget,
    progress: &Progress,
) -> CheckedAnswer {
    let program = match find_solver(options.solver.program.as_deref()) {
        Ok(program) => program,
        Err(missing) => {
            return answer.with_remark(format!("no certificate: {}; {}", missing.message, missing.hint));
        }
    };
    let claim = &task.system.properties[property];
    let sources =
        [InvariantSource::States(MOST_STATES_OF_INVARIANT), InvariantSource::Abstraction(cegar(options))];
    let mut why = "no engine found one".to_owned();
    let mut is_wrong = false;
    for source in sources {
        let start = Instant::now();
        let invariant = match find_invariant(&task.system, property, &source, budget, progress) {
            Ok(Some(invariant)) => invariant,
            Ok(None) => continue,
            Err(reason) => {
                why = reason.describe();
                continue;
            }
        };
        let making = start.elapsed();
        match certify_invariant(&task.system, claim, answer, invariant, program.clone(), budget) {
            Ok((answer, accepted)) => {
                let checking = start.elapsed().saturating_sub(making);
                return answer.with_remark(format!(
                    "certified by an inductive invariant with {} obligations: made in {}, checked in {}",
                    accepted.obligations,
                    seconds(making),
                    seconds(checking)
                ));
            }
            Err(refused) => {
                let (same, refusal) = *refused;
                answer = same;
                why = format!("it was refused: {refusal}");
                is_wrong |= !refusal.reason.is_limit();
            }
        }
    }
    // An invariant that is not inductive contradicts the engine that gave it, whatever the other source says.
    if is_wrong {
        return answer.refuted(format!("the certificate was refused: {why}"));
    }
    answer.with_remark(format!("no certificate: {why}"))
}

/// The invariant of an answer that was certified.
pub fn accepted_invariant(answer: &CheckedAnswer) -> Option<&InductiveInvariant> {
    if answer.assurance() != Assurance::Certified {
        return None;
    }
    answer.answer().evidence.iter().find_map(|evidence| match evidence {
        Evidence::Invariant(invariant) => Some(invariant),
        _ => None,
    })
}
