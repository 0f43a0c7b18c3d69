//! Constructs simplified terms.
//!
//! Invariant: a simplified term has the same value as the plain one wherever the plain one has a value; it may also
//! have one where the plain one divides by zero. No rule inspects more than two levels of arguments.

use std::collections::BTreeSet;

use crate::{Integer, Operator, Sort, Term, TermId, TermStore, Value};

impl TermStore {
    /// Returns a simplified application. Arguments of the wrong sorts give `false`; callers must check sorts first.
    pub fn simplified(&mut self, operator: &Operator, arguments: &[TermId]) -> TermId {
        let values: Option<Vec<Value>> =
            arguments.iter().map(|argument| self.as_value(*argument).cloned()).collect();
        if let Some(values) = values
            && let Ok(value) = operator.apply(self, &values)
        {
            return self.constant(value);
        }
        match (operator, arguments) {
            (Operator::Not, [argument]) => self.not(*argument),
            (Operator::And, _) => self.and(arguments),
            (Operator::Or, _) => self.or(arguments),
            (Operator::IfThenElse, [condition, then, otherwise]) => {
                self.if_then_else(*condition, *then, *otherwise)
            }
            (Operator::Equal, [left, right]) => self.equal(*left, *right),
            (Operator::LessEqual, [left, right]) if left == right => self.truth(true),
            (Operator::Less, [left, right]) if left == right => self.truth(false),
            (Operator::LessEqual | Operator::Less, [left, right]) => self.compare(operator, *left, *right),
            (Operator::Add, _) => self.add(arguments),
            (Operator::Multiply, _) => self.multiply(arguments),
            (Operator::Select, [array, index]) => self.select(*array, *index),
            _ => self.plain(operator.clone(), arguments),
        }
    }

    /// Returns the application without simplification.
    fn plain(&mut self, operator: Operator, arguments: &[TermId]) -> TermId {
        match self.apply(operator, arguments) {
            Ok(id) => id,
            Err(_) => self.truth(false),
        }
    }

    /// Returns a Boolean constant.
    pub fn truth(&mut self, value: bool) -> TermId {
        self.constant(Value::Boolean(value))
    }

    /// Returns a small integer constant.
    pub fn integer(&mut self, value: i64) -> TermId {
        self.constant(Value::integer(value))
    }

    /// Returns the negation.
    pub fn not(&mut self, argument: TermId) -> TermId {
        match self.term(argument) {
            Term::Constant(Value::Boolean(value)) => {
                let value = !*value;
                self.truth(value)
            }
            Term::Apply(Operator::Not, inner) => inner[0],
            _ => self.plain(Operator::Not, &[argument]),
        }
    }

    /// Returns the conjunction.
    pub fn and(&mut self, arguments: &[TermId]) -> TermId {
        self.junction(Operator::And, true, arguments)
    }

    /// Returns the disjunction.
    pub fn or(&mut self, arguments: &[TermId]) -> TermId {
        self.junction(Operator::Or, false, arguments)
    }

    /// Returns a conjunction or disjunction: flat, without duplicates and neutral elements.
    fn junction(&mut self, operator: Operator, neutral: bool, arguments: &[TermId]) -> TermId {
        let mut seen = BTreeSet::new();
        let mut parts = Vec::new();
        for argument in arguments {
            let inner = match self.term(*argument) {
                Term::Apply(found, inner) if *found == operator => inner.to_vec(),
                _ => vec![*argument],
            };
            for part in inner {
                match self.as_boolean(part) {
                    Some(value) if value == neutral => {}
                    Some(value) => return self.truth(value),
                    None => {
                        let opposite = self.not(part);
                        if seen.contains(&opposite) {
                            return self.truth(!neutral);
                        }
                        if seen.insert(part) {
                            parts.push(part);
                        }
                    }
                }
            }
        }
        match parts.as_slice() {
            [] => self.truth(neutral),
            [one] => *one,
            _ => self.plain(operator, &parts),
        }
    }

    /// Returns the implication.
    pub fn implies(&mut self, premise: TermId, conclusion: TermId) -> TermId {
        let not = self.not(premise);
        self.or(&[not, conclusion])
    }

    /// Returns the second term if the first is true, otherwise the third.
    pub fn if_then_else(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        if then == otherwise {
            return then;
        }
        if let Some(value) = self.as_boolean(condition) {
            return if value { then } else { otherwise };
        }
        match (self.as_boolean(then), self.as_boolean(otherwise)) {
            (Some(true), _) => self.or(&[condition, otherwise]),
            (Some(false), _) => {
                let not = self.not(condition);
                self.and(&[not, otherwise])
            }
            (_, Some(true)) => self.implies(condition, then),
            (_, Some(false)) => self.and(&[condition, then]),
            (None, None) => match self.term(condition) {
                Term::Apply(Operator::Not, inner) => {
                    let inner = inner[0];
                    self.plain(Operator::IfThenElse, &[inner, otherwise, then])
                }
                _ => self.plain(Operator::IfThenElse, &[condition, then, otherwise]),
            },
        }
    }

    /// Returns the equality.
    pub fn equal(&mut self, left: TermId, right: TermId) -> TermId {
        if left == right {
            return self.truth(true);
        }
        match (self.as_value(left), self.as_value(right)) {
            (Some(left), Some(right)) => {
                let value = left == right;
                self.truth(value)
            }
            (Some(Value::Boolean(true)), _) => right,
            (_, Some(Value::Boolean(true))) => left,
            (Some(Value::Boolean(false)), _) => self.not(right),
            (_, Some(Value::Boolean(false))) => self.not(left),
            // Constants come second, other terms in the order of their ids, so that both orders give one term.
            (Some(_), None) => self.plain(Operator::Equal, &[right, left]),
            (None, None) if right < left => self.plain(Operator::Equal, &[right, left]),
            _ => self.plain(Operator::Equal, &[left, right]),
        }
    }

    /// Returns a comparison; `a < b` becomes `not (b <= a)`, so that a comparison and its negation share one atom.
    fn compare(&mut self, operator: &Operator, left: TermId, right: TermId) -> TermId {
        if *operator == Operator::LessEqual {
            return self.plain(Operator::LessEqual, &[left, right]);
        }
        let opposite = self.plain(Operator::LessEqual, &[right, left]);
        self.not(opposite)
    }

    /// Returns `left <= right`.
    pub fn less_equal(&mut self, left: TermId, right: TermId) -> TermId {
        self.simplified(&Operator::LessEqual, &[left, right])
    }

    /// Returns `left < right`.
    pub fn less(&mut self, left: TermId, right: TermId) -> TermId {
        self.simplified(&Operator::Less, &[left, right])
    }

    /// Returns the sum.
    pub fn add(&mut self, arguments: &[TermId]) -> TermId {
        let mut parts = Vec::new();
        let mut sum: Option<Value> = None;
        for argument in self.flattened(&Operator::Add, arguments) {
            match self.as_value(argument).cloned() {
                Some(value) => {
                    sum = Some(match sum {
                        None => value,
                        Some(sum) => match Operator::Add.apply(self, &[sum, value]) {
                            Ok(sum) => sum,
                            Err(_) => return self.truth(false),
                        },
                    });
                }
                None => parts.push(argument),
            }
        }
        if let Some(sum) = sum
            && (!is_number(&sum, 0) || parts.is_empty())
        {
            parts.push(self.constant(sum));
        }
        match parts.as_slice() {
            [one] => *one,
            _ => self.plain(Operator::Add, &parts),
        }
    }

    /// Returns the product.
    pub fn multiply(&mut self, arguments: &[TermId]) -> TermId {
        let mut parts = Vec::new();
        let mut product: Option<Value> = None;
        for argument in self.flattened(&Operator::Multiply, arguments) {
            match self.as_value(argument).cloned() {
                Some(value) => {
                    product = Some(match product {
                        None => value,
                        Some(product) => match Operator::Multiply.apply(self, &[product, value]) {
                            Ok(product) => product,
                            Err(_) => return self.truth(false),
                        },
                    });
                }
                None => parts.push(argument),
            }
        }
        if let Some(product) = product {
            if is_number(&product, 0) {
                return self.constant(product);
            }
            if !is_number(&product, 1) || parts.is_empty() {
                parts.insert(0, self.constant(product));
            }
        }
        match parts.as_slice() {
            [one] => *one,
            _ => self.plain(Operator::Multiply, &parts),
        }
    }

    /// Returns the difference.
    pub fn subtract(&mut self, left: TermId, right: TermId) -> TermId {
        if left == right {
            return match self.sort(left) {
                Sort::Real => self.constant(Value::Real(Box::default())),
                _ => self.integer(0),
            };
        }
        let negative = self.negate(right);
        self.add(&[left, negative])
    }

    /// Returns the negated number.
    pub fn negate(&mut self, argument: TermId) -> TermId {
        let minus_one = match self.sort(argument) {
            Sort::Real => Value::Real(Box::new(num_rational::BigRational::from_integer((-1).into()))),
            _ => Value::integer(-1),
        };
        let minus_one = self.constant(minus_one);
        self.multiply(&[minus_one, argument])
    }

    fn flattened(&self, operator: &Operator, arguments: &[TermId]) -> Vec<TermId> {
        let mut parts = Vec::new();
        for argument in arguments {
            match self.term(*argument) {
                Term::Apply(found, inner) if found == operator => parts.extend(inner.iter().copied()),
                _ => parts.push(*argument),
            }
        }
        parts
    }

    /// Returns the element of an array at an index, skipping writes at other constant indexes.
    fn select(&mut self, array: TermId, index: TermId) -> TermId {
        let mut array = array;
        loop {
            match self.term(array) {
                Term::Apply(Operator::Store, parts) => {
                    if parts[1] == index {
                        return parts[2];
                    }
                    if self.as_value(parts[1]).is_none() || self.as_value(index).is_none() {
                        break;
                    }
                    array = parts[0];
                }
                Term::Apply(Operator::ConstantArray(_), parts) => return parts[0],
                Term::Constant(Value::Array(values)) => {
                    let Some(index) = self.as_value(index) else { break };
                    let value = values.select(index).clone();
                    return self.constant(value);
                }
                _ => break,
            }
        }
        self.plain(Operator::Select, &[array, index])
    }
}

fn is_number(value: &Value, number: i64) -> bool {
    match value {
        Value::Integer(value) => *value == Integer::from(number),
        Value::Real(value) => **value == num_rational::BigRational::from_integer(number.into()),
        _ => false,
    }
}
