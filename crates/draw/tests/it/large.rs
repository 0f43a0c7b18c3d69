//! Large and degenerate diagrams: the tests check termination, since quadratic algorithms would not finish.
//!
//! Invariant: no test asserts a time.

use tempora_draw::{Diagram, Edge, LabelKind, Node, NodeKind, SvgOptions, draw_diagram, write_svg};

const COUNT: usize = 10_000;

fn diagram(place: impl Fn(usize) -> Option<(f64, f64)>, edges: impl Fn(usize) -> Vec<usize>) -> Diagram {
    let mut diagram = Diagram::new("large");
    for index in 0..COUNT {
        let mut node = Node::new(format!("location/{index}"), NodeKind::Location)
            .with_label(LabelKind::Name, format!("L{index}"))
            .with_label(LabelKind::Invariant, "x <= 10");
        if let Some((x, y)) = place(index) {
            node = node.at(x, y);
        }
        node.initial = index == 0;
        diagram.nodes.push(node);
        for target in edges(index) {
            diagram.edges.push(
                Edge::new(
                    format!("edge/{index}/{target}"),
                    format!("location/{index}"),
                    format!("location/{target}"),
                )
                .with_label(LabelKind::Guard, "x >= 5 && y < 7")
                .with_label(LabelKind::Update, "x = 0"),
            );
        }
    }
    diagram
}

fn assert_drawn(diagram: &Diagram) {
    let scene = draw_diagram(diagram);
    let bounds = scene.bounds;
    assert!([bounds.left, bounds.top, bounds.right, bounds.bottom].iter().all(|side| side.is_finite()));
    assert!(scene.elements.len() >= diagram.nodes.len() + diagram.edges.len());
    assert!(write_svg(&scene, &SvgOptions::default()).ends_with("</svg>\n"));
}

/// Returns deterministic pseudo-random numbers.
fn scattered(index: usize, salt: usize) -> usize {
    let mixed = (index as u64 * 2 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(salt as u32 * 7 + 3);
    (mixed % COUNT as u64) as usize
}

#[test]
fn draws_long_chain() {
    assert_drawn(&diagram(|_| None, |index| vec![(index + 1) % COUNT]));
}

#[test]
fn draws_dense_graph() {
    assert_drawn(&diagram(|_| None, |index| vec![scattered(index, 1), scattered(index, 4)]));
}

#[test]
fn draws_star() {
    assert_drawn(&diagram(|_| None, |index| vec![0, index]));
}

#[test]
fn draws_grid_with_positions() {
    let place = |index: usize| Some(((index % 100) as f64 * 150.0, (index / 100) as f64 * 120.0));
    assert_drawn(&diagram(place, |index| vec![(index + 1) % COUNT, (index + 100) % COUNT]));
}

#[test]
fn draws_nodes_at_two_points() {
    let place = |index: usize| Some(if index.is_multiple_of(3) { (7.0, 7.0) } else { (200.0, 7.0) });
    assert_drawn(&diagram(place, |index| vec![(index + 1) % COUNT, index]));
}

#[test]
fn lays_out_nodes_at_one_point() {
    let one_spot = diagram(|_| Some((7.0, 7.0)), |index| vec![(index + 1) % COUNT, index]);
    assert_drawn(&one_spot);
    assert!(draw_diagram(&one_spot).bounds.height() > 10_000.0);
}

#[test]
fn draws_graph_with_single_position() {
    let place = |index: usize| (index == 0).then_some((0.0, 0.0));
    assert_drawn(&diagram(place, |index| vec![scattered(index, 2), 0]));
}
