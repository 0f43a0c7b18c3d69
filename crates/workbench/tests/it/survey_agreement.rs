//! Surveys of random networks agree with the region oracle, and their runs can be replayed.
//!
//! `SURVEY_CASES` sets the number of networks; each failure prints the network, with its seed.

use std::collections::BTreeSet;

use tempora_evidence::{Budget, EdgeStage, Ending, Progress, Settled, Survey, Trace, UnknownReason};
use tempora_model::{EdgeId, LocationId, ProcessId};
use tempora_oracle::random_networks::{Knobs, RandomNetwork, generate};
use tempora_replay::{Granularity, Interpreter};
use tempora_workbench::{SearchOrder, SurveyOptions, SurveyUntil, survey};

/// For each kind of result, the numbers of negative and positive ones.
#[derive(Default, Debug)]
struct Tally {
    compared: u64,
    declined: u64,
    deadlock: [u64; 2],
    stuck: [u64; 2],
    timelock: [u64; 2],
    zeno: [u64; 2],
    violation: [u64; 2],
    location: [u64; 2],
    edge: [u64; 2],
    choice: [u64; 2],
    open: u64,
    without_times: u64,
}

const ALL: SurveyOptions = SurveyOptions {
    order: SearchOrder::Adaptive,
    is_shortest: false,
    until: SurveyUntil::AllStates,
    components: true,
    choices: true,
    timelocks: true,
    zeno: true,
};

fn cases(default: u64) -> u64 {
    std::env::var("SURVEY_CASES").map_or(default, |cases| cases.parse().unwrap())
}

/// Checks that a run can be replayed and has the claimed ending.
fn replays(random: &RandomNetwork, trace: Option<&Trace>, tally: &mut Tally) {
    let Some(trace) = trace else {
        tally.without_times += 1;
        return;
    };
    let network = &random.model.network;
    let interpreter = Interpreter::new(network);
    let executed = interpreter.execute(trace).and_then(|run| match trace.ending {
        Ending::Goal => run.check_complete(),
        _ => interpreter.check_ending(trace, &run, None, &Granularity::of(network, [])),
    });
    if let Err(failure) = executed {
        panic!("{:?}: {}\n{}", trace.ending, failure.describe(network), random.text);
    }
}

fn locations(survey: &Survey) -> BTreeSet<(ProcessId, LocationId)> {
    let processes = survey.processes.iter().enumerate();
    processes
        .flat_map(|(process, facts)| {
            let met = facts.locations.iter().enumerate().filter(|(_, is_met)| **is_met);
            met.map(move |(location, _)| (ProcessId(process as u32), LocationId(location as u32)))
        })
        .collect()
}

fn edges(survey: &Survey) -> BTreeSet<(ProcessId, EdgeId)> {
    let processes = survey.processes.iter().enumerate();
    processes
        .flat_map(|(process, facts)| {
            let taken = facts.edges.iter().enumerate().filter(|(_, edge)| edge.stage == EdgeStage::Taken);
            taken.map(move |(edge, _)| (ProcessId(process as u32), EdgeId(edge as u32)))
        })
        .collect()
}

/// Compares a result with that of the oracle; an open result is counted as open.
fn settled(found: &Settled, expected: bool, counts: &mut [u64; 2], what: &str, text: &str) -> bool {
    match found {
        Settled::Never => assert!(!expected, "{what} is not found\n{text}"),
        Settled::Shown(_) => assert!(expected, "{what} is found but does not exist\n{text}"),
        Settled::Open(UnknownReason::Unsupported(_)) => return false,
        other => panic!("{what}: {other:?}\n{text}"),
    }
    counts[usize::from(expected)] += 1;
    true
}

fn compare(random: &RandomNetwork, options: SurveyOptions, tally: &mut Tally) {
    let (network, text) = (&random.model.network, &random.text);
    let Ok(found) = survey(network, options, &Budget::unlimited(), &Progress::new()) else {
        tally.declined += 1;
        return;
    };
    if let Some(why) = &found.incomplete {
        assert!(matches!(why, UnknownReason::Unsupported(_)), "{why:?}\n{text}");
        tally.declined += 1;
        return;
    }
    tally.compared += 1;
    let met = random.graph.reachable_parts().unwrap();
    assert_eq!(locations(&found), met.locations, "{text}");
    assert_eq!(edges(&found), met.edges, "{text}");
    for (id, process) in network.processes.iter() {
        for location in process.locations.ids() {
            tally.location[usize::from(met.locations.contains(&(id, location)))] += 1;
        }
        for edge in process.edges.ids() {
            tally.edge[usize::from(met.edges.contains(&(id, edge)))] += 1;
        }
    }
    let has_deadlock = random.graph.has_deadlock();
    assert_eq!(!found.deadlocks.is_empty(), has_deadlock, "deadlock\n{text}");
    tally.deadlock[usize::from(has_deadlock)] += 1;
    // Of several violated invariants, either may be reported.
    let is_violated = !met.violated.is_empty();
    let starts_violated = found.violations.iter().filter(|violation| violation.edges.is_empty()).count();
    assert_eq!(found.violations.len() > starts_violated, is_violated, "violation\n{text}");
    tally.violation[usize::from(is_violated)] += 1;
    let choices = found.choices.iter();
    let choices: BTreeSet<_> = choices.map(|choice| (choice.process, choice.edges)).collect();
    assert_eq!(choices, met.choices, "choice\n{text}");
    tally.choice[usize::from(!choices.is_empty())] += 1;
    for choice in &found.choices {
        replays(random, choice.trace.as_ref(), tally);
        if let Some(trace) = &choice.trace {
            let interpreter = Interpreter::new(network);
            let run = interpreter.execute(trace).unwrap();
            run.check_complete().unwrap();
            let at_end = interpreter.choices(&run.last).unwrap();
            assert!(at_end.contains(&(choice.process, choice.edges)), "a run to no choice\n{text}");
        }
    }
    for violation in &found.violations {
        replays(random, violation.trace.as_ref(), tally);
    }
    for deadlock in &found.deadlocks {
        replays(random, deadlock.trace.as_ref(), tally);
    }
    for facts in &found.processes {
        for edge in facts.edges.iter().filter(|edge| edge.nearest.is_some()) {
            replays(random, edge.nearest.as_ref(), tally);
        }
    }
    for (found, expected) in found.stuck.iter().zip(random.graph.stuck().unwrap()) {
        let is_known = settled(found, expected, &mut tally.stuck, "a stuck process", text);
        tally.open += u64::from(!is_known);
        if let Settled::Shown(trace) = found {
            replays(random, trace.as_ref(), tally);
        }
    }
    let timelocked = random.graph.timelocked().unwrap().contains(&true);
    let is_known = settled(&found.timelock, timelocked, &mut tally.timelock, "a timelock", text);
    tally.open += u64::from(!is_known);
    if let Ok(zeno) = random.graph.has_zeno_run() {
        let is_known = settled(&found.zeno, zeno, &mut tally.zeno, "a Zeno run", text);
        tally.open += u64::from(!is_known);
    }
    for settled in [&found.timelock, &found.zeno] {
        if let Settled::Shown(trace) = settled {
            replays(random, trace.as_ref(), tally);
        }
    }
}

#[test]
fn surveys_agree_with_oracle() {
    let mut tally = Tally::default();
    for seed in 0..cases(1000) {
        // Priorities are rare, since checks with a separate observer do not support them.
        let knobs = Knobs {
            region_limit: 1500,
            has_differences: seed % 2 == 0,
            has_priorities: seed % 5 == 0,
            ..Knobs::default()
        };
        let random = generate(7_000_000 + seed, &knobs).unwrap();
        let order = [SearchOrder::Adaptive, SearchOrder::BreadthFirst, SearchOrder::DepthFirst];
        let order = order[(seed % 3) as usize];
        compare(&random, SurveyOptions { order, is_shortest: seed % 6 == 1, ..ALL }, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.declined * 10 <= tally.compared, "{tally:?}");
    for counts in [
        tally.deadlock,
        tally.stuck,
        tally.timelock,
        tally.zeno,
        tally.violation,
        tally.location,
        tally.edge,
        tally.choice,
    ] {
        // Both results occur often.
        assert!(counts[0] * 12 >= counts[1] && counts[1] * 12 >= counts[0], "{tally:?}");
    }
    assert!(tally.open * 5 <= tally.compared, "{tally:?}");
}
