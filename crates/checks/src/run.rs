//! Which checks are run, and what becomes of what they find.
//!
//! Invariant: a check that was asked for has been run, or it is named with the reason why not. Findings that the text of the
//! model allows are left out, and counted.

use tempora_source::Severity;

use crate::allowed::Allowances;
use crate::check::{Check, Need};
use crate::checks::{ALL, check_named};
use crate::finding::{Certainty, Finding};
use crate::subject::Subject;

/// Which checks are run, and how bad their findings are.
#[derive(Clone, Default)]
pub struct Selection {
    is_default: bool,
    checks: Vec<(&'static Check, Severity)>,
}

/// There is no check of this name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownCheck {
    /// What was asked for.
    pub name: String,
}

/// What was found.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Report {
    /// The findings, in the order of the text.
    pub findings: Vec<Finding>,
    /// What was not looked at.
    pub skipped: Vec<Skipped>,
    /// How many findings the text of the model allows.
    pub allowed: usize,
}

/// A check that was asked for and not run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Skipped {
    /// Its name.
    pub check: &'static str,
    /// Why, as a sentence without full stop.
    pub reason: String,
}

impl Selection {
    /// The checks that are run without being asked for, or only those that are named; without those that are named to be
    /// skipped.
    pub fn new(only: &[String], skip: &[String]) -> Result<Selection, UnknownCheck> {
        let named = |name: &String| check_named(name).ok_or_else(|| UnknownCheck { name: name.clone() });
        let only: Vec<&Check> = only.iter().map(named).collect::<Result<_, _>>()?;
        let skip: Vec<&Check> = skip.iter().map(named).collect::<Result<_, _>>()?;
        let is_in = |list: &[&Check], check: &Check| list.iter().any(|other| other.name() == check.name());
        let checks = ALL.iter().copied().filter(|check| {
            let is_wanted = if only.is_empty() { check.is_default } else { is_in(&only, check) };
            is_wanted && !is_in(&skip, check)
        });
        Ok(Selection {
            is_default: only.is_empty(),
            checks: checks.map(|check| (check, check.severity)).collect(),
        })
    }

    /// Gives the findings of a check another severity.
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

    /// Whether no checks were named that alone are to be run.
    pub fn is_default(&self) -> bool {
        self.is_default
    }

    /// Whether a check that needs this is run.
    pub fn needs(&self, need: Need) -> bool {
        self.checks.iter().any(|(check, _)| check.need == need)
    }

    /// Leaves out the checks that need one of these, and names them with the reason.
    pub fn leave_out(&mut self, needs: &[Need], reason: &str) -> Vec<Skipped> {
        let (left_out, kept) = self.checks.iter().partition(|(check, _)| needs.contains(&check.need));
        self.checks = kept;
        let left_out: Vec<(&'static Check, Severity)> = left_out;
        left_out
            .into_iter()
            .map(|(check, _)| Skipped { check: check.name(), reason: reason.to_owned() })
            .collect()
    }

    /// Whether all checks that need an exploration need nothing but these.
    pub fn needs_only(&self, needs: &[Need]) -> bool {
        self.checks.iter().all(|(check, _)| check.need == Need::Model || needs.contains(&check.need))
    }

    /// Whether some check needs an exploration.
    pub fn needs_survey(&self) -> bool {
        self.checks.iter().any(|(check, _)| check.need != Need::Model)
    }
}

/// Runs checks. `no_survey` says why there is no survey, if there is none.
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
        (check.find)(subject, &mut found);
        for mut finding in found {
            if severity != check.severity {
                finding.diagnostic.severity = severity;
            }
            if let Certainty::NotSeen { states } = finding.certainty {
                finding.diagnostic.severity = finding.diagnostic.severity.max(Severity::Info);
                finding.diagnostic.message =
                    format!("as far as {states} states show, {}", finding.diagnostic.message);
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

/// Why a question that has a search of its own has no answer.
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
