//! Clock regions (Alur and Dill 1994): their names, a representative of each, and how long to the next.
//!
//! Invariant: states with the same key allow the same, step by step, and the successors have the same keys again. So
//! one representative a region is enough, and whatever is evaluated on it holds for all of its region.
//!
//! All numbers are in units of `1 / subdivision`. One unit a time unit is fine enough for integer constants; a finer
//! subdivision must not change any verdict, which the tests use.
//!
//! A clock is *visible* while its value is at most its maximum. Of visible clocks the region keeps the integer part and
//! the order of the fractional parts; of others it keeps nothing but that they are beyond.
//!
//! A clock can be *folded* instead. It is always visible, and integer parts beyond its maximum are taken for the
//! maximum. That is finer than a region, and the value of the clock can be followed by counting how often it wraps.
//!
//! If differences of clocks are compared, the region also keeps the difference of each pair of clocks of which one is
//! invisible, up to the greatest constant `d` of a difference. This is a bisimulation: delays do not change differences,
//! and if a clock is set to `c`, its difference to an invisible clock is below `c - maximum <= -d`, for the maximum is at
//! least `d + c` (see `constants`).

use tempora_evidence::Rational;
use tempora_model::Value;
use tempora_replay::ConcreteState;

use crate::constants::Constants;

/// How clocks are told apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Regions {
    subdivision: i64,
    cells: Vec<Resolution>,
    /// In units.
    difference: Option<i64>,
}

/// How one clock is told apart from itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Resolution {
    /// In units.
    maximum: i64,
    is_folded: bool,
    /// Whether its differences to others may be compared.
    has_differences: bool,
}

/// The name of a region together with the discrete state.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct RegionKey {
    discrete: Vec<i64>,
    clocks: Vec<Position>,
    differences: Vec<DifferenceClass>,
}

/// Where a clock is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Position {
    /// At this integer part; the rank is 0 for an integer, else that among all fractional parts.
    Visible { integer: i64, rank: usize },
    /// Above the maximum.
    Beyond,
}

/// Where the difference of two clocks is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum DifferenceClass {
    Below,
    At(i64),
    /// Between this and the next integer.
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

    /// One more clock, which no difference speaks of.
    pub(crate) fn push(&mut self, maximum: i64) {
        self.cells.push(Resolution {
            maximum: maximum.saturating_mul(self.subdivision),
            is_folded: false,
            has_differences: false,
        });
    }

    /// Folds a clock beyond everything that it is compared with.
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

    /// Whether a clock is so large that it may have wrapped before.
    pub(crate) fn may_have_wrapped(&self, state: &ConcreteState, cell: usize) -> bool {
        self.is_folded(cell) && self.units(state, cell) >= Rational::from_integer(self.cells[cell].maximum)
    }

    pub(crate) fn tells_differences(&self) -> bool {
        self.difference.is_some()
    }

    /// The length of one unit.
    pub(crate) fn unit(&self) -> Rational {
        Rational::new(1, self.subdivision)
    }

    /// The region of a state.
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

    /// The state of the same region with the simplest numbers.
    ///
    /// Without it, each half-way delay would double the denominators.
    pub(crate) fn representative(&self, state: &ConcreteState) -> ConcreteState {
        // Differences to invisible clocks are kept by keeping all integer parts and the order of all fractions.
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

    /// The delay to the next region, as long as nothing but time changes the clocks; `None` if no clock is visible,
    /// so that time does not lead anywhere else.
    pub(crate) fn delay_to_next(&self, state: &ConcreteState) -> Option<Rational> {
        let visible: Vec<Rational> = (0..self.cells.len())
            .filter(|&cell| self.is_visible(state, cell))
            .map(|cell| self.units(state, cell).fract())
            .collect();
        let greatest = visible.iter().max()?;
        let to_integer = Rational::from_integer(1) - greatest;
        let some_is_integer = visible.iter().any(|fraction| *fraction == Rational::from_integer(0));
        // A clock at an integer leaves it at once, and before the next one gets to its integer.
        let delay = if some_is_integer { to_integer / 2 } else { to_integer };
        Some(delay * self.unit())
    }

    /// How many units a clock is above its representative.
    pub(crate) fn wrapped_units(
        &self,
        state: &ConcreteState,
        representative: &ConcreteState,
        cell: usize,
    ) -> i64 {
        let (raw, folded) = (self.units(state, cell), self.units(representative, cell));
        floor(raw) - floor(folded)
    }

    /// The value of a clock in units: the integer below or at it, and whether it is at it.
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

    /// The fractional parts that occur and are not zero, in ascending order.
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

/// 0 for zero, else the position among the fractions, from 1.
fn rank(fractions: &[Rational], fraction: Rational) -> usize {
    fractions.binary_search(&fraction).map_or(0, |position| position + 1)
}

fn push_value(value: &Value, numbers: &mut Vec<i64>) {
    match value {
        Value::Integer(value) => numbers.push(i64::from(*value)),
        Value::Double(value) => numbers.push(value.to_bits() as i64),
        // Which variable has how many parts is the same in all states, so nothing is needed in between.
        Value::Parts(parts) => parts.iter().for_each(|part| push_value(part, numbers)),
        Value::None => {}
    }
}
