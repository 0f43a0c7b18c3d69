//! Reads, edits, writes and reads back real UPPAAL models from a folder beside the checkout.
//!
//! Invariant: without the folder, as in a plain clone, the test prints a message and passes.

#![allow(clippy::print_stdout, reason = "the test reports its counts")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tempora_testkit::report_skipped;

use tempora_frontends::uppaal::{XmlDocument, replace_attribute, replace_text};
use tempora_frontends::{Read, Writable, read_model, recognise_language, writer_named};
use tempora_model::{Network, print_network};
use tempora_source::{Colour, FileId, Files, Origins, Severity, Splice, apply_splices, render_text};

/// The least number of models, out of a thousand, that must be read without an error.
const REQUIRED: usize = 990;

struct Model {
    files: Files,
    origins: Origins,
    file: FileId,
    read: Read,
}

impl Model {
    fn xml(&self) -> Option<&XmlDocument> {
        self.read.document.network()?.xml
    }

    fn writable<'model>(&'model self, network: &'model Network) -> Writable<'model> {
        Writable {
            files: &self.files,
            origins: &self.origins,
            tree: self.read.tree().unwrap(),
            document: self.xml(),
            project: None,
            network,
            queries: &self.read.queries,
        }
    }
}

#[test]
fn real_models_survive_edits_and_round_trips() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/uppaal-parse");
    if !folder.is_dir() {
        report_skipped("corpus", &format!("no models at {}", folder.display()));
        return;
    }
    let (mut all, mut complete, mut moved) = (0, 0, 0);
    let mut omissions: BTreeMap<String, usize> = BTreeMap::new();
    let mut refusals: BTreeMap<&str, usize> = BTreeMap::new();
    let mut failures = String::new();
    for path in files_below(&folder) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if ![".xml", ".xta", ".ta"].iter().any(|extension| name.ends_with(extension)) {
            continue;
        }
        all += 1;
        let bytes = std::fs::read(&path).unwrap();
        let model = read(&name, &bytes);
        if let Some(document) = model.xml() {
            moved += move_all(&model, document, &bytes, &mut failures);
        }
        let Some(network) = &model.read.network else {
            let first =
                model.read.diagnostics.as_slice().iter().find(|found| found.severity == Severity::Error);
            *refusals.entry(first.unwrap().code.name()).or_default() += 1;
            continue;
        };
        let mut constructs: Vec<&str> =
            network.omissions.iter().map(|omission| omission.construct.as_str()).collect();
        constructs.sort_unstable();
        constructs.dedup();
        for construct in &constructs {
            *omissions.entry((*construct).to_owned()).or_default() += 1;
        }
        complete += usize::from(constructs.is_empty());
        for language in ["xta", "uppaal"] {
            if let Err(why) = round_trip(&model, network, language) {
                failures += &format!("{} as {language}: {why}\n", path.display());
            }
        }
    }
    let read = all - refusals.values().sum::<usize>();
    println!("{all} models: {read} read, {complete} of them whole; {moved} things moved and moved back");
    println!("left out in: {omissions:#?}\nrefused: {refusals:#?}");
    assert!(failures.is_empty(), "{failures}");
    assert!(read * 1000 >= all * REQUIRED, "only {read} of {all} models are read");
}

fn read(name: &str, bytes: &[u8]) -> Model {
    let (mut files, mut origins) = (Files::new(), Origins::new());
    let file = files.add_bytes(name, bytes).unwrap();
    let language = recognise_language(name, files.text(file));
    let read = read_model(language, &mut files, &mut origins, file, None);
    Model { files, origins, file, read }
}

/// Moves every location and renames every named one, one by one and all at once, and undoes the edits.
fn move_all(model: &Model, document: &XmlDocument, bytes: &[u8], failures: &mut String) -> usize {
    let text = model.files.text(model.file);
    let mut splices = Vec::new();
    for location in document.templates.iter().flat_map(|template| &template.locations) {
        for coordinate in [location.position.x, location.position.y].into_iter().flatten() {
            let new = (coordinate.value + 17.0).to_string();
            let splice = replace_attribute(coordinate.span, &new);
            splices.push(splice);
        }
        splices.extend(location.name.map(|name| replace_text(&model.files, &name, "a<b & c")));
    }
    for splice in splices.iter().take(50) {
        let (changed, inverse) = splice.apply(text).unwrap();
        let (restored, _) = inverse.apply(&changed).unwrap();
        if changed == text && splice.replacement != inverse.replacement || restored != text {
            *failures += &format!("{}: {splice:?} is not undone\n", model.files.name(model.file));
        }
    }
    let changed = apply_splices(text, &splices).unwrap();
    let again = read("moved.xml", changed.as_bytes());
    let moved = again.xml().unwrap();
    let mut back = Vec::new();
    let locations = document.templates.iter().flat_map(|template| &template.locations);
    let moved_locations = moved.templates.iter().flat_map(|template| &template.locations);
    for (before, after) in locations.zip(moved_locations) {
        let coordinates = |location: &tempora_frontends::uppaal::LocationElement| {
            [location.position.x, location.position.y].into_iter().flatten().collect::<Vec<_>>()
        };
        for (before, after) in coordinates(before).into_iter().zip(coordinates(after)) {
            assert!((after.value - before.value - 17.0).abs() < 1e-6);
            back.push(Splice {
                range: after.span.start as usize..after.span.end as usize,
                replacement: model.files.text_at(before.span).to_owned(),
            });
        }
        if let (Some(before), Some(after)) = (before.name, after.name) {
            assert_eq!(again.files.text(after.file), "a<b & c");
            back.push(Splice {
                range: after.element.start as usize..after.element.end as usize,
                replacement: model.files.text_at(before.element).to_owned(),
            });
        }
    }
    let restored = apply_splices(&changed, &back).unwrap();
    let encoded = model.files.encoding(model.file).unwrap().encode(&restored).unwrap();
    if encoded != bytes {
        *failures += &format!("{}: the file differs after moving back\n", model.files.name(model.file));
    }
    splices.len()
}

/// Checks that a model that is written and read back has the same meaning.
fn round_trip(model: &Model, network: &Network, language: &str) -> Result<(), String> {
    let writer = writer_named(language).unwrap();
    let show = |model: &Model| {
        let errors: Vec<_> = model
            .read
            .diagnostics
            .as_slice()
            .iter()
            .filter(|found| found.severity == Severity::Error)
            .take(2)
            .cloned()
            .collect();
        render_text(&model.files, &errors, Colour::Never)
    };
    let text = writer
        .write(&model.writable(network))
        .map_err(|problems| render_text(&model.files, &problems.into_sorted(&model.files), Colour::Never))?
        .text();
    if language == "uppaal" && model.xml().is_some() {
        return if text == model.files.text(model.file) {
            Ok(())
        } else {
            Err("the text differs".to_owned())
        };
    }
    let again = read(&format!("again.{}", writer.extension), text.as_bytes());
    let Some(found) = &again.read.network else { return Err(show(&again)) };
    let mut found = Network::clone(found);
    // Locations without a name have been given one.
    for (id, process) in network.processes.iter() {
        for (location, before) in process.locations.iter() {
            found.processes[id].locations[location].name.clone_from(&before.name);
        }
    }
    let (before, after) = (print_network(network), print_network(&found));
    if before != after {
        let line = before.lines().zip(after.lines()).find(|(before, after)| before != after);
        return Err(format!("the meaning differs: {line:?}"));
    }
    if again.read.queries.len() != model.read.queries.len() {
        let counts = (model.read.queries.len(), again.read.queries.len());
        return Err(format!("{} queries became {}", counts.0, counts.1));
    }
    Ok(())
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { paths.push(path) }
        }
    }
    paths.sort();
    paths
}
