//! Difference bound matrices and federations as mathematics.
