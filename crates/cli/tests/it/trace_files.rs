//! Run files: `check --save-trace` writes them, and `draw --trace` draws them.

use std::path::Path;

use serde_json::Value;
use tempora_report::codes;

use crate::support::schema::faults;
use crate::support::{Finished, file, run};

/// Returns a path prefix for the files of a test.
fn prefix(name: &str) -> String {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name).to_str().unwrap().to_owned()
}

fn read(path: &str) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Writes the runs of a model in all formats.
fn saved(name: &str, model: &str, query: &str, formats: &str) -> (String, Finished) {
    let prefix = prefix(name);
    let finished = run(&[
        "check",
        model,
        "-q",
        query,
        "--save-trace",
        &prefix,
        "--trace-format",
        formats,
        "--trace",
        "fastest",
    ]);
    (prefix, finished)
}

/// A small model with all features of runs except errors.
const MODEL: &str = "
    clock x; int[0,3] n; chan go; broadcast chan all; chan c[2];
    process P {
        init location A; location B { invariant x <= 4; } location C;
        A -> B { select e : int[0,1]; guard x >= 1; sync go!; do n = n + e; }
        B -> C { guard x > 2; sync all!; do x = 0; }
        C -> A { sync c[n - n]!; }
        A -> { weight 1: C; weight 3: B { do n = 2; } }
    }
    process Q { init location D; location E; D -> E { sync go?; } E -> D { sync all?; } D -> D { sync c[0]?; } }
    process R { init location F; location G; F -> G { sync all?; } }
    system P, Q, R;";

#[test]
fn writes_and_draws_run() {
    let model = file("trace-files.net", MODEL.as_bytes());
    let (prefix, finished) =
        saved("trace-a", &model, "E<> P.C && R.G && n == 0", "text,json,svg,mermaid,plantuml,xtr");
    assert_eq!(finished.status, Some(0), "{finished:?}");
    assert_eq!(finished.error.lines().count(), 6, "{}", finished.error);
    let value: Value = serde_json::from_str(&read(&format!("{prefix}-1.json"))).unwrap();
    assert_eq!(faults("trace.json", &value), Vec::<String>::new());
    assert_eq!(value["trace"]["steps"][0]["moves"][0]["edge"], 0);
    assert!(read(&format!("{prefix}-1.txt")).contains("P: A -> B  go!"));
    // One lifeline per process, channels on arrows, locations as states, delays between steps.
    let mermaid = read(&format!("{prefix}-1.mmd"));
    for part in [
        "participant L0 as P\n",
        "participant L2 as R\n",
        "Note over L0: A\n",
        "Note over L0,L2: delay 1, until 1\n",
        "L0->>L1: 1: go, e = 0\n",
        "Note over L1: E\n",
        "L0->>L2: 2: all\n",
        "Note right of L2: x = 0\n",
    ] {
        assert!(mermaid.contains(part), "{part}\n{mermaid}");
    }
    let plantuml = read(&format!("{prefix}-1.puml"));
    assert!(plantuml.contains("L0 -> L1 : 1: go, e = 0\n") && plantuml.contains("...delay 1, until 1...\n"));
    let svg = read(&format!("{prefix}-1.svg"));
    assert!(svg.contains("1: go, e = 0") && svg.contains("lifeline-head") && svg.contains("delay-band"));
    // Both files give the same picture, except for its title.
    let mut pictures = Vec::new();
    for extension in ["json", "xtr"] {
        let out = format!("{prefix}-{extension}.svg");
        let drawn = run(&["draw", &model, "--trace", &format!("{prefix}-1.{extension}"), "-o", &out]);
        assert_eq!((drawn.status, drawn.error.as_str()), (Some(0), ""), "{extension}");
        let picture = read(&out);
        for part in [
            r#"class="edge visited" data-element="P/edge/0""#,
            r#"class="edge chosen visited" data-element="P/edge/1""#,
            r#"class="location token visited" data-element="P/location/2""#,
            r#"class="location visited" data-element="Q/location/1""#,
            r#"class="order-text" data-element="P/edge/1""#,
            "step 1 at 1",
        ] {
            assert!(picture.contains(part), "{extension}: {part}\n{picture}");
        }
        assert!(!picture.contains(r#"class="edge visited" data-element="P/edge/2""#));
        pictures.push(picture.lines().filter(|line| !line.contains("<title>trace-files.net")).count());
    }
    assert_eq!(pictures[0], pictures[1]);
}

#[test]
fn draws_branches_but_refuses_xtr() {
    let model = file("trace-branches.net", MODEL.as_bytes());
    let (prefix, finished) = saved("trace-b", &model, "E<> P.B && n == 2", "json");
    assert_eq!(finished.status, Some(0), "{finished:?}");
    let drawn = run(&["draw", &model, "--trace", &format!("{prefix}-1.json")]);
    assert_eq!((drawn.status, drawn.error.as_str()), (Some(0), ""));
    for part in [r#"visited" data-element="P/edge/3""#, r#"visited" data-element="P/edge/3/branch/1""#] {
        assert!(drawn.output.contains(part), "{part}\n{}", drawn.output);
    }
    assert!(!drawn.output.contains(r#"visited" data-element="P/edge/3/branch/0""#));
    let (_, finished) = saved("trace-b", &model, "E<> P.B && n == 2", "xtr");
    assert_eq!(finished.status, Some(2), "{finished:?}");
    assert!(finished.error.contains("error[unwritable-run]") && finished.error.contains("has branches"));
}

#[test]
fn draws_runs_to_errors_and_without_steps() {
    let model =
        file("trace-error.net", b"int[0,2] n; process P { init location A; A -> A { do n = n + 1; } }");
    let (prefix, finished) = saved("trace-e", &model, "E<> n == 5", "json,svg");
    assert_eq!(finished.status, Some(3), "{finished:?}");
    let drawn = run(&["draw", &model, "--trace", &format!("{prefix}-1.json")]);
    assert_eq!((drawn.status, drawn.error.as_str()), (Some(0), ""));
    assert!(drawn.output.contains("1 2 3"), "{}", drawn.output);
    assert!(read(&format!("{prefix}-1.svg")).contains("error: the value 3 is not in the range 0 to 2"));
    let (prefix, _) = saved("trace-f", &model, "E<> n == 0", "json,mermaid");
    assert_eq!(run(&["draw", &model, "--trace", &format!("{prefix}-1.json")]).status, Some(0));
    let (_, finished) = saved("trace-g", "examples/fischer.net", "A[] owner <= 3", "json");
    assert!(finished.error.contains("no runs to write"), "{finished:?}");
}

/// Instances of a template move differently; of many instances, those that do not move are not drawn.
#[test]
fn draws_one_diagram_per_process() {
    let text =
        "process P(const int[0,9] id) { init location A; location B; A -> B { guard id < 2; } } system P;";
    let model = file("trace-instances.net", text.as_bytes());
    let (prefix, _) = saved("trace-i", &model, "E<> P(1).B", "json");
    let drawn = run(&["draw", &model, "--trace", &format!("{prefix}-1.json")]);
    assert_eq!(drawn.status, Some(0));
    assert!(drawn.error.contains("9 processes do not move"), "{}", drawn.error);
    assert!(drawn.output.contains(r#"data-element="P(1)/location/1""#) && !drawn.output.contains("P(0)/"));
    let unknown = run(&["draw", &model, "--trace", &format!("{prefix}-1.json"), "--template", "Q"]);
    assert!(unknown.error.contains("unknown template `Q`"), "{unknown:?}");
}

#[test]
fn escapes_names_in_charts() {
    let text = "process P(const int[0,1] id) { init location A; location B; A -> B; } system P;
                query E<> P(1).B /* \"<b>-->;%%{} @enduml */ ;";
    let model = file("trace-hostile.net", text.as_bytes());
    let prefix = prefix("trace-h");
    let finished = run(&["check", &model, "--save-trace", &prefix, "--trace-format", "svg,mermaid,plantuml"]);
    assert_eq!(finished.status, Some(0), "{finished:?}");
    let svg = read(&format!("{prefix}-1.svg"));
    assert!(!svg.contains("<b>"), "{svg}");
    let plantuml = read(&format!("{prefix}-1.puml"));
    assert_eq!(plantuml.lines().filter(|line| line.starts_with("@enduml")).count(), 1, "{plantuml}");
}

/// A file that is not a run of the model is refused at its place.
#[test]
fn refuses_invalid_run_files_with_place() {
    let model = file("trace-refused.net", MODEL.as_bytes());
    let (prefix, _) = saved("trace-r", &model, "E<> P.C && R.G && n == 0", "json,xtr");
    let good = read(&format!("{prefix}-1.json"));
    let changed = |from: &str, to: &str| {
        assert!(good.contains(from), "{from}\n{good}");
        good.replacen(from, to, 1)
    };
    let cases: Vec<(String, &str, &str)> = vec![
        (good[..good.len() / 2].to_owned(), "json-", ""),
        (changed("\"version\": 1", "\"version\": 2"), "trace-form", "unsupported version 2"),
        (changed("\"trace\": {", "\"run\": {"), "trace-form", "unknown member `run`"),
        (changed("\"delay\": \"1\"", "\"delay\": \"-1\""), "trace-form", "`-1` is not a time"),
        (changed("\"delay\": \"1\"", "\"delay\": \"1/0\""), "trace-form", "`1/0` is not a time"),
        (
            changed("\"delay\": \"1\"", "\"delay\": \"9223372036854775807/9223372036854775806\""),
            "trace-form",
            "too long or too fine",
        ),
        (
            changed("\"delay\": \"1\"", "\"delay\": 1"),
            "trace-form",
            "a delay must be a string, found a number",
        ),
        (changed("\"delay\": \"1\"", "\"delay\": \"1/2\""), "trace-not-a-run", "transition of step 1"),
        (changed("\"edge\": 0", "\"edge\": 7"), "trace-of-another-model", "`P` has no edge 7"),
        (changed("\"edge\": 0", "\"edge\": 99999999999999999999"), "trace-form", "supported size"),
        (changed("\"edge\": 0", "\"edge\": 1"), "trace-of-another-model", "edge 1 of `P` leaves `B`"),
        (changed("\"branch\": 0", "\"branch\": 3"), "trace-of-another-model", "has no branch 3"),
        (changed("\"process\": \"P\"", "\"process\": \"PP\""), "trace-of-another-model", "no process `PP`"),
        (
            changed("\"kind\": \"binary\"", "\"kind\": \"vector\""),
            "trace-form",
            "synchronisation vector is missing",
        ),
        (
            changed("\"kind\": \"binary\"", "\"kind\": \"telepathy\""),
            "trace-form",
            "unknown kind `telepathy`",
        ),
        (changed("\"ending\": \"goal\"", "\"ending\": \"deadlock\""), "trace-not-a-run", "end"),
        (changed("\"ending\": \"goal\"", "\"ending\": \"error\""), "trace-not-a-run", "does not fail"),
        (
            changed("\"ending\": \"goal\"", "\"ending\": \"lasso\""),
            "trace-form",
            "the start of the cycle is missing",
        ),
        ("{\"results\": []}".to_owned(), "trace-form", "answers to all queries"),
        ("[".repeat(100_000), "trace-form", "expected"),
        (format!("{{\"version\": {}", "[".repeat(100_000)), "json-syntax", "nested"),
        ("0 0 0 . . 0 .".to_owned(), "trace-form", "the run does not end"),
        ("0 0 0 . . 0 . .".to_owned(), "", ""),
        ("0 0 9 . . 0 . .".to_owned(), "trace-of-another-model", "`R` has no location 9"),
        ("1 0 0 . . 0 . .".to_owned(), "trace-not-a-run", "not an initial state of the model"),
        (String::new(), "trace-form", "found the end of the file"),
    ];
    for (number, (text, code, message)) in cases.iter().enumerate() {
        let path = file(&format!("trace-refused-{number}"), text.as_bytes());
        let drawn = run(&["draw", &model, "--trace", &path]);
        if code.is_empty() {
            assert_eq!(drawn.status, Some(0), "{drawn:?}");
            continue;
        }
        assert_eq!(drawn.status, Some(2), "{number}: {drawn:?}");
        assert!(drawn.error.contains(&format!("error[{code}")), "{number}: {}", drawn.error);
        assert!(drawn.error.contains(message), "{number}: {}", drawn.error);
        // The diagnostic has a place and a hint.
        assert!(drawn.error.contains(&format!("trace-refused-{number}:")), "{number}: {}", drawn.error);
        assert!(drawn.error.contains("= hint: "), "{number}: {}", drawn.error);
    }
    let changed_xtr = read(&format!("{prefix}-1.xtr")).replacen("0 0 0 ;", "0 0 1 ;", 1);
    let path = file("trace-refused-xtr", changed_xtr.as_bytes());
    let drawn = run(&["draw", &model, "--trace", &path]);
    assert!(drawn.error.contains("after 1 steps the model is in a different state"), "{drawn:?}");
    let missing = run(&["draw", &model, "--trace", "no-such-file.json"]);
    assert!(missing.error.contains("error[unreadable-file]"), "{missing:?}");
}

/// Returns copies of a JSON value, each with another text or number in place of one leaf; places in the model stay.
fn changed_leaves(value: &Value, path: &str) -> Vec<(String, Value)> {
    match value {
        Value::Object(members) => {
            let members = members.iter().filter(|(name, _)| *name != "place");
            let changed = members.flat_map(|(name, member)| {
                let leaves = changed_leaves(member, &format!("{path}.{name}"));
                leaves.into_iter().map(move |(path, leaf)| {
                    let mut whole = value.clone();
                    whole[name] = leaf;
                    (path, whole)
                })
            });
            changed.collect()
        }
        Value::Array(items) => {
            let changed = items.iter().enumerate().flat_map(|(number, item)| {
                let leaves = changed_leaves(item, &format!("{path}[{number}]"));
                leaves.into_iter().map(move |(path, leaf)| {
                    let mut whole = value.clone();
                    whole[number] = leaf;
                    (path, whole)
                })
            });
            changed.collect()
        }
        Value::String(text) if text.parse::<u32>().is_ok() => {
            vec![(path.to_owned(), Value::String(format!("{text}7")))]
        }
        Value::String(text) => vec![(path.to_owned(), Value::String(format!("{text}x")))],
        Value::Number(number) => vec![(path.to_owned(), Value::from(number.as_i64().unwrap() + 1))],
        Value::Null | Value::Bool(_) => Vec::new(),
    }
}

#[test]
fn refuses_run_file_with_any_changed_value() {
    let model = file("trace-changed.net", MODEL.as_bytes());
    let (prefix, _) = saved("trace-c", &model, "E<> P.C && R.G && n == 0", "json");
    let good: Value = serde_json::from_str(&read(&format!("{prefix}-1.json"))).unwrap();
    let mut seen = Vec::new();
    for (path, trace) in changed_leaves(&good["trace"], "") {
        let mut whole = good.clone();
        whole["trace"] = trace;
        let changed = file("trace-changed.json", whole.to_string().as_bytes());
        let drawn = run(&["draw", &model, "--trace", &changed]);
        assert_eq!((drawn.status, drawn.output.as_str()), (Some(2), ""), "{path}: {drawn:?}");
        assert!(drawn.error.contains("trace-changed.json:") && drawn.error.contains("= hint: "), "{drawn:?}");
        seen.push(path);
    }
    for part in ["].time", ".initial.variables", ".initial.clocks", "].before", "].after", ".last.clocks"] {
        assert!(seen.iter().any(|path| path.contains(part)), "{part}: {seen:?}");
    }
    // A change that the file does not list, or lists twice.
    for count in [0, 2] {
        let mut whole = good.clone();
        let steps = whole["trace"]["steps"].as_array_mut().unwrap();
        let step = steps.iter_mut().find(|step| !step["changes"].as_array().unwrap().is_empty()).unwrap();
        let first = step["changes"][0].clone();
        step["changes"] = Value::Array(vec![first; count]);
        let changed = file("trace-changed.json", whole.to_string().as_bytes());
        let drawn = run(&["draw", &model, "--trace", &changed]);
        assert_eq!(drawn.status, Some(2), "{drawn:?}");
        assert!(drawn.error.contains(["does not say so", "", "is listed twice"][count]), "{drawn:?}");
    }
}

/// The examples on manual pages produce their codes.
#[test]
fn manual_examples_produce_their_codes() {
    let model = file(
        "trace-pages.net",
        b"clock x; process P { init location A; location B; A -> B { guard x > 5; } }",
    );
    let about_runs = codes::ALL.iter().filter(|code| code.name().starts_with("trace"));
    for (number, code) in about_runs.enumerate() {
        for example in code.examples() {
            let path = file(&format!("trace-page-{number}.json"), example.text.as_bytes());
            let drawn = run(&["draw", &model, "--trace", &path]);
            assert!(drawn.error.contains(&format!("error[{}]", code.name())), "{code}: {drawn:?}");
        }
    }
}
