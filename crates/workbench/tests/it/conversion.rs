//! Models written in another language and parsed again are equivalent.
//!
//! Every model of the cases, the guide and the examples is tried with every writer. A writer may refuse; otherwise its
//! output has no errors, is written again as the same text, and reaches the same locations.

#![allow(clippy::print_stdout, reason = "a test reports skipped models")]

use std::path::PathBuf;
use std::sync::Arc;
use tempora_testkit::report_skipped;

use tempora_evidence::{Budget, Progress, Task, Verdict};
use tempora_frontends::{WRITERS, Writer};
use tempora_model::{Expression, ExpressionKind, Formula, Network, Query, QueryKind, Type, print_network};
use tempora_oracle::random_networks::{Knobs, generate};
use tempora_source::{Colour, render_text};
use tempora_workbench::{CheckOptions, Loaded, check, load};

use tempora_testkit::{files_below, workspace};

use crate::support::models;

/// Limit on the states of a model; larger models are skipped.
const MOST_STATES: u64 = 3_000;

#[test]
fn conversions_preserve_meaning() {
    let (mut written, mut refused, mut compared, mut failures) = (0, 0, 0, String::new());
    for (name, text) in models(|_| true) {
        let loaded = load(&name, text.as_bytes());
        let Some(network) = loaded.network() else { continue };
        for writer in network_writers() {
            match writer.write(&loaded.writable().unwrap()).map(|conversion| conversion.text()) {
                Err(problems) => {
                    assert!(!problems.is_empty(), "{name}: refused without a reason\n{text}");
                    refused += 1;
                }
                Ok(converted) => {
                    written += 1;
                    match same_meaning(&loaded, network, writer, &converted) {
                        Ok(count) => compared += count,
                        Err(why) => {
                            failures += &format!(
                                "{name} as {}: {why}\n{text}\nis written as\n{converted}\n",
                                writer.name
                            );
                        }
                    }
                }
            }
        }
    }
    println!("{written} texts written, {refused} refused, {compared} verdicts compared");
    assert!(failures.is_empty(), "{failures}");
    assert!(written > 200 && compared > 500, "only {written} texts and {compared} verdicts");
}

/// `CONVERSION_CASES` sets the number of networks.
#[test]
fn conversions_of_random_networks_preserve_meaning() {
    let cases: u64 = std::env::var("CONVERSION_CASES").map_or(300, |cases| cases.parse().unwrap());
    let writers = network_writers();
    let (mut written, mut compared, mut failures) = (vec![0u64; writers.len()], 0, String::new());
    // Networks without declined features are written more often.
    let plain = Knobs { has_priorities: false, has_copies: false, region_limit: 4000, ..Knobs::default() };
    for seed in 0..cases {
        let random = generate(seed, &plain).unwrap();
        let loaded = load("random.net", random.text.as_bytes());
        let network = loaded.network().unwrap();
        for (position, writer) in writers.iter().enumerate() {
            let Ok(text) = writer.write(&loaded.writable().unwrap()).map(|conversion| conversion.text())
            else {
                continue;
            };
            written[position] += 1;
            match same_meaning(&loaded, network, writer, &text) {
                Ok(count) => compared += count,
                Err(why) => failures += &format!("seed {seed} as {}: {why}\n{text}\n", writer.name),
            }
        }
    }
    println!("{written:?} of {cases} texts written, {compared} verdicts compared");
    assert!(failures.is_empty(), "{failures}");
    assert!(
        written.iter().all(|count| *count * 10 > cases),
        "only {written:?} of {cases} texts were written"
    );
}

/// Returns the writers that preserve the semantics of a network; those of Ecdar preserve the semantics of
/// specifications.
fn network_writers() -> Vec<&'static Writer> {
    let is_wanted = |writer: &&Writer| !writer.name.starts_with("ecdar") && !writer.is_symbolic();
    WRITERS.iter().filter(is_wanted).collect()
}

/// TChecker's own models, if their folder is beside the checkout.
#[test]
fn tchecker_models_round_trip() {
    let folders = ["../shared/corpus/tck", "../shared/corpus/tck-random", "../shared/bench/tck"];
    let mut count = 0;
    for folder in folders.map(|folder| workspace().join(folder)) {
        if !folder.is_dir() {
            report_skipped("conversion", &format!("no models at {}", folder.display()));
            continue;
        }
        for path in files_below(&folder, ".tck") {
            let (loaded, writer) = (read(&path), tempora_frontends::writer_named("tck").unwrap());
            let Some(network) = loaded.network() else { continue };
            let conversion = writer.write(&loaded.writable().unwrap());
            let text = match conversion {
                Ok(conversion) => conversion.text(),
                Err(problems) => {
                    render_text(&loaded.files, &problems.into_sorted(&loaded.files), Colour::Never)
                }
            };
            let again = load("again.tck", text.as_bytes());
            let again = again.network().map(|network| print_network(network));
            assert_eq!(again, Some(print_network(network)), "{}\n{text}", path.display());
            count += 1;
        }
    }
    println!("{count} models");
}

fn read(path: &PathBuf) -> Loaded {
    load(path.to_str().unwrap(), &std::fs::read(path).unwrap())
}

/// Returns the number of compared verdicts, or a difference.
fn same_meaning(
    loaded: &Loaded,
    network: &Arc<Network>,
    writer: &Writer,
    text: &str,
) -> Result<usize, String> {
    let again = load(&format!("converted.{}", writer.extension), text.as_bytes());
    let Some(converted) = again.network() else {
        let diagnostics = again.diagnostics.into_sorted(&again.files);
        return Err(format!(
            "it is not read back:\n{}",
            render_text(&again.files, &diagnostics, Colour::Never)
        ));
    };
    // Local variables get other positions when they are parsed the first time.
    let second = written_again(writer, &again)?;
    let third = written_again(writer, &load(&format!("second.{}", writer.extension), second.as_bytes()))?;
    let has_locals = text.contains("local ");
    if third != second || !has_locals && second != without_comments(text) {
        return Err(format!("read back and written again it is\n{second}\nand then\n{third}"));
    }
    let (before, after) =
        (verdicts(network, loaded.network().cloned()), verdicts(network, Some(converted.clone())));
    let mut compared = 0;
    for (position, (before, after)) in before.iter().zip(&after).enumerate() {
        match (before, after) {
            (Verdict::Holds | Verdict::Fails, Verdict::Holds | Verdict::Fails) if before != after => {
                return Err(format!("location {position} of all: {before:?} became {after:?}"));
            }
            (Verdict::Holds | Verdict::Fails, Verdict::Holds | Verdict::Fails) => compared += 1,
            _ => {}
        }
    }
    // If the language can express all queries, their answers are the same as well.
    if again.queries.len() == loaded.queries.len() {
        let (before, after) = (answers(network, &loaded.queries), answers(converted, &again.queries));
        if before != after {
            return Err(format!("the answers {before:?} became {after:?}"));
        }
        compared += before.len();
    }
    Ok(compared)
}

fn answers(network: &Arc<Network>, queries: &[Query]) -> Vec<Verdict> {
    let task = Task::about_network(network.clone(), queries.to_vec());
    let budget = Budget::unlimited().with_max_states(MOST_STATES);
    let answers = check(&task, &CheckOptions::default(), &budget, &Progress::new());
    let verdicts = answers.iter().map(|answer| answer.answer().verdict.clone());
    // Reasons of unknown verdicts contain names and places of the text.
    verdicts.filter(|verdict| matches!(verdict, Verdict::Holds | Verdict::Fails)).collect()
}

fn written_again(writer: &Writer, loaded: &Loaded) -> Result<String, String> {
    loaded.network().as_ref().ok_or("the output is not a valid model")?;
    let conversion = writer.write(&loaded.writable().unwrap()).map_err(|problems| {
        render_text(&loaded.files, &problems.into_sorted(&loaded.files), Colour::Never)
    })?;
    Ok(without_comments(&conversion.text()))
}

/// Removes comments, which contain the queries that the language cannot express.
fn without_comments(text: &str) -> String {
    let is_comment = |line: &str| line.starts_with('#') || line.starts_with("//") && !text.starts_with('<');
    text.lines().filter(|line| !is_comment(line)).collect::<Vec<_>>().join("\n")
}

/// Returns the verdict of reachability for each location of each process; ids do not change in a conversion.
fn verdicts(original: &Network, network: Option<Arc<Network>>) -> Vec<Verdict> {
    let Some(network) = network else { return Vec::new() };
    let mut queries = Vec::new();
    for (process, parts) in original.processes.iter() {
        for location in parts.locations.ids() {
            let kind = ExpressionKind::At { process, location };
            let predicate = Expression { kind, value_type: Type::Boolean, origin: parts.origin };
            let kind = QueryKind::Formula(Formula::Possibly(predicate));
            queries.push(Query { text: String::new(), kind, origin: parts.origin });
        }
    }
    let task = Task::about_network(network, queries);
    let budget = Budget::unlimited().with_max_states(MOST_STATES);
    let answers = check(&task, &CheckOptions::default(), &budget, &Progress::new());
    answers.iter().map(|answer| answer.answer().verdict.clone()).collect()
}
