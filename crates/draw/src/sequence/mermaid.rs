//! Writes sequence charts as Mermaid text.
//!
//! Invariant: texts of the user cannot end a line or start a statement; characters with a meaning in Mermaid are
//! written as entity codes.

use std::fmt::Write;

use super::{SequenceChart, SequenceEvent};

/// Writes a chart in the language of Mermaid.
pub fn write_mermaid(chart: &SequenceChart) -> String {
    // Writing to a string cannot fail.
    let mut text = String::new();
    if !chart.title.trim().is_empty() {
        let _ = writeln!(text, "%% {}", escaped(&chart.title));
    }
    text.push_str("sequenceDiagram\n");
    if chart.has_messages_from_outside() {
        text.push_str("    actor outside\n");
    }
    for (place, lifeline) in chart.all_lifelines().iter().enumerate() {
        let _ = writeln!(text, "    participant L{place} as {}", escaped(&lifeline.name));
    }
    for (lifeline, name) in &chart.start {
        let _ = writeln!(text, "    Note over L{}: {}", chart.place_of(*lifeline), escaped(name));
    }
    let has_lifelines = !chart.all_lifelines().is_empty();
    let last = chart.all_lifelines().len().saturating_sub(1);
    let everyone = if last == 0 { "L0".to_owned() } else { format!("L0,L{last}") };
    for step in &chart.steps {
        match &step.event {
            SequenceEvent::Delay { text: length, .. } if !chart.lifelines.is_empty() => {
                let _ = writeln!(text, "    Note over {everyone}: delay {}", escaped(length));
            }
            SequenceEvent::Delay { .. } => {}
            SequenceEvent::Internal { lifeline, label } => {
                let place = chart.place_of(*lifeline);
                let _ = writeln!(text, "    L{place}->>L{place}: {}", escaped(label));
            }
            SequenceEvent::Synchronisation { sender, receivers, label } => {
                let from = sender
                    .map_or_else(|| "outside".to_owned(), |sender| format!("L{}", chart.place_of(sender)));
                let label = escaped(label);
                match receivers.as_slice() {
                    // An arrow with a cross at its end stands for a message without a receiver.
                    [] => {
                        let _ = writeln!(text, "    {from}-x{from}: {label}");
                    }
                    [receiver] => {
                        let _ = writeln!(text, "    {from}->>L{}: {label}", chart.place_of(*receiver));
                    }
                    many => {
                        for (index, receiver) in many.iter().enumerate() {
                            let keyword = if index == 0 { "par broadcast" } else { "and broadcast" };
                            let _ = writeln!(text, "    {keyword}");
                            let _ =
                                writeln!(text, "        {from}->>L{}: {label}", chart.place_of(*receiver));
                        }
                        text.push_str("    end\n");
                    }
                }
            }
        }
        for (lifeline, name) in &step.entered {
            let _ = writeln!(text, "    Note over L{}: {}", chart.place_of(*lifeline), escaped(name));
        }
        if !step.note.trim().is_empty() && has_lifelines {
            let _ = writeln!(text, "    Note right of L{last}: {}", escaped(&step.note));
        }
    }
    text
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.trim().chars() {
        match character {
            '#' | ';' | '<' | '>' | '&' | '"' | '%' | '{' | '}' => {
                let _ = write!(escaped, "#{};", u32::from(character));
            }
            '\n' => escaped.push_str("<br/>"),
            control if control.is_control() => escaped.push(' '),
            other => escaped.push(other),
        }
    }
    if escaped.is_empty() {
        // Mermaid requires some text; a no-break space is invisible.
        escaped.push_str("#160;");
    }
    escaped
}
