//! The components and conjunctions of a question that a certificate describes.
//!
//! Invariant: the certificate checker has an enumeration of its own, and rejects a certificate with another list.

use tempora_model::{SpecExpression, SpecificationQuery};

/// Returns the components and conjunctions of a question, each once, inner and left ones first.
///
/// These may need pruning; a composition of pruned operands never does. Only components are listed for determinism, and
/// for refinements that hold by form. Other questions have none.
pub fn searched_parts(question: &SpecificationQuery) -> Vec<&SpecExpression> {
    let mut parts: Vec<&SpecExpression> = Vec::new();
    match question {
        SpecificationQuery::Refinement(left, right) => {
            let by_form = holds_by_form(left, right);
            add_parts(left, by_form, &mut parts);
            add_parts(right, by_form, &mut parts);
        }
        SpecificationQuery::Consistency(system) => add_parts(system, false, &mut parts),
        SpecificationQuery::Determinism(system) => add_parts(system, true, &mut parts),
        _ => {}
    }
    parts
}

/// Returns whether both sides of a refinement are equal and contain an operator without certificates.
pub fn holds_by_form(left: &SpecExpression, right: &SpecExpression) -> bool {
    left.is_copy_of(right) && has_quotients(left)
}

/// Returns whether an expression contains an operator without certificates.
fn has_quotients(expression: &SpecExpression) -> bool {
    match expression {
        SpecExpression::Component { .. } => false,
        SpecExpression::Quotient(..) | SpecExpression::Restricted(..) => true,
        SpecExpression::Composition(left, right) | SpecExpression::Conjunction(left, right) => {
            has_quotients(left) || has_quotients(right)
        }
    }
}

fn add_parts<'question>(
    expression: &'question SpecExpression,
    components_only: bool,
    parts: &mut Vec<&'question SpecExpression>,
) {
    let is_searched = match expression {
        SpecExpression::Component { .. } => true,
        SpecExpression::Restricted(system, _) => {
            add_parts(system, components_only, parts);
            false
        }
        SpecExpression::Composition(left, right)
        | SpecExpression::Conjunction(left, right)
        | SpecExpression::Quotient(left, right) => {
            add_parts(left, components_only, parts);
            add_parts(right, components_only, parts);
            !components_only && matches!(expression, SpecExpression::Conjunction(..))
        }
    };
    if is_searched && !parts.iter().any(|known| known.is_copy_of(expression)) {
        parts.push(expression);
    }
}
