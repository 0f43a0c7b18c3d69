//! Runs `cargo test` in the copy, with a limit of time that holds for everything that it starts.
//!
//! Cargo and its tests get a process group of their own, and the whole group is killed: a test that loops is a
//! grandchild, and would go on for ever. The price is that a Ctrl-C in the terminal does not reach them; the tests
//! that run at that moment then end by themselves or not at all.

use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Passed,
    Failed,
    OutOfTime,
}

impl fmt::Display for End {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::OutOfTime => "did not end in time",
        })
    }
}

/// Where and how tests are run.
pub(super) struct CargoTest<'a> {
    /// The copy of the workspace.
    pub(super) workspace: &'a Path,
    /// The folder for the build and the logs.
    pub(super) base: &'a Path,
    /// The limit for running tests.
    pub(super) time_limit: Duration,
}

/// A build has a limit only against a compiler that hangs; a first build of everything may well take long.
const BUILD_TIME_LIMIT: Duration = Duration::from_secs(3600);

impl CargoTest<'_> {
    /// Builds the tests, and runs them unless `builds_only`; both write to the log of that name.
    pub(super) fn run(&self, arguments: &[String], builds_only: bool, log_name: &str) -> Result<End, String> {
        let log = self.log(log_name);
        let complain = |error| format!("cannot write {}: {error}", log.display());
        fs::create_dir_all(self.base.join("logs")).map_err(complain)?;
        let output = if builds_only {
            File::create(&log)
        } else {
            File::options().append(true).create(true).open(&log)
        };
        let output = output.map_err(complain)?;
        let errors = output.try_clone().map_err(complain)?;

        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
        let mut command = Command::new(cargo);
        command
            .arg("test")
            .args(builds_only.then_some("--no-run"))
            .args(arguments)
            .current_dir(self.workspace)
            .env("CARGO_TARGET_DIR", self.base.join("target"))
            // With it the expectations would be rewritten to what the mutant does.
            .env_remove("UPDATE")
            .stdin(Stdio::null())
            .stdout(output)
            .stderr(errors);
        let limit = if builds_only { BUILD_TIME_LIMIT } else { self.time_limit };
        run_with_limit(&mut command, limit)
    }

    /// The last lines of a log.
    pub(super) fn end_of_log(&self, log_name: &str) -> String {
        let bytes = fs::read(self.log(log_name)).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(30)..].join("\n")
    }

    fn log(&self, log_name: &str) -> PathBuf {
        self.base.join("logs").join(format!("{log_name}.log"))
    }
}

fn run_with_limit(command: &mut Command, limit: Duration) -> Result<End, String> {
    begin_own_group(command);
    let mut child = command.spawn().map_err(|error| format!("cannot start cargo: {error}"))?;
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(end_of(status)),
            Ok(None) if start.elapsed() < limit => thread::sleep(Duration::from_millis(20)),
            Ok(None) => {
                kill_group(&mut child);
                return child
                    .wait()
                    .map(|_| End::OutOfTime)
                    .map_err(|error| format!("cannot stop cargo: {error}"));
            }
            Err(error) => {
                kill_group(&mut child);
                return Err(format!("cannot wait for cargo: {error}"));
            }
        }
    }
}

fn end_of(status: ExitStatus) -> End {
    if status.success() { End::Passed } else { End::Failed }
}

#[cfg(unix)]
fn begin_own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn begin_own_group(_command: &mut Command) {}

/// The standard library can kill one process only; the shell's own `kill` knows groups, and every Unix has a shell.
fn kill_group(child: &mut Child) {
    let group = child.id().to_string();
    let mut killer = if cfg!(windows) { Command::new("taskkill") } else { Command::new("sh") };
    if cfg!(windows) {
        killer.args(["/T", "/F", "/PID", &group]);
    } else {
        killer.args(["-c", "kill -s KILL -- -\"$1\"", "kill-group", &group]);
    }
    let _ = killer.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    // Where that did not work, at least the process itself goes; it fails where that did work.
    let _ = child.kill();
}
