//! Symbolic systems on the command line: check, inspect, options, and what the other commands say about them.
//!
//! Invariant: exit statuses are those of networks.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod support;

use std::process::Stdio;

use serde_json::Value;
use support::schema::faults;
use support::{file, finish, run, tempora};

const COUNTER: &[u8] =
    b"ctrl var x : integer = 0\ntrans { assume x < 5; x := x + 1; } or { x := 0; }\ninit {}\nenv {}\n";

/// Two counters that grow for ever, one after the other.
const GROWING: &[u8] = b"var x : integer = 0 var y : integer = 0
trans { assume x == y; x := x + 1; } or { assume x > y; y := y + 1; } init {} env {} prop { x >= y }";

fn json(schema: &str, status: i32, arguments: &[&str]) -> Value {
    let finished = run(arguments);
    assert_eq!(finished.status, Some(status), "{finished:?}");
    let value: Value = serde_json::from_str(&finished.output).unwrap();
    assert_eq!(faults(schema, &value), Vec::<String>::new(), "{value:#}");
    value
}

#[test]
fn a_property_of_a_file_a_query_or_beside_the_model_is_checked() {
    let model = file("counter.xsts", COUNTER);
    let property = file("counter.other.prop", b"prop { x < 3 }");
    let finished = run(&["check", &model, "--property", &property]);
    assert_eq!(finished.status, Some(1), "{finished:?}");
    let text = finished.output.as_str();
    assert!(
        text.starts_with("violated: x < 3\n  a run that shows it, replayed:\n  start   start\n"),
        "{text}"
    );
    assert!(text.contains("x = 3 (was 2)") && text.ends_with("end     x = 3\n"), "{text}");
    assert_eq!(run(&["check", &model, "-q", "x <= 5", "-q", "0 <= x"]).status, Some(0));
    // Nothing is asked yet; then there is a file beside it. An earlier run of this test may have left it.
    let _ = std::fs::remove_file(std::path::Path::new(&model).with_extension("prop"));
    assert_eq!(run(&["check", &model]).status, Some(2));
    file("counter.prop", b"prop { x <= 5 }");
    assert_eq!(run(&["check", &model]).output, "satisfied: x <= 5\n");
}

#[test]
fn answers_and_contents_are_as_the_schemas_say() {
    let model = file("counter-json.xsts", COUNTER);
    let value = json("check.json", 1, &["check", &model, "-q", "x < 2", "--output", "json"]);
    let result = &value["results"][0];
    assert_eq!((&result["assurance"], &result["engine"]), (&"replayed".into(), &"explicit".into()));
    assert_eq!(result["evidence"]["run"]["steps"][2]["place"]["line"], 2);
    let value = json("inspect.json", 0, &["inspect", &model, "--ir", "--output", "json"]);
    assert!(value["ir"].as_str().unwrap().contains("(initial start (= x 0))"));
    let finished = run(&["inspect", &model]);
    assert_eq!(
        finished.output,
        "control variables\n  x: Int\n3 control locations, 4 edges, 0 local variables\n"
    );
    // What is printed is read back.
    let ir = file("counter.sym", run(&["inspect", &model, "--ir", "-q", "x < 3"]).output.as_bytes());
    assert_eq!(run(&["check", &ir]).status, Some(1));
}

#[test]
fn engines_and_options_can_be_chosen() {
    let model = file("growing.xsts", GROWING);
    // The model has infinitely many states: without a solver the search would go on until the memory is used up.
    let limited = ["check", &model, "--timeout", "60", "--memory", "1000"];
    assert_eq!(run(&limited).output, "satisfied: x >= y\n");
    for options in [
        ["--engine", "kinduction", "--search", "bfs"],
        ["--engine", "cegar", "--domain", "PRED_CART"],
        ["--engine", "cegar", "--domain", "pred_split"],
        ["--engine", "cegar", "--prunestrategy", "FULL"],
    ] {
        let finished = run(&[&["check", &model, "--timeout", "60"], options.as_slice()].concat());
        assert_eq!(finished.output, "satisfied: x >= y\n", "{options:?}: {finished:?}");
    }
    let refused = [
        (vec!["--engine", "zones"], "the engine `zones` is not for symbolic systems"),
        (vec!["--engine", "cegar", "--refinement", "UNSAT_CORE"], "the domain is of predicates"),
        (vec!["--engine", "cegar", "--initprec", "CTRL"], "needs the domain EXPL"),
        (vec!["--search", "random"], "not searched at random"),
        (vec!["--engine", "bmc", "--solver", "nowhere"], "there is no solver nowhere"),
    ];
    for (options, message) in refused {
        let finished = run(&[&["check", &model], options.as_slice()].concat());
        assert_eq!(finished.status, Some(2), "{finished:?}");
        assert!(finished.error.contains(message) && finished.error.contains("hint"), "{finished:?}");
    }
    let finished = run(&["check", "examples/fischer.net", "--engine", "explicit"]);
    assert!(finished.error.contains("`explicit` is not for networks"), "{finished:?}");
}

#[test]
fn without_a_solver_the_memory_is_kept_and_it_is_said_what_is_missing() {
    // Infinitely many states, and no solver that could prove anything about them.
    let model = file("growing-alone.xsts", GROWING);
    for limit in [["--memory", "150"], ["--timeout", "0.2"], ["--max-states", "1000"]] {
        let mut command = tempora(&[&["check", &model], limit.as_slice()].concat());
        command.env("TEMPORA_SOLVER", "nowhere/z3").stdout(Stdio::piped()).stderr(Stdio::piped());
        let finished = finish(command.spawn().unwrap());
        assert_eq!(finished.status, Some(3), "{limit:?}: {finished:?}");
        let said = format!("{}{}", finished.output, finished.error);
        assert!(said.contains("nowhere/z3") && said.contains("--solver"), "{limit:?}: {finished:?}");
    }
}

#[test]
fn what_the_solver_is_told_can_be_kept_and_time_is_limited() {
    let model = file("growing-dump.xsts", GROWING);
    let dump = file("growing.smt2", b"");
    let finished = run(&["check", &model, "--engine", "cegar", "--dump-smt", &dump]);
    assert_eq!(finished.status, Some(0), "{finished:?}");
    let told = std::fs::read_to_string(&dump).unwrap();
    assert!(told.contains("(check-sat)"), "{told}");
    let finished = run(&["check", &model, "--engine", "explicit", "--timeout", "0.2"]);
    assert_eq!(
        (finished.status, finished.output.contains("the time is over")),
        (Some(3), true),
        "{finished:?}"
    );
}

#[test]
fn commands_for_networks_say_so() {
    let model = file("counter-convert.xsts", COUNTER);
    for arguments in [vec!["convert", &model, "-"], vec!["draw", &model, "-o", "-"]] {
        let finished = run(&arguments);
        assert_eq!(finished.status, Some(2), "{finished:?}");
        assert!(finished.error.contains("error["), "{finished:?}");
    }
}
