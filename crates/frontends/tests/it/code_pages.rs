//! The manual pages of this crate's codes are complete, and each example produces its code.
//!
//! The fence of an example tells its kind: `file` is a model to read; `to-tck` is a `.net` file to write as `.tck`;
//! `xsts` is an XSTS model; `project` is the only component of an Ecdar project; `text` and `arguments` are command
//! lines.

use tempora_frontends::{
    ProjectFile, ProjectRole, Writable, codes, language_named, read_model, read_project_model,
    recognise_language, writer_named,
};
use tempora_source::{Example, Files, Origins, registry_faults};

#[test]
fn the_registry_has_no_faults() {
    assert_eq!(registry_faults(codes::ALL), Vec::<String>::new());
    assert!(codes::ALL.is_sorted(), "the list is not sorted by name");
}

#[test]
fn every_declared_code_is_registered() {
    assert_eq!(codes::ALL.len(), tempora_testkit::declared_codes("frontends"));
}

#[test]
fn the_example_of_each_code_produces_it() {
    for code in codes::ALL {
        // Command lines are not models.
        let is_model = |example: &Example| !["text", "arguments"].contains(&example.language.as_str());
        for example in code.examples().into_iter().filter(is_model) {
            let found = codes_of(&example);
            assert!(found.contains(&code.name()), "the example of {code} gives {found:?}");
            assert!(found.iter().all(|other| *other == code.name()), "the example of {code} gives {found:?}");
        }
    }
}

fn codes_of(example: &Example) -> Vec<&'static str> {
    let (mut files, mut origins) = (Files::new(), Origins::new());
    let file = files.add("example", format!(" \n{}", example.text)).unwrap();
    let language = match example.language.as_str() {
        "file" => recognise_language("example", files.text(file)),
        "xsts" => language_named("xsts").unwrap(),
        _ => language_named("net").unwrap(),
    };
    let read = if example.language == "system" {
        let component = r#"{ "name": "A", "locations": [ { "id": "L0", "type": "INITIAL" } ] }"#;
        let component = files.add("A.json", component).unwrap();
        let parts = [
            ProjectFile { role: ProjectRole::Component, file: component },
            ProjectFile { role: ProjectRole::System, file },
        ];
        read_project_model(&mut files, &mut origins, component, &parts, None)
    } else if example.language == "project" {
        let component = ProjectFile { role: ProjectRole::Component, file };
        read_project_model(&mut files, &mut origins, file, &[component], None)
    } else {
        read_model(language, &mut files, &mut origins, file, None)
    };
    let mut found = read.diagnostics;
    assert_eq!(read.network.is_none() && read.symbolic.is_none(), found.has_errors());
    if let (Some(name), Some(network)) = (example.language.strip_prefix("to-"), &read.network) {
        let model = Writable {
            files: &files,
            origins: &origins,
            tree: read.document.network().unwrap().tree,
            document: None,
            project: None,
            network,
            queries: &read.queries,
        };
        match writer_named(name).unwrap().write(&model) {
            Ok(conversion) => found.extend(conversion.warnings),
            Err(problems) => found.extend(problems),
        }
    }
    found.as_slice().iter().map(|diagnostic| diagnostic.code.name()).collect()
}
