//! Runs in the Informal Trace Format (ITF) of Apalache, which tools for TLA+ and Quint read.
//!
//! The format is described at <https://apalache-mc.org/docs/adr/015adr-trace.html>. A state assigns a value to each of
//! these variables:
//!
//! - `P.location` for a participant `P`: the name of its location, a string;
//! - each variable except meta variables: a Boolean, a big integer, or a string for literals of enumerations, bit
//!   vectors and floating-point numbers;
//! - each clock and, in a timed run, `time`, the time since the start. They are rational, like reals of symbolic
//!   systems: records `{ num, den }` of big integers;
//! - arrays of symbolic systems are total: records `{ entries, default }` of a map and the value at all other indices.
//!
//! Invariant: the states are the initial one, the one after each step that does not fail, and the one after a nonzero
//! final delay. A name occurs once in `vars`, does not begin with `#`, and has a value in every state. In a lasso,
//! `loop` is the state before the first step of the cycle; the last state allows the same steps, but its time and the
//! values of inactive clocks may differ.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use tempora_evidence::SystemKind;

use super::{RunFormat, RunToWrite};
use crate::documents::document_text;
use crate::{EndingWord, ExactTime, ShownMove, ShownRun, ShownState, ShownStep, ShownValue, VerdictWord};

/// The format ITF.
pub(super) static FORMAT: RunFormat = RunFormat {
    name: "itf",
    extension: "itf.json",
    summary: "Apalache's Informal Trace Format",
    systems: &[SystemKind::Network, SystemKind::Symbolic],
    write: |written| Ok(document_text(&trace(written))),
};

/// A trace.
#[derive(Serialize)]
struct ItfTrace<'run> {
    #[serde(rename = "#meta")]
    meta: ItfTraceMeta<'run>,
    vars: Vec<String>,
    states: Vec<ItfState>,
    /// The state that the last one leads back to.
    #[serde(rename = "loop", skip_serializing_if = "Option::is_none")]
    cycle_start: Option<usize>,
}

/// Metadata of a trace; the format allows any members.
#[derive(Serialize)]
struct ItfTraceMeta<'run> {
    format: &'static str,
    #[serde(rename = "format-description")]
    format_description: &'static str,
    source: &'run str,
    query: &'run str,
    verdict: VerdictWord,
    ending: EndingWord,
}

/// A state.
#[derive(Serialize)]
struct ItfState {
    #[serde(rename = "#meta")]
    meta: ItfStateMeta,
    #[serde(flatten)]
    values: BTreeMap<String, ItfExpression>,
}

/// Metadata of a state.
#[derive(Serialize)]
struct ItfStateMeta {
    index: usize,
    /// The moves that lead to it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moves: Vec<String>,
}

/// An expression of the format.
#[derive(Serialize)]
#[serde(untagged)]
enum ItfExpression {
    Boolean(bool),
    Text(String),
    Integer {
        #[serde(rename = "#bigint")]
        digits: String,
    },
    Rational {
        num: Box<ItfExpression>,
        den: Box<ItfExpression>,
    },
    TotalMap {
        entries: ItfMap,
        default: Box<ItfExpression>,
    },
}

/// A map of the format.
#[derive(Serialize)]
struct ItfMap {
    #[serde(rename = "#map")]
    pairs: Vec<(ItfExpression, ItfExpression)>,
}

fn trace<'run>(written: &RunToWrite<'run>) -> ItfTrace<'run> {
    let run = written.run;
    let names = names(run);
    let mut time = run.final_delay.map(|_| ExactTime::ZERO);
    let mut states = Vec::with_capacity(run.steps.len() + 2);
    let steps = std::iter::once(None).chain(run.steps.iter().map(Some));
    for (index, (step, state)) in steps.zip(run.states()).enumerate() {
        time = step.and_then(|step| step.timing).map_or(time, |timing| Some(timing.time));
        let moves = step.map_or_else(Vec::new, |step| moves(run, step));
        states.push(ItfState {
            meta: ItfStateMeta { index, moves },
            values: values(run, &names, &state, time),
        });
    }
    if let (Some(now), Some(delay)) = (time, run.final_delay)
        && delay != ExactTime::ZERO
    {
        let meta = ItfStateMeta { index: states.len(), moves: Vec::new() };
        let end = Some(ExactTime(now.0 + delay.0));
        states.push(ItfState { meta, values: values(run, &names, &run.last, end) });
    }
    ItfTrace {
        meta: ItfTraceMeta {
            format: "ITF",
            format_description: "https://apalache-mc.org/docs/adr/015adr-trace.html",
            source: written.model,
            query: &written.answer.query,
            verdict: written.answer.verdict,
            ending: run.ending.word(),
        },
        vars: names,
        states,
        cycle_start: run.ending.cycle_start(),
    }
}

/// Returns unique names of the locations, variables, clocks and the time, in this order.
fn names(run: &ShownRun) -> Vec<String> {
    let locations = run.participants.iter().map(|participant| format!("{}.location", participant.name));
    let variables = run.named_values(&run.initial).map(|(name, _)| name.to_owned());
    let time = run.final_delay.map(|_| "time".to_owned());
    let mut used = BTreeSet::new();
    let wanted = locations.chain(variables).chain(run.clocks.iter().cloned()).chain(time);
    wanted
        .map(|mut name| {
            // Names of the format itself begin with `#`.
            if name.starts_with('#') {
                name.insert(0, '_');
            }
            while !used.insert(name.clone()) {
                name.push('_');
            }
            name
        })
        .collect()
}

/// Returns the values of a state, by name.
fn values(
    run: &ShownRun,
    names: &[String],
    state: &ShownState,
    time: Option<ExactTime>,
) -> BTreeMap<String, ItfExpression> {
    let locations = state.locations.iter().map(|location| ItfExpression::Text(location.name.clone()));
    let variables = run.named_values(state).map(|(_, value)| expression(value));
    let clocks =
        state.clocks.iter().copied().chain(time).map(|clock| rational(clock.0.numer(), clock.0.denom()));
    names.iter().cloned().zip(locations.chain(variables).chain(clocks)).collect()
}

fn expression(value: &ShownValue) -> ItfExpression {
    match value {
        ShownValue::Boolean(value) => ItfExpression::Boolean(*value),
        ShownValue::Integer(value) => integer(value),
        ShownValue::Rational { numerator, denominator } => rational(numerator, denominator),
        ShownValue::Double(_) | ShownValue::Literal(_) | ShownValue::Machine(_) => {
            ItfExpression::Text(value.to_string())
        }
        ShownValue::Map(map) => {
            let pairs = map.entries.iter().map(|(index, element)| (expression(index), expression(element)));
            ItfExpression::TotalMap {
                entries: ItfMap { pairs: pairs.collect() },
                default: Box::new(expression(&map.rest)),
            }
        }
    }
}

fn integer(value: &impl ToString) -> ItfExpression {
    ItfExpression::Integer { digits: value.to_string() }
}

fn rational(numerator: &impl ToString, denominator: &impl ToString) -> ItfExpression {
    ItfExpression::Rational { num: Box::new(integer(numerator)), den: Box::new(integer(denominator)) }
}

/// Returns the moves of a step as text.
fn moves(run: &ShownRun, step: &ShownStep) -> Vec<String> {
    let text = |one: &ShownMove| {
        format!("{}: {} -> {}", run.participant_name(one.edge.participant), one.from.name, one.to.name)
    };
    step.moves.iter().map(text).collect()
}
