//! The abstract diagram: the elements to draw, with the positions that the user gave them.
//!
//! A diagram is plain data without an invariant: ids may be unknown or used twice, positions may be missing or
//! absurd, and texts are arbitrary. [`draw_diagram`](crate::draw_diagram) handles all of this.

use crate::colour::Colour;
use crate::element_ref::ElementRef;
use crate::geometry::Point;

/// One automaton, component or template.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Diagram {
    /// The reference on the frame.
    pub element: ElementRef,
    /// The name above the diagram; may be empty.
    pub title: String,
    /// The text of the parameters, without brackets; may be empty.
    pub parameters: String,
    /// The look.
    pub skin: Skin,
    /// The colour of an Ecdar component.
    pub colour: Option<Colour>,
    /// Locations and branch points.
    pub nodes: Vec<Node>,
    /// Edges between them.
    pub edges: Vec<Edge>,
    /// The inputs of an Ecdar component, drawn at the left of its frame.
    pub inputs: Vec<Port>,
    /// The outputs of an Ecdar component, drawn at the right of its frame.
    pub outputs: Vec<Port>,
}

/// The tool whose look a diagram has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Skin {
    /// Discs, free coloured texts, no frame.
    #[default]
    Uppaal,
    /// Discs in the colour of the component, boxed tags, a frame with ports.
    Ecdar,
}

/// A location or a branch point.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The stable id.
    pub element: ElementRef,
    /// The kind of node.
    pub kind: NodeKind,
    /// Whether it is initial.
    pub initial: bool,
    /// The centre; automatic layout chooses a missing one.
    pub position: Option<Point>,
    /// The colour that the file gives it.
    pub colour: Option<Colour>,
    /// Its texts.
    pub labels: Vec<Label>,
}

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum NodeKind {
    /// An ordinary location.
    #[default]
    Location,
    /// An urgent location.
    Urgent,
    /// A committed location.
    Committed,
    /// Ecdar: a location that must not be reached.
    Prohibited,
    /// A branch point, at which an edge splits into weighted branches.
    BranchPoint,
    /// Ecdar: a location that allows any behaviour.
    Universal,
    /// Ecdar: a location that allows no behaviour.
    Inconsistent,
}

/// A text that belongs to a node or an edge.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// Its stable id; `None` stands for the id of its owner.
    pub element: Option<ElementRef>,
    /// The kind of label.
    pub kind: LabelKind,
    /// The text; may have several lines. A blank text counts as no label.
    pub text: String,
    /// Its upper left corner; layout chooses a missing one.
    pub position: Option<Point>,
}

/// The kind of a label. Labels without a position are stacked in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LabelKind {
    /// The name of a location.
    Name,
    /// A short id that the Ecdar skin writes inside the location.
    Identifier,
    /// The invariant of a location.
    Invariant,
    /// The exponential rate of a location.
    Rate,
    /// The select of an edge.
    Select,
    /// The guard of an edge.
    Guard,
    /// The channel of an edge, with its direction.
    Synchronisation,
    /// The update of an edge.
    Update,
    /// The weight of an edge out of a branch point.
    Probability,
    /// A comment.
    Comment,
    /// Code for generated tests.
    TestCode,
}

/// An edge.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// The stable id.
    pub element: ElementRef,
    /// The source node. An unknown id is drawn as a dotted circle.
    pub source: ElementRef,
    /// The target node. An unknown id is drawn as a dotted circle.
    pub target: ElementRef,
    /// Points on its line, from source to target.
    pub nails: Vec<Nail>,
    /// Its texts.
    pub labels: Vec<Label>,
    /// Whether it is controllable; uncontrollable edges and outputs of Ecdar are dashed.
    pub controllable: bool,
    /// The colour that the file gives it.
    pub colour: Option<Colour>,
}

/// A point on the line of an edge.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nail {
    /// The position.
    pub position: Point,
    /// Ecdar: the label whose glyph is drawn on the nail.
    pub label: Option<LabelKind>,
}

/// An action at the frame of an Ecdar component.
#[derive(Clone, Debug, PartialEq)]
pub struct Port {
    /// The stable id.
    pub element: ElementRef,
    /// The name of the action.
    pub name: String,
}

impl Diagram {
    /// Creates an empty diagram in the UPPAAL skin; its title is also its element id.
    pub fn new(title: impl Into<String>) -> Diagram {
        let title = title.into();
        Diagram { element: ElementRef::diagram(title.clone()), title, ..Diagram::default() }
    }

    /// Changes the title of the diagram, and the references of its elements accordingly.
    pub fn rename(&mut self, title: &str) {
        title.clone_into(&mut self.title);
        self.element.rename_diagram(title);
        for node in &mut self.nodes {
            node.element.rename_diagram(title);
        }
        for edge in &mut self.edges {
            for element in [&mut edge.element, &mut edge.source, &mut edge.target] {
                element.rename_diagram(title);
            }
        }
        let of_nodes = self.nodes.iter_mut().flat_map(|node| &mut node.labels);
        let of_edges = self.edges.iter_mut().flat_map(|edge| &mut edge.labels);
        for element in of_nodes.chain(of_edges).filter_map(|label| label.element.as_mut()) {
            element.rename_diagram(title);
        }
        for port in self.inputs.iter_mut().chain(&mut self.outputs) {
            port.element.rename_diagram(title);
        }
    }
}

impl Node {
    /// Creates a node without a position and without labels.
    pub fn new(element: impl Into<ElementRef>, kind: NodeKind) -> Node {
        Node {
            element: element.into(),
            kind,
            initial: false,
            position: None,
            colour: None,
            labels: Vec::new(),
        }
    }

    /// Marks the node as initial.
    pub fn initial(mut self) -> Node {
        self.initial = true;
        self
    }

    /// Sets the centre.
    pub fn at(mut self, x: f64, y: f64) -> Node {
        self.position = Some(Point::new(x, y));
        self
    }

    /// Adds a label.
    pub fn with_label(mut self, kind: LabelKind, text: impl Into<String>) -> Node {
        self.labels.push(Label::new(kind, text));
        self
    }
}

impl Edge {
    /// Creates a controllable edge without nails and labels.
    pub fn new(
        element: impl Into<ElementRef>,
        source: impl Into<ElementRef>,
        target: impl Into<ElementRef>,
    ) -> Edge {
        Edge {
            element: element.into(),
            source: source.into(),
            target: target.into(),
            nails: Vec::new(),
            labels: Vec::new(),
            controllable: true,
            colour: None,
        }
    }

    /// Adds a nail.
    pub fn with_nail(mut self, x: f64, y: f64) -> Edge {
        self.nails.push(Nail { position: Point::new(x, y), label: None });
        self
    }

    /// Adds a label.
    pub fn with_label(mut self, kind: LabelKind, text: impl Into<String>) -> Edge {
        self.labels.push(Label::new(kind, text));
        self
    }

    /// Marks the edge as uncontrollable.
    pub fn uncontrollable(mut self) -> Edge {
        self.controllable = false;
        self
    }
}

impl Label {
    /// Creates a label without a position.
    pub fn new(kind: LabelKind, text: impl Into<String>) -> Label {
        Label { element: None, kind, text: text.into(), position: None }
    }

    /// Sets the upper left corner.
    pub fn at(mut self, x: f64, y: f64) -> Label {
        self.position = Some(Point::new(x, y));
        self
    }
}

impl NodeKind {
    /// Returns the description in tooltips.
    pub(crate) fn description(self) -> &'static str {
        match self {
            NodeKind::Location => "location",
            NodeKind::Urgent => "urgent location",
            NodeKind::Committed => "committed location",
            NodeKind::Prohibited => "prohibited location",
            NodeKind::BranchPoint => "branch point",
            NodeKind::Universal => "universal location",
            NodeKind::Inconsistent => "inconsistent location",
        }
    }
}

impl LabelKind {
    /// Returns the name, which is also the class in SVG.
    pub fn name(self) -> &'static str {
        match self {
            LabelKind::Name => "name",
            LabelKind::Identifier => "identifier",
            LabelKind::Invariant => "invariant",
            LabelKind::Rate => "rate",
            LabelKind::Select => "select",
            LabelKind::Guard => "guard",
            LabelKind::Synchronisation => "synchronisation",
            LabelKind::Update => "update",
            LabelKind::Probability => "probability",
            LabelKind::Comment => "comment",
            LabelKind::TestCode => "test-code",
        }
    }
}
