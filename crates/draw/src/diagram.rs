//! The abstract diagram: what there is to draw, and where the user put it.
//!
//! Invariant: it is only data, and any of it may be wrong. Ids may be unknown or used twice, positions may be missing or
//! absurd, texts may be anything. [`draw_diagram`](crate::draw_diagram) copes with all of that.

use crate::colour::Colour;
use crate::element_ref::ElementRef;
use crate::geometry::Point;

/// One automaton, component or template.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Diagram {
    /// What the frame is marked with.
    pub element: ElementRef,
    /// The name above the diagram; may be empty.
    pub title: String,
    /// The text of the parameters, without brackets; may be empty.
    pub parameters: String,
    /// How it looks.
    pub skin: Skin,
    /// The colour of an Ecdar component.
    pub colour: Option<Colour>,
    /// Locations and branch points.
    pub nodes: Vec<Node>,
    /// Edges between them.
    pub edges: Vec<Edge>,
    /// What an Ecdar component receives; drawn at the left of its frame.
    pub inputs: Vec<Port>,
    /// What an Ecdar component sends; drawn at the right of its frame.
    pub outputs: Vec<Port>,
}

/// Which tool's look a diagram has.
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
    /// What it is.
    pub kind: NodeKind,
    /// Whether runs start here.
    pub initial: bool,
    /// The centre; automatic layout finds one where there is none.
    pub position: Option<Point>,
    /// The colour that the file gives it.
    pub colour: Option<Colour>,
    /// Its texts.
    pub labels: Vec<Label>,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum NodeKind {
    /// An ordinary location.
    #[default]
    Location,
    /// A location where time does not pass.
    Urgent,
    /// A location that must be left at once.
    Committed,
    /// A location that Ecdar marks as not to be reached.
    Prohibited,
    /// Where an edge splits into weighted branches.
    BranchPoint,
    /// Ecdar: anything may happen from here on.
    Universal,
    /// Ecdar: nothing may happen any more.
    Inconsistent,
}

/// A text that belongs to a node or an edge.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// Its own stable id, if it has one; otherwise it goes by the id of its owner.
    pub element: Option<ElementRef>,
    /// What it says.
    pub kind: LabelKind,
    /// The text; may have several lines. A blank text counts as no label.
    pub text: String,
    /// Its upper left corner; a free place is found where there is none.
    pub position: Option<Point>,
}

/// What a label says. The order is the order in which labels without a position are stacked.
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
    /// The values that an edge is chosen for.
    Select,
    /// When an edge can be taken.
    Guard,
    /// The channel of an edge, with its direction.
    Synchronisation,
    /// What an edge assigns.
    Update,
    /// The weight of an edge out of a branch point.
    Probability,
    /// A remark for people.
    Comment,
    /// Code for generated tests.
    TestCode,
}

/// An edge.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// The stable id.
    pub element: ElementRef,
    /// The node where it starts. An unknown id is drawn as a dotted circle.
    pub source: ElementRef,
    /// The node where it ends. An unknown id is drawn as a dotted circle.
    pub target: ElementRef,
    /// Points it passes, from source to target.
    pub nails: Vec<Nail>,
    /// Its texts.
    pub labels: Vec<Label>,
    /// False for uncontrollable edges and for Ecdar's outputs, which are dashed.
    pub controllable: bool,
    /// The colour that the file gives it.
    pub colour: Option<Colour>,
}

/// A point that an edge passes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nail {
    /// Where it is.
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
    /// An empty diagram in the UPPAAL skin; its title is also its element id.
    pub fn new(title: impl Into<String>) -> Diagram {
        let title = title.into();
        Diagram { element: ElementRef::diagram(title.clone()), title, ..Diagram::default() }
    }

    /// Gives the diagram another title, and its elements the references of a diagram with that title.
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
    /// A node without a position and without labels.
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

    /// The same node, where runs start.
    pub fn initial(mut self) -> Node {
        self.initial = true;
        self
    }

    /// The same node with its centre at this place.
    pub fn at(mut self, x: f64, y: f64) -> Node {
        self.position = Some(Point::new(x, y));
        self
    }

    /// The same node with one more label.
    pub fn with_label(mut self, kind: LabelKind, text: impl Into<String>) -> Node {
        self.labels.push(Label::new(kind, text));
        self
    }
}

impl Edge {
    /// A controllable edge without nails and labels.
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

    /// The same edge with one more nail.
    pub fn with_nail(mut self, x: f64, y: f64) -> Edge {
        self.nails.push(Nail { position: Point::new(x, y), label: None });
        self
    }

    /// The same edge with one more label.
    pub fn with_label(mut self, kind: LabelKind, text: impl Into<String>) -> Edge {
        self.labels.push(Label::new(kind, text));
        self
    }

    /// The same edge, dashed.
    pub fn uncontrollable(mut self) -> Edge {
        self.controllable = false;
        self
    }
}

impl Label {
    /// A label without a position.
    pub fn new(kind: LabelKind, text: impl Into<String>) -> Label {
        Label { element: None, kind, text: text.into(), position: None }
    }

    /// The same label with its upper left corner at this place.
    pub fn at(mut self, x: f64, y: f64) -> Label {
        self.position = Some(Point::new(x, y));
        self
    }
}

impl NodeKind {
    /// What people call it, for tooltips.
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
    /// What people call it; also its class in SVG.
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
