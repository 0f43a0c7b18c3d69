//! Helpers of the command line tests: running the binary, and validating its output.

pub(crate) mod schema;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The exit status and output of a finished process.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) status: Option<i32>,
    pub(crate) output: String,
    pub(crate) error: String,
}

/// Returns the command with these arguments, in the folder of the workspace.
pub(crate) fn tempora(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tempora"));
    command.args(arguments).current_dir(workspace()).stdin(Stdio::null());
    command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env_remove("CLICOLOR");
    command
}

/// Runs it to its end.
pub(crate) fn run(arguments: &[&str]) -> Finished {
    finish(tempora(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
}

/// Runs it with a text on standard input.
pub(crate) fn run_with_input(arguments: &[&str], input: &[u8]) -> Finished {
    let mut command = tempora(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    finish(child)
}

/// Waits for the end of a run.
pub(crate) fn finish(child: std::process::Child) -> Finished {
    let finished = child.wait_with_output().unwrap();
    Finished {
        status: finished.status.code(),
        output: String::from_utf8(finished.stdout).unwrap(),
        error: String::from_utf8(finished.stderr).unwrap(),
    }
}

/// Returns the folder of the workspace.
pub(crate) fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Writes a file for a test and returns its path. Tests run in parallel, so each needs unique names.
pub(crate) fn file(name: &str, content: &[u8]) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Returns a model of many independent counters with a clock each: a hundred million discrete states and more.
pub(crate) fn explosion() -> &'static str {
    "process P(const int[0,9] id) {
         clock x;
         int[0,9] n;
         init location A { invariant x <= id + 3; }
         A -> A { guard x >= 1; do n = (n + 1) % 10, x = 0; }
     }
     system P;
     query A[] forall (i : int[0,9]) P(i).n <= 9;"
}
