//! Typed clock indices and the dimension of a matrix.
//!
//! Invariant: a [`Dimension`] counts the reference clock, so it is at least 1, and small enough for a matrix of
//! that size to be allocated.

use std::fmt;

/// A row and column of a difference bound matrix; clock 0 is the reference clock, which is always zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Clock(pub u16);

impl Clock {
    /// The clock that is always zero.
    pub const REFERENCE: Clock = Clock(0);

    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The number of clocks of a zone, the reference clock included.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Dimension(u16);

impl Dimension {
    /// The largest number of clocks, not counting the reference clock.
    pub const MOST_CLOCKS: usize = 2047;

    /// Returns the dimension of a matrix for this many clocks besides the reference clock.
    pub fn for_clocks(count: usize) -> Result<Dimension, TooManyClocks> {
        if count > Dimension::MOST_CLOCKS {
            return Err(TooManyClocks { count });
        }
        Ok(Dimension(count as u16 + 1))
    }

    /// Returns the number of rows and columns.
    pub fn size(self) -> usize {
        usize::from(self.0)
    }

    /// Returns the clocks besides the reference clock, in order.
    pub fn clocks(self) -> impl DoubleEndedIterator<Item = Clock> + ExactSizeIterator + Clone {
        (1..self.0).map(Clock)
    }

    /// Returns whether this clock, possibly the reference clock, has a row.
    pub fn contains(self, clock: Clock) -> bool {
        clock.0 < self.0
    }

    /// Returns the number of entries from one row to the next: the size rounded up to whole vectors of four.
    pub(crate) fn stride(self) -> usize {
        self.size().next_multiple_of(4)
    }
}

/// A model has more clocks than a matrix supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyClocks {
    /// The requested number of clocks.
    pub count: usize,
}

impl fmt::Display for TooManyClocks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} clocks are more than the {} that are supported", self.count, Dimension::MOST_CLOCKS)
    }
}

impl std::error::Error for TooManyClocks {}
