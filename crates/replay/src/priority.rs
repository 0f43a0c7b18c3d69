//! Priorities of transitions.
//!
//! Invariant: priorities are compared as pairs: that of the channel first, then the greatest of the participating
//! processes. Transitions without a channel, or on an unlisted one, have the default level; if `default` is not listed
//! either, that level is below all others.

use tempora_evidence::{Transition, TransitionKind};

use crate::evaluate::{Evaluated, Evaluator};
use crate::interpreter::{Fuel, Interpreter};
use crate::state::ConcreteState;
use crate::value_place::ValuePlace;
use tempora_model::PriorityItem;

/// The level of the channel, then that of the processes; greater goes first.
pub(crate) type Priority = (usize, u32);

impl Interpreter<'_> {
    /// Returns whether the model has priorities at all.
    pub(crate) fn has_priorities(&self) -> bool {
        let mut levels = self.network.processes.values().map(|process| process.priority);
        let first = levels.next();
        self.network.channel_priorities.is_some() || levels.any(|level| Some(level) != first)
    }

    /// Returns the priority of a transition.
    pub(crate) fn priority(
        &self,
        state: &ConcreteState,
        transition: &Transition,
        fuel: &Fuel,
    ) -> Evaluated<Priority> {
        let processes =
            transition.participants.iter().map(|part| self.network.processes[part.process].priority);
        let level_of_processes = processes.max().unwrap_or(0);
        let has_channel = matches!(transition.kind, TransitionKind::Binary | TransitionKind::Broadcast);
        let level_of_channel = match transition.participants.first() {
            Some(first) if has_channel => {
                let edge = &self.network.processes[first.process].edges[first.edge];
                let mut evaluator =
                    Evaluator::reading(self, state, fuel).with_selects(&edge.selects, &first.select_values);
                match &edge.synchronisation {
                    Some(synchronisation) => {
                        let channel = evaluator.place(&synchronisation.channel)?;
                        self.channel_level(state, &channel, fuel)?
                    }
                    None => self.default_level(),
                }
            }
            _ => self.default_level(),
        };
        Ok((level_of_channel, level_of_processes))
    }

    /// Returns the level of a channel: that of the most precise item that includes it, the last one if several are
    /// equally precise.
    fn channel_level(&self, state: &ConcreteState, channel: &ValuePlace, fuel: &Fuel) -> Evaluated<usize> {
        let mut best: Option<(usize, usize)> = None;
        for (position, group) in self.network.channel_priorities.iter().flatten().enumerate() {
            for item in group {
                let PriorityItem::Channel(listed) = item else { continue };
                let listed = Evaluator::reading(self, state, fuel).place(listed)?;
                let includes = listed.root == channel.root && channel.path.starts_with(&listed.path);
                let precision = listed.path.len();
                if includes && best.is_none_or(|(known, _)| known <= precision) {
                    best = Some((precision, position + 1));
                }
            }
        }
        Ok(best.map_or_else(|| self.default_level(), |(_, level)| level))
    }

    /// Returns the default level. Groups count from one, so that zero is below all of them.
    fn default_level(&self) -> usize {
        let groups = self.network.channel_priorities.iter().flatten();
        let mut default = groups.enumerate().filter(|(_, group)| group.contains(&PriorityItem::Default));
        default.next().map_or(0, |(position, _)| position + 1)
    }
}
