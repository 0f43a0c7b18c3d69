//! Output of checked answers, with places in the source.
//!
//! [`locate`] turns a [`tempora_certify::CheckedAnswer`] into plain data. Runs of all kinds of systems become a
//! [`ShownRun`]: participants, steps, moves along edges with their places in the source, messages, and changed values.
//! A format in [`formats`] reads only that data.
//!
//! [`read_trace`] reads a run from JSON and replays it.
//!
//! Certificates are also written and read as JSON; the crate does not check whether they are valid.
//!
//! The crate does not know engines, and it shows only answers that have passed the check of [`tempora_certify`].

mod certificate_file;
pub mod codes;
pub mod documents;
mod exact_time;
mod findings;
pub mod formats;
mod invariant_file;
mod json_form;
mod located;
#[cfg(test)]
mod schemas;
mod show_network;
mod show_symbolic;
mod shown_run;
mod shown_value;
mod trace_file;
mod words;

pub use certificate_file::{WrittenCertificate, read_certificates, write_certificates};
pub use documents::SourcePlace;
pub use exact_time::ExactTime;
pub use findings::{
    Exploration, FindingSource, LocatedFinding, LocatedFindings, SkippedCheck, locate_findings,
};
pub use invariant_file::{UnreadableFormula, WrittenInvariant, read_invariants, write_invariants};
pub use located::{
    LocatedAnswer, RefinementRecord, SolverRecord, Source, StatisticsRecord, locate, locate_with_run,
};
pub use shown_run::{
    ClockChange, ClockIndex, EdgeRef, NamedChange, Participant, ParticipantIndex, ShownEnding, ShownLocation,
    ShownMessage, ShownMove, ShownRun, ShownState, ShownStep, ShownSynchronisation, ShownVariable,
    StepEffect, StepKind, StepTiming, VariableChange, VariableIndex,
};
pub use shown_value::{ShownMap, ShownValue};
pub use trace_file::{ReadTrace, read_trace};
pub use words::{
    AssuranceWord, CertaintyWord, ChannelWord, ComparisonWord, ControlEdgeWord, EndingWord, ParticipantWord,
    SeverityWord, TransitionWord, VariableWord, VerdictWord,
};
