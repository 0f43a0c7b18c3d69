//! `tempora explain`: output, streams and exit statuses.

use std::io::Read;
use std::process::{Command, Output, Stdio};

fn tempora(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tempora"));
    command.args(arguments).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env_remove("CLICOLOR");
    command
}

fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = tempora(arguments).output().unwrap();
    (status.code(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

#[test]
fn exit_status_and_streams() {
    // arguments, status, part of standard output, part of standard error; an empty part means an empty stream
    let cases: &[(&[&str], i32, &str, &str)] = &[
        (&["--version"], 0, concat!("tempora ", env!("CARGO_PKG_VERSION")), ""),
        (&["--help"], 0, "explain", ""),
        (&["explain", "--help"], 0, "--output <FORMAT>", ""),
        (&["explain"], 0, "xml-unknown-entity            an entity that XML does not predefine\n", ""),
        (&["explain", "xml-unknown-entity"], 0, "## How to fix it\n", ""),
        (
            &["explain", "invalid-utf8"],
            0,
            "# invalid-utf8: a file with a byte that is not valid UTF-8\n\n## Meaning\n",
            "",
        ),
        (&[], 2, "", "Usage: tempora"),
        (&["unheard-of"], 2, "", "unrecognized subcommand"),
        (&["explain", "--output", "tea"], 2, "", "possible values: text, json"),
        (&["explain", "a", "b"], 2, "", "unexpected argument"),
        (
            &["explain", "xml-unknown-entitty"],
            2,
            "",
            "error[unknown-code]: unknown code `xml-unknown-entitty`\n  = hint: did you mean `xml-unknown-entity`?\n",
        ),
        (&["explain", "surrogate"], 2, "", "did you mean `json-lone-surrogate`?"),
        (&["explain", ""], 2, "", "`tempora explain` lists all codes"),
        (
            &["explain", "\u{1B}[2Jzebra"],
            2,
            "",
            "unknown code `␛[2Jzebra`\n  = hint: `tempora explain` lists all codes\n",
        ),
    ];
    for (arguments, status, output, error) in cases {
        let found = run(arguments);
        assert_eq!(found.0, Some(*status), "{arguments:?}: {found:?}");
        for (stream, part) in [(&found.1, output), (&found.2, error)] {
            assert!(
                stream.contains(part) && stream.is_empty() == part.is_empty(),
                "{arguments:?}: {found:?}"
            );
            assert!(!stream.contains('\u{1B}'), "{arguments:?}: colours on a pipe: {found:?}");
        }
    }
}

#[test]
fn every_listed_code_has_a_page() {
    let list: serde_json::Value = serde_json::from_str(&run(&["explain", "--output", "json"]).1).unwrap();
    assert_eq!(list["version"], 1);
    let codes = list["codes"].as_array().unwrap();
    assert!(codes.len() > 10);
    for entry in codes {
        let name = entry["code"].as_str().unwrap();
        let (status, output, _) = run(&["explain", name, "--output", "json"]);
        let page: serde_json::Value = serde_json::from_str(&output).unwrap();
        assert_eq!((status, &page["code"], &page["summary"]), (Some(0), &entry["code"], &entry["summary"]));
        assert!(page["page"].as_str().unwrap().starts_with("## Meaning\n"), "{name}");
    }
}

#[test]
fn unknown_code_as_json() {
    let (status, output, error) = run(&["explain", "invalid-utf", "--output", "json"]);
    let found: serde_json::Value = serde_json::from_str(&output).unwrap();
    let fault = &found["errors"][0];
    assert_eq!((status, &fault["code"]), (Some(2), &serde_json::json!("unknown-code")));
    assert_eq!(fault["hint"], "did you mean `invalid-utf8` or `invalid-utf16`?");
    assert_eq!(fault["line"], serde_json::Value::Null);
    assert!(error.contains("unknown code `invalid-utf`"));
}

#[test]
fn example_of_unknown_code_produces_it() {
    let page = run(&["explain", "unknown-code"]).1;
    let example = page.split("```arguments\n").nth(1).unwrap().lines().next().unwrap();
    let arguments: Vec<&str> = example.split(' ').collect();
    assert!(run(&arguments).2.starts_with("error[unknown-code]"));
}

#[test]
fn colours_follow_the_environment() {
    let with = |name: &str| tempora(&["explain", "unknown-code"]).env(name, "1").output().unwrap().stdout;
    assert!(with("CLICOLOR_FORCE").contains(&0x1B));
    assert!(!with("NO_COLOR").contains(&0x1B));
    let both =
        tempora(&["explain", "nothing"]).env("CLICOLOR_FORCE", "1").env("NO_COLOR", "1").output().unwrap();
    let forced = tempora(&["explain", "nothing"]).env("CLICOLOR_FORCE", "1").output().unwrap();
    assert!(!both.stderr.contains(&0x1B), "NO_COLOR is stronger");
    assert!(forced.stderr.contains(&0x1B));
}

#[test]
fn closed_pipe_is_no_error() {
    let cases: &[(&[&str], i32)] = &[
        (&["explain"], 0),
        (&["explain", "invalid-utf8"], 0),
        (&["explain", "--output", "json"], 0),
        (&["--help"], 0),
        (&["explain", "nothing", "--output", "json"], 2),
    ];
    for (arguments, expected) in cases {
        let mut child = tempora(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // The pipe is closed before or during the write.
        drop(child.stdout.take());
        let mut error = String::new();
        child.stderr.take().unwrap().read_to_string(&mut error).unwrap();
        let status = child.wait().unwrap();
        assert_eq!(status.code(), Some(*expected), "{arguments:?}: {error}");
        assert!(
            !error.contains("panicked") && error.is_empty() == (*expected == 0),
            "{arguments:?}: {error}"
        );
    }
}
