//! The contents of a model as text.
//!
//! Invariant: except for the types of symbolic systems, the text contains only information of the JSON document.

use std::fmt::Write as _;

use crate::VariableWord;
use crate::documents::InspectionDocument;

/// Limit on the processes listed for a template.
const LONGEST_LIST: usize = 8;

/// Returns the contents of a network as text.
pub fn network(contents: &InspectionDocument) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "templates");
    for template in &contents.templates {
        let shown = template.processes.len().min(LONGEST_LIST);
        let mut processes = template.processes[..shown].join(", ");
        if template.processes.len() > shown {
            let _ = write!(processes, " and {} more", template.processes.len() - shown);
        }
        let counts =
            format!("{}, {}", counted(template.locations, "location"), counted(template.edges, "edge"));
        if template.processes == [template.name.as_str()] {
            let _ = writeln!(text, "  {}: {counts}", template.name);
        } else {
            let _ = writeln!(text, "  {}: {counts}; processes {processes}", template.name);
        }
    }
    variables_of_network(contents, &mut text);
    if !contents.channels.is_empty() {
        let _ = writeln!(text, "channels");
    }
    for channel in &contents.channels {
        let side =
            |names: &[String]| if names.is_empty() { "no template".to_owned() } else { names.join(", ") };
        let array = if channel.cells == 1 { String::new() } else { format!(", {} of them", channel.cells) };
        let _ = writeln!(
            text,
            "  {} ({}{array}): from {} to {}",
            channel.name,
            channel.kind,
            side(&channel.senders),
            side(&channel.receivers)
        );
    }
    if !contents.features.is_empty() {
        let _ = writeln!(text, "features\n  {}", contents.features.join(", "));
    }
    if !contents.not_answered.is_empty() {
        let _ = writeln!(text, "not supported by any engine\n  {}", contents.not_answered.join("\n  "));
    }
    if !contents.queries.is_empty() {
        let _ = writeln!(text, "queries");
    }
    for query in &contents.queries {
        let engines = if query.engines.is_empty() {
            format!("no engine: {}", query.declined.join("; "))
        } else {
            query.engines.join(", ")
        };
        let _ = writeln!(text, "  {}  ({engines})", query.query);
    }
    text
}

fn variables_of_network(contents: &InspectionDocument, text: &mut String) {
    let kinds = [
        ("clocks", VariableWord::Clock),
        ("hybrid clocks", VariableWord::HybridClock),
        ("variables", VariableWord::Data),
        ("meta variables", VariableWord::Meta),
        ("constants", VariableWord::Constant),
    ];
    for (title, kind) in kinds {
        let mut lines = contents.variables.iter().filter(|variable| variable.kind == kind).peekable();
        if lines.peek().is_some() {
            let _ = writeln!(text, "{title}");
        }
        for variable in lines {
            let _ = match kind {
                VariableWord::Clock | VariableWord::HybridClock if variable.cells == 1 => {
                    writeln!(text, "  {}", variable.name)
                }
                VariableWord::Clock | VariableWord::HybridClock => {
                    writeln!(text, "  {} ({} clocks)", variable.name, variable.cells)
                }
                VariableWord::Constant => {
                    writeln!(text, "  {} = {}", variable.name, shortened(&variable.initial))
                }
                _ => writeln!(
                    text,
                    "  {}: {}, starts as {}",
                    variable.name,
                    variable.type_text,
                    shortened(&variable.initial)
                ),
            };
        }
    }
}

/// Returns the contents of a symbolic system as text, with its enumerations and their values.
pub fn symbolic_system(contents: &InspectionDocument, types: &[(String, Vec<String>)]) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    for (name, literals) in types {
        let _ = writeln!(text, "type {name}: {}", literals.join(", "));
    }
    let variables = |kind: VariableWord| -> Vec<String> {
        let members = contents.variables.iter().filter(|variable| variable.kind == kind);
        members.map(|variable| format!("{}: {}", variable.name, variable.type_text)).collect()
    };
    for (title, kind) in [
        ("control variables", VariableWord::Control),
        ("variables", VariableWord::Data),
        ("outputs", VariableWord::Output),
        ("clocks", VariableWord::Clock),
        ("flags", VariableWord::Flag),
        ("ghosts", VariableWord::Ghost),
        ("inputs", VariableWord::Input),
    ] {
        let members = variables(kind);
        if !members.is_empty() {
            let _ = writeln!(text, "{title}\n  {}", members.join("\n  "));
        }
    }
    for process in &contents.processes {
        let _ = writeln!(
            text,
            "{} control locations, {} edges, {} local variables",
            process.locations,
            process.edges,
            variables(VariableWord::Local).len()
        );
    }
    if !contents.queries.is_empty() {
        let _ = writeln!(text, "properties");
    }
    for query in &contents.queries {
        let _ = writeln!(text, "  {}", query.query);
    }
    text
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// Returns a value, shortened to fit on a line.
fn shortened(value: &str) -> String {
    if value.chars().count() <= 60 {
        return value.to_owned();
    }
    let start: String = value.chars().take(57).collect();
    format!("{start}...")
}
