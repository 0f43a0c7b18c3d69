//! The codes of this crate.
//!
//! Invariant: every code is in [`ALL`], which is sorted by name.

pub mod tck;

use tempora_source::Code;

use crate::uppaal::codes as uppaal;

/// Every code of this crate, by name.
pub static ALL: &[&Code] = &[
    &tck::GUARD_ON_WEAK_EVENT,
    &tck::PROCESS_RENAMED,
    &tck::UNKNOWN_ATTRIBUTE,
    &uppaal::XML_ATTRIBUTE,
    &uppaal::XML_LABEL,
    &uppaal::XML_NAME,
    &uppaal::XML_REFERENCE,
    &uppaal::XML_STRUCTURE,
    &uppaal::XML_UNCLOSED,
];

#[cfg(test)]
mod tests {
    use tempora_source::{Files, Origins, registry_faults};

    use super::ALL;
    use crate::{read_model, recognise_language};

    #[test]
    fn the_example_of_each_code_produces_it() {
        assert_eq!(registry_faults(ALL), Vec::<String>::new());
        for code in ALL {
            for example in code.examples() {
                let (mut files, mut origins) = (Files::new(), Origins::new());
                let file = files.add("example", example.text.clone()).expect("a short text");
                let language = recognise_language("example", files.text(file));
                let read = read_model(language, &mut files, &mut origins, file, None);
                let found: Vec<&str> =
                    read.diagnostics.as_slice().iter().map(|diagnostic| diagnostic.code.name()).collect();
                assert!(found.contains(&code.name()), "{}: {found:?}", code.name());
            }
        }
    }
}
