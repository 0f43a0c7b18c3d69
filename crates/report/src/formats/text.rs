//! Answers as a person would tell them.
//!
//! Invariant: one block for each query: the verdict first, then why, then the run: when, who moves along which edge, and
//! what changes.

use std::fmt::Write;

use crate::{
    AssuranceWord, EndingWord, LocatedAnswer, LocatedRun, LocatedState, LocatedStep, LocatedTrace,
    VerdictWord,
};

/// How a part of the text is emphasised; gives the text itself if nothing is.
pub trait Emphasis {
    /// A good verdict.
    fn good(&self, text: &str) -> String;
    /// A bad verdict.
    fn bad(&self, text: &str) -> String;
    /// No verdict.
    fn open(&self, text: &str) -> String;
    /// What matters less.
    fn faint(&self, text: &str) -> String;
}

/// No emphasis.
pub struct Plain;

impl Emphasis for Plain {
    fn good(&self, text: &str) -> String {
        text.to_owned()
    }

    fn bad(&self, text: &str) -> String {
        text.to_owned()
    }

    fn open(&self, text: &str) -> String {
        text.to_owned()
    }

    fn faint(&self, text: &str) -> String {
        text.to_owned()
    }
}

/// One answer.
pub fn answer(
    answer: &LocatedAnswer,
    with_trace: bool,
    with_statistics: bool,
    emphasis: &dyn Emphasis,
) -> String {
    let mut text = String::new();
    let verdict = match answer.verdict {
        VerdictWord::Satisfied => emphasis.good(answer.verdict.word()),
        VerdictWord::Violated => emphasis.bad(answer.verdict.word()),
        VerdictWord::Unknown | VerdictWord::Estimated => emphasis.open(answer.verdict.word()),
    };
    // Writing to a string does not fail.
    let _ = writeln!(text, "{verdict}: {}", answer.query);
    if let Some(value) = &answer.value {
        for value in &value.0 {
            let _ = writeln!(text, "  {value}");
        }
    }
    if let Some(reason) = &answer.reason {
        let _ = writeln!(text, "  {reason}");
    }
    for caveat in &answer.caveats {
        let _ = writeln!(text, "  note: {caveat}");
    }
    if with_trace && let Some(trace) = &answer.evidence.trace {
        write_trace(&mut text, trace, answer, emphasis);
    }
    if with_trace && let Some(run) = &answer.evidence.run {
        write_run(&mut text, run, answer, emphasis);
    }
    if with_trace && !answer.evidence.choices.is_empty() {
        let _ = writeln!(text, "  how it comes about:");
        for choice in &answer.evidence.choices {
            let _ = writeln!(text, "  {choice}");
        }
        for choices in &answer.evidence.further_choices {
            let _ = writeln!(text, "  another way:");
            for choice in choices {
                let _ = writeln!(text, "  {choice}");
            }
        }
    }
    if with_statistics {
        let statistics = &answer.statistics;
        let mut line = format!(
            "engine {}: {} states stored, {} explored, {} transitions, {:.3} s",
            answer.engine, statistics.stored, statistics.explored, statistics.transitions, answer.seconds
        );
        if let Some(profile) = statistics.profile {
            let _ = write!(line, ", profile {profile}");
        }
        if let Some(refinement) = &statistics.refinement {
            let _ = write!(
                line,
                ", {} iterations, {} nodes, precision {}",
                refinement.iterations, refinement.nodes, refinement.precision
            );
        }
        if let Some(solver) = &statistics.solver {
            let _ = write!(line, ", {} solver checks in {:.3} s", solver.checks, solver.seconds);
        }
        let _ = writeln!(text, "  {}", emphasis.faint(&line));
    }
    text
}

/// The run of one answer, as a text of its own; `None` if it has none.
pub fn run(answer: &LocatedAnswer) -> Option<String> {
    let trace = answer.evidence.trace.as_ref()?;
    let mut text = format!("{}: {}\n", answer.verdict, answer.query);
    write_trace(&mut text, trace, answer, &Plain);
    Some(text)
}

fn write_trace(text: &mut String, trace: &LocatedTrace, answer: &LocatedAnswer, emphasis: &dyn Emphasis) {
    write_title(text, answer);
    write_steps(text, trace, emphasis);
}

/// Whether the run that follows shows the verdict.
fn write_title(text: &mut String, answer: &LocatedAnswer) {
    let title = match answer.assurance {
        AssuranceWord::Replayed => "a run that shows it, replayed:",
        AssuranceWord::Certified | AssuranceWord::Unchecked => "a run:",
    };
    let _ = writeln!(text, "  {title}");
}

/// A run without anything around it.
pub fn steps(trace: &LocatedTrace) -> String {
    let mut text = String::new();
    write_steps(&mut text, trace, &Plain);
    text
}

/// The steps of a run, and how it ends.
pub(crate) fn write_steps(text: &mut String, trace: &LocatedTrace, emphasis: &dyn Emphasis) {
    let _ = writeln!(text, "  at 0    start: {}", locations(&trace.initial));
    for (number, step) in trace.steps.iter().enumerate() {
        if trace.cycle_start == Some(number) {
            let _ = writeln!(text, "          from here on again and again:");
        }
        write_step(text, step, emphasis);
    }
    if trace.final_delay != "0" {
        let _ = writeln!(text, "          then {} time units pass", trace.final_delay);
    }
    match (&trace.error, trace.ending) {
        (Some(error), _) => {
            let place = match &error.place {
                Some(place) => format!(" ({}:{}:{})", place.file, place.line, place.column),
                None => String::new(),
            };
            let _ = writeln!(text, "  end     {}{place}", error.message);
        }
        (None, EndingWord::Goal) => {
            let _ = writeln!(text, "  end     {}", locations(&trace.last));
        }
        (None, ending) => {
            let _ = writeln!(text, "  end     {ending}: {}", locations(&trace.last));
        }
    }
    let values: Vec<String> = trace
        .last
        .variables
        .iter()
        .chain(&trace.last.clocks)
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    if !values.is_empty() && trace.error.is_none() {
        let _ = writeln!(text, "          {}", emphasis.faint(&values.join(", ")));
    }
}

fn write_run(text: &mut String, run: &LocatedRun, answer: &LocatedAnswer, emphasis: &dyn Emphasis) {
    write_title(text, answer);
    let values = |values: &[(String, String)]| {
        let values: Vec<String> = values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        values.join(", ")
    };
    let _ = writeln!(text, "  start   {}", run.start);
    let _ = writeln!(text, "          {}", emphasis.faint(&values(&run.initial)));
    for step in &run.steps {
        let place = match &step.place {
            Some(place) => format!("  {}", emphasis.faint(&format!("{}:{}", place.file, place.line))),
            None => String::new(),
        };
        let _ = writeln!(text, "  {:<7} {} -> {}{place}", step.kind, step.from, step.to);
        if !step.changes.is_empty() {
            let changes: Vec<String> = step
                .changes
                .iter()
                .map(|change| format!("{} = {} (was {})", change.name, change.after, change.before))
                .collect();
            let _ = writeln!(text, "          {}", changes.join(", "));
        }
    }
    let _ = writeln!(text, "  end     {}", emphasis.faint(&values(&run.last)));
}

fn write_step(text: &mut String, step: &LocatedStep, emphasis: &dyn Emphasis) {
    let mut time = format!("at {}", step.time);
    for one in &step.moves {
        let synchronisation = one.synchronisation.as_ref().map_or(String::new(), |text| format!("  {text}"));
        let selects: Vec<String> =
            one.selects.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let selects =
            if selects.is_empty() { String::new() } else { format!("  with {}", selects.join(", ")) };
        let place = match &one.place {
            Some(place) => format!("  {}", emphasis.faint(&format!("{}:{}", place.file, place.line))),
            None => String::new(),
        };
        let _ = writeln!(
            text,
            "  {time:<7} {}: {} -> {}{synchronisation}{selects}{place}",
            one.process, one.from, one.to
        );
        time.clear();
    }
    if !step.changes.is_empty() {
        let changes: Vec<String> = step
            .changes
            .iter()
            .map(|change| format!("{} = {} (was {})", change.name, change.after, change.before))
            .collect();
        let _ = writeln!(text, "          {}", changes.join(", "));
    }
}

fn locations(state: &LocatedState) -> String {
    let locations: Vec<String> =
        state.locations.iter().map(|(process, location)| format!("{process}.{location}")).collect();
    locations.join(" ")
}
