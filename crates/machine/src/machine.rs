//! The tables of a compiled network.
//!
//! Invariant: tables are flat, and ranges of one refer to entries of another; the edges of a location lie next to each
//! other, in the order of the network, so that what is possible in a state is found without looking at other edges.

use std::ops::Range;

use tempora_model::{EdgeId, EventId, Id, LocationKind, ProcessId, SynchronisationRole};
use tempora_source::Origin;

use crate::code::{ClockConstraint, Instruction, Routine, Site};
use crate::layout::Layout;

/// A compiled network.
#[derive(Clone, Debug)]
pub struct Machine {
    pub(crate) layout: Layout,
    /// The locations of all processes, those of a process next to each other.
    pub(crate) locations: Vec<Location>,
    /// Where the locations of each process begin.
    pub(crate) first_location: Vec<u32>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) branches: Vec<Branch>,
    pub(crate) tests: Vec<CellTest>,
    pub(crate) actions: Vec<Action>,
    pub(crate) constraints: Vec<ClockConstraint>,
    pub(crate) vectors: Vec<Vector>,
    /// Positions of vectors, grouped by the location of their first strong participant.
    pub(crate) vectors_of_locations: Vec<u32>,
    /// Vectors without a strong participant, which may always happen.
    pub(crate) weak_vectors: Vec<u32>,
    pub(crate) events_of_locations: Vec<EventId>,
    pub(crate) before_update: Range<u32>,
    pub(crate) after_update: Range<u32>,
    pub(crate) instructions: Vec<Instruction>,
    pub(crate) sites: Vec<Site>,
    pub(crate) routines: Vec<Routine>,
    /// The mathematical functions that code calls.
    pub(crate) mathematics: Vec<crate::doubles::Function>,
    /// For each label, for each process and location whether it is there, by position in `locations`.
    pub(crate) labels: Vec<Vec<bool>>,
    pub(crate) initial_locations: Vec<Vec<u32>>,
    /// The level of each channel, and of what has none; greater goes first. Empty without priorities.
    pub(crate) channel_levels: Vec<u32>,
    pub(crate) default_level: u32,
    pub(crate) process_priorities: Vec<u32>,
    pub(crate) has_priorities: bool,
    pub(crate) has_urgent_edges: bool,
    pub(crate) has_updates_around: bool,
    pub(crate) has_meta: bool,
    pub(crate) has_rates: bool,
    pub(crate) most_selects: usize,
}

/// An edge of a machine: a position in its table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EdgeIndex(pub u32);

/// Code with the values of bound names as parameters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CodeId(pub(crate) u32);

/// A channel, counted through all variables.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ChannelNumber(pub u32);

/// A location.
#[derive(Clone, Debug)]
pub struct Location {
    /// Whether time may pass in it.
    pub kind: LocationKind,
    pub(crate) edges: Range<u32>,
    pub(crate) events: Range<u32>,
    /// Vectors whose first strong participant can take part here.
    pub(crate) vectors: Range<u32>,
    pub(crate) invariant_data: DataCondition,
    pub(crate) invariant_clocks: ClockCondition,
    /// For each clock with a rate that may be other than one, the rate as if it were an upper bound.
    pub(crate) rates: ClockCondition,
    pub(crate) has_urgent_edge: bool,
}

/// An edge.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The process that it belongs to.
    pub process: ProcessId,
    /// Which edge of the process it is.
    pub edge: EdgeId,
    /// Where it comes from.
    pub origin: Origin,
    pub(crate) guard_data: DataCondition,
    pub(crate) guard_clocks: ClockCondition,
    /// The least and the greatest value of each select.
    pub(crate) selects: Vec<(i32, i32)>,
    pub(crate) synchronisation: Option<EdgeSynchronisation>,
    pub(crate) event: Option<EventId>,
    pub(crate) fires_alone: bool,
    pub(crate) is_urgent: bool,
    pub(crate) branches: Range<u32>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgeSynchronisation {
    pub(crate) role: SynchronisationRole,
    pub(crate) channel: EdgeChannel,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum EdgeChannel {
    Constant(ChannelNumber),
    Computed(CodeId),
}

/// One way that an edge may lead.
#[derive(Clone, Debug)]
pub struct Branch {
    pub(crate) target: u32,
    pub(crate) actions: Range<u32>,
}

/// A condition without clocks: simple tests first, then code that gives a truth value.
#[derive(Clone, Debug, Default)]
pub(crate) struct DataCondition {
    pub(crate) tests: Range<u32>,
    pub(crate) code: Option<CodeId>,
}

/// A condition on clocks: constraints that are always the same, and code that gives out the others.
#[derive(Clone, Debug, Default)]
pub struct ClockCondition {
    /// Positions in [`Machine::constraints`].
    pub constant: Range<u32>,
    /// Gives out the constraints that depend on data.
    pub code: Option<CodeId>,
}

/// Compares a cell with a constant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellTest {
    pub(crate) cell: u32,
    pub(crate) least: i32,
    pub(crate) greatest: i32,
    /// Whether the cell must be outside of the range.
    pub(crate) is_outside: bool,
}

/// A part of an update.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Action {
    SetCell {
        cell: u32,
        value: i32,
    },
    /// Checked with the range of the site.
    AddToCell {
        cell: u32,
        amount: i32,
        site: u32,
    },
    CopyCell {
        cell: u32,
        from: u32,
        site: u32,
    },
    ResetClock {
        clock: u16,
        value: i32,
    },
    CopyClock {
        clock: u16,
        from: u16,
        plus: i32,
    },
    Run(CodeId),
}

/// A synchronisation vector.
#[derive(Clone, Debug)]
pub(crate) struct Vector {
    pub(crate) participants: Vec<(ProcessId, EventId, bool)>,
}

impl Machine {
    /// The numbers of cells, clocks and channels.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The constraints that do not depend on data.
    pub fn constraints(&self) -> &[ClockConstraint] {
        &self.constraints
    }

    /// An edge.
    pub fn edge(&self, edge: EdgeIndex) -> &Edge {
        &self.edges[edge.0 as usize]
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// How many branches an edge has.
    pub fn branch_count(&self, edge: EdgeIndex) -> usize {
        self.edges[edge.0 as usize].branches.len()
    }

    /// A location of a process, by its number.
    #[inline]
    pub fn location(&self, process: usize, location: i32) -> &Location {
        &self.locations[self.first_location[process] as usize + location as usize]
    }

    /// Where each process may start.
    pub fn initial_locations(&self) -> &[Vec<u32>] {
        &self.initial_locations
    }

    /// Whether some transitions go before others.
    pub fn has_priorities(&self) -> bool {
        self.has_priorities
    }

    /// The priority of members that come together: of the channel first, then the greatest of the processes.
    pub fn priority(
        &self,
        kind: crate::CombinationKind,
        processes: impl Iterator<Item = ProcessId>,
    ) -> (u32, u32) {
        use crate::CombinationKind::{Binary, Broadcast, Internal, Vector};
        let channel = match kind {
            Binary(channel) | Broadcast(channel) => {
                self.channel_levels.get(channel.0 as usize).copied().unwrap_or(self.default_level)
            }
            Internal | Vector(_) => self.default_level,
        };
        let process = processes.map(|process| self.process_priorities[process.index()]).max();
        (channel, process.unwrap_or(0))
    }

    /// Whether an edge on an urgent channel has a guard on clocks.
    pub fn has_urgent_clock_guards(&self) -> bool {
        self.edges.iter().any(|edge| edge.is_urgent && !edge.guard_clocks.is_trivial())
    }

    /// Whether some clock has a rate that may be other than one; hybrid clocks do not count.
    pub fn has_rates(&self) -> bool {
        self.has_rates
    }

    /// Whether there is an edge on an urgent channel.
    pub fn has_urgent_edges(&self) -> bool {
        self.has_urgent_edges
    }
}

impl Location {
    /// What the invariant demands of clocks.
    pub fn invariant_clocks(&self) -> &ClockCondition {
        &self.invariant_clocks
    }

    /// Whether an edge on an urgent channel leaves it.
    pub fn has_urgent_edge(&self) -> bool {
        self.has_urgent_edge
    }
}

impl Edge {
    /// What the guard demands of clocks.
    pub fn guard_clocks(&self) -> &ClockCondition {
        &self.guard_clocks
    }
}

impl ClockCondition {
    /// Whether nothing is demanded.
    pub fn is_trivial(&self) -> bool {
        self.constant.is_empty() && self.code.is_none()
    }
}
