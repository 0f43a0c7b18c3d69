//! Answers and runs in the output format of UPPAAL's `verifyta`.
//!
//! Invariant: a line `Formula is satisfied` or `Formula is NOT satisfied` appears only for a verdict; scripts cannot
//! mistake another line for one.

use std::fmt::Write;

use tempora_evidence::{Limit, MeasuredValue, Rational, UnknownReason, Verdict};
use tempora_model::{BoundsKind, EdgeId, Formula, Id, Network, ProcessId, Query, QueryKind};
use tempora_syntax::{ast, print_expression, print_expressions, print_synchronisation};

use crate::{EdgeRef, ExactTime, LocatedAnswer, ShownRun, ShownState, ShownValue, Source};

/// Returns the verdict and the requested values.
pub fn verdict(source: Source<'_>, query: &Query, verdict: &Verdict, located: &LocatedAnswer) -> String {
    let mut text = String::new();
    let line = match verdict {
        Verdict::Holds | Verdict::Value(_) => "Formula is satisfied.".to_owned(),
        Verdict::Fails => "Formula is NOT satisfied.".to_owned(),
        Verdict::Unknown(UnknownReason::OverApproximation(_)) => "Formula MAY be satisfied.".to_owned(),
        Verdict::Estimated(_) | Verdict::Unknown(_) => {
            let reason = located.reason.as_deref().unwrap_or("only an estimate");
            format!("No verdict: {reason}.")
        }
    };
    let _ = writeln!(text, " -- {line}");
    if let (Verdict::Value(values), QueryKind::Bounds { which, expressions, .. }) = (verdict, &query.kind) {
        let keyword = match which {
            BoundsKind::Supremum => "sup",
            BoundsKind::Infimum => "inf",
            BoundsKind::Both => "bounds",
        };
        for (expression, value) in expressions.iter().zip(values) {
            let span = source.origins.primary_span(expression.origin);
            let name = span.map_or("?", |span| source.files.text_at(span).trim());
            let _ = writeln!(text, "{keyword}:  {}", measured(name, value));
        }
    }
    text
}

fn measured(name: &str, value: &MeasuredValue) -> String {
    let bound = |limit: &Limit, weak: &str, strict: &str| match limit {
        Limit::Attained(value) => format!("{name} {weak} {}", decimal(*value)),
        Limit::Approached(value) => format!("{name} {strict} {}", decimal(*value)),
        Limit::Unbounded => format!("{name} {strict} inf"),
    };
    match value {
        MeasuredValue::NoState => format!("{name}: no state"),
        MeasuredValue::Supremum(limit) => bound(limit, "<=", "<"),
        MeasuredValue::Infimum(limit) => bound(limit, ">=", ">"),
        MeasuredValue::Intervals(intervals) => {
            let intervals = intervals.iter().map(|(low, high)| {
                let (open, low) = end(low, '[', '(');
                let (close, high) = end(high, ']', ')');
                format!("{open}{low},{high}{close}")
            });
            format!("{name} in {}", intervals.collect::<Vec<_>>().join(" "))
        }
    }
}

fn end(limit: &Limit, closed: char, open: char) -> (char, String) {
    match limit {
        Limit::Attained(value) => (closed, decimal(*value)),
        Limit::Approached(value) => (open, decimal(*value)),
        Limit::Unbounded => (open, "inf".to_owned()),
    }
}

/// Returns the statistics of the option `-u`.
pub fn statistics(located: &LocatedAnswer) -> String {
    let statistics = &located.statistics;
    format!(
        " -- States stored : {} states\n -- States explored : {} states\n -- CPU user time used : {:.0} ms\n \
         -- Resident memory used : {} KiB\n",
        statistics.stored,
        statistics.explored,
        located.seconds * 1000.0,
        statistics.peak_bytes / 1024
    )
}

/// Returns whether a run is a counterexample rather than a witness.
pub fn is_counter_example(query: &Query, verdict: &Verdict) -> bool {
    match &query.kind {
        QueryKind::Formula(Formula::Possibly(_) | Formula::PotentiallyAlways(_)) => false,
        _ => *verdict == Verdict::Fails,
    }
}

/// Returns a run in the format of `verifyta`: states, delays and transitions.
pub fn run(source: Source<'_>, tree: &ast::Network, network: &Network, run: &ShownRun) -> String {
    let mut text = String::new();
    let mut state = run.initial.clone();
    write_state(&mut text, run, &state, 0);
    for (number, step) in run.steps.iter().enumerate() {
        if let Some(timing) = step.timing.filter(|timing| timing.delay != ExactTime::ZERO) {
            let _ = writeln!(text, "\nDelay: {}", decimal(timing.delay.0));
            if let Some(effect) = &step.effect {
                state.take_delay(effect);
                write_state(&mut text, run, &state, number);
            }
        }
        let _ = writeln!(text, "\nTransitions:");
        for one in &step.moves {
            let process = run.participant_name(one.edge.participant);
            let (from, to, labels) = (&one.from.name, &one.to.name, labels(source, tree, network, one.edge));
            let _ = writeln!(text, "  {process}.{from}->{process}.{to} {{ {labels} }}");
        }
        if let Some(effect) = &step.effect {
            state.take_step(step, effect);
            write_state(&mut text, run, &state, number + 1);
        }
    }
    if let Some(last) = run.final_delay.filter(|last| *last != ExactTime::ZERO) {
        let _ = writeln!(text, "\nDelay: {}", decimal(last.0));
        write_state(&mut text, run, &run.last, run.steps.len());
    }
    text
}

fn write_state(text: &mut String, run: &ShownRun, state: &ShownState, depth: usize) {
    let locations: Vec<String> =
        run.named_locations(state).map(|(process, location)| format!("{process}.{location}")).collect();
    let mut values: Vec<String> =
        run.named_values(state).map(|(name, value)| format!("{name}={}", number(value))).collect();
    values.extend(run.named_clocks(state).map(|(name, value)| format!("{name}={}", decimal(value.0))));
    values.push(format!("#depth={depth}"));
    let _ = writeln!(text, "\nState:\n( {} )\n{}", locations.join(" "), values.join(" "));
}

/// Returns a value; UPPAAL writes Booleans as numbers.
fn number(value: &ShownValue) -> String {
    match value {
        ShownValue::Boolean(value) => u8::from(*value).to_string(),
        other => other.to_string(),
    }
}

/// Returns the guard, synchronisation and update of an edge, with `1` and `tau` for missing labels.
fn labels(source: Source<'_>, tree: &ast::Network, network: &Network, taken: EdgeRef) -> String {
    let written = edge(source, tree, network, taken);
    let labels = written.map(|edge| &edge.labels);
    let guard = labels.and_then(|labels| labels.guard.as_ref()).map(print_expression);
    let synchronisation =
        labels.and_then(|labels| labels.synchronisation.as_ref()).map(print_synchronisation);
    let updates = labels.map(|labels| print_expressions(&labels.updates)).filter(|text| !text.is_empty());
    format!(
        "{}, {}, {}",
        guard.as_deref().unwrap_or("1"),
        synchronisation.as_deref().unwrap_or("tau"),
        updates.as_deref().unwrap_or("1")
    )
}

fn edge<'tree>(
    source: Source<'_>,
    tree: &'tree ast::Network,
    network: &Network,
    taken: EdgeRef,
) -> Option<&'tree ast::Edge> {
    let process = network.processes.get(ProcessId::from_index(taken.participant.0))?;
    let span = source.origins.primary_span(process.origin)?;
    let written = tree.declarations.iter().find_map(|declaration| match &declaration.kind {
        ast::DeclarationKind::Process(written) if written.span == span => Some(written),
        _ => None,
    })?;
    written.edges.get(process.edges.get(EdgeId::from_index(taken.edge))?.template_position as usize)
}

/// Returns a number with at most six decimals.
fn decimal(value: Rational) -> String {
    if value.is_integer() {
        return value.to_integer().to_string();
    }
    let text = format!("{:.6}", *value.numer() as f64 / *value.denom() as f64);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_numbers_and_bounds_like_uppaal() {
        let ratio = Rational::new;
        assert_eq!(decimal(ratio(5, 1)), "5");
        assert_eq!(decimal(ratio(11, 2)), "5.5");
        assert_eq!(decimal(ratio(1, 3)), "0.333333");
        assert_eq!(measured("P.x", &MeasuredValue::Supremum(Limit::Attained(ratio(5, 1)))), "P.x <= 5");
        assert_eq!(measured("P.x", &MeasuredValue::Supremum(Limit::Approached(ratio(5, 1)))), "P.x < 5");
        assert_eq!(measured("P.x", &MeasuredValue::Infimum(Limit::Attained(ratio(1, 2)))), "P.x >= 0.5");
        assert_eq!(measured("P.x", &MeasuredValue::Supremum(Limit::Unbounded)), "P.x < inf");
    }
}
