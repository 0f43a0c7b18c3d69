//! How much memory this process and its solvers have.
//!
//! Invariant: a solver counts from its start until it has ended.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The solver processes that run.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn running() -> MutexGuard<'static, BTreeSet<u32>> {
    // The set is whole whoever panics while he has it.
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A solver process, as long as it is counted.
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

/// The memory that all solver processes have now, as far as the system tells.
pub fn solver_memory() -> u64 {
    let processes: Vec<u32> = running().iter().copied().collect();
    processes.into_iter().filter_map(|process| resident_bytes(&process.to_string())).sum()
}

/// The memory that this process and all solver processes have now, `None` where the system does not tell.
pub fn memory_with_solvers() -> Option<u64> {
    Some(resident_bytes("self")?.saturating_add(solver_memory()))
}

fn resident_bytes(process: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}
