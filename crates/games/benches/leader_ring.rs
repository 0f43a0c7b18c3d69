//! How long the leader election of `examples/leader-ring.net` takes, as a whole and step by step.
//!
//! Invariant: times are of the processor, not of the clock on the wall. `-- 7 40` sets the largest ring that is checked as
//! a whole, and the largest that is checked step by step; a line is a point of a plot.

#![allow(clippy::unwrap_used, reason = "a benchmark fails by panicking")]
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::sync::Arc;
use std::time::Duration;

use cpu_time::ProcessTime;
use tempora_evidence::{Budget, Engine, Progress, Task, Verdict};
use tempora_frontends::{language_named, read_model, read_query};
use tempora_games::SpecificationEngine;
use tempora_source::{Files, Origins};

/// A question is given up after this time.
const PATIENCE: Duration = Duration::from_secs(300);

fn main() {
    let numbers: Vec<usize> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let largest_whole = numbers.first().copied().unwrap_or(5);
    let largest_stepwise = numbers.get(1).copied().unwrap_or(12);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/leader-ring.net");
    let text = std::fs::read_to_string(path).unwrap();
    println!("{:>4} {:>12} {:>12} {:>12} {:>12}", "N", "whole S", "whole T", "steps S", "steps T");
    for nodes in 3..=largest_whole.max(largest_stepwise) {
        let model = text.replace("const int N = 6;", &format!("const int N = {nodes};"));
        let model: String =
            model.lines().filter(|line| !line.starts_with("query")).map(|line| format!("{line}\n")).collect();
        let all: Vec<String> = (0..nodes).map(|node| format!("Node({node})")).collect();
        let whole = |property: &str| {
            let question = format!("refinement: {} <= {property}", all.join(" || "));
            if nodes <= largest_whole { seconds(&model, &[question]) } else { "-".to_owned() }
        };
        let stepwise = |part: &str, property: &str| {
            if nodes <= largest_stepwise {
                seconds(&model, &steps(nodes, part, property))
            } else {
                "-".to_owned()
            }
        };
        println!(
            "{nodes:>4} {:>12} {:>12} {:>12} {:>12}",
            whole("S"),
            whole("T"),
            stepwise("SubS", "S"),
            stepwise("SubT", "T")
        );
    }
}

/// The obligations from which the whole follows, because composition keeps refinement.
fn steps(nodes: usize, part: &str, property: &str) -> Vec<String> {
    let last = nodes - 1;
    let mut questions = vec![format!("refinement: Node({last}) <= {part}({last})")];
    for node in (1..last).rev() {
        questions.push(format!("refinement: {part}({}) || Node({node}) <= {part}({node})", node + 1));
    }
    questions.push(format!("refinement: {part}(1) || Node(0) <= {property}"));
    questions
}

/// The time that the answers take, all of which must be that it holds; reading the model is not counted.
fn seconds(model: &str, questions: &[String]) -> String {
    let (mut files, mut origins) = (Files::new(), Origins::new());
    let file = files.add("ring.net", model).unwrap();
    let read = read_model(language_named("net").unwrap(), &mut files, &mut origins, file, None);
    let network = Arc::new(read.network.unwrap());
    let mut queries = Vec::new();
    for question in questions {
        let file = files.add("question", question.as_str()).unwrap();
        queries.push(read_query(&files, &mut origins, &read.tree, file).0.unwrap());
    }
    let task = Task { network, queries };
    let budget = Budget::unlimited().with_timeout(PATIENCE);
    let started = ProcessTime::now();
    let answers = SpecificationEngine::default().run(&task, &budget, &Progress::new());
    let elapsed = started.elapsed();
    match answers.iter().find(|answer| answer.verdict != Verdict::Holds) {
        None => format!("{:.3}", elapsed.as_secs_f64()),
        Some(answer) => format!("{:?}", answer.verdict).chars().take(12).collect(),
    }
}
