//! The reference that tests compare engines with: a complete checker over clock regions, and random networks.
//!
//! [`explore`] builds the whole region graph of a small network on top of the reference interpreter; the graph then
//! answers every kind of query. It is slow on purpose: each answer follows from a definition and a fixpoint over an
//! explicit graph. [`random_networks`] generates networks as text, so that a failing case can be read and kept.
//!
//! The crate is for tests only. It does not know zones, and shares no code with any engine.

mod constants;
mod cycles;
mod distances;
mod divergence;
mod failure;
mod fixpoints;
mod formula;
mod graph;
mod observer;
mod predicates;
pub mod random_networks;
mod read;
mod region;
mod region_graph;
mod sanity;
mod values;

pub use failure::ExplorationFailure;
pub use read::{Model, read_model};
pub use region_graph::{RegionGraph, Settings, explore};
pub use sanity::ReachableParts;
