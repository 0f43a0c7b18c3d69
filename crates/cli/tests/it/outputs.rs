//! Output files: inputs are not overwritten, and a killed program leaves the old file or the new one.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use crate::support::{run, run_with_input, tempora};

const DOOR: &str = "clock x; process P { init location A; location B { invariant x <= 5; }
    A -> B { guard x >= 2; } B -> A { do x = 0; } }
    query E<> P.B;";

/// Returns a new folder with the model, a query file and a run of the model.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("m.net"), DOOR).unwrap();
    std::fs::write(folder.join("asked.q"), "E<> P.B\nA[] x >= 0\n").unwrap();
    let saved =
        run(&["check", &path(&folder, "m.net"), "--trace", "none", "--save-trace", &path(&folder, "run")]);
    assert_eq!(saved.status, Some(0), "{saved:?}");
    folder
}

fn path(folder: &Path, file: &str) -> String {
    folder.join(file).to_str().unwrap().to_owned()
}

/// Checks that a command refuses to write a file, and leaves it as it was.
fn refused(arguments: &[&str], input: &Path) {
    let before = std::fs::read(input).unwrap();
    let finished = run(arguments);
    assert_eq!(finished.status, Some(2), "{arguments:?}: {finished:?}");
    assert!(finished.error.contains("error[unwritable-file]"), "{arguments:?}: {finished:?}");
    assert!(finished.error.contains("an input of this command"), "{arguments:?}: {finished:?}");
    assert_eq!(std::fs::read(input).unwrap(), before, "{arguments:?}");
}

#[test]
fn outputs_do_not_replace_inputs() {
    let folder = folder("outputs-inputs");
    let file = |name: &str| path(&folder, name);
    let (model, queries, trace) = (file("m.net"), file("asked.q"), file("run-1.json"));
    let input = Path::new(&model);
    refused(&["draw", &model, "-o", &model], input);
    refused(&["convert", &model, &model], input);
    refused(&["convert", &model, &file("./m.net")], input);
    refused(&["draw", &model, "--trace", &trace, "-o", &trace], Path::new(&trace));
    for more in [["--certificate", &model], ["--save-components", &model]] {
        refused(&[&["check", &model, "-q", "A[] x >= 0"], more.as_slice()].concat(), input);
    }
    let asked = ["check", &model, "--property", &queries, "--certificate", &queries];
    refused(&asked, Path::new(&queries));
    refused(&["check", &model, "--engine", "bmc", "--dump-smt", &model], input);
    // The names of several files follow from a prefix.
    let named = file("run-1.json");
    std::fs::write(&named, DOOR).unwrap();
    let other = ["check", &named, "--language", "net", "--save-trace", &file("run")];
    refused(&other, Path::new(&named));
    std::fs::write(
        file("g-1.json"),
        "var x : integer = 0 trans { x := x + 1; } init {} env {} prop { x >= 0 }",
    )
    .unwrap();
    let graphs =
        ["check", &file("g-1.json"), "--language", "xsts", "--engine", "cegar", "--save-arg", &file("g")];
    refused(&graphs, &folder.join("g-1.json"));
    std::fs::write(file("P.svg"), DOOR).unwrap();
    let drawn = ["lint", &file("P.svg"), "--language", "net", "--draw", folder.to_str().unwrap()];
    refused(&drawn, &folder.join("P.svg"));
    // The same file by standard input.
    #[cfg(unix)]
    {
        let mut command = tempora(&["draw", "-", "-o", &model]);
        command.stdin(std::fs::File::open(&model).unwrap()).stdout(Stdio::null()).stderr(Stdio::piped());
        let finished = command.spawn().unwrap().wait_with_output().unwrap();
        assert_eq!(finished.status.code(), Some(2), "{finished:?}");
        assert!(String::from_utf8_lossy(&finished.stderr).contains("it is standard input"), "{finished:?}");
        assert_eq!(std::fs::read_to_string(&model).unwrap(), DOOR);
    }
    // A file that was not read is replaced.
    assert_eq!(run(&["draw", &model, "-o", &file("other.svg")]).status, Some(0));
    assert_eq!(run(&["draw", &model, "-o", &file("other.svg")]).status, Some(0));
    assert_eq!(run_with_input(&["draw", "-", "-o", &model], DOOR.as_bytes()).status, Some(0));
}

#[cfg(unix)]
#[test]
fn outputs_do_not_replace_inputs_by_links() {
    let folder = folder("outputs-links");
    let model = path(&folder, "m.net");
    std::os::unix::fs::symlink("m.net", folder.join("symbolic.net")).unwrap();
    std::fs::hard_link(&model, folder.join("hard.net")).unwrap();
    std::os::unix::fs::symlink(".", folder.join("again")).unwrap();
    for other in ["symbolic.net", "hard.net", "again/m.net", "again/./symbolic.net"] {
        let other = path(&folder, other);
        refused(&["convert", &model, &other], Path::new(&model));
        refused(&["convert", &other, &model], Path::new(&model));
        refused(&["check", &model, "-q", "A[] x >= 0", "--certificate", &other], Path::new(&model));
    }
    // A link to a file that does not exist yet is kept.
    std::os::unix::fs::symlink("made.svg", folder.join("link.svg")).unwrap();
    assert_eq!(run(&["draw", &model, "-o", &path(&folder, "link.svg")]).status, Some(0));
    assert!(folder.join("link.svg").is_symlink() && folder.join("made.svg").is_file());
}

#[test]
fn files_of_projects_and_settings_are_inputs() {
    let folder = folder("outputs-project");
    let file = |name: &str| path(&folder, name);
    let (model, project) = (file("m.net"), file("project"));
    let spec = "broadcast chan a; process S { init location A; A -> A { sync a!; } }";
    std::fs::write(file("s.net"), spec).unwrap();
    let converted = run(&["convert", &file("s.net"), &project, "--to", "ecdar"]);
    assert_eq!(converted.status, Some(0), "{converted:?}");
    let component = folder.join("project/Components/S.json");
    refused(&["draw", &project, "-o", component.to_str().unwrap()], &component);
    // The settings are read by lint only; it writes pictures into a folder.
    std::fs::write(file("tempora.toml"), "[lint]\n").unwrap();
    std::fs::hard_link(file("tempora.toml"), file("P.svg")).unwrap();
    refused(&["lint", &model, "--draw", folder.to_str().unwrap()], &folder.join("tempora.toml"));
    // A proof is an input as well.
    std::fs::write(file("proof"), "").unwrap();
    let finished =
        run(&["check", &file("s.net"), "--proof", &file("proof"), "--certificate", &file("proof")]);
    assert_eq!(
        (finished.status, std::fs::read(file("proof")).unwrap()),
        (Some(2), Vec::new()),
        "{finished:?}"
    );
}

/// `OUTPUT_KILLS=200 cargo test -p tempora-cli --test it outputs::` kills more often than the default.
#[cfg(unix)]
#[test]
fn killed_program_leaves_old_or_new_file() {
    let kills: u64 = std::env::var("OUTPUT_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(10);
    let folder = folder("outputs-killed");
    let edges: String = (0..20_000).map(|number| format!("A -> A {{ guard x >= {number}; }}\n")).collect();
    std::fs::write(
        folder.join("large.net"),
        format!("clock x; process P {{ init location A;\n{edges}}}\nsystem P;\n"),
    )
    .unwrap();
    let (model, out) = (path(&folder, "large.net"), path(&folder, "large.xml"));
    let start = std::time::Instant::now();
    assert_eq!(run(&["convert", &model, &out]).status, Some(0));
    let (whole, new) = (start.elapsed(), std::fs::read(&out).unwrap());
    let (mut kept, mut replaced) = (0, 0);
    for kill in 0..kills {
        std::fs::write(&out, "old").unwrap();
        let mut child = tempora(&["convert", &model, &out]).stdout(Stdio::null()).spawn().unwrap();
        // The write is the last part of the run.
        let delay = whole.mul_f64(0.6 + 0.5 * kill as f64 / kills as f64);
        std::thread::sleep(delay.min(Duration::from_secs(20)));
        let _ = child.kill();
        child.wait().unwrap();
        let found = std::fs::read(&out).unwrap();
        assert!(found == b"old" || found == new, "after {delay:?}: {} bytes", found.len());
        if found == new { replaced += 1 } else { kept += 1 }
    }
    assert_eq!(kept + replaced, kills);
}
