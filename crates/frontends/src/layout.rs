//! The layout of a component, independent of the language.
//!
//! Invariant: a component's layout has one entry for each location and each edge, in the order of the trees. Positions
//! that the author has not set are `None`; writers choose them.

use tempora_source::Files;
use tempora_syntax::ast;

use crate::uppaal::{LabelElement, LabelKind, Position, Template, XmlDocument};

/// A position in the units of the diagram.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LayoutPoint {
    /// The distance from the left.
    pub x: f64,
    /// The distance from the top.
    pub y: f64,
}

/// A point through which an edge runs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bend {
    /// Its position.
    pub place: LayoutPoint,
    /// The label that is attached to it.
    pub label: Option<EdgeLabel>,
}

/// The labels of edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names say it")]
pub enum EdgeLabel {
    Select,
    Guard,
    Synchronisation,
    Update,
}

impl EdgeLabel {
    /// All labels, in the order in which they are drawn.
    pub const ALL: [EdgeLabel; 4] =
        [EdgeLabel::Select, EdgeLabel::Guard, EdgeLabel::Synchronisation, EdgeLabel::Update];
}

/// The layout of a location.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LocationLayout {
    /// Its position.
    pub place: Option<LayoutPoint>,
    /// The position of its name.
    pub name: Option<LayoutPoint>,
    /// The position of its invariant.
    pub invariant: Option<LayoutPoint>,
    /// The colour, as `#rrggbb`.
    pub colour: Option<String>,
    /// The text that is shown instead of its name.
    pub nickname: Option<String>,
}

/// The layout of an edge.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct EdgeLayout {
    /// Its bends, starting at the source.
    pub bends: Vec<Bend>,
    /// The positions of its labels, in the order of [`EdgeLabel::ALL`].
    pub labels: [Option<LayoutPoint>; 4],
    /// The colour, as `#rrggbb`.
    pub colour: Option<String>,
}

/// The layout of a component.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ComponentLayout {
    /// The name of the component.
    pub component: String,
    /// The author's description.
    pub description: String,
    /// The colour, as `#rrggbb`.
    pub colour: Option<String>,
    /// The upper left corner of its frame.
    pub corner: Option<LayoutPoint>,
    /// The width and height of its frame.
    pub size: Option<(f64, f64)>,
    /// Its locations.
    pub locations: Vec<LocationLayout>,
    /// Its edges.
    pub edges: Vec<EdgeLayout>,
}

impl ComponentLayout {
    /// Returns the layout of a document's template.
    pub(crate) fn of_document(
        files: &Files,
        document: &XmlDocument,
        process: &ast::ProcessDeclaration,
    ) -> Option<Self> {
        let is_named = |template: &&Template| {
            template.name.is_some_and(|name| files.text(name.file).trim() == process.name.text)
        };
        let template = document.templates.iter().find(is_named)?;
        let locations = template.locations.iter().map(|location| LocationLayout {
            place: place(location.position),
            name: place(location.name_position),
            invariant: label_place(&location.labels, LabelKind::Invariant),
            colour: location.colour.map(|colour| colour.text(files)),
            nickname: None,
        });
        let edges = template.transitions.iter().map(|transition| EdgeLayout {
            bends: transition
                .nails
                .iter()
                .filter_map(|nail| place(*nail).map(|place| Bend { place, label: None }))
                .collect(),
            labels: [LabelKind::Select, LabelKind::Guard, LabelKind::Synchronisation, LabelKind::Assignment]
                .map(|kind| label_place(&transition.labels, kind)),
            colour: transition.colour.map(|colour| colour.text(files)),
        });
        let layout = ComponentLayout {
            component: process.name.text.clone(),
            locations: locations.collect(),
            edges: edges.collect(),
            ..ComponentLayout::default()
        };
        // If the document has parts that were not parsed, its layout does not fit the tree.
        let fits =
            layout.locations.len() == process.locations.len() && layout.edges.len() == process.edges.len();
        fits.then_some(layout)
    }
}

fn label_place(labels: &[LabelElement], kind: LabelKind) -> Option<LayoutPoint> {
    labels.iter().find(|label| label.kind == Some(kind)).and_then(|label| place(label.position))
}

fn place(position: Position) -> Option<LayoutPoint> {
    Some(LayoutPoint { x: position.x?.value, y: position.y?.value })
}
