//! The search does not allocate for each successor.
//!
//! Two sizes of the same model are searched, and their difference in allocations is compared with their difference in
//! transitions: tables grow by doubling, so few allocations are added for many transitions.

use std::fmt::Write as _;

use tempora_evidence::{Budget, Engine, Progress, Task, Verdict};
use tempora_explore::{SurveyOptions, ZoneEngine, survey};
use tempora_frontends::{language_named, read_model};
use tempora_source::{Files, Origins};

/// Fischer's protocol: mutual exclusion by a shared variable and by waiting.
fn fischer(processes: usize) -> Task {
    let mut text = format!("int[0,{processes}] id;\n");
    for number in 1..=processes {
        let _ = writeln!(
            text,
            "clock x{number};
            process P{number} {{
                init location A; location Req {{ invariant x{number} <= 2; }} location Wait; location Critical;
                A -> Req {{ guard id == 0; do x{number} = 0; }}
                Req -> Wait {{ do id = {number}, x{number} = 0; }}
                Wait -> Req {{ guard id == 0; do x{number} = 0; }}
                Wait -> Critical {{ guard x{number} > 2 && id == {number}; }}
                Critical -> A {{ do id = 0; }}
            }}"
        );
    }
    text.push_str("query E<> false;\n");
    let (mut files, mut origins) = (Files::new(), Origins::new());
    let file = files.add("model.net", &text).unwrap();
    let read = read_model(language_named("net").unwrap(), &mut files, &mut origins, file, None);
    let messages: Vec<String> = read.diagnostics.into_iter().map(|found| found.message).collect();
    let network = read.network.unwrap_or_else(|| panic!("{}\n{text}", messages.join("\n")));
    Task::about_network(network, read.queries)
}

/// Returns the allocations and the transitions of a full search.
fn measured(processes: usize) -> (u64, u64) {
    let task = fischer(processes);
    let mut transitions = 0;
    let counted = allocation_counter::measure(|| {
        let answers = ZoneEngine::default().run(&task, &Budget::unlimited(), &Progress::new());
        assert_eq!(answers[0].verdict, Verdict::Fails);
        transitions = answers[0].statistics.transitions;
    });
    (counted.count_total, transitions)
}

#[test]
fn successors_do_not_allocate() {
    let (small, large) = (measured(6), measured(7));
    // The first search in a process may allocate more than a larger later one.
    let (allocations, transitions) = (large.0.saturating_sub(small.0), large.1 - small.1);
    println!("{allocations} more allocations for {transitions} more transitions");
    assert!(transitions > 20_000, "only {transitions}");
    assert!(allocations * 100 <= transitions, "{allocations} for {transitions} transitions");
}

/// Returns the allocations and the transitions of a survey.
fn surveyed(processes: usize) -> (u64, u64) {
    let task = fischer(processes);
    let mut transitions = 0;
    let counted = allocation_counter::measure(|| {
        let progress = Progress::new();
        let options = SurveyOptions::default();
        let survey =
            survey(task.system.network().unwrap(), options, &Budget::unlimited(), &progress).unwrap();
        assert!(survey.is_complete() && survey.deadlocks.is_empty());
        transitions = progress.snapshot().transitions;
    });
    (counted.count_total, transitions)
}

#[test]
fn survey_observer_does_not_allocate() {
    let (small, large) = (surveyed(5), surveyed(6));
    let (allocations, transitions) = (large.0.saturating_sub(small.0), large.1 - small.1);
    println!("{allocations} more allocations for {transitions} more transitions");
    assert!(transitions > 5_000, "only {transitions}");
    assert!(allocations * 100 <= transitions, "{allocations} for {transitions} transitions");
}
