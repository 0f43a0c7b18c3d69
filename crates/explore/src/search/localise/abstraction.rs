//! Localisation reduction: a smaller network that simulates the network.
//!
//! Invariant: every run of the network has a run of the abstraction with the same kept locations, kept variables and
//! kept clocks at every moment. So states that the abstraction cannot reach are unreachable in the network. The
//! converse does not hold. In detail:
//! - A condition on a variable that is not kept is dropped from guards and invariants.
//! - An update that changes no kept variable is dropped; every other update mentions kept variables only, as
//!   [`KeptPart::close`] ensures.
//! - A process that is not kept has a single location, and its edges are self-loops.
//! - A receiver of a broadcast may stay in its location if it might not have been able to receive.
//! - A synchronisation forbids delay only if it is not easier than before: no guard, no update and no invariant that
//!   its updates might violate is dropped. A committed location gives way to others if some dropped location is
//!   committed.
//!
//! Kurshan, "Computer-aided verification of coordinating processes" (1994).

use std::collections::BTreeSet;

use tempora_model::{
    BinaryOperator, Branch, Condition, Edge, Expression, ExpressionKind, Id, Location, LocationId,
    LocationKind, Network, Process, SynchronisationRole, Table, Type, VariableId, VariableKind,
};

use super::dependencies::Dependencies;

/// The processes and variables that the abstraction keeps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct KeptPart {
    pub(crate) processes: Vec<bool>,
    pub(crate) variables: Vec<bool>,
}

impl KeptPart {
    pub(crate) fn is_all(&self) -> bool {
        self.processes.iter().all(|&kept| kept) && self.variables.iter().all(|&kept| kept)
    }

    fn has(&self, variables: &BTreeSet<VariableId>) -> bool {
        variables.iter().all(|variable| self.variables[variable.index()])
    }

    fn touches(&self, variables: &BTreeSet<VariableId>) -> bool {
        variables.iter().any(|variable| self.variables[variable.index()])
    }

    fn keep(&mut self, variables: &BTreeSet<VariableId>) -> bool {
        let mut is_new = false;
        for variable in variables {
            is_new |= !std::mem::replace(&mut self.variables[variable.index()], true);
        }
        is_new
    }

    /// Keeps everything that another keeps.
    pub(crate) fn add(&mut self, other: &KeptPart) {
        let add = |own: &mut Vec<bool>, other: &[bool]| {
            own.iter_mut().zip(other).for_each(|(own, &other)| *own |= other);
        };
        add(&mut self.processes, &other.processes);
        add(&mut self.variables, &other.variables);
    }

    /// Closes the kept part: adds constants, the variables that channels depend on, and those that the new values of
    /// kept variables depend on.
    pub(crate) fn close(&mut self, network: &Network, dependencies: &Dependencies) {
        for (id, variable) in network.variables.iter() {
            let is_channel = variable.value_type.has_channels();
            self.variables[id.index()] |= is_channel || variable.kind == VariableKind::Constant;
        }
        for edge in network.processes.values().flat_map(|process| process.edges.values()) {
            if let Some(synchronisation) = &edge.synchronisation {
                self.keep(&dependencies.of(network, &synchronisation.channel).mentioned);
            }
        }
        loop {
            let mut has_grown = false;
            for edge in network.processes.values().flat_map(|process| process.edges.values()) {
                for update in edge.branches.iter().flat_map(|branch| &branch.updates) {
                    let dealings = dependencies.of(network, update);
                    if self.touches(&dealings.changed) && !self.has(&dealings.mentioned) {
                        has_grown |= self.keep(&dealings.mentioned);
                    }
                }
            }
            if !has_grown {
                return;
            }
        }
    }

    /// Refines the abstraction by direct dependencies of the kept part: first the data in its conditions; then the
    /// processes that change kept variables or synchronise with kept processes; last the clocks in its conditions,
    /// since many properties hold regardless of time. Returns false if nothing is left to add.
    pub(crate) fn widen(&mut self, network: &Network, dependencies: &Dependencies) -> bool {
        let has_grown = self.widen_by_variables(network, dependencies, false)
            || self.widen_by_processes(network, dependencies)
            || self.widen_by_variables(network, dependencies, true);
        if has_grown {
            self.close(network, dependencies);
        }
        has_grown
    }

    fn widen_by_variables(
        &mut self,
        network: &Network,
        dependencies: &Dependencies,
        are_clocks: bool,
    ) -> bool {
        let mut has_grown = false;
        for (id, process) in network.processes.iter() {
            if !self.processes[id.index()] {
                continue;
            }
            let invariants = process.locations.values().map(|location| &location.invariant);
            let guards = process.edges.values().map(|edge| &edge.guard);
            for conjunct in
                invariants.chain(guards).flat_map(|condition| condition.data.iter().chain(&condition.clocks))
            {
                let mut mentioned = dependencies.of(network, conjunct).mentioned;
                mentioned
                    .retain(|&variable| network.variables[variable].value_type.has_clocks() == are_clocks);
                has_grown |= self.keep(&mentioned);
            }
        }
        has_grown
    }

    fn widen_by_processes(&mut self, network: &Network, dependencies: &Dependencies) -> bool {
        let mut has_grown = false;
        let channels_of = |process: &Process| -> BTreeSet<VariableId> {
            let synchronisations = process.edges.values().filter_map(|edge| edge.synchronisation.as_ref());
            synchronisations.filter_map(|synchronisation| synchronisation.channel.root()).collect()
        };
        let mut used = BTreeSet::new();
        for (id, process) in network.processes.iter() {
            if self.processes[id.index()] {
                used.extend(channels_of(process));
            }
        }
        for (id, process) in network.processes.iter() {
            if self.processes[id.index()] {
                continue;
            }
            let updates = process.edges.values().flat_map(|edge| &edge.branches);
            let changes = updates.flat_map(|branch| &branch.updates).any(|update| {
                let changed = dependencies.of(network, update).changed;
                self.touches(&changed)
            });
            if changes || !channels_of(process).is_disjoint(&used) {
                self.processes[id.index()] = true;
                has_grown = true;
            }
        }
        has_grown
    }
}

/// Returns whether the network has only constructs that the abstraction supports.
pub(crate) fn can_be_localised(network: &Network, dependencies: &Dependencies) -> bool {
    let looks = |expression: &Expression| dependencies.of(network, expression).looks_at_locations;
    let has_looks = |condition: &Condition| condition.data.iter().chain(&condition.clocks).any(looks);
    network.channel_priorities.is_none()
        && network.vectors.is_empty()
        && network.before_update.is_empty()
        && network.after_update.is_empty()
        && network.variables.values().all(|variable| variable.kind != VariableKind::Meta)
        && network.processes.values().all(|process| {
            process.priority == 0
                && process
                    .locations
                    .values()
                    .all(|location| location.clock_rates.is_empty() && !has_looks(&location.invariant))
                && process.edges.values().all(|edge| {
                    edge.event.is_none()
                        && !has_looks(&edge.guard)
                        && !edge.branches.iter().flat_map(|branch| &branch.updates).any(looks)
                })
        })
}

/// Builds the abstraction that keeps the given part.
pub(crate) fn abstraction(network: &Network, dependencies: &Dependencies, kept: &KeptPart) -> Network {
    let weakened = Weakened::new(network, dependencies, kept);
    let mut result = network.clone();
    let gives_way = network.processes.iter().any(|(id, process)| {
        let mut kinds = process.locations.values().map(|location| location.kind);
        !kept.processes[id.index()] && kinds.any(|kind| kind == LocationKind::Committed)
    });
    let mut easier: BTreeSet<VariableId> = BTreeSet::new();
    result.processes = Table::new();
    for (id, process) in network.processes.iter() {
        let mut new = if kept.processes[id.index()] {
            weakened.kept_process(process, gives_way, &mut easier)
        } else {
            weakened.dropped_process(process, &mut easier)
        };
        remove_repetitions(&mut new);
        result.processes.push(new);
    }
    // A synchronisation that became easier must not forbid delay.
    for &channel in &easier {
        make_non_urgent(&mut result.variables[channel].value_type);
    }
    for process in result.processes.values_mut() {
        for edge in process.edges.values_mut() {
            if let Some(synchronisation) = &mut edge.synchronisation
                && synchronisation.channel.root().is_some_and(|channel| easier.contains(&channel))
            {
                make_non_urgent_expression(&mut synchronisation.channel);
            }
        }
    }
    result
}

/// Builds weaker edges and locations.
struct Weakened<'network> {
    network: &'network Network,
    dependencies: &'network Dependencies,
    kept: &'network KeptPart,
    /// The variables in dropped invariants.
    guarded: BTreeSet<VariableId>,
}

impl<'network> Weakened<'network> {
    fn new(
        network: &'network Network,
        dependencies: &'network Dependencies,
        kept: &'network KeptPart,
    ) -> Weakened<'network> {
        let mut guarded = BTreeSet::new();
        for (id, process) in network.processes.iter() {
            let invariants = process.locations.values().map(|location| &location.invariant);
            for conjunct in invariants.flat_map(|condition| condition.data.iter().chain(&condition.clocks)) {
                let mut parts = Vec::new();
                split(conjunct.clone(), &mut parts);
                for part in parts {
                    let mentioned = dependencies.of(network, &part).mentioned;
                    if !kept.processes[id.index()] || !kept.has(&mentioned) {
                        guarded.extend(mentioned);
                    }
                }
            }
        }
        Weakened { network, dependencies, kept, guarded }
    }

    fn kept_process(&self, process: &Process, gives_way: bool, easier: &mut BTreeSet<VariableId>) -> Process {
        let mut new = process.clone();
        for location in new.locations.values_mut() {
            self.weaken(&mut location.invariant);
            if gives_way && location.kind == LocationKind::Committed {
                location.kind = LocationKind::Urgent;
            }
        }
        new.edges = Table::new();
        for edge in process.edges.values() {
            let mut own = edge.clone();
            let is_weaker = self.weaken(&mut own.guard);
            for branch in &mut own.branches {
                self.keep_updates(&mut branch.updates);
            }
            if self.might_break_invariants(edge) {
                easier.extend(edge.synchronisation.iter().filter_map(|sync| sync.channel.root()));
            }
            if is_weaker || self.enters_weaker_location(process, edge) {
                easier.extend(edge.synchronisation.iter().filter_map(|sync| sync.channel.root()));
                if is_broadcast_receiver(edge) {
                    let mut staying = own.clone();
                    staying.guard = Condition::default();
                    staying.branches.truncate(1);
                    for branch in &mut staying.branches {
                        branch.updates.clear();
                        branch.target = edge.source;
                    }
                    new.edges.push(staying);
                }
            }
            new.edges.push(own);
        }
        new
    }

    /// If the target's invariant did not hold, the original process could not enter it.
    fn enters_weaker_location(&self, process: &Process, edge: &Edge) -> bool {
        edge.branches.iter().any(|branch| {
            let mut invariant = process.locations[branch.target].invariant.clone();
            self.weaken(&mut invariant) || !self.keeps_all_updates(branch)
        })
    }

    /// An edge is disabled if it would violate an invariant; without the invariant it is not.
    fn might_break_invariants(&self, edge: &Edge) -> bool {
        edge.branches.iter().flat_map(|branch| &branch.updates).any(|update| {
            let changed = self.dependencies.of(self.network, update).changed;
            !changed.is_disjoint(&self.guarded)
        })
    }

    fn keeps_all_updates(&self, branch: &Branch) -> bool {
        branch
            .updates
            .iter()
            .all(|update| self.kept.touches(&self.dependencies.of(self.network, update).changed))
    }

    fn dropped_process(&self, process: &Process, easier: &mut BTreeSet<VariableId>) -> Process {
        let mut new = process.clone();
        let only = LocationId::from_index(0);
        new.locations = Table::new();
        new.locations.push(Location {
            name: None,
            kind: LocationKind::Ordinary,
            invariant: Condition::default(),
            clock_rates: Vec::new(),
            exponential_rate: None,
            labels: Vec::new(),
            origin: process.origin,
        });
        new.initial = vec![only];
        new.edges = Table::new();
        for edge in process.edges.values() {
            easier.extend(edge.synchronisation.iter().filter_map(|sync| sync.channel.root()));
            let mut own = edge.clone();
            own.source = only;
            self.weaken(&mut own.guard);
            for branch in &mut own.branches {
                self.keep_updates(&mut branch.updates);
                branch.target = only;
            }
            let is_idle = own.branches.iter().all(|branch| branch.updates.is_empty());
            if is_broadcast_receiver(edge) {
                if is_idle {
                    continue;
                }
                let mut staying = own.clone();
                staying.guard = Condition::default();
                staying.branches.truncate(1);
                staying.branches.iter_mut().for_each(|branch| branch.updates.clear());
                new.edges.push(staying);
            } else if is_idle && edge.synchronisation.is_none() {
                continue;
            }
            new.edges.push(own);
        }
        new
    }

    /// Drops conjuncts that mention variables that are not kept; returns whether there were any.
    fn weaken(&self, condition: &mut Condition) -> bool {
        let mut is_weaker = false;
        for conjuncts in [&mut condition.data, &mut condition.clocks] {
            let mut parts = Vec::new();
            for conjunct in conjuncts.drain(..) {
                split(conjunct, &mut parts);
            }
            let count = parts.len();
            parts.retain(|part| self.kept.has(&self.dependencies.of(self.network, part).mentioned));
            is_weaker |= parts.len() < count;
            *conjuncts = parts;
        }
        is_weaker
    }

    fn keep_updates(&self, updates: &mut Vec<Expression>) {
        updates.retain(|update| self.kept.touches(&self.dependencies.of(self.network, update).changed));
    }
}

/// Removes unused bindings, and edges that differ from an earlier one only in their origin.
fn remove_repetitions(process: &mut Process) {
    let mut seen = BTreeSet::new();
    let mut edges = Table::new();
    for mut edge in std::mem::take(&mut process.edges).into_values() {
        let mut used = BTreeSet::new();
        let conditions = edge.guard.data.iter().chain(&edge.guard.clocks);
        let updates = edge.branches.iter().flat_map(|branch| &branch.updates);
        let channels = edge.synchronisation.iter().map(|synchronisation| &synchronisation.channel);
        for expression in conditions.chain(updates).chain(channels) {
            expression.for_each(&mut |part| {
                if let ExpressionKind::Local(local) = part.kind {
                    used.insert(local);
                }
            });
        }
        edge.selects.retain(|binder| used.contains(&binder.local));
        if seen.insert(shape(&edge)) {
            edges.push(edge);
        }
    }
    process.edges = edges;
}

/// Returns a key that is equal for edges with the same behaviour.
fn shape(edge: &Edge) -> String {
    let mut edge = edge.clone();
    edge.template_position = 0;
    let conditions = edge.guard.data.iter().chain(&edge.guard.clocks);
    let mut text = format!("{:?} {:?} ", edge.source, edge.synchronisation.as_ref().map(|sync| sync.role));
    let channels = edge.synchronisation.iter().map(|synchronisation| &synchronisation.channel);
    for expression in conditions.chain(channels) {
        write_shape(expression, &mut text);
        text.push(';');
    }
    for binder in &edge.selects {
        text.push_str(&format!("{:?} {:?};", binder.local, binder.domain));
    }
    for branch in &edge.branches {
        text.push_str(&format!("-> {:?} ", branch.target));
        for update in &branch.updates {
            write_shape(update, &mut text);
            text.push(';');
        }
    }
    text
}

fn write_shape(expression: &Expression, text: &mut String) {
    let children = expression.children();
    let name = match &expression.kind {
        ExpressionKind::Integer(value) => format!("{value}"),
        ExpressionKind::Double(value) => format!("{:x}d", value.to_bits()),
        ExpressionKind::Variable(variable) => format!("v{}", variable.0),
        ExpressionKind::Local(local) => format!("l{}", local.0),
        ExpressionKind::Field { field, .. } => format!("field {field}"),
        ExpressionKind::Unary { operator, .. } => format!("{operator:?}"),
        ExpressionKind::Binary { operator, .. } => format!("{operator:?}"),
        ExpressionKind::Assign { operator, .. } => format!("assign {operator:?}"),
        ExpressionKind::Step { amount, is_postfix, .. } => format!("step {amount} {is_postfix}"),
        ExpressionKind::Call { function, .. } => format!("call {}", function.0),
        ExpressionKind::CallBuiltin { function, .. } => format!("call {function}"),
        ExpressionKind::Quantified { quantifier, binder, .. } => {
            format!("{quantifier:?} {:?} {:?}", binder.local, binder.domain)
        }
        ExpressionKind::CompareClocks { left, right, comparison, .. } => {
            format!("compare {comparison:?} {} {}", left.is_some(), right.is_some())
        }
        ExpressionKind::Element { .. } => "element".to_owned(),
        ExpressionKind::Conditional { .. } => "if".to_owned(),
        // Networks that can be localised contain nothing else, so it does not matter that these differ.
        other => format!("{other:?}"),
    };
    text.push('(');
    text.push_str(&name);
    for child in children {
        write_shape(child, text);
    }
    text.push(')');
}

fn split(conjunct: Expression, parts: &mut Vec<Expression>) {
    match conjunct.kind {
        ExpressionKind::Binary { operator: BinaryOperator::And, left, right } => {
            split(*left, parts);
            split(*right, parts);
        }
        kind => parts.push(Expression { kind, ..conjunct }),
    }
}

fn is_broadcast_receiver(edge: &Edge) -> bool {
    edge.synchronisation.as_ref().is_some_and(|synchronisation| {
        synchronisation.role == SynchronisationRole::Receive
            && matches!(synchronisation.channel.value_type, Type::Channel(kind) if kind.is_broadcast)
    })
}

fn make_non_urgent(value_type: &mut Type) {
    match value_type {
        Type::Channel(kind) => kind.is_urgent = false,
        Type::Array(array) => {
            let mut changed = (**array).clone();
            make_non_urgent(&mut changed.element);
            *array = changed.into();
        }
        Type::Record(record) => {
            let mut changed = (**record).clone();
            changed.fields.iter_mut().for_each(|field| make_non_urgent(&mut field.field_type));
            *record = changed.into();
        }
        _ => {}
    }
}

fn make_non_urgent_expression(channel: &mut Expression) {
    make_non_urgent(&mut channel.value_type);
    match &mut channel.kind {
        ExpressionKind::Element { array: whole, .. } | ExpressionKind::Field { record: whole, .. } => {
            make_non_urgent_expression(whole);
        }
        _ => {}
    }
}
