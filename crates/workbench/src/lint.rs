//! Sanity checks of a model: explores it once, runs the checks, and marks their findings in its diagrams.
//!
//! Invariant: the run of a finding has been replayed; a run that could not be replayed within the budget is omitted. A
//! finding whose run cannot be replayed is replaced by a report that the check has a defect.

use std::collections::BTreeSet;

use tempora_checks::{Certainty, Element, Finding, Need, Report, Selection, Skipped, Subject};
use tempora_draw::{Diagram, ElementRef, FindingMark, Overlays};
use tempora_evidence::{Budget, Ending, Progress, Survey, Trace};
use tempora_explore::{SearchOrder, SurveyOptions, SurveyUntil, survey};
use tempora_interrupt::uninterrupted;
use tempora_model::{Id, Network};
use tempora_replay::{Granularity, Interpreter, ReplayFailure, Run};

use crate::Loaded;
use crate::lint_components::{COMPONENTS_ARE_OPEN, WITHOUT_MEANING, has_components_only, survey_components};

/// Options of the sanity checks.
#[derive(Clone, Default)]
pub struct LintOptions {
    /// The selected checks.
    pub selection: Selection,
    /// Locations in which a process may stop for ever, as `Template.location`.
    pub ends: BTreeSet<String>,
    /// The order in which states are explored.
    pub order: SearchOrder,
    /// Whether runs must have as few transitions as possible.
    pub is_shortest: bool,
    /// Whether the exploration stops at the first deadlock, invariant violation or model error that a selected check
    /// reports.
    pub ends_with_first: bool,
}

impl LintOptions {
    /// Returns when the exploration may stop early.
    fn until(&self) -> SurveyUntil {
        let selection = &self.selection;
        if selection.needs_only(&[Need::Locations, Need::Edges]) {
            let (locations, edges) = (selection.needs(Need::Locations), selection.needs(Need::Edges));
            return SurveyUntil::AllMet { locations, edges };
        }
        if !self.ends_with_first {
            return SurveyUntil::AllStates;
        }
        SurveyUntil::FirstRun {
            deadlocks: selection.needs(Need::Deadlocks),
            violations: selection.needs(Need::Violations),
            errors: selection.needs(Need::Errors),
        }
    }
}

/// The findings, and the exploration that they rest on.
pub struct Linted {
    /// The findings.
    pub report: Report,
    /// The replayed run of each finding that has a trace.
    pub runs: Vec<Option<Run>>,
    /// The survey of the exploration, if there was one.
    pub survey: Option<Survey>,
}

impl Loaded {
    /// Checks a model; `None` if it has errors or is not a network.
    pub fn lint(&self, options: &LintOptions, budget: &Budget, progress: &Progress) -> Option<Linted> {
        let (network, tree) = (self.network().map(|network| &**network)?, self.tree()?);
        let is_open = has_components_only(self, network, tree);
        let mut selection = options.selection.clone();
        let excluded =
            if is_open { selection.leave_out(&WITHOUT_MEANING, COMPONENTS_ARE_OPEN) } else { Vec::new() };
        let selection = &selection;
        let mut no_survey = None;
        let mut explored = None;
        if selection.needs_survey() {
            let wanted = SurveyOptions {
                order: options.order,
                is_shortest: options.is_shortest,
                until: options.until(),
                components: selection.needs(Need::Components),
                choices: selection.needs(Need::Choices),
                timelocks: selection.needs(Need::Timelocks),
                zeno: selection.needs(Need::Zeno),
            };
            let surveyed = match network.omissions.first() {
                Some(omission) => {
                    Err(format!("no engine supports a construct of the model: {}", omission.construct))
                }
                None if is_open => survey_components(network, wanted, budget, progress),
                None => survey(network, wanted, budget, progress),
            };
            match surveyed {
                Ok(survey) => explored = Some(survey),
                Err(why) => no_survey = Some(why),
            }
        }
        let subject = Subject::new(
            &self.files,
            &self.origins,
            tree,
            &self.symbols,
            network,
            &self.queries,
            &options.ends,
        );
        let subject = match &explored {
            Some(survey) => subject.with_survey(survey),
            None => subject,
        };
        let grace = budget.grace();
        let limits = if budget.measure().is_none() { budget } else { &grace };
        let checked = limits.interruptible(|| tempora_checks::run(&subject, selection, no_survey.as_deref()));
        let mut report = checked.unwrap_or_default();
        report.skipped.extend(excluded);
        if is_open {
            // The environment is the other end of the channel.
            report.findings.retain(|finding| !finding.diagnostic.code.name().starts_with("channel-without"));
        }
        let mut runs = uninterrupted(|| replay_runs(network, &mut report, &grace));
        if selection.is_default() {
            // Warnings of the parser and the type checker are findings too.
            let warnings = self.diagnostics.as_slice().iter().cloned().map(Finding::new);
            report.findings.splice(0..0, warnings);
            let before = report.findings.len() - runs.len();
            runs.splice(0..0, std::iter::repeat_n(None, before));
        }
        Some(Linted { report, runs, survey: explored })
    }

    /// Returns the diagrams of the templates with their findings, in the order of the file.
    pub fn diagrams_of_findings(&self, report: &Report) -> Vec<(Diagram, Overlays)> {
        let Some(network) = self.network().map(|network| &**network) else { return Vec::new() };
        let mut diagrams: Vec<(Diagram, Overlays)> =
            self.diagrams().into_iter().map(|diagram| (diagram, Overlays::new())).collect();
        for finding in &report.findings {
            if finding.certainty == Certainty::Confirmed {
                continue;
            }
            for mark in &finding.marks {
                let process = &network.processes[mark.process];
                let element = match mark.element {
                    Element::Location(location) => ElementRef::location(&process.template, location.index()),
                    Element::Edge(edge) => {
                        ElementRef::edge(&process.template, process.edges[edge].template_position as usize)
                    }
                };
                let Some((_, overlays)) =
                    diagrams.iter_mut().find(|(diagram, _)| diagram.title == process.template)
                else {
                    continue;
                };
                let kind = match (finding.certainty, mark.is_in_all) {
                    (Certainty::NotSeen { .. }, _) => FindingMark::NotSeen,
                    (_, true) => FindingMark::Every,
                    (_, false) => FindingMark::Some,
                };
                let overlay = overlays.of(element);
                overlay.finding = overlay.finding.max(Some(kind));
                if !overlay.note.is_empty() {
                    overlay.note.push('\n');
                }
                overlay.note.push_str(&finding.diagnostic.message);
            }
        }
        diagrams
    }
}

/// Replays the traces of findings and removes findings whose trace is impossible. Returns the runs of the remaining
/// findings.
fn replay_runs(network: &Network, report: &mut Report, budget: &Budget) -> Vec<Option<Run>> {
    let interpreter = Interpreter::new(network).within(budget);
    let granularity = Granularity::of(network, []);
    let findings = std::mem::take(&mut report.findings);
    let mut runs = Vec::with_capacity(findings.len());
    for mut finding in findings {
        match finding.trace.as_ref().map(|trace| executed(&interpreter, &granularity, trace)).transpose() {
            Ok(run) => {
                runs.push(run);
                report.findings.push(finding);
            }
            Err(failure) if failure.is_own_limit() => {
                finding.trace = None;
                let why = format!("its run was not replayed and is not shown: {}", failure.describe(network));
                finding.diagnostic = finding.diagnostic.with_note(why);
                runs.push(None);
                report.findings.push(finding);
            }
            Err(failure) => report.skipped.push(defect(&finding, &failure.describe(network))),
        }
    }
    runs
}

/// Executes a trace and checks its ending.
fn executed(
    interpreter: &Interpreter<'_>,
    granularity: &Granularity,
    trace: &Trace,
) -> Result<Run, ReplayFailure> {
    let run = interpreter.execute(trace)?;
    match trace.ending {
        // A finding has no goal predicate to check.
        Ending::Goal => run.check_complete()?,
        _ => interpreter.check_ending(trace, &run, None, granularity)?,
    }
    Ok(run)
}

fn defect(finding: &Finding, why: &str) -> Skipped {
    let reason = format!(
        "a defect of this program: `{}`: the run cannot be replayed: {why}",
        finding.diagnostic.message
    );
    Skipped { check: finding.diagnostic.code.name(), reason }
}
