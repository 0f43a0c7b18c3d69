//! Answers about networks with stopwatches agree with random walks of the interpreter.
//!
//! There is no complete oracle, since reachability is undecidable with stopwatches. So a walk must not reach a goal
//! that is reported unreachable, and every run must be replayable.

#![allow(clippy::print_stdout, reason = "the test reports its counts")]

use std::sync::Arc;

use tempora_certify::Assurance;
use tempora_evidence::{
    Budget, EdgeStage, Progress, Rational, Survey, Task, Transition, UnknownReason, Verdict,
};
use tempora_model::{
    ConditionCategory, Expression, ExpressionKind, Formula, Id, Network, QueryKind, Range, Type, Value,
    VariableId, VariableKind,
};
use tempora_oracle::random_networks::{Knobs, QueryTopic, Random, generate_text};
use tempora_oracle::read_model;
use tempora_replay::{ConcreteState, Interpreter, StepOutcome};
use tempora_workbench::{CheckOptions, SurveyOptions, check, engine_named, survey};

#[test]
fn random_walks_reach_no_unreachable_goal() {
    let cases: u64 = std::env::var("AGREEMENT_CASES").map_or(400, |cases| cases.parse().unwrap());
    let knobs = Knobs { has_runtime_errors: false, ..Knobs::default() };
    let (mut found, mut nowhere, mut doubtful, mut declined, mut seen) = (0u64, 0u64, 0u64, 0u64, 0u64);
    for seed in 0..cases {
        let text = generate_text(seed, 0, &knobs);
        let model = read_model(&text).unwrap();
        let mut network = model.network.clone();
        let mut random = Random::new(seed);
        stop_some_clocks(&mut network, &mut random);
        let topics = QueryTopic::ALL.iter().zip(&model.queries);
        let queries: Vec<_> = topics
            .filter(|(topic, _)| matches!(topic, QueryTopic::Possibly | QueryTopic::Always))
            .map(|(_, query)| query.clone())
            .collect();
        let task = Task::about_network(Arc::new(network.clone()), queries);
        let options = CheckOptions::with_engine(engine_named("zones").unwrap());
        let answers = check(&task, &options, &Budget::unlimited(), &Progress::new());
        for (query, answer) in task.queries.iter().zip(&answers) {
            let (predicate, wanted) = match &query.kind {
                QueryKind::Formula(Formula::Possibly(predicate)) => (predicate, true),
                QueryKind::Formula(Formula::Always(predicate)) => (predicate, false),
                _ => panic!("{} is about something else", query.text),
            };
            let is_seen = is_reached_by_walks(&network, predicate, wanted, &mut random);
            seen += u64::from(is_seen);
            match (&answer.answer().verdict, wanted) {
                (Verdict::Holds, true) | (Verdict::Fails, false) => {
                    found += 1;
                    assert_eq!(answer.assurance(), Assurance::Replayed, "{}\n{text}", query.text);
                }
                (Verdict::Fails, true) | (Verdict::Holds, false) => {
                    nowhere += 1;
                    assert!(!is_seen, "{} is seen by a walk\n{text}", query.text);
                }
                (Verdict::Unknown(UnknownReason::OverApproximation(_)), _) => doubtful += 1,
                (Verdict::Unknown(UnknownReason::Unsupported(_)), _) => declined += 1,
                (other, _) => panic!("{}: {other:?}\n{text}", query.text),
            }
        }
    }
    let answered = found + nowhere;
    println!(
        "{found} found, {nowhere} nowhere, {doubtful} doubtful, {declined} declined, {seen} seen by walks"
    );
    assert!(found * 5 >= answered && nowhere * 5 >= answered, "{found} found, {nowhere} nowhere");
    assert!(
        (doubtful + declined) * 5 <= answered,
        "{doubtful} doubtful, {declined} declined, {answered} answered"
    );
    assert!(seen * 5 >= answered, "{seen} seen by walks");
}

/// Stops a clock in about a third of the locations.
fn stop_some_clocks(network: &mut Network, random: &mut Random) {
    let is_plain_clock = |id: &VariableId| {
        let variable = &network.variables[*id];
        variable.value_type == Type::Clock && variable.kind != VariableKind::Hybrid
    };
    let clocks: Vec<VariableId> =
        (0..network.variables.len()).map(VariableId::from_index).filter(is_plain_clock).collect();
    for process in network.processes.values_mut() {
        for location in process.locations.values_mut() {
            if random.chance(35)
                && let Some(&clock) = random.pick(&clocks)
            {
                let origin = location.origin;
                let expression = |kind, value_type| Expression { kind, value_type, origin };
                let clock = expression(ExpressionKind::Variable(clock), Type::Clock);
                let rate =
                    expression(ExpressionKind::Integer(0), Type::Integer(Range { least: 0, greatest: 0 }));
                let kind = ExpressionKind::RateIs { clock: Box::new(clock), rate: Box::new(rate) };
                location.clock_rates = vec![expression(kind, Type::Condition(ConditionCategory::Invariant))];
            }
        }
    }
}

/// Returns whether random walks reach a state in which the predicate has the wanted value.
fn is_reached_by_walks(network: &Network, predicate: &Expression, wanted: bool, random: &mut Random) -> bool {
    let interpreter = Interpreter::new(network);
    let mut is_seen = false;
    walk(network, random, &mut |state, _| {
        is_seen |= interpreter.holds(state, predicate) == Ok(wanted);
        !is_seen
    });
    is_seen
}

/// Passes the states of random walks, each with the transition that leads to it, to a visitor until it stops.
fn walk(
    network: &Network,
    random: &mut Random,
    visit: &mut dyn FnMut(&ConcreteState, Option<&Transition>) -> bool,
) {
    let interpreter = Interpreter::new(network);
    let starts: Vec<_> = interpreter.initial_choices().collect();
    for _ in 0..60 {
        let mut state = interpreter.state_at_start(random.pick(&starts).unwrap().clone());
        if !interpreter.allowed_delays(&state).is_ok_and(|delays| delays.contains(Rational::from_integer(0)))
        {
            continue;
        }
        let mut transition = None;
        for _ in 0..12 {
            if !visit(&state, transition.as_ref()) {
                return;
            }
            transition = None;
            let delay = Rational::new(random.below(8) as i64, 2);
            if let StepOutcome::Possible(later) = interpreter.attempt_delay(&state, delay) {
                state = later;
                if !visit(&state, None) {
                    return;
                }
            }
            let Ok(enabled) = interpreter.enabled_transitions(&state) else { break };
            let Some(enabled) = random.pick(&enabled) else { continue };
            let Ok(next) = &enabled.result else { break };
            state = next.clone();
            transition = Some(enabled.transition.clone());
        }
    }
}

#[test]
fn random_walks_agree_with_survey() {
    let cases: u64 = std::env::var("AGREEMENT_CASES").map_or(400, |cases| cases.parse().unwrap());
    let knobs = Knobs { has_runtime_errors: false, ..Knobs::default() };
    let (mut met, mut never, mut declined) = (0u64, 0u64, 0u64);
    for seed in 0..cases {
        let text = generate_text(seed, 1, &knobs);
        let mut network = read_model(&text).unwrap().network;
        let mut random = Random::new(seed);
        stop_some_clocks(&mut network, &mut random);
        let found = survey(&network, SurveyOptions::default(), &Budget::unlimited(), &Progress::new());
        let Some(found) = found.ok().filter(Survey::is_complete) else {
            declined += 1;
            continue;
        };
        walk(&network, &mut random, &mut |state, transition| {
            for (process, &location) in network.processes.ids().zip(&state.locations) {
                assert!(found.reaches(process, location), "{process:?} in {location:?}\n{text}");
            }
            for part in transition.iter().flat_map(|transition| &transition.participants) {
                let facts = found.edge(part.process, part.edge).unwrap();
                assert_eq!(facts.stage, EdgeStage::Taken, "{part:?}\n{text}");
            }
            for range in &found.ranges {
                if let Value::Integer(value) = state.variable(range.variable) {
                    assert!((range.least..=range.greatest).contains(value), "{range:?}\n{text}");
                }
            }
            true
        });
        for facts in &found.processes {
            let taken = facts.edges.iter().filter(|edge| edge.stage == EdgeStage::Taken).count() as u64;
            met += taken;
            never += facts.edges.len() as u64 - taken;
        }
    }
    println!("{met} edges met, {never} never, {declined} networks declined");
    assert!(met * 5 >= never && never * 5 >= met, "{met} met, {never} never");
    assert!(declined * 4 <= cases, "{declined} declined");
}
