//! The diagnostic codes of this crate, one line each in [`ALL`].
//!
//! Invariant: every code declared below is in [`ALL`], its name is unique there, and the example on its page produces
//! it (see `tests/it/code_pages.rs`).

pub mod meaning;

use tempora_source::Code;

/// Every code of this crate, by name.
pub static ALL: &[&Code] = &[
    &meaning::CLOCK_ARITHMETIC,
    &meaning::CLOCK_CONDITION,
    &meaning::CONSTANT_ERROR,
    &meaning::DEFAULT_RANGE,
    &meaning::DUPLICATE_NAME,
    &meaning::EMPTY_RANGE,
    &meaning::ILL_FORMED_NETWORK,
    &meaning::MISPLACED,
    &meaning::MISSING_RETURN,
    &meaning::MISSING_VALUES,
    &meaning::NESTED_FORMULA,
    &meaning::NO_EFFECT,
    &meaning::NO_INITIAL,
    &meaning::NO_PROCESS,
    &meaning::NOT_A_TYPE,
    &meaning::NOT_ANSWERED,
    &meaning::NOT_ASSIGNABLE,
    &meaning::NOT_CONSTANT,
    &meaning::NOT_SUPPORTED,
    &meaning::OUTSIDE_OF_RANGE,
    &meaning::QUERY_ONLY,
    &meaning::RECURSION,
    &meaning::SIDE_EFFECT,
    &meaning::SUSPICIOUS_PRECEDENCE,
    &meaning::TOO_LARGE,
    &meaning::TYPE_MISMATCH,
    &meaning::UNKNOWN_NAME,
    &meaning::URGENT_WITH_CLOCKS,
    &meaning::WRONG_ARGUMENTS,
];
