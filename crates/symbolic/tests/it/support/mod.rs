//! Random systems, and helpers to check them.
//!
//! Invariant: the same seed gives the same system; a verdict with a run is only returned if the run replays.

use std::fmt::Write;
use std::sync::Arc;

use tempora_evidence::{Budget, Engine, Progress, Task, Verdict};
use tempora_frontends::{language_named, read_model};
use tempora_model::PropertyId;
use tempora_replay::{Showing, judge_property};
use tempora_source::{Colour, Files, Origins, render_text};
use tempora_transition::SymbolicSystem;

/// A deterministic pseudo-random generator.
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Chance {
        Chance(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }

    fn one<'item>(&mut self, items: &[&'item str]) -> &'item str {
        items[usize::try_from(self.below(items.len() as u64)).unwrap()]
    }
}

/// Returns a random XSTS model with few states.
pub(crate) fn system_text(chance: &mut Chance) -> String {
    let mut text = String::from("type Mode : { Off, On, Bad }\n");
    let _ = writeln!(text, "var x : integer = {}", chance.below(3));
    let _ = writeln!(text, "var y : integer = {}", chance.below(3));
    text.push_str("var data : integer = 0\n");
    text.push_str(if chance.below(2) == 0 { "var p : boolean\n" } else { "var p : boolean = false\n" });
    text.push_str("var q : boolean = true\n");
    text.push_str(if chance.below(3) == 0 {
        "ctrl var mode : Mode\n"
    } else {
        "ctrl var mode : Mode = Off\n"
    });
    let _ = writeln!(text, "trans {}", block(chance, 3));
    for _ in 0..chance.below(2) {
        let _ = writeln!(text, "or {}", block(chance, 2));
    }
    let _ = writeln!(text, "init {}", if chance.below(2) == 0 { "{}".to_owned() } else { block(chance, 1) });
    text.push_str("env { havoc data; assume data >= 0 && data < 3; havoc q; }\n");
    // A property that a few values violate, so that its verdict is not obvious.
    let violated = [condition(chance), condition(chance), condition(chance)];
    let _ = writeln!(text, "prop {{ !({}) }}", violated.join(" && "));
    text
}

/// Returns a random control flow automaton with few states: chains, branches and loops.
pub(crate) fn automaton_text(chance: &mut Chance) -> String {
    let mut text =
        String::from("main process random {\nvar x : int\nvar y : int\nvar p : bool\ninit loc L0\n");
    let locations = 4 + chance.below(4);
    for location in 1..locations {
        let _ = writeln!(text, "loc L{location}");
    }
    text.push_str("error loc E\nL0 -> L1 { x := 0 y := 1 p := false }\n");
    for location in 1..locations {
        // Most edges lead on and form chains; some lead back and form loops.
        let next = if location + 1 < locations { location + 1 } else { 1 };
        let _ = writeln!(text, "L{location} -> L{next} {{ {} }}", automaton_step(chance));
        if chance.below(3) == 0 {
            let other = 1 + chance.below(locations - 1);
            let _ = writeln!(text, "L{location} -> L{other} {{ {} }}", automaton_step(chance));
        }
    }
    let last = 1 + chance.below(locations - 1);
    let (x, y) = (chance.below(5), chance.below(4));
    let _ = writeln!(text, "L{last} -> E {{ assume x = {x} and y = {y} }}\n}}");
    text
}

fn automaton_step(chance: &mut Chance) -> String {
    match chance.below(7) {
        0 => format!("assume x {} y", chance.one(&["<", "<=", "/=", ">="])),
        1 => "x := (if x < 4 then x + 1 else 0)".to_owned(),
        2 => "y := (if y + x < 4 then y + x else 1)".to_owned(),
        3 => format!("p := x = {}", chance.below(5)),
        4 => "assume p or y < 3 x := (if x < 3 then x + 2 else x - 3)".to_owned(),
        5 => "havoc y assume y >= 0 and y < 3".to_owned(),
        _ => "p := not p y := (if y < 3 then y + 1 else 0)".to_owned(),
    }
}

fn block(chance: &mut Chance, depth: u64) -> String {
    let count = 1 + chance.below(3);
    let statements: Vec<String> = (0..count).map(|_| statement(chance, depth)).collect();
    format!("{{ {} }}", statements.join(" "))
}

fn statement(chance: &mut Chance, depth: u64) -> String {
    match chance.below(if depth > 0 { 10 } else { 6 }) {
        0 => format!("assume {} || {};", condition(chance), condition(chance)),
        1 => format!("mode := {};", chance.one(&["Off", "On", "Mode.Bad"])),
        2 => format!("p := {};", condition(chance)),
        3 | 4 => format!("{} := ({}) % 4;", chance.one(&["x", "y"]), number(chance)),
        5 => "havoc p;".to_owned(),
        6 => format!("choice {} or {}", block(chance, depth - 1), block(chance, depth - 1)),
        7 => format!("if ({}) {}", condition(chance), block(chance, depth - 1)),
        8 => format!(
            "{{ local var t : integer = {}; if (t > 1) {} else x := t % 3; }}",
            number(chance),
            block(chance, depth - 1)
        ),
        _ => format!("for i from 0 to {} do {}", chance.below(3), block(chance, depth - 1)),
    }
}

fn number(chance: &mut Chance) -> String {
    match chance.below(6) {
        0 => format!("{} + {}", chance.one(&["x", "y", "data"]), chance.below(3)),
        1 => format!("x - {}", chance.one(&["y", "data"])),
        2 => format!("y * {}", chance.one(&["x", "data", "2"])),
        3 => format!("(x + data) rem {}", 2 + chance.below(2)),
        4 => format!("{} / 2", chance.one(&["x", "y"])),
        _ => chance.one(&["x", "y", "data"]).to_owned(),
    }
}

fn condition(chance: &mut Chance) -> String {
    match chance.below(6) {
        0 => chance.one(&["p", "q", "!p", "!q"]).to_owned(),
        1 => format!("mode {} {}", chance.one(&["==", "!="]), chance.one(&["Off", "On", "Bad"])),
        2 => format!("(p {} q)", chance.one(&["iff", "xor", "=>"])),
        _ => format!(
            "({} {} {})",
            number(chance),
            chance.one(&["<", "<=", "==", "!=", ">", ">="]),
            chance.below(4)
        ),
    }
}

/// Reads a system without errors.
pub(crate) fn read(language: &str, text: &str) -> SymbolicSystem {
    let (mut files, mut origins) = (Files::new(), Origins::new());
    let file = files.add("model", text).unwrap();
    let read = read_model(language_named(language).unwrap(), &mut files, &mut origins, file, None);
    match read.symbolic {
        Some(system) => system,
        None => {
            let messages = render_text(&files, read.diagnostics.as_slice(), Colour::Never);
            panic!("{messages}\n{text}");
        }
    }
}

/// Returns the verdict of an engine on the only property of a system.
pub(crate) fn decide(engine: &dyn Engine, system: &SymbolicSystem, budget: &Budget) -> Verdict {
    let task = Task::about_properties(Arc::new(system.clone()));
    let answers = engine.run(&task, budget, &Progress::new());
    assert_eq!(answers.len(), 1);
    let answer = answers.into_iter().next().unwrap();
    let claimed = answer.verdict.clone();
    let judgement = judge_property(system, PropertyId(0), &answer).unwrap();
    let expected = if claimed == Verdict::Fails { Showing::Shown } else { Showing::NotShown };
    assert_eq!(judgement.showing, expected, "the run of {} does not replay", engine.name());
    claimed
}
