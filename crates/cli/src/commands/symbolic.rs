//! What `check` and `inspect` do with symbolic systems.
//!
//! Invariant: as for networks, a command prints through the console only and returns its exit status.

use std::fmt::Write as _;
use std::io;

use tempora_certify::CheckedAnswer;
use tempora_evidence::{SystemKind, Task};
use tempora_report::documents::{
    DocumentVersion, InspectionDocument, ProcessRecord, QueryRecord, VariableRecord,
};
use tempora_report::write_invariants;
use tempora_smt::print_sort;
use tempora_source::Diagnostic;
use tempora_transition::{SymbolicSystem, VariableRole, print_system};
use tempora_workbench::{accepted_invariant, engines_for};

use super::model::write_file;
use crate::console::Console;

/// What is written to files about the answers of a task.
pub(crate) struct SymbolicFiles<'run, 'console> {
    pub(crate) model: &'run str,
    pub(crate) system: &'run SymbolicSystem,
    pub(crate) task: &'run Task,
    pub(crate) answers: &'run [CheckedAnswer],
    pub(crate) console: &'console mut Console,
}

impl SymbolicFiles<'_, '_> {
    /// Writes the certificates that were accepted to a file; says where, or why it cannot be written.
    pub(crate) fn certificates(&mut self, file: &str) -> io::Result<Option<Diagnostic>> {
        let queries = self.task.queries.iter().zip(self.answers);
        let certificates: Vec<_> = queries
            .filter_map(|(query, answer)| Some((query.text.as_str(), accepted_invariant(answer)?)))
            .collect();
        if certificates.is_empty() {
            self.console.complain("no answer has a certificate, so none is written\n");
            return Ok(None);
        }
        let content = write_invariants(self.model, self.system, &certificates);
        if let Some(diagnostic) = write_file(file, content.as_bytes(), self.console)? {
            return Ok(Some(diagnostic));
        }
        let count = certificates.len();
        let what = if count == 1 { "certificate" } else { "certificates" };
        self.console.complain(&format!("{count} {what} written to {file}: {} bytes\n", content.len()));
        Ok(None)
    }
}

/// What is in a system, for people.
pub(crate) fn text(system: &SymbolicSystem) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    for (_, enumeration) in system.store.enumerations() {
        let _ = writeln!(text, "type {}: {}", enumeration.name, enumeration.literals.join(", "));
    }
    for (title, role) in [
        ("control variables", VariableRole::Control),
        ("variables", VariableRole::State),
        ("outputs", VariableRole::Output),
        ("clocks", VariableRole::Clock),
        ("flags", VariableRole::Flag),
        ("ghosts", VariableRole::Ghost),
        ("inputs", VariableRole::Input),
    ] {
        let members: Vec<String> = variables(system, role);
        if !members.is_empty() {
            let _ = writeln!(text, "{title}\n  {}", members.join("\n  "));
        }
    }
    let _ = writeln!(
        text,
        "{} control locations, {} edges, {} local variables",
        system.locations.len(),
        system.edges.len(),
        variables(system, VariableRole::Local).len()
    );
    if !system.properties.is_empty() {
        let _ = writeln!(text, "properties");
    }
    for property in &system.properties {
        let _ = writeln!(text, "  {}", property.text);
    }
    text
}

fn variables(system: &SymbolicSystem, role: VariableRole) -> Vec<String> {
    let members = system.variables.iter().filter(|(_, variable)| variable.role == role);
    members
        .map(|(id, variable)| format!("{}: {}", variable.name, print_sort(&system.store, system.sort_of(id))))
        .collect()
}

/// What is in a system, for programs.
pub(crate) fn document(
    path: &str,
    language: &str,
    system: &SymbolicSystem,
    with_ir: bool,
) -> InspectionDocument {
    let variables = system.variables.iter().map(|(id, variable)| VariableRecord {
        name: variable.name.clone(),
        kind: variable.role.into(),
        type_text: print_sort(&system.store, system.sort_of(id)),
        initial: String::new(),
        cells: 1,
    });
    let engines: Vec<&str> = engines_for(SystemKind::Symbolic).map(|engine| engine.name).collect();
    let queries = system.properties.iter().map(|property| QueryRecord {
        query: property.text.clone(),
        engines: engines.clone(),
        declined: Vec::new(),
    });
    let process = ProcessRecord {
        name: "system".to_owned(),
        template: "system".to_owned(),
        locations: system.locations.len(),
        edges: system.edges.len(),
    };
    InspectionDocument {
        version: DocumentVersion,
        model: path.to_owned(),
        language: language.to_owned(),
        templates: Vec::new(),
        processes: vec![process],
        variables: variables.collect(),
        channels: Vec::new(),
        features: Vec::new(),
        not_answered: Vec::new(),
        queries: queries.collect(),
        ir: with_ir.then(|| print_system(system)),
    }
}
