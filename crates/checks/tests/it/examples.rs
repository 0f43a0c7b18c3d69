//! The manual pages of checks are complete, and their examples produce findings.

use std::collections::BTreeSet;

use tempora_checks::{ALL, CODES, Certainty, Report, Selection, Subject, run};
use tempora_evidence::{Budget, Progress};
use tempora_explore::{SearchOrder, SurveyOptions, SurveyUntil, survey};
use tempora_frontends::{language_named, read_model};
use tempora_source::{Files, Origins, Severity, registry_faults};

/// Runs the selected checks on a model, storing at most `most_states` states.
fn lint(text: &str, only: &[&str], ends: &[&str], most_states: u64) -> Report {
    let mut files = Files::new();
    let mut origins = Origins::new();
    let file = files.add("model.net", text).unwrap();
    let read = read_model(language_named("net").unwrap(), &mut files, &mut origins, file, None);
    let network = read.network.unwrap_or_else(|| panic!("{:?}\n{text}", read.diagnostics));
    let options = SurveyOptions {
        order: SearchOrder::BreadthFirst,
        is_shortest: true,
        until: SurveyUntil::AllStates,
        components: true,
        choices: true,
        timelocks: true,
        zeno: true,
    };
    let budget = Budget::unlimited().with_max_states(most_states);
    let survey = survey(&network, options, &budget, &Progress::new()).unwrap();
    let only: Vec<String> = only.iter().map(|&name| name.to_owned()).collect();
    let ends: BTreeSet<String> = ends.iter().map(|&name| name.to_owned()).collect();
    let subject = Subject::new(
        &files,
        &origins,
        read.document.network().unwrap().tree,
        &read.symbols,
        &network,
        &read.queries,
        &ends,
    );
    run(&subject.with_survey(&survey), &Selection::new(&only, &[]).unwrap(), None)
}

#[test]
fn pages_are_complete() {
    assert_eq!(registry_faults(CODES), Vec::<String>::new());
    let names: Vec<&str> = CODES.iter().map(|code| code.name()).collect();
    assert_eq!(ALL.iter().map(|check| check.name()).collect::<Vec<_>>(), names);
}

#[test]
fn examples_produce_definite_findings() {
    for check in ALL {
        for example in check.code.examples() {
            assert_eq!(example.language, "net", "{}", check.name());
            let report = lint(&example.text, &[check.name()], &[], u64::MAX);
            assert!(!report.findings.is_empty(), "{} finds nothing in\n{}", check.name(), example.text);
            for finding in &report.findings {
                assert_eq!(finding.diagnostic.code.name(), check.name());
                assert_eq!(finding.certainty, Certainty::Definite, "{}", check.name());
                assert!(finding.diagnostic.primary_span().is_some(), "{} has no primary label", check.name());
                assert!(finding.diagnostic.hint.is_some(), "{} has no hint", check.name());
            }
        }
    }
}

#[test]
fn allowance_suppresses_adjacent_finding_only() {
    let text = |comment: &str| {
        format!("{comment}\nclock x;\nclock y;\nprocess P {{ init location A; A -> A {{ }} }}\nsystem P;\n")
    };
    let found = |text: &str| lint(text, &["unused-variable"], &[], u64::MAX);
    assert_eq!(found(&text("")).findings.len(), 2);
    let report = found(&text("// tempora: allow(unused-variable)"));
    assert_eq!((report.findings.len(), report.allowed), (1, 1));
    assert_eq!(found(&text("// tempora: allow(shadowed-name)")).findings.len(), 2);
}

#[test]
fn declared_end_makes_deadlock_wanted() {
    let text =
        "chan a;\nprocess P { init location A; location B; A -> B { } B -> A { sync a!; } }\nsystem P;\n";
    let names = |ends: &[&str]| {
        let report = lint(text, &["deadlock", "wanted-deadlock"], ends, u64::MAX);
        report.findings.iter().map(|finding| finding.diagnostic.code.name()).collect::<Vec<_>>()
    };
    assert_eq!(names(&[]), ["deadlock"]);
    assert_eq!(names(&["P.B"]), ["wanted-deadlock"]);
    assert_eq!(names(&["P.A"]), ["deadlock"]);
}

#[test]
fn query_confirms_unreachable_location() {
    let text = |query: &str| {
        format!(
            "process P {{ int n; init location A; location B; A -> B {{ guard n > 1; }} }}\nsystem P;\n{query}\n"
        )
    };
    let found = |query: &str| {
        let report = lint(&text(query), &["unreachable-location"], &[], u64::MAX);
        let finding = report.findings.into_iter().next().unwrap();
        (finding.certainty, finding.diagnostic.severity)
    };
    assert_eq!(found(""), (Certainty::Definite, Severity::Warning));
    assert_eq!(found("query E<> P.B;"), (Certainty::Definite, Severity::Warning));
    assert_eq!(found("query A[] not P.B;"), (Certainty::Confirmed, Severity::Info));
    assert_eq!(found("query A[] (P.A && !P.B);"), (Certainty::Confirmed, Severity::Info));
    assert_eq!(found("query A[] (P.B imply P.n == 3);"), (Certainty::Definite, Severity::Warning));
}

#[test]
fn incomplete_exploration_weakens_findings() {
    let text = "process P { int[0,90] n; init location A; location B; A -> A { guard n < 90; do n++; } A -> B { guard n == 90; } }\nsystem P;\n";
    let names = ["unreachable-location", "edge-never-taken", "range-too-wide"];
    let whole = lint(text, &names, &[], u64::MAX);
    assert!(whole.findings.is_empty(), "{:?}", whole.findings);
    let part = lint(text, &names, &[], 20);
    assert_eq!(part.findings.len(), 3, "{:?}", part.findings);
    for finding in &part.findings {
        assert!(matches!(finding.certainty, Certainty::NotSeen { .. }));
        assert_eq!(finding.diagnostic.severity, Severity::Info);
        assert!(finding.diagnostic.message.starts_with("in the "), "{}", finding.diagnostic.message);
    }
}

#[test]
fn name_in_query_counts_as_used() {
    let text = |query: &str| {
        format!("clock now;\nprocess P {{ init location A; A -> A {{ }} }}\nsystem P;\n{query}\n")
    };
    let found = |query: &str| lint(&text(query), &["unused-variable"], &[], u64::MAX).findings.len();
    assert_eq!(found(""), 1);
    assert_eq!(found("query E<> P.A && now > 3;"), 0);
}
