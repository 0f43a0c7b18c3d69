//! Points on a rational grid, as integers.
//!
//! A point has one coordinate for each clock, clock 0 first, each multiplied by the denominator `2 (n + 1)` for
//! `n` clocks. Two sets that are given by integer bounds on `n` clocks and their differences are equal if they
//! agree on the multiples of `1/(n + 1)`: membership depends on the integer parts and on the order of the
//! fractional parts (the region) only, and `n` fractional parts can be ordered in every way, zero included, on
//! that grid. So tests compare on the *coarse* points, whose scaled coordinates are even.
//!
//! "There is a delay" and "there is a value of this clock" for a coarse point ask for a number in an interval
//! whose ends are multiples of `1/(n + 1)`. If it is not empty it has such an end or the middle between two
//! neighbouring multiples, which is on the *fine* grid. So searches use all scaled integers.

/// The most clocks, clock 0 included, that points have.
pub(crate) const POINT_SIZE: usize = 5;

/// Scaled coordinates; those beyond the number of clocks are zero.
pub(crate) type Point = [i64; POINT_SIZE];

/// Returns the scale of the fine grid.
pub(crate) fn denominator(clocks: usize) -> i64 {
    2 * (clocks as i64 + 1)
}

/// Calls the function for each coarse point with no coordinate above the limit.
pub(crate) fn for_each_coarse_point(clocks: usize, limit: i64, mut visit: impl FnMut(&Point)) {
    let last = limit * denominator(clocks);
    let mut point = [0; POINT_SIZE];
    loop {
        visit(&point);
        // Count up like an odometer.
        let Some(clock) = (1..=clocks).find(|&clock| point[clock] < last) else { return };
        point[clock] += 2;
        point[1..clock].fill(0);
    }
}
