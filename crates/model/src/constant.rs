//! Evaluation of constant expressions, while a model is being read: sizes, ranges, initial values, arguments.
//!
//! Invariant: only constants, bound names and functions without effects on the network are evaluated; everything
//! else, and every error that would be one at run time, is a [`ConstantFailure`] at the guilty place. The number of
//! steps is limited, so that no model can keep the reader busy for ever.

use tempora_source::Origin;

use crate::expression::{
    BinaryOperator, Comparison, Expression, ExpressionKind, Function, LocalInitial, Quantifier, Statement,
    UnaryOperator,
};
use crate::network::{Variable, VariableKind};
use crate::table::{FunctionId, Table, VariableId};
use crate::types::{IndexType, Range, Type, Value};

/// Why an expression has no value at reading time.
#[derive(Clone, PartialEq, Debug)]
pub struct ConstantFailure {
    /// The guilty part.
    pub origin: Origin,
    /// What is wrong with it.
    pub reason: String,
    /// Whether the expression is constant, but its evaluation fails.
    pub is_error: bool,
}

/// More steps than any sensible initialiser takes, and still less than a second.
const STEP_LIMIT: u64 = 4_000_000;

/// The value of an expression that depends on constants only.
pub fn evaluate_constant(
    variables: &Table<VariableId, Variable>,
    functions: &Table<FunctionId, Function>,
    expression: &Expression,
) -> Result<Value, ConstantFailure> {
    let mut evaluator = Evaluator { variables, functions, locals: Vec::new(), steps: 0 };
    evaluator.value(expression)
}

struct Evaluator<'network> {
    variables: &'network Table<VariableId, Variable>,
    functions: &'network Table<FunctionId, Function>,
    /// The values of bound names by their number; those of a caller are put aside during a call.
    locals: Vec<Value>,
    steps: u64,
}

enum Flow {
    Next,
    Return(Value),
}

impl Evaluator<'_> {
    fn value(&mut self, expression: &Expression) -> Result<Value, ConstantFailure> {
        self.count(expression.origin)?;
        match &expression.kind {
            ExpressionKind::Integer(value) => Ok(Value::Integer(*value)),
            ExpressionKind::Double(value) => Ok(Value::Double(*value)),
            ExpressionKind::Variable(variable) => {
                let entry = &self.variables[*variable];
                if entry.kind == VariableKind::Constant {
                    Ok(entry.initial.clone())
                } else {
                    not_constant(expression.origin, format!("`{}` may change", entry.name))
                }
            }
            ExpressionKind::Local(local) => match self.locals.get(local.0 as usize) {
                Some(value) if *value != Value::None => Ok(value.clone()),
                _ => not_constant(expression.origin, "a bound name has no value yet".to_owned()),
            },
            ExpressionKind::Element { array, index } => {
                let position = self.position(array, index)?;
                match self.value(array)? {
                    Value::Parts(mut parts) if position < parts.len() => Ok(parts.swap_remove(position)),
                    _ => not_constant(expression.origin, "this is no array of constants".to_owned()),
                }
            }
            ExpressionKind::Field { record, field } => match self.value(record)? {
                Value::Parts(mut parts) if *field < parts.len() => Ok(parts.swap_remove(*field)),
                _ => not_constant(expression.origin, "this is no record of constants".to_owned()),
            },
            ExpressionKind::Unary { operator, operand } => {
                let value = self.value(operand)?;
                match (operator, value) {
                    (UnaryOperator::Negate, Value::Double(value)) => Ok(Value::Double(-value)),
                    (UnaryOperator::Negate, Value::Integer(value)) => {
                        word(-i64::from(value), expression.origin)
                    }
                    (UnaryOperator::Not, value) => Ok(truth(!is_true(&value))),
                    _ => not_constant(expression.origin, "this is no number".to_owned()),
                }
            }
            ExpressionKind::Binary { operator, left, right } => {
                self.binary(*operator, left, right, expression.origin)
            }
            ExpressionKind::Conditional { condition, then, otherwise } => {
                let chosen = if is_true(&self.value(condition)?) { then } else { otherwise };
                self.value(chosen)
            }
            ExpressionKind::Assign { operator, target, value } => {
                let mut new = self.value(value)?;
                if let Some(operator) = operator {
                    let old = self.value(target)?;
                    new = arithmetic(*operator, &old, &new, expression.origin)?;
                }
                let new = converted(new, &target.value_type, expression.origin)?;
                *self.place(target)? = new.clone();
                Ok(new)
            }
            ExpressionKind::Step { target, amount, is_postfix } => {
                let old = self.value(target)?;
                let new = arithmetic(BinaryOperator::Add, &old, &Value::Integer(*amount), expression.origin)?;
                let new = converted(new, &target.value_type, expression.origin)?;
                *self.place(target)? = new.clone();
                Ok(if *is_postfix { old } else { new })
            }
            ExpressionKind::Call { function, arguments } => {
                self.call(*function, arguments, expression.origin)
            }
            ExpressionKind::CallBuiltin { function: "abs", arguments } if arguments.len() == 1 => {
                match self.value(&arguments[0])? {
                    Value::Integer(value) => word(i64::from(value).abs(), expression.origin),
                    _ => not_constant(expression.origin, "this is no integer".to_owned()),
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
                let mut sum = 0i64;
                let mut result = *quantifier == Quantifier::ForAll;
                for value in binder.domain.values() {
                    self.bind(binder.local.0, Value::Integer(value));
                    let value = self.value(body)?;
                    match quantifier {
                        Quantifier::ForAll => result &= is_true(&value),
                        Quantifier::Exists => result |= is_true(&value),
                        Quantifier::Sum => sum += i64::from(value.as_integer().unwrap_or(0)),
                    }
                }
                if *quantifier == Quantifier::Sum { word(sum, expression.origin) } else { Ok(truth(result)) }
            }
            ExpressionKind::CompareClocks { .. } | ExpressionKind::RateIs { .. } => {
                not_constant(expression.origin, "clocks are no constants".to_owned())
            }
            ExpressionKind::At { .. }
            | ExpressionKind::LocationOf(_)
            | ExpressionKind::HasLabel(_)
            | ExpressionKind::Deadlock => {
                not_constant(expression.origin, "this depends on the state".to_owned())
            }
        }
    }

    fn binary(
        &mut self,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
        origin: Origin,
    ) -> Result<Value, ConstantFailure> {
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
    ) -> Result<Value, ConstantFailure> {
        let functions = self.functions;
        let Some(function) = functions.get(function) else {
            return not_constant(origin, "the function is not complete here".to_owned());
        };
        let mut locals = Vec::with_capacity(arguments.len());
        for (parameter, argument) in function.parameters.iter().zip(arguments) {
            if parameter.is_reference {
                return not_constant(argument.origin, "a reference is no constant".to_owned());
            }
            locals.push(converted(self.value(argument)?, &parameter.value_type, argument.origin)?);
        }
        let outside = std::mem::replace(&mut self.locals, locals);
        let flow = self.statements(&function.body);
        self.locals = outside;
        match flow? {
            Flow::Return(value) => converted(value, &function.result, origin),
            Flow::Next => Ok(Value::None),
        }
    }

    fn statements(&mut self, statements: &[Statement]) -> Result<Flow, ConstantFailure> {
        for statement in statements {
            if let Flow::Return(value) = self.statement(statement)? {
                return Ok(Flow::Return(value));
            }
        }
        Ok(Flow::Next)
    }

    fn statement(&mut self, statement: &Statement) -> Result<Flow, ConstantFailure> {
        match statement {
            Statement::Declare { local, value_type, initial, origin, .. } => {
                let value = match initial {
                    LocalInitial::Constant(value) => value.clone(),
                    LocalInitial::Computed(expression) => self.value(expression)?,
                };
                let value = converted(value, value_type, *origin)?;
                self.bind(local.0, value);
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
                    if let Flow::Return(value) = self.statement(body)? {
                        return Ok(Flow::Return(value));
                    }
                }
            }
            Statement::DoWhile { body, condition } => loop {
                if let Flow::Return(value) = self.statement(body)? {
                    return Ok(Flow::Return(value));
                }
                if !is_true(&self.value(condition)?) {
                    break;
                }
            },
            Statement::ForEach { binder, body } => {
                for value in binder.domain.values() {
                    self.count(binder.origin)?;
                    self.bind(binder.local.0, Value::Integer(value));
                    if let Flow::Return(value) = self.statement(body)? {
                        return Ok(Flow::Return(value));
                    }
                }
            }
            Statement::Return(Some(expression), _) => return Ok(Flow::Return(self.value(expression)?)),
            Statement::Return(None, _) => return Ok(Flow::Return(Value::None)),
            Statement::Assert(condition) => {
                if !is_true(&self.value(condition)?) {
                    return failed(condition.origin, "the assertion does not hold".to_owned());
                }
            }
        }
        Ok(Flow::Next)
    }

    /// What an expression that may be assigned to stands for.
    fn place(&mut self, target: &Expression) -> Result<&mut Value, ConstantFailure> {
        match &target.kind {
            ExpressionKind::Local(local) => match self.locals.get_mut(local.0 as usize) {
                Some(value) => Ok(value),
                None => not_constant(target.origin, "a bound name has no value yet".to_owned()),
            },
            ExpressionKind::Element { array, index } => {
                let position = self.position(array, index)?;
                part(self.place(array)?, position, target.origin)
            }
            ExpressionKind::Field { record, field } => part(self.place(record)?, *field, target.origin),
            ExpressionKind::Conditional { condition, then, otherwise } => {
                let chosen = if is_true(&self.value(condition)?) { then } else { otherwise };
                self.place(chosen)
            }
            _ => not_constant(target.origin, "this would change the model".to_owned()),
        }
    }

    fn position(&mut self, array: &Expression, index: &Expression) -> Result<usize, ConstantFailure> {
        let value = self.value(index)?.as_integer();
        let Type::Array(array_type) = &array.value_type else {
            return not_constant(array.origin, "this is no array".to_owned());
        };
        match value.and_then(|value| array_type.index.position(value)) {
            Some(position) => Ok(position),
            None => failed(index.origin, index_message(value, &array_type.index)),
        }
    }

    fn double(&mut self, expression: &Expression) -> Result<f64, ConstantFailure> {
        match self.value(expression)? {
            Value::Double(value) => Ok(value),
            Value::Integer(value) => Ok(f64::from(value)),
            _ => not_constant(expression.origin, "this is no number".to_owned()),
        }
    }

    fn bind(&mut self, local: u32, value: Value) {
        let position = local as usize;
        if self.locals.len() <= position {
            self.locals.resize(position + 1, Value::None);
        }
        self.locals[position] = value;
    }

    fn count(&mut self, origin: Origin) -> Result<(), ConstantFailure> {
        self.steps += 1;
        if self.steps > STEP_LIMIT {
            return failed(origin, format!("the evaluation takes more than {STEP_LIMIT} steps"));
        }
        Ok(())
    }
}

fn part(whole: &mut Value, position: usize, origin: Origin) -> Result<&mut Value, ConstantFailure> {
    match whole {
        Value::Parts(parts) if position < parts.len() => Ok(&mut parts[position]),
        _ => not_constant(origin, "this has no parts".to_owned()),
    }
}

fn index_message(value: Option<i32>, index: &IndexType) -> String {
    let values = index.values();
    match value {
        Some(value) => {
            format!("the index is {value}, but must be from {} to {}", values.start(), values.end())
        }
        None => "the index is no integer".to_owned(),
    }
}

/// Operators on two values, without those that skip the right operand.
fn arithmetic(
    operator: BinaryOperator,
    left: &Value,
    right: &Value,
    origin: Origin,
) -> Result<Value, ConstantFailure> {
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
            _ => not_constant(origin, "the operator needs numbers".to_owned()),
        },
    }
}

fn integer_arithmetic(
    operator: BinaryOperator,
    left: i32,
    right: i32,
    origin: Origin,
) -> Result<Value, ConstantFailure> {
    let (wide_left, wide_right) = (i64::from(left), i64::from(right));
    let result = match operator {
        BinaryOperator::Add => wide_left + wide_right,
        BinaryOperator::Subtract => wide_left - wide_right,
        BinaryOperator::Multiply => wide_left * wide_right,
        BinaryOperator::Divide | BinaryOperator::Remainder if right == 0 => {
            return failed(origin, "division by zero".to_owned());
        }
        BinaryOperator::Divide => wide_left / wide_right,
        BinaryOperator::Remainder => wide_left % wide_right,
        BinaryOperator::Power => match u32::try_from(right).ok().and_then(|power| left.checked_pow(power)) {
            Some(power) => i64::from(power),
            None => return failed(origin, format!("{left} ** {right} is no 32-bit integer")),
        },
        BinaryOperator::BitAnd => i64::from(left & right),
        BinaryOperator::BitOr => i64::from(left | right),
        BinaryOperator::BitXor => i64::from(left ^ right),
        BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight if !(0..32).contains(&right) => {
            return failed(origin, format!("a shift by {right} bits"));
        }
        BinaryOperator::ShiftLeft => wide_left << right,
        BinaryOperator::ShiftRight => wide_left >> right,
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
) -> Result<Value, ConstantFailure> {
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
        _ => return not_constant(origin, "the operator needs integers".to_owned()),
    };
    Ok(Value::Double(result))
}

/// The mathematical functions on floating point numbers that the standard library has.
fn builtin(name: &str, arguments: &[f64], origin: Origin) -> Result<Value, ConstantFailure> {
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
            // Rounds towards zero, and is only defined where the result is an integer.
            let truncated = x.trunc();
            if truncated.abs() > f64::from(i32::MAX) || truncated.is_nan() {
                return failed(origin, format!("fint({x}) is no 32-bit integer"));
            }
            return Ok(Value::Integer(truncated as i32));
        }
        ("isfinite", [x]) => return Ok(truth(x.is_finite())),
        ("isinf", [x]) => return Ok(truth(x.is_infinite())),
        ("isnan", [x]) => return Ok(truth(x.is_nan())),
        ("isnormal", [x]) => return Ok(truth(x.is_normal())),
        ("signbit", [x]) => return Ok(truth(x.is_sign_negative())),
        ("isunordered", [x, y]) => return Ok(truth(x.is_nan() || y.is_nan())),
        _ => return not_constant(origin, format!("`{name}` cannot be evaluated when a model is read")),
    };
    Ok(Value::Double(result))
}

/// A value as a variable of the type holds it.
pub(crate) fn converted(value: Value, target: &Type, origin: Origin) -> Result<Value, ConstantFailure> {
    match (target, value) {
        (Type::Integer(range), Value::Integer(value)) => {
            if range.contains(i64::from(value)) {
                Ok(Value::Integer(value))
            } else {
                failed(origin, range_message(value, *range))
            }
        }
        (Type::Boolean, Value::Integer(value)) => Ok(truth(value != 0)),
        (Type::Double, Value::Integer(value)) => Ok(Value::Double(f64::from(value))),
        (_, value) => Ok(value),
    }
}

fn range_message(value: i32, range: Range) -> String {
    format!("the value {value} is not from {} to {}", range.least, range.greatest)
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

fn word(value: i64, origin: Origin) -> Result<Value, ConstantFailure> {
    match i32::try_from(value) {
        Ok(value) => Ok(Value::Integer(value)),
        Err(_) => failed(origin, format!("{value} is no 32-bit integer")),
    }
}

fn not_constant<T>(origin: Origin, reason: String) -> Result<T, ConstantFailure> {
    Err(ConstantFailure { origin, reason, is_error: false })
}

fn failed<T>(origin: Origin, reason: String) -> Result<T, ConstantFailure> {
    Err(ConstantFailure { origin, reason, is_error: true })
}
