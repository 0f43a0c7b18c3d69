//! Theta's control flow automata and symbolic transition systems as s-expressions, `.lisp.cfa` and `.lisp.sts`.
//!
//! Both are translated into Tempora's own text format: an automaton keeps its locations and edges; a system has one
//! location, with one edge that relates the values before and after a step.
//!
//! Invariant: every text gives a system or an error with a place; all parts of the system have their origins in the
//! text.

use std::collections::BTreeSet;

use tempora_smt::{Expression, ExpressionKind, ReadError, read_expressions};
use tempora_source::FileId;
use tempora_transition::read_items;

use crate::language::Reader;
use crate::symbolic::{PropertyText, ReadSymbolic};
use crate::{Language, Reading};

/// The registry entry.
pub(crate) static LANGUAGE: Language = Language {
    name: "lisp",
    title: "Theta's automata and transition systems as s-expressions",
    extensions: &["lisp.cfa", "lisp.sts"],
    queries_extension: "q",
    recognises: |text| {
        let inner = text.trim_start().strip_prefix('(').map(str::trim_start);
        inner.is_some_and(|inner| {
            ["process", "system"].iter().any(|word| {
                inner
                    .strip_prefix(word)
                    .is_some_and(|rest| rest.starts_with(|next: char| next.is_whitespace() || next == '('))
            })
        })
    },
    reader: Reader::Symbolic(read),
};

fn read(reading: &mut Reading<'_>, file: FileId, given: &[PropertyText]) -> ReadSymbolic {
    let (files, origins) = (&*reading.files, &mut *reading.origins);
    let text = files.text(file);
    let system = read_expressions(text)
        .and_then(|expressions| translated(&expressions, text.len()))
        .map_err(|fault| vec![fault])
        .and_then(|items| read_items(file, &items, text.len(), origins));
    let hint = "add `(prop CONDITION)` or `(error LOCATION)` to it";
    ReadSymbolic::of_expressions(files, origins, file, system, given, hint)
}

/// Translates a model into items of the text format.
fn translated(expressions: &[Expression], end: usize) -> Result<Vec<Expression>, ReadError> {
    let [model] = expressions else {
        let message = "expected one (process ...) or (system ...)".to_owned();
        return Err(ReadError { message, start: expressions.get(1).map_or(0, |more| more.start), end });
    };
    match model.list() {
        Some([head, items @ ..]) if head.word() == Some("process") => automaton(model, items),
        Some([head, items @ ..]) if head.word() == Some("system") => transition_system(model, items),
        _ => Err(model.error("expected a (process ...) or (system ...)")),
    }
}

fn automaton(model: &Expression, items: &[Expression]) -> Result<Vec<Expression>, ReadError> {
    let (mut variables, mut locations, mut edges) = (Vec::new(), Vec::new(), Vec::new());
    let (mut initial, mut error) = (None, None);
    for item in items {
        match parts_of(item)? {
            ("var", [name, sort]) => variables.push(variable(item, name, sort)),
            ("init", [name]) if initial.is_none() => {
                initial = Some(name.clone());
                locations.push(list(item, vec![word(item, "location"), name.clone()]));
            }
            ("error", [name]) if error.is_none() => {
                error = Some(name.clone());
                locations.push(list(item, vec![word(item, "location"), name.clone()]));
            }
            ("loc" | "final", [name]) => {
                locations.push(list(item, vec![word(item, "location"), name.clone()]));
            }
            ("edge", [source, target, statements @ ..]) => {
                let mut done = vec![word(item, "do")];
                for statement in statements {
                    done.push(match parts_of(statement)? {
                        ("assign", [variable, value]) => list(
                            statement,
                            vec![
                                word(statement, "set"),
                                variable.clone(),
                                term(value, false, &BTreeSet::new()),
                            ],
                        ),
                        ("assume", [condition]) => list(
                            statement,
                            vec![word(statement, "assume"), term(condition, false, &BTreeSet::new())],
                        ),
                        ("havoc", [_]) => statement.clone(),
                        ("skip", []) => list(statement, vec![word(statement, "do")]),
                        _ => return Err(statement.error("expected an assign, assume, havoc or skip")),
                    });
                }
                edges.push(list(
                    item,
                    vec![
                        word(item, "edge"),
                        source.clone(),
                        target.clone(),
                        word(item, "step"),
                        list(item, done),
                    ],
                ));
            }
            _ => {
                return Err(item.error("expected a var, init, loc, final, error or edge with its parts"));
            }
        }
    }
    let initial = initial.ok_or_else(|| model.error("the process has no (init LOCATION)"))?;
    let begin = list(&initial, vec![word(&initial, "initial"), initial.clone(), word(&initial, "true")]);
    let mut all = variables;
    all.extend(locations);
    all.push(begin);
    all.extend(edges);
    if let Some(error) = error {
        let asked = format!("{} cannot be reached", error.word().unwrap_or_default());
        let there = list(&error, vec![word(&error, "at"), error.clone()]);
        all.push(list(
            &error,
            vec![word(&error, "property"), text(&error, asked), there, word(&error, "false")],
        ));
    }
    Ok(all)
}

fn transition_system(model: &Expression, items: &[Expression]) -> Result<Vec<Expression>, ReadError> {
    let mut all = Vec::new();
    let mut names: Vec<Expression> = Vec::new();
    for item in items {
        if let ("var", [name, sort]) = parts_of(item)? {
            all.push(variable(item, name, sort));
            names.push(name.clone());
        }
    }
    let known: BTreeSet<String> = names.iter().filter_map(|name| name.word().map(str::to_owned)).collect();
    let (mut initial, mut relation, mut properties) =
        (vec![word(model, "and")], vec![word(model, "and")], Vec::new());
    for item in items {
        match parts_of(item)? {
            ("var", [_, _]) => {}
            ("init", [formula]) => initial.push(term(formula, false, &known)),
            ("trans", [formula]) => relation.push(term(formula, false, &known)),
            ("prop", [formula]) => properties.push((item, formula)),
            _ => return Err(item.error("expected a var, init, trans or prop with its parts")),
        }
    }
    let state = || word(model, "state");
    all.push(list(model, vec![word(model, "location"), state()]));
    all.push(list(model, vec![word(model, "initial"), state(), list(model, initial)]));
    let step = list(model, vec![word(model, "relate"), list(model, names), list(model, relation)]);
    all.push(list(model, vec![word(model, "edge"), state(), state(), word(model, "step"), step]));
    for (item, formula) in properties {
        let parts = vec![
            word(item, "property"),
            text(item, "prop".to_owned()),
            word(item, "everywhere"),
            term(formula, false, &known),
        ];
        all.push(list(item, parts));
    }
    Ok(all)
}

/// Returns the word at the head of a list, and the rest.
fn parts_of(expression: &Expression) -> Result<(&str, &[Expression]), ReadError> {
    match expression.list() {
        Some([head, rest @ ..]) => {
            head.word().map(|head| (head, rest)).ok_or_else(|| head.error("expected a word"))
        }
        _ => Err(expression.error("expected a list, such as (var x Int)")),
    }
}

fn variable(item: &Expression, name: &Expression, sort: &Expression) -> Expression {
    list(item, vec![word(item, "var"), name.clone(), sort_of(sort)])
}

fn sort_of(sort: &Expression) -> Expression {
    match &sort.kind {
        ExpressionKind::Word(name) if name == "Rat" => word(sort, "Real"),
        ExpressionKind::List(parts) => list(sort, parts.iter().map(sort_of).collect()),
        _ => sort.clone(),
    }
}

/// Translates the operators of a term; next values become primed variables.
fn term(expression: &Expression, is_next: bool, variables: &BTreeSet<String>) -> Expression {
    match &expression.kind {
        ExpressionKind::Word(name) if is_next && variables.contains(name) => {
            word(expression, &format!("{name}'"))
        }
        ExpressionKind::List(parts) => {
            let inner = |parts: &[Expression], is_next: bool| -> Vec<Expression> {
                parts.iter().map(|part| term(part, is_next, variables)).collect()
            };
            match parts.as_slice() {
                [head, argument] if head.word() == Some("prime") => term(argument, true, variables),
                [head, rest @ ..] => {
                    let operator = match head.word() {
                        Some("/=") => word(head, "distinct"),
                        Some("iff") => word(head, "="),
                        Some("imply") => word(head, "=>"),
                        Some("read") => word(head, "select"),
                        Some("write") => word(head, "store"),
                        _ => term(head, is_next, variables),
                    };
                    let mut all = vec![operator];
                    all.extend(inner(rest, is_next));
                    list(expression, all)
                }
                [] => expression.clone(),
            }
        }
        _ => expression.clone(),
    }
}

fn word(place: &Expression, text: &str) -> Expression {
    Expression { kind: ExpressionKind::Word(text.to_owned()), start: place.start, end: place.end }
}

fn text(place: &Expression, text: String) -> Expression {
    Expression { kind: ExpressionKind::Text(text), start: place.start, end: place.end }
}

fn list(place: &Expression, parts: Vec<Expression>) -> Expression {
    Expression { kind: ExpressionKind::List(parts), start: place.start, end: place.end }
}
