//! Expressions over specifications, and queries about them.
//!
//! A component is a process of the network; each occurrence of it in an expression is a separate copy.

use tempora_source::Origin;

use crate::expression::Comparison;
use crate::query::Formula;
use crate::{LocationId, ProcessId, VariableId};

/// Specifications combined by the operators of a specification theory.
#[derive(Clone, PartialEq, Debug)]
pub enum SpecExpression {
    /// A component.
    Component {
        /// The process of the component.
        process: ProcessId,
        /// The name of this copy in the query, if any.
        instance: Option<String>,
        /// Its origin in the text.
        origin: Origin,
    },
    /// `S || T`: parallel composition.
    Composition(Box<SpecExpression>, Box<SpecExpression>),
    /// `S && T`: the specification whose implementations implement both operands.
    Conjunction(Box<SpecExpression>, Box<SpecExpression>),
    /// `T \\ S`: the weakest specification that, composed with `S`, refines `T`.
    Quotient(Box<SpecExpression>, Box<SpecExpression>),
    /// `(S : A[] p)`: the specification restricted to states that satisfy the predicate.
    Restricted(Box<SpecExpression>, Box<StatePredicate>),
}

/// A query about specifications.
#[derive(Clone, PartialEq, Debug)]
pub enum SpecificationQuery {
    /// Whether each implementation of the first implements the second.
    Refinement(SpecExpression, SpecExpression),
    /// Whether the first is an implementation of the second.
    Satisfaction(SpecExpression, SpecExpression),
    /// Whether an implementation exists.
    Consistency(SpecExpression),
    /// Whether each reachable state can delay or take an output without help of the environment.
    LocalConsistency(SpecExpression),
    /// Whether it is a specification: deterministic and input-enabled.
    Specification(SpecExpression),
    /// Whether it is an implementation: outputs are urgent and progress is always possible.
    Implementation(SpecExpression),
    /// Whether a state and an action always fix the next state.
    Determinism(SpecExpression),
    /// Whether a state is reachable from another.
    Reachability {
        /// The system.
        system: SpecExpression,
        /// The start; `None` for the initial state.
        start: Option<StatePredicate>,
        /// The goal.
        goal: StatePredicate,
    },
    /// Computes a single component for an expression.
    Component {
        /// The system.
        system: SpecExpression,
        /// The form of the component.
        form: ComponentForm,
        /// The name of the new component, if any.
        name: Option<String>,
    },
    /// Whether a formula holds for an expression in every environment.
    Formula {
        /// The system.
        system: SpecExpression,
        /// The formula, about the components as processes.
        formula: Formula,
    },
}

/// The form of a component that is computed from an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ComponentForm {
    /// The result of the operators.
    Whole,
    /// Pruned to its greatest consistent part.
    Pruned,
    /// Minimised: bisimilar locations are merged.
    Minimised,
}

impl SpecExpression {
    /// Returns whether both expressions are equal up to the names of copies.
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

    /// Returns the components from left to right, with the names of their copies.
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

/// A predicate over states of an expression; components are counted from the left.
#[derive(Clone, PartialEq, Debug)]
pub enum StatePredicate {
    /// A constant.
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
    /// Negation.
    Not(Box<StatePredicate>),
    /// Conjunction.
    And(Box<StatePredicate>, Box<StatePredicate>),
    /// Disjunction.
    Or(Box<StatePredicate>, Box<StatePredicate>),
}
