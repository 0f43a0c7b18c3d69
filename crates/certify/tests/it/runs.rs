//! The runs of answers determine their assurance and are kept.

use std::sync::Arc;

use tempora_certify::{Assurance, CheckedAnswer, check_answer};
use tempora_evidence::{
    Answer, Budget, Caveat, Ending, Evidence, Participation, Rational, Statistics, Step, SymbolicTrace, Task,
    Trace, Transition, TransitionKind, UnknownReason, Verdict,
};
use tempora_model::{EdgeId, LocationId, ProcessId};
use tempora_smt::Value;
use tempora_source::{Files, Origins};
use tempora_transition::read_system;

use crate::support::task;

const MODEL: &str = "process P { clock x; init location A; location B; A -> B { guard x >= 2; } } system P;";

/// Returns a trace that takes the only edge after a delay.
fn trace(delay: i64) -> Trace {
    let participants =
        vec![Participation { process: ProcessId(0), edge: EdgeId(0), branch: 0, select_values: Vec::new() }];
    let transition = Transition { kind: TransitionKind::Internal, participants };
    Trace {
        initial: vec![LocationId(0)],
        steps: vec![Step { delay: Rational::from_integer(delay), transition }],
        final_delay: Rational::from_integer(0),
        ending: Ending::Goal,
    }
}

fn checked(
    verdict: Verdict,
    evidence: Vec<Evidence>,
    caveats: Vec<Caveat>,
    budget: &Budget,
) -> CheckedAnswer {
    let statistics = Statistics::default();
    let answer = Answer { verdict, evidence, caveats, statistics, engine: "test".to_owned() };
    check_answer(&task(MODEL, &["E<> P.B"]), 0, answer, budget)
}

#[test]
fn replayed_answer_keeps_the_first_run() {
    let traces = vec![Evidence::Trace(trace(2)), Evidence::Trace(trace(3))];
    let answer = checked(Verdict::Holds, traces, Vec::new(), &Budget::unlimited());
    assert_eq!((&answer.answer().verdict, answer.assurance()), (&Verdict::Holds, Assurance::Replayed));
    let (found, run) = answer.run().unwrap();
    assert_eq!((found, run.steps.len()), (&trace(2), 1));
    assert_eq!(run.last.locations, [LocationId(1)]);
    assert!(answer.symbolic_run().is_none());
}

#[test]
fn impossible_run_is_a_bug_or_an_over_approximation() {
    let wrong = || vec![Evidence::Trace(trace(1))];
    let answer = checked(Verdict::Holds, wrong(), Vec::new(), &Budget::unlimited());
    let why = "transition of step 1: the guard of the edge of `P` does not hold";
    let bug = UnknownReason::EngineBug(format!("the trace does not replay: {why}"));
    assert_eq!(answer.answer().verdict, Verdict::Unknown(bug));
    assert_eq!((answer.assurance(), answer.run()), (Assurance::Unchecked, None));
    let caveats = vec![Caveat::OverApproximates("stopwatches".to_owned())];
    let answer = checked(Verdict::Holds, wrong(), caveats, &Budget::unlimited());
    let admitted = UnknownReason::OverApproximation(format!("stopwatches; {why}"));
    assert_eq!(answer.answer().verdict, Verdict::Unknown(admitted));
}

#[test]
fn answer_without_a_run_is_unchecked() {
    let answer = checked(Verdict::Holds, Vec::new(), Vec::new(), &Budget::unlimited());
    assert_eq!((&answer.answer().verdict, answer.assurance()), (&Verdict::Holds, Assurance::Unchecked));
    // Without time nothing is executed, and the verdict stays.
    let budget = Budget::unlimited();
    budget.cancellation().store(true, std::sync::atomic::Ordering::Relaxed);
    let answer = checked(Verdict::Holds, vec![Evidence::Trace(trace(2))], Vec::new(), &budget);
    assert_eq!((&answer.answer().verdict, answer.assurance()), (&Verdict::Holds, Assurance::Unchecked));
    assert_eq!(answer.run(), None);
    let [Caveat::Remark(remark)] = answer.answer().caveats.as_slice() else { panic!("{answer:?}") };
    assert!(remark.starts_with("the trace was not replayed: "), "{remark}");
}

#[test]
fn answer_to_no_query_has_no_verdict() {
    let statistics = Statistics::default();
    let (evidence, caveats, engine) = (Vec::new(), Vec::new(), "test".to_owned());
    let answer = Answer { verdict: Verdict::Holds, evidence, caveats, statistics, engine };
    let checked = check_answer(&task(MODEL, &["E<> P.B"]), 1, answer, &Budget::unlimited());
    assert!(matches!(checked.answer().verdict, Verdict::Unknown(UnknownReason::EngineBug(_))));
    assert_eq!(checked.assurance(), Assurance::Unchecked);
}

#[test]
fn symbolic_answer_keeps_its_run() {
    let text = "(var x Int) (location start) (initial start (= x 1)) (property \"p\" (at start) (= x 2))";
    let (mut files, mut origins) = (Files::new(), Origins::new());
    let file = files.add("system", text).unwrap();
    let system = read_system(file, text, &mut origins).unwrap();
    let task = Task::about_properties(Arc::new(system));
    let trace = SymbolicTrace { initial: vec![Value::integer(1)], steps: Vec::new() };
    let answer = Answer {
        verdict: Verdict::Fails,
        evidence: vec![Evidence::SymbolicTrace(trace.clone())],
        caveats: Vec::new(),
        statistics: Statistics::default(),
        engine: "test".to_owned(),
    };
    let checked = check_answer(&task, 0, answer, &Budget::unlimited());
    assert_eq!((&checked.answer().verdict, checked.assurance()), (&Verdict::Fails, Assurance::Replayed));
    let (found, run) = checked.symbolic_run().unwrap();
    assert_eq!((found, &run.initial), (&trace, &trace.initial));
    assert!(checked.run().is_none());
}
