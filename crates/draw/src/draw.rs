//! From a diagram to a scene: layout, then the skin.
//!
//! Invariant: the result depends on the diagram and the options alone.

use crate::diagram::{Diagram, LabelKind};
use crate::layout::{graph::Graph, lay_out};
use crate::scene::Scene;
use crate::skins;

/// What is drawn of a diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct DrawOptions {
    /// Whether comments and test code are drawn; tooltips say them anyway.
    pub comments: bool,
}

impl DrawOptions {
    /// Whether labels of this kind are texts beside their owner.
    pub(crate) fn draws(&self, kind: LabelKind) -> bool {
        match kind {
            LabelKind::Comment | LabelKind::TestCode => self.comments,
            // The skin writes it inside the location, or not at all.
            LabelKind::Identifier => false,
            _ => true,
        }
    }
}

/// The scene of a diagram, with the usual options.
pub fn draw_diagram(diagram: &Diagram) -> Scene {
    draw_diagram_with(diagram, &DrawOptions::default())
}

/// The scene of a diagram.
pub fn draw_diagram_with(diagram: &Diagram, options: &DrawOptions) -> Scene {
    let graph = Graph::of_diagram(diagram, options);
    let layout = lay_out(&graph);
    Scene::new(&diagram.title, skins::paint(diagram, &graph, &layout))
}
