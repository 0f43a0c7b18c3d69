//! Draws the diagrams of a model, one for each template.
//!
//! Invariant: the parts of a diagram are numbered in the order of the file; the number of an edge is its position in
//! the template, the same for all its instances. A model with errors is drawn as far as possible.

use std::collections::{BTreeMap, BTreeSet};

use tempora_draw::{
    Colour, Diagram, DiagramPart, Edge, ElementRef, Label, LabelKind, Nail, Node, NodeKind, Point,
};
use tempora_source::Files;
use tempora_syntax::{
    ast, print_expression, print_expressions, print_parameters, print_rate, print_select,
    print_synchronisation,
};

use crate::Project;
use crate::document::{DiagramKind, DocumentDiagram};
use crate::project_diagrams::draw_as_component;
use crate::uppaal::{self, LabelElement, Position, Text, TransitionElement, XmlDocument};

/// Returns the diagrams of a document's templates, in the order of the file.
pub(crate) fn diagrams_of_document(files: &Files, document: &XmlDocument) -> Vec<Diagram> {
    document.templates.iter().map(|template| drawn_template(files, template)).collect()
}

/// Returns the diagrams of a tree's processes as timed automata.
pub(crate) fn timed_automata(tree: &ast::Network) -> Vec<DocumentDiagram> {
    let diagrams = diagrams_of_tree(tree, None).into_iter();
    diagrams.map(|diagram| DocumentDiagram { kind: DiagramKind::TimedAutomaton, diagram }).collect()
}

/// Returns the diagrams of a tree's processes, in the order of the file; those of a project are drawn as components.
pub(crate) fn diagrams_of_tree(tree: &ast::Network, project: Option<&Project>) -> Vec<Diagram> {
    tree.declarations
        .iter()
        .filter_map(|declaration| match &declaration.kind {
            ast::DeclarationKind::Process(process) => {
                let mut diagram = written_process(process);
                if let Some(project) = project {
                    draw_as_component(&mut diagram, process, project);
                }
                Some(diagram)
            }
            _ => None,
        })
        .collect()
}

/// Draws a template with the layout of its document.
fn drawn_template(files: &Files, template: &uppaal::Template) -> Diagram {
    let text = |text: Option<&Text>| text.map_or("", |text| files.text(text.file).trim()).to_owned();
    let title = text(template.name.as_ref());
    let mut diagram = Diagram::new(title.clone());
    diagram.parameters = text(template.parameter.as_ref()).split_whitespace().collect::<Vec<_>>().join(" ");
    let initial =
        template.initial.and_then(|(reference, _)| reference).map(|reference| reference.text(files));
    let mut ids: BTreeMap<String, ElementRef> = BTreeMap::new();
    for (number, location) in template.locations.iter().enumerate() {
        let kind = match (&location.committed, &location.urgent) {
            (Some(_), _) => NodeKind::Committed,
            (None, Some(_)) => NodeKind::Urgent,
            _ => NodeKind::Location,
        };
        let mut node = Node::new(ElementRef::location(&title, number), kind);
        let id = location.id.map(|id| id.text(files)).unwrap_or_default();
        node.initial = initial.as_ref() == Some(&id);
        node.position = point(location.position);
        node.colour = location.colour.and_then(|colour| Colour::parse(&colour.text(files)));
        if location.name.is_some() {
            let mut name = Label::new(LabelKind::Name, text(location.name.as_ref()));
            name.position = point(location.name_position);
            node.labels.push(name);
        }
        node.labels.extend(location.labels.iter().filter_map(|label| drawn_label(files, label)));
        ids.entry(id).or_insert_with(|| node.element.clone());
        diagram.nodes.push(node);
    }
    for (number, branchpoint) in template.branchpoints.iter().enumerate() {
        let mut node =
            Node::new(ElementRef::part(&title, DiagramPart::Branchpoint(number)), NodeKind::BranchPoint);
        node.position = point(branchpoint.position);
        let id = branchpoint.id.map(|id| id.text(files)).unwrap_or_default();
        ids.entry(id).or_insert_with(|| node.element.clone());
        diagram.nodes.push(node);
    }
    let place = |reference: Option<uppaal::Attribute>| {
        let id = reference.map(|reference| reference.text(files)).unwrap_or_default();
        ids.get(&id).cloned().unwrap_or(ElementRef::Unknown(id))
    };
    for (number, transition) in template.transitions.iter().enumerate() {
        let TransitionElement { source, target, .. } = transition;
        let mut edge = Edge::new(ElementRef::edge(&title, number), place(*source), place(*target));
        edge.controllable = !transition.is_uncontrollable;
        edge.colour = transition.colour.and_then(|colour| Colour::parse(&colour.text(files)));
        let nails = transition.nails.iter().filter_map(|nail| point(*nail));
        edge.nails = nails.map(|position| Nail { position, label: None }).collect();
        edge.labels = transition.labels.iter().filter_map(|label| drawn_label(files, label)).collect();
        diagram.edges.push(edge);
    }
    diagram
}

fn drawn_label(files: &Files, label: &LabelElement) -> Option<Label> {
    let kind = match label.kind? {
        uppaal::LabelKind::Invariant => LabelKind::Invariant,
        uppaal::LabelKind::ExponentialRate => LabelKind::Rate,
        uppaal::LabelKind::Select => LabelKind::Select,
        uppaal::LabelKind::Guard => LabelKind::Guard,
        uppaal::LabelKind::Synchronisation => LabelKind::Synchronisation,
        uppaal::LabelKind::Assignment => LabelKind::Update,
        uppaal::LabelKind::Probability => LabelKind::Probability,
        uppaal::LabelKind::Comments => LabelKind::Comment,
        uppaal::LabelKind::TestCode => LabelKind::TestCode,
        uppaal::LabelKind::Scenario => return None,
    };
    let mut drawn = Label::new(kind, files.text(label.text.file).trim());
    drawn.position = point(label.position);
    Some(drawn)
}

fn point(position: Position) -> Option<Point> {
    Some(Point { x: position.x?.value, y: position.y?.value })
}

/// Draws a process of a textual model, which has no layout.
fn written_process(process: &ast::ProcessDeclaration) -> Diagram {
    let title = process.name.text.clone();
    let mut diagram = Diagram::new(title.clone());
    diagram.parameters = print_parameters(&process.parameters);
    let set =
        |names: &'_ [ast::Name]| names.iter().map(|name| name.text.clone()).collect::<BTreeSet<String>>();
    let (initial, urgent, committed) = (set(&process.initial), set(&process.urgent), set(&process.committed));
    let mut ids: BTreeMap<&str, ElementRef> = BTreeMap::new();
    for (number, location) in process.locations.iter().enumerate() {
        let name = location.name.text.as_str();
        let kind = if committed.contains(name) {
            NodeKind::Committed
        } else if urgent.contains(name) {
            NodeKind::Urgent
        } else {
            NodeKind::Location
        };
        let mut node = Node::new(ElementRef::location(&title, number), kind);
        node.initial = initial.contains(name);
        if !name.starts_with('#') {
            node.labels.push(Label::new(LabelKind::Name, name));
        }
        if let Some(invariant) = &location.invariant {
            node.labels.push(Label::new(LabelKind::Invariant, print_expression(invariant)));
        }
        if let Some(rate) = &location.rate {
            node.labels.push(Label::new(LabelKind::Rate, print_rate(rate)));
        }
        ids.entry(name).or_insert_with(|| node.element.clone());
        diagram.nodes.push(node);
    }
    for (number, branchpoint) in process.branchpoints.iter().enumerate() {
        let node =
            Node::new(ElementRef::part(&title, DiagramPart::Branchpoint(number)), NodeKind::BranchPoint);
        ids.entry(&branchpoint.text).or_insert_with(|| node.element.clone());
        diagram.nodes.push(node);
    }
    let place = |name: &ast::Name| {
        ids.get(name.text.as_str()).cloned().unwrap_or_else(|| ElementRef::Unknown(name.text.clone()))
    };
    for (number, written) in process.edges.iter().enumerate() {
        let id = ElementRef::edge(&title, number);
        let labels = written_labels(&written.labels);
        let branches = match &written.target {
            ast::EdgeTarget::Single(target) => {
                let mut edge = Edge::new(id, place(&written.source), place(target));
                edge.labels = labels;
                edge.controllable = !written.is_uncontrollable;
                diagram.edges.push(edge);
                continue;
            }
            ast::EdgeTarget::Branches(branches) => branches,
        };
        let point = ElementRef::part(&title, DiagramPart::Branches(number));
        diagram.nodes.push(Node::new(point.clone(), NodeKind::BranchPoint));
        let mut edge = Edge::new(id, place(&written.source), point.clone());
        edge.labels = labels;
        edge.controllable = !written.is_uncontrollable;
        diagram.edges.push(edge);
        for (position, branch) in branches.iter().enumerate() {
            let id = ElementRef::part(&title, DiagramPart::Branch { edge: number, branch: position });
            let mut edge = Edge::new(id, point.clone(), place(&branch.target));
            if let Some(weight) = &branch.weight {
                edge.labels.push(Label::new(LabelKind::Probability, print_expression(weight)));
            }
            if !branch.updates.is_empty() {
                edge.labels.push(Label::new(LabelKind::Update, print_expressions(&branch.updates)));
            }
            diagram.edges.push(edge);
        }
    }
    diagram
}

fn written_labels(written: &ast::EdgeLabels) -> Vec<Label> {
    let mut labels = Vec::new();
    if !written.select.is_empty() {
        labels.push(Label::new(LabelKind::Select, print_select(&written.select)));
    }
    if let Some(guard) = &written.guard {
        labels.push(Label::new(LabelKind::Guard, print_expression(guard)));
    }
    if let Some(synchronisation) = &written.synchronisation {
        labels.push(Label::new(LabelKind::Synchronisation, print_synchronisation(synchronisation)));
    }
    if let Some(event) = &written.event {
        labels.push(Label::new(LabelKind::Synchronisation, event.text.clone()));
    }
    if !written.updates.is_empty() {
        labels.push(Label::new(LabelKind::Update, print_expressions(&written.updates)));
    }
    if let Some(weight) = &written.weight {
        labels.push(Label::new(LabelKind::Probability, print_expression(weight)));
    }
    labels
}
