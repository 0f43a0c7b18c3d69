//! Writes networks as `.tck` files.
//!
//! Invariant: the output behaves as the network does, and reading it back gives a network that is written as the same
//! text, except for the places of local declarations. Channels become synchronisation vectors, selects and branches
//! become several edges, and calls are inlined. Constructs that the language cannot express are refused, all at once.

mod edges;
mod expressions;
mod names;
mod statements;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use tempora_model::{
    Expression, ExpressionKind, Formula, LocationKind, Network, Query, QueryKind, Type, Value, Variable,
    VariableKind,
};
use tempora_source::{Diagnostic, Diagnostics, Origin, Origins};

use crate::codes::writing::CANNOT_BE_WRITTEN;
use crate::writer::Method;
use crate::{Writable, Writer};
use expressions::Bound;
use names::Names;

/// The registry entry of the writer.
pub(crate) const WRITER: Writer = Writer { name: "tck", extension: "tck", method: Method::Text(write) };

fn write(model: &Writable<'_>, _: &mut Diagnostics) -> Result<String, Diagnostics> {
    model.require_complete_network()?;
    let Writable { network, queries, origins, .. } = *model;
    let mut scribe = TckWriter {
        network,
        origins,
        names: Names::new(network),
        problems: Diagnostics::new(),
        frames: Vec::new(),
        locals: BTreeSet::new(),
        pieces: 0,
        text: String::new(),
    };
    scribe.queries(queries);
    scribe.text.push_str("system:network\n");
    scribe.refuse_unsupported_parts();
    scribe.variables();
    scribe.processes();
    if scribe.problems.is_empty() { Ok(scribe.text) } else { Err(scribe.problems) }
}

/// An unsupported construct, which has been reported.
#[derive(Clone, Copy, Debug)]
struct Refused;

type WriteResult<T> = Result<T, Refused>;

/// The largest number of values for which a range is expanded.
const LONGEST_EXPANSION: usize = 256;

/// The largest number of text pieces of a network.
const MOST_PIECES: u64 = 2_000_000;

struct TckWriter<'network> {
    network: &'network Network,
    origins: &'network Origins,
    names: Names,
    problems: Diagnostics,
    /// The meanings of bound names: those of the edge, and those of each call that is being inlined.
    frames: Vec<Vec<Option<Bound>>>,
    /// The local variables of the edge.
    locals: BTreeSet<String>,
    /// The number of pieces written so far, so that a small network does not become a huge text.
    pieces: u64,
    text: String,
}

impl TckWriter<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Reports an unsupported construct.
    fn cannot<T>(&mut self, origin: Origin, what: &str, hint: &str) -> WriteResult<T> {
        let diagnostic =
            Diagnostic::error(&CANNOT_BE_WRITTEN, format!("{what} cannot be written in this language"))
                .with_hint(hint);
        let diagnostic = match self.origins.primary_span(origin) {
            Some(span) => diagnostic.with_primary(span, ""),
            None => diagnostic,
        };
        // A select visits the same place once for each value.
        if !self.problems.as_slice().contains(&diagnostic) {
            self.problems.push(diagnostic);
        }
        Err(Refused)
    }

    fn spend(&mut self, origin: Origin) -> WriteResult<()> {
        self.pieces += 1;
        if self.pieces == MOST_PIECES {
            return self.cannot(origin, "a network that is so large when expanded", "use smaller ranges");
        }
        if self.pieces > MOST_PIECES { Err(Refused) } else { Ok(()) }
    }

    /// Writes queries as comments; the first one by the convention for searches, if possible.
    fn queries(&mut self, queries: &[Query]) {
        let mut has_search = false;
        for query in queries {
            match labels_of(query) {
                Some(labels) if !has_search => {
                    has_search = true;
                    self.line(&format!("#labels={}", labels.join(":")));
                }
                _ => self.line(&format!("# query: {}", query.text)),
            }
        }
    }

    fn refuse_unsupported_parts(&mut self) {
        let network = self.network;
        for update in network.before_update.iter().chain(&network.after_update) {
            let _: WriteResult<()> =
                self.cannot(update.origin, "an update on every transition", "add it to the edges");
        }
        if network.channel_priorities.is_some() {
            let origin = network.channel_priorities.iter().flatten().flatten().find_map(|item| match item {
                tempora_model::PriorityItem::Channel(channel) => Some(channel.origin),
                tempora_model::PriorityItem::Default => None,
            });
            if let Some(origin) = origin.or(network.processes.values().next().map(|process| process.origin)) {
                let _: WriteResult<()> =
                    self.cannot(origin, "a priority of channels", "remove the priorities");
            }
        }
        let priorities: BTreeSet<u32> = network.processes.values().map(|process| process.priority).collect();
        for process in network.processes.values() {
            if priorities.len() > 1 && Some(&process.priority) != priorities.first() {
                let _: WriteResult<()> =
                    self.cannot(process.origin, "a priority of processes", "remove the priorities");
            }
            if process.interface.is_some() {
                let _: WriteResult<()> = self.cannot(
                    process.origin,
                    "an interface of a specification",
                    "convert the plain network",
                );
            }
        }
    }

    fn variables(&mut self) {
        let network = self.network;
        for (id, variable) in network.variables.iter() {
            let name = self.names.variable(id).to_owned();
            // The reason has been reported.
            let _ = self.variable(variable, &name);
        }
    }

    fn variable(&mut self, variable: &Variable, name: &str) -> WriteResult<()> {
        let mut element = &variable.value_type;
        let mut size: u64 = 1;
        while let Type::Array(array) = element {
            size = size.saturating_mul(array.index.size());
            element = &array.element;
        }
        let (least, greatest) = match (variable.kind, element) {
            // Constants are folded, and channels become events.
            (VariableKind::Constant, _) | (_, Type::Channel(_)) => return Ok(()),
            (VariableKind::State, Type::Clock) => {
                self.line(&format!("clock:{size}:{name}"));
                return Ok(());
            }
            (VariableKind::State, Type::Integer(range)) => (range.least, range.greatest),
            (VariableKind::State, Type::Boolean) => (0, 1),
            (VariableKind::State, Type::Scalar(set)) => {
                let size = self.network.scalar_sets[*set].size;
                (0, i32::try_from(size).unwrap_or(i32::MAX) - 1)
            }
            (VariableKind::Hybrid, _) => {
                return self.cannot(
                    variable.origin,
                    "a hybrid clock",
                    "remove it: only statistical queries use it",
                );
            }
            (VariableKind::Meta, _) => {
                return self.cannot(variable.origin, "a meta variable", "make it a plain variable");
            }
            (_, Type::Double) => {
                return self.cannot(variable.origin, "a floating point variable", "use integers only");
            }
            (_, Type::Record(_)) => {
                return self.cannot(variable.origin, "a record", "use one variable for each field");
            }
            _ => return self.cannot(variable.origin, "a variable of this type", "use integers and clocks"),
        };
        let mut values = BTreeSet::new();
        flatten(&variable.initial, &mut values);
        match (values.len(), values.first()) {
            (1, Some(initial)) => {
                self.line(&format!("int:{size}:{least}:{greatest}:{initial}:{name}"));
                Ok(())
            }
            _ => self.cannot(
                variable.origin,
                "an array with different initial values",
                "assign them on a first edge",
            ),
        }
    }

    fn processes(&mut self) {
        let network = self.network;
        let (edges, events, vectors) = self.plain_edges();
        for event in events {
            self.line(&format!("event:{event}"));
        }
        for (id, process) in network.processes.iter() {
            let name = self.names.process(id).to_owned();
            self.line(&format!("process:{name}"));
            for (location_id, location) in process.locations.iter() {
                let mut attributes = Vec::new();
                if process.initial.contains(&location_id) {
                    attributes.push("initial:".to_owned());
                }
                match location.kind {
                    LocationKind::Ordinary => {}
                    LocationKind::Urgent => attributes.push("urgent:".to_owned()),
                    LocationKind::Committed => attributes.push("committed:".to_owned()),
                }
                if let Ok(invariant) = self.location_invariant(location)
                    && !invariant.is_empty()
                {
                    attributes.push(format!("invariant: {}", invariant.join(" && ")));
                }
                let labels = self.location_labels(location);
                if !labels.is_empty() {
                    attributes.push(format!("labels: {}", labels.join(", ")));
                }
                let location_name = self.names.location(id, location_id);
                let line = format!("location:{name}:{location_name}{{{}}}", attributes.join(" : "));
                self.line(&line);
            }
            for edge in edges.iter().filter(|edge| edge.process == id) {
                let mut attributes = Vec::new();
                if !edge.guard.is_empty() {
                    attributes.push(format!("provided: {}", edge.guard.join(" && ")));
                }
                if !edge.statements.is_empty() {
                    attributes.push(format!("do: {}", edge.statements.join("; ")));
                }
                let (source, target) =
                    (self.names.location(id, edge.source), self.names.location(id, edge.target));
                let mut line = String::new();
                // Writing to a string does not fail.
                let _ = write!(
                    line,
                    "edge:{name}:{source}:{target}:{}{{{}}}",
                    edge.event,
                    attributes.join(" : ")
                );
                self.line(&line);
            }
        }
        for vector in vectors {
            self.line(&format!("sync:{}", vector.join(":")));
        }
    }

    fn location_invariant(&mut self, location: &tempora_model::Location) -> WriteResult<Vec<String>> {
        if let Some(rate) = location.clock_rates.first() {
            let _: WriteResult<()> =
                self.cannot(rate.origin, "the rate of a clock", "clocks run at rate one");
        }
        if let Some((rate, _)) = &location.exponential_rate {
            let _: WriteResult<()> =
                self.cannot(rate.origin, "an exponential rate", "remove it: only statistical queries use it");
        }
        self.frames.push(Vec::new());
        let conjuncts: Vec<WriteResult<Vec<String>>> = location
            .invariant
            .data
            .iter()
            .chain(&location.invariant.clocks)
            .map(|conjunct| self.condition(conjunct))
            .collect();
        self.frames.pop();
        let conjuncts: WriteResult<Vec<Vec<String>>> = conjuncts.into_iter().collect();
        conjuncts.map(|conjuncts| conjuncts.concat())
    }

    fn location_labels(&mut self, location: &tempora_model::Location) -> Vec<String> {
        for label in &location.labels {
            if label.contains([',', ':', '{', '}', '#']) {
                let _: WriteResult<()> =
                    self.cannot(location.origin, &format!("the label `{label}`"), "use letters and digits");
            }
        }
        location.labels.clone()
    }
}

fn flatten(value: &Value, values: &mut BTreeSet<i32>) {
    match value {
        Value::Integer(value) => {
            values.insert(*value);
        }
        Value::Parts(parts) => parts.iter().for_each(|part| flatten(part, values)),
        Value::Double(_) | Value::None => {}
    }
}

/// Returns the labels of a query for a state with all of them.
fn labels_of(query: &Query) -> Option<Vec<String>> {
    fn collect(predicate: &Expression, labels: &mut Vec<String>) -> Option<()> {
        match &predicate.kind {
            ExpressionKind::HasLabel(label) => {
                labels.push(label.clone());
                Some(())
            }
            ExpressionKind::Binary { operator: tempora_model::BinaryOperator::And, left, right } => {
                collect(left, labels)?;
                collect(right, labels)
            }
            _ => None,
        }
    }
    let QueryKind::Formula(Formula::Possibly(predicate)) = &query.kind else { return None };
    let mut labels = Vec::new();
    collect(predicate, &mut labels)?;
    Some(labels)
}
