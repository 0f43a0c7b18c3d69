//! References to elements and their texts.
//!
//! Invariant: every part is tested; a new part does not compile without a case.

use proptest::prelude::*;
use tempora_draw::{
    ChartPart, Diagram, DiagramPart, Edge, ElementRef, Label, LabelKind, Node, NodeKind, Port,
};

/// Returns the next part in a cycle through all parts, with these numbers.
fn next_part(part: DiagramPart, number: usize, other: usize) -> DiagramPart {
    match part {
        DiagramPart::Whole => DiagramPart::Location(number),
        DiagramPart::Location(_) => DiagramPart::Branchpoint(number),
        DiagramPart::Branchpoint(_) => DiagramPart::Edge(number),
        DiagramPart::Edge(_) => DiagramPart::Branches(number),
        DiagramPart::Branches(_) => DiagramPart::Branch { edge: number, branch: other },
        DiagramPart::Branch { .. } => DiagramPart::Input(number),
        DiagramPart::Input(_) => DiagramPart::Output(number),
        DiagramPart::Output(_) => DiagramPart::Node(number),
        DiagramPart::Node(_) => DiagramPart::Cover(number),
        DiagramPart::Cover(_) => DiagramPart::Whole,
    }
}

fn next_chart_part(part: ChartPart, number: usize) -> ChartPart {
    match part {
        ChartPart::Whole => ChartPart::Process(number),
        ChartPart::Process(_) => ChartPart::Start,
        ChartPart::Start => ChartPart::Step(number),
        ChartPart::Step(_) => ChartPart::End,
        ChartPart::End => ChartPart::Whole,
    }
}

fn read(text: &str) -> ElementRef {
    ElementRef::from(text)
}

proptest! {
    #[test]
    fn printed_reference_parses_to_itself(name in "[^/]{0,8}", number: usize, other in 0usize..20) {
        let mut part = DiagramPart::Whole;
        loop {
            let element = ElementRef::part(name.as_str(), part);
            let is_word_of_charts = ["chart", "start", "end"].contains(&name.as_str());
            if part != DiagramPart::Whole || !is_word_of_charts {
                prop_assert_eq!(read(&element.to_string()), element);
            }
            part = next_part(part, number, other);
            if part == DiagramPart::Whole {
                break;
            }
        }
        let mut part = ChartPart::Whole;
        loop {
            let element = ElementRef::Chart(part);
            prop_assert_eq!(read(&element.to_string()), element);
            part = next_chart_part(part, number);
            if part == ChartPart::Whole {
                break;
            }
        }
    }

    #[test]
    fn parsed_text_prints_as_itself(
        text in prop_oneof![
            ".{0,20}",
            "([a-z]{0,3}|edge|location|branch|branches|step|process|input|0|00|7|[+]1|[0-9]{18,22})(/(edge|location|branch|branches|node|x|0|01|7)){0,5}",
        ]
    ) {
        prop_assert_eq!(read(&text).to_string(), text);
    }
}

#[test]
fn references_have_documented_texts() {
    for (element, text) in [
        (ElementRef::diagram("Train(0)"), "Train(0)"),
        (ElementRef::location("Train", 2), "Train/location/2"),
        (ElementRef::edge("Train", 10), "Train/edge/10"),
        (ElementRef::part("", DiagramPart::Branch { edge: 1, branch: 0 }), "/edge/1/branch/0"),
        (ElementRef::part("T", DiagramPart::Branches(1)), "T/branches/1"),
        (ElementRef::part("T", DiagramPart::Branchpoint(1)), "T/branchpoint/1"),
        (ElementRef::part("M", DiagramPart::Input(0)), "M/input/0"),
        (ElementRef::part("M", DiagramPart::Output(0)), "M/output/0"),
        (ElementRef::part("arg", DiagramPart::Cover(3)), "arg/cover/3"),
        (ElementRef::part("arg", DiagramPart::Node(3)), "arg/node/3"),
        (ElementRef::Chart(ChartPart::Process(0)), "process/0"),
        (ElementRef::Chart(ChartPart::Step(1)), "step/1"),
        (ElementRef::Chart(ChartPart::Start), "start"),
        (ElementRef::Chart(ChartPart::End), "end"),
        (ElementRef::Chart(ChartPart::Whole), "chart"),
    ] {
        assert_eq!(element.to_string(), text);
        assert_eq!(read(text), element);
    }
    assert_eq!(ElementRef::Unknown("id7".to_owned()).to_string(), "id7");
}

#[test]
fn renaming_diagram_renames_elements() {
    let diagram = |title: &str| {
        let (place, edge) = (ElementRef::location(title, 0), ElementRef::edge(title, 0));
        let mut diagram = Diagram::new(title);
        let mut label = Label::new(LabelKind::Name, "l");
        label.element = Some(place.clone());
        let mut node = Node::new(place.clone(), NodeKind::Location);
        node.labels.push(label);
        diagram.nodes.push(node);
        let mut line = Edge::new(edge.clone(), place, ElementRef::Unknown("T/location/9".to_owned()));
        let mut label = Label::new(LabelKind::Guard, "g");
        label.element = Some(edge);
        line.labels.push(label);
        diagram.edges.push(line);
        let port = |part| Port { element: ElementRef::part(title, part), name: "p".to_owned() };
        diagram.inputs.push(port(DiagramPart::Input(0)));
        diagram.outputs.push(port(DiagramPart::Output(0)));
        diagram
    };
    let mut renamed = diagram("T");
    renamed.rename("P(1)");
    assert_eq!(renamed, diagram("P(1)"));
}
