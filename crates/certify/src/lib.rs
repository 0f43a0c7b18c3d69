//! The only maker of checked answers, and an independent checker of certificates: sets of states that contain the initial ones,
//! that no run leaves, and in which nothing is bad.
//!
//! [`check_answer`] has the runs of an engine's answer executed by the reference interpreter for its kind of system, and makes a
//! [`CheckedAnswer`]. A certificate or a derivation raises its assurance.
//!
//! The checker of certificates is written to be believed, not to be fast. It has its own zones, which are plain matrices, and its own way to put
//! edges together; what expressions mean it asks the reference interpreter. No bounds of clocks and no simulation enter
//! the argument: a successor is covered if all its clock values are among those of a node. [`verify`] checks a
//! certificate, and [`certify`] makes a certified answer of one that was accepted.
//!
//! Symbolic systems have inductive invariants for certificates. [`verify_invariant`] asks a solver whether they are, with formulas
//! of steps that are made here and share nothing with those of the engines.
//!
//! That a refinement follows from others is checked by [`verify_derivation`]. The answers to the parts of a question become one by
//! [`combine_answers`], which has runs of lowered models executed in the language that they were written in.
//!
//! The crate does not know the zones of the engines, the machine, any engine, or the form of files.

mod alone;
mod answer;
mod avoiding;
mod checker;
mod combined;
mod component;
mod deadlock;
mod delay;
mod derivation;
mod disjoint;
mod divided;
mod formula;
mod invariant;
mod invariant_terms;
mod nodes;
mod obligations;
mod part;
mod passing;
mod presumed;
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
pub use checker::{Accepted, certify, verify};
pub use combined::{ModelInterpreter, combine_answers};
pub use derivation::{RefinementClaim, ReplacementStep, certify_conclusion, verify_derivation};
pub use invariant::{AcceptedInvariant, certify_invariant, verify_invariant};
pub use obligations::{certified_parts, follows_from_form};
pub use part::weakened;
pub use presumed::presumed;
pub use refinement::{certify_specification, verify_specification};
pub use refusal::{Reason, Refusal};
pub use runs::check_answer;
