//! Prints a network in the `.net` language.
//!
//! Invariant: reading the text back gives the same network, up to origins, and printing that one gives the same text. A
//! bound name that would hide a variable is renamed, and so is a name that is invalid in this language.

mod expressions;
mod names;
mod queries;
mod statements;
mod writable;

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::expression::{Expression, Function};
use crate::network::{
    Condition, Edge, Location, LocationKind, Network, PriorityItem, Process, SynchronisationRole, Variable,
    VariableKind,
};
use crate::types::{IndexType, Range, Type, Value};
use crate::{FunctionId, ProcessId, VariableId};
use names::Names;
pub use queries::print_query;

/// Returns the text of a network.
pub fn print_network(network: &Network) -> String {
    let mut renamed = network.clone();
    let labels = writable::rename(&mut renamed);
    let mut printer = Printer::new(&renamed, labels);
    printer.network();
    printer.text
}

struct Printer<'network> {
    network: &'network Network,
    names: Names,
    /// The process that is being printed.
    process: Option<ProcessId>,
    /// The renamed labels.
    labels: BTreeMap<String, String>,
    text: String,
}

impl<'network> Printer<'network> {
    fn new(network: &'network Network, labels: BTreeMap<String, String>) -> Printer<'network> {
        Printer { network, names: Names::new(network), process: None, labels, text: String::new() }
    }

    fn network(&mut self) {
        let network = self.network;
        for (id, set) in network.scalar_sets.iter() {
            let name = self.names.scalar_set(id).to_owned();
            self.line(0, &format!("typedef scalar[{}] {name};", set.size));
        }
        self.declarations(None, 0);
        if let Some(levels) = &network.channel_priorities {
            let levels: Vec<String> = levels
                .iter()
                .map(|level| {
                    let items: Vec<String> = level
                        .iter()
                        .map(|item| match item {
                            PriorityItem::Default => "default".to_owned(),
                            PriorityItem::Channel(channel) => self.expression(channel),
                        })
                        .collect();
                    items.join(", ")
                })
                .collect();
            self.line(0, &format!("chan priority {};", levels.join(" < ")));
        }
        for (word, updates) in
            [("before_update", &network.before_update), ("after_update", &network.after_update)]
        {
            if !updates.is_empty() {
                let updates = self.list(updates);
                self.line(0, &format!("{word} {{ {updates} }}"));
            }
        }
        for (id, process) in network.processes.iter() {
            self.text.push('\n');
            self.process(id, process);
        }
        self.text.push('\n');
        for vector in &network.vectors {
            let participants: Vec<String> = vector
                .participants
                .iter()
                .map(|participant| {
                    let process = &network.processes[participant.process].name;
                    let weak = if participant.is_weak { "?" } else { "" };
                    format!("{process}@{}{weak}", network.events[participant.event])
                })
                .collect();
            self.line(0, &format!("vector {};", participants.join(", ")));
        }
        self.system_line();
    }

    fn system_line(&mut self) {
        let mut text = String::new();
        let mut previous: Option<u32> = None;
        for process in self.network.processes.values() {
            let separator = match previous {
                None => "",
                Some(priority) if priority < process.priority => " < ",
                Some(_) => ", ",
            };
            let _ = write!(text, "{separator}{}", process.name);
            previous = Some(process.priority);
        }
        self.line(0, &format!("system {text};"));
    }

    /// Prints the variables and functions of a process, or the global ones.
    fn declarations(&mut self, owner: Option<ProcessId>, depth: usize) {
        let network = self.network;
        for (id, variable) in network.variables.iter().filter(|(_, variable)| variable.owner == owner) {
            self.variable(id, variable, depth);
        }
        for (id, function) in network.functions.iter().filter(|(_, function)| function.owner == owner) {
            self.function(id, function, depth);
        }
    }

    fn variable(&mut self, id: VariableId, variable: &Variable, depth: usize) {
        let prefix = match variable.kind {
            VariableKind::State => "",
            VariableKind::Constant => "const ",
            VariableKind::Meta => "meta ",
            // In a record with clocks the fields have the prefix.
            VariableKind::Hybrid if variable.value_type.is_hybrid() => "",
            VariableKind::Hybrid => "hybrid ",
        };
        let name = self.names.variable(id).to_owned();
        let declaration = self.declaration(&variable.value_type, &name);
        let is_default = variable.initial == Value::default_of(&variable.value_type);
        let initial = if is_default && variable.kind != VariableKind::Constant {
            String::new()
        } else {
            format!(" = {}", variable.initial)
        };
        self.line(depth, &format!("{prefix}{declaration}{initial};"));
    }

    fn function(&mut self, id: FunctionId, function: &Function, depth: usize) {
        self.names.enter();
        let parameters: Vec<String> = function
            .parameters
            .iter()
            .map(|parameter| {
                let name = self.names.bind(parameter.local, &parameter.name);
                let name = if parameter.is_reference { format!("&{name}") } else { name };
                self.declaration(&parameter.value_type, &name)
            })
            .collect();
        let name = self.names.function(id).to_owned();
        let result = self.declaration(&function.result, &name);
        self.line(depth, &format!("{result}({}) {{", parameters.join(", ")));
        self.statements(&function.body, depth + 1);
        self.line(depth, "}");
        self.names.leave();
    }

    fn process(&mut self, id: ProcessId, process: &Process) {
        self.process = Some(id);
        let plain_name = process.name.split('(').next().unwrap_or(&process.name);
        let template =
            if plain_name == process.template { String::new() } else { format!(" : {}", process.template) };
        self.line(0, &format!("process {}{template} {{", process.name));
        self.declarations(Some(id), 1);
        for (location_id, location) in process.locations.iter() {
            let name = self.names.location(id, location_id).to_owned();
            self.location(&name, location, process.initial.contains(&location_id));
        }
        for edge in process.edges.values() {
            self.edge(id, edge);
        }
        self.line(0, "}");
        self.process = None;
    }

    fn location(&mut self, name: &str, location: &Location, is_initial: bool) {
        let initial = if is_initial { "init " } else { "" };
        let kind = match location.kind {
            LocationKind::Ordinary => "",
            LocationKind::Urgent => "urgent ",
            LocationKind::Committed => "committed ",
        };
        let mut parts = Vec::new();
        let conjuncts: Vec<String> = location
            .invariant
            .data
            .iter()
            .chain(&location.invariant.clocks)
            .chain(&location.clock_rates)
            .map(|conjunct| self.conjunct(conjunct))
            .collect();
        if !conjuncts.is_empty() {
            parts.push(format!("invariant {};", conjuncts.join(" && ")));
        }
        if let Some((rate, divisor)) = &location.exponential_rate {
            let divisor =
                divisor.as_ref().map_or(String::new(), |divisor| format!(" : {}", self.expression(divisor)));
            parts.push(format!("rate {}{divisor};", self.expression(rate)));
        }
        if !location.labels.is_empty() {
            parts.push(format!("labels {};", location.labels.join(", ")));
        }
        let body = if parts.is_empty() { ";".to_owned() } else { format!(" {{ {} }}", parts.join(" ")) };
        self.line(1, &format!("{initial}{kind}location {name}{body}"));
    }

    fn edge(&mut self, process: ProcessId, edge: &Edge) {
        self.names.enter();
        let mut parts = Vec::new();
        if !edge.selects.is_empty() {
            let selects: Vec<String> = edge.selects.iter().map(|binder| self.binder(binder)).collect();
            parts.push(format!("select {};", selects.join(", ")));
        }
        if !edge.guard.is_trivial() {
            parts.push(format!("guard {};", self.condition(&edge.guard)));
        }
        if let Some(synchronisation) = &edge.synchronisation {
            let role = match synchronisation.role {
                SynchronisationRole::Send => "!",
                SynchronisationRole::Receive => "?",
            };
            parts.push(format!("sync {}{role};", self.channel(&synchronisation.channel)));
        }
        if let Some(event) = edge.event {
            parts.push(format!("event {};", self.network.events[event]));
        }
        let source = self.names.location(process, edge.source).to_owned();
        let arrow = if edge.is_controllable { "->" } else { "-u->" };
        let text = match edge.branches.as_slice() {
            [branch] if branch.weight.is_none() => {
                if !branch.updates.is_empty() {
                    parts.push(format!("do {};", self.list(&branch.updates)));
                }
                let target = self.names.location(process, branch.target);
                let body =
                    if parts.is_empty() { ";".to_owned() } else { format!(" {{ {} }}", parts.join(" ")) };
                format!("{source} {arrow} {target}{body}")
            }
            branches => {
                let branches: Vec<String> = branches
                    .iter()
                    .map(|branch| {
                        let weight =
                            branch.weight.as_ref().map_or("1".to_owned(), |weight| self.expression(weight));
                        let updates = if branch.updates.is_empty() {
                            ";".to_owned()
                        } else {
                            format!(" {{ do {}; }}", self.list(&branch.updates))
                        };
                        format!("weight {weight}: {}{updates}", self.names.location(process, branch.target))
                    })
                    .collect();
                let shared =
                    if parts.is_empty() { String::new() } else { format!(" {{ {} }}", parts.join(" ")) };
                format!("{source}{shared} {arrow} {{ {} }}", branches.join(" "))
            }
        };
        self.line(1, &text);
        self.names.leave();
    }

    fn condition(&mut self, condition: &Condition) -> String {
        let conjuncts: Vec<String> =
            condition.data.iter().chain(&condition.clocks).map(|conjunct| self.conjunct(conjunct)).collect();
        conjuncts.join(" && ")
    }

    fn list(&mut self, expressions: &[Expression]) -> String {
        let texts: Vec<String> = expressions.iter().map(|expression| self.expression(expression)).collect();
        texts.join(", ")
    }

    /// Returns the declaration of a name with its type, such as `int[0,3] name[2]`.
    fn declaration(&self, value_type: &Type, name: &str) -> String {
        let mut element = value_type;
        let mut dimensions = String::new();
        while let Type::Array(array) = element {
            let _ = match &array.index {
                IndexType::Range(Range { least: 0, greatest }) => {
                    write!(dimensions, "[{}]", i64::from(*greatest) + 1)
                }
                index => write!(dimensions, "[{}]", self.index_type(index)),
            };
            element = &array.element;
        }
        format!("{} {name}{dimensions}", self.base_type(element))
    }

    fn base_type(&self, value_type: &Type) -> String {
        match value_type {
            Type::Integer(Range::DEFAULT) => "int".to_owned(),
            Type::Integer(range) => format!("int[{},{}]", range.least, range.greatest),
            Type::Boolean => "bool".to_owned(),
            Type::Double => "double".to_owned(),
            Type::Text => "string".to_owned(),
            Type::Clock => "clock".to_owned(),
            Type::Channel(kind) => {
                let urgent = if kind.is_urgent { "urgent " } else { "" };
                let broadcast = if kind.is_broadcast { "broadcast " } else { "" };
                format!("{urgent}{broadcast}chan")
            }
            Type::Scalar(set) => self.names.scalar_set(*set).to_owned(),
            Type::Record(record) => {
                let fields: Vec<String> = record
                    .fields
                    .iter()
                    .map(|field| {
                        let needs_prefix = record.is_hybrid
                            && field.field_type.has_clocks()
                            && !field.field_type.is_hybrid();
                        let prefix = if needs_prefix { "hybrid " } else { "" };
                        format!("{prefix}{};", self.declaration(&field.field_type, &field.name))
                    })
                    .collect();
                format!("struct {{ {} }}", fields.join(" "))
            }
            Type::Void | Type::Array(_) | Type::ClockDifference | Type::Condition(_) => "void".to_owned(),
        }
    }

    fn index_type(&self, index: &IndexType) -> String {
        self.base_type(&index.element_type())
    }

    fn line(&mut self, depth: usize, line: &str) {
        tempora_interrupt::checkpoint();
        for _ in 0..depth.min(tempora_syntax::DEEPEST_INDENTATION) {
            self.text.push_str("    ");
        }
        self.text.push_str(line);
        self.text.push('\n');
    }
}
