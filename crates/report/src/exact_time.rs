//! Exact times: values of clocks and lengths of delays.
//!
//! Invariant: a time is written as an integer, or as a fraction such as `7/2`; nothing is rounded.

use std::fmt;

use serde::{Serialize, Serializer};
use tempora_evidence::Rational;

/// An exact time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ExactTime(pub Rational);

impl ExactTime {
    /// Time zero.
    pub const ZERO: ExactTime = ExactTime(Rational::new_raw(0, 1));

    /// Returns a number close to the time, for pictures.
    pub fn approximate(self) -> f64 {
        *self.0.numer() as f64 / *self.0.denom() as f64
    }
}

impl fmt::Display for ExactTime {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl Serialize for ExactTime {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
