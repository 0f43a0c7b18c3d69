//! Runs of symbolic systems as sequences of states, in Theta's format for XSTS models.
//!
//! Invariant: there is one initial state and one state after each step. A state has flags for the initialisation and
//! for the kind of the last step, and the value of each variable that is not local.

use std::fmt::Write;

use tempora_evidence::SystemKind;

use super::RunFormat;
use crate::{ControlEdgeWord, ShownRun, ShownState, ShownStep, ShownValue, StepKind};

/// The state format of Theta.
pub(super) static FORMAT: RunFormat = RunFormat {
    name: "states",
    extension: "trace",
    summary: "Theta's state sequence; only for symbolic systems",
    systems: &[SystemKind::Symbolic],
    write: |written| Ok(run(written.run)),
};

/// Returns a run as a sequence of states.
fn run(run: &ShownRun) -> String {
    let mut text = String::from("(XstsStateSequence\n");
    let steps = std::iter::once(None).chain(run.steps.iter().map(Some));
    for (step, state) in steps.zip(run.states()) {
        write_state(&mut text, run, flags(step), &state);
    }
    text.push_str(")\n");
    text
}

/// Returns the flags for the initialisation and for the kind of the last step.
fn flags(step: Option<&ShownStep>) -> [&'static str; 2] {
    match step.map(|step| step.kind) {
        // Theta marks the state before the initialisation as if the environment had just moved.
        None => ["pre_init", "last_env"],
        Some(StepKind::Control(ControlEdgeWord::Environment)) => ["post_init", "last_env"],
        Some(_) => ["post_init", "last_internal"],
    }
}

fn write_state(text: &mut String, run: &ShownRun, flags: [&str; 2], state: &ShownState) {
    // Writing to a string cannot fail.
    let _ = write!(text, "\t(XstsState {} {}\n\t\t(ExplState", flags[0], flags[1]);
    for (name, value) in run.named_values(state) {
        let _ = write!(text, "\n\t\t\t({name} {})", written(value));
    }
    text.push_str("))\n");
}

fn written(value: &ShownValue) -> String {
    match value {
        ShownValue::Map(map) => {
            let mut text = String::from("(array");
            for (index, element) in &map.entries {
                let _ = write!(text, " ({} {})", written(index), written(element));
            }
            text + &format!(" (default {}))", written(&map.rest))
        }
        ShownValue::Rational { numerator, denominator } => format!("{numerator}%{denominator}"),
        other => other.to_string(),
    }
}
