//! `tempora verifyta` writes the output that scripts expect of UPPAAL's `verifyta`, to the same streams.

use std::path::Path;

use crate::support::{file, finish, run, tempora};

/// Returns a document with two processes and these queries.
fn document(queries: &[&str]) -> String {
    let queries: String = queries
        .iter()
        .map(|query| format!("<query><formula>{}</formula><comment></comment></query>", escaped(query)))
        .collect();
    format!(
        r#"<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.1//EN' 'http://www.it.uu.se/research/group/darts/uppaal/flat-1_1.dtd'>
<nta><declaration>chan go; int n; bool b;</declaration>
<template><name>P1</name><declaration>clock t;</declaration>
<location id="id0"><name>A</name></location><location id="id1"><name>C</name></location>
<init ref="id0"/>
<transition><source ref="id0"/><target ref="id1"/><label kind="guard">t &gt; 5</label>
<label kind="synchronisation">go!</label><label kind="assignment">n = 1, b = true</label></transition></template>
<template><name>Q</name><location id="id2"><name>D</name></location><init ref="id2"/>
<transition><source ref="id2"/><target ref="id2"/><label kind="synchronisation">go?</label></transition></template>
<system>system P1, Q;</system><queries>{queries}</queries></nta>"#
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[test]
fn verdict_lines() {
    let queries = ["E<> P1.C", "A[] P1.A", "A[] n <= 1", "simulate [<=1] { n }"];
    let model = file("verifyta-verdicts.xml", document(&queries).as_bytes());
    let finished = run(&["verifyta", &model]);
    let expected = "Options for the verification:
  Generating no trace
  Search order is breadth first
  Using conservative space optimisation
  Seed is 0
  State space representation uses minimal constraint systems

Verifying formula 1 at /nta/queries/query[1]/formula
 -- Formula is satisfied.

Verifying formula 2 at /nta/queries/query[2]/formula
 -- Formula is NOT satisfied.

Verifying formula 3 at /nta/queries/query[3]/formula
 -- Formula is satisfied.

Verifying formula 4 at /nta/queries/query[4]/formula
 -- No verdict: ";
    assert!(finished.output.starts_with(expected), "{}", finished.output);
    // A formula without a verdict is reported as neither satisfied nor violated.
    assert_eq!(finished.output.matches("Formula is").count(), 3, "{}", finished.output);
    assert_eq!(finished.status, Some(3));
    // The exit status does not depend on the verdicts.
    let model = file("verifyta-status.xml", document(&["E<> P1.C", "A[] P1.A"]).as_bytes());
    assert_eq!(run(&["verifyta", "-q", &model]).status, Some(0));
}

#[test]
fn queries_of_file_have_its_name_and_line() {
    let model = file("verifyta-file.xml", document(&[]).as_bytes());
    let queries = file("verifyta-queries.q", b"// a comment\nE<> P1.C\n\nA[] P1.A\n");
    let finished = run(&["verifyta", "-squ", &model, &queries]);
    let lines: Vec<&str> = finished.output.lines().filter(|line| line.starts_with("Verifying")).collect();
    assert_eq!(
        lines,
        [format!("Verifying formula 1 at {queries}:2"), format!("Verifying formula 2 at {queries}:4")]
    );
    assert!(!finished.output.contains("Options for the verification"));
    for part in [
        "\n -- States stored : ",
        "\n -- States explored : ",
        "\n -- CPU user time used : ",
        " ms\n",
        "\n -- Resident memory used : ",
        " KiB\n",
    ] {
        assert_eq!(finished.output.matches(part).count(), 2, "{part}: {}", finished.output);
    }
}

#[test]
fn shows_runs_on_standard_error() {
    let model = file("verifyta-trace.xml", document(&["E<> P1.C", "A[] P1.A"]).as_bytes());
    let finished = run(&["verifyta", "-t1", &model]);
    assert!(finished.output.contains("  Generating shortest trace\n"));
    assert!(
        finished.output.contains(" -- Formula is satisfied.\nShowing example trace.\n"),
        "{}",
        finished.output
    );
    assert!(finished.output.contains(" -- Formula is NOT satisfied.\nShowing counter example.\n"));
    let expected = "
State:
( P1.A Q.D )
n=0 b=0 P1.t=0 #depth=0

Delay: 6

State:
( P1.A Q.D )
n=0 b=0 P1.t=6 #depth=0

Transitions:
  P1.A->P1.C { t > 5, go!, n = 1, b = true }
  Q.D->Q.D { 1, go?, 1 }

State:
( P1.C Q.D )
n=1 b=1 P1.t=6 #depth=1
";
    assert_eq!(finished.error, format!("{expected}{expected}"));
    let fastest = run(&["verifyta", "-t", "2", "-q", &model]);
    assert!(
        fastest.error.contains("Delay: 5.1\n") && fastest.error.contains("P1.t=5.1 "),
        "{}",
        fastest.error
    );
}

#[test]
fn writes_runs_as_xtr() {
    let model = file("verifyta-files.xml", document(&["E<> P1.C", "A[] n <= 1", "A[] P1.A"]).as_bytes());
    let prefix = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verifyta-run");
    let prefix = prefix.to_str().unwrap();
    let finished = run(&["verifyta", "-t0", "-f", prefix, &model]);
    assert_eq!(finished.status, Some(0));
    assert_eq!(
        finished.error,
        format!("Writing example trace to {prefix}-1.xtr\nWriting counter example to {prefix}-3.xtr\n")
    );
    assert!(!finished.output.contains("Showing"));
    // Locations, bounds, values; the target state of a step precedes its edges, as UPPAAL's `tracer` expects.
    let written = std::fs::read_to_string(format!("{prefix}-1.xtr")).unwrap();
    let words: Vec<&str> = written.split_whitespace().collect();
    assert_eq!(words[..3], ["0", "0", "."], "{written}");
    assert!(written.contains("\n2\n0\n12\n.\n"), "P1.t is at most 6: {written}");
    assert!(written.ends_with(".\n0 0 ;\n1 0 ;\n.\n.\n"), "{written}");
    let drawn = run(&["draw", &model, "--trace", &format!("{prefix}-1.xtr")]);
    assert_eq!((drawn.status, drawn.error.as_str()), (Some(0), ""));
}

#[test]
fn errors_have_status_two() {
    let model = file("verifyta-errors.xml", document(&["E<> P1.C"]).as_bytes());
    let no_queries = file("verifyta-none.xml", document(&[]).as_bytes());
    for (arguments, part) in [
        (vec!["verifyta"], "missing model"),
        (vec!["verifyta", "no-such-model.xml"], "cannot be read"),
        (vec!["verifyta", &model, "no-such-queries.q"], "cannot be read"),
        (vec!["verifyta", "-X", "out", &model], "`-X` of verifyta is not supported"),
        (vec!["verifyta", "--unheard-of", &model], "unknown option `--unheard-of`"),
        (vec!["verifyta", &no_queries], "no query to answer"),
        (vec!["verifyta", "-t0", "-f", "no-such-folder/run", &model], "cannot be written"),
    ] {
        let finished = run(&arguments);
        assert_eq!(finished.status, Some(2), "{arguments:?}: {finished:?}");
        assert!(finished.error.contains(part), "{arguments:?}: {}", finished.error);
        assert!(!finished.output.contains("Formula is NOT"), "{arguments:?}: {}", finished.output);
    }
    let mut command = tempora(&["verifyta", &model]);
    command.env("UPPAAL_COMPILE_ONLY", "1").stdout(std::process::Stdio::piped());
    let finished = finish(command.stderr(std::process::Stdio::piped()).spawn().unwrap());
    assert_eq!(finished.status, Some(2));
    assert!(finished.error.contains("intermediate format"), "{finished:?}");
    // Wrappers set it to an empty value.
    let mut command = tempora(&["verifyta", &model]);
    command.env("UPPAAL_COMPILE_ONLY", "").stdout(std::process::Stdio::piped());
    assert_eq!(finish(command.stderr(std::process::Stdio::piped()).spawn().unwrap()).status, Some(0));
}

#[test]
fn wrappers_recognise_help_and_version() {
    let help = run(&["verifyta", "-h"]);
    assert_eq!(help.status, Some(0));
    assert!(
        help.output.contains("Usage: verifyta [OPTION]... MODEL QUERY")
            && help.output.contains("-h [ --help ]")
    );
    let version = run(&["verifyta", "-v"]);
    assert!(version.output.starts_with("tempora ") && version.output.contains("UPPAAL"));
}
