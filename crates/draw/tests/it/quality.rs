//! Measures the quality of automatic layout on graphs of typical size.
//!
//! Invariant: the graphs are the same on every run, so that only a change of the layout can change a number.

use tempora_draw::{
    Diagram, Edge, LabelKind, Node, NodeKind, Part, Point, Rectangle, Scene, Shape, draw_diagram,
};

/// A generator of pseudo-random numbers (Marsaglia 2003, "Xorshift RNGs").
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

/// Creates a connected automaton with about as many edges and labels as those of public models.
fn automaton(numbers: &mut Numbers, has_places: bool) -> Diagram {
    let count = 3 + numbers.below(20);
    let mut diagram = Diagram::new("Automaton");
    let guards = ["x >= 3", "x <= 10 && y > 2", "len == 0", "TM < dead[id] + next[id] * (MAX - OFF)"];
    let syncs = ["go!", "appr[id]?", "leave[front()]!"];
    let updates = ["x = 0", "x = 0,\ny = 0", "enqueue(e), len = len + 1"];
    for index in 0..count {
        let mut node = Node::new(format!("location/{index}"), NodeKind::Location);
        node.initial = index == 0;
        if has_places {
            node =
                node.at((index % 4) as f64 * 210.0, (index / 4) as f64 * 170.0 + (index % 2) as f64 * 30.0);
        }
        if numbers.below(3) > 0 {
            node = node.with_label(LabelKind::Name, format!("Location{index}"));
        }
        if numbers.below(3) == 0 {
            node = node.with_label(LabelKind::Invariant, "x <= 20");
        }
        diagram.nodes.push(node);
    }
    let edges = count + numbers.below(count);
    for index in 0..edges {
        // The first edges reach every node; the others go anywhere.
        let (source, target) = if index + 1 < count {
            (numbers.below(index + 1), index + 1)
        } else {
            (numbers.below(count), numbers.below(count))
        };
        let (source, target) = (format!("location/{source}"), format!("location/{target}"));
        let mut edge = Edge::new(format!("edge/{index}"), source, target);
        if numbers.below(2) == 0 {
            edge = edge.with_label(LabelKind::Guard, guards[numbers.below(guards.len())]);
        }
        if numbers.below(2) == 0 {
            edge = edge.with_label(LabelKind::Synchronisation, syncs[numbers.below(syncs.len())]);
        }
        if numbers.below(2) == 0 {
            edge = edge.with_label(LabelKind::Update, updates[numbers.below(updates.len())]);
        }
        diagram.edges.push(edge);
    }
    diagram
}

#[derive(Debug, Default)]
struct Flaws {
    labels: usize,
    labels_on_labels: usize,
    labels_on_nodes: usize,
    labels_on_lines: usize,
    lines_through_nodes: usize,
}

fn overlap(left: Rectangle, right: Rectangle) -> bool {
    let width = left.right.min(right.right) - left.left.max(right.left);
    let height = left.bottom.min(right.bottom) - left.top.max(right.top);
    // An overlap of less than a pixel is invisible, because letters do not fill their line.
    width > 1.0 && height > 1.0
}

fn crosses(box_: Rectangle, points: &[Point]) -> bool {
    let is_inside = |point: Point| {
        point.x > box_.left && point.x < box_.right && point.y > box_.top && point.y < box_.bottom
    };
    points.windows(2).any(|pair| {
        (0..=64).any(|step| {
            let share = f64::from(step) / 64.0;
            let (from, to) = (pair[0], pair[1]);
            is_inside(Point::new(from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share))
        })
    })
}

fn measure(scene: &Scene, flaws: &mut Flaws) {
    let mut labels = Vec::new();
    let mut nodes = Vec::new();
    let mut lines = Vec::new();
    for element in &scene.elements {
        match (element.part, &element.shape) {
            (Part::Label(_), shape) => labels.push(shape.bounds()),
            (Part::Location, shape) => nodes.push(shape.bounds()),
            (Part::EdgeLine, Shape::Path(path)) => lines.push(path.samples()),
            _ => {}
        }
    }
    flaws.labels += labels.len();
    for (index, label) in labels.iter().enumerate() {
        flaws.labels_on_labels += labels[..index].iter().filter(|other| overlap(*label, **other)).count();
        flaws.labels_on_nodes += nodes.iter().filter(|node| overlap(*label, **node)).count();
        flaws.labels_on_lines += usize::from(lines.iter().any(|line| crosses(*label, line)));
    }
    for node in &nodes {
        // Well inside the disc; lines end on the rim of their own nodes.
        let core = node.grown(-4.0);
        flaws.lines_through_nodes += lines.iter().filter(|line| crosses(core, line)).count();
    }
}

fn flaws_of(count: usize, has_places: bool) -> Flaws {
    let mut numbers = Numbers(0x2545_f491_4f6c_dd1d);
    let mut flaws = Flaws::default();
    for _ in 0..count {
        measure(&draw_diagram(&automaton(&mut numbers, has_places)), &mut flaws);
    }
    flaws
}

#[test]
fn automatic_layout_has_few_overlaps() {
    let flaws = flaws_of(200, false);
    println!("{flaws:?}");
    assert!(flaws.labels > 3000, "{flaws:?}");
    assert!(flaws.labels_on_labels * 1000 <= flaws.labels, "{flaws:?}");
    assert!(flaws.labels_on_nodes * 1000 <= flaws.labels, "{flaws:?}");
    assert!(flaws.labels_on_lines * 100 <= flaws.labels * 4, "{flaws:?}");
    assert!(flaws.lines_through_nodes * 1000 <= flaws.labels, "{flaws:?}");
}

#[test]
fn labels_avoid_overlaps_around_given_nodes() {
    // Straight lines between given nodes may cross anything; labels should still avoid each other.
    let flaws = flaws_of(200, true);
    println!("{flaws:?}");
    assert!(flaws.labels_on_labels * 100 <= flaws.labels * 2, "{flaws:?}");
    assert!(flaws.labels_on_nodes * 100 <= flaws.labels * 2, "{flaws:?}");
}
