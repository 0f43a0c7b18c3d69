//! Solvers end with this program, whatever ends it: the program starts itself as a guard of each solver.
//!
//! On Linux, the guard asks the system to kill it when its parent ends, and becomes the solver. On other Unix systems,
//! it starts the solver and watches a pipe whose other end the parent holds. Elsewhere, solvers start without a guard.
//!
//! Invariant: a guard whose parent has already ended starts no solver.

use std::process::ExitCode;

/// The first argument of a guard. The command line rejects it in any other use.
#[cfg(unix)]
const GUARD: &str = "--guard-solver";

/// Starts all solvers of this process with guards, where the system can end them.
pub(crate) fn install() {
    #[cfg(unix)]
    unix::install();
}

/// Acts as the guard of a solver if the arguments say so, and returns the exit status; on Linux only if the solver
/// cannot be started.
pub(crate) fn run_as_guard() -> Option<ExitCode> {
    #[cfg(unix)]
    {
        let mut arguments = std::env::args_os().skip(1);
        if arguments.next().is_some_and(|first| first == GUARD) {
            return Some(unix::guard(arguments));
        }
    }
    None
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsString;
    use std::fs::File;
    use std::io::{self, Read, Write};
    use std::os::fd::AsFd;
    use std::path::{Path, PathBuf};
    use std::process::{Child, Command, ExitCode, Stdio};
    use std::sync::{Arc, Mutex, PoisonError};
    use std::time::Duration;

    use tempora_workbench::{CANNOT_START, ParentLink, SolverLauncher, install_launcher};

    use super::GUARD;

    const BY_SIGNAL: &str = "signal";
    const BY_PIPE: &str = "pipe";

    pub(super) fn install() {
        // The link names the running program even after its file was replaced.
        let running = Path::new("/proc/self/exe");
        let program: Option<PathBuf> = match running.exists() {
            true => Some(running.to_owned()),
            false => std::env::current_exe().ok(),
        };
        let Some(guard) = program else { return };
        let (link, word) = match cfg!(any(target_os = "linux", target_os = "android")) {
            true => (ParentLink::DeathSignal, BY_SIGNAL),
            false => (ParentLink::Pipe, BY_PIPE),
        };
        let arguments = [GUARD, word].map(OsString::from).to_vec();
        install_launcher(SolverLauncher { guard, arguments, link });
    }

    /// Runs a guard with the arguments after the first: the link, the parent, the solver and the solver's arguments.
    pub(super) fn guard(mut arguments: impl Iterator<Item = OsString>) -> ExitCode {
        let link = arguments.next();
        let parent = arguments.next().and_then(|parent| parent.to_str()?.parse::<u32>().ok());
        let (Some(parent), Some(program)) = (parent, arguments.next()) else { return ExitCode::from(2) };
        let mut solver = Command::new(program);
        solver.args(arguments);
        let failed = match link.as_ref().and_then(|link| link.to_str()) {
            Some(BY_SIGNAL) => become_solver(solver, parent),
            Some(BY_PIPE) => match start_solver(solver) {
                Ok(status) => return status,
                Err(error) => error,
            },
            _ => return ExitCode::from(2),
        };
        // The parent reads the line, or has ended.
        let _ = io::stdout().write_all(format!("{CANNOT_START}{failed}\n").as_bytes());
        ExitCode::from(2)
    }

    /// Replaces this process by the solver, which the system kills at the end of the parent.
    #[cfg(any(target_os = "linux", target_os = "android"))]
    fn become_solver(mut solver: Command, parent: u32) -> io::Error {
        use std::os::unix::process::{CommandExt, parent_id};

        use nix::sys::{prctl::set_pdeathsig, signal::Signal};

        if let Err(error) = set_pdeathsig(Signal::SIGKILL) {
            return error.into();
        }
        // The parent may have ended before the request.
        if parent_id() != parent {
            return io::Error::other("the program that needs it has ended");
        }
        solver.exec()
    }

    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    fn become_solver(_: Command, _: u32) -> io::Error {
        io::ErrorKind::Unsupported.into()
    }

    /// Starts the solver and kills it when the pipe in place of standard error is closed.
    fn start_solver(mut solver: Command) -> io::Result<ExitCode> {
        /// The interval at which the end of the solver is noticed.
        const POLL_INTERVAL: Duration = Duration::from_millis(5);
        let mut pipe = File::from(io::stderr().as_fd().try_clone_to_owned()?);
        let solver = Arc::new(Mutex::new(solver.stderr(Stdio::null()).spawn()?));
        let watched = Arc::clone(&solver);
        std::thread::Builder::new().spawn(move || {
            // Nothing is written to the pipe, so a read ends when it is closed.
            let _ = pipe.read(&mut [0]);
            let _ = locked(&watched).kill();
        })?;
        loop {
            if let Some(status) = locked(&solver).try_wait()? {
                return Ok(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1).into());
            }
            std::thread::sleep(POLL_INTERVAL);
        }
    }

    fn locked(child: &Mutex<Child>) -> std::sync::MutexGuard<'_, Child> {
        child.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
