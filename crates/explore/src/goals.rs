//! What a search looks for, and what formulas make of what it found.
//!
//! Invariant: a formula is decided as soon as the goals that it needs are; what was not found by a search that saw all
//! states is nowhere.

use tempora_machine::{ClockConstraint, Failure, Predicate};
use tempora_model::{Expression, Formula, Query, QueryKind};

use crate::store::NodeId;

/// A state of which a predicate has the wanted truth value.
pub(crate) struct Goal {
    pub(crate) predicate: Predicate,
    pub(crate) wanted: bool,
    pub(crate) outcome: Option<GoalOutcome>,
}

pub(crate) enum GoalOutcome {
    /// Such a state is in a node, for clock values that satisfy the constraints.
    Found { node: NodeId, constraints: Vec<ClockConstraint> },
    /// There is no such state, which was shown on these processes alone.
    Excluded { processes: Vec<String> },
    /// The predicate cannot be evaluated in some state.
    Failed(Failure),
}

/// A query as a combination of goals, by their positions.
pub(crate) enum Question {
    /// It holds if the goal is found, or if it is not.
    Goal {
        goal: usize,
        holds_if_found: bool,
    },
    Not(Box<Question>),
    And(Vec<Question>),
    Or(Vec<Question>),
}

/// The predicates of a query with the truth values that are looked for, and how they answer it; or why not.
pub(crate) fn question<'query>(
    query: &'query Query,
    predicates: &mut Vec<(&'query Expression, bool)>,
) -> Result<Question, String> {
    match &query.kind {
        QueryKind::Formula(formula) => of_formula(formula, predicates),
        QueryKind::Bounds { .. } => Err(declined("bounds of values")),
        QueryKind::Time { .. } => Err(declined("the earliest or latest time")),
        QueryKind::Specification(_) => Err(declined("specifications")),
        QueryKind::Declined(declined_query) => Err(declined(declined_query.family)),
    }
}

fn declined(what: &str) -> String {
    format!("the zone engine does not answer questions about {what} yet")
}

fn of_formula<'query>(
    formula: &'query Formula,
    predicates: &mut Vec<(&'query Expression, bool)>,
) -> Result<Question, String> {
    let mut goal = |predicate, wanted| {
        predicates.push((predicate, wanted));
        Ok(Question::Goal { goal: predicates.len() - 1, holds_if_found: wanted })
    };
    match formula {
        Formula::Possibly(predicate) => goal(predicate, true),
        Formula::Always(predicate) => goal(predicate, false),
        Formula::Not(inner) => Ok(Question::Not(Box::new(of_formula(inner, predicates)?))),
        Formula::And(parts) => Ok(Question::And(of_all(parts, predicates)?)),
        Formula::Or(parts) => Ok(Question::Or(of_all(parts, predicates)?)),
        Formula::PotentiallyAlways(_) | Formula::Eventually(_) | Formula::LeadsTo { .. } => {
            Err(declined("all of a run (`E[]`, `A<>`, `-->`)"))
        }
        Formula::AlwaysPossibly { .. } => Err(declined("what can always be reached again")),
        Formula::InfinitelyOften(_) => Err(declined("infinite runs (`buchi:`)")),
    }
}

fn of_all<'query>(
    parts: &'query [Formula],
    predicates: &mut Vec<(&'query Expression, bool)>,
) -> Result<Vec<Question>, String> {
    parts.iter().map(|part| of_formula(part, predicates)).collect()
}

impl Question {
    /// Whether it holds, as far as that is known: `None` if it depends on a goal that is neither found nor ruled out.
    pub(crate) fn verdict(&self, goals: &[Goal], is_complete: bool) -> Option<bool> {
        match self {
            Question::Goal { goal, holds_if_found } => match &goals[*goal].outcome {
                Some(GoalOutcome::Found { .. }) => Some(*holds_if_found),
                Some(GoalOutcome::Excluded { .. }) => Some(!holds_if_found),
                Some(GoalOutcome::Failed(_)) => None,
                None => is_complete.then_some(!holds_if_found),
            },
            Question::Not(inner) => inner.verdict(goals, is_complete).map(|holds| !holds),
            Question::And(parts) => combine(parts, goals, is_complete, false),
            Question::Or(parts) => combine(parts, goals, is_complete, true),
        }
    }

    /// The goals that it depends on.
    pub(crate) fn goals(&self, list: &mut Vec<usize>) {
        match self {
            Question::Goal { goal, .. } => list.push(*goal),
            Question::Not(inner) => inner.goals(list),
            Question::And(parts) | Question::Or(parts) => parts.iter().for_each(|part| part.goals(list)),
        }
    }

    /// Moves the positions of goals up.
    pub(crate) fn shift(&mut self, by: usize) {
        match self {
            Question::Goal { goal, .. } => *goal += by,
            Question::Not(inner) => inner.shift(by),
            Question::And(parts) | Question::Or(parts) => parts.iter_mut().for_each(|part| part.shift(by)),
        }
    }
}

/// One part that has the deciding value decides; else all have to be known.
fn combine(parts: &[Question], goals: &[Goal], is_complete: bool, deciding: bool) -> Option<bool> {
    let mut is_known = true;
    for part in parts {
        match part.verdict(goals, is_complete) {
            Some(value) if value == deciding => return Some(deciding),
            Some(_) => {}
            None => is_known = false,
        }
    }
    is_known.then_some(!deciding)
}
