//! `cargo xtask setup`: finds or installs a solver for the tests.
//!
//! Invariant: only the target folder of the workspace is written, and an existing solver is kept. The configuration of
//! `pip` decides the source of packages.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The package of the Python index that has the program in it, with the version that the tests were written against.
const PACKAGE: &str = "z3-solver==5.4.0.0";

/// The name of the variable of the environment that names the solver.
const VARIABLE: &str = "TEMPORA_SOLVER";

/// Finds or installs a solver and returns a description of it.
pub fn run(root: &Path) -> Result<String, String> {
    if let Some(path) = std::env::var_os(VARIABLE).filter(|path| !path.is_empty()) {
        let path = PathBuf::from(path);
        return version(&path)
            .map(|version| format!("{VARIABLE} names a solver: {version}"))
            .ok_or_else(|| format!("{VARIABLE} names {}, which cannot be run", path.display()));
    }
    if let Some(version) = version(Path::new("z3")) {
        return Ok(format!("a solver is on the path: {version}"));
    }
    let tools = root.join("target").join("tools");
    let program = tools.join(executable());
    if let Some(version) = version(&program) {
        return Ok(format!("a solver is in target/tools: {version}"));
    }
    install(&tools, &program)?;
    version(&program)
        .map(|version| format!("installed into target/tools: {version}"))
        .ok_or_else(|| format!("the installed solver cannot be run; {}", advice()))
}

fn executable() -> &'static str {
    if cfg!(windows) { "z3.exe" } else { "z3" }
}

fn advice() -> String {
    format!("install Z3 with the package manager of your system, or name a solver with {VARIABLE}")
}

/// Returns the version that the solver prints, `None` if it does not run.
fn version(program: &Path) -> Option<String> {
    let output = Command::new(program).arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}

fn install(tools: &Path, program: &Path) -> Result<(), String> {
    let folder = tools.join("python");
    std::fs::create_dir_all(&folder).map_err(|error| format!("cannot make target/tools: {error}"))?;
    let mut attempts = Vec::new();
    let is_installed = ["python3", "python"].iter().any(|python| {
        let arguments = ["-m", "pip", "install", "--quiet", "--no-deps", "--upgrade", "--target"];
        match Command::new(python).args(arguments).arg(&folder).arg(PACKAGE).output() {
            Ok(output) if output.status.success() => true,
            Ok(output) => {
                let errors = String::from_utf8_lossy(&output.stderr);
                let last =
                    errors.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("no reason given");
                attempts.push(format!("{python}: {last}"));
                false
            }
            Err(error) => {
                attempts.push(format!("{python}: {error}"));
                false
            }
        }
    });
    if !is_installed {
        return Err(format!(
            "no solver was found, and pip cannot install one ({}); {}",
            attempts.join("; "),
            advice()
        ));
    }
    let found = find_file(&folder, executable(), 4)
        .ok_or_else(|| format!("the package {PACKAGE} has no program for this system; {}", advice()))?;
    std::fs::copy(&found, program).map_err(|error| format!("cannot copy the solver: {error}"))?;
    Ok(())
}

/// Returns a file called `name` at most `depth` folders deep.
fn find_file(folder: &Path, name: &str, depth: usize) -> Option<PathBuf> {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    entries.sort();
    if let Some(file) =
        entries.iter().find(|path| path.is_file() && path.file_name().is_some_and(|own| own == name))
    {
        return Some(file.clone());
    }
    let folders = entries.iter().filter(|path| path.is_dir());
    folders.take_while(|_| depth > 0).find_map(|inner| find_file(inner, name, depth - 1))
}

#[cfg(test)]
mod tests {
    use super::{find_file, version};
    use std::path::Path;

    #[test]
    fn a_program_that_does_not_exist_has_no_version() {
        assert_eq!(version(Path::new("no-such-program-anywhere")), None);
    }

    #[test]
    fn files_are_found_in_folders_but_not_too_deep() {
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert_eq!(find_file(package, "setup.rs", 1), Some(package.join("src").join("setup.rs")));
        assert_eq!(find_file(package, "setup.rs", 0), None);
    }
}
