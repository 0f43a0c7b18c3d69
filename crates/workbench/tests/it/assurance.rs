//! Counts checked answers by kind, over all examples and over models beside the checkout.
//!
//! Invariant: an answer with a run, or one that a run can confirm, has been replayed. The test is skipped if the folder
//! beside the checkout is missing, as in a clone. `--nocapture` shows the counts.

#![allow(clippy::print_stdout, reason = "a test reports its counts")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempora_testkit::report_skipped;

use tempora_certify::Assurance;
use tempora_evidence::{Answer, Budget, Evidence, Limit, MeasuredValue, Progress, UnknownReason, Verdict};
use tempora_model::{Formula, QueryKind};
use tempora_workbench::{
    CheckOptions, EngineSettings, RunPreference, check, check_proof, load, with_certificates,
};

use tempora_testkit::{files_below, workspace};

/// For each kind of answer, the numbers of checked and unchecked answers.
type Counts = BTreeMap<(&'static str, &'static str, bool), [u64; 2]>;

fn kind(query: &QueryKind) -> &'static str {
    match query {
        QueryKind::Formula(formula) => match formula {
            Formula::Possibly(_) => "E<>",
            Formula::Always(_) => "A[]",
            Formula::PotentiallyAlways(_) => "E[]",
            Formula::Eventually(_) => "A<>",
            Formula::LeadsTo { .. } => "-->",
            Formula::AlwaysPossibly { .. } => "A[] E<>",
            Formula::InfinitelyOften(_) => "buchi",
            Formula::Not(_) | Formula::And(_) | Formula::Or(_) => "combination",
        },
        QueryKind::Bounds { .. } => "sup, inf, bounds",
        QueryKind::Time { .. } => "mintime, maxtime",
        QueryKind::Specification { .. } => "specification",
        QueryKind::Property(_) => "property",
        QueryKind::Declined(_) => "declined",
    }
}

fn outcome(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "holds",
        Verdict::Fails => "fails",
        Verdict::Value(_) => "value",
        Verdict::Estimated(_) => "estimated",
        Verdict::Unknown(_) => "unknown",
    }
}

/// Answers the queries of a model and counts the answers; skips models with errors.
fn count(path: &Path, preference: RunPreference, counts: &mut Counts, failures: &mut String) {
    let loaded = load(path.to_str().unwrap(), &std::fs::read(path).unwrap());
    let Some(task) = loaded.task(loaded.queries.clone()) else { return };
    let budget = Budget::unlimited().with_max_states(20_000).with_timeout(Duration::from_secs(5));
    let settings = EngineSettings { preference, ..EngineSettings::default() };
    let options = CheckOptions { settings, ..CheckOptions::default() };
    let answers = check(&task, &options, &budget, &Progress::new());
    for (query, checked) in task.queries.iter().zip(&answers) {
        let answer = checked.answer();
        let has_run = answer.evidence.iter().any(|evidence| {
            matches!(evidence, Evidence::Trace(_) | Evidence::RefusedRun(_) | Evidence::SpecificationRun(_))
        });
        let is_checked = checked.assurance() != Assurance::Unchecked;
        let entry = counts.entry((kind(&query.kind), outcome(&answer.verdict), has_run)).or_default();
        entry[usize::from(is_checked)] += 1;
        let needs_run = matches!(
            (&query.kind, &answer.verdict),
            (QueryKind::Formula(Formula::Possibly(_)), Verdict::Holds)
                | (QueryKind::Formula(Formula::Always(_)), Verdict::Fails)
        );
        // A run confirms a bounded value, but not that its last state has no continuation.
        let has_no_end = |value: &MeasuredValue| {
            matches!(value, MeasuredValue::Supremum(Limit::Unbounded) | MeasuredValue::Intervals(_))
        };
        let is_beside = matches!(query.kind, QueryKind::Formula(Formula::AlwaysPossibly { .. }))
            || matches!(&answer.verdict, Verdict::Value(values) if values.iter().any(has_no_end));
        if ((has_run && !is_beside) || needs_run) && !is_checked {
            *failures += &format!("{}: {}: {:?}\n", path.display(), query.text, answer.caveats);
        }
    }
}

fn show(title: &str, counts: &Counts) {
    println!("{title}");
    for ((kind, outcome, has_run), [unchecked, checked]) in counts {
        let run = if *has_run { "with a run" } else { "without" };
        println!("  {kind:<18} {outcome:<8} {run:<10} {checked:>6} checked {unchecked:>6} not");
    }
}

#[test]
fn answers_with_runs_are_replayed() {
    let examples: Vec<PathBuf> = [".xml", ".net", ".tck"]
        .iter()
        .flat_map(|ending| files_below(&workspace().join("examples"), ending))
        .collect();
    assert!(examples.len() >= 13);
    let mut failures = String::new();
    for preference in [RunPreference::Any, RunPreference::FewestTransitions, RunPreference::LeastTime] {
        let mut counts = Counts::new();
        for path in &examples {
            count(path, preference, &mut counts, &mut failures);
        }
        show(&format!("examples, {preference:?}"), &counts);
        let with_run: u64 =
            counts.iter().filter(|((_, _, run), _)| *run).map(|(_, [_, checked])| checked).sum();
        assert!(with_run >= 10, "only {with_run} answers have a run");
    }
    let corpus = workspace().join("../shared/corpus");
    let mut counts = Counts::new();
    for (name, ending) in [("uppaal-queries", ".xml"), ("tck", ".tck"), ("tck-random", ".tck")] {
        let folder = folder_of(&corpus, name);
        let Some(folder) = folder else { continue };
        let files = files_below(&folder, ending);
        // Use an evenly spread subset of the small files.
        let step = files.len().div_ceil(60).max(1);
        for path in files.iter().step_by(step) {
            if std::fs::metadata(path).unwrap().len() < 100_000 {
                count(path, RunPreference::Any, &mut counts, &mut failures);
            }
        }
    }
    show("beside the checkout", &counts);
    assert!(failures.is_empty(), "answers that no run was checked for:\n{failures}");
}

fn folder_of(folder: &Path, name: &str) -> Option<PathBuf> {
    let folder = folder.join(name);
    if !folder.is_dir() {
        report_skipped("assurance", &format!("no cases at {}", folder.display()));
        return None;
    }
    Some(folder)
}

/// A combined answer is replayed if each part that its verdict depends on is replayed.
#[test]
fn combined_answers_are_replayed() {
    let text = "int n; process P { init location A; location B; location C; A -> B; A -> C; }";
    let loaded = load("model.net", text.as_bytes());
    for (query, is_checked) in [
        ("E<> P.B && E<> P.C", true),
        ("E<> P.B || E<> n == 1", true),
        ("!(A[] P.A) && !(A[] !P.C)", true),
        ("A[] P.A && A[] n == 0", true),
        // The claim that no other state is reachable is not independently checked.
        ("E<> P.B && A[] n == 0", false),
        ("!(E<> n == 1) || A[] P.A", false),
    ] {
        let asked = loaded.read_query("query", query);
        let task =
            loaded.task(vec![asked.value.unwrap_or_else(|| panic!("{query}: {:?}", asked.diagnostics))]);
        let task = task.unwrap();
        let answers = check(&task, &CheckOptions::default(), &Budget::unlimited(), &Progress::new());
        let found = (outcome(&answers[0].answer().verdict), answers[0].assurance() != Assurance::Unchecked);
        assert_eq!(found.1, is_checked, "{query}: {found:?}");
        assert_ne!(found.0, "unknown", "{query}");
    }
}

/// A wrong verdict is withdrawn if a certificate is requested: its generation fails, or the checker refuses it.
#[test]
fn withdraws_verdict_that_its_certificate_contradicts() {
    let text =
        "clock x; process P { init location A; location B; location C; A -> B { guard x > 3; } B -> C; }";
    let loaded = load("model.net", text.as_bytes());
    for (query, claimed) in [
        ("A[] not P.C", Verdict::Holds),
        ("E<> P.B && x > 4", Verdict::Fails),
        ("A[] not deadlock", Verdict::Holds),
    ] {
        let asked = loaded.read_query("query", query);
        let task =
            loaded.task(vec![asked.value.unwrap_or_else(|| panic!("{query}: {:?}", asked.diagnostics))]);
        let task = task.unwrap();
        let (budget, progress) = (Budget::unlimited(), Progress::new());
        let wrong = Answer { verdict: claimed, ..Answer::unsupported("wrong", "", None) };
        let wrong = tempora_certify::check_answer(&task, 0, wrong, &budget);
        let answers = with_certificates(&task, vec![wrong], &EngineSettings::default(), &budget, &progress);
        let verdict = &answers[0].answer().verdict;
        assert!(matches!(verdict, Verdict::Unknown(UnknownReason::EngineBug(_))), "{query}: {verdict:?}");
        assert_eq!(answers[0].assurance(), Assurance::Unchecked);
    }
}

/// The assurance of a conclusion is the lowest among its obligations.
#[test]
fn conclusions_inherit_assurance() {
    let (model, proof) =
        (workspace().join("examples/leader-ring.net"), workspace().join("examples/leader-ring.proof"));
    let loaded = load(model.to_str().unwrap(), &std::fs::read(&model).unwrap());
    let asked = loaded.read_proof("proof", &std::fs::read(&proof).unwrap());
    let proof = asked.value.unwrap_or_else(|| panic!("{:?}", asked.diagnostics));
    let task = loaded.task(proof.queries().to_vec()).unwrap();
    for (wants_certificates, expected) in [(false, Assurance::Unchecked), (true, Assurance::Certified)] {
        let options = CheckOptions::default();
        let (budget, progress) = (Budget::unlimited(), Progress::new());
        let answers = check_proof(&task, &proof, &options, wants_certificates, &budget, &progress);
        assert_eq!(answers.len(), proof.queries().len());
        for (query, answer) in task.queries.iter().zip(&answers) {
            assert_eq!(answer.answer().verdict, Verdict::Holds, "{}", query.text);
            assert_eq!(answer.assurance(), expected, "{}: {:?}", query.text, answer.answer().caveats);
        }
    }
}
