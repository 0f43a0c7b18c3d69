//! Liveness: maximal runs, predicates that hold infinitely often, and goals that remain reachable.

pub(crate) mod bounded_time;
pub(crate) mod branching;
pub(crate) mod components;
pub(crate) mod cycles;
pub(crate) mod delays;
pub(crate) mod maximal_runs;
pub(crate) mod nested;
pub(crate) mod observer;
pub(crate) mod restricted;
pub(crate) mod run_ends;
