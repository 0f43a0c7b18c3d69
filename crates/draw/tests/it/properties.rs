//! Property tests of drawing; `PROPTEST_CASES` sets the number of cases.
//!
//! Ids are few, so that they clash and dangle; positions are missing, sensible, equal, huge or not finite; texts are
//! arbitrary.

use proptest::prelude::*;
use tempora_draw::{
    COORDINATE_LIMIT, ChartPart, Colour, Diagram, DrawOptions, Edge, ElementRef, FindingMark, Label,
    LabelKind, Lifeline, LifelineIndex, Nail, Node, NodeKind, Overlays, Part, Path, Point, Port, Rectangle,
    Scene, Segment, SequenceChart, SequenceEvent, SequenceStep, Shape, SheetOptions, Skin, SvgOptions, Theme,
    TimeScale, arrange_on_sheet, draw_diagram, draw_diagram_with, draw_sequence, write_mermaid,
    write_plantuml, write_svg,
};

use crate::support;

fn any_coordinate() -> impl Strategy<Value = f64> {
    prop_oneof![
        8 => (-40_i32..40).prop_map(|number| f64::from(number) * 16.0),
        1 => -1e6..1e6,
        1 => prop::sample::select(vec![
            0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 2_147_483_647.0, -2_147_483_648.0, 1e300, 1e-300,
        ]),
    ]
}

fn any_point() -> impl Strategy<Value = Point> {
    (any_coordinate(), any_coordinate()).prop_map(|(x, y)| Point::new(x, y))
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-z]{1,8}(<=|>=|&&|=)[0-9]{1,3}",
        2 => "([a-z]{0,6}\n){0,4}",
        1 => ".{0,20}",
        1 => "[\\x00-\\x1f<>&\"'\\]\\[\u{fffe}\u{1f600}é]{0,10}",
    ]
}

fn any_id() -> impl Strategy<Value = ElementRef> {
    prop_oneof![9 => "[a-f]", 1 => any_text()].prop_map(ElementRef::from)
}

fn any_label_kind() -> impl Strategy<Value = LabelKind> {
    use LabelKind::*;
    let kinds = vec![
        Name,
        Identifier,
        Invariant,
        Rate,
        Select,
        Guard,
        Synchronisation,
        Update,
        Probability,
        Comment,
        TestCode,
    ];
    prop::sample::select(kinds)
}

fn any_labels() -> impl Strategy<Value = Vec<Label>> {
    let label =
        (prop::option::weighted(0.1, any_id()), any_label_kind(), any_text(), prop::option::of(any_point()));
    let label = label.prop_map(|(element, kind, text, position)| Label { element, kind, text, position });
    prop::collection::vec(label, 0..4)
}

fn any_node() -> impl Strategy<Value = Node> {
    use NodeKind::*;
    let kinds = vec![Location, Urgent, Committed, Prohibited, BranchPoint, Universal, Inconsistent];
    (
        any_id(),
        prop::sample::select(kinds),
        any::<bool>(),
        prop::option::weighted(0.7, any_point()),
        prop::option::weighted(0.2, any::<(u8, u8, u8)>()),
        any_labels(),
    )
        .prop_map(|(element, kind, initial, position, colour, labels)| Node {
            element,
            kind,
            initial,
            position,
            colour: colour.map(|(red, green, blue)| Colour::new(red, green, blue)),
            labels,
        })
}

fn any_edge() -> impl Strategy<Value = Edge> {
    let nail = (any_point(), prop::option::weighted(0.2, any_label_kind()))
        .prop_map(|(position, label)| Nail { position, label });
    (any_id(), any_id(), any_id(), prop::collection::vec(nail, 0..3), any_labels(), any::<bool>()).prop_map(
        |(element, source, target, nails, labels, controllable)| Edge {
            element,
            source,
            target,
            nails,
            labels,
            controllable,
            colour: None,
        },
    )
}

fn any_diagram() -> impl Strategy<Value = Diagram> {
    let port = (any_id(), any_text()).prop_map(|(element, name)| Port { element, name });
    (
        any_text(),
        any_text(),
        prop::sample::select(vec![Skin::Uppaal, Skin::Ecdar]),
        prop::collection::vec(any_node(), 0..8),
        prop::collection::vec(any_edge(), 0..10),
        prop::collection::vec(port, 0..3),
    )
        .prop_map(|(title, parameters, skin, nodes, edges, ports)| Diagram {
            parameters,
            skin,
            nodes,
            edges,
            inputs: ports.clone(),
            outputs: ports,
            ..Diagram::new(title)
        })
}

fn path_points(path: &Path) -> Vec<Point> {
    let mut points = vec![path.start];
    for segment in &path.segments {
        match *segment {
            Segment::Line(end) => points.push(end),
            Segment::Quadratic(control, end) => points.extend([control, end]),
            Segment::Cubic(first, second, end) => points.extend([first, second, end]),
        }
    }
    points
}

fn assert_finite(scene: &Scene) {
    let is_good = |value: f64| value.is_finite() && value.abs() <= COORDINATE_LIMIT * 10.0;
    let holds = |outer: Rectangle, inner: Rectangle| {
        outer.left <= inner.left
            && outer.top <= inner.top
            && outer.right >= inner.right
            && outer.bottom >= inner.bottom
    };
    for element in &scene.elements {
        let bounds = element.shape.bounds();
        for value in [bounds.left, bounds.top, bounds.right, bounds.bottom] {
            assert!(is_good(value), "{element:?}");
        }
        assert!(holds(scene.bounds, bounds), "{element:?} is outside {:?}", scene.bounds);
        if let Shape::Path(path) = &element.shape {
            assert!(path_points(path).iter().all(|point| is_good(point.x) && is_good(point.y)), "{path:?}");
        }
    }
    let parts: Vec<Part> = scene.elements.iter().map(|element| element.part).collect();
    assert!(parts.is_sorted(), "not in painting order");
}

/// Returns a text as an XML parser reads it.
fn as_read(text: &str) -> String {
    let forbidden = |character: char| {
        (character < ' ' && character != '\n' && character != '\t')
            || character == '\u{fffe}'
            || character == '\u{ffff}'
    };
    text.chars().map(|character| if forbidden(character) { '\u{fffd}' } else { character }).collect()
}

/// Asserts that the output is XML with the ids and texts of the scene, in order.
fn assert_well_formed(scene: &Scene) {
    for theme in [Theme::Automatic, Theme::Light, Theme::Dark] {
        let svg = write_svg(scene, &SvgOptions { theme, ..SvgOptions::default() });
        let document = roxmltree::Document::parse(&svg).unwrap_or_else(|error| panic!("{error}\n{svg}"));
        let root = document.root_element();
        assert_eq!(root.attribute("viewBox").unwrap().split(' ').count(), 4);
        let shown: Vec<_> = root.descendants().filter(|node| node.has_attribute("data-element")).collect();
        assert_eq!(shown.len(), scene.elements.len());
        for (node, element) in shown.iter().zip(&scene.elements) {
            assert_eq!(node.attribute("data-element").unwrap(), as_read(&element.element.to_string()));
            if let Shape::Text(text) = &element.shape {
                let is_title = |node: &roxmltree::Node<'_, '_>| node.tag_name().name() == "title";
                let read: String = node
                    .descendants()
                    .filter(|inner| inner.is_text() && !inner.ancestors().any(|outer| is_title(&outer)))
                    .filter_map(|inner| inner.text())
                    .collect();
                let written: Vec<String> = text
                    .lines
                    .iter()
                    .map(|line| {
                        if line.is_empty() && text.lines.len() > 1 {
                            "\u{a0}".to_owned()
                        } else {
                            as_read(line)
                        }
                    })
                    .collect();
                assert_eq!(read, written.concat());
            }
        }
    }
}

proptest! {
    #[test]
    fn every_diagram_is_drawn(diagram in any_diagram(), comments in any::<bool>()) {
        let scene = draw_diagram_with(&diagram, &DrawOptions { comments });
        assert_finite(&scene);
        assert_well_formed(&scene);
        // No element is dropped, not even one whose id is used twice.
        let count = |wanted: &[Part]| scene.elements.iter().filter(|element| wanted.contains(&element.part)).count();
        prop_assert_eq!(count(&[Part::Location, Part::BranchPoint]), diagram.nodes.len());
        prop_assert_eq!(count(&[Part::EdgeLine]), diagram.edges.len());
        prop_assert_eq!(count(&[Part::ArrowHead]), diagram.edges.len());
        prop_assert_eq!(scene, draw_diagram_with(&diagram, &DrawOptions { comments }));
    }

    #[test]
    fn given_positions_are_kept(diagram in any_diagram()) {
        // Positions of nodes at one point are ignored.
        let places: Vec<_> = diagram.nodes.iter().map(|node| node.position).collect();
        prop_assume!(places.len() < 2 || places.iter().any(|place| *place != places[0] || place.is_none()));
        let scene = draw_diagram(&diagram);
        let bodies: Vec<_> = scene
            .elements
            .iter()
            .filter(|element| matches!(element.part, Part::Location | Part::BranchPoint))
            .collect();
        for node in &diagram.nodes {
            let Some(position) = node.position.and_then(Point::drawable) else { continue };
            prop_assert!(bodies.iter().any(|body| {
                let centre = body.shape.bounds().centre();
                body.element == node.element
                    && (centre.x - position.x).abs() < 1e-3
                    && (centre.y - position.y).abs() < 1e-3
            }), "{:?} is not at {:?}", node.element, position);
        }
        let labels = diagram.nodes.iter().flat_map(|node| &node.labels);
        for label in labels.chain(diagram.edges.iter().flat_map(|edge| &edge.labels)) {
            let is_drawn = !matches!(label.kind, LabelKind::Comment | LabelKind::TestCode | LabelKind::Identifier);
            let Some(position) = label.position.and_then(Point::drawable) else { continue };
            if label.text.lines().all(|line| line.trim_end().is_empty()) || !is_drawn {
                continue;
            }
            prop_assert!(scene.elements.iter().any(|element| {
                let corner = element.shape.bounds();
                let wanted = if diagram.skin == Skin::Ecdar { Part::LabelBox } else { Part::Label(label.kind) };
                element.part == wanted
                    && (corner.left - position.x).abs() < 1e-3
                    && (corner.top - position.y).abs() < 1e-3
            }), "{:?} is not at its position", label);
        }
    }

    #[test]
    fn nails_are_passed(
        nails in prop::collection::vec((-30_i32..30, 4_i32..30), 2..6),
    ) {
        let mut diagram = support::train();
        let nails: Vec<Point> =
            nails.iter().map(|&(x, y)| Point::new(f64::from(x) * 20.0, f64::from(y) * 100.0)).collect();
        diagram.edges[0].nails = nails.iter().map(|&position| Nail { position, label: None }).collect();
        let scene = draw_diagram(&diagram);
        let line = scene.elements.iter().find(|element| {
            element.part == Part::EdgeLine && element.element == diagram.edges[0].element
        });
        let Shape::Path(path) = &line.unwrap().shape else { panic!("an edge is a path") };
        let points = path_points(path);
        for nail in nails {
            prop_assert!(points.contains(&nail), "{:?} is not in {:?}", nail, points);
        }
    }

    #[test]
    fn overlays_move_nothing(diagram in any_diagram(), marked in prop::collection::vec((any_id(), 0..6), 0..6)) {
        let scene = draw_diagram(&diagram);
        let mut overlays = Overlays::new();
        for (element, mark) in marked {
            let overlay = overlays.of(element);
            match mark {
                0 => overlay.token = true,
                1 => overlay.chosen = true,
                2 => overlay.finding = Some(FindingMark::Every),
                3 => overlay.finding = Some(FindingMark::Some),
                4 => overlay.order = "1 4\n<7>".to_owned(),
                _ => overlay.finding = Some(FindingMark::NotSeen),
            }
        }
        let with_marks = scene.with_overlays(&overlays);
        assert_finite(&with_marks);
        assert_well_formed(&with_marks);
        let is_mark = |part: Part| matches!(part, Part::Halo(_) | Part::FindingBadge(_) | Part::FindingGlyph(_) | Part::OrderBadge | Part::OrderText);
        let without_marks: Vec<_> =
            with_marks.elements.iter().filter(|element| !is_mark(element.part)).map(|element| &element.shape).collect();
        let before: Vec<_> = scene.elements.iter().map(|element| &element.shape).collect();
        prop_assert_eq!(without_marks, before);
    }

    #[test]
    fn sheets_keep_everything(diagrams in prop::collection::vec(any_diagram(), 0..4), columns in prop::option::of(0_usize..3)) {
        let scenes: Vec<Scene> = diagrams.iter().map(draw_diagram).collect();
        let sheet = arrange_on_sheet("sheet", &scenes, &SheetOptions { columns, gap: 10.0 });
        assert_well_formed(&sheet);
        prop_assert_eq!(sheet.elements.len(), scenes.iter().map(|scene| scene.elements.len()).sum::<usize>());
    }

    #[test]
    fn every_chart_is_drawn(
        names in prop::collection::vec(any_text(), 0..4),
        start in prop::collection::vec((0_usize..5, any_text()), 0..3),
        steps in prop::collection::vec(
            (0_usize..3, prop::option::of(0_usize..5), prop::collection::vec(0_usize..5, 0..4), any_text(), any_coordinate()),
            0..6,
        ),
        pixels in any_coordinate(),
    ) {
        let chart = SequenceChart {
            title: names.concat(),
            lifelines: names.iter().map(|name| Lifeline { element: ElementRef::from(name.as_str()), name: name.clone() }).collect(),
            start: start.into_iter().map(|(lifeline, name)| (LifelineIndex(lifeline), name)).collect(),
            steps: steps
                .into_iter()
                .map(|(kind, sender, others, text, length)| SequenceStep {
                    element: ElementRef::Chart(ChartPart::Step(1)),
                    event: match (kind, sender) {
                        (0, _) => SequenceEvent::Delay { text: text.clone(), length },
                        (1, Some(lifeline)) => {
                            SequenceEvent::Internal { lifeline: LifelineIndex(lifeline), label: text.clone() }
                        }
                        _ => SequenceEvent::Synchronisation {
                            sender: sender.map(LifelineIndex),
                            receivers: others.iter().copied().map(LifelineIndex).collect(),
                            label: text.clone(),
                        },
                    },
                    entered: others.into_iter().map(|lifeline| (LifelineIndex(lifeline), text.clone())).collect(),
                    note: text,
                })
                .collect(),
        };
        for scale in [TimeScale::Compressed, TimeScale::Proportional(pixels)] {
            let scene = draw_sequence(&chart, scale);
            assert_finite(&scene);
            assert_well_formed(&scene);
        }
        // A text of the user never starts a line.
        let statements = ["sequenceDiagram", "participant ", "actor ", "Note over ", "Note right of L", "L", "outside", "par ", "and", "end", "%% "];
        for line in write_mermaid(&chart).lines() {
            prop_assert!(statements.iter().any(|statement| line.trim_start().starts_with(statement)), "{}", line);
        }
        let statements = ["@startuml", "title ", "participant \"", "rnote over L", "note right of L", "...", "L", "[", "par ", "else", "end", "note across", "@enduml"];
        for line in write_plantuml(&chart).lines() {
            prop_assert!(statements.iter().any(|statement| line.trim_start().starts_with(statement)), "{}", line);
        }
    }
}
