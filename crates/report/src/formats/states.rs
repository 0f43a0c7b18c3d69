//! Runs of symbolic systems as sequences of states, in the form in which Theta writes those of XSTS models.
//!
//! Invariant: there is one state for the start and one for each step; it says whether the initialisation is over, whose step was
//! last, and the value of each variable that is not local.

use tempora_evidence::SymbolicTrace;
use tempora_replay::SymbolicRun;
use tempora_smt::{TermStore, Value};
use tempora_transition::{EdgeKind, SymbolicSystem};

/// Returns the executed run of a trace as a sequence of states; `None` if it is one of another system.
pub fn state_sequence(system: &SymbolicSystem, trace: &SymbolicTrace, run: &SymbolicRun) -> Option<String> {
    let mut text = String::from("(XstsStateSequence\n");
    // The initialisation comes after a step of the environment that there never was, so that the next one is of the environment.
    state(&mut text, system, ["pre_init", "last_env"], &run.initial);
    for (taken, reached) in trace.steps.iter().zip(&run.steps) {
        let last = match system.edges.get(taken.edge)?.kind {
            EdgeKind::Environment => "last_env",
            _ => "last_internal",
        };
        state(&mut text, system, ["post_init", last], &reached.values);
    }
    text.push_str(")\n");
    Some(text)
}

fn state(text: &mut String, system: &SymbolicSystem, flags: [&str; 2], values: &[Value]) {
    text.push_str(&format!("\t(XstsState {} {}\n\t\t(ExplState", flags[0], flags[1]));
    let variables = system.variables.values().zip(values);
    for (variable, value) in variables.filter(|(variable, _)| variable.role.is_state()) {
        text.push_str(&format!("\n\t\t\t({} {})", variable.name, written(&system.store, value)));
    }
    text.push_str("))\n");
}

fn written(store: &TermStore, value: &Value) -> String {
    match value {
        Value::Array(array) => {
            let mut text = String::from("(array");
            for (index, element) in array.exceptions() {
                text.push_str(&format!(" ({} {})", written(store, index), written(store, element)));
            }
            text + &format!(" (default {}))", written(store, array.rest()))
        }
        Value::Real(number) => format!("{}%{}", number.numer(), number.denom()),
        other => other.describe(store),
    }
}
