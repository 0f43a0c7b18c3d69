//! `cargo xtask test`: finds or installs a solver, runs all tests, and lists the tests that were skipped.
//!
//! A test that cannot run on this machine appends a line to the file that `TEMPORA_SKIPPED_TESTS` names, because Cargo
//! shows no output of tests that pass.

use std::io::Write;
use std::path::Path;
use std::process::Command;

use crate::setup;

/// Arguments of Cargo: all crates, with the dependencies of the lock file.
const CARGO_ARGUMENTS: [&str; 3] = ["test", "--workspace", "--locked"];

/// Names the file that tests append to.
const VARIABLE: &str = "TEMPORA_SKIPPED_TESTS";

/// Runs all tests and returns whether they passed; `arguments` follow those of `cargo test`.
pub fn run(root: &Path, arguments: &[&str], output: &mut dyn Write) -> Result<bool, String> {
    let solver = setup::run(root)?;
    let fault = |error: std::io::Error| format!("cannot write the output: {error}");
    writeln!(output, "{solver}").and_then(|()| output.flush()).map_err(fault)?;
    let list = root.join("target").join("skipped-tests.txt");
    std::fs::create_dir_all(root.join("target"))
        .and_then(|()| std::fs::write(&list, ""))
        .map_err(|error| format!("cannot write {}: {error}", list.display()))?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(CARGO_ARGUMENTS)
        .args(arguments)
        .current_dir(root)
        .env(VARIABLE, &list)
        .status()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    let skipped =
        std::fs::read_to_string(&list).map_err(|error| format!("cannot read {}: {error}", list.display()))?;
    write!(output, "{}", summary(&skipped, status.success())).map_err(fault)?;
    Ok(status.success())
}

fn summary(skipped: &str, has_passed: bool) -> String {
    let mut lines: Vec<&str> = skipped.lines().collect();
    lines.sort_unstable();
    lines.dedup();
    let mut summary = String::from("\n");
    for line in &lines {
        summary += &format!("skipped: {line}\n");
    }
    let verdict = if has_passed { "all tests that ran passed" } else { "some tests failed" };
    summary + &format!("{verdict}, {} skipped\n", lines.len())
}

#[cfg(test)]
mod tests {
    use super::summary;

    #[test]
    fn summary_lists_each_skipped_test_once() {
        let skipped = "b: there is no browser\na: no models\nb: there is no browser\n";
        let expected = "\nskipped: a: no models\nskipped: b: there is no browser\nall tests that ran passed, 2 skipped\n";
        assert_eq!(summary(skipped, true), expected);
        assert_eq!(summary("", false), "\nsome tests failed, 0 skipped\n");
    }
}
