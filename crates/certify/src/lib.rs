//! Checked answers, and an independent checker of certificates: sets of states that contain the initial ones, are
//! closed under transitions and contain no bad state.
//!
//! [`check_answer`] lets the reference interpreter for the kind of system execute the runs of an engine's answer, and
//! creates a [`CheckedAnswer`]. A certificate or a derivation raises its assurance.
//!
//! The certificate checker is designed to be trusted rather than fast. It has its own zones, which are plain matrices,
//! and its own synchronisation of edges; the reference interpreter evaluates expressions. The argument needs neither
//! clock bounds nor simulations: a successor is covered if all its clock values are in nodes. [`verify`] checks a
//! certificate, and [`certify`] certifies an answer whose certificate is accepted.
//!
//! Certificates of symbolic systems are inductive invariants. [`verify_invariant`] asks a solver about them, with a
//! translation of steps that shares nothing with the engines.
//!
//! [`verify_derivation`] checks that a refinement follows from others. [`combine_answers`] combines the answers to the
//! parts of a question and lets runs of lowered models be executed by the semantics of the original language.
//!
//! The crate knows neither the zones of the engines, nor the machine, nor any engine, nor file formats.

mod answer;
mod approximated_predicate;
mod avoiding_delays;
mod certified_part;
mod checker;
mod combined;
mod committed_states;
mod component;
mod deadlock;
mod delay;
mod derivation;
mod disjoint;
mod formula;
mod invariant;
mod invariant_terms;
mod nodes;
mod obligations;
mod part;
mod quotient;
mod refinement;
mod refusal;
mod relation;
mod removed;
mod runs;
mod side_by_side;
mod transitions;
mod tree;
mod zone;

pub use answer::{Assurance, CheckedAnswer, withdraw};
pub use approximated_predicate::approximated_predicate;
pub use checker::{Accepted, certify, verify};
pub use combined::{ModelInterpreter, combine_answers};
pub use derivation::{RefinementClaim, ReplacementStep, certify_conclusion, verify_derivation};
pub use invariant::{AcceptedInvariant, certify_invariant, verify_invariant};
pub use obligations::{certified_parts, follows_from_form};
pub use part::weakened;
pub use refinement::{certify_specification, verify_specification};
pub use refusal::{Reason, Refusal};
pub use runs::check_answer;
