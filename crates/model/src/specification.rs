//! Expressions over specifications, and questions about them.
//!
//! Invariant: a component is a process of the network; each occurrence of it in an expression is a copy of its own.

use tempora_source::Origin;

use crate::expression::Comparison;
use crate::query::Formula;
use crate::{LocationId, ProcessId, VariableId};

/// Specifications combined by the operators of a specification theory.
#[derive(Clone, PartialEq, Debug)]
pub enum SpecExpression {
    /// A component.
    Component {
        /// Which.
        process: ProcessId,
        /// What the question calls this copy of it, if it says so.
        instance: Option<String>,
        /// Where it is written.
        origin: Origin,
    },
    /// `S || T`: both run side by side.
    Composition(Box<SpecExpression>, Box<SpecExpression>),
    /// `S && T`: what implements both.
    Conjunction(Box<SpecExpression>, Box<SpecExpression>),
    /// `T \\ S`: what must be put beside the second to implement the first.
    Quotient(Box<SpecExpression>, Box<SpecExpression>),
    /// `(S : A[] p)`: what of the specification keeps the predicate true.
    Restricted(Box<SpecExpression>, Box<StatePredicate>),
}

/// A question about specifications.
#[derive(Clone, PartialEq, Debug)]
pub enum SpecificationQuery {
    /// Whether each implementation of the first implements the second.
    Refinement(SpecExpression, SpecExpression),
    /// Whether the first is an implementation, and one of the second.
    Satisfaction(SpecExpression, SpecExpression),
    /// Whether there is an implementation.
    Consistency(SpecExpression),
    /// Whether each reachable state can go on by itself.
    LocalConsistency(SpecExpression),
    /// Whether it is a specification: deterministic and ready for every input.
    Specification(SpecExpression),
    /// Whether it is an implementation: outputs are urgent and it can always go on.
    Implementation(SpecExpression),
    /// Whether no two edges compete.
    Determinism(SpecExpression),
    /// Whether a state can be reached from another.
    Reachability {
        /// Of what.
        system: SpecExpression,
        /// Where to start; `None` for the initial state.
        start: Option<StatePredicate>,
        /// Where to get to.
        goal: StatePredicate,
    },
    /// One component in place of an expression.
    Component {
        /// Of what.
        system: SpecExpression,
        /// In which form.
        form: ComponentForm,
        /// What it is to be called.
        name: Option<String>,
    },
    /// Whether a formula is true of an expression, whatever the environment does.
    Formula {
        /// Of what.
        system: SpecExpression,
        /// The formula, about the components as processes.
        formula: Formula,
    },
}

/// In which form an expression is to become one component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ComponentForm {
    /// As its operator makes it.
    Whole,
    /// Its greatest consistent part.
    Pruned,
    /// With one location for all that are bisimilar.
    Minimised,
}

impl SpecExpression {
    /// Whether both are made of the same components in the same way, whatever the copies are called.
    pub fn is_copy_of(&self, other: &SpecExpression) -> bool {
        match (self, other) {
            (SpecExpression::Component { process, .. }, SpecExpression::Component { process: other, .. }) => {
                process == other
            }
            (SpecExpression::Composition(left, right), SpecExpression::Composition(one, two))
            | (SpecExpression::Conjunction(left, right), SpecExpression::Conjunction(one, two))
            | (SpecExpression::Quotient(left, right), SpecExpression::Quotient(one, two)) => {
                left.is_copy_of(one) && right.is_copy_of(two)
            }
            (SpecExpression::Restricted(left, one), SpecExpression::Restricted(right, other)) => {
                left.is_copy_of(right) && one == other
            }
            _ => false,
        }
    }

    /// The components from the left to the right, with the names of their copies.
    pub fn components(&self) -> Vec<(ProcessId, Option<&str>)> {
        match self {
            SpecExpression::Component { process, instance, .. } => vec![(*process, instance.as_deref())],
            SpecExpression::Restricted(system, _) => system.components(),
            SpecExpression::Composition(left, right)
            | SpecExpression::Conjunction(left, right)
            | SpecExpression::Quotient(left, right) => {
                let mut components = left.components();
                components.extend(right.components());
                components
            }
        }
    }
}

/// What is said of one state of an expression; components are counted from the left.
#[derive(Clone, PartialEq, Debug)]
pub enum StatePredicate {
    /// Always or never.
    Truth(bool),
    /// Whether a component is in a location.
    At {
        /// The component.
        component: usize,
        /// The location.
        location: LocationId,
    },
    /// `left - right` compared with a bound, where a missing clock is zero.
    Clocks {
        /// The clock that counts positively, with its component.
        left: Option<(usize, VariableId)>,
        /// The clock that counts negatively, with its component.
        right: Option<(usize, VariableId)>,
        /// The comparison.
        comparison: Comparison,
        /// The bound.
        bound: i32,
    },
    /// The opposite.
    Not(Box<StatePredicate>),
    /// Both.
    And(Box<StatePredicate>, Box<StatePredicate>),
    /// One of them.
    Or(Box<StatePredicate>, Box<StatePredicate>),
}
