//! Templates with printed labels and numbered edges.
//!
//! Invariant: nodes are numbered locations first, then branch points. The layout has as many locations and edges as the
//! template, or is missing.

use std::collections::{BTreeMap, BTreeSet};

use tempora_syntax::{
    ast, print_declarations, print_expression, print_expressions, print_parameters, print_rate, print_select,
    print_synchronisation,
};

use crate::ComponentLayout;

/// A template.
pub(crate) struct PrintedTemplate {
    pub(crate) name: String,
    pub(crate) parameters: String,
    pub(crate) declarations: String,
    pub(crate) locations: Vec<PrintedLocation>,
    pub(crate) branchpoints: usize,
    pub(crate) initial: Option<usize>,
    pub(crate) edges: Vec<PrintedEdge>,
    pub(crate) layout: Option<ComponentLayout>,
}

/// A location; absent texts are empty.
pub(crate) struct PrintedLocation {
    /// Its name; one that begins with `#` stands for none.
    pub(crate) name: String,
    pub(crate) invariant: String,
    pub(crate) rate: String,
    pub(crate) is_committed: bool,
    pub(crate) is_urgent: bool,
    pub(crate) labels: Vec<ast::Name>,
}

/// An edge; absent texts are empty.
#[derive(Clone)]
pub(crate) struct PrintedEdge {
    pub(crate) source: Option<usize>,
    pub(crate) target: Option<usize>,
    pub(crate) is_uncontrollable: bool,
    pub(crate) select: String,
    pub(crate) guard: String,
    /// The channel, without a sign.
    pub(crate) channel: String,
    pub(crate) direction: Option<ast::Direction>,
    /// The channel with its sign.
    pub(crate) synchronisation: String,
    pub(crate) update: String,
    pub(crate) weight: String,
}

impl PrintedTemplate {
    pub(crate) fn new(process: &ast::ProcessDeclaration, layout: Option<ComponentLayout>) -> PrintedTemplate {
        let set = |names: &'_ [ast::Name]| -> BTreeSet<String> {
            names.iter().map(|name| name.text.clone()).collect()
        };
        let (committed, urgent) = (set(&process.committed), set(&process.urgent));
        let names = process.locations.iter().map(|location| &location.name).chain(&process.branchpoints);
        let mut places: BTreeMap<&str, usize> = BTreeMap::new();
        for (place, name) in names.enumerate() {
            places.entry(&name.text).or_insert(place);
        }
        let place_of = |name: &ast::Name| places.get(name.text.as_str()).copied();
        let locations = process.locations.iter().map(|location| PrintedLocation {
            name: location.name.text.clone(),
            invariant: location.invariant.as_ref().map(print_expression).unwrap_or_default(),
            rate: location.rate.as_ref().map(print_rate).unwrap_or_default(),
            is_committed: committed.contains(&location.name.text),
            is_urgent: urgent.contains(&location.name.text),
            labels: location.labels.clone(),
        });
        let edges = process.edges.iter().map(|edge| {
            let labels = &edge.labels;
            let synchronisation = labels.synchronisation.as_ref();
            PrintedEdge {
                source: place_of(&edge.source),
                target: match &edge.target {
                    ast::EdgeTarget::Single(target) => place_of(target),
                    ast::EdgeTarget::Branches(_) => None,
                },
                is_uncontrollable: edge.is_uncontrollable,
                select: if labels.select.is_empty() { String::new() } else { print_select(&labels.select) },
                guard: labels.guard.as_ref().map(print_expression).unwrap_or_default(),
                channel: synchronisation
                    .map(|synchronisation| print_expression(&synchronisation.channel))
                    .unwrap_or_default(),
                direction: synchronisation.map(|synchronisation| synchronisation.direction),
                synchronisation: synchronisation.map(print_synchronisation).unwrap_or_default(),
                update: print_expressions(&labels.updates),
                weight: labels.weight.as_ref().map(print_expression).unwrap_or_default(),
            }
        });
        PrintedTemplate {
            name: process.name.text.clone(),
            parameters: print_parameters(&process.parameters),
            declarations: print_declarations(&process.declarations),
            locations: locations.collect(),
            branchpoints: process.branchpoints.len(),
            initial: process.initial.first().and_then(place_of),
            edges: edges.collect(),
            layout,
        }
    }
}
