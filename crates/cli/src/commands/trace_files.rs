//! Runs written to files, one file for each query and format.
//!
//! Invariant: a file is written for each answer that has a run, in each format that was asked for, or the command fails
//! and says why. A name says the number of the query, from 1.

use std::io;

use tempora_report::{LocatedAnswer, ShownRun, formats};
use tempora_source::Diagnostic;

use super::model::write_file;
use crate::codes::UNWRITABLE_RUN;
use crate::console::Console;

/// A format of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum TraceFormat {
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

impl TraceFormat {
    pub(super) fn extension(self) -> &'static str {
        match self {
            TraceFormat::Text => "txt",
            TraceFormat::Json => "json",
            TraceFormat::Svg => "svg",
            TraceFormat::Mermaid => "mmd",
            TraceFormat::Plantuml => "puml",
            TraceFormat::Xtr => "xtr",
            TraceFormat::States => "trace",
        }
    }
}

/// Writes the runs of one model.
pub(crate) struct TraceWriter<'run> {
    pub(crate) model: &'run str,
    pub(crate) prefix: &'run str,
    pub(crate) formats: &'run [TraceFormat],
}

impl TraceWriter<'_> {
    /// Writes the runs of all answers; says where, or why one cannot be written.
    pub(crate) fn write_all(
        &self,
        answers: &[LocatedAnswer],
        console: &mut Console,
    ) -> io::Result<Option<Diagnostic>> {
        let mut written = 0;
        for (number, answer) in answers.iter().enumerate() {
            let Some(run) = &answer.run else { continue };
            for &format in self.formats {
                let path = format!("{}-{}.{}", self.prefix, number + 1, format.extension());
                let content = match self.content(format, answer, run) {
                    Ok(Some(content)) => content,
                    Ok(None) => continue,
                    Err(why) => {
                        let message =
                            format!("the run of query {} cannot be written to `{path}`: {why}", number + 1);
                        return Ok(Some(
                            Diagnostic::error(&UNWRITABLE_RUN, message)
                                .with_hint("the format json can hold every run"),
                        ));
                    }
                };
                if let Some(diagnostic) = write_file(&path, content.as_bytes(), console)? {
                    return Ok(Some(diagnostic));
                }
                written += 1;
                console.complain(&format!("run of query {} written to {path}\n", number + 1));
            }
        }
        if written == 0 {
            console.complain("no answer has a run, so none is written\n");
        }
        Ok(None)
    }

    fn content(
        &self,
        format: TraceFormat,
        answer: &LocatedAnswer,
        run: &ShownRun,
    ) -> Result<Option<String>, String> {
        Ok(match format {
            // Refused before anything is checked.
            TraceFormat::States => None,
            TraceFormat::Text => Some(formats::text::run(answer, run)),
            TraceFormat::Json => Some(formats::json::run(self.model, answer, run)?),
            TraceFormat::Svg => Some(formats::sequence::svg(&answer.query, run)),
            TraceFormat::Mermaid => Some(formats::sequence::mermaid(&answer.query, run)),
            TraceFormat::Plantuml => Some(formats::sequence::plantuml(&answer.query, run)),
            TraceFormat::Xtr => Some(formats::xtr::write(run)?),
        })
    }
}
