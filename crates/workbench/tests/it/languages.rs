//! Languages in the registry of a session: plans of networks, folders, Ecdar projects.

use tempora_evidence::{Budget, Progress, Verdict};
use tempora_frontends::{FolderPart, FolderReader, LANGUAGES, Language, Reader, Reading, Written};
use tempora_source::Diagnostic;
use tempora_workbench::{CheckOptions, Memory, OpenOptions, Session, check_plan};

#[test]
fn networks_have_plans_of_one_task() {
    let memory = Memory::new([("m.net", b"process P { init location A; location B; A -> B; }".as_slice())]);
    let loaded = Session::new(&memory).open("m.net", OpenOptions::default()).unwrap();
    let plans = loaded.read_plans(&["E<> P.B".to_owned(), "A[] P.A".to_owned()]).value.unwrap();
    let verdicts: Vec<Verdict> = plans
        .iter()
        .map(|plan| {
            let options = CheckOptions::default();
            let found = check_plan(plan, None, &options, &Budget::unlimited(), &Progress::new());
            found.answer.answer().verdict.clone()
        })
        .collect();
    assert_eq!(verdicts, [Verdict::Holds, Verdict::Fails]);
}

/// The registry determines how a folder is opened.
#[test]
fn recognises_registered_folder_language() {
    fn read(reading: &mut Reading<'_>, _name: &str, parts: &[FolderPart]) -> Result<Written, Diagnostic> {
        let [FolderPart { file, .. }] = parts else { panic!("{parts:?}") };
        let parsed = tempora_syntax::parse_network(reading.files, *file);
        Ok(Written::text(*file, parsed.tree, parsed.diagnostics))
    }
    static FOLDER: Language = Language::new(
        "bundle",
        "Folders with a file `main`",
        &[],
        Reader::Folder(FolderReader {
            recognises: |workspace, folder| workspace.is_file(&format!("{folder}/main")),
            files: |_, _| vec!["main".to_owned()],
            is_addition: |_| false,
            read,
        }),
    );
    static LANGUAGES_WITH_FOLDER: &[&Language] = &[&FOLDER];
    let memory = Memory::new([("p/main", b"process P { init location A; }".as_slice())]);
    let session = Session::new(&memory).with_languages(LANGUAGES_WITH_FOLDER);
    let loaded = session.open("p", OpenOptions::default()).unwrap();
    assert_eq!((loaded.language.unwrap().name, loaded.network().unwrap().processes.len()), ("bundle", 1));
    let named = OpenOptions { language: Some("net"), ..OpenOptions::default() };
    assert!(session.open("p", named).is_err(), "the session has this language only");
}

#[test]
fn registry_has_project_folders() {
    let folders: Vec<&str> = LANGUAGES
        .iter()
        .filter(|language| language.folder().is_some())
        .map(|language| language.name)
        .collect();
    assert_eq!(folders, ["ecdar"]);
    let memory =
        Memory::new([("p/Components/readme.txt", b"".as_slice()), ("m.net", b"clock x;".as_slice())]);
    let loaded = Session::new(&memory).open("p", OpenOptions::default()).unwrap();
    assert_eq!(loaded.diagnostics.as_slice()[0].code.name(), "no-project");
    let named = OpenOptions { language: Some("ecdar"), ..OpenOptions::default() };
    let loaded = Session::new(&memory).open("m.net", named).unwrap();
    assert_eq!(loaded.diagnostics.as_slice()[0].code.name(), "no-project");
    assert!(loaded.system.is_none());
}
