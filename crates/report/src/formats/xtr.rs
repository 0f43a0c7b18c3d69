//! Runs as UPPAAL's `.xtr` files: states with zones, and edges, all as numbers in the order of the model.
//!
//! A file is a state, then for each step its target state and its edges, then a dot. A state is the numbers of the
//! locations, a dot, the bounds of the zone with a dot after each, a dot, the values of the variables, a dot. A bound
//! is the numbers of two clocks and `2c` for "at most `c`" or `2c + 1` for "less than `c`"; clock 0 is zero and clock 1
//! the time since the start. An edge is the number of its process, its own number, the values of its selects, and a
//! semicolon. The program `tracer` of UPPAAL's authors reads this format.
//!
//! Invariant: the zone of a state contains the clock values of the run while it stays in the state, rounded outwards to
//! integers. [`read`] accepts the output of [`write()`].

use std::fmt::Write;

use tempora_evidence::{Participation, Rational, SystemKind, Trace, Transition, TransitionKind};
use tempora_model::{
    EdgeId, LocationId, Network, ProcessId, Synchronisation, SynchronisationRole, Type, Value, VariableKind,
};
use tempora_replay::Interpreter;
use tempora_source::{Diagnostic, FileId, Files, Span};

use super::RunFormat;
use crate::codes::{TRACE_FORM, TRACE_NOT_A_RUN, TRACE_OF_ANOTHER_MODEL};
use crate::{ExactTime, ShownEnding, ShownRun, ShownState, ShownStep, ShownValue, StepKind, TransitionWord};

/// The format of UPPAAL's simulator.
pub(super) static FORMAT: RunFormat = RunFormat {
    name: "xtr",
    extension: "xtr",
    summary: "UPPAAL's simulator format",
    systems: &[SystemKind::Network],
    write: |written| write(written.run),
};

/// Returns a run as an `.xtr` file, or why the format cannot express it.
pub fn write(run: &ShownRun) -> Result<String, String> {
    match run.ending {
        ShownEnding::Error { .. } => return Err("it ends with a model error".to_owned()),
        ShownEnding::InvariantViolation => return Err("it ends with a violated invariant".to_owned()),
        _ => {}
    }
    let delay_of = |step: &ShownStep| step.timing.map_or(ExactTime::ZERO, |timing| timing.delay);
    let mut text = String::new();
    let mut now = Rational::from_integer(0);
    for (number, state) in run.states().enumerate() {
        let next = run.steps.get(number);
        let ExactTime(stay) = next.map_or(run.final_delay.unwrap_or(ExactTime::ZERO), delay_of);
        write_state(&mut text, run, &state, now, stay)?;
        // The edges of a step follow its target state.
        if let Some(before) = number.checked_sub(1).and_then(|before| run.steps.get(before)) {
            write_transition(&mut text, run, before)?;
        }
        now += stay;
    }
    text.push_str(".\n");
    Ok(text)
}

fn write_state(
    text: &mut String,
    run: &ShownRun,
    state: &ShownState,
    now: Rational,
    stay: Rational,
) -> Result<(), String> {
    // Writing to a string cannot fail.
    for location in &state.locations {
        let _ = writeln!(text, "{}", location.index);
    }
    text.push_str(".\n");
    let zero = Rational::from_integer(0);
    let clocks = state.clocks.iter().map(|clock| clock.0);
    let entered: Vec<Rational> = [zero, now].into_iter().chain(clocks).collect();
    for left in 0..entered.len() {
        for right in (0..entered.len()).filter(|&right| right != left) {
            // All clocks except zero grow while time passes.
            let most = entered[left] - entered[right] + if right == 0 { stay } else { zero };
            let bound = if most.is_integer() { most * 2 } else { most.ceil() * 2 + 1 };
            let _ = writeln!(text, "{left}\n{right}\n{}\n.", bound.to_integer());
        }
    }
    text.push_str(".\n");
    for (variable, value) in run.variables.iter().zip(&state.values) {
        let _ = match value {
            ShownValue::Boolean(value) => writeln!(text, "{}", u8::from(*value)),
            ShownValue::Integer(value) => writeln!(text, "{value}"),
            other => {
                let name = &variable.name;
                return Err(format!("the variable `{name}` has the value {other}, which is not an integer"));
            }
        };
    }
    text.push_str(".\n");
    Ok(())
}

fn write_transition(text: &mut String, run: &ShownRun, step: &ShownStep) -> Result<(), String> {
    if matches!(step.kind, StepKind::Transition { kind: TransitionWord::Vector, .. }) {
        return Err("it has a step with a synchronisation vector".to_owned());
    }
    for one in &step.moves {
        let participant = one.edge.participant;
        if one.is_branching {
            let name = run.participant_name(participant);
            return Err(format!("an edge of `{name}` on the run has branches"));
        }
        let _ = write!(text, "{} {}", participant.0, one.edge.edge);
        for (_, value) in &one.selects {
            let _ = write!(text, " {value}");
        }
        text.push_str(" ;\n");
    }
    text.push_str(".\n");
    Ok(())
}

/// The contents of an `.xtr` file.
#[derive(Clone, PartialEq, Debug)]
pub struct SymbolicRun {
    /// The states, one more than transitions.
    pub states: Vec<SymbolicState>,
    /// The transitions from each state to the next.
    pub transitions: Vec<Transition>,
}

/// A state with a zone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SymbolicState {
    /// The location of each process.
    pub locations: Vec<LocationId>,
    /// Bounds on differences of clocks, which are numbered as in the file.
    pub bounds: Vec<SymbolicBound>,
    /// The values of the variables, in the order of the model.
    pub values: Vec<i32>,
    /// The place of its first token.
    pub span: Span,
}

/// An upper bound on `left - right`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SymbolicBound {
    /// The number of a clock; 0 is zero.
    pub left: usize,
    /// The number of a clock; 0 is zero.
    pub right: usize,
    /// The constant.
    pub constant: i64,
    /// Whether the bound is strict.
    pub is_strict: bool,
}

/// Parses an `.xtr` file as a run of a network, without replaying it.
pub fn read(files: &Files, file: FileId, network: &Network) -> Result<SymbolicRun, Diagnostic> {
    let clocks = Interpreter::new(network).clock_layout().names(network).len();
    let mut reader = Reader { file, network, tokens: Tokens { text: files.text(file), position: 0 }, clocks };
    let mut states = vec![reader.state()?];
    let mut transitions = Vec::new();
    loop {
        let token = reader.tokens.peek();
        match token.text {
            // A dot where a state could begin ends the run.
            "." => {
                reader.tokens.take();
                let rest = reader.tokens.peek();
                if rest.text.is_empty() {
                    return Ok(SymbolicRun { states, transitions });
                }
                return Err(reader.malformed(rest, "unexpected text after the end of the run"));
            }
            "" => return Err(reader.malformed(token, "the run does not end: a dot is missing")),
            _ => {
                states.push(reader.state()?);
                transitions.push(reader.transition()?);
            }
        }
    }
}

impl SymbolicRun {
    /// Compares the states of the file with a run; fails at the first difference.
    pub fn compare(&self, network: &Network, trace: &Trace) -> Result<(), Diagnostic> {
        let executed = Interpreter::new(network).execute(trace);
        let run = executed.and_then(|run| run.check_complete().map(|()| run)).map_err(|failure| {
            let span = self.states.first().map(|state| state.span);
            let message = format!("this is not a run of the model: {}", failure.describe(network));
            let diagnostic = Diagnostic::error(&TRACE_NOT_A_RUN, message);
            match span {
                Some(span) => diagnostic.with_primary(span, ""),
                None => diagnostic,
            }
        })?;
        for (number, state) in self.states.iter().enumerate() {
            let found = run.state_before(number);
            let mut values = Vec::new();
            for (id, variable) in network.variables.iter() {
                // Meta variables keep no value between transitions.
                if variable.kind == VariableKind::State {
                    add_integers(found.variable(id), &mut values);
                }
            }
            let has_meta = network.variables.values().any(|variable| variable.kind == VariableKind::Meta);
            if found.locations != state.locations || (!has_meta && values != state.values) {
                return Err(Diagnostic::error(
                    &TRACE_NOT_A_RUN,
                    format!("after {number} steps the model is in a different state"),
                )
                .with_primary(state.span, "")
                .with_hint("find the run again; the model has probably changed since it was written"));
            }
        }
        Ok(())
    }
}

/// Adds the integers of a value and its parts; files contain no other values.
fn add_integers(value: &Value, integers: &mut Vec<i32>) {
    match value {
        Value::Integer(value) => integers.push(*value),
        Value::Parts(parts) => parts.iter().for_each(|part| add_integers(part, integers)),
        Value::Double(_) | Value::None => {}
    }
}

struct Reader<'text> {
    file: FileId,
    network: &'text Network,
    tokens: Tokens<'text>,
    /// The number of clocks of the network.
    clocks: usize,
}

impl Reader<'_> {
    fn state(&mut self) -> Result<SymbolicState, Diagnostic> {
        let first = self.tokens.peek();
        let mut locations = Vec::with_capacity(self.network.processes.len());
        for process in self.network.processes.values() {
            let token = self.tokens.take();
            let number: u32 = self.number(token, "the number of a location")?;
            if number as usize >= process.locations.len() {
                let message = format!("`{}` has no location {number}", process.name);
                return Err(self.other_model(token, &message));
            }
            locations.push(LocationId(number));
        }
        self.dot("the locations")?;
        let mut bounds = Vec::new();
        while self.tokens.peek().text != "." {
            let left = self.clock()?;
            let right = self.clock()?;
            let token = self.tokens.take();
            let bound: i64 = self.number(token, "a bound")?;
            bounds.push(SymbolicBound { left, right, constant: bound >> 1, is_strict: bound & 1 == 1 });
            self.dot("a bound")?;
        }
        self.dot("the bounds")?;
        let mut values = Vec::new();
        while self.tokens.peek().text != "." {
            let token = self.tokens.take();
            values.push(self.number(token, "the value of a variable")?);
        }
        let place = self.tokens.peek();
        let expected = self.variable_count();
        if values.len() != expected {
            let message =
                format!("the model has {expected} variables, but this state has {} values", values.len());
            return Err(self.other_model(place, &message));
        }
        self.dot("the values")?;
        Ok(SymbolicState { locations, bounds, values, span: self.span(first) })
    }

    fn variable_count(&self) -> usize {
        fn count(value: &Value) -> usize {
            match value {
                Value::None => 0,
                Value::Parts(parts) => parts.iter().map(count).sum(),
                _ => 1,
            }
        }
        let variables = self.network.variables.values();
        variables
            .filter(|variable| matches!(variable.kind, VariableKind::State | VariableKind::Meta))
            .map(|variable| count(&variable.initial))
            .sum()
    }

    fn clock(&mut self) -> Result<usize, Diagnostic> {
        let token = self.tokens.take();
        let number: usize = self.number(token, "the number of a clock")?;
        // Zero and the time since the start precede the clocks of the model.
        if number >= self.clocks + 2 {
            return Err(self.other_model(token, &format!("the model has no clock {number}")));
        }
        Ok(number)
    }

    fn transition(&mut self) -> Result<Transition, Diagnostic> {
        let mut participants = Vec::new();
        while self.tokens.peek().text != "." {
            participants.push(self.edge()?);
        }
        let place = self.tokens.peek();
        self.dot("the edges")?;
        let channel = participants.first().and_then(|first| self.channel(first));
        let kind = match (&*participants, channel) {
            ([], _) => return Err(self.malformed(place, "a step without edges")),
            ([_], None) => TransitionKind::Internal,
            (_, Some(Synchronisation { channel, role: SynchronisationRole::Send })) => {
                match &channel.value_type {
                    Type::Channel(kind) if kind.is_broadcast => TransitionKind::Broadcast,
                    _ => TransitionKind::Binary,
                }
            }
            _ => return Err(self.other_model(place, "the edges of this step cannot synchronise")),
        };
        Ok(Transition { kind, participants })
    }

    fn channel(&self, participation: &Participation) -> Option<&Synchronisation> {
        let process = self.network.processes.get(participation.process)?;
        process.edges.get(participation.edge)?.synchronisation.as_ref()
    }

    fn edge(&mut self) -> Result<Participation, Diagnostic> {
        let token = self.tokens.take();
        let process = ProcessId(self.number(token, "the number of a process")?);
        let Some(known) = self.network.processes.get(process) else {
            return Err(self.other_model(token, &format!("the model has no process {}", process.0)));
        };
        let token = self.tokens.take();
        let edge = EdgeId(self.number(token, "the number of an edge")?);
        let Some(taken) = known.edges.get(edge) else {
            return Err(self.other_model(token, &format!("`{}` has no edge {}", known.name, edge.0)));
        };
        if taken.branches.len() != 1 {
            return Err(self.malformed(token, "this format cannot distinguish the branches of an edge"));
        }
        let expected = taken.selects.len();
        let mut select_values = Vec::new();
        loop {
            let token = self.tokens.take();
            if token.text == ";" {
                if select_values.len() != expected {
                    let message = format!("edge {} of `{}` has {expected} selects", edge.0, known.name);
                    return Err(self.other_model(token, &message));
                }
                return Ok(Participation { process, edge, branch: 0, select_values });
            }
            select_values.push(self.number(token, "the value of a select, or a semicolon")?);
        }
    }

    fn number<T: std::str::FromStr>(&self, token: Token<'_>, what: &str) -> Result<T, Diagnostic> {
        token.text.parse().map_err(|_| match token.text {
            "" => self.malformed(token, &format!("expected {what}, found the end of the file")),
            other => self.malformed(token, &format!("found `{other}`, expected {what}")),
        })
    }

    fn dot(&mut self, what: &str) -> Result<(), Diagnostic> {
        let token = self.tokens.take();
        match token.text {
            "." => Ok(()),
            _ => Err(self.malformed(token, &format!("expected a dot after {what}"))),
        }
    }

    fn malformed(&self, token: Token<'_>, message: &str) -> Diagnostic {
        Diagnostic::error(&TRACE_FORM, message)
            .with_primary(self.span(token), "")
            .with_hint("use a complete `.xtr` file of this model")
    }

    fn other_model(&self, token: Token<'_>, message: &str) -> Diagnostic {
        Diagnostic::error(&TRACE_OF_ANOTHER_MODEL, message)
            .with_primary(self.span(token), "")
            .with_hint("use the model in which the run was found; numbers refer to its order")
    }

    fn span(&self, token: Token<'_>) -> Span {
        let offset = |position: usize| u32::try_from(position).unwrap_or(u32::MAX);
        Span::new(self.file, offset(token.start), offset(token.start + token.text.len()))
    }
}

/// A tokenizer: tokens are words and semicolons, and empty at the end of the text.
struct Tokens<'text> {
    text: &'text str,
    position: usize,
}

#[derive(Clone, Copy)]
struct Token<'text> {
    text: &'text str,
    start: usize,
}

impl<'text> Tokens<'text> {
    fn take(&mut self) -> Token<'text> {
        let token = self.peek();
        self.position = token.start + token.text.len();
        token
    }

    fn peek(&self) -> Token<'text> {
        let rest = &self.text[self.position..];
        let start = self.position + (rest.len() - rest.trim_start().len());
        let rest = &self.text[start..];
        let is_end = |character: char| character.is_whitespace() || character == ';';
        let length = match rest.strip_prefix(';') {
            Some(_) => 1,
            None => rest.find(is_end).unwrap_or(rest.len()),
        };
        Token { text: &rest[..length], start }
    }
}
