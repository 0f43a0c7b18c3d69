//! The manual pages of the codes of this crate are complete, and each example produces its code.

use tempora_source::{
    Code, Diagnostic, Example, Files, codes, decode_json_string, decode_xml_text, parse_json, registry_faults,
};

#[test]
fn registry_has_no_faults() {
    assert_eq!(registry_faults(codes::ALL), Vec::<String>::new());
    assert!(codes::ALL.is_sorted(), "the list is not sorted by name");
}

#[test]
fn every_declared_code_is_registered() {
    assert_eq!(codes::ALL.len(), tempora_testkit::declared_codes("source"));
}

#[test]
fn every_example_produces_its_code() {
    for code in codes::ALL {
        for example in code.examples() {
            let found: Vec<&Code> = run(&example).iter().map(|diagnostic| diagnostic.code).collect();
            assert!(found.contains(code), "the example of {code} gives {found:?}: {example:?}");
            assert!(found.iter().all(|other| other == code), "the example of {code} also gives {found:?}");
        }
    }
}

fn run(example: &Example) -> Vec<Diagnostic> {
    let mut files = Files::new();
    match example.language.as_str() {
        "bytes" => files.add_bytes("example", &bytes_of(&example.text)).err().into_iter().collect(),
        "file with a limit of 16 bytes" => {
            Files::with_size_limit(16).add("example", &*example.text).err().into_iter().collect()
        }
        language => {
            let file = files.add("example", &*example.text).unwrap();
            match language {
                "xml text" => decode_xml_text(&files, files.whole(file)).1,
                "json" => parse_json(&files, file).err().into_iter().collect(),
                "json string" => decode_json_string(&files, files.whole(file)).1,
                _ => panic!("unknown language {language} of an example"),
            }
        }
    }
}

/// Converts a text to bytes, in which `\xE9` stands for the byte E9.
fn bytes_of(text: &str) -> Vec<u8> {
    let mut pieces = text.split("\\x");
    let mut bytes = pieces.next().unwrap_or("").as_bytes().to_vec();
    for piece in pieces {
        bytes.push(u8::from_str_radix(&piece[..2], 16).unwrap());
        bytes.extend_from_slice(&piece.as_bytes()[2..]);
    }
    bytes
}
