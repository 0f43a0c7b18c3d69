//! The input of checks.
//!
//! Invariant: the network, the tree and the survey belong to the same model.

use std::collections::{BTreeMap, BTreeSet};

use tempora_evidence::Survey;
use tempora_model::{
    Expression, ExpressionKind, Formula, Id, LocationId, Network, ProcessId, Query, QueryKind,
};
use tempora_source::{Files, Origin, Origins, Span, Symbols};
use tempora_syntax::ast;

use crate::finding::Certainty;
use crate::names::Names;

/// A model to check.
pub struct Subject<'model> {
    /// The texts of the model.
    pub files: &'model Files,
    /// The origins of the elements of the network.
    pub origins: &'model Origins,
    /// The syntax tree.
    pub tree: &'model ast::Network,
    /// The elaborated network.
    pub network: &'model Network,
    /// The queries that come with the model.
    pub queries: &'model [Query],
    /// The survey of an exploration.
    pub survey: Option<&'model Survey>,
    /// Additional end locations, as `Template.location`; locations without outgoing edges are always ends.
    pub ends: &'model BTreeSet<String>,
    /// The declarations with their uses.
    pub(crate) names: Names,
    /// For each location of each process, whether it has an outgoing edge.
    is_left: Vec<Vec<bool>>,
}

impl<'model> Subject<'model> {
    /// Creates a subject without a survey.
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
        let is_left = network.processes.values().map(|process| {
            let mut is_left = vec![false; process.locations.len()];
            for edge in process.edges.values() {
                is_left[edge.source.index()] = true;
            }
            is_left
        });
        let is_left = is_left.collect();
        Subject { files, origins, tree, network, queries, survey: None, ends, names, is_left }
    }

    /// Sets the survey.
    #[must_use]
    pub fn with_survey(mut self, survey: &'model Survey) -> Subject<'model> {
        self.survey = Some(survey);
        self
    }

    /// Returns the span of the text that an origin comes from.
    pub(crate) fn span(&self, origin: Origin) -> Option<Span> {
        self.origins.primary_span(origin)
    }

    /// Returns the processes of each template, in the order of their first instances.
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

    /// Returns the certainty of a finding about behaviour that the survey did not observe.
    pub(crate) fn certainty_of_absence(&self) -> Certainty {
        match self.survey {
            Some(survey) if !survey.is_complete() => Certainty::NotSeen { states: survey.states },
            _ => Certainty::Definite,
        }
    }

    /// Returns whether a process may end in a location: it has no outgoing edge, or the user lists it as an end.
    pub(crate) fn is_end(&self, process: ProcessId, location: LocationId) -> bool {
        let automaton = &self.network.processes[process];
        let name = format!("{}.{}", automaton.template, self.network.location_name(process, location));
        !self.is_left[process.index()][location.index()] || self.ends.contains(&name)
    }

    /// Returns a query that declares a location of a process unreachable.
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

/// Returns whether a formula implies that a location of a process is unreachable: `A[] not P.l`, also as a conjunct.
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

/// Returns whether a predicate has the truth value `holds` only in states in which the process is not in the location.
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
        // Quantifiers are not analysed.
        _ => false,
    }
}
