//! Runs as sequence charts: one lifeline per participant, delays between steps, channels on arrows, locations as
//! states.
//!
//! Invariant: the chart has the steps of the run in the same order. Steps are numbered from 1, as in the pictures of
//! `tempora draw --trace`.

use tempora_draw::{
    ChartPart, ElementRef, Lifeline, LifelineIndex, SequenceChart, SequenceEvent, SequenceStep, SvgOptions,
    TimeScale, draw_sequence, write_mermaid, write_plantuml, write_svg,
};
use tempora_evidence::SystemKind;

use super::{RunFormat, RunToWrite};
use crate::{ExactTime, ParticipantIndex, ShownEnding, ShownMove, ShownRun, ShownStep};

/// The chart as SVG.
pub(super) static SVG: RunFormat = RunFormat {
    name: "svg",
    extension: "svg",
    summary: "SVG sequence diagram",
    systems: &[SystemKind::Network],
    write: |written| {
        let scene = draw_sequence(&chart(written), TimeScale::Compressed);
        Ok(write_svg(&scene, &SvgOptions::default()))
    },
};

/// The chart in the language of Mermaid.
pub(super) static MERMAID: RunFormat = RunFormat {
    name: "mermaid",
    extension: "mmd",
    summary: "Mermaid sequence diagram",
    systems: &[SystemKind::Network],
    write: |written| Ok(write_mermaid(&chart(written))),
};

/// The chart in the language of PlantUML.
pub(super) static PLANTUML: RunFormat = RunFormat {
    name: "plantuml",
    extension: "puml",
    summary: "PlantUML sequence diagram",
    systems: &[SystemKind::Network],
    write: |written| Ok(write_plantuml(&chart(written))),
};

/// Returns the chart of a run; its title is the query.
fn chart(written: &RunToWrite<'_>) -> SequenceChart {
    let run = written.run;
    let mut chart = SequenceChart { title: written.answer.query.clone(), ..SequenceChart::default() };
    for (position, (participant, location)) in run.named_locations(&run.initial).enumerate() {
        let index = LifelineIndex(position);
        let element = ElementRef::Chart(ChartPart::Process(position));
        chart.lifelines.push(Lifeline { element, name: participant.to_owned() });
        chart.start.push((index, location.to_owned()));
    }
    for (number, step) in run.steps.iter().enumerate() {
        add_step(&mut chart, run, number, step);
    }
    add_end(&mut chart, run);
    chart
}

fn add_step(chart: &mut SequenceChart, run: &ShownRun, number: usize, step: &ShownStep) {
    let element = ElementRef::Chart(ChartPart::Step(number + 1));
    if let Some(timing) = step.timing.filter(|timing| timing.delay != ExactTime::ZERO) {
        let text = format!("{}, until {}", timing.delay, timing.time);
        chart.steps.push(delay(element.clone(), text, timing.delay.approximate(), String::new()));
    }
    let mut notes = Vec::new();
    if run.ending.cycle_start() == Some(number) {
        notes.push("start of the cycle".to_owned());
    }
    let changes = run.named_changes(step).into_iter();
    notes.extend(changes.map(|change| format!("{} = {}", change.name, change.after)));
    let entered = step.moves.iter().map(|one| (lifeline(one.edge.participant), one.to.name.clone()));
    chart.steps.push(SequenceStep {
        element,
        event: event(number, step),
        entered: entered.collect(),
        note: wrapped(&notes),
    });
}

fn event(number: usize, step: &ShownStep) -> SequenceEvent {
    match (&step.message, step.moves.as_slice()) {
        (None, [only]) => {
            SequenceEvent::Internal { lifeline: lifeline(only.edge.participant), label: label(number, only) }
        }
        (message, moves) => {
            let sender = message.as_ref().and_then(|message| message.sender);
            let sender = moves.iter().find(|one| Some(one.edge.participant) == sender);
            // If no participant sends, as in a synchronisation vector, the first is drawn as the sender.
            let sender = sender.or(moves.first());
            let receivers = moves
                .iter()
                .filter(|one| sender.is_none_or(|sender| !std::ptr::eq(*one, sender)))
                .map(|one| lifeline(one.edge.participant));
            SequenceEvent::Synchronisation {
                sender: sender.map(|sender| lifeline(sender.edge.participant)),
                receivers: receivers.collect(),
                label: sender.map_or_else(|| format!("{}", number + 1), |sender| label(number, sender)),
            }
        }
    }
}

/// Returns the number of a step, with the channel and the selects of a move.
fn label(number: usize, one: &ShownMove) -> String {
    let channel = one.synchronisation.as_ref().map(|synchronisation| synchronisation.channel.clone());
    let selects = one.selects.iter().map(|(name, value)| format!("{name} = {value}"));
    let words: Vec<String> = channel.into_iter().chain(selects).collect();
    if words.is_empty() { format!("{}", number + 1) } else { format!("{}: {}", number + 1, words.join(", ")) }
}

/// Adds the final delay and the ending of a run.
fn add_end(chart: &mut SequenceChart, run: &ShownRun) {
    let element = ElementRef::Chart(ChartPart::End);
    let note = match &run.ending {
        ShownEnding::Error { message, .. } => format!("error: {message}"),
        ShownEnding::Goal => String::new(),
        ShownEnding::Lasso { .. } => "back to the start of the cycle".to_owned(),
        ending => ending.word().to_string(),
    };
    if let Some(last) = run.final_delay.filter(|last| *last != ExactTime::ZERO) {
        chart.steps.push(delay(element, format!("{last}, then the end"), last.approximate(), note));
    } else if run.ending == ShownEnding::DelayForever {
        chart.steps.push(delay(element, "for ever".to_owned(), 1.0, note));
    } else if !note.is_empty() {
        match chart.steps.last_mut() {
            Some(last) if last.note.is_empty() => last.note = note,
            Some(last) => last.note = format!("{}\n{note}", last.note),
            None => {}
        }
    }
}

fn delay(element: ElementRef, text: String, length: f64, note: String) -> SequenceStep {
    SequenceStep { element, event: SequenceEvent::Delay { text, length }, entered: Vec::new(), note }
}

fn lifeline(participant: ParticipantIndex) -> LifelineIndex {
    LifelineIndex(participant.0)
}

/// Limit on the characters of a line in a note.
const WIDEST_NOTE: usize = 48;

/// Joins facts into lines of limited width.
fn wrapped(facts: &[String]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for fact in facts {
        match lines.last_mut() {
            Some(line) if line.chars().count() + fact.chars().count() + 2 <= WIDEST_NOTE => {
                line.push_str(", ");
                line.push_str(fact);
            }
            _ => lines.push(fact.clone()),
        }
    }
    lines.join("\n")
}
