//! Times questions about specifications, beside the times of another engine.
//!
//! Times are processor times: ours is the median of several answers in this process, without parsing and without caches
//! between answers. The figures of the other engine (Reveaal, the engine of Ecdar) were measured on another occasion,
//! so read the ratio as an order of magnitude.
//!
//! `cargo bench -p tempora-games --bench recorded` prints the table; words behind `--` select the rows whose question
//! contains them, `--check` fails if a row of at least ten milliseconds is not ten times faster. Models and figures are
//! in a folder beside the checkout, or in the one that `RECORDED_FIGURES` names. Without that folder, nothing is
//! measured.

#![allow(clippy::unwrap_used, reason = "a benchmark fails by panicking")]
#![allow(clippy::print_stdout, reason = "a benchmark prints its figures")]

use std::path::{Path, PathBuf};

use cpu_time::ProcessTime;
use tempora_evidence::{Budget, Engine, Progress, Task, Verdict};
use tempora_frontends::{ProjectFile, read_project_model, read_query, role_of_file};
use tempora_games::SpecificationEngine;
use tempora_source::{Files, Origins};

/// The smallest time of the other engine for which a ratio is required.
const LEAST_SECONDS: f64 = 0.010;
const WANTED_RATIO: f64 = 10.0;

/// A row of the recorded figures.
struct Row {
    model: String,
    question: String,
    verdict: String,
    seconds: f64,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let must_be_fast = arguments.iter().any(|argument| argument == "--check");
    let words: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with('-')).collect();
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let folder = std::env::var_os("RECORDED_FIGURES").map_or(beside, PathBuf::from);
    let Ok(text) = std::fs::read_to_string(folder.join("bench/reveaal.tsv")) else {
        println!("nothing is measured: there is no folder ../shared/bench beside the checkout");
        return;
    };
    let mut too_slow = 0;
    println!("{:>10} {:>10} {:>8}  question", "theirs ms", "ours ms", "ratio");
    for row in rows(&text) {
        if !words.iter().all(|word| row.question.contains(word.as_str())) {
            continue;
        }
        let task = task(&folder.join("corpus/ecdar").join(&row.model), &row.question);
        let mut times = Vec::new();
        let mut verdict = Verdict::Holds;
        while times.len() < 5 {
            let started = ProcessTime::now();
            let answers = SpecificationEngine::default().run(&task, &Budget::unlimited(), &Progress::new());
            times.push(started.elapsed().as_secs_f64());
            verdict = answers.into_iter().next().unwrap().verdict;
        }
        let is_same = match verdict {
            Verdict::Holds => row.verdict == "true",
            Verdict::Fails => row.verdict == "false",
            _ => false,
        };
        assert!(is_same, "{}: {verdict:?}, recorded as {}", row.question, row.verdict);
        times.sort_by(f64::total_cmp);
        let ours = times[times.len() / 2];
        let ratio = row.seconds / ours;
        let counts = row.seconds >= LEAST_SECONDS;
        too_slow += usize::from(counts && ratio < WANTED_RATIO);
        let mark = if counts { ' ' } else { '(' };
        println!(
            "{:>10.2} {:>10.3} {mark}{ratio:>7.1}  {}",
            row.seconds * 1000.0,
            ours * 1000.0,
            row.question
        );
    }
    println!(
        "{too_slow} rows of at least {} ms are less than {WANTED_RATIO} times faster",
        LEAST_SECONDS * 1000.0
    );
    assert!(!must_be_fast || too_slow == 0, "not fast enough");
}

fn rows(text: &str) -> Vec<Row> {
    let mut lines = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let header = lines.next().unwrap();
    let column = |name: &str| header.iter().position(|column| *column == name).unwrap();
    let (model, question, verdict) = (column("model"), column("query"), column("verdict"));
    let seconds = column("cpu_median_s");
    let row = |fields: Vec<&str>| Row {
        model: fields[model].to_owned(),
        question: fields[question].to_owned(),
        verdict: fields[verdict].to_owned(),
        seconds: fields[seconds].parse().unwrap(),
    };
    lines.map(row).collect()
}

/// Returns a question about the project in a folder.
fn task(folder: &Path, question: &str) -> Task {
    let (mut files, mut origins) = (Files::new(), Origins::new());
    let mut paths: Vec<String> = vec!["GlobalDeclarations.json".to_owned()];
    let mut components: Vec<String> = std::fs::read_dir(folder.join("Components"))
        .unwrap()
        .map(|entry| format!("Components/{}", entry.unwrap().file_name().to_string_lossy()))
        .collect();
    components.sort();
    paths.extend(components);
    let mut project = Vec::new();
    for path in paths {
        let (Some(role), Ok(bytes)) = (role_of_file(&path), std::fs::read(folder.join(&path))) else {
            continue;
        };
        project.push(ProjectFile { role, file: files.add_bytes(path, &bytes).unwrap() });
    }
    let read = read_project_model(&mut files, &mut origins, project[0].file, &project, None);
    let file = files.add("question", question).unwrap();
    let query = read_query(&files, &mut origins, read.elaborated().unwrap(), file).0.unwrap();
    Task::about_network(read.network.unwrap(), vec![query])
}
