//! The reference interpreter: a network with precomputed data.
//!
//! Invariant: every result is computed from the network and a concrete state by the definitions, when it is requested.
//! There are no caches that could become stale.

use std::cell::Cell;
use std::time::Instant;

use tempora_evidence::{Budget, Cancellation, RuntimeError, RuntimeErrorKind};
use tempora_model::{
    Expression, ExpressionKind, FunctionId, Id, LocalInitial, LocationId, Network, Statement, Type,
};
use tempora_source::Origin;

use crate::combinations::Combinations;
use crate::state::{ClockLayout, ConcreteState};

/// An interpreter of the reference semantics of a network.
#[derive(Clone, Debug)]
pub struct Interpreter<'network> {
    pub(crate) network: &'network Network,
    pub(crate) layout: ClockLayout,
    /// For each function, whether its result or its side effects may depend on the value of a clock.
    functions_that_read_clocks: Vec<bool>,
    pub(crate) deadline: Option<QueryDeadline>,
}

impl<'network> Interpreter<'network> {
    /// Creates an interpreter of a valid network.
    pub fn new(network: &'network Network) -> Interpreter<'network> {
        let mut interpreter = Interpreter {
            network,
            layout: ClockLayout::new(network),
            functions_that_read_clocks: vec![false; network.functions.len()],
            deadline: None,
        };
        // A fixpoint needs no assumption on the call graph; callees usually come first, so it is soon reached.
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for (id, function) in network.functions.iter() {
                let reads = function.body.iter().any(|statement| interpreter.statement_reads(statement));
                has_changed |= reads != interpreter.functions_that_read_clocks[id.index()];
                interpreter.functions_that_read_clocks[id.index()] = reads;
            }
        }
        interpreter
    }

    /// Makes every query fail with [`RuntimeErrorKind::TimeOver`] once the budget has timed out, and with
    /// [`RuntimeErrorKind::Stopped`] once it was cancelled. States and memory are not counted.
    #[must_use]
    pub fn within(mut self, budget: &Budget) -> Interpreter<'network> {
        self.deadline =
            Some(QueryDeadline { deadline: budget.deadline(), cancellation: budget.stop_request() });
        self
    }

    /// Returns the step limit of one query.
    pub(crate) fn fuel(&self) -> Fuel {
        Fuel { steps: Cell::new(STEPS_PER_QUESTION), deadline: self.deadline.clone() }
    }

    /// Returns the network.
    pub fn network(&self) -> &'network Network {
        self.network
    }

    /// Returns the numbering of clocks.
    pub fn clock_layout(&self) -> &ClockLayout {
        &self.layout
    }

    /// Enumerates all choices of initial locations; whether a choice satisfies the invariants is not checked.
    pub fn initial_choices(&self) -> impl Iterator<Item = Vec<LocationId>> + use<'network> {
        let network = self.network;
        Combinations::new(network.processes.values().map(|process| process.initial.len()).collect()).map(
            move |choice| {
                network
                    .processes
                    .values()
                    .zip(choice)
                    .map(|(process, position)| process.initial[position])
                    .collect()
            },
        )
    }

    /// Returns the state with these locations and the initial values of all variables and clocks.
    pub fn state_at_start(&self, locations: Vec<LocationId>) -> ConcreteState {
        ConcreteState::at_start(self.network, &self.layout, locations)
    }

    /// Returns whether the value of an expression may depend on the value of a clock.
    pub(crate) fn reads_clocks(&self, expression: &Expression) -> bool {
        let reads = |inner: &Expression| self.reads_clocks(inner);
        match &expression.kind {
            ExpressionKind::CompareClocks { .. }
            | ExpressionKind::RateIs { .. }
            | ExpressionKind::Deadlock => true,
            ExpressionKind::Integer(_)
            | ExpressionKind::Double(_)
            | ExpressionKind::At { .. }
            | ExpressionKind::LocationOf(_)
            | ExpressionKind::HasLabel(_) => false,
            ExpressionKind::Variable(_) | ExpressionKind::Local(_) => expression.value_type == Type::Clock,
            ExpressionKind::Element { array, index } => {
                expression.value_type == Type::Clock || reads(array) || reads(index)
            }
            ExpressionKind::Field { record, .. } => expression.value_type == Type::Clock || reads(record),
            ExpressionKind::Unary { operand, .. } => reads(operand),
            ExpressionKind::Binary { left, right, .. } => reads(left) || reads(right),
            ExpressionKind::Conditional { condition, then, otherwise } => {
                reads(condition) || reads(then) || reads(otherwise)
            }
            // Setting a clock does not read it.
            ExpressionKind::Assign { target, value, .. } => {
                reads(value) || (target.value_type != Type::Clock && reads(target))
            }
            ExpressionKind::Step { target, .. } => reads(target),
            ExpressionKind::Call { function, arguments } => {
                self.functions_that_read_clocks.get(function.index()).copied().unwrap_or(false)
                    || self.arguments_read(*function, arguments)
            }
            ExpressionKind::CallBuiltin { arguments, .. } => arguments.iter().any(reads),
            ExpressionKind::Quantified { body, .. } => reads(body),
        }
    }

    /// Returns whether the arguments of a call read clocks. A clock passed by reference is read only if the function
    /// reads it.
    fn arguments_read(&self, function: FunctionId, arguments: &[Expression]) -> bool {
        let Some(function) = self.network.functions.get(function) else { return false };
        arguments
            .iter()
            .zip(&function.parameters)
            .any(|(argument, parameter)| !parameter.is_reference && self.reads_clocks(argument))
    }

    fn statement_reads(&self, statement: &Statement) -> bool {
        match statement {
            Statement::Declare { initial: LocalInitial::Computed(expression), .. }
            | Statement::Evaluate(expression)
            | Statement::Return(Some(expression), _)
            | Statement::Assert(expression) => self.reads_clocks(expression),
            Statement::Declare { initial: LocalInitial::Constant(_), .. } | Statement::Return(None, _) => {
                false
            }
            Statement::Block(statements) => statements.iter().any(|inner| self.statement_reads(inner)),
            Statement::If { condition, then, otherwise } => {
                self.reads_clocks(condition)
                    || self.statement_reads(then)
                    || otherwise.as_ref().is_some_and(|inner| self.statement_reads(inner))
            }
            Statement::While { condition, body } | Statement::DoWhile { body, condition } => {
                self.reads_clocks(condition) || self.statement_reads(body)
            }
            Statement::ForEach { body, .. } => self.statement_reads(body),
        }
    }
}

/// The remaining steps of evaluation for one query.
///
/// Loops and combinations of choices in a model may be practically endless; a query must be answered all the same.
#[derive(Debug)]
pub(crate) struct Fuel {
    steps: Cell<u64>,
    deadline: Option<QueryDeadline>,
}

/// The deadline of queries.
#[derive(Clone, Debug)]
pub(crate) struct QueryDeadline {
    deadline: Option<Instant>,
    cancellation: Cancellation,
}

/// Enough for any practical model; a few seconds of work.
const STEPS_PER_QUESTION: u64 = 20_000_000;
/// The clock is read with the first step of a query, and again after this number of steps.
const STEPS_PER_CLOCK_READING: u64 = 1 << 12;

impl Fuel {
    /// Uses up some steps.
    pub(crate) fn burn(&self, steps: u64, origin: Origin) -> Result<(), RuntimeError> {
        let before = self.steps.get();
        let Some(rest) = before.checked_sub(steps) else {
            return Err(RuntimeError { kind: RuntimeErrorKind::StepLimit, origin });
        };
        let is_moment = before == STEPS_PER_QUESTION
            || before / STEPS_PER_CLOCK_READING != rest / STEPS_PER_CLOCK_READING;
        if is_moment && let Some(kind) = self.deadline.as_ref().and_then(QueryDeadline::reached) {
            return Err(RuntimeError { kind, origin });
        }
        self.steps.set(rest);
        Ok(())
    }
}

impl QueryDeadline {
    /// Returns why a query has to end, if it has to.
    pub(crate) fn reached(&self) -> Option<RuntimeErrorKind> {
        if let Some(cause) = self.cancellation.cause() {
            return Some(RuntimeErrorKind::Stopped(cause));
        }
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline).then_some(RuntimeErrorKind::TimeOver)
    }
}
