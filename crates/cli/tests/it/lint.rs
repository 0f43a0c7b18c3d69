//! `tempora lint`: exit statuses, selection of checks, settings, formats.

use serde_json::Value;

use crate::support::schema::faults;
use crate::support::{file, run};

const STUCK: &[u8] = b"chan a;
clock unused;
process P { init location A; location B; location C; A -> B { } B -> C { sync a!; } }
system P;
";

fn json(status: i32, arguments: &[&str]) -> Value {
    let finished = run(arguments);
    assert_eq!(finished.status, Some(status), "{arguments:?}: {finished:?}");
    let value: Value = serde_json::from_str(&finished.output).unwrap();
    assert_eq!(faults("lint.json", &value), Vec::<String>::new(), "{value:#}");
    value
}

/// Writes a file to a separate folder.
fn settings_file(folder: &str, name: &str, content: &[u8]) -> String {
    std::fs::create_dir_all(std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder)).unwrap();
    file(&format!("{folder}/{name}"), content)
}

fn codes(value: &Value) -> Vec<&str> {
    value["findings"].as_array().unwrap().iter().map(|finding| finding["code"].as_str().unwrap()).collect()
}

#[test]
fn json_findings_satisfy_schema() {
    let path = file("lint-stuck.net", STUCK);
    let value = json(1, &["lint", &path, "--output", "json"]);
    let codes = codes(&value);
    for expected in [
        "unused-variable",
        "channel-without-receiver",
        "deadlock",
        "unreachable-location",
        "edge-never-taken",
    ] {
        assert!(codes.contains(&expected), "{expected} is not among {codes:?}");
    }
    let deadlock = value["findings"].as_array().unwrap().iter().find(|finding| finding["code"] == "deadlock");
    assert_eq!(deadlock.unwrap()["trace"]["ending"], "deadlock");
    assert_eq!(value["exploration"]["complete"], true);
    json(0, &["lint", "examples/train-gate.net", "--output", "json"]);
    let cut =
        json(0, &["lint", &path, "--only", "unreachable-location", "--max-states", "1", "--output", "json"]);
    assert_eq!(cut["exploration"]["complete"], false);
    assert_eq!(cut["findings"][0]["certainty"], "not seen");
}

#[test]
fn selects_checks_and_failing_severity() {
    let path = file("lint-selected.net", STUCK);
    let value = json(1, &["lint", &path, "--only", "unused-variable,deadlock", "--output", "json"]);
    assert_eq!(codes(&value), ["unused-variable", "deadlock"]);
    let value = json(
        1,
        &["lint", &path, "--only", "unused-variable,deadlock", "--skip", "deadlock", "--output", "json"],
    );
    assert_eq!(codes(&value), ["unused-variable"]);
    json(0, &["lint", &path, "--only", "unused-variable", "--fail-on", "error", "--output", "json"]);
    let finished = run(&["lint", &path, "--only", "deadlok"]);
    assert_eq!(finished.status, Some(2));
    assert!(finished.error.contains("did you mean `deadlock`?"), "{}", finished.error);
}

#[test]
fn reads_settings_beside_model() {
    let path = settings_file("settings-right", "lint-settings.net", STUCK);
    let settings = "[lint]\nonly = [\"deadlock\", \"wanted-deadlock\"]\nends = [\"P.B\"]\n";
    settings_file("settings-right", "tempora.toml", settings.as_bytes());
    let value = json(0, &["lint", &path, "--output", "json"]);
    assert_eq!(codes(&value), ["wanted-deadlock"]);
    settings_file("settings-wrong", "tempora.toml", b"[lint]\nskipp = []\n");
    let path = settings_file("settings-wrong", "model.net", STUCK);
    let finished = run(&["lint", &path]);
    assert_eq!(finished.status, Some(2), "{finished:?}");
    assert!(finished.error.contains("unknown setting `skipp`"), "{}", finished.error);
}

#[test]
fn draws_templates_with_halos() {
    let path = file("lint-drawn.net", STUCK);
    let folder = format!("{path}.drawn");
    let finished = run(&["lint", &path, "--draw", &folder]);
    assert_eq!(finished.status, Some(1), "{finished:?}");
    let svg = std::fs::read_to_string(format!("{folder}/P.svg")).unwrap();
    assert!(svg.contains("no run reaches the location `P.C`"), "{svg}");
}

#[test]
fn sarif_satisfies_schema() {
    let path = file("lint sarif.net", STUCK);
    let finished = run(&["lint", &path, "--output", "sarif"]);
    assert_eq!(finished.status, Some(1), "{finished:?}");
    let value: Value = serde_json::from_str(&finished.output).unwrap();
    assert_eq!(faults("sarif.json", &value), Vec::<String>::new(), "{value:#}");
    let results = value["runs"][0]["results"].as_array().unwrap();
    let deadlock = results.iter().find(|result| result["ruleId"] == "deadlock").unwrap();
    let rules = &value["runs"][0]["tool"]["driver"]["rules"];
    assert_eq!(rules[deadlock["ruleIndex"].as_u64().unwrap() as usize]["id"], "deadlock");
    // The start, one edge and the end.
    let flow = &deadlock["codeFlows"][0]["threadFlows"][0]["locations"];
    assert_eq!(flow.as_array().unwrap().len(), 3, "{flow:#}");
    let uri = &deadlock["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert!(uri.as_str().unwrap().ends_with("lint%20sarif.net"), "{uri}");
}
