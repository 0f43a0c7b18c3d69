//! What checks look at.
//!
//! Invariant: the network, the tree and the survey are of the same model.

use std::collections::{BTreeMap, BTreeSet};

use tempora_evidence::Survey;
use tempora_model::{Expression, ExpressionKind, Formula, LocationId, Network, ProcessId, Query, QueryKind};
use tempora_source::{Files, Origin, Origins, Span, Symbols};
use tempora_syntax::ast;

use crate::finding::Certainty;
use crate::names::Names;

/// A model to check.
pub struct Subject<'model> {
    /// The texts.
    pub files: &'model Files,
    /// Where everything comes from.
    pub origins: &'model Origins,
    /// What was written.
    pub tree: &'model ast::Network,
    /// What it means.
    pub network: &'model Network,
    /// The queries that come with the model.
    pub queries: &'model [Query],
    /// What an exploration met.
    pub survey: Option<&'model Survey>,
    /// Locations in which a process may end, `Template.location`, beside those without outgoing edges.
    pub ends: &'model BTreeSet<String>,
    /// Who declares and uses which name.
    pub(crate) names: Names,
}

impl<'model> Subject<'model> {
    /// A model to check.
    pub fn new(
        files: &'model Files,
        origins: &'model Origins,
        tree: &'model ast::Network,
        symbols: &Symbols,
        network: &'model Network,
        queries: &'model [Query],
        ends: &'model BTreeSet<String>,
    ) -> Subject<'model> {
        let names = Names::of(symbols, files, tree, queries);
        Subject { files, origins, tree, network, queries, survey: None, ends, names }
    }

    /// The same with what an exploration met.
    #[must_use]
    pub fn with_survey(mut self, survey: &'model Survey) -> Subject<'model> {
        self.survey = Some(survey);
        self
    }

    /// Where something is written.
    pub(crate) fn span(&self, origin: Origin) -> Option<Span> {
        self.origins.primary_span(origin)
    }

    /// The processes of each template, in the order of their first instances.
    pub(crate) fn templates(&self) -> Vec<(&'model str, Vec<ProcessId>)> {
        let mut order: Vec<&str> = Vec::new();
        let mut instances: BTreeMap<&str, Vec<ProcessId>> = BTreeMap::new();
        for (id, process) in self.network.processes.iter() {
            let list = instances.entry(&process.template).or_default();
            if list.is_empty() {
                order.push(&process.template);
            }
            list.push(id);
        }
        order.into_iter().map(|name| (name, instances.remove(name).unwrap_or_default())).collect()
    }

    /// How sure it is that what was not met cannot be.
    pub(crate) fn certainty_of_absence(&self) -> Certainty {
        match self.survey {
            Some(survey) if !survey.is_complete() => Certainty::NotSeen { states: survey.states },
            _ => Certainty::Definite,
        }
    }

    /// Whether a process may end in a location: no edge leads on, or the user says so.
    pub(crate) fn is_end(&self, process: ProcessId, location: LocationId) -> bool {
        let automaton = &self.network.processes[process];
        let name = format!("{}.{}", automaton.template, self.network.location_name(process, location));
        !automaton.edges.values().any(|edge| edge.source == location) || self.ends.contains(&name)
    }

    /// The query that declares that a process is never in a location, if there is one.
    pub(crate) fn declared_unreachable(
        &self,
        process: ProcessId,
        location: LocationId,
    ) -> Option<&'model Query> {
        self.queries.iter().find(|query| match &query.kind {
            QueryKind::Formula(formula) => excludes(formula, process, location),
            _ => false,
        })
    }
}

/// Whether a formula, if it holds, says that a process is never in a location: `A[] not P.l`, also in a conjunction.
fn excludes(formula: &Formula, process: ProcessId, location: LocationId) -> bool {
    match formula {
        Formula::Always(predicate) => denies(predicate, process, location, true),
        Formula::Not(inner) => match &**inner {
            Formula::Possibly(predicate) => denies(predicate, process, location, false),
            _ => false,
        },
        Formula::And(parts) => parts.iter().any(|part| excludes(part, process, location)),
        _ => false,
    }
}

/// Whether a predicate has this value only where the process is elsewhere.
fn denies(predicate: &Expression, process: ProcessId, location: LocationId, holds: bool) -> bool {
    use tempora_model::{BinaryOperator, UnaryOperator};
    match &predicate.kind {
        ExpressionKind::At { process: other, location: there } => {
            !holds && *other == process && *there == location
        }
        ExpressionKind::Unary { operator: UnaryOperator::Not, operand } => {
            denies(operand, process, location, !holds)
        }
        ExpressionKind::Binary { operator: BinaryOperator::And, left, right } if holds => {
            denies(left, process, location, true) || denies(right, process, location, true)
        }
        ExpressionKind::Binary { operator: BinaryOperator::Or, left, right } if !holds => {
            denies(left, process, location, false) || denies(right, process, location, false)
        }
        ExpressionKind::Binary { operator: BinaryOperator::Imply, left, right } if !holds => {
            denies(left, process, location, true) || denies(right, process, location, false)
        }
        // In a quantified body the names of processes are those of all values already, if they are written out.
        _ => false,
    }
}
