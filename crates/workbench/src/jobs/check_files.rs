//! The files that a request to answer queries asks for: certificates, components, runs.
//!
//! Invariant: each answer that has a run has a file in each format that was asked for, or there is a fault. A name says the number
//! of the query, from 1.

use tempora_certify::CheckedAnswer;
use tempora_evidence::{System, SystemKind, Task};
use tempora_report::formats::{RUN_FORMATS, RunFormat, RunToWrite};
use tempora_report::{LocatedAnswer, write_certificates, write_invariants};
use tempora_source::Diagnostic;

use super::outputs::Output;
use super::save_components::save_components;
use super::{CheckRequest, JobContext};
use crate::certified::accepted_certificate;
use crate::codes::{MISPLACED_OPTION, UNWRITABLE_RUN};
use crate::invariants::accepted_invariant;
use crate::loading::Loaded;

/// Why formats cannot hold runs of systems of this kind; `None` if all can.
pub(super) fn refused_formats(formats: &[&RunFormat], kind: SystemKind) -> Option<Diagnostic> {
    let refused = formats.iter().find(|format| !format.takes(kind))?;
    Some(match kind {
        SystemKind::Network => {
            let message = format!("--trace-format {} is for symbolic systems", refused.name);
            Diagnostic::error(&MISPLACED_OPTION, message).with_hint("leave it out")
        }
        SystemKind::Symbolic => {
            let message = "runs of symbolic systems are not written in this format";
            let hint = format!("use --trace-format {}", alternatives(kind));
            Diagnostic::error(&UNWRITABLE_RUN, message).with_hint(hint)
        }
    })
}

/// The formats for systems of this kind, such as `json or states`.
fn alternatives(kind: SystemKind) -> String {
    let names: Vec<&str> =
        RUN_FORMATS.iter().filter(|format| format.takes(kind)).map(|format| format.name).collect();
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

/// A request with everything that its files are made of.
pub(super) struct RequestedFiles<'job> {
    pub(super) request: &'job CheckRequest,
    pub(super) context: &'job JobContext<'job>,
    pub(super) loaded: &'job Loaded,
    pub(super) task: &'job Task,
    pub(super) answers: &'job [CheckedAnswer],
    pub(super) located: &'job [LocatedAnswer],
}

impl RequestedFiles<'_> {
    /// All files that were asked for.
    pub(super) fn make(&self) -> Vec<Output> {
        let mut outputs = Vec::new();
        if let Some(file) = &self.request.certificates {
            outputs.push(self.certificates(file));
        }
        if let (Some(path), System::Network(_)) = (&self.request.components, &self.task.system) {
            outputs.push(save_components(path, self.loaded, self.answers, self.context));
        }
        run_files(self.request, self.task.system.kind(), self.located, &mut outputs);
        outputs
    }

    /// The certificates that were accepted.
    fn certificates(&self, file: &str) -> Output {
        let answers = || self.task.queries.iter().zip(self.answers);
        let model = self.request.model.path.as_str();
        let (count, content) = match &self.task.system {
            System::Network(network) => {
                let certificates: Vec<_> = answers()
                    .filter_map(|(query, answer)| Some((query.text.as_str(), accepted_certificate(answer)?)))
                    .collect();
                (certificates.len(), write_certificates(model, network, &certificates))
            }
            System::Symbolic(system) => {
                let invariants: Vec<_> = answers()
                    .filter_map(|(query, answer)| Some((query.text.as_str(), accepted_invariant(answer)?)))
                    .collect();
                (invariants.len(), write_invariants(model, system, &invariants))
            }
        };
        if count == 0 {
            return Output::nothing("no answer has a certificate, so none is written");
        }
        let what = if count == 1 { "certificate" } else { "certificates" };
        let note = format!("{count} {what} written to {file}: {} bytes", content.len());
        Output::file(file, content, note)
    }
}

/// The runs of all answers, in all formats that a request asks for.
pub(super) fn run_files(
    request: &CheckRequest,
    kind: SystemKind,
    located: &[LocatedAnswer],
    outputs: &mut Vec<Output>,
) {
    let Some(prefix) = &request.run_prefix else { return };
    let before = outputs.len();
    for (number, answer) in located.iter().enumerate() {
        let Some(run) = &answer.run else { continue };
        for format in &request.run_formats {
            let path = format!("{prefix}-{}.{}", number + 1, format.extension);
            let model = request.model.path.as_str();
            match (format.write)(&RunToWrite { model, answer, run }) {
                Ok(content) => {
                    let note = match kind {
                        SystemKind::Network => format!("run of query {} written to {path}", number + 1),
                        SystemKind::Symbolic => format!("run written to {path}"),
                    };
                    outputs.push(Output::file(path, content, note));
                }
                Err(why) => {
                    let message =
                        format!("the run of query {} cannot be written to `{path}`: {why}", number + 1);
                    let diagnostic = Diagnostic::error(&UNWRITABLE_RUN, message);
                    outputs.push(Output::fault(diagnostic.with_hint("the format json can hold every run")));
                    return;
                }
            }
        }
    }
    if outputs.len() == before {
        outputs.push(Output::nothing("no answer has a run, so none is written"));
    }
}
