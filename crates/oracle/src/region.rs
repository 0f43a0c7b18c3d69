//! Clock regions (Alur and Dill 1994): their keys, representatives, and the delay to the next region.
//!
//! Invariant: states with the same key allow the same moves, and their successors have the same keys again. So one
//! representative per region suffices, and evaluations on it hold for the whole region.
//!
//! All numbers are in units of `1 / subdivision`. One unit per time unit is fine enough for integer constants; a finer
//! subdivision must not change any verdict, which the tests check.
//!
//! A clock is *visible* while its value is at most its maximum. The region has the integer parts and the order of the
//! fractional parts of visible clocks; of other clocks it only records that they exceed their maximum.
//!
//! A clock can be *folded* instead. It is always visible, and integer parts beyond its maximum count as the maximum.
//! This is finer than a region, and the value of the clock can be recovered by counting how often it wraps.
//!
//! If clock differences are compared, the region also has the difference of each pair of clocks of which one is
//! invisible, up to the maximal constant `d` of a difference. This is a bisimulation: delays do not change differences,
//! and if a clock is set to `c`, its difference to an invisible clock is below `c - maximum <= -d`, since the maximum
//! is at least `d + c` (see `constants`).

use tempora_evidence::Rational;
use tempora_model::Value;
use tempora_replay::ConcreteState;

use crate::constants::Constants;

/// The parameters of the region equivalence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Regions {
    subdivision: i64,
    cells: Vec<Resolution>,
    /// In units.
    difference: Option<i64>,
}

/// The parameters of one clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Resolution {
    /// In units.
    maximum: i64,
    is_folded: bool,
    /// Whether its differences to other clocks may be compared.
    has_differences: bool,
}

/// The key of a region, with the discrete state.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct RegionKey {
    discrete: Vec<i64>,
    clocks: Vec<Position>,
    differences: Vec<DifferenceClass>,
}

/// The position of a clock in a region.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Position {
    /// The integer part, and the rank among all fractional parts; 0 for an integer.
    Visible { integer: i64, rank: usize },
    /// Above the maximum.
    Beyond,
}

/// The class of a clock difference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum DifferenceClass {
    Below,
    At(i64),
    /// Between this integer and the next.
    JustAbove(i64),
    Above,
}

impl Regions {
    pub(crate) fn new(constants: &Constants, subdivision: u32) -> Regions {
        let subdivision = i64::from(subdivision.max(1));
        let cells = constants
            .maxima
            .iter()
            .map(|&maximum| Resolution {
                maximum: maximum.saturating_mul(subdivision),
                is_folded: false,
                has_differences: true,
            })
            .collect();
        let difference = constants.difference.map(|limit| limit.saturating_mul(subdivision));
        Regions { subdivision, cells, difference }
    }

    /// Adds a clock that no difference contains.
    pub(crate) fn push(&mut self, maximum: i64) {
        self.cells.push(Resolution {
            maximum: maximum.saturating_mul(self.subdivision),
            is_folded: false,
            has_differences: false,
        });
    }

    /// Folds a clock beyond all of its constants.
    pub(crate) fn fold(&mut self, cell: usize) {
        let resolution = &mut self.cells[cell];
        if !resolution.is_folded {
            resolution.maximum = resolution.maximum.saturating_add(1);
            resolution.is_folded = true;
        }
    }

    pub(crate) fn is_folded(&self, cell: usize) -> bool {
        self.cells[cell].is_folded
    }

    /// Returns whether a clock is so large that it may have wrapped before.
    pub(crate) fn may_have_wrapped(&self, state: &ConcreteState, cell: usize) -> bool {
        self.is_folded(cell) && self.units(state, cell) >= Rational::from_integer(self.cells[cell].maximum)
    }

    pub(crate) fn tells_differences(&self) -> bool {
        self.difference.is_some()
    }

    /// Returns the length of one unit.
    pub(crate) fn unit(&self) -> Rational {
        Rational::new(1, self.subdivision)
    }

    /// Returns the region of a state.
    pub(crate) fn key(&self, state: &ConcreteState) -> RegionKey {
        let mut discrete: Vec<i64> = state.locations.iter().map(|location| i64::from(location.0)).collect();
        state.variables.iter().for_each(|value| push_value(value, &mut discrete));
        let fractions = self.fractions(state, |cell| self.is_visible(state, cell));
        let clocks = (0..self.cells.len())
            .map(|cell| {
                if self.is_visible(state, cell) {
                    let units = self.units(state, cell);
                    Position::Visible {
                        integer: self.folded_integer(cell, units),
                        rank: rank(&fractions, units.fract()),
                    }
                } else {
                    Position::Beyond
                }
            })
            .collect();
        RegionKey { discrete, clocks, differences: self.difference_classes(state) }
    }

    /// Returns the state of the same region with the simplest numbers.
    ///
    /// Without it, each half-way delay would double the denominators.
    pub(crate) fn representative(&self, state: &ConcreteState) -> ConcreteState {
        // Keeping all integer parts and the order of all fractions preserves differences to invisible clocks.
        let keeps_all = self.tells_differences();
        let counts = |cell: usize| keeps_all || self.is_visible(state, cell);
        let fractions = self.fractions(state, counts);
        let parts = fractions.len() as i64 + 1;
        let mut representative = state.clone();
        for cell in 0..self.cells.len() {
            let units = self.units(state, cell);
            let simplest = if counts(cell) {
                let fraction = Rational::new(rank(&fractions, units.fract()) as i64, parts);
                fraction + Rational::from_integer(self.folded_integer(cell, units))
            } else {
                Rational::from_integer(self.cells[cell].maximum + 1)
            };
            representative.clocks[cell] = simplest * self.unit();
        }
        representative
    }

    /// Returns the delay to the next region, without transitions; `None` if no clock is visible, so that delays do not
    /// change the region.
    pub(crate) fn delay_to_next(&self, state: &ConcreteState) -> Option<Rational> {
        let visible: Vec<Rational> = (0..self.cells.len())
            .filter(|&cell| self.is_visible(state, cell))
            .map(|cell| self.units(state, cell).fract())
            .collect();
        let greatest = visible.iter().max()?;
        let to_integer = Rational::from_integer(1) - greatest;
        let some_is_integer = visible.iter().any(|fraction| *fraction == Rational::from_integer(0));
        // A clock at an integer leaves it at once, before another reaches its next integer.
        let delay = if some_is_integer { to_integer / 2 } else { to_integer };
        Some(delay * self.unit())
    }

    /// Returns how many units a clock is above its representative.
    pub(crate) fn wrapped_units(
        &self,
        state: &ConcreteState,
        representative: &ConcreteState,
        cell: usize,
    ) -> i64 {
        let (raw, folded) = (self.units(state, cell), self.units(representative, cell));
        floor(raw) - floor(folded)
    }

    /// Returns the value of a clock in units: its floor, and whether it is an integer.
    pub(crate) fn floor_units(&self, state: &ConcreteState, cell: usize) -> (i64, bool) {
        let units = self.units(state, cell);
        (floor(units), units.is_integer())
    }

    fn units(&self, state: &ConcreteState, cell: usize) -> Rational {
        state.clocks[cell] * self.subdivision
    }

    fn is_visible(&self, state: &ConcreteState, cell: usize) -> bool {
        let resolution = self.cells[cell];
        resolution.is_folded || self.units(state, cell) <= Rational::from_integer(resolution.maximum)
    }

    fn folded_integer(&self, cell: usize, units: Rational) -> i64 {
        let resolution = self.cells[cell];
        if resolution.is_folded { floor(units).min(resolution.maximum) } else { floor(units) }
    }

    /// Returns the non-zero fractional parts, in ascending order.
    fn fractions(&self, state: &ConcreteState, counts: impl Fn(usize) -> bool) -> Vec<Rational> {
        let mut fractions: Vec<Rational> = (0..self.cells.len())
            .filter(|&cell| counts(cell))
            .map(|cell| self.units(state, cell).fract())
            .filter(|fraction| *fraction != Rational::from_integer(0))
            .collect();
        fractions.sort_unstable();
        fractions.dedup();
        fractions
    }

    fn difference_classes(&self, state: &ConcreteState) -> Vec<DifferenceClass> {
        let Some(limit) = self.difference else { return Vec::new() };
        let mut classes = Vec::new();
        for first in 0..self.cells.len() {
            for second in first + 1..self.cells.len() {
                let matters = self.cells[first].has_differences && self.cells[second].has_differences;
                if !matters || (self.is_visible(state, first) && self.is_visible(state, second)) {
                    continue;
                }
                let difference = self.units(state, first) - self.units(state, second);
                classes.push(if difference > Rational::from_integer(limit) {
                    DifferenceClass::Above
                } else if difference < Rational::from_integer(-limit) {
                    DifferenceClass::Below
                } else if difference.is_integer() {
                    DifferenceClass::At(floor(difference))
                } else {
                    DifferenceClass::JustAbove(floor(difference))
                });
            }
        }
        classes
    }
}

fn floor(number: Rational) -> i64 {
    number.numer().div_euclid(*number.denom())
}

/// Returns 0 for zero, otherwise the position among the fractions, from 1.
fn rank(fractions: &[Rational], fraction: Rational) -> usize {
    fractions.binary_search(&fraction).map_or(0, |position| position + 1)
}

fn push_value(value: &Value, numbers: &mut Vec<i64>) {
    match value {
        Value::Integer(value) => numbers.push(i64::from(*value)),
        Value::Double(value) => numbers.push(value.to_bits() as i64),
        // The number of parts of each variable is constant, so no separator is needed.
        Value::Parts(parts) => parts.iter().for_each(|part| push_value(part, numbers)),
        Value::None => {}
    }
}
