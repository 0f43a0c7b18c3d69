//! Sequence charts: the synchronisations, internal steps and delays of a run.
//!
//! A [`SequenceChart`] is plain data; [`draw_sequence`] draws it as a scene, and [`write_mermaid`] and
//! [`write_plantuml`] write it for other tools. Invariant: all three show the same lifelines and steps in the same
//! order. An invalid index of a lifeline refers to an additional lifeline named `?`, so that the mistake is visible.

mod drawing;
mod mermaid;
mod plantuml;

pub use drawing::{TimeScale, draw_sequence};
pub use mermaid::write_mermaid;
pub use plantuml::write_plantuml;

use crate::element_ref::ElementRef;

/// A sequence chart, from top to bottom.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct SequenceChart {
    /// The title; may be empty.
    pub title: String,
    /// The processes, from left to right.
    pub lifelines: Vec<Lifeline>,
    /// The initial locations of the processes.
    pub start: Vec<(LifelineIndex, String)>,
    /// The steps.
    pub steps: Vec<SequenceStep>,
}

/// The lifeline of one process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lifeline {
    /// The stable id.
    pub element: ElementRef,
    /// The name at the top.
    pub name: String,
}

/// The index of a lifeline of a chart, counted from zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LifelineIndex(pub usize);

/// One step of a trace.
#[derive(Clone, Debug, PartialEq)]
pub struct SequenceStep {
    /// The stable id of the step.
    pub element: ElementRef,
    /// The event.
    pub event: SequenceEvent,
    /// The locations that processes enter.
    pub entered: Vec<(LifelineIndex, String)>,
    /// Additional information, such as changed values; may be empty.
    pub note: String,
}

/// The event of a step.
#[derive(Clone, Debug, PartialEq)]
pub enum SequenceEvent {
    /// Time passes.
    Delay {
        /// The duration, as shown.
        text: String,
        /// The duration, for charts to scale.
        length: f64,
    },
    /// One process takes an internal step.
    Internal {
        /// The process.
        lifeline: LifelineIndex,
        /// The text of the step; may be empty.
        label: String,
    },
    /// One process sends and others receive at the same moment.
    Synchronisation {
        /// The sender; `None` for the environment.
        sender: Option<LifelineIndex>,
        /// The receivers. A broadcast may have many receivers or none.
        receivers: Vec<LifelineIndex>,
        /// The channel.
        label: String,
    },
}

impl SequenceChart {
    /// Returns the lifelines, with an additional lifeline if some step has an invalid index.
    fn all_lifelines(&self) -> Vec<Lifeline> {
        let mut lifelines = self.lifelines.clone();
        let entered = self.steps.iter().flat_map(|step| &step.entered).chain(&self.start);
        let mut used =
            entered.map(|(lifeline, _)| *lifeline).chain(self.steps.iter().flat_map(
                |step| match &step.event {
                    SequenceEvent::Delay { .. } => Vec::new(),
                    SequenceEvent::Internal { lifeline, .. } => vec![*lifeline],
                    SequenceEvent::Synchronisation { sender, receivers, .. } => {
                        sender.iter().chain(receivers).copied().collect()
                    }
                },
            ));
        if used.any(|lifeline| lifeline.0 >= self.lifelines.len()) {
            lifelines.push(Lifeline { element: ElementRef::Unknown("?".to_owned()), name: "?".to_owned() });
        }
        lifelines
    }

    /// Returns the position of a lifeline in [`SequenceChart::all_lifelines`].
    fn place_of(&self, lifeline: LifelineIndex) -> usize {
        lifeline.0.min(self.lifelines.len())
    }

    fn has_messages_from_outside(&self) -> bool {
        self.steps
            .iter()
            .any(|step| matches!(step.event, SequenceEvent::Synchronisation { sender: None, .. }))
    }
}
