//! Locks the copy of the workspace for one run at a time.
//!
//! Invariant: while a [`CopyLock`] is held, no other process holds one of the same folder. The operating system gives it back when
//! the process ends, however it ends, so a stale file locks no run out. Two runs that share the copy would
//! revert each other's mutants and report false survivors.

use std::fs::{self, File, TryLockError};
use std::io::Write;
use std::path::Path;

/// The right to change the copy, until it is dropped.
#[derive(Debug)]
pub(super) struct CopyLock {
    _file: File,
}

impl CopyLock {
    /// Takes the lock of a folder; the error names the process that holds it.
    pub(super) fn take(folder: &Path) -> Result<CopyLock, String> {
        let path = folder.join("lock");
        let complain = |error| format!("cannot lock {}: {error}", path.display());
        fs::create_dir_all(folder).map_err(complain)?;
        // The name of the process that has it must stay, so nothing is written before it is taken.
        let mut file = File::options()
            .create(true)
            .read(true)
            .write(true)
            .truncate(false)
            .open(&path)
            .map_err(complain)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let owner = fs::read_to_string(&path).unwrap_or_default();
                let owner = match owner.trim() {
                    "" => "another process".to_owned(),
                    number => format!("process {number}"),
                };
                return Err(format!(
                    "mutants are being run already, by {owner}: wait for it, or use a checkout of your own"
                ));
            }
            Err(TryLockError::Error(error)) => return Err(complain(error)),
        }
        file.set_len(0).and_then(|()| writeln!(file, "{}", std::process::id())).map_err(complain)?;
        Ok(CopyLock { _file: file })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_run_at_a_time_has_the_copy() {
        let folder = std::env::temp_dir().join(format!("tempora-mutants-lock-{}", std::process::id()));
        let first = CopyLock::take(&folder).unwrap();
        let message = CopyLock::take(&folder).unwrap_err();
        assert!(message.contains(&format!("process {}", std::process::id())), "{message}");
        drop(first);
        assert!(CopyLock::take(&folder).is_ok());
        fs::remove_dir_all(&folder).unwrap();
    }
}
