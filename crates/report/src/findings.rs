//! Findings of sanity checks as plain data in terms of what the user wrote.
//!
//! Invariant: everything is text and numbers. The states between the steps of a run are those of the executed run that
//! comes with the finding.

use serde::Serialize;
use tempora_checks::{Certainty, Element, Report};
use tempora_draw::ElementRef;
use tempora_evidence::{Step, Survey, UnknownReason};
use tempora_model::{EdgeId, Id, LocationId, Network, ProcessId};
use tempora_replay::Run;
use tempora_source::Diagnostic;

use crate::documents::DiagnosticRecord;
use crate::located::{Source, unknown};
use crate::show_network::show_network_run;
use crate::shown_run::ShownRun;
use crate::words::CertaintyWord;

/// What was found in a model.
#[derive(Clone, PartialEq, Debug)]
pub struct LocatedFindings {
    /// The findings, in the order of the text.
    pub findings: Vec<LocatedFinding>,
    /// What was not looked at.
    pub skipped: Vec<SkippedCheck>,
    /// How many findings the text of the model allows.
    pub allowed: usize,
    /// What was explored; `None` if nothing was.
    pub exploration: Option<Exploration>,
}

/// One finding.
#[derive(Clone, PartialEq, Debug)]
pub struct LocatedFinding {
    /// What is told to the user, and where.
    pub record: DiagnosticRecord,
    /// How certain it is.
    pub certainty: CertaintyWord,
    /// In how many states it was looked for, if not in all.
    pub states: Option<u64>,
    /// Whether a run shows it.
    pub has_run: bool,
    /// The run, if it is to be shown and there was time to execute it again.
    pub run: Option<ShownRun>,
    /// The elements of diagrams that it is about.
    pub elements: Vec<String>,
    /// The elements of diagrams where its run starts.
    pub start_elements: Vec<String>,
    /// The elements of diagrams that move in each step of its run.
    pub step_elements: Vec<Vec<String>>,
    /// The same as a diagnostic, for formats that show lines of the text.
    pub diagnostic: Diagnostic,
}

/// A check that was asked for and not run, or whose answer is open.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SkippedCheck {
    /// Its name.
    pub check: &'static str,
    /// Why.
    pub reason: String,
}

/// What was explored.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Exploration {
    /// How many states were stored.
    pub states: u64,
    /// Whether all reachable states were.
    pub complete: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What findings are about.
#[derive(Clone, Copy)]
pub struct FindingSource<'source> {
    /// Where the user's text is.
    pub source: Source<'source>,
    /// What it means.
    pub network: &'source Network,
    /// What an exploration met.
    pub survey: Option<&'source Survey>,
    /// The executed run of each finding, as far as it has one; `None` if runs are not shown.
    pub runs: Option<&'source [Option<Run>]>,
}

/// Findings in terms of what the user wrote.
pub fn locate_findings(about: FindingSource<'_>, report: &Report) -> LocatedFindings {
    let FindingSource { source, network, survey, runs } = about;
    let findings = report.findings.iter().enumerate().map(|(number, finding)| {
        let (certainty, states) = match finding.certainty {
            Certainty::Definite => (CertaintyWord::Definite, None),
            Certainty::NotSeen { states } => (CertaintyWord::NotSeen, Some(states)),
            Certainty::Confirmed => (CertaintyWord::Confirmed, None),
        };
        LocatedFinding {
            record: DiagnosticRecord::new(source.files, &finding.diagnostic),
            certainty,
            states,
            has_run: finding.trace.is_some(),
            run: runs
                .and_then(|runs| runs.get(number)?.as_ref())
                .zip(finding.trace.as_ref())
                .map(|(run, trace)| show_network_run(source, network, trace, run)),
            elements: finding
                .marks
                .iter()
                .map(|mark| match mark.element {
                    Element::Location(location) => location_element(network, mark.process, location),
                    Element::Edge(edge) => edge_element(network, mark.process, edge),
                })
                .collect(),
            start_elements: finding.trace.as_ref().map_or_else(Vec::new, |trace| {
                let places = network.processes.ids().zip(&trace.initial);
                places.map(|(process, &location)| location_element(network, process, location)).collect()
            }),
            step_elements: finding.trace.as_ref().map_or_else(Vec::new, |trace| {
                trace.steps.iter().map(|step| moving_elements(network, step)).collect()
            }),
            diagnostic: finding.diagnostic.clone(),
        }
    });
    let skipped = report
        .skipped
        .iter()
        .map(|skipped| SkippedCheck { check: skipped.check, reason: skipped.reason.clone() });
    let reason = |why: &UnknownReason| match why {
        UnknownReason::Unsupported(what) => what.clone(),
        why => unknown(source, why),
    };
    LocatedFindings {
        findings: findings.collect(),
        skipped: skipped.collect(),
        allowed: report.allowed,
        exploration: survey.map(|survey| Exploration {
            states: survey.states,
            complete: survey.is_complete(),
            reason: survey.incomplete.as_ref().map(reason),
        }),
    }
}

/// The id of a location in the diagram of its template.
fn location_element(network: &Network, process: ProcessId, location: LocationId) -> String {
    ElementRef::location(&network.processes[process].template, location.index()).to_string()
}

/// The id of an edge in the diagram of its template.
fn edge_element(network: &Network, process: ProcessId, edge: EdgeId) -> String {
    let process = &network.processes[process];
    ElementRef::edge(&process.template, process.edges[edge].template_position as usize).to_string()
}

/// The edges that a step takes, and where they lead.
fn moving_elements(network: &Network, step: &Step) -> Vec<String> {
    let mut elements = Vec::new();
    for part in &step.transition.participants {
        elements.push(edge_element(network, part.process, part.edge));
        if let Some(branch) = network.processes[part.process].edges[part.edge].branches.get(part.branch) {
            elements.push(location_element(network, part.process, branch.target));
        }
    }
    elements
}
