//! The symbols of symbolic languages, including texts with errors.

use tempora_frontends::{LANGUAGES, language_named, read_model};
use tempora_source::{Files, Origins, SourceRange, Symbols};

fn symbols(language: &str, text: &str) -> (Files, Symbols, bool) {
    let (mut files, mut origins) = (Files::new(), Origins::new());
    let file = files.add("model", text).unwrap();
    let read = read_model(language_named(language).unwrap(), &mut files, &mut origins, file, None);
    (files, read.symbols, read.diagnostics.has_errors())
}

/// Prints each symbol on a line: kind, name, type, line and column of its definition, the lines of its scope, and its
/// uses.
fn listed(language: &str, text: &str) -> (Vec<String>, bool) {
    let (files, symbols, has_errors) = symbols(language, text);
    let mut lines = Vec::new();
    for (_, symbol) in symbols.iter() {
        let container = symbol.container.map_or(String::new(), |id| format!("{}.", symbols[id].name));
        let mut line = format!("{:?} {container}{}", symbol.kind, symbol.name);
        line += &symbol.value_type.as_ref().map_or(String::new(), |text| format!(": {text}"));
        let SourceRange { line: number, column, .. } = files.locate(symbol.definition);
        line += &format!(" @{number}:{column}");
        if let Some(scope) = symbol.scope {
            let scope = files.locate(scope);
            line += &format!(" in {}-{}", scope.line, scope.end_line);
        }
        if let Some(hidden) = symbol.hides {
            line += &format!(" hides @{}", files.locate(symbols[hidden].definition).line);
        }
        for found in &symbol.uses {
            let place = files.locate(found.span);
            line += &format!(" {:?}@{}:{}", found.role, place.line, place.column);
            // A literal of a circuit is a number.
            if language != "aiger" {
                assert_eq!(files.text_at(found.span), symbol.name);
            }
        }
        lines.push(line);
    }
    (lines, has_errors)
}

#[track_caller]
fn check(language: &str, text: &str, is_broken: bool, expected: &[&str]) {
    let (found, has_errors) = listed(language, text);
    assert_eq!(has_errors, is_broken, "{language}: {text}");
    assert_eq!(found, expected, "{}", found.join("\n"));
}

#[test]
fn xsts_names_have_definitions_uses_types_and_scopes() {
    let text = "type Colour : { Red, Green }
var c : Colour = Red
ctrl var n : integer = 0
var a : [integer] -> boolean
trans {
  local var n : integer = n + 1;
  for i from 0 to n do { a[i] := c == Colour.Green; }
  havoc c;
} or { n := n - 1; }
init {}
env {}
prop { n >= 0 }
";
    check(
        "xsts",
        text,
        false,
        &[
            "Type Colour @1:6 Type@2:9 Type@7:39",
            "Constant Colour.Red: Colour @1:17 Read@2:18",
            "Constant Colour.Green: Colour @1:22 Read@7:46",
            "Variable c: Colour @2:5 Read@7:34 Write@8:9",
            "Variable n: integer @3:10 Read@6:27 Write@9:8 Read@9:13 Query@12:8",
            "Variable a: [integer] -> boolean @4:5 Write@7:26",
            "Local n: integer @6:13 in 5-9 hides @3 Read@7:19",
            "Bound i: integer @7:7 in 7-7 Read@7:28",
        ],
    );
}

#[test]
fn broken_xsts_keeps_names_of_other_sections() {
    let text = "var n : integer = 0
var broken : = 3
var m : integer
trans { n := ; m := n + 1; }
init { m := 2; }
";
    check(
        "xsts",
        text,
        true,
        &["Variable n: integer @1:5 Read@4:21", "Variable m: integer @3:5 Write@4:16 Write@5:8"],
    );
}

#[test]
fn cfa_names_have_definitions_uses_types_and_scopes() {
    let text = "main process P {
  var x : int
  var b : bv[8]
  init loc L0
  loc x
  error loc E
  L0 -> x { x := x + 1 havoc b }
  x -> E { assume x > 2 }
}
";
    check(
        "cfa",
        text,
        false,
        &[
            "Template P @1:14",
            "Variable x: int @2:7 in 1-9 Write@7:13 Read@7:18 Read@8:19",
            "Variable b: bv[8] @3:7 in 1-9 Write@7:30",
            "Location P.L0 @4:12 in 1-9 Location@7:3",
            "Location P.x @5:7 in 1-9 Location@7:9 Location@8:3",
            "Location P.E @6:13 in 1-9 Location@8:8",
        ],
    );
}

#[test]
fn broken_cfa_keeps_names_of_unclosed_process() {
    let text = "main process P {
  var x : int
  init loc A
  loc B
  A -> B { x := }
  A -> B { x := x }
";
    let (found, has_errors) = listed("cfa", text);
    assert!(has_errors);
    assert!(found.contains(&"Variable x: int @2:7 in 1-6 Write@6:12 Read@6:17".to_owned()), "{found:?}");
    assert!(found.contains(&"Location P.A @3:12 in 1-6 Location@6:3".to_owned()), "{found:?}");
}

#[test]
fn sts_names_have_definitions_uses_and_types() {
    let text = "specification S {
property P : {
  var x : int
  var y : [int] -> bool
  initial x = 0
  transition x' = x + 1
  transition y' = y
} models G (x >= 0)
}
";
    check(
        "sts",
        text,
        false,
        &[
            "Variable x: int @3:7 Read@5:11 Read@6:14 Read@6:19 Query@8:13",
            "Variable y: [int] -> bool @4:7 Read@7:14 Read@7:19",
        ],
    );
    let broken = text.replace("transition y' = y\n", "transition y' =\n");
    check(
        "sts",
        &broken,
        true,
        &["Variable x: int @3:7 Read@5:11 Read@6:14 Read@6:19", "Variable y: [int] -> bool @4:7"],
    );
}

#[test]
fn sym_names_have_definitions_uses_types_and_scopes() {
    let text = "(enum Colour Red Green)
(var c Colour) (var |x| Int) (var t Real clock)
(event go)
(component A (location a) (location b) (initial a)
  (edge a b step (on go) (do (set c Colour.Green) (set x (let ((c x)) (+ c 1)))))
  (delay a (<= t 3.0)))
(initial (and (= x 0) (= t 0.0)))
(property \"p\" (at A.b) (>= x 0))
";
    check(
        "sym",
        text,
        false,
        &[
            "Type Colour @1:7 Type@2:8 Type@5:37",
            "Constant Colour.Red: Colour @1:14",
            "Constant Colour.Green: Colour @1:18 Read@5:44",
            "Variable c: Colour @2:6 Write@5:35",
            "Variable x: Int @2:22 Write@5:56 Read@5:67 Read@7:18 Query@8:28",
            "Clock t: Real @2:35 Read@6:16 Read@7:26",
            "BroadcastChannel go @3:8 Synchronise@5:22",
            "Template A @4:12",
            "Location A.a @4:24 Location@4:49 Location@5:9 Location@6:10",
            "Location A.b @4:37 Location@5:11 Query@8:21",
            "Bound c @5:65 in 5-5 hides @2 Read@5:74",
        ],
    );
}

#[test]
fn sym_relation_uses_variables_and_their_next_values() {
    let text = "(var x Int) (location l) (initial l (= x 0))
(edge l l step (relate (x) (= x' (+ x 1))))
(property \"p\" (at l) (>= y 0))
";
    check(
        "sym",
        text,
        true,
        &[
            "Variable x: Int @1:6 Read@1:40 Write@2:25 Read@2:31 Read@2:37",
            "Location l @1:23 Location@1:35 Location@2:7 Location@2:9 Location@3:19",
        ],
    );
    check("sym", "(var x Int", true, &[]);
}

#[test]
fn lisp_names_have_definitions_and_uses() {
    let text = "(process
  (var x Int)
  (init A) (loc B) (error E)
  (edge A B (assign x (+ x 1)))
  (edge B E (assume (> x 2)) (havoc x)))
";
    check(
        "lisp",
        text,
        false,
        &[
            "Variable x: Int @2:8 Write@4:21 Read@4:26 Read@5:24 Write@5:37",
            "Location A @3:9 Location@4:9",
            "Location B @3:17 Location@4:11 Location@5:9",
            "Location E @3:27 Location@5:11",
        ],
    );
    let system = "(system (var x Int) (init (= x 0)) (trans (= (prime x) (+ x 1))) (prop (>= x 0)))";
    check("lisp", system, false, &["Variable x: Int @1:14 Read@1:30 Read@1:53 Read@1:59 Query@1:76"]);
}

#[test]
fn circuit_names_inputs_latches_and_outputs() {
    let text = "aag 4 1 2 1 1
2
4 8
6 5 1
9
8 2 7
i0 request
l0 grant
o0 wrong
c
i1 comment
";
    check(
        "aiger",
        text,
        false,
        &[
            "Variable request: input @2:1 Read@6:3 Reference@7:4",
            "Variable grant: latch @3:1 Read@4:3 Reference@8:4",
            "Variable latch3: latch @4:1 Read@6:5",
            "Variable wrong: output @9:4",
        ],
    );
    check(
        "aiger",
        "aag 2 1 1 0 0\n2\n4 x\n",
        true,
        &["Variable input1: input @2:1", "Variable latch2: latch @3:1"],
    );
}

/// Whatever the text is, names have places in it, and no two names share a place.
#[test]
fn symbols_of_damaged_texts_have_places() {
    let texts = [
        (
            "xsts",
            "type T : { A, B } var c : T = A trans { local var d : T = c; c := T.B; } init {} env {} prop { c == A }",
        ),
        ("cfa", "main process P { var x : int init loc A error loc B A -> B { x := x + 1 } }"),
        (
            "sts",
            "specification S { property P : { var x : int initial x = 0 transition x' = x } models G (x = 0) }",
        ),
        (
            "sym",
            "(var x Int) (location l) (initial l (= x 0)) (edge l l step (set x (+ x 1))) (property \"p\" everywhere (>= x 0))",
        ),
        ("lisp", "(process (var x Int) (init A) (error E) (edge A E (assign x 1)))"),
        ("aiger", "aag 3 1 1 1 1\n2\n4 6\n6\n6 2 5\ni0 a\nl0 b\no0 c\n"),
    ];
    for language in LANGUAGES.iter().filter(|language| language.is_symbolic()) {
        let (_, text) = texts.iter().find(|(name, _)| *name == language.name).unwrap();
        let mut most = 0;
        for cut in (0..text.len()).filter(|&cut| text.is_char_boundary(cut)) {
            for damaged in [text[..cut].to_owned(), format!("{}{}", &text[..cut], &text[cut + 1..])] {
                let (files, symbols, _) = symbols(language.name, &damaged);
                most = most.max(symbols.len());
                for (id, symbol) in symbols.iter() {
                    for span in symbols.occurrences(id) {
                        assert_eq!(files.clamp(span), span, "{damaged}: {symbol:?}");
                        assert!(span.start < span.end, "{damaged}: {symbol:?}");
                        assert_eq!(symbols.at(span.file, span.start), Some(id), "{damaged}: {symbol:?}");
                    }
                }
            }
        }
        assert!(most >= 1, "{}", language.name);
    }
}
