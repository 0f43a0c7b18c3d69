//! What the observer of a survey costs: the same exploration with and without it, as a ratio inside one run.
//!
//! `cargo bench -p tempora-explore --bench survey`; with `-- --check` it fails if the observer costs more than half of the
//! exploration.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and stops if it cannot run"
)]

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use tempora_evidence::{Budget, Progress};
use tempora_explore::{SearchOrder, SurveyOptions, exploration_without_observer, survey};
use tempora_frontends::{read_model, recognise_language};
use tempora_model::Network;
use tempora_source::{Files, Origins};

/// A file of `examples/`, with a text in it that is replaced so that the model has another size.
const MODELS: [(&str, &str, &str, &str); 5] = [
    ("train-gate 6", "train-gate.net", "const int N = 3;", "const int N = 6;"),
    ("train-gate with broadcasts", "train-gate-storm.xml", "", ""),
    ("Fischer 7", "fischer.net", "const int N = 3;", "const int N = 7;"),
    ("CSMA/CD", "csma-cd.xml", "", ""),
    ("factory", "factory.xml", "", ""),
];

fn main() -> ExitCode {
    let is_checked = std::env::args().any(|argument| argument == "--check");
    let mut is_good = true;
    println!("{:<28} {:>9} {:>10} {:>10} {:>6}", "model", "states", "plain ms", "survey ms", "ratio");
    for (name, file, from, to) in MODELS {
        let network = network(file, from, to);
        // The shortest of several rounds is the one that was disturbed least.
        let (mut plain, mut surveyed, mut states) = (Duration::MAX, Duration::MAX, 0);
        for _ in 0..rounds(&network) {
            plain = plain.min(cpu_time(|| {
                states = explored(&network);
            }));
            surveyed = surveyed.min(cpu_time(|| drop(met(&network, SurveyOptions::default()))));
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
            let time = cpu_time(|| drop(met(&network, options)));
            println!("  with {question:<40} {:>10.1} ms", time.as_secs_f64() * 1e3);
        }
    }
    if is_checked && !is_good { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn explored(network: &Network) -> u64 {
    exploration_without_observer(network, SearchOrder::Adaptive, &Budget::unlimited(), &Progress::new())
        .unwrap()
}

fn met(network: &Network, options: SurveyOptions) -> tempora_evidence::Survey {
    survey(network, options, &Budget::unlimited(), &Progress::new()).unwrap()
}

fn rounds(network: &Network) -> u32 {
    let once = cpu_time(|| {
        explored(network);
    });
    (2_000_000 / once.as_micros().max(1) as u32).clamp(3, 200)
}

fn network(file: &str, from: &str, to: &str) -> Network {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(file);
    let mut text = std::fs::read_to_string(path).unwrap();
    if !from.is_empty() {
        assert!(text.contains(from), "{file} has no `{from}`");
        text = text.replace(from, to);
    }
    let (mut files, mut origins) = (Files::new(), Origins::new());
    let id = files.add(file, text).unwrap();
    let language = recognise_language(file, files.text(id));
    read_model(language, &mut files, &mut origins, id, None).network.unwrap()
}

/// How long the processor works on something; the time that passes, where that is not known.
fn cpu_time(work: impl FnOnce()) -> Duration {
    let used = || -> Option<Duration> {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
    };
    let (start, before) = (Instant::now(), used());
    work();
    match (before, used()) {
        (Some(before), Some(after)) => after.saturating_sub(before),
        _ => start.elapsed(),
    }
}
