//! Diagrams and charts for several tests.
//!
//! Invariant: element ids are unique within each diagram.

use tempora_draw::{
    ChartPart, Colour, Diagram, Edge, ElementRef, Label, LabelKind, Lifeline, LifelineIndex, Node, NodeKind,
    Port, SequenceChart, SequenceEvent, SequenceStep, Skin,
};

use LabelKind::{Guard, Identifier, Invariant, Name, Select, Synchronisation, Update};

/// Returns the train of the train gate, with the positions in its file.
pub(crate) fn train() -> Diagram {
    let mut diagram = Diagram::new("Train");
    diagram.parameters = "const id_t id".to_owned();
    for (index, (name, invariant, x, y, label_x, label_y)) in [
        ("Safe", "", 104.0, 80.0, 56.0, 64.0),
        ("Appr", "x<=20", 104.0, 216.0, 40.0, 200.0),
        ("Stop", "", 184.0, 304.0, 200.0, 312.0),
        ("Start", "x<=15", 264.0, 216.0, 280.0, 200.0),
        ("Cross", "x<=5", 264.0, 80.0, 280.0, 64.0),
    ]
    .into_iter()
    .enumerate()
    {
        let mut node = Node::new(format!("Train/location/{index}"), NodeKind::Location).at(x, y);
        node.initial = index == 0;
        node.labels.push(Label::new(Name, name).at(label_x, label_y));
        node.labels.push(Label::new(Invariant, invariant).at(label_x, label_y + 16.0));
        diagram.nodes.push(node);
    }
    for (index, (source, target, labels)) in [
        (0, 1, [(Synchronisation, "appr[id]!", 32.0, 112.0), (Update, "x=0", 40.0, 128.0)]),
        (1, 2, [(Guard, "x<=10", 96.0, 260.0), (Synchronisation, "stop[id]?", 84.0, 276.0)]),
        (2, 3, [(Synchronisation, "go[id]?", 232.0, 256.0), (Update, "x=0", 232.0, 272.0)]),
        (3, 4, [(Guard, "x>=7", 272.0, 144.0), (Update, "x=0", 272.0, 160.0)]),
        (1, 4, [(Guard, "x>=10", 192.0, 144.0), (Update, "x=0", 192.0, 160.0)]),
        (4, 0, [(Guard, "x>=3", 176.0, 40.0), (Synchronisation, "leave[id]!", 176.0, 56.0)]),
    ]
    .into_iter()
    .enumerate()
    {
        let (source, target) = (format!("Train/location/{source}"), format!("Train/location/{target}"));
        let mut edge = Edge::new(format!("Train/edge/{index}"), source, target);
        for (kind, text, x, y) in labels {
            edge.labels.push(Label::new(kind, text).at(x, y));
        }
        diagram.edges.push(edge);
    }
    diagram
}

/// Returns the same train without positions.
pub(crate) fn train_without_places() -> Diagram {
    let mut diagram = train();
    for node in &mut diagram.nodes {
        node.position = None;
    }
    for labels in diagram
        .nodes
        .iter_mut()
        .map(|node| &mut node.labels)
        .chain(diagram.edges.iter_mut().map(|edge| &mut edge.labels))
    {
        for label in labels {
            label.position = None;
        }
    }
    diagram
}

/// Nodes with positions: loops, opposite edges, an unknown node, a branch point, all kinds of locations.
pub(crate) fn loops_and_parallels() -> Diagram {
    let mut diagram = Diagram::new("Loops & parallels");
    diagram.nodes = vec![
        Node::new("a", NodeKind::Location).initial().at(0.0, 0.0).with_label(Name, "A<1>"),
        Node::new("b", NodeKind::Urgent).at(220.0, 0.0).with_label(Name, "B").with_label(Invariant, "x <= 3"),
        Node::new("c", NodeKind::Committed).at(220.0, 160.0).with_label(Name, "C"),
        Node::new("d", NodeKind::BranchPoint).at(0.0, 160.0),
    ];
    diagram.nodes[2].colour = Some(Colour::new(20, 60, 160));
    diagram.edges = vec![
        Edge::new("e0", "a", "b").with_label(Guard, "x >= 1").with_label(Update, "x = 0,\ny = 0"),
        Edge::new("e1", "b", "a").with_label(Synchronisation, "back?"),
        Edge::new("e2", "a", "b").with_label(Select, "i : int[0,3]").uncontrollable(),
        Edge::new("e3", "a", "a").with_label(Synchronisation, "stay!"),
        Edge::new("e4", "a", "a"),
        Edge::new("e5", "b", "c").with_nail(300.0, 80.0).with_label(Guard, "y > 2 && z < 4"),
        Edge::new("e6", "c", "d"),
        Edge::new("e7", "d", "a").with_label(LabelKind::Probability, "3"),
        Edge::new("e8", "d", "nowhere").with_label(LabelKind::Probability, "1"),
        Edge::new("e9", "c", "c").with_nail(260.0, 210.0).with_nail(180.0, 210.0),
    ];
    diagram.edges[6].colour = Some(Colour::new(200, 80, 0));
    diagram
}

/// Returns the coffee machine of the Ecdar papers, with one location of each special kind.
pub(crate) fn ecdar_machine() -> Diagram {
    let mut diagram = Diagram::new("Machine");
    diagram.skin = Skin::Ecdar;
    diagram.colour = Some(Colour::new(0x3f, 0x51, 0xb5));
    let port = |name: &str| Port {
        element: ElementRef::from(format!("Machine/port/{name}")),
        name: name.to_owned(),
    };
    diagram.inputs = vec![port("coin")];
    diagram.outputs = vec![port("cof"), port("tea")];
    diagram.nodes = vec![
        Node::new("Machine/L5", NodeKind::Location).initial().with_label(Identifier, "L5"),
        Node::new("Machine/L4", NodeKind::Location)
            .with_label(Identifier, "L4")
            .with_label(Name, "Brewing")
            .with_label(Invariant, "y<=6"),
        Node::new("Machine/L7", NodeKind::Urgent).with_label(Identifier, "L7"),
        Node::new("Machine/L8", NodeKind::Committed).with_label(Identifier, "L8"),
        Node::new("Machine/U0", NodeKind::Universal).with_label(Identifier, "U0"),
        Node::new("Machine/I0", NodeKind::Inconsistent).with_label(Identifier, "I0"),
    ];
    let edge = |id: &str, source: &str, target: &str, sync: &str| {
        Edge::new(format!("Machine/{id}"), format!("Machine/{source}"), format!("Machine/{target}"))
            .with_label(Synchronisation, sync)
    };
    diagram.edges = vec![
        edge("E0", "L5", "L4", "coin").with_label(Update, "y=0"),
        edge("E1", "L4", "L5", "cof").with_label(Guard, "y>=4").uncontrollable(),
        edge("E2", "L5", "L5", "tea").with_label(Guard, "y>=2").uncontrollable(),
        edge("E3", "L4", "L4", "coin"),
        edge("E4", "L4", "L7", "tea").uncontrollable(),
        edge("E5", "L7", "L8", "coin"),
        edge("E6", "L8", "U0", "coin"),
        edge("E7", "L8", "I0", "tea").uncontrollable(),
    ];
    diagram
}

/// Two trains and a gate.
pub(crate) fn lifeline_chart() -> SequenceChart {
    let names = ["Train(0)", "Train(1)", "Gate"];
    let at = |lifeline: usize, name: &str| (LifelineIndex(lifeline), name.to_owned());
    let events = [
        (
            SequenceEvent::Synchronisation {
                sender: Some(LifelineIndex(0)),
                receivers: vec![LifelineIndex(2)],
                label: "appr[0]".to_owned(),
            },
            vec![at(0, "Appr"), at(2, "Occ")],
            "len = 1, list[0] = 0",
        ),
        (SequenceEvent::Delay { text: "21/2".to_owned(), length: 10.5 }, Vec::new(), ""),
        (
            SequenceEvent::Synchronisation {
                sender: Some(LifelineIndex(2)),
                receivers: vec![LifelineIndex(0), LifelineIndex(1)],
                label: "alarm".to_owned(),
            },
            vec![at(0, "Stop")],
            "",
        ),
        (
            SequenceEvent::Internal { lifeline: LifelineIndex(0), label: "x >= 10; \"go\"".to_owned() },
            vec![at(0, "Cross")],
            "x = 0\ny = 3",
        ),
        (
            SequenceEvent::Synchronisation {
                sender: None,
                receivers: vec![LifelineIndex(1)],
                label: "reset".to_owned(),
            },
            Vec::new(),
            "",
        ),
    ];
    SequenceChart {
        title: "Two trains".to_owned(),
        lifelines: names
            .map(|name| Lifeline { element: ElementRef::from(name), name: name.to_owned() })
            .to_vec(),
        start: vec![at(0, "Safe"), at(1, "Safe"), at(2, "Free")],
        steps: events
            .into_iter()
            .enumerate()
            .map(|(index, (event, entered, note))| SequenceStep {
                element: ElementRef::Chart(ChartPart::Step(index)),
                event,
                entered,
                note: note.to_owned(),
            })
            .collect(),
    }
}
