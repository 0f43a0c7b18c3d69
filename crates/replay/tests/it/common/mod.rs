//! Builders of networks for the tests of the interpreter.
//!
//! Invariant: every node has its own origin, so that a test can identify the conjunct of a guard that fails.

use std::cell::RefCell;
use std::sync::Arc;

use tempora_evidence::{Participation, Rational, Step, Transition, TransitionKind};
use tempora_model::{
    ArrayType, BinaryOperator, Binder, Branch, ChannelKind, Comparison, Condition, ConditionCategory, Edge,
    EdgeId, EventId, Expression, ExpressionKind, Function, FunctionId, IndexType, LocalId, Location,
    LocationId, LocationKind, Network, Parameter, Process, ProcessId, Quantifier, Range, Statement,
    Synchronisation, SynchronisationRole, Table, Type, UnaryOperator, Value, Variable, VariableId,
    VariableKind,
};
use tempora_replay::{ConcreteState, Interpreter, StepOutcome};
use tempora_source::{Origin, Origins};

thread_local! {
    static ORIGINS: RefCell<Origins> = RefCell::new(Origins::new());
}

pub(crate) fn origin() -> Origin {
    ORIGINS.with(|origins| origins.borrow_mut().built_in("test"))
}

/// A network under construction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Build {
    pub(crate) network: Network,
}

impl Build {
    pub(crate) fn variable(&mut self, name: &str, value_type: Type, kind: VariableKind) -> Expression {
        let id = self.network.variables.push(Variable {
            name: name.to_owned(),
            owner: None,
            initial: Value::default_of(&value_type),
            value_type: value_type.clone(),
            kind,
            origin: origin(),
        });
        expression(ExpressionKind::Variable(id), value_type)
    }

    pub(crate) fn integer(&mut self, name: &str, least: i32, greatest: i32) -> Expression {
        self.variable(name, Type::Integer(Range { least, greatest }), VariableKind::State)
    }

    pub(crate) fn clock(&mut self, name: &str) -> Expression {
        self.variable(name, Type::Clock, VariableKind::State)
    }

    pub(crate) fn channel(&mut self, name: &str) -> Expression {
        self.variable(name, Type::Channel(ChannelKind::default()), VariableKind::State)
    }

    pub(crate) fn urgent(&mut self, name: &str) -> Expression {
        let kind = ChannelKind { is_urgent: true, is_broadcast: false };
        self.variable(name, Type::Channel(kind), VariableKind::State)
    }

    pub(crate) fn broadcast(&mut self, name: &str) -> Expression {
        let kind = ChannelKind { is_urgent: false, is_broadcast: true };
        self.variable(name, Type::Channel(kind), VariableKind::State)
    }

    /// Declares an array of values of a type, indexed from zero.
    pub(crate) fn array(&mut self, name: &str, element: Type, size: i32) -> Expression {
        let index = IndexType::Range(Range { least: 0, greatest: size - 1 });
        self.variable(name, Type::Array(Arc::new(ArrayType { element, index })), VariableKind::State)
    }

    /// Adds a process with this number of ordinary locations, starting in the first.
    pub(crate) fn process(&mut self, name: &str, locations: usize) -> ProcessId {
        let location = |number: usize| Location {
            name: Some(format!("L{number}")),
            kind: LocationKind::Ordinary,
            invariant: Condition::default(),
            clock_rates: Vec::new(),
            exponential_rate: None,
            labels: Vec::new(),
            origin: origin(),
        };
        self.network.processes.push(Process {
            name: name.to_owned(),
            template: name.to_owned(),
            arguments: Vec::new(),
            locations: (0..locations).map(location).collect(),
            initial: vec![LocationId(0)],
            edges: Table::new(),
            priority: 0,
            interface: None,
            origin: origin(),
        })
    }

    pub(crate) fn location(&mut self, process: ProcessId, location: u32) -> &mut Location {
        &mut self.network.processes[process].locations[LocationId(location)]
    }

    pub(crate) fn invariant(&mut self, process: ProcessId, location: u32, part: Expression) {
        add_part(&mut self.location(process, location).invariant, part);
    }

    pub(crate) fn edge(&mut self, process: ProcessId, edge: Edge) -> EdgeId {
        self.network.processes[process].edges.push(edge)
    }

    pub(crate) fn event(&mut self, name: &str) -> EventId {
        self.network.events.push(name.to_owned())
    }

    pub(crate) fn function(
        &mut self,
        parameters: Vec<(Type, bool)>,
        result: Type,
        body: Vec<Statement>,
    ) -> FunctionId {
        let parameters = parameters
            .into_iter()
            .enumerate()
            .map(|(number, (value_type, is_reference))| Parameter {
                name: format!("p{number}"),
                value_type,
                is_reference,
                local: LocalId(number as u32),
            })
            .collect();
        self.network.functions.push(Function {
            owner: None,
            name: "f".to_owned(),
            parameters,
            result,
            body,
            origin: origin(),
        })
    }

    pub(crate) fn interpreter(&self) -> Interpreter<'_> {
        Interpreter::new(&self.network)
    }

    /// Returns the only initial state.
    pub(crate) fn start(&self) -> ConcreteState {
        let interpreter = self.interpreter();
        let locations = interpreter.initial_choices().next().unwrap();
        interpreter.state_at_start(locations)
    }

    /// Returns the transitions of a state, each as the edges of its processes in the order of updates, such as `P0 Q2`;
    /// a second branch is `P0:1`, selected values are `P0[3]`, an error ends with `!`.
    ///
    /// Each is also tried alone, with the same result.
    pub(crate) fn enabled(&self, state: &ConcreteState) -> Vec<String> {
        let interpreter = self.interpreter();
        let enabled = interpreter.enabled_transitions(state).unwrap();
        let name = |part: &Participation| {
            let mut name = format!("{}{}", self.network.processes[part.process].name, part.edge.0);
            if part.branch > 0 {
                name += &format!(":{}", part.branch);
            }
            if !part.select_values.is_empty() {
                name += &format!("{:?}", part.select_values);
            }
            name
        };
        enabled
            .iter()
            .map(|enabled| {
                let alone = interpreter.attempt(state, &enabled.transition);
                let expected = match &enabled.result {
                    Ok(next) => StepOutcome::Possible(next.clone()),
                    Err(error) => StepOutcome::Error(error.clone()),
                };
                assert_eq!(alone, expected);
                let names: Vec<String> = enabled.transition.participants.iter().map(name).collect();
                names.join(" ") + if enabled.result.is_err() { "!" } else { "" }
            })
            .collect()
    }

    /// Returns the state after a transition that must be possible.
    pub(crate) fn after(&self, state: &ConcreteState, transition: &Transition) -> ConcreteState {
        match self.interpreter().attempt(state, transition) {
            StepOutcome::Possible(next) => next,
            other => panic!("{other:?}"),
        }
    }

    /// Returns the state after a delay that must be possible.
    pub(crate) fn later(&self, state: &ConcreteState, delay: Rational) -> ConcreteState {
        match self.interpreter().attempt_delay(state, delay) {
            StepOutcome::Possible(next) => next,
            other => panic!("{other:?}"),
        }
    }

    /// Returns the allowed delays as text.
    pub(crate) fn delays(&self, state: &ConcreteState) -> String {
        self.interpreter().allowed_delays(state).unwrap().to_string()
    }

    pub(crate) fn value(&self, state: &ConcreteState, variable: &Expression) -> i32 {
        state.variable(id_of(variable)).as_integer().unwrap()
    }
}

pub(crate) fn id_of(variable: &Expression) -> VariableId {
    match variable.kind {
        ExpressionKind::Variable(id) => id,
        _ => panic!("not a variable"),
    }
}

pub(crate) fn edge(source: u32, target: u32) -> Edge {
    Edge {
        source: LocationId(source),
        selects: Vec::new(),
        guard: Condition::default(),
        synchronisation: None,
        event: None,
        branches: vec![branch(target)],
        is_controllable: true,
        template_position: 0,
        origin: origin(),
    }
}

pub(crate) fn branch(target: u32) -> Branch {
    Branch { weight: None, updates: Vec::new(), target: LocationId(target), origin: origin() }
}

/// Builder methods of edges.
pub(crate) trait EdgeParts {
    fn guard(self, part: Expression) -> Self;
    fn send(self, channel: &Expression) -> Self;
    fn receive(self, channel: &Expression) -> Self;
    fn update(self, update: Expression) -> Self;
    fn on(self, event: EventId) -> Self;
    fn select(self, least: i32, greatest: i32) -> Self;
}

impl EdgeParts for Edge {
    fn guard(mut self, part: Expression) -> Edge {
        add_part(&mut self.guard, part);
        self
    }

    fn send(mut self, channel: &Expression) -> Edge {
        self.synchronisation =
            Some(Synchronisation { channel: channel.clone(), role: SynchronisationRole::Send });
        self
    }

    fn receive(mut self, channel: &Expression) -> Edge {
        self.synchronisation =
            Some(Synchronisation { channel: channel.clone(), role: SynchronisationRole::Receive });
        self
    }

    fn update(mut self, update: Expression) -> Edge {
        self.branches[0].updates.push(update);
        self
    }

    fn on(mut self, event: EventId) -> Edge {
        self.event = Some(event);
        self
    }

    fn select(mut self, least: i32, greatest: i32) -> Edge {
        let number = self.selects.len() as u32;
        self.selects.push(binder(number, least, greatest));
        self
    }
}

fn add_part(condition: &mut Condition, part: Expression) {
    if matches!(part.value_type, Type::Condition(_)) {
        condition.clocks.push(part);
    } else {
        condition.data.push(part);
    }
}

pub(crate) fn binder(local: u32, least: i32, greatest: i32) -> Binder {
    Binder {
        name: format!("i{local}"),
        local: LocalId(local),
        domain: IndexType::Range(Range { least, greatest }),
        origin: origin(),
    }
}

pub(crate) fn expression(kind: ExpressionKind, value_type: Type) -> Expression {
    Expression { kind, value_type, origin: origin() }
}

pub(crate) fn number(value: i32) -> Expression {
    expression(ExpressionKind::Integer(value), Type::Integer(Range { least: value, greatest: value }))
}

pub(crate) fn local(number: u32) -> Expression {
    local_of(number, Type::Integer(Range::DEFAULT))
}

pub(crate) fn local_of(number: u32, value_type: Type) -> Expression {
    expression(ExpressionKind::Local(LocalId(number)), value_type)
}

pub(crate) fn binary(operator: BinaryOperator, left: Expression, right: Expression) -> Expression {
    let is_logical = matches!(
        operator,
        BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Imply | BinaryOperator::Xor
    );
    let has_clocks = |side: &Expression| matches!(side.value_type, Type::Condition(_));
    let value_type = match operator {
        _ if is_logical && (has_clocks(&left) || has_clocks(&right)) => {
            Type::Condition(ConditionCategory::Constraint)
        }
        BinaryOperator::Compare(_) => Type::Boolean,
        _ if is_logical => Type::Boolean,
        _ => Type::Integer(Range::WORD),
    };
    expression(ExpressionKind::Binary { operator, left: Box::new(left), right: Box::new(right) }, value_type)
}

pub(crate) fn compare(left: Expression, comparison: Comparison, right: Expression) -> Expression {
    binary(BinaryOperator::Compare(comparison), left, right)
}

pub(crate) fn equal(left: Expression, right: Expression) -> Expression {
    compare(left, Comparison::Equal, right)
}

pub(crate) fn not(operand: Expression) -> Expression {
    let value_type = operand.value_type.clone();
    let operand = Box::new(operand);
    expression(ExpressionKind::Unary { operator: UnaryOperator::Not, operand }, value_type)
}

pub(crate) fn for_all(least: i32, greatest: i32, body: Expression) -> Expression {
    let value_type = body.value_type.clone();
    let (quantifier, binder) = (Quantifier::ForAll, binder(0, least, greatest));
    expression(ExpressionKind::Quantified { quantifier, binder, body: Box::new(body) }, value_type)
}

/// Returns `clock ~ bound`.
pub(crate) fn when(clock: &Expression, comparison: Comparison, bound: i32) -> Expression {
    when_bound(clock, comparison, number(bound))
}

pub(crate) fn when_bound(clock: &Expression, comparison: Comparison, bound: Expression) -> Expression {
    let kind = ExpressionKind::CompareClocks {
        left: Some(Box::new(clock.clone())),
        right: None,
        comparison,
        bound: Box::new(bound),
    };
    expression(kind, Type::Condition(ConditionCategory::Guard))
}

/// Returns `left - right ~ bound`.
pub(crate) fn when_difference(
    left: &Expression,
    right: &Expression,
    comparison: Comparison,
    bound: i32,
) -> Expression {
    let kind = ExpressionKind::CompareClocks {
        left: Some(Box::new(left.clone())),
        right: Some(Box::new(right.clone())),
        comparison,
        bound: Box::new(number(bound)),
    };
    expression(kind, Type::Condition(ConditionCategory::Guard))
}

pub(crate) fn assign(target: &Expression, value: Expression) -> Expression {
    assign_with(None, target, value)
}

pub(crate) fn assign_with(
    operator: Option<BinaryOperator>,
    target: &Expression,
    value: Expression,
) -> Expression {
    let value_type = target.value_type.clone();
    let kind = ExpressionKind::Assign { operator, target: Box::new(target.clone()), value: Box::new(value) };
    expression(kind, value_type)
}

pub(crate) fn element(array: &Expression, index: Expression) -> Expression {
    let value_type = match &array.value_type {
        Type::Array(array_type) => array_type.element.clone(),
        _ => panic!("not an array"),
    };
    let kind = ExpressionKind::Element { array: Box::new(array.clone()), index: Box::new(index) };
    expression(kind, value_type)
}

pub(crate) fn call(function: FunctionId, arguments: Vec<Expression>, value_type: Type) -> Expression {
    expression(ExpressionKind::Call { function, arguments }, value_type)
}

pub(crate) fn is_at(process: ProcessId, location: u32) -> Expression {
    expression(ExpressionKind::At { process, location: LocationId(location) }, Type::Boolean)
}

pub(crate) fn deadlock() -> Expression {
    expression(ExpressionKind::Deadlock, Type::Boolean)
}

pub(crate) fn rate(clock: &Expression, rate: i32) -> Expression {
    let kind = ExpressionKind::RateIs { clock: Box::new(clock.clone()), rate: Box::new(number(rate)) };
    expression(kind, Type::Condition(ConditionCategory::Invariant))
}

pub(crate) fn takes(process: ProcessId, edge: u32) -> Participation {
    Participation { process, edge: EdgeId(edge), branch: 0, select_values: Vec::new() }
}

pub(crate) fn internal(process: ProcessId, edge: u32) -> Transition {
    Transition { kind: TransitionKind::Internal, participants: vec![takes(process, edge)] }
}

pub(crate) fn together(kind: TransitionKind, participants: &[(ProcessId, u32)]) -> Transition {
    let participants = participants.iter().map(|&(process, edge)| takes(process, edge)).collect();
    Transition { kind, participants }
}

pub(crate) fn time(numerator: i64, denominator: i64) -> Rational {
    Rational::new(numerator, denominator)
}

pub(crate) fn step(delay: i64, transition: Transition) -> Step {
    Step { delay: time(delay, 1), transition }
}

pub(crate) const LESS: Comparison = Comparison::Less;
pub(crate) const AT_MOST: Comparison = Comparison::LessOrEqual;
pub(crate) const EQUAL: Comparison = Comparison::Equal;
pub(crate) const AT_LEAST: Comparison = Comparison::GreaterOrEqual;
pub(crate) const MORE: Comparison = Comparison::Greater;
