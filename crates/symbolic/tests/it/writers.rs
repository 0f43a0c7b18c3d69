//! Systems written as XSTS models and control flow automata, and read back: they are the same, or equivalent.
//!
//! Invariant: the other direction is compared as text in the form `.sym`; if a language represents a system
//! differently, the verdicts of the explicit engine are compared.
//! explicit engine finds is compared.

use tempora_evidence::{Budget, Verdict};
use tempora_frontends::{language_named, read_model, writer_named};
use tempora_source::{Files, Origins};
use tempora_symbolic::ExplicitEngine;
use tempora_transition::{SymbolicSystem, print_system};

use crate::support::{Chance, automaton_text, decide, read, system_text};

/// Returns the text in a language, or the complaints of the writer.
fn written(system: &SymbolicSystem, language: &str) -> Result<String, Vec<String>> {
    let writer = writer_named(language).unwrap();
    writer
        .write_system(system, &Origins::new())
        .map_err(|problems| problems.as_slice().iter().map(|problem| problem.message.clone()).collect())
}

/// Removes the names of shadowing variables and the texts of properties.
fn comparable(system: &SymbolicSystem) -> String {
    let mut system = system.clone();
    for property in &mut system.properties {
        property.text.clear();
    }
    print_system(&system).replace('\'', "_")
}

fn verdict(system: &SymbolicSystem) -> Verdict {
    decide(&ExplicitEngine::default(), system, &Budget::unlimited())
}

#[test]
fn written_system_is_read_back_unchanged() {
    for seed in 0..300 {
        for (language, text) in
            [("xsts", system_text(&mut Chance::new(seed))), ("cfa", automaton_text(&mut Chance::new(seed)))]
        {
            let system = read(language, &text);
            let once = written(&system, language).unwrap();
            let again = read(language, &once);
            assert_eq!(comparable(&again), comparable(&system), "{text}\n{once}");
            assert_eq!(written(&again, language).unwrap(), once, "{text}");
        }
    }
}

#[test]
fn translated_system_has_same_verdict() {
    let mut verdicts = [0, 0];
    for seed in 0..200 {
        let automaton = read("cfa", &automaton_text(&mut Chance::new(seed)));
        let expected = verdict(&automaton);
        let model = written(&automaton, "xsts").unwrap();
        assert_eq!(verdict(&read("xsts", &model)), expected, "seed {seed}\n{model}");
        // Without the enumeration, which control flow automata do not support.
        let text = system_text(&mut Chance::new(seed))
            .replace("type Mode : { Off, On, Bad }\n", "")
            .replace("Mode.Bad", "2")
            .replace("ctrl var mode : Mode\n", "ctrl var mode : integer = 1\n")
            .replace(" : Mode = Off", " : integer = 0");
        let text = [("Off", "0"), ("On", "1"), ("Bad", "2")]
            .iter()
            .fold(text, |text, (name, number)| text.replace(&format!(" {name}"), &format!(" {number}")));
        let system = read("xsts", &text);
        let expected = verdict(&system);
        let automaton = written(&system, "cfa").unwrap();
        assert_eq!(verdict(&read("cfa", &automaton)), expected, "seed {seed}\n{text}\n{automaton}");
        verdicts[usize::from(expected == Verdict::Holds)] += 1;
    }
    assert!(verdicts.iter().all(|count| *count > 40), "{verdicts:?}");
}

#[test]
fn expressions_are_written_with_needed_parentheses() {
    let text = "var x : int var y : int var r : rat var a : [int] -> int var b : bv[8] var t : [bv[8]] -> rat
        var f : fp[4:5] var g : fp[8:24]
        main process p { init loc A loc B error loc E
        A -> B {
            x := 0 - x - 5 + 2 * y - 3 * (x + y)
            x := (0 - 5) / x + (0 - 7) mod y
            x := ((x / y) / 2) * (x rem (y - 1))
            assume not (x = y) and (x < y or not (y <= 3)) and not (x < 1 and y < 1)
            assume (x = y) = (x < y)
            r := r / 2%3 + x - 3%1
            r := (if r < 1%2 then 0 - r else x)
            a := a[x <- a[y]][y <- 3]
            a := [1 <- 2, default <- 0 - 4]
            a := [<int>default <- x]
            t := [8'b00000001 <- 1%2, default <- 0%1]
            b := (bvneg b bvadd 8'd3) bvand (bvnot b bvshl 8'd1)
            b := (b[8:4] ++ b[4:0]) bvrol 8'd3
            assume b bvult 8'xF0 and b bvsge 8'd1 and (b[4:0] bv_sign_extend bv[8]) = b
            havoc b
            f := (fpsqrt[RTZ] (f fpadd[RTP] -4'd3.4'd1)) * (fpabs f fpmin 4'b1111.4'd0) - 4'b1111.4'd1
            g := fptofp[8:24][RNA] (fpfrombv[4:5][u][RTN] fptobv[8's] (fproundtoint g)) fprem (-g)
            assume f < f / f and not (f >= f) and (f = f or fpisnan f)
        }
        B -> E { } }";
    let system = read("cfa", text);
    let once = written(&system, "cfa").unwrap();
    assert_eq!(comparable(&read("cfa", &once)), comparable(&system), "{once}");
    let text = "type Mode : { Off, On } type Other : { Off, Two }
        var m : Mode = On var o : Other = Other.Off var k : [Mode] -> boolean = [Off <- true, default <- false]
        var n : [integer] -> [Mode] -> integer var p : boolean = m == On var q : boolean = p && !(o == Off)
        trans { choice { k[On] := !k[Off]; } or { n[1][Off] := n[0][m] + 1; } local var t : integer; n[t][On] := t; }
        init {} env { for i from n[0][Off] to 3 do { local var i : boolean = p; p := !i; } }
        prop { p => o == Off }";
    let system = read("xsts", text);
    let once = written(&system, "xsts").unwrap();
    assert_eq!(comparable(&read("xsts", &once)), comparable(&system), "{once}");
}

#[test]
fn local_variable_keeps_value_between_iterations() {
    // The value set in the first iteration blocks the second, so nothing is reached.
    let text = "(var x Int)(var t Int local)(var i Int local)(location a)(location b)(initial a (= x 0))
        (edge a b step (for i 0 2 (do (assume (and (<= 0 t) (<= t 1))) (set x (+ x t)) (set t 5))))
        (property \"p\" (at b) (< x 0))";
    let once = written(&read("sym", text), "xsts").unwrap();
    let declared = once.find("local var t").unwrap();
    assert!(declared < once.find("for ").unwrap(), "{once}");
    let engine = tempora_symbolic::CegarEngine::default();
    assert_eq!(decide(&engine, &read("xsts", &once), &Budget::unlimited()), Verdict::Holds, "{once}");
}

#[test]
fn refuses_unsupported_constructs_by_name() {
    let refusals = |language: &str, text: &str| written(&read("sym", text), language).unwrap_err();
    let system =
        "(enum Light Red Green)(var light Light)(var r Real)(var b (_ BitVec 4))(var x Int)(location a)
        (initial a true)(edge a a step (do (set x (tdiv x 2)) (set light Light.Green)))
        (property \"one\" everywhere (< x 5))(property \"two\" everywhere (< x 6))";
    assert_eq!(
        refusals("xsts", system),
        [
            "a rational number cannot be written in this language",
            "a bit-vector cannot be written in this language",
            "the truncated division `tdiv` cannot be written in this language",
            "a second property cannot be written in this language",
        ]
    );
    assert_eq!(
        refusals("cfa", system),
        [
            "the enumeration `Light` cannot be written in this language",
            "the truncated division `tdiv` cannot be written in this language",
            "the enumeration `Light` cannot be written in this language",
            "a second property cannot be written in this language",
        ]
    );
    let floats = "(var f (_ FloatingPoint 3 3))(location a)(initial a (= f (fp #b0 #b011 #b00)))
        (edge a a step (assume (fp.isInfinite f)))";
    assert_eq!(
        refusals("cfa", floats),
        [
            "an equality of floating point numbers that includes NaN cannot be written in this language",
            "`fp.isInfinite` cannot be written in this language",
        ]
    );
    let counter = "(var x Int)(var i Int local)(location a)(initial a true)
        (edge a a step (do (for i 0 3 (set x i)) (set x i)))";
    assert_eq!(
        refusals("xsts", counter),
        ["the counter `i` outside of its loop cannot be written in this language"]
    );
    let long = format!("(var x Int)(location a)(initial a (= x {}))", "9".repeat(1001));
    assert_eq!(
        refusals("xsts", &long),
        ["a number with more than 1000 digits cannot be written in this language"]
    );
    let nested = (0..190).fold("x".to_owned(), |inner, _| format!("(* x (+ {inner} 1))"));
    let deep = format!("(var x Int)(location a)(initial a true)(edge a a step (set x {nested}))");
    assert_eq!(
        refusals("cfa", &deep),
        ["an expression that is nested more than 180 levels deep cannot be written in this language"]
    );
}

#[test]
fn locals_initials_and_locations_are_translated() {
    // The local is used before it has a value; its value is kept between iterations.
    let text =
        "(var x Int)(var y Int)(var t Int local)(var i Int local)(location a)(location |b c|)(location init)
        (initial a (and (= (+ x y) 3) (<= 0 x) (<= x 1)))
        (edge a |b c| step (do (assume (and (<= 0 t) (<= t 1))) (for i 0 3 (do (set x (+ x t)) (set t 1)))))
        (edge |b c| init env (choose (set y 0) (set y 1)))
        (property \"p\" (at init) CONDITION)";
    // From 0 or 1, then once 0 or 1, then twice 1: from 2 to 4.
    for (condition, expected) in [("(and (<= 2 x) (<= x 4))", Verdict::Holds), ("(< x 4)", Verdict::Fails)] {
        let system = read("sym", &text.replace("CONDITION", condition));
        for language in ["xsts", "cfa"] {
            let text = written(&system, language).unwrap();
            let again = read(language, &text);
            let engine = tempora_symbolic::CegarEngine::default();
            assert_eq!(decide(&engine, &again, &Budget::unlimited()), expected, "{text}");
        }
    }
}

#[test]
fn reader_refuses_exponentially_large_terms() {
    let mut term = "x".to_owned();
    for number in 0..60 {
        term = format!("(let ((v{number} {term})) (ite (< 0 v{number}) (* 2 v{number}) v{number}))");
    }
    let text = format!("(var x Int)(location a)(initial a true)(edge a a step (set x {term}))");
    let (mut files, mut origins) = (Files::new(), Origins::new());
    let file = files.add("m", text).unwrap();
    let read = read_model(language_named("sym").unwrap(), &mut files, &mut origins, file, None);
    let messages: Vec<&str> =
        read.diagnostics.as_slice().iter().map(|diagnostic| diagnostic.message.as_str()).collect();
    assert_eq!(messages, ["the value of an assignment has more than 2000000 operators"]);
}
