//! Floating point numbers of any format up to quadruple precision, as in IEEE 754 and SMT-LIB.
//!
//! An operator computes the exact number and rounds it once, so there are no intermediate roundings.
//!
//! Invariant: the number of a finite float is not zero and representable in its format. There is one NaN.

use num_bigint::BigInt;
use num_rational::BigRational;

use crate::FloatOperator;

/// A format: the numbers of bits of the exponent and of the significand, including the hidden bit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FloatFormat {
    exponent: u32,
    significand: u32,
}

/// A rounding mode.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rounding {
    /// To nearest, ties to even.
    NearestEven,
    /// To nearest, ties away from zero.
    NearestAway,
    /// Towards positive infinity.
    Up,
    /// Towards negative infinity.
    Down,
    /// Towards zero.
    Zero,
}

/// A floating point number.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Float {
    format: FloatFormat,
    number: FloatNumber,
}

/// The number of a float. The flags are true for negative signs.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FloatNumber {
    /// Not a number.
    NotANumber,
    /// Infinity.
    Infinite(bool),
    /// Zero.
    Zero(bool),
    /// A nonzero finite number.
    Finite(BigRational),
}

impl FloatFormat {
    /// Creates a format; `None` if it is not supported.
    pub fn new(exponent: u32, significand: u32) -> Option<FloatFormat> {
        ((2..=15).contains(&exponent) && (2..=113).contains(&significand))
            .then_some(FloatFormat { exponent, significand })
    }

    /// Returns the number of exponent bits.
    pub fn exponent_bits(self) -> u32 {
        self.exponent
    }

    /// Returns the number of significand bits, including the hidden bit.
    pub fn significand_bits(self) -> u32 {
        self.significand
    }

    fn bias(self) -> i64 {
        (1 << (self.exponent - 1)) - 1
    }

    /// Returns the exponent of the smallest normal number.
    fn least(self) -> i64 {
        1 - self.bias()
    }

    /// Returns the largest finite number.
    fn largest(self) -> BigRational {
        let whole = (BigInt::from(1) << self.significand) - 1;
        BigRational::from_integer(whole) * power(self.bias() - i64::from(self.significand) + 1)
    }
}

impl Rounding {
    /// All rounding modes.
    pub const ALL: [Rounding; 5] =
        [Rounding::NearestEven, Rounding::NearestAway, Rounding::Up, Rounding::Down, Rounding::Zero];

    /// Returns the short name in SMT-LIB.
    pub fn name(self) -> &'static str {
        match self {
            Rounding::NearestEven => "RNE",
            Rounding::NearestAway => "RNA",
            Rounding::Up => "RTP",
            Rounding::Down => "RTN",
            Rounding::Zero => "RTZ",
        }
    }

    /// Returns the mode with a name, short or long.
    pub fn named(name: &str) -> Option<Rounding> {
        let long = match name {
            "roundNearestTiesToEven" => "RNE",
            "roundNearestTiesToAway" => "RNA",
            "roundTowardPositive" => "RTP",
            "roundTowardNegative" => "RTN",
            "roundTowardZero" => "RTZ",
            short => short,
        };
        Rounding::ALL.into_iter().find(|rounding| rounding.name() == long)
    }

    /// Rounds a magnitude to an integer.
    fn whole(self, magnitude: &BigRational, is_negative: bool) -> BigInt {
        let floor = magnitude.floor().to_integer();
        let rest = magnitude - BigRational::from_integer(floor.clone());
        let half = BigRational::new(BigInt::from(1), BigInt::from(2));
        let zero = BigRational::default();
        let is_up = match self {
            Rounding::NearestEven if rest == half => floor.bit(0),
            Rounding::NearestEven => rest > half,
            Rounding::NearestAway => rest >= half,
            Rounding::Up => rest > zero && !is_negative,
            Rounding::Down => rest > zero && is_negative,
            Rounding::Zero => false,
        };
        if is_up { floor + 1 } else { floor }
    }
}

/// Returns two to the power of a number.
fn power(exponent: i64) -> BigRational {
    let shifted = BigInt::from(1) << exponent.unsigned_abs();
    if exponent < 0 { BigRational::new(BigInt::from(1), shifted) } else { BigRational::from_integer(shifted) }
}

fn is_below_zero(number: &BigRational) -> bool {
    *number < BigRational::default()
}

fn magnitude(number: &BigRational) -> BigRational {
    if is_below_zero(number) { -number.clone() } else { number.clone() }
}

/// Returns the largest exponent for which the power of two does not exceed a positive number.
fn logarithm(number: &BigRational) -> i64 {
    let bits = |part: &BigInt| i64::try_from(part.bits()).unwrap_or(i64::MAX / 4);
    let guess = bits(number.numer()) - bits(number.denom());
    if *number < power(guess) { guess - 1 } else { guess }
}

impl Float {
    /// Creates a float from the fields of its format; `None` if a field has too many bits.
    pub fn from_parts(
        format: FloatFormat,
        is_negative: bool,
        exponent: &BigInt,
        significand: &BigInt,
    ) -> Option<Float> {
        let exponent = u32::try_from(exponent).ok().filter(|exponent| *exponent < 1 << format.exponent)?;
        let stored = format.significand - 1;
        if significand.bits() > u64::from(stored) || *significand < BigInt::from(0) {
            return None;
        }
        let is_zero = significand.bits() == 0;
        let number = if exponent == (1 << format.exponent) - 1 {
            if is_zero { FloatNumber::Infinite(is_negative) } else { FloatNumber::NotANumber }
        } else if exponent == 0 && is_zero {
            FloatNumber::Zero(is_negative)
        } else {
            let (whole, exponent) = match exponent {
                0 => (significand.clone(), format.least()),
                exponent => (significand + (BigInt::from(1) << stored), i64::from(exponent) - format.bias()),
            };
            let size = BigRational::from_integer(whole) * power(exponent - i64::from(stored));
            FloatNumber::Finite(if is_negative { -size } else { size })
        };
        Some(Float { format, number })
    }

    /// Returns the fields of its format: sign, exponent and stored significand. For NaN, those of one representation.
    pub fn parts(&self) -> (bool, BigInt, BigInt) {
        let (format, stored) = (self.format, i64::from(self.format.significand) - 1);
        let top = (BigInt::from(1) << format.exponent) - 1;
        match &self.number {
            FloatNumber::NotANumber => (false, top, BigInt::from(1)),
            FloatNumber::Infinite(sign) => (*sign, top, BigInt::from(0)),
            FloatNumber::Zero(sign) => (*sign, BigInt::from(0), BigInt::from(0)),
            FloatNumber::Finite(number) => {
                let size = magnitude(number);
                let exponent = logarithm(&size).max(format.least());
                let whole = (&size * power(stored - exponent)).to_integer();
                let hidden = BigInt::from(1) << stored;
                let sign = is_below_zero(number);
                if whole < hidden {
                    (sign, BigInt::from(0), whole)
                } else {
                    (sign, BigInt::from(exponent + format.bias()), whole - hidden)
                }
            }
        }
    }

    /// Returns all floats of a format, with one NaN, up to a limit on their number.
    pub(crate) fn all_of(format: FloatFormat, limit: usize) -> Option<Vec<Float>> {
        let bits = format.exponent + format.significand;
        if bits > 24 || 1usize << bits > limit {
            return None;
        }
        let mut all = Vec::new();
        for is_negative in [false, true] {
            for exponent in 0..1u32 << format.exponent {
                for significand in 0..1u32 << (format.significand - 1) {
                    all.extend(Float::from_parts(format, is_negative, &exponent.into(), &significand.into()));
                }
            }
        }
        all.sort();
        all.dedup();
        Some(all)
    }

    /// Returns positive zero.
    pub fn zero(format: FloatFormat) -> Float {
        Float { format, number: FloatNumber::Zero(false) }
    }

    /// Creates an infinity or a zero; any other number gives NaN.
    pub fn special(format: FloatFormat, number: FloatNumber) -> Float {
        let number = match number {
            FloatNumber::Finite(_) => FloatNumber::NotANumber,
            number => number,
        };
        Float { format, number }
    }

    /// Rounds an exact number to a float; an exact zero is positive.
    pub fn rounded(format: FloatFormat, rounding: Rounding, exact: &BigRational) -> Float {
        if *exact == BigRational::default() {
            return Float::zero(format);
        }
        let is_negative = is_below_zero(exact);
        let size = magnitude(exact);
        let exponent = logarithm(&size).max(format.least());
        let unit = power(exponent - i64::from(format.significand) + 1);
        let whole = rounding.whole(&(&size / &unit), is_negative);
        let size = BigRational::from_integer(whole) * unit;
        let signed = |size: BigRational| if is_negative { -size } else { size };
        let number = if size == BigRational::default() {
            FloatNumber::Zero(is_negative)
        } else if size > format.largest() {
            let stays = match rounding {
                Rounding::NearestEven | Rounding::NearestAway => false,
                Rounding::Up => is_negative,
                Rounding::Down => !is_negative,
                Rounding::Zero => true,
            };
            if stays {
                FloatNumber::Finite(signed(format.largest()))
            } else {
                FloatNumber::Infinite(is_negative)
            }
        } else {
            FloatNumber::Finite(signed(size))
        };
        Float { format, number }
    }

    /// Returns its format.
    pub fn format(&self) -> FloatFormat {
        self.format
    }

    /// Returns its number.
    pub fn number(&self) -> &FloatNumber {
        &self.number
    }

    fn with(&self, number: FloatNumber) -> Float {
        Float { format: self.format, number }
    }

    fn nan(&self) -> Float {
        self.with(FloatNumber::NotANumber)
    }

    fn is_nan(&self) -> bool {
        self.number == FloatNumber::NotANumber
    }

    fn sign(&self) -> bool {
        match &self.number {
            FloatNumber::NotANumber => false,
            FloatNumber::Infinite(sign) | FloatNumber::Zero(sign) => *sign,
            FloatNumber::Finite(number) => is_below_zero(number),
        }
    }

    /// Returns the exact number, if it is finite.
    fn exact(&self) -> Option<BigRational> {
        match &self.number {
            FloatNumber::Zero(_) => Some(BigRational::default()),
            FloatNumber::Finite(number) => Some(number.clone()),
            FloatNumber::Infinite(_) | FloatNumber::NotANumber => None,
        }
    }

    /// Returns the float with the opposite sign.
    pub(crate) fn negate(&self) -> Float {
        self.with(match &self.number {
            FloatNumber::NotANumber => FloatNumber::NotANumber,
            FloatNumber::Infinite(sign) => FloatNumber::Infinite(!sign),
            FloatNumber::Zero(sign) => FloatNumber::Zero(!sign),
            FloatNumber::Finite(number) => FloatNumber::Finite(-number.clone()),
        })
    }

    fn absolute(&self) -> Float {
        if self.sign() { self.negate() } else { self.clone() }
    }

    fn add(&self, other: &Float, rounding: Rounding) -> Float {
        match (&self.number, &other.number) {
            (FloatNumber::NotANumber, _) | (_, FloatNumber::NotANumber) => self.nan(),
            (FloatNumber::Infinite(left), FloatNumber::Infinite(right)) if left != right => self.nan(),
            (FloatNumber::Infinite(_), _) => self.clone(),
            (_, FloatNumber::Infinite(_)) => other.clone(),
            (FloatNumber::Zero(left), FloatNumber::Zero(right)) if left == right => self.clone(),
            _ => {
                let sum = self.exact().unwrap_or_default() + other.exact().unwrap_or_default();
                // An exact zero sum is negative only when rounding down.
                if sum == BigRational::default() {
                    return self.with(FloatNumber::Zero(rounding == Rounding::Down));
                }
                Float::rounded(self.format, rounding, &sum)
            }
        }
    }

    fn multiply(&self, other: &Float, rounding: Rounding) -> Float {
        let sign = self.sign() != other.sign();
        match (&self.number, &other.number) {
            (FloatNumber::NotANumber, _)
            | (_, FloatNumber::NotANumber)
            | (FloatNumber::Infinite(_), FloatNumber::Zero(_))
            | (FloatNumber::Zero(_), FloatNumber::Infinite(_)) => self.nan(),
            (FloatNumber::Infinite(_), _) | (_, FloatNumber::Infinite(_)) => {
                self.with(FloatNumber::Infinite(sign))
            }
            (FloatNumber::Zero(_), _) | (_, FloatNumber::Zero(_)) => self.with(FloatNumber::Zero(sign)),
            (FloatNumber::Finite(left), FloatNumber::Finite(right)) => {
                Float::rounded(self.format, rounding, &(left * right))
            }
        }
    }

    fn divide(&self, other: &Float, rounding: Rounding) -> Float {
        let sign = self.sign() != other.sign();
        match (&self.number, &other.number) {
            (FloatNumber::NotANumber, _)
            | (_, FloatNumber::NotANumber)
            | (FloatNumber::Infinite(_), FloatNumber::Infinite(_))
            | (FloatNumber::Zero(_), FloatNumber::Zero(_)) => self.nan(),
            (FloatNumber::Infinite(_), _) | (_, FloatNumber::Zero(_)) => {
                self.with(FloatNumber::Infinite(sign))
            }
            (_, FloatNumber::Infinite(_)) | (FloatNumber::Zero(_), _) => self.with(FloatNumber::Zero(sign)),
            (FloatNumber::Finite(left), FloatNumber::Finite(right)) => {
                Float::rounded(self.format, rounding, &(left / right))
            }
        }
    }

    /// Returns the remainder from the nearest multiple of the other number; it is always representable.
    fn remainder(&self, other: &Float) -> Float {
        match (&self.number, &other.number) {
            (FloatNumber::NotANumber | FloatNumber::Infinite(_), _)
            | (_, FloatNumber::NotANumber | FloatNumber::Zero(_)) => self.nan(),
            (_, FloatNumber::Infinite(_)) | (FloatNumber::Zero(_), _) => self.clone(),
            (FloatNumber::Finite(left), FloatNumber::Finite(right)) => {
                let quotient = left / right;
                let size = Rounding::NearestEven.whole(&magnitude(&quotient), false);
                let size = BigRational::from_integer(size);
                let multiple = if is_below_zero(&quotient) { -size } else { size };
                let rest = left - multiple * right;
                if rest == BigRational::default() {
                    return self.with(FloatNumber::Zero(self.sign()));
                }
                Float::rounded(self.format, Rounding::NearestEven, &rest)
            }
        }
    }

    fn square_root(&self, rounding: Rounding) -> Float {
        let number = match &self.number {
            FloatNumber::NotANumber | FloatNumber::Zero(_) | FloatNumber::Infinite(false) => {
                return self.clone();
            }
            FloatNumber::Finite(number) if !is_below_zero(number) => number,
            _ => return self.nan(),
        };
        // Enough bits of the root to decide the rounding; the rest lies strictly between two of them.
        let bits = i64::from(self.format.significand) + 4;
        let places =
            (bits - logarithm(number) / 2).max(0) + i64::try_from(number.denom().bits()).unwrap_or(0);
        let square = (number * power(2 * places)).to_integer();
        let root = square.sqrt();
        let is_exact = &root * &root == square;
        let doubled = BigRational::from_integer(root * 2 + if is_exact { 0 } else { 1 });
        Float::rounded(self.format, rounding, &(doubled * power(-places - 1)))
    }

    fn round_to_integral(&self, rounding: Rounding) -> Float {
        let FloatNumber::Finite(number) = &self.number else { return self.clone() };
        let is_negative = is_below_zero(number);
        let whole = BigRational::from_integer(rounding.whole(&magnitude(number), is_negative));
        if whole == BigRational::default() {
            return self.with(FloatNumber::Zero(is_negative));
        }
        Float::rounded(self.format, rounding, &if is_negative { -whole } else { whole })
    }

    /// Compares two numbers; zeros are equal, and NaN is incomparable.
    fn compare(&self, other: &Float) -> Option<std::cmp::Ordering> {
        let rank = |float: &Float| match float.number {
            FloatNumber::Infinite(true) => 0,
            FloatNumber::Infinite(false) => 2,
            _ => 1,
        };
        if self.is_nan() || other.is_nan() {
            return None;
        }
        Some(rank(self).cmp(&rank(other)).then_with(|| self.exact().cmp(&other.exact())))
    }

    /// Returns the number as text: as an exact decimal if it is short, otherwise as an integer times a power of two.
    pub(crate) fn describe(&self) -> String {
        let number = match &self.number {
            FloatNumber::NotANumber => return "NaN".to_owned(),
            FloatNumber::Infinite(sign) => return if *sign { "-oo" } else { "+oo" }.to_owned(),
            FloatNumber::Zero(sign) => return if *sign { "-0.0" } else { "0.0" }.to_owned(),
            FloatNumber::Finite(number) => number,
        };
        /// The limit on digits in readable text.
        const MAX: u64 = 40;
        let places = number.denom().bits() - 1;
        if places <= MAX && number.numer().bits() <= 2 * MAX {
            let scale = BigRational::from_integer(BigInt::from(10).pow(u32::try_from(places).unwrap_or(0)));
            let digits = (magnitude(number) * scale).to_integer().to_string();
            let places = usize::try_from(places).unwrap_or(0).max(1);
            let digits = if *number.denom() == BigInt::from(1) { format!("{digits}0") } else { digits };
            let digits = format!("{digits:0>width$}", width = places + 1);
            let (whole, fraction) = digits.split_at(digits.len() - places);
            return format!("{}{whole}.{fraction}", if is_below_zero(number) { "-" } else { "" });
        }
        let zeros = number.numer().trailing_zeros().unwrap_or(0);
        let exponent = i64::try_from(zeros).unwrap_or(0) - i64::try_from(places).unwrap_or(0);
        format!("{}*2^{exponent}", number.numer() >> zeros)
    }
}

/// Operators on floats.
impl Float {
    pub(crate) fn unary(&self, operator: FloatOperator) -> Option<Float> {
        Some(match operator {
            FloatOperator::Negate => self.negate(),
            FloatOperator::Absolute => self.absolute(),
            FloatOperator::SquareRoot(rounding) => self.square_root(rounding),
            FloatOperator::RoundToIntegral(rounding) => self.round_to_integral(rounding),
            FloatOperator::Convert(format, rounding) => match &self.number {
                FloatNumber::Finite(number) => Float::rounded(format, rounding, number),
                number => Float { format, number: number.clone() },
            },
            _ => return None,
        })
    }

    pub(crate) fn binary(&self, operator: FloatOperator, other: &Float) -> Option<Float> {
        Some(match operator {
            FloatOperator::Add(rounding) => self.add(other, rounding),
            FloatOperator::Subtract(rounding) => self.add(&other.negate(), rounding),
            FloatOperator::Multiply(rounding) => self.multiply(other, rounding),
            FloatOperator::Divide(rounding) => self.divide(other, rounding),
            FloatOperator::Remainder => self.remainder(other),
            FloatOperator::Minimum | FloatOperator::Maximum => match self.compare(other) {
                None if self.is_nan() => other.clone(),
                None => self.clone(),
                Some(std::cmp::Ordering::Equal) if self != other => return None,
                Some(order) => {
                    let is_first = order.is_le() == (operator == FloatOperator::Minimum);
                    if is_first { self.clone() } else { other.clone() }
                }
            },
            _ => return None,
        })
    }

    pub(crate) fn test(&self, operator: FloatOperator, other: Option<&Float>) -> Option<bool> {
        match (operator, other) {
            (FloatOperator::IsNaN, None) => Some(self.is_nan()),
            (FloatOperator::IsInfinite, None) => Some(matches!(self.number, FloatNumber::Infinite(_))),
            (FloatOperator::Less, Some(other)) => {
                Some(self.compare(other).is_some_and(std::cmp::Ordering::is_lt))
            }
            (FloatOperator::LessEqual, Some(other)) => {
                Some(self.compare(other).is_some_and(std::cmp::Ordering::is_le))
            }
            (FloatOperator::Equal, Some(other)) => {
                Some(self.compare(other).is_some_and(std::cmp::Ordering::is_eq))
            }
            _ => None,
        }
    }

    /// Rounds it to an integer, if it is finite.
    pub(crate) fn to_whole(&self, rounding: Rounding) -> Option<BigInt> {
        let number = self.exact()?;
        let is_negative = is_below_zero(&number);
        let whole = rounding.whole(&magnitude(&number), is_negative);
        Some(if is_negative { -whole } else { whole })
    }
}
