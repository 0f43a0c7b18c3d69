//! Tests that the manual pages of this crate's codes are complete and that each example produces its code.

use tempora_source::{Code, Diagnostic, Example, registry_faults};
use tempora_syntax::codes;

use crate::reading::read;

#[test]
fn code_registry_is_consistent() {
    assert_eq!(registry_faults(codes::ALL), Vec::<String>::new());
    assert!(codes::ALL.is_sorted(), "the list is not sorted by name");
}

#[test]
fn every_declared_code_is_registered() {
    assert_eq!(codes::ALL.len(), tempora_testkit::declared_codes("syntax"));
}

#[test]
fn every_example_produces_its_code() {
    for code in codes::ALL {
        for example in code.examples() {
            let found: Vec<&Code> = run(&example).iter().map(|diagnostic| diagnostic.code).collect();
            assert!(found.contains(code), "the example of {code} gives {found:?}: {example:?}");
            // A text with too many errors has other errors first.
            let is_alone = found.iter().all(|other| other == code);
            assert!(
                is_alone || *code == &codes::structure::TOO_MANY_ERRORS,
                "the example of {code} also gives {found:?}"
            );
        }
    }
}

/// Parses an example. Its fence is a kind of text, and may give a number of repetitions of the first line.
fn run(example: &Example) -> Vec<Diagnostic> {
    let Some((kind, times)) = example.language.split_once(" with its first line ") else {
        return read(&example.language, &example.text).unwrap().diagnostics;
    };
    let times: usize = times.strip_suffix(" times").unwrap().parse().unwrap();
    let (first, rest) = example.text.split_once('\n').unwrap_or((&example.text, ""));
    read(kind, &(format!("{first}\n").repeat(times) + rest)).unwrap().diagnostics
}
