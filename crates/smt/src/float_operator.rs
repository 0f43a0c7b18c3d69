//! Operators on floating point numbers: their names, sorts and values.
//!
//! Invariant: they follow SMT-LIB. A result that SMT-LIB leaves unspecified (the minimum of two zeros, a bit vector for
//! a number out of its range) has no value.

use num_bigint::BigInt;
use num_rational::BigRational;

use crate::{BitVector, EvaluationError, Float, FloatFormat, Rounding, Sort, Value};

/// An operator on floating point numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FloatOperator {
    /// The sum.
    Add(Rounding),
    /// The difference.
    Subtract(Rounding),
    /// The product.
    Multiply(Rounding),
    /// The quotient.
    Divide(Rounding),
    /// The remainder from the nearest multiple of the second argument.
    Remainder,
    /// The square root.
    SquareRoot(Rounding),
    /// The nearest integer, as a float.
    RoundToIntegral(Rounding),
    /// The minimum.
    Minimum,
    /// The maximum.
    Maximum,
    /// The absolute value.
    Absolute,
    /// The negation.
    Negate,
    /// `<`.
    Less,
    /// `<=`.
    LessEqual,
    /// Numerical equality: zeros are equal, and NaN equals nothing.
    Equal,
    /// Whether it is NaN.
    IsNaN,
    /// Whether it is infinite.
    IsInfinite,
    /// The conversion to another format.
    Convert(FloatFormat, Rounding),
    /// The conversion from a signed bit vector.
    FromSigned(FloatFormat, Rounding),
    /// The conversion from an unsigned bit vector.
    FromUnsigned(FloatFormat, Rounding),
    /// The nearest integer as a signed bit vector.
    ToSigned(u32, Rounding),
    /// The nearest integer as an unsigned bit vector.
    ToUnsigned(u32, Rounding),
}

impl FloatOperator {
    /// Returns the name in SMT-LIB.
    pub fn name(self) -> &'static str {
        match self {
            FloatOperator::Add(_) => "fp.add",
            FloatOperator::Subtract(_) => "fp.sub",
            FloatOperator::Multiply(_) => "fp.mul",
            FloatOperator::Divide(_) => "fp.div",
            FloatOperator::Remainder => "fp.rem",
            FloatOperator::SquareRoot(_) => "fp.sqrt",
            FloatOperator::RoundToIntegral(_) => "fp.roundToIntegral",
            FloatOperator::Minimum => "fp.min",
            FloatOperator::Maximum => "fp.max",
            FloatOperator::Absolute => "fp.abs",
            FloatOperator::Negate => "fp.neg",
            FloatOperator::Less => "fp.lt",
            FloatOperator::LessEqual => "fp.leq",
            FloatOperator::Equal => "fp.eq",
            FloatOperator::IsNaN => "fp.isNaN",
            FloatOperator::IsInfinite => "fp.isInfinite",
            FloatOperator::Convert(..) | FloatOperator::FromSigned(..) => "to_fp",
            FloatOperator::FromUnsigned(..) => "to_fp_unsigned",
            FloatOperator::ToSigned(..) => "fp.to_sbv",
            FloatOperator::ToUnsigned(..) => "fp.to_ubv",
        }
    }

    /// Returns its rounding mode, if it has one.
    pub fn rounding(self) -> Option<Rounding> {
        match self {
            FloatOperator::Add(rounding)
            | FloatOperator::Subtract(rounding)
            | FloatOperator::Multiply(rounding)
            | FloatOperator::Divide(rounding)
            | FloatOperator::SquareRoot(rounding)
            | FloatOperator::RoundToIntegral(rounding)
            | FloatOperator::Convert(_, rounding)
            | FloatOperator::FromSigned(_, rounding)
            | FloatOperator::FromUnsigned(_, rounding)
            | FloatOperator::ToSigned(_, rounding)
            | FloatOperator::ToUnsigned(_, rounding) => Some(rounding),
            _ => None,
        }
    }

    /// Returns the SMT-LIB text in front of its arguments.
    pub fn text(self) -> String {
        let name = self.name();
        let head = match self {
            FloatOperator::Convert(format, _)
            | FloatOperator::FromSigned(format, _)
            | FloatOperator::FromUnsigned(format, _) => {
                format!("(_ {name} {} {})", format.exponent_bits(), format.significand_bits())
            }
            FloatOperator::ToSigned(width, _) | FloatOperator::ToUnsigned(width, _) => {
                format!("(_ {name} {width})")
            }
            _ => name.to_owned(),
        };
        match self.rounding() {
            Some(rounding) => format!("{head} {}", rounding.name()),
            None => head,
        }
    }

    /// Returns the operator with this name, indices and rounding mode, for an argument of this sort.
    pub fn named(
        name: &str,
        numbers: &[u32],
        rounding: Option<Rounding>,
        argument: &Sort,
    ) -> Option<FloatOperator> {
        let is_word = matches!(argument, Sort::BitVector(_));
        Some(match (name, numbers, rounding) {
            ("fp.add", [], Some(rounding)) => FloatOperator::Add(rounding),
            ("fp.sub", [], Some(rounding)) => FloatOperator::Subtract(rounding),
            ("fp.mul", [], Some(rounding)) => FloatOperator::Multiply(rounding),
            ("fp.div", [], Some(rounding)) => FloatOperator::Divide(rounding),
            ("fp.sqrt", [], Some(rounding)) => FloatOperator::SquareRoot(rounding),
            ("fp.roundToIntegral", [], Some(rounding)) => FloatOperator::RoundToIntegral(rounding),
            ("fp.rem", [], None) => FloatOperator::Remainder,
            ("fp.min", [], None) => FloatOperator::Minimum,
            ("fp.max", [], None) => FloatOperator::Maximum,
            ("fp.abs", [], None) => FloatOperator::Absolute,
            ("fp.neg", [], None) => FloatOperator::Negate,
            ("fp.lt", [], None) => FloatOperator::Less,
            ("fp.leq", [], None) => FloatOperator::LessEqual,
            ("fp.eq", [], None) => FloatOperator::Equal,
            ("fp.isNaN", [], None) => FloatOperator::IsNaN,
            ("fp.isInfinite", [], None) => FloatOperator::IsInfinite,
            ("to_fp", [exponent, significand], Some(rounding)) => {
                let format = FloatFormat::new(*exponent, *significand)?;
                match is_word {
                    true => FloatOperator::FromSigned(format, rounding),
                    false => FloatOperator::Convert(format, rounding),
                }
            }
            ("to_fp_unsigned", [exponent, significand], Some(rounding)) => {
                FloatOperator::FromUnsigned(FloatFormat::new(*exponent, *significand)?, rounding)
            }
            ("fp.to_sbv", [width], Some(rounding)) => FloatOperator::ToSigned(*width, rounding),
            ("fp.to_ubv", [width], Some(rounding)) => FloatOperator::ToUnsigned(*width, rounding),
            _ => return None,
        })
    }

    pub(crate) fn result_sort(self, arguments: &[&Sort]) -> Option<Sort> {
        match (self, arguments) {
            (
                FloatOperator::Absolute
                | FloatOperator::Negate
                | FloatOperator::SquareRoot(_)
                | FloatOperator::RoundToIntegral(_),
                [sort @ Sort::Float(_)],
            ) => Some((*sort).clone()),
            (FloatOperator::IsNaN | FloatOperator::IsInfinite, [Sort::Float(_)]) => Some(Sort::Boolean),
            (FloatOperator::Convert(format, _), [Sort::Float(_)])
            | (
                FloatOperator::FromSigned(format, _) | FloatOperator::FromUnsigned(format, _),
                [Sort::BitVector(_)],
            ) => Some(Sort::Float(format)),
            (FloatOperator::ToSigned(width, _) | FloatOperator::ToUnsigned(width, _), [Sort::Float(_)]) => {
                (1..=crate::WIDEST_BIT_VECTOR).contains(&width).then_some(Sort::BitVector(width))
            }
            (
                FloatOperator::Less | FloatOperator::LessEqual | FloatOperator::Equal,
                [Sort::Float(left), Sort::Float(right)],
            ) => (left == right).then_some(Sort::Boolean),
            (
                FloatOperator::Add(_)
                | FloatOperator::Subtract(_)
                | FloatOperator::Multiply(_)
                | FloatOperator::Divide(_)
                | FloatOperator::Remainder
                | FloatOperator::Minimum
                | FloatOperator::Maximum,
                [Sort::Float(left), Sort::Float(right)],
            ) => (left == right).then_some(Sort::Float(*left)),
            _ => None,
        }
    }

    pub(crate) fn apply(self, arguments: &[Value]) -> Result<Value, EvaluationError> {
        let float = |value: Option<Float>| {
            value.map(|value| Value::Float(Box::new(value))).ok_or(EvaluationError::Unspecified)
        };
        match (self, arguments) {
            (FloatOperator::IsNaN | FloatOperator::IsInfinite, [Value::Float(one)]) => {
                one.test(self, None).map(Value::Boolean).ok_or(EvaluationError::WrongSorts)
            }
            (
                FloatOperator::ToSigned(width, rounding) | FloatOperator::ToUnsigned(width, rounding),
                [Value::Float(one)],
            ) => {
                let whole = one.to_whole(rounding).ok_or(EvaluationError::Unspecified)?;
                let is_signed = matches!(self, FloatOperator::ToSigned(..));
                let limit = BigInt::from(1) << (width - u32::from(is_signed));
                let least = if is_signed { -limit.clone() } else { BigInt::from(0) };
                if whole < least || whole >= limit {
                    return Err(EvaluationError::Unspecified);
                }
                BitVector::new(width, &whole).map(Value::Bits).ok_or(EvaluationError::WrongSorts)
            }
            (_, [Value::Float(one)]) => float(one.unary(self)),
            (FloatOperator::FromSigned(format, rounding), [Value::Bits(word)]) => {
                let number = BigRational::from_integer(word.signed());
                float(Some(Float::rounded(format, rounding, &number)))
            }
            (FloatOperator::FromUnsigned(format, rounding), [Value::Bits(word)]) => {
                let number = BigRational::from_integer(BigInt::from(word.number().clone()));
                float(Some(Float::rounded(format, rounding, &number)))
            }
            (
                FloatOperator::Less | FloatOperator::LessEqual | FloatOperator::Equal,
                [Value::Float(left), Value::Float(right)],
            ) => left.test(self, Some(right)).map(Value::Boolean).ok_or(EvaluationError::WrongSorts),
            (_, [Value::Float(left), Value::Float(right)]) => float(left.binary(self, right)),
            _ => Err(EvaluationError::WrongSorts),
        }
    }
}
