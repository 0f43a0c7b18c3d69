//! The job that reports likely mistakes in a model.
//!
//! Invariant: the request takes precedence over the settings beside the model.

use std::collections::BTreeSet;
use std::sync::Arc;

use tempora_checks::{ALL as CHECKS, Selection, UnknownCheck};
use tempora_draw::{Diagram, DrawOptions, Overlays, Scene, draw_diagram_with};
use tempora_interrupt::uninterrupted;
use tempora_model::Network;
use tempora_report::{FindingSource, LocatedFindings, Source, locate_findings};
use tempora_source::{Diagnostic, Files, Severity, nearest_names};

use super::job_thread::no_network;
use super::lint_settings::settings_beside;
use super::{Job, JobContext, ModelRequest, Refused, SearchChoice};
use crate::codes::UNKNOWN_CHECK;
use crate::lint::{LintOptions, Linted};
use crate::loading::Loaded;

/// A request to report likely mistakes.
#[derive(Clone, Debug)]
pub struct LintRequest {
    /// The model.
    pub model: ModelRequest,
    /// The checks to run; all if empty.
    pub only: Vec<String>,
    /// The checks to skip.
    pub skip: Vec<String>,
    /// The lowest severity that counts as a failure.
    pub fail_on: Option<Severity>,
    /// The order in which states are explored.
    pub search: SearchChoice,
    /// The seed of random choices.
    pub seed: u64,
    /// Whether the exploration stops at the first deadlock, invariant violation or model error.
    pub ends_with_first: bool,
    /// Whether to include the runs of findings.
    pub runs: bool,
    /// Whether to draw the templates with their findings.
    pub scenes: bool,
}

/// The findings in a model.
#[derive(Clone, Debug)]
pub struct LintOutcome {
    /// The source files of the findings.
    pub files: Arc<Files>,
    /// The findings.
    pub findings: LocatedFindings,
    /// The drawings of templates with their findings, if requested.
    pub scenes: Vec<Scene>,
    /// Whether a finding has at least the severity that counts as a failure.
    pub is_bad: bool,
}

impl Job for LintRequest {
    type Outcome = LintOutcome;

    fn run(self, context: &JobContext<'_>) -> Result<LintOutcome, Refused> {
        let (options, fail_on) = self.options(context)?;
        let loaded = context.open(&self.model)?;
        if let Some(diagnostic) = no_network(&loaded) {
            return Err(Refused::about(&loaded.files, [diagnostic]));
        }
        let (Some(network), Some(linted)) =
            (loaded.network(), loaded.lint(&options, &context.budget, context.progress))
        else {
            return Err(Refused::about(&loaded.files, loaded.diagnostics));
        };
        // The findings are shown even if the exploration has used up the budget.
        uninterrupted(|| self.outcome(&loaded, network, &linted, fail_on, context))
    }
}

impl LintRequest {
    /// Locates the findings and draws them.
    fn outcome(
        &self,
        loaded: &Loaded,
        network: &Network,
        linted: &Linted,
        fail_on: Severity,
        context: &JobContext<'_>,
    ) -> Result<LintOutcome, Refused> {
        let source = Source { files: &loaded.files, origins: &loaded.origins };
        let runs = self.runs.then_some(linted.runs.as_slice());
        let about = FindingSource { source, network, survey: linted.survey.as_ref(), runs };
        let findings = locate_findings(about, &linted.report);
        let drawn = self.scenes.then(|| loaded.diagrams_of_findings(&linted.report)).into_iter().flatten();
        let scene = |(diagram, marks): (Diagram, Overlays)| {
            draw_diagram_with(&diagram, &DrawOptions::default()).with_overlays(&marks)
        };
        let scenes = context.budget.grace().interruptible(|| drawn.map(scene).collect());
        let scenes: Vec<Scene> =
            scenes.map_err(|limit| Refused::stopped(limit, "the findings were drawn"))?;
        let is_bad = linted.report.findings.iter().any(|finding| finding.diagnostic.severity <= fail_on);
        Ok(LintOutcome { scenes, findings, is_bad, files: Arc::clone(&loaded.files) })
    }

    fn options(&self, context: &JobContext<'_>) -> Result<(LintOptions, Severity), Diagnostic> {
        let settings = settings_beside(context.session, &self.model.path)?;
        let unknown = |UnknownCheck { name }: UnknownCheck| {
            let names = CHECKS.iter().map(|check| check.name());
            let hint = match nearest_names(&name, names).first() {
                Some(nearest) => format!("did you mean `{nearest}`?"),
                None => "`tempora explain` lists all names".to_owned(),
            };
            Diagnostic::error(&UNKNOWN_CHECK, format!("unknown check `{name}`")).with_hint(hint)
        };
        let only = if self.only.is_empty() { &settings.only } else { &self.only };
        let skip = if self.skip.is_empty() { &settings.skip } else { &self.skip };
        let mut selection = Selection::new(only, skip).map_err(unknown)?;
        for (name, severity) in &settings.severity {
            selection.set_severity(name, *severity).map_err(unknown)?;
        }
        let fail_on = self.fail_on.or(settings.fail_on).unwrap_or(Severity::Warning);
        let ends: BTreeSet<String> = settings.ends;
        let options = LintOptions {
            selection,
            ends,
            order: self.search.order(self.seed),
            is_shortest: self.search == SearchChoice::Bfs,
            ends_with_first: self.ends_with_first,
        };
        Ok((options, fail_on))
    }
}
