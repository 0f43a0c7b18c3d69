//! Extreme values of clocks and expressions.

pub(crate) mod extrema;
