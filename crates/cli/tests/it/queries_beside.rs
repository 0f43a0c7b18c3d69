//! Sources of queries, and the language of a file.

use crate::support::{file, run};

const MODEL: &str = "process P() { state A, B; init A; trans A -> B { }; }\nsystem P;\n";

#[test]
fn reads_queries_beside_model() {
    let model = file("beside.xta", MODEL.as_bytes());
    // An earlier run may have left it.
    std::fs::remove_file(file("beside.q", b"")).unwrap();
    let none = run(&["check", &model]);
    assert_eq!(none.status, Some(2), "{none:?}");
    file("beside.q", b"// goes on in the next line\nE<> \\\n  P.B\n\nA[] P.A\n");
    let found = run(&["check", &model, "--trace", "none"]);
    assert_eq!((found.status, found.output.as_str()), (Some(1), "satisfied: E<> P.B\n\nviolated: A[] P.A\n"));
    // A requested file takes precedence over the file beside the model.
    let asked = run(&["check", &model, "--trace", "none", "--query", "E<> P.A"]);
    assert_eq!((asked.status, asked.output.as_str()), (Some(0), "satisfied: E<> P.A\n"));
    let other = file("other.q", b"E<> P.A && P.B\n");
    let given = run(&["check", &model, "--trace", "none", "--property", &other]);
    assert_eq!((given.status, given.output.as_str()), (Some(1), "violated: E<> P.A && P.B\n"));
    let missing = run(&["check", &model, "--property", "no-such-file.q"]);
    assert_eq!(missing.status, Some(2));
    assert!(missing.error.contains("`no-such-file.q` cannot be read"), "{missing:?}");
}

#[test]
fn ignores_query_file_if_model_has_queries() {
    let model = file("own.net", format!("{MODEL}query E<> P.B;\n").as_bytes());
    file("own.q", b"A[] P.A\n");
    let found = run(&["check", &model, "--trace", "none"]);
    assert_eq!((found.status, found.output.as_str()), (Some(0), "satisfied: E<> P.B\n"), "{found:?}");
}

#[test]
fn detects_or_takes_language() {
    let model = file("model.txt", MODEL.as_bytes());
    assert_eq!(run(&["inspect", &model]).status, Some(0));
    assert_eq!(run(&["inspect", &model, "--language", "xta"]).status, Some(0));
    let wrong = run(&["inspect", &model, "--language", "uppaal"]);
    assert_eq!(wrong.status, Some(2), "{wrong:?}");
    assert!(wrong.error.contains("error[xml-structure]"), "{wrong:?}");
    let unknown = run(&["inspect", &model, "--language", "esperanto"]);
    assert!(unknown.error.contains("unknown language `esperanto`"), "{unknown:?}");
}
