//! A toy language defined outside the front ends: nested boxes, like small statecharts.
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
//! Exactly one box is active on each level of an active box: the first one initially and after the enclosing box is
//! entered. A transition leaves a box with everything in it and enters another. `never` states that a box is not active
//! in any state; `both` states that each of two boxes is active in some state, which needs one task for each of them.
//!
//! Invariant: the session knows the language only through [`language::BOXES`].

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

/// The languages of the workbench and this one, which this line registers.
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
fn answers_queries_with_one_and_two_tasks() {
    let outcome = check(&[]);
    assert_eq!(outcome.conclusion, Conclusion::Violated);
    assert_eq!(
        verdicts(&outcome.answers),
        [
            ("never Moving", VerdictWord::Violated, AssuranceWord::Replayed),
            ("both Moving Open", VerdictWord::Satisfied, AssuranceWord::Replayed),
            // A run cannot show that a box is never active.
            ("both Moving Stuck", VerdictWord::Violated, AssuranceWord::Unchecked),
        ]
    );
    assert_eq!(verdicts(&check(&["never Stuck"]).answers)[0].1, VerdictWord::Satisfied);
}

#[test]
fn run_has_places_in_original_text() {
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
    // The second move is in the imported file.
    assert_eq!(
        moves,
        [("Cabin.Waiting", "Door.Closed", "m/lift.box", 6), ("Door.Closed", "Door.Open", "m/door.box", 6)]
    );
    let shown = text::steps(run);
    assert!(shown.contains("Cabin.Waiting") && shown.contains("m/door.box:6"), "{shown}");
}

#[test]
fn writes_runs_of_lowered_model() {
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
fn symbols_parts_and_diagrams_match_text() {
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
fn errors_have_places() {
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
fn refuses_requests_for_networks_only() {
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

/// With a defective lowering, whose runs are not runs of the model, the verdict is withdrawn.
#[test]
fn withdraws_verdict_with_refused_run() {
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
