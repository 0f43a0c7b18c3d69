//! Times the leader election of `examples/leader-ring.net`, as a whole and step by step, and computes the longest
//! election.
//!
//! Times are processor times. `-- 8 40 8` sets the largest ring that is checked as a whole, the largest that is checked
//! step by step, and the largest whose worst case is computed; a line is a point of the plot that is written to
//! `target/leader-ring.svg`, as figure 20 of David, Larsen, Legay, Møller, Nyman, Ravn, Skou and Wąsowski,
//! "Compositional verification of real-time systems using ECDAR" (2012), with time on a logarithmic scale.

#![allow(clippy::unwrap_used, reason = "a benchmark fails by panicking")]
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::path::{Path, PathBuf};
use std::time::Duration;

use cpu_time::ProcessTime;
use tempora_evidence::{Budget, Engine, Limit, MeasuredValue, Progress, Task, Verdict};
use tempora_explore::ZoneEngine;
use tempora_frontends::{language_named, read_model, read_query};
use tempora_games::SpecificationEngine;
use tempora_source::{Files, Origins};

/// The time limit of a question.
const PATIENCE: Duration = Duration::from_secs(300);

/// The measured series, with the colours of their curves.
const CURVES: [(&str, &str); 4] =
    [("whole S", "#1f77b4"), ("whole T", "#d62728"), ("steps S", "#2ca02c"), ("steps T", "#ff7f0e")];

fn main() {
    let numbers: Vec<usize> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let largest_whole = numbers.first().copied().unwrap_or(8);
    let largest_stepwise = numbers.get(1).copied().unwrap_or(12);
    let largest_worst = numbers.get(2).copied().unwrap_or(8);
    let text = std::fs::read_to_string(in_workspace("examples/leader-ring.net")).unwrap();
    let titles = CURVES.map(|(title, _)| format!("{title:>12}"));
    println!("{:>4} {} {:>10} {:>12}", "N", titles.join(" "), "longest", "peak MB");
    let mut points: Vec<(usize, [Option<f64>; 4])> = Vec::new();
    for nodes in 3..=largest_whole.max(largest_stepwise) {
        let model = text.replace("const int N = 6;", &format!("const int N = {nodes};"));
        let all: Vec<String> = (0..nodes).map(|node| format!("Node({node})")).collect();
        let whole = |property: &str| {
            let question = format!("refinement: {} <= {property}", all.join(" || "));
            (nodes <= largest_whole).then(|| seconds(&model, &[question])).flatten()
        };
        let stepwise = |part: &str, property: &str| {
            (nodes <= largest_stepwise).then(|| seconds(&model, &steps(nodes, part, property))).flatten()
        };
        let row = [whole("S"), whole("T"), stepwise("SubS", "S"), stepwise("SubT", "T")];
        let worst = if nodes <= largest_worst { longest_election(&model) } else { "-".to_owned() };
        let times =
            row.map(|time| time.map_or_else(|| format!("{:>12}", "-"), |time| format!("{time:>12.3}")));
        let peak = Budget::peak_bytes().unwrap_or(0) >> 20;
        println!("{nodes:>4} {} {worst:>10} {peak:>12}", times.join(" "));
        points.push((nodes, row));
    }
    let path = in_workspace("target/leader-ring.svg");
    std::fs::write(&path, plot(&points)).unwrap();
    println!("plot: {}", path.display());
}

fn in_workspace(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// Plots the curves over the number of nodes.
fn plot(points: &[(usize, [Option<f64>; 4])]) -> String {
    let most_nodes = points.iter().map(|point| point.0).max().unwrap_or(4).max(4);
    // From a tenth of a millisecond to a thousand seconds, 60 units per power of ten.
    let across = |nodes: usize| 60.0 + 500.0 * (nodes as f64 - 3.0) / (most_nodes as f64 - 3.0);
    let down = |time: f64| 400.0 - 55.0 * (time.max(1e-4).log10() + 4.0);
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 450\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"640\" height=\"450\" fill=\"white\"/>\n",
    );
    for power in -4..=3 {
        let y = down(10f64.powi(power));
        svg += &format!(
            "<path d=\"M60 {y} H560\" stroke=\"#ddd\"/><text x=\"55\" y=\"{}\" text-anchor=\"end\">{} s</text>\n",
            y + 4.0,
            10f64.powi(power)
        );
    }
    for nodes in (3..=most_nodes).step_by(most_nodes.div_ceil(20)) {
        svg += &format!("<text x=\"{}\" y=\"420\" text-anchor=\"middle\">{nodes}</text>\n", across(nodes));
    }
    svg += "<text x=\"310\" y=\"442\" text-anchor=\"middle\">nodes in the ring</text>\n";
    for (curve, (title, colour)) in CURVES.iter().enumerate() {
        let places: Vec<String> = points
            .iter()
            .filter_map(|(nodes, row)| {
                row[curve].map(|time| format!("{:.1},{:.1}", across(*nodes), down(time)))
            })
            .collect();
        svg += &format!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\n",
            places.join(" ")
        );
        let y = 20 + 16 * curve;
        svg += &format!("<text x=\"70\" y=\"{y}\" fill=\"{colour}\">{title}</text>\n");
    }
    svg + "</svg>\n"
}

/// Returns the longest time until a leader is elected, computed on the ring as a network.
fn longest_election(model: &str) -> String {
    let task = task(model, &["sup{Watch.Waiting}: Watch.t".to_owned()]);
    let budget = Budget::unlimited().with_timeout(PATIENCE);
    let answers = ZoneEngine::default().run(&task, &budget, &Progress::new());
    match &answers[0].verdict {
        Verdict::Value(values) => match values[..] {
            [MeasuredValue::Supremum(Limit::Attained(value))] => value.to_string(),
            _ => "none".to_owned(),
        },
        _ => "-".to_owned(),
    }
}

/// Returns the obligations that imply the whole, since refinement is a precongruence.
fn steps(nodes: usize, part: &str, property: &str) -> Vec<String> {
    let last = nodes - 1;
    let mut questions = vec![format!("refinement: Node({last}) <= {part}({last})")];
    for node in (1..last).rev() {
        questions.push(format!("refinement: {part}({}) || Node({node}) <= {part}({node})", node + 1));
    }
    questions.push(format!("refinement: {part}(1) || Node(0) <= {property}"));
    questions
}

/// Returns the time of the answers, which must all be positive; parsing is not included.
fn seconds(model: &str, questions: &[String]) -> Option<f64> {
    let task = task(model, questions);
    let budget = Budget::unlimited().with_timeout(PATIENCE);
    let started = ProcessTime::now();
    let answers = SpecificationEngine::default().run(&task, &budget, &Progress::new());
    let elapsed = started.elapsed();
    assert!(!answers.iter().any(|answer| answer.verdict == Verdict::Fails), "a step does not hold");
    answers.iter().all(|answer| answer.verdict == Verdict::Holds).then_some(elapsed.as_secs_f64())
}

fn task(model: &str, questions: &[String]) -> Task {
    let (mut files, mut origins) = (Files::new(), Origins::new());
    let file = files.add("ring.net", model).unwrap();
    let read = read_model(language_named("net").unwrap(), &mut files, &mut origins, file, None);
    let mut queries = Vec::new();
    for question in questions {
        let file = files.add("question", question.as_str()).unwrap();
        queries.push(read_query(&files, &mut origins, read.elaborated().unwrap(), file).0.unwrap());
    }
    Task::about_network(read.network.unwrap(), queries)
}
