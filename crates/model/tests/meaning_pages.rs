//! The example on the page of each code about meaning produces that code.

use tempora_model::codes::{ALL, meaning};
use tempora_model::elaborate_network;
use tempora_model::syntax::parse_network;
use tempora_source::{Files, Origins};

#[test]
fn examples_produce_their_codes() {
    let mut tested = 0;
    for code in ALL {
        for example in code.examples().iter().filter(|example| example.language == "net") {
            let mut files = Files::new();
            let file = files.add("example.net", &example.text).unwrap();
            let parsed = parse_network(&files, file);
            if parsed.diagnostics.has_errors() {
                // Codes of the parser have tests of their own.
                assert!(
                    parsed.diagnostics.as_slice().iter().any(|diagnostic| diagnostic.code == *code),
                    "{}: {:?}",
                    code.name(),
                    parsed.diagnostics
                );
                continue;
            }
            let mut origins = Origins::new();
            let elaborated = elaborate_network(&files, &mut origins, &parsed.tree);
            let found: Vec<&str> =
                elaborated.diagnostics.as_slice().iter().map(|diagnostic| diagnostic.code.name()).collect();
            assert!(found.contains(&code.name()), "{}: found {found:?}", code.name());
            assert_eq!(found.len(), 1, "{}: one fault, one message: {found:?}", code.name());
            tested += 1;
        }
    }
    assert!(tested >= 20, "only {tested} pages were tested");
    assert_eq!(meaning::UNKNOWN_NAME.name(), "unknown-name");
}
