//! Expressions in a concrete state: their values, effects and errors.
//!
//! Invariant: an evaluation returns either a value or an error with the origin of the node that failed; after an error
//! the written state is invalid. Evaluations that must not have side effects get a state that is read-only.
//!
//! In an assignment the value is evaluated first, then the target; `+=` and similar operators read the old value last.

use tempora_evidence::{Rational, RuntimeError, RuntimeErrorKind};
use tempora_model::{
    BinaryOperator, Binder, Comparison, Expression, ExpressionKind, FunctionId, Id, IndexType, LocalId,
    Quantifier, Range, Type, UnaryOperator, Value, VariableKind,
};
use tempora_source::Origin;

use crate::arithmetic::{self, integer, is_true, truth};
use crate::interpreter::{Fuel, Interpreter};
use crate::mathematics;
use crate::rational;
use crate::state::ConcreteState;
use crate::value_place::{Root, ValuePlace, part_of, part_of_mut};

/// A value or a runtime error.
pub(crate) type Evaluated<T> = Result<T, RuntimeError>;

/// Evaluates expressions in one state.
pub(crate) struct Evaluator<'run> {
    pub(crate) interpreter: &'run Interpreter<'run>,
    store: Store<'run>,
    /// The rate of each clock of the state, if the evaluation is for all delays at once.
    ///
    /// Then a clock cell has the value in the state plus the delay times this rate; a comparison with it inside of a
    /// computation has no single result and is refused.
    pub(crate) slopes: Option<Vec<Rational>>,
    /// The bound names: those of the edge, invariant or query first, then those of each call.
    frames: Vec<Vec<Option<Local>>>,
    pub(crate) fuel: &'run Fuel,
    depth: u32,
    /// Whether the state is deadlocked, if already computed.
    pub(crate) deadlocked: Option<bool>,
}

/// The state, read-only or writable.
enum Store<'run> {
    Read(&'run ConcreteState),
    Write(&'run mut ConcreteState),
}

/// The meaning of a bound name.
#[derive(Clone, Debug)]
enum Local {
    Value(Value),
    Reference(ValuePlace),
}

/// The limit on the common nesting depth of calls and expressions: greater than expressions alone may have, and small
/// enough for the stack of any thread, even without optimisation.
const NESTING_LIMIT: u32 = 1200;

/// The number of expression levels that a call counts for, because of the functions that execute its statements.
const LEVELS_PER_CALL: u32 = 10;

impl<'run> Evaluator<'run> {
    /// Creates an evaluator for expressions without side effects.
    pub(crate) fn reading(
        interpreter: &'run Interpreter<'run>,
        state: &'run ConcreteState,
        fuel: &'run Fuel,
    ) -> Evaluator<'run> {
        Evaluator::new(interpreter, Store::Read(state), fuel)
    }

    /// Creates an evaluator for updates.
    pub(crate) fn writing(
        interpreter: &'run Interpreter<'run>,
        state: &'run mut ConcreteState,
        fuel: &'run Fuel,
    ) -> Evaluator<'run> {
        Evaluator::new(interpreter, Store::Write(state), fuel)
    }

    fn new(interpreter: &'run Interpreter<'run>, store: Store<'run>, fuel: &'run Fuel) -> Evaluator<'run> {
        Evaluator {
            interpreter,
            store,
            slopes: None,
            frames: vec![Vec::new()],
            fuel,
            depth: 0,
            deadlocked: None,
        }
    }

    /// Evaluates for all delays at once, with these rates of the clocks.
    pub(crate) fn moving(mut self, slopes: Vec<Rational>) -> Evaluator<'run> {
        self.slopes = Some(slopes);
        self
    }

    /// Sets whether the state is deadlocked, for clock values with which this is known.
    pub(crate) fn where_deadlocked(mut self, is_deadlocked: bool) -> Evaluator<'run> {
        self.deadlocked = Some(is_deadlocked);
        self
    }

    /// Binds the selects of an edge to values.
    pub(crate) fn with_selects(mut self, selects: &[Binder], values: &[i32]) -> Evaluator<'run> {
        self.rebind_selects(selects, values);
        self
    }

    /// Replaces the bindings by those of the selects of another edge.
    pub(crate) fn rebind_selects(&mut self, selects: &[Binder], values: &[i32]) {
        self.frames = vec![Vec::new()];
        for (binder, &value) in selects.iter().zip(values) {
            self.bind(binder.local, Value::Integer(value));
        }
    }

    /// Evaluates an expression with its side effects.
    pub(crate) fn evaluate(&mut self, expression: &Expression) -> Evaluated<Value> {
        self.enter(expression.origin)?;
        let value = self.evaluate_entered(expression);
        self.depth -= 1;
        value
    }

    /// Returns whether an expression holds.
    pub(crate) fn holds(&mut self, expression: &Expression) -> Evaluated<bool> {
        let value = self.evaluate(expression)?;
        is_true(&value).map_err(at(expression.origin))
    }

    /// Returns one call for each kind, so that this recursive function has a small stack frame.
    fn evaluate_entered(&mut self, expression: &Expression) -> Evaluated<Value> {
        let origin = expression.origin;
        match &expression.kind {
            ExpressionKind::Integer(value) => Ok(Value::Integer(*value)),
            ExpressionKind::Double(value) => Ok(Value::Double(*value)),
            ExpressionKind::Variable(_) | ExpressionKind::Local(_) => self.evaluate_place(expression),
            ExpressionKind::Element { array, index } => self.evaluate_element(expression, array, index),
            ExpressionKind::Field { record, field } => self.evaluate_field(expression, record, *field),
            ExpressionKind::Unary { operator, operand } => self.evaluate_unary(*operator, operand, origin),
            ExpressionKind::Binary { operator, left, right } => {
                self.evaluate_binary(*operator, left, right, origin)
            }
            ExpressionKind::Conditional { condition, then, otherwise } => {
                self.evaluate_conditional(condition, then, otherwise)
            }
            ExpressionKind::Assign { operator, target, value } => {
                self.evaluate_assignment(*operator, target, value, origin)
            }
            ExpressionKind::Step { target, amount, is_postfix } => {
                self.evaluate_step(target, *amount, *is_postfix, origin)
            }
            ExpressionKind::Call { function, arguments } => self.call(*function, arguments, origin),
            ExpressionKind::CallBuiltin { function, arguments } => {
                self.call_builtin(function, arguments, origin)
            }
            ExpressionKind::Quantified { quantifier, binder, body } => {
                self.evaluate_quantified(*quantifier, binder, body, origin)
            }
            ExpressionKind::CompareClocks { left, right, comparison, bound } => {
                self.compare_clocks(left.as_deref(), right.as_deref(), *comparison, bound, origin)
            }
            ExpressionKind::RateIs { .. }
            | ExpressionKind::At { .. }
            | ExpressionKind::LocationOf(_)
            | ExpressionKind::HasLabel(_)
            | ExpressionKind::Deadlock => self.evaluate_state_predicate(expression),
        }
    }

    fn evaluate_place(&mut self, expression: &Expression) -> Evaluated<Value> {
        let place = self.place(expression)?;
        self.read(&place, &expression.value_type, expression.origin)
    }

    fn evaluate_unary(
        &mut self,
        operator: UnaryOperator,
        operand: &Expression,
        origin: Origin,
    ) -> Evaluated<Value> {
        let value = self.evaluate(operand)?;
        match operator {
            UnaryOperator::Negate => arithmetic::negate(&value).map_err(at(origin)),
            UnaryOperator::Not => is_true(&value).map(|value| truth(!value)).map_err(at(origin)),
        }
    }

    fn evaluate_conditional(
        &mut self,
        condition: &Expression,
        then: &Expression,
        otherwise: &Expression,
    ) -> Evaluated<Value> {
        let chosen = if self.holds(condition)? { then } else { otherwise };
        self.evaluate(chosen)
    }

    fn evaluate_assignment(
        &mut self,
        operator: Option<BinaryOperator>,
        target: &Expression,
        value: &Expression,
        origin: Origin,
    ) -> Evaluated<Value> {
        let place = self.assign(operator, target, value, origin)?;
        if target.value_type == Type::Clock {
            // The value of a clock is not a number; only side effects count.
            Ok(Value::None)
        } else {
            self.read(&place, &target.value_type, origin)
        }
    }

    fn call_builtin(&mut self, function: &str, arguments: &[Expression], origin: Origin) -> Evaluated<Value> {
        let mut values = Vec::new();
        for argument in arguments {
            values.push(self.evaluate(argument)?);
        }
        mathematics::call(function, &values).map_err(at(origin))
    }

    fn compare_clocks(
        &mut self,
        left: Option<&Expression>,
        right: Option<&Expression>,
        comparison: Comparison,
        bound: &Expression,
        origin: Origin,
    ) -> Evaluated<Value> {
        if self.slopes.is_some() {
            let what = "a comparison of clocks inside of a computation".to_owned();
            return Err(at(origin)(RuntimeErrorKind::Unsupported(what)));
        }
        let (difference, _) = self.clock_difference(left, right, origin)?;
        let bound = self.bound(bound)?;
        Ok(truth(comparison.holds(difference.cmp(&bound))))
    }

    /// Evaluates predicates that only queries may contain, and refuses expressions that are never evaluated.
    fn evaluate_state_predicate(&mut self, expression: &Expression) -> Evaluated<Value> {
        let fails = at(expression.origin);
        match &expression.kind {
            ExpressionKind::At { process, location } => {
                Ok(truth(self.state().locations[process.index()] == *location))
            }
            ExpressionKind::LocationOf(process) => {
                let location = self.state().locations[process.index()];
                i32::try_from(location.0).map(Value::Integer).map_err(|_| fails(RuntimeErrorKind::Overflow))
            }
            ExpressionKind::HasLabel(label) => Ok(truth(self.has_label(label))),
            ExpressionKind::Deadlock => {
                self.interpreter.is_deadlocked_with(self.state(), self.fuel).map(truth)
            }
            _ => Err(fails(RuntimeErrorKind::IllFormed("a clock rate outside of a list of clock rates"))),
        }
    }

    fn has_label(&self, label: &str) -> bool {
        let processes = self.interpreter.network.processes.values();
        processes
            .zip(&self.state().locations)
            .any(|(process, &location)| process.locations[location].labels.iter().any(|own| own == label))
    }

    fn evaluate_element(
        &mut self,
        expression: &Expression,
        array: &Expression,
        index: &Expression,
    ) -> Evaluated<Value> {
        if is_place(expression) {
            return self.evaluate_place(expression);
        }
        let whole = self.evaluate(array)?;
        let position = self.index_position(array, index)?;
        part_of(&whole, &[position]).cloned().ok_or_else(|| no_such_part(expression.origin))
    }

    fn evaluate_field(
        &mut self,
        expression: &Expression,
        record: &Expression,
        field: usize,
    ) -> Evaluated<Value> {
        if is_place(expression) {
            return self.evaluate_place(expression);
        }
        let whole = self.evaluate(record)?;
        part_of(&whole, &[field]).cloned().ok_or_else(|| no_such_part(expression.origin))
    }

    fn evaluate_binary(
        &mut self,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
        origin: Origin,
    ) -> Evaluated<Value> {
        match operator {
            BinaryOperator::And if !self.holds(left)? => Ok(truth(false)),
            BinaryOperator::Or if self.holds(left)? => Ok(truth(true)),
            BinaryOperator::Imply if !self.holds(left)? => Ok(truth(true)),
            BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Imply => self.holds(right).map(truth),
            _ => {
                let left = self.evaluate(left)?;
                let right = self.evaluate(right)?;
                arithmetic::binary(operator, &left, &right).map_err(at(origin))
            }
        }
    }

    fn evaluate_step(
        &mut self,
        target: &Expression,
        amount: i32,
        is_postfix: bool,
        origin: Origin,
    ) -> Evaluated<Value> {
        let place = self.place(target)?;
        let before = self.read(&place, &target.value_type, origin)?;
        let after =
            arithmetic::binary(BinaryOperator::Add, &before, &Value::Integer(amount)).map_err(at(origin))?;
        let after = self.write(&place, &target.value_type, after, origin)?;
        Ok(if is_postfix { before } else { after })
    }

    fn evaluate_quantified(
        &mut self,
        quantifier: Quantifier,
        binder: &Binder,
        body: &Expression,
        origin: Origin,
    ) -> Evaluated<Value> {
        let mut sum = Value::Integer(0);
        for value in binder.domain.values() {
            self.bind(binder.local, Value::Integer(value));
            match quantifier {
                Quantifier::ForAll if !self.holds(body)? => return Ok(truth(false)),
                Quantifier::Exists if self.holds(body)? => return Ok(truth(true)),
                Quantifier::ForAll | Quantifier::Exists => {}
                Quantifier::Sum => {
                    let next = self.evaluate(body)?;
                    sum = arithmetic::binary(BinaryOperator::Add, &sum, &next).map_err(at(origin))?;
                }
            }
        }
        Ok(match quantifier {
            Quantifier::ForAll => truth(true),
            Quantifier::Exists => truth(false),
            Quantifier::Sum => sum,
        })
    }

    /// Assigns a value, and returns the place.
    fn assign(
        &mut self,
        operator: Option<BinaryOperator>,
        target: &Expression,
        value: &Expression,
        origin: Origin,
    ) -> Evaluated<ValuePlace> {
        if target.value_type == Type::Clock {
            return self.assign_clock(operator, target, value, origin);
        }
        let mut new = self.evaluate(value)?;
        let place = self.place(target)?;
        if let Some(operator) = operator {
            let old = self.read(&place, &target.value_type, origin)?;
            new = arithmetic::binary(operator, &old, &new).map_err(at(origin))?;
        }
        self.write(&place, &target.value_type, new, origin)?;
        Ok(place)
    }

    fn assign_clock(
        &mut self,
        operator: Option<BinaryOperator>,
        target: &Expression,
        value: &Expression,
        origin: Origin,
    ) -> Evaluated<ValuePlace> {
        if operator.is_some() {
            let what = "an assignment to a clock that uses its old value".to_owned();
            return Err(at(origin)(RuntimeErrorKind::Unsupported(what)));
        }
        if self.interpreter.network.is_hybrid(target) {
            // Only statistics may read it, so nothing is stored; computing the value may still fail.
            if !value.any(&mut |part| part.value_type == Type::Clock) {
                self.evaluate(value)?;
            }
            return self.place(target);
        }
        let (new, slope) = self.clock_value(value)?;
        let place = self.place(target)?;
        if self.is_hybrid(&place) {
            // Behind a reference, whose type does not show this.
            return Ok(place);
        }
        if new < Rational::from_integer(0) {
            return Err(at(origin)(RuntimeErrorKind::NegativeClock));
        }
        let cell = self.clock_cell(&place, origin)?;
        self.state_mut(origin)?.clocks[cell] = new;
        if let Some(slopes) = &mut self.slopes {
            slopes[cell] = slope;
        }
        Ok(place)
    }

    /// Returns the new value of a clock and its rate: an integer, another clock, or their sum.
    fn clock_value(&mut self, value: &Expression) -> Evaluated<(Rational, Rational)> {
        let zero = Rational::from_integer(0);
        if value.value_type != Type::Clock {
            let number = match self.evaluate(value)? {
                Value::Double(number) => rational::from_double(number),
                other => integer(&other).map(|number| Rational::from_integer(i64::from(number))),
            };
            return Ok((number.map_err(at(value.origin))?, zero));
        }
        match &value.kind {
            ExpressionKind::Binary { operator, left, right } => {
                let left = self.clock_value(left)?;
                let right = self.clock_value(right)?;
                let combine = match operator {
                    BinaryOperator::Subtract => rational::subtract,
                    _ => rational::add,
                };
                let sum = combine(left.0, right.0).map_err(at(value.origin))?;
                Ok((sum, combine(left.1, right.1).map_err(at(value.origin))?))
            }
            _ => {
                let place = self.place(value)?;
                let cell = self.clock_cell(&place, value.origin)?;
                Ok((self.state().clocks[cell], self.slopes.as_ref().map_or(zero, |slopes| slopes[cell])))
            }
        }
    }

    /// Returns `left - right` and its rate; a missing clock is zero.
    pub(crate) fn clock_difference(
        &mut self,
        left: Option<&Expression>,
        right: Option<&Expression>,
        origin: Origin,
    ) -> Evaluated<(Rational, Rational)> {
        let zero = Rational::from_integer(0);
        let mut term = |clock: Option<&Expression>| match clock {
            Some(clock) => self.clock_value(clock),
            None => Ok((zero, zero)),
        };
        let (left, right) = (term(left)?, term(right)?);
        let value = rational::subtract(left.0, right.0).map_err(at(origin))?;
        let slope = rational::subtract(left.1, right.1).map_err(at(origin))?;
        Ok((value, slope))
    }

    /// Returns the number with which clocks are compared.
    pub(crate) fn bound(&mut self, bound: &Expression) -> Evaluated<Rational> {
        match self.evaluate(bound)? {
            Value::Integer(value) => Ok(Rational::from_integer(i64::from(value))),
            Value::Double(value) => rational::from_double(value).map_err(at(bound.origin)),
            _ => Err(at(bound.origin)(RuntimeErrorKind::IllFormed("a clock is not compared with a number"))),
        }
    }

    fn call(&mut self, function: FunctionId, arguments: &[Expression], origin: Origin) -> Evaluated<Value> {
        let interpreter = self.interpreter;
        let Some(function) = interpreter.network.functions.get(function) else {
            return Err(at(origin)(RuntimeErrorKind::IllFormed("a call of an unknown function")));
        };
        let mut frame = Vec::new();
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            let local = if parameter.is_reference {
                Local::Reference(self.place(argument)?)
            } else {
                let value = self.evaluate(argument)?;
                Local::Value(self.fit(value, &parameter.value_type, argument.origin)?)
            };
            set_local(&mut frame, parameter.local, local);
        }
        self.frames.push(frame);
        self.depth += LEVELS_PER_CALL;
        let returned = self.run_body(&function.body, function.origin)?;
        self.depth -= LEVELS_PER_CALL;
        self.frames.pop();
        match returned {
            Some((value, place_of_return)) => self.fit(value, &function.result, place_of_return),
            None if function.result == Type::Void => Ok(Value::None),
            None => Err(at(function.origin)(RuntimeErrorKind::MissingReturn)),
        }
    }

    /// Evaluates an expression to the place it denotes, with its side effects.
    pub(crate) fn place(&mut self, expression: &Expression) -> Evaluated<ValuePlace> {
        self.enter(expression.origin)?;
        let place = self.place_entered(expression);
        self.depth -= 1;
        place
    }

    fn place_entered(&mut self, expression: &Expression) -> Evaluated<ValuePlace> {
        let origin = expression.origin;
        match &expression.kind {
            ExpressionKind::Variable(variable) => Ok(ValuePlace::of(Root::Variable(*variable))),
            ExpressionKind::Local(local) => {
                let frame = self.frames.len() - 1;
                match self.frames[frame].get(local.0 as usize) {
                    Some(Some(Local::Reference(place))) => Ok(place.clone()),
                    Some(Some(Local::Value(_))) => Ok(ValuePlace::of(Root::Local { frame, local: *local })),
                    _ => Err(at(origin)(RuntimeErrorKind::IllFormed("a name is not bound"))),
                }
            }
            ExpressionKind::Element { array, index } => {
                let whole = self.place(array)?;
                Ok(whole.part(self.index_position(array, index)?))
            }
            ExpressionKind::Field { record, field } => Ok(self.place(record)?.part(*field)),
            ExpressionKind::Conditional { condition, then, otherwise } => {
                let chosen = if self.holds(condition)? { then } else { otherwise };
                self.place(chosen)
            }
            ExpressionKind::Assign { operator, target, value } => {
                self.assign(*operator, target, value, origin)
            }
            ExpressionKind::Step { target, amount, is_postfix: false } => {
                self.evaluate_step(target, *amount, false, origin)?;
                self.place(target)
            }
            _ => Err(at(origin)(RuntimeErrorKind::IllFormed("an expression is used as a variable"))),
        }
    }

    /// Returns the position of an element, or an error if the index is outside of the array.
    fn index_position(&mut self, array: &Expression, index: &Expression) -> Evaluated<usize> {
        let Type::Array(array_type) = &array.value_type else {
            return Err(at(array.origin)(RuntimeErrorKind::IllFormed("expected an array")));
        };
        let value = self.evaluate(index)?;
        let value = integer(&value).map_err(at(index.origin))?;
        array_type.index.position(value).ok_or_else(|| {
            let range = index_range(&array_type.index);
            at(index.origin)(RuntimeErrorKind::IndexOutOfRange { index: value, range })
        })
    }

    fn read(&self, place: &ValuePlace, value_type: &Type, origin: Origin) -> Evaluated<Value> {
        if value_type.has_clocks() {
            let what = "the use of a clock as a number".to_owned();
            return Err(at(origin)(RuntimeErrorKind::Unsupported(what)));
        }
        let whole = match place.root {
            Root::Variable(variable) => Some(self.state().variable(variable)),
            Root::Local { frame, local } => match self.frames[frame].get(local.0 as usize) {
                Some(Some(Local::Value(value))) => Some(value),
                _ => None,
            },
        };
        whole.and_then(|whole| part_of(whole, &place.path)).cloned().ok_or_else(|| no_such_part(origin))
    }

    /// Assigns a value if it fits, and returns the stored value.
    fn write(
        &mut self,
        place: &ValuePlace,
        value_type: &Type,
        value: Value,
        origin: Origin,
    ) -> Evaluated<Value> {
        let declared = match place.root {
            Root::Variable(variable) => {
                part_type(&self.interpreter.network.variables[variable].value_type, &place.path)
            }
            Root::Local { .. } => None,
        };
        let value = self.fit(value, declared.unwrap_or(value_type), origin)?;
        let whole = match place.root {
            Root::Variable(variable) => Some(self.state_mut(origin)?.variable_mut(variable)),
            Root::Local { frame, local } => match self.frames[frame].get_mut(local.0 as usize) {
                Some(Some(Local::Value(value))) => Some(value),
                _ => None,
            },
        };
        let part =
            whole.and_then(|whole| part_of_mut(whole, &place.path)).ok_or_else(|| no_such_part(origin))?;
        part.clone_from(&value);
        Ok(value)
    }

    /// Converts a value to the type, or fails if it is out of range.
    pub(crate) fn fit(&self, value: Value, value_type: &Type, origin: Origin) -> Evaluated<Value> {
        let in_range = |value: i32, range: Range| {
            if range.contains(i64::from(value)) {
                Ok(Value::Integer(value))
            } else {
                Err(at(origin)(RuntimeErrorKind::OutOfRange { value: Value::Integer(value), range }))
            }
        };
        match (value_type, value) {
            (Type::Integer(range), Value::Integer(value)) => in_range(value, *range),
            (Type::Boolean, value) => is_true(&value).map(truth).map_err(at(origin)),
            (Type::Scalar(set), Value::Integer(value)) => {
                let size = self.interpreter.network.scalar_sets.get(*set).map_or(0, |set| set.size);
                let greatest = i32::try_from(size).unwrap_or(i32::MAX) - 1;
                in_range(value, Range { least: 0, greatest })
            }
            (Type::Double, value) => arithmetic::double(&value).map(Value::Double).map_err(at(origin)),
            (Type::Array(array), Value::Parts(parts)) => {
                let parts = parts.into_iter().map(|part| self.fit(part, &array.element, origin));
                parts.collect::<Evaluated<_>>().map(Value::Parts)
            }
            (Type::Record(record), Value::Parts(parts)) => {
                let parts = parts
                    .into_iter()
                    .zip(&record.fields)
                    .map(|(part, field)| self.fit(part, &field.field_type, origin));
                parts.collect::<Evaluated<_>>().map(Value::Parts)
            }
            (Type::Void, value) => Ok(value),
            _ => Err(at(origin)(RuntimeErrorKind::IllFormed("a value of another type"))),
        }
    }

    fn is_hybrid(&self, place: &ValuePlace) -> bool {
        matches!(place.root, Root::Variable(variable)
            if self.interpreter.network.variables[variable].kind == VariableKind::Hybrid)
    }

    /// Returns the number of the clock at a place.
    pub(crate) fn clock_cell(&self, place: &ValuePlace, origin: Origin) -> Evaluated<usize> {
        let Root::Variable(variable) = place.root else {
            return Err(at(origin)(RuntimeErrorKind::IllFormed("a clock that is a local variable")));
        };
        let network = self.interpreter.network;
        if self.is_hybrid(place) {
            let what = format!("a condition on the hybrid clock `{}`", network.qualified_name(variable));
            return Err(at(origin)(RuntimeErrorKind::Unsupported(what)));
        }
        let cell = self.interpreter.layout.cell(network, variable, &place.path);
        cell.ok_or_else(|| at(origin)(RuntimeErrorKind::IllFormed("expected a clock")))
    }

    /// Binds a name of the current call, edge, invariant or query to a value.
    pub(crate) fn bind(&mut self, local: LocalId, value: Value) {
        if let Some(frame) = self.frames.last_mut() {
            set_local(frame, local, Local::Value(value));
        }
    }

    pub(crate) fn state(&self) -> &ConcreteState {
        match &self.store {
            Store::Read(state) => state,
            Store::Write(state) => state,
        }
    }

    fn state_mut(&mut self, origin: Origin) -> Evaluated<&mut ConcreteState> {
        match &mut self.store {
            Store::Read(_) => Err(at(origin)(RuntimeErrorKind::SideEffect)),
            Store::Write(state) => Ok(state),
        }
    }

    /// Enters a nested level; every call is matched by [`Self::leave`], unless there was an error.
    pub(crate) fn enter(&mut self, origin: Origin) -> Evaluated<()> {
        self.fuel.burn(1, origin)?;
        self.depth += 1;
        if self.depth > NESTING_LIMIT {
            return Err(at(origin)(RuntimeErrorKind::NestingLimit));
        }
        Ok(())
    }

    pub(crate) fn leave(&mut self) {
        self.depth -= 1;
    }
}

/// Attaches an origin to an error.
pub(crate) fn at(origin: Origin) -> impl Fn(RuntimeErrorKind) -> RuntimeError {
    move |kind| RuntimeError { kind, origin }
}

/// Returns whether an expression denotes a place, rather than only a value.
fn is_place(expression: &Expression) -> bool {
    match &expression.kind {
        ExpressionKind::Variable(_) | ExpressionKind::Local(_) => true,
        ExpressionKind::Element { array, .. } => is_place(array),
        ExpressionKind::Field { record, .. } => is_place(record),
        _ => false,
    }
}

fn index_range(index: &IndexType) -> Range {
    let values = index.values();
    Range { least: *values.start(), greatest: *values.end() }
}

fn part_type<'types>(whole: &'types Type, path: &[usize]) -> Option<&'types Type> {
    path.iter().try_fold(whole, |part, &position| match part {
        Type::Array(array) => Some(&array.element),
        Type::Record(record) => record.fields.get(position).map(|field| &field.field_type),
        _ => None,
    })
}

fn set_local(frame: &mut Vec<Option<Local>>, local: LocalId, value: Local) {
    let position = local.0 as usize;
    if frame.len() <= position {
        frame.resize(position + 1, None);
    }
    frame[position] = Some(value);
}

fn no_such_part(origin: Origin) -> RuntimeError {
    at(origin)(RuntimeErrorKind::IllFormed("a value has no such part"))
}
