//! Operands without implementations, and what follows for the expressions around them.
//!
//! Invariant: the meaning of an expression is its greatest consistent part. So a composition, a conjunction or a
//! restriction with an operand without implementations has none either. A quotient by such a part is universal, since
//! composed with that part everything refines the whole; any other quotient of a whole without implementations has none.

use tempora_model::SpecExpression;

use crate::proof::Term;
use crate::theory::{Obstacle, Theory};

/// Returns the smallest subexpression because of which an expression has no implementation; `None` if it has one.
pub(crate) fn unimplementable<'expression>(
    theory: &mut Theory<'_>,
    expression: &'expression SpecExpression,
) -> Result<Option<&'expression SpecExpression>, Obstacle> {
    let meaning = theory.meaning(expression)?;
    if theory.has_good_start(meaning)? {
        return Ok(None);
    }
    let operand = match expression {
        SpecExpression::Component { .. } => None,
        SpecExpression::Composition(left, right) | SpecExpression::Conjunction(left, right) => {
            match unimplementable(theory, left)? {
                None => unimplementable(theory, right)?,
                found => found,
            }
        }
        // By a part without implementations, the quotient would be universal.
        SpecExpression::Quotient(whole, _) => unimplementable(theory, whole)?,
        SpecExpression::Restricted(system, _) => unimplementable(theory, system)?,
    };
    Ok(Some(operand.unwrap_or(expression)))
}

/// Returns a note for each quotient that is universal because its part has no implementation.
pub(crate) fn universal_quotients(
    theory: &mut Theory<'_>,
    expression: &SpecExpression,
) -> Result<Vec<String>, Obstacle> {
    let mut notes = Vec::new();
    collect_universal(theory, expression, &mut notes)?;
    Ok(notes)
}

fn collect_universal(
    theory: &mut Theory<'_>,
    expression: &SpecExpression,
    notes: &mut Vec<String>,
) -> Result<(), Obstacle> {
    match expression {
        SpecExpression::Component { .. } => {}
        SpecExpression::Quotient(whole, part) => {
            if let Some(culprit) = unimplementable(theory, part)? {
                let what = format!("`{}` allows everything", Term::of(theory.network, expression));
                push_new(notes, because_of(theory, culprit, &what));
            } else {
                collect_universal(theory, whole, notes)?;
                collect_universal(theory, part, notes)?;
            }
        }
        SpecExpression::Composition(left, right) | SpecExpression::Conjunction(left, right) => {
            collect_universal(theory, left, notes)?;
            collect_universal(theory, right, notes)?;
        }
        SpecExpression::Restricted(system, _) => collect_universal(theory, system, notes)?,
    }
    Ok(())
}

/// Returns a note for each quotient that has no state, even before pruning, because its whole has no implementation.
pub(crate) fn empty_quotients(
    theory: &mut Theory<'_>,
    expression: &SpecExpression,
) -> Result<Vec<String>, Obstacle> {
    let mut notes = Vec::new();
    collect_empty(theory, expression, &mut notes)?;
    Ok(notes)
}

fn collect_empty(
    theory: &mut Theory<'_>,
    expression: &SpecExpression,
    notes: &mut Vec<String>,
) -> Result<(), Obstacle> {
    match expression {
        SpecExpression::Component { .. } => {}
        SpecExpression::Quotient(whole, part) => {
            if unimplementable(theory, part)?.is_none()
                && let Some(culprit) = unimplementable(theory, whole)?
            {
                let what = format!("`{}` has no state", Term::of(theory.network, expression));
                push_new(notes, because_of(theory, culprit, &what));
            }
        }
        SpecExpression::Composition(left, right) | SpecExpression::Conjunction(left, right) => {
            collect_empty(theory, left, notes)?;
            collect_empty(theory, right, notes)?;
        }
        SpecExpression::Restricted(system, _) => collect_empty(theory, system, notes)?,
    }
    Ok(())
}

fn push_new(notes: &mut Vec<String>, note: String) {
    if !notes.contains(&note) {
        notes.push(note);
    }
}

/// Renders what follows from an expression without implementations.
pub(crate) fn because_of(theory: &Theory<'_>, culprit: &SpecExpression, consequence: &str) -> String {
    format!("`{}` has no implementation, so {consequence}", Term::of(theory.network, culprit))
}

/// Renders that a refinement holds because of an operand of its left side.
pub(crate) fn vacuous(theory: &Theory<'_>, culprit: &SpecExpression) -> String {
    let name = Term::of(theory.network, culprit);
    format!("`{name}`, on the left side, has no implementation, so the refinement holds vacuously")
}
