//! The tables of a compiled network.
//!
//! Invariant: tables are flat, and ranges of one refer to entries of another; the edges of a location are consecutive,
//! in the order of the network, so that enabled edges are found without visiting others.

use std::ops::Range;

use tempora_model::{EdgeId, EventId, Id, LocationKind, ProcessId, SynchronisationRole};
use tempora_source::Origin;

use crate::code::{ClockConstraint, Instruction, Routine, Site};
use crate::layout::Layout;

/// A compiled network.
#[derive(Clone, Debug)]
pub struct Machine {
    pub(crate) layout: Layout,
    /// The locations of all processes, process by process.
    pub(crate) locations: Vec<CompiledLocation>,
    /// For each process, the index of its first location.
    pub(crate) first_location: Vec<u32>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) branches: Vec<Branch>,
    pub(crate) tests: Vec<CellTest>,
    pub(crate) actions: Vec<Action>,
    pub(crate) constraints: Vec<ClockConstraint>,
    pub(crate) vectors: Vec<Vector>,
    /// Positions of vectors, grouped by the location of their first strong participant.
    pub(crate) vectors_of_locations: Vec<u32>,
    /// Vectors without a strong participant, which are always enabled.
    pub(crate) weak_vectors: Vec<u32>,
    pub(crate) events_of_locations: Vec<EventId>,
    pub(crate) before_update: Range<u32>,
    pub(crate) after_update: Range<u32>,
    pub(crate) instructions: Vec<Instruction>,
    pub(crate) sites: Vec<Site>,
    pub(crate) routines: Vec<Routine>,
    /// The mathematical functions that code calls.
    pub(crate) mathematics: Vec<crate::doubles::Function>,
    /// For each label, whether each location has it, by position in `locations`.
    pub(crate) labels: Vec<Vec<bool>>,
    pub(crate) initial_locations: Vec<Vec<u32>>,
    /// The priority level of each channel, and of transitions without one; greater first. Empty without priorities.
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

/// Code, with the values of bound variables as parameters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CodeId(pub(crate) u32);

/// A channel, numbered over all variables.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ChannelNumber(pub u32);

/// A location.
#[derive(Clone, Debug)]
pub struct CompiledLocation {
    /// Whether the location is normal, urgent or committed.
    pub kind: LocationKind,
    pub(crate) edges: Range<u32>,
    pub(crate) events: Range<u32>,
    /// Vectors whose first strong participant can take part here.
    pub(crate) vectors: Range<u32>,
    pub(crate) invariant_data: DataCondition,
    pub(crate) invariant_clocks: ClockCondition,
    /// For each clock whose rate may differ from 1, the rate encoded as an upper bound.
    pub(crate) rates: ClockCondition,
    pub(crate) has_urgent_edge: bool,
}

/// An edge.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The process of the edge.
    pub process: ProcessId,
    /// The edge of the process.
    pub edge: EdgeId,
    /// The source location of the edge in the model text.
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

/// A branch of an edge.
#[derive(Clone, Debug)]
pub struct Branch {
    pub(crate) target: u32,
    pub(crate) actions: Range<u32>,
}

/// A data condition: simple tests first, then code that returns a truth value.
#[derive(Clone, Debug, Default)]
pub(crate) struct DataCondition {
    pub(crate) tests: Range<u32>,
    pub(crate) code: Option<CodeId>,
}

/// A clock condition: constant constraints, and code that emits the others.
#[derive(Clone, Debug, Default)]
pub struct ClockCondition {
    /// Positions in [`Machine::constraints`].
    pub constant: Range<u32>,
    /// Emits the constraints that depend on data.
    pub code: Option<CodeId>,
}

/// Compares a cell with a constant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellTest {
    pub(crate) cell: u32,
    pub(crate) least: i32,
    pub(crate) greatest: i32,
    /// Whether the cell must be outside the range.
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
    /// Returns the numbering of cells, clocks and channels.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Returns the constraints that do not depend on data.
    pub fn constraints(&self) -> &[ClockConstraint] {
        &self.constraints
    }

    /// Returns an edge.
    pub fn edge(&self, edge: EdgeIndex) -> &Edge {
        &self.edges[edge.0 as usize]
    }

    /// Returns the number of edges.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// Returns the number of branches of an edge.
    pub fn branch_count(&self, edge: EdgeIndex) -> usize {
        self.edges[edge.0 as usize].branches.len()
    }

    /// Returns a location of a process, by its number.
    #[inline]
    pub fn location(&self, process: usize, location: i32) -> &CompiledLocation {
        &self.locations[self.first_location[process] as usize + location as usize]
    }

    /// Returns the possible initial locations.
    pub fn initial_locations(&self) -> &[Vec<u32>] {
        &self.initial_locations
    }

    /// Returns whether the network has priorities.
    pub fn has_priorities(&self) -> bool {
        self.has_priorities
    }

    /// Returns the priority of a transition: the level of its channel first, then the greatest of its processes.
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

    /// Returns whether an edge on an urgent channel has a clock guard.
    pub fn has_urgent_clock_guards(&self) -> bool {
        self.edges.iter().any(|edge| edge.is_urgent && !edge.guard_clocks.is_trivial())
    }

    /// Returns whether some clock rate may differ from 1; hybrid clocks do not count.
    pub fn has_rates(&self) -> bool {
        self.has_rates
    }

    /// Returns whether the network has an edge on an urgent channel.
    pub fn has_urgent_edges(&self) -> bool {
        self.has_urgent_edges
    }
}

impl CompiledLocation {
    /// Returns the clock condition of the invariant.
    pub fn invariant_clocks(&self) -> &ClockCondition {
        &self.invariant_clocks
    }

    /// Returns whether an edge on an urgent channel leaves the location.
    pub fn has_urgent_edge(&self) -> bool {
        self.has_urgent_edge
    }
}

impl Edge {
    /// Returns the clock condition of the guard.
    pub fn guard_clocks(&self) -> &ClockCondition {
        &self.guard_clocks
    }
}

impl ClockCondition {
    /// Returns whether the condition is always true.
    pub fn is_trivial(&self) -> bool {
        self.constant.is_empty() && self.code.is_none()
    }
}
