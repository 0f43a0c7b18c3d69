//! A component that was computed.
//!
//! Invariant: edges run between locations that there are, the first of which is initial; conditions and updates speak of the
//! clocks of the component only. A list of conditions is their conjunction.

use crate::channel_path::ChannelPath;
use crate::expression::Comparison;
use crate::{EdgeId, LocationId, MadeClockId, Table};

/// A component that was computed.
#[derive(Clone, PartialEq, Debug)]
pub struct MadeComponent {
    /// What it is to be called, if the question says so.
    pub name: Option<String>,
    /// The names of its clocks.
    pub clocks: Table<MadeClockId, String>,
    /// Its locations; it starts in the first.
    pub locations: Table<LocationId, MadeLocation>,
    /// Its edges.
    pub edges: Table<EdgeId, MadeEdge>,
}

/// A location of a computed component.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MadeLocation {
    /// Its name.
    pub name: String,
    /// What must hold while it is there.
    pub invariant: Vec<MadeCondition>,
    /// `universal` or `inconsistent`, if it is one of these.
    pub label: Option<&'static str>,
}

/// An edge of a computed component.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MadeEdge {
    /// Where it starts.
    pub source: LocationId,
    /// Where it leads.
    pub target: LocationId,
    /// The channel; none for an output without a name.
    pub channel: Option<ChannelPath>,
    /// Whether the component decides on it.
    pub is_output: bool,
    /// When it is possible.
    pub guard: Vec<MadeCondition>,
    /// What it does to clocks, in order.
    pub updates: Vec<MadeUpdate>,
}

/// A condition on the clocks of a computed component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MadeCondition {
    /// `false`.
    Never,
    /// A clock compared with a number.
    Clock {
        /// The clock.
        clock: MadeClockId,
        /// The comparison.
        comparison: Comparison,
        /// The number.
        bound: i32,
    },
    /// The difference of two clocks compared with a number.
    Difference {
        /// The clock that counts positively.
        left: MadeClockId,
        /// The clock that counts negatively.
        right: MadeClockId,
        /// The comparison.
        comparison: Comparison,
        /// The number.
        bound: i32,
    },
}

/// An assignment to a clock of a computed component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MadeUpdate {
    /// `clock = value`.
    Set {
        /// The clock that is assigned.
        clock: MadeClockId,
        /// Its new value.
        value: i32,
    },
    /// `target = from`.
    Copy {
        /// The clock that is assigned.
        target: MadeClockId,
        /// The clock whose value it gets.
        from: MadeClockId,
    },
    /// `clock = clock + amount`.
    Shift {
        /// The clock that is assigned.
        clock: MadeClockId,
        /// The number that is added to it.
        amount: i32,
    },
}

impl MadeComponent {
    /// Returns the channels of the inputs, each once, in the order of the first edges with them.
    pub fn inputs(&self) -> Vec<&ChannelPath> {
        let mut inputs: Vec<&ChannelPath> = Vec::new();
        for channel in
            self.edges.values().filter(|edge| !edge.is_output).filter_map(|edge| edge.channel.as_ref())
        {
            if !inputs.contains(&channel) {
                inputs.push(channel);
            }
        }
        inputs
    }
}
