//! The symbols of models, including models with errors, and their agreement with elaboration.

use std::path::Path;

use tempora_frontends::{Read, read_model, recognise_language};
use tempora_model::{Expression, ExpressionKind, Network};
use tempora_source::{Files, Origins, Severity, SymbolKind, Symbols};

fn read(name: &str, text: &str) -> (Files, Origins, Read) {
    let (mut files, mut origins) = (Files::new(), Origins::new());
    let file = files.add(name, text).unwrap();
    let read = read_model(recognise_language(name, text), &mut files, &mut origins, file, None);
    (files, origins, read)
}

/// Prints each symbol on a line: its kind, qualified name and type, and the roles and lines of its uses.
fn listed(files: &Files, symbols: &Symbols) -> Vec<String> {
    let line = |span| files.locate(span).line;
    let mut lines = Vec::new();
    for (_, symbol) in symbols.iter() {
        let container = symbol.container.map_or(String::new(), |id| format!("{}.", symbols[id].name));
        let value_type = symbol.value_type.as_ref().map_or(String::new(), |text| format!(": {text}"));
        let mut text = format!("{:?} {container}{}{value_type}", symbol.kind, symbol.name);
        text += &format!(" @{}", line(symbol.definition));
        for found in &symbol.uses {
            assert_eq!(files.text_at(found.span), symbol.name);
            text += &format!(" {:?}@{}", found.role, line(found.span));
        }
        lines.push(text);
    }
    lines
}

const MODEL: &str = "const int N = 2; // how many
typedef int[0,N-1] id_t;
typedef struct { int a, b[2]; } pair_t;
chan c; broadcast chan d[N];
pair_t pair;
clock x;
// doubles
int twice(int k, int &r) { int l = k; r = l; for (i : id_t) { l += i; } return l; }
process P(const id_t id, chan &e) {
  int own;
  init location A { invariant x <= N; }
  location B;
  A -> B { select s : id_t; guard x >= s && pair.a == id; sync e!; do own = twice(id, pair.b[0]), x = 0; }
  B -> A { sync d[id]?; }
}
Q(const id_t j) = P(j, c);
system Q;
query { E<> forall (i : id_t) Q(i).A && Q(0).own == twice(1, pair.a); }
";

#[test]
fn every_name_is_recorded_once() {
    let (files, _, read) = read("model.net", MODEL);
    assert!(!read.diagnostics.has_errors(), "{:?}", read.diagnostics.as_slice());
    let expected = [
        "Constant N: const int @1 Read@2 Read@4 Read@11",
        "Type id_t: int[0,N - 1] @2 Type@8 Type@9 Type@13 Type@16 Query@18",
        "Field pair_t.a: int @3 Read@13 Query@18",
        "Field pair_t.b: int[2] @3 Reference@13",
        "Type pair_t: struct { int a, b[2]; } @3 Type@5",
        "Channel c: chan @4 Reference@16",
        "BroadcastChannel d: broadcast chan[N] @4 Receive@14",
        "Variable pair: pair_t @5 Read@13 Reference@13 Query@18",
        "Clock x: clock @6 Read@11 Read@13 Write@13",
        "Function twice: int(int k, int &r) @8 Call@13 Query@18",
        "FunctionParameter twice.k: int @8 Read@8",
        "FunctionParameter twice.r: int @8 Write@8",
        "Local twice.l: int @8 Read@8 Write@8 Read@8",
        "Bound twice.i: id_t @8 Read@8",
        "Template P: (const id_t id, chan &e) @9 Instance@16",
        "TemplateParameter P.id: const id_t @9 Read@13 Read@13 Read@14",
        "TemplateParameter P.e: chan @9 Send@13",
        "Variable P.own: int @10 Write@13 Query@18",
        "Location P.A @11 Location@13 Location@14 Query@18",
        "Location P.B @12 Location@13 Location@14",
        "Select P.s: id_t @13 Read@13",
        "Process Q: P(const id_t j) @16 Instance@17 Query@18 Query@18",
        "Bound j: const id_t @16 Read@16",
        "QueryBound i: id_t @18 Query@18",
    ];
    assert_eq!(listed(&files, &read.symbols), expected);
    let documented = |name: &str| {
        let found = read.symbols.iter().find(|(_, symbol)| symbol.name == name);
        found.and_then(|(_, symbol)| symbol.documentation.as_deref())
    };
    assert_eq!(documented("N"), Some("how many"));
    assert_eq!(documented("twice"), Some("doubles"));
    assert_eq!(documented("x"), None);
}

#[test]
fn templates_see_later_global_names() {
    let text = "system P; process P { init location A; A -> A { do late = here(); } } int late; int here() { return 1; }";
    let (files, _, read) = read("model.net", text);
    assert!(!read.diagnostics.has_errors(), "{:?}", read.diagnostics.as_slice());
    let listed = listed(&files, &read.symbols);
    let expected = [
        "Template P: () @1 Instance@1",
        "Location P.A @1 Location@1 Location@1",
        "Variable late: int @1 Write@1",
        "Function here: int() @1 Call@1",
    ];
    assert_eq!(listed, expected);
}

#[test]
fn names_of_diagrams_are_visible_in_their_elements() {
    let text =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/train-gate.xml"));
    let (files, _, read) = read("train-gate.xml", &text.unwrap());
    let symbols = read.symbols.in_real_files(&files);
    let file = symbols.sorted()[0].1.definition.file;
    for (id, symbol) in symbols.iter() {
        if matches!(symbol.kind, SymbolKind::Field | SymbolKind::Location | SymbolKind::BranchPoint) {
            continue;
        }
        for place in symbols.occurrences(id) {
            assert_eq!(symbols.at(file, place.start), Some(id), "{}", symbol.name);
            assert_eq!(files.text_at(place), symbol.name);
        }
        for found in symbol.uses.iter().filter(|found| found.role != tempora_source::SymbolRole::Query) {
            assert_eq!(symbols.visible(&symbol.name, file, found.span.start), Some(id), "{}", symbol.name);
        }
    }
    assert!(symbols.len() > 20);
}

/// Asserts that the symbols resolve each variable as elaboration does; returns the number of compared names.
fn assert_agreement(name: &str, files: &Files, origins: &Origins, read: &Read, network: &Network) -> usize {
    let mut compared = 0;
    let mut compare = |expression: &Expression| {
        if let ExpressionKind::Variable(id) = expression.kind
            && let Some(span) = origins.primary_span(expression.origin)
            && files.text_at(span) == network.variables[id].name
            && let Some(declaration) = origins.primary_span(network.variables[id].origin)
        {
            let found = read.symbols.at(span.file, span.start).map(|id| read.symbols[id].definition);
            let is_inside = found.is_some_and(|found| {
                found.file == declaration.file
                    && declaration.start <= found.start
                    && found.end <= declaration.end
            });
            // A parameter by reference has the place of its argument.
            assert!(is_inside, "{name}: {} at {}", network.variables[id].name, files.locate(span));
            compared += 1;
        }
    };
    for process in network.processes.values() {
        for edge in process.edges.values() {
            let conditions = edge.guard.data.iter().chain(&edge.guard.clocks);
            let updates = edge.branches.iter().flat_map(|branch| &branch.updates);
            let channels = edge.synchronisation.iter().map(|synchronisation| &synchronisation.channel);
            conditions.chain(updates).chain(channels).for_each(|whole| whole.for_each(&mut compare));
        }
        for location in process.locations.values() {
            let conditions = location.invariant.data.iter().chain(&location.invariant.clocks);
            conditions.for_each(|whole| whole.for_each(&mut compare));
        }
    }
    compared
}

#[test]
fn symbols_agree_with_elaboration() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths: Vec<_> =
        std::fs::read_dir(root.join("examples")).unwrap().map(|entry| entry.unwrap().path()).collect();
    // One in eight of the real models, if their folder lies beside the checkout.
    if let Ok(entries) = std::fs::read_dir(root.join("../shared/corpus/uppaal-parse")) {
        let mut folders: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        folders.sort();
        for folder in folders.iter().step_by(8).filter(|folder| folder.is_dir()) {
            paths.extend(std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()));
        }
    }
    paths.sort();
    let mut compared = 0;
    for path in paths {
        let name = path.to_string_lossy().into_owned();
        if ![".xml", ".xta", ".net"].iter().any(|extension| name.ends_with(extension)) {
            continue;
        }
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let (files, origins, read) = read(&name, &text);
        if let Some(network) = &read.network {
            compared += assert_agreement(&name, &files, &origins, &read, network);
        }
    }
    assert!(compared > 500, "only {compared} names were compared");
}

/// Returns the messages of errors, in the order in which they are reported.
fn errors(text: &str) -> Vec<String> {
    let name = if text.starts_with('<') { "model.xml" } else { "model.net" };
    let (_, _, read) = read(name, text);
    assert!(read.network.is_none());
    let errors = read.diagnostics.as_slice().iter().filter(|found| found.severity == Severity::Error);
    errors.map(|found| found.message.clone()).collect()
}

/// Builds a document with a global declaration, the guards of templates `A` and `B`, and a system.
fn document(declaration: &str, first: &str, second: &str, system: &str) -> String {
    let template = |name: &str, guard: &str| {
        format!(
            "<template><name>{name}</name><parameter>int &amp;p</parameter><declaration>int own;</declaration>\
             <location id='l'><name>L</name></location><init ref='l'/><transition><source ref='l'/><target ref='l'/>\
             <label kind='guard'>{guard}</label></transition></template>"
        )
    };
    format!(
        "<nta><declaration>{declaration}</declaration>{}{}<system>{system}</system></nta>",
        template("A", first),
        template("B", second)
    )
}

#[test]
fn syntax_error_in_template_hides_no_other_error() {
    let system = "int n; P = A(n); Q = B(n); system P, Q;";
    let found = errors(&document("int v;", "v ==", "w == 1", system));
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[1].contains("`w` is not declared"), "{found:?}");
    // The broken template's number of arguments is not checked, because its parameters are unreliable.
    let found = errors(&document("int v;", "v ==", "v == 1", "P = A(1, 2); Q = B(v); system P, Q;"));
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn syntax_error_in_declarations_makes_no_name_unknown() {
    let system = "P = A(lost); Q = B(kept); system P, Q;";
    let found = errors(&document(
        "int kept; int lost = ; chan c;",
        "lost == 1 &amp;&amp; gone > 2",
        "kept + c > 1",
        system,
    ));
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[1].contains("needs numbers"), "{found:?}");
    let found = errors(
        "int a[3; int b; process P { init location L; L -> L { guard a[1] == b + d; do b = 1.5; } } system P;",
    );
    assert!(
        !found.iter().any(|message| message.contains("an array") || message.contains("declared")),
        "{found:?}"
    );
    assert!(found.iter().any(|message| message.contains("found a floating")), "{found:?}");
}

#[test]
fn processes_with_syntax_errors_are_declared() {
    for text in [
        "process P { init location L; L -> ; } system P; ",
        "process P { init location L; } process Q { init location L; L -> L { guard ; } } system P, Q; vector P@a, Q@b;",
        "process P(0) { init location L; L -> L { guard ); } } system P(0);",
        "chan c; process P { init location L; } IO P { c! } system P Q;",
        "int P(; process P { init location L; } system P;",
        "process P(int a, int b) { init location L; } Q = P(1, }2); system Q;",
    ] {
        let found = errors(text);
        let follows = |message: &&String| {
            message.contains("process `")
                || message.contains("not declared")
                || message.contains("no process")
        };
        assert_eq!(found.iter().find(follows), None, "{text}");
    }
}

#[test]
fn symbols_survive_syntax_errors() {
    let text = document("int v; int w = ;", "v ==", "v == own", "system A, B;");
    let (files, _, read) = read("model.xml", &text);
    let kept = listed(&files, &read.symbols);
    for expected in ["Variable v: int", "Template A", "Template B", "Variable B.own", "Location B.L"] {
        assert!(kept.iter().any(|line| line.starts_with(expected)), "{expected}: {kept:?}");
    }
}

/// An intact model has no errors, so all errors of a damaged one that does not parse must be syntax errors.
#[test]
fn syntax_errors_cause_no_other_errors() {
    let is_about_meaning = |code: &str| tempora_model::codes::ALL.iter().any(|known| known.name() == code);
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut broken = 0;
    for name in ["train-gate.xml", "csma-cd.xml", "train-gate.net", "coffee.net"] {
        let text = std::fs::read_to_string(examples.join(name)).unwrap();
        let positions = text.char_indices().filter(|(_, character)| character.is_ascii_punctuation());
        for (position, character) in positions.step_by(7) {
            let mut changed = text.clone();
            changed.remove(position);
            let (_, _, read) = read(name, &changed);
            let errors = read.diagnostics.as_slice().iter().filter(|found| found.severity == Severity::Error);
            let (meaning, syntax): (Vec<_>, Vec<_>) =
                errors.partition(|found| is_about_meaning(found.code.name()));
            if !syntax.is_empty() {
                broken += 1;
                assert!(meaning.is_empty(), "{name} without `{character}` at {position}: {meaning:?}");
            }
        }
    }
    assert!(broken > 100, "only {broken} texts were broken");
}
