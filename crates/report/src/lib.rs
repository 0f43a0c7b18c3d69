//! Checked answers located in the source, and the formats in which they are shown.
//!
//! [`locate`] turns a [`tempora_certify::CheckedAnswer`] into plain data: times, processes, edges with their places in
//! the user's text, and what changed. A format in [`formats`] writes that data; it looks at nothing else.
//!
//! [`read_trace`] reads a run that was written as JSON back in, and executes it again.
//!
//! Certificates are written and read as JSON too; whether they show anything is for others to say.
//!
//! The crate does not know engines, and it cannot show an answer that nobody has checked.

mod certificate_file;
pub mod codes;
pub mod documents;
mod findings;
pub mod formats;
mod invariant_file;
mod json_form;
mod located;
mod located_symbolic;
#[cfg(test)]
mod schemas;
mod trace_file;
mod words;

pub use certificate_file::{WrittenCertificate, read_certificates, write_certificates};
pub use findings::{
    Exploration, FindingSource, LocatedFinding, LocatedFindings, SkippedCheck, locate_findings,
};
pub use invariant_file::{WrittenInvariant, read_invariants, write_invariants};
pub use located::{
    Change, LocatedAnswer, LocatedMove, LocatedState, LocatedStep, LocatedTrace, Place, Source, ValueText,
    locate,
};
pub use located_symbolic::{LocatedRun, LocatedRunStep};
pub use trace_file::{ReadTrace, read_trace};
pub use words::{
    AssuranceWord, CertaintyWord, ChannelWord, ComparisonWord, ControlEdgeWord, EndingWord, SeverityWord,
    TransitionWord, VariableWord, VerdictWord,
};
