//! Documents: every model of the examples and cases is written back unchanged, and an edit changes only its part.

use tempora_frontends::{DiagramKind, LANGUAGES, Part, PartEdit, PartId, PartKind};
use tempora_source::{Id, Span};
use tempora_testkit::{blocks_of, files_below, workspace};
use tempora_workbench::{LoadOptions, Loaded, load, load_project};

/// A model: the names and bytes of its files; several files are a project.
#[derive(Clone)]
struct Model {
    name: String,
    files: Vec<(String, Vec<u8>)>,
}

impl Model {
    fn single(name: String, bytes: Vec<u8>) -> Model {
        Model { files: vec![(name.clone(), bytes)], name }
    }

    fn load(&self) -> Loaded {
        match self.files.as_slice() {
            [(name, bytes)] if !name.ends_with(".json") => load(name, bytes),
            files => load_project("project", files, LoadOptions::default()),
        }
    }

    /// Returns the model after an edit.
    fn edited(&self, edits: &[PartEdit]) -> Model {
        let loaded = self.load();
        let document = loaded.document.as_ref().unwrap();
        let texts = document.with_edits(&loaded.files, edits);
        let texts = texts.unwrap_or_else(|problems| panic!("{}: {problems:?}", self.name));
        let bytes = texts.into_iter().map(|text| text.bytes);
        let names = self.files.iter().map(|(name, _)| name.clone());
        Model { name: self.name.clone(), files: names.zip(bytes).collect() }
    }
}

/// Returns all models of the examples and cases that are valid text.
fn models() -> Vec<Model> {
    let mut models = Vec::new();
    let root = workspace();
    for extension in LANGUAGES.iter().flat_map(|language| language.extensions) {
        for path in files_below(&root.join("examples"), &format!(".{extension}")) {
            let bytes = std::fs::read(&path).unwrap();
            models.push(Model::single(path.to_str().unwrap().to_owned(), bytes));
        }
    }
    for path in files_below(&root.join("tests/cases"), ".md") {
        let text = std::fs::read_to_string(&path).unwrap();
        for extension in LANGUAGES.iter().flat_map(|language| language.extensions) {
            for block in blocks_of(&text, extension) {
                let name = format!("{}.{extension}", path.display());
                models.push(Model::single(name, block.into_bytes()));
            }
        }
        for block in blocks_of(&text, "component") {
            models.push(Model::single("Components/Component.json".to_owned(), block.into_bytes()));
        }
    }
    models.push(project());
    models
}

/// Returns a project with several files, escapes, and a file without a final line end.
fn project() -> Model {
    let component = r#"{ "name": "M", "declarations": "clock x;\n\tint \u0061;", "locations": [
        { "id": "L0", "nickname": "\"start\"", "invariant": "x <= 3 && \u0061 < 2", "type": "INITIAL" },
        { "id": "L1", "nickname": "", "invariant": "", "type": "NORMAL" } ],
        "edges": [ { "sourceLocation": "L0", "targetLocation": "L1", "status": "INPUT", "guard": "x > 1", "sync": "go", "update": "" },
            { "sourceLocation": "L1", "targetLocation": "L0", "status": "INPUT", "guard": "", "sync": "*", "update": "x = 0" },
            { "sourceLocation": "L1", "targetLocation": "L0", "status": "OUTPUT", "guard": "", "sync": "done", "update": "" } ] }"#;
    let queries = r#"[ { "query": "consistency: M", "comment": "a \\ b" } ]"#;
    let files = [("Components/M.json", component), ("Queries.json", queries)];
    let files = files.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec())).to_vec();
    Model { name: "project".to_owned(), files }
}

fn parts_of(loaded: &Loaded) -> Vec<(PartId, Part)> {
    let parts = loaded.document.as_ref().unwrap().parts(&loaded.files);
    parts.iter().map(|(id, part)| (id, part.clone())).collect()
}

#[test]
fn unchanged_documents_keep_their_bytes() {
    let (mut models_seen, mut parts_seen) = (0, 0);
    for model in models() {
        let loaded = model.load();
        assert!(loaded.document.is_some(), "{}", model.name);
        let parts = parts_of(&loaded);
        models_seen += 1;
        parts_seen += parts.len();
        assert_eq!(model.edited(&[]).files, model.files, "{}", model.name);
        // Parts may contain each other, so they are edited one at a time.
        let document = loaded.document.as_ref().unwrap();
        for (part, Part { text, .. }) in parts {
            let edit = PartEdit { part, text };
            let texts = document.with_edits(&loaded.files, &[edit]).unwrap();
            for (text, (_, bytes)) in texts.iter().zip(&model.files) {
                assert_eq!(&text.bytes, bytes, "{}", model.name);
            }
        }
    }
    assert!(models_seen > 400 && parts_seen > 4000, "{models_seen} models, {parts_seen} parts");
}

#[test]
fn part_text_is_text_of_its_range() {
    for model in models() {
        let loaded = model.load();
        for (_, part) in parts_of(&loaded) {
            let raw = loaded.files.text_at(part.span);
            assert_eq!(loaded.files.clamp(part.span), part.span, "{}: {part:?}", model.name);
            let is_plain = !raw.contains(['&', '\\', '\r', '<']);
            assert!(!is_plain || raw == part.text, "{}: {part:?} is {raw}", model.name);
        }
    }
}

/// Renaming a location changes only the parts that contain the name.
#[test]
fn new_location_name_changes_only_its_part() {
    let mut renamed = 0;
    for model in models() {
        let loaded = model.load();
        let before = parts_of(&loaded);
        let Some((id, old)) = before
            .iter()
            .rev()
            .find(|(_, part)| part.kind == PartKind::LocationName && !part.text.is_empty())
        else {
            continue;
        };
        if loaded.symbolic().is_some() {
            // The places of references depend on name resolution, which the new name may affect.
            continue;
        }
        let text = format!("{}_new", old.text.trim());
        let again = model.edited(&[PartEdit { part: *id, text: text.clone() }]).load();
        let after = parts_of(&again);
        assert_eq!(after.len(), before.len(), "{}: {}", model.name, old.text);
        assert_eq!(after[id.index()].1.text, text, "{}", model.name);
        let contains = |outer: Span| {
            outer.file == old.span.file && outer.start <= old.span.start && old.span.end <= outer.end
        };
        for ((_, before), (_, after)) in before.iter().zip(&after) {
            if !contains(before.span) {
                assert_eq!((before.kind, &before.text), (after.kind, &after.text), "{}", model.name);
            }
        }
        renamed += 1;
    }
    assert!(renamed > 200, "{renamed} locations");
}

#[test]
fn edit_is_escaped_and_keeps_escapes_around_it() {
    let xml = b"<nta><declaration>int a;&#10;bool b = 1 &lt; 2;</declaration><template><name>P</name>\
        <location id=\"id0\"><name>A</name><label kind=\"invariant\"/></location><init ref=\"id0\"/></template>\
        <system>system P;</system></nta>";
    let model = Model::single("model.xml".to_owned(), xml.to_vec());
    let parts = parts_of(&model.load());
    let id = |kind: PartKind| parts.iter().find(|(_, part)| part.kind == kind).unwrap().0;
    let edits = [
        PartEdit { part: id(PartKind::Declarations), text: "int a;\nbool b = 1 < 2 && 3 < 4;".to_owned() },
        PartEdit { part: id(PartKind::Invariant), text: "x<3".to_owned() },
    ];
    let edited = model.edited(&edits);
    let text = String::from_utf8(edited.files[0].1.clone()).unwrap();
    assert!(text.contains("int a;&#10;bool b = 1 &lt; 2 &amp;&amp; 3 &lt; 4;"), "{text}");
    assert!(text.contains("<label kind=\"invariant\">x&lt;3</label>"), "{text}");
    let project = project();
    let parts = parts_of(&project.load());
    let (guard, _) = parts.iter().find(|(_, part)| part.text.starts_with("x <= 3")).unwrap();
    let edit = PartEdit { part: *guard, text: "x <= 3 && a < 2 && \"\n".to_owned() };
    let edited = project.edited(&[edit]);
    let text = String::from_utf8(edited.files[0].1.clone()).unwrap();
    assert!(text.contains(r#""x <= 3 && \u0061 < 2 && \"\n""#), "{text}");
    assert_eq!(edited.files[1], project.files[1]);
}

#[test]
fn refuses_overlapping_or_unencodable_edits() {
    let model = Model::single(
        "model.net".to_owned(),
        b"process P { init location A; A -> A { guard true; } }".to_vec(),
    );
    let loaded = model.load();
    let document = loaded.document.as_ref().unwrap();
    let parts = parts_of(&loaded);
    let id = |kind: PartKind| parts.iter().find(|(_, part)| part.kind == kind).unwrap().0;
    let edit = |part: PartId| PartEdit { part, text: "x".to_owned() };
    let nested = [edit(id(PartKind::Edge)), edit(id(PartKind::Guard))];
    let unknown = [edit(PartId::from_index(parts.len()))];
    for edits in [nested.as_slice(), &unknown] {
        let problems = document.with_edits(&loaded.files, edits).unwrap_err();
        assert!(problems.has_errors() && problems.as_slice()[0].hint.is_some());
    }
    let latin =
        b"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><nta><declaration>// \xFC</declaration></nta>";
    let model = Model::single("model.xml".to_owned(), latin.to_vec());
    let loaded = model.load();
    let edit = |text: &str| [PartEdit { part: PartId::from_index(0), text: text.to_owned() }];
    let document = loaded.document.as_ref().unwrap();
    let accepted = document.with_edits(&loaded.files, &edit("// \u{FC}\u{E9}")).unwrap();
    assert!(accepted[0].bytes.windows(2).any(|bytes| bytes == b"\xFC\xE9"));
    assert!(document.with_edits(&loaded.files, &edit("// \u{4e2d}")).is_err());
}

#[test]
fn diagrams_and_parts_have_kinds_and_elements() {
    for (model, kind) in [
        (project(), DiagramKind::Component),
        (
            Model::single(
                "model.net".to_owned(),
                b"process P { init location A; A -> A { guard true; } }".to_vec(),
            ),
            DiagramKind::TimedAutomaton,
        ),
    ] {
        let loaded = model.load();
        let document = loaded.document.as_ref().unwrap();
        let diagrams = document.diagrams(&loaded.files);
        let [drawn] = diagrams.as_slice() else { panic!("{diagrams:?}") };
        assert_eq!(drawn.kind, kind);
        for (_, part) in parts_of(&loaded) {
            if matches!(part.kind, PartKind::LocationName | PartKind::Invariant) {
                let element = part.element.unwrap();
                assert!(drawn.diagram.nodes.iter().any(|node| node.element == element), "{element:?}");
            } else if matches!(part.kind, PartKind::Guard | PartKind::Synchronisation) {
                let element = part.element.unwrap();
                assert!(drawn.diagram.edges.iter().any(|edge| edge.element == element), "{element:?}");
            }
        }
    }
}
