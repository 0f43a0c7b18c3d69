//! Draws a diagram: computes the layout, then paints the skin.
//!
//! Invariant: the result depends only on the diagram and the options.

use crate::diagram::{Diagram, LabelKind};
use crate::layout::{graph::Graph, lay_out};
use crate::scene::Scene;
use crate::skins;

/// Options of drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct DrawOptions {
    /// Whether comments and test code are drawn; tooltips always contain them.
    pub comments: bool,
}

impl DrawOptions {
    /// Returns whether labels of this kind are drawn beside their owner.
    pub(crate) fn draws(&self, kind: LabelKind) -> bool {
        match kind {
            LabelKind::Comment | LabelKind::TestCode => self.comments,
            // The skin draws it inside the location, or not at all.
            LabelKind::Identifier => false,
            _ => true,
        }
    }
}

/// Draws a diagram with default options.
pub fn draw_diagram(diagram: &Diagram) -> Scene {
    draw_diagram_with(diagram, &DrawOptions::default())
}

/// Draws a diagram.
pub fn draw_diagram_with(diagram: &Diagram, options: &DrawOptions) -> Scene {
    let graph = Graph::of_diagram(diagram, options);
    let layout = lay_out(&graph);
    Scene::new(&diagram.title, skins::paint(diagram, &graph, &layout))
}
