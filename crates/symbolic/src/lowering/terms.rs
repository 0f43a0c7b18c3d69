//! Lowers expressions to terms.
//!
//! Invariant: operands are lowered in the evaluation order of the semantics, each under the condition that it is
//! evaluated; possible failures are recorded under that condition.

use tempora_smt::{Operator, TermId};
use tempora_source::Origin;

use super::cells::index_range;
use super::state::{Lowered, Lowering};
use super::{LoweredValue, NotLowered};
use tempora_model::{
    BinaryOperator, Comparison, Expression, ExpressionKind, Id, Quantifier, Type, UnaryOperator, Value,
    VariableKind, evaluate_constant,
};

impl Lowering<'_, '_> {
    /// Lowers a predicate of a query; one that may fail is declined.
    pub(super) fn predicate(&mut self, predicate: &Expression) -> Lowered<TermId> {
        self.reset();
        let always = self.store.truth(true);
        let holds = self.condition(predicate, always)?;
        let fails = self.failure();
        if self.store.as_boolean(fails) == Some(false) {
            return Ok(holds);
        }
        Err(NotLowered::new("a predicate whose evaluation may fail", predicate.origin))
    }

    pub(super) fn condition(&mut self, expression: &Expression, path: TermId) -> Lowered<TermId> {
        let value = self.value(expression, path)?;
        self.as_boolean(value, expression.origin)
    }

    /// Lowers an expression for its side effects.
    pub(super) fn effect(&mut self, expression: &Expression, path: TermId) -> Lowered<()> {
        match &expression.kind {
            ExpressionKind::Call { .. } => self.call(expression, path).map(drop),
            ExpressionKind::Assign { operator: None, target, value } if has_parts(&target.value_type) => {
                match self.place(target, path)? {
                    Some(place) => self.assign(&place, value, path),
                    None => Err(NotLowered::new("an assignment to a constant", target.origin)),
                }
            }
            _ => self.value(expression, path).map(drop),
        }
    }

    pub(super) fn value(&mut self, expression: &Expression, path: TermId) -> Lowered<LoweredValue> {
        let origin = expression.origin;
        match &expression.kind {
            ExpressionKind::Integer(value) => Ok(match expression.value_type {
                Type::Boolean => LoweredValue::Boolean(self.store.truth(*value != 0)),
                _ => LoweredValue::Integer(self.store.integer(i64::from(*value))),
            }),
            ExpressionKind::Variable(_)
            | ExpressionKind::Local(_)
            | ExpressionKind::Element { .. }
            | ExpressionKind::Field { .. } => self.part(expression, path),
            ExpressionKind::Unary { operator: UnaryOperator::Not, operand } => {
                let holds = self.condition(operand, path)?;
                Ok(LoweredValue::Boolean(self.store.not(holds)))
            }
            ExpressionKind::Unary { operator: UnaryOperator::Negate, operand } => {
                let value = self.value(operand, path)?;
                let value = self.as_integer(value, origin)?;
                let negative = self.store.negate(value);
                Ok(self.word(negative, path))
            }
            ExpressionKind::Binary { operator, left, right } => {
                self.binary(*operator, left, right, path, origin)
            }
            ExpressionKind::Conditional { condition, then, otherwise } => {
                let holds = self.condition(condition, path)?;
                let fails = self.store.not(holds);
                let (inside, outside) = (self.store.and(&[path, holds]), self.store.and(&[path, fails]));
                let then = self.value(then, inside)?;
                let otherwise = self.value(otherwise, outside)?;
                self.either(holds, then, otherwise, origin)
            }
            ExpressionKind::Assign { operator, target, value } => {
                let worked = self.value(value, path)?;
                let Some(place) = self.place(target, path)? else {
                    return Err(NotLowered::new("an assignment to a constant", origin));
                };
                let worked = match operator {
                    None => worked,
                    Some(operator) => {
                        let old = self.read(&place, 0)?;
                        self.arithmetic(*operator, old, worked, path, origin)?
                    }
                };
                // The stored value, which differs from the assigned one if a number is assigned to a truth value.
                self.write(&place, 0, worked, path, origin)
            }
            ExpressionKind::Step { target, amount, is_postfix } => {
                let Some(place) = self.place(target, path)? else {
                    return Err(NotLowered::new("an assignment to a constant", origin));
                };
                let old = self.read(&place, 0)?;
                let amount = LoweredValue::Integer(self.store.integer(i64::from(*amount)));
                let new = self.arithmetic(BinaryOperator::Add, old, amount, path, origin)?;
                let stored = self.write(&place, 0, new, path, origin)?;
                Ok(if *is_postfix { old } else { stored })
            }
            ExpressionKind::Call { .. } => match self.call(expression, path)? {
                Some(result) => Ok(result),
                None => Ok(LoweredValue::Integer(self.store.integer(0))),
            },
            ExpressionKind::CallBuiltin { function: "abs", arguments } if arguments.len() == 1 => {
                let value = self.value(&arguments[0], path)?;
                let value = self.as_integer(value, origin)?;
                let (zero, negative) = (self.store.integer(0), self.store.negate(value));
                let is_negative = self.store.less(value, zero);
                let positive = self.store.if_then_else(is_negative, negative, value);
                Ok(self.word(positive, path))
            }
            ExpressionKind::Quantified { quantifier, binder, body } => {
                let mut parts = Vec::new();
                let mut path = path;
                for value in binder.domain.values() {
                    self.check_size(origin)?;
                    self.bind_one(binder.local, value);
                    match quantifier {
                        Quantifier::Sum => {
                            let value = self.value(body, path)?;
                            parts.push(self.as_integer(value, origin)?);
                        }
                        Quantifier::ForAll | Quantifier::Exists => {
                            let holds = self.condition(body, path)?;
                            parts.push(holds);
                            let goes_on =
                                if *quantifier == Quantifier::ForAll { holds } else { self.store.not(holds) };
                            path = self.store.and(&[path, goes_on]);
                        }
                    }
                }
                Ok(match quantifier {
                    Quantifier::ForAll => LoweredValue::Boolean(self.store.and(&parts)),
                    Quantifier::Exists => LoweredValue::Boolean(self.store.or(&parts)),
                    Quantifier::Sum if parts.is_empty() => LoweredValue::Integer(self.store.integer(0)),
                    Quantifier::Sum => {
                        let sum = self.store.add(&parts);
                        self.word(sum, path)
                    }
                })
            }
            ExpressionKind::CompareClocks { left, right, comparison, bound } => {
                let mut difference = Vec::new();
                for (clock, is_positive) in [(left, true), (right, false)] {
                    let Some(clock) = clock else { continue };
                    let LoweredValue::Clock(term) = self.value(clock, path)? else {
                        return Err(NotLowered::new("this form of clock", clock.origin));
                    };
                    difference.push(if is_positive { term } else { self.store.negate(term) });
                }
                let bound = self.value(bound, path)?;
                let bound = self.as_integer(bound, origin)?;
                let bound = self.store.simplified(&Operator::ToReal, &[bound]);
                let zero = self.store.integer(0);
                let left = match difference.as_slice() {
                    [] => self.store.simplified(&Operator::ToReal, &[zero]),
                    [one] => *one,
                    parts => self.store.add(parts),
                };
                Ok(LoweredValue::Boolean(self.compared(*comparison, left, bound)))
            }
            ExpressionKind::At { process, location } => {
                let here = self.now[self.cells.location(*process)];
                let there = self.store.integer(location.index() as i64);
                Ok(LoweredValue::Boolean(self.store.equal(here, there)))
            }
            ExpressionKind::LocationOf(process) => {
                Ok(LoweredValue::Integer(self.now[self.cells.location(*process)]))
            }
            ExpressionKind::HasLabel(label) => {
                let mut alternatives = Vec::new();
                for (id, process) in self.network.processes.iter() {
                    for (location, known) in process.locations.iter() {
                        if known.labels.contains(label) {
                            let here = self.now[self.cells.location(id)];
                            let there = self.store.integer(location.index() as i64);
                            alternatives.push(self.store.equal(here, there));
                        }
                    }
                }
                Ok(LoweredValue::Boolean(self.store.or(&alternatives)))
            }
            ExpressionKind::Double(_) => Err(NotLowered::new("floating point numbers", origin)),
            ExpressionKind::CallBuiltin { .. } => Err(NotLowered::new("mathematical functions", origin)),
            ExpressionKind::RateIs { .. } => Err(NotLowered::new("rates of clocks", origin)),
            ExpressionKind::Deadlock => Err(NotLowered::new("`deadlock`", origin)),
        }
    }

    /// Returns the value of a variable, a constant or a part of one.
    fn part(&mut self, expression: &Expression, path: TermId) -> Lowered<LoweredValue> {
        let origin = expression.origin;
        if let ExpressionKind::Local(local) = &expression.kind
            && let Some(value) = self.bound_constant(*local)
        {
            return Ok(LoweredValue::Integer(self.store.integer(i64::from(value))));
        }
        if has_parts(&expression.value_type) {
            return Err(NotLowered::new("an array or record inside of a computation", origin));
        }
        if let Some(alternatives) = self.constant_alternatives(expression, path)? {
            let mut chosen: Option<TermId> = None;
            for (condition, value) in alternatives.into_iter().rev() {
                let Value::Integer(number) = value else {
                    return Err(NotLowered::new("a constant of this type", origin));
                };
                let number = self.store.integer(i64::from(number));
                chosen = Some(match chosen {
                    None => number,
                    Some(otherwise) => self.store.if_then_else(condition, number, otherwise),
                });
            }
            let term = chosen.unwrap_or_else(|| self.store.integer(0));
            return Ok(match expression.value_type {
                Type::Boolean => LoweredValue::Boolean(self.as_boolean(LoweredValue::Integer(term), origin)?),
                _ => LoweredValue::Integer(term),
            });
        }
        match self.place(expression, path)? {
            Some(place) => self.read(&place, 0),
            None => Err(NotLowered::new("this form of a constant", origin)),
        }
    }

    /// Returns the parts of a constant that an expression may denote, with their conditions; `None` for other
    /// expressions.
    fn constant_alternatives(
        &mut self,
        expression: &Expression,
        path: TermId,
    ) -> Lowered<Option<Vec<(TermId, Value)>>> {
        match &expression.kind {
            ExpressionKind::Variable(variable) => {
                let declared = &self.network.variables[*variable];
                let always = self.store.truth(true);
                let is_constant = declared.kind == VariableKind::Constant;
                Ok(is_constant.then(|| vec![(always, declared.initial.clone())]))
            }
            ExpressionKind::Field { record, field } => {
                let alternatives = self.constant_alternatives(record, path)?;
                Ok(alternatives.map(|alternatives| {
                    alternatives
                        .into_iter()
                        .map(|(condition, value)| (condition, part_of(value, *field)))
                        .collect()
                }))
            }
            ExpressionKind::Element { array, index } => {
                let Some(alternatives) = self.constant_alternatives(array, path)? else { return Ok(None) };
                let Type::Array(array_type) = &array.value_type else { return Ok(None) };
                let position = self.value(index, path)?;
                let position = self.as_integer(position, index.origin)?;
                self.demand_range(position, index_range(&array_type.index), path);
                let mut parts = Vec::new();
                for (offset, value) in array_type.index.values().enumerate() {
                    let value = self.store.integer(i64::from(value));
                    let is_this = self.store.equal(position, value);
                    for (condition, whole) in &alternatives {
                        let condition = self.store.and(&[*condition, is_this]);
                        if self.store.as_boolean(condition) != Some(false) {
                            parts.push((condition, part_of(whole.clone(), offset)));
                        }
                    }
                }
                Ok(Some(parts))
            }
            _ => Ok(None),
        }
    }

    fn binary(
        &mut self,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
        path: TermId,
        origin: Origin,
    ) -> Lowered<LoweredValue> {
        if let BinaryOperator::And | BinaryOperator::Or | BinaryOperator::Imply = operator {
            let first = self.condition(left, path)?;
            let counts = if operator == BinaryOperator::Or { self.store.not(first) } else { first };
            let inside = self.store.and(&[path, counts]);
            let second = self.condition(right, inside)?;
            return Ok(LoweredValue::Boolean(match operator {
                BinaryOperator::And => self.store.and(&[first, second]),
                BinaryOperator::Or => self.store.or(&[first, second]),
                _ => self.store.implies(first, second),
            }));
        }
        if has_parts(&left.value_type) {
            return Err(NotLowered::new("a comparison of arrays or records", origin));
        }
        let first = self.value(left, path)?;
        let second = self.value(right, path)?;
        match operator {
            BinaryOperator::Xor => {
                let (first, second) = (self.as_boolean(first, origin)?, self.as_boolean(second, origin)?);
                let same = self.store.equal(first, second);
                Ok(LoweredValue::Boolean(self.store.not(same)))
            }
            BinaryOperator::Compare(comparison) => {
                let (first, second) = (self.as_integer(first, origin)?, self.as_integer(second, origin)?);
                Ok(LoweredValue::Boolean(self.compared(comparison, first, second)))
            }
            _ => self.arithmetic(operator, first, second, path, origin),
        }
    }

    fn arithmetic(
        &mut self,
        operator: BinaryOperator,
        left: LoweredValue,
        right: LoweredValue,
        path: TermId,
        origin: Origin,
    ) -> Lowered<LoweredValue> {
        if let LoweredValue::Clock(clock) = left {
            // A clock plus or minus an integer.
            let amount = self.as_integer(right, origin)?;
            let amount = self.store.simplified(&Operator::ToReal, &[amount]);
            return match operator {
                BinaryOperator::Add => Ok(LoweredValue::Clock(self.store.add(&[clock, amount]))),
                BinaryOperator::Subtract => Ok(LoweredValue::Clock(self.store.subtract(clock, amount))),
                _ => Err(NotLowered::new("arithmetic with clocks", origin)),
            };
        }
        if let (LoweredValue::Clock(_), BinaryOperator::Add) = (right, operator) {
            return self.arithmetic(operator, right, left, path, origin);
        }
        let (left, right) = (self.as_integer(left, origin)?, self.as_integer(right, origin)?);
        let term = match operator {
            BinaryOperator::Add => self.store.add(&[left, right]),
            BinaryOperator::Subtract => self.store.subtract(left, right),
            BinaryOperator::Multiply => self.store.multiply(&[left, right]),
            BinaryOperator::Divide | BinaryOperator::Remainder => {
                let zero = self.store.integer(0);
                let is_zero = self.store.equal(right, zero);
                let is_fine = self.store.not(is_zero);
                self.demand(is_fine, path);
                let operator = match operator {
                    BinaryOperator::Divide => Operator::DivideTruncated,
                    _ => Operator::RemainderTruncated,
                };
                self.store.simplified(&operator, &[left, right])
            }
            BinaryOperator::Minimum | BinaryOperator::Maximum => {
                let is_less = self.store.less(left, right);
                match operator {
                    BinaryOperator::Minimum => self.store.if_then_else(is_less, left, right),
                    _ => self.store.if_then_else(is_less, right, left),
                }
            }
            _ => return self.bits(operator, left, right, origin),
        };
        Ok(self.word(term, path))
    }

    /// Evaluates bitwise operators, which have no terms, on constants.
    fn bits(
        &mut self,
        operator: BinaryOperator,
        left: TermId,
        right: TermId,
        origin: Origin,
    ) -> Lowered<LoweredValue> {
        let constant = |term: TermId| match self.store.as_value(term) {
            Some(tempora_smt::Value::Integer(value)) => i32::try_from(value.to_i64()?).ok(),
            _ => None,
        };
        let expression = |value: i32| Expression {
            kind: ExpressionKind::Integer(value),
            value_type: Type::Integer(tempora_model::Range::WORD),
            origin,
        };
        let (Some(left), Some(right)) = (constant(left), constant(right)) else {
            return Err(NotLowered::new("bitwise operators or powers", origin));
        };
        let whole = Expression {
            kind: ExpressionKind::Binary {
                operator,
                left: Box::new(expression(left)),
                right: Box::new(expression(right)),
            },
            value_type: Type::Integer(tempora_model::Range::WORD),
            origin,
        };
        match evaluate_constant(&self.network.variables, &self.network.functions, &whole) {
            Ok(Value::Integer(value)) => Ok(LoweredValue::Integer(self.store.integer(i64::from(value)))),
            _ => Err(NotLowered::new("bitwise operators or powers", origin)),
        }
    }

    fn compared(&mut self, comparison: Comparison, left: TermId, right: TermId) -> TermId {
        match comparison {
            Comparison::Less => self.store.less(left, right),
            Comparison::LessOrEqual => self.store.less_equal(left, right),
            Comparison::Equal => self.store.equal(left, right),
            Comparison::NotEqual => {
                let same = self.store.equal(left, right);
                self.store.not(same)
            }
            Comparison::GreaterOrEqual => self.store.less_equal(right, left),
            Comparison::Greater => self.store.less(right, left),
        }
    }
}

fn has_parts(value_type: &Type) -> bool {
    matches!(value_type, Type::Array(_) | Type::Record(_))
}

fn part_of(value: Value, position: usize) -> Value {
    match value {
        Value::Parts(parts) => parts.into_iter().nth(position).unwrap_or(Value::None),
        _ => Value::None,
    }
}
