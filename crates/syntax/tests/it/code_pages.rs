//! The manual pages of this crate's codes are complete, and each example produces its code.

use tempora_source::{Code, Diagnostic, Example, registry_faults};
use tempora_syntax::codes;

use crate::reading::read;

#[test]
fn the_registry_has_no_faults() {
    assert_eq!(registry_faults(codes::ALL), Vec::<String>::new());
    assert!(codes::ALL.is_sorted(), "the list is not in the order of the names");
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
            // Those who complain too often complain about something else first.
            let is_alone = found.iter().all(|other| other == code);
            assert!(
                is_alone || *code == &codes::structure::TOO_MANY_ERRORS,
                "the example of {code} also gives {found:?}"
            );
        }
    }
}

/// The fence is a kind of text, and may say how often the first line stands there.
fn run(example: &Example) -> Vec<Diagnostic> {
    let Some((kind, times)) = example.language.split_once(" with its first line ") else {
        return read(&example.language, &example.text).unwrap().diagnostics;
    };
    let times: usize = times.strip_suffix(" times").unwrap().parse().unwrap();
    let (first, rest) = example.text.split_once('\n').unwrap_or((&example.text, ""));
    read(kind, &(format!("{first}\n").repeat(times) + rest)).unwrap().diagnostics
}
