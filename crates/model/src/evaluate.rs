//! Evaluates expressions and statements: constants while a model is read, and data for simple engines.
//!
//! Invariant: an evaluation only reads and changes the memory that it is given; every run-time error of a model is an
//! [`EvaluationFailure`] at its place. The number of steps is limited, so evaluation terminates. Truth values are 0
//! and 1.

use std::fmt;

use tempora_source::Origin;

use crate::expression::{
    BinaryOperator, Comparison, Expression, ExpressionKind, Function, LocalInitial, Quantifier, Statement,
    UnaryOperator,
};
use crate::network::{Variable, VariableKind};
use crate::types::{Range, Type, Value};
use crate::{FunctionId, LocationId, ProcessId, Table, VariableId};

/// The failure of an evaluation.
#[derive(Clone, PartialEq, Debug)]
pub struct EvaluationFailure {
    /// The part of the expression that failed.
    pub origin: Origin,
    /// The kind of failure.
    pub kind: FailureKind,
}

/// The kind of an evaluation failure.
#[derive(Clone, PartialEq, Debug)]
pub enum FailureKind {
    /// A value is outside the range of the variable, parameter or result that it is assigned to.
    OutOfRange {
        /// The value.
        value: i32,
        /// The expected range.
        range: Range,
    },
    /// An index is outside of the array.
    IndexOutOfRange {
        /// The index.
        index: i32,
        /// The least and the greatest index.
        range: Range,
    },
    /// Division or remainder by zero.
    DivisionByZero,
    /// A shift by a negative number.
    NegativeShift,
    /// An integer raised to a negative power.
    NegativeExponent,
    /// A quotient, a power or a conversion exceeds 32 bits. Sums, products and shifts wrap around, as in UPPAAL.
    Overflow,
    /// A clock is set to a negative value.
    NegativeClock,
    /// An assertion does not hold.
    AssertionFailed,
    /// The evaluation exceeds the step limit.
    StepLimit,
    /// The expression depends on a value that the memory does not provide, for this reason.
    Unknown(String),
}

impl FailureKind {
    /// Returns whether the evaluation would also fail in a run of the model.
    pub fn is_error(&self) -> bool {
        !matches!(self, FailureKind::Unknown(_))
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FailureKind::OutOfRange { value, range } => {
                write!(
                    formatter,
                    "the value {value} is outside of the range {} to {}",
                    range.least, range.greatest
                )
            }
            FailureKind::IndexOutOfRange { index, range } => {
                write!(
                    formatter,
                    "the index {index} is outside of the range {} to {}",
                    range.least, range.greatest
                )
            }
            FailureKind::DivisionByZero => formatter.write_str("division by zero"),
            FailureKind::NegativeShift => formatter.write_str("a shift by a negative number"),
            FailureKind::NegativeExponent => formatter.write_str("an integer raised to a negative power"),
            FailureKind::Overflow => formatter.write_str("the result does not fit into 32 bits"),
            FailureKind::NegativeClock => formatter.write_str("a clock is set to a negative value"),
            FailureKind::AssertionFailed => formatter.write_str("the assertion does not hold"),
            FailureKind::StepLimit => write!(formatter, "the evaluation takes more than {STEP_LIMIT} steps"),
            FailureKind::Unknown(reason) => formatter.write_str(reason),
        }
    }
}

/// The step limit of an evaluation, which takes less than a second.
const STEP_LIMIT: u64 = 4_000_000;

/// Evaluates an expression that depends only on constants.
pub fn evaluate_constant(
    variables: &Table<VariableId, Variable>,
    functions: &Table<FunctionId, Function>,
    expression: &Expression,
) -> Result<Value, EvaluationFailure> {
    let mut memory = ConstantMemory { variables };
    Evaluator::new(functions, &mut memory).value(expression)
}

/// The variables that an evaluation reads and changes.
pub trait Memory {
    /// Returns the value of a variable; `None` if it is unknown.
    fn read(&self, variable: VariableId) -> Option<&Value>;
    /// Returns the variable for modification; `None` if it cannot be changed.
    fn write(&mut self, variable: VariableId) -> Option<&mut Value>;
    /// Returns the declared type of a variable; `None` if it is unknown. A reference parameter may have a wider type.
    fn declared_type(&self, _variable: VariableId) -> Option<&Type> {
        None
    }
    /// Sets a clock to a number or to the value of another clock; returns false if the memory has no clocks.
    fn set_clock(&mut self, clock: &Place, value: ClockValue) -> bool;
    /// Returns the location of a process; `None` if it is unknown.
    fn location(&self, _process: ProcessId) -> Option<LocationId> {
        None
    }
    /// Returns whether a process is in a location with the label; `None` if that is unknown.
    fn has_label(&self, _label: &str) -> Option<bool> {
        None
    }
}

/// The new value of a clock.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClockValue {
    /// A constant.
    Integer(i32),
    /// The value of another clock.
    Clock(Place),
    /// The value of another clock plus a number.
    Shifted(Place, i32),
}

/// A variable, clock or channel, or a part of one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The whole.
    pub root: PlaceRoot,
    /// The positions of the part in the whole, from the outside in.
    pub path: Vec<usize>,
}

/// The variable that contains a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PlaceRoot {
    /// A variable of the network.
    Variable(VariableId),
    /// A local variable of an active function call.
    Local {
        /// The depth of the call.
        frame: usize,
        /// The number of the name.
        local: usize,
    },
}

/// A memory that contains only the constants.
struct ConstantMemory<'network> {
    variables: &'network Table<VariableId, Variable>,
}

impl Memory for ConstantMemory<'_> {
    fn read(&self, variable: VariableId) -> Option<&Value> {
        self.variables
            .get(variable)
            .filter(|variable| variable.kind == VariableKind::Constant)
            .map(|variable| &variable.initial)
    }

    fn write(&mut self, _: VariableId) -> Option<&mut Value> {
        None
    }

    fn set_clock(&mut self, _: &Place, _: ClockValue) -> bool {
        false
    }
}

/// Evaluates expressions and statements.
pub struct Evaluator<'network, 'memory, M> {
    functions: &'network Table<FunctionId, Function>,
    memory: &'memory mut M,
    /// The local variables of each active call, by number.
    frames: Vec<Vec<Slot>>,
    steps: u64,
}

/// A local variable: its value, or the place that it refers to.
#[derive(Clone)]
enum Slot {
    Value(Value),
    Reference(Place),
}

enum Flow {
    Next,
    /// The result, with the origin of the statement.
    Return(Value, Origin),
}

impl<'network, 'memory, M: Memory> Evaluator<'network, 'memory, M> {
    /// Creates an evaluator without local variables.
    pub fn new(
        functions: &'network Table<FunctionId, Function>,
        memory: &'memory mut M,
    ) -> Evaluator<'network, 'memory, M> {
        Evaluator { functions, memory, frames: vec![Vec::new()], steps: 0 }
    }

    /// Binds a local variable to a value, as a select or a quantifier does.
    pub fn bind(&mut self, local: crate::expression::LocalId, value: i32) {
        self.bind_slot(local.0, Slot::Value(Value::Integer(value)));
    }

    /// Returns whether a condition without clocks holds.
    pub fn is_true(&mut self, condition: &Expression) -> Result<bool, EvaluationFailure> {
        Ok(is_true(&self.value(condition)?))
    }

    /// Evaluates an integer expression.
    pub fn integer(&mut self, expression: &Expression) -> Result<i32, EvaluationFailure> {
        match self.value(expression)? {
            Value::Integer(value) => Ok(value),
            _ => unknown(expression.origin, "this is not an integer".to_owned()),
        }
    }

    /// Evaluates an expression, including its side effects.
    pub fn value(&mut self, expression: &Expression) -> Result<Value, EvaluationFailure> {
        self.count(expression.origin)?;
        match &expression.kind {
            ExpressionKind::Integer(value) => Ok(Value::Integer(*value)),
            ExpressionKind::Double(value) => Ok(Value::Double(*value)),
            ExpressionKind::Variable(_) | ExpressionKind::Local(_) => {
                let place = self.place(expression)?;
                self.read(&place, expression.origin).cloned()
            }
            ExpressionKind::Element { array, index } => {
                // Elements of stored arrays are read in place; others, such as results of calls, are computed.
                if is_stored(array) {
                    let place = self.place(expression)?;
                    return self.read(&place, expression.origin).cloned();
                }
                let position = self.position(array, index)?;
                match self.value(array)? {
                    Value::Parts(mut parts) if position < parts.len() => Ok(parts.swap_remove(position)),
                    _ => unknown(expression.origin, "this is not an array".to_owned()),
                }
            }
            ExpressionKind::Field { record, field } => {
                if is_stored(record) {
                    let place = self.place(expression)?;
                    return self.read(&place, expression.origin).cloned();
                }
                match self.value(record)? {
                    Value::Parts(mut parts) if *field < parts.len() => Ok(parts.swap_remove(*field)),
                    _ => unknown(expression.origin, "this is not a record".to_owned()),
                }
            }
            ExpressionKind::Unary { operator, operand } => {
                let value = self.value(operand)?;
                match (operator, value) {
                    (UnaryOperator::Negate, Value::Double(value)) => Ok(Value::Double(-value)),
                    (UnaryOperator::Negate, Value::Integer(value)) => {
                        Ok(Value::Integer(value.wrapping_neg()))
                    }
                    (UnaryOperator::Not, value) => Ok(truth(!is_true(&value))),
                    _ => unknown(expression.origin, "this is not a number".to_owned()),
                }
            }
            ExpressionKind::Binary { operator, left, right } => {
                self.binary(*operator, left, right, expression.origin)
            }
            ExpressionKind::Conditional { condition, then, otherwise } => {
                let chosen = if is_true(&self.value(condition)?) { then } else { otherwise };
                self.value(chosen)
            }
            ExpressionKind::Assign { target, value, .. } if target.value_type == Type::Clock => {
                self.set_clock(target, value, expression.origin)
            }
            ExpressionKind::Assign { operator, target, value } => {
                let mut new = self.value(value)?;
                // As in the interpreter, the target is evaluated before the range of the value is checked.
                let place = self.place(target)?;
                if let Some(operator) = operator {
                    let old = self.read(&place, target.origin)?.clone();
                    new = arithmetic(*operator, &old, &new, expression.origin)?;
                }
                let new = self.fitted(new, &place, &target.value_type, expression.origin)?;
                *self.write(&place, target.origin)? = new.clone();
                Ok(new)
            }
            ExpressionKind::Step { target, amount, is_postfix } => {
                let place = self.place(target)?;
                let old = self.read(&place, target.origin)?.clone();
                let new = arithmetic(BinaryOperator::Add, &old, &Value::Integer(*amount), expression.origin)?;
                let new = self.fitted(new, &place, &target.value_type, expression.origin)?;
                *self.write(&place, target.origin)? = new.clone();
                Ok(if *is_postfix { old } else { new })
            }
            ExpressionKind::Call { function, arguments } => {
                self.call(*function, arguments, expression.origin)
            }
            ExpressionKind::CallBuiltin { function: "abs", arguments } if arguments.len() == 1 => {
                match self.value(&arguments[0])? {
                    Value::Integer(value) => word(i64::from(value).abs(), expression.origin),
                    _ => unknown(expression.origin, "this is not an integer".to_owned()),
                }
            }
            ExpressionKind::CallBuiltin { function, arguments } => {
                let mut values = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    values.push(self.double(argument)?);
                }
                builtin(function, &values, expression.origin)
            }
            ExpressionKind::Quantified { quantifier, binder, body } => {
                let mut sum = 0i32;
                let mut result = *quantifier == Quantifier::ForAll;
                for value in binder.domain.values() {
                    self.bind(binder.local, value);
                    let value = self.value(body)?;
                    match quantifier {
                        Quantifier::ForAll => result &= is_true(&value),
                        Quantifier::Exists => result |= is_true(&value),
                        Quantifier::Sum => sum = sum.wrapping_add(value.as_integer().unwrap_or(0)),
                    }
                    // Short circuit, like `&&` and `||`.
                    match quantifier {
                        Quantifier::ForAll if !result => break,
                        Quantifier::Exists if result => break,
                        _ => {}
                    }
                }
                if *quantifier == Quantifier::Sum { Ok(Value::Integer(sum)) } else { Ok(truth(result)) }
            }
            ExpressionKind::CompareClocks { .. } | ExpressionKind::RateIs { .. } => {
                unknown(expression.origin, "the values of clocks are not known".to_owned())
            }
            ExpressionKind::At { process, location } => {
                let current = self.memory.location(*process);
                depends_on_state(current.map(|current| truth(current == *location)), expression.origin)
            }
            ExpressionKind::LocationOf(process) => {
                let current = self.memory.location(*process);
                depends_on_state(current.map(|current| Value::Integer(current.0 as i32)), expression.origin)
            }
            ExpressionKind::HasLabel(label) => {
                depends_on_state(self.memory.has_label(label).map(truth), expression.origin)
            }
            ExpressionKind::Deadlock => depends_on_state(None, expression.origin),
        }
    }

    /// Returns the place that an assignable expression, a clock or a channel denotes.
    pub fn place(&mut self, expression: &Expression) -> Result<Place, EvaluationFailure> {
        match &expression.kind {
            ExpressionKind::Variable(variable) => {
                Ok(Place { root: PlaceRoot::Variable(*variable), path: Vec::new() })
            }
            ExpressionKind::Local(local) => {
                let (frame, local) = (self.frames.len() - 1, local.0 as usize);
                match self.frames[frame].get(local) {
                    Some(Slot::Reference(place)) => Ok(place.clone()),
                    Some(Slot::Value(_)) => {
                        Ok(Place { root: PlaceRoot::Local { frame, local }, path: Vec::new() })
                    }
                    None => unknown(expression.origin, "a bound name has no value yet".to_owned()),
                }
            }
            ExpressionKind::Element { array, index } => {
                let position = self.position(array, index)?;
                let mut place = self.place(array)?;
                place.path.push(position);
                Ok(place)
            }
            ExpressionKind::Field { record, field } => {
                let mut place = self.place(record)?;
                place.path.push(*field);
                Ok(place)
            }
            ExpressionKind::Conditional { condition, then, otherwise } => {
                let chosen = if is_true(&self.value(condition)?) { then } else { otherwise };
                self.place(chosen)
            }
            ExpressionKind::Assign { target, .. } | ExpressionKind::Step { target, .. } => {
                self.value(expression)?;
                self.place(target)
            }
            _ => unknown(expression.origin, "this is not a variable".to_owned()),
        }
    }

    fn read(&self, place: &Place, origin: Origin) -> Result<&Value, EvaluationFailure> {
        let whole = match place.root {
            PlaceRoot::Variable(variable) => self.memory.read(variable),
            PlaceRoot::Local { frame, local } => {
                match self.frames.get(frame).and_then(|frame| frame.get(local)) {
                    Some(Slot::Value(value)) if *value != Value::None => Some(value),
                    _ => None,
                }
            }
        };
        let part = place.path.iter().try_fold(whole, |whole, &position| match whole {
            Some(Value::Parts(parts)) => Some(parts.get(position)),
            _ => None,
        });
        match part.flatten() {
            Some(value) => Ok(value),
            None => unknown(origin, "its value is not known".to_owned()),
        }
    }

    fn write(&mut self, place: &Place, origin: Origin) -> Result<&mut Value, EvaluationFailure> {
        let mut whole = match place.root {
            PlaceRoot::Variable(variable) => self.memory.write(variable),
            PlaceRoot::Local { frame, local } => {
                match self.frames.get_mut(frame).and_then(|frame| frame.get_mut(local)) {
                    Some(Slot::Value(value)) => Some(value),
                    _ => None,
                }
            }
        };
        for &position in &place.path {
            whole = match whole {
                Some(Value::Parts(parts)) => parts.get_mut(position),
                _ => None,
            };
        }
        match whole {
            Some(value) => Ok(value),
            None => unknown(origin, "it cannot be changed".to_owned()),
        }
    }

    /// Converts a value to the declared type of a place.
    fn fitted(
        &self,
        value: Value,
        place: &Place,
        value_type: &Type,
        origin: Origin,
    ) -> Result<Value, EvaluationFailure> {
        let declared = match place.root {
            PlaceRoot::Variable(variable) => self.memory.declared_type(variable),
            PlaceRoot::Local { .. } => None,
        };
        let part = place.path.iter().try_fold(declared, |whole, &position| match whole {
            Some(Type::Array(array)) => Some(Some(&array.element)),
            Some(Type::Record(record)) => record.fields.get(position).map(|field| Some(&field.field_type)),
            _ => None,
        });
        converted(value, part.flatten().unwrap_or(value_type), origin)
    }

    /// Evaluates a clock, or the sum of a clock and numbers.
    fn clock_sum(&mut self, value: &Expression) -> Result<ClockValue, EvaluationFailure> {
        let ExpressionKind::Binary { operator, left, right } = &value.kind else {
            return Ok(ClockValue::Clock(self.place(value)?));
        };
        let (clock, number) = if left.value_type == Type::Clock { (left, right) } else { (right, left) };
        let number = self.integer(number)?;
        let number = if *operator == BinaryOperator::Subtract { number.checked_neg() } else { Some(number) };
        let sum = match (self.clock_sum(clock)?, number) {
            (ClockValue::Clock(place), Some(number)) => Some(ClockValue::Shifted(place, number)),
            (ClockValue::Shifted(place, offset), Some(number)) => {
                offset.checked_add(number).map(|offset| ClockValue::Shifted(place, offset))
            }
            _ => None,
        };
        sum.map_or_else(|| failed(value.origin, FailureKind::Overflow), Ok)
    }

    fn set_clock(
        &mut self,
        target: &Expression,
        value: &Expression,
        origin: Origin,
    ) -> Result<Value, EvaluationFailure> {
        let new = if value.value_type == Type::Clock {
            if let ExpressionKind::Assign { .. } = value.kind {
                self.value(value)?;
            }
            self.clock_sum(value)?
        } else {
            let number = self.integer(value)?;
            if number < 0 {
                return failed(origin, FailureKind::NegativeClock);
            }
            ClockValue::Integer(number)
        };
        let place = self.place(target)?;
        if self.memory.set_clock(&place, new) {
            Ok(Value::None)
        } else {
            unknown(origin, "there are no clocks here".to_owned())
        }
    }

    fn binary(
        &mut self,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
        origin: Origin,
    ) -> Result<Value, EvaluationFailure> {
        let left_value = self.value(left)?;
        match operator {
            BinaryOperator::And if !is_true(&left_value) => Ok(truth(false)),
            BinaryOperator::Or if is_true(&left_value) => Ok(truth(true)),
            BinaryOperator::Imply if !is_true(&left_value) => Ok(truth(true)),
            BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Imply => {
                Ok(truth(is_true(&self.value(right)?)))
            }
            BinaryOperator::Xor => Ok(truth(is_true(&left_value) != is_true(&self.value(right)?))),
            _ => {
                let right_value = self.value(right)?;
                arithmetic(operator, &left_value, &right_value, origin)
            }
        }
    }

    fn call(
        &mut self,
        function: FunctionId,
        arguments: &[Expression],
        origin: Origin,
    ) -> Result<Value, EvaluationFailure> {
        let functions = self.functions;
        let Some(function) = functions.get(function) else {
            return unknown(origin, "the function is incomplete here".to_owned());
        };
        let mut slots = Vec::with_capacity(arguments.len());
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            slots.push(if parameter.is_reference {
                Slot::Reference(self.place(argument)?)
            } else {
                Slot::Value(converted(self.value(argument)?, &parameter.value_type, argument.origin)?)
            });
        }
        self.frames.push(slots);
        let flow = self.statements(&function.body);
        self.frames.pop();
        match flow? {
            Flow::Return(value, place) => converted(value, &function.result, place),
            Flow::Next => Ok(Value::None),
        }
    }

    fn statements(&mut self, statements: &[Statement]) -> Result<Flow, EvaluationFailure> {
        for statement in statements {
            if let flow @ Flow::Return(..) = self.statement(statement)? {
                return Ok(flow);
            }
        }
        Ok(Flow::Next)
    }

    fn statement(&mut self, statement: &Statement) -> Result<Flow, EvaluationFailure> {
        match statement {
            Statement::Declare { local, value_type, initial, origin, .. } => {
                let value = match initial {
                    LocalInitial::Constant(value) => value.clone(),
                    LocalInitial::Computed(expression) => self.value(expression)?,
                };
                let value = converted(value, value_type, *origin)?;
                self.bind_slot(local.0, Slot::Value(value));
            }
            Statement::Evaluate(expression) => {
                self.value(expression)?;
            }
            Statement::Block(statements) => return self.statements(statements),
            Statement::If { condition, then, otherwise } => {
                if is_true(&self.value(condition)?) {
                    return self.statement(then);
                } else if let Some(otherwise) = otherwise {
                    return self.statement(otherwise);
                }
            }
            Statement::While { condition, body } => {
                while is_true(&self.value(condition)?) {
                    if let flow @ Flow::Return(..) = self.statement(body)? {
                        return Ok(flow);
                    }
                }
            }
            Statement::DoWhile { body, condition } => loop {
                if let flow @ Flow::Return(..) = self.statement(body)? {
                    return Ok(flow);
                }
                if !is_true(&self.value(condition)?) {
                    break;
                }
            },
            Statement::ForEach { binder, body } => {
                for value in binder.domain.values() {
                    self.count(binder.origin)?;
                    self.bind(binder.local, value);
                    if let flow @ Flow::Return(..) = self.statement(body)? {
                        return Ok(flow);
                    }
                }
            }
            Statement::Return(Some(expression), origin) => {
                return Ok(Flow::Return(self.value(expression)?, *origin));
            }
            Statement::Return(None, origin) => return Ok(Flow::Return(Value::None, *origin)),
            Statement::Assert(condition) => {
                if !is_true(&self.value(condition)?) {
                    return failed(condition.origin, FailureKind::AssertionFailed);
                }
            }
        }
        Ok(Flow::Next)
    }

    fn position(&mut self, array: &Expression, index: &Expression) -> Result<usize, EvaluationFailure> {
        let value = self.integer(index)?;
        let Type::Array(array_type) = &array.value_type else {
            return unknown(array.origin, "this is not an array".to_owned());
        };
        match array_type.index.position(value) {
            Some(position) => Ok(position),
            None => {
                let values = array_type.index.values();
                let range = Range { least: *values.start(), greatest: *values.end() };
                failed(index.origin, FailureKind::IndexOutOfRange { index: value, range })
            }
        }
    }

    fn double(&mut self, expression: &Expression) -> Result<f64, EvaluationFailure> {
        match self.value(expression)? {
            Value::Double(value) => Ok(value),
            Value::Integer(value) => Ok(f64::from(value)),
            _ => unknown(expression.origin, "this is not a number".to_owned()),
        }
    }

    fn bind_slot(&mut self, local: u32, slot: Slot) {
        let position = local as usize;
        if let Some(frame) = self.frames.last_mut() {
            if frame.len() <= position {
                frame.resize(position + 1, Slot::Value(Value::None));
            }
            frame[position] = slot;
        }
    }

    fn count(&mut self, origin: Origin) -> Result<(), EvaluationFailure> {
        tempora_interrupt::checkpoint();
        self.steps += 1;
        if self.steps > STEP_LIMIT {
            return failed(origin, FailureKind::StepLimit);
        }
        Ok(())
    }
}

fn depends_on_state(value: Option<Value>, origin: Origin) -> Result<Value, EvaluationFailure> {
    match value {
        Some(value) => Ok(value),
        None => unknown(origin, "this depends on the state".to_owned()),
    }
}

/// Returns whether the expression is a variable or a part of one.
fn is_stored(expression: &Expression) -> bool {
    match &expression.kind {
        ExpressionKind::Variable(_) | ExpressionKind::Local(_) => true,
        ExpressionKind::Element { array: whole, .. } | ExpressionKind::Field { record: whole, .. } => {
            is_stored(whole)
        }
        _ => false,
    }
}

/// Applies a binary operator without short-circuit evaluation.
fn arithmetic(
    operator: BinaryOperator,
    left: &Value,
    right: &Value,
    origin: Origin,
) -> Result<Value, EvaluationFailure> {
    match (left, right) {
        (Value::Integer(left), Value::Integer(right)) => integer_arithmetic(operator, *left, *right, origin),
        (Value::Integer(_) | Value::Double(_), Value::Integer(_) | Value::Double(_)) => {
            let number = |value: &Value| match value {
                Value::Double(value) => *value,
                Value::Integer(value) => f64::from(*value),
                _ => f64::NAN,
            };
            double_arithmetic(operator, number(left), number(right), origin)
        }
        _ => match operator {
            BinaryOperator::Compare(Comparison::Equal) => Ok(truth(left == right)),
            BinaryOperator::Compare(Comparison::NotEqual) => Ok(truth(left != right)),
            _ => unknown(origin, "the operator needs numbers".to_owned()),
        },
    }
}

fn integer_arithmetic(
    operator: BinaryOperator,
    left: i32,
    right: i32,
    origin: Origin,
) -> Result<Value, EvaluationFailure> {
    let (wide_left, wide_right) = (i64::from(left), i64::from(right));
    let result = match operator {
        BinaryOperator::Add => i64::from(left.wrapping_add(right)),
        BinaryOperator::Subtract => i64::from(left.wrapping_sub(right)),
        BinaryOperator::Multiply => i64::from(left.wrapping_mul(right)),
        BinaryOperator::Divide | BinaryOperator::Remainder if right == 0 => {
            return failed(origin, FailureKind::DivisionByZero);
        }
        BinaryOperator::Divide => wide_left / wide_right,
        BinaryOperator::Remainder => wide_left % wide_right,
        BinaryOperator::Power => match u32::try_from(right) {
            Ok(power) => match left.checked_pow(power) {
                Some(power) => i64::from(power),
                None => return failed(origin, FailureKind::Overflow),
            },
            Err(_) => return failed(origin, FailureKind::NegativeExponent),
        },
        BinaryOperator::BitAnd => i64::from(left & right),
        BinaryOperator::BitOr => i64::from(left | right),
        BinaryOperator::BitXor => i64::from(left ^ right),
        BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight if right < 0 => {
            return failed(origin, FailureKind::NegativeShift);
        }
        BinaryOperator::ShiftLeft if right >= 32 => return failed(origin, FailureKind::Overflow),
        BinaryOperator::ShiftLeft => i64::from(left.wrapping_shl(right.unsigned_abs())),
        BinaryOperator::ShiftRight => wide_left >> right.min(63),
        BinaryOperator::Minimum => wide_left.min(wide_right),
        BinaryOperator::Maximum => wide_left.max(wide_right),
        BinaryOperator::Compare(comparison) => i64::from(comparison.holds(left.cmp(&right))),
        BinaryOperator::And => i64::from(left != 0 && right != 0),
        BinaryOperator::Or => i64::from(left != 0 || right != 0),
        BinaryOperator::Imply => i64::from(left == 0 || right != 0),
        BinaryOperator::Xor => i64::from((left != 0) != (right != 0)),
    };
    word(result, origin)
}

fn double_arithmetic(
    operator: BinaryOperator,
    left: f64,
    right: f64,
    origin: Origin,
) -> Result<Value, EvaluationFailure> {
    let result = match operator {
        BinaryOperator::Add => left + right,
        BinaryOperator::Subtract => left - right,
        BinaryOperator::Multiply => left * right,
        BinaryOperator::Divide => left / right,
        BinaryOperator::Remainder => left % right,
        BinaryOperator::Power => left.powf(right),
        BinaryOperator::Minimum => left.min(right),
        BinaryOperator::Maximum => left.max(right),
        BinaryOperator::Compare(comparison) => {
            // A comparison with "not a number" is false, but for inequality.
            let holds = match left.partial_cmp(&right) {
                Some(order) => comparison.holds(order),
                None => comparison == Comparison::NotEqual,
            };
            return Ok(truth(holds));
        }
        _ => return unknown(origin, "the operator needs integers".to_owned()),
    };
    Ok(Value::Double(result))
}

/// Applies a built-in mathematical function on floating point numbers.
fn builtin(name: &str, arguments: &[f64], origin: Origin) -> Result<Value, EvaluationFailure> {
    let result = match (name, arguments) {
        ("fabs", [x]) => x.abs(),
        ("exp", [x]) => x.exp(),
        ("exp2", [x]) => x.exp2(),
        ("expm1", [x]) => x.exp_m1(),
        ("ln" | "log", [x]) => x.ln(),
        ("log10", [x]) => x.log10(),
        ("log2", [x]) => x.log2(),
        ("log1p", [x]) => x.ln_1p(),
        ("sqrt", [x]) => x.sqrt(),
        ("cbrt", [x]) => x.cbrt(),
        ("sin", [x]) => x.sin(),
        ("cos", [x]) => x.cos(),
        ("tan", [x]) => x.tan(),
        ("asin", [x]) => x.asin(),
        ("acos", [x]) => x.acos(),
        ("atan", [x]) => x.atan(),
        ("sinh", [x]) => x.sinh(),
        ("cosh", [x]) => x.cosh(),
        ("tanh", [x]) => x.tanh(),
        ("asinh", [x]) => x.asinh(),
        ("acosh", [x]) => x.acosh(),
        ("atanh", [x]) => x.atanh(),
        ("ceil", [x]) => x.ceil(),
        ("floor", [x]) => x.floor(),
        ("trunc", [x]) => x.trunc(),
        ("round", [x]) => x.round(),
        ("pow", [x, y]) => x.powf(*y),
        ("fmod", [x, y]) => x % y,
        ("fmax", [x, y]) => x.max(*y),
        ("fmin", [x, y]) => x.min(*y),
        ("fdim", [x, y]) => (x - y).max(0.0),
        ("hypot", [x, y]) => x.hypot(*y),
        ("atan2", [x, y]) => x.atan2(*y),
        ("copysign", [x, y]) => x.copysign(*y),
        ("fma", [x, y, z]) => x.mul_add(*y, *z),
        ("ldexp", [x, y]) => x * y.exp2(),
        ("fint", [x]) => {
            // Rounds towards zero; fails if the result is not a 32-bit integer.
            let truncated = x.trunc();
            if truncated.abs() > f64::from(i32::MAX) || truncated.is_nan() {
                return failed(origin, FailureKind::Overflow);
            }
            return Ok(Value::Integer(truncated as i32));
        }
        ("isfinite", [x]) => return Ok(truth(x.is_finite())),
        ("isinf", [x]) => return Ok(truth(x.is_infinite())),
        ("isnan", [x]) => return Ok(truth(x.is_nan())),
        ("isnormal", [x]) => return Ok(truth(x.is_normal())),
        ("signbit", [x]) => return Ok(truth(x.is_sign_negative())),
        ("isunordered", [x, y]) => return Ok(truth(x.is_nan() || y.is_nan())),
        _ => return unknown(origin, format!("`{name}` cannot be evaluated here")),
    };
    Ok(Value::Double(result))
}

/// Converts a value to the type of a variable.
pub(crate) fn converted(value: Value, target: &Type, origin: Origin) -> Result<Value, EvaluationFailure> {
    match (target, value) {
        (Type::Integer(range), Value::Integer(value)) => {
            if range.contains(i64::from(value)) {
                Ok(Value::Integer(value))
            } else {
                failed(origin, FailureKind::OutOfRange { value, range: *range })
            }
        }
        (Type::Boolean, Value::Integer(value)) => Ok(truth(value != 0)),
        (Type::Double, Value::Integer(value)) => Ok(Value::Double(f64::from(value))),
        (_, value) => Ok(value),
    }
}

fn is_true(value: &Value) -> bool {
    match value {
        Value::Integer(value) => *value != 0,
        Value::Double(value) => *value != 0.0,
        _ => false,
    }
}

fn truth(holds: bool) -> Value {
    Value::Integer(i32::from(holds))
}

fn word(value: i64, origin: Origin) -> Result<Value, EvaluationFailure> {
    match i32::try_from(value) {
        Ok(value) => Ok(Value::Integer(value)),
        Err(_) => failed(origin, FailureKind::Overflow),
    }
}

fn unknown<T>(origin: Origin, reason: String) -> Result<T, EvaluationFailure> {
    failed(origin, FailureKind::Unknown(reason))
}

fn failed<T>(origin: Origin, kind: FailureKind) -> Result<T, EvaluationFailure> {
    Err(EvaluationFailure { origin, kind })
}
