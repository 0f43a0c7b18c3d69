//! Runs a job on its own thread and delivers its events.
//!
//! Invariant: the caller receives all events in order, before the outcome. While the job runs, this thread measures its
//! budget, so that the job ends at its next checkpoint when a limit is reached.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use tempora_evidence::{Budget, Cancellation, Exhausted, Progress, Statistics, System};
use tempora_report::Source;
use tempora_source::{Diagnostic, Files, Origins};

use super::{Event, Job, Limits, ModelRequest, Refused, Reported};
use crate::codes::{JOB_FAILED, LIMIT_REACHED, NO_NETWORK};
use crate::loading::Loaded;
use crate::queries::Resolved;
use crate::session::{OpenOptions, Session};

/// Computations recurse over syntax trees, which may be a thousand levels deep.
const STACK_BYTES: usize = 256 << 20;

/// The time between two progress events.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

/// The time between two measurements of the budget.
const MEASURE_INTERVAL: Duration = Duration::from_millis(10);

/// The capacity of the event queue; a job blocks when it is full, which bounds the memory.
const MOST_WAITING_EVENTS: usize = 16;

/// The progress of a job.
#[derive(Clone, Copy, Debug)]
pub struct ProgressReport {
    /// The time since the start of the job.
    pub elapsed: Duration,
    /// The statistics of all engines so far.
    pub statistics: Statistics,
    /// The number of states that wait to be explored.
    pub waiting: u64,
    /// The memory of the whole program, if it can be measured.
    pub used_bytes: Option<u64>,
}

/// The context of a running job.
pub struct JobContext<'job> {
    /// The session that runs it.
    pub session: Session<'job>,
    /// Its limits.
    pub budget: Budget,
    /// Its counters.
    pub progress: &'job Progress,
    events: SyncSender<Event>,
    /// What the job does now, for the message if a limit is reached.
    activity: Cell<&'static str>,
}

impl Session<'_> {
    /// Runs a job on a new thread and passes its events to `on_event` on this one. A request to stop, or a flag,
    /// stops the job.
    pub fn run<J: Job>(
        self,
        job: J,
        limits: Limits,
        cancelled: impl Into<Cancellation>,
        on_event: &mut dyn FnMut(Event),
    ) -> Result<J::Outcome, Refused> {
        let start = Instant::now();
        let budget = limits.budget(cancelled.into());
        let progress = Progress::new();
        let measured = budget.clone();
        let (events, received) = sync_channel(MOST_WAITING_EVENTS);
        std::thread::scope(|scope| {
            let activity = Cell::new("the model was read");
            let context = JobContext { session: self, budget, progress: &progress, events, activity };
            let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
            let worker = thread
                .spawn_scoped(scope, move || {
                    let outcome = context.budget.interruptible(|| job.run(&context));
                    outcome.unwrap_or_else(|limit| Err(Refused::stopped(limit, context.activity.get())))
                })
                .map_err(|error| failed(&format!("its thread cannot be started: {error}")))?;
            deliver(&received, &measured, &progress, start, on_event);
            // A panic has already been reported on standard error.
            worker.join().unwrap_or_else(|_| Err(failed("a defect of this program")))
        })
    }
}

/// Delivers events and measures the budget until the job ends.
fn deliver(
    received: &Receiver<Event>,
    budget: &Budget,
    progress: &Progress,
    start: Instant,
    on_event: &mut dyn FnMut(Event),
) {
    let mut reported = start;
    loop {
        let next = received.recv_timeout(MEASURE_INTERVAL);
        budget.measure();
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
    Diagnostic::error(&JOB_FAILED, message).with_hint("report this error with the model").into()
}

impl Refused {
    /// Returns the error of a job that reached a limit before it had a result.
    pub(super) fn stopped(limit: Exhausted, activity: &str) -> Refused {
        let hint = match limit {
            Exhausted::Timeout => "raise `--timeout`",
            Exhausted::Memory => "raise `--memory`",
            Exhausted::StateLimit => "raise `--max-states`",
            Exhausted::Cancelled | Exhausted::Terminated | Exhausted::HungUp => {
                "run the command again to get a result"
            }
        };
        let message = format!("{} before {activity}", limit.describe());
        let refused = Refused::from(Diagnostic::error(&LIMIT_REACHED, message).with_hint(hint));
        Refused { limit: Some(limit), ..refused }
    }
}

impl Limits {
    fn budget(self, cancelled: Cancellation) -> Budget {
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
        // The caller receives events until the job ends; a later event can be dropped.
        let _ = self.events.send(event);
    }

    /// Returns the sender of events, for code that outlives a borrow of the context.
    pub(super) fn sender(&self) -> SyncSender<Event> {
        self.events.clone()
    }

    /// Opens a model, which may have errors.
    pub(super) fn open(&self, model: &ModelRequest) -> Result<Loaded, Refused> {
        let options =
            OpenOptions { language: model.language.as_deref(), property: model.property.as_deref() };
        let loaded = self.session.open(&model.path, options)?;
        self.activity.set("there was a result");
        Ok(loaded)
    }

    /// Opens a model without errors; its warnings are sent as an event.
    pub(super) fn open_system(&self, model: &ModelRequest) -> Result<Loaded, Refused> {
        let loaded = self.open(model)?;
        if loaded.system.is_none() {
            return Err(Refused::about(&loaded.files, loaded.diagnostics));
        }
        self.report(&loaded.files, loaded.diagnostics.as_slice());
        Ok(loaded)
    }

    /// Opens a network without errors; its warnings are sent as an event.
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

    /// Returns a parsed query, task or proof unless it has errors; its warnings are sent as an event.
    pub(super) fn accepted<T>(&self, asked: Resolved<T>) -> Result<Accepted<T>, Refused> {
        let Resolved { files, origins, value, mut diagnostics } = asked;
        diagnostics.sort(&files);
        match value {
            Some(value) if !diagnostics.has_errors() => {
                self.report(&files, diagnostics.as_slice());
                Ok(Accepted { value, files, origins })
            }
            _ => Err(Refused::about(&files, diagnostics)),
        }
    }

    /// Returns parsed queries unless none of them can be asked, and whether some have errors; all diagnostics are sent
    /// as an event.
    pub(super) fn accepted_in_part<T>(&self, asked: Resolved<T>) -> Result<(Accepted<T>, bool), Refused> {
        let Resolved { files, origins, value, mut diagnostics } = asked;
        diagnostics.sort(&files);
        match value {
            Some(value) => {
                self.report(&files, diagnostics.as_slice());
                Ok((Accepted { value, files, origins }, diagnostics.has_errors()))
            }
            None => Err(Refused::about(&files, diagnostics)),
        }
    }
}

/// A query, task or proof without errors, with its files and origins.
pub(super) struct Accepted<T> {
    pub(super) value: T,
    pub(super) files: Arc<Files>,
    pub(super) origins: Arc<Origins>,
}

impl<T> Accepted<T> {
    /// Returns its files and origins.
    pub(super) fn source(&self) -> Source<'_> {
        Source { files: &self.files, origins: &self.origins }
    }
}

/// Returns an error if the model is not a network; `None` for a network or a model with errors.
pub(super) fn no_network(loaded: &Loaded) -> Option<Diagnostic> {
    let message = match (&loaded.lowered, &loaded.system) {
        (Some(_), _) => "this model is lowered to another system, but the command needs a network",
        (None, Some(System::Symbolic(_))) => "this is a symbolic system, but the command needs a network",
        (None, _) => return None,
    };
    let diagnostic = Diagnostic::error(&NO_NETWORK, message);
    Some(diagnostic.with_hint("use the command check or inspect"))
}
