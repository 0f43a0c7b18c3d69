//! Runs as sequence charts: one lifeline a process, delays between, channels on arrows, locations as states.
//!
//! Invariant: every step of the run is a step of the chart, in the same order. Steps are numbered from 1, as in the
//! pictures that `tempora draw --trace` makes.

use std::collections::BTreeMap;

use tempora_draw::{
    ElementId, Lifeline, LifelineIndex, SequenceChart, SequenceEvent, SequenceStep, SvgOptions, TimeScale,
    draw_sequence, write_mermaid, write_plantuml, write_svg,
};

use crate::{EndingWord, LocatedMove, LocatedStep, LocatedTrace, TransitionWord};

/// The chart as SVG.
pub fn svg(title: &str, trace: &LocatedTrace) -> String {
    write_svg(&draw_sequence(&chart(title, trace), TimeScale::Compressed), &SvgOptions::default())
}

/// The chart in the language of Mermaid.
pub fn mermaid(title: &str, trace: &LocatedTrace) -> String {
    write_mermaid(&chart(title, trace))
}

/// The chart in the language of PlantUML.
pub fn plantuml(title: &str, trace: &LocatedTrace) -> String {
    write_plantuml(&chart(title, trace))
}

/// The chart of a run.
pub fn chart(title: &str, trace: &LocatedTrace) -> SequenceChart {
    let mut chart = SequenceChart { title: title.to_owned(), ..SequenceChart::default() };
    let mut places: BTreeMap<&str, LifelineIndex> = BTreeMap::new();
    for (process, location) in &trace.initial.locations {
        let index = LifelineIndex(chart.lifelines.len());
        places.insert(process, index);
        let element = ElementId::new(format!("process/{}", index.0));
        chart.lifelines.push(Lifeline { element, name: process.clone() });
        chart.start.push((index, location.clone()));
    }
    let mut steps = Steps { places, chart: &mut chart };
    for (number, step) in trace.steps.iter().enumerate() {
        let begins_cycle = trace.cycle_start == Some(number);
        steps.add(number, step, begins_cycle);
    }
    steps.end(trace);
    chart
}

struct Steps<'chart> {
    places: BTreeMap<&'chart str, LifelineIndex>,
    chart: &'chart mut SequenceChart,
}

impl Steps<'_> {
    fn add(&mut self, number: usize, step: &LocatedStep, begins_cycle: bool) {
        let element = ElementId::new(format!("step/{}", number + 1));
        self.delay(&element, &step.delay, &step.time);
        let mut notes = Vec::new();
        if begins_cycle {
            notes.push("from here on again and again".to_owned());
        }
        notes.extend(step.changes.iter().map(|change| format!("{} = {}", change.name, change.after)));
        let entered = step.moves.iter().map(|one| (self.place(one), one.to.clone())).collect();
        self.chart.steps.push(SequenceStep {
            element,
            event: self.event(number, step),
            entered,
            note: wrapped(&notes),
        });
    }

    fn event(&self, number: usize, step: &LocatedStep) -> SequenceEvent {
        let label = |one: &LocatedMove| {
            let channel = one.synchronisation.as_deref().map(|text| text.trim_end_matches(['!', '?']));
            let selects = one.selects.iter().map(|(name, value)| format!("{name} = {value}"));
            let words: Vec<String> = channel.map(str::to_owned).into_iter().chain(selects).collect();
            if words.is_empty() {
                format!("{}", number + 1)
            } else {
                format!("{}: {}", number + 1, words.join(", "))
            }
        };
        let is_sender =
            |one: &&LocatedMove| one.synchronisation.as_deref().is_some_and(|text| text.ends_with('!'));
        match step.moves.as_slice() {
            [only] if step.kind != TransitionWord::Broadcast => {
                SequenceEvent::Internal { lifeline: self.place(only), label: label(only) }
            }
            moves => {
                // Of those who move by a vector none sends; the first is drawn as if it did.
                let sender = moves.iter().find(is_sender).or(moves.first());
                let receivers = moves
                    .iter()
                    .filter(|one| sender.is_none_or(|sender| !std::ptr::eq(*one, sender)))
                    .map(|one| self.place(one))
                    .collect();
                SequenceEvent::Synchronisation {
                    sender: sender.map(|sender| self.place(sender)),
                    receivers,
                    label: sender.map_or_else(|| format!("{}", number + 1), label),
                }
            }
        }
    }

    /// A delay, unless it is zero.
    fn delay(&mut self, element: &ElementId, delay: &str, until: &str) {
        if delay == "0" {
            return;
        }
        self.chart.steps.push(SequenceStep {
            element: element.clone(),
            event: SequenceEvent::Delay { text: format!("{delay}, until {until}"), length: length(delay) },
            entered: Vec::new(),
            note: String::new(),
        });
    }

    /// What the run shows at its end.
    fn end(&mut self, trace: &LocatedTrace) {
        let element = ElementId::new("end");
        let note = match (&trace.error, trace.ending) {
            (Some(error), _) => format!("error: {}", error.message),
            (None, EndingWord::Goal) => String::new(),
            (None, EndingWord::Lasso) => "and again from the start of the cycle".to_owned(),
            (None, ending) => ending.to_string(),
        };
        if trace.final_delay != "0" {
            self.chart.steps.push(SequenceStep {
                element: element.clone(),
                event: SequenceEvent::Delay {
                    text: format!("{}, then the end", trace.final_delay),
                    length: length(&trace.final_delay),
                },
                entered: Vec::new(),
                note: note.clone(),
            });
        } else if trace.ending == EndingWord::DelayForever {
            self.chart.steps.push(SequenceStep {
                element,
                event: SequenceEvent::Delay { text: "for ever".to_owned(), length: 1.0 },
                entered: Vec::new(),
                note,
            });
        } else if !note.is_empty() {
            match self.chart.steps.last_mut() {
                Some(last) if last.note.is_empty() => last.note = note,
                Some(last) => last.note = format!("{}\n{note}", last.note),
                None => {}
            }
        }
    }

    fn place(&self, one: &LocatedMove) -> LifelineIndex {
        self.places.get(one.process.as_str()).copied().unwrap_or(LifelineIndex(usize::MAX))
    }
}

/// So many characters are read on one line beside a chart.
const WIDEST_NOTE: usize = 48;

/// Several facts, as many on a line as fit.
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

/// How long an exact time is, for a picture.
fn length(time: &str) -> f64 {
    let number = |text: &str| text.parse::<f64>().unwrap_or(0.0);
    match time.split_once('/') {
        Some((above, below)) if number(below) != 0.0 => number(above) / number(below),
        _ => number(time),
    }
}
