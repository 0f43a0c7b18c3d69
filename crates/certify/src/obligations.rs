//! Enumerates the parts of a question about specifications that a certificate must describe.
//!
//! Invariant: every component and every conjunction of the question is listed, each once, operands before the operator
//! and the left side before the right. Determinism, and refinements that hold by form, need no conjunctions. The engine
//! that produces certificates has an enumeration of its own; a certificate for another list is refused.

use tempora_model::{SpecExpression, SpecificationQuery};

/// Returns the parts of a question whose greatest consistent part a certificate must describe, in the order of the
/// certificate.
///
/// A composition of consistent parts needs no description. Questions other than refinement, consistency and determinism
/// have no certificates, and no parts.
pub fn certified_parts(question: &SpecificationQuery) -> Vec<&SpecExpression> {
    let (sides, with_conjunctions): (Vec<&SpecExpression>, bool) = match question {
        SpecificationQuery::Refinement(left, right) => (vec![left, right], !follows_from_form(left, right)),
        SpecificationQuery::Consistency(system) => (vec![system], true),
        SpecificationQuery::Determinism(system) => (vec![system], false),
        _ => (Vec::new(), false),
    };
    let mut parts: Vec<&SpecExpression> = Vec::new();
    for part in sides.into_iter().flat_map(operands_first) {
        let is_described = match part {
            SpecExpression::Component { .. } => true,
            SpecExpression::Conjunction(..) => with_conjunctions,
            SpecExpression::Composition(..)
            | SpecExpression::Quotient(..)
            | SpecExpression::Restricted(..) => false,
        };
        if is_described && parts.iter().all(|known| !known.is_copy_of(part)) {
            parts.push(part);
        }
    }
    parts
}

/// Returns whether a refinement holds because both sides are equal, and needs this argument since the checker does not
/// support one of the operators.
pub fn follows_from_form(left: &SpecExpression, right: &SpecExpression) -> bool {
    let has_states = |part: &SpecExpression| {
        !matches!(part, SpecExpression::Quotient(..) | SpecExpression::Restricted(..))
    };
    left.is_copy_of(right) && !operands_first(left).into_iter().all(has_states)
}

/// Returns an expression and its subexpressions, operands before the operator, the left before the right.
fn operands_first(expression: &SpecExpression) -> Vec<&SpecExpression> {
    // This is the reverse of operators before operands, the right before the left.
    let (mut found, mut waiting) = (Vec::new(), vec![expression]);
    while let Some(next) = waiting.pop() {
        found.push(next);
        match next {
            SpecExpression::Component { .. } => {}
            SpecExpression::Restricted(system, _) => waiting.push(system),
            SpecExpression::Composition(left, right)
            | SpecExpression::Conjunction(left, right)
            | SpecExpression::Quotient(left, right) => waiting.extend([&**left, &**right]),
        }
    }
    found.reverse();
    found
}
