//! The job that answers queries about specifications and returns refinement relations, like JECDAR.
//!
//! A relation has the nested form of Kiviriga, Klicius and Simionescu, "JECDAR 0.2: model checking refinement relations
//! for timed I/O automata" (2019), appendix A, and edge numbers in addition.

use std::collections::{BTreeSet, VecDeque};

use tempora_evidence::Verdict;
use tempora_games::{RefinementRelation, refinement_relation};
use tempora_interrupt::uninterrupted;
use tempora_model::{Query, QueryKind};
use tempora_report::documents::{RelationMove, RelationPair};

use super::{Job, JobContext, ModelRequest, Refused};
use crate::check::{CheckOptions, check};

/// A request to answer queries about specifications.
#[derive(Clone, Debug)]
pub struct RelateRequest {
    /// The model.
    pub model: ModelRequest,
    /// The queries.
    pub queries: Vec<String>,
    /// Whether to compute the relation of each refinement that holds.
    pub relations: bool,
}

/// The answers, in the order of the queries.
#[derive(Clone, Debug)]
pub struct RelateOutcome {
    /// The answers.
    pub queries: Vec<RelatedQuery>,
}

/// The answer to a query about specifications.
#[derive(Clone, Debug)]
pub struct RelatedQuery {
    /// The query.
    pub query: String,
    /// Whether it is satisfied, or the reason of `unknown`; `Err(None)` for another kind of verdict.
    pub verdict: Result<bool, Option<String>>,
    /// The initial pair of the relation (`None` if it has no pairs), or why it is unavailable; only if requested and a
    /// refinement.
    pub relation: Option<Result<Option<RelationPair>, String>>,
}

impl Job for RelateRequest {
    type Outcome = RelateOutcome;

    fn run(self, context: &JobContext<'_>) -> Result<RelateOutcome, Refused> {
        let loaded = context.open_network(&self.model)?;
        let queries = context.accepted(loaded.read_queries(&self.queries))?.value;
        let task = loaded.task(queries).ok_or_else(Refused::default)?;
        // Known answers are shown even if the budget is exhausted.
        uninterrupted(|| {
            let answers = check(&task, &CheckOptions::default(), &context.budget, context.progress);
            let related = task.queries.iter().zip(&answers).map(|(query, answer)| {
                let verdict = match &answer.answer().verdict {
                    Verdict::Holds => Ok(true),
                    Verdict::Fails => Ok(false),
                    Verdict::Unknown(reason) => Err(Some(reason.describe())),
                    _ => Err(None),
                };
                let is_wanted = self.relations && verdict == Ok(true);
                let relation = if is_wanted { relation_of(query, context) } else { None };
                RelatedQuery { query: query.text.clone(), verdict, relation }
            });
            Ok(RelateOutcome { queries: related.collect() })
        })
    }
}

/// Returns the relation of a refinement; `None` for other queries.
fn relation_of(query: &Query, context: &JobContext<'_>) -> Option<Result<Option<RelationPair>, String>> {
    let QueryKind::Specification { components, question } = &query.kind else { return None };
    match refinement_relation(components, question, &context.budget) {
        Ok(relation) => {
            let nested = nested(&relation?);
            Some(nested.ok_or_else(|| "its pairs are nested too deeply to be written".to_owned()))
        }
        Err(reason) => Some(Err(reason.describe())),
    }
}

/// Limit on the nesting depth of a relation; readers and this program recurse over it.
const DEEPEST: usize = 500;

/// Returns a relation in the nested form of JECDAR, in which each pair is expanded at its first occurrence in
/// breadth-first order, which minimises the depth. Returns `None` if it is still nested too deeply.
fn nested(relation: &RefinementRelation) -> Option<Option<RelationPair>> {
    let Some(initial) = relation.initial else { return Some(None) };
    let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); relation.pairs.len()];
    for (number, next) in relation.moves.iter().enumerate() {
        leaving[next.source].push(number);
    }
    // The moves to the first occurrences of pairs.
    let mut first = BTreeSet::new();
    let mut depths: Vec<Option<usize>> = vec![None; relation.pairs.len()];
    depths[initial] = Some(0);
    let mut waiting = VecDeque::from([(initial, 0)]);
    while let Some((number, depth)) = waiting.pop_front() {
        if depth > DEEPEST {
            return None;
        }
        for &number in &leaving[number] {
            let target = relation.moves[number].target;
            if depths[target].is_none() {
                depths[target] = Some(depth + 1);
                first.insert(number);
                waiting.push_back((target, depth + 1));
            }
        }
    }
    let whole = pair(relation, initial, &leaving, &first);
    Some(Some(RelationPair { initial: Some(initial.to_string()), ..whole }))
}

fn pair(
    relation: &RefinementRelation,
    number: usize,
    leaving: &[Vec<usize>],
    first: &BTreeSet<usize>,
) -> RelationPair {
    let states = &relation.pairs[number];
    let move_of = |&position: &usize| {
        let next = &relation.moves[position];
        let target = || {
            let target = pair(relation, next.target, leaving, first);
            RelationPair { number: Some(next.target.to_string()), ..target }
        };
        RelationMove {
            source: next.source.to_string(),
            channel: next.action.clone(),
            target: next.target.to_string(),
            left_edges: next.left_edges.clone(),
            right_edges: next.right_edges.clone(),
            target_pair: first.contains(&position).then(target),
        }
    };
    RelationPair {
        left: states.left.clone(),
        right: states.right.clone(),
        zone: format!("{:?}", states.zone),
        transitions: leaving[number].iter().map(move_of).collect(),
        initial: None,
        number: None,
    }
}
