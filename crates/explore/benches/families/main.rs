//! CPU time of full explorations beside the figures of TChecker.
//!
//! Every state of a model is explored (`E<> false`), on one thread; reading the model is not counted. TChecker's
//! figures were measured on another occasion, so read the ratio as an order of magnitude.
//!
//! `cargo bench -p tempora-explore` prints the table; arguments after `--` select models by prefix. The families and
//! TChecker's figures are in a folder beside the checkout. Without it, nothing is measured.

#![allow(missing_docs, clippy::print_stdout, clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cpu_time::ThreadTime;
use tempora_evidence::{Budget, Engine, Progress, Task};
use tempora_explore::ZoneEngine;
use tempora_frontends::{read_model, read_query, recognise_language};
use tempora_source::{Files, Origins};

/// TChecker's figures for a model, with its best covering algorithm.
struct Peer {
    seconds: f64,
    visited: u64,
    transitions: u64,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench");
    let Some(peers) = peers(&folder) else {
        println!("nothing is measured: there is no folder ../shared/bench beside the checkout");
        return;
    };
    println!(
        "{:<24}{:>9}{:>9}{:>8}{:>10}{:>12}{:>10}{:>12}",
        "model", "peer s", "ours s", "ratio", "explored", "peer", "edges", "peer"
    );
    let mut logarithms = Vec::new();
    for (model, peer) in peers {
        let is_chosen = words.is_empty() && peer.seconds >= 0.3
            || words.iter().any(|word| model.starts_with(word.as_str()));
        let Some(task) = is_chosen.then(|| task(&folder, &model)).flatten() else { continue };
        let (budget, progress) = (Budget::unlimited(), Progress::new());
        let start = ThreadTime::now();
        let answers = ZoneEngine::default().run(&task, &budget, &progress);
        let seconds = start.elapsed().as_secs_f64();
        let statistics = answers.first().map(|answer| answer.statistics).unwrap_or_default();
        let ratio = peer.seconds / seconds;
        logarithms.push(ratio.ln());
        println!(
            "{model:<24}{:>9.2}{seconds:>9.3}{ratio:>8.1}{:>10}{:>12}{:>10}{:>12}",
            peer.seconds, statistics.explored, peer.visited, statistics.transitions, peer.transitions
        );
    }
    if !logarithms.is_empty() {
        let mean = (logarithms.iter().sum::<f64>() / logarithms.len() as f64).exp();
        println!("geometric mean of the ratios: {mean:.1}");
    }
}

/// Returns the best complete explorations by covering for each model, ordered by name.
fn peers(folder: &Path) -> Option<BTreeMap<String, Peer>> {
    let text = std::fs::read_to_string(folder.join("tchecker.tsv")).ok()?;
    let mut lines = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let header = lines.next()?;
    let mut peers: BTreeMap<String, Peer> = BTreeMap::new();
    for line in lines {
        let field = |name: &str| {
            let position = header.iter().position(|column| *column == name)?;
            line.get(position).copied().filter(|text| !text.is_empty())
        };
        let covers = matches!(field("alg"), Some("covreach" | "aLU-covreach"));
        if !covers || field("exit") != Some("ok") || field("labels") != Some("-") {
            continue;
        }
        let number = |name: &str| field(name).and_then(|text| text.parse::<f64>().ok());
        let (Some(model), Some(seconds)) = (field("model"), number("cpu_s_fast_build").or(number("cpu_s")))
        else {
            continue;
        };
        let peer = Peer {
            seconds,
            visited: number("visited").unwrap_or(0.0) as u64,
            transitions: number("transitions").unwrap_or(0.0) as u64,
        };
        if peers.get(model).is_none_or(|known| peer.seconds < known.seconds) {
            peers.insert(model.to_owned(), peer);
        }
    }
    Some(peers)
}

fn task(folder: &Path, model: &str) -> Option<Task> {
    let path: PathBuf = folder.join("tck").join(format!("{model}.tck"));
    let text = std::fs::read_to_string(path).ok()?;
    let (mut files, mut origins) = (Files::new(), Origins::new());
    let name = format!("{model}.tck");
    let file = files.add(&name, &text).ok()?;
    let read = read_model(recognise_language(&name, &text), &mut files, &mut origins, file, None);
    let query = files.add("query", "E<> false").ok()?;
    let (query, _) = read_query(&files, &mut origins, read.elaborated()?, query);
    Some(Task::about_network(read.network?, vec![query?]))
}
