//! Recognition of languages, by content or by file name.

use tempora_frontends::{LANGUAGES, WRITERS, language_named, recognise_language, writer_for_file};

#[test]
fn languages_are_recognised() {
    for (name, text, expected) in [
        ("a.tck", "system:s\n", "tck"),
        ("a.net", "system:s\n", "tck"),
        ("standard input", "# a comment\n\n  # another\n\tsystem : s\n", "tck"),
        ("standard input", "clock:1:x\n", "tck"),
        ("a.tck", "", "tck"),
        ("a.tck", "this is no model", "tck"),
        ("a.net", "", "net"),
        ("a.net", "system P;", "net"),
        ("standard input", "clock x;", "net"),
        ("standard input", "process P { }", "net"),
        ("standard input", "# nothing", "net"),
        ("tck", "process P { }", "net"),
    ] {
        assert_eq!(recognise_language(name, text).name, expected, "{name}: {text:?}");
    }
}

#[test]
fn names_are_unique_and_writers_have_a_language() {
    for (position, language) in LANGUAGES.iter().enumerate() {
        assert!(LANGUAGES[..position].iter().all(|other| other.name != language.name), "{}", language.name);
    }
    for (position, writer) in WRITERS.iter().enumerate() {
        assert!(WRITERS[..position].iter().all(|other| other.name != writer.name), "{}", writer.name);
        if writer.is_folder() {
            assert_eq!(writer_for_file("model/").unwrap().name, writer.name);
            continue;
        }
        let written_by = writer_for_file(&format!("model.{}", writer.extension)).unwrap().name;
        match language_named(writer.name) {
            Some(language) => {
                assert!(language.extensions.contains(&writer.extension), "{}", writer.name);
                assert_eq!(written_by, writer.name);
            }
            // A dialect with the same extension must be named explicitly.
            None => {
                let language = language_named(written_by).unwrap();
                assert!(language.extensions.contains(&writer.extension), "{}", writer.name);
            }
        }
    }
    for name in ["model", "model.doc", "-", ".tck", "modeltck"] {
        assert!(writer_for_file(name).is_none(), "{name}");
    }
}
