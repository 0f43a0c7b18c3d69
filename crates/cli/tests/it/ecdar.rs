//! `tempora ecdar` behaves as scripts that call JECDAR expect.

use crate::support::{file, run};

const MODEL: &str = "broadcast chan i, o;
process S { clock x; init location L { invariant x <= 3; } L -> L { sync i?; } L -> L { guard x >= 2; sync o!; do x = 0; } }
process T { clock x; init location L { invariant x <= 5; } L -> L { sync i?; } L -> L { sync o!; do x = 0; } }
system S, T;
";

#[test]
fn queries_are_answered_in_order() {
    let model = file("ecdar-queries.net", MODEL.as_bytes());
    let finished =
        run(&["ecdar", "-rq", "-xml", &model, "refinement: S <= T", "refinement: T <= S", "determinism:S"]);
    assert_eq!(finished.output, "true\nfalse\ntrue\n", "{}", finished.error);
    assert_eq!(finished.status, Some(0));
}

#[test]
fn relation_has_pairs_and_moves() {
    let model = file("ecdar-relation.net", MODEL.as_bytes());
    let finished = run(&["ecdar", "-rqrrr", "-xml", &model, "refinement: S <= T"]);
    let relation = finished.output.strip_prefix("true\n").unwrap();
    let relation: serde_json::Value = serde_json::from_str(relation).unwrap();
    assert_eq!(relation["left"], "L");
    assert_eq!(relation["right"], "L");
    assert_eq!(relation["initial sp id"], "0");
    // Both clocks are equal, and at most 3.
    assert_eq!(relation["zone"], "[1, 1, 1, 7, 1, 1, 7, 1, 1]");
    let channels: Vec<&str> = relation["transitions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["channel"].as_str().unwrap())
        .collect();
    assert_eq!(channels, ["i", "o"]);
    assert_eq!(relation["transitions"][1]["left edge ids"], serde_json::json!(["S.1"]));
}

/// A specification whose relation is nested a thousand levels deep.
#[test]
fn refuses_deeply_nested_relation() {
    let model = format!(
        "broadcast chan o; process S {{ int[0,2000] n; init location L; L -> L {{ guard n < {}; sync o!; do n++; }} }} system S;",
        2000
    );
    let model = file("ecdar-long.net", model.as_bytes());
    let finished = run(&["ecdar", "-rqrrr", "-xml", &model, "refinement: S <= S"]);
    assert_eq!((finished.output.as_str(), finished.status), ("true\n", Some(3)));
    assert!(finished.error.contains("nested too deeply"), "{}", finished.error);
}

#[test]
fn format_option_must_match_input() {
    let model = file("ecdar-form.net", MODEL.as_bytes());
    let finished = run(&["ecdar", "-rq", "-json", &model, "consistency: S"]);
    assert_eq!(finished.status, Some(2));
    assert!(finished.error.contains("is not a project folder"), "{}", finished.error);
    let folder = env!("CARGO_MANIFEST_DIR");
    let finished = run(&["ecdar", "-rq", "-xml", folder, "consistency: S"]);
    assert_eq!(finished.status, Some(2));
    assert!(finished.error.contains("is a folder, not a document"), "{}", finished.error);
}

#[test]
fn checks_syntax_of_query() {
    let finished = run(&["ecdar", "-vq", "refinement: A <= B"]);
    assert_eq!((finished.output.as_str(), finished.status), ("true\n", Some(0)));
    let finished = run(&["ecdar", "-vq", "refinement: A <= "]);
    assert_eq!((finished.output.as_str(), finished.status), ("false\n", Some(0)));
    assert!(!finished.error.is_empty());
}

#[test]
fn help_version_and_unknown_command() {
    assert!(run(&["ecdar", "-help"]).output.contains("-rqrrr"));
    assert!(run(&["ecdar", "-version"]).output.starts_with("tempora "));
    let finished = run(&["ecdar", "-rq", "model.xml", "consistency: S"]);
    assert_eq!(finished.status, Some(2));
    assert!(finished.error.contains("is not a command of JECDAR"), "{}", finished.error);
}
