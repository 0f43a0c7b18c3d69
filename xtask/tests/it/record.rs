//! `cargo xtask record` as a command: comparing kept records, and the committed list.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn record(folder: &Path, stdout: &str, stderr: &str) -> io::Result<()> {
    let line = folder.join("group").join("001");
    fs::create_dir_all(&line)?;
    fs::write(folder.join("summary"), "record of tempora\n")?;
    let products =
        [("command", "tempora check a.net\n"), ("stdout", stdout), ("stderr", stderr), ("status", "0\n")];
    for (name, text) in products {
        fs::write(line.join(name), text)?;
    }
    Ok(())
}

fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("tempora-record-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn xtask(arguments: &[&str]) -> io::Result<Output> {
    Command::new(env!("CARGO_BIN_EXE_xtask")).arg("record").args(arguments).output()
}

#[test]
fn exits_with_one_if_records_differ() {
    let folder = scratch("compare");
    let (old, new) = (folder.join("old"), folder.join("new"));
    let (old_name, new_name) = (old.to_str().unwrap(), new.to_str().unwrap());
    record(&old, "satisfied: p\n  3 states, 0.100 s\n", "error[a-code]: one\n").unwrap();
    record(&new, "satisfied: p\n  3 states, 0.200 s\n", "error[a-code]: two\n").unwrap();

    let output = xtask(&["--compare", old_name, "--with", new_name]).unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(
        text.contains("tempora check a.net\n  stderr:\n    line 1\n    - error[a-code]: one\n"),
        "{text}"
    );
    assert!(text.contains("0 the same, 1 differ"), "{text}");

    let output = xtask(&["--compare", old_name, "--with", new_name, "--prose"]).unwrap();
    assert_eq!(output.status.code(), Some(0));
    let output = xtask(&["--compare", old_name, "--with", new_name, "--only", "lint"]).unwrap();
    assert_eq!(output.status.code(), Some(0));

    record(&new, "violated: p\n  3 states, 0.200 s\n", "error[a-code]: two\n").unwrap();
    let output = xtask(&["--compare", old_name, "--with", new_name, "--prose"]).unwrap();
    assert_eq!(output.status.code(), Some(1));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn rejects_incomplete_arguments() {
    for arguments in [&[][..], &["--compare"], &["--with", "a"], &["--no-such-option"]] {
        assert_eq!(xtask(arguments).unwrap().status.code(), Some(2), "{arguments:?}");
    }
    assert_eq!(
        xtask(&["--compare", "no-such-folder", "--with", "no-such-folder"]).unwrap().status.code(),
        Some(2)
    );
}

#[test]
fn list_has_enough_command_lines() {
    let list = xtask::record::read_list(&xtask::workspace_folder()).unwrap();
    assert!(list.len() >= 600, "{}", list.len());
}

#[cfg(unix)]
#[test]
fn runs_groups_in_order_and_keeps_written_files() {
    use std::os::unix::fs::PermissionsExt;

    let root = scratch("run");
    fs::create_dir_all(root.join("xtask/record")).unwrap();
    let list = "[g]\nwrite {out}/in 'one\\n'\ntempora {out}/in {out}/a\ntempora {out}/a {out}/b\n";
    fs::write(root.join("xtask/record/all.txt"), list).unwrap();
    let program = root.join("program");
    fs::write(&program, "#!/bin/sh\ncat \"$1\" > \"$2\"\necho copied\necho two >> \"$2\"\nexit 3\n").unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let options = xtask::record::Options {
        folder: Some(root.join("kept")),
        program: Some(program),
        ..xtask::record::Options::default()
    };
    assert_eq!(xtask::record::task(&root, &options, &mut Vec::new()), Ok(true));
    let read = |name: &str| fs::read_to_string(root.join("kept/all-g").join(name)).unwrap();
    assert_eq!(read("001/stdout"), "copied\n");
    assert_eq!(read("001/status"), "3\n");
    assert_eq!(read("002/files/b"), "one\ntwo\ntwo\n");
    assert!(!root.join("kept/all-g/002/files/a").exists());
    fs::remove_dir_all(root).unwrap();
}
