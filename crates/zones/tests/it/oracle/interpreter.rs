//! Interprets bytes as a sequence of operations on a zone and a federation of three clocks, and checks each on points.
//!
//! Invariant: any bytes are a program, and the expected result of an operation is computed from the library's entries
//! before it, by the definitions on points. Only some points are checked, so that a fuzzer can run thousands of
//! programs a second; the tests of the single operations check all.

use std::fmt::Debug;

use tempora_zones::{ClockUpdate, Federation, Zone};

use super::generate::Scale;
use super::grid::{POINT_SIZE, Point};
use super::library::{assert_well_formed, clock, constraint_of, dimension, naive_of};
use super::motion::{
    is_after, is_before, is_inside_for_some, is_reached, reaches_good_avoiding_bad, updated,
};
use super::naive::{Difference, NaiveZone, any_contains};
use super::random::Random;

const CLOCKS: usize = 3;
const MOST_STEPS: usize = 12;
const MOST_ZONES: usize = 6;
const LARGEST_CONSTANT: i64 = 12;
const POINTS: usize = 60;

/// Runs the program; panics where the library and the definitions differ.
pub(crate) fn run(bytes: &[u8]) {
    let seed =
        bytes.iter().fold(7u64, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3));
    let mut machine = Machine {
        bytes: bytes.iter().copied(),
        random: Random::new(seed),
        zone: Zone::universe(dimension(CLOCKS)),
        federation: Federation::empty(dimension(CLOCKS)),
    };
    for _ in 0..MOST_STEPS {
        let Some(code) = machine.bytes.next() else { return };
        machine.step(code);
        machine.keep_small();
    }
}

struct Machine<'a> {
    bytes: std::iter::Copied<std::slice::Iter<'a, u8>>,
    random: Random,
    zone: Zone,
    federation: Federation,
}

impl Machine<'_> {
    fn step(&mut self, code: u8) {
        let before = [naive_of(&self.zone)];
        let zones = naive_zones(&self.federation);
        let scale = self.scale();
        let denominator = scale.denominator();
        match code % 18 {
            0 | 1 => {
                let difference = self.difference();
                let is_inhabited = self.zone.constrain(constraint_of(difference)).unwrap();
                assert_eq!(
                    is_inhabited,
                    !before[0].and(difference).is_empty(),
                    "{difference:?} on {before:?}"
                );
                self.check_zone(&difference, |point| before[0].and(difference).contains(point, denominator));
            }
            2 => {
                self.zone.up();
                self.check_zone(&"up", |point| is_after(scale, &before, point));
            }
            3 => {
                self.zone.down();
                self.check_zone(&"down", |point| is_before(scale, &before, point));
            }
            4 => {
                let freed = self.clock();
                self.zone.free(clock(freed));
                self.check_zone(&("free", freed), |point| is_inside_for_some(scale, &before, point, freed));
            }
            5 => {
                let update = self.update();
                self.zone.update(update).unwrap();
                self.check_zone(&update, |point| is_reached(scale, &before, update, point));
            }
            6 => {
                let update = self.update();
                self.zone.weakest_precondition(update).unwrap();
                self.check_zone(&("before", update), |point| {
                    any_contains(&before, &updated(scale, update, point), denominator)
                });
            }
            7 => {
                self.zone = Zone::universe(dimension(CLOCKS));
            }
            8 => {
                let Some(other) = self.federation.zones().first().cloned() else { return };
                let is_inhabited = self.zone.intersect(&other).unwrap();
                let both = before[0].and_all(&zones[0].constraints);
                assert_eq!(is_inhabited, !both.is_empty());
                self.check_zone(&"intersect", |point| both.contains(point, denominator));
            }
            9 => {
                let Some(other) = self.federation.zones().first().cloned() else { return };
                self.zone.extend_to_hull(&other);
                for part in before.iter().chain(&zones[..1]) {
                    let hull = naive_of(&self.zone);
                    self.check_points(&"hull", |point| {
                        !part.contains(point, denominator) || hull.contains(point, denominator)
                    });
                }
            }
            10 => {
                self.federation.add(self.zone.clone());
                self.check_federation(&"add", |point| {
                    any_contains(&zones, point, denominator) || any_contains(&before, point, denominator)
                });
            }
            11 => {
                self.federation.subtract_zone(&self.zone).unwrap();
                self.check_federation(&"subtract", |point| {
                    any_contains(&zones, point, denominator) && !any_contains(&before, point, denominator)
                });
            }
            12 => {
                self.federation.intersect(&Federation::from(self.zone.clone())).unwrap();
                self.check_federation(&"intersect", |point| {
                    any_contains(&zones, point, denominator) && any_contains(&before, point, denominator)
                });
            }
            13 => {
                self.federation = self.federation.complement().unwrap();
                self.check_federation(&"complement", |point| !any_contains(&zones, point, denominator));
            }
            14 => {
                let bad = Federation::from(self.zone.clone());
                self.federation = self.federation.timed_predecessors(&bad).unwrap();
                self.check_federation(&"timed predecessors", |point| {
                    reaches_good_avoiding_bad(scale, point, &zones, &before)
                });
            }
            15 => {
                self.federation.reduce().unwrap();
                assert!(self.federation.zones().len() <= zones.len());
                self.check_federation(&"reduce", |point| any_contains(&zones, point, denominator));
            }
            16 => {
                self.federation.drop_redundant().unwrap();
                self.check_federation(&"drop redundant", |point| any_contains(&zones, point, denominator));
            }
            _ => self.check_inclusion(&before, &zones),
        }
    }

    /// Checks that a claimed inclusion holds at all points, and that a denied one has a witness.
    fn check_inclusion(&mut self, zone: &[NaiveZone], zones: &[NaiveZone]) {
        let denominator = self.scale().denominator();
        if self.federation.includes_zone(&self.zone).unwrap() {
            self.check_points(&"inclusion", |point| {
                !any_contains(zone, point, denominator) || any_contains(zones, point, denominator)
            });
        } else {
            let witness =
                Federation::from(self.zone.clone()).witness_outside(&self.federation).unwrap().unwrap();
            assert!(self.zone.contains_point(&witness) && !self.federation.contains_point(&witness));
        }
    }

    fn check_zone(&mut self, what: &dyn Debug, expected: impl Fn(&Point) -> bool) {
        let found = naive_of(&self.zone);
        let denominator = self.scale().denominator();
        assert_eq!(self.zone.is_empty(), found.is_empty(), "{what:?}");
        self.check_points(what, |point| found.contains(point, denominator) == expected(point));
    }

    fn check_federation(&mut self, what: &dyn Debug, expected: impl Fn(&Point) -> bool) {
        self.federation.zones().iter().for_each(assert_well_formed);
        let found = naive_zones(&self.federation);
        let denominator = self.scale().denominator();
        self.check_points(what, |point| any_contains(&found, point, denominator) == expected(point));
    }

    /// Checks some coarse points near the origin, where bounds meet.
    fn check_points(&mut self, what: &dyn Debug, is_right: impl Fn(&Point) -> bool) {
        let scale = self.scale();
        let last = (scale.largest + 1) * scale.denominator() / 2;
        for _ in 0..POINTS {
            let mut point: Point = [0; POINT_SIZE];
            for coordinate in &mut point[1..=CLOCKS] {
                *coordinate = 2 * self.random.between(0, last);
                if self.random.chance(50) {
                    // Bounds are integers.
                    *coordinate -= *coordinate % scale.denominator();
                }
            }
            assert!(
                is_right(&point),
                "{what:?}: {:?} over {}, zone {:?}, federation {:?}",
                &point[1..=CLOCKS],
                scale.denominator(),
                self.zone,
                self.federation,
            );
        }
    }

    /// Returns a scale for all current constants.
    fn scale(&self) -> Scale {
        let zones = std::iter::once(&self.zone).chain(self.federation.zones());
        let constants = zones.flat_map(|zone| naive_of(zone).constraints).map(|bound| bound.constant.abs());
        Scale { clocks: CLOCKS, largest: constants.max().unwrap_or(0).max(2) }
    }

    /// Restarts before constants or lists become so large that the points do not reach them.
    fn keep_small(&mut self) {
        if self.zone.is_empty() {
            self.zone = Zone::universe(dimension(CLOCKS));
        }
        if self.federation.zones().len() > MOST_ZONES || self.scale().largest > LARGEST_CONSTANT {
            self.zone = Zone::zero(dimension(CLOCKS));
            self.federation = Federation::from(Zone::universe(dimension(CLOCKS)));
        }
    }

    fn byte(&mut self) -> usize {
        usize::from(self.bytes.next().unwrap_or(0))
    }

    fn clock(&mut self) -> usize {
        1 + self.byte() % CLOCKS
    }

    fn difference(&mut self) -> Difference {
        let (clocks, constant) = (self.byte(), self.byte());
        let left = clocks % (CLOCKS + 1);
        let right = (left + 1 + clocks / 4 % CLOCKS) % (CLOCKS + 1);
        Difference::new(left, right, (constant / 2 % 9) as i64 - 4, constant % 2 == 1)
    }

    fn update(&mut self) -> ClockUpdate {
        let (target, kind) = (clock(self.clock()), self.byte());
        match kind % 3 {
            0 => ClockUpdate::Reset { clock: target, value: (kind / 3 % 4) as u32 },
            1 => ClockUpdate::Copy { target, from: clock(kind / 3 % (CLOCKS + 1)) },
            _ => ClockUpdate::Shift { clock: target, amount: (kind / 3 % 5) as i32 - 2 },
        }
    }
}

fn naive_zones(federation: &Federation) -> Vec<NaiveZone> {
    federation.zones().iter().map(naive_of).collect()
}
