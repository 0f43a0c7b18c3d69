//! Runs in the Informal Trace Format are well-formed and have the states of the run.

use std::path::Path;

use serde_json::{Value, json};

use crate::support::{file, run};

/// Returns whether a value is an expression of the format.
fn is_expression(value: &Value) -> bool {
    match value {
        Value::Bool(_) | Value::String(_) => true,
        Value::Null => false,
        Value::Number(number) => number.as_i64().is_some_and(|number| number.unsigned_abs() < 1 << 53),
        Value::Array(items) => items.iter().all(is_expression),
        Value::Object(members) => match members.iter().next() {
            Some((name, value)) if name.starts_with('#') => members.len() == 1 && is_special(name, value),
            _ => members.iter().all(|(name, value)| !name.starts_with('#') && is_expression(value)),
        },
    }
}

fn is_special(name: &str, value: &Value) -> bool {
    match name {
        "#bigint" => value.as_str().is_some_and(|text| {
            let digits = text.strip_prefix('-').unwrap_or(text);
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        }),
        "#tup" | "#set" => value.as_array().is_some_and(|items| items.iter().all(is_expression)),
        "#map" => value.as_array().is_some_and(|pairs| {
            pairs.iter().all(|pair| {
                pair.as_array().is_some_and(|pair| pair.len() == 2 && pair.iter().all(is_expression))
            })
        }),
        "#unserializable" => value.is_string(),
        _ => false,
    }
}

/// Returns why a document is not a trace of the format.
fn fault(trace: &Value) -> Option<String> {
    let allowed = ["#meta", "params", "vars", "states", "loop"];
    let members = trace.as_object()?;
    if let Some(name) = members.keys().find(|name| !allowed.contains(&name.as_str())) {
        return Some(format!("missing member {name}"));
    }
    if trace.get("#meta").is_some_and(|meta| !meta.is_object()) {
        return Some("#meta is no object".to_owned());
    }
    let Some(names) = trace["vars"].as_array() else { return Some("vars is no list".to_owned()) };
    let names: Vec<&str> = names.iter().filter_map(Value::as_str).collect();
    let mut different = names.clone();
    different.sort_unstable();
    different.dedup();
    if different.len() != trace["vars"].as_array().map_or(0, Vec::len) {
        return Some("vars are not different texts".to_owned());
    }
    let Some(states) = trace["states"].as_array() else { return Some("states is no list".to_owned()) };
    for (index, state) in states.iter().enumerate() {
        let Some(members) = state.as_object() else { return Some(format!("state {index} is no object")) };
        let mut found: Vec<&str> =
            members.keys().map(String::as_str).filter(|name| *name != "#meta").collect();
        found.sort_unstable();
        if found != different {
            return Some(format!("state {index} has {found:?}, and not {different:?}"));
        }
        if let Some(name) = found.iter().find(|name| name.starts_with('#') || !is_expression(&state[**name]))
        {
            return Some(format!("{name} in state {index} is no expression: {}", state[*name]));
        }
        if state["#meta"]["index"] != index {
            return Some(format!("state {index} has another index"));
        }
    }
    match trace.get("loop").map(Value::as_u64) {
        Some(None) => Some("loop is no position".to_owned()),
        Some(Some(start)) if start >= states.len() as u64 => Some("loop is beyond the states".to_owned()),
        _ => None,
    }
}

/// Returns the run that a command saves, after checking its format.
fn saved(name: &str, status: i32, arguments: &[&str]) -> Value {
    let prefix = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("itf-{name}"));
    let prefix = prefix.to_str().unwrap();
    let finished = run(&[&["check"], arguments, &["--save-trace", prefix, "--trace-format", "itf"]].concat());
    assert_eq!(finished.status, Some(status), "{finished:?}");
    let trace =
        serde_json::from_str(&std::fs::read_to_string(format!("{prefix}-1.itf.json")).unwrap()).unwrap();
    assert_eq!(fault(&trace), None, "{trace:#}");
    trace
}

fn big(digits: &str) -> Value {
    json!({ "#bigint": digits })
}

fn ratio(numerator: &str, denominator: &str) -> Value {
    json!({ "num": big(numerator), "den": big(denominator) })
}

#[test]
fn network_run_has_locations_values_and_time() {
    let model = file(
        "itf.net",
        b"clock x; meta int m; bool b; int[-9,9] a[2]; process P { init location A; location B; location C;
          A -> B { guard x > 1 && x < 2; do m = 1, b = true, a[1] = -7, x = 0; } B -> C { guard x == 3; } }",
    );
    let trace = saved("network", 0, &[&model, "-q", "E<> P.C && x >= 5"]);
    let names = ["P.location", "b", "a[0]", "a[1]", "x", "time"];
    assert_eq!(trace["vars"], json!(names));
    assert_eq!(trace["#meta"]["query"], "E<> P.C && x >= 5");
    assert_eq!(trace.get("loop"), None);
    let states = trace["states"].as_array().unwrap();
    let values = |state: usize| names.map(|name| states[state][name].clone());
    // The initial state, two steps, and a final delay of two time units.
    assert_eq!(states.len(), 4);
    let zero = big("0");
    assert_eq!(
        values(0),
        [json!("A"), json!(false), zero.clone(), zero.clone(), ratio("0", "1"), ratio("0", "1")]
    );
    assert_eq!(
        values(1),
        [json!("B"), json!(true), zero.clone(), big("-7"), ratio("0", "1"), ratio("3", "2")]
    );
    assert_eq!(
        values(2),
        [json!("C"), json!(true), zero.clone(), big("-7"), ratio("3", "1"), ratio("9", "2")]
    );
    assert_eq!(values(3), [json!("C"), json!(true), zero, big("-7"), ratio("5", "1"), ratio("13", "2")]);
    assert_eq!(states[1]["#meta"]["moves"], json!(["P: A -> B"]));
}

#[test]
fn lasso_has_a_loop() {
    let model = file(
        "itf-lasso.net",
        b"clock x; process P { init location A { invariant x <= 1; } location B { invariant x <= 1; } location C;
          A -> B { guard x == 1; do x = 0; } B -> B { guard x == 1; do x = 0; } B -> C; }",
    );
    let trace = saved("lasso", 1, &[&model, "-q", "A<> P.C"]);
    let (states, start) = (trace["states"].as_array().unwrap(), trace["loop"].as_u64().unwrap());
    let last = states.last().unwrap();
    assert_eq!(last["P.location"], states[start as usize]["P.location"]);
    assert!((start as usize) < states.len() - 1, "{trace:#}");
}

#[test]
fn run_into_an_error_ends_before_it() {
    let model = file("itf-error.net", b"int[0,1] n; process P { init location A; A -> A { do n = n + 1; } }");
    let trace = saved("error", 3, &[&model, "-q", "E<> n == 5"]);
    assert_eq!(trace["#meta"]["ending"], "error");
    let values: Vec<&Value> = trace["states"].as_array().unwrap().iter().map(|state| &state["n"]).collect();
    assert_eq!(values, [&big("0"), &big("1")]);
}

#[test]
fn clashing_names_are_made_unique() {
    let model = file(
        "itf-names.net",
        b"clock time; process P { int location; init location A; location B; A -> B; }",
    );
    let trace = saved("names", 0, &[&model, "-q", "E<> P.B"]);
    assert_eq!(trace["vars"], json!(["P.location", "P.location_", "time", "time_"]));
}

#[test]
fn run_of_symbolic_system_has_typed_values() {
    let model = file(
        "itf.sym",
        b"(enum Colour red green) (var x Int) (var r Real) (var c Colour) (var m (Array Int Bool)) (location a)
          (initial a (and (= x 0) (= r (/ 1 2)) (= c Colour.red) (= m ((as const (Array Int Bool)) false))))
          (edge a a step (do (set x (+ x 9007199254740993)) (set c Colour.green) (set m (store m 3 true))))
          (property \"small\" everywhere (< x 5))",
    );
    let trace = saved("symbolic", 1, &[&model]);
    assert_eq!(trace["vars"], json!(["system.location", "x", "r", "c", "m"]));
    let state = &trace["states"][1];
    assert_eq!((&state["x"], &state["c"]), (&big("9007199254740993"), &json!("green")));
    assert_eq!((&state["r"], &state["system.location"]), (&ratio("1", "2"), &json!("a")));
    assert_eq!(state["m"], json!({ "entries": { "#map": [[big("3"), true]] }, "default": false }));
}

#[test]
fn runs_of_examples_are_well_formed() {
    saved("fischer", 0, &["examples/fischer.net", "-q", "E<> P(1).Critical"]);
    saved("gate", 0, &["examples/train-gate.xml", "-q", "E<> Train(0).Bridge && Train(1).Halted"]);
    let counter = file(
        "itf.xsts",
        b"var x : integer = 0\ntrans { assume x < 3; x := x + 1; }\ninit {}\nenv {}\nprop { x < 3 }\n",
    );
    saved("counter", 1, &[&counter]);
}

#[test]
fn grammar_refuses_other_documents() {
    let good = json!({ "vars": ["x"], "states": [{ "#meta": { "index": 0 }, "x": big("1") }], "loop": 0 });
    assert_eq!(fault(&good), None);
    for (path, wrong) in [
        ("/vars", json!(["x", "x"])),
        ("/vars", json!(["x", "y"])),
        ("/states/0/x", json!(null)),
        ("/states/0/x", json!(1.5)),
        ("/states/0/x", json!({ "#bigint": "1/2" })),
        ("/states/0/x", json!({ "#bigint": "1", "y": 2 })),
        ("/states/0/x", json!({ "#map": [[1]] })),
        ("/states/0/#meta/index", json!(1)),
        ("/loop", json!(1)),
        ("/loop", json!("0")),
    ] {
        let mut trace = good.clone();
        *trace.pointer_mut(path).unwrap() = wrong;
        assert_ne!(fault(&trace), None, "{trace}");
    }
}
