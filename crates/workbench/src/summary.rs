//! Summarises the contents of a network.
//!
//! Invariant: names are those of the model; templates come in the order of the file, processes in the order of the
//! system line.

use std::collections::{BTreeMap, BTreeSet};

use tempora_model::{
    BinaryOperator, Condition, Expression, ExpressionKind, IndexType, LocationKind, Network, Range,
    SynchronisationRole, Type, VariableId, VariableKind,
};

/// The contents of a network.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// The templates.
    pub templates: Vec<TemplateSummary>,
    /// Clocks, constants and other variables.
    pub variables: Vec<VariableSummary>,
    /// The channels.
    pub channels: Vec<ChannelSummary>,
    /// The names of language features that not every tool supports.
    pub features: Vec<&'static str>,
    /// Constructs that no engine supports, so that no query is answered.
    pub omissions: Vec<String>,
}

/// A template and its instances.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TemplateSummary {
    /// Its name.
    pub name: String,
    /// Its processes.
    pub processes: Vec<String>,
    /// The number of locations of each process.
    pub locations: usize,
    /// The number of edges of each process.
    pub edges: usize,
}

/// A variable.
#[derive(Clone, Debug, PartialEq)]
pub struct VariableSummary {
    /// Its name, qualified by its process.
    pub name: String,
    /// Its kind.
    pub kind: VariableSummaryKind,
    /// Its type, in the syntax of a declaration.
    pub type_text: String,
    /// Its initial value.
    pub initial: String,
    /// The number of scalar values that it holds.
    pub cells: u64,
}

/// The kind of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableSummaryKind {
    /// A constant.
    Constant,
    /// A clock, or an array or record with clocks.
    Clock,
    /// A hybrid clock, which only statistical queries read.
    HybridClock,
    /// A variable that keeps no value between transitions.
    Meta,
    /// Part of the discrete state.
    Data,
}

/// The kind of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelSummaryKind {
    /// One sender and one receiver.
    Binary,
    /// One sender and all enabled receivers.
    Broadcast,
    /// An urgent binary channel.
    Urgent,
    /// An urgent broadcast channel.
    UrgentBroadcast,
}

/// A channel.
#[derive(Clone, Debug, PartialEq)]
pub struct ChannelSummary {
    /// Its name, qualified by its process.
    pub name: String,
    /// Its kind.
    pub kind: ChannelSummaryKind,
    /// The number of channels in it, if it is an array.
    pub cells: u64,
    /// The templates that send on it.
    pub senders: Vec<String>,
    /// The templates that receive on it.
    pub receivers: Vec<String>,
}

/// Summarises a network.
pub fn summarise(network: &Network) -> Summary {
    let mut summary = Summary { features: features(network), ..Summary::default() };
    for process in network.processes.values() {
        let known = summary.templates.iter().position(|template| template.name == process.template);
        let index = known.unwrap_or_else(|| {
            summary.templates.push(TemplateSummary {
                name: process.template.clone(),
                processes: Vec::new(),
                locations: process.locations.len(),
                edges: process.edges.len(),
            });
            summary.templates.len() - 1
        });
        summary.templates[index].processes.push(process.name.clone());
    }
    let mut users: BTreeMap<VariableId, [BTreeSet<&str>; 2]> = BTreeMap::new();
    for process in network.processes.values() {
        for edge in process.edges.values() {
            if let Some(synchronisation) = &edge.synchronisation
                && let Some(channel) = root_of(&synchronisation.channel)
            {
                let side = usize::from(synchronisation.role == SynchronisationRole::Receive);
                users.entry(channel).or_default()[side].insert(&process.template);
            }
        }
    }
    for (id, variable) in network.variables.iter() {
        let name = network.qualified_name(id);
        let cells = variable.value_type.cells();
        if let Some(kind) = channel_kind(&variable.value_type) {
            let used = users.get(&id).cloned().unwrap_or_default();
            let [senders, receivers] = used.map(|names| names.into_iter().map(str::to_owned).collect());
            summary.channels.push(ChannelSummary { name, kind, cells, senders, receivers });
            continue;
        }
        let kind = match variable.kind {
            VariableKind::Constant => VariableSummaryKind::Constant,
            VariableKind::Hybrid => VariableSummaryKind::HybridClock,
            VariableKind::Meta => VariableSummaryKind::Meta,
            VariableKind::State if variable.value_type.has_clocks() => VariableSummaryKind::Clock,
            VariableKind::State => VariableSummaryKind::Data,
        };
        let initial =
            if variable.value_type.has_clocks() { String::new() } else { variable.initial.to_string() };
        let type_text = type_text(network, &variable.value_type);
        summary.variables.push(VariableSummary { name, kind, type_text, initial, cells });
    }
    let mut omissions: Vec<String> =
        network.omissions.iter().map(|omission| omission.construct.clone()).collect();
    omissions.dedup();
    let mut seen = BTreeSet::new();
    omissions.retain(|construct| seen.insert(construct.clone()));
    summary.omissions = omissions;
    summary
}

fn root_of(channel: &Expression) -> Option<VariableId> {
    match &channel.kind {
        ExpressionKind::Variable(id) => Some(*id),
        ExpressionKind::Element { array: whole, .. } | ExpressionKind::Field { record: whole, .. } => {
            root_of(whole)
        }
        _ => None,
    }
}

fn channel_kind(value_type: &Type) -> Option<ChannelSummaryKind> {
    match value_type {
        Type::Channel(kind) => Some(match (kind.is_urgent, kind.is_broadcast) {
            (false, false) => ChannelSummaryKind::Binary,
            (false, true) => ChannelSummaryKind::Broadcast,
            (true, false) => ChannelSummaryKind::Urgent,
            (true, true) => ChannelSummaryKind::UrgentBroadcast,
        }),
        Type::Array(array) => channel_kind(&array.element),
        _ => None,
    }
}

/// Returns a type in the syntax of a declaration.
fn type_text(network: &Network, value_type: &Type) -> String {
    match value_type {
        Type::Integer(Range::DEFAULT) => "int".to_owned(),
        Type::Integer(range) => format!("int[{},{}]", range.least, range.greatest),
        Type::Boolean => "bool".to_owned(),
        Type::Double => "double".to_owned(),
        Type::Text => "string".to_owned(),
        Type::Clock | Type::ClockDifference => "clock".to_owned(),
        Type::Channel(_) => "channel".to_owned(),
        Type::Scalar(set) => {
            let set = &network.scalar_sets[*set];
            set.name.clone().unwrap_or_else(|| format!("scalar[{}]", set.size))
        }
        Type::Array(array) => {
            let index = match &array.index {
                IndexType::Range(range) if range.least == 0 => (i64::from(range.greatest) + 1).to_string(),
                IndexType::Range(range) => format!("int[{},{}]", range.least, range.greatest),
                IndexType::Scalars { size, .. } => format!("{size} scalars"),
            };
            format!("{}[{index}]", type_text(network, &array.element))
        }
        Type::Record(record) => {
            let fields: Vec<String> = record
                .fields
                .iter()
                .map(|field| format!("{}: {}", field.name, type_text(network, &field.field_type)))
                .collect();
            format!("{{ {} }}", fields.join(", "))
        }
        Type::Void => "void".to_owned(),
        Type::Condition(_) => "condition".to_owned(),
    }
}

/// Returns the features that a network uses, sorted by name.
fn features(network: &Network) -> Vec<&'static str> {
    let mut found: BTreeSet<&'static str> = BTreeSet::new();
    let mut note = |is_used: bool, name: &'static str| {
        if is_used {
            found.insert(name);
        }
    };
    note(network.channel_priorities.is_some(), "channel priorities");
    let priorities: BTreeSet<u32> = network.processes.values().map(|process| process.priority).collect();
    note(priorities.len() > 1, "process priorities");
    note(!network.vectors.is_empty(), "synchronisation vectors");
    note(!network.before_update.is_empty() || !network.after_update.is_empty(), "update hooks");
    note(!network.functions.is_empty(), "functions");
    note(!network.scalar_sets.is_empty(), "scalar sets");
    for variable in network.variables.values() {
        note(variable.kind == VariableKind::Meta, "meta variables");
        note(variable.kind == VariableKind::Hybrid, "hybrid clocks");
        let has = |wanted: fn(&Type) -> bool| variable.value_type.any_part(&wanted);
        note(
            variable.kind != VariableKind::Constant && has(|part| *part == Type::Double),
            "floating point variables",
        );
        note(has(|part| matches!(part, Type::Record(_))), "records");
        note(has(|part| matches!(part, Type::Channel(kind) if kind.is_urgent)), "urgent channels");
        note(has(|part| matches!(part, Type::Channel(kind) if kind.is_broadcast)), "broadcast channels");
    }
    for process in network.processes.values() {
        note(process.initial.len() > 1, "several initial locations");
        note(process.interface.is_some(), "inputs and outputs");
        for location in process.locations.values() {
            note(location.kind == LocationKind::Urgent, "urgent locations");
            note(location.kind == LocationKind::Committed, "committed locations");
            note(location.exponential_rate.is_some(), "exponential rates");
            note(location.clock_rates.iter().any(is_stopwatch), "stopwatches");
            note(!location.clock_rates.iter().all(is_stopwatch), "clock rates");
            note(has_difference(&location.invariant), "differences of clocks");
        }
        for edge in process.edges.values() {
            note(!edge.selects.is_empty(), "selects");
            note(!edge.is_controllable, "uncontrollable edges");
            note(edge.branches.len() > 1, "weighted branches");
            note(has_difference(&edge.guard), "differences of clocks");
            if let Some(synchronisation) = &edge.synchronisation
                && let Type::Channel(kind) = synchronisation.channel.value_type
            {
                let is_receiver = synchronisation.role == SynchronisationRole::Receive;
                let has_clocks = !edge.guard.clocks.is_empty();
                note(kind.is_broadcast && is_receiver && has_clocks, "clock guards on broadcast receivers");
                note(kind.is_urgent && has_clocks, "clock guards on urgent channels");
            }
            for update in edge.branches.iter().flat_map(|branch| &branch.updates) {
                note(update.any(&mut copies_clock), "clocks copied to clocks");
            }
        }
    }
    found.into_iter().collect()
}

fn is_stopwatch(rate: &Expression) -> bool {
    match &rate.kind {
        ExpressionKind::RateIs { rate, .. } => {
            // A Boolean rate is zero or one.
            matches!(rate.kind, ExpressionKind::Integer(0 | 1)) || rate.value_type == Type::Boolean
        }
        ExpressionKind::Quantified { body, .. } => is_stopwatch(body),
        ExpressionKind::Binary { operator: BinaryOperator::And, left, right } => {
            is_stopwatch(left) && is_stopwatch(right)
        }
        _ => false,
    }
}

fn has_difference(condition: &Condition) -> bool {
    condition.clocks.iter().any(|conjunct| {
        conjunct.any(&mut |part| {
            matches!(&part.kind, ExpressionKind::CompareClocks { left: Some(_), right: Some(_), .. })
        })
    })
}

fn copies_clock(expression: &Expression) -> bool {
    matches!(
        &expression.kind,
        ExpressionKind::Assign { target, value, .. }
            if target.value_type == Type::Clock && value.value_type == Type::Clock
    )
}
