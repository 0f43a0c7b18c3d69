//! Weakens a network around a part: the rest of the network may do anything.
//!
//! Invariant: the weakened network simulates the network on the part: at every moment, the processes of the part have
//! the same locations, and its variables and clocks the same values. So a set of states of the part that no run of the
//! weakened network leaves covers all reachable states of the network. For this
//! - conditions that involve anything outside the part are dropped, and so are updates outside the part;
//! - an update of the part, and every channel, must depend on the part alone, or the part is refused;
//! - a process outside has a single location, and may take each of its edges whenever its conditions on the part hold;
//! - a process whose ability to receive a broadcast is unknown may ignore it;
//! - a channel is urgent only if all of its users are in the part and synchronise exactly as in the network;
//! - a committed location is only urgent if a process outside the part may also be in one.
//!
//! Runs that end in a runtime error outside the part are not considered.

use std::collections::BTreeSet;

use tempora_evidence::NetworkPart;
use tempora_model::{
    BinaryOperator, Branch, Condition, Edge, Expression, ExpressionKind, FunctionId, Id, Location,
    LocationId, LocationKind, Network, Process, ProcessId, SynchronisationRole, Table, Type, VariableId,
    VariableKind,
};

use crate::refusal::Reason;

/// Returns a network that simulates the given one as far as a part and a predicate are concerned.
pub fn weakened(network: &Network, part: &NetworkPart, predicate: &Expression) -> Result<Network, Reason> {
    if let Some(what) = unsupported_construct(network) {
        return Err(Reason::Unsupported(format!("certificates about a part of a network with {what}")));
    }
    let part = Part { network, part };
    let needs = part.needs(predicate);
    if needs.has_deadlock {
        return Err(Reason::Unsupported("`deadlock` in a certificate about a part".to_owned()));
    }
    part.demand(&needs, "the query")?;
    let loose = part.loose_invariants();
    let outside_is_committed = network.processes.iter().any(|(id, process)| {
        !part.has_process(id) && process.locations.values().any(|place| place.kind == LocationKind::Committed)
    });
    let mut result = network.clone();
    let mut non_urgent = BTreeSet::new();
    for (id, process) in network.processes.iter() {
        result.processes[id] = match part.has_process(id) {
            true => part.inside(process, outside_is_committed, &loose, &mut non_urgent)?,
            false => part.outside(process, &mut non_urgent)?,
        };
    }
    for process in result.processes.values_mut() {
        for edge in process.edges.values_mut() {
            if let Some(synchronisation) = &mut edge.synchronisation
                && synchronisation.channel.root().is_some_and(|channel| non_urgent.contains(&channel))
            {
                set_non_urgent(&mut synchronisation.channel);
            }
        }
    }
    // Variables outside the part are no longer read or written.
    for id in network.variables.ids() {
        let variable = &mut result.variables[id];
        if !part.has_variable(id) && !variable.value_type.has_clocks() {
            variable.kind = VariableKind::Constant;
        }
    }
    Ok(result)
}

/// Returns a construct for which the behaviour of the rest cannot be over-approximated.
fn unsupported_construct(network: &Network) -> Option<&'static str> {
    let locations = || network.processes.values().flat_map(|process| process.locations.values());
    let edges = || network.processes.values().flat_map(|process| process.edges.values());
    let faults = [
        (network.channel_priorities.is_some(), "channel priorities"),
        (network.processes.values().any(|process| process.priority != 0), "process priorities"),
        (!network.vectors.is_empty() || edges().any(|edge| edge.event.is_some()), "synchronisation vectors"),
        (
            !network.before_update.is_empty() || !network.after_update.is_empty(),
            "updates before or after each transition",
        ),
        (
            edges()
                .filter_map(|edge| edge.synchronisation.as_ref())
                .any(|sync| sync.channel.root().is_none()),
            "a choice between channels",
        ),
        (locations().any(|location| !location.clock_rates.is_empty()), "clock rates"),
        (
            network
                .variables
                .values()
                .any(|variable| matches!(variable.kind, VariableKind::Meta | VariableKind::Hybrid)),
            "meta variables or hybrid clocks",
        ),
    ];
    faults.into_iter().find(|(is_there, _)| *is_there).map(|(_, what)| what)
}

/// The processes and variables that an expression reads and writes, functions included.
#[derive(Default)]
pub(crate) struct Needs {
    variables: BTreeSet<VariableId>,
    changes: BTreeSet<VariableId>,
    places: BTreeSet<ProcessId>,
    has_label: bool,
    has_deadlock: bool,
    called: BTreeSet<FunctionId>,
}

impl Needs {
    fn of(network: &Network, expression: &Expression) -> Needs {
        let mut needs = Needs::default();
        expression.for_each(&mut |node| needs.note(network, node));
        let mut looked_at = BTreeSet::new();
        while let Some(&function) = needs.called.difference(&looked_at).next() {
            looked_at.insert(function);
            for statement in &network.functions[function].body {
                statement.for_each_expression(&mut |node| needs.note(network, node));
            }
        }
        needs
    }

    /// Records a node, without its children.
    fn note(&mut self, network: &Network, node: &Expression) {
        match &node.kind {
            ExpressionKind::Variable(variable) => self.variables.extend([*variable]),
            ExpressionKind::At { process, .. } | ExpressionKind::LocationOf(process) => {
                self.places.insert(*process);
            }
            ExpressionKind::HasLabel(_) => self.has_label = true,
            ExpressionKind::Deadlock => self.has_deadlock = true,
            ExpressionKind::Assign { target, .. } | ExpressionKind::Step { target, .. } => {
                target.for_each_target(&mut |variable| self.changes.extend([variable]));
            }
            ExpressionKind::Call { function, arguments } => {
                self.called.insert(*function);
                let parameters = &network.functions[*function].parameters;
                for (_, argument) in parameters.iter().zip(arguments).filter(|(to, _)| to.is_reference) {
                    argument.for_each_target(&mut |variable| self.changes.extend([variable]));
                }
            }
            _ => {}
        }
    }
}

pub(crate) struct Part<'network> {
    pub(crate) network: &'network Network,
    pub(crate) part: &'network NetworkPart,
}

impl Part<'_> {
    pub(crate) fn needs(&self, expression: &Expression) -> Needs {
        Needs::of(self.network, expression)
    }

    fn has_process(&self, process: ProcessId) -> bool {
        self.part.processes.contains(&process)
    }

    /// Constants and channels belong to every part.
    fn has_variable(&self, variable: VariableId) -> bool {
        let declared = &self.network.variables[variable];
        declared.kind == VariableKind::Constant
            || declared.value_type.has_channels()
            || self.part.variables.contains(&variable)
    }

    pub(crate) fn has_all(&self, needs: &Needs) -> bool {
        !needs.has_label
            && needs.variables.iter().all(|&variable| self.has_variable(variable))
            && needs.places.iter().all(|&process| self.has_process(process))
    }

    fn demand(&self, needs: &Needs, what: &str) -> Result<(), Reason> {
        if self.has_all(needs) {
            return Ok(());
        }
        let variable = needs.variables.iter().find(|&&variable| !self.has_variable(variable));
        let process = needs.places.iter().find(|&&process| !self.has_process(process));
        let missing = match (variable, process) {
            (Some(&variable), _) => format!("`{}`", self.network.qualified_name(variable)),
            (None, Some(&process)) => format!("`{}`", self.network.processes[process].name),
            (None, None) => "a label".to_owned(),
        };
        Err(Reason::IllFormed(format!("{what} needs {missing}, which is not in the part")))
    }

    /// Returns the variables in invariants that the weakened network drops or weakens.
    fn loose_invariants(&self) -> BTreeSet<VariableId> {
        let mut loose = BTreeSet::new();
        for (id, process) in self.network.processes.iter() {
            for location in process.locations.values() {
                for conjunct in conjuncts(&location.invariant) {
                    let needs = self.needs(conjunct);
                    if !self.has_process(id) || !self.has_all(&needs) {
                        loose.extend(needs.variables);
                    }
                }
            }
        }
        loose
    }

    /// Returns the conjuncts of a condition about the part, and whether these are all.
    fn weakened_condition(&self, condition: &Condition) -> (Condition, bool) {
        let mut is_all = true;
        let mut left = |whole: &[Expression]| -> Vec<Expression> {
            let all: Vec<&Expression> = whole.iter().flat_map(conjuncts_of).collect();
            let kept: Vec<Expression> =
                all.iter().filter(|part| self.has_all(&self.needs(part))).map(|&part| part.clone()).collect();
            is_all &= kept.len() == all.len();
            kept
        };
        let mut condition = condition.clone();
        condition.data = left(&condition.data);
        condition.clocks = left(&condition.clocks);
        (condition, is_all)
    }

    /// Returns a branch with its updates of the part, and whether these are all.
    fn changing_part(&self, branch: &Branch) -> Result<(Branch, bool), Reason> {
        let mut own = branch.clone();
        own.updates.clear();
        for update in &branch.updates {
            let needs = self.needs(update);
            if needs.changes.iter().any(|&variable| self.has_variable(variable)) {
                self.demand(&needs, "an update of the part")?;
                own.updates.push(update.clone());
            }
        }
        let is_all = own.updates.len() == branch.updates.len();
        Ok((own, is_all))
    }

    /// Returns an edge of the weakened network, and whether it is equivalent to the original.
    fn edge(&self, edge: &Edge) -> Result<(Edge, bool), Reason> {
        if let Some(synchronisation) = &edge.synchronisation {
            self.demand(&self.needs(&synchronisation.channel), "a channel")?;
        }
        let (guard, mut is_exact) = self.weakened_condition(&edge.guard);
        let mut own = Edge { guard, branches: Vec::new(), ..edge.clone() };
        for branch in &edge.branches {
            let (branch, is_all) = self.changing_part(branch)?;
            own.branches.push(branch);
            is_exact &= is_all;
        }
        Ok((own, is_exact))
    }

    fn inside(
        &self,
        process: &Process,
        outside_is_committed: bool,
        loose: &BTreeSet<VariableId>,
        non_urgent: &mut BTreeSet<VariableId>,
    ) -> Result<Process, Reason> {
        let mut own = process.clone();
        for location in own.locations.values_mut() {
            location.invariant = self.weakened_condition(&location.invariant).0;
            if outside_is_committed && location.kind == LocationKind::Committed {
                location.kind = LocationKind::Urgent;
            }
        }
        own.edges = Table::new();
        for edge in process.edges.values() {
            let (new, mut is_exact) = self.edge(edge)?;
            is_exact &= edge
                .branches
                .iter()
                .all(|branch| self.weakened_condition(&process.locations[branch.target].invariant).1);
            let may_break_loose = edge
                .branches
                .iter()
                .flat_map(|branch| &branch.updates)
                .any(|update| !self.needs(update).changes.is_disjoint(loose));
            if !is_exact && receives_broadcast(edge) {
                own.edges.push(idle_receiver(&new));
            }
            if !is_exact || may_break_loose {
                non_urgent.extend(edge.synchronisation.iter().filter_map(|sync| sync.channel.root()));
            }
            own.edges.push(new);
        }
        Ok(own)
    }

    fn outside(&self, process: &Process, non_urgent: &mut BTreeSet<VariableId>) -> Result<Process, Reason> {
        let everywhere = LocationId::from_index(0);
        let mut own = process.clone();
        own.locations = Table::new();
        own.locations.push(Location {
            name: None,
            kind: LocationKind::Ordinary,
            invariant: Condition::default(),
            clock_rates: Vec::new(),
            exponential_rate: None,
            labels: Vec::new(),
            origin: process.origin,
        });
        own.initial = vec![everywhere];
        own.edges = Table::new();
        let mut known = BTreeSet::new();
        for edge in process.edges.values() {
            non_urgent.extend(edge.synchronisation.iter().filter_map(|sync| sync.channel.root()));
            let (mut new, _) = self.edge(edge)?;
            new.source = everywhere;
            new.branches.iter_mut().for_each(|branch| branch.target = everywhere);
            if new.branches.iter().all(|branch| branch.updates.is_empty()) {
                // The edge does not affect the part: it is omitted as an internal step or an optional receiver.
                let Some(synchronisation) = &edge.synchronisation else { continue };
                if receives_broadcast(edge) {
                    continue;
                }
                if let ExpressionKind::Variable(channel) = synchronisation.channel.kind
                    && conjuncts(&new.guard).next().is_none()
                {
                    new.selects.clear();
                    new.branches.truncate(1);
                    if !known.insert((channel, synchronisation.role == SynchronisationRole::Send)) {
                        continue;
                    }
                }
            } else if receives_broadcast(edge) {
                own.edges.push(idle_receiver(&new));
            }
            own.edges.push(new);
        }
        Ok(own)
    }
}

/// Returns a receiving edge without effect, which replaces not receiving.
fn idle_receiver(edge: &Edge) -> Edge {
    let mut idle = Edge { guard: Condition::default(), ..edge.clone() };
    idle.branches.truncate(1);
    for branch in &mut idle.branches {
        branch.updates.clear();
        branch.target = edge.source;
    }
    idle
}

fn receives_broadcast(edge: &Edge) -> bool {
    edge.synchronisation.as_ref().is_some_and(|synchronisation| {
        let is_broadcast = match &synchronisation.channel.value_type {
            Type::Channel(kind) => kind.is_broadcast,
            _ => true,
        };
        is_broadcast && synchronisation.role == SynchronisationRole::Receive
    })
}

fn conjuncts(condition: &Condition) -> impl Iterator<Item = &Expression> {
    condition.data.iter().chain(&condition.clocks).flat_map(conjuncts_of)
}

fn conjuncts_of(expression: &Expression) -> Vec<&Expression> {
    match &expression.kind {
        ExpressionKind::Binary { operator: BinaryOperator::And, left, right } => {
            let mut parts = conjuncts_of(left);
            parts.extend(conjuncts_of(right));
            parts
        }
        _ => vec![expression],
    }
}

/// Makes a channel non-urgent.
fn set_non_urgent(channel: &mut Expression) {
    if let Type::Channel(kind) = &mut channel.value_type {
        kind.is_urgent = false;
    }
}
