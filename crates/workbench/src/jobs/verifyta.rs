//! The job that answers queries in the output format of UPPAAL's `verifyta`.

use tempora_evidence::Verdict;
use tempora_interrupt::uninterrupted;
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
    /// The order in which states are explored.
    pub search: SearchChoice,
    /// The seed of random choices.
    pub seed: u64,
    /// The preferred run; no runs if not given.
    pub trace: Option<RunPreference>,
    /// The path prefix of files with runs; without it, runs are returned as text.
    pub trace_prefix: Option<String>,
}

/// The answers, in the order of the queries.
#[derive(Clone, Debug)]
pub struct VerifytaOutcome {
    /// The answers.
    pub answers: Vec<VerifytaAnswer>,
}

/// An answer in the wording of `verifyta`.
#[derive(Clone, Debug)]
pub struct VerifytaAnswer {
    /// The place of the query.
    pub place: String,
    /// The verdict, and the requested values.
    pub verdict: String,
    /// Whether the verdict is known.
    pub is_known: bool,
    /// The statistics.
    pub statistics: String,
    /// The run, if requested and available.
    pub run: Option<VerifytaRun>,
}

/// A run in the format of `verifyta`.
#[derive(Clone, Debug)]
pub enum VerifytaRun {
    /// As text.
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
            let diagnostic = Diagnostic::error(&NO_QUERY, "no query to answer")
                .with_hint("give a file with queries after the model");
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
        // Known answers are shown even if the budget is exhausted.
        uninterrupted(|| {
            let answers = check(&task, &options, &context.budget, context.progress);
            let source = Source { files: &loaded.files, origins: &loaded.origins };
            let answers = task.queries.iter().zip(&answers).enumerate().map(|(number, (query, answer))| {
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
                        let text =
                            run.map_or_else(String::new, |run| verifyta::run(source, tree, network, run));
                        return VerifytaRun::Shown { kind, text };
                    };
                    let file = format!("{prefix}-{}.xtr", number + 1);
                    let written = match &located.run {
                        Some(run) => xtr::write(run),
                        None => Err("it could not be replayed".to_owned()),
                    };
                    VerifytaRun::Saved(match written {
                        Ok(content) => {
                            let note = format!("Writing {kind} to {file}");
                            Output::file(file, content, note)
                        }
                        Err(why) => {
                            let message = format!(
                                "the run of formula {} cannot be written to `{file}`: {why}",
                                number + 1
                            );
                            Output::fault(
                                Diagnostic::error(&UNWRITABLE_RUN, message)
                                    .with_hint("use `tempora check --save-trace` for other formats"),
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
            Ok(VerifytaOutcome { answers: answers.collect() })
        })
    }
}

/// Returns the place of a query in the format of `verifyta`.
fn place(loaded: &Loaded, query: &Query) -> String {
    let Some(span) = loaded.origins.primary_span(query.origin) else { return "?".to_owned() };
    let rows = loaded.xml().into_iter().flat_map(|document| &document.queries);
    if let Some(row) = rows.into_iter().position(|row| row.formula.file == span.file) {
        return format!("/nta/queries/query[{}]/formula", row + 1);
    }
    let location = loaded.files.locate(span);
    format!("{}:{}", location.file, location.line)
}
