//! The editable parts of an Ecdar project.
//!
//! Invariant: the parts do not overlap. A malformed JSON file has no parts.

use tempora_draw::ElementRef;
use tempora_source::{FileId, Files, Table, decode_json_string};
use tempora_syntax::ast;

use super::json::{Json, JsonKind, read_json};
use super::project::{Project, ProjectRole};
use crate::diagrams::diagrams_of_tree;
use crate::document::{
    DiagramKind, Document, DocumentDiagram, Notation, Part, PartId, PartKind, WrittenNetwork,
};

/// A project with its trees.
#[derive(Debug)]
pub(crate) struct ProjectDocument {
    pub(crate) tree: ast::Network,
    pub(crate) project: Project,
}

impl Document for ProjectDocument {
    fn files(&self) -> Vec<FileId> {
        self.project.files.iter().map(|part| part.file).collect()
    }

    fn parts(&self, files: &Files) -> Table<PartId, Part> {
        let mut parts = Vec::new();
        for part in &self.project.files {
            let Ok(json) = read_json(files, part.file) else { continue };
            match part.role {
                ProjectRole::Component => self.parts_of_component(files, &json, &mut parts),
                ProjectRole::GlobalDeclarations | ProjectRole::SystemDeclarations => {
                    parts.extend(member(files, &json, "declarations", PartKind::Declarations, ""));
                }
                ProjectRole::Queries => {
                    for row in json.items() {
                        parts.extend(member(files, row, "query", PartKind::Query, ""));
                        parts.extend(member(files, row, "comment", PartKind::Comment, ""));
                    }
                }
                ProjectRole::System | ProjectRole::Test => {}
            }
        }
        parts.sort_by_key(|part| part.span);
        parts.into_iter().collect()
    }

    fn diagrams(&self, _files: &Files) -> Vec<DocumentDiagram> {
        let diagrams = diagrams_of_tree(&self.tree, Some(&self.project)).into_iter();
        diagrams.map(|diagram| DocumentDiagram { kind: DiagramKind::Component, diagram }).collect()
    }

    fn network(&self) -> Option<WrittenNetwork<'_>> {
        Some(WrittenNetwork { tree: &self.tree, xml: None, project: Some(&self.project) })
    }
}

impl ProjectDocument {
    fn parts_of_component(&self, files: &Files, json: &Json, parts: &mut Vec<Part>) {
        let title = json.text_of(files, "name");
        let process = self.tree.declarations.iter().find_map(|declaration| match &declaration.kind {
            ast::DeclarationKind::Process(process) if process.span == json.span => Some(&**process),
            _ => None,
        });
        let whole = [("name", PartKind::TemplateName), ("declarations", PartKind::Declarations)];
        for (name, kind) in whole {
            let part = member(files, json, name, kind, &title);
            parts.extend(part.map(|part| part.of_element(ElementRef::diagram(title.as_str()))));
        }
        for location in json.get("locations").map(Json::items).unwrap_or_default() {
            // Locations and edges that could not be read are in no diagram.
            let known = process.and_then(|process| {
                process.locations.iter().position(|written| written.span == location.span)
            });
            let id = known.map(|number| ElementRef::location(&title, number));
            let name = location.text_of(files, "id");
            for (member_name, kind) in [
                ("id", PartKind::LocationName),
                ("nickname", PartKind::Comment),
                ("invariant", PartKind::Invariant),
            ] {
                let part = member(files, location, member_name, kind, &name);
                parts.extend(part.map(|part| Part { element: id.clone(), ..part }));
            }
        }
        for edge in json.get("edges").map(Json::items).unwrap_or_default() {
            // An edge with `*` becomes several edges of the tree, and belongs to the first.
            let known = process
                .and_then(|process| process.edges.iter().position(|written| written.span == edge.span));
            let id = known.map(|number| ElementRef::edge(&title, number));
            for (member_name, kind) in [
                ("select", PartKind::Select),
                ("guard", PartKind::Guard),
                ("update", PartKind::Update),
                ("sync", PartKind::Synchronisation),
            ] {
                let part = member(files, edge, member_name, kind, "");
                parts.extend(part.map(|part| Part { element: id.clone(), ..part }));
            }
        }
    }
}

/// Returns the part for a string member of an object.
fn member(files: &Files, json: &Json, member: &str, kind: PartKind, name: &str) -> Option<Part> {
    let JsonKind::Text(raw) = json.get(member)?.kind else { return None };
    let text = decode_json_string(files, raw).0.text().to_owned();
    Some(Part { kind, name: name.to_owned(), element: None, span: raw, text, notation: Notation::JsonText })
}
