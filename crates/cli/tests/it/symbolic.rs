//! Symbolic systems on the command line: check, inspect, options, and the response of other commands.

use std::process::Stdio;

use serde_json::Value;

use crate::support::schema::faults;
use crate::support::{file, finish, run, tempora};

const COUNTER: &[u8] =
    b"ctrl var x : integer = 0\ntrans { assume x < 5; x := x + 1; } or { x := 0; }\ninit {}\nenv {}\n";

/// Two counters that grow for ever, in turn.
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
fn checks_property_of_file_query_or_beside_model() {
    let model = file("counter.xsts", COUNTER);
    let property = file("counter.other.prop", b"prop { x < 3 }");
    let finished = run(&["check", &model, "--property", &property]);
    assert_eq!(finished.status, Some(1), "{finished:?}");
    let text = finished.output.as_str();
    assert!(text.starts_with("violated: x < 3\n  counterexample, replayed:\n  start   start\n"), "{text}");
    assert!(text.contains("x = 3 (was 2)") && text.ends_with("end     x = 3\n"), "{text}");
    assert_eq!(run(&["check", &model, "-q", "x <= 5", "-q", "0 <= x"]).status, Some(0));
    // First without a property, then with a file beside the model. An earlier run of this test may have left the file.
    let _ = std::fs::remove_file(std::path::Path::new(&model).with_extension("prop"));
    assert_eq!(run(&["check", &model]).status, Some(2));
    file("counter.prop", b"prop { x <= 5 }");
    assert_eq!(run(&["check", &model]).output, "satisfied: x <= 5\n");
}

#[test]
fn answers_and_inspection_satisfy_schemas() {
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
    // The printed system can be parsed again.
    let ir = file("counter.sym", run(&["inspect", &model, "--ir", "-q", "x < 3"]).output.as_bytes());
    assert_eq!(run(&["check", &ir]).status, Some(1));
}

#[test]
fn engines_and_options_can_be_chosen() {
    let model = file("growing.xsts", GROWING);
    // The model has infinitely many states: without a solver, the search would exhaust the memory.
    let limited = ["check", &model, "--timeout", "60", "--memory", "1000"];
    assert_eq!(run(&limited).output, "satisfied: x >= y\n");
    // The model is small, so an abstraction is tried long before the memory is full.
    let value = json("check.json", 0, &["check", &model, "--output", "json"]);
    let (engine, states) = (&value["results"][0]["engine"], &value["results"][0]["statistics"]["stored"]);
    assert_eq!(*engine, "cegar", "{value:#}");
    assert!(states.as_u64().is_some_and(|states| states < 10_000), "{value:#}");
    for options in [
        ["--engine", "kinduction", "--search", "bfs"],
        ["--engine", "cegar", "--domain", "PRED_CART"],
        ["--engine", "cegar", "--domain", "pred_split"],
        ["--engine", "cegar", "--prunestrategy", "FULL"],
        ["--engine", "cegar", "--refinement", "NWT_SP"],
        ["--engine", "cegar", "--refinement", "nwt_it_wp_lv"],
    ] {
        let finished = run(&[&["check", &model, "--timeout", "60"], options.as_slice()].concat());
        assert_eq!(finished.output, "satisfied: x >= y\n", "{options:?}: {finished:?}");
    }
    let refused = [
        (vec!["--engine", "zones"], "engine `zones` does not support symbolic systems"),
        (vec!["--engine", "cegar", "--refinement", "UNSAT_CORE"], "the domain has predicates"),
        (vec!["--engine", "cegar", "--initprec", "CTRL"], "needs the domain EXPL"),
        (vec!["--search", "random"], "--search random does not support"),
        (vec!["--engine", "bmc", "--domain", "EXPL"], "engine `bmc` does not use one"),
        (vec!["--engine", "kinduction", "--refinement", "NWT_IT_WP"], "engine `kinduction` does not use one"),
        (vec!["--engine", "explicit", "--save-arg", "graph"], "engine `explicit` does not use one"),
        (vec!["--engine", "kinduction", "--search", "dfs"], "examines short runs first"),
        (vec!["--engine", "explicit", "--dump-smt", "dump"], "engine `explicit` does not use one"),
        (vec!["--domain", "EXPL", "--predsplit", "WHOLE"], "--predsplit needs a domain with predicates"),
        (vec!["--domain", "PRED_CART", "--maxenum", "3"], "--maxenum"),
        (vec!["--domain", "PRED_BOOL", "--autoexpl", "STATIC"], "--autoexpl needs a domain with both"),
        (vec!["--engine", "bmc", "--solver", "nowhere"], "solver nowhere not found"),
    ];
    for (options, message) in refused {
        let finished = run(&[&["check", &model], options.as_slice()].concat());
        assert_eq!(finished.status, Some(2), "{finished:?}");
        assert!(finished.error.contains(message) && finished.error.contains("hint"), "{finished:?}");
    }
    for options in [["--domain", "EXPL"], ["--solver", "z3"], ["--save-arg", "graph"]] {
        let finished = run(&[&["check", "examples/fischer.net"], options.as_slice()].concat());
        assert_eq!(finished.status, Some(2), "{finished:?}");
        assert!(finished.error.contains("needs a symbolic system"), "{finished:?}");
    }
    let finished = run(&["check", "examples/fischer.net", "--engine", "explicit"]);
    assert!(finished.error.contains("`explicit` does not support networks"), "{finished:?}");
}

#[test]
fn missing_solver_is_reported_within_limits() {
    // The model has infinitely many states, and there is no solver.
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
fn dumps_solver_input_and_keeps_timeout() {
    let model = file("growing-dump.xsts", GROWING);
    let dump = file("growing.smt2", b"");
    let finished = run(&["check", &model, "--engine", "cegar", "--dump-smt", &dump]);
    assert_eq!(finished.status, Some(0), "{finished:?}");
    let dumped = std::fs::read_to_string(&dump).unwrap();
    assert!(dumped.contains("(check-sat)"), "{dumped}");
    let finished = run(&["check", &model, "--engine", "explicit", "--timeout", "0.2"]);
    assert_eq!(
        (finished.status, finished.output.contains("timeout reached")),
        (Some(3), true),
        "{finished:?}"
    );
}

#[test]
fn memory_limit_includes_solver() {
    let model = file("growing-memory.xsts", GROWING);
    // Tempora alone needs much less memory, the solver alone more.
    let finished = run(&["check", &model, "--engine", "cegar", "--memory", "20", "--timeout", "60"]);
    assert_eq!(finished.status, Some(3), "{finished:?}");
    assert!(finished.output.contains("memory limit reached"), "{finished:?}");
    let enough = run(&["check", &model, "--engine", "cegar", "--memory", "500", "--timeout", "60"]);
    assert_eq!(enough.status, Some(0), "{enough:?}");
}

#[test]
fn converts_symbolic_systems() {
    let model = file("growing-convert.xsts", GROWING);
    let system = run(&["convert", &model, "-", "--to", "sym"]);
    assert_eq!(system.status, Some(0), "{system:?}");
    let again = file("growing-convert.sym", system.output.as_bytes());
    assert_eq!(run(&["convert", &again, "-", "--to", "sym"]).output, system.output);
    // XSTS is parsed as the same system, and the control flow automaton has the same verdict.
    let written = run(&["convert", &model, "-", "--to", "xsts"]);
    let again = file("growing-convert-again.xsts", written.output.as_bytes());
    let without_question = |text: &str| text.replace("x >= y", "").replace("y <= x", "");
    assert_eq!(
        without_question(&run(&["convert", &again, "-", "--to", "sym"]).output),
        without_question(&system.output),
        "{written:?}"
    );
    let automaton = file("growing-convert.cfa", b"");
    assert_eq!(run(&["convert", &model, &automaton]).status, Some(0));
    assert_eq!(run(&["check", &automaton]).status, Some(0));
    let clauses = run(&["convert", &model, "-", "--to", "chc"]);
    assert!(clauses.output.starts_with("(set-logic HORN)\n"), "{clauses:?}");
    assert!(clauses.output.ends_with("(check-sat)\n"), "{clauses:?}");
    // One clause each for the start, the initialisation, the environment, two transitions, and three violations.
    assert_eq!(clauses.output.matches("(assert ").count(), 8, "{clauses:?}");
    // The clauses are satisfiable exactly if the property holds.
    let violated = file(
        "growing-convert-violated.xsts",
        &String::from_utf8_lossy(GROWING).replace("x >= y", "x == y").into_bytes(),
    );
    for (model, expected) in [(&model, "sat"), (&violated, "unsat")] {
        let path = file("growing-convert.smt2", b"");
        assert_eq!(run(&["convert", model, &path]).status, Some(0));
        let solver = tempora_smt::find_solver(None).unwrap();
        let said = std::process::Command::new(solver.path()).arg(&path).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&said.stdout).trim(), expected);
    }
    let finished = run(&["convert", &model, "-", "--to", "xml"]);
    assert_eq!(finished.status, Some(2), "{finished:?}");
    let finished = run(&["convert", "examples/fischer.net", "-", "--to", "chc"]);
    assert_eq!(finished.status, Some(2), "{finished:?}");
}

#[test]
fn network_commands_refuse_symbolic_system() {
    let model = file("counter-convert.xsts", COUNTER);
    for arguments in [vec!["convert", &model, "-"], vec!["draw", &model, "-o", "-"]] {
        let finished = run(&arguments);
        assert_eq!(finished.status, Some(2), "{finished:?}");
        assert!(finished.error.contains("error["), "{finished:?}");
    }
}

#[test]
fn certifies_property_and_verifies_certificate() {
    let model = file("growing-certified.xsts", GROWING);
    let certificate = file("growing-certified.json", b"");
    let value = json(
        "check.json",
        0,
        &["check", &model, "--certificate", &certificate, "--output", "json", "--timeout", "60"],
    );
    assert_eq!(value["results"][0]["assurance"], "certified", "{value:#}");
    let finished = run(&["verify-certificate", &model, &certificate]);
    assert_eq!(finished.status, Some(0), "{finished:?}");
    assert!(finished.output.contains("certified: x >= y\n  3 locations, "), "{finished:?}");
    let value =
        json("verify-certificate.json", 0, &["verify-certificate", &model, &certificate, "--output", "json"]);
    assert_eq!(value["results"][0]["verdict"], "certified");
    let written = std::fs::read_to_string(&certificate).unwrap();
    let value: Value = serde_json::from_str(&written).unwrap();
    assert_eq!(faults("invariants.json", &value), Vec::<String>::new(), "{value:#}");
    // Too weak formulas prove nothing, and too strong ones do not hold.
    let formulas: Vec<&str> = value["invariants"][0]["locations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["formula"].as_str().unwrap())
        .collect();
    for (wrong, reason) in [
        ("true", "it contains a bad state"),
        ("false", "the initial state"),
        ("(= x 0)", "leads to a state outside all nodes"),
    ] {
        let mut changed = value.clone();
        for location in changed["invariants"][0]["locations"].as_array_mut().unwrap() {
            location["formula"] = wrong.into();
        }
        let path = file("growing-wrong.json", changed.to_string().as_bytes());
        let finished = run(&["verify-certificate", &model, &path]);
        assert_eq!(finished.status, Some(1), "{wrong} in place of {formulas:?}: {finished:?}");
        assert!(finished.output.contains(reason), "{wrong}: {finished:?}");
    }
    for broken in ["(> x", "(bogus x y)", "(= nothing 1)", "x", "(and |x|"] {
        let mut changed = value.clone();
        changed["invariants"][0]["locations"][0]["formula"] = broken.into();
        let path = file("growing-broken.json", changed.to_string().as_bytes());
        let finished = run(&["verify-certificate", &model, &path]);
        assert_eq!(finished.status, Some(1), "{broken}");
        assert!(finished.output.contains("refused: x >= y\n  node 0: "), "{broken}: {finished:?}");
        assert!(finished.error.contains("error[certificate-form]"), "{broken}: {finished:?}");
        assert!(finished.error.contains("growing-broken.json:1:"), "{broken}: {finished:?}");
    }
    // A finite system is certified by its states.
    let model = file("counter-certified.xsts", COUNTER);
    let finished = run(&["check", &model, "-q", "x <= 5", "--certificate", &certificate]);
    assert!(finished.output.contains("certified by an inductive invariant"), "{finished:?}");
    assert_eq!(run(&["verify-certificate", &model, &certificate]).status, Some(0));
}

#[test]
fn writes_runs_and_graphs() {
    let model = file("counter-files.xsts", COUNTER);
    let prefix = model.replace(".xsts", "");
    let finished = run(&[
        "check",
        &model,
        "-q",
        "x < 2",
        "--save-trace",
        &prefix,
        "--trace-format",
        "states,json",
        "--engine",
        "cegar",
        "--save-arg",
        &format!("{prefix}-arg"),
    ]);
    assert_eq!(finished.status, Some(1), "{finished:?}");
    let states = std::fs::read_to_string(format!("{prefix}-1.trace")).unwrap();
    let expected = "(XstsStateSequence\n\t(XstsState pre_init last_env\n\t\t(ExplState\n\t\t\t(x 0)))\n\t(XstsState post_init last_internal\n";
    assert!(states.starts_with(expected), "{states}");
    assert!(
        states.ends_with("(XstsState post_init last_internal\n\t\t(ExplState\n\t\t\t(x 2)))\n)\n"),
        "{states}"
    );
    let run_file = std::fs::read_to_string(format!("{prefix}-1.json")).unwrap();
    assert!(run_file.contains("\"steps\""), "{run_file}");
    let graph: Value =
        serde_json::from_str(&std::fs::read_to_string(format!("{prefix}-arg-1.json")).unwrap()).unwrap();
    assert_eq!(faults("abstract-graph.json", &graph), Vec::<String>::new(), "{graph:#}");
    assert!(graph["nodes"].as_array().unwrap().iter().any(|node| node["is_target"] == true));
    assert!(std::fs::read_to_string(format!("{prefix}-arg-1.svg")).unwrap().contains("<svg"));
    let finished = run(&["check", &model, "-q", "x < 2", "--save-trace", &prefix, "--trace-format", "xtr"]);
    assert_eq!(finished.status, Some(2), "{finished:?}");
    let finished = run(&["check", "examples/fischer.net", "--save-arg", &prefix]);
    assert_eq!(finished.status, Some(2), "{finished:?}");
}
