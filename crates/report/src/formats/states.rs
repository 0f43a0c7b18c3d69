//! Runs of symbolic systems as sequences of states, in the form in which Theta writes those of XSTS models.
//!
//! Invariant: there is one state for the start and one for each step; it says whether the initialisation is over, whose step was
//! last, and the value of each variable that is not local.

use std::fmt::Write;

use tempora_evidence::SystemKind;

use super::RunFormat;
use crate::{ControlEdgeWord, ShownRun, ShownState, ShownStep, ShownValue, StepKind};

/// Runs as Theta writes them.
pub(super) static FORMAT: RunFormat = RunFormat {
    name: "states",
    extension: "trace",
    summary: "A sequence of states as Theta writes it; for symbolic systems",
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

/// Whether the initialisation is over, and whose step was last.
fn flags(step: Option<&ShownStep>) -> [&'static str; 2] {
    match step.map(|step| step.kind) {
        // The initialisation comes after a step of the environment that there never was, so that the next one is of the environment.
        None => ["pre_init", "last_env"],
        Some(StepKind::Control(ControlEdgeWord::Environment)) => ["post_init", "last_env"],
        Some(_) => ["post_init", "last_internal"],
    }
}

fn write_state(text: &mut String, run: &ShownRun, flags: [&str; 2], state: &ShownState) {
    // Writing to a string does not fail.
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
