//! Sequence charts: who did what with whom, and how much time passed between.
//!
//! A [`SequenceChart`] is plain data; [`draw_sequence`] makes a scene of it, [`write_mermaid`] and [`write_plantuml`] make
//! text for other tools. Invariant: all three show the same lifelines and steps in the same order. An index of a lifeline
//! that does not exist means one more lifeline, named `?`, so that the mistake is seen.

mod drawing;
mod mermaid;
mod plantuml;

pub use drawing::{TimeScale, draw_sequence};
pub use mermaid::write_mermaid;
pub use plantuml::write_plantuml;

use crate::element_ref::ElementRef;

/// What happened, from top to bottom.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct SequenceChart {
    /// What it is called; may be empty.
    pub title: String,
    /// The processes, from left to right.
    pub lifelines: Vec<Lifeline>,
    /// Where the processes are at the start.
    pub start: Vec<(LifelineIndex, String)>,
    /// The steps.
    pub steps: Vec<SequenceStep>,
}

/// One process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lifeline {
    /// The stable id.
    pub element: ElementRef,
    /// The name at the top.
    pub name: String,
}

/// Which lifeline of a chart, counted from zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LifelineIndex(pub usize);

/// One step of a trace.
#[derive(Clone, Debug, PartialEq)]
pub struct SequenceStep {
    /// The stable id of the step.
    pub element: ElementRef,
    /// What happens.
    pub event: SequenceEvent,
    /// Which locations are entered.
    pub entered: Vec<(LifelineIndex, String)>,
    /// What else is worth to say, such as values that changed; may be empty.
    pub note: String,
}

/// What happens in a step.
#[derive(Clone, Debug, PartialEq)]
pub enum SequenceEvent {
    /// Time passes.
    Delay {
        /// How long, as it is shown.
        text: String,
        /// How long, for charts to scale.
        length: f64,
    },
    /// One process does something alone.
    Internal {
        /// Which.
        lifeline: LifelineIndex,
        /// What; may be empty.
        label: String,
    },
    /// One process sends and others receive at the same moment.
    Synchronisation {
        /// Who sends; nobody if it comes from outside.
        sender: Option<LifelineIndex>,
        /// Who receives. A broadcast may have many receivers or none.
        receivers: Vec<LifelineIndex>,
        /// The channel.
        label: String,
    },
}

impl SequenceChart {
    /// The lifelines, and one more if some step means one that does not exist.
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

    /// The place of a lifeline among [`SequenceChart::all_lifelines`].
    fn place_of(&self, lifeline: LifelineIndex) -> usize {
        lifeline.0.min(self.lifelines.len())
    }

    fn has_messages_from_outside(&self) -> bool {
        self.steps
            .iter()
            .any(|step| matches!(step.event, SequenceEvent::Synchronisation { sender: None, .. }))
    }
}
