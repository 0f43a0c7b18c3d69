//! Zones and federations: sets of clock valuations given by difference bounds.
//!
//! A [`Zone`] is a difference bound matrix (DBM) that is either closed (every entry is the tightest bound on its
//! difference) or empty; a [`Federation`] is a finite union of zones. Clocks are never negative. Every operation is
//! exact on the set of real valuations, and a bound that cannot be represented is a [`BoundOverflow`] error, never a
//! wrap.
//!
//! The crate is pure mathematics: it knows no automata, locations or clock names.
//!
//! Where to start: [`Zone`] for the operations of forward exploration, [`LuBounds`] for the covering tests that replace
//! extrapolation, [`Federation`] for complements, predecessors and games, [`CompactZone`] and [`ZoneArena`] for storing
//! many zones.

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

mod arena;
mod bound;
mod clock;
mod compact;
mod constraint;
mod covering;
mod dispatch;
mod extrapolation;
mod federation;
mod kernel;
mod minimal;
mod point;
mod relation;
mod reshape;
mod subtraction;
mod text;
mod timed_predecessor;
mod timed_successor;
mod update;
mod zone;

pub use arena::{ArenaCandidate, ZoneArena, ZoneHandle};
pub use bound::{Bound, BoundOverflow};
pub use clock::{Clock, Dimension, TooManyClocks};
pub use compact::CompactZone;
pub use constraint::Constraint;
pub use covering::LuBounds;
pub use extrapolation::Extrapolation;
pub use federation::Federation;
pub use point::{Point, Rational};
pub use relation::Relation;
pub use reshape::{ClockSource, NewClockValue};
pub use update::ClockUpdate;
pub use zone::{ClockRange, OpenMatrix, Zone};
