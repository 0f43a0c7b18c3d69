//! Why something is not possible, in the words of the user.
//!
//! Invariant: an obstacle names what the user can see (a process, an edge, a condition, another transition) and points
//! at where it is written.

use tempora_evidence::{Rational, Transition, TransitionKind};
use tempora_model::{EdgeId, LocationId, Network, ProcessId};
use tempora_source::Origin;

use crate::delay_set::DelaySet;

/// Why a transition, a delay or an initial state is not possible.
#[derive(Clone, PartialEq, Debug)]
pub enum Obstacle {
    /// What is asked for is nothing that this network could ever do; this says why.
    NotInNetwork(String),
    /// The edge leaves another location than the one that the process is in.
    LocationDiffers {
        /// The process.
        process: ProcessId,
        /// The edge.
        edge: EdgeId,
        /// Where the process is.
        current: LocationId,
    },
    /// A guard does not hold.
    GuardFalse {
        /// The process.
        process: ProcessId,
        /// The edge.
        edge: EdgeId,
        /// The part of the guard that does not hold.
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
    /// Nobody is ready to synchronise with the edge.
    NoPartner {
        /// The process.
        process: ProcessId,
        /// The edge.
        edge: EdgeId,
        /// Where the edge is written.
        origin: Origin,
    },
    /// A process must take part and does not.
    ParticipantMissing {
        /// The process.
        process: ProcessId,
        /// The edge that it could take, or the synchronisation vector that demands one.
        origin: Origin,
    },
    /// A process is in a committed location, and none that is takes part.
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
    /// An invariant would not hold afterwards; for an initial state, does not hold.
    InvariantFalse {
        /// The process.
        process: ProcessId,
        /// Its location.
        location: LocationId,
        /// The part of the invariant that does not hold.
        conjunct: Origin,
    },
    /// The delay is negative.
    NegativeDelay,
    /// No time passes in a location.
    UrgentLocation {
        /// The process.
        process: ProcessId,
        /// Its location.
        location: LocationId,
    },
    /// An invariant does not hold all along the delay.
    DelayViolatesInvariant {
        /// The process.
        process: ProcessId,
        /// Its location.
        location: LocationId,
        /// The delays that it allows.
        allowed: DelaySet,
    },
    /// A synchronisation on an urgent channel becomes possible before the delay is over.
    UrgentSynchronisation {
        /// The synchronisation.
        transition: Box<Transition>,
        /// The delay up to which time may pass.
        from: Rational,
    },
}

impl Obstacle {
    /// A sentence without full stop.
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
                format!("nobody is ready to synchronise with `{}`", name(process))
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
                format!("no time passes in `{}.{}`", name(process), location(process, at))
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

    /// The places that the user should look at, the most telling first.
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
        ([], TransitionKind::Vector(_)) => "nobody (a synchronisation vector that all may miss)".to_owned(),
        _ => names.join(" and "),
    }
}
