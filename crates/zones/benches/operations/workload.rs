//! Pseudo-random zones, constraints and bounds for the benchmarks.
//!
//! Invariant: the same zones in each run; they are not empty and have finite and infinite, strict and weak bounds.

use tempora_zones::{Bound, Clock, Constraint, Dimension, Extrapolation, LuBounds, Zone};

use crate::reference;

const CASES: usize = 64;

pub(crate) struct Workload {
    pub(crate) size: usize,
    pub(crate) zones: Vec<Zone>,
    /// The same zones in the form of the plain loops.
    pub(crate) plain: Vec<Vec<i32>>,
    /// A larger variant of each zone.
    larger: Vec<Zone>,
    larger_plain: Vec<Vec<i32>>,
    /// Each zone enlarged within its abstraction by the bounds.
    extrapolated: Vec<Zone>,
    extrapolated_plain: Vec<Vec<i32>>,
    /// For each zone a constraint that excludes a part of it, not all.
    pub(crate) cuts: Vec<Constraint>,
    pub(crate) bounds: LuBounds,
    pub(crate) lower: Vec<i32>,
    pub(crate) upper: Vec<i32>,
}

impl Workload {
    pub(crate) fn new(size: usize) -> Workload {
        let zones: Vec<Zone> = (0..CASES as u64).map(|seed| random_zone(size, seed, size)).collect();
        let larger: Vec<Zone> = zones
            .iter()
            .enumerate()
            .map(|(seed, zone)| {
                let mut larger = zone.clone();
                larger.extend_to_hull(&random_zone(size, 5000 + seed as u64, size));
                larger
            })
            .collect();
        let cuts = zones.iter().enumerate().map(|(seed, zone)| random_cut(zone, seed as u64)).collect();
        let mut random = Random::new(size as u64);
        let mut constants = |count: u32| -> Vec<Option<i32>> {
            (1..size).map(|_| (random.below(6) > 0).then(|| random.below(count) as i32)).collect()
        };
        let (lower, upper) = (constants(20), constants(20));
        let plain_constants = |constants: &[Option<i32>]| {
            std::iter::once(0).chain(constants.iter().map(|constant| constant.unwrap_or(i32::MIN))).collect()
        };
        let bounds = LuBounds::from_lower_and_upper(zones[0].dimension(), &lower, &upper);
        let extrapolated: Vec<Zone> = zones
            .iter()
            .map(|zone| {
                let mut zone = zone.clone();
                zone.extrapolate(Extrapolation::LuPlus, &bounds).unwrap();
                zone
            })
            .collect();
        Workload {
            size,
            plain: zones.iter().map(reference::entries).collect(),
            extrapolated_plain: extrapolated.iter().map(reference::entries).collect(),
            larger_plain: larger.iter().map(reference::entries).collect(),
            bounds,
            extrapolated,
            lower: plain_constants(&lower),
            upper: plain_constants(&upper),
            zones,
            larger,
            cuts,
        }
    }

    /// Returns the zone at a position in the list of all zones and variants.
    pub(crate) fn any_zone(&self, at: usize) -> &Zone {
        match at / CASES {
            0 => &self.zones[at],
            1 => &self.larger[at - CASES],
            _ => &self.extrapolated[at - 2 * CASES],
        }
    }

    pub(crate) fn any_plain(&self, at: usize) -> &[i32] {
        match at / CASES {
            0 => &self.plain[at],
            1 => &self.larger_plain[at - CASES],
            _ => &self.extrapolated_plain[at - 2 * CASES],
        }
    }

    /// Returns a zone that contains a part of the given one, and more.
    pub(crate) fn overlapping(&self, case: usize) -> Zone {
        let mut overlapping = self.larger[case].clone();
        for seed in 0..3 {
            let cut = random_cut(&self.zones[case], 1000 + 10 * case as u64 + seed);
            let mut both = overlapping.clone();
            both.constrain(cut).unwrap();
            if both.intersects(&self.zones[case]).unwrap() {
                overlapping = both;
            }
        }
        overlapping
    }

    /// Returns up to a hundred pairs that satisfy the condition.
    pub(crate) fn pairs(&self, condition: impl Fn(&Zone, &Zone) -> bool) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        for step in [CASES].into_iter().chain(1..3 * CASES) {
            for left in 0..3 * CASES {
                let right = (left + step) % (3 * CASES);
                if pairs.len() < 100 && condition(self.any_zone(left), self.any_zone(right)) {
                    pairs.push((left, right));
                }
            }
        }
        assert!(pairs.len() >= 10, "too few pairs at dimension {}", self.size);
        pairs
    }
}

/// Returns a typical zone of an exploration: after some resets and delays, with a few bounds.
pub(crate) fn random_zone(size: usize, seed: u64, constraints: usize) -> Zone {
    let mut random = Random::new(seed * 64 + size as u64);
    loop {
        let mut zone = Zone::zero(Dimension::for_clocks(size - 1).unwrap());
        for _ in 0..2 * size {
            zone.up();
            let clock = Clock(1 + random.below(size as u32 - 1) as u16);
            if random.below(2) == 0 {
                let _ = zone.constrain(Constraint::at_least(clock, random.below(6) as i32).unwrap());
            }
            if random.below(3) == 0 {
                let _ = zone.constrain(Constraint::less_than(clock, 5 + random.below(15) as i32).unwrap());
            }
            let reset = Clock(1 + random.below(size as u32 - 1) as u16);
            zone.reset(reset, 0).unwrap();
        }
        zone.up();
        for _ in 0..constraints {
            let left = Clock(random.below(size as u32) as u16);
            let right = Clock(random.below(size as u32) as u16);
            let bound = Bound::finite(i64::from(random.below(30)), random.below(2) == 0).unwrap();
            let mut cut = zone.clone();
            if left != right
                && cut.constrain(Constraint::difference(left, right, bound)).unwrap()
                && is_wide(&cut)
            {
                zone = cut;
            }
        }
        if !zone.is_empty() && is_wide(&zone) {
            return zone;
        }
    }
}

/// Returns whether a constraint can exclude a part of the zone.
fn is_wide(zone: &Zone) -> bool {
    let range = zone.range(Clock(1));
    match (range.lower.constant(), range.upper.constant()) {
        (Some(lower), Some(upper)) => lower + upper >= 4 && -lower <= 10,
        _ => true,
    }
}

/// Returns a constraint that excludes a part of the zone.
fn random_cut(zone: &Zone, seed: u64) -> Constraint {
    let size = zone.dimension().size() as u32;
    let mut random = Random::new(seed + 77);
    loop {
        let (left, right) = (Clock(random.below(size) as u16), Clock(random.below(size) as u16));
        let bound = Bound::finite(i64::from(random.below(30)) - 10, random.below(2) == 0).unwrap();
        let cut = Constraint::difference(left, right, bound);
        if left != right && zone.satisfies_somewhere(cut) && !zone.satisfies_everywhere(cut) {
            return cut;
        }
    }
}

/// Xorshift: sufficient for test data, and the same on every machine.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        Random(seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn below(&mut self, count: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 33) % u64::from(count)) as u32
    }
}
