//! Operators of terms: their names, sorts and values.
//!
//! Invariant: [`Operator::result_sort`] accepts exactly the arguments for which [`Operator::apply`] computes a value of
//! that sort, or reports that there is none (division by zero).

use std::sync::Arc;

use num_rational::BigRational;

use crate::bits::BitResult;
use crate::value::ArrayValue;
use crate::{BitOperator, BitVector, FloatOperator, Sort, TermStore, Value};

/// An operator.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Operator {
    /// Negation.
    Not,
    /// The conjunction of any number of arguments.
    And,
    /// The disjunction of any number of arguments.
    Or,
    /// The second argument if the first is true, otherwise the third.
    IfThenElse,
    /// The equality of two arguments of the same sort.
    Equal,
    /// `<=` on two numbers of the same sort.
    LessEqual,
    /// `<` on two numbers of the same sort.
    Less,
    /// The sum of one or more numbers of the same sort.
    Add,
    /// The product of one or more numbers of the same sort.
    Multiply,
    /// The integer quotient with a non-negative remainder.
    DivideEuclidean,
    /// The non-negative integer remainder.
    ModuloEuclidean,
    /// The integer quotient rounded towards zero.
    DivideTruncated,
    /// The integer remainder with the sign of the dividend.
    RemainderTruncated,
    /// The Euclidean integer remainder with the sign of the divisor.
    Remainder,
    /// The real quotient.
    DivideReal,
    /// The conversion of an integer to a real.
    ToReal,
    /// The element of an array at an index.
    Select,
    /// The array with one element replaced.
    Store,
    /// The array with the same element at every index of a sort.
    ConstantArray(Sort),
    /// An operator on bit vectors.
    Bits(BitOperator),
    /// An operator on floating point numbers.
    Floats(FloatOperator),
}

/// The limit for the bits of a computed number: about 300,000 digits. Arithmetic of longer numbers takes too long to be
/// interrupted in time.
pub(crate) const MOST_BITS: u64 = 1 << 20;

/// The limit for the bits of the numerator and the denominator of a computed real number, which is reduced in quadratic
/// time.
const MOST_REAL_BITS: u64 = 1 << 16;

/// Why an operator has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EvaluationError {
    /// A divisor is zero.
    DivisionByZero,
    /// SMT-LIB leaves the value unspecified.
    Unspecified,
    /// The arguments have the wrong sorts.
    WrongSorts,
    /// The value is a number with more bits than `MOST_BITS`.
    TooLarge,
}

impl std::fmt::Display for EvaluationError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            EvaluationError::DivisionByZero => "division by zero",
            EvaluationError::Unspecified => "an operator with an unspecified value",
            EvaluationError::WrongSorts => "an operator with arguments of the wrong sort",
            EvaluationError::TooLarge => "a number with too many digits",
        })
    }
}

/// Fails if a number has more bits than the limit.
fn within(bits: u64, limit: u64) -> Result<(), EvaluationError> {
    if bits > limit { Err(EvaluationError::TooLarge) } else { Ok(()) }
}

fn real_bits(number: &BigRational) -> u64 {
    number.numer().bits().saturating_add(number.denom().bits())
}

impl Operator {
    /// Returns the name in SMT-LIB and in text forms, for operators without indices.
    pub fn name(&self) -> &'static str {
        match self {
            Operator::Not => "not",
            Operator::And => "and",
            Operator::Or => "or",
            Operator::IfThenElse => "ite",
            Operator::Equal => "=",
            Operator::LessEqual => "<=",
            Operator::Less => "<",
            Operator::Add => "+",
            Operator::Multiply => "*",
            Operator::DivideEuclidean => "div",
            Operator::ModuloEuclidean => "mod",
            Operator::DivideTruncated => "tdiv",
            Operator::RemainderTruncated => "trem",
            Operator::Remainder => "rem",
            Operator::DivideReal => "/",
            Operator::ToReal => "to_real",
            Operator::Select => "select",
            Operator::Store => "store",
            Operator::ConstantArray(_) => "const",
            Operator::Bits(operator) => operator.name(),
            Operator::Floats(operator) => operator.name(),
        }
    }

    /// Returns the operator with this name, except [`Operator::ConstantArray`] and those on floating point numbers.
    pub fn named(name: &str) -> Option<Operator> {
        [
            Operator::Not,
            Operator::And,
            Operator::Or,
            Operator::IfThenElse,
            Operator::Equal,
            Operator::LessEqual,
            Operator::Less,
            Operator::Add,
            Operator::Multiply,
            Operator::DivideEuclidean,
            Operator::ModuloEuclidean,
            Operator::DivideTruncated,
            Operator::RemainderTruncated,
            Operator::Remainder,
            Operator::DivideReal,
            Operator::ToReal,
            Operator::Select,
            Operator::Store,
        ]
        .into_iter()
        .chain(BitOperator::NAMED.map(Operator::Bits))
        .find(|operator| operator.name() == name)
    }

    /// Returns the sort of the result, `None` for arguments of unsupported sorts.
    pub fn result_sort(&self, arguments: &[&Sort]) -> Option<Sort> {
        let all = |sort: &Sort| arguments.iter().all(|argument| *argument == sort);
        match (self, arguments) {
            (Operator::Not, [Sort::Boolean]) => Some(Sort::Boolean),
            (Operator::And | Operator::Or, _) => all(&Sort::Boolean).then_some(Sort::Boolean),
            (Operator::IfThenElse, [Sort::Boolean, then, otherwise]) => {
                (then == otherwise).then(|| (*then).clone())
            }
            (Operator::Equal, [left, right]) => (left == right).then_some(Sort::Boolean),
            (Operator::LessEqual | Operator::Less, [left, right]) => {
                (left == right && left.is_numeric()).then_some(Sort::Boolean)
            }
            (Operator::Add | Operator::Multiply, [first, ..]) => {
                (first.is_numeric() && all(first)).then(|| (*first).clone())
            }
            (
                Operator::DivideEuclidean
                | Operator::ModuloEuclidean
                | Operator::DivideTruncated
                | Operator::RemainderTruncated
                | Operator::Remainder,
                [Sort::Integer, Sort::Integer],
            ) => Some(Sort::Integer),
            (Operator::DivideReal, [Sort::Real, Sort::Real]) | (Operator::ToReal, [Sort::Integer]) => {
                Some(Sort::Real)
            }
            (Operator::Select, [Sort::Array(array), index]) => {
                (array.index == **index).then(|| array.element.clone())
            }
            (Operator::Store, [sort @ Sort::Array(array), index, element]) => {
                (array.index == **index && array.element == **element).then(|| (*sort).clone())
            }
            (Operator::Bits(operator), _) => operator.result_sort(arguments),
            (Operator::Floats(operator), _) => operator.result_sort(arguments),
            (Operator::ConstantArray(index), [element]) => {
                Some(Sort::array(index.clone(), (*element).clone()))
            }
            _ => None,
        }
    }

    /// Returns the value of the operator for these arguments.
    pub fn apply(&self, store: &TermStore, arguments: &[Value]) -> Result<Value, EvaluationError> {
        let wrong = EvaluationError::WrongSorts;
        match (self, arguments) {
            (Operator::Not, [Value::Boolean(value)]) => Ok(Value::Boolean(!value)),
            (Operator::And, _) => {
                let values: Option<Vec<bool>> = arguments.iter().map(Value::as_boolean).collect();
                values.map(|values| Value::Boolean(!values.contains(&false))).ok_or(wrong)
            }
            (Operator::Or, _) => {
                let values: Option<Vec<bool>> = arguments.iter().map(Value::as_boolean).collect();
                values.map(|values| Value::Boolean(values.contains(&true))).ok_or(wrong)
            }
            (Operator::IfThenElse, [Value::Boolean(condition), then, otherwise]) => {
                Ok(if *condition { then.clone() } else { otherwise.clone() })
            }
            (Operator::Equal, [left, right]) => Ok(Value::Boolean(left == right)),
            (Operator::LessEqual, [Value::Integer(left), Value::Integer(right)]) => {
                Ok(Value::Boolean(left <= right))
            }
            (Operator::LessEqual, [Value::Real(left), Value::Real(right)]) => {
                Ok(Value::Boolean(left <= right))
            }
            (Operator::Less, [Value::Integer(left), Value::Integer(right)]) => {
                Ok(Value::Boolean(left < right))
            }
            (Operator::Less, [Value::Real(left), Value::Real(right)]) => Ok(Value::Boolean(left < right)),
            (Operator::Add, [first, rest @ ..]) => {
                rest.iter().try_fold(first.clone(), |sum, next| match (&sum, next) {
                    (Value::Integer(left), Value::Integer(right)) => {
                        within(left.bits().max(right.bits()), MOST_BITS)?;
                        Ok(Value::Integer(left.add(right)))
                    }
                    (Value::Real(left), Value::Real(right)) => {
                        within(real_bits(left).saturating_add(real_bits(right)), MOST_REAL_BITS)?;
                        Ok(Value::Real(Box::new(left.as_ref() + right.as_ref())))
                    }
                    _ => Err(wrong),
                })
            }
            (Operator::Multiply, [first, rest @ ..]) => {
                rest.iter().try_fold(first.clone(), |product, next| match (&product, next) {
                    (Value::Integer(left), Value::Integer(right)) => {
                        within(left.bits().saturating_add(right.bits()), MOST_BITS)?;
                        Ok(Value::Integer(left.multiply(right)))
                    }
                    (Value::Real(left), Value::Real(right)) => {
                        within(real_bits(left).saturating_add(real_bits(right)), MOST_REAL_BITS)?;
                        Ok(Value::Real(Box::new(left.as_ref() * right.as_ref())))
                    }
                    _ => Err(wrong),
                })
            }
            (
                Operator::DivideEuclidean
                | Operator::ModuloEuclidean
                | Operator::DivideTruncated
                | Operator::RemainderTruncated
                | Operator::Remainder,
                [Value::Integer(left), Value::Integer(right)],
            ) => {
                let result = match self {
                    Operator::DivideEuclidean => left.divide_euclidean(right),
                    Operator::ModuloEuclidean => left.modulo_euclidean(right),
                    Operator::DivideTruncated => left.divide_truncated(right),
                    Operator::RemainderTruncated => left.remainder_truncated(right),
                    _ => left.remainder_signed_by_divisor(right),
                };
                result.map(Value::Integer).ok_or(EvaluationError::DivisionByZero)
            }
            (Operator::DivideReal, [Value::Real(left), Value::Real(right)]) => {
                if **right == BigRational::default() {
                    return Err(EvaluationError::DivisionByZero);
                }
                Ok(Value::Real(Box::new(left.as_ref() / right.as_ref())))
            }
            (Operator::ToReal, [Value::Integer(value)]) => {
                Ok(Value::Real(Box::new(BigRational::from_integer(value.to_big()))))
            }
            (Operator::Select, [Value::Array(array), index]) => Ok(array.select(index).clone()),
            (Operator::Store, [Value::Array(array), index, element]) => {
                Ok(Value::Array(Arc::new(array.store(index.clone(), element.clone()))))
            }
            (Operator::Bits(operator), _) => {
                let words: Option<Vec<&BitVector>> = arguments
                    .iter()
                    .map(|argument| match argument {
                        Value::Bits(word) => Some(word),
                        _ => None,
                    })
                    .collect();
                match words.and_then(|words| operator.apply(&words)) {
                    Some(BitResult::Word(word)) => Ok(Value::Bits(word)),
                    Some(BitResult::Truth(truth)) => Ok(Value::Boolean(truth)),
                    None => Err(wrong),
                }
            }
            (Operator::Floats(operator), _) => operator.apply(arguments),
            (Operator::ConstantArray(index), [element]) => {
                Ok(Value::Array(Arc::new(ArrayValue::constant(store, index.clone(), element.clone()))))
            }
            _ => Err(wrong),
        }
    }
}
