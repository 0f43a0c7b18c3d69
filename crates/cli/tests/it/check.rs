//! `tempora check` and `inspect`: exit statuses, streams, standard input.

use crate::support::{file, run, run_with_input};

const MODEL: &str = "int z; clock x;
process P { init location A { invariant x <= 3; } location B; A -> B { guard x >= 2; } }
";
const HOLDS: &str = "E<> P.B";
const FAILS: &str = "A[] P.A";
/// Evaluating it divides by zero.
const UNKNOWN: &str = "E<> 1 / z == 1";
const BROKEN: &str = "E<> P.Nowhere";

#[test]
fn exit_status_is_worst_answer() {
    let path = file("check-status.net", MODEL.as_bytes());
    let cases: &[(&[&str], i32)] = &[
        (&[HOLDS], 0),
        (&[FAILS], 1),
        (&[BROKEN], 2),
        (&[UNKNOWN], 3),
        (&[HOLDS, HOLDS], 0),
        (&[HOLDS, FAILS], 1),
        (&[FAILS, HOLDS], 1),
        (&[HOLDS, UNKNOWN], 3),
        // 1 before 3
        (&[FAILS, UNKNOWN], 1),
        (&[UNKNOWN, FAILS], 1),
        // 2 before 1 and 3
        (&[FAILS, BROKEN], 2),
        (&[BROKEN, UNKNOWN], 2),
        (&[UNKNOWN, FAILS, BROKEN], 2),
    ];
    for (queries, expected) in cases {
        let mut arguments = vec!["check", path.as_str()];
        for query in *queries {
            arguments.extend(["--query", query]);
        }
        let finished = run(&arguments);
        assert_eq!(finished.status, Some(*expected), "{queries:?}: {finished:?}");
        // No query is answered if one has an error.
        let answers = finished.output.lines().filter(|line| !line.starts_with(' ') && !line.is_empty());
        assert_eq!(answers.count(), if *expected == 2 { 0 } else { queries.len() }, "{finished:?}");
        assert_eq!(finished.error.is_empty(), *expected != 2, "{finished:?}");
    }
}

#[test]
fn usage_errors() {
    let path = file("check-usage.net", MODEL.as_bytes());
    let cases: &[(&[&str], &str)] = &[
        (&["check"], "MODEL"),
        (&["check", &path], "error[no-query]: no query to answer"),
        (&["check", &path, "-q", HOLDS, "--engine", "warp"], "error[unknown-engine]"),
        (&["check", &path, "-q", HOLDS, "--timeout", "soon"], "expected a number of seconds"),
        (&["check", &path, "-q", HOLDS, "--timeout", "-1"], "error"),
        (&["check", &path, "-q", HOLDS, "--memory", "much"], "invalid value"),
        (&["check", &path, "-q", HOLDS, "--max-states", "-3"], "error"),
        (&["check", &path, "-q", HOLDS, "--output", "tea"], "possible values: text, json"),
        (&["check", &path, "-q", ""], "error["),
        (&["inspect", &path, "-q", BROKEN], "error[unknown-name]"),
        (&["inspect", &path, "more"], "unexpected argument"),
    ];
    for (arguments, expected) in cases {
        let finished = run(arguments);
        assert_eq!(finished.status, Some(2), "{arguments:?}: {finished:?}");
        assert!(finished.error.contains(expected), "{arguments:?}: {finished:?}");
        assert_eq!(finished.output, "", "{arguments:?}");
    }
}

#[test]
fn queries_replace_those_of_model() {
    let text = format!("{MODEL}query {HOLDS}; query {FAILS};");
    let path = file("check-own.net", text.as_bytes());
    let finished = run(&["check", &path, "--trace", "none"]);
    assert_eq!(
        (finished.status, finished.output.as_str()),
        (Some(1), "satisfied: E<> P.B\n\nviolated: A[] P.A\n")
    );
    let finished = run(&["check", &path, "--trace", "none", "-q", HOLDS]);
    assert_eq!((finished.status, finished.output.as_str()), (Some(0), "satisfied: E<> P.B\n"));
}

#[test]
fn minus_reads_standard_input() {
    let text = format!("{MODEL}query {HOLDS};");
    let finished = run_with_input(&["check", "-", "--trace", "none"], text.as_bytes());
    assert_eq!(
        (finished.status, finished.output.as_str()),
        (Some(0), "satisfied: E<> P.B\n"),
        "{finished:?}"
    );
    let finished = run_with_input(&["inspect", "-"], text.as_bytes());
    assert_eq!(finished.status, Some(0));
    assert!(finished.output.contains("P: 2 locations, 1 edge\n"), "{finished:?}");
    let finished = run_with_input(&["check", "-"], b"process P { init location A; A -> B; }");
    assert_eq!(finished.status, Some(2));
    assert!(finished.error.contains(" --> standard input:1:35\n"), "{finished:?}");
    let finished = run_with_input(&["check", "-"], b"");
    assert_eq!(finished.status, Some(2));
    assert!(finished.error.contains("error[no-process]"), "{finished:?}");
}

#[test]
fn query_that_does_not_fit_leaves_the_others() {
    let text = "broadcast chan o; process P { init location L; L -> L { sync o!; } } system P;";
    let path = file("check-misfit.net", text.as_bytes());
    let misfit = "consistency: P || P";
    let finished = run(&["check", &path, "-q", misfit, "-q", "consistency: P"]);
    assert_eq!(finished.status, Some(2), "{finished:?}");
    let output = finished.output.as_str();
    assert!(output.starts_with("unknown: consistency: P || P\n"), "{finished:?}");
    assert!(output.ends_with("satisfied: consistency: P\n"), "{finished:?}");
    let finished = run(&["check", &path, "-q", misfit]);
    assert_eq!((finished.status, finished.output.as_str()), (Some(2), ""), "{finished:?}");
}

#[test]
fn unsupported_query_is_unknown_but_inspected() {
    let path = file("check-declined.net", MODEL.as_bytes());
    let query = "simulate [<=10] { x }";
    let finished = run(&["check", &path, "-q", query]);
    assert_eq!(finished.status, Some(3), "{finished:?}");
    assert!(finished.output.contains("not supported"), "{finished:?}");
    assert_eq!(run(&["inspect", &path, "-q", query]).status, Some(0));
}

#[test]
fn printed_ir_has_same_answers() {
    let finished = run(&["inspect", "examples/fischer.net", "--ir"]);
    assert_eq!(finished.status, Some(0));
    let query = "A[] not (P(1).Critical && P(2).Critical)";
    let again = run_with_input(&["check", "-", "-q", query], finished.output.as_bytes());
    assert_eq!(again.status, Some(0), "{again:?}");
    let broken = finished.output.replace("> 2", ">= 2").replace("> K", ">= K");
    assert_ne!(broken, finished.output);
    assert_eq!(run_with_input(&["check", "-", "-q", query], broken.as_bytes()).status, Some(1));
}

#[test]
fn shows_statistics_on_request() {
    let path = file("check-statistics.net", MODEL.as_bytes());
    assert!(!run(&["check", &path, "-q", HOLDS]).output.contains("states stored"));
    let finished = run(&["check", &path, "-q", HOLDS, "--stats"]);
    assert!(finished.output.contains("engine zones: 2 states stored"), "{finished:?}");
}
