//! Translates edges into plain edges without selects, channels and branches, and channels into synchronisation vectors.
//!
//! Invariant: an edge that sends or receives has an event for its channel and direction, which occurs in a vector for
//! every possible synchronisation. An edge without a partner can never be taken and is omitted, so no such edge is
//! taken alone.

use std::collections::{BTreeMap, BTreeSet};

use tempora_model::{
    ChannelKind, Comparison, Edge, Expression, ExpressionKind, LocationId, ProcessId, SynchronisationRole,
    Type, VariableId,
};

use super::expressions::{Bound, NEVER, Term};
use super::{Refused, TckWriter, WriteResult};

/// An edge of the target language.
pub(super) struct PlainEdge {
    pub(super) process: ProcessId,
    pub(super) source: LocationId,
    pub(super) target: LocationId,
    pub(super) event: String,
    pub(super) guard: Vec<String>,
    pub(super) statements: Vec<String>,
}

/// A single channel: a variable and its cell.
type Channel = (VariableId, Vec<i32>);

/// The events and processes that synchronise on a channel.
#[derive(Default)]
struct Partners {
    kind: ChannelKind,
    senders: BTreeSet<ProcessId>,
    receivers: BTreeSet<ProcessId>,
}

/// A plain edge without its event.
struct DraftEdge {
    edge: PlainEdge,
    channel: Option<(Channel, SynchronisationRole)>,
}

impl TckWriter<'_> {
    /// Returns all edges, the names of all events, and the participants of all vectors.
    pub(super) fn plain_edges(&mut self) -> (Vec<PlainEdge>, Vec<String>, Vec<Vec<String>>) {
        let network = self.network;
        let mut drafts = Vec::new();
        for (process_id, process) in network.processes.iter() {
            for edge in process.edges.values() {
                // The reason has been reported.
                let _ = self.drafts_of(process_id, edge, &mut drafts);
            }
        }
        let mut partners: BTreeMap<Channel, Partners> = BTreeMap::new();
        for draft in &drafts {
            if let Some((channel, role)) = &draft.channel {
                let partners = partners.entry(channel.clone()).or_default();
                partners.kind = self.channel_kind(channel.0);
                match role {
                    SynchronisationRole::Send => partners.senders.insert(draft.edge.process),
                    SynchronisationRole::Receive => partners.receivers.insert(draft.edge.process),
                };
            }
        }
        let mut events: Vec<String> =
            network.events.ids().map(|event| self.names.event(event).to_owned()).collect();
        let mut vectors: Vec<Vec<String>> = network
            .vectors
            .iter()
            .map(|vector| {
                let participants = vector.participants.iter().map(|participant| {
                    let weak = if participant.is_weak { "?" } else { "" };
                    let (process, event) =
                        (self.names.process(participant.process), self.names.event(participant.event));
                    format!("{process}@{event}{weak}")
                });
                participants.collect()
            })
            .collect();
        let channel_events = self.channel_vectors(&partners, &mut events, &mut vectors);
        let mut silent = None;
        let mut edges = Vec::new();
        for mut draft in drafts {
            match &draft.channel {
                Some((channel, role)) => {
                    let process = draft.edge.process;
                    match channel_events.get(&(channel.clone(), *role)) {
                        Some((event, processes)) if processes.contains(&process) => {
                            draft.edge.event.clone_from(event);
                        }
                        _ => continue,
                    }
                }
                None if draft.edge.event.is_empty() => {
                    let event = silent.get_or_insert_with(|| {
                        let event = self.names.new_event("tau");
                        events.push(event.clone());
                        event
                    });
                    draft.edge.event.clone_from(event);
                }
                None => {}
            }
            edges.push(draft.edge);
        }
        // In the order of their first use, which reading preserves.
        let used: Vec<&str> = edges.iter().map(|edge| edge.event.as_str()).collect();
        let first_use: BTreeMap<&str, usize> =
            used.iter().enumerate().rev().map(|(position, event)| (*event, position)).collect();
        events.sort_by_key(|event| first_use.get(event.as_str()).copied().unwrap_or(usize::MAX));
        (edges, events, vectors)
    }

    /// Computes the event of each side of each channel, with the possible participants, and the vectors.
    fn channel_vectors(
        &mut self,
        partners: &BTreeMap<Channel, Partners>,
        events: &mut Vec<String>,
        vectors: &mut Vec<Vec<String>>,
    ) -> BTreeMap<(Channel, SynchronisationRole), (String, BTreeSet<ProcessId>)> {
        let mut found = BTreeMap::new();
        for (channel, partners) in partners {
            let mut base = self.names.variable(channel.0).to_owned();
            for index in &channel.1 {
                base.push_str(&format!("_{index}"));
            }
            let sent = self.names.new_event(&format!("{base}_send"));
            let received = self.names.new_event(&format!("{base}_receive"));
            let (mut senders, mut receivers) = (BTreeSet::new(), BTreeSet::new());
            for &sender in &partners.senders {
                let mut vector = vec![format!("{}@{sent}", self.names.process(sender))];
                for &receiver in partners.receivers.iter().filter(|&&receiver| receiver != sender) {
                    senders.insert(sender);
                    receivers.insert(receiver);
                    let name = self.names.process(receiver);
                    if partners.kind.is_broadcast {
                        vector.push(format!("{name}@{received}?"));
                    } else {
                        vectors.push(vec![vector[0].clone(), format!("{name}@{received}")]);
                    }
                }
                if partners.kind.is_broadcast {
                    // A broadcast needs no receiver.
                    senders.insert(sender);
                    if vector.len() > 1 {
                        vectors.push(vector);
                    }
                }
            }
            if !senders.is_empty() {
                events.push(sent.clone());
            }
            if !receivers.is_empty() {
                events.push(received.clone());
            }
            found.insert((channel.clone(), SynchronisationRole::Send), (sent, senders));
            found.insert((channel.clone(), SynchronisationRole::Receive), (received, receivers));
        }
        found
    }

    /// Creates one edge for each combination of selected values, channel cell and branch.
    fn drafts_of(&mut self, process: ProcessId, edge: &Edge, drafts: &mut Vec<DraftEdge>) -> WriteResult<()> {
        if !edge.is_controllable {
            let _: WriteResult<()> =
                self.cannot(edge.origin, "an edge of the environment", "choose another language for games");
        }
        let mut combinations: Vec<Vec<i32>> = vec![Vec::new()];
        for binder in &edge.selects {
            let mut longer = Vec::new();
            for combination in &combinations {
                for value in binder.domain.values() {
                    self.spend(binder.origin)?;
                    let mut combination = combination.clone();
                    combination.push(value);
                    longer.push(combination);
                }
            }
            combinations = longer;
        }
        for combination in combinations {
            self.frames = vec![Vec::new()];
            for (binder, value) in edge.selects.iter().zip(combination) {
                self.bind(binder.local, Bound::Term(Term::constant(value)));
            }
            self.drafts_of_instance(process, edge, drafts)?;
        }
        self.frames.clear();
        Ok(())
    }

    fn drafts_of_instance(
        &mut self,
        process: ProcessId,
        edge: &Edge,
        drafts: &mut Vec<DraftEdge>,
    ) -> WriteResult<()> {
        let mut guard = Vec::new();
        let mut outcome = Ok(());
        for conjunct in edge.guard.data.iter().chain(&edge.guard.clocks) {
            match self.condition(conjunct) {
                Ok(conjuncts) => guard.extend(conjuncts),
                Err(refused) => outcome = Err(refused),
            }
        }
        if edge.event.is_none() && guard.iter().any(|conjunct| conjunct == NEVER) {
            // It is never enabled, and no vector refers to it.
            return outcome;
        }
        let is_weak =
            self.network.vectors.iter().flat_map(|vector| &vector.participants).any(|participant| {
                participant.is_weak && participant.process == process && Some(participant.event) == edge.event
            });
        let has_names = |conjunct: &String| conjunct.bytes().any(|byte| byte.is_ascii_alphabetic());
        if is_weak && guard.iter().any(has_names) {
            outcome = self.cannot(
                edge.origin,
                "a guard on the edge of a weak participant",
                "participation depends on locations alone: split the location",
            );
        }
        let mut channels = vec![(None, Vec::new())];
        if let Some(synchronisation) = &edge.synchronisation {
            let cells = self.channels(&synchronisation.channel)?;
            channels = cells
                .into_iter()
                .map(|(channel, condition)| (Some((channel, synchronisation.role)), condition))
                .collect();
            let kind = match &synchronisation.channel.value_type {
                Type::Channel(kind) => *kind,
                _ => ChannelKind::default(),
            };
            let is_guarded = !guard.is_empty() || channels.iter().any(|(_, condition)| !condition.is_empty());
            if kind.is_broadcast && synchronisation.role == SynchronisationRole::Receive && is_guarded {
                outcome = self.cannot(
                    edge.origin,
                    "a guard on a receiving edge of a broadcast channel",
                    "participation depends on locations alone: split the location",
                );
            }
            if kind.is_urgent {
                outcome = self.cannot(
                    synchronisation.channel.origin,
                    "an urgent channel",
                    "make the sending location urgent",
                );
            }
        }
        for branch in &edge.branches {
            if let Some(weight) = &branch.weight {
                outcome = self.cannot(weight.origin, "a probability", "remove the weights");
            }
            self.locals.clear();
            let mut statements = Vec::new();
            for update in &branch.updates {
                if self.update(update, &mut statements).is_err() {
                    outcome = Err(Refused);
                }
            }
            for (channel, condition) in &channels {
                self.spend(edge.origin)?;
                let event = edge.event.map_or(String::new(), |event| self.names.event(event).to_owned());
                drafts.push(DraftEdge {
                    edge: PlainEdge {
                        process,
                        source: edge.source,
                        target: branch.target,
                        event,
                        guard: guard.iter().chain(condition).cloned().collect(),
                        statements: statements.clone(),
                    },
                    channel: channel.clone(),
                });
            }
        }
        outcome
    }

    /// Returns the possible channels of an expression, each with its condition.
    fn channels(&mut self, channel: &Expression) -> WriteResult<Vec<(Channel, Vec<String>)>> {
        match &channel.kind {
            ExpressionKind::Variable(variable) => Ok(vec![((*variable, Vec::new()), Vec::new())]),
            ExpressionKind::Element { array, index } => {
                let wholes = self.channels(array)?;
                let Type::Array(array_type) = &array.value_type else {
                    return self.cannot(channel.origin, "this channel", "name the channel");
                };
                let written = self.term(index)?;
                let values: Vec<i32> = match written.value {
                    Some(value) => vec![value],
                    None => array_type.index.values().collect(),
                };
                let mut cells = Vec::new();
                for (whole, condition) in &wholes {
                    for &value in &values {
                        self.spend(channel.origin)?;
                        let mut cell = whole.clone();
                        cell.1.push(value);
                        let mut condition = condition.clone();
                        if written.value.is_none() {
                            condition.push(format!(
                                "{} {} {value}",
                                written.text,
                                Comparison::Equal.symbol()
                            ));
                        }
                        cells.push((cell, condition));
                    }
                }
                Ok(cells)
            }
            _ => self.cannot(
                channel.origin,
                "this channel",
                "name the channel, or a cell of an array of channels",
            ),
        }
    }

    fn channel_kind(&self, variable: VariableId) -> ChannelKind {
        let mut element = &self.network.variables[variable].value_type;
        while let Type::Array(array) = element {
            element = &array.element;
        }
        match element {
            Type::Channel(kind) => *kind,
            _ => ChannelKind::default(),
        }
    }
}
