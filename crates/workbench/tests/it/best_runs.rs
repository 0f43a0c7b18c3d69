//! The lengths of shortest runs and the durations of fastest runs agree with the region oracle.
//!
//! `AGREEMENT_CASES` sets the number of networks; each failure prints the network, with its seed.

use std::sync::Arc;

use tempora_certify::{Assurance, CheckedAnswer};
use tempora_evidence::{Budget, Caveat, Limit, MeasuredValue, Progress, Rational, Task, Trace, Verdict};
use tempora_model::{Expression, ExpressionKind, Formula, Query, QueryKind, UnaryOperator};
use tempora_oracle::random_networks::{Knobs, QueryTopic, RandomNetwork, generate};
use tempora_workbench::{CheckOptions, EngineSettings, RunPreference, SearchOrder, check, engine_named};

fn cases(default: u64) -> u64 {
    std::env::var("AGREEMENT_CASES").map_or(default, |cases| cases.parse().unwrap())
}

/// Returns the reachability queries, with their predicates and the truth value in the goal.
fn reachability(random: &RandomNetwork) -> Vec<(Query, Expression, bool)> {
    QueryTopic::ALL
        .iter()
        .zip(&random.model.queries)
        .filter_map(|(_, query)| match &query.kind {
            QueryKind::Formula(Formula::Possibly(predicate)) => {
                Some((query.clone(), predicate.clone(), true))
            }
            QueryKind::Formula(Formula::Always(predicate)) if !mentions_deadlock(predicate) => {
                Some((query.clone(), predicate.clone(), false))
            }
            _ => None,
        })
        .collect()
}

fn mentions_deadlock(predicate: &Expression) -> bool {
    let mut found = false;
    predicate.for_each(&mut |part| found |= matches!(part.kind, ExpressionKind::Deadlock));
    found
}

fn options(order: SearchOrder, preference: RunPreference) -> CheckOptions {
    let settings = EngineSettings { order, preference, ..EngineSettings::default() };
    CheckOptions { engine: engine_named("zones").unwrap(), settings }
}

fn answers(
    random: &RandomNetwork,
    queries: Vec<Query>,
    order: SearchOrder,
    preference: RunPreference,
) -> Vec<CheckedAnswer> {
    let task = Task::about_network(Arc::new(random.model.network.clone()), queries);
    check(&task, &options(order, preference), &Budget::unlimited(), &Progress::new())
}

fn run_of(answer: &CheckedAnswer) -> Option<&Trace> {
    match answer.answer().verdict {
        Verdict::Holds | Verdict::Fails => answer.answer().trace(),
        _ => None,
    }
}

fn duration(trace: &Trace) -> Rational {
    trace.steps.iter().fold(trace.final_delay, |sum, step| sum + step.delay)
}

/// Returns whether an answer notes that there may be a better run.
fn may_not_be_best(answer: &CheckedAnswer) -> bool {
    let is_such =
        |caveat: &Caveat| matches!(caveat, Caveat::Remark(text) if text.contains("the run may not be the "));
    answer.answer().caveats.iter().any(is_such)
}

/// Returns a query for the earliest time at which the predicate has the wanted truth value.
fn earliest(query: &Query, predicate: &Expression, wanted: bool) -> QueryKind {
    let predicate = if wanted {
        predicate.clone()
    } else {
        let kind =
            ExpressionKind::Unary { operator: UnaryOperator::Not, operand: Box::new(predicate.clone()) };
        Expression { kind, value_type: predicate.value_type.clone(), origin: query.origin }
    };
    QueryKind::Time { is_latest: false, predicate }
}

#[test]
fn shortest_runs_have_fewest_transitions() {
    let knobs = Knobs { region_limit: 4000, has_differences: true, ..Knobs::default() };
    let (mut compared, mut long, mut uncertain) = (0u64, 0u64, 0u64);
    for seed in 0..cases(1500) {
        let random = generate(4_000_000 + seed, &knobs).unwrap();
        let asked = reachability(&random);
        let queries = asked.iter().map(|(query, ..)| query.clone()).collect();
        // The result does not depend on the order.
        let order = if seed % 2 == 0 { SearchOrder::DepthFirst } else { SearchOrder::Adaptive };
        let answers = answers(&random, queries, order, RunPreference::FewestTransitions);
        for ((query, predicate, wanted), answer) in asked.iter().zip(&answers) {
            let Some(trace) = run_of(answer) else { continue };
            assert_eq!(answer.assurance(), Assurance::Replayed, "{}\n{}", query.text, random.text);
            if may_not_be_best(answer) {
                uncertain += 1;
                continue;
            }
            let fewest = random.graph.fewest_transitions(predicate, *wanted).unwrap();
            assert_eq!(Some(trace.steps.len()), fewest, "{}\n{}", query.text, random.text);
            compared += 1;
            long += u64::from(trace.steps.len() >= 3);
        }
    }
    assert!(uncertain * 50 <= compared, "{uncertain} of {compared}");
    assert!(compared >= cases(1500) / 2 && long * 20 >= compared, "{long} of {compared} are long");
}

#[test]
fn fastest_runs_have_least_time() {
    let knobs = Knobs { region_limit: 2000, ..Knobs::default() };
    let (mut compared, mut late, mut approached, mut uncertain) = (0u64, 0u64, 0u64, 0u64);
    for seed in 0..cases(700) {
        let random = generate(5_000_000 + seed, &knobs).unwrap();
        let mut asked = reachability(&random);
        // The search for deadlocks does not find fastest runs.
        asked.retain(|(_, predicate, _)| !mentions_deadlock(predicate));
        let queries = asked.iter().map(|(query, ..)| query.clone()).collect();
        let answers = answers(&random, queries, SearchOrder::Adaptive, RunPreference::LeastTime);
        for ((query, predicate, wanted), answer) in asked.iter().zip(&answers) {
            let Some(trace) = run_of(answer) else { continue };
            assert_eq!(answer.assurance(), Assurance::Replayed, "{}\n{}", query.text, random.text);
            if may_not_be_best(answer) {
                uncertain += 1;
                continue;
            }
            // The product may be too large for the oracle.
            let Ok(values) = random.graph.value(&earliest(query, predicate, *wanted)) else { continue };
            let [MeasuredValue::Infimum(limit)] = values.as_slice() else { panic!("{values:?}") };
            let took = duration(trace);
            let remark = answer.answer().caveats.iter().any(
                |caveat| matches!(caveat, Caveat::Remark(text) if text.contains("no fastest run exists")),
            );
            match limit {
                Limit::Attained(least) => {
                    assert_eq!((took, remark), (*least, false), "{}\n{}", query.text, random.text);
                    late += u64::from(*least > Rational::from_integer(0));
                }
                Limit::Approached(bound) => {
                    let near = *bound + Rational::new(1, 10);
                    assert!(
                        remark && took > *bound && took <= near,
                        "{took} for {bound}: {}\n{}",
                        query.text,
                        random.text
                    );
                    approached += 1;
                }
                Limit::Unbounded => panic!("{}\n{}", query.text, random.text),
            }
            compared += 1;
        }
    }
    println!("{compared} runs compared, {late} after zero, {approached} only approached");
    assert!(uncertain * 50 <= compared, "{uncertain} of {compared}");
    assert!(compared >= cases(700) / 2 && late * 10 >= compared && approached * 50 >= compared);
}

/// The search first finds a direct edge that is enabled late, and then a longer path that is faster.
#[test]
fn finds_faster_run_after_first() {
    let text = "clock x;
        process P {
            init location A; location B; location C;
            A -> B { guard x >= 5; }
            A -> C { guard x >= 1; }
            C -> B { guard x >= 2; }
        }
        query E<> P.B;";
    let loaded = tempora_workbench::load("model.net", text.as_bytes());
    let task = loaded.task(loaded.queries.clone()).unwrap();
    let steps_and_time = |preference| {
        let options = options(SearchOrder::Adaptive, preference);
        let answers = check(&task, &options, &Budget::unlimited(), &Progress::new());
        assert_eq!(answers[0].assurance(), Assurance::Replayed);
        let trace = answers[0].answer().trace().unwrap().clone();
        (trace.steps.len(), duration(&trace).to_integer())
    };
    assert_eq!(steps_and_time(RunPreference::FewestTransitions), (1, 5));
    assert_eq!(steps_and_time(RunPreference::LeastTime), (2, 2));
}

/// If the budget ends before the fastest run is found, the answer has another run and a remark.
#[test]
fn budget_without_fastest_run_gives_some_run() {
    let text =
        "process P(const int[0,5] id) { clock x; int[0,9] n; init location A { invariant x <= id + 3; }
            A -> A { guard x >= 1; do n = (n + 1) % 10, x = 0; } }
        system P; query E<> P(5).n == 9 && P(4).n == 2;";
    let loaded = tempora_workbench::load("model.net", text.as_bytes());
    let task = loaded.task(loaded.queries.clone()).unwrap();
    let options = options(SearchOrder::DepthFirst, RunPreference::LeastTime);
    let budget = Budget::unlimited().with_max_states(30_000);
    let answers = check(&task, &options, &budget, &Progress::new());
    let answer = answers[0].answer();
    assert_eq!((&answer.verdict, answers[0].assurance()), (&Verdict::Holds, Assurance::Replayed));
    let is_told = answer.caveats.iter().any(|caveat| {
        matches!(caveat, Caveat::Remark(text) if text.contains("may not be the fastest: state limit reached"))
    });
    assert!(is_told, "{:?}", answer.caveats);
}
