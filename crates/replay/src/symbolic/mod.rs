//! Executes runs of symbolic systems.
//!
//! Invariant: every statement is executed as written, with exact numbers; nothing is skipped as irrelevant, and no
//! solver is used. No code is shared with the engines, not even the evaluation of terms.

mod bits;
mod evaluate;
mod floats;

use tempora_evidence::{Answer, Evidence, SymbolicStep, SymbolicTrace, Verdict};
use tempora_model::{Id, PropertyId};
use tempora_smt::Value;
use tempora_transition::{
    ControlLocationId, SafetyProperty, StatementKind, SymbolicStatement, SymbolicSystem,
};

use crate::judgement::{ExecutedRun, Judgement, Showing};
use evaluate::evaluate;

/// A run with its states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymbolicRun {
    /// The initial values.
    pub initial: Vec<Value>,
    /// The states after the steps.
    pub steps: Vec<SymbolicRunStep>,
}

/// The state after a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymbolicRunStep {
    /// The location after the step.
    pub location: ControlLocationId,
    /// The value of each variable.
    pub values: Vec<Value>,
}

/// The limit on the iterations of a loop.
const LONGEST_LOOP: u64 = 1_000_000;

/// Executes the runs of an answer about one property of a system, and judges them; `None` if there is no such property.
///
/// The answer is refuted if a run does not belong to the system, or does not end in a state that violates the property.
pub fn judge_property(system: &SymbolicSystem, property: PropertyId, answer: &Answer) -> Option<Judgement> {
    let claim = system.properties.get(property.index())?;
    let mut runs = Vec::with_capacity(answer.evidence.len());
    let mut is_shown = false;
    let mut refutation = None;
    for evidence in &answer.evidence {
        let mut kept = None;
        if let Evidence::SymbolicTrace(trace) = evidence {
            let judged = replay_symbolic(system, trace).and_then(|run| {
                let judged = violation(system, claim, &run);
                kept = Some(ExecutedRun::Symbolic(run));
                judged
            });
            match judged {
                Ok(()) if answer.verdict == Verdict::Fails => is_shown = true,
                Ok(()) => refutation = Some("the run violates the property".to_owned()),
                Err(why) => refutation = Some(why),
            }
        }
        runs.push(kept);
    }
    let showing = match refutation {
        Some(why) => Showing::Refuted(why),
        None if is_shown => Showing::Shown,
        None if answer.verdict == Verdict::Fails => Showing::Refuted("the answer has no run".to_owned()),
        None => Showing::NotShown,
    };
    Some(Judgement { runs, showing, remarks: Vec::new() })
}

/// Checks that the last state of a run violates a property; otherwise returns why not.
fn violation(system: &SymbolicSystem, claim: &SafetyProperty, run: &SymbolicRun) -> Result<(), String> {
    let (location, values) = match run.steps.last() {
        Some(step) => (step.location, &step.values),
        None => (system.initial_location, &run.initial),
    };
    if !claim.is_observed_at(location) {
        return Err("the property is not observed where the run ends".to_owned());
    }
    match evaluate(system, values, claim.condition)? {
        Value::Boolean(false) => Ok(()),
        _ => Err("the property holds where the run ends".to_owned()),
    }
}

/// Executes a trace; returns why it is not a run if it is not.
pub fn replay_symbolic(system: &SymbolicSystem, trace: &SymbolicTrace) -> Result<SymbolicRun, String> {
    if trace.initial.len() != system.variables.len() {
        return Err("the initial values are for other variables".to_owned());
    }
    for (id, value) in system.variables.ids().zip(&trace.initial) {
        if value.sort() != *system.sort_of(id) {
            return Err(format!("the value of `{}` has the wrong sort", system.variables[id].name));
        }
    }
    if evaluate(system, &trace.initial, system.initial)? != Value::Boolean(true) {
        return Err("the run does not begin in an initial state".to_owned());
    }
    let mut location = system.initial_location;
    let mut values = trace.initial.clone();
    let mut steps = Vec::with_capacity(trace.steps.len());
    for (number, step) in trace.steps.iter().enumerate() {
        let at = |why: String| format!("step {}: {why}", number + 1);
        let edge = system.edges.get(step.edge).ok_or_else(|| at("unknown edge".to_owned()))?;
        if edge.source != location {
            return Err(at("the edge leaves another location".to_owned()));
        }
        let mut execution = Execution { system, values, step, branches: 0, havocs: 0 };
        execution.execute(&edge.statement).map_err(at)?;
        if execution.branches != step.branches.len() || execution.havocs != step.havocs.len() {
            return Err(at("the step has unused choices".to_owned()));
        }
        values = execution.values;
        location = edge.target;
        steps.push(SymbolicRunStep { location, values: values.clone() });
    }
    Ok(SymbolicRun { initial: trace.initial.clone(), steps })
}

struct Execution<'run> {
    system: &'run SymbolicSystem,
    values: Vec<Value>,
    step: &'run SymbolicStep,
    /// The number of branches and havoc values used.
    branches: usize,
    havocs: usize,
}

impl Execution<'_> {
    fn execute(&mut self, statement: &SymbolicStatement) -> Result<(), String> {
        match &statement.kind {
            StatementKind::Assign(variable, value) => {
                self.values[variable.index()] = evaluate(self.system, &self.values, *value)?;
                Ok(())
            }
            StatementKind::Assume(condition) => match evaluate(self.system, &self.values, *condition)? {
                Value::Boolean(true) => Ok(()),
                _ => Err("an assumption does not hold".to_owned()),
            },
            StatementKind::Havoc(variable) => {
                let value = self.step.havocs.get(self.havocs).ok_or("a value for a havoc is missing")?;
                if value.sort() != *self.system.sort_of(*variable) {
                    return Err("the value of a havoc has the wrong sort".to_owned());
                }
                self.havocs += 1;
                self.values[variable.index()] = value.clone();
                Ok(())
            }
            StatementKind::Sequence(parts) => parts.iter().try_for_each(|part| self.execute(part)),
            StatementKind::Choice(branches) => {
                let chosen =
                    self.step.branches.get(self.branches).ok_or("the choice of a branch is missing")?;
                self.branches += 1;
                self.execute(branches.get(*chosen).ok_or("unknown branch")?)
            }
            StatementKind::Loop { counter, from, to, body } => {
                let from = evaluate(self.system, &self.values, *from)?;
                let to = evaluate(self.system, &self.values, *to)?;
                let (Value::Integer(mut current), Value::Integer(end)) = (from, to) else {
                    return Err("the bounds of a loop are not integers".to_owned());
                };
                let mut rounds = 0;
                while current < end {
                    rounds += 1;
                    if rounds > LONGEST_LOOP {
                        return Err("a loop has too many iterations".to_owned());
                    }
                    self.values[counter.index()] = Value::Integer(current.clone());
                    self.execute(body)?;
                    current = tempora_smt::Integer::from(current.to_big() + 1);
                }
                Ok(())
            }
        }
    }
}
