//! Data that engines and users exchange: tasks, budgets, answers and evidence.
//!
//! Everything here refers to a [`tempora_model::Network`] or a [`tempora_transition::SymbolicSystem`]. The crate
//! contains no engine and computes nothing: the replay crate decides whether a trace is a run of its network.

mod answer;
mod budget;
mod cancellation;
mod certificate;
mod engine;
mod error;
mod inductive_invariant;
mod lowering;
mod progress;
mod refused_run;
mod specification_run;
mod survey;
mod symbolic;
mod task;
mod trace;

/// A rational number: all times in this workspace are exact.
pub type Rational = num_rational::Ratio<i64>;

pub use answer::{
    Answer, Caveat, Estimate, Evidence, Limit, MeasuredValue, Refusal, Samples, Strategy, UnknownReason,
    Verdict,
};
pub use budget::{Budget, BudgetWatch, Exhausted};
pub use cancellation::{Cancellation, StopCause};
pub use certificate::{
    AnyCertificate, Certificate, CertificateRef, CertificateZones, CertifiedLeaves, CertifiedPart,
    CertifiedStates, ClockBound, LeafState, NetworkPart, SpecificationCertificate,
};
pub use engine::{Engine, Prepared, Support, prepare_within, run_within};
pub use error::{RuntimeError, RuntimeErrorKind};
pub use inductive_invariant::InductiveInvariant;
pub use lowering::Lowering;
pub use progress::{Phase, Progress, RefinementStatistics, SolverStatistics, Statistics};
pub use refused_run::{ChosenMove, RefusedMove, RefusedRun};
pub use specification_run::{ComponentStart, SpecificationRun};
pub use survey::{
    ChoiceFact, ConjunctSurvey, DeadlockFact, EdgeStage, EdgeSurvey, ErrorFact, ObservedRange, ProcessSurvey,
    Settled, Survey, ViolationFact, conjunct_origins,
};
pub use symbolic::{SymbolicStep, SymbolicTrace};
pub use task::{System, SystemKind, Task};
pub use trace::{Ending, Participation, Step, Trace, Transition, TransitionKind};
