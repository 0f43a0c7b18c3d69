//! The overhead of the survey's observer: the same exploration with and without it, as a ratio within one run.
//!
//! `cargo bench -p tempora-explore --bench survey`; with `-- --check` it fails if the observer costs more than half of
//! the exploration. Another argument selects models by name.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and stops if it cannot run"
)]

#[path = "../support/mod.rs"]
mod support;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use support::{changed_example, cpu_time, replaced};
use tempora_evidence::{Budget, Progress};
use tempora_explore::{SearchOrder, SurveyOptions, exploration_without_observer, survey};
use tempora_model::Network;

/// A file of `examples/`, and a replacement in its text that changes the size of the model.
const MODELS: [(&str, &str, &str, &str); 5] = [
    ("train-gate 6", "train-gate.net", "const int N = 3;", "const int N = 6;"),
    ("train-gate with broadcasts", "train-gate-storm.xml", "", ""),
    ("Fischer 6", "fischer.net", "const int N = 3;", "const int N = 6;"),
    ("CSMA/CD 5", "csma-cd.xml", "const int N = 2;", "const int N = 5;"),
    ("factory", "factory.xml", "", ""),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_checked = arguments.iter().any(|argument| argument == "--check");
    let named: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with('-')).collect();
    let mut is_good = true;
    println!("{:<28} {:>9} {:>10} {:>10} {:>6}", "model", "states", "plain ms", "survey ms", "ratio");
    for (name, file, from, to) in MODELS {
        if !named.is_empty() && !named.iter().any(|word| name.contains(word.as_str())) {
            continue;
        }
        let network =
            changed_example(file, |text| if from.is_empty() { text } else { replaced(&text, from, to) });
        // Small models are explored many times because the timer is coarse; the shortest of several rounds is the least
        // disturbed.
        let times = times(&network);
        let (mut plain, mut surveyed, mut states) = (Duration::MAX, Duration::MAX, 0);
        for _ in 0..ROUNDS {
            plain = plain.min(cpu_time(|| (0..times).for_each(|_| states = explored(&network))) / times);
            let options = SurveyOptions::default();
            surveyed = surveyed
                .min(cpu_time(|| (0..times).for_each(|_| drop(survey_results(&network, options)))) / times);
        }
        let ratio = surveyed.as_secs_f64() / plain.as_secs_f64();
        is_good &= ratio <= 1.5;
        println!(
            "{name:<28} {states:>9} {:>10.1} {:>10.1} {ratio:>6.2}",
            plain.as_secs_f64() * 1e3,
            surveyed.as_secs_f64() * 1e3
        );
        for (question, options) in [
            ("component deadlocks", SurveyOptions { components: true, ..SurveyOptions::default() }),
            ("timelocks", SurveyOptions { timelocks: true, ..SurveyOptions::default() }),
            ("Zeno runs", SurveyOptions { zeno: true, ..SurveyOptions::default() }),
        ] {
            // An exact answer can take much longer than the exploration; then the search is aborted.
            let budget = Budget::unlimited().with_timeout(LONGEST);
            let mut is_open = false;
            let time = cpu_time(|| {
                let met = survey(&network, options, &budget, &Progress::new()).unwrap();
                is_open = [&met.timelock, &met.zeno]
                    .into_iter()
                    .chain(&met.stuck)
                    .any(|settled| matches!(settled, tempora_evidence::Settled::Open(_)));
            });
            let given_up = if is_open { ", given up" } else { "" };
            println!("  with {question:<40} {:>10.1} ms{given_up}", time.as_secs_f64() * 1e3);
        }
    }
    if is_checked && !is_good { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn explored(network: &Network) -> u64 {
    exploration_without_observer(network, SearchOrder::Adaptive, &Budget::unlimited(), &Progress::new())
        .unwrap()
}

fn survey_results(network: &Network, options: SurveyOptions) -> tempora_evidence::Survey {
    survey(network, options, &Budget::unlimited(), &Progress::new()).unwrap()
}

const ROUNDS: u32 = 5;

/// The timeout of a question with its own search.
const LONGEST: Duration = Duration::from_secs(30);

/// Returns how often a model must be explored for a measurable time.
fn times(network: &Network) -> u32 {
    let start = Instant::now();
    let mut times = 0;
    while start.elapsed() < Duration::from_millis(300) {
        explored(network);
        times += 1;
    }
    times
}
