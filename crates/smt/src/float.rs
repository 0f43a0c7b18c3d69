//! Floating point numbers of any format up to quadruple precision, as IEEE 754 and SMT-LIB have them.
//!
//! An operator works out the exact number and rounds it once; there are no intermediate roundings to think about.
//!
//! Invariant: the number of a finite float is not zero and is exactly one that its format has. There is one NaN.

use num_bigint::BigInt;
use num_rational::BigRational;

use crate::FloatOperator;

/// A format: how many bits the exponent has, and how many the significand, with the one that is not stored.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FloatFormat {
    exponent: u32,
    significand: u32,
}

/// How a number that a format does not have is replaced by one that it has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rounding {
    /// The nearest; of two, the one with an even significand.
    NearestEven,
    /// The nearest; of two, the one that is larger without its sign.
    NearestAway,
    /// The next that is not less.
    Up,
    /// The next that is not greater.
    Down,
    /// The next that is not larger without its sign.
    Zero,
}

/// A floating point number.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Float {
    format: FloatFormat,
    number: FloatNumber,
}

/// Which number it is. Signs are true for negative ones.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FloatNumber {
    /// None.
    NotANumber,
    /// Infinity.
    Infinite(bool),
    /// Zero.
    Zero(bool),
    /// Any other.
    Finite(BigRational),
}

impl FloatFormat {
    /// A format; `None` if it is not one of those that are supported.
    pub fn new(exponent: u32, significand: u32) -> Option<FloatFormat> {
        ((2..=15).contains(&exponent) && (2..=113).contains(&significand))
            .then_some(FloatFormat { exponent, significand })
    }

    /// How many bits the exponent has.
    pub fn exponent_bits(self) -> u32 {
        self.exponent
    }

    /// How many bits the significand has, with the one that is not stored.
    pub fn significand_bits(self) -> u32 {
        self.significand
    }

    fn bias(self) -> i64 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The exponent of the smallest normal number.
    fn least(self) -> i64 {
        1 - self.bias()
    }

    /// The largest number.
    fn largest(self) -> BigRational {
        let whole = (BigInt::from(1) << self.significand) - 1;
        BigRational::from_integer(whole) * power(self.bias() - i64::from(self.significand) + 1)
    }
}

impl Rounding {
    /// All of them.
    pub const ALL: [Rounding; 5] =
        [Rounding::NearestEven, Rounding::NearestAway, Rounding::Up, Rounding::Down, Rounding::Zero];

    /// The short name in SMT-LIB.
    pub fn name(self) -> &'static str {
        match self {
            Rounding::NearestEven => "RNE",
            Rounding::NearestAway => "RNA",
            Rounding::Up => "RTP",
            Rounding::Down => "RTN",
            Rounding::Zero => "RTZ",
        }
    }

    /// The one with a name, short or long.
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

    /// The integer that stands for a number without its sign.
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

/// Two to the power of a number.
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

/// The largest exponent with which two is not greater than a positive number.
fn logarithm(number: &BigRational) -> i64 {
    let bits = |part: &BigInt| i64::try_from(part.bits()).unwrap_or(i64::MAX / 4);
    let guess = bits(number.numer()) - bits(number.denom());
    if *number < power(guess) { guess - 1 } else { guess }
}

impl Float {
    /// The float with its bits in the parts of its format; `None` if there are too many of them.
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

    /// Its bits, in the parts of its format: sign, exponent and what is stored of the significand. Of NaN, those of one of them.
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

    /// All floats of a format, NaN once, if there are not more than so many.
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

    /// Positive zero.
    pub fn zero(format: FloatFormat) -> Float {
        Float { format, number: FloatNumber::Zero(false) }
    }

    /// A number that is not finite, or a zero; anything else is not a number.
    pub fn special(format: FloatFormat, number: FloatNumber) -> Float {
        let number = match number {
            FloatNumber::Finite(_) => FloatNumber::NotANumber,
            number => number,
        };
        Float { format, number }
    }

    /// The float for an exact number; an exact zero is positive.
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

    /// Its format.
    pub fn format(&self) -> FloatFormat {
        self.format
    }

    /// Which number it is.
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

    /// The exact number, if it is finite.
    fn exact(&self) -> Option<BigRational> {
        match &self.number {
            FloatNumber::Zero(_) => Some(BigRational::default()),
            FloatNumber::Finite(number) => Some(number.clone()),
            FloatNumber::Infinite(_) | FloatNumber::NotANumber => None,
        }
    }

    /// The float with the other sign.
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
                // A sum that is exactly zero is negative only if it is rounded down.
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

    /// What is left after the nearest multiple of the other; it is always one that the format has.
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
        // As many bits of the root as decide the rounding; whatever is behind them is between two of them.
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

    /// How two numbers compare; zeros are equal, and NaN compares with nothing.
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

    /// The number as text: exact decimals if they are few, else an integer and a power of two.
    pub(crate) fn describe(&self) -> String {
        let number = match &self.number {
            FloatNumber::NotANumber => return "NaN".to_owned(),
            FloatNumber::Infinite(sign) => return if *sign { "-oo" } else { "+oo" }.to_owned(),
            FloatNumber::Zero(sign) => return if *sign { "-0.0" } else { "0.0" }.to_owned(),
            FloatNumber::Finite(number) => number,
        };
        /// More digits than this are not for people.
        const MOST: u64 = 40;
        let places = number.denom().bits() - 1;
        if places <= MOST && number.numer().bits() <= 2 * MOST {
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

/// The parts of the operators that compute floats.
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

    /// The integer that stands for it, if it is a number.
    pub(crate) fn to_whole(&self, rounding: Rounding) -> Option<BigInt> {
        let number = self.exact()?;
        let is_negative = is_below_zero(&number);
        let whole = rounding.whole(&magnitude(&number), is_negative);
        Some(if is_negative { -whole } else { whole })
    }
}
