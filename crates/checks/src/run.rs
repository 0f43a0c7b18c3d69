//! Selection and execution of checks.
//!
//! Invariant: every selected check has either run or is listed as skipped with a reason. Findings that the text of the
//! model allows are omitted and counted.

use tempora_interrupt::{attempt, checkpoint};
use tempora_source::Severity;

use crate::allowed::Allowances;
use crate::check::{Check, Need};
use crate::checks::{ALL, check_named};
use crate::finding::{Certainty, Finding};
use crate::subject::Subject;

/// The checks to run, with the severities of their findings.
#[derive(Clone, Default)]
pub struct Selection {
    is_default: bool,
    checks: Vec<(&'static Check, Severity)>,
}

/// The error for a name that is not the name of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownCheck {
    /// The unknown name.
    pub name: String,
}

/// The result of a run of checks.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// The findings, in the order of the text.
    pub findings: Vec<Finding>,
    /// The checks without a complete result.
    pub skipped: Vec<Skipped>,
    /// The number of findings that the text of the model allows.
    pub allowed: usize,
}

/// A selected check that has no complete result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Skipped {
    /// The name of the check.
    pub check: &'static str,
    /// The reason, as a sentence without full stop.
    pub reason: String,
}

impl Selection {
    /// Selects the checks in `only`, or the default checks if `only` is empty, without the checks in `skip`.
    pub fn new(only: &[String], skip: &[String]) -> Result<Selection, UnknownCheck> {
        let named = |name: &String| check_named(name).ok_or_else(|| UnknownCheck { name: name.clone() });
        let only: Vec<&Check> = only.iter().map(named).collect::<Result<_, _>>()?;
        let skip: Vec<&Check> = skip.iter().map(named).collect::<Result<_, _>>()?;
        let is_in = |list: &[&Check], check: &Check| list.iter().any(|other| other.name() == check.name());
        let checks = ALL.iter().copied().filter(|check| {
            let is_selected = if only.is_empty() { check.is_default } else { is_in(&only, check) };
            is_selected && !is_in(&skip, check)
        });
        Ok(Selection {
            is_default: only.is_empty(),
            checks: checks.map(|check| (check, check.severity)).collect(),
        })
    }

    /// Overrides the severity of the findings of a check.
    pub fn set_severity(&mut self, name: &str, severity: Severity) -> Result<(), UnknownCheck> {
        if check_named(name).is_none() {
            return Err(UnknownCheck { name: name.to_owned() });
        }
        for (check, own) in &mut self.checks {
            if check.name() == name {
                *own = severity;
            }
        }
        Ok(())
    }

    /// Returns whether the default checks are selected.
    pub fn is_default(&self) -> bool {
        self.is_default
    }

    /// Returns whether a selected check has this need.
    pub fn needs(&self, need: Need) -> bool {
        self.checks.iter().any(|(check, _)| check.need == need)
    }

    /// Removes the checks with one of these needs, and returns them as skipped for a reason.
    pub fn leave_out(&mut self, needs: &[Need], reason: &str) -> Vec<Skipped> {
        let (left_out, kept) = self.checks.iter().partition(|(check, _)| needs.contains(&check.need));
        self.checks = kept;
        let left_out: Vec<(&'static Check, Severity)> = left_out;
        left_out
            .into_iter()
            .map(|(check, _)| Skipped { check: check.name(), reason: reason.to_owned() })
            .collect()
    }

    /// Returns whether all checks that need an exploration have one of these needs.
    pub fn needs_only(&self, needs: &[Need]) -> bool {
        self.checks.iter().all(|(check, _)| check.need == Need::Model || needs.contains(&check.need))
    }

    /// Returns whether some check needs an exploration.
    pub fn needs_survey(&self) -> bool {
        self.checks.iter().any(|(check, _)| check.need != Need::Model)
    }
}

/// Runs the selected checks. `no_survey` is the reason for a missing survey.
pub fn run(subject: &Subject<'_>, selection: &Selection, no_survey: Option<&str>) -> Report {
    let mut report = Report::default();
    let mut allowances = Allowances::default();
    for &(check, severity) in &selection.checks {
        if check.need != Need::Model && subject.survey.is_none() {
            let reason = no_survey.unwrap_or("the model was not explored").to_owned();
            report.skipped.push(Skipped { check: check.name(), reason });
            continue;
        }
        let over = subject.survey.and_then(|survey| survey.over_approximation.as_ref());
        if let Some(why) = over.filter(|_| !check.need.is_for_absence()) {
            report.skipped.push(Skipped { check: check.name(), reason: why.clone() });
            continue;
        }
        let mut found = Vec::new();
        let is_complete = attempt(|| {
            checkpoint();
            (check.find)(subject, &mut found);
        });
        if is_complete.is_err() {
            let reason = "the limits of the command were reached".to_owned();
            report.skipped.push(Skipped { check: check.name(), reason });
            continue;
        }
        for mut finding in found {
            if severity != check.severity {
                finding.diagnostic.severity = severity;
            }
            if let Certainty::NotSeen { states } = finding.certainty {
                finding.diagnostic.severity = finding.diagnostic.severity.max(Severity::Info);
                finding.diagnostic.message =
                    format!("in the {states} states explored, {}", finding.diagnostic.message);
            }
            if allowances.allow(subject.files, &finding.diagnostic) {
                report.allowed += 1;
            } else {
                report.findings.push(finding);
            }
        }
        if let Some(why) = open_question(check.need, subject) {
            report.skipped.push(Skipped { check: check.name(), reason: why });
        }
    }
    sort(subject, &mut report.findings);
    report
}

/// Returns the reason why a question with a dedicated search is undecided.
fn open_question(need: Need, subject: &Subject<'_>) -> Option<String> {
    use tempora_evidence::Settled;
    let survey = subject.survey?;
    let open = |settled: &Settled| match settled {
        Settled::Open(why) => Some(why.describe()),
        _ => None,
    };
    match need {
        Need::Components => survey.stuck.iter().find_map(open),
        Need::Timelocks => open(&survey.timelock),
        Need::Zeno => open(&survey.zeno),
        _ => None,
    }
}

fn sort(subject: &Subject<'_>, findings: &mut [Finding]) {
    findings.sort_by(|left, right| {
        let place =
            |finding: &Finding| finding.diagnostic.primary_span().map(|span| subject.files.outermost(span));
        (place(left), &left.diagnostic).cmp(&(place(right), &right.diagnostic))
    });
}
