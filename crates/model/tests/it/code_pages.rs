//! Tests that the manual pages of this crate's codes are complete and that each example produces its code.

use tempora_model::{codes, elaborate_network};
use tempora_source::{Code, Diagnostic, Files, Origins, registry_faults};
use tempora_syntax::parse_network;

#[test]
fn code_registry_is_consistent() {
    assert_eq!(registry_faults(codes::ALL), Vec::<String>::new());
    assert!(codes::ALL.is_sorted(), "the list is not sorted by name");
}

#[test]
fn every_declared_code_is_registered() {
    assert_eq!(codes::ALL.len(), tempora_testkit::declared_codes("model"));
}

#[test]
fn every_example_produces_its_code() {
    // No text produces an ill-formed network, only a bug of a reader does; see the tests of `validate.rs`.
    for code in codes::ALL.iter().filter(|code| **code != &codes::meaning::ILL_FORMED_NETWORK) {
        for example in code.examples() {
            assert_eq!(example.language, "net", "{code}");
            let found: Vec<&Code> = meaning(&example.text).iter().map(|diagnostic| diagnostic.code).collect();
            assert!(found.contains(code), "the example of {code} gives {found:?}: {example:?}");
            assert!(found.iter().all(|other| other == code), "the example of {code} also gives {found:?}");
        }
    }
}

/// Returns the diagnostics of a whole model: those of its syntax and, without errors there, those of elaboration.
fn meaning(text: &str) -> Vec<Diagnostic> {
    let mut files = Files::new();
    let file = files.add("example.net", text).unwrap();
    let parsed = parse_network(&files, file);
    if parsed.diagnostics.has_errors() {
        return parsed.diagnostics.into_iter().collect();
    }
    let mut origins = Origins::new();
    let elaborated = elaborate_network(&files, &mut origins, &parsed.tree);
    parsed.diagnostics.into_iter().chain(elaborated.diagnostics).collect()
}
