//! Engines for systems over unbounded data.
//!
//! [`ExplicitEngine`] goes through states one by one and needs no solver.
//!
//! The crate knows no language.

mod answers;
mod explicit;

pub use explicit::ExplicitEngine;
