//! SMT-LIB notation of floating point numbers and their operators.
//!
//! Invariant: printed text is read back as the same term.

use num_bigint::BigInt;

use crate::text::Reader;
use crate::{
    BitVector, Expression, Float, FloatFormat, FloatNumber, FloatOperator, Operator, ReadError, Rounding,
    Sort, TermId, Value,
};

/// Prints a number by its bits; NaN, which has several representations, by its name.
pub(crate) fn float_text(float: &Float) -> String {
    let (exponent_bits, stored_bits) =
        (float.format().exponent_bits() as usize, float.format().significand_bits() as usize - 1);
    if *float.number() == FloatNumber::NotANumber {
        return format!("(_ NaN {exponent_bits} {})", stored_bits + 1);
    }
    let (is_negative, exponent, significand) = float.parts();
    let (exponent, significand) = (exponent.to_str_radix(2), significand.to_str_radix(2));
    let sign = u8::from(is_negative);
    format!("(fp #b{sign} #b{exponent:0>exponent_bits$} #b{significand:0>stored_bits$})")
}

impl Reader<'_> {
    /// Reads an operator on floating point numbers, possibly with a rounding mode before its arguments.
    pub(crate) fn read_float(
        &mut self,
        name: &str,
        numbers: &[u32],
        parts: &[Expression],
        expression: &Expression,
    ) -> Result<TermId, ReadError> {
        let rounding = parts.first().and_then(Expression::word).and_then(Rounding::named);
        let parts = if rounding.is_some() { &parts[1..] } else { parts };
        let arguments: Vec<TermId> = parts.iter().map(|part| self.read(part)).collect::<Result<_, _>>()?;
        let first = arguments.first().map_or(Sort::Boolean, |first| self.store.sort(*first).clone());
        // `>` and `>=` are read as flipped comparisons.
        let (name, arguments) = match name {
            "fp.gt" => ("fp.lt", arguments.into_iter().rev().collect()),
            "fp.geq" => ("fp.leq", arguments.into_iter().rev().collect()),
            name => (name, arguments),
        };
        match FloatOperator::named(name, numbers, rounding, &first) {
            Some(operator) => self.apply(&Operator::Floats(operator), &arguments, expression),
            None => {
                Err(expression
                    .error(format!("unknown operator `{name}` with these indices and rounding mode")))
            }
        }
    }

    /// Reads NaN, an infinity or a zero: `(_ NaN EXPONENT SIGNIFICAND)`.
    pub(crate) fn special_float(
        &mut self,
        kind: &Expression,
        exponent: &Expression,
        significand: &Expression,
        expression: &Expression,
    ) -> Result<TermId, ReadError> {
        let number = match kind.word() {
            Some("NaN") => Some(FloatNumber::NotANumber),
            Some("+oo") => Some(FloatNumber::Infinite(false)),
            Some("-oo") => Some(FloatNumber::Infinite(true)),
            Some("+zero") => Some(FloatNumber::Zero(false)),
            Some("-zero") => Some(FloatNumber::Zero(true)),
            _ => None,
        };
        let bits = |part: &Expression| part.word().and_then(|bits| bits.parse().ok());
        let format = bits(exponent).zip(bits(significand));
        let format = format.and_then(|(exponent, significand)| FloatFormat::new(exponent, significand));
        match (number, format) {
            (Some(number), Some(format)) => {
                Ok(self.store.constant(Value::Float(Box::new(Float::special(format, number)))))
            }
            _ => Err(expression.error("expected NaN, +oo, -oo, +zero or -zero with a format")),
        }
    }

    /// Reads a number by its bits: `(fp SIGN EXPONENT SIGNIFICAND)`.
    pub(crate) fn float_of_parts(
        &mut self,
        parts: [&Expression; 3],
        expression: &Expression,
    ) -> Result<TermId, ReadError> {
        let mut words = Vec::new();
        for part in parts {
            let term = self.read(part)?;
            match self.store.as_value(term) {
                Some(Value::Bits(word)) => words.push(word.clone()),
                _ => return Err(part.error("expected the bits of a floating point number")),
            }
        }
        let float = match words.as_slice() {
            [sign, exponent, significand] if sign.width() == 1 => {
                let number = |word: &BitVector| BigInt::from(word.number().clone());
                FloatFormat::new(exponent.width(), significand.width() + 1).and_then(|format| {
                    let is_negative = sign.number().bit(0);
                    Float::from_parts(format, is_negative, &number(exponent), &number(significand))
                })
            }
            _ => None,
        };
        match float {
            Some(float) => Ok(self.store.constant(Value::Float(Box::new(float)))),
            None => Err(expression.error("expected (fp SIGN EXPONENT SIGNIFICAND)")),
        }
    }
}
