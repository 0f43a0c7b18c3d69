//! The languages of symbolic systems: the systems that they define, and the errors that they report.
//!
//! Invariant: systems are compared in the text format `.sym`, which is read back too.

use tempora_frontends::{PropertyText, language_named, read_model, read_with_properties};
use tempora_source::{Diagnostic, Files, Origins};
use tempora_transition::{SymbolicSystem, print_system};

fn read(language: &str, text: &str) -> (Option<SymbolicSystem>, Vec<String>) {
    let (mut files, mut origins) = (Files::new(), Origins::new());
    let file = files.add("m", text).unwrap();
    let read = read_model(language_named(language).unwrap(), &mut files, &mut origins, file, None);
    assert_eq!(read.symbolic.is_none(), read.diagnostics.has_errors(), "{text}");
    let place = |diagnostic: &Diagnostic| {
        let span = diagnostic.primary_span().unwrap();
        let hint = diagnostic.hint.as_ref().map_or(String::new(), |hint| format!(" ({hint})"));
        format!("{}: {}{hint}", files.locate(span), diagnostic.message)
    };
    (read.symbolic, read.diagnostics.as_slice().iter().map(place).collect())
}

/// Returns the system as `.sym` text, after checking that it is read back unchanged.
fn meaning(language: &str, text: &str) -> String {
    let (system, errors) = read(language, text);
    let system = system.unwrap_or_else(|| panic!("{errors:#?}"));
    let printed = print_system(&system);
    let (again, errors) = read("sym", &printed);
    let again = again.unwrap_or_else(|| panic!("{errors:#?}\n{printed}"));
    assert_eq!(print_system(&again), printed);
    printed
}

fn errors(language: &str, text: &str) -> Vec<String> {
    read(language, text).1
}

#[test]
fn xsts_turns_become_locations_and_edges() {
    let text = "ctrl var x : integer = 0 var y : boolean
        trans { assume x < 5; x := x + 1; } or { x := 0; }
        init { y := true; } env { havoc y; } prop { x <= 5 }";
    assert_eq!(
        meaning("xsts", text),
        "(var x Int control)
(var y Bool)
(location start)
(location settled)
(location informed)
(initial start (= x 0))
(edge start settled init
  (do
    (set y true)))
(edge settled informed env
  (do
    (havoc y)))
(edge informed settled step
  (do
    (assume (not (<= 5 x)))
    (set x (+ x 1))))
(edge informed settled step
  (do
    (set x 0)))
(property \"x <= 5\" everywhere (<= x 5))
"
    );
}

fn statement(text: &str) -> String {
    let model = format!(
        "type E : {{ A, B }} type F : {{ A, C }} var x : integer var y : integer var p : boolean var e : E var f : F \
         var a : [integer] -> integer trans {{ {text} }} init {{}} env {{}}"
    );
    let meaning = meaning("xsts", &model);
    let start = meaning.rfind("(edge informed settled step").unwrap();
    let body = meaning[start + "(edge informed settled step".len()..].trim().trim_end_matches(')');
    body.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn xsts_operators_have_the_right_precedence() {
    assert_eq!(statement("assume !x == y;"), "(do (assume (not (= x y");
    assert_eq!(statement("assume p => p => false;"), "(do (assume (not p");
    assert_eq!(statement("x := 1 - 2 - 3;"), "(do (set x (- 4");
    assert_eq!(statement("x := y / 2 * 3 % 4 rem 5;"), "(do (set x (rem (mod (* 3 (div y 2)) 4) 5");
    assert_eq!(statement("assume p || p && !p;"), "(do (assume p");
    assert_eq!(statement("x := if p then 1 else y;"), "(do (set x (ite p 1 y");
}

#[test]
fn xsts_short_literals_have_the_expected_type() {
    assert_eq!(statement("e := A; f := A;"), "(do (set e E.A) (set f F.A");
    assert_eq!(statement("assume A == f;"), "(do (assume (= f F.A");
    assert_eq!(statement("assume e != E.B;"), "(do (assume (not (= e E.B");
}

#[test]
fn xsts_arrays_loops_locals_and_branches() {
    assert_eq!(statement("a[x] := a[x] + 1;"), "(do (set a (store a x (+ (select a x) 1");
    assert_eq!(statement("assume [0 <- 1, default <- 2][0] == 1;"), "(do (assume true");
    // The local variable hides the global one, but not in its own initial value.
    assert_eq!(statement("local var x : integer = x; x := x + 1;"), "(do (set x'2 x) (set x'2 (+ x'2 1");
    assert_eq!(statement("for i from 0 to x do y := i;"), "(do (for i 0 x (set y i");
    assert_eq!(
        statement("if (p) x := 1; else x := 2;"),
        "(do (choose (do (assume p) (set x 1)) (do (assume (not p)) (set x 2"
    );
}

#[test]
fn xsts_reports_several_errors_with_places_and_hints() {
    let text = "type E : { A, A }\nvar x : integr\nvar A : boolean\nvar temp1 : boolean\ntrans { y := 1; assume 3; }\n\
                init {}\nenv {}";
    assert_eq!(
        errors("xsts", text),
        [
            "m:1:15: `E` has two literals `A` (remove one of them)",
            "m:2:9: unknown type `integr` (the types are boolean, integer, E)",
            "m:3:5: `A` is also a literal of `E` (rename one of them)",
            "m:4:5: `temp1` is a reserved name (rename the variable)",
            "m:5:9: `y` is not declared (declare it, or qualify a literal with its type)",
            "m:5:24: this has type integer, but boolean is expected",
        ]
    );
    let text = "var x : integer\ntrans { x := ; x := 1 + ; }\ninit { assume x === 1; }\nenv {}";
    assert_eq!(
        errors("xsts", text),
        [
            "m:2:14: expected an expression, found `;`",
            "m:2:25: expected an expression, found `;`",
            "m:3:19: expected an expression, found `=`",
        ]
    );
    assert_eq!(
        errors("xsts", "var x : integer\ntrans {}\nenv {}"),
        ["m:3:7: `init` is missing (write `init {}` for an empty section)"]
    );
    assert_eq!(
        errors("xsts", "trans { ort { } { } } init {} env {}")[0],
        "m:1:9: `ort` is no longer part of the language (write the statements one after the other)"
    );
}

#[test]
fn given_properties_replace_those_of_the_model() {
    let (mut files, mut origins) = (Files::new(), Origins::new());
    let file = files.add("m", "var x : integer = 0 trans {} init {} env {} prop { x == 0 }").unwrap();
    let bare = PropertyText { file: files.add("query 1", "x < 5").unwrap(), is_bare: true };
    let whole = PropertyText { file: files.add("m.prop", "prop { x < 7 }").unwrap(), is_bare: false };
    let language = language_named("xsts").unwrap();
    let (system, found) =
        read_with_properties(language, &mut files, &mut origins, file, &[bare, whole]).unwrap();
    let texts: Vec<String> = system.unwrap().properties.into_iter().map(|property| property.text).collect();
    assert_eq!(
        (texts.as_slice(), found.is_empty()),
        (["x < 5".to_owned(), "x < 7".to_owned()].as_slice(), true)
    );
    let wrong = PropertyText { file: files.add("query 2", "x < 5 5").unwrap(), is_bare: true };
    let (system, found) = read_with_properties(language, &mut files, &mut origins, file, &[wrong]).unwrap();
    assert!(system.is_none() && found.has_errors());
}

#[test]
fn cfa_locations_edges_and_the_error_location() {
    let text = "var g : rat main process p { var x : int init loc A loc B error loc E
        A -> B { x := 0 havoc g } B -> B { assume x < 5 and not (x = 2 or g > 1%2) x := x + 1 }
        B -> E { assume x /= 5 imply x mod 2 = 1 } }";
    assert_eq!(
        meaning("cfa", text),
        "(var g Real)
(var x Int)
(location A)
(location B)
(location E)
(initial A true)
(edge A B step
  (do
    (set x 0)
    (havoc g)))
(edge B B step
  (do
    (assume (and (not (<= 5 x)) (not (or (= x 2) (not (<= g (/ 1.0 2.0)))))))
    (set x (+ x 1))))
(edge B E step
  (do
    (assume (or (= x 5) (= (mod x 2) 1)))))
(property \"E cannot be reached\" (at E) false)
"
    );
    let text = "main process p {\n  var x : fp[8 : 1]\n  loc A\n  A -> C { y := 1 }\n}";
    assert_eq!(
        errors("cfa", text),
        ["m:2:19: expected a format with 2 to 15 bits of exponent and 2 to 113 of significand, found `]`"]
    );
    let text = "main process p {\n  loc Aa\n  Aa -> Ab { y := 1 }\n}";
    assert_eq!(
        errors("cfa", text),
        [
            "m:3:9: unknown location `Ab` (did you mean `Aa`?)",
            "m:3:14: `y` is not declared (declare it, or qualify a literal with its type)",
            "m:1:1: the process has no initial location (declare one with `init loc`)",
        ]
    );
}

#[test]
fn sts_steps_choose_new_values() {
    let text = "specification S { property p : { var x : int invariant x >= 0 initial x = 1
        transition x' = x + 1 or x' = 0 } models G(x < 9) }";
    assert_eq!(
        meaning("sts", text),
        "(var x Int)
(var x' Int local)
(location state)
(initial state (and (= x 1) (<= 0 x)))
(edge state state step
  (do
    (havoc x')
    (assume (or (= x' (+ x 1)) (= x' 0)))
    (assume (<= 0 x'))
    (set x x')))
(property \"x < 9\" everywhere (not (<= 9 x)))
"
    );
    let text =
        "specification S { property p : { var x : int initial x' = 1 transition true } models G(true) }";
    assert_eq!(errors("sts", text), ["m:1:54: next values are not allowed here (remove the `'`)"]);
}

#[test]
fn aiger_latches_change_simultaneously() {
    let text = "aag 3 1 1 1 1\n2\n4 6\n4\n6 2 5\n";
    assert_eq!(
        meaning("aiger", text),
        "(var input1 Bool)
(var latch2 Bool)
(var gate3 Bool)
(var latch2' Bool local)
(location start)
(location state)
(initial start (not latch2))
(edge start state init
  (do
    (havoc input1)
    (set gate3 (and input1 (not latch2)))))
(edge state state step
  (do
    (set latch2' gate3)
    (set latch2 latch2')
    (havoc input1)
    (set gate3 (and input1 (not latch2)))))
(property \"the bad signal is never true\" (at state) (not latch2))
"
    );
    assert_eq!(
        errors("aiger", "aag 1 0 0 1 1\n2\n2 4 0\n"),
        [
            "m:3:1: the literal 4 is larger than the header allows (the header `aag M I L O A` gives the number of lines \
          of each kind, and the largest number M)"
        ]
    );
}

#[test]
fn hostile_texts_give_errors() {
    let deep = format!("var x : integer trans {{ x := {}1; }} init {{}} env {{}}", "(".repeat(100_000));
    assert!(errors("xsts", &deep)[0].contains("deep"));
    let blocks = format!("trans {} init {{}} env {{}}", "{".repeat(100_000));
    assert!(errors("xsts", &blocks)[0].contains("deep"));
    let long = format!("var x : integer = {} trans {{}} init {{}} env {{}}", "9".repeat(100_000));
    assert!(errors("xsts", &long)[0].contains("digits"));
    let sum = format!("var x : integer = 0{} trans {{}} init {{}} env {{}}", " + 1".repeat(100_000));
    assert_eq!(errors("xsts", &sum), Vec::<String>::new());
    let quotients =
        format!("var x : integer var y : integer = x{} trans {{}} init {{}} env {{}}", " / x".repeat(10_000));
    assert!(errors("xsts", &quotients)[0].contains("deep"));
    for language in ["xsts", "cfa", "sts", "aiger", "sym"] {
        for text in [
            "",
            "(",
            "}",
            "\u{0}",
            "aag",
            "aag 9 9 9 9 9",
            "aag 4294967295 4294967295 0 0 0",
            "main process",
            "specification",
            "(var",
            "/*",
            "trans { if ( } init { for } env { [ }",
            "var é : int",
        ] {
            assert!(read(language, text).0.is_none(), "{language} accepts {text}");
        }
    }
}

#[test]
fn cfa_float_operators_keep_rounding_modes() {
    let text = "main process p {
        var x : fp[3:4] var y : fp[3,4] var z : fp[5:11] var b : bv[4] var p : bool
        init loc A error loc E
        A -> E {
            x := 3'b011.3'b000
            y := -3'd0.3'd1
            x := (x fpadd[RTP] y) fpmul x
            x := x + y * x - y / x
            x := fpsqrt[RTZ] (fpabs x fpmax y)
            z := fptofp[5:11][RNA] x
            b := fptobv[4'u][RTN] z
            x := fpfrombv[3:4][s] b
            p := fpisnan x
            assume x = y
            assume x /= y
            assume x <= y and not (x > y)
        } }";
    let meaning = meaning("cfa", text);
    for part in [
        "(set x (fp #b0 #b011 #b000))",
        "(set y (fp #b1 #b000 #b001))",
        "(set x (fp.mul RNE (fp.add RTP x y) x))",
        "(set x (fp.sub RNE (fp.add RNE x (fp.mul RNE y x)) (fp.div RNE y x)))",
        "(set x (fp.sqrt RTZ (fp.max (fp.abs x) y)))",
        "(set z ((_ to_fp 5 11) RNA x))",
        "(set b ((_ fp.to_ubv 4) RTN z))",
        "(set x ((_ to_fp 3 4) RNE b))",
        "(set p (fp.isNaN x))",
        "(assume (fp.eq x y))",
        "(assume (not (fp.eq x y)))",
        "(assume (and (fp.leq x y) (not (fp.lt y x))))",
    ] {
        assert!(meaning.contains(part), "{part} is not in\n{meaning}");
    }
    let wrong = "main process p { var x : fp[3:4] var y : fp[4:4] var i : int
init loc A A -> A { assume x = y x := x fpadd i x := x fpadd[RXX] x } }";
    assert_eq!(
        errors("cfa", wrong),
        ["m:2:62: expected a rounding mode (RNE, RNA, RTP, RTN or RTZ), found `RXX`"]
    );
    assert_eq!(
        errors("cfa", &wrong.replace("[RXX]", "")),
        [
            "m:2:28: cannot compare fp[3:4] with fp[4:4]",
            "m:2:39: the operator is not defined for fp[3:4] and integer (use floating point numbers of the same format)",
        ]
    );
}
