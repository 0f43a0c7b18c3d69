//! `tempora convert`: output files, streams and exit statuses.

use crate::support::{file, run, run_with_input};

#[test]
fn writes_model_to_stdout_or_file() {
    let printed = run(&["convert", "examples/fischer.tck", "-", "--to", "net"]);
    assert_eq!(printed.status, Some(0), "{printed:?}");
    assert!(
        printed.output.contains("idle -> request { guard id == 0; event try; do x1 = 0; }"),
        "{printed:?}"
    );
    assert!(printed.output.ends_with("query reach: cs1, cs2;\n"), "{printed:?}");
    assert_eq!(printed.error, "");

    let path = file("converted.net", b"");
    let written = run(&["convert", "examples/fischer.tck", &path]);
    assert_eq!((written.status, written.output.as_str()), (Some(0), ""), "{written:?}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), printed.output);

    // The written model has the same answers, and converting it again gives the same file.
    let checked = run(&["check", &path]);
    assert_eq!((checked.status, checked.output.as_str()), (Some(1), "violated: reach: cs1, cs2\n"));
    let back = run(&["convert", &path, "-", "--to", "tck"]);
    assert_eq!(back.output, run(&["convert", "examples/fischer.tck", "-", "--to", "tck"]).output);
}

#[test]
fn reports_obstacles_without_writing_file() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("never-written.tck");
    let refused = run(&["convert", "examples/train-gate.net", path.to_str().unwrap()]);
    assert_eq!((refused.status, refused.output.as_str()), (Some(2), ""), "{refused:?}");
    assert!(refused.error.contains("error[cannot-be-written]: an urgent channel"), "{refused:?}");
    assert!(refused.error.contains("examples/train-gate.net:"), "{refused:?}");
    assert!(!path.exists());
}

#[test]
fn reports_usage_and_model_errors() {
    let cases: &[(&[&str], &str)] = &[
        (
            &["convert", "examples/fischer.net", "fischer.doc"],
            "error[unknown-format]: `fischer.doc` does not determine",
        ),
        (&["convert", "examples/fischer.net", "-"], "models can be written as net, tck"),
        (&["convert", "examples/fischer.net", "-", "--to", "tkc"], "did you mean `tck`?"),
        (&["convert", "no-such-file.net", "-", "--to", "tck"], "error[unreadable-file]"),
        (&["convert", "examples/fischer.net", "no-such-folder/a.net"], "error[unwritable-file]"),
        (&["convert", "examples/fischer.net"], "<FILE>"),
    ];
    for (arguments, error) in cases {
        let finished = run(arguments);
        assert_eq!((finished.status, finished.output.as_str()), (Some(2), ""), "{finished:?}");
        assert!(finished.error.contains(error), "{finished:?}");
    }
    let finished = run_with_input(&["convert", "-", "-", "--to", "net"], b"system:s\nclock:x\n");
    assert_eq!(finished.status, Some(2), "{finished:?}");
    assert!(finished.error.contains("standard input:2:7"), "{finished:?}");
}

#[test]
fn writes_projects_and_saves_components() {
    let root = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("project-of-buttons");
    let _ = std::fs::remove_dir_all(&root);
    let folder = root.to_str().unwrap();
    let written = run(&["convert", "examples/buttons.net", folder, "--to", "ecdar"]);
    assert_eq!(
        (written.status, written.output.as_str(), written.error.as_str()),
        (Some(0), "", ""),
        "{written:?}"
    );
    // The project contains the queries, with the same answers.
    let (before, after) = (run(&["check", "examples/buttons.net"]), run(&["check", folder]));
    assert_eq!((before.status, before.output), (after.status, after.output));
    // Existing files are not overwritten.
    let again = run(&["convert", "examples/buttons.net", folder, "--to", "ecdar"]);
    assert_eq!(again.status, Some(2), "{again:?}");
    assert!(again.error.contains("is not empty"), "{again:?}");
    let to_output = run(&["convert", "examples/buttons.net", "-", "--to", "ecdar"]);
    assert!(to_output.error.contains("a project has several files"), "{to_output:?}");

    let question = "get-component: ButtonG >> ButtonA save-as Weakened";
    let saved = run(&["check", folder, "--query", question, "--save-components", folder]);
    assert_eq!(saved.status, Some(0), "{saved:?}");
    assert!(saved.error.contains(": Weakened"), "{saved:?}");
    let asked = run(&[
        "check",
        folder,
        "--query",
        "refinement: Weakened <= (ButtonG >> ButtonA)",
        "--query",
        "refinement: (ButtonG >> ButtonA) <= Weakened",
    ]);
    assert_eq!(asked.status, Some(0), "{asked:?}");
    let twice = run(&["check", folder, "--query", question, "--save-components", folder]);
    assert_eq!(twice.status, Some(2), "{twice:?}");
    assert!(twice.error.contains("Weakened.json` already exists"), "{twice:?}");
    let unknown = run(&["check", folder, "--query", question, "--save-components", "weakened.doc"]);
    assert!(unknown.error.contains("error[unknown-format]"), "{unknown:?}");
    let nameless = run(&["check", folder, "--query", "prune: ButtonG", "--save-components", "-"]);
    assert!(nameless.error.contains("no components to write"), "{nameless:?}");

    // Components are open: each is explored in a most general environment, and checks of whole networks are skipped.
    let linted = run(&["lint", folder]);
    assert!(linted.output.contains("not checked: deadlock"), "{linted:?}");
    assert!(!linted.output.contains("unreachable-location"), "{linted:?}");
    assert!(!linted.output.contains("channel-without"), "{linted:?}");
}

#[test]
fn keeps_rewrites_or_warns_about_labels() {
    let model = file(
        "labelled.net",
        b"broadcast chan i, o;\nprocess S { init location L; location U { labels universal; } L -> U { sync i?; } L -> L { sync o!; } }\nsystem S;\n",
    );
    let document = run(&["convert", &model, "-", "--to", "ecdar-xml"]);
    assert_eq!(document.status, Some(0), "{document:?}");
    assert!(
        document
            .error
            .contains("warning[written-otherwise]: the label `universal` is expressed by other means"),
        "{document:?}"
    );
    let uppaal = run(&["convert", &model, "-", "--to", "uppaal"]);
    assert!(
        uppaal.error.contains("warning[written-otherwise]: the label `universal` is omitted"),
        "{uppaal:?}"
    );
}
