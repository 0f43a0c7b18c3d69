//! Interval analysis: the values that expressions can have in reachable states.
//!
//! Invariant: an interval contains every value that an evaluation without error can have. The analysis treats variables
//! as a whole (an array has one interval for all elements) and is insensitive to locations; intervals that keep growing
//! are widened to the declared range.

use tempora_model::{
    BinaryOperator, Expression, ExpressionKind, Id, Network, Quantifier, Type, UnaryOperator, Value,
    VariableKind,
};

/// A closed interval of integers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interval {
    /// The least element.
    pub least: i64,
    /// The greatest element.
    pub greatest: i64,
}

/// The intervals of all variables.
#[derive(Clone, Debug)]
pub struct Ranges {
    variables: Vec<Interval>,
}

impl Interval {
    /// All 32-bit integers.
    pub const WORD: Interval = Interval { least: i32::MIN as i64, greatest: i32::MAX as i64 };
    const TRUTH: Interval = Interval { least: 0, greatest: 1 };

    fn one(value: i64) -> Interval {
        Interval { least: value, greatest: value }
    }

    fn hull(self, other: Interval) -> Interval {
        Interval { least: self.least.min(other.least), greatest: self.greatest.max(other.greatest) }
    }

    /// Accounts for 32-bit wrap-around.
    fn wrapped(self) -> Interval {
        let is_word = Interval::WORD.least <= self.least && self.greatest <= Interval::WORD.greatest;
        if is_word { self } else { Interval::WORD }
    }

    /// Clips to the range; values outside are run-time errors.
    fn within(self, other: Interval) -> Interval {
        let least = self.least.clamp(other.least, other.greatest);
        let greatest = self.greatest.clamp(other.least, other.greatest);
        Interval { least, greatest }
    }
}

/// The number of rounds before growing intervals are widened to the declared range.
const ROUNDS: usize = 8;

impl Ranges {
    /// Computes the ranges of the variables of a network.
    pub fn new(network: &Network) -> Ranges {
        let mut ranges = Ranges {
            variables: network.variables.values().map(|variable| hull_of(&variable.initial)).collect(),
        };
        for round in 0.. {
            let before = ranges.variables.clone();
            let mut visitor = |expression: &Expression| ranges.assign(network, expression);
            for_each_expression(network, &mut visitor);
            if ranges.variables == before {
                break;
            }
            if round >= ROUNDS {
                for ((id, variable), old) in network.variables.iter().zip(&before) {
                    let new = &mut ranges.variables[id.index()];
                    // Finally everything that is not constant is widened, so that the loop terminates.
                    if new != old || (round >= 2 * ROUNDS && variable.kind != VariableKind::Constant) {
                        *new = declared(&variable.value_type);
                    }
                }
            }
        }
        ranges
    }

    /// Returns the interval of an expression.
    pub fn of(&self, network: &Network, expression: &Expression) -> Interval {
        let by_type = declared(&expression.value_type);
        let interval = match &expression.kind {
            ExpressionKind::Integer(value) => Interval::one(i64::from(*value)),
            ExpressionKind::Variable(_) | ExpressionKind::Element { .. } | ExpressionKind::Field { .. } => {
                match crate::compile::constant(network, expression) {
                    Some(value) => Interval::one(i64::from(value)),
                    None => match expression.root() {
                        Some(variable) => self.variables[variable.index()].within(by_type),
                        None => by_type,
                    },
                }
            }
            ExpressionKind::Unary { operator: UnaryOperator::Negate, operand } => {
                let operand = self.of(network, operand);
                Interval { least: -operand.greatest, greatest: -operand.least }
            }
            ExpressionKind::Unary { operator: UnaryOperator::Not, .. } => Interval::TRUTH,
            ExpressionKind::Conditional { then, otherwise, .. } => {
                self.of(network, then).hull(self.of(network, otherwise))
            }
            ExpressionKind::Binary { operator, left, right } => {
                binary(*operator, self.of(network, left), self.of(network, right))
            }
            ExpressionKind::Assign { operator: None, target, value } => {
                self.of(network, value).within(declared(&target.value_type))
            }
            ExpressionKind::Quantified { quantifier: Quantifier::ForAll | Quantifier::Exists, .. } => {
                Interval::TRUTH
            }
            _ => by_type,
        };
        interval.wrapped()
    }

    /// Applies an assignment.
    fn assign(&mut self, network: &Network, expression: &Expression) {
        let (target, new) = match &expression.kind {
            ExpressionKind::Assign { operator, target, value } => {
                if matches!(target.value_type, Type::Clock | Type::Array(_) | Type::Record(_)) {
                    // Assigned as a whole, it may get any value of its type.
                    (target, Interval::WORD)
                } else {
                    let value = self.of(network, value);
                    (
                        target,
                        match operator {
                            None => value,
                            Some(operator) => binary(*operator, self.of(network, target), value),
                        },
                    )
                }
            }
            ExpressionKind::Step { target, amount, .. } => {
                let amount = Interval::one(i64::from(*amount));
                (target, binary(BinaryOperator::Add, self.of(network, target), amount))
            }
            ExpressionKind::Call { function, arguments } => {
                // A function may assign any value to a reference.
                if let Some(function) = network.functions.get(*function) {
                    for (parameter, argument) in function.parameters.iter().zip(arguments) {
                        if parameter.is_reference {
                            self.widen(network, argument, Interval::WORD);
                        }
                    }
                }
                return;
            }
            _ => return,
        };
        self.widen(network, target, new);
    }

    fn widen(&mut self, network: &Network, target: &Expression, new: Interval) {
        let mut targets = Vec::new();
        target.for_each_target(&mut |variable| targets.push(variable));
        for variable in targets {
            let variable_declaration = &network.variables[variable];
            if variable_declaration.kind == VariableKind::Constant {
                continue;
            }
            let limits = match target.value_type {
                Type::Array(_) | Type::Record(_) => declared(&variable_declaration.value_type),
                _ => declared(&target.value_type),
            };
            let range = &mut self.variables[variable.index()];
            *range = range.hull(new.within(limits));
        }
    }
}

fn binary(operator: BinaryOperator, left: Interval, right: Interval) -> Interval {
    let interval = match operator {
        BinaryOperator::Add => {
            Interval { least: left.least + right.least, greatest: left.greatest + right.greatest }
        }
        BinaryOperator::Subtract => {
            Interval { least: left.least - right.greatest, greatest: left.greatest - right.least }
        }
        BinaryOperator::Multiply => {
            let products = [
                left.least * right.least,
                left.least * right.greatest,
                left.greatest * right.least,
                left.greatest * right.greatest,
            ];
            products.into_iter().map(Interval::one).fold(Interval::one(products[0]), Interval::hull)
        }
        BinaryOperator::Divide if right.least > 0 => {
            let quotients = [
                left.least / right.least,
                left.least / right.greatest,
                left.greatest / right.least,
                left.greatest / right.greatest,
            ];
            quotients.into_iter().map(Interval::one).fold(Interval::one(quotients[0]), Interval::hull)
        }
        BinaryOperator::Remainder if right.least > 0 => Interval {
            least: if left.least < 0 { -(right.greatest - 1) } else { 0 },
            greatest: if left.greatest > 0 { (right.greatest - 1).min(left.greatest) } else { 0 },
        },
        BinaryOperator::Minimum => {
            Interval { least: left.least.min(right.least), greatest: left.greatest.min(right.greatest) }
        }
        BinaryOperator::Maximum => {
            Interval { least: left.least.max(right.least), greatest: left.greatest.max(right.greatest) }
        }
        BinaryOperator::And
        | BinaryOperator::Or
        | BinaryOperator::Imply
        | BinaryOperator::Xor
        | BinaryOperator::Compare(_) => Interval::TRUTH,
        _ => Interval::WORD,
    };
    interval.wrapped()
}

/// Returns the interval of a type; for arrays and records, the hull over all their integers.
fn declared(value_type: &Type) -> Interval {
    match value_type {
        Type::Integer(range) => {
            Interval { least: i64::from(range.least), greatest: i64::from(range.greatest) }
        }
        Type::Boolean => Interval::TRUTH,
        Type::Array(array) => declared(&array.element),
        Type::Record(record) => record
            .fields
            .iter()
            .map(|field| declared(&field.field_type))
            .reduce(Interval::hull)
            .unwrap_or(Interval::WORD),
        _ => Interval::WORD,
    }
}

fn hull_of(value: &Value) -> Interval {
    match value {
        Value::Integer(value) => Interval::one(i64::from(*value)),
        Value::Parts(parts) => parts.iter().map(hull_of).reduce(Interval::hull).unwrap_or(Interval::one(0)),
        Value::Double(_) | Value::None => Interval::one(0),
    }
}

/// Visits every expression of a network with its subexpressions, including those of functions.
pub fn for_each_expression(network: &Network, visit: &mut impl FnMut(&Expression)) {
    for process in network.processes.values() {
        for location in process.locations.values() {
            for conjunct in location.invariant.data.iter().chain(&location.invariant.clocks) {
                conjunct.for_each(visit);
            }
        }
        for edge in process.edges.values() {
            for conjunct in edge.guard.data.iter().chain(&edge.guard.clocks) {
                conjunct.for_each(visit);
            }
            for update in edge.branches.iter().flat_map(|branch| &branch.updates) {
                update.for_each(visit);
            }
        }
    }
    for update in network.before_update.iter().chain(&network.after_update) {
        update.for_each(visit);
    }
    for function in network.functions.values() {
        for statement in &function.body {
            statement.for_each_expression(visit);
        }
    }
}
