//! Compares the oracle with simulation, with finer regions, and with the laws of its operators, on random networks.
//!
//! All tests share one set of networks. `ORACLE_CASES` sets its size; a failure prints the text of its network, which
//! begins with its seed.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use tempora_evidence::{Limit, MeasuredValue, Rational, RuntimeError, Verdict};
use tempora_model::{Expression, ExpressionKind, Formula, QueryKind, UnaryOperator};
use tempora_oracle::random_networks::{Knobs, QueryTopic, Random, RandomNetwork, generate, generate_text};
use tempora_oracle::{ExplorationFailure, RegionGraph, Settings, explore, read_model};
use tempora_replay::{ConcreteState, Cut, Interpreter, StepOutcome};

/// Enough networks that each kind of query is balanced, in at most a minute.
const DEFAULT_CASES: u64 = 300;

fn networks() -> &'static [RandomNetwork] {
    static NETWORKS: OnceLock<Vec<RandomNetwork>> = OnceLock::new();
    NETWORKS.get_or_init(|| {
        let cases = std::env::var("ORACLE_CASES").ok().and_then(|cases| cases.parse().ok());
        // Larger networks reveal little more, and products with observers take most of the time.
        let knobs = Knobs { region_limit: 700, ..Knobs::default() };
        (0..cases.unwrap_or(DEFAULT_CASES))
            .map(|seed| generate(seed, &knobs).unwrap_or_else(|message| panic!("seed {seed}: {message}")))
            .collect()
    })
}

#[test]
fn each_kind_of_query_is_balanced() {
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut count = |name: &str, is_true: bool| {
        let entry = counts.entry(name.to_owned()).or_default();
        entry.0 += usize::from(is_true);
        entry.1 += 1;
    };
    let mut sizes = Vec::new();
    for network in networks() {
        sizes.push(network.graph.len());
        assert_eq!(network.model.queries.len(), QueryTopic::ALL.len(), "{}", network.text);
        for (topic, query) in QueryTopic::ALL.into_iter().zip(&network.model.queries) {
            let name = format!("{topic:?}");
            match network.graph.answer(query) {
                Ok(Verdict::Holds) => count(&name, true),
                Ok(Verdict::Fails) => count(&name, false),
                Ok(Verdict::Value(values)) => {
                    assert!(!topic.is_formula(), "{}", network.text);
                    // For single values, counts how many exist, are finite, and are attained.
                    if values.len() > 1 {
                        continue;
                    }
                    let limit = match &values[..] {
                        [MeasuredValue::NoState] => None,
                        [MeasuredValue::Supremum(limit) | MeasuredValue::Infimum(limit)] => Some(*limit),
                        [MeasuredValue::Intervals(intervals)] => intervals.last().map(|last| last.1),
                        other => panic!("{other:?}\n{}", network.text),
                    };
                    count(&format!("{name} exists"), limit.is_some());
                    if !matches!(topic, QueryTopic::GreatestData | QueryTopic::AllOfData)
                        && let Some(limit) = limit
                    {
                        let is_bounded = limit != Limit::Unbounded;
                        if matches!(
                            topic,
                            QueryTopic::GreatestClock | QueryTopic::LatestTime | QueryTopic::AllOfClock
                        ) {
                            count(&format!("{name} is bounded"), is_bounded);
                        }
                        if is_bounded {
                            count(&format!("{name} is attained"), matches!(limit, Limit::Attained(_)));
                        }
                    }
                }
                Ok(other) => panic!("{other:?}\n{}", network.text),
                Err(ExplorationFailure::TooLarge { .. }) => {}
                Err(failure) => panic!("{failure}\n{}", network.text),
            }
        }
        let has_timelock = network.graph.has_timelock();
        has_timelock.into_iter().for_each(|answer| count("timelock", answer));
        network.graph.has_zeno_run().into_iter().for_each(|answer| count("zeno", answer));
        count("deadlock", network.graph.has_deadlock());
    }
    sizes.sort_unstable();
    println!("regions: median {}, greatest {:?}", sizes[sizes.len() / 2], sizes.last());
    let mut unbalanced = String::new();
    for (name, (yes, all)) in &counts {
        let line = format!("{name}: {yes} of {all}, {} %", 100 * yes / all);
        println!("{line}");
        // Least values are rarely ends of open sets, and time is rarely bounded; a single case is enough.
        let is_detail = name.contains(" is ");
        let least = if is_detail { 5 } else { 20 };
        if yes * 100 < all * least || yes * 100 > all * (100 - least) {
            unbalanced = unbalanced + &line + "\n";
        }
    }
    // Small samples are not balanced.
    assert!(unbalanced.is_empty() || networks().len() < 200, "not balanced:\n{unbalanced}");
}

#[test]
fn graph_contains_all_simulated_states() {
    let mut visited = 0;
    for network in networks() {
        let interpreter = Interpreter::new(&network.model.network);
        let predicates = predicates(network);
        let satisfied: Vec<Vec<bool>> = predicates
            .iter()
            .map(|(predicate, _)| {
                network.graph.satisfying(predicate).unwrap_or_else(|failure| panic!("{failure}"))
            })
            .collect();
        let deadlocked = network.graph.deadlocked();
        let limits = time_limits(network);
        let mut random = Random::new(network.seed);
        for _ in 0..4 {
            let mut run = start(&interpreter, &mut random);
            let mut elapsed = Rational::from_integer(0);
            for _ in 0..30 {
                let Some(state) = &run else { break };
                visited += 1;
                let Some(region) = network.graph.region_of(state) else {
                    panic!("simulation reaches {state:?}\n{}", network.text);
                };
                let is_deadlocked = interpreter.is_deadlocked(state).unwrap();
                assert_eq!(is_deadlocked, deadlocked[region], "deadlock in {state:?}\n{}", network.text);
                for ((predicate, text), satisfied) in predicates.iter().zip(&satisfied) {
                    // The interpreter has its own way to find deadlocks.
                    let holds = interpreter.holds(state, predicate).unwrap();
                    assert_eq!(holds, satisfied[region], "{text} in {state:?}\n{}", network.text);
                    if let Some((_, earliest, latest)) = limits.iter().find(|limits| limits.0 == *predicate)
                        && holds
                    {
                        let is_within = is_at_least(elapsed, *earliest) && is_at_most(elapsed, *latest);
                        assert!(
                            is_within,
                            "{text} at {elapsed}, not {earliest:?} to {latest:?}\n{}",
                            network.text
                        );
                    }
                }
                run = step(&interpreter, state, &mut random, &mut elapsed).unwrap();
            }
        }
    }
    assert!(visited > networks().len() * 30, "only {visited} states were visited");
}

/// Returns all predicates of formulas and of queries about time, with the text of the query.
fn predicates(network: &RandomNetwork) -> Vec<(Expression, &str)> {
    let mut found = Vec::new();
    for query in &network.model.queries {
        match &query.kind {
            QueryKind::Formula(
                Formula::Possibly(predicate)
                | Formula::Always(predicate)
                | Formula::Eventually(predicate)
                | Formula::PotentiallyAlways(predicate),
            )
            | QueryKind::Time { predicate, .. } => found.push((predicate.clone(), query.text.as_str())),
            QueryKind::Formula(Formula::LeadsTo { premise, conclusion, .. }) => {
                found.push((premise.clone(), query.text.as_str()));
                found.push((conclusion.clone(), query.text.as_str()));
            }
            _ => {}
        }
    }
    found
}

/// Returns predicates with the least and the greatest time at which they hold, if only one of them was asked for.
fn time_limits(network: &RandomNetwork) -> Vec<(Expression, Limit, Limit)> {
    let mut limits = Vec::new();
    for query in &network.model.queries {
        if let QueryKind::Time { predicate, .. } = &query.kind
            && let Ok(values) = network.graph.value(&query.kind)
        {
            limits.extend(match values[..] {
                [MeasuredValue::Infimum(limit)] => Some((predicate.clone(), limit, Limit::Unbounded)),
                [MeasuredValue::Supremum(limit)] => Some((predicate.clone(), Limit::Unbounded, limit)),
                _ => None,
            });
        }
    }
    limits
}

fn is_at_least(time: Rational, limit: Limit) -> bool {
    match limit {
        Limit::Attained(least) => time >= least,
        Limit::Approached(least) => time > least,
        Limit::Unbounded => true,
    }
}

fn is_at_most(time: Rational, limit: Limit) -> bool {
    match limit {
        Limit::Attained(greatest) => time <= greatest,
        Limit::Approached(greatest) => time < greatest,
        Limit::Unbounded => true,
    }
}

fn start(interpreter: &Interpreter<'_>, random: &mut Random) -> Option<ConcreteState> {
    let choices: Vec<ConcreteState> = interpreter
        .initial_choices()
        .map(|locations| interpreter.state_at_start(locations))
        .filter(|state| !interpreter.allowed_delays(state).unwrap().is_empty())
        .collect();
    random.pick(&choices).cloned()
}

/// Takes a random delay, then a random transition if there is one.
fn step(
    interpreter: &Interpreter<'_>,
    state: &ConcreteState,
    random: &mut Random,
    elapsed: &mut Rational,
) -> Result<Option<ConcreteState>, RuntimeError> {
    let allowed = interpreter.allowed_delays(state)?;
    let mut delay = Rational::new(random.below(40) as i64, 12);
    if !allowed.contains(delay) || random.chance(20) {
        let end = allowed.intervals().last().and_then(|interval| match interval.end {
            Cut::At { value, is_after: true } => Some(value),
            _ => None,
        });
        delay = end.unwrap_or(Rational::from_integer(0));
    }
    let StepOutcome::Possible(later) = interpreter.attempt_delay(state, delay) else {
        panic!("the interpreter allows the delay {delay} but refuses it");
    };
    *elapsed += delay;
    let enabled = interpreter.enabled_transitions(&later)?;
    match random.pick(&enabled) {
        Some(enabled) if random.chance(80) => enabled.result.clone().map(Some),
        // Without a transition, time passes; without a delay either, the run ends.
        _ if delay == Rational::from_integer(0) && enabled.is_empty() => Ok(None),
        _ => Ok(Some(later)),
    }
}

#[test]
fn finer_regions_give_equal_answers() {
    let mut compared = 0;
    let small = networks().iter().filter(|network| network.graph.len() <= 120);
    for network in small.take(networks().len() * 2 / 3) {
        let expected = answers(&network.graph, network);
        for (subdivision, extra_maximum) in [(2, 0), (1, 3)] {
            let settings = Settings { subdivision, extra_maximum, ..Settings::default() };
            let model = &network.model;
            let finer = explore(&model.network, &model.queries, &settings)
                .unwrap_or_else(|failure| panic!("{failure}\n{}", network.text));
            assert!(finer.len() >= network.graph.len(), "{}", network.text);
            for (query, answer) in answers(&finer, network) {
                if let Some(expected) = expected.get(&query) {
                    assert_eq!(answer, *expected, "{query} with {settings:?}\n{}", network.text);
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > networks().len() * 10, "only {compared} answers were compared");
}

/// Returns the oracle's answers about a network, unless it is too large.
fn answers(graph: &RegionGraph, network: &RandomNetwork) -> BTreeMap<String, String> {
    let mut answers = BTreeMap::new();
    let mut note = |name: String, answer: Result<String, ExplorationFailure>| match answer {
        Ok(answer) => {
            answers.insert(name, answer);
        }
        Err(ExplorationFailure::TooLarge { .. }) => {}
        Err(failure) => panic!("{name}: {failure}\n{}", network.text),
    };
    for query in &network.model.queries {
        note(query.text.clone(), graph.answer(query).map(|verdict| format!("{verdict:?}")));
    }
    note("timelock".to_owned(), graph.has_timelock().map(|answer| answer.to_string()));
    note("zeno".to_owned(), graph.has_zeno_run().map(|answer| answer.to_string()));
    note("deadlock".to_owned(), Ok(graph.has_deadlock().to_string()));
    answers
}

#[test]
fn operators_obey_their_laws() {
    for network in networks() {
        let holds = |formula: Formula| {
            network.graph.holds(&formula).unwrap_or_else(|failure| panic!("{failure}\n{}", network.text))
        };
        let is_not_empty = !network.graph.is_empty();
        for (p, text) in predicates(network) {
            let not_p = negated(&p);
            let case = || format!("{text}\n{}", network.text);
            let always = holds(Formula::Always(p.clone()));
            let possibly = holds(Formula::Possibly(p.clone()));
            let eventually = holds(Formula::Eventually(p.clone()));
            let potentially_always = holds(Formula::PotentiallyAlways(p.clone()));
            assert_eq!(always, !holds(Formula::Possibly(not_p.clone())), "A[] and E<>: {}", case());
            assert_eq!(eventually, !holds(Formula::PotentiallyAlways(not_p)), "A<> and E[]: {}", case());
            assert!(!eventually || possibly || !is_not_empty, "A<> without E<>: {}", case());
            assert!(!always || potentially_always || !is_not_empty, "A[] without E[]: {}", case());
            assert!(!potentially_always || possibly, "E[] without E<>: {}", case());
            // An inevitable goal is always reachable, and inevitable from the start.
            let (premise, goal) = (Some(truth(&p)), p.clone());
            let always_possibly = holds(Formula::AlwaysPossibly { premise, goal });
            let leads_to =
                holds(Formula::LeadsTo { premise: truth(&p), conclusion: p.clone(), within: None });
            assert!(!leads_to || always_possibly, "true --> p without A[] E<> p: {}", case());
            assert!(!leads_to || eventually, "true --> p without A<> p: {}", case());
            assert!(!always || leads_to, "A[] p without true --> p: {}", case());
        }
        let deadlock = Expression { kind: ExpressionKind::Deadlock, ..truth(&predicates(network)[0].0) };
        assert_eq!(holds(Formula::Possibly(deadlock)), network.graph.has_deadlock(), "{}", network.text);
        for query in &network.model.queries {
            if let QueryKind::Formula(Formula::LeadsTo { premise, conclusion, within: Some(_) }) = &query.kind
            {
                let responds = |deadline: i32| {
                    let within = Expression { kind: ExpressionKind::Integer(deadline), ..truth(premise) };
                    let (premise, conclusion) = (premise.clone(), conclusion.clone());
                    holds(Formula::LeadsTo { premise, conclusion, within: Some(within) })
                };
                let by_deadline: Vec<bool> = (0..4).map(responds).collect();
                assert!(
                    by_deadline.is_sorted(),
                    "a later deadline is harder: {by_deadline:?}\n{}",
                    network.text
                );
            }
        }
    }
}

fn negated(predicate: &Expression) -> Expression {
    let kind = ExpressionKind::Unary { operator: UnaryOperator::Not, operand: Box::new(predicate.clone()) };
    Expression { kind, ..predicate.clone() }
}

fn truth(like: &Expression) -> Expression {
    Expression { kind: ExpressionKind::Integer(1), value_type: tempora_model::Type::Boolean, ..like.clone() }
}

/// Compares the extreme value of a clock, computed by folding, with reachability in a graph with large constants and
/// without folding.
#[test]
fn extreme_values_match_reachability() {
    const GREATEST: i64 = 6;
    let mut compared = 0;
    for network in networks().iter().filter(|network| network.graph.len() <= 60).take(networks().len() / 3) {
        // The time since the start is a clock that is never reset.
        let mut text = network.text.replace("int[0,2] n;", "clock total;\nint[0,2] n;");
        let mut asked = Vec::new();
        for query in &network.model.queries {
            let (predicate, clock) = match query.text.split_once(':') {
                Some(("mintime" | "maxtime", predicate)) => (predicate, "total"),
                Some((head, clock)) if clock.contains('x') => {
                    let predicate = ["sup", "inf", "bounds"]
                        .iter()
                        .fold(head, |head, word| head.trim_start_matches(word));
                    (predicate.trim().trim_start_matches('{').trim_end_matches('}'), clock)
                }
                _ => continue,
            };
            let Ok(values) = network.graph.value(&query.kind) else { continue };
            if values.len() > 1 {
                continue;
            }
            for bound in 0..=GREATEST {
                let number = Rational::from_integer(bound);
                let (comparison, expected) = match &values[..] {
                    [MeasuredValue::Supremum(limit)] => (">=", is_at_most(number, *limit)),
                    [MeasuredValue::Infimum(limit)] => ("<=", is_at_least(number, *limit)),
                    [MeasuredValue::Intervals(intervals)] => {
                        let is_within = |(least, greatest): &(Limit, Limit)| {
                            is_at_least(number, *least) && is_at_most(number, *greatest)
                        };
                        ("==", intervals.iter().any(is_within))
                    }
                    _ => (">=", false),
                };
                text.push_str(&format!("query E<> ({predicate}) && {clock} {comparison} {bound};\n"));
                asked.push(expected);
            }
        }
        let model = read_model(&text).unwrap_or_else(|message| panic!("{message}\n{text}"));
        let queries = &model.queries[network.model.queries.len()..];
        let graph = match explore(&model.network, queries, &Settings::default()) {
            Ok(graph) => graph,
            Err(ExplorationFailure::TooLarge { .. }) => continue,
            Err(failure) => panic!("{failure}\n{text}"),
        };
        assert_eq!(queries.len(), asked.len(), "{text}");
        for (query, expected) in queries.iter().zip(asked) {
            let expected = if expected { Verdict::Holds } else { Verdict::Fails };
            assert_eq!(graph.answer(query).unwrap(), expected, "{}\n{}", query.text, network.text);
            compared += 1;
        }
    }
    assert!(compared >= networks().len() * 2, "only {compared} values were compared");
}

#[test]
fn optional_knobs_give_networks() {
    let base = Knobs { region_limit: 200, ..Knobs::default() };
    let differences = Knobs { has_differences: true, has_copies: false, clocks: 2..=2, ..base.clone() };
    let urgent_guards = Knobs { has_urgent_guards: true, ..base.clone() };
    for (name, knobs, word) in
        [("differences", differences, " - x"), ("urgent guards", urgent_guards, "hurry")]
    {
        let mut with_word = 0;
        for seed in 0..40 {
            let network = generate(seed, &knobs).unwrap_or_else(|message| panic!("{message}"));
            with_word += usize::from(network.text.contains(word));
            let settings = Settings { subdivision: 2, extra_maximum: 1, ..Settings::default() };
            let finer = explore(&network.model.network, &network.model.queries, &settings).unwrap();
            for (topic, query) in QueryTopic::ALL.into_iter().zip(&network.model.queries) {
                if topic.is_formula() {
                    let answer = network.graph.answer(query).unwrap();
                    assert_eq!(answer, finer.answer(query).unwrap(), "{}\n{}", query.text, network.text);
                }
            }
        }
        assert!(with_word >= 5, "{name} occur in {with_word} networks only");
    }
    let failing = Knobs { has_runtime_errors: true, ..base };
    let failures = (0..40).filter(|&seed| {
        let model = read_model(&generate_text(seed, 0, &failing)).unwrap();
        let graph = explore(&model.network, &model.queries, &Settings::default());
        matches!(graph, Err(ExplorationFailure::ModelError(_)))
    });
    let failures = failures.count();
    assert!((5..=35).contains(&failures), "{failures} of 40 networks fail");
}

#[test]
fn equal_seeds_give_equal_texts() {
    let knobs = Knobs::default();
    assert_eq!(generate_text(7, 0, &knobs), generate_text(7, 0, &knobs));
    assert_ne!(generate_text(7, 0, &knobs), generate_text(7, 1, &knobs));
    let text: String = (0..200).map(|seed| generate_text(seed, 0, &knobs)).collect();
    for word in [
        "urgent location",
        "committed location",
        "urgent chan",
        "urgent broadcast chan",
        "broadcast chan",
        "chan priority",
        "system P0 <",
        "vector P0@",
        "?;",
        "select",
        "next(n)",
        "= x",
        "invariant x0 <",
    ] {
        assert!(text.contains(word), "`{word}` does not occur");
    }
}
