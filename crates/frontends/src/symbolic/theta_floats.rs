//! Parses Theta's floating point numbers.
//!
//! Invariant: an operator without a rounding mode rounds to nearest, ties to even.

use num_bigint::BigInt;
use tempora_smt::{FloatFormat, FloatOperator, Rounding};

use super::parser::{Parsed, Parser};
use super::tokens::TokenKind;
use super::trees::{ExpressionKind, ExpressionTree};

/// The binary operators, from the lowest precedence.
pub(crate) const FLOAT_EXTREMES: [&str; 2] = ["fpmax", "fpmin"];
pub(crate) const FLOAT_SUMS: [&str; 2] = ["fpadd", "fpsub"];
pub(crate) const FLOAT_PRODUCTS: [&str; 3] = ["fprem", "fpmul", "fpdiv"];

/// The prefix operators.
const FLOAT_SIGNS: [&str; 9] =
    ["fpabs", "fpisnan", "fproundtoint", "fpsqrt", "fptofp", "fptobv", "fpfrombv", "fpneg", "fppos"];

/// Returns whether a word is an operator on floating point numbers.
pub(crate) fn is_float_operator(word: &str) -> bool {
    [&FLOAT_EXTREMES[..], &FLOAT_SUMS, &FLOAT_PRODUCTS, &FLOAT_SIGNS]
        .iter()
        .any(|words| words.contains(&word))
}

impl Parser<'_> {
    /// Parses `[E:S]`, after `fp` and conversions; older models have a comma in it.
    pub(crate) fn theta_format(&mut self) -> Parsed<FloatFormat> {
        self.expect_sign("[")?;
        let exponent = self.theta_number()?;
        if !self.accept_sign(",") {
            self.expect_sign(":")?;
        }
        let significand = self.theta_number()?;
        let format = FloatFormat::new(exponent, significand);
        match format {
            Some(format) => {
                self.expect_sign("]")?;
                Ok(format)
            }
            None => {
                Err(self.unexpected("a format with 2 to 15 bits of exponent and 2 to 113 of significand"))
            }
        }
    }

    /// Accepts one of the given binary operators.
    pub(crate) fn theta_float_operation(&mut self, words: &[&str]) -> Parsed<Option<FloatOperator>> {
        let TokenKind::Word(word) = self.token().kind else { return Ok(None) };
        if !words.contains(&word) {
            return Ok(None);
        }
        self.advance();
        let rounding = self.theta_rounding()?;
        Ok(Some(match word {
            "fpmax" => FloatOperator::Maximum,
            "fpmin" => FloatOperator::Minimum,
            "fpadd" => FloatOperator::Add(rounding),
            "fpsub" => FloatOperator::Subtract(rounding),
            "fprem" => FloatOperator::Remainder,
            "fpmul" => FloatOperator::Multiply(rounding),
            _ => FloatOperator::Divide(rounding),
        }))
    }

    /// Parses a prefix operator and its operand; `None` if another token is next.
    pub(crate) fn theta_float_sign(&mut self) -> Parsed<Option<ExpressionTree>> {
        let start = self.span();
        let TokenKind::Word(word) = self.token().kind else { return Ok(None) };
        if !FLOAT_SIGNS.contains(&word) {
            return Ok(None);
        }
        self.advance();
        let operator = match word {
            "fpabs" => FloatOperator::Absolute,
            "fpisnan" => FloatOperator::IsNaN,
            "fptofp" => {
                let format = self.theta_format()?;
                FloatOperator::Convert(format, self.theta_rounding()?)
            }
            "fptobv" => {
                self.expect_sign("[")?;
                let width = self.theta_number()?;
                self.expect_sign("'")?;
                let is_signed = self.theta_signedness()?;
                let rounding = self.theta_rounding()?;
                if is_signed {
                    FloatOperator::ToSigned(width, rounding)
                } else {
                    FloatOperator::ToUnsigned(width, rounding)
                }
            }
            "fpfrombv" => {
                let format = self.theta_format()?;
                self.expect_sign("[")?;
                let is_signed = self.theta_signedness()?;
                let rounding = self.theta_rounding()?;
                if is_signed {
                    FloatOperator::FromSigned(format, rounding)
                } else {
                    FloatOperator::FromUnsigned(format, rounding)
                }
            }
            word => {
                let rounding = self.theta_rounding()?;
                match word {
                    "fproundtoint" => FloatOperator::RoundToIntegral(rounding),
                    "fpsqrt" => FloatOperator::SquareRoot(rounding),
                    "fpneg" => FloatOperator::Negate,
                    // `fppos` is the identity.
                    _ => return self.theta_operand().map(Some),
                }
            }
        };
        let operand = self.theta_operand()?;
        let kind = ExpressionKind::FloatOperation(operator, vec![operand]);
        Ok(Some(ExpressionTree { kind, span: start.cover(self.span_before()) }))
    }

    /// Parses `s` or `u`, and the bracket after it.
    fn theta_signedness(&mut self) -> Parsed<bool> {
        let is_signed = self.accept_word("s");
        if !is_signed {
            self.expect_word("u")?;
        }
        self.expect_sign("]")?;
        Ok(is_signed)
    }

    /// Parses an optional rounding mode, such as `[RNE]`.
    fn theta_rounding(&mut self) -> Parsed<Rounding> {
        let (TokenKind::Sign("["), TokenKind::Word(name), TokenKind::Sign("]")) =
            (self.token().kind, self.peek(1), self.peek(2))
        else {
            return Ok(Rounding::NearestEven);
        };
        self.advance();
        let Some(rounding) = Rounding::named(&name.to_ascii_uppercase()) else {
            return Err(self.unexpected("a rounding mode (RNE, RNA, RTP, RTN or RTZ)"));
        };
        self.advance();
        self.advance();
        Ok(rounding)
    }

    /// Parses the optional significand after the exponent of a number.
    pub(crate) fn theta_significand(&mut self, exponent: ExpressionTree) -> Parsed<ExpressionTree> {
        let ExpressionKind::Bits(exponent_bits, exponent_number) = &exponent.kind else {
            return Ok(exponent);
        };
        if !self.accept_sign(".") {
            return Ok(exponent);
        }
        let TokenKind::Integer(width) = self.token().kind else {
            return Err(self.unexpected("the bits of a significand"));
        };
        let start = self.span();
        self.advance();
        self.expect_sign("'")?;
        let significand = self.theta_word(width, start)?;
        let ExpressionKind::Bits(stored_bits, significand_number) = &significand.kind else {
            return Err(self.unexpected("the bits of a significand"));
        };
        let Some(format) = FloatFormat::new(*exponent_bits, stored_bits + 1) else {
            return Err(self.unexpected("a format with 2 to 15 bits of exponent and 2 to 113 of significand"));
        };
        let parts: [BigInt; 2] = [exponent_number.clone(), significand_number.clone()];
        let span = exponent.span.cover(self.span_before());
        Ok(ExpressionTree { kind: ExpressionKind::Float(format, Box::new(parts)), span })
    }
}
