//! Enumeration of the combinations of instances that can synchronise in a state.
//!
//! Invariant: a combination satisfies the rules on locations, data, partners and committed locations; clock conditions,
//! updates, invariants and priorities are not considered here. All possible receivers of a broadcast are passed
//! together, in the order of the system line, because the participants may depend on clocks.

use std::ops::ControlFlow;

use tempora_model::{Id, LocationKind};

use crate::enabled::{Enabled, InstanceId, NONE};
use crate::machine::{ChannelNumber, Machine};

/// How the members of a combination synchronise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CombinationKind {
    /// One edge alone.
    Internal,
    /// A sender and a receiver.
    Binary(ChannelNumber),
    /// A sender; its receivers are passed separately.
    Broadcast(ChannelNumber),
    /// A synchronisation vector, by its position in the network.
    Vector(u32),
}

/// A visitor of combinations.
pub trait CombinationVisitor {
    /// Why the visit ends early.
    type Stop;

    /// Visits members that take their edges together, in the order of their updates.
    fn together(
        &mut self,
        enabled: &Enabled,
        kind: CombinationKind,
        members: &[InstanceId],
    ) -> ControlFlow<Self::Stop>;

    /// Visits a broadcast, with all instances that may receive it. If a process is committed and the sender is not, a
    /// committed process must take part: `needs_committed`.
    fn broadcast(
        &mut self,
        enabled: &Enabled,
        channel: ChannelNumber,
        sender: InstanceId,
        receivers: &[InstanceId],
        needs_committed: bool,
    ) -> ControlFlow<Self::Stop>;
}

impl Enabled {
    /// Visits all combinations of the state with these cells, in which the instances were found.
    pub fn visit<V: CombinationVisitor>(
        &mut self,
        machine: &Machine,
        cells: &[i32],
        visitor: &mut V,
    ) -> ControlFlow<V::Stop> {
        let is_committed =
            |process: usize| machine.location(process, cells[process]).kind == LocationKind::Committed;
        let somebody_is_committed = (0..machine.layout.process_count()).any(is_committed);
        let may_move = |enabled: &Enabled, id: u32| {
            !somebody_is_committed || is_committed(enabled.instances[id as usize].process.index())
        };
        for &id in &self.alone {
            if may_move(self, id) {
                visitor.together(self, CombinationKind::Internal, &[InstanceId(id)])?;
            }
        }
        let mut members = std::mem::take(&mut self.members);
        for &(sender, channel) in &self.senders {
            let process = self.instances[sender as usize].process;
            let sender_may_move = may_move(self, sender);
            let is_broadcast = machine.layout.channel_kind(channel.0 as usize).is_broadcast;
            members.clear();
            let mut receiver = self.first_receiver(channel);
            while receiver != NONE {
                let instance = &self.instances[receiver as usize];
                if instance.process != process {
                    if is_broadcast {
                        members.push(InstanceId(receiver));
                    } else if sender_may_move || may_move(self, receiver) {
                        let pair = [InstanceId(sender), InstanceId(receiver)];
                        visitor.together(self, CombinationKind::Binary(channel), &pair)?;
                    }
                }
                receiver = instance.next_receiver;
            }
            if is_broadcast {
                visitor.broadcast(self, channel, InstanceId(sender), &members, !sender_may_move)?;
            }
        }
        let mut options = std::mem::take(&mut self.options);
        let mut positions = std::mem::take(&mut self.positions);
        for process in 0..machine.layout.process_count() {
            let location = machine.location(process, cells[process]);
            for &vector in
                &machine.vectors_of_locations[location.vectors.start as usize..location.vectors.end as usize]
            {
                let scratch = (&mut members, &mut options, &mut positions);
                self.visit_vector(machine, cells, vector, somebody_is_committed, scratch, visitor)?;
            }
        }
        for &vector in &machine.weak_vectors {
            let scratch = (&mut members, &mut options, &mut positions);
            self.visit_vector(machine, cells, vector, somebody_is_committed, scratch, visitor)?;
        }
        (self.members, self.options, self.positions) = (members, options, positions);
        ControlFlow::Continue(())
    }

    /// Locations alone decide who takes part; a participant whose guard does not hold blocks the vector.
    fn visit_vector<V: CombinationVisitor>(
        &self,
        machine: &Machine,
        cells: &[i32],
        vector: u32,
        somebody_is_committed: bool,
        scratch: (&mut Vec<InstanceId>, &mut Vec<Vec<u32>>, &mut Vec<usize>),
        visitor: &mut V,
    ) -> ControlFlow<V::Stop> {
        let (members, options, positions) = scratch;
        let mut count = 0;
        for &(process, event, is_weak) in &machine.vectors[vector as usize].participants {
            let location = machine.location(process.index(), cells[process.index()]);
            let events =
                &machine.events_of_locations[location.events.start as usize..location.events.end as usize];
            if !events.contains(&event) {
                if is_weak {
                    continue;
                }
                return ControlFlow::Continue(());
            }
            let first = self.first_of_process[process.index()];
            let end = self.first_of_process[process.index() + 1];
            if options.len() <= count {
                options.push(Vec::new());
            }
            options[count].clear();
            for id in first..end {
                if self.instances[id as usize].event == Some(event) {
                    options[count].push(id);
                }
            }
            // A process cannot take two edges at once.
            let takes_part_already = options[..count]
                .iter()
                .any(|others| others.iter().any(|&id| self.instances[id as usize].process == process));
            if options[count].is_empty() || takes_part_already {
                return ControlFlow::Continue(());
            }
            count += 1;
        }
        if count == 0 {
            // A vector of weak participants is enabled even without any; this matters for priorities.
            if !somebody_is_committed {
                visitor.together(self, CombinationKind::Vector(vector), &[])?;
            }
            return ControlFlow::Continue(());
        }
        positions.clear();
        positions.resize(count, 0);
        loop {
            members.clear();
            members.extend((0..count).map(|level| InstanceId(options[level][positions[level]])));
            let may_happen = !somebody_is_committed
                || members.iter().any(|&id| {
                    let process = self.instance(id).process.index();
                    machine.location(process, cells[process]).kind == LocationKind::Committed
                });
            if may_happen {
                visitor.together(self, CombinationKind::Vector(vector), members)?;
            }
            let mut level = count;
            while level > 0 && positions[level - 1] + 1 == options[level - 1].len() {
                positions[level - 1] = 0;
                level -= 1;
            }
            if level == 0 {
                return ControlFlow::Continue(());
            }
            positions[level - 1] += 1;
        }
    }
}
