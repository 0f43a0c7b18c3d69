//! The relation that proves a refinement: the pairs of states that are reachable together, and their moves.
//!
//! Invariant: for each move of a pair, a pair of the relation contains, for each successor valuation, one that is equal
//! up to the maximal constants; the same holds for the initial valuation.

use std::collections::VecDeque;

use tempora_evidence::{Budget, UnknownReason};
use tempora_model::{Id, Network, SpecExpression, SpecificationQuery};
use tempora_zones::{Clock, Zone};

use crate::component::InputCompletion;
use crate::refinement::Refinement;
use crate::search_abort::SearchAbort;
use crate::state::{EdgeUse, StateId, after};
use crate::theory::{Obstacle, SpecificationId, Theory};

/// A proof that one specification refines another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RefinementRelation {
    /// The pairs.
    pub pairs: Vec<RelatedPair>,
    /// The initial pair; `None` if the right side allows everything from the start.
    pub initial: Option<usize>,
    /// The moves between pairs.
    pub moves: Vec<RelatedMove>,
}

/// Related states of both sides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RelatedPair {
    /// The locations of the left side, from the left.
    pub left: String,
    /// The locations of the right side.
    pub right: String,
    /// The clocks, as a matrix of bounds on differences, row by row. A bound `<= c` is `2c + 1`, a bound `< c` is `2c`,
    /// and an infinite bound is 2147483646.
    pub zone: Vec<i32>,
}

/// A joint move of both sides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RelatedMove {
    /// The source pair.
    pub source: usize,
    /// A pair that covers the successors.
    pub target: usize,
    /// The action; empty for a switch of a quotient.
    pub action: String,
    /// The edges of the left side, each as the name of a component and the number of an edge.
    pub left_edges: Vec<String>,
    /// The edges of the right side.
    pub right_edges: Vec<String>,
}

/// Returns the relation of a refinement that holds; `None` for any other question.
pub fn refinement_relation(
    network: &Network,
    question: &SpecificationQuery,
    budget: &Budget,
) -> Result<Option<RefinementRelation>, UnknownReason> {
    let (SpecificationQuery::Refinement(left, right) | SpecificationQuery::Satisfaction(left, right)) =
        question
    else {
        return Ok(None);
    };
    let mut theory = Theory::new(network, InputCompletion::default(), budget);
    match relation(&mut theory, left, right) {
        Ok(relation) => Ok(relation),
        Err(Obstacle::Actions(_)) => Ok(None),
        Err(Obstacle::Abort(stop)) => Err(stop.into()),
    }
}

fn relation(
    theory: &mut Theory<'_>,
    left: &SpecExpression,
    right: &SpecExpression,
) -> Result<Option<RefinementRelation>, Obstacle> {
    let (left, right) = (theory.meaning(left)?, theory.meaning(right)?);
    let search = Refinement::search_exactly(theory, left, right, 1)?;
    if !search.violations.is_empty() {
        return Ok(None);
    }
    let kept: Vec<usize> = (0..search.nodes.len()).filter(|&node| search.is_kept(node)).collect();
    let start = (theory.initial(left)?, theory.initial(right)?);
    let initial = search.covering(start, &Zone::zero(search.dimension))?;
    let initial = initial.first().and_then(|node| kept.binary_search(node).ok());
    let mut relation =
        RefinementRelation { pairs: Vec::with_capacity(kept.len()), initial, moves: Vec::new() };
    for &node in &kept {
        let (one, other) = search.states(node);
        relation.pairs.push(RelatedPair {
            left: locations(theory, left, one),
            right: locations(theory, right, other),
            zone: matrix(&search.nodes[node].zone),
        });
    }
    for (source, &node) in kept.iter().enumerate() {
        let pair = &search.pairs[search.nodes[node].pair];
        let mut found = Vec::new();
        for one in &pair.moves {
            for part in one.guard.zones() {
                let mut taken = search.nodes[node].zone.clone();
                if taken.intersect(part).map_err(SearchAbort::from)? {
                    found.push((Some(one), one.target, after(&one.updates, taken)?));
                }
            }
        }
        let mut switched = VecDeque::new();
        search.switched_from(node, &mut switched)?;
        found.extend(switched.into_iter().map(|(states, zone)| (None, states, zone)));
        for (one, states, entry) in found {
            for covering in search.covering(states, &entry)? {
                let Ok(target) = kept.binary_search(&covering) else { continue };
                let edges = |id, used: Option<&Vec<EdgeUse>>| -> Vec<String> {
                    used.into_iter().flatten().map(|used| edge_id(theory, id, used)).collect()
                };
                let next = RelatedMove {
                    source,
                    target,
                    action: one
                        .and_then(|one| one.action)
                        .map_or(String::new(), |action| theory.names.name(action).to_owned()),
                    left_edges: edges(left, one.map(|one| &one.left_edges)),
                    right_edges: edges(right, one.map(|one| &one.right_edges)),
                };
                if !relation.moves.contains(&next) {
                    relation.moves.push(next);
                }
            }
        }
    }
    Ok(Some(relation))
}

fn locations(theory: &Theory<'_>, id: SpecificationId, state: StateId) -> String {
    if state == StateId::UNIVERSAL {
        return "universal".to_owned();
    }
    let (mut found, mut leaves) = (Vec::new(), Vec::new());
    theory.locations(id, state, &mut found);
    theory.leaves(id, 0, &mut leaves);
    let name =
        |(location, &(process, _, _)): (&Option<_>, &(tempora_model::ProcessId, u32, u16))| match location {
            Some(location) => theory.network.location_name(process, *location).clone(),
            None => "any".to_owned(),
        };
    let names: Vec<String> = found.iter().zip(&leaves).map(name).collect();
    names.join(", ")
}

fn matrix(zone: &Zone) -> Vec<i32> {
    const NO_BOUND: i32 = i32::MAX - 1;
    let clocks = || std::iter::once(Clock::REFERENCE).chain(zone.dimension().clocks());
    let raw = |left: Clock, right: Clock| {
        let bound = zone.bound(left, right);
        bound.constant().map_or(NO_BOUND, |constant| 2 * constant + i32::from(bound.is_weak()))
    };
    clocks().flat_map(|left| clocks().map(move |right| raw(left, right))).collect()
}

fn edge_id(theory: &Theory<'_>, id: SpecificationId, used: &EdgeUse) -> String {
    let mut leaves = Vec::new();
    theory.leaves(id, 0, &mut leaves);
    match leaves.get(used.leaf as usize) {
        Some(&(process, _, _)) => format!("{}.{}", theory.network.processes[process].name, used.edge.index()),
        None => String::new(),
    }
}
