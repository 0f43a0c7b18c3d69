//! Circuits in AIGER's text format, `.aag`.
//!
//! A step updates the latches, chooses new inputs, and evaluates the gates in order. The property is that the bad
//! signal, or else the first output, is never true. See A. Biere, K. Heljanko, S. Wieringa: AIGER 1.9 and beyond, 2011.
//!
//! Invariant: every text gives a system or an error with a place; constraints, justice and fairness are refused.

mod symbols;

use tempora_model::Table;
use tempora_smt::{Sort, TermId};
use tempora_source::{Diagnostic, Diagnostics, FileId, Files, Origin, Span};
use tempora_transition::{
    ControlEdge, ControlLocation, EdgeKind, Observation, SafetyProperty, StateVariableId, StatementKind,
    SymbolicStatement, SymbolicSystem, VariableRole,
};

use crate::codes::symbolic::SYNTAX;
use crate::language::Reader;
use crate::symbolic::scope::Scope;
use crate::symbolic::{PropertyText, ReadSymbolic};
use crate::{Language, Reading};

/// The registry entry.
pub(crate) static LANGUAGE: Language = Language {
    name: "aiger",
    title: "AIGER's text format for circuits",
    extensions: &["aag"],
    queries_extension: "q",
    recognises: |_| false,
    reader: Reader::Symbolic(read),
};

fn read(reading: &mut Reading<'_>, file: FileId, given: &[PropertyText]) -> ReadSymbolic {
    let (files, origins) = (&*reading.files, &mut *reading.origins);
    let mut diagnostics = Diagnostics::new();
    let symbols = symbols::collect(files, file);
    if let Some(text) = given.first() {
        let message = "the property of a circuit is its bad signal or output";
        diagnostics.push(Diagnostic::error(&SYNTAX, message).with_primary(files.whole(text.file), ""));
        return ReadSymbolic { system: None, symbols, diagnostics };
    }
    let whole = files.whole(file);
    let system = match circuit(files, file) {
        Ok(circuit) => {
            let mut scope = Scope::new(origins, diagnostics, &[]);
            let system = lower(&mut scope, &circuit, whole);
            diagnostics = scope.diagnostics;
            system
        }
        Err(faults) => {
            for (message, span) in faults {
                let hint = "the header `aag M I L O A` gives the number of lines of each kind, and the largest number M";
                diagnostics.push(Diagnostic::error(&SYNTAX, message).with_primary(span, "").with_hint(hint));
            }
            None
        }
    };
    ReadSymbolic::finished(system, symbols, diagnostics, origins, whole)
}

struct Circuit {
    /// The literals of the inputs.
    inputs: Vec<(u32, Span)>,
    /// Literal, next literal, and the initial value, if any.
    latches: Vec<(u32, u32, Option<bool>, Span)>,
    /// The literal of each gate, and those of both operands.
    gates: Vec<(u32, u32, u32, Span)>,
    bad: Option<(u32, Span)>,
}

type CircuitError = (String, Span);

/// The number of errors after which reading stops.
const MOST_FAULTS: usize = 50;

fn circuit(files: &Files, file: FileId) -> Result<Circuit, Vec<CircuitError>> {
    let text = files.text(file);
    let mut offset = 0usize;
    let mut lines = text.split_inclusive('\n').map(|line| {
        let place = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        let span = Span::new(file, place(offset), place(offset + line.trim_end().len()));
        offset += line.len();
        (line.trim(), span)
    });
    let missing = |what: &str| (format!("{what} is missing"), files.whole(file));
    let (header, header_span) = lines.next().ok_or_else(|| vec![missing("the header")])?;
    let mut words = header.split_whitespace();
    if words.next() != Some("aag") {
        return Err(vec![("a circuit must begin with `aag M I L O A`".to_owned(), header_span)]);
    }
    let counts: Option<Vec<u32>> = words.map(|word| word.parse().ok()).collect();
    let (largest, counts) = match counts.as_deref() {
        Some([largest, counts @ ..]) if (4..=8).contains(&counts.len()) => (*largest, counts.to_vec()),
        _ => return Err(vec![("a circuit must begin with `aag M I L O A`".to_owned(), header_span)]),
    };
    let count = |position: usize| counts.get(position).copied().unwrap_or(0);
    if (5..8).any(|position| count(position) > 0) {
        return Err(vec![("constraints, justice and fairness are not supported".to_owned(), header_span)]);
    }
    let faults = std::cell::RefCell::new(Vec::<CircuitError>::new());
    // Returns the numbers of the next line; fails if they are invalid or if no line is left.
    let mut next_line =
        |what: &str, lengths: std::ops::RangeInclusive<usize>| -> Result<(Vec<u32>, Span), CircuitError> {
            let (line, span) = lines.next().ok_or_else(|| missing(what))?;
            let found: Option<Vec<u32>> = line.split_whitespace().map(|word| word.parse().ok()).collect();
            match found {
                Some(found) if lengths.contains(&found.len()) => {
                    // The third number of a latch is checked by the caller.
                    match found
                        .iter()
                        .take(if lengths == (2..=3) { 2 } else { 3 })
                        .find(|literal| **literal / 2 > largest)
                    {
                        Some(literal) => {
                            Err((format!("the literal {literal} is larger than the header allows"), span))
                        }
                        None => Ok((found, span)),
                    }
                }
                _ => Err((format!("invalid numbers for {what}"), span)),
            }
        };
    let mut numbers = |what: &str, lengths: std::ops::RangeInclusive<usize>| match next_line(what, lengths) {
        Ok(found) => Ok(Some(found)),
        Err(fault) if fault.1 == files.whole(file) || faults.borrow().len() >= MOST_FAULTS => {
            Err([faults.take(), vec![fault]].concat())
        }
        Err(fault) => {
            faults.borrow_mut().push(fault);
            Ok(None)
        }
    };
    let mut circuit = Circuit { inputs: Vec::new(), latches: Vec::new(), gates: Vec::new(), bad: None };
    for _ in 0..count(0) {
        let Some((found, span)) = numbers("an input", 1..=1)? else { continue };
        circuit.inputs.push((found[0], span));
    }
    for _ in 0..count(1) {
        let Some((found, span)) = numbers("a latch", 2..=3)? else { continue };
        let initial = match found.get(2) {
            None | Some(0) => Some(false),
            Some(1) => Some(true),
            Some(other) if *other == found[0] => None,
            Some(_) => {
                faults.borrow_mut().push(("a latch must start as 0, 1 or itself".to_owned(), span));
                continue;
            }
        };
        circuit.latches.push((found[0], found[1], initial, span));
    }
    let mut signals = Vec::new();
    for position in 0..count(2).saturating_add(count(4)) {
        let Some((found, span)) = numbers("an output", 1..=1)? else { continue };
        signals.push((position, found[0], span));
    }
    // The bad signals come after the outputs, but take precedence.
    let bad = signals.iter().find(|(position, ..)| *position >= count(2)).or(signals.first());
    circuit.bad = bad.map(|(_, literal, span)| (*literal, *span));
    for _ in 0..count(3) {
        let Some((found, span)) = numbers("a gate", 3..=3)? else { continue };
        circuit.gates.push((found[0], found[1], found[2], span));
    }
    let faults = faults.into_inner();
    if faults.is_empty() { Ok(circuit) } else { Err(faults) }
}

struct Lowering<'scope, 'origins> {
    scope: &'scope mut Scope<'origins>,
    /// The variable of each number.
    variables: std::collections::BTreeMap<u32, StateVariableId>,
}

impl Lowering<'_, '_> {
    fn define(&mut self, literal: u32, name: &str, span: Span) -> Option<StateVariableId> {
        let is_wrong = literal < 2 || literal % 2 == 1 || self.variables.contains_key(&(literal / 2));
        if is_wrong {
            let message = format!("{literal} cannot be defined here");
            let hint = "a defined literal must be even, not 0, and defined once";
            self.scope.error(Diagnostic::error(&SYNTAX, message).with_primary(span, "").with_hint(hint));
            return None;
        }
        let origin = self.scope.origins.written(span);
        let id = self.scope.add_variable(
            &format!("{name}{}", literal / 2),
            Sort::Boolean,
            VariableRole::State,
            origin,
        );
        self.variables.insert(literal / 2, id);
        Some(id)
    }

    fn value(&mut self, literal: u32, span: Span) -> Option<TermId> {
        let positive = match (literal / 2, self.variables.get(&(literal / 2))) {
            (0, _) => self.scope.store.truth(false),
            (_, Some(id)) => self.scope.store.symbol(self.scope.variables[*id].symbol),
            (_, None) => {
                let message = format!("{literal} is not defined before it is used");
                self.scope.error(Diagnostic::error(&SYNTAX, message).with_primary(span, ""));
                return None;
            }
        };
        Some(if literal % 2 == 1 { self.scope.store.not(positive) } else { positive })
    }
}

fn lower(scope: &mut Scope<'_>, circuit: &Circuit, whole: Span) -> Option<SymbolicSystem> {
    let mut lowering = Lowering { scope, variables: std::collections::BTreeMap::new() };
    let statement = |kind: StatementKind, origin: Origin| SymbolicStatement { kind, origin };
    // Inputs and gates have new values in each state.
    let mut refresh = Vec::new();
    for (literal, span) in &circuit.inputs {
        let origin = lowering.scope.origins.written(*span);
        let id = lowering.define(*literal, "input", *span)?;
        refresh.push(statement(StatementKind::Havoc(id), origin));
    }
    let mut initial = Vec::new();
    let mut latches = Vec::new();
    for (literal, _, start, span) in &circuit.latches {
        let id = lowering.define(*literal, "latch", *span)?;
        latches.push(id);
        if let Some(start) = start {
            let value = lowering.value(*literal, *span)?;
            let constant = lowering.scope.store.truth(*start);
            initial.push(lowering.scope.store.equal(value, constant));
        }
    }
    for (literal, left, right, span) in &circuit.gates {
        let sides = [lowering.value(*left, *span)?, lowering.value(*right, *span)?];
        let id = lowering.define(*literal, "gate", *span)?;
        let origin = lowering.scope.origins.written(*span);
        let value = lowering.scope.store.and(&sides);
        refresh.push(statement(StatementKind::Assign(id, value), origin));
    }
    // All latches change simultaneously, so their next values are saved first.
    let (mut kept, mut taken) = (Vec::new(), Vec::new());
    for ((_, next, _, span), id) in circuit.latches.iter().zip(&latches) {
        let value = lowering.value(*next, *span)?;
        let origin = lowering.scope.origins.written(*span);
        let name = format!("{}'", lowering.scope.variables[*id].name);
        let copy = lowering.scope.add_variable(&name, Sort::Boolean, VariableRole::Local, origin);
        let copied = lowering.scope.store.symbol(lowering.scope.variables[copy].symbol);
        kept.push(statement(StatementKind::Assign(copy, value), origin));
        taken.push(statement(StatementKind::Assign(*id, copied), origin));
    }
    let condition = match circuit.bad {
        Some((literal, span)) => {
            let bad = lowering.value(literal, span)?;
            Some((lowering.scope.store.not(bad), span))
        }
        None => None,
    };
    let scope = lowering.scope;
    let origin = scope.origins.written(whole);
    let mut locations = Table::new();
    let start = locations.push(ControlLocation { name: "start".to_owned(), origin });
    let state = locations.push(ControlLocation { name: "state".to_owned(), origin });
    let mut edges = Table::new();
    let first = statement(StatementKind::Sequence(refresh.clone()), origin);
    edges.push(ControlEdge {
        source: start,
        target: state,
        kind: EdgeKind::Initialisation,
        statement: first,
        origin,
    });
    let all = kept.into_iter().chain(taken).chain(refresh).collect();
    let step = statement(StatementKind::Sequence(all), origin);
    edges.push(ControlEdge { source: state, target: state, kind: EdgeKind::Step, statement: step, origin });
    let properties = condition
        .into_iter()
        .map(|(condition, span)| SafetyProperty {
            text: "the bad signal is never true".to_owned(),
            condition,
            observation: Observation::At(vec![state]),
            origin: scope.origins.written(span),
        })
        .collect();
    let initial = scope.store.and(&initial);
    Some(SymbolicSystem {
        store: std::mem::take(&mut scope.store),
        variables: std::mem::take(&mut scope.variables),
        locations,
        initial_location: start,
        initial,
        edges,
        properties,
    })
}
