//! Workspaces: reading, listing, imports, and atomic writes.

use tempora_workbench::{Disk, Memory, OpenOptions, Session, Workspace};

fn scratch(name: &str) -> std::path::PathBuf {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn text(path: &std::path::Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn disk_writes_files_atomically() {
    let folder = scratch("workspace-writes");
    let file = folder.join("model.net");
    Disk::default().write(text(&file), b"one").unwrap();
    Disk::default().write(text(&file), b"two").unwrap();
    assert_eq!(std::fs::read(&file).unwrap(), b"two");
    // A name of maximal length.
    let long = folder.join(format!("{}.net", "n".repeat(251)));
    Disk::default().write(text(&long), b"one").unwrap();
    std::fs::remove_file(long).unwrap();
    // No temporary file remains.
    assert_eq!(Disk::default().list(text(&folder)).unwrap(), ["model.net"]);
}

#[test]
fn disk_leaves_nothing_after_failed_write() {
    let folder = scratch("workspace-fails");
    let inside = folder.join("missing").join("model.net");
    assert!(Disk::default().write(text(&inside), b"one").is_err());
    assert!(Disk::default().write(text(&folder), b"one").is_err());
    assert!(Disk::default().list(text(&folder)).unwrap().is_empty());
}

#[cfg(unix)]
#[test]
fn disk_keeps_links_modes_and_devices() {
    use std::os::unix::fs::PermissionsExt;
    let folder = scratch("workspace-links");
    let (file, link) = (folder.join("model.net"), folder.join("link.net"));
    std::fs::write(&file, b"one").unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
    std::os::unix::fs::symlink("model.net", &link).unwrap();
    Disk::default().write(text(&link), b"two").unwrap();
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(std::fs::read(&file).unwrap(), b"two");
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    Disk::default().write("/dev/null", b"gone").unwrap();
    assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn imports_are_confined_to_root() {
    let folder = scratch("workspace-imports");
    std::fs::create_dir(folder.join("inner")).unwrap();
    for file in ["main.net", "part.net", "inner/deep.net"] {
        std::fs::write(folder.join(file), b"").unwrap();
    }
    let main = folder.join("main.net");
    let beside = Disk::default().resolve(text(&main), "part.net").unwrap();
    assert!(std::path::Path::new(&beside).is_file());
    assert!(Disk::default().resolve(text(&main), "../workspace-imports/part.net").is_ok());
    assert!(Disk::default().resolve(text(&folder.join("inner/deep.net")), "../part.net").is_err());
    let rooted = Disk { root: Some(folder.clone()), ..Disk::default() };
    assert!(rooted.resolve(text(&folder.join("inner/deep.net")), "../part.net").is_ok());
    assert!(rooted.resolve(text(&main), "/dev/null").is_err());
    let memory = Memory::new([("a/main.net", b"".as_slice())]);
    assert_eq!(memory.resolve("a/main.net", "../b/./part.net").unwrap(), "b/part.net");
    assert!(memory.resolve("a/main.net", "../../part.net").is_err());
    assert!(memory.resolve("a/main.net", "/part.net").is_err());
}

#[test]
fn sessions_read_queries_beside_models() {
    let memory = Memory::new([
        ("m/train.net", b"process P { init location A; } system P;".as_slice()),
        ("m/train.q", b"E<> P.A".as_slice()),
        ("m/other.q", b"A[] P.A\nE<> P.A".as_slice()),
    ]);
    let session = Session::new(&memory);
    let count = |options| session.open("m/train.net", options).unwrap().queries.len();
    assert_eq!(count(OpenOptions::default()), 1);
    assert_eq!(count(OpenOptions { property: Some("m/other.q"), ..OpenOptions::default() }), 2);
    let unknown = OpenOptions { language: Some("klingon"), ..OpenOptions::default() };
    assert_eq!(session.open("m/train.net", unknown).err().unwrap().code.name(), "unknown-language");
    let missing = session.open("m/none.net", OpenOptions::default()).err().unwrap();
    assert_eq!(missing.code.name(), "unreadable-file");
}

#[test]
fn sessions_open_project_folders() {
    let component =
        br#"{"name": "One", "declarations": "", "locations": [{"id": "L0", "nickname": "", "invariant": "",
        "type": "INITIAL", "urgency": "NORMAL"}], "edges": []}"#;
    let memory =
        Memory::new([("p/Components/One.json", component.as_slice()), ("p/notes.txt", b"".as_slice())]);
    let loaded = Session::new(&memory).open("p", OpenOptions::default()).unwrap();
    assert!(loaded.project().is_some() && loaded.network().is_some(), "{:?}", loaded.diagnostics);
}
