//! Traces of symbolic systems that are not runs are refused.
//!
//! Invariant: each wrong trace differs from the right one in one place.

use std::sync::Arc;

use tempora_evidence::{Answer, Evidence, Statistics, SymbolicStep, SymbolicTrace, Task, Verdict};
use tempora_model::PropertyId;
use tempora_replay::{Showing, judge_property, replay_symbolic};
use tempora_smt::Value;
use tempora_source::{Files, Origins};
use tempora_transition::{ControlEdgeId, read_system, validate_system};

const SYSTEM: &str = "
(var x Int) (var y Int) (var a (Array Int Int)) (var i Int local)
(location start) (location end)
(initial start (= x 1))
(edge start end step (do
  (havoc y)
  (choose (assume false) (do (assume (= y (tdiv (- 7) 2))) (for i 0 3 (set x (+ x i)))))
  (set a (store a x (mod (- 7) 3)))))
(edge end end step (set x (div 5 (- x 4))))
(property \"p\" (at end) (not (= (select a 4) 2)))
";

fn task() -> Task {
    let (mut files, mut origins) = (Files::new(), Origins::new());
    let file = files.add("s.sym", SYSTEM).unwrap();
    let system = read_system(file, SYSTEM, &mut origins).unwrap();
    assert_eq!(validate_system(&system), []);
    Task::about_properties(Arc::new(system))
}

fn right(task: &Task) -> SymbolicTrace {
    let system = task.system.symbolic().unwrap();
    let mut initial: Vec<Value> =
        system.variables.ids().map(|id| Value::default_of(&system.store, system.sort_of(id))).collect();
    initial[0] = Value::integer(1);
    let step = SymbolicStep { edge: ControlEdgeId(0), branches: vec![1], havocs: vec![Value::integer(-3)] };
    SymbolicTrace { initial, steps: vec![step] }
}

fn judged(task: &Task, verdict: Verdict, trace: Option<SymbolicTrace>) -> Showing {
    let answer = Answer {
        verdict,
        evidence: trace.into_iter().map(Evidence::SymbolicTrace).collect(),
        caveats: Vec::new(),
        statistics: Statistics::default(),
        engine: "test".to_owned(),
    };
    judge_property(task.system.symbolic().unwrap(), PropertyId(0), &answer).unwrap().showing
}

#[test]
fn run_is_executed_as_written() {
    let task = task();
    let run = replay_symbolic(task.system.symbolic().unwrap(), &right(&task)).unwrap();
    // 1 + 0 + 1 + 2, and -7 divided by 2 is -3 if it is truncated; -7 modulo 3 is 2.
    assert_eq!(run.steps[0].values[..2], [Value::integer(4), Value::integer(-3)]);
    assert_eq!(judged(&task, Verdict::Fails, Some(right(&task))), Showing::Shown);
}

#[test]
fn refuses_wrong_runs_with_reason() {
    let task = task();
    let right = right(&task);
    let mut wrong: Vec<(&str, SymbolicTrace)> = Vec::new();
    let mut add = |why: &'static str, change: &dyn Fn(&mut SymbolicTrace)| {
        let mut trace = right.clone();
        change(&mut trace);
        wrong.push((why, trace));
    };
    add("does not begin in an initial state", &|trace| trace.initial[0] = Value::integer(2));
    add("wrong sort", &|trace| trace.initial[0] = Value::Boolean(true));
    add("for other variables", &|trace| {
        trace.initial.pop();
    });
    add("an assumption does not hold", &|trace| trace.steps[0].havocs[0] = Value::integer(-4));
    add("an assumption does not hold", &|trace| trace.steps[0].branches[0] = 0);
    add("unknown branch", &|trace| trace.steps[0].branches[0] = 2);
    add("choice of a branch is missing", &|trace| trace.steps[0].branches.clear());
    add("unused choices", &|trace| trace.steps[0].havocs.push(Value::integer(0)));
    add("value for a havoc is missing", &|trace| trace.steps[0].havocs.clear());
    add("wrong sort", &|trace| trace.steps[0].havocs[0] = Value::Boolean(true));
    add("the edge leaves another location", &|trace| trace.steps[0].edge = ControlEdgeId(1));
    add("unknown edge", &|trace| trace.steps[0].edge = ControlEdgeId(9));
    add("not observed where the run ends", &|trace| trace.steps.clear());
    add("division by zero", &|trace| {
        trace.steps.push(SymbolicStep { edge: ControlEdgeId(1), branches: Vec::new(), havocs: Vec::new() });
    });
    for (why, trace) in wrong {
        let showing = judged(&task, Verdict::Fails, Some(trace));
        let Showing::Refuted(said) = showing else { panic!("{why}: {showing:?}") };
        assert!(said.contains(why), "{why}: {said}");
    }
}

#[test]
fn refuses_runs_that_contradict_verdict() {
    let task = task();
    // A violation needs a run.
    assert!(matches!(judged(&task, Verdict::Fails, None), Showing::Refuted(_)));
    // A run that violates the property contradicts "holds".
    assert!(matches!(judged(&task, Verdict::Holds, Some(right(&task))), Showing::Refuted(_)));
    assert_eq!(judged(&task, Verdict::Holds, None), Showing::NotShown);
}
