//! Documents of symbolic systems, with the parts that the system identifies.
//!
//! Invariant: the first part is the whole text; a text with errors has no other parts.

use std::collections::BTreeSet;

use tempora_source::{FileId, Files, Origin, Origins, Span, Table};
use tempora_transition::{SymbolicSystem, VariableRole};

use crate::document::{Document, DocumentDiagram, Part, PartId, PartKind};

/// A symbolic system in a text.
#[derive(Debug)]
pub(crate) struct SystemDocument {
    file: FileId,
    /// The kind, name and place of each part.
    parts: Vec<(PartKind, String, Span)>,
}

impl SystemDocument {
    pub(crate) fn new(
        files: &Files,
        origins: &Origins,
        file: FileId,
        system: Option<&SymbolicSystem>,
    ) -> SystemDocument {
        let whole = files.whole(file);
        let mut parts = vec![(PartKind::Whole, String::new(), whole)];
        let mut seen = BTreeSet::from([whole]);
        let mut add = |kind: PartKind, name: &str, origin: Origin| {
            // The lowering may create several elements with the same origin.
            if let Some(span) = origins.primary_span(origin)
                && span.file == file
                && span.start < span.end
                && seen.insert(span)
            {
                parts.push((kind, name.to_owned(), span));
            }
        };
        if let Some(system) = system {
            for variable in system.variables.values().filter(|variable| variable.role != VariableRole::Local)
            {
                add(PartKind::Declaration, &variable.name, variable.origin);
            }
            for location in system.locations.values() {
                add(PartKind::LocationName, &location.name, location.origin);
            }
            for edge in system.edges.values() {
                add(PartKind::Edge, "", edge.origin);
            }
            for property in &system.properties {
                add(PartKind::Query, &property.text, property.origin);
            }
        }
        parts[1..].sort_by_key(|(_, _, span)| (span.start, std::cmp::Reverse(span.end)));
        SystemDocument { file, parts }
    }
}

impl Document for SystemDocument {
    fn files(&self) -> Vec<FileId> {
        vec![self.file]
    }

    fn parts(&self, files: &Files) -> Table<PartId, Part> {
        let parts = self.parts.iter();
        parts.map(|(kind, name, span)| Part::verbatim(files, *kind, name.as_str(), *span)).collect()
    }

    fn diagrams(&self, _files: &Files) -> Vec<DocumentDiagram> {
        Vec::new()
    }
}
