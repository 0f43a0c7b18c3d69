//! Answers as text.
//!
//! Invariant: each query has one block: the verdict, the reason, and the run with the time, edges and changes of each
//! step.

use std::fmt::Write;

use tempora_evidence::SystemKind;

use super::RunFormat;
use crate::{
    AssuranceWord, ExactTime, LocatedAnswer, ShownEnding, ShownMove, ShownRun, ShownState, ShownStep,
    StepKind, VerdictWord,
};

/// Styles for parts of the text; returns the text unchanged without styles.
pub trait Emphasis {
    /// Styles a good verdict.
    fn good(&self, text: &str) -> String;
    /// Styles a bad verdict.
    fn bad(&self, text: &str) -> String;
    /// Styles an unknown verdict.
    fn open(&self, text: &str) -> String;
    /// Styles less important text.
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

/// The format of the terminal.
pub(super) static FORMAT: RunFormat = RunFormat {
    name: "text",
    extension: "txt",
    summary: "Plain text, as on the terminal",
    systems: &[SystemKind::Network],
    write: |written| Ok(run(written.answer, written.run)),
};

/// Returns the text of an answer.
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
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{verdict}: {}", answer.query);
    if let Some(value) = &answer.value {
        for value in value {
            let _ = writeln!(text, "  {value}");
        }
    }
    if let Some(reason) = &answer.reason {
        let _ = writeln!(text, "  {reason}");
    }
    for caveat in &answer.caveats {
        let _ = writeln!(text, "  note: {caveat}");
    }
    if with_trace && let Some(run) = &answer.run {
        write_run(&mut text, answer, run, emphasis);
    }
    if with_trace && !answer.choices.is_empty() {
        let _ = writeln!(text, "  explanation:");
        for choice in &answer.choices {
            let _ = writeln!(text, "  {choice}");
        }
        for choices in &answer.further_choices {
            let _ = writeln!(text, "  alternative explanation:");
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

/// Returns the run of an answer as a separate text.
fn run(answer: &LocatedAnswer, run: &ShownRun) -> String {
    let mut text = format!("{}: {}\n", answer.verdict, answer.query);
    write_run(&mut text, answer, run, &Plain);
    text
}

fn write_run(text: &mut String, answer: &LocatedAnswer, run: &ShownRun, emphasis: &dyn Emphasis) {
    write_title(text, answer);
    write_steps(text, run, emphasis);
}

/// Writes the title of a run, which depends on the verdict that it supports.
fn write_title(text: &mut String, answer: &LocatedAnswer) {
    let title = match (answer.assurance, answer.verdict) {
        (AssuranceWord::Replayed, VerdictWord::Violated) => "counterexample, replayed:",
        (AssuranceWord::Replayed, VerdictWord::Satisfied) => "witness, replayed:",
        (AssuranceWord::Replayed, _) => "run, replayed:",
        (AssuranceWord::Certified | AssuranceWord::Unchecked, _) => "run:",
    };
    let _ = writeln!(text, "  {title}");
}

/// Returns the steps of a run.
pub fn steps(run: &ShownRun) -> String {
    let mut text = String::new();
    write_steps(&mut text, run, &Plain);
    text
}

/// Writes the steps and the ending of a run.
pub(crate) fn write_steps(text: &mut String, run: &ShownRun, emphasis: &dyn Emphasis) {
    match run.final_delay {
        Some(final_delay) => write_timed_steps(text, run, final_delay, emphasis),
        None => write_untimed_steps(text, run, emphasis),
    }
}

fn write_timed_steps(text: &mut String, run: &ShownRun, final_delay: ExactTime, emphasis: &dyn Emphasis) {
    let _ = writeln!(text, "  at 0    start: {}", locations(run, &run.initial));
    for (number, step) in run.steps.iter().enumerate() {
        if run.ending.cycle_start() == Some(number) {
            let _ = writeln!(text, "          cycle, repeated for ever:");
        }
        write_timed_step(text, run, step, emphasis);
    }
    if final_delay != ExactTime::ZERO {
        let _ = writeln!(text, "          then {final_delay} time units pass");
    }
    match &run.ending {
        ShownEnding::Error { message, place } => {
            let place = match place {
                Some(place) => format!(" ({}:{}:{})", place.file, place.line, place.column),
                None => String::new(),
            };
            let _ = writeln!(text, "  end     {message}{place}");
            return;
        }
        ShownEnding::Goal => {
            let _ = writeln!(text, "  end     {}", locations(run, &run.last));
        }
        ending => {
            let _ = writeln!(text, "  end     {}: {}", ending.word(), locations(run, &run.last));
        }
    }
    let values = values(run, &run.last);
    if !values.is_empty() {
        let _ = writeln!(text, "          {}", emphasis.faint(&values));
    }
}

fn write_untimed_steps(text: &mut String, run: &ShownRun, emphasis: &dyn Emphasis) {
    let start: Vec<&str> = run.initial.locations.iter().map(|location| location.name.as_str()).collect();
    let _ = writeln!(text, "  start   {}", start.join(" "));
    let _ = writeln!(text, "          {}", emphasis.faint(&values(run, &run.initial)));
    for step in &run.steps {
        let mut kind = match step.kind {
            StepKind::Transition { kind, .. } => kind.word(),
            StepKind::Control(kind) => kind.word(),
        };
        for one in &step.moves {
            let place = place(one, emphasis);
            let _ = writeln!(text, "  {kind:<7} {} -> {}{place}", one.from.name, one.to.name);
            kind = "";
        }
        write_changes(text, run, step);
    }
    let _ = writeln!(text, "  end     {}", emphasis.faint(&values(run, &run.last)));
}

fn write_timed_step(text: &mut String, run: &ShownRun, step: &ShownStep, emphasis: &dyn Emphasis) {
    let mut time = step.timing.map_or_else(String::new, |timing| format!("at {}", timing.time));
    for one in &step.moves {
        let synchronisation =
            one.synchronisation.as_ref().map_or_else(String::new, |written| format!("  {written}"));
        let selects: Vec<String> =
            one.selects.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let selects =
            if selects.is_empty() { String::new() } else { format!("  with {}", selects.join(", ")) };
        let place = place(one, emphasis);
        let _ = writeln!(
            text,
            "  {time:<7} {}: {} -> {}{synchronisation}{selects}{place}",
            run.participant_name(one.edge.participant),
            one.from.name,
            one.to.name
        );
        time.clear();
    }
    write_changes(text, run, step);
}

fn place(one: &ShownMove, emphasis: &dyn Emphasis) -> String {
    match &one.place {
        Some(place) => format!("  {}", emphasis.faint(&format!("{}:{}", place.file, place.line))),
        None => String::new(),
    }
}

fn write_changes(text: &mut String, run: &ShownRun, step: &ShownStep) {
    let changes: Vec<String> = run
        .named_changes(step)
        .into_iter()
        .map(|change| format!("{} = {} (was {})", change.name, change.after, change.before))
        .collect();
    if !changes.is_empty() {
        let _ = writeln!(text, "          {}", changes.join(", "));
    }
}

fn locations(run: &ShownRun, state: &ShownState) -> String {
    let located = run.named_locations(state);
    located.map(|(process, location)| format!("{process}.{location}")).collect::<Vec<_>>().join(" ")
}

fn values(run: &ShownRun, state: &ShownState) -> String {
    let variables = run.named_values(state).map(|(name, value)| format!("{name} = {value}"));
    let clocks = run.named_clocks(state).map(|(name, value)| format!("{name} = {value}"));
    variables.chain(clocks).collect::<Vec<_>>().join(", ")
}
