//! One build of many test executables, and the messages that Cargo gives about it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::process::{End, TestRunner};
use super::test_line::{TestLine, TestTarget};

/// The outcome of a build.
#[derive(Debug)]
pub(super) enum Build {
    /// All executables.
    Built(Executables),
    /// The errors of the compiler; none if Cargo itself failed.
    Failed(Vec<CompilerError>),
}

/// A test executable of the copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Executable {
    pub(super) program: PathBuf,
    pub(super) package: String,
    /// The folder of the package, in which Cargo runs its tests.
    pub(super) package_folder: PathBuf,
}

/// All test executables of a build.
#[derive(Debug, Default)]
pub(super) struct Executables {
    by_target: BTreeMap<(String, TestTarget), Executable>,
}

impl Executables {
    /// Returns the executables that a line names, in a fixed order.
    pub(super) fn of_line(&self, line: &TestLine) -> Vec<&Executable> {
        let named = self
            .by_target
            .iter()
            .filter(|((package, target), _)| *package == line.package && line.names(target));
        named.map(|(_, executable)| executable).collect()
    }
}

/// An error of the compiler: the package that it rejects, and places in files of the workspace.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct CompilerError {
    /// The folder of the package.
    pub(super) package_folder: PathBuf,
    /// The bytes of sources that the error points at, paths relative to the workspace.
    pub(super) places: Vec<(String, Range<usize>)>,
}

/// Builds the executables of all `lines`.
pub(super) fn build(runner: &TestRunner<'_>, lines: &BTreeSet<&TestLine>) -> Result<Build, String> {
    let mut all = Executables::default();
    for arguments in cargo_arguments(lines) {
        let (end, messages) = runner.build(&arguments, LOG)?;
        let messages: Vec<Value> =
            messages.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        if end != End::Passed {
            return Ok(Build::Failed(messages.iter().filter_map(compiler_error).collect()));
        }
        all.by_target.append(&mut executables(&messages).by_target);
    }
    Ok(Build::Built(all))
}

/// Returns the arguments of at most two runs of Cargo: all targets of some packages, and some targets of others.
///
/// Cargo selects targets by name only, so the second builds an executable of the same name in another package too.
fn cargo_arguments(lines: &BTreeSet<&TestLine>) -> Vec<Vec<String>> {
    let whole: BTreeSet<&str> =
        lines.iter().filter(|line| line.targets.is_empty()).map(|line| line.package.as_str()).collect();
    let others: Vec<&TestLine> =
        lines.iter().copied().filter(|line| !whole.contains(line.package.as_str())).collect();
    let packages = others.iter().map(|line| line.package.as_str()).collect();
    let targets: BTreeSet<&TestTarget> = others.iter().flat_map(|line| &line.targets).collect();
    let of_packages = |packages: &BTreeSet<&str>| -> Vec<String> {
        packages.iter().flat_map(|package| ["-p".to_owned(), (*package).to_owned()]).collect()
    };
    let mut runs = Vec::new();
    if !whole.is_empty() {
        runs.push([of_packages(&whole), vec!["--tests".to_owned()]].concat());
    }
    if !others.is_empty() {
        let targets = targets.into_iter().flat_map(TestTarget::arguments);
        runs.push(of_packages(&packages).into_iter().chain(targets).collect());
    }
    runs
}

/// The name of the log of a build.
pub(super) const LOG: &str = "build";

fn executables(messages: &[Value]) -> Executables {
    let mut executables = Executables::default();
    for message in messages {
        // The program of a package has an executable too, which has no tests in it.
        let Some(program) = message["executable"].as_str().filter(|_| message["profile"]["test"] == true)
        else {
            continue;
        };
        let kinds = message["target"]["kind"].as_array().map_or(&[][..], Vec::as_slice);
        let (Some(name), Some(folder)) = (message["target"]["name"].as_str(), package_folder(message)) else {
            continue;
        };
        let is_kind = |kind: &str| kinds.iter().any(|other| other == kind);
        let target = if is_kind("test") {
            TestTarget::Integration(name.to_owned())
        } else if is_kind("bin") {
            TestTarget::Binary(name.to_owned())
        } else if is_kind("lib") {
            TestTarget::Library
        } else {
            continue;
        };
        let package = package_name(message, &folder);
        let executable =
            Executable { program: program.into(), package: package.clone(), package_folder: folder };
        executables.by_target.insert((package, target), executable);
    }
    executables
}

fn package_folder(message: &Value) -> Option<PathBuf> {
    Some(Path::new(message["manifest_path"].as_str()?).parent()?.to_owned())
}

/// Returns the identifier of a package ends in `#name@version`, or in `#version` where the folder has the name.
fn package_name(message: &Value, folder: &Path) -> String {
    let identifier = message["package_id"].as_str().unwrap_or_default();
    let of_identifier = identifier.rsplit_once('#').and_then(|(_, rest)| rest.split_once('@'));
    match of_identifier {
        Some((name, _)) => name.to_owned(),
        None => folder.file_name().unwrap_or_default().to_string_lossy().into_owned(),
    }
}

fn compiler_error(message: &Value) -> Option<CompilerError> {
    let details = &message["message"];
    // `error: internal compiler error` has a level of its own.
    if message["reason"] != "compiler-message" || !details["level"].as_str()?.starts_with("error") {
        return None;
    }
    let spans = details["spans"].as_array().map_or(&[][..], Vec::as_slice);
    let places = |is_primary: bool| {
        let chosen = spans.iter().filter(move |span| span["is_primary"] == is_primary);
        chosen.filter_map(span_place).collect::<Vec<_>>()
    };
    let mut all = places(true);
    all.extend(places(false));
    Some(CompilerError { package_folder: package_folder(message)?, places: all })
}

/// Returns the place of a span; for code from a macro, the place of the outermost call.
fn span_place(span: &Value) -> Option<(String, Range<usize>)> {
    let mut span = span;
    while span["expansion"]["span"].is_object() {
        span = &span["expansion"]["span"];
    }
    let byte = |key: &str| span[key].as_u64().and_then(|byte| usize::try_from(byte).ok());
    Some((span["file_name"].as_str()?.to_owned(), byte("byte_start")?..byte("byte_end")?))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn finds_executables_by_package_and_target() {
        let artifact = |package_id: &str, kind: &str, name: &str, program: Value| {
            json!({"reason": "compiler-artifact", "package_id": package_id, "executable": program,
                   "profile": {"test": name != "program"},
                   "manifest_path": "/w/crates/zones/Cargo.toml", "target": {"kind": [kind], "name": name}})
        };
        let messages = [
            artifact(
                "path+file:///w/crates/zones#tempora-zones@0.1.0",
                "lib",
                "tempora_zones",
                json!("/t/lib"),
            ),
            artifact("path+file:///w/crates/zones#tempora-zones@0.1.0", "lib", "tempora_zones", Value::Null),
            artifact("path+file:///w/crates/zones#tempora-zones@0.1.0", "test", "it", json!("/t/it")),
            artifact("path+file:///w/crates/zones#0.1.0", "test", "it", json!("/t/other")),
            artifact("path+file:///w/crates/zones#0.1.0", "bin", "program", json!("/t/program")),
        ];
        let executables = executables(&messages);
        let programs = |line: &str| {
            let arguments: Vec<String> = line.split(' ').map(str::to_owned).collect();
            let line = TestLine::parse(&arguments).unwrap();
            let found = executables.of_line(&line);
            found.iter().map(|executable| executable.program.display().to_string()).collect::<Vec<_>>()
        };
        assert_eq!(programs("-p tempora-zones"), ["/t/lib", "/t/it"]);
        assert_eq!(programs("-p tempora-zones --test it"), ["/t/it"]);
        assert_eq!(programs("-p zones --test it"), ["/t/other"]);
        assert_eq!(programs("-p zones"), ["/t/other"]);
        assert!(programs("-p draw").is_empty());
    }

    #[test]
    fn builds_whole_packages_apart_from_named_targets() {
        let lines = ["-p a", "-p b --test it one", "-p c --lib", "-p c --test it", "-p a --test it"];
        let lines: Vec<TestLine> = lines
            .iter()
            .map(|line| TestLine::parse(&line.split(' ').map(str::to_owned).collect::<Vec<_>>()).unwrap())
            .collect();
        let runs = cargo_arguments(&lines.iter().collect());
        let runs: Vec<String> = runs.iter().map(|arguments| arguments.join(" ")).collect();
        assert_eq!(runs, ["-p a --tests", "-p b -p c --lib --test it"]);
    }

    #[test]
    fn locates_errors_at_the_call_of_a_macro() {
        let span = json!({"file_name": "std.rs", "byte_start": 1, "byte_end": 2, "is_primary": true,
            "expansion": {"span": {"file_name": "crates/a/src/lib.rs", "byte_start": 30, "byte_end": 40}}});
        let message = |level: &str| {
            json!({"reason": "compiler-message", "manifest_path": "/w/crates/a/Cargo.toml",
                   "message": {"level": level, "spans": [span]}})
        };
        let error = compiler_error(&message("error")).unwrap();
        assert_eq!(error.package_folder, Path::new("/w/crates/a"));
        assert_eq!(error.places, [("crates/a/src/lib.rs".to_owned(), 30..40)]);
        assert_eq!(compiler_error(&message("warning")), None);
    }
}
