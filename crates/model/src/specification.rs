//! Expressions over specifications, and questions about them.
//!
//! Invariant: a component is a process of the network with an interface.

use tempora_source::Origin;

use crate::table::ProcessId;

/// Specifications combined by the operators of a specification theory.
#[derive(Clone, PartialEq, Debug)]
pub enum SpecExpression {
    /// A component.
    Component(ProcessId, Origin),
    /// `S || T`: both run side by side.
    Composition(Box<SpecExpression>, Box<SpecExpression>),
    /// `S && T`: what implements both.
    Conjunction(Box<SpecExpression>, Box<SpecExpression>),
    /// `T \ S`: what must be put beside the second to implement the first.
    Quotient(Box<SpecExpression>, Box<SpecExpression>),
}

/// A question about specifications.
#[derive(Clone, PartialEq, Debug)]
pub enum SpecificationQuery {
    /// Whether each implementation of the first implements the second.
    Refinement(SpecExpression, SpecExpression),
    /// Whether there is an implementation.
    Consistency(SpecExpression),
    /// Whether it is a specification: deterministic and ready for every input.
    Specification(SpecExpression),
    /// Whether it is an implementation: outputs are urgent and it can always go on.
    Implementation(SpecExpression),
    /// Whether no two edges compete.
    Determinism(SpecExpression),
}
