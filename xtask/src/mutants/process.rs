//! Runs Cargo and test executables in the copy, with a limit of time that holds for everything that they start.
//!
//! Tests are stopped at the first failure, as soon as it shows in their log. Cargo and tests get a process group of their own, and the whole group is killed: a test that loops is a
//! grandchild and would never end. In return a Ctrl-C in the terminal does not reach them: running tests then finish
//! or hang.

use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::build::Executable;
use super::switch;

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

/// Where and how tests are built and run.
#[derive(Clone)]
pub(super) struct TestRunner<'a> {
    /// The copy of the workspace.
    pub(super) workspace: PathBuf,
    /// The folder for the build.
    pub(super) target: PathBuf,
    /// The folder for the logs.
    pub(super) logs: &'a Path,
    /// The limit for running tests.
    pub(super) time_limit: Duration,
    /// How many tests of one executable run at a time.
    pub(super) test_threads: usize,
}

/// A build has a limit only against a compiler that hangs; a first build of everything may well take long.
const BUILD_TIME_LIMIT: Duration = Duration::from_secs(3600);

impl TestRunner<'_> {
    /// Builds the executables of `cargo test` with these arguments, and returns the messages as lines of JSON.
    pub(super) fn build(&self, arguments: &[String], log_name: &str) -> Result<(End, String), String> {
        let mut command = self.cargo_test();
        command.args(["--no-run", "--message-format=json"]).args(arguments);
        // Beside the log: a line of the log in the middle of a message would spoil it.
        let messages = self.logs.join(format!("{log_name}.json"));
        let log = self.create_log(log_name)?;
        let output = File::create(&messages)
            .map_err(|error| format!("cannot write {}: {error}", messages.display()))?;
        command.stdout(output).stderr(log);
        let end = run_with_limit(&mut command, BUILD_TIME_LIMIT, || false)?;
        Ok((end, text_of(&messages)))
    }

    /// Runs `cargo test` with these arguments, after building any missing executables.
    pub(super) fn run_cargo(&self, arguments: &[String], log_name: &str) -> Result<End, String> {
        let mut command = self.cargo_test();
        command.args(arguments);
        self.run_tests(&mut command, self.time_limit, log_name)
    }

    /// Runs test executables one after the other, with at most one mutant active, up to the first failure.
    pub(super) fn run_executables(
        &self,
        executables: &[&Executable],
        arguments: &[String],
        mutant: Option<u64>,
        log_name: &str,
    ) -> Result<End, String> {
        let start = Instant::now();
        self.create_log(log_name)?;
        for executable in executables {
            let mut command = Command::new(&executable.program);
            command.args(arguments).current_dir(&executable.package_folder);
            // This process has these variables too, for its own package.
            command.env("CARGO_MANIFEST_DIR", &executable.package_folder);
            command.env("CARGO_PKG_NAME", &executable.package);
            match mutant {
                Some(number) => command.env(switch::VARIABLE, number.to_string()),
                None => command.env_remove(switch::VARIABLE),
            };
            let limit = self.time_limit.saturating_sub(start.elapsed());
            let end = self.run_tests(&mut command, limit, log_name)?;
            if end != End::Passed {
                return Ok(end);
            }
        }
        Ok(End::Passed)
    }

    /// Runs a command that prints the results of tests, up to the first failure.
    fn run_tests(&self, command: &mut Command, limit: Duration, log_name: &str) -> Result<End, String> {
        let log = self.log(log_name);
        let complain = |error| format!("cannot write {}: {error}", log.display());
        let output = File::options().append(true).create(true).open(&log).map_err(complain)?;
        let errors = output.try_clone().map_err(complain)?;
        command
            // With it the expectations would be rewritten to what the mutant does.
            .env_remove("UPDATE")
            // Failing inputs that one mutant leaves behind would be tried first with the next.
            .env("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "1")
            // Property tests of a mutant panic often, and a backtrace costs more than the test.
            .env("RUST_BACKTRACE", "0")
            .env("RUST_TEST_THREADS", self.test_threads.to_string())
            .stdout(output)
            .stderr(errors);
        let mut results = TestResults::of_log(&log)?;
        run_with_limit(command, limit, || results.has_failure())
    }

    fn cargo_test(&self) -> Command {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
        let mut command = Command::new(cargo);
        command
            .arg("test")
            .current_dir(&self.workspace)
            .env("CARGO_TARGET_DIR", &self.target)
            .env_remove(switch::VARIABLE);
        command
    }

    /// Returns the last lines of a log.
    pub(super) fn end_of_log(&self, log_name: &str) -> String {
        let text = text_of(&self.log(log_name));
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(30)..].join("\n")
    }

    fn create_log(&self, log_name: &str) -> Result<File, String> {
        let log = self.log(log_name);
        let complain = |error| format!("cannot write {}: {error}", log.display());
        fs::create_dir_all(self.logs).map_err(complain)?;
        File::create(&log).map_err(complain)
    }

    fn log(&self, log_name: &str) -> PathBuf {
        self.logs.join(format!("{log_name}.log"))
    }
}

fn text_of(file: &Path) -> String {
    String::from_utf8_lossy(&fs::read(file).unwrap_or_default()).into_owned()
}

/// The results of tests in a log that is still being written.
struct TestResults {
    log: File,
    line: Vec<u8>,
}

impl TestResults {
    /// Follows a log from its present end on.
    fn of_log(path: &Path) -> Result<Self, String> {
        let mut log = File::open(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        log.seek(SeekFrom::End(0)).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        Ok(Self { log, line: Vec::new() })
    }

    /// Returns whether a test has failed since the last call.
    fn has_failure(&mut self) -> bool {
        let mut written = Vec::new();
        if self.log.read_to_end(&mut written).is_err() {
            return false;
        }
        for byte in written {
            if byte != b'\n' {
                self.line.push(byte);
                continue;
            }
            if self.line.starts_with(b"test ") && self.line.ends_with(b" ... FAILED") {
                return true;
            }
            self.line.clear();
        }
        false
    }
}

/// Runs a command until it ends, has failed, or has taken too long.
fn run_with_limit(
    command: &mut Command,
    limit: Duration,
    mut has_failed: impl FnMut() -> bool,
) -> Result<End, String> {
    begin_own_group(command.stdin(Stdio::null()));
    let program = command.get_program().to_string_lossy().into_owned();
    let mut child = command.spawn().map_err(|error| format!("cannot start {program}: {error}"))?;
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(end_of(status)),
            Ok(None) => {}
            Err(error) => {
                kill_group(&mut child);
                return Err(format!("cannot wait for {program}: {error}"));
            }
        }
        let end = if has_failed() {
            End::Failed
        } else if limit <= start.elapsed() {
            End::OutOfTime
        } else {
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
            continue;
        };
        kill_group(&mut child);
        return child.wait().map(|_| end).map_err(|error| format!("cannot stop {program}: {error}"));
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
