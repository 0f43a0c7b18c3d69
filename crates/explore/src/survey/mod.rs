//! One exploration for all sanity checks.

pub(crate) mod choices;
pub(crate) mod exploration;
pub(crate) mod notifications;
pub(crate) mod observed_conditions;
pub(crate) mod stuck;
pub(crate) mod surveyor;
