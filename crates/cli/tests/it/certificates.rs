//! `tempora check --certificate` and `tempora verify-certificate`: files, exit statuses, and invalid files.

use std::time::Duration;

use serde_json::Value;
use tempora_evidence::Budget;
use tempora_report::{codes, read_certificates, write_certificates};
use tempora_workbench::{load, verify_certificate};

use crate::support::schema::faults;
use crate::support::{self, file, run};

const DOOR: &[u8] = b"clock x; int[0,3] n;
    process P { init location A; location B { invariant x <= 5; }
                A -> B { guard x >= 2; do x = 0, n = 1; } B -> A { guard n == 1; do n = 0; } }
    query A[] P.B imply x <= 5;
    query E<> P.B && n == 3;
    query E<> P.B;";

/// Writes the certificates of a model; returns the path of the file and the output.
fn certified(name: &str, model: &str, more: &[&str]) -> (String, support::Finished) {
    let path = file(name, b"");
    let mut arguments = vec!["check", model, "--certificate", &path];
    arguments.extend(more);
    let finished = run(&arguments);
    (path, finished)
}

fn read(path: &str) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn writes_and_verifies_certificates() {
    let model = file("certificates-a.net", DOOR);
    let (path, finished) = certified("certificates-a.json", &model, &["--output", "json"]);
    assert_eq!(finished.status, Some(1), "{finished:?}");
    assert!(finished.error.contains("2 certificates written to "), "{finished:?}");
    let answers: Value = serde_json::from_str(&finished.output).unwrap();
    assert_eq!(faults("check.json", &answers), Vec::<String>::new());
    let assurances: Vec<&Value> =
        answers["results"].as_array().unwrap().iter().map(|answer| &answer["assurance"]).collect();
    assert_eq!(assurances, ["certified", "certified", "replayed"]);
    let written: Value = serde_json::from_str(&read(&path)).unwrap();
    assert_eq!(faults("certificate.json", &written), Vec::<String>::new());
    let verified = run(&["verify-certificate", &model, &path]);
    assert_eq!(verified.status, Some(0), "{verified:?}");
    assert!(verified.output.contains("certified: A[] P.B imply x <= 5\n  2 nodes, "), "{verified:?}");
    let verified = run(&["verify-certificate", &model, &path, "--output", "json"]);
    let found: Value = serde_json::from_str(&verified.output).unwrap();
    assert_eq!(faults("verify-certificate.json", &found), Vec::<String>::new());
    assert_eq!(found["results"][1]["verdict"], "certified");
}

#[test]
fn state_limit_covers_nodes_but_not_invariants() {
    let model = file("certificates-limit.net", DOOR);
    let (path, _) = certified("certificates-limit.json", &model, &["--query", "A[] P.B imply x <= 5"]);
    let limited = |states: &str| run(&["verify-certificate", &model, &path, "--max-states", states]);
    let found = limited("1");
    assert_eq!(found.status, Some(1), "{found:?}");
    assert!(found.output.contains("state limit reached before the check was complete"), "{found:?}");
    assert_eq!(limited("2").status, Some(0));
    let system = file(
        "certificates-limit.xsts",
        b"var x : integer = 0 trans { x := x + 1; } init {} env {} prop { x >= 0 }",
    );
    let (path, finished) = certified("certificates-limit-system.json", &system, &["--engine", "kinduction"]);
    assert_eq!(finished.status, Some(0), "{finished:?}");
    assert_eq!(run(&["verify-certificate", &system, &path]).status, Some(0));
    let found = run(&["verify-certificate", &system, &path, "--max-states", "1"]);
    assert_eq!(found.status, Some(2), "{found:?}");
    assert!(found.error.contains("error[misplaced-option]: `--max-states`"), "{found:?}");
}

#[test]
fn writes_no_certificate_without_suitable_answer() {
    let model = file("certificates-b.net", DOOR);
    let (path, finished) = certified("certificates-b.json", &model, &["--query", "E<> P.B"]);
    assert_eq!(finished.status, Some(0), "{finished:?}");
    assert_eq!(finished.error, "no certificates to write: no answer is certified\n");
    assert_eq!(read(&path), "");
    let (_, finished) = certified("certificates-b.json", &model, &["--query", "A[] not deadlock"]);
    assert!(finished.output.contains("note: certified by 2 nodes"), "{finished:?}");
}

#[test]
fn refuses_certificate_that_contradicts_query() {
    let model = file("certificates-c.net", DOOR);
    let (path, _) = certified("certificates-c.json", &model, &["--query", "A[] P.B imply x <= 5"]);
    let right = read(&path);
    let cases = [
        // Another query.
        ("A[] P.B imply x <= 5", "A[] P.B imply x <= 4", "node 1: it contains a bad state"),
        ("A[] P.B imply x <= 5", "E<> P.B", "node 1: it contains a bad state"),
        ("A[] P.B imply x <= 5", "A<> P.B", "only queries `A[] p` and `E<> p` have certificates"),
        ("A[] P.B imply x <= 5", "A[] deadlock", "node 0: it contains a bad state"),
        // Another zone, location or value.
        ("[1,0,\"<=\",5]", "[1,0,\"<=\",6]", "node 1: it contains a bad state"),
        (
            "[1,0,\"<=\",5]",
            "[1,0,\"<\",5]",
            "node 0: the step (P: A -> B) leads to a state outside all nodes",
        ),
        (
            "\"locations\":[1]",
            "\"locations\":[0]",
            "node 0: the step (P: A -> B) leads to a state outside all nodes",
        ),
        ("\"locations\":[1]", "\"locations\":[7]", "node 1: `P` has no location number 7"),
        (
            "\"values\":[1]",
            "\"values\":[2]",
            "node 0: the step (P: A -> B) leads to a state outside all nodes",
        ),
        ("\"values\":[1]", "\"values\":[[1]]", "node 1: `n` cannot have the value { 1 }"),
    ];
    for (number, (old, new, message)) in cases.into_iter().enumerate() {
        assert!(right.contains(old), "{old} is not in\n{right}");
        let wrong = file(&format!("certificates-c{number}.json"), right.replacen(old, new, 1).as_bytes());
        let found = run(&["verify-certificate", &model, &wrong]);
        assert_eq!(found.status, Some(1), "{new}: {found:?}");
        assert!(found.output.contains("refused: ") && found.output.contains(message), "{new}: {found:?}");
        let found = run(&["verify-certificate", &model, &wrong, "--output", "json"]);
        let found: Value = serde_json::from_str(&found.output).unwrap();
        assert_eq!(faults("verify-certificate.json", &found), Vec::<String>::new());
    }
    let none = file("certificates-c-none.json", right.split("\n{ \"query\"").next().unwrap().as_bytes());
    let none = file("certificates-c-none.json", (read(&none) + "]}").as_bytes());
    let found = run(&["verify-certificate", &model, &none]);
    assert_eq!((found.status, found.output.contains("the file has no certificate")), (Some(1), true));
}

#[test]
fn malformed_certificate_files_are_errors() {
    let model = file("certificates-d.net", DOOR);
    let (path, _) = certified("certificates-d.json", &model, &["--query", "A[] P.B imply x <= 5"]);
    let right = read(&path);
    let cases = [
        ("\"version\": 1", "\"version\": 2", "certificate-form", "unsupported version 2"),
        ("\"clocks\"", "\"watches\"", "certificate-form", "unknown member `watches`"),
        (
            "\"clocks\": [\"x\"]",
            "\"clocks\": [\"y\"]",
            "certificate-of-another-model",
            "of the model have `x` here",
        ),
        (
            "\"clocks\": [\"x\"]",
            "\"clocks\": []",
            "certificate-of-another-model",
            "the model has more clocks",
        ),
        ("\"values\":[1]", "\"values\":[]", "certificate-form", "fewer values than variables"),
        ("\"values\":[1]", "\"values\":[1,1]", "certificate-form", "more values than variables"),
        ("\"values\":[1]", "\"values\":[1e99]", "certificate-form", "an integer of supported size"),
        ("[1,0,\"<=\",5]", "[1,0,\"==\",5]", "certificate-form", "`<` or `<=`"),
        ("[1,0,\"<=\",5]", "[1,0,5]", "certificate-form", "a list of two clocks"),
        ("A[] P.B imply x <= 5", "A[] P.C", "unknown-name", "C"),
        ("\"nodes\"", "\"query\": \"\", \"nodes\"", "json-duplicate-name", "already has a member `query`"),
    ];
    for (number, (old, new, code, message)) in cases.into_iter().enumerate() {
        assert!(right.contains(old), "{old} is not in\n{right}");
        let wrong = file(&format!("certificates-d{number}.json"), right.replacen(old, new, 1).as_bytes());
        let found = run(&["verify-certificate", &model, &wrong]);
        assert_eq!((found.status, found.output.as_str()), (Some(2), ""), "{new}: {found:?}");
        assert!(
            found.error.contains(&format!("error[{code}]")) && found.error.contains(message),
            "{new}: {found:?}"
        );
    }
    assert_eq!(run(&["verify-certificate", &model, "no-such-file.json"]).status, Some(2));
    assert_eq!(run(&["verify-certificate", "no-such-file.net", &path]).status, Some(2));
}

/// The examples on manual pages produce their codes.
#[test]
fn manual_examples_produce_their_codes() {
    let model = file("certificates-pages.net", b"clock x; process P { init location A; }");
    for (number, code) in [&codes::CERTIFICATE_FORM, &codes::CERTIFICATE_OF_ANOTHER_MODEL].iter().enumerate()
    {
        assert!(!code.examples().is_empty());
        for example in code.examples() {
            let path = file(&format!("certificates-page-{number}.json"), example.text.as_bytes());
            let found = run(&["verify-certificate", &model, &path]);
            assert!(found.error.contains(&format!("error[{}]", code.name())), "{code}: {found:?}");
        }
    }
}

/// Corrupted files are refused or accepted without a panic or a hang; certificates that are read are written back
/// unchanged.
#[test]
fn corrupted_certificates_do_not_panic() {
    let (path, _) =
        certified("certificates-e.json", "examples/train-gate.net", &["--query", "E<> Gate.len > 3"]);
    let right = read(&path);
    let text = std::fs::read(support::workspace().join("examples/train-gate.net")).unwrap();
    let loaded = load("train-gate.net", &text);
    let network = loaded.network().cloned().unwrap();
    let query = loaded.read_query("query", "E<> Gate.len > 3").value.unwrap();
    let bits = [b'0', b'9', b'-', b'[', b']', b',', b'"', b'{', b'}', b'e', b' ', 0xFF];
    let mut state = 1u64;
    let mut next = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let (mut unread, mut refused, mut accepted) = (0, 0, 0);
    for number in 0..1500 {
        let mut bytes = right.clone().into_bytes();
        for _ in 0..=next(2) {
            let at = next(bytes.len());
            match next(8) {
                4..8 => {
                    // Replace a digit, so that the file remains well-formed.
                    let digits: Vec<usize> =
                        (0..bytes.len()).filter(|&position| bytes[position].is_ascii_digit()).collect();
                    if !digits.is_empty() {
                        bytes[digits[next(digits.len())]] = b'0' + next(10) as u8;
                    }
                }
                0 => bytes[at] = bits[next(bits.len())],
                1 => drop(bytes.remove(at)),
                2 => bytes.insert(at, bits[next(bits.len())]),
                _ => bytes.truncate(at.max(1)),
            }
        }
        let mut files = tempora_source::Files::new();
        let Ok(id) = files.add_bytes(format!("{number}.json"), &bytes) else {
            unread += 1;
            continue;
        };
        let Ok(written) = read_certificates(&files, id, &network) else {
            unread += 1;
            continue;
        };
        for certificate in &written {
            let budget = Budget::unlimited().with_timeout(Duration::from_secs(60));
            match verify_certificate(&network, &query, &certificate.certificate, &budget) {
                Ok(_) => accepted += 1,
                Err(_) => refused += 1,
            }
        }
        let again: Vec<_> =
            written.iter().map(|written| (written.query.as_str(), written.certificate.borrowed())).collect();
        let again = write_certificates("m", &network, &again);
        let id = files.add("again.json", &again).unwrap();
        assert_eq!(read_certificates(&files, id, &network).unwrap(), written);
    }
    assert!(unread > 200 && refused > 50, "{unread} unread, {refused} refused, {accepted} accepted");
}

const MACHINES: &[u8] = b"broadcast chan coin, tea;
    process Fast { clock x; int[0,1] n; init location Idle; location Busy { invariant x <= 3; }
        Idle -> Busy { sync coin?; do x = 0, n = 1; } Busy -> Busy { sync coin?; } Busy -> Idle { guard x >= 1; sync tea!; do n = 0; } }
    process Slow { clock y; init location Idle; location Busy { invariant y <= 5; }
        Idle -> Busy { sync coin?; do y = 0; } Busy -> Busy { sync coin?; } Busy -> Idle { sync tea!; } }
    system Fast, Slow;
    query refinement: Fast <= Slow;";

#[test]
fn writes_and_verifies_refinement_certificates() {
    let model = file("certificates-refinement.net", MACHINES);
    let (path, finished) = certified("certificates-refinement.json", &model, &["--output", "json"]);
    assert_eq!(finished.status, Some(0), "{finished:?}");
    let answers: Value = serde_json::from_str(&finished.output).unwrap();
    assert_eq!(faults("check.json", &answers), Vec::<String>::new());
    assert_eq!(answers["results"][0]["assurance"], "certified");
    let right = read(&path);
    let written: Value = serde_json::from_str(&right).unwrap();
    assert_eq!(faults("certificate.json", &written), Vec::<String>::new());
    let verified = run(&["verify-certificate", &model, &path]);
    assert_eq!(verified.status, Some(0), "{verified:?}");
    assert!(verified.output.contains("certified: refinement: Fast <= Slow\n"), "{verified:?}");
    // The converse refinement is a different claim.
    let other =
        file("certificates-refinement-2.json", right.replace("Fast <= Slow", "Slow <= Fast").as_bytes());
    let verified = run(&["verify-certificate", &model, &other]);
    assert_eq!(verified.status, Some(1), "{verified:?}");
}

#[test]
fn refuses_changed_refinement_certificates() {
    let path = file("certificates-refinement-3.net", MACHINES);
    let (certificate, _) = certified("certificates-refinement-3.json", &path, &[]);
    let right = read(&certificate);
    let loaded = load("m.net", MACHINES);
    let query = loaded.read_query("query", "refinement: Fast <= Slow").value;
    let (query, network) = (query.unwrap(), loaded.network().cloned().unwrap());
    let start = right.find("\"parts\"").unwrap();
    let digits = (start..right.len()).filter(|&at| right.as_bytes()[at].is_ascii_digit());
    let (mut refused, mut accepted) = (0, 0);
    for at in digits {
        for digit in b'0'..=b'9' {
            let mut bytes = right.clone().into_bytes();
            bytes[at] = digit;
            let mut files = tempora_source::Files::new();
            let id = files.add_bytes("changed.json", &bytes).unwrap();
            let Ok(written) = read_certificates(&files, id, &network) else { continue };
            let budget = Budget::unlimited().with_timeout(Duration::from_secs(60));
            match verify_certificate(&network, &query, &written[0].certificate, &budget) {
                Ok(_) => accepted += 1,
                Err(_) => refused += 1,
            }
        }
    }
    // Accepted files have larger zones, or the same digit.
    assert!(refused > 100 && accepted > 10, "{refused} refused, {accepted} accepted");
}

/// `Lazy` may reach `Asleep`, which must be pruned.
const LAZY: &[u8] = b"broadcast chan coin, tea;
    process Lazy { clock x; init location Idle; location Busy { invariant x <= 5; } location Asleep { invariant x <= 5; }
        Idle -> Busy { sync coin?; do x = 0; } Busy -> Busy { sync coin?; } Asleep -> Asleep { sync coin?; }
        Busy -> Idle { guard x <= 3; sync tea!; } Busy -> Asleep { guard x > 3; sync tea!; } }
    process Quick { clock y; init location Idle; location Busy { invariant y <= 3; }
        Idle -> Busy { sync coin?; do y = 0; } Busy -> Busy { sync coin?; } Busy -> Idle { sync tea!; } }
    system Lazy, Quick;
    query refinement: Lazy <= Quick;
    query consistency: Lazy && Quick;";

#[test]
fn rejects_certificate_with_wrong_removed_states() {
    let model = file("certificates-removed.net", LAZY);
    let (path, finished) = certified("certificates-removed.json", &model, &["--output", "json"]);
    assert_eq!(finished.status, Some(0), "{finished:?}");
    let answers: Value = serde_json::from_str(&finished.output).unwrap();
    assert_eq!(answers["results"][0]["assurance"], "certified");
    assert_eq!(answers["results"][1]["assurance"], "certified");
    let mut written: Value = serde_json::from_str(&read(&path)).unwrap();
    assert_eq!(faults("certificate.json", &written), Vec::<String>::new());
    assert_eq!(run(&["verify-certificate", &model, &path]).status, Some(0));
    let refused = |name: &str, written: &Value| {
        let path = file(name, written.to_string().as_bytes());
        run(&["verify-certificate", &model, &path])
    };
    let removed = written["certificates"][0]["removed"].clone();
    assert!(!removed[0].as_array().unwrap().is_empty(), "{removed}");
    // A list is missing.
    written["certificates"][0]["removed"].as_array_mut().unwrap().pop();
    let finished = refused("certificates-removed-1.json", &written);
    assert_eq!(finished.status, Some(2), "{finished:?}");
    assert!(finished.error.contains("but 1 lists of removed states"), "{finished:?}");
    // No states are listed as removed.
    written["certificates"][0].as_object_mut().unwrap().remove("removed");
    let finished = refused("certificates-removed-2.json", &written);
    assert_eq!(finished.status, Some(1), "{finished:?}");
    assert!(
        finished.output.contains("neither an unbounded delay nor an output is possible in Lazy."),
        "{finished:?}"
    );
    // All states are listed as removed.
    written["certificates"][0]["removed"] = written["certificates"][0]["parts"].clone();
    let finished = refused("certificates-removed-3.json", &written);
    assert_eq!(finished.status, Some(1), "{finished:?}");
    assert!(finished.output.contains("the removal of Lazy.Idle is not justified"), "{finished:?}");
}

/// The checker supports only the completion in which missing inputs are ignored.
#[test]
fn no_certificate_if_missing_inputs_are_errors() {
    let model = file("certificates-completion.net", LAZY);
    let (_, finished) = certified("certificates-completion.json", &model, &["--input-completion", "error"]);
    assert!(finished.output.contains("certificates need --input-completion ignore"), "{finished:?}");
    assert!(!finished.output.contains("certified by"), "{finished:?}");
    assert!(finished.error.contains("no certificates to write"), "{finished:?}");
}

/// `Q` has too many states for a certificate and is independent of `P`.
const BESIDE: &[u8] = b"clock x, y; int[0,100000] n; int[0,3] m;
    process P { init location A { invariant x <= 3; } location B; A -> B { guard x >= 2; do m = 1; } }
    process Q { init location C { invariant y <= 1; } C -> C { guard y == 1 && n < 100000; do n = n + 1, y = 0; } }
    query A[] P.A imply x <= 3 && m == 0;";

#[test]
fn certificate_may_cover_part_of_model() {
    let model = file("certificates-p.net", BESIDE);
    let (path, finished) = certified("certificates-p.json", &model, &[]);
    assert!(finished.output.contains(" on P alone: generated in "), "{finished:?}");
    let right = read(&path);
    let written: Value = serde_json::from_str(&right).unwrap();
    assert_eq!(faults("certificate.json", &written), Vec::<String>::new());
    assert_eq!(written["certificates"][0]["part"]["processes"], serde_json::json!(["P"]));
    let verified = run(&["verify-certificate", &model, &path]);
    assert_eq!(verified.status, Some(0), "{verified:?}");
    let cases = [
        (
            "\"variables\":[\"x\",\"m\"]",
            "\"variables\":[\"x\",\"k\"]",
            Some(2),
            "the model has no variable `k`",
        ),
        ("\"processes\":[\"P\"]", "\"processes\":[\"R\"]", Some(2), "the model has no process `R`"),
        ("\"processes\":[\"P\"]", "\"processes\":[\"Q\"]", Some(1), "`Q` has no location number 1"),
        // The part of the query about `P` is then undecided and resolved pessimistically.
        ("\"variables\":[\"x\",\"m\"]", "\"variables\":[\"y\",\"m\"]", Some(1), "refused"),
        ("\"values\":[0]", "\"values\":[]", Some(2), "there are fewer values than variables"),
        ("\"values\":[0]", "\"values\":[0,0]", Some(2), "there are more values than variables"),
        ("\"locations\":[0]", "\"locations\":[]", Some(2), "there are fewer locations than processes"),
        ("\"locations\":[0]", "\"locations\":[0,0]", Some(2), "there are more locations than processes"),
    ];
    for (number, (old, new, status, message)) in cases.into_iter().enumerate() {
        assert!(right.contains(old), "{old} is not in\n{right}");
        let wrong = file(&format!("certificates-p{number}.json"), right.replacen(old, new, 1).as_bytes());
        let found = run(&["verify-certificate", &model, &wrong]);
        assert_eq!(found.status, status, "{new}: {found:?}");
        let text = found.output.clone() + &found.error;
        assert!(text.contains(message), "{new}: {found:?}");
    }
}
