//! Requests to stop a computation, and their causes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::Exhausted;

/// A shared request to stop. Clones share it, so that a signal handler or another thread can make the request.
#[derive(Clone, Debug, Default)]
pub struct Cancellation {
    flag: Arc<AtomicBool>,
    cause: Arc<AtomicUsize>,
}

/// The cause of a request to stop. The number of the default, an interruption, is zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum StopCause {
    /// The user interrupted the computation, as with Ctrl-C.
    #[default]
    Interrupted,
    /// The system or another program asks this one to end.
    Terminated,
    /// The terminal was closed.
    HungUp,
}

impl StopCause {
    /// All causes.
    pub const ALL: [StopCause; 3] = [StopCause::Interrupted, StopCause::Terminated, StopCause::HungUp];

    /// Returns the number that stands for it in [`Cancellation::cause_cell`].
    pub fn number(self) -> usize {
        self as usize
    }

    /// Returns the phrase for users, such as "interrupted".
    pub fn describe(self) -> &'static str {
        match self {
            StopCause::Interrupted => "interrupted",
            StopCause::Terminated => "terminated",
            StopCause::HungUp => "hung up",
        }
    }
}

impl Cancellation {
    /// Requests the stop; the cause of the first request is kept.
    pub fn stop(&self, cause: StopCause) {
        if !self.is_requested() {
            self.cause.store(cause.number(), Ordering::Relaxed);
            // A reader that sees the flag also sees the cause.
            self.flag.store(true, Ordering::Release);
        }
    }

    /// Returns the cause if the stop was requested.
    pub fn cause(&self) -> Option<StopCause> {
        if !self.flag.load(Ordering::Acquire) {
            return None;
        }
        let number = self.cause.load(Ordering::Relaxed);
        Some(StopCause::ALL.into_iter().find(|cause| cause.number() == number).unwrap_or_default())
    }

    /// Returns whether the stop was requested.
    pub fn is_requested(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }

    /// Returns the flag that a request sets, for code that needs no cause.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.flag)
    }

    /// Returns the number of the cause, for a signal handler, which must set it before the flag.
    pub fn cause_cell(&self) -> Arc<AtomicUsize> {
        Arc::clone(&self.cause)
    }
}

impl From<Arc<AtomicBool>> for Cancellation {
    /// Returns a request to stop made by setting a flag, which counts as an interruption.
    fn from(flag: Arc<AtomicBool>) -> Cancellation {
        Cancellation { flag, cause: Arc::default() }
    }
}

impl From<StopCause> for Exhausted {
    fn from(cause: StopCause) -> Exhausted {
        match cause {
            StopCause::Interrupted => Exhausted::Cancelled,
            StopCause::Terminated => Exhausted::Terminated,
            StopCause::HungUp => Exhausted::HungUp,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Budget;

    #[test]
    fn first_cause_is_kept_and_reported_by_budgets() {
        for (cause, exhausted) in [
            (StopCause::Interrupted, Exhausted::Cancelled),
            (StopCause::Terminated, Exhausted::Terminated),
            (StopCause::HungUp, Exhausted::HungUp),
        ] {
            let cancellation = Cancellation::default();
            let budget = Budget::unlimited().with_cancellation(cancellation.clone());
            assert_eq!((cancellation.cause(), budget.watch().check(0)), (None, Ok(())));
            cancellation.stop(cause);
            cancellation.stop(StopCause::Interrupted);
            assert_eq!(cancellation.cause(), Some(cause));
            for budget in [budget.part(10, 1), budget.grace(), budget] {
                assert_eq!(budget.watch().check(0), Err(exhausted));
            }
            assert_eq!(exhausted.describe(), cause.describe());
        }
    }
}
