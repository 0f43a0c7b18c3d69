//! Starts solver processes that end with this program.
//!
//! Invariant: with an installed launcher, no solver outlives this program, whatever ends it. Without one, solvers are
//! plain child processes, which end when their channel is dropped.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{Sender, channel};

/// A guard: a program that starts as a solver's parent, or in place of the solver, and ends the solver with this
/// program.
///
/// Its arguments are those given here, the process id of this program, the solver, and the solver's arguments. If it
/// cannot start the solver, it prints a line that begins with [`CANNOT_START`], and the reason.
#[derive(Clone, Debug)]
pub struct SolverLauncher {
    /// The path of the guard.
    pub guard: PathBuf,
    /// Its first arguments.
    pub arguments: Vec<OsString>,
    /// How the guard notices the end of this program.
    pub link: ParentLink,
}

/// How a guard notices the end of the program that started it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParentLink {
    /// The system sends a signal when the thread that started the guard ends; the guard becomes the solver. One thread
    /// that lives as long as the program starts all guards.
    DeathSignal,
    /// The guard's standard error is the reading end of a pipe. It is closed with this program, or with the channel;
    /// the guard then kills the solver.
    Pipe,
}

/// The beginning of the line that a guard prints if it cannot start the solver.
pub const CANNOT_START: &str = "the guard cannot start the solver: ";

static LAUNCHER: OnceLock<SolverLauncher> = OnceLock::new();

/// Makes all further solvers of this process start with a launcher. Only the first call has an effect.
pub fn install_launcher(launcher: SolverLauncher) {
    let _ = LAUNCHER.set(launcher);
}

/// A started process.
pub(super) struct Launched {
    pub(super) child: Child,
    /// The pipe that ends the solver when it is dropped.
    pub(super) link: Option<io::PipeWriter>,
}

/// Starts a solver with piped input and output.
pub(super) fn launch(program: &Path, arguments: &[String]) -> io::Result<Launched> {
    let Some(launcher) = LAUNCHER.get() else {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        return Ok(Launched { child: command.spawn()?, link: None });
    };
    let mut command = Command::new(&launcher.guard);
    command.args(&launcher.arguments).arg(std::process::id().to_string()).arg(program).args(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    in_own_group(&mut command);
    match launcher.link {
        ParentLink::DeathSignal => {
            command.stderr(Stdio::null());
            Ok(Launched { child: spawn_on_lasting_thread(command)?, link: None })
        }
        ParentLink::Pipe => {
            let (reading, writing) = io::pipe()?;
            command.stderr(reading);
            Ok(Launched { child: command.spawn()?, link: Some(writing) })
        }
    }
}

/// Keeps the signals of the terminal from the solver: this program ends it.
#[cfg(unix)]
fn in_own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn in_own_group(_: &mut Command) {}

/// A command to start, and where the result goes.
type Request = (Command, Sender<io::Result<Child>>);

/// Starts a command on the thread that lives as long as the program.
fn spawn_on_lasting_thread(command: Command) -> io::Result<Child> {
    static STARTER: OnceLock<Sender<Request>> = OnceLock::new();
    let starter = STARTER.get_or_init(|| {
        let (requests, received) = channel::<Request>();
        // If the thread cannot start, its end of the channel is dropped, and requests fail.
        let _ = std::thread::Builder::new().name("solvers".to_owned()).spawn(move || {
            for (mut command, reply) in received {
                let _ = reply.send(command.spawn());
            }
        });
        requests
    });
    let ended = || io::Error::other("the thread that starts solvers has ended");
    let (reply, result) = channel();
    starter.send((command, reply)).map_err(|_| ended())?;
    result.recv().map_err(|_| ended())?
}
