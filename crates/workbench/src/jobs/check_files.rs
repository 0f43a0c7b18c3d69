//! Output files of a check: certificates, components, runs.
//!
//! Invariant: every answer with a run has a file in each requested format, or there is a fault. A file name contains
//! the number of the query, from 1.

use tempora_certify::CheckedAnswer;
use tempora_evidence::{System, SystemKind, Task};
use tempora_report::formats::{RUN_FORMATS, RunFormat, RunToWrite};
use tempora_report::{LocatedAnswer, write_certificates, write_invariants};
use tempora_source::Diagnostic;

use super::outputs::{Output, OutputContent};
use super::save_components::save_components;
use super::{CheckRequest, JobContext};
use crate::certificates::accepted_certificate;
use crate::codes::{MISPLACED_OPTION, UNWRITABLE_RUN};
use crate::engines::{DUMP_SMT, EngineSettings};
use crate::invariants::accepted_invariant;
use crate::loading::Loaded;
use crate::session::Session;

/// Returns an error if a format does not support runs of systems of this kind.
pub(super) fn refused_formats(formats: &[&RunFormat], kind: SystemKind) -> Option<Diagnostic> {
    let refused = formats.iter().find(|format| !format.takes(kind))?;
    Some(match kind {
        SystemKind::Network => {
            let message = format!("--trace-format {} needs a symbolic system", refused.name);
            Diagnostic::error(&MISPLACED_OPTION, message).with_hint("remove it")
        }
        SystemKind::Symbolic => {
            let message = "runs of symbolic systems cannot be written in this format";
            let hint = format!("use --trace-format {}", alternatives(kind));
            Diagnostic::error(&UNWRITABLE_RUN, message).with_hint(hint)
        }
    })
}

/// Returns the formats that support systems of this kind, such as `json or states`.
fn alternatives(kind: SystemKind) -> String {
    let names: Vec<&str> =
        RUN_FORMATS.iter().filter(|format| format.takes(kind)).map(|format| format.name).collect();
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

/// A request with the data for its output files.
pub(super) struct RequestedFiles<'job> {
    pub(super) request: &'job CheckRequest,
    pub(super) context: &'job JobContext<'job>,
    pub(super) loaded: &'job Loaded,
    pub(super) task: &'job Task,
    pub(super) answers: &'job [CheckedAnswer],
    pub(super) located: &'job [LocatedAnswer],
}

impl RequestedFiles<'_> {
    /// Builds all requested files.
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

    /// Returns the accepted certificates as a file.
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
            return Output::nothing("no certificates to write: no answer is certified");
        }
        let what = if count == 1 { "certificate" } else { "certificates" };
        let note = format!("{count} {what} written to {file}: {} bytes", content.len());
        Output::file(file, content, note)
    }
}

/// Adds the text sent to solvers to the outputs, if the request records it.
pub(super) fn solver_recording(settings: &EngineSettings, outputs: &mut Vec<Output>) {
    let (Some(path), Some(recording)) = (settings.given.value(&DUMP_SMT), &settings.solver.recording) else {
        return;
    };
    let bytes = recording.text().into_bytes();
    if !bytes.is_empty() {
        let content = OutputContent::FileEnd { path: path.to_owned(), bytes };
        outputs.push(Output { content, note: String::new() });
    }
}

impl CheckRequest {
    /// Refuses to run if an output is an input, so that no work is lost. A prefix stands for the files of all queries;
    /// files that depend on the run are refused when they are written.
    pub(super) fn refuse_inputs_as_outputs(
        &self,
        session: Session<'_>,
        settings: &EngineSettings,
        queries: usize,
    ) -> Result<(), Diagnostic> {
        let named =
            [self.certificates.as_deref(), self.components.as_deref(), settings.given.value(&DUMP_SMT)];
        named.into_iter().flatten().try_for_each(|path| session.check_output(path))?;
        let Some(prefix) = &self.run_prefix else { return Ok(()) };
        for format in &self.run_formats {
            (1..=queries).try_for_each(|number| {
                session.check_output(&format!("{prefix}-{number}.{}", format.extension))
            })?;
        }
        Ok(())
    }
}

/// Adds the runs of all answers, in all requested formats, to the outputs.
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
                    outputs.push(Output::fault(
                        diagnostic.with_hint("use the format json, which supports every run"),
                    ));
                    return;
                }
            }
        }
    }
    if outputs.len() == before {
        outputs.push(Output::nothing("no runs to write: no answer has one"));
    }
}
