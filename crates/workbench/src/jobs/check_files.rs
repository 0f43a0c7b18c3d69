//! The files that a request to answer queries asks for: certificates, components, runs.
//!
//! Invariant: each answer that has a run has a file in each format that was asked for, or there is a fault. A name says the number
//! of the query, from 1.

use tempora_certify::CheckedAnswer;
use tempora_evidence::{System, Task};
use tempora_report::formats::states::state_sequence;
use tempora_report::{LocatedAnswer, formats, write_certificates, write_invariants};
use tempora_source::Diagnostic;

use super::outputs::Output;
use super::save_components::save_components;
use super::{CheckRequest, JobContext};
use crate::certified::accepted_certificate;
use crate::codes::UNWRITABLE_RUN;
use crate::invariants::accepted_invariant;
use crate::loading::Loaded;

/// A format of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunFileFormat {
    /// For people, as on the terminal.
    Text,
    /// For programs, and for `tempora draw --trace`.
    Json,
    /// A sequence diagram as a picture.
    Svg,
    /// A sequence diagram for Mermaid.
    Mermaid,
    /// A sequence diagram for PlantUML.
    Plantuml,
    /// For UPPAAL's simulator.
    Xtr,
    /// A sequence of states as Theta writes it; for symbolic systems.
    States,
}

impl RunFileFormat {
    fn extension(self) -> &'static str {
        match self {
            RunFileFormat::Text => "txt",
            RunFileFormat::Json => "json",
            RunFileFormat::Svg => "svg",
            RunFileFormat::Mermaid => "mmd",
            RunFileFormat::Plantuml => "puml",
            RunFileFormat::Xtr => "xtr",
            RunFileFormat::States => "trace",
        }
    }

    /// Whether it holds runs of symbolic systems.
    pub(super) fn is_for_symbolic_systems(self) -> bool {
        matches!(self, RunFileFormat::Json | RunFileFormat::States)
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
        if let Some(prefix) = &self.request.run_prefix {
            self.runs(prefix, &mut outputs);
        }
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

    /// The runs of all answers, in all formats.
    fn runs(&self, prefix: &str, outputs: &mut Vec<Output>) {
        let before = outputs.len();
        for (number, (answer, located)) in self.answers.iter().zip(self.located).enumerate() {
            for &format in &self.request.run_formats {
                let path = format!("{prefix}-{}.{}", number + 1, format.extension());
                match self.run(format, answer, located) {
                    Ok(None) => {}
                    Ok(Some(content)) => {
                        let note = match &self.task.system {
                            System::Network(_) => format!("run of query {} written to {path}", number + 1),
                            System::Symbolic(_) => format!("run written to {path}"),
                        };
                        outputs.push(Output::file(path, content, note));
                    }
                    Err(why) => {
                        let message =
                            format!("the run of query {} cannot be written to `{path}`: {why}", number + 1);
                        let diagnostic = Diagnostic::error(&UNWRITABLE_RUN, message);
                        outputs
                            .push(Output::fault(diagnostic.with_hint("the format json can hold every run")));
                        return;
                    }
                }
            }
        }
        if outputs.len() == before {
            outputs.push(Output::nothing("no answer has a run, so none is written"));
        }
    }

    fn run(
        &self,
        format: RunFileFormat,
        answer: &CheckedAnswer,
        located: &LocatedAnswer,
    ) -> Result<Option<String>, String> {
        let network = match &self.task.system {
            System::Network(network) => network,
            System::Symbolic(system) => {
                return Ok(answer.symbolic_run().and_then(|(trace, run)| match format {
                    RunFileFormat::States => state_sequence(system, trace, run),
                    _ => formats::json::symbolic_run(located),
                }));
            }
        };
        let (Some((trace, run)), Some(shown)) = (answer.run(), &located.evidence.trace) else {
            return Ok(None);
        };
        Ok(match format {
            // Refused before anything is checked.
            RunFileFormat::States => None,
            RunFileFormat::Text => formats::text::run(located),
            RunFileFormat::Json => formats::json::run(&self.request.model.path, located),
            RunFileFormat::Svg => Some(formats::sequence::svg(&located.query, shown)),
            RunFileFormat::Mermaid => Some(formats::sequence::mermaid(&located.query, shown)),
            RunFileFormat::Plantuml => Some(formats::sequence::plantuml(&located.query, shown)),
            RunFileFormat::Xtr => Some(formats::xtr::write(network, trace, run)?),
        })
    }
}
