//! One exploration for all sanity checks.

pub(crate) mod choices;
pub(crate) mod exploration;
pub(crate) mod stuck;
pub(crate) mod surveying;
pub(crate) mod surveyor;
pub(crate) mod watched;
