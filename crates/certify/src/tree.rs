//! An expression of specifications by the positions of its components: its actions and its joint moves.
//!
//! Invariant: the alphabets fit, in every composition, conjunction and quotient. Components and conjunctions have the
//! index of their part of the certificate.

use std::collections::BTreeSet;
use std::ops::Range;

use tempora_model::SpecExpression;

use crate::component::{Action, Leaf, LeafMove};
use crate::refusal::Reason;

/// The maximal number of combinations of moves.
const MOST_COMBINATIONS: usize = 200_000;

/// The inputs and outputs of an expression.
#[derive(Clone, Default)]
pub(crate) struct Actions {
    pub(crate) inputs: BTreeSet<Action>,
    pub(crate) outputs: BTreeSet<Action>,
}

/// An expression without quotients.
pub(crate) struct Tree {
    pub(crate) actions: Actions,
    /// Its index among the parts of the certificate; `None` for a composition.
    pub(crate) part: Option<usize>,
    /// The positions of its components.
    pub(crate) leaves: Range<usize>,
    /// Its operands, which synchronise on common actions.
    pub(crate) sides: Option<Box<(Tree, Tree)>>,
}

/// The moves of several components that synchronise.
pub(crate) type Moves<'moves> = Vec<(usize, &'moves LeafMove)>;

impl Actions {
    pub(crate) fn contain(&self, action: Action) -> bool {
        self.inputs.contains(&action) || self.outputs.contains(&action)
    }

    pub(crate) fn all(&self) -> BTreeSet<Action> {
        self.inputs.union(&self.outputs).copied().collect()
    }

    /// Returns whether a specification with these actions can refine one with those.
    pub(crate) fn fit_for_refinement_of(&self, other: &Actions) -> bool {
        self.inputs.is_subset(&other.inputs)
            && other.outputs.is_subset(&self.outputs)
            && self.inputs.is_disjoint(&other.outputs)
            && self.outputs.is_disjoint(&other.inputs)
    }

    /// Returns the actions of an expression, taking its components from the iterator, or the mismatch.
    pub(crate) fn of(
        expression: &SpecExpression,
        leaves: &mut std::slice::Iter<'_, Leaf<'_>>,
    ) -> Result<Actions, Reason> {
        match expression {
            SpecExpression::Component { .. } => {
                let leaf = leaves.next().ok_or_else(|| unfit("a component is missing"))?;
                if !leaf.inputs.is_disjoint(&leaf.outputs) {
                    return Err(unfit("a component has an action both as input and as output"));
                }
                Ok(Actions { inputs: leaf.inputs.clone(), outputs: leaf.outputs.clone() })
            }
            SpecExpression::Composition(left, right) => {
                Actions::of(left, leaves)?.composed(&Actions::of(right, leaves)?)
            }
            SpecExpression::Conjunction(left, right) => {
                let (left, right) = (Actions::of(left, leaves)?, Actions::of(right, leaves)?);
                let actions = left.union(&right);
                if !actions.inputs.is_disjoint(&actions.outputs) {
                    return Err(unfit(
                        "the operands of a conjunction disagree on the direction of an action",
                    ));
                }
                Ok(actions)
            }
            SpecExpression::Quotient(whole, part) => {
                let (whole, part) = (Actions::of(whole, leaves)?, Actions::of(part, leaves)?);
                whole.divided_by(&part)
            }
            SpecExpression::Restricted(system, _) => Actions::of(system, leaves),
        }
    }

    pub(crate) fn composed(&self, other: &Actions) -> Result<Actions, Reason> {
        if !self.outputs.is_disjoint(&other.outputs) {
            return Err(unfit("two operands of a composition share an output"));
        }
        let mut actions = self.union(other);
        actions.inputs.retain(|action| !actions.outputs.contains(action));
        Ok(actions)
    }

    pub(crate) fn divided_by(&self, part: &Actions) -> Result<Actions, Reason> {
        if !part.outputs.is_disjoint(&self.inputs) {
            return Err(unfit(
                "the right operand of a quotient has outputs that are inputs of the left operand",
            ));
        }
        let outputs = self.outputs.difference(&part.outputs).chain(part.inputs.difference(&self.inputs));
        Ok(Actions {
            outputs: outputs.copied().collect(),
            inputs: self.inputs.union(&part.outputs).copied().collect(),
        })
    }

    fn union(&self, other: &Actions) -> Actions {
        Actions {
            inputs: self.inputs.union(&other.inputs).copied().collect(),
            outputs: self.outputs.union(&other.outputs).copied().collect(),
        }
    }
}

impl Tree {
    /// Returns the tree of an expression whose components start at a position, or the mismatch.
    pub(crate) fn new(
        expression: &SpecExpression,
        parts: &[&SpecExpression],
        leaves: &[Leaf<'_>],
        first: usize,
    ) -> Result<Tree, Reason> {
        let actions = Actions::of(expression, &mut leaves[first..].iter())?;
        let position = || {
            let known = parts.iter().position(|part| part.is_copy_of(expression));
            known.map(Some).ok_or_else(|| unfit("the certificate lacks a component or conjunction"))
        };
        let (part, sides) = match expression {
            SpecExpression::Component { .. } => {
                return Ok(Tree { actions, part: position()?, leaves: first..first + 1, sides: None });
            }
            SpecExpression::Composition(left, right) => (None, (left, right)),
            SpecExpression::Conjunction(left, right) => (position()?, (left, right)),
            SpecExpression::Quotient(..) => {
                return Err(Reason::Unsupported(
                    "quotients, except as the right side of a refinement or if both sides are equal"
                        .to_owned(),
                ));
            }
            SpecExpression::Restricted(..) => {
                return Err(Reason::Unsupported("specifications restricted by `A[]`".to_owned()));
            }
        };
        let left = Tree::new(sides.0, parts, leaves, first)?;
        let right = Tree::new(sides.1, parts, leaves, left.leaves.end)?;
        let leaves = first..right.leaves.end;
        Ok(Tree { actions, part, leaves, sides: Some(Box::new((left, right))) })
    }

    /// Returns the joint moves of the tree on one of its actions, with one move of each participating component.
    pub(crate) fn moves<'moves>(
        &self,
        action: Action,
        of_leaves: &'moves [Vec<LeafMove>],
    ) -> Result<Vec<Moves<'moves>>, Reason> {
        let Some(sides) = &self.sides else {
            let leaf = self.leaves.start;
            let own = of_leaves[leaf].iter().filter(|one| one.action == action);
            return Ok(own.map(|one| vec![(leaf, one)]).collect());
        };
        let (left, right) = (&sides.0, &sides.1);
        match (left.actions.contain(action), right.actions.contain(action)) {
            (true, true) => combined(&left.moves(action, of_leaves)?, &right.moves(action, of_leaves)?),
            (true, false) => left.moves(action, of_leaves),
            _ => right.moves(action, of_leaves),
        }
    }

    /// Collects the parts of the certificate in the tree, with the positions of their components.
    pub(crate) fn parts(&self, with_own: bool, found: &mut Vec<(usize, Range<usize>)>) {
        if let (Some(part), true) = (self.part, with_own) {
            found.push((part, self.leaves.clone()));
        }
        if let Some(sides) = &self.sides {
            sides.0.parts(true, found);
            sides.1.parts(true, found);
        }
    }
}

fn combined<'moves>(ones: &[Moves<'moves>], others: &[Moves<'moves>]) -> Result<Vec<Moves<'moves>>, Reason> {
    if ones.len().saturating_mul(others.len()) > MOST_COMBINATIONS {
        return Err(Reason::TooLarge("too many moves can synchronise".to_owned()));
    }
    let mut all = Vec::with_capacity(ones.len() * others.len());
    for one in ones {
        all.extend(others.iter().map(|other| [one.as_slice(), other].concat()));
    }
    Ok(all)
}

pub(crate) fn unfit(why: &str) -> Reason {
    Reason::OtherQuestion(why.to_owned())
}
