//! Goals of a search, and the evaluation of queries from the outcomes of their goals.
//!
//! A query is decided as soon as the goals it depends on are; a goal that an exhaustive search missed is unreachable.

use tempora_machine::{ClockConstraint, Failure, Predicate};
use tempora_model::{Expression, ExpressionKind, Formula};

use crate::graph::store::NodeId;
use crate::liveness::branching::FormulaOutcome;

/// A state in which a predicate has the wanted truth value.
pub(crate) struct Goal {
    pub(crate) predicate: Predicate,
    pub(crate) wanted: bool,
    pub(crate) outcome: Option<GoalOutcome>,
    /// Whether every goal state is a deadlock, as far as the form of the predicate tells.
    pub(crate) implies_deadlock: bool,
}

impl Goal {
    pub(crate) fn new(predicate: Predicate, wanted: bool) -> Goal {
        let implies_deadlock = implies_deadlock(&predicate, wanted);
        Goal { predicate, wanted, outcome: None, implies_deadlock }
    }
}

/// Returns whether the form of a predicate implies that only deadlocks give it a truth value.
fn implies_deadlock(predicate: &Predicate, wanted: bool) -> bool {
    match predicate {
        Predicate::Deadlock => wanted,
        // A quantifier over an empty range ignores its body.
        Predicate::Data(_) | Predicate::Clocks(_) | Predicate::Quantified { .. } => false,
        Predicate::Not(inner) => implies_deadlock(inner, !wanted),
        Predicate::And(left, right) | Predicate::Or(left, right) => {
            let is_conjunction = matches!(predicate, Predicate::And(..)) == wanted;
            let (left, right) = (implies_deadlock(left, wanted), implies_deadlock(right, wanted));
            if is_conjunction { left || right } else { left && right }
        }
        Predicate::Conditional { then, otherwise, .. } => {
            implies_deadlock(then, wanted) && implies_deadlock(otherwise, wanted)
        }
    }
}

pub(crate) enum GoalOutcome {
    /// A node contains a goal state, for clock values that satisfy the constraints.
    Found { node: NodeId, constraints: Vec<ClockConstraint> },
    /// No goal state is reachable, as proved on these processes alone.
    Excluded { processes: Vec<String> },
    /// A zone contains a goal state, but no run to it is known.
    Doubtful,
    /// Evaluating the predicate failed in some state.
    Failed(Failure),
}

/// Goals with the same bounds share an exploration: reachability goals and goals that mention deadlocks.
pub(crate) const GROUPS: usize = 2;
const REACH: usize = 0;
const DEADLOCK: usize = 1;

/// A query as a combination of goals and of formulas that have their own searches, by position.
pub(crate) enum QueryTree {
    /// Holds if the goal is found, or if it is not.
    Goal {
        group: usize,
        goal: usize,
        holds_if_found: bool,
    },
    Branching(usize),
    Not(Box<QueryTree>),
    And(Vec<QueryTree>),
    Or(Vec<QueryTree>),
}

/// The atoms of all queries: predicates with wanted truth values, by group, and formulas.
#[derive(Default)]
pub(crate) struct QueryAtoms<'query> {
    pub(crate) predicates: [Vec<(&'query Expression, bool)>; GROUPS],
    pub(crate) formulas: Vec<&'query Formula>,
}

/// Splits a formula into goals and formulas, and returns how they determine its verdict.
pub(crate) fn query_tree<'query>(formula: &'query Formula, asked: &mut QueryAtoms<'query>) -> QueryTree {
    let mut goal = |predicate: &'query Expression, wanted| {
        let group = if mentions_deadlock(predicate) { DEADLOCK } else { REACH };
        asked.predicates[group].push((predicate, wanted));
        let goal = asked.predicates[group].len() - 1;
        QueryTree::Goal { group, goal, holds_if_found: wanted }
    };
    match formula {
        Formula::Possibly(predicate) => goal(predicate, true),
        Formula::Always(predicate) => goal(predicate, false),
        Formula::Not(inner) => QueryTree::Not(Box::new(query_tree(inner, asked))),
        Formula::And(parts) => QueryTree::And(parts.iter().map(|part| query_tree(part, asked)).collect()),
        Formula::Or(parts) => QueryTree::Or(parts.iter().map(|part| query_tree(part, asked)).collect()),
        Formula::PotentiallyAlways(_)
        | Formula::Eventually(_)
        | Formula::LeadsTo { .. }
        | Formula::AlwaysPossibly { .. }
        | Formula::InfinitelyOften(_) => {
            asked.formulas.push(formula);
            QueryTree::Branching(asked.formulas.len() - 1)
        }
    }
}

fn mentions_deadlock(predicate: &Expression) -> bool {
    let mut is_mentioned = false;
    predicate.for_each(&mut |part| is_mentioned |= matches!(part.kind, ExpressionKind::Deadlock));
    is_mentioned
}

/// The results of all searches.
pub(crate) struct Results<'search> {
    pub(crate) goals: &'search [Vec<Goal>; GROUPS],
    /// Whether the search for the goals of each group was exhaustive.
    pub(crate) is_complete: [bool; GROUPS],
    pub(crate) outcomes: &'search [FormulaOutcome],
}

impl QueryTree {
    /// Returns the verdict; `None` if it depends on an undecided goal or formula.
    pub(crate) fn verdict(&self, results: &Results<'_>) -> Option<bool> {
        match self {
            QueryTree::Goal { group, goal, holds_if_found } => match &results.goals[*group][*goal].outcome {
                Some(GoalOutcome::Found { .. }) => Some(*holds_if_found),
                Some(GoalOutcome::Excluded { .. }) => Some(!holds_if_found),
                Some(GoalOutcome::Failed(_) | GoalOutcome::Doubtful) => None,
                None => results.is_complete[*group].then_some(!holds_if_found),
            },
            QueryTree::Branching(position) => results.outcomes[*position].holds.as_ref().ok().copied(),
            QueryTree::Not(inner) => inner.verdict(results).map(|holds| !holds),
            QueryTree::And(parts) => combine(parts, results, false),
            QueryTree::Or(parts) => combine(parts, results, true),
        }
    }

    /// Lists the goals and formulas that the question combines.
    pub(crate) fn leaves<'question>(&'question self, list: &mut Vec<&'question QueryTree>) {
        match self {
            QueryTree::Goal { .. } | QueryTree::Branching(_) => list.push(self),
            QueryTree::Not(inner) => inner.leaves(list),
            QueryTree::And(parts) | QueryTree::Or(parts) => parts.iter().for_each(|part| part.leaves(list)),
        }
    }
}

/// Returns one part with the deciding value decides; otherwise all parts must be decided.
fn combine(parts: &[QueryTree], results: &Results<'_>, deciding: bool) -> Option<bool> {
    let mut is_known = true;
    for part in parts {
        match part.verdict(results) {
            Some(value) if value == deciding => return Some(deciding),
            Some(_) => {}
            None => is_known = false,
        }
    }
    is_known.then_some(!deciding)
}
