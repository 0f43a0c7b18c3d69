//! The thread of a job.
//!
//! Invariant: the caller receives every event of a job before its outcome, in the order in which they happened.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use tempora_evidence::{Budget, Progress, Statistics, System};
use tempora_report::Source;
use tempora_source::{Diagnostic, Files, Origins};

use super::{Event, Job, Limits, ModelRequest, Refused, Reported};
use crate::asked::Asked;
use crate::codes::{JOB_FAILED, NO_NETWORK};
use crate::loading::Loaded;
use crate::session::{OpenOptions, Session};

/// Models are trees, and so are most computations on them: up to a thousand levels deep.
const STACK_BYTES: usize = 256 << 20;

/// The time between two reports of progress.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// Events that wait for the caller; then the job waits for it too, so that they do not fill the memory.
const MOST_WAITING_EVENTS: usize = 16;

/// The progress of a job.
#[derive(Clone, Copy, Debug)]
pub struct ProgressReport {
    /// The time since the start of the job.
    pub elapsed: Duration,
    /// Counts of all engines so far.
    pub statistics: Statistics,
    /// States that wait to be explored.
    pub waiting: u64,
    /// The memory of the whole program, if it can be measured.
    pub used_bytes: Option<u64>,
}

/// The surroundings of a job while it runs.
pub struct JobContext<'job> {
    /// The session that runs it.
    pub session: Session<'job>,
    /// Its limits.
    pub budget: Budget,
    /// Its counters.
    pub progress: &'job Progress,
    events: SyncSender<Event>,
}

impl Session<'_> {
    /// Does a job on a thread of its own, and hands its events to `on_event` on this one. The job stops when `cancelled` is set.
    pub fn run<J: Job>(
        self,
        job: J,
        limits: Limits,
        cancelled: Arc<AtomicBool>,
        on_event: &mut dyn FnMut(Event),
    ) -> Result<J::Outcome, Refused> {
        let start = Instant::now();
        let budget = limits.budget(cancelled);
        let progress = Progress::new();
        let (events, received) = sync_channel(MOST_WAITING_EVENTS);
        std::thread::scope(|scope| {
            let context = JobContext { session: self, budget, progress: &progress, events };
            let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
            let worker = thread
                .spawn_scoped(scope, move || job.run(&context))
                .map_err(|error| failed(&format!("its thread cannot be started: {error}")))?;
            deliver(&received, &progress, start, on_event);
            // A thread that panicked has said why on standard error.
            worker.join().unwrap_or_else(|_| Err(failed("a defect of this program")))
        })
    }
}

/// Hands events over until the job is done.
fn deliver(received: &Receiver<Event>, progress: &Progress, start: Instant, on_event: &mut dyn FnMut(Event)) {
    let mut reported = start;
    loop {
        let next = received.recv_timeout(PROGRESS_INTERVAL.saturating_sub(reported.elapsed()));
        match next {
            Ok(event) => on_event(event),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        if reported.elapsed() >= PROGRESS_INTERVAL {
            reported = Instant::now();
            on_event(Event::Progress(ProgressReport {
                elapsed: start.elapsed(),
                statistics: progress.snapshot(),
                waiting: progress.waiting(),
                used_bytes: Budget::used_bytes(),
            }));
        }
    }
}

fn failed(why: &str) -> Refused {
    let message = format!("the job ended without a result: {why}");
    Diagnostic::error(&JOB_FAILED, message).with_hint("please report it, with the model").into()
}

impl Limits {
    fn budget(self, cancelled: Arc<AtomicBool>) -> Budget {
        let mut budget = Budget::unlimited().with_cancellation(cancelled);
        if let Some(timeout) = self.timeout {
            budget = budget.with_timeout(timeout);
        }
        if let Some(bytes) = self.memory_bytes {
            budget = budget.with_memory_bytes(bytes);
        }
        if let Some(states) = self.max_states {
            budget = budget.with_max_states(states);
        }
        budget
    }
}

impl JobContext<'_> {
    /// Sends an event to the caller.
    pub fn send(&self, event: Event) {
        // The caller waits for events until the job ends, so that one that does not arrive is of no use to anybody.
        let _ = self.events.send(event);
    }

    /// Where events go, for code that outlives a borrow of the context.
    pub(super) fn sender(&self) -> SyncSender<Event> {
        self.events.clone()
    }

    /// Opens a model, as far as it can be understood.
    pub(super) fn open(&self, model: &ModelRequest) -> Result<Loaded, Refused> {
        let options =
            OpenOptions { language: model.language.as_deref(), property: model.property.as_deref() };
        Ok(self.session.open(&model.path, options)?)
    }

    /// Opens a model that has no errors; its warnings are an event.
    pub(super) fn open_system(&self, model: &ModelRequest) -> Result<Loaded, Refused> {
        let loaded = self.open(model)?;
        if loaded.system.is_none() {
            return Err(Refused::about(&loaded.files, loaded.diagnostics));
        }
        self.report(&loaded.files, loaded.diagnostics.as_slice());
        Ok(loaded)
    }

    /// Opens a network that has no errors; its warnings are an event.
    pub(super) fn open_network(&self, model: &ModelRequest) -> Result<Loaded, Refused> {
        let loaded = self.open_system(model)?;
        match no_network(&loaded) {
            Some(diagnostic) => Err(Refused::about(&loaded.files, [diagnostic])),
            None => Ok(loaded),
        }
    }

    /// Sends diagnostics to the caller, if there are any.
    pub(super) fn report(&self, files: &Arc<Files>, diagnostics: &[Diagnostic]) {
        if !diagnostics.is_empty() {
            let (files, diagnostics) = (Arc::clone(files), diagnostics.to_vec());
            self.send(Event::Reported(Reported { files, diagnostics }));
        }
    }

    /// A query, task or proof that was read, unless it has errors; warnings about it are an event.
    pub(super) fn accepted<T>(&self, asked: Asked<T>) -> Result<Accepted<T>, Refused> {
        let Asked { files, origins, value, mut diagnostics } = asked;
        diagnostics.sort(&files);
        match value {
            Some(value) if !diagnostics.has_errors() => {
                self.report(&files, diagnostics.as_slice());
                Ok(Accepted { value, files, origins })
            }
            _ => Err(Refused::about(&files, diagnostics)),
        }
    }
}

/// A query, task or proof without errors, with the texts and origins that it refers to.
pub(super) struct Accepted<T> {
    pub(super) value: T,
    pub(super) files: Arc<Files>,
    pub(super) origins: Arc<Origins>,
}

impl<T> Accepted<T> {
    /// Its texts and origins.
    pub(super) fn source(&self) -> Source<'_> {
        Source { files: &self.files, origins: &self.origins }
    }
}

/// The refusal of a model that is not written as a network, where one is needed; `None` for a network or a model with errors.
pub(super) fn no_network(loaded: &Loaded) -> Option<Diagnostic> {
    let message = match (&loaded.lowered, &loaded.system) {
        (Some(_), _) => "this model is checked as another system, and the command is for networks",
        (None, Some(System::Symbolic(_))) => "this is a symbolic system, and the command is for networks",
        (None, _) => return None,
    };
    let diagnostic = Diagnostic::error(&NO_NETWORK, message);
    Some(diagnostic.with_hint("symbolic systems can be checked and inspected"))
}
