//! Brute-force oracle for the library.
//!
//! Invariant: nothing here uses an algorithm of the library. A set is a predicate on points, a zone is a list of
//! constraints that is never closed, and an existential quantifier is a search. Results of the library are read entry
//! by entry through `Zone::bound` and then treated as a list of constraints as well.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "failing cases and balances are printed")]
#![allow(clippy::needless_range_loop, reason = "matrices read best by their indices")]

mod cases;
mod generate;
mod grid;
pub(crate) mod interpreter;
mod library;
mod matrix;
mod motion;
mod naive;
mod random;

pub(crate) use cases::{Case, check_cases, check_share_of_cases};
pub(crate) use generate::{NaiveBounds, Scale, random_bounds, random_update};
pub(crate) use grid::Point;
pub(crate) use library::{
    assert_same_federation, assert_same_set, assert_tight, assert_well_formed, clock, constraint_of,
    dimension, federation_of, naive_of, rationals, zone_of,
};
pub(crate) use matrix::{Entry, NaiveMatrix};
pub(crate) use motion::{
    is_after, is_before, is_inside_for_some, is_reached, is_reached_avoiding_bad, reaches_good_avoiding_bad,
    updated, with,
};
pub(crate) use naive::{Difference, NaiveZone, any_contains, is_satisfiable};
