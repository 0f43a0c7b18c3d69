//! The specification theory of timed input/output automata: refinement, consistency, conjunction, composition,
//! quotient.
//!
//! [`SpecificationEngine`] answers questions about specifications. Components are unfolded over their data into
//! automata, which are combined state by state. Consistency is a timed safety game, refinement a search for a refused
//! move.
//!
//! The crate knows no language. [`composition_problems`] reports expressions that cannot be composed before anything is
//! answered.

mod action;
mod certificate;
mod clock_reduction;
mod component;
mod counterexample;
mod emptiness;
mod engine;
mod environment_strategy;
mod equal_copies;
mod explicit;
mod formula_terms;
mod formulas;
mod frame;
mod minimise;
mod named_component;
mod pair;
mod parts;
mod preconditions;
mod proof;
mod properties;
mod prune;
mod quotient;
mod reachability;
mod reaching_run;
mod refinement;
mod relation;
mod restricted;
mod search;
mod search_abort;
mod searched_parts;
mod single_process;
mod state;
mod theory;

pub use certificate::specification_certificate;
pub use component::InputCompletion;
pub use engine::{CompositionProblem, SpecificationEngine, composition_problems};
pub use environment_strategy::{EnvironmentMove, EnvironmentStrategy, environment_strategy};
pub use preconditions::PreconditionCheck;
pub use proof::{Claim, DerivationStep, NotDerived, Term, derive};
pub use relation::{RefinementRelation, RelatedMove, RelatedPair, refinement_relation};
pub use searched_parts::{holds_by_form, searched_parts};
pub use single_process::{component_obstacle, in_free_environment};
