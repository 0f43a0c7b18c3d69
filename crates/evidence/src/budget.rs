//! Budgets: limits on time, memory and stored states, and a cheap check of them.
//!
//! Invariant: once one [`BudgetWatch`] has found the budget exhausted, all watches of the budget report the same
//! reason. A budget without watches limits only interruptible computations.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use tempora_interrupt::{Interrupted, Limits, attempt, interruptible};

use crate::{Cancellation, StopCause, UnknownReason};

/// The resources that a computation may use. The time counts from its creation. A clone is the same budget.
#[derive(Clone, Debug)]
pub struct Budget {
    started: Instant,
    timeout: Option<Duration>,
    memory_bytes: Option<u64>,
    max_states: Option<u64>,
    cancellation: Cancellation,
    /// The code of the limit that was reached first, zero for none.
    exhausted: Arc<AtomicU8>,
}

/// The limit that was reached.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Exhausted {
    /// The time.
    Timeout,
    /// The memory.
    Memory,
    /// The number of stored states.
    StateLimit,
    /// An interruption by the user.
    Cancelled,
    /// A request of the system or of another program to end.
    Terminated,
    /// The end of the terminal.
    HungUp,
}

/// The view that one thread has of a budget. Each thread counts for itself, so that threads do not wait for each other.
#[derive(Debug)]
pub struct BudgetWatch<'budget> {
    budget: &'budget Budget,
    checks: u32,
}

/// How long after the end of a budget results may still be stored.
const GRACE: Duration = Duration::from_secs(1);
/// The clock is read at the first of this many checks.
const CHECKS_PER_CLOCK_READING: u32 = 64;
/// The memory is read at the first of this many checks: reading it is a system call that returns a text to parse.
const CHECKS_PER_MEMORY_READING: u32 = 4096;

impl Budget {
    /// Creates a budget without limits, which ends only when it is cancelled.
    pub fn unlimited() -> Budget {
        Budget {
            started: Instant::now(),
            timeout: None,
            memory_bytes: None,
            max_states: None,
            cancellation: Cancellation::default(),
            exhausted: Arc::default(),
        }
    }

    /// Limits the time from now on.
    pub fn with_timeout(mut self, timeout: Duration) -> Budget {
        self.timeout = Some(timeout);
        self
    }

    /// Limits the memory of the process and its solvers; has no effect where [`Budget::used_bytes`] returns `None`.
    pub fn with_memory_bytes(mut self, bytes: u64) -> Budget {
        self.memory_bytes = Some(bytes);
        self
    }

    /// Limits the number of stored states.
    pub fn with_max_states(mut self, states: u64) -> Budget {
        self.max_states = Some(states);
        self
    }

    /// Sets a request, or a flag, that stops the computation once another thread makes it.
    pub fn with_cancellation(mut self, cancellation: impl Into<Cancellation>) -> Budget {
        self.cancellation = cancellation.into();
        self
    }

    /// Returns a budget for storing and checking the results after this one is exhausted. It ends one second after the
    /// deadline of this budget, whenever it is requested. It has no limit on states or memory, none on time if this one
    /// has none, and the same cancellation flag.
    pub fn grace(&self) -> Budget {
        Budget {
            started: self.started,
            timeout: self.timeout.map(|timeout| timeout.saturating_add(GRACE)),
            ..Budget::unlimited().with_cancellation(self.cancellation.clone())
        }
    }

    /// Returns a part of this budget for an attempt that may fail: a number of states and a share of the remaining
    /// time.
    pub fn part(&self, max_states: u64, share_of_time: u32) -> Budget {
        let left = self.timeout.map(|timeout| timeout.saturating_sub(self.elapsed()));
        Budget {
            started: Instant::now(),
            timeout: left.map(|left| left / share_of_time.max(1)),
            memory_bytes: self.memory_bytes,
            max_states: Some(self.max_states.map_or(max_states, |limit| limit.min(max_states))),
            cancellation: self.cancellation.clone(),
            exhausted: Arc::default(),
        }
    }

    /// Returns the limit on stored states, if there is one.
    pub fn max_states(&self) -> Option<u64> {
        self.max_states
    }

    /// Returns the remaining time, if the time is limited.
    pub fn remaining(&self) -> Option<Duration> {
        Some(self.timeout?.saturating_sub(self.elapsed()))
    }

    /// Returns the time since its creation.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Returns the current memory use of this process and the solvers it has started; `None` where the system does not
    /// report it.
    pub fn used_bytes() -> Option<u64> {
        tempora_smt::memory_with_solvers()
    }

    /// Returns the peak memory use of this process; `None` where the system does not report it. The system keeps the
    /// maximum, so no peak between two measurements is missed.
    pub fn peak_bytes() -> Option<u64> {
        process_bytes("VmHWM:")
    }

    /// Returns the deadline, if the time is limited, for computations that cannot be watched.
    pub fn deadline(&self) -> Option<Instant> {
        self.started.checked_add(self.timeout?)
    }

    /// Returns the memory limit of this process and its solvers, if there is one.
    pub fn memory_limit(&self) -> Option<u64> {
        self.memory_bytes
    }

    /// Returns the flag that stops the computation.
    pub fn cancellation(&self) -> Arc<AtomicBool> {
        self.cancellation.flag()
    }

    /// Returns the request that stops the computation, with its cause.
    pub fn stop_request(&self) -> Cancellation {
        self.cancellation.clone()
    }

    /// Runs a computation that ends at a checkpoint once this budget is exhausted.
    pub fn interruptible<T>(&self, computation: impl FnOnce() -> T) -> Result<T, Exhausted> {
        let limits = Interruptible { budget: self.clone(), checkpoints: AtomicU32::new(0) };
        interruptible(Arc::new(limits), computation)
            .map_err(|Interrupted| self.exhausted().unwrap_or(Exhausted::Cancelled))
    }

    /// Runs a part of an interruptible computation that may be left out if this budget is exhausted.
    pub fn attempt<T>(&self, part: impl FnOnce() -> T) -> Result<T, Exhausted> {
        attempt(part).map_err(|Interrupted| self.exhausted().unwrap_or(Exhausted::Cancelled))
    }

    /// Reads the clock and the memory, and returns the limit that is reached. Meant for a thread that does so
    /// periodically.
    pub fn measure(&self) -> Option<Exhausted> {
        // The first check of a watch reads everything.
        self.watch().check(0).err()
    }

    /// Creates a view of it for one thread.
    pub fn watch(&self) -> BudgetWatch<'_> {
        BudgetWatch { budget: self, checks: 0 }
    }

    fn exhausted(&self) -> Option<Exhausted> {
        let code = self.exhausted.load(Ordering::Relaxed);
        Exhausted::ALL.into_iter().find(|what| what.code() == code)
    }
}

/// Returns an entry of `/proc/self/status`, in bytes.
fn process_bytes(entry: &str) -> Option<u64> {
    // Not `/proc/self/statm`, which counts pages and does not give their size.
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(entry))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

impl BudgetWatch<'_> {
    /// Checks whether the computation may continue with this number of stored states. Meant to be called for each
    /// state.
    pub fn check(&mut self, stored_states: u64) -> Result<(), Exhausted> {
        let check = self.checks;
        self.checks = check.wrapping_add(1);
        if let Some(exhausted) = self.budget.exhausted() {
            return Err(exhausted);
        }
        match self.exceeded(check, stored_states) {
            None => Ok(()),
            Some(what) => Err(self.note_exhausted(what)),
        }
    }

    /// Checks the memory limit regardless of earlier checks. It is a system call: meant to be called after large
    /// allocations.
    pub fn check_memory(&mut self) -> Result<(), Exhausted> {
        self.check_memory_for(0)
    }

    /// Checks whether the memory limit permits an allocation of this size. It is a system call: meant to be called
    /// before a large table grows.
    pub fn check_memory_for(&mut self, more_bytes: u64) -> Result<(), Exhausted> {
        if let Some(exhausted) = self.budget.exhausted() {
            return Err(exhausted);
        }
        let limit = self.budget.memory_bytes;
        match limit.zip(Budget::used_bytes()) {
            Some((limit, used)) if used.saturating_add(more_bytes) > limit => {
                Err(self.note_exhausted(Exhausted::Memory))
            }
            _ => Ok(()),
        }
    }

    /// Sets the reason for all watches; if another thread was first, its reason is kept and returned.
    fn note_exhausted(&self, what: Exhausted) -> Exhausted {
        let exhausted = &self.budget.exhausted;
        let _ = exhausted.compare_exchange(0, what.code(), Ordering::Relaxed, Ordering::Relaxed);
        self.budget.exhausted().unwrap_or(what)
    }

    fn exceeded(&self, check: u32, stored_states: u64) -> Option<Exhausted> {
        let budget = self.budget;
        if budget.cancellation.is_requested() {
            return budget.cancellation.cause().map(Exhausted::from);
        }
        if budget.max_states.is_some_and(|limit| stored_states > limit) {
            return Some(Exhausted::StateLimit);
        }
        if check.is_multiple_of(CHECKS_PER_CLOCK_READING)
            && budget.timeout.is_some_and(|limit| budget.elapsed() >= limit)
        {
            return Some(Exhausted::Timeout);
        }
        if check.is_multiple_of(CHECKS_PER_MEMORY_READING)
            && let Some(limit) = budget.memory_bytes
            && Budget::used_bytes().is_some_and(|used| used > limit)
        {
            return Some(Exhausted::Memory);
        }
        None
    }
}

/// A budget with the number of checkpoints so far.
struct Interruptible {
    budget: Budget,
    checkpoints: AtomicU32,
}

impl Limits for Interruptible {
    fn are_reached(&self) -> bool {
        let checks = self.checkpoints.load(Ordering::Relaxed);
        self.checkpoints.store(checks.wrapping_add(1), Ordering::Relaxed);
        BudgetWatch { budget: &self.budget, checks }.check(0).is_err()
    }

    fn permit(&self, bytes: u64) -> bool {
        self.budget.watch().check_memory_for(bytes).is_ok()
    }

    fn memory_limit(&self) -> Option<u64> {
        self.budget.memory_bytes
    }
}

impl Exhausted {
    const ALL: [Exhausted; 6] = [
        Exhausted::Timeout,
        Exhausted::Memory,
        Exhausted::StateLimit,
        Exhausted::Cancelled,
        Exhausted::Terminated,
        Exhausted::HungUp,
    ];

    /// Returns a phrase without full stop, such as "timeout reached".
    pub fn describe(self) -> &'static str {
        match self {
            Exhausted::Timeout => "timeout reached",
            Exhausted::Memory => "memory limit reached",
            Exhausted::StateLimit => "state limit reached",
            Exhausted::Cancelled => StopCause::Interrupted.describe(),
            Exhausted::Terminated => StopCause::Terminated.describe(),
            Exhausted::HungUp => StopCause::HungUp.describe(),
        }
    }

    fn code(self) -> u8 {
        self as u8 + 1
    }
}

impl From<Exhausted> for UnknownReason {
    fn from(exhausted: Exhausted) -> UnknownReason {
        match exhausted {
            Exhausted::Timeout => UnknownReason::Timeout,
            Exhausted::Memory => UnknownReason::Memory,
            Exhausted::StateLimit => UnknownReason::StateLimit,
            Exhausted::Cancelled => UnknownReason::Cancelled,
            Exhausted::Terminated => UnknownReason::Terminated,
            Exhausted::HungUp => UnknownReason::HungUp,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unlimited_budget_always_passes() {
        let budget = Budget::unlimited();
        let mut watch = budget.watch();
        assert!((0..10_000).all(|stored| watch.check(stored).is_ok()));
    }

    #[test]
    fn limits_are_reported_by_all_watches() {
        let flag = Arc::new(AtomicBool::new(true));
        let hour = Duration::from_secs(3600);
        let cases = [
            (Budget::unlimited().with_timeout(Duration::ZERO), Exhausted::Timeout),
            (Budget::unlimited().with_timeout(hour).with_max_states(8), Exhausted::StateLimit),
            (Budget::unlimited().with_cancellation(flag), Exhausted::Cancelled),
        ];
        for (budget, expected) in cases {
            let mut other = budget.watch();
            assert_eq!(budget.watch().check(9), Err(expected));
            assert_eq!(other.check(0), Err(expected));
        }
    }

    #[test]
    fn measured_limit_ends_computation() {
        let budget = Budget::unlimited().with_timeout(Duration::ZERO);
        assert_eq!(budget.interruptible(tempora_interrupt::checkpoint), Err(Exhausted::Timeout));
        assert_eq!(Budget::unlimited().measure(), None);
        let unmeasured = Budget::unlimited().with_timeout(Duration::ZERO);
        assert_eq!(unmeasured.interruptible(tempora_interrupt::checkpoint), Err(Exhausted::Timeout));
        assert_eq!(unmeasured.interruptible(|| unmeasured.attempt(|| 1)), Ok(Ok(1)));
    }

    #[test]
    fn cancellation_ends_computation() {
        let flag = Arc::new(AtomicBool::new(false));
        let budget = Budget::unlimited().with_cancellation(flag.clone());
        assert_eq!(budget.interruptible(tempora_interrupt::checkpoint), Ok(()));
        flag.store(true, Ordering::Relaxed);
        assert_eq!(budget.interruptible(tempora_interrupt::checkpoint), Err(Exhausted::Cancelled));
    }

    #[test]
    fn reaching_limit_exactly_passes() {
        let budget = Budget::unlimited().with_max_states(8).with_timeout(Duration::from_secs(3600));
        assert_eq!(budget.watch().check(8), Ok(()));
    }

    #[test]
    fn part_ends_before_whole() {
        let whole = Budget::unlimited().with_timeout(Duration::from_secs(4)).with_max_states(8);
        let part = whole.part(5, 2);
        assert_eq!(part.watch().check(6), Err(Exhausted::StateLimit));
        assert_eq!(whole.watch().check(6), Ok(()));
        assert!(part.timeout.is_some_and(|timeout| timeout <= Duration::from_secs(2)));
        assert_eq!(whole.part(50, 1).max_states, Some(8));
    }

    #[test]
    fn grace_periods_share_one_deadline() {
        let flag = Arc::new(AtomicBool::new(false));
        let spent = Budget::unlimited().with_timeout(Duration::ZERO).with_cancellation(flag.clone());
        assert_eq!(spent.watch().check(0), Err(Exhausted::Timeout));
        assert_eq!(spent.grace().watch().check(u64::MAX), Ok(()));
        assert_eq!(spent.grace().deadline(), spent.deadline().map(|deadline| deadline + GRACE));
        assert_eq!(Budget::unlimited().with_max_states(1).grace().deadline(), None);
        flag.store(true, Ordering::Relaxed);
        assert_eq!(spent.grace().watch().check(0), Err(Exhausted::Cancelled));
    }

    #[test]
    fn clock_is_read_periodically() {
        let budget = Budget::unlimited().with_timeout(Duration::from_millis(5));
        let mut watch = budget.watch();
        let _ = watch.check(0);
        std::thread::sleep(Duration::from_millis(10));
        assert!((0..=CHECKS_PER_CLOCK_READING).any(|_| watch.check(0) == Err(Exhausted::Timeout)));
    }

    #[test]
    fn memory_limit_is_enforced() {
        let tight = Budget::unlimited().with_memory_bytes(1);
        let wide = Budget::unlimited().with_memory_bytes(u64::MAX);
        match Budget::used_bytes() {
            Some(used) => {
                assert!(used > 1);
                assert_eq!(tight.watch().check(0), Err(Exhausted::Memory));
            }
            None => assert_eq!(tight.watch().check(0), Ok(())),
        }
        assert_eq!(wide.watch().check(0), Ok(()));
    }

    #[test]
    fn memory_limit_covers_planned_allocation() {
        let Some(used) = Budget::used_bytes() else { return };
        let peak = Budget::peak_bytes().unwrap_or(0);
        assert!(peak >= used / 2, "{peak} is less than {used}");
        let budget = Budget::unlimited().with_memory_bytes(used + (1 << 40));
        let mut watch = budget.watch();
        assert_eq!(watch.check_memory_for(1 << 30), Ok(()));
        assert_eq!(watch.check_memory_for(1 << 41), Err(Exhausted::Memory));
        // From then on every watch reports it.
        assert_eq!(budget.watch().check(0), Err(Exhausted::Memory));
    }
}
