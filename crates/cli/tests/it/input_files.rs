//! Files that are not models: each is refused with a place or a clear message, without a panic.

use crate::support::{file, run};

/// Checks that a file is refused with a message that has the expected parts.
fn refused(name: &str, content: &[u8], expected: &[&str]) {
    let path = file(name, content);
    for command in ["check", "inspect"] {
        let finished = run(&[command, &path]);
        assert_eq!(finished.status, Some(2), "{name}: {finished:?}");
        assert_eq!(finished.output, "", "{name}");
        assert!(!finished.error.contains("panicked"), "{name}: {finished:?}");
        for part in expected {
            assert!(finished.error.contains(part), "{name}: {part:?} is not in {}", finished.error);
        }
    }
}

#[test]
fn refuses_unreadable_files() {
    for (path, expected) in [
        ("no-such-file.net", "`no-such-file.net` cannot be read"),
        ("examples", "`examples` cannot be read: it is a folder"),
        ("", "`` cannot be read"),
        ("examples/fischer.net/inside", "cannot be read"),
    ] {
        let finished = run(&["check", path]);
        assert_eq!(finished.status, Some(2), "{finished:?}");
        assert!(finished.error.starts_with("error[unreadable-file]"), "{finished:?}");
        assert!(finished.error.contains(expected), "{finished:?}");
        assert!(
            finished.error.contains("hint: MODEL must be a file, or `-` for standard input"),
            "{finished:?}"
        );
    }
}

#[test]
fn empty_files() {
    refused("input-empty.net", b"", &["error[no-process]", "input-empty.net:1:1"]);
    refused("input-space.net", b" \n\t\r\n", &["error[no-process]"]);
    refused("input-comment.net", b"// nothing here", &["error[no-process]"]);
    refused("input-bom.net", b"\xef\xbb\xbf", &["error[no-process]"]);
}

#[test]
fn ignores_byte_order_mark() {
    let path = file("input-marked.net", b"\xef\xbb\xbfprocess P { init location A; } query E<> P.A;");
    assert_eq!(run(&["check", &path]).status, Some(0));
    refused("input-marked-broken.net", b"\xef\xbb\xbfprocess P { int; }", &["input-marked-broken.net:1:16"]);
    // A mark in the middle of a text is an ordinary character.
    refused("input-mark-inside.net", b"process \xef\xbb\xbfP { init location A; }", &["error[", ":1:9"]);
}

#[test]
fn other_encodings() {
    let wide: Vec<u8> = "\u{feff}process P { init location A; } query E<> P.A;"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let path = file("input-utf16.net", &wide);
    assert_eq!(run(&["check", &path]).status, Some(0), "{:?}", run(&["check", &path]));
    refused(
        "input-latin.net",
        b"// caf\xe9\nprocess P { init location A; }",
        &["error[invalid-utf8]: the byte 0xE9", ":1:7"],
    );
    refused(
        "input-cut.net",
        b"process P { init location A; } // \xe2\x82",
        &["error[invalid-utf8]", ":1:35"],
    );
    refused("input-binary.net", &[0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0xff, 0xfe], &["error["]);
}

#[test]
fn control_characters() {
    refused("input-nul.net", b"process P {\n init \0 location A; }", &["error[unknown-character]", ":2:7"]);
    refused("input-nuls.net", &[0; 300], &["error["]);
    // Control characters of the file do not reach the terminal.
    let path = file("input-escape.net", b"process \x1b[2J { init location A; }");
    let finished = run(&["check", &path]);
    assert!(finished.status == Some(2) && !finished.error.contains('\u{1b}'), "{finished:?}");
}

#[test]
fn enormous_and_deep_texts() {
    let deep = format!("int x = {}1{};", "(".repeat(100_000), ")".repeat(100_000));
    refused("input-deep.net", deep.as_bytes(), &["error[nested-too-deeply]"]);
    let long = format!("process P {{ init location A; A -> {}; }}", "B".repeat(1_000_000));
    refused("input-long.net", long.as_bytes(), &["error[unknown-name]"]);
    let many = "int ;\n".repeat(50_000);
    refused("input-many.net", many.as_bytes(), &["error[too-many-errors]"]);
    let wide = b"int a[2000000000]; process P { init location A; }";
    refused("input-wide.net", wide, &["error[too-large]", ":1:"]);
}
