//! Random numbers from a seed, the same on every machine.

use std::ops::RangeInclusive;

/// A generator of random numbers (Steele, Lea and Flood 2014, "SplitMix64").
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// Returns the generator of a seed.
    pub fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    /// Returns an arbitrary number.
    pub fn number(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below a bound; zero if the bound is zero.
    pub fn below(&mut self, bound: usize) -> usize {
        if bound == 0 { 0 } else { (self.number() % bound as u64) as usize }
    }

    /// Returns a number of a range.
    pub fn within(&mut self, range: &RangeInclusive<usize>) -> usize {
        range.start() + self.below((range.end() + 1).saturating_sub(*range.start()))
    }

    /// Returns `true` with this probability in percent.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Returns one of several items; `None` if there are none.
    pub fn pick<'list, Item>(&mut self, list: &'list [Item]) -> Option<&'list Item> {
        list.get(self.below(list.len()))
    }
}
