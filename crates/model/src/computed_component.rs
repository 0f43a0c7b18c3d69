//! A computed component, such as the result of a quotient.
//!
//! Invariant: edges connect existing locations, of which the first is initial; conditions and updates only refer to
//! clocks of the component. A list of conditions is their conjunction.

use crate::channel_path::ChannelPath;
use crate::expression::Comparison;
use crate::{ComputedClockId, EdgeId, LocationId, Table};

/// A computed component.
#[derive(Clone, PartialEq, Debug)]
pub struct ComputedComponent {
    /// Its name, if the query gives one.
    pub name: Option<String>,
    /// The names of its clocks.
    pub clocks: Table<ComputedClockId, String>,
    /// Its locations; the first is initial.
    pub locations: Table<LocationId, ComputedLocation>,
    /// Its edges.
    pub edges: Table<EdgeId, ComputedEdge>,
}

/// A location of a computed component.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ComputedLocation {
    /// Its name.
    pub name: String,
    /// Its invariant.
    pub invariant: Vec<ComputedCondition>,
    /// `universal` or `inconsistent`, for these special locations.
    pub label: Option<&'static str>,
}

/// An edge of a computed component.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ComputedEdge {
    /// The source location.
    pub source: LocationId,
    /// The target location.
    pub target: LocationId,
    /// The channel; `None` for an unnamed output.
    pub channel: Option<ChannelPath>,
    /// Whether it is an output.
    pub is_output: bool,
    /// Its guard.
    pub guard: Vec<ComputedCondition>,
    /// Its updates of clocks, in order.
    pub updates: Vec<ComputedUpdate>,
}

/// A condition on the clocks of a computed component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ComputedCondition {
    /// `false`.
    Never,
    /// A clock compared with a number.
    Clock {
        /// The clock.
        clock: ComputedClockId,
        /// The comparison.
        comparison: Comparison,
        /// The number.
        bound: i32,
    },
    /// The difference of two clocks compared with a number.
    Difference {
        /// The clock that counts positively.
        left: ComputedClockId,
        /// The clock that counts negatively.
        right: ComputedClockId,
        /// The comparison.
        comparison: Comparison,
        /// The number.
        bound: i32,
    },
}

/// An assignment to a clock of a computed component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ComputedUpdate {
    /// `clock = value`.
    Set {
        /// The assigned clock.
        clock: ComputedClockId,
        /// Its new value.
        value: i32,
    },
    /// `target = from`.
    Copy {
        /// The assigned clock.
        target: ComputedClockId,
        /// The clock whose value it gets.
        from: ComputedClockId,
    },
    /// `clock = clock + amount`.
    Shift {
        /// The assigned clock.
        clock: ComputedClockId,
        /// The number added to it.
        amount: i32,
    },
}

impl ComputedComponent {
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
