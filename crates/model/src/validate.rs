//! Checks that a network is well formed, for programs that build one without elaboration.
//!
//! Invariant: in a network without findings every id is valid as an index, and the types of expressions are correct.

use tempora_source::{Diagnostic, Diagnostics, Origin, Origins};

use crate::ProcessId;
use crate::codes::meaning::ILL_FORMED_NETWORK;
use crate::expression::{Expression, ExpressionKind, LocalInitial, Statement};
use crate::network::{Condition, Edge, Network, PriorityItem, Process};
use crate::types::{Type, Value};

/// Returns an error for each violation of the form of a network.
pub fn validate_network(network: &Network, origins: &Origins) -> Diagnostics {
    let mut validator = Validator { network, origins, diagnostics: Diagnostics::new() };
    validator.network();
    validator.diagnostics
}

struct Validator<'network> {
    network: &'network Network,
    origins: &'network Origins,
    diagnostics: Diagnostics,
}

impl Validator<'_> {
    fn network(&mut self) {
        let network = self.network;
        if network.processes.is_empty() {
            self.diagnostics.push(Diagnostic::error(&ILL_FORMED_NETWORK, "the network has no process"));
        }
        for variable in network.variables.values() {
            self.owner(variable.owner, variable.origin);
            if !fits(&variable.initial, &variable.value_type) {
                self.fault(
                    variable.origin,
                    format!("the initial value of `{}` does not fit its type", variable.name),
                );
            }
        }
        for function in network.functions.values() {
            self.owner(function.owner, function.origin);
            for (position, parameter) in function.parameters.iter().enumerate() {
                if parameter.local.0 as usize != position {
                    self.fault(
                        function.origin,
                        format!("the parameters of `{}` are not numbered in order", function.name),
                    );
                }
            }
            for statement in &function.body {
                self.statement(statement);
            }
        }
        for process in network.processes.values() {
            self.process(process);
        }
        for vector in &network.vectors {
            for (position, participant) in vector.participants.iter().enumerate() {
                let is_known = network.processes.get(participant.process).is_some()
                    && network.events.get(participant.event).is_some();
                let is_repeated =
                    vector.participants[..position].iter().any(|other| other.process == participant.process);
                if !is_known || is_repeated {
                    self.fault(
                        vector.origin,
                        "a vector names an unknown process or event, or a process twice",
                    );
                }
            }
        }
        for item in network.channel_priorities.iter().flatten().flatten() {
            if let PriorityItem::Channel(channel) = item {
                self.expression(channel);
                if !channel.value_type.has_channels() {
                    self.fault(channel.origin, "only channels have priorities");
                }
            }
        }
        for update in network.before_update.iter().chain(&network.after_update) {
            self.expression(update);
        }
    }

    fn owner(&mut self, owner: Option<ProcessId>, origin: Origin) {
        if owner.is_some_and(|owner| self.network.processes.get(owner).is_none()) {
            self.fault(origin, "the owner of this declaration does not exist");
        }
    }

    fn process(&mut self, process: &Process) {
        if process.initial.iter().any(|&location| process.locations.get(location).is_none()) {
            self.fault(process.origin, format!("an initial location of `{}` does not exist", process.name));
        }
        for location in process.locations.values() {
            self.condition(&location.invariant);
            for rate in &location.clock_rates {
                self.expression(rate);
            }
        }
        for edge in process.edges.values() {
            self.edge(process, edge);
        }
    }

    fn edge(&mut self, process: &Process, edge: &Edge) {
        let is_missing = |location| process.locations.get(location).is_none();
        if is_missing(edge.source) || edge.branches.iter().any(|branch| is_missing(branch.target)) {
            self.fault(edge.origin, "the edge leaves or enters a location that does not exist");
        }
        if edge.branches.is_empty() {
            self.fault(edge.origin, "the edge has no target");
        }
        for (position, binder) in edge.selects.iter().enumerate() {
            if binder.local.0 as usize != position {
                self.fault(binder.origin, "the selects of the edge are not numbered in order");
            }
        }
        self.condition(&edge.guard);
        if let Some(synchronisation) = &edge.synchronisation {
            self.expression(&synchronisation.channel);
            if !matches!(synchronisation.channel.value_type, Type::Channel(_)) {
                self.fault(edge.origin, "the edge does not synchronise on a channel");
            }
        }
        if edge.event.is_some_and(|event| self.network.events.get(event).is_none()) {
            self.fault(edge.origin, "the event of the edge does not exist");
        }
        for branch in &edge.branches {
            for expression in branch.weight.iter().chain(&branch.updates) {
                self.expression(expression);
            }
        }
    }

    fn condition(&mut self, condition: &Condition) {
        for conjunct in &condition.data {
            if !conjunct.value_type.is_integral() {
                self.fault(conjunct.origin, "a data condition is not a truth value");
            }
            self.expression(conjunct);
        }
        for conjunct in &condition.clocks {
            if !matches!(conjunct.value_type, Type::Condition(_)) {
                self.fault(conjunct.origin, "a clock condition has another type");
            }
            self.expression(conjunct);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Declare { value_type, initial: LocalInitial::Constant(value), origin, .. } => {
                if !fits(value, value_type) {
                    self.fault(*origin, "the initial value of a local variable does not fit its type");
                }
            }
            Statement::Declare { initial: LocalInitial::Computed(expression), .. }
            | Statement::Evaluate(expression)
            | Statement::Return(Some(expression), _)
            | Statement::Assert(expression) => self.expression(expression),
            Statement::Return(None, _) => {}
            Statement::Block(statements) => {
                for statement in statements {
                    self.statement(statement);
                }
            }
            Statement::If { condition, then, otherwise } => {
                self.expression(condition);
                self.statement(then);
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise);
                }
            }
            Statement::While { condition, body } | Statement::DoWhile { body, condition } => {
                self.expression(condition);
                self.statement(body);
            }
            Statement::ForEach { body, .. } => self.statement(body),
        }
    }

    fn expression(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Variable(variable) => match self.network.variables.get(*variable) {
                None => self.fault(expression.origin, "the variable does not exist"),
                Some(variable) if variable.value_type != expression.value_type => {
                    self.fault(expression.origin, format!("`{}` has another type here", variable.name));
                }
                Some(_) => {}
            },
            ExpressionKind::Call { function, arguments } => {
                match self.network.functions.get(*function) {
                    None => self.fault(expression.origin, "the function does not exist"),
                    Some(function) if function.parameters.len() != arguments.len() => {
                        self.fault(expression.origin, format!("`{}` has other parameters", function.name));
                    }
                    Some(_) => {}
                }
                for argument in arguments {
                    self.expression(argument);
                }
            }
            ExpressionKind::Element { array, index } => {
                match &array.value_type {
                    Type::Array(array_type) if array_type.element == expression.value_type => {}
                    _ => self.fault(expression.origin, "an index into a value without elements of this type"),
                }
                self.expression(array);
                self.expression(index);
            }
            ExpressionKind::Field { record, field } => {
                match &record.value_type {
                    Type::Record(record_type)
                        if record_type
                            .fields
                            .get(*field)
                            .is_some_and(|field| field.field_type == expression.value_type) => {}
                    _ => self.fault(expression.origin, "a field of a value without such a field"),
                }
                self.expression(record);
            }
            ExpressionKind::At { process, location } => {
                let process = self.network.processes.get(*process);
                if process.is_none_or(|process| process.locations.get(*location).is_none()) {
                    self.fault(expression.origin, "the location does not exist");
                }
            }
            ExpressionKind::LocationOf(process) => {
                if self.network.processes.get(*process).is_none() {
                    self.fault(expression.origin, "the process does not exist");
                }
            }
            ExpressionKind::Binary { left: first, right: second, .. }
            | ExpressionKind::Assign { target: first, value: second, .. }
            | ExpressionKind::RateIs { clock: first, rate: second } => {
                self.expression(first);
                self.expression(second);
            }
            ExpressionKind::Unary { operand: inner, .. }
            | ExpressionKind::Step { target: inner, .. }
            | ExpressionKind::Quantified { body: inner, .. } => self.expression(inner),
            ExpressionKind::Conditional { condition, then, otherwise } => {
                for part in [condition, then, otherwise] {
                    self.expression(part);
                }
            }
            ExpressionKind::CallBuiltin { arguments, .. } => {
                for argument in arguments {
                    self.expression(argument);
                }
            }
            ExpressionKind::CompareClocks { left, right, bound, .. } => {
                if left.is_none() && right.is_none() {
                    self.fault(expression.origin, "a comparison of clocks without a clock");
                }
                for clock in [left, right].into_iter().flatten() {
                    if clock.value_type != Type::Clock {
                        self.fault(clock.origin, "an operand of a clock comparison is not a clock");
                    }
                    self.expression(clock);
                }
                self.expression(bound);
            }
            ExpressionKind::Integer(_)
            | ExpressionKind::Double(_)
            | ExpressionKind::Local(_)
            | ExpressionKind::HasLabel(_)
            | ExpressionKind::Deadlock => {}
        }
    }

    fn fault(&mut self, origin: Origin, message: impl Into<String>) {
        let diagnostic = Diagnostic::error(&ILL_FORMED_NETWORK, message)
            .with_hint("report this bug of the program that built the network");
        self.diagnostics.push(match self.origins.primary_span(origin) {
            Some(span) => diagnostic.with_primary(span, ""),
            None => diagnostic,
        });
    }
}

/// Returns whether a constant is a value of the type, part by part.
pub(crate) fn fits(value: &Value, value_type: &Type) -> bool {
    match (value, value_type) {
        (Value::Integer(value), Type::Integer(range)) => range.contains(i64::from(*value)),
        (Value::Integer(value), Type::Boolean) => (0..=1).contains(value),
        (Value::Integer(value), Type::Scalar(_)) => *value >= 0,
        (Value::Double(_), Type::Double) | (Value::None, Type::Clock | Type::Channel(_) | Type::Text) => true,
        (Value::Parts(parts), Type::Array(array)) => {
            parts.len() as u64 == array.index.size() && parts.iter().all(|part| fits(part, &array.element))
        }
        (Value::Parts(parts), Type::Record(record)) => {
            parts.len() == record.fields.len()
                && parts.iter().zip(&record.fields).all(|(part, field)| fits(part, &field.field_type))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use tempora_source::Files;

    use super::*;
    use crate::{EventId, FunctionId, LocationId, VariableId};
    use crate::{Participant, elaborate_network};
    use tempora_syntax::parse_network;

    fn network() -> (Network, Origins) {
        let text = "int[0,3] n = 1; chan c; clock x; int f(int a) { return a + n; }
                    process P { init location A; location B; A -> B { guard n > 0 && x < f(n); sync c!; do n = 2; }
                                B -> A { event e; } }
                    vector P@e; system P;";
        let mut files = Files::new();
        let file = files.add("model.net", text).unwrap();
        let parsed = parse_network(&files, file);
        let mut origins = Origins::new();
        let elaborated = elaborate_network(&files, &mut origins, &parsed.tree);
        (elaborated.network.unwrap(), origins)
    }

    #[test]
    fn accepts_elaborated_network() {
        let (network, origins) = network();
        assert!(validate_network(&network, &origins).is_empty());
    }

    #[test]
    fn rejects_each_ill_formed_network() {
        type Break = fn(&mut Network);
        let breaks: &[(&str, Break)] = &[
            ("no process", |network| network.processes = crate::Table::new()),
            ("initial value", |network| network.variables[VariableId(0)].initial = Value::Integer(9)),
            ("initial location", |network| network.processes[ProcessId(0)].initial = vec![LocationId(7)]),
            ("location", |network| {
                network.processes[ProcessId(0)].edges[crate::EdgeId(0)].branches[0].target = LocationId(9);
            }),
            ("no target", |network| network.processes[ProcessId(0)].edges[crate::EdgeId(0)].branches.clear()),
            ("event", |network| {
                network.processes[ProcessId(0)].edges[crate::EdgeId(1)].event = Some(EventId(4));
            }),
            ("vector", |network| {
                let again: Participant = network.vectors[0].participants[0];
                network.vectors[0].participants.push(again);
            }),
            ("function", |network| network.functions = crate::Table::new()),
            ("parameters", |network| network.functions[FunctionId(0)].parameters.clear()),
            ("another type", |network| network.variables[VariableId(0)].value_type = Type::Boolean),
            ("owner", |network| network.variables[VariableId(0)].owner = Some(ProcessId(5))),
        ];
        for (expected, break_it) in breaks {
            let (mut network, origins) = network();
            break_it(&mut network);
            let found = validate_network(&network, &origins);
            assert!(
                found.as_slice().iter().any(|diagnostic| diagnostic.message.contains(expected)),
                "{expected}: {found:?}"
            );
        }
    }
}
