//! Runs a property on many random cases.
//!
//! Invariant: a failing case prints its seed and its notes, and `ZONES_SEED` runs that seed alone; each predicate that
//! a property reports must be true and false in at least a fifth of its cases each, since a test with one outcome only
//! proves little. `ZONES_CASES` sets the number of cases.

use std::collections::BTreeMap;
use std::fmt::Debug;

use super::random::Random;

const DEFAULT_CASES: u64 = 500;

/// How often a predicate was false and true, and the least share of each, as one in that number.
struct Outcomes {
    counts: [u64; 2],
    one_in: u64,
}

/// One random case of a property.
pub(crate) struct Case<'a> {
    pub(crate) random: Random,
    pub(crate) index: u64,
    seed: u64,
    name: &'static str,
    notes: String,
    outcomes: &'a mut BTreeMap<&'static str, Outcomes>,
}

impl Case<'_> {
    /// Records a value that is printed if the case fails.
    pub(crate) fn note(&mut self, label: &str, value: &dyn Debug) {
        self.notes.push_str(&format!("  {label}: {value:?}\n"));
    }

    /// Counts the outcome of a predicate, and returns it.
    pub(crate) fn outcome(&mut self, predicate: &'static str, value: bool) -> bool {
        self.outcome_one_in(5, predicate, value)
    }

    /// Counts a rare outcome: each must occur in one of `one_in` cases.
    pub(crate) fn outcome_one_in(&mut self, one_in: u64, predicate: &'static str, value: bool) -> bool {
        let outcomes = self.outcomes.entry(predicate).or_insert(Outcomes { counts: [0; 2], one_in });
        outcomes.counts[usize::from(value)] += 1;
        value
    }
}

impl Drop for Case<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{} failed; reproduce with ZONES_SEED={}\n{}", self.name, self.seed, self.notes);
        }
    }
}

/// Runs the property on the default number of cases.
pub(crate) fn check_cases(name: &'static str, property: impl Fn(&mut Case)) {
    check_share_of_cases(name, 100, property);
}

/// Runs the property on a share of the cases, in percent, for properties with slow cases or cases of many kinds.
pub(crate) fn check_share_of_cases(name: &'static str, percent: u64, property: impl Fn(&mut Case)) {
    let wanted = number_from_environment("ZONES_CASES").unwrap_or(DEFAULT_CASES);
    let only_seed = number_from_environment("ZONES_SEED");
    let first_seed = name.bytes().fold(0xCBF2_9CE4_8422_2325u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    });
    let mut outcomes = BTreeMap::new();
    for index in 0..(wanted * percent).div_ceil(100) {
        // The index determines the number of clocks, so it is a part of the seed.
        let seed = only_seed.unwrap_or(first_seed.wrapping_add(index) & !0xFFFF | index & 0xFFFF);
        let mut case = Case {
            random: Random::new(seed.wrapping_mul(0xD134_2543_DE82_EF95)),
            index: seed & 0xFFFF,
            seed,
            name,
            notes: String::new(),
            outcomes: &mut outcomes,
        };
        property(&mut case);
        if only_seed.is_some() {
            return;
        }
    }
    for (predicate, Outcomes { counts: [no, yes], one_in }) in outcomes {
        println!("{name}: {predicate}: {yes} yes, {no} no");
        assert!(
            one_in * yes.min(no) >= yes + no,
            "{name}: {predicate} is out of balance: {yes} times true, {no} times false"
        );
    }
}

fn number_from_environment(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is not a number: {text}")))
}
