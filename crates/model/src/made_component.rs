//! A component that was computed.
//!
//! Invariant: edges run between locations that there are, the first of which is initial. Conditions and updates are texts in the
//! expression language of networks; a list of conditions is their conjunction.

use std::fmt::Write as _;

/// A component that was computed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MadeComponent {
    /// What it is to be called, if the question says so.
    pub name: Option<String>,
    /// Its clocks.
    pub clocks: Vec<String>,
    /// Its locations; it starts in the first.
    pub locations: Vec<MadeLocation>,
    /// Its edges.
    pub edges: Vec<MadeEdge>,
}

/// A location of a computed component.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MadeLocation {
    /// Its name.
    pub name: String,
    /// What must hold while it is there.
    pub invariant: Vec<String>,
    /// `universal` or `inconsistent`, if it is one of these.
    pub label: Option<&'static str>,
}

/// An edge of a computed component.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MadeEdge {
    /// Where it starts.
    pub source: usize,
    /// Where it leads.
    pub target: usize,
    /// The channel; none for an output without a name.
    pub channel: Option<String>,
    /// Whether the component decides on it.
    pub is_output: bool,
    /// When it is possible.
    pub guard: Vec<String>,
    /// What it does to clocks, in order.
    pub updates: Vec<String>,
}

impl MadeComponent {
    /// The component as a process of this name, in the text form of networks.
    pub fn text(&self, name: &str) -> String {
        let mut text = format!("process {name} {{\n");
        // Writing to a string does not fail.
        if !self.clocks.is_empty() {
            let _ = writeln!(text, "    clock {};", self.clocks.join(", "));
        }
        for (number, location) in self.locations.iter().enumerate() {
            let initial = if number == 0 { "init " } else { "" };
            let _ = write!(text, "    {initial}location {}", location.name);
            let mut parts = Vec::new();
            if !location.invariant.is_empty() {
                parts.push(format!("invariant {};", location.invariant.join(" && ")));
            }
            parts.extend(location.label.map(|label| format!("labels {label};")));
            let _ = match parts.is_empty() {
                true => writeln!(text, ";"),
                false => writeln!(text, " {{ {} }}", parts.join(" ")),
            };
        }
        for edge in &self.edges {
            let (source, target) = (&self.locations[edge.source].name, &self.locations[edge.target].name);
            let mut parts = Vec::new();
            if !edge.guard.is_empty() {
                parts.push(format!("guard {};", edge.guard.join(" && ")));
            }
            let sign = if edge.is_output { '!' } else { '?' };
            parts.extend(edge.channel.as_ref().map(|channel| format!("sync {channel}{sign};")));
            if !edge.updates.is_empty() {
                parts.push(format!("do {};", edge.updates.join(", ")));
            }
            let _ = match parts.is_empty() {
                true => writeln!(text, "    {source} -> {target};"),
                false => writeln!(text, "    {source} -> {target} {{ {} }}", parts.join(" ")),
            };
        }
        text.push_str("}\n");
        text
    }
}
