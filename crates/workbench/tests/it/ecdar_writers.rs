//! Models written as Ecdar projects and documents and parsed again are equivalent as specifications.
//!
//! All models of the cases, the guide and the examples are tried, and random networks. The output has no errors.
//! Answers to queries about specifications do not change, nor do components, unless a label has to be expressed in
//! another way. `CONVERSION_CASES` sets the number of networks.

#![allow(clippy::print_stdout, reason = "a test reports skipped models")]

use std::collections::BTreeSet;

use tempora_evidence::{Budget, Progress, Verdict};
use tempora_frontends::{Content, Writer, writer_named};
use tempora_model::{Query, QueryKind, print_network};
use tempora_oracle::random_networks::{Knobs, generate};
use tempora_source::{Colour, render_text};
use tempora_workbench::{CheckOptions, Loaded, check, load};

use crate::support::{models, read_back};

const MOST_STATES: u64 = 3_000;

#[test]
fn conversions_preserve_components() {
    let (mut written, mut same, mut answers) = ([0, 0], 0, 0);
    for (name, text) in models(|language| !language.is_symbolic()) {
        let loaded = load(&name, text.as_bytes());
        for (position, writer) in writers().into_iter().enumerate() {
            if let Some((is_same, count)) = round_trip(&loaded, writer, &name) {
                written[position] += 1;
                same += usize::from(is_same);
                answers += count;
            }
        }
    }
    println!("{written:?} models written, {same} of them to the letter, {answers} answers compared");
    assert!(
        written[0] > 100 && written[1] > 150 && same > 250 && answers > 20,
        "{written:?} {same} {answers}"
    );
}

#[test]
fn conversions_of_random_networks_preserve_components() {
    let cases: u64 = std::env::var("CONVERSION_CASES").map_or(150, |cases| cases.parse().unwrap());
    let plain = Knobs { has_priorities: false, has_copies: false, region_limit: 4000, ..Knobs::default() };
    let mut same = [0, 0];
    for seed in 0..cases {
        let random = generate(seed, &plain).unwrap();
        let loaded = load("random.net", random.text.as_bytes());
        for (position, writer) in writers().into_iter().enumerate() {
            if let Some((true, _)) = round_trip(&loaded, writer, &format!("seed {seed}")) {
                same[position] += 1;
            }
        }
    }
    println!("{same:?} of {cases} networks are the same to the letter");
    assert!(same.iter().all(|&count| count * 2 > cases), "{same:?}");
}

/// The drawing of a document is preserved by a conversion to a project and back, and vice versa.
#[test]
fn conversions_preserve_drawings() {
    let text = r##"<nta><declaration>broadcast chan a, b;</declaration>
<template><name>P</name><declaration>clock x;</declaration>
<location id="id0" x="100" y="136" color="#f44336"><name x="90" y="102">A</name></location>
<location id="id1" x="300" y="136"><name x="290" y="102">B</name><label kind="invariant" x="290" y="153">x &lt;= 5</label></location>
<init ref="id0"/>
<transition><source ref="id0"/><target ref="id1"/><label kind="guard" x="180" y="60">x &gt;= 1</label>
<label kind="synchronisation" x="220" y="60">a?</label><nail x="180" y="80"/><nail x="220" y="80"/></transition>
<transition controllable="false"><source ref="id1"/><target ref="id0"/><label kind="synchronisation" x="200" y="180">b!</label></transition>
</template>
<system>system P;
IO P { a?, b! }</system></nta>"##;
    let first = load("first.xml", text.as_bytes());
    let project = read_back(writer_named("ecdar").unwrap(), &written(&first, "ecdar"));
    let layout = &project.project().unwrap().layouts[0];
    let place = |number: usize| layout.locations[number].place.map(|place| (place.x, place.y));
    assert_eq!((place(0), place(1)), (Some((100.0, 136.0)), Some((300.0, 136.0))));
    assert_eq!(layout.locations[0].colour.as_deref(), Some("#f44336"));
    let back = written(&project, "ecdar-xml").text();
    let kept = [
        r##"<location id="id0" x="100" y="136" color="#f44336">"##,
        r#"<label kind="invariant" x="290" y="153">"#,
        r#"<label kind="guard" x="180" y="60">"#,
        r#"<label kind="synchronisation" x="220" y="60">"#,
        r#"<nail x="180" y="80"/>"#,
        r#"<nail x="220" y="80"/>"#,
        r#"<label kind="synchronisation" x="200" y="180">"#,
        "IO P { a?, b! }",
    ];
    for part in kept {
        assert!(back.contains(part), "{part} is missing in\n{back}");
    }
    // Documents and projects are written back unchanged.
    assert_eq!(written(&first, "ecdar-xml").text(), text);
    let Content::Folder(files) = written(&project, "ecdar").content else { panic!("no folder") };
    let Content::Folder(before) = written(&first, "ecdar").content else { panic!("no folder") };
    assert_eq!(files, before);
}

#[test]
fn adds_missing_action_declarations() {
    let text = "<nta><declaration>broadcast chan a, b[2];</declaration><template><name>P</name>\
        <location id=\"id0\"/><init ref=\"id0\"/>\
        <transition><source ref=\"id0\"/><target ref=\"id0\"/><label kind=\"select\">i : int[0,1]</label>\
        <label kind=\"synchronisation\">b[i]!</label></transition>\
        <transition><source ref=\"id0\"/><target ref=\"id0\"/><label kind=\"synchronisation\">a?</label></transition>\
        </template><system>system P;</system></nta>";
    let back = written(&load("document.xml", text.as_bytes()), "ecdar-xml").text();
    assert_eq!(back, text.replace("system P;", "system P;\nIO P { a?, b[0]!, b[1]! }\n"));
    assert!(!load("again.xml", back.as_bytes()).diagnostics.has_errors());
}

/// The label `universal` allows every behaviour, and an output to `inconsistent` does not exist. Without the labels,
/// neither refinement would hold.
#[test]
fn labels_have_same_meaning_in_all_forms() {
    let text = "broadcast chan i, o, p;
process S {
    clock x;
    init location L;
    location U { labels universal; }
    location I { labels inconsistent; }
    L -> U { guard x <= 3; sync i?; }
    L -> L { sync o!; }
    L -> I { sync p!; }
}
process T {
    clock x;
    init location L;
    location M;
    L -> M { guard x <= 3; sync i?; }
    L -> L { sync o!; }
    M -> M { sync i?; }
    M -> M { sync o!; }
    M -> M { sync p!; }
}
process Stopped {
    init location I { labels inconsistent; }
    I -> I { sync i?; }
    I -> I { sync o!; }
}
system S, T, Stopped;
query { refinement: S <= T; refinement: T <= S; consistency: Stopped; }
";
    let loaded = load("labels.net", text.as_bytes());
    let found = answers(&loaded, &loaded.queries);
    let verdicts: Vec<&Verdict> = found.iter().map(|(_, verdict)| verdict).collect();
    assert_eq!(verdicts, [&Verdict::Holds, &Verdict::Holds, &Verdict::Fails]);
    for (writer, warnings) in writers().into_iter().zip([1, 3]) {
        let conversion = written(&loaded, writer.name);
        assert_eq!(conversion.warnings.len(), warnings, "{}", conversion.text());
        let again = read_back(writer, &conversion);
        assert_eq!(answers(&again, &again.queries), found, "{}", conversion.text());
    }
}

/// Named expressions become drawings of a project that queries still name; other expressions are written out.
#[test]
fn draws_named_expressions() {
    let text = "broadcast chan a, b, c;
process A { clock x; init location L { invariant x <= 9; } L -> L { sync a?; } L -> L { sync b!; do x = 0; } }
process B { init location L; L -> L { sync b?; } L -> L { sync c!; } }
process C { init location L; L -> L { sync a?; } L -> L { sync b!; } L -> L { sync c!; } }
system Both = A || B;
system Nested = Both && C;
system Divided = (C \\\\ A) && B;
system Weakened = B >> A;
system Kept = (Both : A[] A.x <= 5);
system A, B, C;
query { refinement: Both <= C; refinement: C <= Nested; consistency: Divided; refinement: B <= Weakened; refinement: Kept <= Both; }
";
    let loaded = load("named.net", text.as_bytes());
    assert!(!loaded.diagnostics.has_errors(), "{:?}", loaded.diagnostics.as_slice());
    let found = answers(&loaded, &loaded.queries);
    assert_eq!(found.len(), 5, "{found:?}");
    assert!(found.iter().any(|(_, verdict)| *verdict == Verdict::Fails), "{found:?}");
    let conversion = written(&loaded, "ecdar");
    let Content::Folder(files) = &conversion.content else { panic!("no folder") };
    let drawn = files.iter().filter_map(|file| file.path.strip_prefix("Systems/"));
    assert_eq!(drawn.collect::<Vec<_>>(), ["Both.json", "Divided.json", "Nested.json", "Weakened.json"]);
    let again = read_back(writer_named("ecdar").unwrap(), &conversion);
    assert!(again.diagnostics.is_empty(), "{:?}", again.diagnostics.as_slice());
    let texts: Vec<&str> = again.queries.iter().map(|query| query.text.as_str()).collect();
    let kept = "refinement: ((Both : A[] A.x <= 5)) <= Both";
    assert_eq!(
        texts,
        [
            "refinement: Both <= C",
            "refinement: C <= Nested",
            "consistency: Divided",
            "refinement: B <= Weakened",
            kept
        ]
    );
    let verdicts = |answers: &[(String, Verdict)]| -> Vec<Verdict> {
        answers.iter().map(|(_, verdict)| verdict.clone()).collect()
    };
    assert_eq!(verdicts(&answers(&again, &again.queries)), verdicts(&found));
}

fn writers() -> [&'static Writer; 2] {
    ["ecdar", "ecdar-xml"].map(|name| writer_named(name).unwrap())
}

fn written(loaded: &Loaded, name: &str) -> tempora_frontends::Conversion {
    writer_named(name).unwrap().write(&loaded.writable().unwrap()).unwrap()
}

/// Returns whether the components have the same text, and the number of compared answers; `None` if the writer refuses.
fn round_trip(loaded: &Loaded, writer: &Writer, name: &str) -> Option<(bool, usize)> {
    let network = loaded.network()?;
    let conversion = match writer.write(&loaded.writable().unwrap()) {
        Ok(conversion) => conversion,
        Err(problems) => {
            assert!(!problems.is_empty(), "{name}: refused without a reason");
            return None;
        }
    };
    let text = conversion.text();
    let again = read_back(writer, &conversion);
    let found = render_text(&again.files, again.diagnostics.as_slice(), Colour::Never);
    assert!(again.network().is_some(), "{name} as {}: {found}\n{text}", writer.name);
    let back = again.network()?;
    let is_exact = conversion.warnings.is_empty();
    let has_names = network
        .processes
        .values()
        .all(|process| process.locations.values().all(|location| location.name.is_some()));
    if is_exact && has_names {
        let (before, after) = (components(&print_network(network)), components(&print_network(back)));
        assert_eq!(before, after, "{name} as {}\n{text}", writer.name);
    }
    let (before, after) = (answers(loaded, &loaded.queries), answers(&again, &again.queries));
    // If named expressions cannot be drawn, queries contain the expressions.
    let verdicts = |answers: &[(String, Verdict)]| -> Vec<Verdict> {
        answers.iter().map(|(_, verdict)| verdict.clone()).collect()
    };
    assert_eq!(verdicts(&before), verdicts(&after), "{name} as {}\n{text}", writer.name);
    Some((is_exact && has_names, before.len()))
}

/// Returns the processes of a printed network, without interface lines, labels that only queries read, and the
/// controllability of edges, which follows from the action. In a project, edges without a channel have an unnamed one.
fn components(printed: &str) -> BTreeSet<String> {
    let printed = printed.replace("-u->", "->").replace("sync _none_!; ", "").replace(" { }", ";");
    let parts = printed.split("\nprocess ").skip(1);
    let inside = parts.filter_map(|part| part.split_once("\n}").map(|(inside, _)| inside));
    inside.map(|inside| inside.lines().map(without_labels).collect::<Vec<_>>().join("\n")).collect()
}

fn without_labels(line: &str) -> String {
    let Some((before, rest)) = line.split_once("labels ") else { return line.to_owned() };
    let behind = rest.split_once(';').unwrap().1;
    format!("{before}{}", behind.trim_start()).replace(" { }", ";")
}

fn answers(loaded: &Loaded, queries: &[Query]) -> Vec<(String, Verdict)> {
    let is_of_specifications = |query: &&Query| matches!(query.kind, QueryKind::Specification { .. });
    let queries: Vec<Query> = queries.iter().filter(is_of_specifications).cloned().collect();
    let task = loaded.task(queries).unwrap();
    let budget = Budget::unlimited().with_max_states(MOST_STATES);
    let found = check(&task, &CheckOptions::default(), &budget, &Progress::new());
    let verdicts = found.iter().map(|answer| answer.answer().verdict.clone());
    let named = task.queries.iter().map(|query| query.text.clone()).zip(verdicts);
    named.filter(|(_, verdict)| matches!(verdict, Verdict::Holds | Verdict::Fails)).collect()
}
