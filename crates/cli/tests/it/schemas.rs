//! What the command line writes as JSON is what the schemas in `docs/schemas/` say.

use serde_json::{Value, json};

use crate::support::schema::faults;
use crate::support::{file, run, run_with_input};

fn holds(schema: &str, status: i32, arguments: &[&str]) -> Value {
    let finished = run(arguments);
    assert_eq!(finished.status, Some(status), "{arguments:?}: {finished:?}");
    let value: Value = serde_json::from_str(&finished.output).unwrap();
    assert_eq!(faults(schema, &value), Vec::<String>::new(), "{arguments:?}: {value:#}");
    value
}

#[test]
fn answers() {
    let value = holds("check.json", 0, &["check", "examples/fischer.net", "--output", "json"]);
    assert_eq!(value["results"].as_array().unwrap().len(), 2);
    assert_eq!(value["results"][1]["assurance"], "replayed");
    // Synchronisation, selects and changes.
    let query = "E<> Train(0).Cross && Train(1).Stop";
    let value =
        holds("check.json", 0, &["check", "examples/train-gate.net", "-q", query, "--output", "json"]);
    let moves = &value["results"][0]["evidence"]["trace"]["steps"][0]["moves"];
    assert_eq!(moves[0]["synchronisation"], "appr[id]!");
    assert_eq!(moves[1]["selects"][0], json!(["e", 0]));
    assert_eq!(moves[0]["place"]["file"], "examples/train-gate.net");
}

#[test]
fn answers_of_every_verdict_and_form() {
    let path = file(
        "schemas-forms.net",
        b"clock x; int[0,1] n; broadcast chan all; int z;
          process P { init location A; location B; location C;
                      A -> B { guard x > 1 && x < 2; sync all!; } A -> C { event go; } }
          process Q { init location D; D -> D { event on; } }
          vector P@go, Q@on; system P, Q;",
    );
    let ask = |status, query: &str| {
        let value = holds("check.json", status, &["check", &path, "-q", query, "--output", "json"]);
        value["results"][0].clone()
    };
    assert_eq!(ask(1, "A[] not P.B")["verdict"], "violated");
    assert_eq!(ask(0, "E<> P.B")["evidence"]["trace"]["steps"][0]["delay"], "3/2");
    assert_eq!(ask(0, "E<> P.C")["evidence"]["trace"]["steps"][0]["kind"], "vector");
    assert_eq!(ask(3, "E<> 1 / z == 1")["verdict"], "unknown");
    assert!(ask(3, "simulate [<=1] { x }")["reason"].as_str().unwrap().contains("not supported"));
    let path =
        file("schemas-error.net", b"int[0,1] n; process P { init location A; A -> A { do n = n + 1; } }");
    let value = holds("check.json", 3, &["check", &path, "-q", "E<> n == 5", "--output", "json"]);
    let trace = &value["results"][0]["evidence"]["trace"];
    assert_eq!((&trace["ending"], &trace["error"]["place"]["line"]), (&json!("error"), &json!(1)));
}

#[test]
fn inspections() {
    let value = holds("inspect.json", 0, &["inspect", "examples/train-gate.net", "--output", "json"]);
    assert_eq!(value["processes"].as_array().unwrap().len(), 4);
    let value = holds("inspect.json", 0, &["inspect", "examples/fischer.net", "--ir", "--output", "json"]);
    assert!(value["ir"].as_str().unwrap().contains("process"));
    holds("inspect.json", 0, &["inspect", "crates/model/tests/data/everything.net", "--output", "json"]);
}

#[test]
fn pages() {
    holds("explain.json", 0, &["explain", "--output", "json"]);
    holds("explain.json", 0, &["explain", "unknown-name", "--output", "json"]);
}

#[test]
fn errors() {
    let broken = file("schemas-broken.net", b"process P { init location A; A -> B; }\nint x = ;");
    for command in ["check", "inspect"] {
        let value = holds("errors.json", 2, &[command, &broken, "--output", "json"]);
        assert_eq!(value["errors"][0]["line"], 2);
        holds("errors.json", 2, &[command, "no-such-file.net", "--output", "json"]);
        let query = ["-q", "E<> P(1).Nowhere && (", "-q", "E<> Q.A"];
        let arguments = [command, "examples/fischer.net", query[0], query[1], query[2], query[3]];
        holds("errors.json", 2, &[&arguments[..], &["--output", "json"]].concat());
    }
    let value =
        holds("errors.json", 2, &["check", "examples/fischer.net", "--engine", "no", "--output", "json"]);
    assert_eq!(value["errors"][0]["code"], "unknown-engine");
    holds("errors.json", 2, &["explain", "no-such-code", "--output", "json"]);
    let finished = run_with_input(&["check", "-", "--output", "json"], b"process P { init location A; }");
    let value: Value = serde_json::from_str(&finished.output).unwrap();
    assert_eq!(faults("errors.json", &value), Vec::<String>::new());
    assert_eq!((finished.status, &value["errors"][0]["code"]), (Some(2), &json!("no-query")));
}

#[test]
fn the_validator_finds_what_is_wrong() {
    let good = holds("explain.json", 0, &["explain", "unknown-name", "--output", "json"]);
    let mut without = good.clone();
    without.as_object_mut().unwrap().remove("page");
    let mut more = good.clone();
    more["colour"] = json!("red");
    let mut other = good.clone();
    other["version"] = json!(2);
    let mut mistyped = good;
    mistyped["summary"] = json!(3);
    for wrong in [without, more, other, mistyped, json!([]), json!(null)] {
        assert_ne!(faults("explain.json", &wrong), Vec::<String>::new(), "{wrong}");
    }
    let good = holds("check.json", 0, &["check", "examples/fischer.net", "--output", "json"]);
    let wrongs = [
        ("/results/0/verdict", json!("perhaps"), "is none of"),
        ("/results/0/seconds", json!(-1), "less than"),
        ("/results", json!([]), "fewer than"),
        ("/results/1/evidence/trace/initial/locations/0", json!(["P(1)", "Idle", "more"]), "more than"),
        ("/results/1/evidence/trace/steps/0/moves/0/place/line", json!("1"), "not of type"),
        ("/results/0/statistics", json!({}), "is missing"),
    ];
    for (path, wrong, expected) in wrongs {
        let mut value = good.clone();
        *value.pointer_mut(path).unwrap() = wrong;
        let found = faults("check.json", &value);
        assert!(found.iter().any(|fault| fault.contains(expected)), "{path}: {found:?}");
    }
}
