//! Runs the commands of the guide and compares their output with the guide.
//!
//! A block fenced as `sh` is a script; the next block, fenced as `text`, is its output to both streams. In a line of
//! the output, `…` stands for any text. Every command runs in the folder of the workspace.

#![cfg(unix)]

use std::process::Command;

use crate::support::{file, workspace};

/// The pages with commands, and the minimal number of commands on each.
const PAGES: [(&str, usize); 9] = [
    ("docs/guide/certificates.md", 4),
    ("docs/guide/checking-a-model.md", 8),
    ("docs/guide/lint.md", 3),
    ("docs/guide/traces.md", 6),
    ("docs/guide/queries.md", 3),
    ("docs/guide/specifications.md", 4),
    ("docs/guide/tchecker.md", 6),
    ("docs/guide/uppaal.md", 10),
    ("examples/README.md", 1),
];

#[test]
fn guide_commands_print_shown_output() {
    let mut failures = String::new();
    for (page, least) in PAGES {
        let guide = std::fs::read_to_string(workspace().join(page)).unwrap();
        let examples = examples_of(&guide).unwrap();
        assert!(examples.len() >= least, "only {} commands were found in {page}", examples.len());
        for example in &examples {
            let printed = run(&example.script);
            if !is_shown(&example.output, &printed) {
                failures += &format!(
                    "{page}:{}:\n{}prints\n{printed}\nand not\n{}\n",
                    example.line, example.script, example.output
                );
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn readme_command_prints_the_shown_output() {
    const CARGO_RUN: &str = "cargo run --quiet --release --bin tempora --";
    let readme = std::fs::read_to_string(workspace().join("README.md")).unwrap();
    let block = |mark: &str, fence: &str| {
        let rest = readme.split_once(&format!("<!-- ci: {mark} -->\n```{fence}\n")).unwrap().1;
        rest.split_once("```").unwrap().0
    };
    let command = block("run", "sh").strip_prefix(CARGO_RUN).unwrap();
    assert_eq!(run(&format!("tempora{command}")), block("output", "text"));
}

#[test]
fn guide_lists_all_omissions() {
    let guide = std::fs::read_to_string(workspace().join("docs/guide/uppaal.md")).unwrap();
    let mut names = Vec::new();
    for entry in std::fs::read_dir(workspace().join("crates/model/src/elaborate")).unwrap() {
        let code = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        let calls = code.lines().filter(|line| line.contains("self.omit("));
        names.extend(calls.filter_map(|line| line.split('"').nth(1)).map(str::to_owned));
    }
    assert!(names.len() >= 15, "only {} constructs were found", names.len());
    names.retain(|name| !guide.contains(&format!("| {name} |")));
    assert!(names.is_empty(), "{names:?}");
}

/// The picture of the README is the drawing of today; `UPDATE=1` draws it again.
#[test]
fn readme_picture_is_current_drawing() {
    const QUERY: &str = "A[] P(1).Wait imply owner == 1";
    let prefix = file("readme-picture", b"");
    run(&format!("tempora check examples/fischer.net --query '{QUERY}' --save-trace '{prefix}'"));
    let drawn = run(&format!("tempora draw examples/fischer.net --trace '{prefix}-1.json'"));
    let path = workspace().join("docs/pictures/fischer.svg");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &drawn).unwrap();
    }
    assert!(drawn.starts_with("<svg"), "{drawn}");
    assert_eq!(drawn, std::fs::read_to_string(&path).unwrap());
    let readme = std::fs::read_to_string(workspace().join("README.md")).unwrap();
    assert!(readme.contains("(docs/pictures/fischer.svg)") && readme.contains(QUERY));
}

#[derive(Debug, PartialEq)]
struct Example {
    line: usize,
    script: String,
    output: String,
}

/// Returns all scripts of a page with their outputs.
fn examples_of(guide: &str) -> Result<Vec<Example>, String> {
    let mut examples = Vec::new();
    let mut script: Option<(usize, String)> = None;
    let mut open: Option<(usize, &str, String)> = None;
    for (number, line) in guide.lines().enumerate().map(|(index, line)| (index + 1, line)) {
        match (open.take(), line.strip_prefix("```")) {
            (Some((start, "sh", text)), Some(_)) => {
                if let Some((before, _)) = script.replace((start, text)) {
                    return Err(format!("line {before}: the script has no output"));
                }
            }
            (Some((start, "text", output)), Some(_)) => match script.take() {
                Some((line, script)) => examples.push(Example { line, script, output }),
                None => return Err(format!("line {start}: no script before this output")),
            },
            (Some(_), Some(_)) | (None, None) => {}
            (Some((start, fence, text)), None) => open = Some((start, fence, text + line + "\n")),
            (None, Some(fence)) => open = Some((number, fence, String::new())),
        }
    }
    match script {
        Some((line, _)) => Err(format!("line {line}: the script has no output")),
        None => Ok(examples),
    }
}

/// Returns the output of a script to both streams.
fn run(script: &str) -> String {
    let folder = std::path::Path::new(env!("CARGO_BIN_EXE_tempora")).parent().unwrap();
    let others = std::env::var("PATH").unwrap_or_default();
    let finished = Command::new("sh")
        .args(["-c", &format!("exec 2>&1\n{script}")])
        .env("PATH", format!("{}:{others}", folder.display()))
        .env_remove("CLICOLOR_FORCE")
        .current_dir(workspace())
        .output()
        .unwrap();
    String::from_utf8(finished.stdout).unwrap()
}

/// Returns whether the output matches the shown text, in which `…` stands for any text.
fn is_shown(shown: &str, printed: &str) -> bool {
    let (shown, printed) = (shown.trim_end(), printed.trim_end());
    shown.lines().count() == printed.lines().count()
        && shown.lines().zip(printed.lines()).all(|(shown, printed)| line_is_shown(shown, printed))
}

fn line_is_shown(shown: &str, printed: &str) -> bool {
    match shown.split_once('…') {
        None => shown == printed,
        Some((before, after)) => printed.strip_prefix(before).is_some_and(|rest| {
            rest.char_indices()
                .map(|(at, _)| at)
                .chain([rest.len()])
                .any(|at| line_is_shown(after, &rest[at..]))
        }),
    }
}

#[test]
fn ellipsis_matches_any_text() {
    for (shown, printed, expected) in [
        ("a", "a", true),
        ("a", "b", false),
        ("a…", "abc", true),
        ("a…", "bc", false),
        ("…: …, end", "3: 4, end", true),
        ("…: …, end", "3: 4, end.", false),
        ("x…x", "x", false),
    ] {
        assert_eq!(line_is_shown(shown, printed), expected, "{shown} {printed}");
    }
    assert!(!is_shown("a\n", "a\nb\n"));
    assert!(!is_shown("a\nb\n", "a\n"));
}

#[test]
fn script_without_output_is_fault() {
    let (script, output) = ("```sh\necho a\n```\n", "```text\na\n```\n");
    assert_eq!(examples_of(&format!("{script}\n{output}")).unwrap().len(), 1);
    assert!(examples_of(&format!("{script}{script}{output}")).is_err());
    assert!(examples_of(&format!("{output}{script}")).is_err());
    assert!(examples_of(script).is_err());
}
