//! Checkpoints at which a long computation on a thread can be interrupted.
//!
//! Invariant: an interrupted computation returns nothing. A checkpoint unwinds to the nearest [`interruptible`] call of
//! its thread, without a message; without limits on the thread it does nothing.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

/// The limits of a computation.
pub trait Limits: Send + Sync {
    /// Returns whether the computation must end. It is called often, so it must be fast.
    fn are_reached(&self) -> bool;

    /// Returns whether the computation may allocate this many bytes.
    fn permit(&self, bytes: u64) -> bool;

    /// Returns the memory limit, from which code that allocates derives the largest sizes it accepts.
    fn memory_limit(&self) -> Option<u64>;
}

/// The limits of a computation were reached before it ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interrupted;

thread_local! {
    /// The limits of the innermost interruptible computation of this thread.
    static LIMITS: RefCell<Option<Arc<dyn Limits>>> = const { RefCell::new(None) };
}

/// Allocations below this size are not worth a measurement of the memory.
const SMALL_BYTES: u64 = 1 << 20;

/// Ends the computation if its limits are reached.
pub fn checkpoint() {
    if with_limits(|limits| limits.are_reached()) {
        interrupt();
    }
}

/// Ends the computation if its limits are reached or do not permit an allocation of this size.
pub fn checkpoint_before(bytes: u64) {
    if with_limits(|limits| limits.are_reached() || bytes >= SMALL_BYTES && !limits.permit(bytes)) {
        interrupt();
    }
}

/// Returns the memory limit of the computation, if it has one.
pub fn memory_limit() -> Option<u64> {
    LIMITS.with_borrow(|limits| limits.as_ref().and_then(|limits| limits.memory_limit()))
}

/// Runs a computation whose checkpoints obey these limits.
pub fn interruptible<T>(limits: Arc<dyn Limits>, computation: impl FnOnce() -> T) -> Result<T, Interrupted> {
    with_installed(Some(limits), || caught(computation))
}

/// Runs a computation and catches its interruption, but no other panic.
fn caught<T>(computation: impl FnOnce() -> T) -> Result<T, Interrupted> {
    // A caller that gets `Interrupted` must discard what the computation has borrowed mutably.
    catch_unwind(AssertUnwindSafe(computation)).map_err(|payload| match payload.downcast::<Interrupted>() {
        Ok(interrupted) => *interrupted,
        Err(defect) => resume_unwind(defect),
    })
}

/// Runs a part of a computation, within the limits of the whole, that may be left out if they are reached.
pub fn attempt<T>(part: impl FnOnce() -> T) -> Result<T, Interrupted> {
    caught(part)
}

/// Runs a computation whose checkpoints do nothing, such as one that presents what an interrupted one has found.
pub fn uninterrupted<T>(computation: impl FnOnce() -> T) -> T {
    with_installed(None, computation)
}

/// Runs a computation with other limits on this thread.
fn with_installed<T>(limits: Option<Arc<dyn Limits>>, computation: impl FnOnce() -> T) -> T {
    let _restored = Restored(LIMITS.replace(limits));
    computation()
}

/// Restores the former limits when it is dropped, also by an unwinding thread.
struct Restored(Option<Arc<dyn Limits>>);

impl Drop for Restored {
    fn drop(&mut self) {
        LIMITS.set(self.0.take());
    }
}

fn with_limits(is_reached: impl FnOnce(&dyn Limits) -> bool) -> bool {
    LIMITS.with_borrow(|limits| limits.as_ref().is_some_and(|limits| is_reached(&**limits)))
}

fn interrupt() -> ! {
    // Unlike a panic, it prints nothing.
    resume_unwind(Box::new(Interrupted))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Limits that are reached after some checkpoints.
    struct Countdown(AtomicU64);

    impl Limits for Countdown {
        fn are_reached(&self) -> bool {
            self.0.fetch_sub(1, Ordering::Relaxed) == 0
        }

        fn permit(&self, bytes: u64) -> bool {
            bytes < 2 * SMALL_BYTES
        }

        fn memory_limit(&self) -> Option<u64> {
            Some(2 * SMALL_BYTES)
        }
    }

    fn after(checkpoints: u64) -> Arc<Countdown> {
        Arc::new(Countdown(AtomicU64::new(checkpoints)))
    }

    #[test]
    fn checkpoint_without_limits_does_nothing() {
        checkpoint();
        checkpoint_before(u64::MAX);
        assert_eq!(memory_limit(), None);
    }

    #[test]
    fn reached_limits_end_computation() {
        let passed = Cell::new(0);
        let outcome: Result<(), Interrupted> = interruptible(after(3), || {
            loop {
                checkpoint();
                passed.set(passed.get() + 1);
            }
        });
        assert_eq!((outcome, passed.get()), (Err(Interrupted), 3));
        checkpoint();
    }

    #[test]
    fn allocation_beyond_limits_ends_computation() {
        assert_eq!(interruptible(after(9), || checkpoint_before(SMALL_BYTES)), Ok(()));
        assert_eq!(interruptible(after(9), || checkpoint_before(2 * SMALL_BYTES)), Err(Interrupted));
        assert_eq!(interruptible(after(9), memory_limit), Ok(Some(2 * SMALL_BYTES)));
    }

    #[test]
    fn inner_limits_leave_outer_ones() {
        let outcome = interruptible(after(1), || {
            assert_eq!(interruptible(after(0), checkpoint), Err(Interrupted));
            uninterrupted(|| (0..9).for_each(|_| checkpoint()));
            checkpoint();
            checkpoint();
        });
        assert_eq!(outcome, Err(Interrupted));
    }

    #[test]
    fn defects_are_not_interruptions() {
        let outcome = catch_unwind(|| interruptible(after(9), || resume_unwind(Box::new("a defect"))));
        assert!(outcome.is_err_and(|payload| payload.downcast_ref() == Some(&"a defect")));
    }
}
