//! The edges that are enabled in a state, as far as data decides.
//!
//! Invariant: instances are listed process by process, in the order of the network; the receivers of a channel are
//! linked in that order. Everything is evaluated before any update.

use std::ops::Range;

use tempora_model::{EventId, ProcessId, SynchronisationRole};

use crate::code::ClockConstraint;
use crate::execution::Execution;
use crate::failure::Failure;
use crate::machine::{ChannelNumber, EdgeChannel, EdgeIndex, Machine};

/// The position of an instance in the list of a state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct InstanceId(pub u32);

/// An edge with values for its selects, whose conditions without clocks hold.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The edge.
    pub edge: EdgeIndex,
    /// Its process.
    pub process: ProcessId,
    /// Its clock constraints that do not depend on data: positions in [`Machine::constraints`].
    pub constant_guard: Range<u32>,
    pub(crate) computed_guard: Range<u32>,
    pub(crate) selects: Range<u32>,
    pub(crate) event: Option<EventId>,
    pub(crate) synchronisation: Option<(ChannelNumber, SynchronisationRole)>,
    /// The next instance that receives on the same channel.
    pub(crate) next_receiver: u32,
}

/// The instances of a state; reused from one state to the next.
#[derive(Clone, Debug)]
pub struct Enabled {
    pub(crate) instances: Vec<Instance>,
    pub(crate) first_of_process: Vec<u32>,
    pub(crate) alone: Vec<u32>,
    pub(crate) senders: Vec<(u32, ChannelNumber)>,
    /// The first and the last receiver of each channel.
    receivers: Vec<(u32, u32)>,
    touched: Vec<u32>,
    computed: Vec<ClockConstraint>,
    select_values: Vec<i32>,
    pub(crate) choice: Vec<i32>,
    pub(crate) members: Vec<InstanceId>,
    pub(crate) options: Vec<Vec<u32>>,
    pub(crate) positions: Vec<usize>,
}

pub(crate) const NONE: u32 = u32::MAX;

impl Enabled {
    /// Creates an empty list for states of a machine.
    pub fn new(machine: &Machine) -> Enabled {
        Enabled {
            instances: Vec::new(),
            first_of_process: Vec::new(),
            alone: Vec::new(),
            senders: Vec::new(),
            receivers: vec![(NONE, NONE); machine.layout.channel_count()],
            touched: Vec::new(),
            computed: Vec::new(),
            select_values: Vec::new(),
            choice: vec![0; machine.most_selects],
            members: Vec::new(),
            options: Vec::new(),
            positions: Vec::new(),
        }
    }

    /// Finds the instances of the current state.
    ///
    /// `go_on` is called once for each choice of select values, because there may be many.
    pub fn find(
        &mut self,
        machine: &Machine,
        execution: &mut Execution,
        only_urgent: bool,
        go_on: &mut impl FnMut() -> bool,
    ) -> Result<bool, Failure> {
        self.clear();
        for process in 0..machine.layout.process_count() {
            self.first_of_process.push(self.instances.len() as u32);
            let location = machine.location(process, execution.memory[process]);
            if only_urgent && !location.has_urgent_edge {
                continue;
            }
            for index in location.edges.clone() {
                let edge = &machine.edges[index as usize];
                if edge.selects.is_empty() {
                    self.add(machine, execution, index, 0)?;
                    continue;
                }
                let count = edge.selects.len();
                for (value, range) in self.choice.iter_mut().zip(&edge.selects) {
                    *value = range.0;
                }
                if edge.selects.iter().any(|range| range.0 > range.1) {
                    continue;
                }
                loop {
                    if !go_on() {
                        return Ok(false);
                    }
                    self.add(machine, execution, index, count)?;
                    // The last select varies fastest.
                    let mut position = count;
                    while position > 0 && self.choice[position - 1] == edge.selects[position - 1].1 {
                        self.choice[position - 1] = edge.selects[position - 1].0;
                        position -= 1;
                    }
                    if position == 0 {
                        break;
                    }
                    self.choice[position - 1] += 1;
                }
            }
        }
        self.first_of_process.push(self.instances.len() as u32);
        Ok(true)
    }

    /// Returns the number of instances.
    #[inline]
    pub fn instance_count(&self) -> u32 {
        self.instances.len() as u32
    }

    /// Returns an instance.
    #[inline]
    pub fn instance(&self, id: InstanceId) -> &Instance {
        &self.instances[id.0 as usize]
    }

    /// Returns whether two instances synchronise in the same way: on the same channel in the same direction, with the
    /// same event, or not at all.
    pub fn have_same_label(&self, one: InstanceId, other: InstanceId) -> bool {
        let (one, other) = (self.instance(one), self.instance(other));
        one.synchronisation == other.synchronisation && one.event == other.event
    }

    /// Returns the clock constraints of an instance that depend on data.
    #[inline]
    pub fn computed_guard(&self, id: InstanceId) -> &[ClockConstraint] {
        let range = &self.instances[id.0 as usize].computed_guard;
        &self.computed[range.start as usize..range.end as usize]
    }

    /// Returns the values of the selects of an instance.
    #[inline]
    pub fn select_values(&self, id: InstanceId) -> &[i32] {
        let range = &self.instances[id.0 as usize].selects;
        &self.select_values[range.start as usize..range.end as usize]
    }

    /// Returns whether an instance has a clock guard.
    pub fn has_clock_guard(&self, id: InstanceId) -> bool {
        let instance = &self.instances[id.0 as usize];
        !instance.constant_guard.is_empty() || !instance.computed_guard.is_empty()
    }

    /// Returns all instances that synchronise, with their channels and sides: senders, then receivers.
    pub fn synchronisations(
        &self,
    ) -> impl Iterator<Item = (InstanceId, ChannelNumber, SynchronisationRole)> + '_ {
        let senders =
            self.senders.iter().map(|&(id, channel)| (InstanceId(id), channel, SynchronisationRole::Send));
        let receivers = self.touched.iter().flat_map(|&channel| {
            let following =
                |&id: &u32| Some(self.instances[id as usize].next_receiver).filter(|&id| id != NONE);
            std::iter::successors(Some(self.receivers[channel as usize].0), following)
                .map(move |id| (InstanceId(id), ChannelNumber(channel), SynchronisationRole::Receive))
        });
        senders.chain(receivers)
    }

    /// Returns all instances without a channel.
    pub fn internal(&self) -> impl Iterator<Item = InstanceId> + '_ {
        self.alone.iter().map(|&id| InstanceId(id))
    }

    /// Returns the number of instances.
    pub fn count(&self) -> usize {
        self.instances.len()
    }

    /// Returns the first receiver on a channel, or [`NONE`].
    pub(crate) fn first_receiver(&self, channel: ChannelNumber) -> u32 {
        self.receivers[channel.0 as usize].0
    }

    fn clear(&mut self) {
        self.instances.clear();
        self.first_of_process.clear();
        self.alone.clear();
        self.senders.clear();
        for channel in self.touched.drain(..) {
            self.receivers[channel as usize] = (NONE, NONE);
        }
        self.computed.clear();
        self.select_values.clear();
    }

    fn add(
        &mut self,
        machine: &Machine,
        execution: &mut Execution,
        index: u32,
        select_count: usize,
    ) -> Result<(), Failure> {
        let edge = &machine.edges[index as usize];
        let selects = &self.choice[..select_count];
        if !execution.holds(machine, &edge.guard_data, selects)? {
            return Ok(());
        }
        let first_computed = self.computed.len() as u32;
        execution.computed_constraints(machine, &edge.guard_clocks, selects, &mut self.computed)?;
        let id = self.instances.len() as u32;
        let synchronisation = match edge.synchronisation {
            None => {
                if edge.fires_alone {
                    self.alone.push(id);
                }
                None
            }
            Some(synchronisation) => {
                let channel = match synchronisation.channel {
                    EdgeChannel::Constant(channel) => channel,
                    EdgeChannel::Computed(code) => {
                        ChannelNumber(execution.run(machine, code, selects)? as u32)
                    }
                };
                match synchronisation.role {
                    SynchronisationRole::Send => self.senders.push((id, channel)),
                    SynchronisationRole::Receive => {
                        let (first, last) = &mut self.receivers[channel.0 as usize];
                        if *first == NONE {
                            *first = id;
                            self.touched.push(channel.0);
                        } else {
                            self.instances[*last as usize].next_receiver = id;
                        }
                        *last = id;
                    }
                }
                Some((channel, synchronisation.role))
            }
        };
        let first_select = self.select_values.len() as u32;
        self.select_values.extend_from_slice(&self.choice[..select_count]);
        self.instances.push(Instance {
            edge: EdgeIndex(index),
            process: edge.process,
            constant_guard: edge.guard_clocks.constant.clone(),
            computed_guard: first_computed..self.computed.len() as u32,
            selects: first_select..self.select_values.len() as u32,
            event: if edge.synchronisation.is_none() { edge.event } else { None },
            synchronisation,
            next_receiver: NONE,
        });
        Ok(())
    }
}
