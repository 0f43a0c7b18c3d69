//! The editable parts of an UPPAAL document.
//!
//! Invariant: the parts do not overlap.

use tempora_draw::ElementRef;
use tempora_source::{FileId, Files, Table};
use tempora_syntax::ast;

use super::document::{LabelElement, LabelKind, Template, Text, XmlDocument};
use crate::diagrams::diagrams_of_document;
use crate::document::{DiagramKind, Document, DocumentDiagram, Part, PartId, PartKind, WrittenNetwork};

/// An UPPAAL document with its trees.
#[derive(Debug)]
pub(crate) struct UppaalDocument {
    pub(crate) tree: ast::Network,
    pub(crate) xml: XmlDocument,
}

impl Document for UppaalDocument {
    fn files(&self) -> Vec<FileId> {
        vec![self.xml.file]
    }

    fn parts(&self, files: &Files) -> Table<PartId, Part> {
        let mut parts = Vec::new();
        let mut single = |kind: PartKind, text: &Option<Text>| {
            parts.extend(text.as_ref().map(|text| Part::xml(files, kind, "", text)));
        };
        single(PartKind::Declarations, &self.xml.declaration);
        single(PartKind::System, &self.xml.instantiation);
        single(PartKind::System, &self.xml.system);
        for template in &self.xml.templates {
            parts_of_template(files, template, &mut parts);
        }
        for row in &self.xml.queries {
            parts.push(Part::xml(files, PartKind::Query, "", &row.formula));
            parts.extend(row.comment.as_ref().map(|text| Part::xml(files, PartKind::Comment, "", text)));
        }
        parts.sort_by_key(|part| part.span);
        parts.into_iter().collect()
    }

    fn diagrams(&self, files: &Files) -> Vec<DocumentDiagram> {
        let diagrams = diagrams_of_document(files, &self.xml).into_iter();
        diagrams.map(|diagram| DocumentDiagram { kind: DiagramKind::TimedAutomaton, diagram }).collect()
    }

    fn network(&self) -> Option<WrittenNetwork<'_>> {
        Some(WrittenNetwork { tree: &self.tree, xml: Some(&self.xml), project: None })
    }
}

fn parts_of_template(files: &Files, template: &Template, parts: &mut Vec<Part>) {
    let text = |text: &Option<Text>| text.map_or("", |text| files.text(text.file).trim());
    let title = text(&template.name);
    for (kind, text) in [
        (PartKind::TemplateName, &template.name),
        (PartKind::Parameters, &template.parameter),
        (PartKind::Declarations, &template.declaration),
    ] {
        let part = text
            .as_ref()
            .map(|text| Part::xml(files, kind, title, text).of_element(ElementRef::diagram(title)));
        parts.extend(part);
    }
    for (number, location) in template.locations.iter().enumerate() {
        let (id, name) = (ElementRef::location(title, number), text(&location.name));
        if let Some(text) = &location.name {
            parts.push(Part::xml(files, PartKind::LocationName, name, text).of_element(id.clone()));
        }
        let labels = location.labels.iter().filter_map(|label| label_part(files, label, name));
        parts.extend(labels.map(|part| part.of_element(id.clone())));
    }
    for (number, transition) in template.transitions.iter().enumerate() {
        let id = ElementRef::edge(title, number);
        let labels = transition.labels.iter().filter_map(|label| label_part(files, label, ""));
        parts.extend(labels.map(|part| part.of_element(id.clone())));
    }
}

fn label_part(files: &Files, label: &LabelElement, name: &str) -> Option<Part> {
    let kind = match label.kind? {
        LabelKind::Invariant => PartKind::Invariant,
        LabelKind::ExponentialRate => PartKind::Rate,
        LabelKind::Select => PartKind::Select,
        LabelKind::Guard => PartKind::Guard,
        LabelKind::Synchronisation => PartKind::Synchronisation,
        LabelKind::Assignment => PartKind::Update,
        LabelKind::Probability => PartKind::Probability,
        LabelKind::Comments => PartKind::Comment,
        LabelKind::TestCode => PartKind::TestCode,
        LabelKind::Scenario => return None,
    };
    Some(Part::xml(files, kind, name, &label.text))
}
