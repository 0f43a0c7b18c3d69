//! Bit vectors and their operators.
//!
//! Invariant: the number of a bit vector is less than two to the power of its width. Operators follow SMT-LIB, also for
//! a zero divisor, so that each has a value for all arguments.

use num_bigint::{BigInt, BigUint};

use crate::Sort;

/// The maximal width.
pub const WIDEST: u32 = 4096;

/// A bit vector.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BitVector {
    width: u32,
    number: BigUint,
}

/// An operator on bit vectors.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BitOperator {
    /// The bitwise complement.
    Not,
    /// The negation in two's complement.
    Negate,
    /// The bitwise conjunction.
    And,
    /// The bitwise disjunction.
    Or,
    /// The bitwise exclusive disjunction.
    Xor,
    /// The sum.
    Add,
    /// The difference.
    Subtract,
    /// The product.
    Multiply,
    /// The unsigned quotient; all ones if the divisor is zero.
    DivideUnsigned,
    /// The unsigned remainder; the dividend if the divisor is zero.
    RemainderUnsigned,
    /// The signed quotient, rounded towards zero.
    DivideSigned,
    /// The remainder with the sign of the dividend.
    RemainderSigned,
    /// The remainder with the sign of the divisor.
    ModuloSigned,
    /// A shift to the left, filled with zeros.
    ShiftLeft,
    /// A shift to the right, filled with zeros.
    ShiftRight,
    /// A shift to the right, filled with the sign.
    ShiftRightSigned,
    /// Unsigned `<`.
    LessUnsigned,
    /// Unsigned `<=`.
    LessEqualUnsigned,
    /// Signed `<`.
    LessSigned,
    /// Signed `<=`.
    LessEqualSigned,
    /// The concatenation, with the first argument in the high bits.
    Concatenate,
    /// The bits between two positions, inclusive, counted from the lowest bit.
    Extract {
        /// The highest position.
        high: u32,
        /// The lowest position.
        low: u32,
    },
    /// This number of zeros in front.
    ExtendZero(u32),
    /// This number of copies of the sign in front.
    ExtendSign(u32),
}

impl BitVector {
    /// Creates a bit vector from the lowest bits of a number; `None` for an invalid width.
    pub fn new(width: u32, number: &BigInt) -> Option<BitVector> {
        if width == 0 || width > WIDEST {
            return None;
        }
        let modulus = BigInt::from(1) << width;
        let number = ((number % &modulus) + &modulus) % &modulus;
        Some(BitVector { width, number: number.to_biguint()? })
    }

    /// Returns the number of bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns its value as an unsigned number.
    pub fn number(&self) -> &BigUint {
        &self.number
    }

    /// Returns its bits in SMT-LIB notation, without `#b`.
    pub fn digits(&self) -> String {
        let digits = self.number.to_str_radix(2);
        let width = self.width as usize;
        format!("{digits:0>width$}")
    }

    fn with(&self, number: &BigInt) -> BitVector {
        BitVector::new(self.width, number).unwrap_or_else(|| self.clone())
    }

    fn unsigned(&self) -> BigInt {
        BigInt::from(self.number.clone())
    }

    fn is_negative(&self) -> bool {
        self.number.bit(u64::from(self.width) - 1)
    }

    pub(crate) fn signed(&self) -> BigInt {
        if self.is_negative() { self.unsigned() - (BigInt::from(1) << self.width) } else { self.unsigned() }
    }

    /// Returns the distance of a shift, at most the width.
    fn distance(&self, width: u32) -> u32 {
        u32::try_from(&self.number).map_or(width, |distance| distance.min(width))
    }
}

/// The result of an operator.
pub(crate) enum BitResult {
    Word(BitVector),
    Truth(bool),
}

impl BitOperator {
    /// The operators without indices.
    pub const NAMED: [BitOperator; 21] = [
        BitOperator::Not,
        BitOperator::Negate,
        BitOperator::And,
        BitOperator::Or,
        BitOperator::Xor,
        BitOperator::Add,
        BitOperator::Subtract,
        BitOperator::Multiply,
        BitOperator::DivideUnsigned,
        BitOperator::RemainderUnsigned,
        BitOperator::DivideSigned,
        BitOperator::RemainderSigned,
        BitOperator::ModuloSigned,
        BitOperator::ShiftLeft,
        BitOperator::ShiftRight,
        BitOperator::ShiftRightSigned,
        BitOperator::LessUnsigned,
        BitOperator::LessEqualUnsigned,
        BitOperator::LessSigned,
        BitOperator::LessEqualSigned,
        BitOperator::Concatenate,
    ];

    /// Returns the name in SMT-LIB.
    pub fn name(self) -> &'static str {
        match self {
            BitOperator::Not => "bvnot",
            BitOperator::Negate => "bvneg",
            BitOperator::And => "bvand",
            BitOperator::Or => "bvor",
            BitOperator::Xor => "bvxor",
            BitOperator::Add => "bvadd",
            BitOperator::Subtract => "bvsub",
            BitOperator::Multiply => "bvmul",
            BitOperator::DivideUnsigned => "bvudiv",
            BitOperator::RemainderUnsigned => "bvurem",
            BitOperator::DivideSigned => "bvsdiv",
            BitOperator::RemainderSigned => "bvsrem",
            BitOperator::ModuloSigned => "bvsmod",
            BitOperator::ShiftLeft => "bvshl",
            BitOperator::ShiftRight => "bvlshr",
            BitOperator::ShiftRightSigned => "bvashr",
            BitOperator::LessUnsigned => "bvult",
            BitOperator::LessEqualUnsigned => "bvule",
            BitOperator::LessSigned => "bvslt",
            BitOperator::LessEqualSigned => "bvsle",
            BitOperator::Concatenate => "concat",
            BitOperator::Extract { .. } => "extract",
            BitOperator::ExtendZero(_) => "zero_extend",
            BitOperator::ExtendSign(_) => "sign_extend",
        }
    }

    /// Returns the operator in SMT-LIB notation, with its indices.
    pub fn text(self) -> String {
        let name = self.name();
        match self {
            BitOperator::Extract { high, low } => format!("(_ {name} {high} {low})"),
            BitOperator::ExtendZero(more) | BitOperator::ExtendSign(more) => format!("(_ {name} {more})"),
            _ => name.to_owned(),
        }
    }

    /// Returns the operator with a name and indices.
    pub fn indexed(name: &str, numbers: &[u32]) -> Option<BitOperator> {
        match (name, numbers) {
            ("extract", [high, low]) => Some(BitOperator::Extract { high: *high, low: *low }),
            ("zero_extend", [more]) => Some(BitOperator::ExtendZero(*more)),
            ("sign_extend", [more]) => Some(BitOperator::ExtendSign(*more)),
            _ => None,
        }
    }

    /// Returns the sort of the result, `None` for arguments of unsupported sorts.
    pub(crate) fn result_sort(self, arguments: &[&Sort]) -> Option<Sort> {
        let allowed =
            |width: Option<u32>| width.filter(|width| (1..=WIDEST).contains(width)).map(Sort::BitVector);
        match (self, arguments) {
            (BitOperator::Not | BitOperator::Negate, [Sort::BitVector(width)]) => allowed(Some(*width)),
            (
                BitOperator::LessUnsigned
                | BitOperator::LessEqualUnsigned
                | BitOperator::LessSigned
                | BitOperator::LessEqualSigned,
                [Sort::BitVector(left), Sort::BitVector(right)],
            ) => (left == right).then_some(Sort::Boolean),
            (BitOperator::Concatenate, [Sort::BitVector(left), Sort::BitVector(right)]) => {
                allowed(left.checked_add(*right))
            }
            (BitOperator::Extract { high, low }, [Sort::BitVector(width)]) => {
                (low <= high && high < *width).then(|| Sort::BitVector(high - low + 1))
            }
            (BitOperator::ExtendZero(more) | BitOperator::ExtendSign(more), [Sort::BitVector(width)]) => {
                allowed(width.checked_add(more))
            }
            (
                BitOperator::Not
                | BitOperator::Negate
                | BitOperator::Extract { .. }
                | BitOperator::ExtendZero(_)
                | BitOperator::ExtendSign(_),
                _,
            ) => None,
            (_, [Sort::BitVector(left), Sort::BitVector(right)]) if left == right => allowed(Some(*left)),
            _ => None,
        }
    }

    /// Returns the value for arguments of the right widths.
    pub(crate) fn apply(self, arguments: &[&BitVector]) -> Option<BitResult> {
        let word = |value: BitVector| Some(BitResult::Word(value));
        match (self, arguments) {
            (BitOperator::Not, [one]) => word(one.with(&(BigInt::from(-1) - one.unsigned()))),
            (BitOperator::Negate, [one]) => word(one.with(&-one.unsigned())),
            (BitOperator::Concatenate, [left, right]) => {
                let number = (left.unsigned() << right.width) + right.unsigned();
                BitVector::new(left.width.checked_add(right.width)?, &number).and_then(word)
            }
            (BitOperator::Extract { high, low }, [one]) if low <= high && high < one.width => {
                BitVector::new(high - low + 1, &(one.unsigned() >> low)).and_then(word)
            }
            (BitOperator::ExtendZero(more), [one]) => {
                BitVector::new(one.width.checked_add(more)?, &one.unsigned()).and_then(word)
            }
            (BitOperator::ExtendSign(more), [one]) => {
                BitVector::new(one.width.checked_add(more)?, &one.signed()).and_then(word)
            }
            (_, [left, right]) if left.width == right.width => self.apply_equal(left, right),
            _ => None,
        }
    }

    fn apply_equal(self, left: &BitVector, right: &BitVector) -> Option<BitResult> {
        let (unsigned, signed) = ((left.unsigned(), right.unsigned()), (left.signed(), right.signed()));
        let is_zero = right.number == BigUint::default();
        let truth = |value: bool| Some(BitResult::Truth(value));
        let number = match self {
            BitOperator::And => BigInt::from(&left.number & &right.number),
            BitOperator::Or => BigInt::from(&left.number | &right.number),
            BitOperator::Xor => BigInt::from(&left.number ^ &right.number),
            BitOperator::Add => unsigned.0 + unsigned.1,
            BitOperator::Subtract => unsigned.0 - unsigned.1,
            BitOperator::Multiply => unsigned.0 * unsigned.1,
            BitOperator::DivideUnsigned if is_zero => BigInt::from(-1),
            BitOperator::DivideUnsigned => unsigned.0 / unsigned.1,
            BitOperator::RemainderUnsigned | BitOperator::RemainderSigned | BitOperator::ModuloSigned
                if is_zero =>
            {
                unsigned.0
            }
            BitOperator::RemainderUnsigned => unsigned.0 % unsigned.1,
            // One for negative dividends, minus one otherwise.
            BitOperator::DivideSigned if is_zero => BigInt::from(if left.is_negative() { 1 } else { -1 }),
            // Both round towards zero, like integer division here.
            BitOperator::DivideSigned => signed.0 / signed.1,
            BitOperator::RemainderSigned => signed.0 % signed.1,
            BitOperator::ModuloSigned => {
                let remainder = &signed.0 % &signed.1;
                let is_other_side =
                    remainder != BigInt::default() && left.is_negative() != right.is_negative();
                if is_other_side { remainder + signed.1 } else { remainder }
            }
            BitOperator::ShiftLeft => unsigned.0 << right.distance(left.width),
            BitOperator::ShiftRight => unsigned.0 >> right.distance(left.width),
            BitOperator::ShiftRightSigned => signed.0 >> right.distance(left.width),
            BitOperator::LessUnsigned => return truth(unsigned.0 < unsigned.1),
            BitOperator::LessEqualUnsigned => return truth(unsigned.0 <= unsigned.1),
            BitOperator::LessSigned => return truth(signed.0 < signed.1),
            BitOperator::LessEqualSigned => return truth(signed.0 <= signed.1),
            _ => return None,
        };
        Some(BitResult::Word(left.with(&number)))
    }
}
