//! A toy language that is defined outside of the front ends: nested boxes, as small statecharts.
//!
//! ```text
//! box Cabin {
//!     box Waiting
//!     box Moving
//! }
//! Waiting -> Moving
//! query never Moving
//! query both Waiting Moving
//! import "door.box"
//! ```
//!
//! Exactly one box is active on each level of an active box; the first one is active at the start, and when the box around it is
//! entered. A transition leaves a box with everything in it and enters another. `never` says that a box is not active in any state;
//! `both`, that each of two boxes is active in some state, which takes a task for each of them.
//!
//! Invariant: [`language::BOXES`] is the only thing that the session is told about the language.

mod document;
mod interpreter;
mod language;
mod lowering;

use std::sync::Arc;

use tempora_draw::Theme;
use tempora_frontends::{DiagramKind, Language, PartEdit, PartId};
use tempora_report::formats::{RUN_FORMATS, text};
use tempora_report::{AssuranceWord, LocatedAnswer, VerdictWord};
use tempora_source::Id;
use tempora_workbench::jobs::{
    CheckOutcome, CheckRequest, Conclusion, DrawRequest, InspectRequest, Job, Limits, LintRequest,
    ModelRequest, OutputContent, Refused, SearchChoice,
};
use tempora_workbench::{LANGUAGES, Memory, OpenOptions, Session, Workspace};

use language::BOXES;

/// The languages of the workbench and this one: the one line that registers it.
static LANGUAGES_WITH_BOXES: &[&Language] = &[&BOXES, LANGUAGES[0]];

const LIFT: &str = "box Cabin {
    box Waiting
    box Moving
}
Waiting -> Moving
Cabin -> Door
query never Moving
query both Moving Open
query both Moving Stuck
import \"door.box\"
";

const DOOR: &str = "box Door {
    box Closed
    box Open
}
box Stuck
Closed -> Open
Door -> Cabin
";

fn workspace() -> Memory {
    Memory::new([
        ("m/lift.box", LIFT.as_bytes()),
        ("m/door.box", DOOR.as_bytes()),
        ("m/unknown.box", b"box A\nA -> B\n".as_slice()),
        ("m/outside.box", b"import \"../secret.box\"\nbox A\n".as_slice()),
    ])
}

fn perform<J: Job>(job: J) -> Result<J::Outcome, Refused> {
    let memory = workspace();
    let session = Session::new(&memory).with_languages(LANGUAGES_WITH_BOXES);
    session.run(job, Limits::default(), Arc::default(), &mut |_| {})
}

fn model(path: &str) -> ModelRequest {
    ModelRequest { path: path.to_owned(), ..ModelRequest::default() }
}

fn check(queries: &[&str]) -> CheckOutcome {
    let queries = queries.iter().map(|query| (*query).to_owned()).collect();
    perform(CheckRequest { model: model("m/lift.box"), queries, ..CheckRequest::default() }).unwrap()
}

fn verdicts(answers: &[LocatedAnswer]) -> Vec<(&str, VerdictWord, AssuranceWord)> {
    answers.iter().map(|answer| (answer.query.as_str(), answer.verdict, answer.assurance)).collect()
}

#[test]
fn own_queries_are_answered_by_one_and_two_tasks() {
    let outcome = check(&[]);
    assert_eq!(outcome.conclusion, Conclusion::Violated);
    assert_eq!(
        verdicts(&outcome.answers),
        [
            ("never Moving", VerdictWord::Violated, AssuranceWord::Replayed),
            ("both Moving Open", VerdictWord::Satisfied, AssuranceWord::Replayed),
            // No run shows that a box is never active.
            ("both Moving Stuck", VerdictWord::Violated, AssuranceWord::Unchecked),
        ]
    );
    assert_eq!(verdicts(&check(&["never Stuck"]).answers)[0].1, VerdictWord::Satisfied);
}

#[test]
fn run_is_located_in_the_text_of_the_language() {
    let outcome = check(&["never Open"]);
    let [answer] = outcome.answers.as_slice() else { panic!("{outcome:?}") };
    let run = answer.run.as_ref().unwrap();
    let moves: Vec<_> = run
        .steps
        .iter()
        .flat_map(|step| &step.moves)
        .map(|one| {
            let place = one.place.as_ref().unwrap();
            (one.from.name.as_str(), one.to.name.as_str(), place.file.as_str(), place.line)
        })
        .collect();
    // The second move is written in the imported file.
    assert_eq!(
        moves,
        [("Cabin.Waiting", "Door.Closed", "m/lift.box", 6), ("Door.Closed", "Door.Open", "m/door.box", 6)]
    );
    let shown = text::steps(run);
    assert!(shown.contains("Cabin.Waiting") && shown.contains("m/door.box:6"), "{shown}");
}

#[test]
fn runs_are_written_in_the_formats_for_lowered_models() {
    let format = RUN_FORMATS.iter().find(|format| format.name == "itf").unwrap();
    let request = CheckRequest {
        model: model("m/lift.box"),
        queries: vec!["never Open".to_owned()],
        run_prefix: Some("run".to_owned()),
        run_formats: vec![format],
        ..CheckRequest::default()
    };
    let outputs = perform(request).unwrap().outputs;
    let OutputContent::File { path, bytes } = &outputs[0].content else { panic!("{outputs:?}") };
    assert_eq!(path, "run-1.itf.json");
    assert!(String::from_utf8_lossy(bytes).contains("Door.Open"));
}

#[test]
fn model_is_inspected_and_drawn() {
    let request = InspectRequest { model: model("m/lift.box"), queries: Vec::new(), ir: false };
    let document = perform(request).unwrap().document;
    assert_eq!(document.language, "boxes");
    let queries: Vec<&str> = document.queries.iter().map(|query| query.query.as_str()).collect();
    assert_eq!(queries, ["never Moving", "both Moving Open", "both Moving Stuck"]);
    let request = DrawRequest {
        model: model("m/lift.box"),
        templates: Vec::new(),
        theme: Theme::Light,
        run: None,
        comments: false,
    };
    let svg = perform(request).unwrap().svg;
    assert!(svg.contains("Waiting") && svg.contains("Stuck"), "{svg}");
}

#[test]
fn symbols_parts_and_diagrams_are_those_of_the_text() {
    let memory = workspace();
    let session = Session::new(&memory).with_languages(LANGUAGES_WITH_BOXES);
    let loaded = session.open("m/lift.box", OpenOptions::default()).unwrap();
    let document = loaded.document.as_ref().unwrap();
    let names: Vec<&str> = document.files().into_iter().map(|file| loaded.files.name(file)).collect();
    assert_eq!(names, ["m/lift.box", "m/door.box"]);
    let (id, symbol) = loaded.symbols.iter().find(|(_, symbol)| symbol.name == "Moving").unwrap();
    let lines: Vec<u32> =
        loaded.symbols.occurrences(id).into_iter().map(|span| loaded.files.locate(span).line).collect();
    assert_eq!((lines, symbol.uses.len()), (vec![3, 5, 7, 8, 9], 4));
    let diagrams = document.diagrams(&loaded.files);
    assert_eq!((diagrams[0].kind, diagrams[0].diagram.nodes.len()), (DiagramKind::Other("boxes"), 7));
    let part = (0..document.parts(&loaded.files).len())
        .map(PartId::from_index)
        .find(|id| document.parts(&loaded.files)[*id].text == "Closed -> Open")
        .unwrap();
    let edit = PartEdit { part, text: "Open -> Closed".to_owned() };
    let texts = document.with_edits(&loaded.files, &[edit]).unwrap();
    assert_eq!(texts[0].bytes, memory.read("m/lift.box").unwrap());
    assert_eq!(texts[1].bytes, DOOR.replace("Closed -> Open", "Open -> Closed").as_bytes());
}

#[test]
fn errors_have_their_places() {
    for (path, code, line) in [("m/unknown.box", "unknown-name", 2), ("m/outside.box", "unreadable-file", 1)]
    {
        let request = CheckRequest { model: model(path), ..CheckRequest::default() };
        let reported = perform(request).unwrap_err().reported;
        let problem = &reported.diagnostics[0];
        assert_eq!(problem.code.name(), code);
        assert_eq!(reported.files.locate(problem.primary_span().unwrap()).line, line);
    }
    let request = CheckRequest {
        model: model("m/lift.box"),
        queries: vec!["never Nowhere".to_owned()],
        ..CheckRequest::default()
    };
    assert!(perform(request).is_err());
}

#[test]
fn requests_that_only_networks_can_have_are_refused() {
    let codes = |refused: Refused| -> Vec<&str> {
        refused.reported.diagnostics.iter().map(|diagnostic| diagnostic.code.name()).collect()
    };
    let check = CheckRequest { model: model("m/lift.box"), ..CheckRequest::default() };
    let proof = CheckRequest { proof: Some("m/lift.box".to_owned()), ..check.clone() };
    assert_eq!(codes(perform(proof).unwrap_err()), ["no-network"]);
    let components = CheckRequest { components: Some("c.net".to_owned()), ..check.clone() };
    assert_eq!(codes(perform(components).unwrap_err()), ["misplaced-option"]);
    let graphs = CheckRequest { options: vec![("save-arg".to_owned(), "arg".to_owned())], ..check };
    assert!(perform(graphs).unwrap().graphs.is_some(), "graphs are silently left out");
    let lint = LintRequest {
        model: model("m/lift.box"),
        only: Vec::new(),
        skip: Vec::new(),
        fail_on: None,
        search: SearchChoice::Auto,
        seed: 0,
        ends_with_first: false,
        runs: false,
        scenes: false,
    };
    assert_eq!(codes(perform(lint).unwrap_err()), ["no-network"]);
}

/// A lowering with a defect: its runs are no runs of the model, so its verdict does not count.
#[test]
fn verdict_is_withdrawn_if_interpreter_refuses_its_run() {
    static DEFECTIVE: &[&Language] = &[&language::DEFECTIVE_BOXES];
    let memory = workspace();
    let session = Session::new(&memory).with_languages(DEFECTIVE);
    let request = CheckRequest {
        model: model("m/lift.box"),
        queries: vec!["never Stuck".to_owned()],
        ..CheckRequest::default()
    };
    let outcome = session.run(request, Limits::default(), Arc::default(), &mut |_| {}).unwrap();
    let [answer] = outcome.answers.as_slice() else { panic!("{outcome:?}") };
    assert_eq!(answer.verdict, VerdictWord::Unknown);
    assert!(answer.reason.as_ref().unwrap().contains("does not replay in the model"), "{answer:?}");
    assert!(answer.run.is_none());
}
