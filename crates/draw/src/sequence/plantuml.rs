//! Writes sequence charts as PlantUML text.
//!
//! Invariant: texts of the user cannot end a line or start a statement or markup; characters with a meaning in PlantUML
//! are written as code points.

use std::fmt::Write;

use super::{SequenceChart, SequenceEvent};

/// Writes a chart in the language of PlantUML.
pub fn write_plantuml(chart: &SequenceChart) -> String {
    // Writing to a string cannot fail.
    let mut text = String::from("@startuml\n");
    if !chart.title.trim().is_empty() {
        let _ = writeln!(text, "title {}", escaped(&chart.title));
    }
    for (place, lifeline) in chart.all_lifelines().iter().enumerate() {
        let _ = writeln!(text, "participant \"{}\" as L{place}", escaped(&lifeline.name));
    }
    for (lifeline, name) in &chart.start {
        let _ = writeln!(text, "rnote over L{} : {}", chart.place_of(*lifeline), escaped(name));
    }
    let last = chart.all_lifelines().len().checked_sub(1);
    for step in &chart.steps {
        match &step.event {
            SequenceEvent::Delay { text: length, .. } => {
                let _ = writeln!(text, "...delay {}...", escaped(length));
            }
            SequenceEvent::Internal { lifeline, label } => {
                let place = chart.place_of(*lifeline);
                let _ = writeln!(text, "L{place} -> L{place} : {}", escaped(label));
            }
            SequenceEvent::Synchronisation { sender, receivers, label } => {
                // A bracket is the border of the chart.
                let from =
                    sender.map_or_else(|| "[".to_owned(), |sender| format!("L{} ", chart.place_of(sender)));
                let label = escaped(label);
                match receivers.as_slice() {
                    // An arrow out of the chart stands for a message without a receiver.
                    [] if sender.is_some() => {
                        let _ = writeln!(text, "{from}->x] : {label}");
                    }
                    [] => {
                        let _ = writeln!(text, "note across : {label}");
                    }
                    [receiver] => {
                        let _ = writeln!(text, "{from}-> L{} : {label}", chart.place_of(*receiver));
                    }
                    many => {
                        for (index, receiver) in many.iter().enumerate() {
                            let keyword = if index == 0 { "par broadcast" } else { "else" };
                            let _ = writeln!(text, "{keyword}");
                            let _ = writeln!(text, "  {from}-> L{} : {label}", chart.place_of(*receiver));
                        }
                        text.push_str("end\n");
                    }
                }
            }
        }
        for (lifeline, name) in &step.entered {
            let _ = writeln!(text, "rnote over L{} : {}", chart.place_of(*lifeline), escaped(name));
        }
        if let (false, Some(last)) = (step.note.trim().is_empty(), last) {
            let _ = writeln!(text, "note right of L{last} : {}", escaped(&step.note));
        }
    }
    text.push_str("@enduml\n");
    text
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut previous = '\0';
    for character in text.trim().chars() {
        match character {
            '"' | '\\' | '<' | '~' | '%' | '$' => {
                let _ = write!(escaped, "<U+{:04X}>", u32::from(character));
            }
            // Doubled, these are markup: bold, underline, italics, strike.
            '*' | '_' | '/' | '-' | '.' if character == previous => {
                let _ = write!(escaped, "<U+{:04X}>", u32::from(character));
            }
            '\n' => escaped.push_str("\\n"),
            control if control.is_control() => escaped.push(' '),
            other => escaped.push(other),
        }
        previous = character;
    }
    if escaped.is_empty() {
        // A note requires some text; a no-break space is invisible.
        escaped.push_str("<U+00A0>");
    }
    escaped
}
