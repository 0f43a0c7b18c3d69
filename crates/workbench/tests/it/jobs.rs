//! Jobs: owned data, events before the outcome, a budget that starts before the first byte, a large stack.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tempora_evidence::Exhausted;
use tempora_report::VerdictWord;
use tempora_workbench::jobs::{
    CheckOutcome, CheckRequest, Conclusion, ConvertRequest, DrawRequest, Event, InspectRequest, Job, Limits,
    LintRequest, ModelRequest, ParseQueryRequest, Refused, RelateRequest, VerifyRequest, VerifytaRequest,
};
use tempora_workbench::{Memory, Session, Workspace};

const MODEL: &str = "
int[0, 9] n = 0;
process P {
    init location A;
    A -> A { guard n < 9; do n = n + 1; }
}
system P;
query E<> n == 9;
query A[] n < 9;
query E<> n == 5;
";

fn memory(text: &str) -> Memory {
    let memory = Memory::default();
    memory.write("model.net", text.as_bytes()).unwrap();
    memory
}

fn model() -> ModelRequest {
    ModelRequest { path: "model.net".to_owned(), ..ModelRequest::default() }
}

fn check(
    workspace: &dyn Workspace,
    request: CheckRequest,
    cancelled: &Arc<AtomicBool>,
) -> (Result<CheckOutcome, Refused>, Vec<Event>) {
    let mut events = Vec::new();
    let outcome =
        Session::new(workspace)
            .run(request, Limits::default(), Arc::clone(cancelled), &mut |event| events.push(event));
    (outcome, events)
}

#[test]
fn requests_events_and_outcomes_own_their_data() {
    fn is_job<J: Job>() {}
    fn is_owned<T: Send + 'static>() {}
    is_job::<CheckRequest>();
    is_job::<ConvertRequest>();
    is_job::<DrawRequest>();
    is_job::<InspectRequest>();
    is_job::<LintRequest>();
    is_job::<ParseQueryRequest>();
    is_job::<RelateRequest>();
    is_job::<VerifyRequest>();
    is_job::<VerifytaRequest>();
    is_owned::<Event>();
    is_owned::<Refused>();
}

#[test]
fn answers_are_events_before_outcome() {
    let request = CheckRequest { model: model(), ..CheckRequest::default() };
    let (outcome, events) = check(&memory(MODEL), request, &Arc::default());
    let outcome = outcome.unwrap();
    assert_eq!(outcome.conclusion, Conclusion::Violated);
    let mut answered: Vec<_> = events
        .into_iter()
        .filter_map(|event| match event {
            Event::Answered(number, answer) => Some((number, *answer)),
            _ => None,
        })
        .collect();
    answered.sort_by_key(|(number, _)| *number);
    let (numbers, answers): (Vec<usize>, Vec<_>) = answered.into_iter().unzip();
    assert_eq!((numbers, answers), (vec![0, 1, 2], outcome.answers));
}

#[test]
fn warnings_are_events_and_errors_refusals() {
    let request = CheckRequest {
        model: model(),
        queries: vec!["E<> n == 1".to_owned(), "E<> m == 1".to_owned()],
        ..CheckRequest::default()
    };
    let (outcome, _) = check(&memory(MODEL), request, &Arc::default());
    let refused = outcome.unwrap_err();
    let messages: Vec<&str> =
        refused.reported.diagnostics.iter().map(|diagnostic| diagnostic.message.as_str()).collect();
    assert!(messages.iter().any(|message| message.contains("`m`")), "{messages:?}");
}

const SPECIFICATIONS: &str = "
broadcast chan o, p;
process I { clock x; init location L { invariant x <= 3; } L -> L { guard false; sync o!; } }
process P { init location L; L -> L { sync o!; } }
process T { init location L, M; L -> L { sync p!; } L -> M { sync p!; } }
system P;
";

/// Returns the outcome of queries about specifications, and the messages sent as events.
fn asked(queries: &[&str]) -> (Result<CheckOutcome, Refused>, Vec<String>) {
    let queries = queries.iter().map(|&query| query.to_owned()).collect();
    let request = CheckRequest { model: model(), queries, ..CheckRequest::default() };
    let (outcome, events) = check(&memory(SPECIFICATIONS), request, &Arc::default());
    let mut messages = Vec::new();
    for event in events {
        if let Event::Reported(reported) = event {
            messages.extend(reported.diagnostics.into_iter().map(|diagnostic| diagnostic.message));
        }
    }
    (outcome, messages)
}

#[test]
fn misfit_of_one_query_leaves_the_others() {
    let (outcome, messages) = asked(&["consistency: P || P", "consistency: P", "consistency: P \\\\ T"]);
    let outcome = outcome.unwrap();
    assert_eq!(outcome.conclusion, Conclusion::Erroneous);
    let verdicts: Vec<VerdictWord> = outcome.answers.iter().map(|answer| answer.verdict).collect();
    assert_eq!(verdicts, [VerdictWord::Unknown, VerdictWord::Satisfied, VerdictWord::Unknown]);
    assert_eq!(messages.len(), 2, "{messages:?}");
    // If no query can be asked, there is no outcome.
    let (outcome, _) = asked(&["consistency: P || P", "consistency: P \\\\ T"]);
    assert_eq!(outcome.unwrap_err().reported.diagnostics.len(), 2);
}

#[test]
fn quotients_of_inconsistent_operands_are_answered() {
    let (outcome, messages) = asked(&[
        "consistency: P \\\\ I",
        "consistency: I \\\\ P",
        "refinement: I <= P",
        "refinement: P <= I",
    ]);
    let verdicts: Vec<VerdictWord> = outcome.unwrap().answers.iter().map(|answer| answer.verdict).collect();
    let (satisfied, violated) = (VerdictWord::Satisfied, VerdictWord::Violated);
    assert_eq!(verdicts, [satisfied, violated, satisfied, violated]);
    assert_eq!(messages, Vec::<String>::new());
}

/// A workspace that is interrupted during a read, as by Ctrl-C.
struct Interrupted(Memory, Arc<AtomicBool>);

/// A workspace with a defect.
struct Defective(Memory);

macro_rules! workspace {
    ($name:ident, $read:expr) => {
        impl Workspace for $name {
            fn read(&self, path: &str) -> io::Result<Vec<u8>> {
                let read: fn(&$name) = $read;
                read(self);
                self.0.read(path)
            }

            fn is_file(&self, path: &str) -> bool {
                self.0.is_file(path)
            }

            fn is_folder(&self, path: &str) -> bool {
                self.0.is_folder(path)
            }

            fn list(&self, folder: &str) -> io::Result<Vec<String>> {
                self.0.list(folder)
            }

            fn resolve(&self, file: &str, import: &str) -> io::Result<String> {
                self.0.resolve(file, import)
            }

            fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
                self.0.write(path, bytes)
            }

            fn create_folder(&self, path: &str) -> io::Result<()> {
                self.0.create_folder(path)
            }
        }
    };
}

workspace!(Interrupted, |own| own.1.store(true, Ordering::Relaxed));
workspace!(Defective, |_| panic!("a defect of the workspace, which the test expects"));

#[test]
fn budget_starts_before_first_byte() {
    let request =
        CheckRequest { model: model(), queries: vec!["A[] n < 10".to_owned()], ..CheckRequest::default() };
    let cancelled = Arc::new(AtomicBool::new(false));
    let workspace = Interrupted(memory(MODEL), Arc::clone(&cancelled));
    let (outcome, _) = check(&workspace, request, &cancelled);
    let refused = outcome.unwrap_err();
    assert_eq!(refused.limit, Some(Exhausted::Cancelled));
    let codes: Vec<_> = refused.reported.diagnostics.iter().map(|found| found.code.name()).collect();
    assert_eq!(codes, ["limit-reached"]);
}

#[test]
fn panic_of_job_is_reported_as_error() {
    let request = CheckRequest { model: model(), ..CheckRequest::default() };
    let (outcome, _) = check(&Defective(memory(MODEL)), request, &Arc::default());
    let codes: Vec<_> =
        outcome.unwrap_err().reported.diagnostics.iter().map(|found| found.code.name()).collect();
    assert_eq!(codes, ["job-failed"]);
}

#[test]
fn deep_models_have_large_stack() {
    let deep = format!("E<> {}(n == 9)", "!".repeat(900));
    let request = CheckRequest { model: model(), queries: vec![deep], ..CheckRequest::default() };
    let (outcome, _) = check(&memory(MODEL), request, &Arc::default());
    assert_eq!(outcome.unwrap().conclusion, Conclusion::Satisfied);
}
