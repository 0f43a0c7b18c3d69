//! Converts findings of sanity checks to plain data with places in the source.
//!
//! Invariant: the result consists of text and numbers. The states of a run are those of the replayed run of the
//! finding.

use serde::Serialize;
use tempora_checks::{Certainty, Element, Report};
use tempora_draw::ElementRef;
use tempora_evidence::{Step, Survey, UnknownReason};
use tempora_model::{EdgeId, Id, LocationId, Network, ProcessId};
use tempora_replay::Run;
use tempora_source::Diagnostic;

use crate::documents::DiagnosticRecord;
use crate::located::{Source, unknown_reason};
use crate::show_network::show_network_run;
use crate::shown_run::ShownRun;
use crate::words::CertaintyWord;

/// The findings in a model.
#[derive(Clone, PartialEq, Debug)]
pub struct LocatedFindings {
    /// The findings, in the order of the text.
    pub findings: Vec<LocatedFinding>,
    /// The checks that were skipped.
    pub skipped: Vec<SkippedCheck>,
    /// The number of findings that comments in the model allow.
    pub allowed: usize,
    /// The exploration; `None` if there was none.
    pub exploration: Option<Exploration>,
}

/// One finding.
#[derive(Clone, PartialEq, Debug)]
pub struct LocatedFinding {
    /// The message and its place.
    pub record: DiagnosticRecord,
    /// The certainty of the finding.
    pub certainty: CertaintyWord,
    /// The number of explored states, if not all.
    pub states: Option<u64>,
    /// Whether it has a run.
    pub has_run: bool,
    /// The run, if requested and replayed.
    pub run: Option<ShownRun>,
    /// The diagram elements of the finding.
    pub elements: Vec<String>,
    /// The diagram elements of the initial state of its run.
    pub start_elements: Vec<String>,
    /// The diagram elements of each step of its run.
    pub step_elements: Vec<Vec<String>>,
    /// The diagnostic, for formats with source excerpts.
    pub diagnostic: Diagnostic,
}

/// A selected check that was not run or is undecided.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SkippedCheck {
    /// The name of the check.
    pub check: &'static str,
    /// The reason.
    pub reason: String,
}

/// The exploration of a model.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Exploration {
    /// The number of stored states.
    pub states: u64,
    /// Whether all reachable states were explored.
    pub complete: bool,
    /// The reason why the exploration is incomplete.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The model of findings, with its exploration and runs.
#[derive(Clone, Copy)]
pub struct FindingSource<'source> {
    /// The source files and origins.
    pub source: Source<'source>,
    /// The network.
    pub network: &'source Network,
    /// The survey of the exploration.
    pub survey: Option<&'source Survey>,
    /// The replayed run of each finding, if it has one; `None` if runs are not shown.
    pub runs: Option<&'source [Option<Run>]>,
}

/// Converts findings to plain data with places in the source.
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
        why => unknown_reason(source, why),
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

/// Returns the id of a location in the diagram of its template.
fn location_element(network: &Network, process: ProcessId, location: LocationId) -> String {
    ElementRef::location(&network.processes[process].template, location.index()).to_string()
}

/// Returns the id of an edge in the diagram of its template.
fn edge_element(network: &Network, process: ProcessId, edge: EdgeId) -> String {
    let process = &network.processes[process];
    ElementRef::edge(&process.template, process.edges[edge].template_position as usize).to_string()
}

/// Returns the ids of the edges of a step and of their target locations.
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
