//! Obstacles: why a transition, a delay or an initial state is impossible, in the terms of the model.
//!
//! Invariant: an obstacle names a construct that the user sees (a process, an edge, a condition, another transition)
//! and has its origin.

use tempora_evidence::{Rational, Transition, TransitionKind};
use tempora_model::{EdgeId, LocationId, Network, ProcessId};
use tempora_source::Origin;

use crate::delay_set::DelaySet;

/// Why a transition, a delay or an initial state is not possible.
#[derive(Clone, PartialEq, Debug)]
pub enum Obstacle {
    /// No state of this network could ever do it, for this reason.
    NotInNetwork(String),
    /// The edge leaves a location other than the current one.
    LocationDiffers {
        /// The process.
        process: ProcessId,
        /// The edge.
        edge: EdgeId,
        /// The current location of the process.
        current: LocationId,
    },
    /// A guard is false.
    GuardFalse {
        /// The process.
        process: ProcessId,
        /// The edge.
        edge: EdgeId,
        /// The false conjunct of the guard.
        conjunct: Origin,
    },
    /// The edges do not synchronise on the same channel.
    ChannelsDiffer {
        /// The process of the first edge.
        first: ProcessId,
        /// The process of the second.
        second: ProcessId,
        /// The second edge.
        origin: Origin,
    },
    /// No process is ready to synchronise with the edge.
    NoPartner {
        /// The process.
        process: ProcessId,
        /// The edge.
        edge: EdgeId,
        /// Where the edge is written.
        origin: Origin,
    },
    /// A process that must take part does not.
    ParticipantMissing {
        /// The process.
        process: ProcessId,
        /// The edge that it could take, or the synchronisation vector that requires one.
        origin: Origin,
    },
    /// A process is in a committed location, and no committed process takes part.
    CommittedElsewhere {
        /// The committed process.
        process: ProcessId,
        /// Its location.
        location: LocationId,
    },
    /// Another transition has a higher priority.
    LowerPriority {
        /// The other transition.
        than: Box<Transition>,
    },
    /// An invariant is false in the target or the initial state.
    InvariantFalse {
        /// The process.
        process: ProcessId,
        /// Its location.
        location: LocationId,
        /// The false conjunct of the invariant.
        conjunct: Origin,
    },
    /// The delay is negative.
    NegativeDelay,
    /// Time cannot pass in a location.
    UrgentLocation {
        /// The process.
        process: ProcessId,
        /// Its location.
        location: LocationId,
    },
    /// An invariant does not hold throughout the delay.
    DelayViolatesInvariant {
        /// The process.
        process: ProcessId,
        /// Its location.
        location: LocationId,
        /// The delays allowed by it.
        allowed: DelaySet,
    },
    /// A synchronisation on an urgent channel becomes possible before the end of the delay.
    UrgentSynchronisation {
        /// The synchronisation.
        transition: Box<Transition>,
        /// The infimum of the delays after which it is possible.
        from: Rational,
    },
}

impl Obstacle {
    /// Returns a phrase without full stop.
    pub fn describe(&self, network: &Network) -> String {
        let name = |process: &ProcessId| network.processes[*process].name.as_str();
        let location =
            |process: &ProcessId, location: &LocationId| network.location_name(*process, *location);
        match self {
            Obstacle::NotInNetwork(why) => why.clone(),
            Obstacle::LocationDiffers { process, edge, current } => {
                let source = network.processes[*process].edges[*edge].source;
                format!(
                    "`{}` is in `{}`, but the edge leaves `{}`",
                    name(process),
                    location(process, current),
                    location(process, &source)
                )
            }
            Obstacle::GuardFalse { process, .. } => {
                format!("the guard of the edge of `{}` does not hold", name(process))
            }
            Obstacle::ChannelsDiffer { first, second, .. } => {
                format!("`{}` and `{}` do not synchronise with each other", name(first), name(second))
            }
            Obstacle::NoPartner { process, .. } => {
                format!("no process is ready to synchronise with `{}`", name(process))
            }
            Obstacle::ParticipantMissing { process, .. } => format!("`{}` must take part", name(process)),
            Obstacle::CommittedElsewhere { process, location: at } => format!(
                "`{}` is in the committed location `{}` and must be left first",
                name(process),
                location(process, at)
            ),
            Obstacle::LowerPriority { than } => {
                format!("a transition of {} has a higher priority", describe_participants(than, network))
            }
            Obstacle::InvariantFalse { process, location: at, .. } => {
                format!("the invariant of `{}.{}` would not hold", name(process), location(process, at))
            }
            Obstacle::NegativeDelay => "a delay cannot be negative".to_owned(),
            Obstacle::UrgentLocation { process, location: at } => {
                format!("time cannot pass in `{}.{}`", name(process), location(process, at))
            }
            Obstacle::DelayViolatesInvariant { process, location: at, allowed } => format!(
                "the invariant of `{}.{}` allows only the delays {allowed}",
                name(process),
                location(process, at)
            ),
            Obstacle::UrgentSynchronisation { transition, from } => format!(
                "an urgent synchronisation of {} is possible after a delay of {from}",
                describe_participants(transition, network)
            ),
        }
    }

    /// Returns the origins to show to the user, the most informative first.
    pub fn origins(&self, network: &Network) -> Vec<Origin> {
        let edge = |process: &ProcessId, edge: &EdgeId| network.processes[*process].edges[*edge].origin;
        let location =
            |process: &ProcessId, at: &LocationId| network.processes[*process].locations[*at].origin;
        let edges = |transition: &Transition| {
            transition.participants.iter().map(|part| edge(&part.process, &part.edge)).collect()
        };
        match self {
            Obstacle::NotInNetwork(_) | Obstacle::NegativeDelay => Vec::new(),
            Obstacle::LocationDiffers { process, edge: taken, current } => {
                vec![edge(process, taken), location(process, current)]
            }
            Obstacle::GuardFalse { process, edge: taken, conjunct } => vec![*conjunct, edge(process, taken)],
            Obstacle::ChannelsDiffer { origin, .. }
            | Obstacle::NoPartner { origin, .. }
            | Obstacle::ParticipantMissing { origin, .. } => vec![*origin],
            Obstacle::InvariantFalse { process, location: at, conjunct } => {
                vec![*conjunct, location(process, at)]
            }
            Obstacle::CommittedElsewhere { process, location: at }
            | Obstacle::UrgentLocation { process, location: at }
            | Obstacle::DelayViolatesInvariant { process, location: at, .. } => vec![location(process, at)],
            Obstacle::LowerPriority { than } => edges(than),
            Obstacle::UrgentSynchronisation { transition, .. } => edges(transition),
        }
    }
}

fn describe_participants(transition: &Transition, network: &Network) -> String {
    let names: Vec<String> = transition
        .participants
        .iter()
        .map(|part| format!("`{}`", network.processes[part.process].name))
        .collect();
    match (&names[..], transition.kind) {
        ([], TransitionKind::Vector(_)) => {
            "no process (a synchronisation vector without participants)".to_owned()
        }
        _ => names.join(" and "),
    }
}
