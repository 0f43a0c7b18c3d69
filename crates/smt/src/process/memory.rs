//! Measures the memory of this process and its solvers.
//!
//! Invariant: a solver counts from its start until it has exited.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The running solver processes.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn running() -> MutexGuard<'static, BTreeSet<u32>> {
    // The set is consistent even if a thread panicked while holding the lock.
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A guard that counts a solver process while it exists.
pub(super) struct Counted(u32);

impl Counted {
    pub(super) fn new(process: u32) -> Counted {
        running().insert(process);
        Counted(process)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        running().remove(&self.0);
    }
}

/// Returns the current memory of all solver processes, as far as the system reports it.
pub fn solver_memory() -> u64 {
    let processes: Vec<u32> = running().iter().copied().collect();
    processes.into_iter().filter_map(|process| resident_bytes(&process.to_string())).sum()
}

/// Returns the current memory of this process and all solver processes; `None` where the system does not report it.
pub fn memory_with_solvers() -> Option<u64> {
    Some(resident_bytes("self")?.saturating_add(solver_memory()))
}

fn resident_bytes(process: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}
