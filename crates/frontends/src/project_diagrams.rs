//! Draws the components of an Ecdar project: a frame with inputs and outputs, and the author's layout.
//!
//! Invariant: locations and edges are in the order of the tree, in the diagram as in the layout. Elements without a
//! position get one when they are drawn.

use tempora_draw::{Colour, Diagram, DiagramPart, ElementRef, LabelKind, Nail, NodeKind, Point, Port, Skin};
use tempora_syntax::{ast, print_expression};

use crate::{ComponentLayout, EdgeLabel, LayoutPoint, Project};

/// Turns the diagram of a process into that of a component.
pub(crate) fn draw_as_component(diagram: &mut Diagram, process: &ast::ProcessDeclaration, project: &Project) {
    diagram.skin = Skin::Ecdar;
    for (node, location) in diagram.nodes.iter_mut().zip(&process.locations) {
        let has_label = |name: &str| location.labels.iter().any(|label| label.text == name);
        if has_label("universal") {
            node.kind = NodeKind::Universal;
        } else if has_label("inconsistent") {
            node.kind = NodeKind::Inconsistent;
        }
    }
    for (edge, written) in diagram.edges.iter_mut().zip(&process.edges) {
        let Some(synchronisation) = &written.labels.synchronisation else { continue };
        let is_output = synchronisation.direction == ast::Direction::Send;
        edge.controllable = !is_output;
        let ports = if is_output { &mut diagram.outputs } else { &mut diagram.inputs };
        let name = print_expression(&synchronisation.channel);
        if !ports.iter().any(|port| port.name == name) {
            let number = ports.len();
            let part = if is_output { DiagramPart::Output(number) } else { DiagramPart::Input(number) };
            let element = ElementRef::part(&diagram.title, part);
            ports.push(Port { element, name });
        }
    }
    if let Some(layout) = project.layouts.iter().find(|layout| layout.component == process.name.text) {
        place_as_drawn(diagram, layout);
    }
}

fn place_as_drawn(diagram: &mut Diagram, layout: &ComponentLayout) {
    let point = |place: &LayoutPoint| Point { x: place.x, y: place.y };
    let colour = |colour: &Option<String>| colour.as_deref().and_then(Colour::parse);
    diagram.colour = colour(&layout.colour);
    for (node, drawn) in diagram.nodes.iter_mut().zip(&layout.locations) {
        node.position = drawn.place.as_ref().map(point);
        node.colour = colour(&drawn.colour);
        for label in &mut node.labels {
            match label.kind {
                LabelKind::Name => label.position = drawn.name.as_ref().map(point),
                LabelKind::Invariant => label.position = drawn.invariant.as_ref().map(point),
                _ => {}
            }
        }
    }
    let kind = |label: EdgeLabel| match label {
        EdgeLabel::Select => LabelKind::Select,
        EdgeLabel::Guard => LabelKind::Guard,
        EdgeLabel::Synchronisation => LabelKind::Synchronisation,
        EdgeLabel::Update => LabelKind::Update,
    };
    for (edge, drawn) in diagram.edges.iter_mut().zip(&layout.edges) {
        let nail = |bend: &crate::Bend| Nail { position: point(&bend.place), label: bend.label.map(kind) };
        edge.nails = drawn.bends.iter().map(nail).collect();
        edge.colour = colour(&drawn.colour);
        for label in &mut edge.labels {
            let found =
                EdgeLabel::ALL.into_iter().zip(&drawn.labels).find(|(known, _)| kind(*known) == label.kind);
            label.position = found.and_then(|(_, place)| place.as_ref()).map(point);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use tempora_draw::{Diagram, LabelKind, NodeKind, Point, Skin};

    use tempora_source::{Files, Origins};

    use crate::{ProjectFile, ProjectRole, read_project_model};

    const COMPONENT: &str = r#"{ "name": "M", "declarations": "clock x;", "color": "6", "x": 5, "y": 5, "width": 300, "height": 200,
        "locations": [
            { "id": "L0", "nickname": "", "invariant": "x <= 3", "type": "INITIAL", "urgency": "NORMAL", "x": 40, "y": 60, "invariantX": 10, "invariantY": 20 },
            { "id": "U0", "nickname": "", "invariant": "", "type": "UNIVERSAL", "urgency": "NORMAL", "x": 140, "y": 160 } ],
        "edges": [
            { "sourceLocation": "L0", "targetLocation": "U0", "status": "INPUT", "select": "", "guard": "x > 1", "update": "", "sync": "in",
              "nails": [ { "x": 70, "y": 80, "propertyType": "SYNCHRONIZATION", "propertyX": 3, "propertyY": -4 } ] },
            { "sourceLocation": "L0", "targetLocation": "L0", "status": "OUTPUT", "select": "", "guard": "", "update": "x = 0", "sync": "out", "nails": [] } ] }"#;

    #[test]
    fn component_diagram_keeps_layout() {
        let mut files = Files::new();
        let file = files.add("project/Components/M.json", COMPONENT).unwrap();
        let parts = [ProjectFile { role: ProjectRole::Component, file }];
        let read = read_project_model(&mut files, &mut Origins::new(), file, &parts, None);
        let diagrams: Vec<Diagram> =
            read.document.diagrams(&files).into_iter().map(|drawn| drawn.diagram).collect();
        let [diagram] = diagrams.as_slice() else { panic!("{diagrams:?}") };
        assert_eq!(diagram.skin, Skin::Ecdar);
        let names =
            |ports: &[tempora_draw::Port]| ports.iter().map(|port| port.name.clone()).collect::<Vec<_>>();
        assert_eq!(
            (names(&diagram.inputs), names(&diagram.outputs)),
            (vec!["in".to_owned()], vec!["out".to_owned()])
        );
        let places: Vec<Option<Point>> = diagram.nodes.iter().map(|node| node.position).collect();
        assert_eq!(places, [Some(Point { x: 40.0, y: 60.0 }), Some(Point { x: 140.0, y: 160.0 })]);
        assert_eq!(diagram.nodes[1].kind, NodeKind::Universal);
        let invariant = diagram.nodes[0].labels.iter().find(|label| label.kind == LabelKind::Invariant);
        assert_eq!(invariant.unwrap().position, Some(Point { x: 50.0, y: 80.0 }));
        let [input, output] = &diagram.edges[..2] else { panic!("{diagram:?}") };
        assert!(input.controllable && !output.controllable);
        assert_eq!(input.nails.len(), 1);
        assert_eq!(
            (input.nails[0].position, input.nails[0].label),
            (Point { x: 70.0, y: 80.0 }, Some(LabelKind::Synchronisation))
        );
        let label = |kind: LabelKind| input.labels.iter().find(|label| label.kind == kind).unwrap().position;
        assert_eq!(label(LabelKind::Synchronisation), Some(Point { x: 73.0, y: 76.0 }));
        assert_eq!(label(LabelKind::Guard), None);
    }
}
