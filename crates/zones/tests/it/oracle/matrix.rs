//! Textbook matrices of 128-bit bounds, for dimensions and constants that are too large for points.
//!
//! Invariant: every operation is its definition, entry by entry, followed by a closure by repeated relaxation.
//! Nothing overflows and nothing is fast.

use tempora_zones::{Bound, OpenMatrix, Zone};

use super::library::{clock, dimension};

/// `None` is infinity; otherwise a constant and whether it is weak. A derived order would put infinity first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry(pub(crate) Option<(i128, bool)>);

impl Entry {
    pub(crate) const INFINITE: Entry = Entry(None);

    pub(crate) fn finite(constant: i128, weak: bool) -> Entry {
        Entry(Some((constant, weak)))
    }

    pub(crate) fn of_bound(bound: Bound) -> Entry {
        Entry(bound.constant().map(|constant| (i128::from(constant), bound.is_weak())))
    }

    pub(crate) fn to_bound(self) -> Bound {
        self.0.map_or(Bound::INFINITY, |(constant, weak)| Bound::finite(constant as i64, weak).unwrap())
    }

    pub(crate) fn plus(self, other: Entry) -> Entry {
        match (self.0, other.0) {
            (Some((first, first_weak)), Some((second, second_weak))) => {
                Entry::finite(first + second, first_weak && second_weak)
            }
            _ => Entry::INFINITE,
        }
    }

    pub(crate) fn is_representable(self) -> bool {
        self.0.is_none_or(|(constant, _)| constant.abs() <= i128::from(Bound::LARGEST_CONSTANT))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Entry) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Entry) -> std::cmp::Ordering {
        match (self.0, other.0) {
            (None, None) => std::cmp::Ordering::Equal,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (Some(_), None) => std::cmp::Ordering::Less,
            // `false < true`: a strict bound is smaller than the weak one with the same constant.
            (Some(mine), Some(theirs)) => mine.cmp(&theirs),
        }
    }
}

/// A closed matrix; `None` in place of one is the empty set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NaiveMatrix {
    pub(crate) size: usize,
    pub(crate) entries: Vec<Vec<Entry>>,
}

impl NaiveMatrix {
    pub(crate) fn universe(size: usize) -> NaiveMatrix {
        let mut entries = vec![vec![Entry::INFINITE; size]; size];
        for index in 0..size {
            entries[index][index] = Entry::finite(0, true);
            entries[0][index] = Entry::finite(0, true);
        }
        NaiveMatrix { size, entries }
    }

    pub(crate) fn of_zone(zone: &Zone) -> Option<NaiveMatrix> {
        let size = zone.dimension().size();
        (!zone.is_empty()).then(|| NaiveMatrix {
            size,
            entries: (0..size)
                .map(|left| {
                    (0..size).map(|right| Entry::of_bound(zone.bound(clock(left), clock(right)))).collect()
                })
                .collect(),
        })
    }

    /// Converts to a zone of the library by its closure.
    pub(crate) fn to_zone(&self) -> Zone {
        let mut zone = Zone::universe(dimension(self.size - 1));
        zone.assign_closure(&self.to_open_matrix()).unwrap();
        zone
    }

    pub(crate) fn to_open_matrix(&self) -> OpenMatrix {
        let mut matrix = OpenMatrix::universe(dimension(self.size - 1));
        for left in 0..self.size {
            for right in 0..self.size {
                matrix.set(clock(left), clock(right), self.entries[left][right].to_bound());
            }
        }
        matrix
    }

    pub(crate) fn is_representable(&self) -> bool {
        self.entries.iter().flatten().all(|entry| entry.is_representable())
    }

    /// Returns the largest constant in magnitude.
    pub(crate) fn magnitude(&self) -> i128 {
        let constants = self.entries.iter().flatten().filter_map(|entry| entry.0);
        constants.map(|(constant, _)| constant.abs()).max().unwrap_or(0)
    }

    /// Returns the closure, `None` if the set is empty: relaxes until nothing changes, up to the length of paths.
    pub(crate) fn closed(mut self) -> Option<NaiveMatrix> {
        for _ in 0..=self.size {
            let mut is_settled = true;
            for via in 0..self.size {
                for left in 0..self.size {
                    let first = self.entries[left][via];
                    if first == Entry::INFINITE {
                        continue;
                    }
                    for right in 0..self.size {
                        let sum = first.plus(self.entries[via][right]);
                        if sum < self.entries[left][right] {
                            self.entries[left][right] = sum;
                            is_settled = false;
                        }
                    }
                }
                if (0..self.size).any(|index| self.entries[index][index] < Entry::finite(0, true)) {
                    return None;
                }
            }
            if is_settled {
                return Some(self);
            }
        }
        panic!("a closure that does not settle");
    }

    pub(crate) fn constrained(mut self, left: usize, right: usize, bound: Entry) -> Option<NaiveMatrix> {
        self.entries[left][right] = self.entries[left][right].min(bound);
        self.closed()
    }

    pub(crate) fn intersection(&self, other: &NaiveMatrix) -> Option<NaiveMatrix> {
        let mut both = self.clone();
        for (mine, theirs) in both.entries.iter_mut().flatten().zip(other.entries.iter().flatten()) {
            *mine = (*mine).min(*theirs);
        }
        both.closed()
    }

    pub(crate) fn up(&self) -> NaiveMatrix {
        let mut later = self.clone();
        for row in &mut later.entries[1..] {
            row[0] = Entry::INFINITE;
        }
        later
    }

    pub(crate) fn down(&self) -> NaiveMatrix {
        let mut earlier = self.clone();
        for column in 1..self.size {
            let least = (1..self.size).map(|row| self.entries[row][column]).min().unwrap();
            earlier.entries[0][column] = least.min(Entry::finite(0, true));
        }
        earlier
    }

    /// Removes all constraints on a clock except that it is not negative.
    pub(crate) fn freed(&self, freed: usize) -> NaiveMatrix {
        let mut result = self.clone();
        for other in (0..self.size).filter(|&other| other != freed) {
            result.entries[freed][other] = Entry::INFINITE;
            result.entries[other][freed] = Entry::INFINITE;
        }
        result.entries[0][freed] = Entry::finite(0, true);
        result.closed().unwrap()
    }

    /// Computes `target := from + amount` for different clocks: frees the target and ties it to the other.
    pub(crate) fn assigned(&self, target: usize, from: usize, amount: i128) -> Option<NaiveMatrix> {
        let mut result = self.freed(target);
        result.entries[target][from] = Entry::finite(amount, true);
        result.entries[from][target] = Entry::finite(-amount, true);
        result.closed()
    }

    /// Computes `clock := clock + amount`, where the clock does not become negative.
    pub(crate) fn shifted(&self, shifted: usize, amount: i128) -> Option<NaiveMatrix> {
        let mut result = self.clone().constrained(0, shifted, Entry::finite(amount.min(0), true))?;
        for other in (0..self.size).filter(|&other| other != shifted) {
            result.entries[shifted][other] = result.entries[shifted][other].plus(Entry::finite(amount, true));
            result.entries[other][shifted] =
                result.entries[other][shifted].plus(Entry::finite(-amount, true));
        }
        Some(result)
    }

    pub(crate) fn is_subset_of(&self, other: &NaiveMatrix) -> bool {
        self.entries.iter().flatten().zip(other.entries.iter().flatten()).all(|(mine, theirs)| mine <= theirs)
    }

    /// Implements the criterion of Herbreteau, Srivathsan and Walukiewicz as in their paper; `lower` and `upper` have
    /// one constant for each clock but clock 0.
    pub(crate) fn is_covered_by(
        &self,
        other: &NaiveMatrix,
        lower: &[Option<i32>],
        upper: &[Option<i32>],
    ) -> bool {
        let constant_of = |constants: &[Option<i32>], index: usize| {
            if index == 0 {
                Some(0)
            } else {
                constants[index - 1].map(i128::from).filter(|&constant| constant >= 0)
            }
        };
        let is_violated = |x: usize, y: usize| {
            let (Some(upper), Some(lower)) = (constant_of(upper, x), constant_of(lower, y)) else {
                return false;
            };
            let least = self.entries[0][x];
            least >= Entry::finite(-upper, true)
                && other.entries[y][x] < self.entries[y][x]
                && other.entries[y][x].plus(Entry::finite(-lower, false)) < least
        };
        !(0..self.size).any(|x| (0..self.size).any(|y| x != y && is_violated(x, y)))
    }
}
