//! Helpers of the tests: cases and their stages.

pub(crate) mod certified;
pub(crate) mod document;
pub(crate) mod stages;

use tempora_frontends::{Content, Conversion, LANGUAGES, Language, Writer};
use tempora_testkit::{blocks_of, files_below, workspace};
use tempora_workbench::{LoadOptions, Loaded, load, load_project};

/// Parses the output of a writer.
pub(crate) fn read_back(writer: &Writer, conversion: &Conversion) -> Loaded {
    match &conversion.content {
        Content::Text(text) => load(&format!("written.{}", writer.extension), text.as_bytes()),
        Content::Folder(files) => {
            let parts: Vec<(String, Vec<u8>)> =
                files.iter().map(|file| (file.path.clone(), file.bytes.clone())).collect();
            load_project("written", &parts, LoadOptions::default())
        }
    }
}

/// Returns the models of the cases, the guide and the examples in the given languages, with names.
pub(crate) fn models(is_wanted: impl Fn(&Language) -> bool) -> Vec<(String, String)> {
    let root = workspace();
    let mut models = Vec::new();
    for language in LANGUAGES.iter().filter(|language| is_wanted(language)) {
        for extension in language.extensions {
            for path in files_below(&root.join("examples"), &format!(".{extension}")) {
                models.push((path.to_str().unwrap().to_owned(), std::fs::read_to_string(&path).unwrap()));
            }
        }
        for folder in ["tests/cases", "docs/guide"] {
            for path in files_below(&root.join(folder), ".md") {
                for text in blocks_of(&std::fs::read_to_string(&path).unwrap(), language.name) {
                    let name = path.file_name().unwrap().to_str().unwrap();
                    models.push((format!("{name}.{}", language.extensions[0]), text));
                }
            }
        }
    }
    models
}
