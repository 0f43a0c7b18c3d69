//! Checked answers located in the source, and the formats in which they are shown.
//!
//! [`locate`] turns a [`tempora_certify::CheckedAnswer`] into plain data. Its run is a [`ShownRun`], whatever the system: participants,
//! steps, moves along edges with their places in the user's text, messages, and changed values. A format in [`formats`] writes that
//! data; it looks at nothing else.
//!
//! [`read_trace`] reads a run that was written as JSON back in, and executes it again.
//!
//! Certificates are written and read as JSON too; whether they show anything is for others to say.
//!
//! The crate does not know engines, and it cannot show an unchecked answer.

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
pub use documents::Place;
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
