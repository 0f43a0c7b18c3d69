//! Every output, with a write that fails or stops at the n-th step: the old file or the new one remains.

use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use tempora_draw::Theme;
use tempora_report::formats::RUN_FORMATS;
use tempora_workbench::jobs::{
    CheckRequest, ConvertRequest, DrawRequest, Event, Job, Limits, ModelRequest, Output, VerifytaRequest,
    VerifytaRun,
};
use tempora_workbench::{DiskWith, ProtectedInputs, RunPreference, Session, SystemSteps, WriteSteps};

/// What happens at the chosen step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    /// The step fails, a write in the middle of the file, as on a full disk.
    Fails,
    /// The program ends there: no further step has an effect.
    Stops,
}

/// The steps of writes, with a fault at one of them. Removals are not counted.
struct FaultySteps {
    fault: Fault,
    at: usize,
    count: AtomicUsize,
}

impl FaultySteps {
    /// Counts a step; returns whether it has the fault, or comes after the end of the program.
    fn is_faulty(&self) -> bool {
        let number = self.count.fetch_add(1, Ordering::Relaxed) + 1;
        number == self.at || self.is_over(number)
    }

    fn is_over(&self, number: usize) -> bool {
        self.fault == Fault::Stops && number > self.at
    }

    fn error() -> io::Error {
        io::Error::other("a fault, which the test expects")
    }
}

impl WriteSteps for FaultySteps {
    fn write_new(&self, path: &Path, bytes: &[u8], replaced: Option<&Metadata>) -> io::Result<()> {
        if !self.is_faulty() {
            return SystemSteps.write_new(path, bytes, replaced);
        }
        if !self.is_over(self.count.load(Ordering::Relaxed)) {
            SystemSteps.write_new(path, &bytes[..bytes.len() / 2], replaced)?;
        }
        Err(FaultySteps::error())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        if self.is_faulty() { Err(FaultySteps::error()) } else { SystemSteps.rename(from, to) }
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        match self.fault {
            Fault::Stops if self.count.load(Ordering::Relaxed) >= self.at => Err(FaultySteps::error()),
            _ => SystemSteps.remove(path),
        }
    }
}

const DOOR: &str = "clock x; process P { init location A; location B { invariant x <= 5; }
    A -> B { guard x >= 2; } B -> A { do x = 0; } }
    query E<> P.B;
    query A[] x >= 0;";

const SPECIFICATION: &str = "broadcast chan a; process S { init location A; A -> A { sync a!; } }
    query get-component: S save-as Kept;";

const COUNTER: &str =
    "var x : integer = 0 trans { assume x < 3; x := x + 1; } init {} env {} prop { x <= 5 }";

/// The files that a command may leave, by their paths.
type Files = Vec<(PathBuf, Vec<u8>)>;

/// Returns all files of a folder and its folders, sorted.
fn files(folder: &Path) -> Files {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            let content = std::fs::read(&path).unwrap();
            found.push((path, content));
        }
    }
    found.sort();
    found
}

/// Runs a job in a folder and saves its outputs up to the first fault, as the command line does. Returns the number of
/// steps.
fn run<J: Job>(
    folder: &Path,
    job: J,
    outputs: fn(J::Outcome, &Path) -> Vec<Output>,
    fault: Fault,
    at: usize,
) -> usize {
    let steps = FaultySteps { fault, at, count: AtomicUsize::new(0) };
    let workspace = ProtectedInputs::new(DiskWith { root: None, steps });
    let session = Session::new(&workspace);
    let made = Mutex::new(Ok(()));
    let outcome =
        session.run(job, Limits::default(), tempora_evidence::Cancellation::default(), &mut |event| {
            if let Event::Made(output) = event {
                let mut made = made.lock().unwrap();
                if made.is_ok() {
                    *made = session.save(&output).map(|_| ());
                }
            }
        });
    let outcome = outcome.unwrap_or_else(|refused| panic!("{:?}", refused.reported.diagnostics));
    let mut saved = made.into_inner().unwrap();
    for output in outputs(outcome, folder) {
        if saved.is_ok() {
            saved = session.save(&output).map(|_| ());
        }
    }
    let count = workspace.into_inner().steps.count.into_inner();
    assert_eq!(saved.is_ok(), at == 0 || at > count, "{saved:?}");
    count
}

/// Runs a job without a fault and with each fault at each step.
fn check_all_steps<J: Job + Clone>(
    name: &str,
    job: impl Fn(&Path) -> J,
    outputs: fn(J::Outcome, &Path) -> Vec<Output>,
) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("write-steps").join(name);
    let reset = |others: &[PathBuf]| {
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        for (file, text) in [("m.net", DOOR), ("s.net", SPECIFICATION), ("c.xsts", COUNTER)] {
            std::fs::write(folder.join(file), text).unwrap();
        }
        for other in others {
            std::fs::write(other, "old").unwrap();
        }
    };
    reset(&[]);
    let steps = run(&folder, job(&folder), outputs, Fault::Fails, 0);
    let inputs = 3;
    let new = files(&folder);
    assert!(steps >= 2 && new.len() > inputs, "{name}: {steps} steps, {} files", new.len());
    // Files beside each other are replaced; those of a new folder cannot be there before.
    let is_output =
        |path: &Path| !["m.net", "s.net", "c.xsts"].contains(&path.file_name().unwrap().to_str().unwrap());
    let replaced: Vec<PathBuf> = new
        .iter()
        .map(|(path, _)| path.clone())
        .filter(|path| is_output(path) && path.parent() == Some(&folder))
        .collect();
    for replaced in [Vec::new(), replaced] {
        for fault in [Fault::Fails, Fault::Stops] {
            for at in 1..=steps {
                reset(&replaced);
                run(&folder, job(&folder), outputs, fault, at);
                let mut temporary = 0;
                for (path, content) in files(&folder) {
                    let about = format!("{name}, {fault:?} at step {at}: {}", path.display());
                    if path.file_name().unwrap().to_str().unwrap().starts_with(".tempora-") {
                        temporary += 1;
                        continue;
                    }
                    let whole = new.iter().find(|(known, _)| *known == path);
                    // The end of a file is added to the old one.
                    let is_new = whole.is_some_and(|(_, new)| {
                        *new == content || [b"old", new.as_slice()].concat() == content
                    });
                    let is_old = replaced.contains(&path) && content == b"old";
                    assert!(is_new || is_old, "{about}");
                    assert!(!content.is_empty(), "{about}");
                }
                let allowed = usize::from(fault == Fault::Stops);
                assert!(temporary <= allowed, "{name}, {fault:?} at step {at}: {temporary} temporary files");
                assert!(replaced.iter().all(|path| path.is_file()), "{name}, {fault:?} at step {at}");
            }
        }
    }
}

fn model(folder: &Path, file: &str) -> ModelRequest {
    ModelRequest { path: path(folder, file), ..ModelRequest::default() }
}

fn path(folder: &Path, file: &str) -> String {
    folder.join(file).to_str().unwrap().to_owned()
}

#[test]
fn runs_and_certificates_survive_faults() {
    let request = |folder: &Path| CheckRequest {
        model: model(folder, "m.net"),
        run_prefix: Some(path(folder, "run")),
        run_formats: RUN_FORMATS
            .iter()
            .copied()
            .filter(|format| format.takes(tempora_evidence::SystemKind::Network))
            .collect(),
        certificates: Some(path(folder, "certificate.json")),
        ..CheckRequest::default()
    };
    check_all_steps("runs", request, |outcome, _| outcome.outputs);
}

#[test]
fn components_survive_faults() {
    for target in ["kept.net", "kept.xml", "kept/"] {
        let request = move |folder: &Path| CheckRequest {
            model: model(folder, "s.net"),
            components: Some(path(folder, target)),
            ..CheckRequest::default()
        };
        check_all_steps(&format!("components-{}", target.trim_end_matches('/')), request, |outcome, _| {
            outcome.outputs
        });
    }
}

#[test]
fn solver_texts_survive_faults() {
    let request = |folder: &Path| CheckRequest {
        model: model(folder, "c.xsts"),
        engine: "kinduction".to_owned(),
        options: vec![("dump-smt".to_owned(), path(folder, "dump.smt2"))],
        ..CheckRequest::default()
    };
    check_all_steps("dump", request, |outcome, _| outcome.outputs);
}

#[test]
fn abstract_graphs_survive_faults() {
    let request = |folder: &Path| CheckRequest {
        model: model(folder, "c.xsts"),
        engine: "cegar".to_owned(),
        options: vec![("save-arg".to_owned(), path(folder, "graph"))],
        ..CheckRequest::default()
    };
    check_all_steps("graphs", request, |outcome, _| outcome.outputs);
}

#[test]
fn converted_models_survive_faults() {
    for (source, target) in
        [("m.net", "m.xml"), ("m.net", "m.tck"), ("s.net", "project/"), ("c.xsts", "c.sym")]
    {
        let request = move |folder: &Path| ConvertRequest {
            model: model(folder, source),
            path: path(folder, target),
            language: target.ends_with('/').then(|| "ecdar".to_owned()),
        };
        check_all_steps(&format!("convert-{}", target.trim_end_matches('/')), request, |outcome, _| {
            vec![outcome.output]
        });
    }
}

#[test]
fn pictures_survive_faults() {
    let request = |folder: &Path| DrawRequest {
        model: model(folder, "m.net"),
        templates: Vec::new(),
        theme: Theme::Light,
        run: None,
        comments: false,
    };
    check_all_steps("draw", request, |outcome, folder| {
        vec![Output::file(path(folder, "m.svg"), outcome.svg, "")]
    });
}

#[test]
fn runs_of_verifyta_survive_faults() {
    let request = |folder: &Path| VerifytaRequest {
        model: model(folder, "m.net"),
        search: tempora_workbench::jobs::SearchChoice::Bfs,
        seed: 0,
        trace: Some(RunPreference::Any),
        trace_prefix: Some(path(folder, "run")),
    };
    check_all_steps("verifyta", request, |outcome, _| {
        let runs = outcome.answers.into_iter().filter_map(|answer| match answer.run? {
            VerifytaRun::Saved(output) => Some(output),
            VerifytaRun::Shown { .. } => None,
        });
        runs.collect()
    });
}
