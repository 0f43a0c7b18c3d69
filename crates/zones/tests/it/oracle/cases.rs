//! Runs a property on many random cases.
//!
//! Invariant: a failing case prints its seed and what it noted, and `ZONES_SEED` runs that seed alone; each
//! predicate that a property reports must have come out both ways in at least a fifth of its cases, since a test
//! that sees one outcome only proves little. `ZONES_CASES` sets the number of cases.

use std::collections::BTreeMap;
use std::fmt::Debug;

use super::random::Random;

const DEFAULT_CASES: u64 = 500;

/// How often a predicate came out false and true, and one in how many each must be.
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
    /// Remembers a value that is printed if the case fails.
    pub(crate) fn note(&mut self, label: &str, value: &dyn Debug) {
        self.notes.push_str(&format!("  {label}: {value:?}\n"));
    }

    /// Counts how a predicate came out, and hands the outcome on.
    pub(crate) fn outcome(&mut self, predicate: &'static str, value: bool) -> bool {
        self.outcome_one_in(5, predicate, value)
    }

    /// The same for what is rare by nature: each outcome must make up one case in so many.
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

/// The same with a share of the cases, in percent, for properties whose cases are slow or of many kinds.
pub(crate) fn check_share_of_cases(name: &'static str, percent: u64, property: impl Fn(&mut Case)) {
    let wanted = number_from_environment("ZONES_CASES").unwrap_or(DEFAULT_CASES);
    let only_seed = number_from_environment("ZONES_SEED");
    let first_seed = name.bytes().fold(0xCBF2_9CE4_8422_2325u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    });
    let mut outcomes = BTreeMap::new();
    for index in 0..(wanted * percent).div_ceil(100) {
        // The index decides the number of clocks, so it is a part of the seed.
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
