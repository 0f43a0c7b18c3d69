//! Lowers the steps of a network to edges of a symbolic system.
//!
//! Invariant: there is an edge for each transition and one for time; the condition of each edge is complete, so that
//! none depends on others.

use std::collections::{BTreeMap, BTreeSet};

use tempora_smt::{Operator, Sort, SymbolId, TermId};
use tempora_source::Origin;

use super::state::{Lowered, Lowering};
use super::{LoweredKind, LoweredMove, LoweredParticipant, LoweredStep, LoweredTransition, NotLowered};
use tempora_model::{
    ChannelKind, Condition, Edge, EdgeId, Expression, ExpressionKind, Id, LocalId, LocationKind, ProcessId,
    SynchronisationRole, Type,
};
use tempora_transition::{StatementKind, SymbolicStatement};

/// An edge of a process with values for its selects.
struct Instance<'network> {
    process: ProcessId,
    id: EdgeId,
    edge: &'network Edge,
    selects: Vec<(LocalId, i32)>,
    /// The condition that the process is at the source and the guard holds.
    enabled: TermId,
    synchronisation: Option<InstanceChannel>,
}

struct InstanceChannel {
    role: SynchronisationRole,
    kind: ChannelKind,
    /// The possible channels, with their conditions.
    numbers: Vec<(TermId, u32)>,
}

/// The limit on edges, and on transitions, of a network.
const MAX_INSTANCES: usize = 5_000;
const MAX_STEPS: usize = 20_000;

impl<'network> Lowering<'network, '_> {
    /// Returns the initial condition.
    pub(super) fn initial(&mut self) -> Lowered<TermId> {
        self.reset();
        let always = self.store.truth(true);
        let mut conditions = Vec::new();
        for (cell, &initial) in self.cells.initial.clone().iter().enumerate() {
            let is_location =
                self.network.processes.ids().any(|process| self.cells.location(process) == cell);
            if !is_location {
                conditions.push(self.store.equal(self.cells.terms[cell], initial));
            }
        }
        for (id, process) in self.network.processes.iter() {
            let here = self.cells.terms[self.cells.location(id)];
            let mut alternatives = Vec::new();
            for location in &process.initial {
                let there = self.store.integer(location.index() as i64);
                alternatives.push(self.store.equal(here, there));
            }
            conditions.push(self.store.or(&alternatives));
        }
        conditions.push(self.invariants(always)?);
        let failure = self.failure();
        if self.store.as_boolean(failure) != Some(false) {
            let origin = self.network.processes.values().next().map(|process| process.origin);
            return Err(NotLowered::declined("invariants that may fail at the start", origin));
        }
        Ok(self.store.and(&conditions))
    }

    /// Returns all steps.
    pub(super) fn steps(&mut self, origin: Origin) -> Lowered<Vec<LoweredStep>> {
        let mut steps = Vec::new();
        let instances = self.instances(&mut steps)?;
        let mut urgent = Vec::new();
        for (number, instance) in instances.iter().enumerate() {
            let Some(own) = &instance.synchronisation else {
                self.transition(&mut steps, LoweredKind::Internal, &[instance], None)?;
                continue;
            };
            if own.role != SynchronisationRole::Send {
                continue;
            }
            let before = steps.len();
            if own.kind.is_broadcast {
                self.broadcast(&mut steps, &instances, number)?;
            } else {
                for other in &instances {
                    if other.process == instance.process {
                        continue;
                    }
                    self.check_size(instance.edge.origin)?;
                    let meets = self.receives_from(own, other);
                    if self.store.as_boolean(meets) != Some(false) {
                        let members = [instance, other];
                        self.transition(&mut steps, LoweredKind::Binary, &members, Some(meets))?;
                    }
                }
            }
            if own.kind.is_urgent {
                urgent.extend(before..steps.len());
            }
        }
        let delay = self.delay(&steps, &urgent, origin)?;
        steps.push(delay);
        Ok(steps)
    }

    fn instances(&mut self, steps: &mut Vec<LoweredStep>) -> Lowered<Vec<Instance<'network>>> {
        let network = self.network;
        let mut instances = Vec::new();
        for (process, automaton) in network.processes.iter() {
            for (id, edge) in automaton.edges.iter() {
                let mut chosen: Vec<Vec<(LocalId, i32)>> = vec![Vec::new()];
                for binder in &edge.selects {
                    let before = std::mem::take(&mut chosen);
                    for values in before {
                        for value in binder.domain.values() {
                            let mut longer = values.clone();
                            longer.push((binder.local, value));
                            chosen.push(longer);
                            if chosen.len() + instances.len() > MAX_INSTANCES {
                                return Err(NotLowered::new("this many values of selects", edge.origin));
                            }
                        }
                    }
                }
                for selects in chosen {
                    instances.push(self.instance(steps, process, id, edge, selects)?);
                }
            }
        }
        Ok(instances)
    }

    fn instance(
        &mut self,
        steps: &mut Vec<LoweredStep>,
        process: ProcessId,
        id: EdgeId,
        edge: &'network Edge,
        selects: Vec<(LocalId, i32)>,
    ) -> Lowered<Instance<'network>> {
        self.check_size(edge.origin)?;
        self.reset();
        self.bind(&selects);
        let here = self.now[self.cells.location(process)];
        let source = self.store.integer(edge.source.index() as i64);
        let is_there = self.store.equal(here, source);
        let enabled = self.all(&edge.guard, is_there)?;
        let enabled = self.store.and(&[is_there, enabled]);
        let synchronisation = match &edge.synchronisation {
            None => None,
            Some(written) => {
                let Type::Channel(kind) = written.channel.value_type else {
                    return Err(NotLowered::new("this form of channel", written.channel.origin));
                };
                let numbers = self.channels(&written.channel, enabled)?;
                Some(InstanceChannel { role: written.role, kind, numbers })
            }
        };
        if edge.event.is_some() {
            return Err(NotLowered::new("events", edge.origin));
        }
        let failure = self.failure();
        self.add_failure(steps, failure, edge.origin);
        Ok(Instance { process, id, edge, selects, enabled, synchronisation })
    }

    /// Adds an edge to the failure, if it may be taken.
    fn add_failure(&mut self, steps: &mut Vec<LoweredStep>, condition: TermId, origin: Origin) {
        if self.store.as_boolean(condition) != Some(false) {
            let statement = SymbolicStatement { kind: StatementKind::Assume(condition), origin };
            steps.push(LoweredStep { what: LoweredMove::Failure, statement, origin });
        }
    }

    /// Lowers the conjunction of a condition, in order.
    fn all(&mut self, condition: &Condition, path: TermId) -> Lowered<TermId> {
        let (mut parts, mut path) = (Vec::new(), path);
        for conjunct in condition.data.iter().chain(&condition.clocks) {
            let holds = self.condition(conjunct, path)?;
            path = self.store.and(&[path, holds]);
            parts.push(holds);
        }
        Ok(self.store.and(&parts))
    }

    fn channels(&mut self, channel: &Expression, path: TermId) -> Lowered<Vec<(TermId, u32)>> {
        match &channel.kind {
            ExpressionKind::Variable(variable) => {
                Ok(vec![(self.store.truth(true), self.cells.first_channel(*variable))])
            }
            ExpressionKind::Element { array, index } => {
                let Type::Array(array_type) = &array.value_type else {
                    return Err(NotLowered::new("this form of channel", channel.origin));
                };
                let whole = self.channels(array, path)?;
                let position = self.value(index, path)?;
                let position = self.as_integer(position, index.origin)?;
                self.demand_range(position, super::cells::index_range(&array_type.index), path);
                let size = super::cells::size_of(&array_type.element) as u32;
                let mut found = Vec::new();
                for (offset, value) in array_type.index.values().enumerate() {
                    let value = self.store.integer(i64::from(value));
                    let is_this = self.store.equal(position, value);
                    for &(condition, first) in &whole {
                        let condition = self.store.and(&[condition, is_this]);
                        if self.store.as_boolean(condition) != Some(false) {
                            found.push((condition, first + offset as u32 * size));
                        }
                    }
                }
                Ok(found)
            }
            _ => Err(NotLowered::new("this form of channel", channel.origin)),
        }
    }

    /// Returns the condition under which an edge receives from a sender.
    fn receives_from(&mut self, sent: &InstanceChannel, other: &Instance<'_>) -> TermId {
        let mut alternatives = Vec::new();
        if let Some(received) = &other.synchronisation
            && received.role == SynchronisationRole::Receive
        {
            for &(one, number) in &sent.numbers {
                for &(another, same) in received.numbers.iter().filter(|(_, same)| *same == number) {
                    debug_assert_eq!(same, number);
                    alternatives.push(self.store.and(&[one, another]));
                }
            }
        }
        self.store.or(&alternatives)
    }

    /// Lowers a broadcast, for each choice of receivers and their edges.
    fn broadcast(
        &mut self,
        steps: &mut Vec<LoweredStep>,
        instances: &[Instance<'network>],
        sender: usize,
    ) -> Lowered<()> {
        let sending = &instances[sender];
        let Some(own) = &sending.synchronisation else { return Ok(()) };
        // For each choice so far, the participants and the condition.
        let mut choices: Vec<(Vec<usize>, TermId)> = vec![(vec![sender], sending.enabled)];
        for process in self.network.processes.ids().filter(|process| *process != sending.process) {
            let mut options = Vec::new();
            let mut none = Vec::new();
            for (number, instance) in instances.iter().enumerate().filter(|(_, one)| one.process == process) {
                self.check_size(sending.edge.origin)?;
                let meets = self.receives_from(own, instance);
                let receives = self.store.and(&[meets, instance.enabled]);
                if self.store.as_boolean(receives) != Some(false) {
                    options.push((number, receives));
                    none.push(self.store.not(receives));
                }
            }
            if options.is_empty() {
                continue;
            }
            let stays = self.store.and(&none);
            let before = std::mem::take(&mut choices);
            for (members, condition) in before {
                self.check_size(sending.edge.origin)?;
                for &(number, receives) in &options {
                    let condition = self.store.and(&[condition, receives]);
                    if self.store.as_boolean(condition) != Some(false) {
                        let mut more = members.clone();
                        more.push(number);
                        choices.push((more, condition));
                    }
                }
                let condition = self.store.and(&[condition, stays]);
                if self.store.as_boolean(condition) != Some(false) {
                    choices.push((members, condition));
                }
            }
            if choices.len() + steps.len() > MAX_STEPS {
                return Err(NotLowered::new("a broadcast with this many receivers", sending.edge.origin));
            }
        }
        for (members, condition) in choices {
            let members: Vec<&Instance<'network>> =
                members.iter().map(|&number| &instances[number]).collect();
            self.transition(steps, LoweredKind::Broadcast, &members, Some(condition))?;
        }
        Ok(())
    }

    /// Lowers a transition, for each choice of branches.
    fn transition(
        &mut self,
        steps: &mut Vec<LoweredStep>,
        kind: LoweredKind,
        members: &[&Instance<'network>],
        condition: Option<TermId>,
    ) -> Lowered<()> {
        let mut conditions: Vec<TermId> = members.iter().map(|member| member.enabled).collect();
        conditions.extend(condition);
        conditions.extend(self.committed(members));
        let condition = self.store.and(&conditions);
        if self.store.as_boolean(condition) == Some(false) {
            return Ok(());
        }
        let mut branches = vec![0usize; members.len()];
        loop {
            self.branch(steps, kind, members, &branches, condition)?;
            if steps.len() > MAX_STEPS {
                return Err(NotLowered::new("this many transitions", members[0].edge.origin));
            }
            let mut at = branches.len();
            while at > 0 && branches[at - 1] + 1 == members[at - 1].edge.branches.len() {
                branches[at - 1] = 0;
                at -= 1;
            }
            if at == 0 {
                return Ok(());
            }
            branches[at - 1] += 1;
        }
    }

    fn branch(
        &mut self,
        steps: &mut Vec<LoweredStep>,
        kind: LoweredKind,
        members: &[&Instance<'network>],
        branches: &[usize],
        condition: TermId,
    ) -> Lowered<()> {
        let network = self.network;
        let origin = members[0].edge.origin;
        self.check_size(origin)?;
        self.reset();
        for update in &network.before_update {
            self.effect(update, condition)?;
        }
        for (member, &branch) in members.iter().zip(branches) {
            self.bind(&member.selects);
            for update in &member.edge.branches[branch].updates {
                self.effect(update, condition)?;
            }
        }
        self.bind(&[]);
        for update in &network.after_update {
            self.effect(update, condition)?;
        }
        for (member, &branch) in members.iter().zip(branches) {
            let target = member.edge.branches[branch].target;
            self.now[self.cells.location(member.process)] = self.store.integer(target.index() as i64);
        }
        let invariants = self.invariants(condition)?;
        let failure = self.failure();
        let failure = self.store.and(&[condition, failure]);
        self.add_failure(steps, failure, origin);
        let goes_well = self.store.not(failure);
        let assumed = self.store.and(&[condition, invariants, goes_well]);
        if self.store.as_boolean(assumed) == Some(false) {
            return Ok(());
        }
        let participants = members
            .iter()
            .zip(branches)
            .map(|(member, &branch)| LoweredParticipant {
                process: member.process,
                edge: member.id,
                branch,
                select_values: member.selects.iter().map(|&(_, value)| value).collect(),
            })
            .collect();
        let statement = self.assignments(assumed, origin);
        let what = LoweredMove::Transition(LoweredTransition { kind, participants });
        steps.push(LoweredStep { what, statement, origin });
        Ok(())
    }

    /// Returns the conditions of committed locations: a participant is in one, or no process is.
    fn committed(&mut self, members: &[&Instance<'_>]) -> Vec<TermId> {
        let network = self.network;
        let is_committed = |process: ProcessId, location: tempora_model::LocationId| {
            network.processes[process].locations[location].kind == LocationKind::Committed
        };
        if members.iter().any(|member| is_committed(member.process, member.edge.source)) {
            return Vec::new();
        }
        let mut conditions = Vec::new();
        for (id, process) in network.processes.iter() {
            for location in process.locations.ids().filter(|&location| is_committed(id, location)) {
                let there = self.store.integer(location.index() as i64);
                let is_there = self.store.equal(self.cells.terms[self.cells.location(id)], there);
                conditions.push(self.store.not(is_there));
            }
        }
        conditions
    }

    /// Lowers the invariants of the current locations, with the current values of the cells.
    fn invariants(&mut self, path: TermId) -> Lowered<TermId> {
        let network = self.network;
        self.bind(&[]);
        let mut conditions = Vec::new();
        for (id, process) in network.processes.iter() {
            let here = self.now[self.cells.location(id)];
            for (location, known) in process.locations.iter() {
                if !known.clock_rates.is_empty() {
                    return Err(NotLowered::new("rates of clocks", known.origin));
                }
                if known.invariant.is_trivial() {
                    continue;
                }
                let there = self.store.integer(location.index() as i64);
                let is_there = self.store.equal(here, there);
                if self.store.as_boolean(is_there) == Some(false) {
                    continue;
                }
                let inside = self.store.and(&[path, is_there]);
                let holds = self.all(&known.invariant, inside)?;
                conditions.push(self.store.implies(is_there, holds));
            }
        }
        Ok(self.store.and(&conditions))
    }

    /// Lowers the passage of time.
    fn delay(&mut self, steps: &[LoweredStep], urgent: &[usize], origin: Origin) -> Lowered<LoweredStep> {
        let network = self.network;
        self.reset();
        let (delay, amount) = self.cells.add_local(&mut self.store, "delay".to_owned(), Sort::Real, origin);
        let mut conditions = Vec::new();
        let zero = self.store.integer(0);
        let zero = self.store.simplified(&Operator::ToReal, &[zero]);
        conditions.push(self.store.less_equal(zero, amount));
        for (id, process) in network.processes.iter() {
            for (location, known) in process.locations.iter() {
                if known.kind != LocationKind::Ordinary {
                    let there = self.store.integer(location.index() as i64);
                    let is_there = self.store.equal(self.cells.terms[self.cells.location(id)], there);
                    conditions.push(self.store.not(is_there));
                }
            }
        }
        let clock_symbols: Vec<_> = self
            .cells
            .variables
            .values()
            .zip(&self.cells.kinds)
            .filter(|(_, kind)| **kind == super::cells::CellKind::Clock)
            .map(|(variable, _)| variable.symbol)
            .collect();
        for &step in urgent {
            let Some(possible) = assumed(&steps[step].statement) else { continue };
            let symbols = self.store.symbols_of(&[possible]);
            if clock_symbols.iter().any(|symbol| symbols.contains(symbol)) {
                return Err(NotLowered::new(
                    "urgent synchronisations that depend on clocks",
                    steps[step].origin,
                ));
            }
            conditions.push(self.store.not(possible));
        }
        for cell in 0..self.cells.kinds.len() {
            if self.cells.kinds[cell] == super::cells::CellKind::Clock {
                self.now[cell] = self.store.add(&[self.now[cell], amount]);
            }
        }
        let always = self.store.truth(true);
        conditions.push(self.invariants(always)?);
        // A failure here would have occurred when the state was entered: time changes no data.
        self.failures.clear();
        let condition = self.store.and(&conditions);
        let havoc = SymbolicStatement { kind: StatementKind::Havoc(delay), origin };
        let rest = self.assignments(condition, origin);
        let kind = StatementKind::Sequence(vec![havoc, rest]);
        Ok(LoweredStep { what: LoweredMove::Delay, statement: SymbolicStatement { kind, origin }, origin })
    }

    /// Assumes a condition and assigns all cells simultaneously.
    fn assignments(&mut self, condition: TermId, origin: Origin) -> SymbolicStatement {
        let statement = |kind: StatementKind| SymbolicStatement { kind, origin };
        let mut parts = vec![statement(StatementKind::Assume(condition))];
        let changed: Vec<usize> =
            (0..self.cells.kinds.len()).filter(|&cell| self.now[cell] != self.cells.terms[cell]).collect();
        let reads: Vec<BTreeSet<SymbolId>> =
            changed.iter().map(|&cell| self.store.symbols_of(&[self.now[cell]])).collect();
        // For each symbol, the last changed cell whose new value reads it.
        let mut last_reader: BTreeMap<SymbolId, usize> = BTreeMap::new();
        for (position, symbols) in reads.iter().enumerate() {
            last_reader.extend(symbols.iter().map(|&symbol| (symbol, position)));
        }
        // A value that is read after its cell was assigned is saved in an auxiliary variable.
        let mut later = Vec::new();
        let mut assigned = BTreeSet::new();
        for (position, &cell) in changed.iter().enumerate() {
            let variable = self.cells.variable(cell);
            let symbol = self.cells.variables[variable].symbol;
            let value = self.now[cell];
            let is_clean = reads[position].is_disjoint(&assigned);
            let is_read_later = last_reader.get(&symbol).is_some_and(|&reader| reader > position);
            if is_clean && !is_read_later {
                parts.push(statement(StatementKind::Assign(variable, value)));
                assigned.insert(symbol);
            } else {
                later.push((cell, value));
            }
        }
        let mut last = Vec::new();
        // Saved values are assigned to their auxiliary variables first.
        let mut first = vec![parts.remove(0)];
        for (cell, value) in later {
            let name = format!("next value {}", self.cells.variables.len());
            let sort = self.cells.kinds[cell].sort();
            let (variable, term) = self.cells.add_local(&mut self.store, name, sort, origin);
            first.push(statement(StatementKind::Assign(variable, value)));
            last.push(statement(StatementKind::Assign(self.cells.variable(cell), term)));
        }
        first.extend(parts);
        first.extend(last);
        statement(StatementKind::Sequence(first))
    }
}

/// Returns the condition with which a step begins.
fn assumed(statement: &SymbolicStatement) -> Option<TermId> {
    match &statement.kind {
        StatementKind::Assume(condition) => Some(*condition),
        StatementKind::Sequence(parts) => parts.first().and_then(assumed),
        _ => None,
    }
}
