//! Runs written to files, one file for each query and format.
//!
//! Invariant: a file is written for each answer that has a run, in each format that was asked for, or the command fails
//! and says why. A name says the number of the query, from 1.

use std::io;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use tempora_evidence::SystemKind;
use tempora_report::LocatedAnswer;
use tempora_report::formats::{RUN_FORMATS, RunFormat, RunToWrite};
use tempora_source::Diagnostic;

use super::model::write_file;
use crate::codes::{MISPLACED_OPTION, UNWRITABLE_RUN};
use crate::console::Console;

/// Reads the name of a format.
pub(crate) fn run_format_parser() -> impl TypedValueParser<Value = &'static RunFormat> {
    let values = RUN_FORMATS.iter().map(|format| PossibleValue::new(format.name).help(format.summary));
    PossibleValuesParser::new(values).try_map(|name| {
        let format = RUN_FORMATS.iter().find(|format| format.name == name);
        format.copied().ok_or("there is no such format")
    })
}

/// Why formats cannot hold runs of systems of this kind; `None` if all can.
pub(crate) fn refused_formats(formats: &[&RunFormat], kind: SystemKind) -> Option<Diagnostic> {
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

/// Writes the runs of one model.
pub(crate) struct TraceWriter<'run> {
    pub(crate) model: &'run str,
    pub(crate) kind: SystemKind,
    pub(crate) prefix: &'run str,
    pub(crate) formats: &'run [&'static RunFormat],
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
            for format in self.formats {
                let path = format!("{}-{}.{}", self.prefix, number + 1, format.extension);
                let content = match (format.write)(&RunToWrite { model: self.model, answer, run }) {
                    Ok(content) => content,
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
                console.complain(&match self.kind {
                    SystemKind::Network => format!("run of query {} written to {path}\n", number + 1),
                    SystemKind::Symbolic => format!("run written to {path}\n"),
                });
            }
        }
        if written == 0 {
            console.complain("no answer has a run, so none is written\n");
        }
        Ok(None)
    }
}
