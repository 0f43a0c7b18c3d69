//! The job that answers queries for scripts that call UPPAAL's `verifyta`.
//!
//! Invariant: texts are in the words of `verifyta`, and the answers are those of the job that answers queries.

use tempora_evidence::Verdict;
use tempora_model::Query;
use tempora_report::formats::{verifyta, xtr};
use tempora_report::{Source, locate};
use tempora_source::Diagnostic;

use super::outputs::Output;
use super::{Job, JobContext, ModelRequest, Refused, SearchChoice};
use crate::RunPreference;
use crate::check::{CheckOptions, check};
use crate::codes::{NO_QUERY, UNWRITABLE_RUN};
use crate::engines::{EngineChoice, EngineSettings};
use crate::loading::Loaded;

/// A request of a script.
#[derive(Clone, Debug)]
pub struct VerifytaRequest {
    /// The model.
    pub model: ModelRequest,
    /// In which order states are searched.
    pub search: SearchChoice,
    /// The seed of random choices.
    pub seed: u64,
    /// Which run is wanted; none if not given.
    pub trace: Option<RunPreference>,
    /// The beginning of the paths of files with runs; without it, runs are texts.
    pub trace_prefix: Option<String>,
}

/// The answers, in the order of the queries.
#[derive(Clone, Debug)]
pub struct VerifytaOutcome {
    /// The answers.
    pub answers: Vec<VerifytaAnswer>,
}

/// An answer in the words of `verifyta`.
#[derive(Clone, Debug)]
pub struct VerifytaAnswer {
    /// Where the query is written.
    pub place: String,
    /// The verdict, and the values that were asked for.
    pub verdict: String,
    /// Whether there is a verdict.
    pub is_known: bool,
    /// The statistics.
    pub statistics: String,
    /// The run, if one is wanted and there is one.
    pub run: Option<VerifytaRun>,
}

/// A run in the words of `verifyta`.
#[derive(Clone, Debug)]
pub enum VerifytaRun {
    /// As a text.
    Shown {
        /// `counter example` or `example trace`.
        kind: &'static str,
        /// The states, delays and transitions.
        text: String,
    },
    /// As a file.
    Saved(Output),
}

impl Job for VerifytaRequest {
    type Outcome = VerifytaOutcome;

    fn run(self, context: &JobContext<'_>) -> Result<VerifytaOutcome, Refused> {
        let loaded = context.open_network(&self.model)?;
        let task = loaded.task(loaded.queries.clone()).ok_or_else(Refused::default)?;
        if task.queries.is_empty() {
            let diagnostic = Diagnostic::error(&NO_QUERY, "there is no query to answer")
                .with_hint("name a file with queries behind the model");
            return Err(Refused::about(&loaded.files, [diagnostic]));
        }
        let (network, tree) = (task.system.network(), loaded.tree());
        let (Some(network), Some(tree)) = (network, tree) else { return Err(Refused::default()) };
        let settings = EngineSettings {
            order: self.search.order(self.seed),
            preference: self.trace.unwrap_or(RunPreference::Any),
            ..EngineSettings::default()
        };
        let options = CheckOptions { engine: EngineChoice::Automatic, settings };
        let answers = check(&task, &options, &context.budget, context.progress);
        let source = Source { files: &loaded.files, origins: &loaded.origins };
        let told = task.queries.iter().zip(&answers).enumerate().map(|(number, (query, answer))| {
            let verdict = &answer.answer().verdict;
            let located = locate(source, &task, query, answer);
            let is_wanted = self.trace.is_some() && answer.answer().trace().is_some();
            let run = is_wanted.then(|| {
                let kind = match verifyta::is_counter_example(query, verdict) {
                    true => "counter example",
                    false => "example trace",
                };
                let Some(prefix) = &self.trace_prefix else {
                    let run = located.run.as_ref();
                    let text = run.map_or_else(String::new, |run| verifyta::run(source, tree, network, run));
                    return VerifytaRun::Shown { kind, text };
                };
                let file = format!("{prefix}-{}.xtr", number + 1);
                let written = match &located.run {
                    Some(run) => xtr::write(run),
                    None => Err("it could not be executed".to_owned()),
                };
                VerifytaRun::Saved(match written {
                    Ok(content) => {
                        let note = format!("Writing {kind} to {file}");
                        Output::file(file, content, note)
                    }
                    Err(why) => {
                        let message =
                            format!("the run of formula {} cannot be written to `{file}`: {why}", number + 1);
                        Output::fault(
                            Diagnostic::error(&UNWRITABLE_RUN, message)
                                .with_hint("`tempora check --save-trace` writes runs in other formats"),
                        )
                    }
                })
            });
            VerifytaAnswer {
                place: place(&loaded, query),
                verdict: verifyta::verdict(source, query, verdict, &located),
                is_known: !matches!(verdict, Verdict::Unknown(_)),
                statistics: verifyta::statistics(&located),
                run,
            }
        });
        Ok(VerifytaOutcome { answers: told.collect() })
    }
}

/// Where a query is written, as `verifyta` says it.
fn place(loaded: &Loaded, query: &Query) -> String {
    let Some(span) = loaded.origins.primary_span(query.origin) else { return "?".to_owned() };
    let rows = loaded.xml().into_iter().flat_map(|document| &document.queries);
    if let Some(row) = rows.into_iter().position(|row| row.formula.file == span.file) {
        return format!("/nta/queries/query[{}]/formula", row + 1);
    }
    let location = loaded.files.locate(span);
    format!("{}:{}", location.file, location.line)
}
