//! Draws automata and sequence charts: from an abstract diagram to a scene to SVG.
//!
//! A [`Diagram`] holds locations, edges and labels, with the positions that the user gave them. [`draw_diagram`] lays
//! out elements without a position, routes edges, places labels, and creates a [`Scene`]: plain shapes and texts in
//! one plane, each with a stable reference to the element that it shows. [`write_svg`] writes a scene. A
//! [`SequenceChart`] can be drawn as a scene or written as Mermaid or PlantUML text. [`Overlays`] mark elements of a
//! scene (a token, a chosen edge, a finding) and never change the diagram.
//!
//! The crate does not know any language, model, trace or check: it is given texts and positions. It is total: for all
//! positions, ids and texts, the scene is finite and nothing panics. It is deterministic: the same diagram gives the
//! same bytes, so it uses square roots but no trigonometry, whose last digits differ between systems.
//!
//! ```
//! use tempora_draw::{Diagram, Edge, LabelKind, Node, NodeKind, SvgOptions, draw_diagram, write_svg};
//!
//! let mut lamp = Diagram::new("Lamp");
//! lamp.nodes.push(Node::new("Lamp/location/0", NodeKind::Location).initial().with_label(LabelKind::Name, "off"));
//! lamp.nodes.push(Node::new("Lamp/location/1", NodeKind::Location).with_label(LabelKind::Name, "on"));
//! lamp.edges.push(
//!     Edge::new("Lamp/edge/0", "Lamp/location/0", "Lamp/location/1")
//!         .with_label(LabelKind::Synchronisation, "press?"),
//! );
//! let scene = draw_diagram(&lamp);
//! let svg = write_svg(&scene, &SvgOptions::default());
//! assert!(svg.contains("data-element=\"Lamp/edge/0\""));
//! ```

mod colour;
mod diagram;
mod draw;
mod element_ref;
mod geometry;
mod layout;
mod overlay;
mod path;
mod scene;
mod sequence;
mod sheet;
mod skins;
mod svg;
mod text_metrics;

pub use colour::Colour;
pub use diagram::{Diagram, Edge, Label, LabelKind, Nail, Node, NodeKind, Port, Skin};
pub use draw::{DrawOptions, draw_diagram, draw_diagram_with};
pub use element_ref::{ChartPart, DiagramPart, ElementRef};
pub use geometry::{COORDINATE_LIMIT, Point, Rectangle};
pub use overlay::{Availability, FindingMark, Overlay, Overlays};
pub use path::{Path, Segment};
pub use scene::{Anchor, Part, Scene, SceneElement, Shape, TextBlock};
pub use sequence::{
    Lifeline, LifelineIndex, SequenceChart, SequenceEvent, SequenceStep, TimeScale, draw_sequence,
    write_mermaid, write_plantuml,
};
pub use sheet::{SheetOptions, arrange_on_sheet};
pub use svg::{SvgOptions, Theme, style_sheet, write_svg};
