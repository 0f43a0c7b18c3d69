//! A language that is defined outside of the front ends: a model of its own with imports, queries, diagrams, a lowering and an
//! interpreter.
//!
//! `counter NAME LIMIT` counts from zero to its limit, one counter at a time. The query `NAME... below N` says that none of the
//! counters reaches N; it needs a task for each of them.

use std::collections::BTreeMap;
use std::sync::Arc;

use tempora_draw::{Diagram, ElementRef, Node, NodeKind};
use tempora_evidence::{Budget, Progress, System, Task, Verdict};
use tempora_frontends::{
    DiagramKind, Document, DocumentDiagram, FolderPart, FolderReader, LANGUAGES, Language, LiftedRun,
    LiftedStep, LoweredModel, LoweredRun, Part, PartEdit, PartId, PartKind, Plan, QueryFile, ReadModel,
    Reader, Reading, Written, all_hold,
};
use tempora_model::codes::meaning::UNKNOWN_NAME;
use tempora_source::{
    Diagnostic, Diagnostics, FileId, Files, Id, Origins, Span, Symbol, SymbolKind, Symbols, Table,
};
use tempora_transition::read_system;
use tempora_workbench::{CheckOptions, Memory, OpenOptions, Session, check_plan};

static COUNTERS: Language =
    Language::new("counters", "Counters", &["counters"], Reader::Lowered(read)).recognising(|_| false);

static LANGUAGES_WITH_COUNTERS: &[&Language] = &[&COUNTERS];

#[derive(Clone, Debug)]
struct Counter {
    name: String,
    limit: u32,
    span: Span,
}

#[derive(Debug)]
struct Counters {
    counters: Vec<Counter>,
    system: System,
    plans: Vec<Plan>,
}

#[derive(Debug)]
struct CountersDocument {
    files: Vec<FileId>,
    counters: Vec<Counter>,
}

fn read(reading: &mut Reading<'_>, file: FileId, queries: Option<QueryFile>) -> ReadModel {
    let (mut files, mut counters, mut diagnostics) = (vec![file], Vec::new(), Diagnostics::new());
    let mut next = 0;
    while let Some(&file) = files.get(next) {
        next += 1;
        let text = reading.files.text(file).to_owned();
        let mut start = 0u32;
        for line in text.split_inclusive('\n') {
            let span = Span::new(file, start, start + u32::try_from(line.trim_end().len()).unwrap());
            start += u32::try_from(line.len()).unwrap();
            match line.split_whitespace().collect::<Vec<_>>().as_slice() {
                ["import", path] => match reading.import(path.trim_matches('"'), span) {
                    // A file that is known already ends a cycle.
                    Ok(imported) if files.contains(&imported) => {}
                    Ok(imported) => files.push(imported),
                    Err(problem) => diagnostics.push(problem),
                },
                ["counter", name, limit] => counters.push(Counter {
                    name: (*name).to_owned(),
                    limit: limit.parse().unwrap_or(0),
                    span,
                }),
                _ => {}
            }
        }
    }
    let mut symbols = Symbols::new();
    for counter in &counters {
        symbols.define(Symbol::new(&counter.name, SymbolKind::Variable, counter.span));
    }
    let system = lowered(file, reading.origins, &counters, None);
    let mut model = Counters { counters: counters.clone(), system, plans: Vec::new() };
    if let Some(queries) = queries {
        let (plan, found) = model.read_query(reading.files, reading.origins, queries.file);
        diagnostics.extend(found);
        model.plans.extend(plan);
    }
    let document = Arc::new(CountersDocument { files, counters });
    ReadModel { document, model: Some(Arc::new(model)), symbols, diagnostics }
}

/// The system, with the property that a counter stays below a bound; its edges are in the order of the counters.
fn lowered(file: FileId, origins: &mut Origins, counters: &[Counter], below: Option<(&str, u32)>) -> System {
    let (mut variables, mut initial, mut edges) = (String::new(), String::new(), String::new());
    for Counter { name, limit, .. } in counters {
        variables += &format!("(var {name} Int) ");
        initial += &format!(" (= {name} 0)");
        edges += &format!("(edge run run step (do (assume (< {name} {limit})) (set {name} (+ {name} 1)))) ");
    }
    let property = below.map(|(name, bound)| format!("(property \"below\" everywhere (< {name} {bound}))"));
    let text = format!(
        "{variables}(location run) (initial run (and true{initial})) {edges}{}",
        property.unwrap_or_default()
    );
    let system = read_system(file, &text, origins).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    System::Symbolic(Arc::new(system))
}

impl LoweredModel for Counters {
    fn system(&self) -> &System {
        &self.system
    }

    fn plans(&self) -> Vec<Plan> {
        self.plans.clone()
    }

    fn read_query(&self, files: &Files, origins: &mut Origins, file: FileId) -> (Option<Plan>, Diagnostics) {
        let (text, mut diagnostics) = (files.text(file).trim().to_owned(), Diagnostics::new());
        let origin = origins.written(files.whole(file));
        let (names, bound) = text.split_once(" below ").unwrap_or((&text, "0"));
        let mut tasks = Vec::new();
        for name in names.split_whitespace() {
            if !self.counters.iter().any(|counter| counter.name == name) {
                let problem = Diagnostic::error(&UNKNOWN_NAME, format!("there is no counter `{name}`"));
                diagnostics.push(problem.with_primary(files.whole(file), ""));
                continue;
            }
            let system = lowered(file, origins, &self.counters, Some((name, bound.parse().unwrap())));
            tasks.push(Task::about_properties(system.symbolic().unwrap().clone()));
        }
        (Some(Plan { text, origin, tasks, rule: Arc::new(all_hold) }), diagnostics)
    }

    fn lift(&self, _task: &Task, run: LoweredRun<'_>) -> Option<LiftedRun> {
        let LoweredRun::Symbolic(trace) = run else { return None };
        let mut values: BTreeMap<&str, u32> =
            self.counters.iter().map(|counter| (counter.name.as_str(), 0)).collect();
        let shown = |values: &BTreeMap<&str, u32>| {
            values.iter().map(|(name, value)| ((*name).to_owned(), value.to_string())).collect::<Vec<_>>()
        };
        let mut lifted = LiftedRun { initial: shown(&values), steps: Vec::new() };
        for step in &trace.steps {
            let counter = self.counters.get(step.edge.index())?;
            *values.get_mut(counter.name.as_str())? += 1;
            lifted.steps.push(LiftedStep {
                text: format!("count {}", counter.name),
                element: Some(ElementRef::diagram(counter.name.as_str())),
                origin: None,
                values: shown(&values),
            });
        }
        Some(lifted)
    }

    fn execute(&self, plan: &Plan, run: &LiftedRun) -> Result<(), String> {
        let mut values: BTreeMap<&str, u32> = BTreeMap::new();
        for step in &run.steps {
            let name = step.text.strip_prefix("count ").ok_or("a step counts nothing")?;
            let counter =
                self.counters.iter().find(|counter| counter.name == name).ok_or("no such counter")?;
            let value = values.entry(name).or_default();
            *value += 1;
            if *value > counter.limit {
                return Err(format!("{name} counts beyond its limit"));
            }
        }
        let (names, bound) = plan.text.split_once(" below ").ok_or("no such query")?;
        let bound: u32 = bound.parse().map_err(|_| "no bound")?;
        let reached = |name: &str| values.get(name).is_some_and(|&value| value >= bound);
        if names.split_whitespace().any(reached) {
            Ok(())
        } else {
            Err("no counter reaches the bound".to_owned())
        }
    }
}

impl Document for CountersDocument {
    fn files(&self) -> Vec<FileId> {
        self.files.clone()
    }

    fn parts(&self, files: &Files) -> Table<PartId, Part> {
        let part = |counter: &Counter| {
            Part::verbatim(files, PartKind::Other("counter"), &counter.name, counter.span)
                .of_element(ElementRef::diagram(counter.name.as_str()))
        };
        self.counters.iter().map(part).collect()
    }

    fn diagrams(&self, _files: &Files) -> Vec<DocumentDiagram> {
        let mut diagram = Diagram::new("counters".to_owned());
        for counter in &self.counters {
            diagram.nodes.push(Node::new(ElementRef::diagram(counter.name.as_str()), NodeKind::Location));
        }
        vec![DocumentDiagram { kind: DiagramKind::Other("counters"), diagram }]
    }
}

fn workspace() -> Memory {
    Memory::new([
        ("m/a.counters", b"import \"b.counters\"\ncounter a 3\n".as_slice()),
        ("m/b.counters", b"counter b 2\nimport \"a.counters\"\n".as_slice()),
        ("m/a.q", b"b below 3".as_slice()),
        ("m/broken.counters", b"import \"../outside.counters\"\n".as_slice()),
        ("m/deep/far.counters", b"import \"../../../outside.counters\"\n".as_slice()),
    ])
}

#[test]
fn language_of_a_test_reads_imports_and_lowers() {
    let memory = workspace();
    let session = Session::new(&memory).with_languages(LANGUAGES_WITH_COUNTERS);
    let loaded = session.open("m/a.counters", OpenOptions::default()).unwrap();
    assert_eq!(loaded.language.unwrap().name, "counters");
    assert!(loaded.diagnostics.is_empty(), "{:?}", loaded.diagnostics);
    let document = loaded.document.as_ref().unwrap();
    let names: Vec<&str> = document.files().into_iter().map(|file| loaded.files.name(file)).collect();
    assert_eq!(names, ["m/a.counters", "m/b.counters"], "each file is read once");
    assert_eq!(loaded.symbolic().unwrap().variables.len(), 2);
    assert_eq!(loaded.symbols.len(), 2);
    let diagrams = document.diagrams(&loaded.files);
    assert_eq!((diagrams[0].kind, diagrams[0].diagram.nodes.len()), (DiagramKind::Other("counters"), 2));
    let edit = PartEdit { part: PartId::from_index(1), text: "counter b 9".to_owned() };
    let texts = document.with_edits(&loaded.files, &[edit]).unwrap();
    assert_eq!(texts[1].bytes, b"counter b 9\nimport \"a.counters\"\n");
    assert_eq!(texts[0].bytes, memory_bytes("m/a.counters"));
}

fn memory_bytes(path: &str) -> Vec<u8> {
    tempora_workbench::Workspace::read(&workspace(), path).unwrap()
}

#[test]
fn import_that_cannot_be_read_is_refused_in_place() {
    let memory = workspace();
    let session = Session::new(&memory).with_languages(LANGUAGES_WITH_COUNTERS);
    for path in ["m/broken.counters", "m/deep/far.counters"] {
        let loaded = session.open(path, OpenOptions::default()).unwrap();
        assert!(loaded.system.is_none());
        let problem = &loaded.diagnostics.as_slice()[0];
        assert_eq!((problem.code.name(), problem.hint.is_some()), ("unreadable-file", true));
        assert_eq!(loaded.files.locate(problem.primary_span().unwrap()).line, 1);
    }
}

#[test]
fn queries_of_own_language_are_answered_by_plans() {
    let memory = workspace();
    let session = Session::new(&memory).with_languages(LANGUAGES_WITH_COUNTERS);
    let loaded = session.open("m/a.counters", OpenOptions::default()).unwrap();
    let own = loaded.read_plans(&[]).value.unwrap();
    assert_eq!(own.iter().map(|plan| plan.text.as_str()).collect::<Vec<_>>(), ["b below 3"]);
    let texts = ["a b below 4", "a b below 3", "b below 1"].map(str::to_owned);
    let asked = loaded.read_plans(&texts);
    let plans = asked.value.unwrap();
    assert_eq!(plans.iter().map(|plan| plan.tasks.len()).collect::<Vec<_>>(), [2, 2, 1]);
    let model = loaded.lowered.as_deref().unwrap();
    let answers: Vec<_> = plans
        .iter()
        .map(|plan| {
            check_plan(plan, Some(model), &CheckOptions::default(), &Budget::unlimited(), &Progress::new())
        })
        .collect();
    let verdicts: Vec<&Verdict> = answers.iter().map(|answer| &answer.verdict).collect();
    assert_eq!(verdicts, [&Verdict::Holds, &Verdict::Fails, &Verdict::Fails]);
    let [run] = answers[1].runs.as_slice() else { panic!("{answers:?}") };
    assert_eq!(run.steps.iter().filter(|step| step.text == "count a").count(), 3, "{run:?}");
    assert_eq!(loaded.read_task(&texts[2..]).value.map(|task| task.queries.len()), Some(1));
    assert!(loaded.read_task(&texts[..1]).diagnostics.has_errors());
    let unknown = loaded.read_plans(&["c below 1".to_owned()]);
    assert!(unknown.value.is_none() && unknown.diagnostics.has_errors());
}

/// A lifted run that the interpreter of the model does not accept is no evidence.
#[test]
fn verdict_is_withdrawn_if_interpreter_refuses_its_run() {
    let memory = workspace();
    let session = Session::new(&memory).with_languages(LANGUAGES_WITH_COUNTERS);
    let loaded = session.open("m/a.counters", OpenOptions::default()).unwrap();
    let mut plan = loaded.read_plans(&["b below 1".to_owned()]).value.unwrap().remove(0);
    plan.text = "b below 2".to_owned();
    let model = loaded.lowered.as_deref();
    let answer = check_plan(&plan, model, &CheckOptions::default(), &Budget::unlimited(), &Progress::new());
    assert!(matches!(answer.verdict, Verdict::Unknown(_)), "{answer:?}");
    assert!(answer.runs.is_empty());
}

#[test]
fn networks_are_asked_by_plans_of_one_task() {
    let memory = Memory::new([("m.net", b"process P { init location A; location B; A -> B; }".as_slice())]);
    let loaded = Session::new(&memory).open("m.net", OpenOptions::default()).unwrap();
    let plans = loaded.read_plans(&["E<> P.B".to_owned(), "A[] P.A".to_owned()]).value.unwrap();
    let verdicts: Vec<Verdict> = plans
        .iter()
        .map(|plan| {
            check_plan(plan, None, &CheckOptions::default(), &Budget::unlimited(), &Progress::new()).verdict
        })
        .collect();
    assert_eq!(verdicts, [Verdict::Holds, Verdict::Fails]);
}

/// A folder of one's own is opened by what the registry says of it.
#[test]
fn folder_language_of_a_test_is_recognised() {
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
fn project_folders_stand_in_the_registry() {
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
