//! The JSON output of all commands satisfies the schemas in `docs/schemas/`.

use serde_json::{Value, json};

use crate::support::schema::faults;
use crate::support::{file, run, run_with_input, workspace};

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
fn validator_finds_faults() {
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
        ("/results/0/verdict", json!("perhaps"), "matches 0"),
        ("/results/0/seconds", json!(-1), "less than"),
        ("/results", json!([]), "fewer than"),
        ("/results/1/evidence/trace/initial/locations/0", json!(["P(1)", "Idle", "more"]), "more than"),
        ("/results/1/evidence/trace/steps/0/moves/0/place/line", json!("1"), "matches 0"),
        ("/results/0/statistics", json!({}), "is missing"),
    ];
    for (path, wrong, expected) in wrongs {
        let mut value = good.clone();
        *value.pointer_mut(path).unwrap() = wrong;
        let found = faults("check.json", &value);
        assert!(found.iter().any(|fault| fault.contains(expected)), "{path}: {found:?}");
    }
}

/// Optional members.
const OPTIONAL: [&str; 24] = [
    "caveats",
    "choices",
    "codeFlows",
    "cycle_start",
    "endColumn",
    "endLine",
    "error",
    "further_choices",
    "ir",
    "message",
    "model",
    "part",
    "reason",
    "refinement",
    "region",
    "removed",
    "ruleIndex",
    "run",
    "selects",
    "solver",
    "states",
    "synchronisation",
    "trace",
    "value",
];

/// Members whose texts are fixed words, unless their parent has a user-defined name.
const WORDS: [&str; 9] =
    ["assurance", "certainty", "columnKind", "edge", "ending", "kind", "level", "severity", "verdict"];

/// Returns replacements for a value, each of which must make a document invalid.
fn wrong_values(name: &str, value: &Value) -> Vec<Value> {
    let mut wrong = match value {
        Value::Object(_) => vec![json!([]), json!("text"), json!(1)],
        Value::Array(_) => vec![json!({}), json!("text"), json!(1)],
        Value::String(_) => vec![json!({ "no": "text" }), json!(["text"]), json!(1)],
        Value::Number(_) => vec![json!({ "no": "number" }), json!("1"), json!(false)],
        Value::Bool(_) => vec![json!({ "no": "truth" }), json!("true"), json!(1), json!(null)],
        Value::Null => vec![json!({ "no": "null" }), json!(false)],
    };
    if WORDS.contains(&name) && value.is_string() {
        wrong.extend([json!("no such word"), json!("")]);
    }
    if ["line", "column", "startLine", "startColumn"].contains(&name) && value.is_number() {
        wrong.extend([json!(0), json!(-1), json!(1.5)]);
    }
    if ["branch", "bytes", "nodes", "seconds", "stored", "version"].contains(&name) && value.is_number() {
        wrong.push(json!(-1));
    }
    if ["initial", "locations", "variables", "clocks"].contains(&name)
        && let Some([Value::Array(pair), ..]) = value.as_array().map(Vec::as_slice)
    {
        let three = [pair.as_slice(), &[json!("three")]].concat();
        wrong.extend([json!([three]), json!([[]])]);
    }
    wrong
}

/// Returns invalid documents that differ from a valid one in one place.
fn mutants(document: &Value) -> Vec<(String, Value)> {
    let mut mutants = Vec::new();
    let mut open = vec![(String::new(), document)];
    while let Some((at, value)) = open.pop() {
        let change = |with: &dyn Fn(&mut Value)| {
            let mut changed = document.clone();
            with(changed.pointer_mut(&at).unwrap());
            changed
        };
        let name = at.rsplit('/').next().unwrap();
        for wrong in wrong_values(name, value) {
            mutants.push((format!("{at} is {wrong}"), change(&|place| *place = wrong.clone())));
        }
        match value {
            Value::Object(members) => {
                mutants.push((format!("{at} has more"), change(&|place| place["no_such_member"] = json!(1))));
                for (name, member) in members {
                    open.push((format!("{at}/{}", name.replace('~', "~0").replace('/', "~1")), member));
                    if !OPTIONAL.contains(&name.as_str()) {
                        let without = change(&|place| {
                            place.as_object_mut().unwrap().remove(name);
                        });
                        mutants.push((format!("{at} without {name}"), without));
                    }
                }
            }
            // The items of a list mostly have one type, so two of them suffice.
            Value::Array(items) => {
                open.extend(
                    items.iter().take(2).enumerate().map(|(index, item)| (format!("{at}/{index}"), item)),
                );
            }
            _ => {}
        }
    }
    mutants
}

/// For each schema, a real document is valid, and no mutant of it.
#[test]
fn mutated_documents_are_invalid() {
    let saved = |name: &str| workspace().join(env!("CARGO_TARGET_TMPDIR")).join(name);
    let read = |name: &str| -> Value {
        serde_json::from_str(&std::fs::read_to_string(saved(name)).unwrap()).unwrap()
    };
    let prefix = saved("schemas-wrong");
    let prefix = prefix.to_str().unwrap();
    let counter = file(
        "schemas-wrong.xsts",
        b"var x : integer = 0\ntrans { assume x < 3; x := x + 1; }\ninit {}\nenv {}\nprop { x < 3 }\n",
    );
    let save = |status: i32, arguments: &[&str]| {
        let finished = run(arguments);
        assert_eq!(finished.status, Some(status), "{arguments:?}: {finished:?}");
    };
    let printed = |arguments: &[&str]| -> Value { serde_json::from_str(&run(arguments).output).unwrap() };
    let gate = "examples/train-gate.net";
    save(0, &["check", gate, "-q", "E<> Train(0).Cross", "--save-trace", &format!("{prefix}-net")]);
    save(1, &["check", &counter, "--save-trace", &format!("{prefix}-sym")]);
    save(0, &["check", "examples/fischer.net", "--certificate", &format!("{prefix}-states")]);
    save(0, &["check", &counter, "-q", "x <= 3", "--certificate", &format!("{prefix}-formulas")]);
    let cegar = ["--engine", "cegar", "--save-arg"];
    save(1, &["check", &counter, cegar[0], cegar[1], cegar[2], &format!("{prefix}-graph")]);
    let documents = [
        ("check.json", printed(&["check", gate, "-q", "E<> Train(0).Cross", "--output", "json"])),
        ("check.json", printed(&["check", &counter, "--output", "json"])),
        ("trace.json", read("schemas-wrong-net-1.json")),
        ("symbolic-run.json", read("schemas-wrong-sym-1.json")),
        ("certificate.json", read("schemas-wrong-states")),
        ("invariants.json", read("schemas-wrong-formulas")),
        ("abstract-graph.json", read("schemas-wrong-graph-1.json")),
        (
            "verify-certificate.json",
            printed(&[
                "verify-certificate",
                "examples/fischer.net",
                &format!("{prefix}-states"),
                "--output",
                "json",
            ]),
        ),
        ("lint.json", printed(&["lint", "crates/model/tests/data/everything.net", "--output", "json"])),
        ("sarif.json", printed(&["lint", "crates/model/tests/data/everything.net", "--output", "sarif"])),
        ("inspect.json", printed(&["inspect", gate, "--output", "json"])),
        ("explain.json", printed(&["explain", "--output", "json"])),
        ("explain.json", printed(&["explain", "unknown-name", "--output", "json"])),
        ("errors.json", printed(&["check", gate, "-q", "E<> Nowhere", "--output", "json"])),
    ];
    for (schema, document) in &documents {
        assert_eq!(faults(schema, document), Vec::<String>::new(), "{schema}");
        let mutants = mutants(document);
        assert!(mutants.len() >= 15, "{schema}: only {} wrong documents", mutants.len());
        for (change, mutant) in mutants {
            assert_ne!(faults(schema, &mutant), Vec::<String>::new(), "{schema}: {change}");
        }
    }
}
