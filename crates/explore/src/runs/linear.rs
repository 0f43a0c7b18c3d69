//! Solutions of linear inequalities: the simplex method with exact fractions.
//!
//! Invariant: products of two numbers never overflow; otherwise there is no answer. The rule of Bland ("New finite
//! pivoting rules for the simplex method", 1977) chooses the pivots, so the method terminates.

use num_rational::Ratio;
use tempora_evidence::Rational;

type Fraction = Ratio<i128>;

/// A linear combination of variables that is at most, or less than, a bound.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Inequality {
    pub(crate) terms: Vec<(usize, i64)>,
    pub(crate) bound: i64,
    pub(crate) is_strict: bool,
}

/// The result for a set of inequalities.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Solution {
    /// Non-negative values that satisfy the inequalities.
    Values(Vec<Rational>),
    /// The inequalities are unsatisfiable.
    None,
    /// The work limit was reached, or the numbers became too large.
    NotKnown,
}

/// Finds non-negative values that satisfy all inequalities.
pub(crate) fn solve(variable_count: usize, inequalities: &[Inequality]) -> Solution {
    Dictionary::new(variable_count, inequalities).map_or(Solution::NotKnown, Dictionary::solved)
}

/// The limit on changed entries, in total.
const MOST_WORK: usize = 200_000_000;
/// The limit on entries.
const MOST_ENTRIES: usize = 4_000_000;
/// The limit on numerators and denominators.
const MOST: i128 = 1 << 60;

/// Each row defines a basic variable: a constant minus a combination of the others.
///
/// The variables are the given ones, then the slack of strict inequalities, then the slack of each row.
struct Dictionary {
    variable_count: usize,
    /// The variables of the rows, and of the columns.
    basic: Vec<usize>,
    others: Vec<usize>,
    /// For each row its combination, then its constant.
    rows: Vec<Vec<Fraction>>,
    /// The objective to maximise: a combination of the others.
    objective: Vec<Fraction>,
    work: usize,
}

/// No answer: see [`Solution::NotKnown`].
struct NotKnown;

impl Dictionary {
    fn new(variable_count: usize, inequalities: &[Inequality]) -> Option<Dictionary> {
        let room = variable_count;
        // One more row: the slack of strict inequalities is at most one.
        let row_count = inequalities.len() + 1;
        if (variable_count + 3).checked_mul(row_count)? > MOST_ENTRIES {
            return None;
        }
        let zero = Fraction::from_integer(0);
        let mut rows = vec![vec![zero; variable_count + 2]; row_count];
        for (row, inequality) in rows.iter_mut().zip(inequalities) {
            for &(variable, factor) in &inequality.terms {
                row[variable] += Fraction::from_integer(i128::from(factor));
            }
            row[room] = Fraction::from_integer(i128::from(inequality.is_strict));
            row[room + 1] = Fraction::from_integer(i128::from(inequality.bound));
        }
        rows[row_count - 1][room] = Fraction::from_integer(1);
        rows[row_count - 1][room + 1] = Fraction::from_integer(1);
        Some(Dictionary {
            variable_count,
            basic: (variable_count + 1..=variable_count + row_count).collect(),
            others: (0..=variable_count).collect(),
            rows,
            objective: vec![zero; variable_count + 1],
            work: 0,
        })
    }

    fn solved(mut self) -> Solution {
        match self.make_feasible() {
            Err(NotKnown) => return Solution::NotKnown,
            Ok(false) => return Solution::None,
            Ok(true) => {}
        }
        self.set_objective(self.variable_count);
        if self.improve().is_err() {
            return Solution::NotKnown;
        }
        if self.value(self.variable_count) <= Fraction::from_integer(0) {
            return Solution::None;
        }
        let values: Option<Vec<Rational>> = (0..self.variable_count)
            .map(|variable| {
                let value = self.value(variable);
                let numerator = i64::try_from(*value.numer()).ok()?;
                Some(Rational::new(numerator, i64::try_from(*value.denom()).ok()?))
            })
            .collect();
        values.map_or(Solution::NotKnown, Solution::Values)
    }

    /// Makes all constants non-negative, if possible, with an auxiliary variable that is zero in the end.
    fn make_feasible(&mut self) -> Result<bool, NotKnown> {
        let constant = self.others.len();
        let Some(least) = (0..self.rows.len()).min_by_key(|&row| self.rows[row][constant]) else {
            return Ok(true);
        };
        if self.rows[least][constant] >= Fraction::from_integer(0) {
            return Ok(true);
        }
        let helper = self.variable_count + 1 + self.rows.len();
        for row in &mut self.rows {
            row.insert(constant, Fraction::from_integer(-1));
        }
        self.others.push(helper);
        self.objective = vec![Fraction::from_integer(0); self.others.len()];
        self.objective[constant] = Fraction::from_integer(-1);
        self.exchange(least, constant)?;
        self.improve()?;
        if self.value(helper) > Fraction::from_integer(0) {
            return Ok(false);
        }
        if let Some(row) = self.basic.iter().position(|&variable| variable == helper) {
            let column = (0..self.others.len()).find(|&column| *self.rows[row][column].numer() != 0);
            match column {
                Some(column) => self.exchange(row, column)?,
                // The row is zero for all values of the others.
                None => {
                    self.rows.remove(row);
                    self.basic.remove(row);
                }
            }
        }
        if let Some(column) = self.others.iter().position(|&variable| variable == helper) {
            self.others.remove(column);
            self.objective.remove(column);
            for row in &mut self.rows {
                row.remove(column);
            }
        }
        Ok(true)
    }

    /// Sets the objective to a variable.
    fn set_objective(&mut self, variable: usize) {
        self.objective = match self.basic.iter().position(|&basic| basic == variable) {
            Some(row) => self.rows[row][..self.others.len()].iter().map(|factor| -factor).collect(),
            None => self
                .others
                .iter()
                .map(|&other| Fraction::from_integer(i128::from(other == variable)))
                .collect(),
        };
    }

    /// Pivots until the objective is maximal. It is bounded for all callers.
    fn improve(&mut self) -> Result<(), NotKnown> {
        let zero = Fraction::from_integer(0);
        loop {
            let entering = (0..self.others.len())
                .filter(|&column| self.objective[column] > zero)
                .min_by_key(|&column| self.others[column]);
            let Some(column) = entering else { return Ok(()) };
            let constant = self.others.len();
            let leaving = (0..self.rows.len())
                .filter(|&row| self.rows[row][column] > zero)
                .min_by_key(|&row| (self.rows[row][constant] / self.rows[row][column], self.basic[row]));
            let Some(row) = leaving else { return Err(NotKnown) };
            self.exchange(row, column)?;
        }
    }

    fn exchange(&mut self, row: usize, column: usize) -> Result<(), NotKnown> {
        self.work += self.rows.len() * self.others.len();
        if self.work > MOST_WORK {
            return Err(NotKnown);
        }
        let mut pivot_row = std::mem::take(&mut self.rows[row]);
        let pivot = std::mem::replace(&mut pivot_row[column], Fraction::from_integer(1));
        for entry in &mut pivot_row {
            *entry = small(*entry / pivot)?;
        }
        for other in self.rows.iter_mut().filter(|other| !other.is_empty()) {
            let factor = std::mem::replace(&mut other[column], Fraction::from_integer(0));
            subtract(other, factor, &pivot_row)?;
        }
        let factor = std::mem::replace(&mut self.objective[column], Fraction::from_integer(0));
        subtract(&mut self.objective, factor, &pivot_row)?;
        self.rows[row] = pivot_row;
        std::mem::swap(&mut self.basic[row], &mut self.others[column]);
        Ok(())
    }

    fn value(&self, variable: usize) -> Fraction {
        match self.basic.iter().position(|&basic| basic == variable) {
            Some(row) => self.rows[row][self.others.len()],
            None => Fraction::from_integer(0),
        }
    }
}

/// Subtracts a multiple of a row, up to the length of the other row.
fn subtract(row: &mut [Fraction], factor: Fraction, other: &[Fraction]) -> Result<(), NotKnown> {
    if *factor.numer() == 0 {
        return Ok(());
    }
    for (entry, &subtracted) in row.iter_mut().zip(other) {
        if *subtracted.numer() != 0 {
            *entry = small(*entry - small(factor * subtracted)?)?;
        }
    }
    Ok(())
}

fn small(number: Fraction) -> Result<Fraction, NotKnown> {
    if number.numer().abs() < MOST && *number.denom() < MOST { Ok(number) } else { Err(NotKnown) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at_most(terms: &[(usize, i64)], bound: i64) -> Inequality {
        Inequality { terms: terms.to_vec(), bound, is_strict: false }
    }

    fn less(terms: &[(usize, i64)], bound: i64) -> Inequality {
        Inequality { is_strict: true, ..at_most(terms, bound) }
    }

    fn satisfies(values: &[Rational], inequality: &Inequality) -> bool {
        let sum: Rational =
            inequality.terms.iter().map(|&(variable, factor)| values[variable] * factor).sum();
        let bound = Rational::from_integer(inequality.bound);
        if inequality.is_strict { sum < bound } else { sum <= bound }
    }

    #[test]
    fn strict_bounds_have_fractional_solution() {
        let inequalities = [less(&[(0, 1)], 1), less(&[(0, -1)], 0)];
        let Solution::Values(values) = solve(1, &inequalities) else { panic!("there are some") };
        assert!(inequalities.iter().all(|inequality| satisfies(&values, inequality)), "{values:?}");
    }

    #[test]
    fn contradiction_of_three_is_unsatisfiable() {
        let inequalities = [
            at_most(&[(0, 1), (1, 1)], 2),
            at_most(&[(0, -1), (2, 1)], -1),
            at_most(&[(1, -1), (2, -1)], -2),
        ];
        assert_eq!(solve(3, &inequalities), Solution::None);
        let mut looser = inequalities.to_vec();
        looser[0].bound = 3;
        assert!(matches!(solve(3, &looser), Solution::Values(_)));
    }

    /// Compares all small systems of a kind with all points of a fine grid.
    #[test]
    fn agrees_with_a_grid() {
        let mut seed = 12345u64;
        let mut next = |count: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % count
        };
        let mut counts = [0; 2];
        for _ in 0..2_000 {
            let mut inequalities: Vec<Inequality> = (0..4)
                .map(|_| Inequality {
                    terms: (0..3).map(|variable| (variable, next(3) as i64 - 1)).collect(),
                    bound: next(5) as i64 - 2,
                    is_strict: next(2) == 0,
                })
                .collect();
            inequalities.extend((0..3).map(|variable| at_most(&[(variable, 1)], 2)));
            // Factors of one and four inequalities: vertices are multiples of a half, and inner points of an eighth.
            let points =
                (0..=16i64).flat_map(|x| (0..=16i64).flat_map(move |y| (0..=16i64).map(move |z| [x, y, z])));
            let is_satisfiable = points
                .map(|point| point.map(|eighths| Rational::new(eighths, 8)))
                .any(|point| inequalities.iter().all(|inequality| satisfies(&point, inequality)));
            match solve(3, &inequalities) {
                Solution::Values(values) => {
                    assert!(inequalities.iter().all(|inequality| satisfies(&values, inequality)));
                    assert!(values.iter().all(|value| *value >= Rational::from_integer(0)));
                    assert!(is_satisfiable, "{inequalities:?}");
                    counts[0] += 1;
                }
                Solution::None => {
                    assert!(!is_satisfiable, "{inequalities:?}");
                    counts[1] += 1;
                }
                Solution::NotKnown => panic!("{inequalities:?} are few"),
            }
        }
        assert!(counts.iter().all(|&count| count > 300), "{counts:?}");
    }
}
