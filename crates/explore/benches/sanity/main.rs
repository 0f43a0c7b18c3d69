//! Sanity checks of train-gates of growing size, beside the figures of R. Onis, "Does your model make sense? Automated
//! validation of timed automata" (master's thesis, University of Twente, 2018), appendix B.
//!
//! `cargo bench -p tempora-explore --bench sanity`; an argument such as `12` selects a table, and `-- --large` adds
//! slow sizes. The thesis used another machine and UPPAAL's own train-gate; its figures are for its best
//! implementation.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and stops if it cannot run"
)]

#[path = "../support/mod.rs"]
mod support;

use std::time::Duration;

use support::{changed_example, cpu_time, replaced};
use tempora_evidence::{Budget, Progress, Settled, Survey};
use tempora_explore::{SearchOrder, SurveyOptions, SurveyUntil, exploration_without_observer, survey};
use tempora_model::Network;

/// The measurement for a table.
struct Measurement {
    tables: &'static str,
    what: &'static str,
    /// A text of the model, and its replacement.
    change: Option<(&'static str, &'static str)>,
    options: SurveyOptions,
    /// Numbers of trains, with the milliseconds of the thesis.
    sizes: &'static [(u32, u32)],
}

const DEFAULT: SurveyOptions = SurveyOptions {
    order: SearchOrder::Adaptive,
    is_shortest: false,
    until: SurveyUntil::AllStates,
    components: false,
    choices: false,
    timelocks: false,
    zeno: false,
};
const LOCATIONS: SurveyOptions =
    SurveyOptions { until: SurveyUntil::AllMet { locations: true, edges: false }, ..DEFAULT };
const EDGES: SurveyOptions =
    SurveyOptions { until: SurveyUntil::AllMet { locations: false, edges: true }, ..DEFAULT };
const VIOLATIONS: SurveyOptions = SurveyOptions {
    until: SurveyUntil::FirstRun { deadlocks: false, violations: true, errors: false },
    ..DEFAULT
};
const DEADLOCKS: SurveyOptions = SurveyOptions {
    until: SurveyUntil::FirstRun { deadlocks: true, violations: false, errors: false },
    ..DEFAULT
};

const FURTHER_LOCATION: Option<(&str, &str)> = Some(("location Stop;", "location Stop; location Never;"));
const FURTHER_EDGE: Option<(&str, &str)> =
    Some(("    Safe -> Appr {", "    Safe -> Safe { guard id < 0; }\n    Safe -> Appr {"));
const WITHOUT_RESET: Option<(&str, &str)> =
    Some(("Start -> Cross { guard x >= 7; do x = 0; }", "Start -> Cross { guard x >= 7; }"));

const MEASUREMENTS: &[Measurement] = &[
    Measurement {
        tables: "4, 6",
        what: "all locations reachable, of all instances",
        change: None,
        options: LOCATIONS,
        sizes: &[
            (10, 72),
            (20, 42),
            (40, 85),
            (60, 170),
            (80, 280),
            (100, 581),
            (120, 1005),
            (140, 1449),
            (160, 2095),
            (180, 3994),
            (200, 5130),
        ],
    },
    Measurement {
        tables: "5, 7",
        what: "one location unreachable",
        change: FURTHER_LOCATION,
        options: LOCATIONS,
        sizes: &[(2, 89), (4, 72), (6, 153), (8, 4845), (9, 48_338)],
    },
    Measurement {
        tables: "8, 10",
        what: "all edges reachable, of all instances; from 20 trains on, the thesis asks for some instance only",
        change: None,
        options: EDGES,
        sizes: &[
            (2, 46),
            (4, 38),
            (6, 98),
            (8, 4585),
            (9, 44_963),
            (20, 90),
            (40, 85),
            (60, 194),
            (80, 298),
            (100, 540),
            (120, 866),
            (140, 1682),
            (160, 2220),
            (180, 3319),
            (200, 4697),
        ],
    },
    Measurement {
        tables: "9",
        what: "one edge unreachable",
        change: FURTHER_EDGE,
        options: EDGES,
        sizes: &[(2, 28), (4, 48), (6, 148), (8, 5465), (9, 53_884)],
    },
    Measurement {
        tables: "11",
        what: "no violation of an invariant",
        change: None,
        options: VIOLATIONS,
        sizes: &[(2, 79), (4, 57), (6, 180), (8, 6783), (9, 67_154)],
    },
    Measurement {
        tables: "12",
        what: "a reset removed, shortest run",
        change: WITHOUT_RESET,
        options: SurveyOptions { order: SearchOrder::BreadthFirst, is_shortest: true, ..VIOLATIONS },
        sizes: &[(5, 58), (10, 195), (15, 970), (20, 4283), (25, 13_266), (30, 36_271)],
    },
    Measurement {
        tables: "13",
        what: "a reset removed, depth first",
        change: WITHOUT_RESET,
        options: SurveyOptions { order: SearchOrder::DepthFirst, ..VIOLATIONS },
        sizes: &[
            (20, 86),
            (40, 234),
            (60, 256),
            (80, 382),
            (100, 808),
            (120, 1170),
            (140, 1897),
            (160, 2956),
            (180, 4238),
            (200, 6081),
        ],
    },
];

/// The thesis could not check deadlocks if receivers of broadcasts have clock guards.
const DEADLOCK_SIZES: [u32; 4] = [2, 3, 4, 5];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_large = arguments.iter().any(|argument| argument == "--large");
    let named: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with('-')).collect();
    let is_named = |tables: &str| {
        named.is_empty() || tables.split(", ").any(|table| named.iter().any(|name| *name == table))
    };
    let sizes = |sizes: &'static [(u32, u32)]| sizes.iter().filter(move |(size, _)| is_large || *size != 9);
    println!("{:>6} {:>9} {:>10} {:>11}", "trains", "states", "CPU ms", "thesis ms");
    if is_named("3") {
        println!("table 3: all states, breadth first, and depth first");
        for &(size, thesis) in sizes(&[(2, 3), (4, 6), (6, 49), (8, 3183), (9, 32_680)]) {
            let network = train_gate("train-gate.net", size, None);
            for order in [SearchOrder::BreadthFirst, SearchOrder::DepthFirst] {
                let mut states = 0;
                let time = cpu_time(|| {
                    let (budget, progress) = (Budget::unlimited(), Progress::new());
                    states = exploration_without_observer(&network, order, &budget, &progress).unwrap();
                });
                print_row(size, states, time, thesis);
            }
        }
    }
    for measurement in MEASUREMENTS.iter().filter(|measurement| is_named(measurement.tables)) {
        println!("tables {}: {}", measurement.tables, measurement.what);
        for &(size, thesis) in sizes(measurement.sizes) {
            let network = train_gate("train-gate.net", size, measurement.change);
            let mut met = Survey::default();
            let time = cpu_time(|| met = surveyed(&network, measurement.options));
            print_row(size, met.states, time, thesis);
            let is_violated = !met.violations.is_empty();
            assert_eq!(is_violated, measurement.change == WITHOUT_RESET, "{}", measurement.what);
        }
    }
    if is_named("deadlocks") {
        println!("deadlocks, none, where receivers of broadcasts watch clocks");
        for size in DEADLOCK_SIZES {
            let network = train_gate("train-gate-storm.xml", size, None);
            let mut met = Survey::default();
            let time = cpu_time(|| met = surveyed(&network, DEADLOCKS));
            print_row(size, met.states, time, 0);
            assert!(met.deadlocks.is_empty() && met.zeno == Settled::NotAsked, "there is a deadlock");
        }
    }
}

fn print_row(size: u32, states: u64, time: Duration, thesis: u32) {
    let thesis = if thesis == 0 { String::new() } else { thesis.to_string() };
    println!("{size:>6} {states:>9} {:>10.1} {thesis:>11}", time.as_secs_f64() * 1e3);
}

fn surveyed(network: &Network, options: SurveyOptions) -> Survey {
    survey(network, options, &Budget::unlimited(), &Progress::new()).unwrap()
}

fn train_gate(file: &str, size: u32, change: Option<(&str, &str)>) -> Network {
    changed_example(file, |mut text| {
        let start = text.find("const int N = ").unwrap() + "const int N = ".len();
        let end = start + text[start..].find(';').unwrap();
        text.replace_range(start..end, &size.to_string());
        match change {
            Some((from, to)) => replaced(&text, from, to),
            None => text,
        }
    })
}
