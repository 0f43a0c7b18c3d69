//! Reachability and deadlocks: the engine, its goals, and the certificates of its answers.

pub(crate) mod certificate;
mod compiled;
pub(crate) mod deadlock;
pub(crate) mod engine;
pub(crate) mod goals;
pub(crate) mod hidden_deadlocks;
pub(crate) mod localise;
mod sharing;
pub(crate) mod support;
