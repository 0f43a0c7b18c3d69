//! Where the parts of a component are drawn, whatever language says so.
//!
//! Invariant: there is one layout for each location and one for each edge, in the order of the trees. What nobody has
//! placed has no place; a writer finds one for it.

use tempora_source::Files;
use tempora_syntax::ast;

use crate::uppaal::{LabelElement, LabelKind, Position, Template, XmlDocument};

/// A place, in the units of the diagram: from the left and from the top.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Place {
    /// From the left.
    pub x: f64,
    /// From the top.
    pub y: f64,
}

/// A place that an edge runs through.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bend {
    /// Where.
    pub place: Place,
    /// The label that is attached to it, if one is.
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
    /// All of them, in the order in which they are drawn.
    pub const ALL: [EdgeLabel; 4] =
        [EdgeLabel::Select, EdgeLabel::Guard, EdgeLabel::Synchronisation, EdgeLabel::Update];
}

/// How a location is drawn.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LocationLayout {
    /// Where.
    pub place: Option<Place>,
    /// Where its name is.
    pub name: Option<Place>,
    /// Where its invariant is.
    pub invariant: Option<Place>,
    /// The colour, as `#rrggbb`.
    pub colour: Option<String>,
    /// What is shown in place of its name.
    pub nickname: Option<String>,
}

/// How an edge is drawn.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct EdgeLayout {
    /// Where it bends, from the source on.
    pub bends: Vec<Bend>,
    /// Where its labels are, in the order of [`EdgeLabel::ALL`].
    pub labels: [Option<Place>; 4],
    /// The colour, as `#rrggbb`.
    pub colour: Option<String>,
}

/// How a component is drawn.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ComponentLayout {
    /// The name of the component.
    pub component: String,
    /// What its author says about it.
    pub description: String,
    /// The colour, as `#rrggbb`.
    pub colour: Option<String>,
    /// The upper left corner of its frame.
    pub corner: Option<Place>,
    /// The width and height of its frame.
    pub size: Option<(f64, f64)>,
    /// Its locations.
    pub locations: Vec<LocationLayout>,
    /// Its edges.
    pub edges: Vec<EdgeLayout>,
}

impl ComponentLayout {
    /// The layout of a template of a document.
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
        // A document with parts that were not understood is laid out anew.
        let fits =
            layout.locations.len() == process.locations.len() && layout.edges.len() == process.edges.len();
        fits.then_some(layout)
    }
}

fn label_place(labels: &[LabelElement], kind: LabelKind) -> Option<Place> {
    labels.iter().find(|label| label.kind == Some(kind)).and_then(|label| place(label.position))
}

fn place(position: Position) -> Option<Place> {
    Some(Place { x: position.x?.value, y: position.y?.value })
}
